//! What the engine chooses in the steps of an opening rule.
//!
//! Where the opponent will choose the colour, it seeks the position closest to even; where it may
//! choose itself, it takes the side that the search likes better; and the number of fifth stones is
//! weighed by the worst of them, because that is the one which will be kept. Most stones are drawn
//! by lot from those that serve, so that no line is played twice.

mod weigh;

#[cfg(test)]
mod tests;

use rand::seq::{IndexedRandom, IteratorRandom};
use rand::Rng;

use super::reins::Reins;
use super::Engine;
use crate::board::Board;
use crate::openings::{unequal_points, Ahead, Alternative, Choice, Phase, Step};
use crate::search::{Report, Request};
use crate::types::{Color, Point, PointSet};
use weigh::Scales;

/// Places that are weighed against each other where an even position is sought.
const CANDIDATES: usize = 8;
/// Fourth stones of White that are weighed against each other.
const FOURTHS: usize = 3;
/// Values no farther from 0 than this are even as far as a search can tell.
const EVEN: i32 = 25;
/// How far a stone that shall even out a position is put from the others, at most.
const NEARBY: u8 = 4;

/// A choice, and what the search said about it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Legal in the phase that it was made for.
    pub choice: Choice,
    /// The last report of every line, when one search has decided; its values are those of the
    /// side to move.
    pub lines: Vec<Report>,
}

/// What there is to choose with.
pub struct Means<'a> {
    /// Rule and limits: `max_nodes` bounds the whole choice. Its board and number of lines do not
    /// matter.
    pub request: &'a Request,
    /// Time, and who may stop it.
    pub reins: &'a Reins,
    /// Time for this choice, in ms.
    pub time_ms: u64,
    /// Hears of the search, where one search decides.
    pub report: &'a mut (dyn FnMut(&Report) + Send),
}

/// Chooses for the [`decider`](Phase::decider) of `phase`. With the same state of `rng` and a limit
/// of nodes instead of time, a new engine with one thread chooses the same again.
///
/// # Panics
/// When the opening is over.
pub fn choose<'a>(
    engine: &'a mut Engine,
    phase: &Phase,
    means: Means<'a>,
    rng: &mut impl Rng,
) -> Chosen {
    let step = phase.step().expect("an opening that is not over");
    let mut scales = Scales::new(engine, means);
    let found = match step {
        Step::Put(_) => put(&mut scales, phase, rng),
        Step::Take(alternative) => take(&mut scales, phase, alternative, rng),
        Step::Declare { most } => declare(&mut scales, phase, most),
        Step::Offer { count } => Some(Choice::Offer(offer(&mut scales, phase.board(), count))),
        Step::Keep => keep(&mut scales, phase),
    };
    let choice = found
        .filter(|choice| phase.judge(choice).is_ok())
        .unwrap_or_else(|| phase.any_choice());
    Chosen {
        choice,
        lines: scales.into_lines(),
    }
}

fn put(scales: &mut Scales, phase: &Phase, rng: &mut impl Rng) -> Option<Choice> {
    let points = phase.points();
    if points.len() == 1 {
        return points.first().map(Choice::Put);
    }
    let chosen = match phase.ahead() {
        // The stones that follow will even it out.
        Ahead::Stones => draw(phase.board(), &points, rng),
        Ahead::Number { most: None } => points.iter().choose(rng),
        Ahead::Number { most: Some(most) } => fourth_for_a_number(scales, phase, most),
        Ahead::Swap => most_even(scales, phase, &points, rng),
        Ahead::Fifths { count } => scales
            .worst_fourth(phase.board(), &points, FOURTHS, count)
            .map(|(p, _)| p),
        Ahead::Game => scales.best(phase.board(), &points),
    };
    chosen.map(Choice::Put)
}

/// A stone of an opening that is only begun: anywhere but on the edge, or near the first.
fn draw(board: &Board, points: &PointSet, rng: &mut impl Rng) -> Option<Point> {
    let inside = |place: u8, side: u8| place > 0 && place + 1 < side;
    let near = |p: &Point| match board.stones().first() {
        Some(first) => distance(*p, first.point) <= NEARBY,
        None => inside(p.x(), board.width()) && inside(p.y(), board.height()),
    };
    points.iter().filter(near).choose(rng)
}

fn distance(a: Point, b: Point) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

