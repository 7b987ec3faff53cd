//! The pairings of a match.
//!
//! A schedule is a pure function of the rounds already played, so an interrupted match finds its
//! place again from its journal alone.

mod all_play_all;
mod elimination;
mod groups;
mod standings;
mod swiss;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::game::referee::Outcome;

pub use standings::{Points, Standing};

/// Most games of a meeting.
pub const MOST_GAMES: u64 = 1_000_000;

/// A meeting of two players: several games, in pairs with the same opening and sides changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Has Black in the first game of each pair; an index into the players.
    pub first: usize,
    /// Has Black in the second.
    pub second: usize,
}

impl Encounter {
    /// True if `player` takes part.
    pub fn has(&self, player: usize) -> bool {
        self.first == player || self.second == player
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// Number within the match, from 0.
    pub id: u64,
    /// Number of its pair within the match, from 0.
    pub pair: u64,
    /// Round, from 0.
    pub round: u32,
    /// Number for [`Book::get`](super::openings::Book::get).
    pub opening: u64,
    /// Player of the black stones; an index into the players.
    pub black: usize,
    /// Player of the white stones.
    pub white: usize,
}

/// The outcome of a meeting in a knock-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MeetingOutcome {
    /// Nobody has won; it is played again.
    Level,
    /// One of the two goes on.
    Won {
        /// True if the winner is the meeting's first player.
        by_first: bool,
        /// True if this loss puts the loser out.
        is_out: bool,
        /// True if the meeting stayed level to the end, so the order of the players decided.
        by_order: bool,
    },
}

/// The outcomes of a round whose meetings depend on results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundOutcomes {
    /// Deciding meetings with their outcomes.
    pub meetings: Vec<(Encounter, MeetingOutcome)>,
    /// Players who go on without an opponent.
    pub byes: Vec<usize>,
}

impl RoundOutcomes {
    /// The outcome of `encounter`.
    pub fn of(&self, encounter: Encounter) -> Option<MeetingOutcome> {
        let found = self.meetings.iter().find(|(met, _)| *met == encounter);
        found.map(|(_, outcome)| *outcome)
    }
}

/// The table of a group, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupTable {
    /// Its players.
    pub standings: Vec<Standing>,
    /// Number of players that go on; 0 while games are missing.
    pub advance: usize,
}

/// A round with its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The meetings.
    pub encounters: Vec<Encounter>,
    /// Games of each meeting with their outcomes.
    pub games: Vec<(GameSpec, Outcome)>,
}

impl Round {
    /// Number of games of a meeting that have results.
    pub fn games_of(&self, encounter: Encounter) -> u64 {
        let of_it = |game: &GameSpec| encounter.has(game.black) && encounter.has(game.white);
        self.games.iter().filter(|(game, _)| of_it(game)).count() as u64
    }

    /// Half points that `player` scored in this round against `opponent`.
    pub fn half_points(&self, player: usize, opponent: usize) -> u32 {
        self.games
            .iter()
            .map(|(game, outcome)| match outcome {
                _ if (game.black, game.white) == (player, opponent) => black_half_points(*outcome),
                _ if (game.white, game.black) == (player, opponent) => {
                    2 - black_half_points(*outcome)
                }
                _ => 0,
            })
            .sum()
    }
}

fn black_half_points(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Black => 2,
        Outcome::Draw => 1,
        Outcome::White => 0,
    }
}

/// The kinds of schedule. The order of the players is their seeding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleKind {
    /// Every player meets every other.
    RoundRobin,
    /// The first player meets each of the others.
    Gauntlet,
    /// Players with similar results meet, for a number of rounds.
    Swiss {
        /// At least 1.
        rounds: usize,
    },
    /// Players leave after a number of lost meetings.
    Elimination {
        /// 1 or 2.
        lives: usize,
    },
    /// Groups in which everyone meets everyone, then a knock-out of the best of each.
    Groups {
        /// Number of groups, at least 1.
        groups: usize,
        /// Number of players of each group that go on, at least 1.
        advance: usize,
    },
}

