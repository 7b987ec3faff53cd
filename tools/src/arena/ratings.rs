//! Ratings of many players at once from the games between them, with the first move's advantage.
//!
//! Model: Bradley-Terry with an advantage for Black; the player of strength `a` scores against
//! `b` on average `1 / (1 + exp(b - a - h))` with the black stones; a draw is half a win and half
//! a loss. The most likely strengths are found with Newton's method, and the curvature there gives
//! the errors. A weak prior keeps players finite who won or lost all games.
//! Sources: D. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), sections 1 and
//! 2; R. Coulom, "Whole-History Rating" (2008), for the virtual draws as prior.

use serde::Serialize;

use super::stats::Z95;

/// Elo of one unit of the logistic curve.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Virtual draws of every player against a player of average strength.
const PRIOR_DRAWS: f64 = 1.0;
/// Most steps of Newton's method, which converges after about ten.
const STEPS: usize = 100;

/// A game for the ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedGame {
    /// Player of the black stones, an index.
    pub black: usize,
    /// Player of the white stones, an index.
    pub white: usize,
    /// Points of Black: 0, 1/2 or 1.
    pub score: f64,
}

/// A strength with its error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// In Elo; the average of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval, relative to that average.
    pub error: f64,
}

/// All players' strengths.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// In the order of the players.
    pub players: Vec<Rating>,
    /// Worth of the black stones.
    pub black: Rating,
}

/// Rates `players` players. Draws make the true errors smaller than those given here.
pub fn rate(players: usize, games: &[RatedGame]) -> Ratings {
    // The last parameter is Black's advantage.
    let n = players + 1;
    let mut x = vec![0.0; n];
    let mut factor = Vec::new();
    for _ in 0..STEPS {
        let (gradient, information) = derivatives(&x, players, games);
        factor = cholesky(&information);
        let step = solve(&factor, &gradient);
        // Newton's step may overshoot far from the optimum; a step of 2 is 350 Elo.
        let largest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
        let scale = if largest > 2.0 { 2.0 / largest } else { 1.0 };
        x.iter_mut().zip(&step).for_each(|(x, s)| *x += scale * s);
        if largest < 1e-10 {
            break;
        }
    }
    let mean = x[..players].iter().sum::<f64>() / players as f64;
    let covariance: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            solve(&factor, &unit)
        })
        .collect();
    // Variance of a linear combination of the parameters.
    let deviation = |weights: &[f64]| -> f64 {
        let mut variance = 0.0;
        for i in 0..n {
            for j in 0..n {
                variance += weights[i] * weights[j] * covariance[i][j];
            }
        }
        variance.max(0.0).sqrt()
    };
    let rating = |value: f64, weights: Vec<f64>| Rating {
        elo: ELO * value,
        error: ELO * Z95 * deviation(&weights),
    };
    let against_mean = |i: usize| -> Vec<f64> {
        let mut weights = vec![-1.0 / players as f64; players];
        weights[i] += 1.0;
        weights.push(0.0);
        weights
    };
    let mut black = vec![0.0; n];
    black[players] = 1.0;
    Ratings {
        players: (0..players)
            .map(|i| rating(x[i] - mean, against_mean(i)))
            .collect(),
        black: rating(x[players], black),
    }
}

/// Gradient of the log of the posterior probability, and the negative of its second derivatives.
fn derivatives(x: &[f64], players: usize, games: &[RatedGame]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = x.len();
    let mut gradient = vec![0.0; n];
    let mut information = vec![vec![0.0; n]; n];
    for game in games {
        let expected = logistic(x[game.black] - x[game.white] + x[players]);
        let surprise = game.score - expected;
        let weight = expected * (1.0 - expected);
        let signs = [(game.black, 1.0), (game.white, -1.0), (players, 1.0)];
        for (i, si) in signs {
            gradient[i] += si * surprise;
            for (j, sj) in signs {
                information[i][j] += si * sj * weight;
            }
        }
    }
    // A virtual draw against strength 0; the first move's advantage is held the same way.
    for i in 0..n {
        let expected = logistic(x[i]);
        gradient[i] += PRIOR_DRAWS * (0.5 - expected);
        information[i][i] += PRIOR_DRAWS * expected * (1.0 - expected);
    }
    (gradient, information)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The lower triangle `l` with `l l^T = a`, for a positive definite `a`.
fn cholesky(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            l[i][j] = if i == j {
                (a[i][i] - dot).max(1e-12).sqrt()
            } else {
                (a[i][j] - dot) / l[j][j]
            };
        }
    }
    l
}

