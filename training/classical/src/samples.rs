//! What the evaluation sees of the positions of a game.

use tengen::board::Board;
use tengen::datagen::{GameResult, TrainingRecord};
use tengen::eval::PAIRS;
use tengen::patterns::{COMBOS, Class};
use tengen::position::Position;
use tengen::search::moves_to_search;
use tengen::threats::{Vcf, VcfResult};
use tengen::types::{Color, Point};

/// Positions that the search for a win by fours may visit before a position counts as quiet: what
/// the engine spends at its leaves.
const VCF_NODES: u64 = 60;

/// One position, from the side to move's view.
pub struct Sample {
    /// Whose turn it is.
    pub side: Color,
    /// Columns and rows of the board.
    pub size: u8,
    /// Key of the threats on the board.
    pub threat_key: usize,
    /// Pairs of combinations on the free cells, each once, and on how many cells.
    pub cells: Vec<(u32, u16)>,
    /// Points of the side to move at the end of the game: 0, 1/2 or 1; `None` on a branch.
    pub result: Option<f32>,
    /// Points expected by the search that played the game, and by its later searches.
    pub searched: f32,
    /// Whether the value model learns from the position: search does not settle it at once.
    pub is_quiet: bool,
    /// The pairs of combinations at the moves to choose from; empty where there was no choice.
    pub choices: Vec<u32>,
    /// The same choices' points, in the same order.
    pub points: Vec<Point>,
    /// Index of the move played among the choices; `None` without them, and on a branch, where
    /// nobody has chosen.
    pub chosen: Option<usize>,
}

/// Turns games into samples; keeps its memory from game to game.
pub struct Sampler {
    sample: Sample,
    /// Number of cells with each pair, all zero between positions.
    counts: Vec<u16>,
    vcf: Vcf,
    /// See [`expectations`].
    later: f32,
}

impl Sampler {
    /// A sampler that mixes `later` parts of later values into each search's; see [`expectations`].
    pub fn new(later: f32) -> Sampler {
        Sampler {
            sample: Sample {
                side: Color::Black,
                size: 0,
                threat_key: 0,
                cells: Vec::new(),
                result: None,
                searched: 0.0,
                is_quiet: false,
                choices: Vec::new(),
                points: Vec::new(),
                chosen: None,
            },
            counts: vec![0; PAIRS],
            vcf: Vcf::new(12),
            later,
        }
    }

    /// Hands every position of `game`, or of a branch, that something can be learned from to `learn`.
    pub fn replay(&mut self, game: &TrainingRecord, learn: &mut impl FnMut(&Sample, &Position)) {
        let size = u32::from(game.size);
        let board = Board::new(size, size).expect("records have sizes that the engine plays on");
        let mut position = Position::new(&board, game.rule);
        self.sample.size = game.size;
        // On a branch what comes later is no better: its moves are any.
        let is_branch = game.result == GameResult::Unknown;
        let expected = expectations(game, if is_branch { 0.0 } else { self.later });
        for (ply, (&played, &value)) in game.moves.iter().zip(&game.values).enumerate() {
            let is_searched = value.is_some() && ply > 0 && ply >= usize::from(game.opening);
            let chosen = Some(played).filter(|_| !is_branch);
            if is_searched && self.look(&mut position, chosen) {
                let side = position.side_to_move();
                self.sample.searched = expected[ply];
                self.sample.result = points(game, side);
                learn(&self.sample, &position);
            }
            position.play(played);
        }
    }

    /// Fills the sample in; false if nothing can be learned. `chosen` is the move that a search has
    /// chosen, if any has.
    fn look(&mut self, position: &mut Position, chosen: Option<Point>) -> bool {
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
        sample.points.clear();
        sample
            .points
            .extend(needed.iter().filter(|&p| !position.is_forbidden(side, p)));
        sample.choices.clear();
        sample.chosen = chosen.and_then(|chosen| sample.points.iter().position(|&p| p == chosen));
        if sample.points.len() > 1 && (sample.chosen.is_some() || chosen.is_none()) {
            let pairs = sample.points.iter().map(|&p| pair(position, p));
            sample.choices.extend(pairs);
        } else {
            sample.chosen = None;
        }
        sample.is_quiet || sample.chosen.is_some()
    }
}

