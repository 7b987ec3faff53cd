//! Points of players over the rounds played, and the order of players with equal points.

use super::{Encounter, GameSpec, Round};
use crate::game::referee::Outcome;

/// Points for a win, a draw and a loss in a game.
pub type Points = [f64; 3];

/// A player's place in a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The player; an index into the players.
    pub player: usize,
    /// Points by the match's scale.
    pub points: f64,
    /// Sum of the opponents' points, counted for each meeting (Buchholz).
    pub buchholz: f64,
    /// Sum over the games of the opponent's points times the part of the game won
    /// (Sonneborn-Berger).
    pub sonneborn_berger: f64,
    /// Games won.
    pub wins: u32,
    /// Rounds without an opponent.
    pub byes: u32,
    /// Part of the points scored in rounds without an opponent.
    pub bye_points: f64,
}

/// The part of a game won by `player`: 1, 1/2 or 0; `None` if he did not play it.
fn part(player: usize, game: &GameSpec, outcome: Outcome) -> Option<f64> {
    let black = match outcome {
        Outcome::Black => 1.0,
        Outcome::Draw => 0.5,
        Outcome::White => 0.0,
    };
    if game.black == player {
        Some(black)
    } else if game.white == player {
        Some(1.0 - black)
    } else {
        None
    }
}

fn points_of(part: f64, scale: Points) -> f64 {
    if part == 1.0 {
        scale[0]
    } else if part == 0.5 {
        scale[1]
    } else {
        scale[2]
    }
}

/// The standings of `players` in their order, not yet ranked. With `bye_games` a round without an
/// opponent scores that number of won games.
pub fn standings(
    players: &[usize],
    rounds: &[Round],
    scale: Points,
    bye_games: Option<u64>,
) -> Vec<Standing> {
    let games: Vec<&(GameSpec, Outcome)> = rounds.iter().flat_map(|r| &r.games).collect();
    let parts = |player: usize| {
        games
            .iter()
            .filter_map(move |(game, outcome)| Some((game, part(player, game, *outcome)?)))
    };
    let byes = |player: usize| {
        let absent = |round: &&Round| !round.encounters.iter().any(|e| e.has(player));
        match bye_games {
            Some(_) => rounds.iter().filter(absent).count() as u32,
            None => 0,
        }
    };
    let bye_points =
        |player: usize| f64::from(byes(player)) * bye_games.unwrap_or(0) as f64 * scale[0];
    let points = |player: usize| -> f64 {
        let played: f64 = parts(player).map(|(_, part)| points_of(part, scale)).sum();
        played + bye_points(player)
    };
    players
        .iter()
        .map(|&player| {
            let opponents = parts(player).map(|(game, part)| {
                let opponent = if game.black == player {
                    game.white
                } else {
                    game.black
                };
                (points(opponent), part)
            });
            let (mut buchholz, mut sonneborn_berger, mut wins) = (0.0, 0.0, 0);
            for (opponent_points, part) in opponents {
                buchholz += opponent_points;
                sonneborn_berger += opponent_points * part;
                wins += u32::from(part == 1.0);
            }
            Standing {
                player,
                points: points(player),
                buchholz,
                sonneborn_berger,
                wins,
                byes: byes(player),
                bye_points: bye_points(player),
            }
        })
        .collect()
}

/// Sorts by points; then with `swiss` by Buchholz; then by Sonneborn-Berger, by games won, and by
/// the order in which the players were named.
pub fn rank(standings: &mut [Standing], swiss: bool) {
    standings.sort_by(|a, b| {
        let buchholz = if swiss {
            b.buchholz.total_cmp(&a.buchholz)
        } else {
            std::cmp::Ordering::Equal
        };
        b.points
            .total_cmp(&a.points)
            .then(buchholz)
            .then(b.sonneborn_berger.total_cmp(&a.sonneborn_berger))
            .then(b.wins.cmp(&a.wins))
            .then(a.player.cmp(&b.player))
    });
}

/// Number of meetings of two players.
pub fn meetings(rounds: &[Round], a: usize, b: usize) -> usize {
    let met = |e: &&Encounter| e.has(a) && e.has(b);
    rounds
        .iter()
        .flat_map(|r| &r.encounters)
        .filter(met)
        .count()
}
