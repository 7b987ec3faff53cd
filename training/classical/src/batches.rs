//! Batches of positions in the binary form that the network's trainer reads.
//!
//! A batch is one frame, little endian: ten `u32` of header, then arrays.
//!
//! | header | |
//! |---|---|
//! | magic | `TGB4` |
//! | net | 0 freestyle, 1 standard, 2 renju seen by Black, 3 by White, 4 caro, 5 caro9 |
//! | S, G, D, K, E | samples, cell states, distinct windows, candidate moves, events |
//! | block, blocks | the block of games that the batch belongs to, and blocks in a pass |
//! | last | 1 when the block ends with this batch |
//!
//! | array | holds |
//! |---|---|
//! | i32 D | number of each distinct window |
//! | i32 4G | for each state its four windows, as indices into the list above |
//! | i32 D+1, i32 4G | for each distinct window its states: where they begin in the second list, and the list, where a state stands once for each occurrence of the window |
//! | i32 G, i32 G | for each state the bags where it enters and leaves; a bag is a sample and a region, `9 * sample + region`; 9S or more = never leaves |
//! | i32 9S+1, i32 E, f32 E | for each bag where its events begin; states of the events; 1 entering, -1 leaving |
//! | i32 S | cells of the board |
//! | i32 S | classical evaluation |
//! | i32 S | result: 0 lost, 1 drawn, 2 won, 3 unknown (a branch) |
//! | i32 S | value of the search, times 127 |
//! | i32 S | 1 where the value is trained |
//! | i32 S+1, i32 S | where each sample's candidates begin; index of the candidate that was played, or -1 |
//! | i32 K, i32 K | state and classical policy logit of each candidate |
//!
//! With these lists the trainer computes all sums, forward and backward, as gathers, so they do not
//! depend on threads.

use tengen::eval::network::WINDOWS;

use crate::features::GameFeatures;

/// Regions of the board.
const REGIONS: usize = 9;
/// No index.
const NONE: u32 = u32::MAX;

/// The block of games of a batch.
#[derive(Clone, Copy)]
pub struct Block {
    /// Number of the block, counted through all passes.
    pub number: u32,
    /// Blocks in one pass over the games.
    pub in_pass: u32,
}

/// Collects the positions of one network until they make a batch.
pub struct Batch {
    net: u32,
    /// Distinct windows, in the order of their first appearance.
    windows: Vec<u32>,
    /// Index of every window in that list, or [`NONE`].
    indices: Vec<u32>,
    state_windows: Vec<u32>,
    enter: Vec<u32>,
    leave: Vec<u32>,
    cells: Vec<u32>,
    classical: Vec<i32>,
    results: Vec<u32>,
    searched: Vec<i32>,
    quiet: Vec<u32>,
    candidate_from: Vec<u32>,
    played: Vec<u32>,
    candidate_states: Vec<u32>,
    classical_policy: Vec<i32>,
}

impl Batch {
    /// An empty batch for network number `net`.
    pub fn new(net: usize) -> Batch {
        Batch {
            net: net as u32,
            windows: Vec::new(),
            indices: vec![NONE; WINDOWS],
            state_windows: Vec::new(),
            enter: Vec::new(),
            leave: Vec::new(),
            cells: Vec::new(),
            classical: Vec::new(),
            results: Vec::new(),
            searched: Vec::new(),
            quiet: Vec::new(),
            candidate_from: Vec::new(),
            played: Vec::new(),
            candidate_states: Vec::new(),
            classical_policy: Vec::new(),
        }
    }

