//! Time, depth and nodes of each player's moves.

use serde::Serialize;

use super::super::game::GameRecord;
use super::super::stats::quantile;
use crate::game::referee::{Outcome, Reason};

/// Stones of one stage of the game.
const STAGE_STONES: usize = 10;
/// Fewest moves of a stage that is shown.
const FEWEST_MOVES: usize = 3;

/// A player's moves, those of openings left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerTimes {
    /// Name.
    pub name: String,
    /// Number of moves.
    pub moves: usize,
    /// Median of their times, in ms.
    pub median_ms: Option<f64>,
    /// 95 % quantile of their times, in ms.
    pub p95_ms: Option<f64>,
    /// Sum of their times, in ms.
    pub total_ms: f64,
    /// The slowest move.
    pub slowest: Option<SlowMove>,
    /// Moves whose limit is known.
    pub limited: u64,
    /// Moves beyond their limit, accepted as lag.
    pub late: u64,
    /// The longest time beyond a limit.
    pub latest: Option<SlowMove>,
    /// Games lost on time.
    pub lost_on_time: u64,
    /// Median of the reported depths, in plies.
    pub median_depth: Option<u32>,
    /// Greatest reported depth, in plies.
    pub greatest_depth: Option<u32>,
    /// Median of the reported nodes.
    pub median_nodes: Option<u64>,
    /// By stages of the game, from the first on.
    pub stages: Vec<Stage>,
}

/// A move that took long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SlowMove {
    /// Its time, or its time beyond the limit, in ms.
    pub ms: f64,
    /// Number of the game, from 0.
    pub game: u64,
    /// Number of the move, from 1.
    pub turn: usize,
}

/// Moves of one stage of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Stage {
    /// Stones on the board in its middle.
    pub stones: usize,
    /// Median of the times, in ms, if there are enough moves.
    pub median_ms: Option<f64>,
    /// Average depth, if it is reported for enough moves.
    pub mean_depth: Option<f64>,
}

/// Times of each player, in the order of `names`.
pub fn times(names: &[String], games: &[&GameRecord]) -> Vec<PlayerTimes> {
    names.iter().map(|name| of_player(name, games)).collect()
}

/// Times, depths of one stage.
type StageMoves = (Vec<f64>, Vec<u32>);

fn of_player(name: &str, games: &[&GameRecord]) -> PlayerTimes {
    let mut times = PlayerTimes {
        name: name.to_string(),
        ..PlayerTimes::default()
    };
    let (mut sorted_ms, mut depths, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
    let mut stages: Vec<StageMoves> = Vec::new();
    for game in games {
        let (color, loss) = match (game.black == name, game.white == name) {
            (true, _) => (0, Outcome::White),
            (_, true) => (1, Outcome::Black),
            _ => continue,
        };
        let lost = game.outcome == loss && game.reason == Reason::Time;
        times.lost_on_time += u64::from(lost);
        let turns = game.turns.iter().enumerate().skip(color).step_by(2);
        for (place, turn) in turns {
            let Some(ms) = turn.ms else {
                continue;
            };
            let slow = |ms| SlowMove {
                ms,
                game: game.id,
                turn: place + 1,
            };
            sorted_ms.push(ms);
            keep_slower(&mut times.slowest, slow(ms));
            if let Some(allowed) = turn.allowed_ms {
                times.limited += 1;
                if ms > allowed {
                    times.late += 1;
                    keep_slower(&mut times.latest, slow(ms - allowed));
                }
            }
            depths.extend(turn.depth);
            nodes.extend(turn.nodes);
            let stage = place / STAGE_STONES;
            if stages.len() <= stage {
                stages.resize_with(stage + 1, StageMoves::default);
            }
            stages[stage].0.push(ms);
            stages[stage].1.extend(turn.depth);
        }
    }
    sorted_ms.sort_by(f64::total_cmp);
    depths.sort_unstable();
    nodes.sort_unstable();
    PlayerTimes {
        moves: sorted_ms.len(),
        median_ms: quantile(&sorted_ms, 0.5),
        p95_ms: quantile(&sorted_ms, 0.95),
        total_ms: sorted_ms.iter().sum(),
        median_depth: quantile(&depths, 0.5),
        greatest_depth: depths.last().copied(),
        median_nodes: quantile(&nodes, 0.5),
        stages: stages.into_iter().enumerate().map(stage_of).collect(),
        ..times
    }
}

fn keep_slower(slowest: &mut Option<SlowMove>, other: SlowMove) {
    if slowest.is_none_or(|slow| other.ms > slow.ms) {
        *slowest = Some(other);
    }
}

fn stage_of((number, (mut ms, depths)): (usize, StageMoves)) -> Stage {
    ms.sort_by(f64::total_cmp);
    let sum: f64 = depths.iter().copied().map(f64::from).sum();
    let mean_depth = sum / depths.len() as f64;
    Stage {
        stones: number * STAGE_STONES + STAGE_STONES / 2,
        median_ms: quantile(&ms, 0.5).filter(|_| ms.len() >= FEWEST_MOVES),
        mean_depth: (depths.len() >= FEWEST_MOVES).then_some(mean_depth),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::game::RecordedTurn;
    use super::super::super::journal::tests::game;
    use super::*;
    use tengen::types::Point;

    #[test]
    fn moves_are_those_of_the_player_and_late_ones_are_counted() {
        let mut games = [game(0, Outcome::Black), game(1, Outcome::White)];
        // After the stone of the opening: White, Black, White. A has Black in game 0.
        let mut x = 0;
        let mut turn = |ms: f64, depth| {
            x += 1;
            RecordedTurn {
                ms: Some(ms),
                depth: Some(depth),
                nodes: Some(10),
                allowed_ms: Some(100.0),
                ..RecordedTurn::bare(Some(Point::new(x, 0)), 15)
            }
        };
        games[0]
            .turns
            .extend([turn(50.0, 5), turn(90.0, 7), turn(101.5, 9)]);
        games[1].turns.push(turn(130.0, 11));
        games[1].reason = Reason::Time;
        let names = ["A".to_string(), "B".to_string()];
        let [a, b] = &times(&names, &games.iter().collect::<Vec<_>>())[..] else {
            unreachable!("two players")
        };
        let times = |p: &PlayerTimes| (p.moves, p.median_ms, p.p95_ms, p.total_ms);
        assert_eq!(times(a), (2, Some(90.0), Some(130.0), 220.0));
        assert_eq!(times(b), (2, Some(50.0), Some(101.5), 151.5));
        assert_eq!((a.limited, a.late, b.late), (2, 1, 1));
        let slow = |ms, game, turn| Some(SlowMove { ms, game, turn });
        assert_eq!(a.slowest, slow(130.0, 1, 2));
        assert_eq!(b.latest, slow(1.5, 0, 4));
        assert_eq!((a.median_depth, a.greatest_depth), (Some(7), Some(11)));
        assert_eq!(b.median_nodes, Some(10));
        // B had Black in the game that Black lost on time.
        assert_eq!((a.lost_on_time, b.lost_on_time), (0, 1));
        let first = Stage {
            stones: 5,
            ..Stage::default()
        };
        assert_eq!(a.stages, [first]);
    }
}
