use arrayvec::ArrayVec;
use bytemuck::Zeroable;

use super::error::NetworkError;
use super::layout::{
    ACTIVE, BLOCK, Lanes, MAX_BLOCKS, POOLS, PairWeights, Pools, Sums, WideLanes, Widths,
};
use super::simd::Simd;

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
/// Bits of `d` spanned by one entry of the table.
const SOFTPLUS_SHIFT: u32 = 6;

/// One layer, by block of outputs.
#[derive(Debug)]
struct Dense(ArrayVec<DenseBlock, MAX_BLOCKS>);

/// Weights from pairs of inputs to a block of outputs, and their biases; outputs that the layer
/// does not have are zero.
#[derive(Debug)]
struct DenseBlock {
    weights: Vec<PairWeights>,
    bias: WideLanes,
}

impl Dense {
    /// The layer with `weights[input * outputs + output]`, where input number `i` is `order(i)` in
    /// the engine.
    fn new((weights, bias): &RawLayer, order: impl Fn(usize) -> usize) -> Dense {
        let outputs = bias.len();
        let pairs = weights.len() / outputs / 2;
        let mut blocks = ArrayVec::<_, MAX_BLOCKS>::new();
        for bias in bias.chunks(BLOCK) {
            let mut block = DenseBlock {
                weights: vec![Zeroable::zeroed(); pairs],
                bias: Zeroable::zeroed(),
            };
            block.bias.0[..bias.len()].copy_from_slice(bias);
            blocks.push(block);
        }
        for (i, &weight) in weights.iter().enumerate() {
            let (input, output) = (order(i / outputs), i % outputs);
            let (block, output) = (output / BLOCK, output % BLOCK);
            let lanes = &mut blocks[block].weights[input / 2][output / 16];
            lanes.0[output % 16 * 2 + input % 2] = weight;
        }
        Dense(blocks)
    }

    /// The sums of each block of outputs.
    #[inline]
    fn sums(&self, simd: Simd, inputs: &[Lanes]) -> impl Iterator<Item = WideLanes> {
        let blocks = self.0.iter();
        blocks.map(move |block| simd.dense(inputs, &block.weights, &block.bias))
    }

    /// The sums shifted down and clipped: the inputs of the next layer.
    #[inline]
    fn hidden<'o>(
        &self,
        simd: Simd,
        inputs: &[Lanes],
        shift: u32,
        out: &'o mut [Lanes; MAX_BLOCKS],
    ) -> &'o [Lanes] {
        for (block, out) in self.0.iter().zip(out.iter_mut()) {
            *out = simd.hidden(inputs, &block.weights, &block.bias, (shift, MAX_HIDDEN));
        }
        &out[..self.0.len()]
    }
}

/// Intermediate results of a head, kept so that they are not copied.
#[derive(Clone, Zeroable)]
pub(super) struct HeadWork {
    /// Inputs of the first layers, by block of channels.
    inputs: [[Lanes; POOLS]; MAX_BLOCKS],
    /// Outputs of the first and of the second layer, by block.
    hidden: [[Lanes; MAX_BLOCKS]; 2],
}

/// Computes the `inputs` of the first layers from the pools of each block of channels, and returns
/// the filled part.
#[inline]
fn first_inputs<'i, 'p>(
    inputs: &'i mut [[Lanes; POOLS]; MAX_BLOCKS],
    simd: Simd,
    pools: impl Iterator<Item = &'p Pools>,
    area: u32,
) -> &'i [Lanes] {
    let mut blocks = 0;
    for (inputs, pools) in inputs.iter_mut().zip(pools) {
        simd.means(pools, area, inputs);
        blocks += 1;
    }
    inputs[..blocks].as_flattened()
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

/// The numbers of a [`Head`] as a file has them, weights `[input][output]`. The inputs of the first
/// layers are the channels of the whole board, then those of each region.
pub(super) struct RawHead {
    pub widths: Widths,
    /// Weights and biases of the value's three layers; the last has the outputs win, draw and loss.
    pub layers: [RawLayer; 3],
    /// See [`Head`].
    pub skip: i32,
    /// Weights and biases of the two policy layers.
    pub policy: [RawLayer; 2],
    pub policy_skip: i32,
    pub softplus: Vec<u16>,
}

