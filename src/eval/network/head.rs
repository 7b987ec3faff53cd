use super::error::NetworkError;
use super::layout::{ACTIVE, CHANNELS, Lanes, PairWeights, Pools, REGIONS, Sums, WideLanes};
use super::simd::Simd;

/// Inputs of the head's first layer: the whole board's sums, then each region's.
const INPUTS: usize = (1 + REGIONS) * CHANNELS;

/// Largest input of the first layer from the whole board: a mean activation of [`ACTIVE`],
/// 16-fold. The sum of a channel's inputs over the regions is at most four times that.
const MAX_INPUT: i64 = 16 * ACTIVE as i64;

/// Largest activation of the hidden layers; 128 stands for 1.
const MAX_HIDDEN: i16 = 2047;

/// Bits that each layer's sums are shifted down by.
const SHIFTS: [u32; 3] = [11, 10, 4];

/// Bits that the sums of the policy weights are shifted down by.
const POLICY_WEIGHT_SHIFT: u32 = 10;

/// Bits that the sum of a move's policy logit is shifted down by.
const POLICY_SHIFT: u32 = 7;

/// Classical values are clipped to this.
const MAX_CLASSICAL: i32 = 4_000;

/// Largest factors of the classical value and policy with which nothing overflows.
const MAX_SKIP: i32 = i32::MAX / MAX_CLASSICAL;
const MAX_POLICY_SKIP: i32 = i32::MAX >> 15;

/// `ln 2` in the unit of the last layer's outputs, 8192 for a factor e in the odds.
const LN_2: i32 = 5_678;

/// Entries of the table of `ln(1 + exp(-d))`.
pub(super) const SOFTPLUS: usize = 1024;
/// Bits of `d` that an entry of that table spans.
const SOFTPLUS_SHIFT: u32 = 6;

/// One layer: weights from pairs of inputs, and biases; outputs that it does not have are zero.
#[derive(Debug)]
struct Dense {
    weights: Vec<PairWeights>,
    bias: WideLanes,
}

impl Dense {
    /// The layer with `weights[input * outputs + output]`.
    fn new(weights: &[i16], bias: &[i32]) -> Dense {
        let outputs = bias.len();
        let mut layer = Dense {
            weights: vec![bytemuck::Zeroable::zeroed(); weights.len() / outputs / 2],
            bias: bytemuck::Zeroable::zeroed(),
        };
        layer.bias.0[..outputs].copy_from_slice(bias);
        for (i, &weight) in weights.iter().enumerate() {
            let (input, output) = (i / outputs, i % outputs);
            let lanes = &mut layer.weights[input / 2][output / 16];
            lanes.0[output % 16 * 2 + input % 2] = weight;
        }
        layer
    }

    fn sums(&self, simd: Simd, inputs: &[Lanes]) -> WideLanes {
        simd.dense(inputs, &self.weights, &self.bias)
    }

    /// The sums shifted down and clipped: the inputs of the next layer.
    fn hidden(&self, simd: Simd, inputs: &[Lanes], shift: u32) -> Lanes {
        simd.hidden(inputs, &self.weights, &self.bias, (shift, MAX_HIDDEN))
    }
}

/// The layers after the sums over cells: the value of the position, and the policy.
#[derive(Debug)]
pub(super) struct Head {
    layers: [Dense; 3],
    /// Factor of the classical value in 1/256, in the unit of the last layer's outputs.
    skip: i32,
    /// From the first layer's inputs to a hidden layer, and from that to the policy weights of the
    /// channels.
    policy: [Dense; 2],
    /// Factor of the classical policy in 1/256.
    policy_skip: i32,
    /// `8192 ln(1 + exp(-d))` for `d` in steps of `64 / 8192`.
    softplus: Box<[u16; SOFTPLUS]>,
}

/// Weights and biases of one layer.
pub(super) type RawLayer = (Vec<i16>, Vec<i32>);

/// The numbers of a [`Head`] as a file has them, weights `[input][output]`.
pub(super) struct RawHead {
    /// Weights and biases of the three layers: 320 to 32 to 32 to 3 (win, draw, loss).
    pub layers: [RawLayer; 3],
    /// See [`Head`].
    pub skip: i32,
    /// Weights and biases of the two policy layers: 320 to 32 to 32.
    pub policy: [RawLayer; 2],
    pub policy_skip: i32,
    pub softplus: Vec<u16>,
}

impl RawHead {
    /// Weights and biases of each layer of the value.
    pub(super) const LAYERS: [(usize, usize); 3] = [
        (INPUTS * CHANNELS, CHANNELS),
        (CHANNELS * CHANNELS, CHANNELS),
        (CHANNELS * 3, 3),
    ];
    /// Weights and biases of each policy layer.
    pub(super) const POLICY: [(usize, usize); 2] = [Self::LAYERS[0], Self::LAYERS[1]];

