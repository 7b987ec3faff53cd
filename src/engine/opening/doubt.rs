//! What to expect where the players choose by values that neither knows for sure.
//!
//! The least of several estimates lies below the true value that it stands for, and the more so the
//! more there are and the shorter their searches were. A player who forgets that thinks a long offer
//! worse than it is, and a choice among few stones better.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::types::Point;

/// Values farther from 0 count as this: one side wins nearly all such games, and nobody cares by how
/// much. In units of the search.
const CLEAR: i32 = 150;
/// Imagined choices that are averaged.
const TRIALS: u32 = 200;
/// How far a search is off at least.
const LEAST_ERROR: f64 = 10.0;
/// How far it is off where there is nothing to tell it from.
pub(super) const USUAL_ERROR: f64 = 50.0;

/// A stone and two values for Black from separate searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub point: Point,
    /// By the search that compared it with others.
    pub first: i32,
    /// By one for it alone.
    pub second: i32,
}

/// Fifth stones of Black and their values for him, the best first.
#[derive(Clone, Debug)]
pub(super) struct Fifths {
    pub values: Vec<(Point, i32)>,
    /// Standard error of the values.
    pub error: f64,
}

impl Fifths {
    /// The second look counts; how far it is off shows in its difference from the first. Those
    /// that look best are hardly as good as that, nor the others as bad, so all values move towards
    /// their mean, and the more so the less they differ beyond their errors.
    /// Source: Efron and Morris, Stein's Paradox in Statistics (1977).
    pub fn new(mut looks: Vec<Look>) -> Fifths {
        looks.sort_by_key(|look| (std::cmp::Reverse(look.second), look.point));
        let error = error_of(&looks);
        let seconds: Vec<f64> = looks.iter().map(|look| bounded(look.second)).collect();
        let (mean, variance) = mean_and_variance(&seconds);
        let others = seconds.len() as f64 - 1.0;
        let doubt = (others - 2.0).max(0.0) / others.max(1.0) * error * error;
        let trust = if variance > doubt {
            1.0 - doubt / variance
        } else {
            0.0
        };
        let values = looks
            .iter()
            .zip(seconds)
            .map(|(look, value)| (look.point, (mean + trust * (value - mean)).round() as i32))
            .collect();
        Fifths { values, error }
    }

    /// What Black has to expect of offering `count` of them; `None` if there are none.
    pub fn kept(&self, count: u8) -> Option<i32> {
        let values: Vec<i32> = self.values.iter().map(|&(_, value)| value).collect();
        let count = usize::from(count).min(values.len());
        (count > 0).then(|| expect_least(&values, self.error, count))
    }
}

/// What Black has to expect of offering `count` fifth stones when White may choose the fourth stone
/// before: the fifth stones after each are given. `None` where there are none.
pub(super) fn worst_kept(fourths: &[Fifths], count: u8) -> Option<i32> {
    let values: Option<Vec<i32>> = fourths.iter().map(|fifths| fifths.kept(count)).collect();
    let values = values.filter(|values| !values.is_empty())?;
    let error = fourths.iter().map(|fifths| fifths.error).sum::<f64>() / fourths.len() as f64;
    Some(expect_least(&values, error, values.len()))
}

/// Standard error of one look, from how the differences of two scatter.
fn error_of(looks: &[Look]) -> f64 {
    if looks.len() < 2 {
        return USUAL_ERROR;
    }
    let differences: Vec<f64> = looks
        .iter()
        .map(|look| bounded(look.first) - bounded(look.second))
        .collect();
    // Two looks err alike where both see too little. In 24 positions values after 20,000 nodes lay 53
    // units from those after 150,000, where two looks of 20,000 differed by 37: that difference as a
    // whole is closer to the error of one look than the 0.7 of it that independence would leave.
    mean_and_variance(&differences).1.sqrt().max(LEAST_ERROR)
}

fn bounded(value: i32) -> f64 {
    f64::from(value.clamp(-CLEAR, CLEAR))
}

