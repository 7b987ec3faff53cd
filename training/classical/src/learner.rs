//! Training of the weights of one rule, position by position.

use tengen::eval::{LOGIT, PAIRS, POLICY_LOGIT, SideWeights, THREAT_KEYS, Weights};
use tengen::patterns::{COMBOS, Shape, combo_shapes};
use tengen::rules::Rule;
use tengen::types::{Color, PerColor};

use crate::model::{Frequency, KeyTable, PairTable};
use crate::samples::Sample;

/// Settings of the training.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Weight of the game's result in the value's target, 0 to 1; the rest is the search's value.
    pub result_weight: f32,
    /// First learning rate; it falls linearly to zero.
    pub rate: f32,
    /// Regularisation of a pair's weight towards the sum of its parts, in positions.
    pub prior: f32,
    /// The same for the table of moves.
    pub move_prior: f32,
}

/// Number of occurrences of each feature, for one side to move.
pub struct FeatureCounts {
    cells: Vec<Frequency>,
    threats: Vec<Frequency>,
    moves: Vec<Frequency>,
}

impl FeatureCounts {
    fn new() -> FeatureCounts {
        FeatureCounts {
            cells: vec![Frequency::default(); PAIRS],
            threats: vec![Frequency::default(); THREAT_KEYS],
            moves: vec![Frequency::default(); PAIRS],
        }
    }

    /// Counts a position `weight` times.
    fn count(&mut self, sample: &Sample, weight: u32) {
        let add = |feature: &mut Frequency, value: f32| {
            feature.times += weight;
            feature.squares += weight as f32 * value * value;
        };
        if sample.is_quiet {
            add(&mut self.threats[sample.threat_key], 1.0);
            for &(pair, count) in &sample.cells {
                add(&mut self.cells[pair as usize], f32::from(count));
            }
        }
        // The moves of a position without a played move are not trained.
        if sample.played.is_some() {
            for &pair in &sample.candidates {
                add(&mut self.moves[pair as usize], 1.0);
            }
        }
    }
}

/// Counts the features of positions before the training.
pub struct Counter(Vec<FeatureCounts>);

impl Counter {
    /// A counter at zero. Only renju has tables for each side to move; the other rules are the same
    /// for both colours.
    pub fn new(rule: Rule) -> Counter {
        let tables = if rule == Rule::Renju { 2 } else { 1 };
        Counter((0..tables).map(|_| FeatureCounts::new()).collect())
    }

    /// Counts the features of a position `weight` times.
    pub fn count(&mut self, sample: &Sample, weight: u32) {
        let index = sample.side.index() % self.0.len();
        self.0[index].count(sample, weight);
    }
}

struct Tables {
    cells: PairTable,
    threats: KeyTable,
    moves: PairTable,
}

impl Tables {
    fn new(counts: &FeatureCounts, recipe: &Recipe) -> Tables {
        let prior = recipe.prior;
        let mut cells = PairTable::new(&counts.cells, prior, own_init, other_init);
        // Equal combinations without stones nearby are worth 0, so the empty margins of a large
        // board do not change its value.
        cells.pin(|own, other| own == other && is_bare(own));
        Tables {
            cells,
            threats: KeyTable::new(&counts.threats, prior),
            moves: PairTable::new(
                &counts.moves,
                recipe.move_prior,
                own_move_init,
                other_move_init,
            ),
        }
    }

    fn quantised(&self) -> SideWeights {
        SideWeights {
            cells: self.cells.quantised(LOGIT),
            threats: self.threats.quantised(LOGIT),
            policy: self.moves.quantised(POLICY_LOGIT),
        }
    }
}

/// True if a combination has no stones of its colour nearby.
fn is_bare(combo: usize) -> bool {
    combo < COMBOS - 3
        && combo_shapes(combo)
            .iter()
            .all(|&shape| shape <= Shape::OpenOne)
}

