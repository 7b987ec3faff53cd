//! From games to samples: the features of the classical evaluation, and the training targets.

#[cfg(test)]
mod tests;

use tengen::board::Board;
use tengen::eval::PAIRS;
use tengen::patterns::{COMBOS, Class};
use tengen::position::Position;
use tengen::search::moves_to_search;
use tengen::threats::{Vcf, VcfResult};
use tengen::types::{Color, Point};
use tengen_tools::datagen::{GameResult, TrainingRecord};

/// A position is quiet if a search for a win by fours finds none in this many nodes, the engine's
/// number at a leaf.
const VCF_NODES: u64 = 60;

/// One position, from the side to move's view.
pub struct Sample {
    /// The side to move.
    pub side: Color,
    /// Columns and rows of the board.
    pub size: u8,
    /// Key of the threats on the board.
    pub threat_key: usize,
    /// Pairs of combinations on the free cells, each pair once, and the number of its cells.
    pub cells: Vec<(u32, u16)>,
    /// Points of the side to move by the game's result: 0, 1/2 or 1; `None` for a branch.
    pub result: Option<f32>,
    /// Points of the side to move by the search, mixed with those of later searches.
    pub searched: f32,
    /// True if the value is trained on the position: the side to move has no win by fours.
    pub is_quiet: bool,
    /// Pairs of combinations of the candidate moves; empty where there is no choice.
    pub candidates: Vec<u32>,
    /// The candidates' points, in the same order.
    pub candidate_points: Vec<Point>,
    /// Index of the played move among the candidates; `None` without candidates, and for a branch,
    /// because a branch's moves are random.
    pub played: Option<usize>,
    /// Number of stones on the board.
    pub ply: usize,
}

impl Sample {
    /// A sample of nothing.
    pub fn empty() -> Sample {
        Sample {
            side: Color::Black,
            size: 0,
            threat_key: 0,
            cells: Vec::new(),
            result: None,
            searched: 0.0,
            is_quiet: false,
            candidates: Vec::new(),
            candidate_points: Vec::new(),
            played: None,
            ply: 0,
        }
    }
}

/// Turns games into samples; reuses its memory from game to game.
pub struct Sampler {
    sample: Sample,
    /// Number of cells with each pair, all zero between positions.
    counts: Vec<u16>,
    vcf: Vcf,
    /// See [`td_targets`].
    td_lambda: f32,
}

impl Sampler {
    /// A sampler with this weight of later values, 0 to 1; see [`td_targets`].
    pub fn new(td_lambda: f32) -> Sampler {
        Sampler {
            sample: Sample::empty(),
            counts: vec![0; PAIRS],
            vcf: Vcf::new(12),
            td_lambda,
        }
    }

    /// Calls `learn` with every trainable position of a record: each has a search's value or a soft
    /// label.
    pub fn replay(&mut self, game: &TrainingRecord, learn: &mut impl FnMut(&Sample, &Position)) {
        let size = u32::from(game.size);
        let board = Board::new(size, size).expect("records have sizes that the engine plays on");
        let mut position = Position::new(&board, game.rule);
        self.sample.size = game.size;
        // Each search is short, so refutations kept from other records would change its answer, and
        // a run resumed here has not read those records.
        self.vcf.forget();
        // The moves of a branch are random, so later values say nothing about earlier positions.
        let is_branch = game.result == GameResult::Unknown;
        let targets = td_targets(game, if is_branch { 0.0 } else { self.td_lambda });
        for (ply, (&p, value)) in game.moves.iter().zip(&game.values).enumerate() {
            let played = (!is_branch).then_some(p);
            let is_sample = ply > 0 && ply >= usize::from(game.opening) && value.is_some();
            if is_sample && self.fill_sample(&mut position, played) {
                let side = position.side_to_move();
                self.sample.ply = ply;
                self.sample.searched = targets[ply];
                self.sample.result = result_points(game, side);
                learn(&self.sample, &position);
            }
            position.play(p);
        }
    }

    /// Fills the sample; false if the position cannot be trained on. `played` is the move that was
    /// played, `None` for a branch.
    fn fill_sample(&mut self, position: &mut Position, played: Option<Point>) -> bool {
        let side = position.side_to_move();
        if position.count(side, Class::Five) > 0
            || position.count(!side, Class::Five) > 0
            || position.has_straight_four()
        {
            return false;
        }
        let sample = &mut self.sample;
        sample.side = side;
        let fours = [Class::Four, Class::FourPlus, Class::FourThree];
        sample.is_quiet = fours.iter().all(|&four| position.count(side, four) == 0)
            || !matches!(self.vcf.solve(position, VCF_NODES), VcfResult::Win { .. });
        sample.threat_key = position.threat_key();
        let pair = |position: &Position, p: Point| {
            u32::from(position.combo(side, p)) * COMBOS as u32 + u32::from(position.combo(!side, p))
        };

        sample.cells.clear();
        if sample.is_quiet {
            for p in &position.free_set() {
                let pair = pair(position, p);
                let count = &mut self.counts[pair as usize];
                if *count == 0 {
                    sample.cells.push((pair, 0));
                }
                *count += 1;
            }
            for (pair, count) in &mut sample.cells {
                *count = std::mem::take(&mut self.counts[*pair as usize]);
            }
        }

        let (_, needed) = moves_to_search(position);
        sample.candidate_points.clear();
        sample
            .candidate_points
            .extend(needed.iter().filter(|&p| !position.is_forbidden(side, p)));
        sample.candidates.clear();
        let points = &sample.candidate_points;
        sample.played = played.and_then(|p| points.iter().position(|&candidate| candidate == p));
        if points.len() > 1 && (sample.played.is_some() || played.is_none()) {
            let pairs = points.iter().map(|&p| pair(position, p));
            sample.candidates.extend(pairs);
        } else {
            sample.played = None;
        }
        sample.is_quiet || sample.played.is_some()
    }
}

/// Points of `side` by the result of `game`: 0, 1/2 or 1; `None` for a branch.
fn result_points(game: &TrainingRecord, side: Color) -> Option<f32> {
    match game.result {
        GameResult::Draw => Some(0.5),
        GameResult::Win(winner) => Some(f32::from(u8::from(winner == side))),
        GameResult::Unknown => None,
    }
}

/// TD(lambda) targets: the expected points of the side to move at each ply of `game`. Each is the
/// search's value with weight `1 - td_lambda` and the target after the move with weight
/// `td_lambda`; the last one is mixed with the result. A ply without a search has the target of the
/// next one.
///
/// The result alone depends on all later mistakes, the search's value alone repeats its errors.
/// Source: R. Sutton, "Learning to predict by the methods of temporal differences" (1988).
fn td_targets(game: &TrainingRecord, td_lambda: f32) -> Vec<f32> {
    // Expected points of the side to move after the ply; the loop turns them round first.
    let mut next = result_points(game, Color::BOTH[game.moves.len() % 2]).unwrap_or(0.5);
    let mut targets: Vec<f32> = Vec::with_capacity(game.values.len());
    for value in game.values.iter().rev() {
        next = 1.0 - next;
        if let Some(value) = value {
            let points = (f32::from(*value) / 127.0 + 1.0) / 2.0;
            next = points + td_lambda * (next - points);
        }
        targets.push(next);
    }
    targets.reverse();
    targets
}
