//! Learning the weights of one rule, position by position.

use tengen::eval::{LOGIT, PAIRS, POLICY_LOGIT, SideWeights, THREAT_KEYS, Weights};
use tengen::patterns::{COMBOS, Shape, combo_shapes};
use tengen::rules::Rule;
use tengen::types::{Color, PerColor};

use crate::model::{KeyTable, PairTable, Seen};
use crate::samples::Sample;

/// How the weights are learned.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Part of the game's result in the value's target; the rest is the search's value.
    pub lambda: f32,
    /// First learning rate; it falls to zero in a straight line.
    pub rate: f32,
    /// How much a pair's value is held to the sum of its parts, in positions.
    pub prior: f32,
    /// The same for a move's promise.
    pub move_prior: f32,
}

/// How often each feature occurs, for one side to move.
pub struct Census {
    cells: Vec<Seen>,
    threats: Vec<Seen>,
    moves: Vec<Seen>,
}

impl Census {
    fn new() -> Census {
        Census {
            cells: vec![Seen::default(); PAIRS],
            threats: vec![Seen::default(); THREAT_KEYS],
            moves: vec![Seen::default(); PAIRS],
        }
    }

    /// Counts one position for `weight` positions.
    fn count(&mut self, sample: &Sample, weight: u32) {
        let add = |seen: &mut Seen, value: f32| {
            seen.times += weight;
            seen.squares += weight as f32 * value * value;
        };
        if sample.is_quiet {
            add(&mut self.threats[sample.threat_key], 1.0);
            for &(pair, count) in &sample.cells {
                add(&mut self.cells[pair as usize], f32::from(count));
            }
        }
        for &pair in &sample.choices {
            add(&mut self.moves[pair as usize], 1.0);
        }
    }
}

/// Counts features before the learning begins.
pub struct Counter(Vec<Census>);

impl Counter {
    /// Nothing counted yet. Only renju has tables for each side to move: under other rules the
    /// colours differ in nothing.
    pub fn new(rule: Rule) -> Counter {
        let views = if rule == Rule::Renju { 2 } else { 1 };
        Counter((0..views).map(|_| Census::new()).collect())
    }

    /// Counts the features of a position that stands for `weight` positions.
    pub fn count(&mut self, sample: &Sample, weight: u32) {
        let view = sample.side.index() % self.0.len();
        self.0[view].count(sample, weight);
    }
}

struct Tables {
    cells: PairTable,
    threats: KeyTable,
    moves: PairTable,
}

impl Tables {
    fn new(census: &Census, recipe: &Recipe) -> Tables {
        let prior = recipe.prior;
        let mut cells = PairTable::new(&census.cells, prior, own_start, other_start);
        // What is worth the same for both, with no stones near, is worth nothing: the sum over a
        // large board must not differ from that over a small one by its empty margins.
        cells.pin(|own, other| own == other && is_bare(own));
        Tables {
            cells,
            threats: KeyTable::new(&census.threats, prior),
            moves: PairTable::new(
                &census.moves,
                recipe.move_prior,
                own_move_start,
                other_move_start,
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

/// Whether a combination says that none of the colour's stones is near.
fn is_bare(combo: usize) -> bool {
    combo < COMBOS - 3
        && combo_shapes(combo)
            .iter()
            .all(|&shape| shape <= Shape::OpenOne)
}

/// Where the learning starts, in logits, for what wins outright: such cells are hardly ever seen
/// in quiet positions, and keep about these values.
fn own_start(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => 2.0,
        Shape::Five => 4.0,
        _ => 0.0,
    }
}

fn other_start(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => -1.0,
        Shape::Five => -2.0,
        _ => 0.0,
    }
}

fn own_move_start(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => 6.0,
        Shape::Five => 9.0,
        _ => 0.0,
    }
}

fn other_move_start(strongest: Shape) -> f32 {
    match strongest {
        Shape::StraightFour => 3.0,
        Shape::Five => 6.0,
        _ => 0.0,
    }
}

/// The tables of one rule while they are learned.
pub struct Learner {
    recipe: Recipe,
    views: Vec<Tables>,
    /// Probabilities of the choices at hand.
    chances: Vec<f32>,
}

impl Learner {
    /// A learner for features that occur as `counter` has seen them.
    pub fn new(recipe: Recipe, counter: &Counter) -> Learner {
        Learner {
            recipe,
            views: counter
                .0
                .iter()
                .map(|census| Tables::new(census, &recipe))
                .collect(),
            chances: Vec::new(),
        }
    }

