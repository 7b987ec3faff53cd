//! Moves after which the value of the position is closest to a wanted one.

use super::decision::Decision;
use super::exclusions::Exclusions;
use crate::engine::Engine;
use crate::engine::move_control::MoveControl;
use crate::search::{SearchControl, SearchInfo, SearchRequest};
use crate::types::Score;

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

/// Two moves, one of each side, after which the value is closest to `bias`: the first is the worst
/// one whose value is still at least `bias`, so that the second can lower the value to it. The second is
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
    let half = control.step(control.whole().soft_ms() / 2);
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

fn distance(score: Score, bias: i32) -> u64 {
    u64::from(i32::from(score.raw()).abs_diff(bias))
}

#[cfg(test)]
mod tests {
    use crate::time::Instant;

    use super::*;
    use crate::board::Board;
    use crate::engine::Options;
    use crate::rules::Rule;
    use crate::search::TimeSettings;
    use crate::types::{Color, Point};

    fn setup() -> (Engine, SearchRequest, MoveControl) {
        let board = Board::new(15, 15).unwrap();
        // Nodes and not time, which a busy machine may use up before the search begins.
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