/// The variance is that of what `values` are drawn from; 0 where there are less than two.
fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (count - 1.0).max(1.0))
}

/// The mean true value of what is left when Black offers the first `offered` places and White chooses
/// the worst of them for Black: `values`, for Black, are off by `error` (one standard error), and so is
/// what White sees. Black will look no closer than this, so he has these values to go by. There must
/// be as many places as are offered, and one at least.
fn expect_least(values: &[i32], error: f64, offered: usize) -> i32 {
    // The same imagined errors in every comparison.
    let mut rng = StdRng::seed_from_u64(1);
    let mut sum = 0.0;
    for _ in 0..TRIALS {
        let kept = values[..offered]
            .iter()
            .map(|&value| {
                let truth = bounded(value) + error * normal(&mut rng);
                let by_white = truth + error * normal(&mut rng);
                (truth, by_white)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        sum += kept.expect("something is offered").0;
    }
    (sum / f64::from(TRIALS)).round() as i32
}

/// A random number of mean 0 and variance 1 that is nearly normal: the sum of three even ones.
pub(super) fn normal(rng: &mut impl RngExt) -> f64 {
    let sum: f64 = (0..3).map(|_| rng.random::<f64>()).sum();
    2.0 * (sum - 1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(x: u8, first: i32, second: i32) -> Look {
        Look {
            point: Point::new(x, 7),
            first,
            second,
        }
    }

    #[test]
    fn without_doubt_the_last_offered_is_kept() {
        assert_eq!(expect_least(&[90, 50, 10, -80], 0.0, 3), 10);
        assert_eq!(expect_least(&[90], 0.0, 1), 90);
        assert_eq!(expect_least(&[30_000, 30_000], 0.0, 2), CLEAR);
    }

    /// Who chooses among equals by errors gains nothing by it if they are equal indeed; if they
    /// may differ, some of what he sees is true.
    #[test]
    fn doubt_makes_choices_worth_something_but_not_all_they_seem() {
        let alone = expect_least(&[0], 50.0, 1);
        assert!(alone.abs() < 10, "{alone}");
        // The least of five is 1.16 standard errors off, and half of what White sees is true.
        let least = expect_least(&[0; 5], 50.0, 5);
        assert!((-50..-30).contains(&least), "{least}");
        let few = expect_least(&[0; 5], 50.0, 2);
        assert!((least + 10..0).contains(&few), "{few}");
        let far = expect_least(&[100, 80, -300], 20.0, 2);
        assert!((70..90).contains(&far), "{far}");
    }

    #[test]
    fn the_error_is_told_by_two_looks() {
        // A first look that is always too hopeful by the same amount says nothing of errors.
        let even = Fifths::new(vec![look(1, 60, 10), look(2, 50, 0), look(3, 90, 40)]);
        assert_eq!(even.error, LEAST_ERROR);
        let points: Vec<u8> = even.values.iter().map(|(p, _)| p.x()).collect();
        assert_eq!(points, [3, 1, 2]);
        let odd = Fifths::new(vec![look(1, 100, 0), look(2, 0, 100), look(3, 0, 0)]);
        assert!((odd.error - 100.0).abs() < 0.1, "{}", odd.error);
        assert_eq!(Fifths::new(Vec::new()).kept(2), None);
    }

    #[test]
    fn the_best_of_many_are_trusted_as_far_as_they_differ_beyond_their_errors() {
        let values = |first: [i32; 5]| -> Vec<i32> {
            let looks = first.iter().zip([60, 30, 0, -30, -60]).enumerate();
            let looks = looks.map(|(x, (&first, second))| look(x as u8, first, second));
            let fifths = Fifths::new(looks.collect());
            fifths.values.into_iter().map(|(_, value)| value).collect()
        };
        // Both looks agree.
        assert_eq!(values([60, 30, 0, -30, -60]), [59, 29, 0, -29, -59]);
        // They have nothing to do with each other.
        assert_eq!(values([-60, 60, 0, -60, 60]), [0; 5]);
    }
}
