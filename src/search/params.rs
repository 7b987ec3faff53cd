//! Every tuned number of the search, each on one line: name, default, range and tuning step.
//!
//! Depths are in plies and margins in evaluation units. `INFO <name> <value>` sets them.

use std::collections::BTreeMap;

/// One number of [`Params`] for a tuner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name of the field.
    pub name: &'static str,
    /// Shipped value.
    pub default: i32,
    /// Least useful value.
    pub min: i32,
    /// Largest useful value.
    pub max: i32,
    /// Step of a tuner: a change that games should show.
    pub step: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        /// The numbers, by name.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// All numbers with their ranges.
            pub const REGISTRY: &'static [Param] = &[
                $(Param { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)*
            ];

            fn field(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Aspiration window: half-width of the first window.
    aspiration = 25, 5..=200, 5;
    /// Razoring: deepest remaining depth.
    razor_depth = 2, 0..=8, 1;
    /// Razoring: constant of the margin.
    razor_base = 70, 0..=600, 20;
    /// Razoring: margin per ply.
    razor_ply = 45, 0..=400, 15;
    /// Reverse futility pruning: deepest remaining depth.
    rfp_depth = 9, 0..=16, 1;
    /// Reverse futility pruning: margin per ply.
    rfp_ply = 60, 5..=300, 10;
    /// Reverse futility pruning: plies less of margin when the evaluation is improving.
    rfp_improving = 1, 0..=3, 1;
    /// Null move pruning: least remaining depth.
    null_depth = 4, 1..=12, 1;
    /// Null move pruning: constant of the reduction.
    null_base = 4, 1..=8, 1;
    /// Null move pruning: remaining depth per further ply of reduction.
    null_divisor = 4, 2..=12, 1;
    /// Late move reduction: constant, in hundredths of a ply.
    lmr_base = 10, -100..=300, 15;
    /// Late move reduction: factor of ln(depth) * ln(move number), in hundredths.
    lmr_factor = 75, 10..=150, 5;
    /// Late move reduction: history score per ply less.
    lmr_history = 4096, 1000..=30000, 500;
    /// Late move reduction: policy gap per ply more, in 256ths of a nat.
    lmr_policy = 460, 100..=100000, 50;
    /// Late move reduction: weight of the history by cell, in hundredths.
    lmr_main = 65, 0..=200, 10;
    /// Late move reduction: weight of the continuation history, in hundredths.
    lmr_continuation = 50, 0..=200, 10;
    /// Move-count pruning: moves searched before it at depth 0.
    lmp_base = 4, 1..=40, 1;
    /// Move-count pruning: exponent of the depth in the moves more, in hundredths.
    lmp_exponent = 128, 50..=300, 6;
    /// Move-count pruning: hundredths of these moves where the evaluation is not improving.
    lmp_not_improving = 68, 10..=100, 5;
    /// Move-count pruning: times as many moves on the principal variation.
    lmp_pv = 3, 1..=50, 1;
    /// Futility pruning: constant of the margin.
    futility_base = 80, 0..=500, 15;
    /// Futility pruning: margin per ply.
    futility_ply = 60, 5..=300, 10;
    /// Futility pruning: deepest remaining depth.
    futility_depth = 6, 0..=16, 1;
    /// Second search after a reduced one: a ply deeper from this far above alpha.
    deeper_margin = 120, 10..=600, 20;
    /// Second search after a reduced one: a ply less deep below this far above alpha.
    shallower_margin = 10, 0..=100, 5;
    /// Reduction after alpha was raised: least remaining depth.
    raised_least_depth = 3, 1..=10, 1;
    /// Reduction after alpha was raised: deepest remaining depth.
    raised_depth = 11, 0..=30, 2;
    /// Correction of the evaluation: weight, in 1024ths.
    correction_weight = 16, 0..=64, 3;
    /// Correction of the evaluation: what it learns of an error of one unit, for each ply of depth.
    correction_rate = 4, 1..=32, 1;
    /// Internal iterative reduction: least remaining depth.
    iir_depth = 5, 2..=20, 1;
    /// Move order: weight of the policy, in hundredths.
    order_weight = 500, 50..=3000, 50;
    /// Move order: weight of the history by cell, in hundredths.
    history_weight = 10, 0..=400, 10;
    /// Move order: weight of the continuation history, in hundredths.
    continuation_weight = 50, 0..=400, 10;
    /// History by cell: what it learns of each unit by which a move improves the evaluation.
    eval_history_rate = 4, 0..=30, 1;
    /// History by cell: improvement that a move is expected to make.
    eval_history_middle = -40, -200..=200, 10;
    /// Move order: bonus of the counter move.
    counter_bonus = 1500, 0..=20000, 250;
    /// Time: factor right after a change of the best move, in hundredths.
    time_unstable = 150, 80..=300, 10;
    /// Time: less of that factor per iteration without a change, in hundredths.
    time_stable_step = 9, 0..=20, 1;
    /// Time: factor more for a score that falls by 150 units, in hundredths.
    time_drop = 60, 0..=200, 10;
    /// Time: factor before the best move's share of the nodes is subtracted, in hundredths.
    time_effort = 150, 110..=250, 10;
    /// Quiescence search: positions that a VCF search may visit.
    leaf_vcf_nodes = 45, 0..=2000, 10;
    /// Root: positions that a VCF search may visit.
    root_vcf_nodes = 200000, 0..=10000000, 10000;
    /// Root: positions that each search for defences against a VCF may visit; 0: no such search.
    root_defence_nodes = 5000, 0..=1000000, 1000;
    /// Root: share of the nodes that the VCT search may take, in hundredths.
    vct_share = 8, 0..=50, 2;
}

