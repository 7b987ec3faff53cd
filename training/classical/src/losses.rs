//! The quality of weights as predictors of held-out games.

use std::fmt::Write;

use tengen::eval::{POLICY_LOGIT, Weights};
use tengen::patterns::COMBOS;
use tengen::types::Color;

use crate::learner::{Recipe, sigmoid, softmax};
use crate::samples::Sample;

/// Bins of the calibration table.
const BINS: usize = 10;

/// Sums over held-out positions.
#[derive(Clone, Default)]
pub struct Metrics {
    values: u64,
    value: f64,
    floor: f64,
    decided: u64,
    agreeing: u64,
    search_agreeing: u64,
    moves: u64,
    policy: f64,
    top_1: u64,
    top_3: u64,
    /// Positions, predictions, results and search values by predicted tenths.
    bins: [(u64, f64, f64, f64); BINS],
}

/// Predicts results and moves by weights.
pub struct Predictor<'a> {
    /// The weights.
    pub weights: &'a Weights,
    /// Units of the value that multiply the odds by e.
    pub logit: f64,
}

impl Predictor<'_> {
    /// Expected points of the side to move.
    fn expected_points(&self, sample: &Sample) -> f64 {
        let cells: i32 = sample
            .cells
            .iter()
            .map(|&(pair, count)| {
                let (own, other) = split(pair);
                let (black, white) = match sample.side {
                    Color::Black => (own, other),
                    Color::White => (other, own),
                };
                i32::from(self.weights.cell(black, white)[sample.side]) * i32::from(count)
            })
            .sum();
        let threats = i32::from(self.weights.threat(sample.side, sample.threat_key));
        f64::from(sigmoid((f64::from(cells + threats) / self.logit) as f32))
    }

    /// Policy logits of the candidate moves.
    fn policy_logits(&self, sample: &Sample) -> impl Iterator<Item = f32> + use<'_> {
        let side = sample.side;
        let candidates = sample.candidates.clone();
        candidates.into_iter().map(move |pair| {
            let (own, other) = split(pair);
            self.weights.policy(side, own, other) as f32 / POLICY_LOGIT as f32
        })
    }
}

fn split(pair: u32) -> (u8, u8) {
    (
        (pair as usize / COMBOS) as u8,
        (pair as usize % COMBOS) as u8,
    )
}

fn cross_entropy(target: f64, predicted: f64) -> f64 {
    let predicted = predicted.clamp(1e-6, 1.0 - 1e-6);
    -(target * predicted.ln() + (1.0 - target) * (1.0 - predicted).ln())
}

impl Metrics {
    /// Adds one position.
    pub fn add(&mut self, predictor: &Predictor, recipe: &Recipe, sample: &Sample) {
        if sample.is_quiet {
            let predicted = predictor.expected_points(sample);
            let target = f64::from(recipe.target(sample));
            self.values += 1;
            self.value += cross_entropy(target, predicted);
            self.floor += cross_entropy(target, target);
            if let Some(result) = sample.result.filter(|&result| result != 0.5) {
                let won = result > 0.5;
                self.decided += 1;
                self.agreeing += u64::from((predicted > 0.5) == won);
                self.search_agreeing += u64::from((sample.searched > 0.5) == won);
            }
            let bin = &mut self.bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
            bin.0 += 1;
            bin.1 += predicted;
            bin.2 += f64::from(sample.result.unwrap_or(sample.searched));
            bin.3 += f64::from(sample.searched);
        }
        if let Some(played) = sample.played {
            let mut probabilities = Vec::new();
            softmax(predictor.policy_logits(sample), &mut probabilities);
            let probability = probabilities[played];
            // Between equal probabilities the engine takes the first point.
            let rank = probabilities
                .iter()
                .enumerate()
                .filter(|&(i, &p)| p > probability || (p == probability && i < played))
                .count();
            self.moves += 1;
            self.policy -= f64::from(probability.max(1e-9)).ln();
            self.top_1 += u64::from(rank == 0);
            self.top_3 += u64::from(rank < 3);
        }
    }

    /// Head of a table of [`row`](Metrics::row)s.
    pub fn head() -> &'static str {
        "| rule | board | weights | positions | value cross-entropy (least possible) | sign agrees with result (search's) | policy cross-entropy | top 1 | top 3 |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    }

    /// One line of a Markdown table.
    pub fn row(&self, rule: &str, board: &str, name: &str) -> String {
        let per = |sum: f64, count: u64| sum / count.max(1) as f64;
        let share = |part: u64, count: u64| per(part as f64, count);
        format!(
            "| {rule} | {board} | {name} | {} | {:.4} ({:.4}) | {:.3} ({:.3}) | {:.3} | {:.3} | {:.3} |\n",
            self.values,
            per(self.value, self.values),
            per(self.floor, self.values),
            share(self.agreeing, self.decided),
            share(self.search_agreeing, self.decided),
            per(self.policy, self.moves),
            share(self.top_1, self.moves),
            share(self.top_3, self.moves),
        )
    }

    /// Markdown table of predicted points against results.
    pub fn calibration(&self) -> String {
        let mut table = String::from(
            "| predicted | positions | mean prediction | mean result | mean search value |\n|---|---|---|---|---|\n",
        );
        for (bin, &(count, predicted, result, searched)) in self.bins.iter().enumerate() {
            let n = count.max(1) as f64;
            let (low, high) = (bin as f64 / BINS as f64, (bin + 1) as f64 / BINS as f64);
            writeln!(
                table,
                "| {low:.1} to {high:.1} | {count} | {:.3} | {:.3} | {:.3} |",
                predicted / n,
                result / n,
                searched / n
            )
            .expect("writing to a string does not fail");
        }
        table
    }
}
