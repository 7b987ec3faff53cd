//! The comparison of two players from pair to pair.

use serde::Serialize;

use super::super::game::GameRecord;
use super::super::sprt::{Pentanomial, Sprt};
use super::super::stats::{self, EloEstimate, ScoreCounts};

/// Most points of a curve.
const MOST_POINTS: usize = 200;

/// The comparison after a number of pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProgressPoint {
    /// Games of the pairs so far.
    pub games: u64,
    /// Difference in strength.
    pub elo: EloEstimate,
    /// Log-likelihood ratio, if there is a test.
    pub llr: Option<f64>,
}

/// The comparison of `first` with `second` after each distinct pair of games in order, or at about
/// two hundred places of a long match, the last pair among them.
pub fn progress(
    first: &str,
    second: &str,
    games: &[&GameRecord],
    sprt: Option<&Sprt>,
) -> Vec<ProgressPoint> {
    let pairs = stats::pairs(first, second, &stats::distinct(games));
    let step = pairs.len().div_ceil(MOST_POINTS).max(1);
    let mut counts: Pentanomial = [0; 5];
    let mut points = Vec::new();
    for (number, half_points) in (1..).zip(pairs.values()) {
        counts[*half_points as usize] += 1;
        if number % step == 0 || number == pairs.len() {
            points.extend(point(&counts, sprt));
        }
    }
    points
}

/// A pair of 0, 1/2, 1, 3/2 or 2 points counts as two games of that score: wins and losses, and
/// one draw where the points are halves.
fn point(counts: &Pentanomial, sprt: Option<&Sprt>) -> Option<ProgressPoint> {
    let [zero, half, one, three_halves, two] = *counts;
    let all = ScoreCounts {
        wins: 2 * two + three_halves + one,
        draws: half + three_halves,
        losses: 2 * zero + half + one,
    };
    Some(ProgressPoint {
        games: all.games(),
        elo: stats::elo(&all, counts)?,
        llr: sprt.map(|sprt| sprt.llr(counts)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::journal::tests::game;
    use super::*;
    use crate::game::referee::Outcome;

    #[test]
    fn the_last_point_is_the_result() {
        use Outcome::{Black, Draw, White};
        // A has Black in even games: 2, 1 and 3/2 points in the pairs, and a game without partner.
        let outcomes = [Black, White, Black, Black, Black, Draw, White];
        let games: Vec<GameRecord> = (0..).zip(outcomes).map(|(id, o)| game(id, o)).collect();
        let games: Vec<&GameRecord> = games.iter().collect();
        let sprt = Sprt::parse(&["elo0=0", "elo1=50"]).unwrap();
        let points = progress("A", "B", &games, Some(&sprt));
        let numbers: Vec<u64> = points.iter().map(|point| point.games).collect();
        assert_eq!(numbers, [2, 4, 6]);
        // Four and a half points of six: Elo 400 log10(3) = 190.85.
        assert!((points[2].elo.elo - 190.849).abs() < 1e-3, "{points:?}");
        assert_eq!(points[2].llr, Some(sprt.llr(&[0, 0, 1, 1, 1])));
        assert_eq!(progress("A", "C", &games, None), []);
    }

    #[test]
    fn a_long_match_has_some_points() {
        let games: Vec<GameRecord> = (0..2002).map(|id| game(id, Outcome::Black)).collect();
        let points = progress("A", "B", &games.iter().collect::<Vec<_>>(), None);
        assert!(points.len() <= MOST_POINTS + 1, "{}", points.len());
        assert_eq!(points.last().unwrap().games, 2002);
    }
}
