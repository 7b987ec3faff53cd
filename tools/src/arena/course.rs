//! The course of a match whose meetings depend on results: the meetings, the players who went on,
//! and the reasons.

use std::fmt;

use serde::Serialize;

use super::schedule::{Encounter, MeetingOutcome, Round, Schedule, ScheduleKind};
use tengen::streams::on_one_line;

/// All rounds, and the groups before them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Course {
    /// Tables of the groups, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<GroupPlace>>,
    /// The rounds after them.
    pub rounds: Vec<CourseRound>,
    /// The player who is left of a knock-out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
}

/// A line of a group's table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupPlace {
    /// Name.
    pub player: String,
    /// Points by the match's scale.
    pub points: f64,
    /// True if the player goes on from this place.
    pub advances: bool,
}

/// A round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CourseRound {
    /// Its meetings.
    pub meetings: Vec<Meeting>,
    /// Players who go on without an opponent.
    pub byes: Vec<String>,
}

/// A meeting of two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Meeting {
    /// The player with Black in the first game.
    pub first: String,
    /// The opponent.
    pub second: String,
    /// Games won by each, draws counted as halves.
    pub points: [f64; 2],
    /// The outcome in words, if it is known and decides anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<MeetingOutcome>,
    /// The outcome in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

impl Course {
    /// The course of `rounds`; `None` where all meetings are known beforehand.
    pub fn new(schedule: &Schedule, rounds: &[Round], names: &[String]) -> Option<Course> {
        if schedule.is_fixed() {
            return None;
        }
        let name = |player: usize| names[player].clone();
        let groups = schedule.group_tables(rounds);
        let groups: Vec<Vec<GroupPlace>> = groups
            .iter()
            .map(|table| {
                let places = table.standings.iter().enumerate();
                places
                    .map(|(place, standing)| GroupPlace {
                        player: name(standing.player),
                        points: standing.points,
                        advances: place < table.advance,
                    })
                    .collect()
            })
            .collect();
        let after_groups = &rounds[rounds.len().min(usize::from(!groups.is_empty()))..];
        let outcomes = schedule.outcomes(rounds);
        let is_over = rounds.last().is_some_and(|last| {
            let mut met = last.encounters.iter();
            met.all(|&met| last.games_of(met) == schedule.games)
        }) && schedule.next_round(rounds).is_none();
        let winner = is_over && !matches!(schedule.kind, ScheduleKind::Swiss { .. });
        let winner = winner.then(|| name(schedule.standings(rounds)[0].player));
        let rounds = after_groups
            .iter()
            .enumerate()
            .map(|(number, round)| {
                let outcome = outcomes.get(number);
                let meetings = round.encounters.iter();
                let meetings = meetings.map(|&encounter| {
                    let Encounter { first, second } = encounter;
                    let points = |a, b| f64::from(round.half_points(a, b)) / 2.0;
                    let outcome = outcome
                        .filter(|_| round.games_of(encounter) == schedule.games)
                        .and_then(|round| round.of(encounter));
                    let words = |outcome| result_text(outcome, &names[first], &names[second]);
                    Meeting {
                        first: name(first),
                        second: name(second),
                        points: [points(first, second), points(second, first)],
                        outcome,
                        result: outcome.map(words),
                    }
                });
                CourseRound {
                    meetings: meetings.collect(),
                    byes: outcome.map_or_else(Vec::new, |round| {
                        round.byes.iter().map(|&player| name(player)).collect()
                    }),
                }
            })
            .collect();
        Some(Course {
            groups,
            rounds,
            winner,
        })
    }
}

/// The outcome of a meeting of these players, in words.
fn result_text(outcome: MeetingOutcome, first: &str, second: &str) -> String {
    match outcome {
        MeetingOutcome::Level => "level, played again".to_string(),
        MeetingOutcome::Won {
            by_first,
            is_out,
            by_order,
        } => {
            let (winner, loser) = if by_first {
                (first, second)
            } else {
                (second, first)
            };
            let fate = if is_out { "is out" } else { "has lost once" };
            if by_order {
                format!("{loser} {fate}: still level, {winner} was seeded first")
            } else {
                format!("{loser} {fate}")
            }
        }
    }
}

