//! Values of positions in an opening, by search.

use super::noise::{Estimate, FifthStones, expected_value_after_fourth};
use crate::board::Board;
use crate::engine::move_control::MoveControl;
use crate::engine::{Engine, GameKind};
use crate::openings::unequal_points;
use crate::rules::Rule;
use crate::search::{SearchControl, SearchInfo, SearchRequest, SearchResult};
use crate::time::{Duration, Instant};
use crate::types::{Color, Point, PointSet, Score};

/// Longest time in ms for one search of several, where the limits allow more.
const MAX_SEARCH_MS: u64 = 4_000;
/// Fifth stones valued besides those of the offer: the best may be among them.
const SPARE_FIFTHS: usize = 2;

/// Limits of a choice, and the receiver of progress reports.
pub struct ChoiceContext<'a> {
    /// Rule and limits: `max_nodes` bounds the whole choice. Its board and number of lines do not
    /// matter.
    pub request: &'a SearchRequest,
    /// Time of the whole decision, and the means to stop it.
    pub control: &'a MoveControl,
    /// Time for this choice, in ms.
    pub time_ms: u64,
    /// Receives the progress of a search that decides alone.
    pub report: &'a mut (dyn FnMut(&SearchInfo) + Send),
}

/// Time and nodes for searches.
#[derive(Clone, Copy)]
struct Budget {
    time: Duration,
    /// `None`: any number.
    nodes: Option<u64>,
}

impl Budget {
    /// One of `parts` equal parts.
    fn part(self, parts: usize) -> Budget {
        let parts = parts.max(1) as u32;
        Budget {
            time: self.time / parts,
            nodes: self.nodes.map(|nodes| nodes / u64::from(parts)),
        }
    }

    /// Rest of it after `used`.
    fn without(self, used: Budget) -> Budget {
        let nodes = self.nodes.zip(used.nodes);
        Budget {
            time: self.time.saturating_sub(used.time),
            nodes: nodes.map(|(nodes, used)| nodes.saturating_sub(used)),
        }
    }
}

/// Values of positions in an opening, by search: within a share of the time and nodes for one
/// choice, or with a number of nodes for each search.
pub struct OpeningEvaluator<'a> {
    engine: &'a mut Engine,
    context: ChoiceContext<'a>,
    /// Rest of the share in use.
    budget: Budget,
    /// Nested searches that count only together with others; progress is reported at 0.
    quiet: u32,
    lines: Vec<SearchInfo>,
}

