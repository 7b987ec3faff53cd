//! Choices of the engine in the steps of an opening rule.
//!
//! - Where the opponent chooses the colour next, the engine looks for the most balanced position.
//! - Where the engine chooses the colour itself, it takes the side preferred by the search.
//! - An offer of fifth stones is valued by the worst of them, because the opponent keeps that one.
//!
//! Most stones are drawn at random from the fitting ones, so that openings do not repeat. Where one
//! player puts stones and the other chooses, the engine prefers openings found balanced in advance,
//! as long as one is possible.

pub mod evaluator;
mod known;
mod noise;

#[cfg(test)]
mod tests;

use rand::RngExt;
use rand::seq::{IndexedRandom, IteratorRandom};

use super::Engine;
use crate::board::Board;
use crate::openings::{
    Ahead, Alternative, Choice, OpeningStep, Phase, unequal_among, unequal_points,
};
use crate::search::SearchInfo;
use crate::types::{Color, Point, PointSet};
pub use evaluator::ChoiceContext;
use evaluator::{OpeningEvaluator, board_after};
use noise::{DEFAULT_ERROR, FifthStones, expected_value_after_fourth, sample_normal};

/// Random places that are examined where a balanced position is sought.
const RANDOM_CANDIDATES: usize = 10;
/// Number of the best places examined besides, and the part of the budget for finding them.
const BEST_CANDIDATES: usize = 4;
const BEST_PART: usize = 6;
/// Number of places that are examined a second time, and the part of the budget for the first time.
const FINALISTS: usize = 3;
const FIRST_PASS_PART: usize = 3;
/// White's fourth stones that are compared to predict the opponent's choice, and to choose one.
const FOURTHS: usize = 2;
const FOURTHS_TO_PUT: usize = 3;
/// The most fifth stones that the engine declares.
const MAX_FIFTHS: u8 = 8;
/// Positions with values up to this distance from 0 count as balanced.
const BALANCED: i32 = 25;
/// Greatest distance from other stones of a stone that is meant to balance a position.
const MAX_DISTANCE: u8 = 4;

/// A choice and the search results behind it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Legal in the phase given to [`choose`].
    pub choice: Choice,
    /// The last report of every line if a single search has decided, with values for the side to
    /// move.
    pub lines: Vec<SearchInfo>,
}

/// Chooses for the [`decider`](Phase::decider) of `phase`. A new engine with one thread, a
/// limit of nodes instead of time and the same state of `rng` makes the same choice.
///
/// # Panics
/// When the opening is over.
pub fn choose<'a>(
    engine: &'a mut Engine,
    phase: &Phase,
    context: ChoiceContext<'a>,
    rng: &mut impl RngExt,
) -> Chosen {
    let step = phase.step().expect("an opening that is not over");
    let mut evaluator = OpeningEvaluator::new(engine, context);
    let found = match step {
        OpeningStep::Put(_) => put(&mut evaluator, phase, rng),
        OpeningStep::Take(alternative) => take(&mut evaluator, phase, alternative, rng),
        OpeningStep::Declare { most } => declare(&mut evaluator, phase, most),
        OpeningStep::Offer { count } => {
            Some(Choice::Offer(offer(&mut evaluator, phase.board(), count)))
        }
        OpeningStep::Keep => keep(&mut evaluator, phase),
    };
    let choice = found
        .filter(|choice| phase.judge(choice).is_ok())
        .unwrap_or_else(|| phase.any_choice());
    Chosen {
        choice,
        lines: evaluator.into_lines(),
    }
}

