use crate::board::Board;
use crate::engine::opening::Means;
use crate::engine::reins::Reins;
use crate::engine::Engine;
use crate::openings::unequal_points;
use crate::search::{Report, Request};
use crate::types::{Color, Point, PointSet, Score};

/// Longest time for one search of several, in ms: where there is no limit, openings are not worth
/// more.
const MOST_FOR_A_SEARCH_MS: u64 = 4_000;

/// Values of positions by search, within a share of the time and nodes for one choice.
pub(super) struct Scales<'a> {
    engine: &'a mut Engine,
    request: &'a Request,
    reins: &'a Reins,
    report: &'a mut (dyn FnMut(&Report) + Send),
    /// What is left of the time and of the nodes.
    time_ms: u64,
    nodes: Option<u64>,
    /// Parts into which the rest is divided: 1 outside of all shares.
    parts: u64,
    /// Whether the next search is one of several that say something together only.
    quiet: bool,
    lines: Vec<Report>,
}

impl<'a> Scales<'a> {
    pub fn new(engine: &'a mut Engine, means: Means<'a>) -> Scales<'a> {
        Scales {
            engine,
            request: means.request,
            reins: means.reins,
            report: means.report,
            time_ms: means.time_ms,
            nodes: means.request.max_nodes,
            parts: 1,
            quiet: false,
            lines: Vec::new(),
        }
    }

    /// What the only search said; nothing after several.
    pub fn into_lines(self) -> Vec<Report> {
        self.lines
    }

    /// Lets `weigh` use an equal share of what is left for `parts` of its kind, this included.
    pub fn share<T>(&mut self, parts: usize, weigh: impl FnOnce(&mut Scales) -> T) -> T {
        let outer = self.parts;
        self.parts = outer.saturating_mul(parts.max(1) as u64);
        let result = weigh(self);
        self.parts = outer;
        result
    }

    /// What the position is worth to Black; `None` when there was no time to see anything.
    ///
    /// A shallow search is too hopeful for the side whose turn it is, so this is the mean of what
    /// it says now and of what it says after the best move.
    pub fn value(&mut self, board: &Board) -> Option<i32> {
        let all: PointSet = board.empty_points().collect();
        let found = self.share(2, |scales| scales.lines(board, &all, 1));
        let (best, value) = found.into_iter().next()?;
        Some(self.mean_with_later(board, best, value))
    }

    /// The mean of `value`, for the side to move, and of what a search says after `best` is
    /// played; for Black.
    fn mean_with_later(&mut self, board: &Board, best: Point, value: i32) -> i32 {
        let now = for_black(board, value);
        if Score::from_raw(value as i16).is_decided() {
            return now;
        }
        let mut next = board.clone();
        next.play(best);
        let all: PointSet = next.empty_points().collect();
        self.quiet = true;
        let later = self.lines(&next, &all, 1).into_iter().next();
        self.quiet = false;
        later.map_or(now, |(_, value)| (now + for_black(&next, value)) / 2)
    }

    /// The best of `points` for the side to move.
    pub fn best(&mut self, board: &Board, points: &PointSet) -> Option<Point> {
        self.best_few(board, points, 1).into_iter().next()
    }

    /// The best `count` of `points` for the side to move, the best first.
    pub fn best_few(&mut self, board: &Board, points: &PointSet, count: usize) -> Vec<Point> {
        let lines = self.lines(board, points, count);
        lines.into_iter().map(|(p, _)| p).collect()
    }

    /// Black's best `count` fifth stones with their values for him, the best first. No two are
    /// equivalent.
    pub fn fifths(&mut self, board: &Board, count: u8) -> Vec<(Point, i32)> {
        let points: PointSet = unequal_points(board).into_iter().collect();
        self.lines(board, &points, usize::from(count))
    }

    /// What Black has to expect of offering `count` fifth stones: the value of the last of his best.
    /// `None` when there was no time to see anything.
    pub fn last_fifth(&mut self, board: &Board, count: u8) -> Option<i32> {
        let fifths = self.share(2, |scales| scales.fifths(board, count));
        let (last, value) = fifths.into_iter().next_back()?;
        Some(self.mean_with_later(board, last, value))
    }

    /// Of White's best `fourths` stones among `points` the one after which the last of Black's best
    /// `fifths` is worth the least to him, and that value.
    pub fn worst_fourth(
        &mut self,
        board: &Board,
        points: &PointSet,
        fourths: usize,
        fifths: u8,
    ) -> Option<(Point, i32)> {
        let candidates = self.share(3, |scales| scales.best_few(board, points, fourths));
        let searches = candidates.len();
        let mut best: Option<(Point, i32)> = None;
        for (i, p) in candidates.into_iter().enumerate() {
            let mut next = board.clone();
            next.play(p);
            let value = self.share(searches - i, |scales| scales.last_fifth(&next, fifths));
            let Some(value) = value else {
                continue;
            };
            if best.is_none_or(|(_, other)| value < other) {
                best = Some((p, value));
            }
        }
        best
    }

    /// The best `count` of `points` with their values for the side to move, the best first, by one
    /// search. Fewer where the search sees that others are lost.
    pub fn lines(&mut self, board: &Board, points: &PointSet, count: usize) -> Vec<(Point, i32)> {
        if points.is_empty() || self.reins.whole().poll() {
            return Vec::new();
        }
        let free: PointSet = board.empty_points().collect();
        let request = Request {
            board: board.clone(),
            multi_pv: count.clamp(1, points.len()),
            max_nodes: self.nodes.map(|nodes| (nodes / self.parts).max(1)),
            excluded: free.difference(points),
            ..self.request.clone()
        };
        let limit_ms = (self.time_ms / self.parts).min(MOST_FOR_A_SEARCH_MS);
        let control = self.reins.step(limit_ms);
        let alone = self.parts == 1 && !self.quiet;
        let report = &mut self.report;
        let outcome = self.engine.go(&request, &control, &mut |news| {
            if alone {
                report(news);
            }
        });
        self.time_ms = self.time_ms.saturating_sub(control.elapsed_ms());
        self.nodes = self.nodes.map(|left| left.saturating_sub(outcome.nodes));
        let mut lines: Vec<(Point, i32)> = Vec::new();
        for line in &outcome.lines {
            let Some(&p) = line.pv.first() else {
                continue;
            };
            if points.contains(p) && !lines.iter().any(|(other, _)| *other == p) {
                lines.push((p, i32::from(line.score.raw())));
            }
        }
        lines.sort_by_key(|&(p, value)| (std::cmp::Reverse(value), p));
        self.lines = if alone { outcome.lines } else { Vec::new() };
        lines
    }
}

fn for_black(board: &Board, value: i32) -> i32 {
    match board.side_to_move() {
        Color::Black => value,
        Color::White => -value,
    }
}
