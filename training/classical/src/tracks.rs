//! What the network sees of a game.
//!
//! From one position to the next most cells keep their windows, so a game is told as a track: the
//! states that each cell goes through, one after another, and the samples during which each state
//! lasts. A game has two tracks, one for each side to move, because each side sees its own windows.

use tengen::board::{Board, Direction, WINDOW_RADIUS};
use tengen::eval::network::window_number;
use tengen::position::Position;
use tengen::rules::Rule;
use tengen::types::{Color, POINTS, PerColor, Point, PointSet, Symmetry};

use crate::samples::Sample;

/// Networks that are trained: freestyle, standard, renju seen by Black and by White.
pub const NETS: usize = 4;

/// The network for positions of `rule` with `side` to move.
pub fn net(rule: Rule, side: Color) -> usize {
    match rule {
        Rule::Freestyle | Rule::Caro => 0,
        Rule::Standard | Rule::CaroExact => 1,
        Rule::Renju => 2 + side.index(),
    }
}

/// A cell while nothing within its windows changes.
pub struct State {
    /// Windows in the four directions.
    pub windows: [u32; 4],
    /// Ninth of the board in which the cell lies, rows first.
    pub region: u8,
    /// First sample that sees the state.
    pub enter: u32,
    /// First sample that does not see it any more; the number of samples if all later ones do.
    pub leave: u32,
}

/// What is to be learned from one position.
pub struct Target {
    /// Cells of the board.
    pub cells: u16,
    /// The classical evaluation for the side to move.
    pub value: i16,
    /// End of the game for the side to move: 0 lost, 1 drawn, 2 won, 3 none: a branch.
    pub result: u8,
    /// Value of the search that played the game, for the side to move, times 127.
    pub searched: i8,
    /// Whether the value is to be learned.
    pub is_quiet: bool,
    /// Where the position's choices begin in the track's list.
    pub first_choice: u32,
    /// Which of them was played, if any was.
    pub chosen: Option<u32>,
}

/// The positions of one game with the same side to move.
#[derive(Default)]
pub struct Track {
    /// The positions.
    pub targets: Vec<Target>,
    /// States of the cells.
    pub states: Vec<State>,
    /// Moves to choose from: the state of the cell, and its classical promise.
    pub choices: Vec<(u32, i16)>,
}

/// Writes a track while the game is played.
struct Recorder {
    side: Color,
    track: Track,
    /// The state that each cell is in.
    current: [u32; POINTS],
    /// Stones that the track has taken notice of.
    stones: usize,
}

impl Recorder {
    fn new(side: Color) -> Recorder {
        Recorder {
            side,
            track: Track::default(),
            current: [0; POINTS],
            stones: 0,
        }
    }

    fn add(&mut self, sample: &Sample, position: &Position, symmetry: Symmetry) {
        let board = position.board();
        let now = self.track.targets.len() as u32;
        if now == 0 {
            for p in board.points() {
                self.enter(board, p, now, symmetry);
            }
        } else {
            for p in &changed(board, self.stones) {
                self.track.states[self.current[p.index()] as usize].leave = now;
                self.enter(board, p, now, symmetry);
            }
        }
        self.stones = board.stones().len();
        self.track.targets.push(Target {
            cells: u16::from(board.width()) * u16::from(board.height()),
            value: position.evaluate().raw(),
            result: sample.result.map_or(3, |result| (result * 2.0) as u8),
            searched: (sample.searched * 254.0 - 127.0).round() as i8,
            is_quiet: sample.is_quiet,
            first_choice: self.track.choices.len() as u32,
            chosen: sample.chosen.map(|chosen| chosen as u32),
        });
        if !sample.choices.is_empty() {
            let choices = sample
                .points
                .iter()
                .map(|&p| (self.current[p.index()], position.policy(p) as i16));
            self.track.choices.extend(choices);
        }
    }

    fn enter(&mut self, board: &Board, p: Point, now: u32, symmetry: Symmetry) {
        let lines = board.lines();
        self.current[p.index()] = self.track.states.len() as u32;
        self.track.states.push(State {
            windows: Direction::ALL.map(|d| window_number(lines.window(d, p), self.side)),
            region: region(board, symmetry.map(p, board.width(), board.height())),
            enter: now,
            leave: u32::MAX,
        });
    }

    fn finish(&mut self) -> Track {
        self.stones = 0;
        let mut track = std::mem::take(&mut self.track);
        let end = track.targets.len() as u32;
        for state in &mut track.states {
            state.leave = state.leave.min(end);
        }
        track
    }
}