fn put(evaluator: &mut OpeningEvaluator, phase: &Phase, rng: &mut impl RngExt) -> Option<Choice> {
    let points = phase.points();
    if points.len() == 1 {
        return points.first().map(Choice::Put);
    }
    // Found by longer searches than a step allows.
    if let Some(known) = known::next_stone(phase, evaluator.rule(), rng) {
        return Some(Choice::Put(known));
    }
    let chosen = match phase.ahead() {
        // Later stones balance the position.
        Ahead::Stones => draw(phase.board(), &points, rng),
        Ahead::Number { most: None } => points.iter().choose(rng),
        Ahead::Number { most: Some(most) } => fourth_for_a_number(evaluator, phase, most),
        Ahead::Swap => balanced_stone(evaluator, phase, &points, rng),
        Ahead::Fifths { count } => evaluator
            .worst_fourth(phase.board(), &points, FOURTHS_TO_PUT, count)
            .map(|(p, _)| p),
        Ahead::Game => evaluator.best(phase.board(), &points),
    };
    chosen.map(Choice::Put)
}

/// A random stone: the first anywhere but on the edge, others near the first.
fn draw(board: &Board, points: &PointSet, rng: &mut impl RngExt) -> Option<Point> {
    let inside = |place: u8, side: u8| place > 0 && place + 1 < side;
    let near = |p: &Point| match board.stones().first() {
        Some(first) => distance(*p, first.point) <= MAX_DISTANCE,
        None => inside(p.x(), board.width()) && inside(p.y(), board.height()),
    };
    points.iter().filter(near).choose(rng)
}

fn distance(a: Point, b: Point) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

/// A stone after which the opponent, who chooses the colour, gains as little as possible: one of
/// some random places, and of the best places too if the game begins after this stone.
fn balanced_stone(
    evaluator: &mut OpeningEvaluator,
    phase: &Phase,
    points: &PointSet,
    rng: &mut impl RngExt,
) -> Option<Point> {
    let board = phase.board();
    let stones = board.stones();
    let near = |p: &Point| {
        stones.is_empty() || stones.iter().any(|s| distance(*p, s.point) <= MAX_DISTANCE)
    };
    let fair = unequal_among(board, points.iter().filter(near));
    let after = |p: Point| {
        let mut after = phase.clone();
        after.choose(&Choice::Put(p)).ok()?;
        Some(after)
    };
    let is_last = |after: Phase| matches!(after.ahead(), Ahead::Game);
    let mut field: Vec<Point> = Vec::new();
    if fair.first().and_then(|&p| after(p)).is_some_and(is_last) {
        // No later stone balances the position, and most random places are bad for the side to
        // move. Balanced ones, if there are any, have values between those and the best.
        let places: PointSet = fair.iter().copied().collect();
        field = evaluator.share(BEST_PART, |evaluator| {
            evaluator.best_few(board, &places, BEST_CANDIDATES)
        });
    }
    let others = fair.iter().filter(|p| !field.contains(p)).copied();
    let drawn = others.sample(rng, RANDOM_CANDIDATES);
    field.extend(drawn);
    most_balanced(evaluator, field, rng, |evaluator, &p, fourths| {
        value_for_black(evaluator, &after(p)?, fourths)
    })
    .map(|(p, _)| p)
}

/// The candidate whose position is most balanced, and its value for Black. `evaluate` gets the
/// number of White's fourth stones to compare, where they matter; 0 asks for a quick value.
///
/// The first pass values all candidates quickly, the second values the best of them nearly as well
/// as the opponent will: the opponent gains by what only he sees. Between the passes a random error
/// is added to each value. Candidates that the first pass cannot tell apart have equal chances, and
/// a misjudged opening does not come up in every game. Source: Thompson, On the Likelihood that One
/// Unknown Probability Exceeds Another (1933).
fn most_balanced<T>(
    evaluator: &mut OpeningEvaluator,
    candidates: Vec<T>,
    rng: &mut impl RngExt,
    mut evaluate: impl FnMut(&mut OpeningEvaluator, &T, usize) -> Option<i32>,
) -> Option<(T, i32)> {
    let mut field: Vec<(i32, T)> = candidates.into_iter().map(|c| (i32::MAX, c)).collect();
    let passes = [
        (0, FIRST_PASS_PART, FINALISTS, DEFAULT_ERROR),
        (FOURTHS, 1, 1, 0.0),
    ];
    for (fourths, part, left, error) in passes {
        let searches = field.len();
        evaluator.share(part, |evaluator| {
            for (i, (value, candidate)) in field.iter_mut().enumerate() {
                let found = evaluator.share(searches - i, |evaluator| {
                    evaluate(evaluator, candidate, fourths)
                });
                *value = found.unwrap_or(i32::MAX);
            }
        });
        // The sort is stable: where there are no values, the random order of candidates counts.
        field.sort_by_cached_key(|&(value, _)| {
            let noise = error * sample_normal(rng);
            value.saturating_add(noise.round() as i32).unsigned_abs()
        });
        field.truncate(left);
    }
    let (value, candidate) = field.into_iter().next()?;
    Some((candidate, value))
}

