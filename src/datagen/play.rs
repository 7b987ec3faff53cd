//! One game.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::branch::Branches;
use super::opening::{self, default_move};
use super::record::value;
use super::{Ending, Settings, TrainingGame};
use crate::board::Board;
use crate::engine::{Engine, Evaluation, Options};
use crate::eval::LOGIT;
use crate::patterns::Class;
use crate::position::Position;
use crate::rules::Rule;
use crate::search::{SearchControl, SearchInfo, SearchRequest};
use crate::types::{Point, ScoreKind};

/// Openings that are tried before an empty board is taken.
const TRIES: usize = 40;
/// An opening is balanced when either side expects at least this part of the points.
const BALANCED: f64 = 0.25;
/// Part of the other openings that are played as well: one-sided positions have to be known too.
const KEPT_LOPSIDED: f64 = 0.1;
/// Lines among which a varied move is chosen.
const VARIED_LINES: usize = 4;
/// A varied move is never worse than the best by more than this part of a logit, and the less
/// likely the worse it is: by a factor of e for each [`TEMPERATURE`].
const VARIED_LOSS: f64 = 0.5;
const TEMPERATURE: f64 = 0.2;

/// Plays games, one after another.
pub(super) struct Player<'a> {
    settings: &'a Settings,
    engine: Engine,
}

/// What comes next in a game.
enum Next {
    /// The game has ended.
    End(Ending),
    /// The only move that parries a four.
    Forced(Point),
    /// A search.
    Free,
}

