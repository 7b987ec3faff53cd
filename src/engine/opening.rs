//! What the engine chooses in the steps of an opening rule.
//!
//! Where the opponent will choose the colour, it seeks the position closest to even; where it may
//! choose itself, it takes the side that the search likes better; and the number of fifth stones is
//! weighed by the worst of them, because that is the one which will be kept. Most stones are drawn
//! by lot from those that serve, so that no line is played twice. Where one player puts stones and the
//! other chooses, some that were found even before the game are put, if they are still possible.

mod doubt;
mod known;
mod weigh;

#[cfg(test)]
mod tests;

use rand::RngExt;
use rand::seq::{IndexedRandom, IteratorRandom};

use super::Engine;
use super::move_control::MoveControl;
use crate::board::Board;
use crate::openings::{Ahead, Alternative, Choice, Phase, Step, unequal_points};
use crate::search::{SearchInfo, SearchRequest};
use crate::types::{Color, Point, PointSet};
use doubt::{Fifths, USUAL_ERROR, normal, worst_kept};
use weigh::Scales;

/// Places drawn by lot that are looked at where an even position is sought.
const CANDIDATES: usize = 10;
/// How many of the best places are looked at besides, and the share of what there is that finds them.
const BEST: usize = 4;
const BEST_SHARE: usize = 6;
/// How many of them are looked at again, and the share of what there is that the first looks take.
const FINALISTS: usize = 3;
const FIRST_LOOKS: usize = 3;
/// Fourth stones of White that are weighed against each other to foresee his choice, and to make it.
const FOURTHS: usize = 2;
const FOURTHS_TO_PUT: usize = 3;
/// The most fifth stones that Tengen declares.
const MOST_FIFTHS: u8 = 8;
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
    pub lines: Vec<SearchInfo>,
}

/// What there is to choose with.
pub struct Means<'a> {
    /// Rule and limits: `max_nodes` bounds the whole choice. Its board and number of lines do not
    /// matter.
    pub request: &'a SearchRequest,
    /// Time, and who may stop it.
    pub control: &'a MoveControl,
    /// Time for this choice, in ms.
    pub time_ms: u64,
    /// Hears of the search, where one search decides.
    pub report: &'a mut (dyn FnMut(&SearchInfo) + Send),
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
    rng: &mut impl RngExt,
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

fn put(scales: &mut Scales, phase: &Phase, rng: &mut impl RngExt) -> Option<Choice> {
    let points = phase.points();
    if points.len() == 1 {
        return points.first().map(Choice::Put);
    }
    // Better than what a search finds within a step.
    if let Some(known) = known::next_stone(phase, scales.rule(), rng) {
        return Some(Choice::Put(known));
    }
    let chosen = match phase.ahead() {
        // The stones that follow will even it out.
        Ahead::Stones => draw(phase.board(), &points, rng),
        Ahead::Number { most: None } => points.iter().choose(rng),
        Ahead::Number { most: Some(most) } => fourth_for_a_number(scales, phase, most),
        Ahead::Swap => most_even(scales, phase, &points, rng),
        Ahead::Fifths { count } => scales
            .worst_fourth(phase.board(), &points, FOURTHS_TO_PUT, count)
            .map(|(p, _)| p),
        Ahead::Game => scales.best(phase.board(), &points),
    };
    chosen.map(Choice::Put)
}