impl fmt::Display for ScheduleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScheduleKind::RoundRobin => f.write_str("round-robin"),
            ScheduleKind::Gauntlet => f.write_str("gauntlet"),
            ScheduleKind::Swiss { rounds } => write!(f, "swiss:{rounds}"),
            ScheduleKind::Elimination { lives: 1 } => f.write_str("knock-out"),
            ScheduleKind::Elimination { .. } => f.write_str("double-knock-out"),
            ScheduleKind::Groups { groups, advance } => write!(f, "groups:{groups}:{advance}"),
        }
    }
}

impl FromStr for ScheduleKind {
    type Err = String;

    /// Reads the form written by [`Display`](fmt::Display).
    fn from_str(text: &str) -> Result<ScheduleKind, String> {
        let mut words = text.split(':');
        let kind = words.next().unwrap_or("");
        let numbers: Option<Vec<usize>> = words
            .map(|word| word.parse().ok().filter(|n| *n > 0))
            .collect();
        match (kind, numbers.as_deref()) {
            ("round-robin", Some([])) => Ok(ScheduleKind::RoundRobin),
            ("gauntlet", Some([])) => Ok(ScheduleKind::Gauntlet),
            ("swiss", Some(&[rounds])) => Ok(ScheduleKind::Swiss { rounds }),
            ("knock-out", Some([])) => Ok(ScheduleKind::Elimination { lives: 1 }),
            ("double-knock-out", Some([])) => Ok(ScheduleKind::Elimination { lives: 2 }),
            ("groups", Some(&[groups, advance])) => Ok(ScheduleKind::Groups { groups, advance }),
            _ => Err(
                "it is round-robin, gauntlet, swiss:ROUNDS, knock-out, double-knock-out or \
                 groups:GROUPS:ADVANCING"
                    .to_string(),
            ),
        }
    }
}

/// A schedule for a number of players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The kind of schedule.
    pub kind: ScheduleKind,
    /// Number of players, at least 2.
    pub players: usize,
    /// Games of each meeting.
    pub games: u64,
    /// Points for a win, a draw and a loss; they rank players between rounds.
    pub points: Points,
}

impl Schedule {
    /// The meetings of the round that follows `past`; `None` when all rounds are played.
    pub fn next_round(&self, past: &[Round]) -> Option<Vec<Encounter>> {
        let players = self.players;
        match self.kind {
            ScheduleKind::RoundRobin => past.is_empty().then(|| all_play_all::round_robin(players)),
            ScheduleKind::Gauntlet => past.is_empty().then(|| all_play_all::gauntlet(players)),
            ScheduleKind::Swiss { rounds } => (past.len() < rounds)
                .then(|| swiss::next_round(players, self.games, past, self.points)),
            ScheduleKind::Elimination { lives } => {
                let seeds: Vec<usize> = (0..players).collect();
                elimination::next_round(&seeds, lives, past)
            }
            ScheduleKind::Groups { groups, advance } => {
                groups::next_round(players, groups, advance, past, self.points)
            }
        }
    }

    /// True if all meetings are known beforehand, so the schedule can be split into parts.
    pub fn is_fixed(&self) -> bool {
        matches!(self.kind, ScheduleKind::RoundRobin | ScheduleKind::Gauntlet)
    }

    /// True if each game keeps its number, pair and players when meetings get more games. Where
    /// meetings follow from results, or a meeting ends with half a pair, all later games move.
    pub fn can_grow(&self) -> bool {
        self.is_fixed() && (self.players == 2 || self.games.is_multiple_of(2))
    }

    /// All players with their points, the best first. Ties: see [`Schedule::tie_break`].
    pub fn standings(&self, rounds: &[Round]) -> Vec<Standing> {
        let everyone: Vec<usize> = (0..self.players).collect();
        let swiss = matches!(self.kind, ScheduleKind::Swiss { .. });
        let byes = swiss.then_some(self.games);
        let mut table = standings::standings(&everyone, rounds, self.points, byes);
        standings::rank(&mut table, swiss);
        let order = match self.kind {
            ScheduleKind::Elimination { lives } => elimination::ranking(&everyone, lives, rounds),
            ScheduleKind::Groups { groups, advance } => {
                groups::ranking(self.players, groups, advance, rounds, self.points)
            }
            _ => return table,
        };
        let place = |s: &Standing| order.iter().position(|p| *p == s.player);
        table.sort_by_key(place);
        table
    }