/// First weights, in logits, of shapes that win at once. These shapes are rare in quiet positions,
/// so their weights stay close to the first ones.
fn own_init(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => 2.0,
        Shape::Five => 4.0,
        _ => 0.0,
    }
}

fn other_init(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => -1.0,
        Shape::Five => -2.0,
        _ => 0.0,
    }
}

fn own_move_init(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => 6.0,
        Shape::Five => 9.0,
        _ => 0.0,
    }
}

fn other_move_init(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => 3.0,
        Shape::Five => 6.0,
        _ => 0.0,
    }
}

/// The tables of one rule in training.
pub struct Learner {
    recipe: Recipe,
    /// One for each side to move in renju, else one for both.
    tables: Vec<Tables>,
    /// Probabilities of the candidates of the present position.
    probabilities: Vec<f32>,
}

impl Learner {
    /// A learner for the features that `counter` has counted.
    pub fn new(recipe: Recipe, counter: &Counter) -> Learner {
        Learner {
            recipe,
            tables: counter
                .0
                .iter()
                .map(|counts| Tables::new(counts, &recipe))
                .collect(),
            probabilities: Vec::new(),
        }
    }

    /// Trains on one position; `remaining` is the remaining part of the training, 1 to 0.
    pub fn learn(&mut self, sample: &Sample, remaining: f32) {
        let rate = self.recipe.rate * remaining;
        let index = sample.side.index() % self.tables.len();
        let tables = &mut self.tables[index];
        if sample.is_quiet {
            let sum: f32 = sample
                .cells
                .iter()
                .map(|&(pair, count)| tables.cells.get(pair) * f32::from(count))
                .sum();
            let expected = sigmoid(sum + tables.threats.get(sample.threat_key));
            let error = expected - self.recipe.target(sample);
            for &(pair, count) in &sample.cells {
                tables.cells.step(pair, error * f32::from(count), rate);
            }
            tables.threats.step(sample.threat_key, error, rate);
        }
        if let Some(played) = sample.played {
            let logits = sample.candidates.iter().map(|&pair| tables.moves.get(pair));
            softmax(logits, &mut self.probabilities);
            self.probabilities[played] -= 1.0;
            for (&pair, &error) in sample.candidates.iter().zip(&self.probabilities) {
                tables.moves.step(pair, error, rate);
            }
        }
    }

    /// All numbers that the training changes, always in the same order.
    pub fn state(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.tables.iter_mut().flat_map(|tables| {
            tables
                .cells
                .state()
                .chain(tables.threats.state())
                .chain(tables.moves.state())
        })
    }

    /// The trained weights.
    pub fn weights(&self) -> Weights {
        Weights::new(&PerColor(Color::BOTH.map(|color| {
            self.tables[color.index() % self.tables.len()].quantised()
        })))
    }
}