/// Numbers set by name, over the shipped ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParamChanges(BTreeMap<&'static str, i32>);

impl ParamChanges {
    /// Sets a number by name, clamped to its range. False if there is no such name.
    pub fn set(&mut self, name: &str, value: i32) -> bool {
        let param = Params::REGISTRY.iter().find(|p| p.name == name);
        if let Some(param) = param {
            self.0.insert(param.name, value.clamp(param.min, param.max));
        }
        param.is_some()
    }
}

impl Params {
    /// The shipped numbers with `changes` applied.
    pub fn with(changes: &ParamChanges) -> Params {
        let mut params = Params::default();
        for (name, &value) in &changes.0 {
            let field = params.field(name).expect("names come from the registry");
            *field = value;
        }
        params
    }

    /// Razoring: how far below alpha the evaluation must be.
    pub fn razor_margin(&self, depth: i32) -> i32 {
        self.razor_base + self.razor_ply * depth
    }

    /// Reverse futility pruning: how far above beta the evaluation must be.
    pub fn rfp_margin(&self, depth: i32, improving: bool) -> i32 {
        let plies = depth - if improving { self.rfp_improving } else { 0 };
        self.rfp_ply * plies.max(0)
    }

    /// Null move pruning: plies by which the search after the null move is reduced.
    pub fn null_reduction(&self, depth: i32) -> i32 {
        self.null_base + depth / self.null_divisor
    }

    /// Late move reduction: hundredths of a ply for move number `index` (from 0) by depth and number
    /// alone.
    pub fn lmr_reduction(&self, depth: i32, index: usize) -> i32 {
        let product = f64::from(depth.max(1)).ln() * ((index + 1) as f64).ln();
        (f64::from(self.lmr_base) + f64::from(self.lmr_factor) * product) as i32
    }

    /// Move-count pruning: moves searched before a node skips the others.
    pub fn lmp_moves(&self, depth: i32, improving: bool) -> i32 {
        let exponent = f64::from(self.lmp_exponent) / 100.0;
        let moves = self.lmp_base + f64::from(depth.max(0)).powf(exponent) as i32;
        if improving {
            moves
        } else {
            moves * self.lmp_not_improving / 100
        }
    }

    /// Futility pruning: how far below alpha the evaluation must be.
    pub fn futility_margin(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_ply * depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_set_by_name_within_their_range() {
        let mut changes = ParamChanges::default();
        assert!(changes.set("rfp_ply", 77));
        assert!(changes.set("rfp_depth", 99_999));
        assert!(!changes.set("no_such_number", 1));
        let params = Params::with(&changes);
        assert_eq!((params.rfp_ply, params.rfp_depth), (77, 16));
    }

    #[test]
    fn every_number_shipped_is_within_its_range() {
        for param in Params::REGISTRY {
            let range = param.min..=param.max;
            assert!(range.contains(&param.default), "{}", param.name);
        }
    }
}
