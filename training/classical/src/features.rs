//! The network's inputs over a game.
//!
//! Most cells keep their windows from one position to the next. So a game is stored as the states
//! of its cells, each with its range of samples, once for each side to move, because each side has
//! its own windows.

use tengen::board::{Board, Direction, WINDOW_RADIUS};
use tengen::eval::network::window_number;
use tengen::position::Position;
use tengen::rules::Rule;
use tengen::types::{Color, POINTS, PerColor, Point, PointSet, Symmetry};

use crate::samples::Sample;

/// Number of networks: freestyle, standard, renju seen by Black and by White, caro, caro9.
pub const NETS: usize = 6;

/// Index of the network for positions of `rule` with `side` to move.
pub fn net_index(rule: Rule, side: Color) -> usize {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 2 + side.index(),
        Rule::Caro => 4,
        Rule::CaroExact => 5,
    }
}

/// A cell between two changes of its windows.
pub struct CellState {
    /// Windows in the four directions.
    pub windows: [u32; 4],
    /// Ninth of the board in which the cell lies, rows first.
    pub region: u8,
    /// First sample with the state.
    pub enter: u32,
    /// First later sample without the state; the number of samples if there is none.
    pub leave: u32,
}

/// One position: the targets of its value and policy.
pub struct Target {
    /// Cells of the board.
    pub cells: u16,
    /// The classical evaluation for the side to move.
    pub classical: i16,
    /// Result for the side to move: 0 lost, 1 drawn, 2 won, 3 unknown (a branch).
    pub result: u8,
    /// The search's value for the side to move, times 127.
    pub searched: i8,
    /// True if the value is trained.
    pub is_quiet: bool,
    /// Index of the position's first candidate move in [`GameFeatures::candidates`].
    pub first_candidate: u32,
    /// Index of the candidate that was played, if any.
    pub played: Option<u32>,
}

/// The positions of one game with the same side to move.
#[derive(Default)]
pub struct GameFeatures {
    /// The positions.
    pub targets: Vec<Target>,
    /// States of the cells.
    pub states: Vec<CellState>,
    /// Candidate moves: the state of the cell, and the classical policy logit.
    pub candidates: Vec<(u32, i16)>,
}

/// Collects the positions of a game with one side to move.
struct SideRecorder {
    side: Color,
    features: GameFeatures,
    /// The index of each cell's present state.
    current: [u32; POINTS],
    /// Stones on the board in the last sample.
    stones: usize,
}

impl SideRecorder {
    fn new(side: Color) -> SideRecorder {
        SideRecorder {
            side,
            features: GameFeatures::default(),
            current: [0; POINTS],
            stones: 0,
        }
    }

    fn add(&mut self, sample: &Sample, position: &Position, symmetry: Symmetry) {
        let board = position.board();
        let now = self.features.targets.len() as u32;
        if now == 0 {
            for p in board.points() {
                self.enter(board, p, now, symmetry);
            }
        } else {
            for p in &changed(board, self.stones) {
                self.features.states[self.current[p.index()] as usize].leave = now;
                self.enter(board, p, now, symmetry);
            }
        }
        self.stones = board.stones().len();
        let first_candidate = self.features.candidates.len() as u32;
        self.features.targets.push(Target {
            cells: u16::from(board.width()) * u16::from(board.height()),
            classical: position.evaluate().raw(),
            result: sample.result.map_or(3, |result| (result * 2.0) as u8),
            searched: (sample.searched * 254.0 - 127.0).round() as i8,
            is_quiet: sample.is_quiet,
            first_candidate,
            played: sample.played.map(|played| played as u32),
        });
        if !sample.candidates.is_empty() {
            let candidates = sample
                .candidate_points
                .iter()
                .map(|&p| (self.current[p.index()], position.policy(p) as i16));
            self.features.candidates.extend(candidates);
        }
    }

    fn enter(&mut self, board: &Board, p: Point, now: u32, symmetry: Symmetry) {
        let lines = board.lines();
        self.current[p.index()] = self.features.states.len() as u32;
        self.features.states.push(CellState {
            windows: Direction::ALL.map(|d| window_number(lines.window(d, p), self.side)),
            region: region(board, symmetry.map(p, board.width(), board.height())),
            enter: now,
            leave: u32::MAX,
        });
    }

    fn finish(&mut self) -> GameFeatures {
        self.stones = 0;
        let mut features = std::mem::take(&mut self.features);
        let end = features.targets.len() as u32;
        for state in &mut features.states {
            state.leave = state.leave.min(end);
        }
        features
    }
}

/// The ninth of the board in which `p` lies.
fn region(board: &Board, p: Point) -> u8 {
    3 * (3 * p.y() / board.height()) + 3 * p.x() / board.width()
}

/// The cells with a stone after the first `known` in one of their windows.
fn changed(board: &Board, known: usize) -> PointSet {
    let mut set = PointSet::EMPTY;
    let reach = WINDOW_RADIUS as i32;
    for stone in &board.stones()[known..] {
        for direction in Direction::ALL {
            let near = (-reach..=reach).filter_map(|k| board.step(stone.point, direction, k));
            near.for_each(|p| set.insert(p));
        }
    }
    set
}