/// Value of the position for Black when a colour is chosen next: by `fourths` of White's fourth
/// stones, where they matter, or a quick value for 0.
fn value_for_black(evaluator: &mut OpeningEvaluator, phase: &Phase, fourths: usize) -> Option<i32> {
    let board = phase.board();
    if let Some(OpeningStep::Take(Some(Alternative::Offer { count }))) = phase.step() {
        // Black offers if all of his best fifth stones are good; otherwise he must balance the
        // position.
        return expected_value_of_offer(evaluator, board, fourths, count).map(|value| value.max(0));
    }
    match phase.ahead() {
        Ahead::Fifths { count } => expected_value_of_offer(evaluator, board, fourths, count),
        // White's number balances the position, unless the largest number is too small.
        Ahead::Number { most } => {
            let most = most.unwrap_or(u8::MAX).min(MAX_FIFTHS);
            expected_value_of_offer(evaluator, board, fourths, most).map(|value| value.max(0))
        }
        // The player of the next stone must balance the position, whichever colour he has: a value
        // now matters little.
        Ahead::Swap => evaluator.value(board).map(|value| value / 4),
        Ahead::Stones | Ahead::Game => evaluator.value(board),
    }
}

/// Black's expected value of an offer of `count` fifth stones; with White to move, after the worst
/// of `fourths` fourth stones for Black. 0 fourth stones give a quick value.
fn expected_value_of_offer(
    evaluator: &mut OpeningEvaluator,
    board: &Board,
    fourths: usize,
    count: u8,
) -> Option<i32> {
    let all: PointSet = board.empty_points().collect();
    if fourths == 0 {
        return evaluator.quick_value(board, &all, count);
    }
    match board.side_to_move() {
        Color::White => {
            let fourth = evaluator.worst_fourth(board, &all, fourths, count);
            fourth.map(|(_, value)| value)
        }
        Color::Black => evaluator
            .fifth_stones(board, count)
            .expected_value_of_offer(count),
    }
}

/// The fourth stone that leaves Black, who knows the number of fifth stones when he takes a colour,
/// the least advantage.
fn fourth_for_a_number(evaluator: &mut OpeningEvaluator, phase: &Phase, most: u8) -> Option<Point> {
    let board = phase.board();
    let all: PointSet = board.empty_points().collect();
    let most = most.min(MAX_FIFTHS);
    let fourths = evaluator.fourth_stones(board, &all, FOURTHS, most);
    let unevenness = |fifths: &FifthStones| {
        let values = (1..=most).filter_map(|count| fifths.expected_value_of_offer(count));
        values.map(i32::unsigned_abs).min().unwrap_or(u32::MAX)
    };
    let best = fourths.iter().min_by_key(|(_, fifths)| unevenness(fifths));
    best.map(|&(p, _)| p)
}