/// The `x` with `l l^T x = b`.
fn solve(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = b.to_vec();
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - dot) / l[i][i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - dot) / l[i][i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_zero_has_no_minus() {
        let text = |elo| Rating { elo, error: 5.0 }.to_string();
        assert_eq!(text(-0.04), "+0.0 ± 5.0");
        assert_eq!(text(-0.06), "-0.1 ± 5.0");
    }

    /// `wins` of `games` games for `a`, half of them with Black, and no colour better.
    fn meeting(a: usize, b: usize, wins: usize, games: usize) -> Vec<RatedGame> {
        (0..games)
            .map(|i| {
                let a_wins = i / 2 < wins / 2;
                let (black, white) = if i % 2 == 0 { (a, b) } else { (b, a) };
                let black_wins = (black == a) == a_wins;
                RatedGame {
                    black,
                    white,
                    score: f64::from(u8::from(black_wins)),
                }
            })
            .collect()
    }

    /// 600 of 1000: 400 log10(1.5) = 70.437 Elo apart. The information of one game is 0.6 * 0.4 =
    /// 0.24, so the deviation of the difference is 1 / sqrt(240) = 0.064550 units or 11.2136 Elo;
    /// each player is half of the difference from the average: 1.96 * 5.6068 = 10.989.
    #[test]
    fn two_players_by_hand() {
        let ratings = rate(2, &meeting(0, 1, 600, 1000));
        let [a, b] = ratings.players[..] else {
            unreachable!()
        };
        assert!((a.elo - b.elo - 70.437).abs() < 0.3, "{a:?} {b:?}");
        assert!((a.elo + b.elo).abs() < 1e-6);
        assert!((a.error - 10.989).abs() < 0.1, "{a:?}");
        assert!(ratings.black.elo.abs() < 0.1);
    }

    /// Two players who never met are compared through a third: 75 % is 190.85 Elo.
    #[test]
    fn strengths_add_up() {
        let games = [meeting(0, 1, 1500, 2000), meeting(1, 2, 1500, 2000)].concat();
        let ratings = rate(3, &games);
        let apart = ratings.players[0].elo - ratings.players[2].elo;
        assert!((apart - 2.0 * 190.85).abs() < 2.0, "{apart}");
        assert!(ratings.players[1].elo.abs() < 1.0);
    }

    /// Equal players of whom Black wins 64 %: an advantage of 400 log10(64 / 36) = 99.95 Elo.
    #[test]
    fn the_black_stones_have_their_worth() {
        let games: Vec<RatedGame> = (0..1000)
            .map(|i| RatedGame {
                black: i % 2,
                white: 1 - i % 2,
                score: f64::from(u8::from(i / 2 % 25 < 16)),
            })
            .collect();
        let ratings = rate(2, &games);
        assert!(
            (ratings.black.elo - 99.95).abs() < 1.0,
            "{:?}",
            ratings.black
        );
        assert!((ratings.players[0].elo - ratings.players[1].elo).abs() < 1e-6);
    }

    #[test]
    fn clean_sweeps_and_strangers_stay_finite() {
        let ratings = rate(3, &meeting(0, 1, 20, 20));
        assert!(ratings.players[0].elo > 100.0 && ratings.players[0].elo < 2000.0);
        assert!(ratings.players.iter().all(|r| r.error.is_finite()));
        // A player without games has the largest error.
        assert!(ratings.players[2].error > ratings.players[0].error);
        assert!(rate(2, &[]).players.iter().all(|r| r.elo == 0.0));
    }
}
