//! The ends of games: reasons and numbers of stones.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::game::{GameRecord, PASS};
use super::super::stats::quantile;
use crate::game::referee::{Outcome, Reason};

/// Widths of the histogram's bins that read well, in stones.
const BIN_WIDTHS: [usize; 6] = [1, 2, 5, 10, 20, 50];
/// Most bins of the histogram.
const MOST_BINS: usize = 24;

/// The games that ended for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EndCounts {
    /// Won by Black.
    pub black: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Games lost by each player.
    pub lost_by: BTreeMap<String, u64>,
}

impl EndCounts {
    /// All of them.
    pub fn games(&self) -> u64 {
        self.black + self.white + self.draws
    }

    /// `A 3, B 1`.
    pub fn losers(&self) -> String {
        let losers = self.lost_by.iter().map(|(name, n)| format!("{name} {n}"));
        losers.collect::<Vec<_>>().join(", ")
    }
}

/// The numbers of games by the reason of their end.
pub fn ends(games: &[&GameRecord]) -> BTreeMap<Reason, EndCounts> {
    let mut ends: BTreeMap<Reason, EndCounts> = BTreeMap::new();
    for game in games {
        let counts = ends.entry(game.reason).or_default();
        let loser = match game.outcome {
            Outcome::Black => {
                counts.black += 1;
                &game.white
            }
            Outcome::White => {
                counts.white += 1;
                &game.black
            }
            Outcome::Draw => {
                counts.draws += 1;
                continue;
            }
        };
        *counts.lost_by.entry(loser.clone()).or_default() += 1;
    }
    ends
}

/// A game that was lost by misbehaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forfeit {
    /// Number of the game, from 0.
    pub game: u64,
    /// The player who lost.
    pub loser: String,
    /// The misbehaviour.
    pub reason: Reason,
    /// Details, such as the engine's last words.
    pub detail: String,
}

/// The games that were lost by misbehaviour, in order.
pub fn forfeits(games: &[&GameRecord]) -> Vec<Forfeit> {
    let lost = games.iter().filter(|game| game.reason.is_forfeit());
    lost.filter_map(|game| {
        let winner = game.outcome.winner()?;
        Some(Forfeit {
            game: game.id,
            loser: [&game.white, &game.black][winner.index()].clone(),
            reason: game.reason,
            detail: game.detail.clone(),
        })
    })
    .collect()
}

/// The ways to end that the lengths tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EndKind {
    /// Black won on the board.
    Black,
    /// White won on the board.
    White,
    /// Nobody won.
    Draw,
    /// Somebody lost by misbehaviour.
    Forfeit,
}

impl EndKind {
    /// All of them, in the order of tables.
    pub const ALL: [EndKind; 4] = [
        EndKind::Black,
        EndKind::White,
        EndKind::Draw,
        EndKind::Forfeit,
    ];

    /// For tables.
    pub fn text(self) -> &'static str {
        match self {
            EndKind::Black => "Black won",
            EndKind::White => "White won",
            EndKind::Draw => "draw",
            EndKind::Forfeit => "forfeit",
        }
    }

    fn of(game: &GameRecord) -> EndKind {
        match game.outcome {
            _ if game.reason.is_forfeit() => EndKind::Forfeit,
            Outcome::Black => EndKind::Black,
            Outcome::White => EndKind::White,
            Outcome::Draw => EndKind::Draw,
        }
    }
}

/// Lengths in stones of the games that ended in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LengthRange {
    /// The way.
    pub kind: EndKind,
    /// Number of its games, at least one.
    pub games: usize,
    /// Fewest stones.
    pub shortest: usize,
    /// Median of the stones.
    pub median: usize,
    /// Most stones.
    pub longest: usize,
}

/// The lengths of games in stones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lengths {
    /// One for each [`EndKind`] that occurred.
    pub ranges: Vec<LengthRange>,
    /// Lengths in one bin of the histogram.
    pub bin_width: usize,
    /// For each bin, the first of which begins at 0, the games of each [`EndKind`].
    pub bins: Vec<[u64; 4]>,
}