/// The ninth of the board in which `p` lies.
fn region(board: &Board, p: Point) -> u8 {
    3 * (3 * p.y() / board.height()) + 3 * p.x() / board.width()
}

/// The cells that see a stone put after the first `known`.
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

/// Makes the tracks of games, one game after another.
pub struct Tracker(PerColor<Recorder>);

impl Tracker {
    /// A tracker.
    pub fn new() -> Tracker {
        Tracker(PerColor(Color::BOTH.map(Recorder::new)))
    }

    /// Adds a position of the present game, on a square board turned by `symmetry`.
    pub fn add(&mut self, sample: &Sample, position: &Position, symmetry: Symmetry) {
        self.0[sample.side].add(sample, position, symmetry);
    }

    /// The tracks of the game for each side to move; afterwards another game can begin.
    pub fn finish(&mut self) -> PerColor<Track> {
        PerColor(Color::BOTH.map(|side| self.0[side].finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Sampler;
    use std::collections::BTreeMap;
    use tengen::datagen::{GameResult, TrainingRecord};

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

    /// The tracks, and with each sample the windows and regions that a fresh look finds.
    fn tracks(game: &TrainingRecord, symmetry: Symmetry) -> (PerColor<Track>, Vec<Vec<Seen>>) {
        let mut tracker = Tracker::new();
        let mut fresh = Vec::new();
        Sampler::new(0.0).replay(game, &mut |sample, position| {
            tracker.add(sample, position, symmetry);
            let board = position.board();
            let mut seen: Vec<Seen> = board
                .points()
                .map(|p| {
                    let windows = Direction::ALL
                        .map(|d| window_number(board.lines().window(d, p), sample.side));
                    (region(board, symmetry.map(p, 15, 15)), windows)
                })
                .collect();
            seen.sort_unstable();
            fresh.push(seen);
        });
        (tracker.finish(), fresh)
    }

    type Seen = (u8, [u32; 4]);

    /// The states that sample number `index` of a track sees.
    fn seen(track: &Track, index: u32) -> Vec<Seen> {
        let lasting = track
            .states
            .iter()
            .filter(|state| state.enter <= index && index < state.leave);
        let mut seen: Vec<_> = lasting.map(|s| (s.region, s.windows)).collect();
        seen.sort_unstable();
        seen
    }

    #[test]
    fn states_in_force_are_what_a_fresh_look_finds() {
        let (tracks, fresh) = tracks(&game(|p| p), Symmetry::new(5));
        let samples = Color::BOTH.map(|side| tracks[side].targets.len());
        assert_eq!(samples, [3, 4]);
        // White moves second, and the first sample is his.
        for (index, fresh) in fresh.iter().enumerate() {
            let side = Color::BOTH[1 - index % 2];
            assert_eq!(&seen(&tracks[side], index as u32 / 2), fresh);
        }
        let white = &tracks[Color::White];
        assert!(white.states.len() < 225 + 3 * 90);
        assert_eq!(white.targets[1].result, 2);
        assert_eq!(tracks[Color::Black].targets[1].result, 0);
        assert_eq!(white.targets[2].searched, 50);
    }

    #[test]
    fn the_move_played_is_the_chosen_state() {
        let game = game(|p| p);
        let (tracks, _) = tracks(&game, Symmetry::default());
        let track = &tracks[Color::Black];
        for (i, target) in track.targets.iter().enumerate() {
            let (state, _) = track.choices[(target.first_choice + target.chosen.unwrap()) as usize];
            let state = &track.states[state as usize];
            assert!(state.enter <= i as u32 && (i as u32) < state.leave);
            let played = game.moves[2 * i + 2];
            assert_eq!(state.region, 3 * (played.y() / 5) + played.x() / 5);
        }
    }

    #[test]
    fn a_turned_game_differs_in_the_regions_alone() {
        // Turning the game itself or asking for turned regions comes to the same.
        for number in 0..8 {
            let symmetry = Symmetry::new(number);
            let (asked, _) = tracks(&game(|p| p), symmetry);
            let (turned, _) = tracks(&game(|p| symmetry.map(p, 15, 15)), Symmetry::default());
            for (side, index) in [(Color::Black, 2), (Color::White, 3)] {
                let count = |track: &Track| {
                    let mut counts = BTreeMap::<_, u32>::new();
                    for (region, mut windows) in seen(track, index) {
                        windows.sort_unstable();
                        *counts.entry((region, windows)).or_default() += 1;
                    }
                    counts
                };
                assert_eq!(count(&asked[side]), count(&turned[side]), "{number}");
                let value = |track: &Track| track.targets[index as usize].value;
                assert_eq!(value(&asked[side]), value(&turned[side]));
            }
        }
    }
}
