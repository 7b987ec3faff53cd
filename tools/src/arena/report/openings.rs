//! Results by opening, and the colours that won each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::game::GameRecord;
use super::super::record::points;
use super::super::stats::ScoreCounts;
use crate::game::referee::Outcome;

/// The games that began alike. Games that a player lost by misbehaviour say nothing of the opening
/// and are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpeningResult {
    /// Its number in the file, from 1, or its name.
    pub name: String,
    /// Its stones in the first of the games, which may be turned or mirrored in others.
    pub stones: Vec<String>,
    /// Number of the first game, from 0.
    pub first_game: u64,
    /// Results of Black.
    pub black: ScoreCounts,
    /// The winners of games.
    pub winner: OpeningWinner,
    /// Pairs of games with sides changed.
    pub pairs: PairResults,
}

/// The winners of pairs of games that share an opening with sides changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairResults {
    /// Both games were won by Black.
    pub black: u64,
    /// Both games were won by White.
    pub white: u64,
    /// Both games were won by the same player.
    pub player: u64,
    /// At least one was drawn.
    pub drawn: u64,
}

/// The winner from an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningWinner {
    /// Only Black did.
    Black,
    /// Only White did.
    White,
    /// Both colours did.
    Both,
    /// Nobody did.
    #[default]
    Nobody,
}

impl OpeningWinner {
    /// For tables.
    pub fn text(self) -> &'static str {
        match self {
            OpeningWinner::Black => "Black alone",
            OpeningWinner::White => "White alone",
            OpeningWinner::Both => "both colours",
            OpeningWinner::Nobody => "nobody",
        }
    }

    fn of(black: &ScoreCounts) -> OpeningWinner {
        match (black.wins > 0, black.losses > 0) {
            (true, true) => OpeningWinner::Both,
            (true, false) => OpeningWinner::Black,
            (false, true) => OpeningWinner::White,
            (false, false) => OpeningWinner::Nobody,
        }
    }
}

impl PairResults {
    fn add(&mut self, first: Outcome, second: Outcome) {
        *match (first, second) {
            (Outcome::Draw, _) | (_, Outcome::Draw) => &mut self.drawn,
            (Outcome::Black, Outcome::Black) => &mut self.black,
            (Outcome::White, Outcome::White) => &mut self.white,
            (Outcome::Black, Outcome::White) | (Outcome::White, Outcome::Black) => &mut self.player,
        } += 1;
    }
}

/// The common outcome of two games that began alike, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum OpeningKey {
    /// Place in the file of openings.
    Book(usize),
    /// One of renju's 26 openings, the direct ones first.
    Named { indirect: bool, number: u8 },
    /// An opening without a name that the engines agreed on.
    Other,
    /// The empty board.
    Empty,
}

impl OpeningKey {
    fn of(game: &GameRecord) -> OpeningKey {
        match (game.opening, &game.agreed) {
            (Some(place), _) => OpeningKey::Book(place),
            (None, Some(_)) => {
                game.named_opening()
                    .map_or(OpeningKey::Other, |opening| OpeningKey::Named {
                        indirect: !opening.is_direct(),
                        number: opening.number(),
                    })
            }
            (None, None) => OpeningKey::Empty,
        }
    }

    fn name(self, game: &GameRecord) -> String {
        match self {
            OpeningKey::Book(place) => (place + 1).to_string(),
            OpeningKey::Named { .. } => game.named_opening().map_or_else(String::new, |opening| {
                format!("{} {}", opening.code(), opening.name())
            }),
            OpeningKey::Other => "other".to_string(),
            OpeningKey::Empty => "empty board".to_string(),
        }
    }
}

/// The name of a game's opening in the table of openings.
pub fn opening_name(game: &GameRecord) -> String {
    OpeningKey::of(game).name(game)
}

/// Results by opening; none where all games began on the empty board.
pub fn openings(games: &[&GameRecord]) -> Vec<OpeningResult> {
    let mut openings: BTreeMap<OpeningKey, OpeningResult> = BTreeMap::new();
    let mut pairs: BTreeMap<(OpeningKey, u64), Vec<Outcome>> = BTreeMap::new();
    for game in games.iter().filter(|game| !game.reason.is_forfeit()) {
        let key = OpeningKey::of(game);
        let opening = openings.entry(key).or_insert_with(|| OpeningResult {
            name: key.name(game),
            stones: opening_stones(game, key),
            first_game: game.id,
            ..OpeningResult::default()
        });
        opening.black.add(game.black_half_points());
        opening.winner = OpeningWinner::of(&opening.black);
        let pair = pairs.entry((key, game.pair)).or_default();
        pair.push(game.outcome);
        if let (OpeningKey::Book(_), [first, second]) = (key, &pair[..]) {
            opening.pairs.add(*first, *second);
        }
    }
    if openings.keys().all(|key| *key == OpeningKey::Empty) {
        return Vec::new();
    }
    openings.into_values().collect()
}

fn opening_stones(game: &GameRecord, key: OpeningKey) -> Vec<String> {
    let count = match key {
        OpeningKey::Named { .. } => 3,
        OpeningKey::Book(_) => game.opening_turns,
        OpeningKey::Other | OpeningKey::Empty => 0,
    };
    let stones = points(game).into_iter().take(count).flatten();
    stones.map(|p| p.label(game.height)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::journal::tests::game;
    use super::*;
    use crate::game::referee::Reason;

    #[test]
    fn openings_are_told_apart_by_who_wins_them() {
        use Outcome::{Black, Draw, White};
        // Two games from each of four openings; the pairs are 0, 1, 2 and 3.
        let outcomes = [Black, Black, White, White, Black, White, Draw, White];
        let mut games: Vec<GameRecord> = (0..).zip(outcomes).map(|(id, o)| game(id, o)).collect();
        for game in &mut games {
            game.opening = Some(game.pair as usize);
        }
        let refs: Vec<&GameRecord> = games.iter().collect();
        let table = openings(&refs);
        let names: Vec<&str> = table.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["1", "2", "3", "4"]);
        let winners: Vec<OpeningWinner> = table.iter().map(|o| o.winner).collect();
        use OpeningWinner as W;
        assert_eq!(winners, [W::Black, W::White, W::Both, W::White]);
        let pairs: Vec<[u64; 4]> = table
            .iter()
            .map(|o| [o.pairs.black, o.pairs.white, o.pairs.player, o.pairs.drawn])
            .collect();
        assert_eq!(
            pairs,
            [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        );
        assert_eq!(table[0].stones, ["h8"]);
        assert_eq!(table[3].first_game, 6);
        // A game that was lost on time says nothing of its opening.
        games[0].reason = Reason::Time;
        let table = openings(&games.iter().collect::<Vec<_>>());
        assert_eq!((table[0].black.wins, table[0].pairs.black), (1, 0));
    }

    #[test]
    fn games_from_the_empty_board_have_no_table() {
        let mut game = game(0, Outcome::Black);
        game.opening = None;
        assert!(openings(&[&game]).is_empty());
        assert_eq!(opening_name(&game), "empty board");
    }
}