impl<'a> OpeningEvaluator<'a> {
    /// Values for one choice of `engine`.
    pub fn new(engine: &'a mut Engine, context: ChoiceContext<'a>) -> OpeningEvaluator<'a> {
        // Before the first search, which has only a small share of the time.
        let start = Instant::now();
        let time = Duration::from_millis(context.time_ms);
        let is_late = || start.elapsed() >= time / 2;
        engine.prepare_until(GameKind::of(context.request), &is_late);
        let time = time.saturating_sub(start.elapsed());
        OpeningEvaluator {
            engine,
            budget: Budget {
                time,
                nodes: context.request.max_nodes,
            },
            context,
            quiet: 0,
            lines: Vec::new(),
        }
    }

    /// The rule of the game.
    pub fn rule(&self) -> Rule {
        self.context.request.rule
    }

    /// The lines of the only search; none after several.
    pub(super) fn into_lines(self) -> Vec<SearchInfo> {
        self.lines
    }

    /// Lets `evaluate` use one of `parts` equal shares of what is left.
    pub(super) fn share<T>(
        &mut self,
        parts: usize,
        evaluate: impl FnOnce(&mut OpeningEvaluator) -> T,
    ) -> T {
        let whole = self.budget;
        let given = whole.part(parts);
        let is_quiet = u32::from(parts > 1);
        self.budget = given;
        self.quiet += is_quiet;
        let result = evaluate(self);
        self.quiet -= is_quiet;
        self.budget = whole.without(given.without(self.budget));
        result
    }

    /// Value of the position for Black, within the budget; `None` when there was no time for it.
    pub(super) fn value(&mut self, board: &Board) -> Option<i32> {
        self.quiet += 1;
        let value = mean_of_two(board, |board, searches_left| {
            let all: PointSet = board.empty_points().collect();
            let lines = self.share(searches_left, |evaluator| evaluator.lines(board, &all, 1));
            lines.into_iter().next()
        });
        self.quiet -= 1;
        value
    }

    /// Value of the position for Black by searches of `nodes` nodes together, each of which begins
    /// with an empty table: the value does not depend on what was searched before.
    pub fn cleared_value(&mut self, board: &Board, nodes: u64) -> Option<i32> {
        mean_of_two(board, |board, _| self.cleared().best_move(board, nodes / 2))
    }

    /// The same evaluator without anything learned in earlier searches.
    pub fn cleared(&mut self) -> &mut Self {
        self.engine.clear_hash();
        self
    }

    /// The best move and its value for the side to move, by a search of `nodes` nodes.
    pub fn best_move(&mut self, board: &Board, nodes: u64) -> Option<(Point, i32)> {
        let all: PointSet = board.empty_points().collect();
        self.best_moves(board, &all, 1, nodes).into_iter().next()
    }

    /// The best `count` of `points` with their values for the side to move, in the order of the
    /// search, which has `nodes` nodes.
    pub fn best_moves(
        &mut self,
        board: &Board,
        points: &PointSet,
        count: usize,
        nodes: u64,
    ) -> Vec<(Point, i32)> {
        moves_of(&self.search(board, points, count, nodes))
    }

    /// Expected points of the side to move, from 0 to 1, by a search of `nodes` nodes.
    pub fn win_rate(&mut self, board: &Board, nodes: u64) -> Option<f64> {
        let all: PointSet = board.empty_points().collect();
        let result = self.search(board, &all, 1, nodes);
        result.lines.first().map(|line| line.win_rate)
    }

    /// A search for the best `count` of `points` with its own limit of nodes.
    fn search(
        &mut self,
        board: &Board,
        points: &PointSet,
        count: usize,
        nodes: u64,
    ) -> SearchResult {
        let request = self.request(board, points, count, Some(nodes));
        let control = SearchControl::unlimited();
        self.engine.go(&request, &control, &mut |_| {})
    }

    fn request(
        &self,
        board: &Board,
        points: &PointSet,
        count: usize,
        nodes: Option<u64>,
    ) -> SearchRequest {
        let free: PointSet = board.empty_points().collect();
        SearchRequest {
            board: board.clone(),
            multi_pv: count.clamp(1, points.len().max(1)),
            max_nodes: nodes.map(|nodes| nodes.max(1)),
            excluded: free.difference(points),
            ..self.context.request.clone()
        }
    }

    /// The best of `points` for the side to move.
    pub(super) fn best(&mut self, board: &Board, points: &PointSet) -> Option<Point> {
        self.best_few(board, points, 1).into_iter().next()
    }

    /// The best `count` of `points` for the side to move, the best first.
    pub(super) fn best_few(
        &mut self,
        board: &Board,
        points: &PointSet,
        count: usize,
    ) -> Vec<Point> {
        let lines = self.lines(board, points, count);
        lines.into_iter().map(|(p, _)| p).collect()
    }

    /// Black's fifth stones for an offer of `count`, and some to spare: one search finds them, then
    /// each is valued by itself. No two are equivalent. Empty when there was no time.
    pub(super) fn fifth_stones(&mut self, board: &Board, count: u8) -> FifthStones {
        let points: PointSet = unequal_points(board).into_iter().collect();
        let lines = usize::from(count) + SPARE_FIFTHS;
        let found = self.share(3, |evaluator| evaluator.lines(board, &points, lines));
        let searches = found.len();
        let mut estimates: Vec<Estimate> = Vec::new();
        for (i, (point, first)) in found.into_iter().enumerate() {
            let next = board_after(board, point);
            let second = self.share(searches - i, |evaluator| evaluator.value(&next));
            estimates.push(Estimate {
                point,
                first,
                second: second.unwrap_or(first),
            });
        }
        FifthStones::new(estimates)
    }

    /// A quick estimate of what an offer of `count` fifth stones is worth to Black: after White's
    /// best fourth stone among `points` if it is White's turn, with the last of Black's best kept.
    pub(super) fn quick_value(
        &mut self,
        board: &Board,
        points: &PointSet,
        count: u8,
    ) -> Option<i32> {
        let mut next = board.clone();
        if board.side_to_move() == Color::White {
            let fourth = self.share(4, |evaluator| evaluator.best(board, points))?;
            next.play(fourth);
        }
        let points: PointSet = unequal_points(&next).into_iter().collect();
        let found = self.share(3, |evaluator| evaluator.lines(&next, &points, count.into()));
        let (last, _) = found.into_iter().next_back()?;
        next.play(last);
        self.value(&next)
    }

    /// The stone, of White's best `fourths` among `points`, that makes an offer of `count` fifth
    /// stones worth the least to Black, and the value Black can expect. `None` when there was no
    /// time.
    pub(super) fn worst_fourth(
        &mut self,
        board: &Board,
        points: &PointSet,
        fourths: usize,
        count: u8,
    ) -> Option<(Point, i32)> {
        let candidates = self.fourth_stones(board, points, fourths, count);
        let worst = candidates
            .iter()
            .filter_map(|(p, fifths)| Some((fifths.expected_value_of_offer(count)?, *p)))
            .min()?;
        let all: Vec<FifthStones> = candidates.into_iter().map(|(_, fifths)| fifths).collect();
        Some((worst.1, expected_value_after_fourth(&all, count)?))
    }

    /// White's best `fourths` stones among `points`, each with Black's answers for offers of up to
    /// `count`.
    pub(super) fn fourth_stones(
        &mut self,
        board: &Board,
        points: &PointSet,
        fourths: usize,
        count: u8,
    ) -> Vec<(Point, FifthStones)> {
        let candidates = self.share(3, |evaluator| evaluator.best_few(board, points, fourths));
        let searches = candidates.len();
        let mut found = Vec::new();
        for (i, p) in candidates.into_iter().enumerate() {
            let next = board_after(board, p);
            let fifths = self.share(searches - i, |evaluator| {
                evaluator.fifth_stones(&next, count)
            });
            found.push((p, fifths));
        }
        found
    }

    /// The best `count` of `points` with their values for the side to move, the best first, by one
    /// search within the budget. Fewer where the search sees that others are lost.
    fn lines(&mut self, board: &Board, points: &PointSet, count: usize) -> Vec<(Point, i32)> {
        if points.is_empty() || self.context.control.whole().poll() {
            return Vec::new();
        }
        let request = self.request(board, points, count, self.budget.nodes);
        // A search of 0 ms would find nothing.
        let limit_ms = (self.budget.time.as_millis() as u64).clamp(1, MAX_SEARCH_MS);
        let control = self.context.control.step(limit_ms);
        let is_alone = self.quiet == 0;
        let report = &mut self.context.report;
        let result = self.engine.go(&request, &control, &mut |info| {
            if is_alone {
                report(info);
            }
        });
        self.budget = self.budget.without(Budget {
            time: control.elapsed(),
            nodes: Some(result.nodes),
        });
        let mut lines: Vec<(Point, i32)> = Vec::new();
        for (p, value) in moves_of(&result) {
            if points.contains(p) && !lines.iter().any(|(other, _)| *other == p) {
                lines.push((p, value));
            }
        }
        lines.sort_by_key(|&(p, value)| (std::cmp::Reverse(value), p));
        self.lines = if is_alone { result.lines } else { Vec::new() };
        lines
    }
}