fn take(
    evaluator: &mut OpeningEvaluator,
    phase: &Phase,
    alternative: Option<Alternative>,
    rng: &mut impl RngExt,
) -> Option<Choice> {
    let board = phase.board();
    let side = board.side_to_move();
    match alternative {
        Some(Alternative::Add) => {
            let value = evaluator.share(2, |evaluator| evaluator.value(board))?;
            if value.abs() <= BALANCED {
                // The position is balanced. If two more stones keep it so, the opponent's choice of
                // a colour is harder than ours.
                let (points, after) = two_balanced_stones(evaluator, phase, rng)?;
                if after.abs() <= value.abs() {
                    return Some(Choice::Add(points));
                }
            }
            Some(take_for_black(value))
        }
        Some(Alternative::Offer { count }) => {
            let fifths = evaluator.fifth_stones(board, count);
            if fifths
                .expected_value_of_offer(count)
                .is_some_and(|value| value > BALANCED)
            {
                let best = fifths.values.into_iter().take(count.into());
                return Some(Choice::Offer(best.map(|(p, _)| p).collect()));
            }
            Some(Choice::Take(!side))
        }
        None => Some(match phase.ahead() {
            // The side to move puts a stone or declares a number, and then the other player may
            // choose again: that is an advantage for the player who chooses.
            Ahead::Swap | Ahead::Number { .. } => Choice::Take(!side),
            _ => take_for_black(value_for_black(evaluator, phase, FOURTHS)?),
        }),
    }
}

/// The better colour in a position with this value for Black; the side to move if it is 0.
fn take_for_black(value: i32) -> Choice {
    Choice::Take(if value > 0 {
        Color::Black
    } else {
        Color::White
    })
}

/// A white and a black stone after which the position is as balanced as possible, and its value for
/// Black.
fn two_balanced_stones(
    evaluator: &mut OpeningEvaluator,
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
                .any(|s| distance(*p, s.point) <= MAX_DISTANCE)
        })
        .collect();
    let pairs: Vec<[Point; 2]> = (0..RANDOM_CANDIDATES)
        .filter_map(|_| {
            let pair: Vec<Point> = near.sample(rng, 2).copied().collect();
            pair.try_into().ok()
        })
        .collect();
    most_balanced(evaluator, pairs, rng, |evaluator, &[white, black], _| {
        let mut next = board.clone();
        next.play(white);
        next.play(black);
        evaluator.value(&next)
    })
}

/// The number of fifth stones that leaves the opponent, who takes a colour next, the least
/// advantage.
fn declare(evaluator: &mut OpeningEvaluator, phase: &Phase, most: u8) -> Option<Choice> {
    if let Some(known) = known::fifth_count(phase, evaluator.rule()) {
        return Some(Choice::Declare(known));
    }
    let board = phase.board();
    let most = most.min(MAX_FIFTHS);
    let fourths = if board.side_to_move() == Color::Black {
        vec![evaluator.fifth_stones(board, most)]
    } else {
        // White chooses the fourth stone after the number.
        let all: PointSet = board.empty_points().collect();
        let fourths = evaluator.fourth_stones(board, &all, FOURTHS, most);
        fourths.into_iter().map(|(_, fifths)| fifths).collect()
    };
    let expected = |count: u8| expected_value_after_fourth(&fourths, count).map(i32::unsigned_abs);
    let possible = (1..=most).filter(|&count| expected(count).is_some());
    possible
        .min_by_key(|&count| expected(count))
        .map(Choice::Declare)
}

/// The best `count` fifth stones for Black.
fn offer(evaluator: &mut OpeningEvaluator, board: &Board, count: u8) -> Vec<Point> {
    let best = evaluator.fifth_stones(board, count).values.into_iter();
    let mut points: Vec<Point> = best.map(|(p, _)| p).take(count.into()).collect();
    // A search has fewer lines after an early stop, or where it sees threats.
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
fn keep(evaluator: &mut OpeningEvaluator, phase: &Phase) -> Option<Choice> {
    let offered = phase.offered();
    let mut best: Option<(i32, Point)> = None;
    for (i, &p) in offered.iter().enumerate() {
        let next = board_after(phase.board(), p);
        let value = evaluator.share(offered.len() - i, |evaluator| evaluator.value(&next));
        let value = value.unwrap_or(i32::MAX);
        if best.is_none_or(|(worst, _)| value < worst) {
            best = Some((value, p));
        }
    }
    best.map(|(_, p)| Choice::Keep(p))
}
