//! The sequential probability ratio test for two players, on the results of pairs of games.
//!
//! A pair (one opening, both sides) scores 0, 1/4, 1/2, 3/4 or 1; counting pairs instead of games
//! takes the opening's advantage out of the variance. H0: the expected score is the score of `elo0`
//! (logistic), H1: that of `elo1`. The generalised likelihood ratio compares the two most likely
//! distributions over the five scores with these means.
//! Source: M. Van den Bergh, "A practical introduction to the GSPRT" and "The generalized maximum
//! likelihood ratio for the expectation value of a distribution", proposition 1.1
//! (cantate.be/Fishtest), as used by Fishtest.

use serde::{Deserialize, Serialize};

/// Scores that a pair can have.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Stands for a count of zero, because an unseen score is not impossible. Fishtest's value.
const UNSEEN: f64 = 1e-3;

/// Largest difference of a hypothesis, in Elo: the better player scores 0.99999. The scores of far
/// larger ones round to 0 and 1.
const LARGEST_ELO: f64 = 2000.0;

/// Number of pairs with 0, 1/2, 1, 3/2 and 2 points for the first player.
pub type Pentanomial = [u64; 5];

/// The hypotheses and the error probabilities of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// H0, in Elo.
    pub elo0: f64,
    /// H1, in Elo.
    pub elo1: f64,
    /// Probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 when H1 holds.
    pub beta: f64,
}

/// An answer of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hypothesis {
    /// Not stronger than `elo0`.
    H0,
    /// As strong as `elo1`.
    H1,
}

/// Expected score of a player who is `elo` stronger.
fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The inverse of [`score_of_elo`]; infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    // Adding zero makes a negative zero, as for 1/2, a positive one.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

impl Sprt {
    /// Reads `elo0=0 elo1=5 alpha=0.05 beta=0.05`; these are the defaults.
    ///
    /// # Errors
    /// When a word is not of this form or the numbers make no test.
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Sprt, String> {
        let mut sprt = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
        };
        for word in words.iter().map(AsRef::as_ref) {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("'{word}' is not of the form key=value"))?;
            let value: f64 = value
                .parse()
                .ok()
                .filter(|v: &f64| v.is_finite())
                .ok_or_else(|| format!("'{word}': not a number"))?;
            match key {
                "elo0" => sprt.elo0 = value,
                "elo1" => sprt.elo1 = value,
                "alpha" => sprt.alpha = value,
                "beta" => sprt.beta = value,
                _ => return Err(format!("'{key}' is none of elo0, elo1, alpha, beta")),
            }
        }
        if sprt.elo0.abs().max(sprt.elo1.abs()) > LARGEST_ELO {
            return Err(format!(
                "elo0 and elo1 lie between -{LARGEST_ELO} and {LARGEST_ELO}"
            ));
        }
        if sprt.elo0 >= sprt.elo1 {
            return Err("elo0 must be below elo1".to_string());
        }
        let sure = |p: f64| 0.0 < p && p < 0.5;
        if !sure(sprt.alpha) || !sure(sprt.beta) {
            return Err("alpha and beta lie between 0 and 0.5".to_string());
        }
        let (low, high) = sprt.bounds();
        if !low.is_finite() || !high.is_finite() {
            return Err("alpha and beta are too small: no number of games is enough".to_string());
        }
        Ok(sprt)
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted (Wald's bounds).
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// Log-likelihood ratio of H1 against H0; 0 before the first pair.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pairs.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|n| n / total);
        let p0 = most_likely(&observed, score_of_elo(self.elo0));
        let p1 = most_likely(&observed, score_of_elo(self.elo1));
        let mean: f64 = (0..5).map(|i| observed[i] * (p1[i] / p0[i]).ln()).sum();
        total * mean
    }

    /// The answer, if these pairs suffice for one.
    pub fn decide(&self, pairs: &Pentanomial) -> Option<Hypothesis> {
        let (low, high) = self.bounds();
        let llr = self.llr(pairs);
        if llr >= high {
            Some(Hypothesis::H1)
        } else if llr <= low {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }
}