/// Value of the position for Black: the mean of the values before and after the best move, because
/// a shallow search favours the side to move. `best_move` gets the number of searches left, this
/// one included. `None` if it finds no move in the position itself.
fn mean_of_two(
    board: &Board,
    mut best_move: impl FnMut(&Board, usize) -> Option<(Point, i32)>,
) -> Option<i32> {
    let (best, value) = best_move(board, 2)?;
    let now = for_black(board, value);
    if Score::from_raw(value as i16).is_decided() {
        return Some(now);
    }
    let next = board_after(board, best);
    let later = best_move(&next, 1);
    Some(later.map_or(now, |(_, value)| (now + for_black(&next, value)) / 2))
}

/// The position after one more stone.
pub fn board_after(board: &Board, point: Point) -> Board {
    let mut next = board.clone();
    next.play(point);
    next
}

/// The first moves of a search's lines with their values for the side to move.
fn moves_of(result: &SearchResult) -> Vec<(Point, i32)> {
    let lines = result.lines.iter();
    lines
        .filter_map(|line| Some((*line.pv.first()?, i32::from(line.score.raw()))))
        .collect()
}

fn for_black(board: &Board, value: i32) -> i32 {
    match board.side_to_move() {
        Color::Black => value,
        Color::White => -value,
    }
}
