//! What to expect where both players choose by values that neither knows for sure.
//!
//! The least of several estimates lies below the true value that it stands for, and the more so the
//! more there are and the shorter their searches were. A player who forgets that thinks a long offer
//! worse than it is, and a choice among few stones better.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::types::Point;

/// Values farther from 0 count as this: one side wins nearly all such games, and nobody cares by how
/// much. In units of the search.
const CLEAR: i32 = 150;
/// Imagined choices that are averaged.
const TRIALS: u32 = 200;
/// How far a search is off at least, and where there is nothing to tell it from.
const LEAST_ERROR: f64 = 10.0;
const USUAL_ERROR: f64 = 50.0;

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
    /// The second look counts; how far it is off shows in its difference from the first.
    pub fn new(looks: Vec<Look>) -> Fifths {
        let error = error_of(&looks);
        let mut values: Vec<(Point, i32)> = looks
            .into_iter()
            .map(|look| (look.point, look.second))
            .collect();
        values.sort_by_key(|&(p, value)| (std::cmp::Reverse(value), p));
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
    let bounded = |value: i32| f64::from(value.clamp(-CLEAR, CLEAR));
    let differences: Vec<f64> = looks
        .iter()
        .map(|look| bounded(look.first) - bounded(look.second))
        .collect();
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
    // Both looks are off, hence the 2.
    let error = (squares / (count - 1.0) / 2.0).sqrt();
    error.max(LEAST_ERROR)
}

/// The mean true value of what is left when Black chooses the `offered` best of some places and
/// White the worst of these, each by his own estimates: `values`, for Black, are off by `error`
/// (one standard error), and so is what either player sees. Must not be empty.
fn expect_least(values: &[i32], error: f64, offered: usize) -> i32 {
    // The same imagined errors in every comparison.
    let mut rng = StdRng::seed_from_u64(1);
    let mut sum = 0.0;
    for _ in 0..TRIALS {
        let mut seen: Vec<(f64, f64, f64)> = values
            .iter()
            .map(|&value| {
                let truth = f64::from(value.clamp(-CLEAR, CLEAR)) + error * normal(&mut rng);
                let by_black = truth + error * normal(&mut rng);
                let by_white = truth + error * normal(&mut rng);
                (truth, by_black, by_white)
            })
            .collect();
        seen.sort_by(|a, b| b.1.total_cmp(&a.1));
        let kept = seen[..offered].iter().min_by(|a, b| a.2.total_cmp(&b.2));
        sum += kept.expect("something is offered").0;
    }
    (sum / f64::from(TRIALS)).round() as i32
}

/// A random number of mean 0 and variance 1 that is nearly normal: the sum of three even ones.
fn normal(rng: &mut StdRng) -> f64 {
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
        let least = expect_least(&[0; 5], 50.0, 5);
        // The least of five is 1.16 standard errors off, and half of what White sees is true.
        assert!((-50..-30).contains(&least), "{least}");
        let best = expect_least(&[0; 5], 50.0, 1);
        assert!((30..50).contains(&best), "{best}");
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
        assert!((odd.error - 70.7).abs() < 0.1, "{}", odd.error);
        assert_eq!(Fifths::new(Vec::new()).kept(2), None);
    }
}
