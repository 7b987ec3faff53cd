//! SPSA, simultaneous perturbation stochastic approximation: parameters of an engine are improved
//! by games between two versions of it. Each parameter is changed up or down at random, all at
//! once.
//!
//! Sources: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37 (1992), and "Implementation
//! of the simultaneous perturbation algorithm for stochastic optimization", IEEE Transactions on
//! Aerospace and Electronic Systems 34 (1998; for the exponents). The gains are set by their values
//! at the end of the tuning, `c_end` and `r_end`, as in Fishtest, Stockfish's test framework.

pub mod journal;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

/// Exponent of the step's decay (Spall 1998).
const ALPHA: f64 = 0.602;
/// Exponent of the perturbation's decay (Spall 1998).
const GAMMA: f64 = 0.101;
/// Spall's `A` as a part of the iterations: it keeps the first steps small.
const STABILITY: f64 = 0.1;

/// A number to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knob {
    /// Its name, the key of `INFO`.
    pub name: String,
    /// Value at the start.
    pub start: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// Perturbation at the end of the tuning, above 0. A change of this size should show.
    pub c_end: f64,
}

/// Length, step size and random numbers of a tuning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Iterations of the whole tuning, at least 1. The gains depend on it.
    pub iterations: u64,
    /// Step at the end for each game of surplus that one version wins, in units of `c_end`; above
    /// 0.
    pub r_end: f64,
    /// Seed of all perturbations and roundings.
    pub seed: u64,
}

/// Two versions that play each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// Direction in which each number is changed in `plus`: 1 or -1.
    pub flips: Vec<i8>,
    /// Numbers of the first version.
    pub plus: Vec<i32>,
    /// Numbers of the second.
    pub minus: Vec<i32>,
}

/// The state of a tuning: a function of the plan and of the scores so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    knobs: Vec<Knob>,
    plan: Plan,
    values: Vec<f64>,
    done: u64,
}

impl Spsa {
    /// A tuning before its first iteration.
    pub fn new(knobs: Vec<Knob>, plan: Plan) -> Spsa {
        Spsa {
            values: knobs.iter().map(|knob| f64::from(knob.start)).collect(),
            knobs,
            plan,
            done: 0,
        }
    }

    /// A tuning after `done` iterations that led to `values`. `None` where they are not one number
    /// in its range for each knob.
    pub fn after(knobs: Vec<Knob>, plan: Plan, done: u64, values: Vec<f64>) -> Option<Spsa> {
        let is_in_range =
            |(knob, value): (&Knob, &f64)| (knob.min.into()..=knob.max.into()).contains(value);
        let fits = values.len() == knobs.len() && knobs.iter().zip(&values).all(is_in_range);
        fits.then_some(Spsa {
            knobs,
            plan,
            values,
            done,
        })
    }

    /// The tuned parameters.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// The values as they are now, in the order of the knobs, within their ranges.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of completed iterations.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// True when all iterations are completed.
    pub fn is_complete(&self) -> bool {
        self.done >= self.plan.iterations
    }

    /// The two versions of the next iteration.
    ///
    /// A value between two whole numbers is sent as one of them by stochastic rounding, so it is
    /// right on average. Both versions share the random number, so their distance stays exact.
    pub fn trial(&self) -> Trial {
        let mut random = self.random();
        let mut trial = Trial {
            flips: Vec::new(),
            plus: Vec::new(),
            minus: Vec::new(),
        };
        for (knob, value) in self.knobs.iter().zip(&self.values) {
            let flip: i8 = if random.random() { 1 } else { -1 };
            let part: f64 = random.random();
            let c = self.perturbation(knob) * f64::from(flip);
            let whole = |value: f64| {
                let inside = value.clamp(knob.min.into(), knob.max.into());
                // Large sums may round up to the next whole number.
                ((inside + part).floor() as i32).min(knob.max)
            };
            trial.flips.push(flip);
            trial.plus.push(whole(value + c));
            trial.minus.push(whole(value - c));
        }
        trial
    }

    /// Ends the iteration of [`Spsa::trial`]: moves all values by its result. `score` is the number
    /// of games won by `plus` less the games lost.
    pub fn note(&mut self, score: i64) {
        let flips = self.trial().flips;
        // Spall divides by 2 c_k. Fishtest leaves the 2 out, and so does this: `r_end` means the
        // same here.
        let step = |(knob, flip): (&Knob, i8)| {
            self.gain(knob) / self.perturbation(knob) * score as f64 * f64::from(flip)
        };
        let steps: Vec<f64> = self.knobs.iter().zip(flips).map(step).collect();
        for ((knob, value), step) in self.knobs.iter().zip(&mut self.values).zip(steps) {
            *value = (*value + step).clamp(knob.min.into(), knob.max.into());
        }
        self.done += 1;
    }

    /// c_k: falls to `c_end`.
    fn perturbation(&self, knob: &Knob) -> f64 {
        let (k, n) = (self.k(), self.plan.iterations as f64);
        knob.c_end * (n / k).powf(GAMMA)
    }

    /// a_k: falls to `r_end * c_end^2`.
    fn gain(&self, knob: &Knob) -> f64 {
        let (k, n) = (self.k(), self.plan.iterations as f64);
        let a = STABILITY * n;
        self.plan.r_end * knob.c_end.powi(2) * ((a + n) / (a + k)).powf(ALPHA)
    }

