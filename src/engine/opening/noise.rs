//! Expected values where both players choose by estimates that contain errors.
//!
//! The minimum of several estimates lies below the true value of its stone. The difference grows
//! with the number of estimates and with their error. Without this correction a long offer seems
//! worse than it is, and a choice among few stones better.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::types::Point;

/// Values are clamped to this distance from 0: beyond it one side wins nearly all games. In units
/// of the search.
const MAX_VALUE: i32 = 150;
/// Simulated choices that are averaged.
const SAMPLES: u32 = 200;
/// Smallest standard error of a search.
const MIN_ERROR: f64 = 10.0;
/// Standard error of a search where there are no two estimates to compare.
pub(super) const DEFAULT_ERROR: f64 = 50.0;

/// A stone and two values for Black from separate searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub point: Point,
    /// By a search that compared the stone with others.
    pub first: i32,
    /// By a search for this stone alone.
    pub second: i32,
}

/// Fifth stones of Black and their values for him, the best first.
#[derive(Clone, Debug)]
pub(super) struct FifthStones {
    pub values: Vec<(Point, i32)>,
    /// Standard error of the values.
    pub error: f64,
}

impl FifthStones {
    /// Combines the estimates. The second value of each stone counts; its error is estimated by the
    /// difference from the first. The highest values are on average too high and the lowest too
    /// low, so all values move towards their mean, most of all where their differences are small
    /// compared with the error. Source: Efron and Morris, Stein's Paradox in Statistics (1977).
    pub fn new(mut estimates: Vec<Estimate>) -> FifthStones {
        estimates.sort_by_key(|estimate| (std::cmp::Reverse(estimate.second), estimate.point));
        let error = standard_error(&estimates);
        let seconds: Vec<f64> = estimates
            .iter()
            .map(|estimate| clamped(estimate.second))
            .collect();
        let (mean, variance) = mean_and_variance(&seconds);
        let others = seconds.len() as f64 - 1.0;
        let expected_variance = (others - 2.0).max(0.0) / others.max(1.0) * error * error;
        let shrinkage = if variance > expected_variance {
            1.0 - expected_variance / variance
        } else {
            0.0
        };
        let values = estimates
            .iter()
            .zip(seconds)
            .map(|(estimate, value)| {
                (
                    estimate.point,
                    (mean + shrinkage * (value - mean)).round() as i32,
                )
            })
            .collect();
        FifthStones { values, error }
    }

    /// Value that Black can expect from an offer of `count` of them; `None` if there are none.
    pub fn expected_value_of_offer(&self, count: u8) -> Option<i32> {
        let values: Vec<i32> = self.values.iter().map(|&(_, value)| value).collect();
        let count = usize::from(count).min(values.len());
        (count > 0).then(|| expected_minimum(&values, self.error, count))
    }
}

/// Value that Black can expect from an offer of `count` fifth stones when White chooses the fourth
/// stone first: `fourths` has the fifth stones after each. `None` where there are none.
pub(super) fn expected_value_after_fourth(fourths: &[FifthStones], count: u8) -> Option<i32> {
    let values: Option<Vec<i32>> = fourths
        .iter()
        .map(|fifths| fifths.expected_value_of_offer(count))
        .collect();
    let values = values.filter(|values| !values.is_empty())?;
    let error = fourths.iter().map(|fifths| fifths.error).sum::<f64>() / fourths.len() as f64;
    Some(expected_minimum(&values, error, values.len()))
}

/// Standard error of one value, from the variance of the differences between first and second.
fn standard_error(estimates: &[Estimate]) -> f64 {
    if estimates.len() < 2 {
        return DEFAULT_ERROR;
    }
    let differences: Vec<f64> = estimates
        .iter()
        .map(|estimate| clamped(estimate.first) - clamped(estimate.second))
        .collect();
    // Two short searches overlook the same things, so their errors are correlated. In 24 positions
    // values after 20,000 nodes differed by 53 units from those after 150,000, and two values of
    // 20,000 nodes by 37. The whole difference is therefore a better estimate of one error than 0.7
    // of the difference, as independent errors would give.
    mean_and_variance(&differences).1.sqrt().max(MIN_ERROR)
}