    /// Learns from one position; `left` is the part of the training still to come, 1 to 0.
    pub fn learn(&mut self, sample: &Sample, left: f32) {
        let rate = self.recipe.rate * left;
        let view = sample.side.index() % self.views.len();
        let tables = &mut self.views[view];
        if sample.is_quiet {
            let sum: f32 = sample
                .cells
                .iter()
                .map(|&(pair, count)| tables.cells.get(pair) * f32::from(count))
                .sum();
            let chance = sigmoid(sum + tables.threats.get(sample.threat_key));
            let error = chance - self.recipe.target(sample);
            for &(pair, count) in &sample.cells {
                tables.cells.step(pair, error * f32::from(count), rate);
            }
            tables.threats.step(sample.threat_key, error, rate);
        }
        if let Some(chosen) = sample.chosen {
            let choices = sample.choices.iter().map(|&pair| tables.moves.get(pair));
            softmax(choices, &mut self.chances);
            self.chances[chosen] -= 1.0;
            for (&pair, &error) in sample.choices.iter().zip(&self.chances) {
                tables.moves.step(pair, error, rate);
            }
        }
    }

    /// All numbers that the learning changes, in an order that never differs.
    pub fn state(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.views.iter_mut().flat_map(|tables| {
            tables
                .cells
                .state()
                .chain(tables.threats.state())
                .chain(tables.moves.state())
        })
    }

    /// What has been learned.
    pub fn weights(&self) -> Weights {
        Weights::new(&PerColor(Color::BOTH.map(|color| {
            self.views[color.index() % self.views.len()].quantised()
        })))
    }
}

impl Recipe {
    /// What the value model should say, 0 to 1.
    pub fn target(&self, sample: &Sample) -> f32 {
        let result = sample.result.unwrap_or(sample.searched);
        self.lambda * result + (1.0 - self.lambda) * sample.searched
    }
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Probabilities in proportion to e to the `logits`.
pub fn softmax(logits: impl Iterator<Item = f32>, chances: &mut Vec<f32>) {
    chances.clear();
    chances.extend(logits);
    let most = chances.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for chance in chances.iter_mut() {
        *chance = (*chance - most).exp();
    }
    let sum: f32 = chances.iter().sum();
    for chance in chances.iter_mut() {
        *chance /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::types::Point;

    const RECIPE: Recipe = Recipe {
        lambda: 1.0,
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
            choices: vec![300, 301],
            points: vec![Point::new(0, 0), Point::new(1, 0)],
            chosen: Some(usize::from(result < 0.5)),
        }
    }

    fn learned(rule: Rule, samples: &[Sample]) -> Weights {
        let mut counter = Counter::new(rule);
        samples.iter().for_each(|sample| counter.count(sample, 1));
        let mut learner = Learner::new(RECIPE, &counter);
        let rounds = 3000;
        for round in 0..rounds {
            let left = 1.0 - round as f32 / rounds as f32;
            samples
                .iter()
                .for_each(|sample| learner.learn(sample, left));
        }
        learner.weights()
    }

    #[test]
    fn learning_finds_the_odds_in_the_games() {
        // Three of four games with the pair (1, 87) are won, one of four with two of (2, 74): the
        // odds are 3 and 1/3, shared between the pairs and the constant of the threat key. The
        // first of two moves is played in half of the positions.
        let good = (COMBOS + 87) as u32;
        let bad = (2 * COMBOS + 74) as u32;
        let results = |cells: (u32, u16), won: usize| {
            (0..4).map(move |i| sample(Color::White, &[cells], f32::from(u8::from(i < won))))
        };
        let samples: Vec<Sample> = results((good, 1), 3).chain(results((bad, 2), 1)).collect();
        let weights = learned(Rule::Renju, &samples);
        let white = weights.side(Color::White);
        let ln3 = 3f64.ln() * LOGIT;
        let constant = f64::from(white.threats[0]);
        let good_value = f64::from(white.cells[good as usize]) + constant;
        let bad_value = 2.0 * f64::from(white.cells[bad as usize]) + constant;
        assert!((good_value - ln3).abs() < 25.0, "{good_value}");
        assert!((bad_value + ln3).abs() < 25.0, "{bad_value}");
        assert!((white.policy[300] - white.policy[301]).abs() < 25);
        // Black never was to move.
        let black = weights.side(Color::Black);
        assert!(black.cells[good as usize] == 0 && black.policy[300] == 0);
        // Under the other rules both colours teach the same tables.
        let shared = learned(Rule::Standard, &samples);
        assert_eq!(shared.side(Color::Black), shared.side(Color::White));
    }

    #[test]
    fn rare_pairs_are_worth_the_sum_of_their_parts() {
        // (4, 5) was never seen, but 4 and 5 were, with others.
        let pair = |own: usize, other: usize| (own * COMBOS + other) as u32;
        let samples: Vec<Sample> = [(pair(4, 120), 1.0), (pair(9, 120), 0.0)]
            .into_iter()
            .chain([(pair(30, 5), 0.0), (pair(30, 7), 1.0)])
            .map(|(pair, result)| sample(Color::Black, &[(pair, 1)], result))
            .collect();
        let side = learned(Rule::Freestyle, &samples).side(Color::Black);
        assert!(side.cells[pair(4, 7) as usize] > side.cells[pair(4, 5) as usize]);
        assert!(side.cells[pair(4, 5) as usize] > side.cells[pair(9, 5) as usize]);
    }
}