    /// The outcomes of each of `rounds`; of the rounds after the groups where there are groups.
    pub fn outcomes(&self, rounds: &[Round]) -> Vec<RoundOutcomes> {
        let everyone: Vec<usize> = (0..self.players).collect();
        match self.kind {
            ScheduleKind::RoundRobin | ScheduleKind::Gauntlet => Vec::new(),
            ScheduleKind::Swiss { .. } => {
                let absent =
                    |round: &Round, player: usize| !round.encounters.iter().any(|e| e.has(player));
                let byes = |round| everyone.iter().copied().filter(move |&p| absent(round, p));
                let outcomes = rounds.iter().map(|round| RoundOutcomes {
                    meetings: Vec::new(),
                    byes: byes(round).collect(),
                });
                outcomes.collect()
            }
            ScheduleKind::Elimination { lives } => elimination::outcomes(&everyone, lives, rounds),
            ScheduleKind::Groups { groups, advance } => {
                groups::outcomes(self.players, groups, advance, rounds, self.points)
            }
        }
    }

    /// The tables of the groups, if there are groups and their games have begun.
    pub fn group_tables(&self, rounds: &[Round]) -> Vec<GroupTable> {
        let (ScheduleKind::Groups { groups, advance }, [round, ..]) = (self.kind, rounds) else {
            return Vec::new();
        };
        let wanted = round.encounters.len() as u64 * self.games;
        let is_complete = round.games.len() as u64 == wanted;
        let tables = groups::tables(self.players, groups, round, self.points);
        let table = |standings| GroupTable {
            standings,
            advance: if is_complete { advance } else { 0 },
        };
        tables.into_iter().map(table).collect()
    }

    /// The order of players with equal points, for people.
    pub fn tie_break(&self) -> &'static str {
        match self.kind {
            ScheduleKind::RoundRobin | ScheduleKind::Gauntlet => {
                "Sonneborn-Berger, wins, order of naming"
            }
            ScheduleKind::Swiss { .. } => "Buchholz, Sonneborn-Berger, wins, order of naming",
            ScheduleKind::Elimination { .. } => "how far they came, order of naming",
            ScheduleKind::Groups { .. } => {
                "how far they came; in groups points, Sonneborn-Berger, wins, order of naming"
            }
        }
    }

    /// The rounds that consist of `results`, a function of the game's number; the last round may be
    /// incomplete.
    pub fn rounds(&self, results: impl Fn(u64) -> Option<Outcome>) -> Vec<Round> {
        let mut rounds = Vec::new();
        while let Some(encounters) = self.next_round(&rounds) {
            let games = self.games(&encounters, &rounds);
            let wanted = games.len();
            let played: Vec<(GameSpec, Outcome)> = games
                .into_iter()
                .filter_map(|game| Some((game, results(game.id)?)))
                .collect();
            let complete = played.len() == wanted;
            rounds.push(Round {
                encounters,
                games: played,
            });
            if !complete {
                break;
            }
        }
        rounds
    }

    /// The games of a round that follows `past`. Each opening is used in all meetings before the
    /// next one comes.
    pub fn games(&self, encounters: &[Encounter], past: &[Round]) -> Vec<GameSpec> {
        let last = past.iter().flat_map(|r| &r.games).map(|(game, _)| game);
        let next = |number: Option<u64>| number.map_or(0, |n| n + 1);
        let mut id = next(last.clone().map(|g| g.id).max());
        let mut pair = next(last.clone().map(|g| g.pair).max());
        let opening = next(last.map(|g| g.opening).max());
        let mut games = Vec::new();
        for repetition in 0..self.games.div_ceil(2) {
            for encounter in encounters {
                let (a, b) = (encounter.first, encounter.second);
                let in_pair = (self.games - 2 * repetition).min(2) as usize;
                for (black, white) in [(a, b), (b, a)].into_iter().take(in_pair) {
                    games.push(GameSpec {
                        id,
                        pair,
                        round: past.len() as u32,
                        opening: opening + repetition,
                        black,
                        white,
                    });
                    id += 1;
                }
                pair += 1;
            }
        }
        games
    }
}