fn clamped(value: i32) -> f64 {
    f64::from(value.clamp(-MAX_VALUE, MAX_VALUE))
}

/// Mean and unbiased sample variance, which is 0 for less than two values.
fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (count - 1.0).max(1.0))
}

/// The mean true value of the remaining stone, where Black offers the first `offered` places and
/// White keeps the worst for Black. `values`, for Black, have the standard error `error`, and so do
/// White's own estimates. There must be at least one place and as many as are offered.
fn expected_minimum(values: &[i32], error: f64, offered: usize) -> i32 {
    // The same random errors in every comparison.
    let mut rng = StdRng::seed_from_u64(1);
    let mut sum = 0.0;
    for _ in 0..SAMPLES {
        let kept = values[..offered]
            .iter()
            .map(|&value| {
                let truth = clamped(value) + error * sample_normal(&mut rng);
                let by_white = truth + error * sample_normal(&mut rng);
                (truth, by_white)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        sum += kept.expect("at least one place").0;
    }
    (sum / f64::from(SAMPLES)).round() as i32
}

/// A random number of mean 0 and variance 1 with nearly a normal distribution: the scaled sum of
/// three uniform ones.
pub(super) fn sample_normal(rng: &mut impl RngExt) -> f64 {
    let sum: f64 = (0..3).map(|_| rng.random::<f64>()).sum();
    2.0 * (sum - 1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(x: u8, first: i32, second: i32) -> Estimate {
        Estimate {
            point: Point::new(x, 7),
            first,
            second,
        }
    }

    #[test]
    fn without_errors_the_worst_offered_stone_is_kept() {
        assert_eq!(expected_minimum(&[90, 50, 10, -80], 0.0, 3), 10);
        assert_eq!(expected_minimum(&[90], 0.0, 1), 90);
        assert_eq!(expected_minimum(&[30_000, 30_000], 0.0, 2), MAX_VALUE);
    }

    /// Of the difference that a player sees between his estimates, a part is true.
    #[test]
    fn a_choice_by_estimates_gains_part_of_their_difference() {
        let alone = expected_minimum(&[0], 50.0, 1);
        assert!(alone.abs() < 10, "{alone}");
        // The least of five is 1.16 standard errors off, half of the difference that White sees is
        // true.
        let least = expected_minimum(&[0; 5], 50.0, 5);
        assert!((-50..-30).contains(&least), "{least}");
        let few = expected_minimum(&[0; 5], 50.0, 2);
        assert!((least + 10..0).contains(&few), "{few}");
        let far = expected_minimum(&[100, 80, -300], 20.0, 2);
        assert!((70..90).contains(&far), "{far}");
    }

    #[test]
    fn the_error_follows_from_two_estimates() {
        // A first value that is always too high by the same amount shows no error.
        let even = FifthStones::new(vec![
            estimate(1, 60, 10),
            estimate(2, 50, 0),
            estimate(3, 90, 40),
        ]);
        assert_eq!(even.error, MIN_ERROR);
        let points: Vec<u8> = even.values.iter().map(|(p, _)| p.x()).collect();
        assert_eq!(points, [3, 1, 2]);
        let odd = FifthStones::new(vec![
            estimate(1, 100, 0),
            estimate(2, 0, 100),
            estimate(3, 0, 0),
        ]);
        assert!((odd.error - 100.0).abs() < 0.1, "{}", odd.error);
        assert_eq!(
            FifthStones::new(Vec::new()).expected_value_of_offer(2),
            None
        );
    }

    #[test]
    fn values_move_towards_their_mean_unless_they_differ_by_more_than_their_errors() {
        let values = |first: [i32; 5]| -> Vec<i32> {
            let estimates = first.iter().zip([60, 30, 0, -30, -60]).enumerate();
            let estimates = estimates.map(|(x, (&first, second))| estimate(x as u8, first, second));
            let fifths = FifthStones::new(estimates.collect());
            fifths.values.into_iter().map(|(_, value)| value).collect()
        };
        // Both values agree.
        assert_eq!(values([60, 30, 0, -30, -60]), [59, 29, 0, -29, -59]);
        // They are unrelated.
        assert_eq!(values([-60, 60, 0, -60, 60]), [0; 5]);
    }
}
