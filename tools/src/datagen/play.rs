//! One game of the engine against itself.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::branch::{BranchSampler, default_move};
use super::record::quantised_win_rate;
use super::{DatagenSettings, GameResult, TrainingRecord};
use tengen::board::Board;
use tengen::engine::{Engine, Evaluation, Options};
use tengen::eval::LOGIT;
use tengen::patterns::Class;
use tengen::position::Position;
use tengen::rules::Rule;
use tengen::search::{SearchControl, SearchInfo, SearchRequest};
use tengen::types::{Point, ScoreKind};

/// Random openings that are tried before the game starts on an empty board instead.
const OPENING_TRIES: usize = 40;
/// An opening is balanced when each side expects at least this share of the points.
const MIN_WIN_RATE: f64 = 0.25;
/// Share of the unbalanced openings that are played as well: a network has to know one-sided
/// positions too.
const UNBALANCED_SHARE: f64 = 0.1;
/// Lines of the search among which a varied move is chosen.
const VARIED_LINES: usize = 4;
/// Most by which a varied move is worse than the best one, in logits.
const VARIED_LOSS: f64 = 0.5;
/// A varied move that is worse by this many logits is chosen e times less often.
const VARIED_TEMPERATURE: f64 = 0.2;

/// An engine that plays against itself, one game after another.
pub(super) struct SelfPlay<'a> {
    settings: &'a DatagenSettings,
    engine: Engine,
}

/// The next part of a game.
enum NextStep {
    /// The game is over.
    End(GameResult),
    /// The only move that blocks a four.
    Forced(Point),
    /// The position has to be searched.
    Search,
}