/// Of some places drawn by lot the one that leaves the opponent, who may choose the colour, the
/// least to gain.
fn most_even(
    scales: &mut Scales,
    phase: &Phase,
    points: &PointSet,
    rng: &mut impl Rng,
) -> Option<Point> {
    let board = phase.board();
    let stones = board.stones();
    let near =
        |p: &Point| stones.is_empty() || stones.iter().any(|s| distance(*p, s.point) <= NEARBY);
    let fair: Vec<Point> = unequal_points(board)
        .into_iter()
        .filter(|p| points.contains(*p) && near(p))
        .collect();
    let drawn: Vec<Point> = fair.choose_multiple(rng, CANDIDATES).copied().collect();
    let searches = drawn.len();
    let mut weighed: Vec<(u32, Point)> = Vec::new();
    for (i, p) in drawn.into_iter().enumerate() {
        let mut after = phase.clone();
        if after.choose(&Choice::Put(p)).is_ok() {
            let value = scales.share(searches - i, |scales| worth(scales, &after));
            weighed.push((value.map_or(u32::MAX, i32::unsigned_abs), p));
        }
    }
    // Of those that are as even as can be told the first by lot, so that one opening does not
    // come in every game.
    let least = weighed.iter().map(|(unevenness, _)| *unevenness).min()?;
    let even = least.saturating_add(EVEN as u32);
    let found = weighed.iter().find(|(unevenness, _)| *unevenness <= even);
    found.map(|(_, p)| *p)
}

/// What the position is worth to Black, when a colour is to be chosen next.
fn worth(scales: &mut Scales, phase: &Phase) -> Option<i32> {
    let board = phase.board();
    let all: PointSet = board.empty_points().collect();
    if let Some(Step::Take(Some(Alternative::Offer { count }))) = phase.step() {
        // Black offers if all of his best are good; else he must even it out.
        return scales.last_fifth(board, count).map(|worst| worst.max(0));
    }
    match phase.ahead() {
        Ahead::Fifths { count } if board.stones().len() == 3 => {
            let fourth = scales.worst_fourth(board, &all, FOURTHS, count);
            fourth.map(|(_, value)| value)
        }
        Ahead::Fifths { count } => scales.last_fifth(board, count),
        // White's number evens it out, unless so many fifth stones are too few.
        Ahead::Number { most } => {
            let most = most.unwrap_or(u8::MAX).min(CANDIDATES as u8);
            let fourth = scales.worst_fourth(board, &all, FOURTHS, most);
            fourth.map(|(_, value)| value.max(0))
        }
        // Whoever puts the next stone must even it out, whichever colour he has: little is won or
        // lost by a value now.
        Ahead::Swap => scales.value(board).map(|value| value / 4),
        Ahead::Stones | Ahead::Game => scales.value(board),
    }
}

/// The fourth stone after which Black, who takes a colour when he knows the number of fifth stones,
/// has the least to choose from.
fn fourth_for_a_number(scales: &mut Scales, phase: &Phase, most: u8) -> Option<Point> {
    let board = phase.board();
    let all: PointSet = board.empty_points().collect();
    let candidates = scales.share(2, |scales| scales.best_few(board, &all, FOURTHS));
    let searches = candidates.len();
    let mut best: Option<(u32, Point)> = None;
    for (i, p) in candidates.into_iter().enumerate() {
        let mut next = board.clone();
        next.play(p);
        let fifths = scales.share(searches - i, |scales| scales.fifths(&next, most));
        let least = fifths.iter().map(|(_, value)| value.unsigned_abs()).min();
        let unevenness = least.unwrap_or(u32::MAX);
        if best.is_none_or(|(other, _)| unevenness < other) {
            best = Some((unevenness, p));
        }
    }
    best.map(|(_, p)| p)
}

fn take(
    scales: &mut Scales,
    phase: &Phase,
    alternative: Option<Alternative>,
    rng: &mut impl Rng,
) -> Option<Choice> {
    let board = phase.board();
    match alternative {
        Some(Alternative::Add) => {
            let value = scales.share(2, |scales| scales.value(board))?;
            if value.abs() <= EVEN {
                // Neither colour is better as far as a search can tell. Two stones that keep it so
                // ask the opponent a harder question than the three did.
                let (points, after) = two_even_stones(scales, phase, rng)?;
                if after.abs() <= value.abs() {
                    return Some(Choice::Add(points));
                }
            }
            Some(take_for_black(value))
        }
        Some(Alternative::Offer { count }) => {
            let fifths = scales.share(2, |scales| scales.fifths(board, count));
            let sure = fifths.len() == usize::from(count);
            if sure && fifths.last().is_some_and(|(_, worst)| *worst > 0) {
                return Some(Choice::Offer(fifths.into_iter().map(|(p, _)| p).collect()));
            }
            Some(avoid_evening_out(scales, phase))
        }
        None => Some(match phase.ahead() {
            Ahead::Swap => avoid_evening_out(scales, phase),
            _ => take_for_black(worth(scales, phase)?),
        }),
    }
}