impl RawHead {
    /// Numbers of weights and of biases of each layer of the value.
    pub(super) fn layers(widths: Widths) -> [(usize, usize); 3] {
        let Widths { channels, hidden } = widths;
        let [first, second] = hidden;
        [
            (POOLS * channels * first, first),
            (first * second, second),
            (second * 3, 3),
        ]
    }

    /// The same of each policy layer.
    pub(super) fn policy_layers(widths: Widths) -> [(usize, usize); 2] {
        let Widths { channels, hidden } = widths;
        let [first, _] = hidden;
        [
            (POOLS * channels * first, first),
            (first * channels, channels),
        ]
    }

    /// The same of all layers.
    pub(super) fn all_layers(widths: Widths) -> impl Iterator<Item = (usize, usize)> {
        let value = RawHead::layers(widths).into_iter();
        value.chain(RawHead::policy_layers(widths))
    }

    /// True if no sum can overflow, whatever the board.
    fn is_safe(&self) -> bool {
        let channels = self.widths.channels;
        let size = |weight: &i16| i64::from(*weight).abs();
        // Largest sums that the weights of one output allow.
        let first = |weights: &[i64]| -> i64 {
            let channel = |k: usize| {
                let regions = weights[channels + k..].iter().step_by(channels);
                (weights[k] + 4 * regions.max().expect("nine regions")) * MAX_INPUT
            };
            (0..channels).map(channel).sum()
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
        // The engine has all pools of a block of channels together.
        let by_block = |input: usize| {
            let (pool, channel) = (input / raw.widths.channels, input % raw.widths.channels);
            (channel / BLOCK * POOLS + pool) * BLOCK + channel % BLOCK
        };
        let [first, second, last] = &raw.layers;
        let [policy_first, policy_last] = &raw.policy;
        Ok(Head {
            layers: [
                Dense::new(first, by_block),
                Dense::new(second, |input| input),
                Dense::new(last, |input| input),
            ],
            skip: raw.skip,
            policy: [
                Dense::new(policy_first, by_block),
                Dense::new(policy_last, |input| input),
            ],
            policy_skip: raw.policy_skip,
            softplus: Box::new(std::array::from_fn(|i| raw.softplus[i])),
        })
    }

    /// Most bytes of the layers of a network of these widths.
    pub(super) fn bytes(widths: Widths) -> usize {
        let weights = RawHead::all_layers(widths)
            .map(|(weights, biases)| weights / biases * biases.next_multiple_of(BLOCK));
        // Two bytes a weight, and the rest.
        2 * weights.sum::<usize>() + (8 << 10)
    }

    /// Value of a board of `area` cells (blocked ones not counted) for the side to move, in units
    /// of [`LOGIT`](crate::eval::LOGIT). `pools` are the regions as that side sees them, by block
    /// of channels; `classical` is the classical value.
    #[inline]
    pub(super) fn value<'p>(
        &self,
        simd: Simd,
        work: &mut HeadWork,
        pools: impl Iterator<Item = &'p Pools>,
        area: u32,
        classical: i32,
    ) -> i32 {
        let HeadWork { inputs, hidden } = work;
        let [first, second] = hidden;
        let inputs = first_inputs(inputs, simd, pools, area);
        let first = self.layers[0].hidden(simd, inputs, SHIFTS[0], first);
        let second = self.layers[1].hidden(simd, first, SHIFTS[1], second);
        let mut last = self.layers[2].sums(simd, second);
        let last = last.next().expect("three outputs are one block").0;
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
    /// board of `area` cells, in units of [`POLICY_LOGIT`](crate::eval::POLICY_LOGIT). `sums` are
    /// those of each block of channels.
    pub(super) fn policy(
        &self,
        simd: Simd,
        work: &mut HeadWork,
        sums: &[Sums],
        area: u32,
        wanted: &[u16],
        out: &mut [i32],
    ) {
        let HeadWork { inputs, hidden } = work;
        let pools = sums.iter().map(|block| &block.pools);
        let inputs = first_inputs(inputs, simd, pools, area);
        let hidden = self.policy[0].hidden(simd, inputs, SHIFTS[0], &mut hidden[0]);
        // A product of 128 numbers of 16 bits with activations cannot overflow.
        let weight =
            |sum: i32| (sum >> POLICY_WEIGHT_SHIFT).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        out.fill(0);
        for (block, weights) in sums.iter().zip(self.policy[1].sums(simd, hidden)) {
            simd.dots(&block.cells, wanted, &Lanes(weights.0.map(weight)), out);
        }
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
