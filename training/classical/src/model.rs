//! Tables that are learned: logistic regression and softmax over sparse features, by AdaGrad
//! (J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods", 2011).

use tengen::eval::PAIRS;
use tengen::patterns::{COMBOS, Shape, combo_shapes};

/// Numbers that are learned, each with the sum of its squared gradients.
struct Params {
    weights: Vec<f32>,
    squares: Vec<f32>,
    /// Pull towards zero at every update.
    decays: Vec<f32>,
    /// How large the feature's value typically is; steps shrink with it.
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

    /// What learning changes.
    fn state(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        [&mut self.weights, &mut self.squares].into_iter()
    }

    /// A step against `gradient`, the loss's derivative by the feature's weight.
    #[inline]
    fn step(&mut self, index: usize, gradient: f32, rate: f32) {
        let gradient = (gradient + self.decays[index] * self.weights[index]) / self.scales[index];
        self.squares[index] += gradient * gradient;
        self.weights[index] -= rate * gradient / (self.squares[index].sqrt() * self.scales[index]);
    }
}

/// How often a feature was seen, and how large.
#[derive(Clone, Copy, Default)]
pub struct Seen {
    /// Positions with it.
    pub times: u32,
    /// Sum of its squared values there.
    pub squares: f32,
}

/// A weight for every pair of combinations: a part for the own one, a part for the opponent's, and
/// what the pair has beyond their sum. The last is held near zero by as much as the pair is rare,
/// so a pair that was hardly ever seen is worth the sum of its parts.
pub struct PairTable {
    own: Params,
    other: Params,
    pair: Params,
    /// Pairs that stay at zero.
    pinned: Vec<bool>,
}

impl PairTable {
    /// A table for pairs that occur as `seen` says. `prior` is the weight of one unit of squared
    /// deviation from the sum of the parts, in positions.
    pub fn new(seen: &[Seen], prior: f32, own: fn(Shape) -> f32, other: fn(Shape) -> f32) -> Self {
        let mut table = PairTable {
            own: Params::new(COMBOS),
            other: Params::new(COMBOS),
            pair: Params::new(PAIRS),
            pinned: vec![false; PAIRS],
        };
        let mut own_seen = vec![Seen::default(); COMBOS];
        let mut other_seen = vec![Seen::default(); COMBOS];
        for (index, &seen) in seen.iter().enumerate() {
            for sum in [
                &mut own_seen[index / COMBOS],
                &mut other_seen[index % COMBOS],
            ] {
                sum.times += seen.times;
                sum.squares += seen.squares;
            }
        }
        table.own.scale(&own_seen, 0.0);
        table.other.scale(&other_seen, 0.0);
        table.pair.scale(seen, prior);
        for combo in 0..COMBOS {
            let strongest = combo_shapes(combo)[0];
            table.own.weights[combo] = own(strongest);
            table.other.weights[combo] = other(strongest);
        }
        table
    }

    /// What learning changes.
    pub fn state(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let parts = self.own.state().chain(self.other.state());
        parts.chain(self.pair.state())
    }

    /// Holds the pairs for which `is_pinned` says so at zero.
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

    /// All weights, `unit` to 1.
    pub fn quantised(&self, unit: f64) -> Vec<i16> {
        (0..PAIRS as u32)
            .map(|pair| quantise(self.get(pair), unit))
            .collect()
    }
}

impl Params {
    fn scale(&mut self, seen: &[Seen], prior: f32) {
        for (index, seen) in seen.iter().enumerate() {
            let times = seen.times.max(1) as f32;
            self.decays[index] = prior / times;
            self.scales[index] = (seen.squares / times).sqrt().max(1.0);
        }
    }
}

/// A weight for every threat key: parts for its bits, and what the key has beyond their sum.
pub struct KeyTable {
    bits: Params,
    key: Params,
}

/// Bits of a threat key and a constant.
const BITS: usize = 10;

impl KeyTable {
    /// A table for keys that occur as `seen` says, `prior` as in [`PairTable::new`].
    pub fn new(seen: &[Seen], prior: f32) -> KeyTable {
        let mut table = KeyTable {
            bits: Params::new(BITS),
            key: Params::new(seen.len()),
        };
        table.key.scale(seen, prior);
        table
    }

    /// What learning changes.
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

    /// All weights, `unit` to 1.
    pub fn quantised(&self, unit: f64) -> Vec<i16> {
        (0..self.key.weights.len())
            .map(|key| quantise(self.get(key), unit))
            .collect()
    }
}

fn quantise(weight: f32, unit: f64) -> i16 {
    (f64::from(weight) * unit).round().clamp(-8000.0, 8000.0) as i16
}
