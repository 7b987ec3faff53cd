//! From games to samples: the features of the classical evaluation, and what is trained on.

use tengen::board::Board;
use tengen::datagen::{GameResult, TrainingRecord};
use tengen::eval::PAIRS;
use tengen::patterns::{COMBOS, Class};
use tengen::position::Position;
use tengen::search::moves_to_search;
use tengen::threats::{Vcf, VcfResult};
use tengen::types::{Color, Point};

/// A position is quiet if a search for a win by fours finds none in so many nodes, the number that the
/// engine spends at a leaf.
const VCF_NODES: u64 = 60;

/// One position, from the side to move's view.
pub struct Sample {
    /// Whose turn it is.
    pub side: Color,
    /// Columns and rows of the board.
    pub size: u8,
    /// Key of the threats on the board.
    pub threat_key: usize,
    /// Pairs of combinations on the free cells, each once, and the number of cells with it.
    pub cells: Vec<(u32, u16)>,
    /// Points of the side to move by the game's result: 0, 1/2 or 1; `None` for a branch.
    pub result: Option<f32>,
    /// Points of the side to move by the search, mixed with those of later searches.
    pub searched: f32,
    /// Whether the value is trained on the position: the side to move has no win by fours.
    pub is_quiet: bool,
    /// Pairs of combinations of the candidate moves; empty where there is no choice.
    pub candidates: Vec<u32>,
    /// The candidates' points, in the same order.
    pub candidate_points: Vec<Point>,
    /// Index of the move played among the candidates; `None` without them, and for a branch, whose
    /// moves are random.
    pub played: Option<usize>,
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
            sample: Sample {
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
            },
            counts: vec![0; PAIRS],
            vcf: Vcf::new(12),
            td_lambda,
        }
    }

    /// Calls `learn` with every position of a game or branch that can be trained on.
    pub fn replay(&mut self, game: &TrainingRecord, learn: &mut impl FnMut(&Sample, &Position)) {
        let size = u32::from(game.size);
        let board = Board::new(size, size).expect("records have sizes that the engine plays on");
        let mut position = Position::new(&board, game.rule);
        self.sample.size = game.size;
        // The moves of a branch are random, so later values say nothing about earlier positions.
        let is_branch = game.result == GameResult::Unknown;
        let targets = td_targets(game, if is_branch { 0.0 } else { self.td_lambda });
        for (ply, (&p, &value)) in game.moves.iter().zip(&game.values).enumerate() {
            let is_searched = value.is_some() && ply > 0 && ply >= usize::from(game.opening);
            let played = Some(p).filter(|_| !is_branch);
            if is_searched && self.fill_sample(&mut position, played) {
                let side = position.side_to_move();
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
        sample.played = played.and_then(|played| points.iter().position(|&p| p == played));
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
/// search's value with weight `1 - td_lambda` and the target after the move with weight `td_lambda`;
/// the last one is mixed with the result. A ply without a search has the target of the next one.
///
/// The result alone depends on all later mistakes, the search's value alone repeats its errors.
/// Source: R. Sutton, "Learning to predict by the methods of temporal differences" (1988).
fn td_targets(game: &TrainingRecord, td_lambda: f32) -> Vec<f32> {
    // Of the side to move; at the end of the game, of the side that would move.
    let mut next = result_points(game, Color::BOTH[game.moves.len() % 2]).unwrap_or(0.5);
    let mut targets: Vec<f32> = Vec::with_capacity(game.moves.len());
    for value in game.values.iter().rev() {
        next = 1.0 - next;
        if let Some(value) = value {
            let searched = (f32::from(*value) / 127.0 + 1.0) / 2.0;
            next = searched + td_lambda * (next - searched);
        }
        targets.push(next);
    }
    targets.reverse();
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::rules::Rule;

    /// The samples of a game that Black wins, all its moves searched with value 0 but the first.
    fn samples(moves: &[(u8, u8)], opening: u8) -> Vec<(usize, Color, bool, usize, f32, f32)> {
        let game = TrainingRecord {
            size: 15,
            rule: Rule::Freestyle,
            opening,
            result: GameResult::Win(Color::Black),
            moves: moves.iter().map(|&(x, y)| Point::new(x, y)).collect(),
            values: (0..moves.len()).map(|i| (i > 0).then_some(0)).collect(),
            soft_labels: Vec::new(),
        };
        let mut seen = Vec::new();
        Sampler::new(0.0).replay(&game, &mut |sample, _| {
            let cells = sample.cells.iter().map(|&(_, count)| usize::from(count));
            if let Some(played) = sample.played {
                assert!((sample.candidates[played] as usize) < PAIRS);
            }
            seen.push((
                cells.sum(),
                sample.side,
                sample.is_quiet,
                sample.candidates.len(),
                sample.result.expect("a game has a result"),
                sample.searched,
            ));
        });
        seen
    }

    #[test]
    fn quiet_positions_after_the_opening_are_seen_from_the_side_to_move() {
        let moves = [(7, 7), (0, 0), (8, 8), (0, 2), (9, 9)];
        let seen = samples(&moves, 2);
        assert_eq!(seen.len(), 3);
        // Three stones are on the board: 222 free cells, White to move, who will lose.
        let (cells, side, is_quiet, candidates, result, searched) = seen[1];
        assert_eq!((cells, side, is_quiet), (222, Color::White, true));
        assert_eq!((result, searched), (0.0, 0.5));
        assert!(candidates > 20);
        assert_eq!(seen[0].4, 1.0);
        // Black's open three leaves White only the cells that stop it; (1, 1) is none of them.
        let seen = samples(&[(7, 7), (0, 0), (8, 8), (0, 2), (9, 9), (1, 1)], 2);
        assert_eq!((seen[3].2, seen[3].3), (true, 0));
        let seen = samples(&[(7, 7), (0, 0), (8, 8), (0, 2), (9, 9), (6, 6)], 2);
        assert!((1..12).contains(&seen[3].3));
    }

    #[test]
    fn only_the_values_of_a_branch_are_trained_on() {
        let branch = TrainingRecord {
            size: 15,
            rule: Rule::Freestyle,
            opening: 2,
            result: GameResult::Unknown,
            moves: [(7, 7), (0, 0), (8, 8), (0, 2), (9, 9)]
                .map(|(x, y)| Point::new(x, y))
                .into(),
            values: vec![None, None, None, Some(127), Some(-127)],
            soft_labels: Vec::new(),
        };
        let mut seen = Vec::new();
        Sampler::new(0.75).replay(&branch, &mut |sample, _| {
            let has_candidates = sample.candidates.len() > 1;
            seen.push((
                sample.result,
                sample.played,
                has_candidates,
                sample.searched,
            ));
        });
        assert_eq!(seen, [(None, None, true, 1.0), (None, None, true, 0.0)]);
    }

    #[test]
    fn later_values_and_the_result_flow_back() {
        let game = |values: &[Option<i8>], result| TrainingRecord {
            size: 15,
            rule: Rule::Freestyle,
            opening: 0,
            result,
            moves: (0..values.len() as u8).map(|i| Point::new(i, i)).collect(),
            values: values.to_vec(),
            soft_labels: Vec::new(),
        };
        let close = |found: Vec<f32>, expected: &[f32]| {
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{found} {expected}");
            }
        };
        let values = [Some(127), None, Some(0), Some(-127)];
        // Plies of Black, White, Black, White; Black, who would move next, has lost.
        let lost = game(&values, GameResult::Win(Color::White));
        close(td_targets(&lost, 0.0), &[1.0, 0.5, 0.5, 0.0]);
        close(td_targets(&lost, 1.0), &[0.0, 1.0, 0.0, 1.0]);
        // From the end, White: half of 0 and half of 1; Black: half of 1/2 and half of that; White has no
        // search.
        close(td_targets(&lost, 0.5), &[0.75, 0.5, 0.5, 0.5]);
        close(
            td_targets(&game(&values[..3], GameResult::Draw), 0.5),
            &[0.75, 0.5, 0.5],
        );
        close(
            td_targets(&game(&values[..3], GameResult::Win(Color::Black)), 0.5),
            &[0.875, 0.25, 0.75],
        );
    }

    #[test]
    fn decided_positions_are_left_out() {
        // Black makes a straight four of an open three; then White has to block.
        let moves = [
            (7, 7),
            (0, 0),
            (8, 8),
            (0, 2),
            (9, 9),
            (0, 4),
            (10, 10),
            (6, 6),
            (11, 11),
        ];
        let seen = samples(&moves, 5);
        assert_eq!(seen.len(), 1);
    }
}