impl Recipe {
    /// The value's target in expected points, 0 to 1.
    pub fn target(&self, sample: &Sample) -> f32 {
        let result = sample.result.unwrap_or(sample.searched);
        self.result_weight * result + (1.0 - self.result_weight) * sample.searched
    }
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Fills `probabilities` with the softmax of `logits`.
pub fn softmax(logits: impl Iterator<Item = f32>, probabilities: &mut Vec<f32>) {
    probabilities.clear();
    probabilities.extend(logits);
    let largest = probabilities
        .iter()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    for p in probabilities.iter_mut() {
        *p = (*p - largest).exp();
    }
    let sum: f32 = probabilities.iter().sum();
    for p in probabilities.iter_mut() {
        *p /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::types::Point;

    const RECIPE: Recipe = Recipe {
        result_weight: 1.0,
        rate: 0.05,
        prior: 100.0,
        move_prior: 100.0,
    };

    /// A position of `side` with some pairs on its cells, and the result.
    fn sample(side: Color, cells: &[(u32, u16)], result: f32) -> Sample {
        Sample {
            side,
            size: 15,
            threat_key: 0,
            cells: cells.to_vec(),
            result: Some(result),
            searched: 0.5,
            is_quiet: true,
            candidates: vec![300, 301],
            candidate_points: vec![Point::new(0, 0), Point::new(1, 0)],
            played: Some(usize::from(result < 0.5)),
            ..Sample::empty()
        }
    }

    fn trained(rule: Rule, samples: &[Sample]) -> Weights {
        let mut counter = Counter::new(rule);
        samples.iter().for_each(|sample| counter.count(sample, 1));
        let mut learner = Learner::new(RECIPE, &counter);
        let rounds = 3000;
        for round in 0..rounds {
            let remaining = 1.0 - round as f32 / rounds as f32;
            samples
                .iter()
                .for_each(|sample| learner.learn(sample, remaining));
        }
        learner.weights()
    }

    #[test]
    fn training_finds_the_odds_of_the_games() {
        // Three of four games with the pair (1, 87) are won, one of four with two of (2, 74): the
        // odds are 3 and 1/3, shared between the pairs and the constant of the threat key. The
        // first of two moves is played in half of the positions.
        let good = (COMBOS + 87) as u32;
        let bad = (2 * COMBOS + 74) as u32;
        let results = |cells: (u32, u16), won: usize| {
            (0..4).map(move |i| sample(Color::White, &[cells], f32::from(u8::from(i < won))))
        };
        let samples: Vec<Sample> = results((good, 1), 3).chain(results((bad, 2), 1)).collect();
        let weights = trained(Rule::Renju, &samples);
        let white = weights.side(Color::White);
        let ln3 = 3f64.ln() * LOGIT;
        let constant = f64::from(white.threats[0]);
        let good_value = f64::from(white.cells[good as usize]) + constant;
        let bad_value = 2.0 * f64::from(white.cells[bad as usize]) + constant;
        assert!((good_value - ln3).abs() < 25.0, "{good_value}");
        assert!((bad_value + ln3).abs() < 25.0, "{bad_value}");
        assert!((white.policy[300] - white.policy[301]).abs() < 25);
        // Black is never to move.
        let black = weights.side(Color::Black);
        assert!(black.cells[good as usize] == 0 && black.policy[300] == 0);
        // Under the other rules both colours train the same tables.
        let shared = trained(Rule::Standard, &samples);
        assert_eq!(shared.side(Color::Black), shared.side(Color::White));
    }

    /// Counting these positions made the decay of their pairs too weak.
    #[test]
    fn moves_of_positions_without_a_move_played_are_not_counted() {
        let played = sample(Color::Black, &[(7, 2)], 1.0);
        let mut not_played = sample(Color::Black, &[(7, 2)], 1.0);
        not_played.played = None;
        let mut counter = Counter::new(Rule::Standard);
        counter.count(&played, 3);
        counter.count(&not_played, 3);
        let counts = &counter.0[0];
        assert_eq!((counts.moves[300].times, counts.moves[301].times), (3, 3));
        assert_eq!((counts.cells[7].times, counts.threats[0].times), (6, 6));
    }

    #[test]
    fn rare_pairs_have_the_sum_of_their_parts() {
        // (4, 5) does not occur, but 4 and 5 do, with others.
        let pair = |own: usize, other: usize| (own * COMBOS + other) as u32;
        let samples: Vec<Sample> = [(pair(4, 120), 1.0), (pair(9, 120), 0.0)]
            .into_iter()
            .chain([(pair(30, 5), 0.0), (pair(30, 7), 1.0)])
            .map(|(pair, result)| sample(Color::Black, &[(pair, 1)], result))
            .collect();
        let side = trained(Rule::Freestyle, &samples).side(Color::Black);
        assert!(side.cells[pair(4, 7) as usize] > side.cells[pair(4, 5) as usize]);
        assert!(side.cells[pair(4, 5) as usize] > side.cells[pair(9, 5) as usize]);
    }
}
