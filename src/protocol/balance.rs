//! Moves that bring the value of a position as close as possible to a wanted one.

use super::decision::Decision;
use super::exclusions::Exclusions;
use crate::engine::Engine;
use crate::engine::move_control::MoveControl;
use crate::search::{SearchControl, SearchInfo, SearchRequest};
use crate::types::Score;

/// Most time of the first of two searches when neither has a limit, in ms.
const FIRST_MS: u64 = 5_000;

/// The move after which the value, from the view of the side to move, is closest to `bias`.
pub fn balance_one(
    engine: &mut Engine,
    request: &SearchRequest,
    bias: i32,
    control: &SearchControl,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
) -> Decision {
    let request = SearchRequest {
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
        points: closest.or(outcome.best).into_iter().collect(),
        lines: outcome.lines,
        ..Decision::default()
    }
}

/// Two moves, one of each side, that bring the value close to `bias`. The first is the worst move
/// with a value of at least `bias`, so that the second can lower the value to `bias`. The second is
/// none of `exclusions`.
pub fn balance_two(
    engine: &mut Engine,
    request: &SearchRequest,
    exclusions: &Exclusions,
    bias: i32,
    control: &MoveControl,
    report: &mut (dyn FnMut(&SearchInfo) + Send),
) -> Decision {
    let all = SearchRequest {
        multi_pv: request.board.empty_count(),
        ..request.clone()
    };
    let half = control.step(first_ms(control.whole()));
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
    next.excluded = exclusions.at(&next.board, next.rule);
    let mut decision = balance_one(engine, &next, -bias, control.whole(), report);
    decision.points.insert(0, first);
    decision
}

/// Time for the first of two searches, in ms: half the time of both. Without a limit the second
/// search runs until it is stopped, so the first needs an end of its own.
fn first_ms(whole: &SearchControl) -> u64 {
    match whole.is_limited() {
        true => whole.soft_ms() / 2,
        false => FIRST_MS,
    }
}

fn distance(score: Score, bias: i32) -> u64 {
    u64::from(i32::from(score.raw()).abs_diff(bias))
}

#[cfg(test)]
mod tests {
    use crate::time::Instant;

    use super::*;
    use crate::board::{Board, parse_moves};
    use crate::engine::Options;
    use crate::rules::Rule;
    use crate::search::TimeSettings;
    use crate::types::{Color, Point};

    fn setup() -> (Engine, SearchRequest, MoveControl) {
        let board = Board::new(15, 15).unwrap();
        // Limited by nodes, not by time: a busy machine may use up the time before the search
        // begins.
        let control = MoveControl::new(Instant::now(), &TimeSettings::default());
        control.set_bounds(None, Some(3_000));
        (
            Engine::new(Options::default()),
            SearchRequest::new(board, Rule::Standard),
            control,
        )
    }

    #[test]
    fn two_moves_balance_each_other() {
        let (mut engine, request, control) = setup();
        let exclusions = Exclusions::default();
        let decision = balance_two(&mut engine, &request, &exclusions, 0, &control, &mut |_| {});
        assert_eq!(decision.points.len(), 2);
        assert_ne!(decision.points[0], decision.points[1]);
    }

    /// The move with the closest value is chosen, also on an empty board.
    #[test]
    fn one_move_comes_closest_to_what_is_wanted() {
        let (mut engine, mut request, _) = setup();
        let mut answers = Vec::new();
        for stones in ["", "h8 i9 h7"] {
            request.board = Board::new(15, 15).unwrap();
            parse_moves(&mut request.board, stones).unwrap();
            for bias in [-600, 0, 600] {
                let control = SearchControl::unlimited();
                control.set_bounds(Some(1), None);
                let decision = balance_one(&mut engine, &request, bias, &control, &mut |_| {});
                let closest = decision
                    .lines
                    .iter()
                    .map(|line| distance(line.score, bias))
                    .min();
                let of_answer = |line: &&SearchInfo| line.pv[0] == decision.points[0];
                let line = decision.lines.iter().find(of_answer).expect("its line");
                assert_eq!(Some(distance(line.score, bias)), closest, "{stones} {bias}");
                answers.push(decision.points[0]);
            }
        }
        assert_ne!(
            answers[0], answers[2],
            "the worst first move is not the best"
        );
        assert_ne!(answers[3], answers[5]);
    }

    /// Only the stop ends such a search, after both moves have been searched.
    #[test]
    fn without_a_limit_both_moves_are_searched() {
        let whole = SearchControl::unlimited();
        assert_eq!(first_ms(&whole), FIRST_MS);
        whole.set_bounds(None, Some(3_000));
        assert!(first_ms(&whole) > 100 * FIRST_MS);
        let turn = TimeSettings {
            turn_ms: Some(100_000),
            ..TimeSettings::default()
        };
        let whole = SearchControl::new(Instant::now(), &turn);
        assert_eq!(first_ms(&whole), whole.soft_ms() / 2);
    }

    #[test]
    fn the_second_move_is_none_that_its_side_must_not_play() {
        let (mut engine, request, control) = setup();
        let mut exclusions = Exclusions::default();
        let only = [Point::new(0, 5), Point::new(14, 14)];
        for p in request.board.points().filter(|p| !only.contains(p)) {
            exclusions.forbid(Color::White, p, true);
        }
        let decision = balance_two(&mut engine, &request, &exclusions, 0, &control, &mut |_| {});
        assert!(only.contains(&decision.points[1]), "{:?}", decision.points);
        assert!(!only.contains(&decision.points[0]));
    }
}