impl<'a> Player<'a> {
    pub(super) fn new(settings: &'a Settings, evaluation: &Evaluation) -> Player<'a> {
        let options = Options {
            threads: 1,
            hash_kib: Some(settings.hash_kib),
            ..Options::default()
        };
        let mut engine = Engine::new(options);
        engine.set_evaluation(evaluation.clone());
        Player { settings, engine }
    }

    /// Plays game `number` of the settings from the opening to the end. The records are the branches
    /// of its searches and, at last, the game itself.
    pub(super) fn game(&mut self, number: u64) -> Vec<TrainingGame> {
        let (rule, size) = self.settings.kind(number);
        let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let seed = self.settings.seed ^ spread;
        let mut rng = StdRng::seed_from_u64(seed);
        // The game is the same with branches and without, unless they are settled: what those searches
        // leave in the table serves the game's.
        let mut branch_rng = StdRng::seed_from_u64(seed);
        let mut branches = Branches::default();
        let mut records = Vec::new();
        // What earlier games taught must not matter: the game depends on its number alone.
        self.engine.clear_hash();
        let moves = self.opening(&mut rng, rule, size);
        let mut position = Position::new(&board(size), rule);
        moves.iter().for_each(|&p| position.play(p));
        let mut game = TrainingGame {
            size,
            rule,
            opening: moves.len() as u8,
            ending: Ending::Drawn,
            values: vec![None; moves.len()],
            moves,
        };
        loop {
            let (played, value) = match self.next(&mut position) {
                Next::End(ending) => {
                    game.ending = ending;
                    break;
                }
                Next::Forced(p) => (p, None),
                Next::Free => {
                    let varied = position.board().stones().len() < self.settings.varied.into();
                    let lines = self.search(position.board(), rule, varied);
                    for _ in 0..self.settings.branches {
                        let branch = self.branch(&game, &position, &mut branches, &mut branch_rng);
                        records.extend(branch);
                    }
                    match lines.first() {
                        Some(best) => (choose(&mut rng, &lines), Some(value(best.win_rate))),
                        // Nothing to search: the first stone, or no allowed move is left.
                        None => match default_move(&position) {
                            Some(p) => (p, None),
                            None => {
                                game.ending = Ending::Won(!position.side_to_move());
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
        records
    }

    /// A branch of `game` at `position`, which was searched last. `None` where chance leads to nothing
    /// new, or to nothing to search.
    fn branch(
        &mut self,
        game: &TrainingGame,
        position: &Position,
        branches: &mut Branches,
        random: &mut StdRng,
    ) -> Option<TrainingGame> {
        let (tt, _) = self.engine.table().expect("it has searched");
        if self.settings.settle == 0 {
            return branches.grow(game, position, &tt, random);
        }
        let (mut branch, mut end) = branches.lead(game, position, &tt, random)?;
        // The next search wants the table back.
        drop(tt);
        let Next::Free = self.next(&mut end) else {
            return None;
        };
        let lines = self.look(end.board(), game.rule, self.settings.settle, 1);
        let best = lines.first()?;
        branch.moves.push(best.pv[0]);
        branch.values.push(Some(value(best.win_rate)));
        Some(branch)
    }

    /// A random opening that search finds balanced, mostly.
    fn opening(&mut self, rng: &mut StdRng, rule: Rule, size: u8) -> Vec<Point> {
        let stones = rng.random_range(0..=self.settings.opening);
        if stones == 0 {
            return Vec::new();
        }
        for _ in 0..TRIES {
            let Some(moves) = opening::random(rng, rule, size, stones) else {
                continue;
            };
            let mut board = board(size);
            moves.iter().for_each(|&p| board.play(p));
            let rate = self
                .search(&board, rule, false)
                .first()
                .map_or(0.5, |line| line.win_rate);
            if (BALANCED..=1.0 - BALANCED).contains(&rate) || rng.random_bool(KEPT_LOPSIDED) {
                return moves;
            }
        }
        Vec::new()
    }

    fn next(&self, position: &mut Position) -> Next {
        let side = position.side_to_move();
        let stones = position.board().stones().len();
        if position.count(side, Class::Five) > 0 {
            return Next::End(Ending::Won(side));
        }
        if position.count(!side, Class::Five) > 0 {
            let replies = position.four_replies();
            let reply = replies.iter().find(|&p| !position.is_forbidden(side, p));
            return reply.map_or(Next::End(Ending::Won(!side)), Next::Forced);
        }
        if position.has_straight_four() {
            return Next::End(Ending::Won(side));
        }
        if position.board().empty_count() == 0 || stones >= usize::from(self.settings.draw_after) {
            return Next::End(Ending::Drawn);
        }
        Next::Free
    }

    /// The best lines of a position of the game, several if moves may vary.
    fn search(&mut self, board: &Board, rule: Rule, varied: bool) -> Vec<SearchInfo> {
        let lines = if varied { VARIED_LINES } else { 1 };
        self.look(board, rule, self.settings.nodes, lines)
    }

    /// The `lines` best lines of a position by so many nodes.
    fn look(&mut self, board: &Board, rule: Rule, nodes: u64, lines: usize) -> Vec<SearchInfo> {
        let mut request = SearchRequest::new(board.clone(), rule);
        request.max_nodes = Some(nodes);
        request.multi_pv = lines;
        let control = SearchControl::unlimited();
        self.engine.go(&request, &control, &mut |_| {}).lines
    }
}

fn board(size: u8) -> Board {
    Board::new(size.into(), size.into()).expect("sizes are checked with the settings")
}

/// The move of one of the lines: of the best, or of one that is little worse.
fn choose(rng: &mut StdRng, lines: &[SearchInfo]) -> Point {
    let logits = |line: &SearchInfo| match line.score.kind() {
        ScoreKind::Value(value) => Some(f64::from(value) / LOGIT),
        ScoreKind::Win(_) | ScoreKind::Loss(_) => None,
    };
    let Some(best) = logits(&lines[0]) else {
        return lines[0].pv[0];
    };
    let chances: Vec<f64> = lines
        .iter()
        .map(|line| match logits(line) {
            Some(logit) if best - logit <= VARIED_LOSS => ((logit - best) / TEMPERATURE).exp(),
            _ => 0.0,
        })
        .collect();
    let mut left = rng.random::<f64>() * chances.iter().sum::<f64>();
    for (line, chance) in lines.iter().zip(&chances) {
        left -= chance;
        if left < 0.0 {
            return line.pv[0];
        }
    }
    lines[0].pv[0]
}
