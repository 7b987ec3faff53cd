//! Who plays whom.
//!
//! A schedule is a pure function of the rounds already played, so that an interrupted match finds
//! its place again from its journal alone.

mod all_play_all;
mod elimination;
mod groups;
mod standings;
mod swiss;

use std::fmt;
use std::str::FromStr;

use super::referee::Outcome;

pub use standings::{Points, Standing};

/// A meeting of two players: several games, in pairs with the same opening and sides changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Has Black in the first game of each pair; an index into the players.
    pub first: usize,
    /// Has Black in the second.
    pub second: usize,
}

impl Encounter {
    /// Whether `player` takes part.
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

/// A round with its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The meetings.
    pub encounters: Vec<Encounter>,
    /// Games of each meeting with their outcomes.
    pub games: Vec<(GameSpec, Outcome)>,
}

impl Round {
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
pub enum Kind {
    /// Every player meets every other.
    RoundRobin,
    /// The first player meets each of the others.
    Gauntlet,
    /// Players with like results meet, so many times.
    Swiss {
        /// At least 1.
        rounds: usize,
    },
    /// Who has lost so many meetings is out.
    Elimination {
        /// 1 or 2.
        lives: usize,
    },
    /// Groups in which everyone meets everyone, then a knock-out of the best of each.
    Groups {
        /// Number of groups, at least 1.
        groups: usize,
        /// How many of each group go on, at least 1.
        advance: usize,
    },
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::RoundRobin => f.write_str("round-robin"),
            Kind::Gauntlet => f.write_str("gauntlet"),
            Kind::Swiss { rounds } => write!(f, "swiss:{rounds}"),
            Kind::Elimination { lives: 1 } => f.write_str("knock-out"),
            Kind::Elimination { .. } => f.write_str("double-knock-out"),
            Kind::Groups { groups, advance } => write!(f, "groups:{groups}:{advance}"),
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Kind, String> {
        let mut words = text.split(':');
        let kind = words.next().unwrap_or("");
        let numbers: Option<Vec<usize>> = words
            .map(|word| word.parse().ok().filter(|n| *n > 0))
            .collect();
        match (kind, numbers.as_deref()) {
            ("round-robin", Some([])) => Ok(Kind::RoundRobin),
            ("gauntlet", Some([])) => Ok(Kind::Gauntlet),
            ("swiss", Some(&[rounds])) => Ok(Kind::Swiss { rounds }),
            ("knock-out", Some([])) => Ok(Kind::Elimination { lives: 1 }),
            ("double-knock-out", Some([])) => Ok(Kind::Elimination { lives: 2 }),
            ("groups", Some(&[groups, advance])) => Ok(Kind::Groups { groups, advance }),
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
    /// Which kind.
    pub kind: Kind,
    /// Number of players, at least 2.
    pub players: usize,
    /// Games of each meeting.
    pub games: u64,
    /// Points for a win, a draw and a loss, which rank players on the way.
    pub points: Points,
}

impl Schedule {
    /// The meetings of the round that follows `past`; `None` when all is played.
    pub fn next_round(&self, past: &[Round]) -> Option<Vec<Encounter>> {
        let players = self.players;
        match self.kind {
            Kind::RoundRobin => past.is_empty().then(|| all_play_all::round_robin(players)),
            Kind::Gauntlet => past.is_empty().then(|| all_play_all::gauntlet(players)),
            Kind::Swiss { rounds } => (past.len() < rounds)
                .then(|| swiss::next_round(players, self.games, past, self.points)),
            Kind::Elimination { lives } => {
                let seeds: Vec<usize> = (0..players).collect();
                elimination::next_round(&seeds, lives, past)
            }
            Kind::Groups { groups, advance } => {
                groups::next_round(players, groups, advance, past, self.points)
            }
        }
    }

    /// Whether everything is known beforehand, so that the schedule can be split.
    pub fn is_fixed(&self) -> bool {
        matches!(self.kind, Kind::RoundRobin | Kind::Gauntlet)
    }

    /// All players with their points, the best first. Ties: see [`Schedule::tie_break`].
    pub fn standings(&self, rounds: &[Round]) -> Vec<Standing> {
        let everyone: Vec<usize> = (0..self.players).collect();
        let swiss = matches!(self.kind, Kind::Swiss { .. });
        let byes = swiss.then_some(self.games);
        let mut table = standings::standings(&everyone, rounds, self.points, byes);
        standings::rank(&mut table, swiss);
        let order = match self.kind {
            Kind::Elimination { lives } => elimination::ranking(&everyone, lives, rounds),
            Kind::Groups { groups, advance } => {
                groups::ranking(self.players, groups, advance, rounds, self.points)
            }
            _ => return table,
        };
        let place = |s: &Standing| order.iter().position(|p| *p == s.player);
        table.sort_by_key(place);
        table
    }

    /// What ranks players with equal points, for people.
    pub fn tie_break(&self) -> &'static str {
        match self.kind {
            Kind::RoundRobin | Kind::Gauntlet => "Sonneborn-Berger, wins, order of naming",
            Kind::Swiss { .. } => "Buchholz, Sonneborn-Berger, wins, order of naming",
            Kind::Elimination { .. } => "how far they came, order of naming",
            Kind::Groups { .. } => {
                "how far they came; in groups points, Sonneborn-Berger, wins, order of naming"
            }
        }
    }

    /// The rounds that `results` make, each game by its number; the last may be incomplete.
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

/// One of several machines that share a match: it plays the pairs whose number leaves the
/// remainder `index` when divided by `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    pub index: u64,
    /// At least 1.
    pub count: u64,
}

impl Shard {
    /// Whether a game is this one's.
    pub fn has(&self, game: &GameSpec) -> bool {
        game.pair % self.count == self.index
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// Reads `2/8`, the second of eight.
    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| {
            let (i, n): (u64, u64) = (i.parse().ok()?, n.parse().ok()?);
            (1..=n).contains(&i).then_some((i, n))
        });
        let (i, count) = parts.ok_or("a shard is I/N with I from 1 to N, such as 2/8")?;
        Ok(Shard {
            index: i - 1,
            count,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_share_an_opening_and_change_sides() {
        let schedule = Schedule {
            kind: Kind::RoundRobin,
            players: 3,
            games: 4,
            points: [1.0, 0.5, 0.0],
        };
        let encounters = schedule.next_round(&[]).unwrap();
        let games = schedule.games(&encounters, &[]);
        assert_eq!(games.len(), 12);
        for pair in games.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(
                (pair[0].black, pair[0].white),
                (pair[1].white, pair[1].black)
            );
        }
        assert!(games[..6].iter().all(|g| g.opening == 0));
        assert!(games[6..].iter().all(|g| g.opening == 1));
        assert!(games.iter().enumerate().all(|(i, g)| g.id == i as u64));
    }

    #[test]
    fn an_odd_number_of_games_ends_with_a_single_one() {
        let schedule = Schedule {
            kind: Kind::Gauntlet,
            players: 2,
            games: 3,
            points: [1.0, 0.5, 0.0],
        };
        let games = schedule.games(&schedule.next_round(&[]).unwrap(), &[]);
        let pairs: Vec<u64> = games.iter().map(|g| g.pair).collect();
        assert_eq!(pairs, [0, 0, 1]);
    }

    #[test]
    fn shards_divide_the_games_without_splitting_a_pair() {
        let schedule = Schedule {
            kind: Kind::RoundRobin,
            players: 4,
            games: 6,
            points: [1.0, 0.5, 0.0],
        };
        let games = schedule.games(&schedule.next_round(&[]).unwrap(), &[]);
        for game in &games {
            let shards = (0..5).filter(|&index| Shard { index, count: 5 }.has(game));
            assert_eq!(shards.count(), 1);
        }
        assert_eq!("2/8".parse(), Ok(Shard { index: 1, count: 8 }));
        for bad in ["0/8", "9/8", "1", "a/b", "1/0"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    /// Plays a schedule out; the player with the lower number always wins, except where `upset`
    /// says so.
    fn play_out(kind: &str, players: usize, upset: impl Fn(usize, usize) -> bool) -> Vec<Round> {
        let schedule = schedule(kind, players);
        let mut rounds: Vec<Round> = Vec::new();
        while let Some(encounters) = schedule.next_round(&rounds) {
            let games = schedule
                .games(&encounters, &rounds)
                .into_iter()
                .map(|game| {
                    let black_wins = (game.black < game.white) != upset(game.black, game.white);
                    let outcome = if black_wins {
                        Outcome::Black
                    } else {
                        Outcome::White
                    };
                    (game, outcome)
                })
                .collect();
            rounds.push(Round { encounters, games });
            assert!(rounds.len() < 50, "{kind} does not end");
        }
        rounds
    }

    fn schedule(kind: &str, players: usize) -> Schedule {
        Schedule {
            kind: kind.parse().unwrap(),
            players,
            games: 2,
            points: [1.0, 0.5, 0.0],
        }
    }

    fn never(_: usize, _: usize) -> bool {
        false
    }

    fn order(kind: &str, players: usize, rounds: &[Round]) -> Vec<usize> {
        let table = schedule(kind, players).standings(rounds);
        table.iter().map(|s| s.player).collect()
    }

    #[test]
    fn swiss_rounds_pair_likes_and_never_twice() {
        let rounds = play_out("swiss:4", 9, never);
        assert_eq!(rounds.len(), 4);
        let first: Vec<(usize, usize)> = rounds[0]
            .encounters
            .iter()
            .map(|e| (e.first, e.second))
            .collect();
        assert_eq!(first, [(0, 4), (1, 5), (2, 6), (3, 7)]);
        for a in 0..9 {
            for b in 0..a {
                assert!(standings::meetings(&rounds, a, b) <= 1, "{a} {b}");
            }
            let played = rounds
                .iter()
                .filter(|r| r.encounters.iter().any(|e| e.has(a)));
            assert!(played.count() >= 3, "{a} has at most one bye");
        }
        assert_eq!(order("swiss:4", 9, &rounds)[0], 0);
    }

    #[test]
    fn swiss_goes_on_when_everyone_has_met_everyone() {
        let rounds = play_out("swiss:5", 4, never);
        assert_eq!(rounds.len(), 5);
        assert!(rounds.iter().all(|r| r.encounters.len() == 2));
    }

    #[test]
    fn a_knock_out_leaves_one() {
        let rounds = play_out("knock-out", 6, never);
        let sizes: Vec<usize> = rounds.iter().map(|r| r.encounters.len()).collect();
        assert_eq!(sizes, [2, 2, 1], "two wait, then semifinals");
        assert_eq!(order("knock-out", 6, &rounds)[..2], [0, 1]);
        // The last one beats all.
        let rounds = play_out("knock-out", 6, |a, b| a.max(b) == 5);
        assert_eq!(order("knock-out", 6, &rounds)[0], 5);
    }

    #[test]
    fn double_elimination_gives_a_second_chance() {
        let rounds = play_out("double-knock-out", 8, never);
        let lost: usize = rounds.iter().map(|r| r.encounters.len()).sum();
        assert_eq!(lost, 14, "seven players lose twice");
        assert_eq!(order("double-knock-out", 8, &rounds)[..2], [0, 1]);
        // 7 beats 0 in their first meeting only: 0 comes back and wins the final, twice over.
        let beaten = std::cell::Cell::new(0);
        let rounds = play_out("double-knock-out", 8, |a, b| {
            let surprise = a.min(b) == 0 && a.max(b) == 7 && beaten.get() < 2;
            beaten.set(beaten.get() + u32::from(surprise));
            surprise
        });
        assert_eq!(order("double-knock-out", 8, &rounds)[0], 0);
    }

    #[test]
    fn even_meetings_are_played_on_and_then_go_to_the_first_named() {
        let schedule = schedule("knock-out", 2);
        let mut rounds = Vec::new();
        while let Some(encounters) = schedule.next_round(&rounds) {
            let draw = |game: GameSpec| (game, Outcome::Draw);
            let games: Vec<_> = schedule
                .games(&encounters, &rounds)
                .into_iter()
                .map(draw)
                .collect();
            assert_eq!(games[0].0.opening, rounds.len() as u64, "a new opening");
            rounds.push(Round { encounters, games });
        }
        assert_eq!(rounds.len(), 4);
        assert_eq!(order("knock-out", 2, &rounds), [0, 1]);
    }

    #[test]
    fn groups_send_their_best_to_a_knock_out() {
        let rounds = play_out("groups:2:2", 8, never);
        let sizes: Vec<usize> = rounds.iter().map(|r| r.encounters.len()).collect();
        assert_eq!(sizes, [12, 2, 1]);
        // Dealt to and fro: 0 3 4 7 and 1 2 5 6. Winners of one group meet seconds of the other.
        let semifinals: Vec<(usize, usize)> = rounds[1]
            .encounters
            .iter()
            .map(|e| (e.first, e.second))
            .collect();
        assert_eq!(semifinals, [(0, 3), (1, 2)]);
        assert_eq!(order("groups:2:2", 8, &rounds)[..2], [0, 1]);
    }

    #[test]
    fn equal_points_are_ranked_by_sonneborn_berger() {
        // In a circle 0 beats 1, 1 beats 2, 2 beats 0; 3 loses to all but beats 2.
        let upset = |a: usize, b: usize| matches!((a.min(b), a.max(b)), (0, 2) | (2, 3));
        let rounds = play_out("round-robin", 4, upset);
        let table = schedule("round-robin", 4).standings(&rounds);
        let order: Vec<usize> = table.iter().map(|s| s.player).collect();
        // 0 and 1 have 4 points of 6; 0 beat 1 (4) and 3 (2), 1 beat 2 (2) and 3 (2).
        assert_eq!(order[..2], [0, 1]);
        assert_eq!(table[0].sonneborn_berger, 2.0 * (4.0 + 2.0));
        assert_eq!(table[1].sonneborn_berger, 2.0 * (2.0 + 2.0));
    }

    #[test]
    fn interrupted_rounds_are_found_again() {
        let schedule = schedule("swiss:4", 6);
        let rounds = play_out("swiss:4", 6, never);
        let games: Vec<(GameSpec, Outcome)> = rounds.iter().flat_map(|r| r.games.clone()).collect();
        let known = |known: usize| {
            let games = games[..known].to_vec();
            move |id: u64| games.iter().find(|(g, _)| g.id == id).map(|(_, o)| *o)
        };
        assert_eq!(schedule.rounds(known(games.len())), rounds);
        let part = schedule.rounds(known(15));
        assert_eq!(part.len(), 3);
        assert_eq!(part[2].encounters, rounds[2].encounters);
        assert_eq!(part[2].games.len(), 3);
    }

    #[test]
    fn kinds_are_written_as_they_are_read() {
        for text in [
            "round-robin",
            "gauntlet",
            "swiss:7",
            "knock-out",
            "double-knock-out",
            "groups:4:2",
        ] {
            assert_eq!(text.parse::<Kind>().unwrap().to_string(), text);
        }
        for bad in ["swiss", "swiss:0", "groups:2", "gauntlet:3", "cup"] {
            assert!(bad.parse::<Kind>().is_err(), "{bad}");
        }
    }
}