/// The distribution with this `mean` under which the observed counts are most likely: `p_i =
/// observed_i / (1 + t (a_i - mean))`, with `t` the root of `sum observed_i (a_i - mean) / (1 + t
/// (a_i - mean)) = 0`. The sum falls as `t` grows.
fn most_likely(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    let slope = |t: f64| -> f64 {
        (0..5)
            .map(|i| {
                let a = PAIR_SCORES[i] - mean;
                observed[i] * a / (1.0 + t * a)
            })
            .sum()
    };
    // All denominators are positive strictly between these.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = 0.5 * (low + high);
    let mut p = [0.0; 5];
    for i in 0..5 {
        p[i] = observed[i] / (1.0 + t * (PAIR_SCORES[i] - mean));
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
        }
    }

    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = test(0.0, 5.0).bounds();
        assert!((high - 2.944_438_979).abs() < 1e-9, "ln 19");
        assert!((low + high).abs() < 1e-12);
    }

    /// Two outcomes only: the constrained distribution is fixed by its mean, and the ratio is that
    /// of coin tosses. For 60 pairs won and 40 lost, s1 = 10^(1/4) / (1 + 10^(1/4)) = 0.640065
    /// (100 Elo), s0 = 1/2: 60 ln(0.640065 / 0.5) + 40 ln(0.359935 / 0.5) = 1.67005 by hand.
    #[test]
    fn with_two_outcomes_it_is_the_ratio_of_coin_tosses() {
        let s1 = score_of_elo(100.0);
        assert!((s1 - 0.640_065).abs() < 1e-6);
        let by_hand = 60.0 * (s1 / 0.5f64).ln() + 40.0 * ((1.0 - s1) / 0.5f64).ln();
        assert!((by_hand - 1.670_05).abs() < 1e-3, "{by_hand}");
        let llr = test(0.0, 100.0).llr(&[40, 0, 0, 0, 60]);
        // The stand-ins for unseen scores move it a little.
        assert!((llr - by_hand).abs() < 0.01, "{llr}");
    }

    /// Near the observed mean the ratio approaches
    /// `N (s1 - s0) (2 m - s0 - s1) / (2 var)` (the GSPRT's normal approximation).
    /// Counts 10, 20, 40, 25, 15: N = 110, mean = (20 / 4 + 40 / 2 + 25 * 3 / 4 + 15) / 110
    /// = 58.75 / 110 = 0.534091, mean square = (20 / 16 + 40 / 4 + 25 * 9 / 16 + 15) / 110
    /// = 40.3125 / 110 = 0.366477, variance 0.081224. For 0 and 5 Elo s0 = 0.5, s1 = 0.507195:
    /// 110 * 0.007195 * (1.068182 - 1.007195) / (2 * 0.081224) = 0.29713.
    #[test]
    fn it_agrees_with_the_normal_approximation_by_hand() {
        let llr = test(0.0, 5.0).llr(&[10, 20, 40, 25, 15]);
        assert!((llr - 0.297_13).abs() < 0.005, "{llr}");
    }

    #[test]
    fn the_constrained_distribution_is_one_and_has_its_mean() {
        let observed = [0.1, 0.2, 0.3, 0.3, 0.1];
        for mean in [0.3, 0.5, 0.507, 0.9] {
            let p = most_likely(&observed, mean);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let got: f64 = (0..5).map(|i| p[i] * PAIR_SCORES[i]).sum();
            assert!((got - mean).abs() < 1e-9, "{got} for {mean}");
        }
    }

    #[test]
    fn exchanged_players_and_hypotheses_change_the_sign() {
        let pairs = [3, 11, 30, 14, 5];
        let mut exchanged = pairs;
        exchanged.reverse();
        let llr = test(-7.0, 20.0).llr(&pairs);
        let other = test(-20.0, 7.0).llr(&exchanged);
        assert!((llr + other).abs() < 1e-9);
    }

    #[test]
    fn clear_results_decide() {
        assert_eq!(test(0.0, 5.0).decide(&[0; 5]), None);
        assert_eq!(test(0.0, 5.0).decide(&[5, 10, 20, 10, 5]), None);
        let h1 = test(0.0, 50.0).decide(&[0, 0, 10, 20, 40]);
        assert_eq!(h1, Some(Hypothesis::H1));
        let h0 = test(0.0, 30.0).decide(&[0, 0, 400, 0, 0]);
        assert_eq!(h0, Some(Hypothesis::H0));
    }

    #[test]
    fn settings_are_checked() {
        let sprt = Sprt::parse(&["elo0=-3", "elo1=0", "alpha=0.1"]).unwrap();
        assert_eq!(
            (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta),
            (-3.0, 0.0, 0.1, 0.05)
        );
        for bad in ["elo0=5", "alpha=0.9", "x=1", "elo1", "elo1=x", "elo1=inf"] {
            assert!(Sprt::parse(&[bad]).is_err(), "{bad}");
        }
        for (bad, part) in [
            ("elo1=2001", "between -2000 and 2000"),
            ("elo0=-1e5", "between -2000 and 2000"),
            ("alpha=1e-320", "too small"),
        ] {
            let error = Sprt::parse(&[bad]).unwrap_err();
            assert!(error.contains(part), "{bad}: {error}");
        }
    }

    #[test]
    fn the_ratio_of_the_widest_test_is_a_number() {
        let words = ["elo0=-2000", "elo1=2000", "alpha=1e-300", "beta=1e-300"];
        let sprt = Sprt::parse(&words).unwrap();
        for count in [1, 1_000, 1_000_000_000] {
            for kind in 0..5 {
                let mut pairs = [0; 5];
                pairs[kind] = count;
                let llr = sprt.llr(&pairs);
                assert!(llr.is_finite(), "{pairs:?}: {llr}");
            }
        }
    }
}