/// Points of `side` at the end of `game`: 0, 1/2 or 1.
fn points(game: &TrainingRecord, side: Color) -> Option<f32> {
    match game.result {
        GameResult::Draw => Some(0.5),
        GameResult::Win(winner) => Some(f32::from(u8::from(winner == side))),
        GameResult::Unknown => None,
    }
}

/// Points that the side to move expects at each ply of `game`: `1 - later` parts what the search
/// there said, `later` parts what is expected after the move, up to the result at the end. Plies
/// without a search expect what the next one does.
///
/// A result alone tells of all the mistakes that are still to come, a search's value alone nothing of
/// what it missed. Source: R. Sutton, "Learning to predict by the methods of temporal differences"
/// (1988).
fn expectations(game: &TrainingRecord, later: f32) -> Vec<f32> {
    // For the side to move, in the end the one that would be.
    let mut next = points(game, Color::BOTH[game.moves.len() % 2]).unwrap_or(0.5);
    let mut expected: Vec<f32> = Vec::with_capacity(game.moves.len());
    for value in game.values.iter().rev() {
        next = 1.0 - next;
        if let Some(value) = value {
            let searched = (f32::from(*value) / 127.0 + 1.0) / 2.0;
            next = searched + later * (next - searched);
        }
        expected.push(next);
    }
    expected.reverse();
    expected
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
        };
        let mut seen = Vec::new();
        Sampler::new(0.0).replay(&game, &mut |sample, _| {
            let cells = sample.cells.iter().map(|&(_, count)| usize::from(count));
            if let Some(chosen) = sample.chosen {
                assert!((sample.choices[chosen] as usize) < PAIRS);
            }
            seen.push((
                cells.sum(),
                sample.side,
                sample.is_quiet,
                sample.choices.len(),
                sample.result.expect("a game's"),
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
        // Three stones stand: 222 free cells, White to move, and he will lose.
        let (cells, side, is_quiet, choices, result, searched) = seen[1];
        assert_eq!((cells, side, is_quiet), (222, Color::White, true));
        assert_eq!((result, searched), (0.0, 0.5));
        assert!(choices > 20);
        assert_eq!(seen[0].4, 1.0);
        // Black's three in a row leaves White only the cells that break it, which (1, 1) is not.
        let seen = samples(&[(7, 7), (0, 0), (8, 8), (0, 2), (9, 9), (1, 1)], 2);
        assert_eq!((seen[3].2, seen[3].3), (true, 0));
        let seen = samples(&[(7, 7), (0, 0), (8, 8), (0, 2), (9, 9), (6, 6)], 2);
        assert!((1..12).contains(&seen[3].3));
    }

    #[test]
    fn on_a_branch_only_the_values_are_learned() {
        let branch = TrainingRecord {
            size: 15,
            rule: Rule::Freestyle,
            opening: 2,
            result: GameResult::Unknown,
            moves: [(7, 7), (0, 0), (8, 8), (0, 2), (9, 9)]
                .map(|(x, y)| Point::new(x, y))
                .into(),
            values: vec![None, None, None, Some(127), Some(-127)],
        };
        let mut seen = Vec::new();
        Sampler::new(0.75).replay(&branch, &mut |sample, _| {
            let has_choices = sample.choices.len() > 1;
            seen.push((sample.result, sample.chosen, has_choices, sample.searched));
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
        };
        let close = |found: Vec<f32>, expected: &[f32]| {
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{found} {expected}");
            }
        };
        let values = [Some(127), None, Some(0), Some(-127)];
        // Plies of Black, White, Black, White; Black, to move when the game is over, lost it.
        let lost = game(&values, GameResult::Win(Color::White));
        close(expectations(&lost, 0.0), &[1.0, 0.5, 0.5, 0.0]);
        close(expectations(&lost, 1.0), &[0.0, 1.0, 0.0, 1.0]);
        // White: 1/2 of 0 and 1/2 of 1; Black: of 1/2 and of that; White has no search.
        close(expectations(&lost, 0.5), &[0.75, 0.5, 0.5, 0.5]);
        close(
            expectations(&game(&values[..3], GameResult::Draw), 0.5),
            &[0.75, 0.5, 0.5],
        );
        close(
            expectations(&game(&values[..3], GameResult::Win(Color::Black)), 0.5),
            &[0.875, 0.25, 0.75],
        );
    }

    #[test]
    fn decided_positions_are_left_out() {
        // Black has an open three and the move: a straight four; then White has to parry.
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
