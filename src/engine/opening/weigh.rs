use crate::time::{Duration, Instant};

use super::doubt::{Fifths, Look, worst_kept};
use crate::board::Board;
use crate::engine::move_control::MoveControl;
use crate::engine::opening::Means;
use crate::engine::{Engine, GameKind};
use crate::openings::unequal_points;
use crate::rules::Rule;
use crate::search::{SearchInfo, SearchRequest};
use crate::types::{Color, Point, PointSet, Score};

/// Longest time for one search of several, in ms: where there is no limit, openings are not worth
/// more.
const MOST_FOR_A_SEARCH_MS: u64 = 4_000;
/// Fifth stones that are valued beside those that will be offered: the best may be among them.
const SPARE_FIFTHS: usize = 2;

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

    /// What is left of it after `used`.
    fn without(self, used: Budget) -> Budget {
        let nodes = self.nodes.zip(used.nodes);
        Budget {
            time: self.time.saturating_sub(used.time),
            nodes: nodes.map(|(nodes, used)| nodes.saturating_sub(used)),
        }
    }
}

/// Values of positions by search, within a share of the time and nodes for one choice.
pub(super) struct Scales<'a> {
    engine: &'a mut Engine,
    request: &'a SearchRequest,
    control: &'a MoveControl,
    report: &'a mut (dyn FnMut(&SearchInfo) + Send),
    /// What is left of the time and of the nodes, in the share that is being used.
    budget: Budget,
    /// How many of the searches around are of several that say something together only.
    quiet: u32,
    lines: Vec<SearchInfo>,
}

impl<'a> Scales<'a> {
    pub fn new(engine: &'a mut Engine, means: Means<'a>) -> Scales<'a> {
        // Not at the cost of the first search, which has a small share of the time only.
        let begin = Instant::now();
        engine.prepare(GameKind::of(means.request));
        let time = Duration::from_millis(means.time_ms).saturating_sub(begin.elapsed());
        Scales {
            engine,
            request: means.request,
            control: means.control,
            report: means.report,
            budget: Budget {
                time,
                nodes: means.request.max_nodes,
            },
            quiet: 0,
            lines: Vec::new(),
        }
    }

    /// The rule of the game.
    pub fn rule(&self) -> Rule {
        self.request.rule
    }

    /// What the only search said; nothing after several.
    pub fn into_lines(self) -> Vec<SearchInfo> {
        self.lines
    }

    /// Lets `weigh` use one of `parts` equal shares of what is left.
    pub fn share<T>(&mut self, parts: usize, weigh: impl FnOnce(&mut Scales) -> T) -> T {
        let whole = self.budget;
        let given = whole.part(parts);
        let is_quiet = u32::from(parts > 1);
        self.budget = given;
        self.quiet += is_quiet;
        let result = weigh(self);
        self.quiet -= is_quiet;
        self.budget = whole.without(given.without(self.budget));
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
        let now = for_black(board, value);
        if Score::from_raw(value as i16).is_decided() {
            return Some(now);
        }
        let mut next = board.clone();
        next.play(best);
        let all: PointSet = next.empty_points().collect();
        self.quiet += 1;
        let later = self.lines(&next, &all, 1).into_iter().next();
        self.quiet -= 1;
        Some(later.map_or(now, |(_, value)| (now + for_black(&next, value)) / 2))
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

    /// Black's fifth stones for an offer of `count`, and some to spare: one search finds them, then
    /// each is valued by itself. No two are equivalent. Empty when there was no time.
    pub fn fifths(&mut self, board: &Board, count: u8) -> Fifths {
        let points: PointSet = unequal_points(board).into_iter().collect();
        let lines = usize::from(count) + SPARE_FIFTHS;
        let found = self.share(3, |scales| scales.lines(board, &points, lines));
        let searches = found.len();
        let mut looks: Vec<Look> = Vec::new();
        for (i, (point, first)) in found.into_iter().enumerate() {
            let mut next = board.clone();
            next.play(point);
            let second = self.share(searches - i, |scales| scales.value(&next));
            looks.push(Look {
                point,
                first,
                second: second.unwrap_or(first),
            });
        }
        Fifths::new(looks)
    }

    /// What Black has to expect of an offer of `count` fifth stones, at a glance: after White's best
    /// fourth stone among `points`, if it is his turn, with the last of Black's best kept.
    pub fn glance(&mut self, board: &Board, points: &PointSet, count: u8) -> Option<i32> {
        let mut next = board.clone();
        if board.side_to_move() == Color::White {
            let fourth = self.share(4, |scales| scales.best(board, points))?;
            next.play(fourth);
        }
        let points: PointSet = unequal_points(&next).into_iter().collect();
        let found = self.share(3, |scales| scales.lines(&next, &points, count.into()));
        let (last, _) = found.into_iter().next_back()?;
        next.play(last);
        self.value(&next)
    }

    /// Of White's best `fourths` stones among `points` the one after which an offer of `count`
    /// fifth stones is worth the least to Black, and what Black has to expect. `None` when there
    /// was no time to see anything.
    pub fn worst_fourth(
        &mut self,
        board: &Board,
        points: &PointSet,
        fourths: usize,
        count: u8,
    ) -> Option<(Point, i32)> {
        let candidates = self.fourths(board, points, fourths, count);
        let worst = candidates
            .iter()
            .filter_map(|(p, fifths)| Some((fifths.kept(count)?, *p)))
            .min()?;
        let all: Vec<Fifths> = candidates.into_iter().map(|(_, fifths)| fifths).collect();
        Some((worst.1, worst_kept(&all, count)?))
    }

    /// White's best `fourths` stones among `points`, each with Black's answers for offers of up to
    /// `count`.
    pub fn fourths(
        &mut self,
        board: &Board,
        points: &PointSet,
        fourths: usize,
        count: u8,
    ) -> Vec<(Point, Fifths)> {
        let candidates = self.share(3, |scales| scales.best_few(board, points, fourths));
        let searches = candidates.len();
        let mut found = Vec::new();
        for (i, p) in candidates.into_iter().enumerate() {
            let mut next = board.clone();
            next.play(p);
            let fifths = self.share(searches - i, |scales| scales.fifths(&next, count));
            found.push((p, fifths));
        }
        found
    }

    /// The best `count` of `points` with their values for the side to move, the best first, by one
    /// search. Fewer where the search sees that others are lost.
    pub fn lines(&mut self, board: &Board, points: &PointSet, count: usize) -> Vec<(Point, i32)> {
        if points.is_empty() || self.control.whole().poll() {
            return Vec::new();
        }
        let free: PointSet = board.empty_points().collect();
        let request = SearchRequest {
            board: board.clone(),
            multi_pv: count.clamp(1, points.len()),
            max_nodes: self.budget.nodes.map(|nodes| nodes.max(1)),
            excluded: free.difference(points),
            ..self.request.clone()
        };
        // A search too short to be timed would see nothing.
        let limit_ms = (self.budget.time.as_millis() as u64).clamp(1, MOST_FOR_A_SEARCH_MS);
        let control = self.control.step(limit_ms);
        let alone = self.quiet == 0;
        let report = &mut self.report;
        let outcome = self.engine.go(&request, &control, &mut |news| {
            if alone {
                report(news);
            }
        });
        self.budget = self.budget.without(Budget {
            time: control.elapsed(),
            nodes: Some(outcome.nodes),
        });
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