/// Number of stones on the board at a game's end.
pub fn stones(game: &GameRecord) -> usize {
    game.turns.iter().filter(|turn| turn.label != PASS).count()
}

/// The lengths of games.
pub fn lengths(games: &[&GameRecord]) -> Lengths {
    let mut sorted: [Vec<usize>; 4] = Default::default();
    for game in games {
        sorted[EndKind::of(game) as usize].push(stones(game));
    }
    sorted
        .iter_mut()
        .for_each(|lengths| lengths.sort_unstable());
    let longest = sorted.iter().filter_map(|lengths| lengths.last()).max();
    let longest = longest.copied().unwrap_or(0);
    let fits = |width: &usize| longest / width < MOST_BINS;
    let bin_width = BIN_WIDTHS.into_iter().find(fits).unwrap_or(50);
    let mut bins = vec![[0; 4]; longest / bin_width + 1];
    for kind in EndKind::ALL {
        for length in &sorted[kind as usize] {
            bins[length / bin_width][kind as usize] += 1;
        }
    }
    let range = |kind: EndKind| {
        let lengths = &sorted[kind as usize];
        Some(LengthRange {
            kind,
            games: lengths.len(),
            shortest: *lengths.first()?,
            median: quantile(lengths, 0.5)?,
            longest: *lengths.last()?,
        })
    };
    Lengths {
        ranges: EndKind::ALL.into_iter().filter_map(range).collect(),
        bin_width,
        bins,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::game::RecordedTurn;
    use super::super::super::journal::tests::game;
    use super::*;

    #[test]
    fn ends_name_the_losers() {
        let mut games = [
            game(0, Outcome::Black),
            game(1, Outcome::Black),
            game(2, Outcome::White),
            game(3, Outcome::Draw),
        ];
        games[2].reason = Reason::Time;
        games[2].detail = "12 ms of 10 ms".to_string();
        games[3].reason = Reason::FullBoard;
        let games: Vec<&GameRecord> = games.iter().collect();
        let lost_on_time = Forfeit {
            game: 2,
            loser: "A".to_string(),
            reason: Reason::Time,
            detail: "12 ms of 10 ms".to_string(),
        };
        assert_eq!(forfeits(&games), [lost_on_time]);
        let ends = ends(&games);
        let of = |reason| &ends[&reason];
        assert_eq!(of(Reason::Five).games(), 2);
        assert_eq!(of(Reason::Five).losers(), "A 1, B 1");
        assert_eq!(of(Reason::Time).losers(), "A 1");
        assert_eq!((of(Reason::FullBoard).draws, ends.len()), (1, 3));
    }

    #[test]
    fn lengths_count_stones_and_no_passes() {
        let mut long = game(0, Outcome::Black);
        long.turns = vec![RecordedTurn::bare(None, 15); 3];
        let stone = long.turns[0].clone();
        let labelled = (0..30).map(|i| RecordedTurn {
            label: format!("a{}", i + 1),
            ..stone.clone()
        });
        long.turns.extend(labelled);
        let mut forfeit = game(1, Outcome::White);
        forfeit.turns.clear();
        forfeit.reason = Reason::Crash;
        let lengths = lengths(&[&long, &forfeit, &game(0, Outcome::Black)]);
        let range = |kind, games, shortest, median, longest| LengthRange {
            kind,
            games,
            shortest,
            median,
            longest,
        };
        let black = range(EndKind::Black, 2, 1, 1, 30);
        let lost = range(EndKind::Forfeit, 1, 0, 0, 0);
        assert_eq!(lengths.ranges, [black, lost]);
        assert_eq!((lengths.bin_width, lengths.bins.len()), (2, 16));
        assert_eq!(lengths.bins[0], [1, 0, 0, 1]);
        assert_eq!(lengths.bins[15], [1, 0, 0, 0]);
        assert_eq!(super::lengths(&[]).bins, [[0; 4]]);
    }
}
