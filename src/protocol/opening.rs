//! Decisions that weigh positions against each other: balanced moves, and the steps of swap2.

use rand::seq::IndexedRandom;
use rand::Rng;

use super::thinker::{Decision, Reins};
use crate::board::Board;
use crate::engine::Engine;
use crate::search::{Control, Report, Request};
use crate::types::{Point, Score};

/// Openings that are weighed against each other.
const OPENINGS: u64 = 8;
/// Longest time for one of them, in ms.
const MOST_FOR_AN_OPENING_MS: u64 = 2_000;
/// Below this time for one opening a search says too little, in ms.
const LEAST_FOR_AN_OPENING_MS: u64 = 5;
/// Side of the square in which the three stones of an opening lie.
const OPENING_SQUARE: u8 = 6;

/// The move after which the value, from the view of the side to move, is closest to `bias`.
pub fn balance_one(
    engine: &mut Engine,
    request: &Request,
    bias: i32,
    control: &Control,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Decision {
    let request = Request {
        multi_pv: request.board.empty_count(),
        ..request.clone()
    };
    let outcome = engine.go(&request, control, report);
    let closest = outcome
        .lines
        .iter()
        .min_by_key(|line| distance(line.score, bias))
        .and_then(|line| line.pv.first().copied());
    Decision {
        swap: false,
        points: closest.or(outcome.best).into_iter().collect(),
        lines: outcome.lines,
    }
}

/// Two moves, one of each side, after which the value is closest to `bias`: the first is the one
/// that gives away the least and still stays above, so that the second can take the rest back.
pub fn balance_two(
    engine: &mut Engine,
    request: &Request,
    bias: i32,
    reins: &Reins,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Decision {
    let all = Request {
        multi_pv: request.board.empty_count(),
        ..request.clone()
    };
    let half = reins.step(reins.whole().soft_ms() / 2);
    let outcome = engine.go(&all, &half, &mut |_| {});
    let above = outcome
        .lines
        .iter()
        .filter(|line| i32::from(line.score.raw()) >= bias)
        .min_by_key(|line| line.score)
        .and_then(|line| line.pv.first().copied());
    let Some(first) = above.or(outcome.best) else {
        return Decision::default();
    };
    let mut next = request.clone();
    next.board.play(first);
    let mut decision = balance_one(engine, &next, -bias, reins.whole(), report);
    decision.points.insert(0, first);
    decision
}

/// Three stones that begin a swap2 game: of some openings drawn by lot the one that the search
/// finds most even, since the opponent chooses the side.
pub fn open_swap2(engine: &mut Engine, request: &Request, reins: &Reins) -> Decision {
    let mut rng = rand::rng();
    let time_ms = reins.whole().soft_ms() / OPENINGS;
    let time_ms = time_ms.min(MOST_FOR_AN_OPENING_MS);
    let mut best = (u64::MAX, draw_opening(&request.board, &mut rng));
    if time_ms < LEAST_FOR_AN_OPENING_MS {
        return opening(best.1);
    }
    for _ in 0..OPENINGS {
        let stones = draw_opening(&request.board, &mut rng);
        let mut candidate = request.clone();
        candidate.multi_pv = 1;
        for p in stones {
            candidate.board.play(p);
        }
        let outcome = engine.go(&candidate, &reins.step(time_ms), &mut |_| {});
        let unevenness = outcome
            .lines
            .first()
            .map_or(u64::MAX, |line| distance(line.score, 0));
        if unevenness < best.0 {
            best = (unevenness, stones);
        }
        if reins.whole().poll() {
            break;
        }
    }
    opening(best.1)
}

/// White is to move and may take Black's place instead: he does if Black stands better.
pub fn choose_swap2(
    engine: &mut Engine,
    request: &Request,
    control: &Control,
    report: &mut (dyn FnMut(&Report) + Send),
) -> Decision {
    let outcome = engine.go(request, control, report);
    let swap = outcome
        .lines
        .first()
        .is_some_and(|line| line.score < Score::DRAW);
    Decision {
        swap,
        points: outcome.best.into_iter().filter(|_| !swap).collect(),
        lines: outcome.lines,
    }
}

fn opening(stones: [Point; 3]) -> Decision {
    Decision {
        points: stones.to_vec(),
        ..Decision::default()
    }
}

fn distance(score: Score, bias: i32) -> u64 {
    u64::from(i32::from(score.raw()).abs_diff(bias))
}

/// Three cells of a small square somewhere on the empty `board`.
fn draw_opening(board: &Board, rng: &mut impl Rng) -> [Point; 3] {
    let side = OPENING_SQUARE.min(board.width()).min(board.height());
    let x = rng.random_range(0..=board.width() - side);
    let y = rng.random_range(0..=board.height() - side);
    let cells: Vec<Point> = (0..side)
        .flat_map(|dy| (0..side).map(move |dx| Point::new(x + dx, y + dy)))
        .collect();
    let chosen: Vec<Point> = cells.choose_multiple(rng, 3).copied().collect();
    chosen
        .try_into()
        .expect("a square has more than three cells")
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::engine::Options;
    use crate::rules::Rule;
    use crate::search::TimeSettings;

    fn setup() -> (Engine, Request, Reins) {
        let board = Board::new(15, 15).unwrap();
        let time = TimeSettings {
            turn_ms: Some(500),
            ..TimeSettings::default()
        };
        (
            Engine::new(Options::default()),
            Request::new(board, Rule::Standard),
            Reins::new(Instant::now(), &time),
        )
    }

    #[test]
    fn openings_are_three_different_cells() {
        let (mut engine, request, reins) = setup();
        let mut points = open_swap2(&mut engine, &request, &reins).points;
        points.sort();
        points.dedup();
        assert_eq!(points.len(), 3);
    }

    #[test]
    fn white_swaps_exactly_when_black_stands_better() {
        let (mut engine, mut request, reins) = setup();
        for p in [Point::new(7, 7), Point::new(8, 6), Point::new(9, 9)] {
            request.board.play(p);
        }
        let decision = choose_swap2(&mut engine, &request, reins.whole(), &mut |_| {});
        let is_worse = decision.lines[0].score < Score::DRAW;
        assert_eq!(decision.swap, is_worse);
        assert_eq!(decision.points.len(), usize::from(!is_worse));
    }

    #[test]
    fn two_moves_balance_each_other() {
        let (mut engine, request, reins) = setup();
        let decision = balance_two(&mut engine, &request, 0, &reins, &mut |_| {});
        assert_eq!(decision.points.len(), 2);
        assert_ne!(decision.points[0], decision.points[1]);
    }
}
