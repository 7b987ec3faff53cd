//! Tables of weights in training: logistic regression and softmax over sparse features, by AdaGrad
//! (J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods", 2011).

use tengen::eval::PAIRS;
use tengen::patterns::{COMBOS, Shape, combo_shapes};

/// Parameters, each with AdaGrad's sum of its squared gradients.
struct Params {
    weights: Vec<f32>,
    squares: Vec<f32>,
    /// Weight decay in each step.
    decays: Vec<f32>,
    /// Root mean square of the feature's value, at least 1; steps are divided by it.
    scales: Vec<f32>,
}

impl Params {
    fn new(len: usize) -> Params {
        Params {
            weights: vec![0.0; len],
            squares: vec![1e-6; len],
            decays: vec![0.0; len],
            scales: vec![1.0; len],
        }
    }

    /// The numbers that the training changes.
    fn state(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        [&mut self.weights, &mut self.squares].into_iter()
    }

    /// A step against `gradient`, the derivative of the loss with respect to the feature's weight.
    #[inline]
    fn step(&mut self, index: usize, gradient: f32, rate: f32) {
        let gradient = (gradient + self.decays[index] * self.weights[index]) / self.scales[index];
        self.squares[index] += gradient * gradient;
        self.weights[index] -= rate * gradient / (self.squares[index].sqrt() * self.scales[index]);
    }
}

/// Number of occurrences of a feature, and its squared values.
#[derive(Clone, Copy, Default)]
pub struct Frequency {
    /// Positions with the feature.
    pub times: u32,
    /// Sum of its squared values there.
    pub squares: f32,
}

/// A weight for every pair of combinations: a part for the own one, a part for the opponent's, and
/// a residual. The rarer the pair, the larger the residual's weight decay, so the weight of a rare
/// pair is the sum of its parts.
pub struct PairTable {
    own: Params,
    other: Params,
    pair: Params,
    /// Pairs that stay at zero.
    pinned: Vec<bool>,
}

impl PairTable {
    /// A table for pairs that occur with these frequencies. `prior` is the weight decay of the
    /// residuals, in positions.
    pub fn new(
        frequencies: &[Frequency],
        prior: f32,
        own: fn(Shape) -> f32,
        other: fn(Shape) -> f32,
    ) -> Self {
        let mut table = PairTable {
            own: Params::new(COMBOS),
            other: Params::new(COMBOS),
            pair: Params::new(PAIRS),
            pinned: vec![false; PAIRS],
        };
        let mut own_sums = vec![Frequency::default(); COMBOS];
        let mut other_sums = vec![Frequency::default(); COMBOS];
        for (index, &frequency) in frequencies.iter().enumerate() {
            for sum in [
                &mut own_sums[index / COMBOS],
                &mut other_sums[index % COMBOS],
            ] {
                sum.times += frequency.times;
                sum.squares += frequency.squares;
            }
        }
        table.own.scale(&own_sums, 0.0);
        table.other.scale(&other_sums, 0.0);
        table.pair.scale(frequencies, prior);
        for combo in 0..COMBOS {
            let strongest = combo_shapes(combo)[0];
            table.own.weights[combo] = own(strongest);
            table.other.weights[combo] = other(strongest);
        }
        table
    }

    /// The numbers that the training changes.
    pub fn state(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let parts = self.own.state().chain(self.other.state());
        parts.chain(self.pair.state())
    }

    /// Keeps the pairs at zero for which `is_pinned` is true.
    pub fn pin(&mut self, is_pinned: impl Fn(usize, usize) -> bool) {
        for (index, pinned) in self.pinned.iter_mut().enumerate() {
            *pinned = is_pinned(index / COMBOS, index % COMBOS);
        }
    }

    /// The weight of a pair.
    #[inline]
    pub fn get(&self, pair: u32) -> f32 {
        let pair = pair as usize;
        if self.pinned[pair] {
            return 0.0;
        }
        self.own.weights[pair / COMBOS]
            + self.other.weights[pair % COMBOS]
            + self.pair.weights[pair]
    }

    /// A step against `gradient`.
    #[inline]
    pub fn step(&mut self, pair: u32, gradient: f32, rate: f32) {
        let pair = pair as usize;
        if !self.pinned[pair] {
            self.own.step(pair / COMBOS, gradient, rate);
            self.other.step(pair % COMBOS, gradient, rate);
            self.pair.step(pair, gradient, rate);
        }
    }

    /// All weights as integers; `unit` represents 1.
    pub fn quantised(&self, unit: f64) -> Vec<i16> {
        (0..PAIRS as u32)
            .map(|pair| quantise(self.get(pair), unit))
            .collect()
    }
}

impl Params {
    fn scale(&mut self, frequencies: &[Frequency], prior: f32) {
        for (index, frequency) in frequencies.iter().enumerate() {
            let times = frequency.times.max(1) as f32;
            self.decays[index] = prior / times;
            self.scales[index] = (frequency.squares / times).sqrt().max(1.0);
        }
    }
}

/// A weight for every threat key: a part for each of its bits, and a residual.
pub struct KeyTable {
    bits: Params,
    key: Params,
}

/// Bits of a threat key and a constant.
const BITS: usize = 10;

impl KeyTable {
    /// A table for keys that occur with these frequencies, `prior` as in [`PairTable::new`].
    pub fn new(frequencies: &[Frequency], prior: f32) -> KeyTable {
        let mut table = KeyTable {
            bits: Params::new(BITS),
            key: Params::new(frequencies.len()),
        };
        table.key.scale(frequencies, prior);
        table
    }

    /// The numbers that the training changes.
    pub fn state(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.bits.state().chain(self.key.state())
    }

    fn bits(key: usize) -> impl Iterator<Item = usize> {
        (0..BITS).filter(move |&bit| bit == BITS - 1 || key >> bit & 1 != 0)
    }

    /// The weight of a key.
    pub fn get(&self, key: usize) -> f32 {
        let parts: f32 = KeyTable::bits(key).map(|bit| self.bits.weights[bit]).sum();
        parts + self.key.weights[key]
    }

    /// A step against `gradient`.
    pub fn step(&mut self, key: usize, gradient: f32, rate: f32) {
        for bit in KeyTable::bits(key) {
            self.bits.step(bit, gradient, rate);
        }
        self.key.step(key, gradient, rate);
    }

    /// All weights as integers; `unit` represents 1.
    pub fn quantised(&self, unit: f64) -> Vec<i16> {
        (0..self.key.weights.len())
            .map(|key| quantise(self.get(key), unit))
            .collect()
    }
}

fn quantise(weight: f32, unit: f64) -> i16 {
    (f64::from(weight) * unit).round().clamp(-8000.0, 8000.0) as i16
}