    /// Whether no sum can overflow, whatever the board.
    fn is_safe(&self) -> bool {
        let size = |weight: &i16| i64::from(*weight).abs();
        // Largest sums that the weights of one output allow.
        let first = |weights: &[i64]| -> i64 {
            let channel = |k: usize| {
                let regions = weights[CHANNELS + k..].iter().step_by(CHANNELS);
                (weights[k] + 4 * regions.max().expect("nine regions")) * MAX_INPUT
            };
            (0..CHANNELS).map(channel).sum()
        };
        let other = |weights: &[i64]| weights.iter().sum::<i64>() * i64::from(MAX_HIDDEN);
        let is_safe = |index: usize, (weights, bias): &RawLayer| {
            bias.iter().enumerate().all(|(output, &start)| {
                let column = weights[output..].iter().step_by(bias.len());
                let column: Vec<i64> = column.map(size).collect();
                let most = if index == 0 {
                    first(&column)
                } else {
                    other(&column)
                };
                most + i64::from(start).abs() <= i32::MAX.into()
            })
        };
        let all_safe = |layers: &[RawLayer]| {
            let mut layers = layers.iter().enumerate();
            layers.all(|(index, layer)| is_safe(index, layer))
        };
        all_safe(&self.layers)
            && all_safe(&self.policy)
            && (-MAX_SKIP..=MAX_SKIP).contains(&self.skip)
            && (-MAX_POLICY_SKIP..=MAX_POLICY_SKIP).contains(&self.policy_skip)
    }
}

impl Head {
    /// The head with these numbers.
    ///
    /// # Errors
    /// When a sum could overflow.
    pub(super) fn new(raw: &RawHead) -> Result<Head, NetworkError> {
        if !raw.is_safe() {
            return Err(NetworkError::Overflow);
        }
        let layer = |(weights, bias): &RawLayer| Dense::new(weights, bias);
        Ok(Head {
            layers: raw.layers.each_ref().map(layer),
            skip: raw.skip,
            policy: raw.policy.each_ref().map(layer),
            policy_skip: raw.policy_skip,
            softplus: Box::new(std::array::from_fn(|i| raw.softplus[i])),
        })
    }

    /// Value of a board of `area` cells (blocked ones not counted) for the side to move, in units
    /// of [`LOGIT`](crate::eval::LOGIT). `pools` are the regions as that side sees them,
    /// `classical` is the classical value.
    pub(super) fn value(&self, simd: Simd, pools: &Pools, area: u32, classical: i32) -> i32 {
        let inputs = simd.means(pools, area);
        let first = self.layers[0].hidden(simd, &inputs, SHIFTS[0]);
        let second = self.layers[1].hidden(simd, &[first], SHIFTS[1]);
        let last = self.layers[2].sums(simd, &[second]).0;
        let [win, draw, loss] = [0, 1, 2].map(|outcome| last[outcome] >> SHIFTS[2]);
        let skip = (classical.clamp(-MAX_CLASSICAL, MAX_CLASSICAL) * self.skip) >> 8;
        self.expectation(win + skip, draw, loss - skip)
    }

    /// The logit of the expected points, half a point for a draw, from the logits of win, draw and
    /// loss: `ln((e^win + e^draw / 2) / (e^loss + e^draw / 2))`.
    fn expectation(&self, win: i32, draw: i32, loss: i32) -> i32 {
        let half = draw - LN_2;
        let odds = self.log_sum(win, half) - self.log_sum(loss, half);
        // From 8192 for a factor e to 200.
        ((i64::from(odds) * 25 + 512) >> 10) as i32
    }

    /// `ln(e^p + e^q)`, all in 1/8192.
    fn log_sum(&self, p: i32, q: i32) -> i32 {
        let step = (p - q).unsigned_abs() >> SOFTPLUS_SHIFT;
        p.max(q) + i32::from(self.softplus[(step as usize).min(SOFTPLUS - 1)])
    }

    /// Writes to `out` the network's part of the policy logits of moves to the `wanted` cells of a
    /// board of `area` cells, in units of [`POLICY_LOGIT`](crate::eval::POLICY_LOGIT).
    pub(super) fn policy(
        &self,
        simd: Simd,
        sums: &Sums,
        area: u32,
        wanted: &[u16],
        out: &mut [i32],
    ) {
        let inputs = simd.means(&sums.pools, area);
        let hidden = self.policy[0].hidden(simd, &inputs, SHIFTS[0]);
        // A product of 32 numbers of 16 bits with activations cannot overflow.
        let weight =
            |sum: i32| (sum >> POLICY_WEIGHT_SHIFT).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let weights = Lanes(self.policy[1].sums(simd, &[hidden]).0.map(weight));
        simd.dots(&sums.cells, wanted, &weights, out);
        for logit in out {
            *logit >>= POLICY_SHIFT;
        }
    }

    /// The part of a move's policy logit that comes from its classical one.
    #[inline]
    pub(super) fn classical_policy(&self, classical: i32) -> i32 {
        (classical * self.policy_skip) >> 8
    }
}