    /// The iteration's number from 1; Spall's k + 1.
    fn k(&self) -> f64 {
        (self.done + 1) as f64
    }

    /// Random numbers from the seed and the iteration alone, so a tuning can be resumed anywhere.
    fn random(&self) -> StdRng {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.plan.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&self.done.to_le_bytes());
        StdRng::from_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(name: &str, start: i32, range: std::ops::RangeInclusive<i32>, c_end: f64) -> Knob {
        Knob {
            name: name.to_string(),
            start,
            min: *range.start(),
            max: *range.end(),
            c_end,
        }
    }

    fn plan(iterations: u64, r_end: f64) -> Plan {
        Plan {
            iterations,
            r_end,
            seed: 9,
        }
    }

    /// Games between the two versions, returned as wins less losses of `plus`; strength falls with
    /// the square of the distance from `best`, measured in `c_end`.
    fn noisy_games(knobs: &[Knob], best: &[f64], trial: &Trial, games: u32, seed: u64) -> i64 {
        let strength = |values: &[i32]| -> f64 {
            (0..knobs.len())
                .map(|i| -0.05 * ((f64::from(values[i]) - best[i]) / knobs[i].c_end).powi(2))
                .sum()
        };
        let lead = strength(&trial.plus) - strength(&trial.minus);
        let chance = 1.0 / (1.0 + (-lead).exp());
        let mut random = StdRng::seed_from_u64(seed);
        (0..games)
            .map(|_| if random.random_bool(chance) { 1 } else { -1 })
            .sum()
    }

    #[test]
    fn a_noisy_quadratic_function_is_climbed() {
        let knobs = vec![
            knob("wide", 100, 0..=1000, 20.0),
            knob("low", 8, 0..=16, 1.0),
            knob("right", 50, -100..=100, 5.0),
        ];
        // The best value of the second lies beyond its range.
        let best = [220.0, -3.0, 50.0];
        let mut spsa = Spsa::new(knobs.clone(), plan(3000, 0.01));
        while !spsa.is_complete() {
            let trial = spsa.trial();
            let score = noisy_games(&knobs, &best, &trial, 8, spsa.done());
            spsa.note(score);
        }
        let values = spsa.values();
        assert!((values[0] - 220.0).abs() < 20.0, "{values:?}");
        assert!(values[1] < 1.0, "{values:?}");
        assert!((values[2] - 50.0).abs() < 5.0, "{values:?}");
    }

    #[test]
    fn gains_end_where_the_plan_says() {
        let knobs = vec![knob("x", 500, 0..=1000, 30.0)];
        let mut spsa = Spsa::new(knobs.clone(), plan(100, 0.002));
        // Spall's numbers at the start, by hand: c_1 = c_end 100^0.101, and a_1 likewise.
        assert!((spsa.perturbation(&knobs[0]) - 30.0 * 1.592_209).abs() < 1e-3);
        assert!((spsa.gain(&knobs[0]) - 1.8 * (110.0_f64 / 11.0).powf(0.602)).abs() < 1e-9);
        (0..99).for_each(|_| spsa.note(0));
        assert_eq!(spsa.values(), [500.0]);
        let flip = f64::from(spsa.trial().flips[0]);
        spsa.note(10);
        assert!((spsa.values()[0] - (500.0 + flip * 0.002 * 30.0 * 10.0)).abs() < 1e-9);
        assert!(spsa.is_complete());
    }

    #[test]
    fn versions_differ_by_two_perturbations_and_keep_to_the_range() {
        let knobs = vec![
            knob("free", 500, 0..=1000, 7.3),
            knob("edge", 0, 0..=3, 1.0),
        ];
        let mut spsa = Spsa::new(knobs, plan(4000, 0.002));
        let (mut ups, mut sum) = (0, 0.0);
        while !spsa.is_complete() {
            let c = spsa.perturbation(&spsa.knobs[0]);
            let trial = spsa.trial();
            let apart = f64::from(trial.plus[0] - trial.minus[0]) * f64::from(trial.flips[0]);
            assert!((apart - 2.0 * c).abs() < 1.0, "{trial:?}");
            sum += apart - 2.0 * c;
            ups += u32::from(trial.flips[0] == 1);
            assert!((0..=3).contains(&trial.plus[1]) && (0..=3).contains(&trial.minus[1]));
            spsa.note(0);
        }
        assert!((1850..2150).contains(&ups), "{ups} of 4000 go up");
        assert!((sum / 4000.0).abs() < 0.03, "rounding is right on average");
    }

    #[test]
    fn equal_plans_give_equal_trials_and_other_seeds_others() {
        let knobs: Vec<Knob> = (0..20).map(|_| knob("x", 50, 0..=100, 5.0)).collect();
        let one = Spsa::new(knobs.clone(), plan(10, 0.002));
        let mut two = one.clone();
        assert_eq!(one.trial(), two.trial());
        two.note(0);
        assert_ne!(one.trial().flips, two.trial().flips);
        let other = Plan {
            seed: 10,
            ..plan(10, 0.002)
        };
        assert_ne!(one.trial(), Spsa::new(knobs, other).trial());
    }
}
