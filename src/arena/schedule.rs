//! Who plays whom.
//!
//! A schedule is a pure function of the rounds already played, so that an interrupted match finds
//! its place again from its journal alone.

mod all_play_all;

use super::referee::Outcome;

/// A meeting of two players: several games, in pairs with the same opening and sides changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Has Black in the first game of each pair; an index into the players.
    pub first: usize,
    /// Has Black in the second.
    pub second: usize,
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

/// The kinds of schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every player meets every other.
    RoundRobin,
    /// The first player meets each of the others.
    Gauntlet,
}

/// A schedule for a number of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Which kind.
    pub kind: Kind,
    /// Number of players, at least 2.
    pub players: usize,
    /// Games of each meeting.
    pub games: u64,
}

impl Schedule {
    /// The meetings of the round that follows `past`; `None` when all is played.
    pub fn next_round(&self, past: &[Round]) -> Option<Vec<Encounter>> {
        match self.kind {
            Kind::RoundRobin => past
                .is_empty()
                .then(|| all_play_all::round_robin(self.players)),
            Kind::Gauntlet => past
                .is_empty()
                .then(|| all_play_all::gauntlet(self.players)),
        }
    }

    /// Whether everything is known beforehand, so that the schedule can be split.
    pub fn is_fixed(&self) -> bool {
        match self.kind {
            Kind::RoundRobin | Kind::Gauntlet => true,
        }
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
}