/// Collects the positions of games, one game after another.
pub struct FeatureRecorder(PerColor<SideRecorder>);

impl FeatureRecorder {
    /// A recorder without positions.
    pub fn new() -> FeatureRecorder {
        FeatureRecorder(PerColor(Color::BOTH.map(SideRecorder::new)))
    }

    /// Adds a position of the current game, on a square board, with its regions turned by
    /// `symmetry`.
    pub fn add(&mut self, sample: &Sample, position: &Position, symmetry: Symmetry) {
        self.0[sample.side].add(sample, position, symmetry);
    }

    /// The positions of the game for each side to move. Then another game can begin.
    pub fn finish(&mut self) -> PerColor<GameFeatures> {
        PerColor(Color::BOTH.map(|side| self.0[side].finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Sampler;
    use std::collections::BTreeMap;
    use tengen_tools::datagen::{GameResult, TrainingRecord};

    const MOVES: [(u8, u8); 8] = [
        (7, 7),
        (8, 6),
        (6, 6),
        (9, 9),
        (5, 8),
        (4, 7),
        (10, 4),
        (8, 8),
    ];

    fn game(map: impl Fn(Point) -> Point) -> TrainingRecord {
        TrainingRecord {
            size: 15,
            rule: Rule::Renju,
            opening: 1,
            result: GameResult::Win(Color::White),
            moves: MOVES.iter().map(|&(x, y)| map(Point::new(x, y))).collect(),
            values: (0..8).map(|i| (i > 0).then_some(10 * i)).collect(),
        }
    }

    /// The features, and for each sample the regions and windows computed from the board.
    fn record(
        game: &TrainingRecord,
        symmetry: Symmetry,
    ) -> (PerColor<GameFeatures>, Vec<Vec<Cell>>) {
        let mut recorder = FeatureRecorder::new();
        let mut computed = Vec::new();
        Sampler::new(0.0).replay(game, &mut |sample, position| {
            recorder.add(sample, position, symmetry);
            let board = position.board();
            let mut cells: Vec<Cell> = board
                .points()
                .map(|p| {
                    let windows = Direction::ALL
                        .map(|d| window_number(board.lines().window(d, p), sample.side));
                    (region(board, symmetry.map(p, 15, 15)), windows)
                })
                .collect();
            cells.sort_unstable();
            computed.push(cells);
        });
        (recorder.finish(), computed)
    }

    /// Region and windows of a cell.
    type Cell = (u8, [u32; 4]);

    /// The cells of sample number `index`.
    fn cells(features: &GameFeatures, index: u32) -> Vec<Cell> {
        let lasting = features
            .states
            .iter()
            .filter(|state| state.enter <= index && index < state.leave);
        let mut cells: Vec<_> = lasting.map(|s| (s.region, s.windows)).collect();
        cells.sort_unstable();
        cells
    }

    #[test]
    fn states_in_force_are_those_of_the_board() {
        let (features, computed) = record(&game(|p| p), Symmetry::new(5));
        let samples = Color::BOTH.map(|side| features[side].targets.len());
        assert_eq!(samples, [3, 4]);
        // White moves second and has the first sample.
        for (index, computed) in computed.iter().enumerate() {
            let side = Color::BOTH[1 - index % 2];
            assert_eq!(&cells(&features[side], index as u32 / 2), computed);
        }
        let white = &features[Color::White];
        assert!(white.states.len() < 225 + 3 * 90);
        assert_eq!(white.targets[1].result, 2);
        assert_eq!(features[Color::Black].targets[1].result, 0);
        assert_eq!(white.targets[2].searched, 50);
    }

    #[test]
    fn the_move_played_is_a_state_in_force() {
        let game = game(|p| p);
        let (features, _) = record(&game, Symmetry::default());
        let features = &features[Color::Black];
        for (i, target) in features.targets.iter().enumerate() {
            let (state, _) =
                features.candidates[(target.first_candidate + target.played.unwrap()) as usize];
            let state = &features.states[state as usize];
            assert!(state.enter <= i as u32 && (i as u32) < state.leave);
            let played = game.moves[2 * i + 2];
            assert_eq!(state.region, 3 * (played.y() / 5) + played.x() / 5);
        }
    }

    #[test]
    fn a_turned_game_differs_in_the_regions_alone() {
        // Turned moves with turned regions give the same features.
        for number in 0..8 {
            let symmetry = Symmetry::new(number);
            let (by_region, _) = record(&game(|p| p), symmetry);
            let (turned, _) = record(&game(|p| symmetry.map(p, 15, 15)), Symmetry::default());
            for (side, index) in [(Color::Black, 2), (Color::White, 3)] {
                let count = |features: &GameFeatures| {
                    let mut counts = BTreeMap::<_, u32>::new();
                    for (region, mut windows) in cells(features, index) {
                        windows.sort_unstable();
                        *counts.entry((region, windows)).or_default() += 1;
                    }
                    counts
                };
                assert_eq!(count(&by_region[side]), count(&turned[side]), "{number}");
                let classical =
                    |features: &GameFeatures| features.targets[index as usize].classical;
                assert_eq!(classical(&by_region[side]), classical(&turned[side]));
            }
        }
    }
}