    /// Number of samples collected.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Adds the positions of a game with one side to move.
    pub fn add(&mut self, features: &GameFeatures) {
        let first_sample = self.len() as u32;
        let first_state = self.enter.len() as u32;
        let first_candidate = self.candidate_states.len() as u32;
        for state in &features.states {
            for window in state.windows {
                let index = &mut self.indices[window as usize];
                if *index == NONE {
                    *index = self.windows.len() as u32;
                    self.windows.push(window);
                }
                self.state_windows.push(*index);
            }
            let bag =
                |sample: u32| (first_sample + sample) * REGIONS as u32 + u32::from(state.region);
            self.enter.push(bag(state.enter));
            self.leave.push(bag(state.leave));
        }
        for target in &features.targets {
            self.cells.push(u32::from(target.cells));
            self.classical.push(i32::from(target.classical));
            self.results.push(u32::from(target.result));
            self.searched.push(i32::from(target.searched));
            self.quiet.push(u32::from(target.is_quiet));
            self.candidate_from
                .push(first_candidate + target.first_candidate);
            let index = |played: u32| first_candidate + target.first_candidate + played;
            self.played.push(target.played.map_or(NONE, index));
        }
        for &(state, logit) in &features.candidates {
            self.candidate_states.push(first_state + state);
            self.classical_policy.push(i32::from(logit));
        }
    }

    /// The bytes of the batch, which is empty then.
    pub fn take(&mut self, block: Block, is_last: bool) -> Vec<u8> {
        let (samples, states) = (self.len(), self.enter.len());
        let bags = REGIONS * samples;
        for leave in &mut self.leave {
            *leave = (*leave).min(bags as u32);
        }
        let (window_from, window_states) =
            grouped(self.windows.len(), self.state_windows.iter().copied());
        // Event 2 * state: it enters; 2 * state + 1: it leaves. States without an end get one more
        // bag, cut off below.
        let events = self
            .enter
            .iter()
            .zip(&self.leave)
            .flat_map(|(&e, &l)| [e, l]);
        let (mut event_from, mut event_list) = grouped(bags + 1, events);
        event_from.pop();
        event_list.truncate(event_from[bags] as usize);
        self.candidate_from.push(self.candidate_states.len() as u32);

        let mut bytes = Vec::new();
        bytes.extend(*b"TGB4");
        let header = [
            self.net,
            samples as u32,
            states as u32,
            self.windows.len() as u32,
            self.candidate_states.len() as u32,
            event_list.len() as u32,
            block.number,
            block.in_pass,
            u32::from(is_last),
        ];
        put(&mut bytes, header);
        put(&mut bytes, self.windows.iter().copied());
        put(&mut bytes, self.state_windows.iter().copied());
        put(&mut bytes, window_from);
        put(&mut bytes, window_states.iter().map(|index| index / 4));
        put(&mut bytes, self.enter.iter().copied());
        put(&mut bytes, self.leave.iter().copied());
        put(&mut bytes, event_from);
        put(&mut bytes, event_list.iter().map(|event| event / 2));
        let sign = |event: &u32| if event.is_multiple_of(2) { 1f32 } else { -1.0 };
        put(
            &mut bytes,
            event_list.iter().map(|event| sign(event).to_bits()),
        );
        put(&mut bytes, self.cells.iter().copied());
        put(&mut bytes, self.classical.iter().map(|&v| v as u32));
        put(&mut bytes, self.results.iter().copied());
        put(&mut bytes, self.searched.iter().map(|&v| v as u32));
        put(&mut bytes, self.quiet.iter().copied());
        put(&mut bytes, self.candidate_from.iter().copied());
        put(&mut bytes, self.played.iter().copied());
        put(&mut bytes, self.candidate_states.iter().copied());
        put(&mut bytes, self.classical_policy.iter().map(|&v| v as u32));
        self.clear();
        bytes
    }

    fn clear(&mut self) {
        for window in self.windows.drain(..) {
            self.indices[window as usize] = NONE;
        }
        let lists = [
            &mut self.state_windows,
            &mut self.enter,
            &mut self.leave,
            &mut self.cells,
            &mut self.results,
            &mut self.quiet,
            &mut self.candidate_from,
            &mut self.played,
            &mut self.candidate_states,
        ];
        lists.into_iter().for_each(Vec::clear);
        let signed = [
            &mut self.classical,
            &mut self.searched,
            &mut self.classical_policy,
        ];
        signed.into_iter().for_each(Vec::clear);
    }
}

/// Adds numbers to the bytes of a frame.
pub fn put(bytes: &mut Vec<u8>, numbers: impl IntoIterator<Item = u32>) {
    bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
}