/// The colour that is better when the position is worth so much to Black; the one to move if it is
/// worth nothing to anybody.
fn take_for_black(value: i32) -> Choice {
    Choice::Take(if value > 0 {
        Color::Black
    } else {
        Color::White
    })
}

/// Whoever is to move must put a stone after which the other may swap, so he can hope for an even
/// position at best: somewhere between his best places and his worst. Leaves that to the opponent
/// if even the best place is bad.
fn avoid_evening_out(scales: &mut Scales, phase: &Phase) -> Choice {
    let board = phase.board();
    let side = board.side_to_move();
    let mut next = phase.clone();
    // The area of the stone to come is known only once the colours are.
    let points = match next.choose(&Choice::Take(side)) {
        Ok(()) => next.points(),
        Err(_) => PointSet::EMPTY,
    };
    match scales.lines(board, &points, 1).first() {
        Some((_, best)) if *best < -2 * EVEN => Choice::Take(!side),
        _ => Choice::Take(side),
    }
}

/// A white and a black stone after which the position is as even as can be found, and its value
/// for Black.
fn two_even_stones(
    scales: &mut Scales,
    phase: &Phase,
    rng: &mut impl Rng,
) -> Option<([Point; 2], i32)> {
    let board = phase.board();
    let near: Vec<Point> = board
        .empty_points()
        .filter(|p| {
            board
                .stones()
                .iter()
                .any(|s| distance(*p, s.point) <= NEARBY)
        })
        .collect();
    let mut best: Option<([Point; 2], i32)> = None;
    for i in 0..CANDIDATES {
        let pair: Vec<Point> = near.choose_multiple(rng, 2).copied().collect();
        let [white, black] = pair[..] else {
            return None;
        };
        let mut next = board.clone();
        next.play(white);
        next.play(black);
        let value = scales.share(CANDIDATES - i, |scales| scales.value(&next))?;
        if best.is_none_or(|(_, other)| value.abs() < other.abs()) {
            best = Some(([white, black], value));
        }
    }
    best
}

/// The number of fifth stones that makes the worst of them as even as possible.
fn declare(scales: &mut Scales, phase: &Phase, most: u8) -> Option<Choice> {
    let board = phase.board();
    let most = most.min(CANDIDATES as u8);
    let values: Vec<i32> = if board.side_to_move() == Color::Black {
        let fifths = scales.fifths(board, most);
        fifths.into_iter().map(|(_, value)| value).collect()
    } else {
        // White will choose the fourth stone when he knows the number.
        let all: PointSet = board.empty_points().collect();
        let fourths = scales.share(2, |scales| scales.best_few(board, &all, FOURTHS));
        let searches = fourths.len();
        let mut worst = vec![i32::MAX; usize::from(most)];
        for (i, p) in fourths.into_iter().enumerate() {
            let mut next = board.clone();
            next.play(p);
            let fifths = scales.share(searches - i, |scales| scales.fifths(&next, most));
            worst.truncate(fifths.len());
            for (worst, (_, value)) in worst.iter_mut().zip(fifths) {
                *worst = value.min(*worst);
            }
        }
        worst
    };
    let even = (0..values.len()).min_by_key(|&i| values[i].unsigned_abs())?;
    Some(Choice::Declare(even as u8 + 1))
}

/// The best fifth stones for Black, as many as are asked for.
fn offer(scales: &mut Scales, board: &Board, count: u8) -> Vec<Point> {
    let mut points: Vec<Point> = scales
        .fifths(board, count)
        .into_iter()
        .map(|(p, _)| p)
        .collect();
    // A search that was cut short, or that considers only what is needed, may name too few.
    let last = board.stones().last().map(|stone| stone.point);
    let mut others = unequal_points(board);
    others.sort_by_key(|&p| (last.map_or(0, |last| distance(p, last)), p));
    for p in others {
        if points.len() < usize::from(count) && !points.contains(&p) {
            points.push(p);
        }
    }
    points
}

/// The fifth stone that is worst for Black.
fn keep(scales: &mut Scales, phase: &Phase) -> Option<Choice> {
    let offered = phase.offered();
    let mut best: Option<(i32, Point)> = None;
    for (i, &p) in offered.iter().enumerate() {
        let mut next = phase.board().clone();
        next.play(p);
        let value = scales.share(offered.len() - i, |scales| scales.value(&next));
        let value = value.unwrap_or(i32::MAX);
        if best.is_none_or(|(worst, _)| value < worst) {
            best = Some((value, p));
        }
    }
    best.map(|(_, p)| Choice::Keep(p))
}