impl fmt::Display for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (group, number) in self.groups.iter().zip(1..) {
            let places = group.iter().map(|place| {
                let mark = if place.advances { " goes on" } else { "" };
                format!("{} {}{mark}", on_one_line(&place.player), place.points)
            });
            let places: Vec<String> = places.collect();
            writeln!(f, "Group {number}: {}", places.join(", "))?;
        }
        for (round, number) in self.rounds.iter().zip(1..) {
            writeln!(f, "Round {number}")?;
            for meeting in &round.meetings {
                let [a, b] = meeting.points;
                let mut line = format!("{} {a} - {b} {}", meeting.first, meeting.second);
                if let Some(result) = &meeting.result {
                    line += &format!(": {result}");
                }
                writeln!(f, "  {}", on_one_line(&line))?;
            }
            for bye in &round.byes {
                writeln!(f, "  {} has a bye", on_one_line(bye))?;
            }
        }
        match &self.winner {
            Some(winner) => writeln!(f, "Winner: {}", on_one_line(winner)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::referee;

    /// Plays a schedule out with the players A, B and so on; `score` is the outcome of the game
    /// between Black and White.
    fn course(
        kind: &str,
        players: usize,
        score: impl Fn(usize, usize) -> referee::Outcome,
    ) -> String {
        let schedule = Schedule {
            kind: kind.parse().unwrap(),
            players,
            games: 2,
            points: [1.0, 0.5, 0.0],
        };
        let mut rounds: Vec<Round> = Vec::new();
        while let Some(encounters) = schedule.next_round(&rounds) {
            let games = schedule.games(&encounters, &rounds).into_iter();
            let games = games.map(|game| (game, score(game.black, game.white)));
            let games = games.collect();
            rounds.push(Round { encounters, games });
        }
        let names: Vec<String> = ('A'..).take(players).map(String::from).collect();
        let course = Course::new(&schedule, &rounds, &names);
        course.map_or_else(String::new, |course| course.to_string())
    }

    /// The one named first wins.
    fn by_name(black: usize, white: usize) -> referee::Outcome {
        if black < white {
            referee::Outcome::Black
        } else {
            referee::Outcome::White
        }
    }

    #[test]
    fn a_knock_out_names_who_goes_on_and_why() {
        assert_eq!(
            course("knock-out", 3, by_name),
            "Round 1\n  B 2 - 0 C: C is out\n  A has a bye\nRound 2\n  A 2 - 0 B: B is out\n\
             Winner: A\n"
        );
        let drawn = course("knock-out", 2, |_, _| referee::Outcome::Draw);
        assert!(
            drawn.starts_with("Round 1\n  A 1 - 1 B: level, played again\nRound 2\n"),
            "{drawn}"
        );
        let last = "Round 4\n  A 1 - 1 B: B is out: still level, A was seeded first\nWinner: A\n";
        assert!(drawn.ends_with(last), "{drawn}");
        let twice = course("double-knock-out", 2, by_name);
        assert!(twice.contains("A 2 - 0 B: B has lost once"), "{twice}");
        assert!(
            twice.ends_with("A 2 - 0 B: B is out\nWinner: A\n"),
            "{twice}"
        );
    }

    #[test]
    fn groups_and_byes_are_named() {
        let groups = course("groups:2:1", 4, by_name);
        assert_eq!(
            groups,
            "Group 1: A 2 goes on, D 0\nGroup 2: B 2 goes on, C 0\n\
             Round 1\n  A 2 - 0 B: B is out\nWinner: A\n"
        );
        let swiss = course("swiss:2", 3, by_name);
        assert_eq!(
            swiss,
            "Round 1\n  A 2 - 0 B\n  C has a bye\nRound 2\n  C 0 - 2 A\n  B has a bye\n"
        );
        assert_eq!(course("round-robin", 3, by_name), "");
    }
}