/// The first index of each group below `count` (and the end), then the indices in `groups` of the
/// groups' members, group by group and in order.
fn grouped(count: usize, groups: impl Iterator<Item = u32> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut from = vec![0; count + 1];
    for group in groups.clone() {
        from[group as usize + 1] += 1;
    }
    for i in 0..count {
        from[i + 1] += from[i];
    }
    let mut next = from.clone();
    let mut members = vec![0; from[count] as usize];
    for (index, group) in groups.enumerate() {
        let slot = &mut next[group as usize];
        members[*slot as usize] = index as u32;
        *slot += 1;
    }
    (from, members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{CellState, Target};

    /// Two samples; three states, of which the second becomes the third.
    fn features() -> GameFeatures {
        let state = |window: u32, region, enter, leave| CellState {
            windows: [window, 5, 5, 9],
            region,
            enter,
            leave,
        };
        let target = |first_candidate, played| Target {
            cells: 225,
            classical: -30,
            result: 2,
            searched: -5,
            is_quiet: true,
            first_candidate,
            played,
        };
        GameFeatures {
            targets: vec![target(0, Some(1)), target(2, None)],
            states: vec![state(7, 0, 0, 2), state(8, 4, 0, 1), state(7, 4, 1, 2)],
            candidates: vec![(0, 50), (1, -60)],
        }
    }

    fn numbers(bytes: &[u8]) -> Vec<i32> {
        let words = bytes.chunks_exact(4);
        words
            .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect()
    }

    #[test]
    fn lists_have_the_documented_layout() {
        let mut batch = Batch::new(3);
        batch.add(&features());
        batch.add(&features());
        let block = Block {
            number: 6,
            in_pass: 11,
        };
        let bytes = batch.take(block, true);
        assert_eq!(bytes[..4], *b"TGB4");
        let numbers = numbers(&bytes[4..]);
        assert_eq!(numbers[..9], [3, 4, 6, 4, 4, 10, 6, 11, 1]);
        let mut rest = &numbers[9..];
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head.to_vec()
        };
        assert_eq!(take(4), [7, 5, 9, 8]);
        let once = [0, 1, 1, 2, 3, 1, 1, 2, 0, 1, 1, 2];
        assert_eq!(take(24), [once, once].concat());
        assert_eq!(take(5), [0, 4, 16, 22, 24]);
        let states = take(24);
        assert_eq!(states[..4], [0, 2, 3, 5]);
        assert_eq!(states[4..8], [0, 0, 1, 1]);
        assert_eq!(states[22..], [1, 4]);
        assert_eq!(take(6), [0, 4, 13, 18, 22, 31]);
        assert_eq!(take(6), [18, 13, 22, 36, 31, 36]);
        let from = take(37);
        let (events, signs) = (take(10), take(10));
        let bag = |bag: usize| {
            let signs = signs.iter().map(|&s| f32::from_bits(s as u32));
            let events: Vec<(i32, f32)> = events.iter().copied().zip(signs).collect();
            events[from[bag] as usize..from[bag + 1] as usize].to_vec()
        };
        assert_eq!(bag(0), [(0, 1.0)]);
        assert_eq!(bag(13), [(1, -1.0), (2, 1.0)]);
        // The last states of the first game leave where the second game begins.
        assert_eq!(bag(18), [(0, -1.0), (3, 1.0)]);
        assert_eq!(bag(22), [(2, -1.0), (4, 1.0)]);
        assert_eq!(from[36], 10);
        assert_eq!(take(4), [225; 4]);
        assert_eq!(take(4), [-30; 4]);
        assert_eq!(take(4), [2; 4]);
        assert_eq!(take(4), [-5; 4]);
        assert_eq!(take(4), [1; 4]);
        assert_eq!(take(5), [0, 2, 2, 4, 4]);
        assert_eq!(take(4), [1, -1, 3, -1]);
        assert_eq!(take(4), [0, 1, 3, 4]);
        assert_eq!(take(4), [50, -60, 50, -60]);
        assert!(take(0).is_empty() && rest.is_empty());
    }

    #[test]
    fn writing_empties_the_batch() {
        let mut batch = Batch::new(0);
        let block = Block {
            number: 0,
            in_pass: 1,
        };
        let mut written = || {
            batch.add(&features());
            batch.take(block, false)
        };
        assert_eq!(written(), written());
    }
}