impl<'a> SelfPlay<'a> {
    pub(super) fn new(settings: &'a DatagenSettings, evaluation: &Evaluation) -> SelfPlay<'a> {
        let options = Options {
            threads: 1,
            hash_kib: Some(settings.hash_kib),
            ..Options::default()
        };
        let mut engine = Engine::new(options);
        engine.set_evaluation(evaluation.clone());
        SelfPlay { settings, engine }
    }

    /// Plays game `number` of the settings from the opening to the end. Returns the branches of its
    /// searches, then the game itself; `None` if `stop` is set before its end.
    pub(super) fn play_game(
        &mut self,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<TrainingRecord>> {
        let (rule, size) = self.settings.kind(number);
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let seed = self.settings.seed ^ mixed;
        let mut rng = StdRng::seed_from_u64(seed);
        // A generator of its own, so that branches do not change the game. (Relabelling does: the
        // searches of leaves fill the table that the game's searches use.)
        let mut branch_rng = StdRng::seed_from_u64(seed);
        let mut sampler = BranchSampler::default();
        let mut records = Vec::new();
        // Entries of earlier games would make the game depend on more than its number.
        self.engine.clear_hash();
        let moves = self.opening(&mut rng, rule, size);
        let mut position = Position::new(&empty_board(size), rule);
        moves.iter().for_each(|&p| position.play(p));
        let mut game = TrainingRecord {
            size,
            rule,
            opening: moves.len() as u8,
            result: GameResult::Draw,
            values: vec![None; moves.len()],
            moves,
        };
        loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let (played, value) = match self.next_step(&mut position) {
                NextStep::End(result) => {
                    game.result = result;
                    break;
                }
                NextStep::Forced(p) => (p, None),
                NextStep::Search => {
                    let is_varied = position.board().stones().len() < self.settings.varied.into();
                    let lines = self.search_move(position.board(), rule, is_varied);
                    for _ in 0..self.settings.branches {
                        let branch = self.branch(&game, &position, &mut sampler, &mut branch_rng);
                        records.extend(branch);
                    }
                    match lines.first() {
                        Some(best) => (
                            choose_move(&mut rng, &lines),
                            Some(quantised_win_rate(best.win_rate)),
                        ),
                        // The search has no line for the first stone, and none without a legal
                        // move.
                        None => match default_move(&position) {
                            Some(p) => (p, None),
                            None => {
                                game.result = GameResult::Win(!position.side_to_move());
                                break;
                            }
                        },
                    }
                }
            };
            game.moves.push(played);
            game.values.push(value);
            position.play(played);
        }
        records.push(game);
        Some(records)
    }

    /// A branch of `game` at `position`, which was searched last. `None` where the sampled line
    /// leads to nothing new, or its leaf needs no search.
    fn branch(
        &mut self,
        game: &TrainingRecord,
        position: &Position,
        sampler: &mut BranchSampler,
        rng: &mut StdRng,
    ) -> Option<TrainingRecord> {
        let (tt, _) = self.engine.table().expect("it has searched");
        if self.settings.relabel_nodes == 0 {
            return sampler.sample_line(game, position, &tt, rng);
        }
        let (mut branch, mut leaf) = sampler.sample_leaf(game, position, &tt, rng)?;
        // The search of the leaf needs the table for itself.
        drop(tt);
        let NextStep::Search = self.next_step(&mut leaf) else {
            return None;
        };
        let lines = self.search(leaf.board(), game.rule, self.settings.relabel_nodes, 1);
        let best = lines.first()?;
        branch.moves.push(best.pv[0]);
        branch.values.push(Some(quantised_win_rate(best.win_rate)));
        Some(branch)
    }

    /// A random opening, in most games one that the search calls balanced.
    fn opening(&mut self, rng: &mut StdRng, rule: Rule, size: u8) -> Vec<Point> {
        let stones = rng.random_range(0..=self.settings.opening);
        if stones == 0 {
            return Vec::new();
        }
        for _ in 0..OPENING_TRIES {
            let Some(moves) = random_opening(rng, rule, size, stones) else {
                continue;
            };
            let mut board = empty_board(size);
            moves.iter().for_each(|&p| board.play(p));
            let rate = self
                .search_move(&board, rule, false)
                .first()
                .map_or(0.5, |line| line.win_rate);
            let is_balanced = (MIN_WIN_RATE..=1.0 - MIN_WIN_RATE).contains(&rate);
            if is_balanced || rng.random_bool(UNBALANCED_SHARE) {
                return moves;
            }
        }
        Vec::new()
    }

    fn next_step(&self, position: &mut Position) -> NextStep {
        let side = position.side_to_move();
        let stones = position.board().stones().len();
        if position.count(side, Class::Five) > 0 {
            return NextStep::End(GameResult::Win(side));
        }
        if position.count(!side, Class::Five) > 0 {
            let replies = position.four_replies();
            let reply = replies.iter().find(|&p| !position.is_forbidden(side, p));
            return reply.map_or(NextStep::End(GameResult::Win(!side)), NextStep::Forced);
        }
        if position.has_straight_four() {
            return NextStep::End(GameResult::Win(side));
        }
        if position.board().empty_count() == 0 || stones >= usize::from(self.settings.draw_after) {
            return NextStep::End(GameResult::Draw);
        }
        NextStep::Search
    }

    /// The best lines of a position of the game, several where the move may vary.
    fn search_move(&mut self, board: &Board, rule: Rule, is_varied: bool) -> Vec<SearchInfo> {
        let lines = if is_varied { VARIED_LINES } else { 1 };
        self.search(board, rule, self.settings.nodes, lines)
    }

    /// The `lines` best lines of a position, searched with `nodes` nodes.
    fn search(&mut self, board: &Board, rule: Rule, nodes: u64, lines: usize) -> Vec<SearchInfo> {
        let mut request = SearchRequest::new(board.clone(), rule);
        request.max_nodes = Some(nodes);
        request.multi_pv = lines;
        let control = SearchControl::unlimited();
        self.engine.go(&request, &control, &mut |_| {}).lines
    }
}

fn empty_board(size: u8) -> Board {
    Board::new(size.into(), size.into()).expect("sizes are checked with the settings")
}

/// The first move of one of the lines, best line first: of the best, or by chance of one that is
/// little worse.
fn choose_move(rng: &mut StdRng, lines: &[SearchInfo]) -> Point {
    let logit = |line: &SearchInfo| match line.score.kind() {
        ScoreKind::Value(value) => Some(f64::from(value) / LOGIT),
        ScoreKind::Win(_) | ScoreKind::Loss(_) => None,
    };
    let Some(best) = logit(&lines[0]) else {
        return lines[0].pv[0];
    };
    let weights: Vec<f64> = lines
        .iter()
        .map(|line| match logit(line) {
            Some(logit) if best - logit <= VARIED_LOSS => {
                ((logit - best) / VARIED_TEMPERATURE).exp()
            }
            _ => 0.0,
        })
        .collect();
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    for (line, weight) in lines.iter().zip(&weights) {
        left -= weight;
        if left < 0.0 {
            return line.pv[0];
        }
    }
    lines[0].pv[0]
}

/// `stones` random moves near the centre of an empty board; `None` if they decide the game, or if
/// the next move would.
fn random_opening(rng: &mut StdRng, rule: Rule, size: u8, stones: u8) -> Option<Vec<Point>> {
    let board = Board::new(size.into(), size.into()).expect("sizes are checked with the settings");
    let mut position = Position::new(&board, rule);
    let mut moves = Vec::with_capacity(stones.into());
    while moves.len() < usize::from(stones) {
        let p = near_centre(rng, size, moves.len());
        let side = position.side_to_move();
        if !position.is_empty(p) || position.is_forbidden(side, p) {
            continue;
        }
        if position.class(side, p) == Class::Five {
            return None;
        }
        position.play(p);
        moves.push(p);
    }
    let side = position.side_to_move();
    let is_decided = position.count(side, Class::Five) > 0
        || position.count(!side, Class::Five) > 0
        || position.has_straight_four();
    (!is_decided).then_some(moves)
}

/// A random cell of a square around the centre that grows with the number of stones on the board:
/// 5x5 for the first three, two columns and rows more for each further three.
fn near_centre(rng: &mut StdRng, size: u8, stones: usize) -> Point {
    let centre = size / 2;
    let reach = (2 + stones / 3).min(usize::from(centre.min(size - 1 - centre))) as u8;
    let mut coordinate = || rng.random_range(centre - reach..=centre + reach);
    Point::new(coordinate(), coordinate())
}