/// A stone of an opening that is only begun: anywhere but on the edge, or near the first.
fn draw(board: &Board, points: &PointSet, rng: &mut impl RngExt) -> Option<Point> {
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

/// Of some places drawn by lot, and where no stones follow the best ones too, one that leaves the
/// opponent, who may choose the colour, little to gain.
fn most_even(
    scales: &mut Scales,
    phase: &Phase,
    points: &PointSet,
    rng: &mut impl RngExt,
) -> Option<Point> {
    let board = phase.board();
    let stones = board.stones();
    let near =
        |p: &Point| stones.is_empty() || stones.iter().any(|s| distance(*p, s.point) <= NEARBY);
    let fair: Vec<Point> = unequal_points(board)
        .into_iter()
        .filter(|p| points.contains(*p) && near(p))
        .collect();
    let after = |p: Point| {
        let mut after = phase.clone();
        after.choose(&Choice::Put(p)).ok()?;
        Some(after)
    };
    let is_last = |after: Phase| matches!(after.ahead(), Ahead::Game);
    let mut field: Vec<Point> = Vec::new();
    if fair.first().and_then(|&p| after(p)).is_some_and(is_last) {
        // Nothing evens out later what is not even now, and most places drawn by lot are bad for
        // whose stone it is: the even ones, if there are any, lie between them and the best.
        let places: PointSet = fair.iter().copied().collect();
        field = scales.share(BEST_SHARE, |scales| scales.best_few(board, &places, BEST));
    }
    let others = fair.iter().filter(|p| !field.contains(p)).copied();
    let drawn = others.sample(rng, CANDIDATES);
    field.extend(drawn);
    evenest(scales, field, rng, |scales, &p, fourths| {
        worth(scales, &after(p)?, fourths)
    })
    .map(|(p, _)| p)
}

/// A candidate that is worth little to either colour, and how much that is to Black. `weigh` tells by
/// so many fourth stones of White, where they matter; 0 asks for a glance.
///
/// After a glance at all of them, those that look best are looked at nearly as closely as the opponent
/// will look at the one that he is given: what he sees more is what he gains. What each may be worth
/// in truth is drawn by lot after the glance, so that all which it cannot tell apart have their chance,
/// and an opening that is misjudged does not come up in every game. Source: Thompson, On the
/// Likelihood that One Unknown Probability Exceeds Another (1933).
fn evenest<T>(
    scales: &mut Scales,
    candidates: Vec<T>,
    rng: &mut impl RngExt,
    mut weigh: impl FnMut(&mut Scales, &T, usize) -> Option<i32>,
) -> Option<(T, i32)> {
    let mut field: Vec<(i32, T)> = candidates.into_iter().map(|c| (i32::MAX, c)).collect();
    let looks = [
        (0, FIRST_LOOKS, FINALISTS, USUAL_ERROR),
        (FOURTHS, 1, 1, 0.0),
    ];
    for (fourths, part, left, error) in looks {
        let searches = field.len();
        scales.share(part, |scales| {
            for (i, (value, candidate)) in field.iter_mut().enumerate() {
                let found = scales.share(searches - i, |scales| weigh(scales, candidate, fourths));
                *value = found.unwrap_or(i32::MAX);
            }
        });
        // A stable sort: where nothing could be weighed, the lot decides.
        field.sort_by_cached_key(|&(value, _)| {
            let doubt = error * normal(rng);
            value.saturating_add(doubt.round() as i32).unsigned_abs()
        });
        field.truncate(left);
    }
    let (value, candidate) = field.into_iter().next()?;
    Some((candidate, value))
}

/// What the position is worth to Black, when a colour is to be chosen next; by so many fourth
/// stones of White, where they matter, or at a glance.
fn worth(scales: &mut Scales, phase: &Phase, fourths: usize) -> Option<i32> {
    let board = phase.board();
    if let Some(Step::Take(Some(Alternative::Offer { count }))) = phase.step() {
        // Black offers if all of his best are good; else he must even it out.
        return kept(scales, board, fourths, count).map(|value| value.max(0));
    }
    match phase.ahead() {
        Ahead::Fifths { count } => kept(scales, board, fourths, count),
        // White's number evens it out, unless so many fifth stones are too few.
        Ahead::Number { most } => {
            let most = most.unwrap_or(u8::MAX).min(MOST_FIFTHS);
            kept(scales, board, fourths, most).map(|value| value.max(0))
        }
        // Whoever puts the next stone must even it out, whichever colour he has: little is won or
        // lost by a value now.
        Ahead::Swap => scales.value(board).map(|value| value / 4),
        Ahead::Stones | Ahead::Game => scales.value(board),
    }
}

/// What Black has to expect of an offer of `count` fifth stones; of so many fourth stones White
/// chooses the worst for him if it is his turn. With 0 it is a glance.
fn kept(scales: &mut Scales, board: &Board, fourths: usize, count: u8) -> Option<i32> {
    let all: PointSet = board.empty_points().collect();
    if fourths == 0 {
        return scales.glance(board, &all, count);
    }
    match board.side_to_move() {
        Color::White => {
            let fourth = scales.worst_fourth(board, &all, fourths, count);
            fourth.map(|(_, value)| value)
        }
        Color::Black => scales.fifths(board, count).kept(count),
    }
}

/// The fourth stone after which Black, who takes a colour when he knows the number of fifth stones,
/// has the least to choose from.
fn fourth_for_a_number(scales: &mut Scales, phase: &Phase, most: u8) -> Option<Point> {
    let board = phase.board();
    let all: PointSet = board.empty_points().collect();
    let most = most.min(MOST_FIFTHS);
    let fourths = scales.fourths(board, &all, FOURTHS, most);
    let unevenness = |fifths: &Fifths| {
        let values = (1..=most).filter_map(|count| fifths.kept(count));
        values.map(i32::unsigned_abs).min().unwrap_or(u32::MAX)
    };
    let best = fourths.iter().min_by_key(|(_, fifths)| unevenness(fifths));
    best.map(|&(p, _)| p)
}

fn take(
    scales: &mut Scales,
    phase: &Phase,
    alternative: Option<Alternative>,
    rng: &mut impl RngExt,
) -> Option<Choice> {
    let board = phase.board();
    let side = board.side_to_move();
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
            let fifths = scales.fifths(board, count);
            if fifths.kept(count).is_some_and(|value| value > EVEN) {
                let best = fifths.values.into_iter().take(count.into());
                return Some(Choice::Offer(best.map(|(p, _)| p).collect()));
            }
            Some(Choice::Take(!side))
        }
        None => Some(match phase.ahead() {
            // Whoever is to move must put a stone after which the other may choose again, or
            // declare a number after which he may: that can only be good for who chooses.
            Ahead::Swap | Ahead::Number { .. } => Choice::Take(!side),
            _ => take_for_black(worth(scales, phase, FOURTHS)?),
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

/// A white and a black stone after which the position is as even as can be found, and its value
/// for Black.
fn two_even_stones(
    scales: &mut Scales,
    phase: &Phase,
    rng: &mut impl RngExt,
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
    let pairs: Vec<[Point; 2]> = (0..CANDIDATES)
        .filter_map(|_| {
            let pair: Vec<Point> = near.sample(rng, 2).copied().collect();
            pair.try_into().ok()
        })
        .collect();
    evenest(scales, pairs, rng, |scales, &[white, black], _| {
        let mut next = board.clone();
        next.play(white);
        next.play(black);
        scales.value(&next)
    })
}

/// The number of fifth stones that leaves the other player, who takes a colour next, the least to
/// gain.
fn declare(scales: &mut Scales, phase: &Phase, most: u8) -> Option<Choice> {
    if let Some(known) = known::fifths(phase, scales.rule()) {
        return Some(Choice::Declare(known));
    }
    let board = phase.board();
    let most = most.min(MOST_FIFTHS);
    let fourths = if board.side_to_move() == Color::Black {
        vec![scales.fifths(board, most)]
    } else {
        // White will choose the fourth stone when he knows the number.
        let all: PointSet = board.empty_points().collect();
        let fourths = scales.fourths(board, &all, FOURTHS, most);
        fourths.into_iter().map(|(_, fifths)| fifths).collect()
    };
    let expected = |count: u8| worst_kept(&fourths, count).map(i32::unsigned_abs);
    let even = (1..=most).filter(|&count| expected(count).is_some());
    even.min_by_key(|&count| expected(count))
        .map(Choice::Declare)
}

/// The best fifth stones for Black, as many as are asked for.
fn offer(scales: &mut Scales, board: &Board, count: u8) -> Vec<Point> {
    let best = scales.fifths(board, count).values.into_iter();
    let mut points: Vec<Point> = best.map(|(p, _)| p).take(count.into()).collect();
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
