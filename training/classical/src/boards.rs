//! Batches of whole boards in the binary form that the teacher's trainer reads.
//!
//! A batch has positions on boards of one size, of any rules. It is one frame, little endian: eight
//! `u32` of header, then arrays, each padded to a multiple of four bytes.
//!
//! | header | |
//! |---|---|
//! | magic | `TGP2` |
//! | N | columns and rows of the board |
//! | S, R, B | samples, records, bytes of records |
//! | block, blocks | the block of games that the batch belongs to, and blocks in a pass |
//! | last | 1 when the block ends with this batch |
//!
//! | array | holds |
//! |---|---|
//! | u8 S·N·N | each cell, rows from the top: 0 free, 1 own stone, 2 opponent's, 3 free but forbidden |
//! | u8 S·N·N | what the side to move makes on a free cell, a number of `Class`; 0 elsewhere |
//! | u8 S·N·N | the same for the opponent |
//! | i32 S | rule: 0 freestyle, 1 standard, 2 renju, 3 caro, 4 caro9 |
//! | i32 S | side to move: 0 Black, 1 White |
//! | i32 S | result: 0 lost, 1 drawn, 2 won, 3 unknown |
//! | i32 S | value of the search, times 127 |
//! | i32 S | the move played, `y * N + x`, or -1 |
//! | i32 S | stones on the board |
//! | i32 R+1, i32 R+1 | where the samples and the bytes of each record begin; R is 0 without `--label` |
//! | u8 B | the records |

use std::collections::BTreeMap;

use tengen::board::Cell;
use tengen::position::Position;
use tengen::types::{Point, Symmetry};
use tengen_tools::datagen::TrainingRecord;

use crate::batches::{Block, put};
use crate::lanes::{Closed, Outlet};
use crate::samples::{Sample, Sampler};
use crate::stream::Collector;

/// Collects whole boards. It turns none: the trainer turns boards itself.
pub struct BoardCollector {
    batch_size: usize,
    /// True if the batches carry the records.
    label: bool,
    by_size: BTreeMap<u8, BoardBatch>,
}

impl BoardCollector {
    /// A collector for batches of at least `batch_size` positions.
    pub fn new(batch_size: usize, label: bool) -> BoardCollector {
        BoardCollector {
            batch_size,
            label,
            by_size: BTreeMap::new(),
        }
    }
}

impl Collector for BoardCollector {
    fn add(
        &mut self,
        game: &TrainingRecord,
        sampler: &mut Sampler,
        _: Symmetry,
        block: Block,
        outlet: &mut Outlet,
    ) -> Result<(), Closed> {
        let batch = self.by_size.entry(game.size).or_default();
        let before = batch.len();
        sampler.replay(game, &mut |sample, position| batch.add(sample, position));
        if self.label && batch.len() > before {
            batch.record_samples.push(before as u32);
            batch.record_bytes.push(batch.records.len() as u32);
            game.write(&mut batch.records)
                .expect("writing to memory does not fail");
        }
        if batch.len() >= self.batch_size {
            outlet.put(std::mem::take(batch).bytes(game.size, block, false))?;
        }
        Ok(())
    }

    fn end_block(&mut self, block: Block, outlet: &mut Outlet) -> Result<(), Closed> {
        let all = std::mem::take(&mut self.by_size).into_iter();
        let mut left: Vec<_> = all.filter(|(_, batch)| batch.len() > 0).collect();
        let (size, last) = left.pop().unwrap_or_default();
        for (size, batch) in left {
            outlet.put(batch.bytes(size, block, false))?;
        }
        outlet.put(last.bytes(size, block, true))
    }
}

/// Positions on boards of one size.
#[derive(Default)]
struct BoardBatch {
    cells: Vec<u8>,
    own: Vec<u8>,
    opponent: Vec<u8>,
    rules: Vec<u32>,
    sides: Vec<u32>,
    results: Vec<u32>,
    searched: Vec<i32>,
    played: Vec<u32>,
    plies: Vec<u32>,
    record_samples: Vec<u32>,
    record_bytes: Vec<u32>,
    records: Vec<u8>,
}

impl BoardBatch {
    fn len(&self) -> usize {
        self.rules.len()
    }

    fn add(&mut self, sample: &Sample, position: &Position) {
        const NONE: u32 = u32::MAX;
        let (board, side) = (position.board(), position.side_to_move());
        let number = |p: Point| u32::from(p.y()) * u32::from(sample.size) + u32::from(p.x());
        for p in board.points() {
            let is_free = board.cell(p) == Cell::Empty;
            self.cells.push(match board.cell(p).color() {
                Some(color) => 1 + u8::from(color != side),
                None if position.is_forbidden(side, p) => 3,
                None => 0,
            });
            let class = |color| match is_free {
                true => position.class(color, p) as u8,
                false => 0,
            };
            self.own.push(class(side));
            self.opponent.push(class(!side));
        }
        self.rules.push(position.rule().index() as u32);
        self.sides.push(side.index() as u32);
        let result = sample.result.map_or(3, |result| (result * 2.0) as u32);
        self.results.push(result);
        let searched = (sample.searched * 254.0 - 127.0).round() as i32;
        self.searched.push(searched);
        let played = sample.played.map(|place| sample.candidate_points[place]);
        self.played.push(played.map_or(NONE, number));
        self.plies.push(sample.ply as u32);
    }

    /// The bytes of the batch.
    fn bytes(mut self, size: u8, block: Block, is_last: bool) -> Vec<u8> {
        let header = [
            u32::from(size),
            self.len() as u32,
            self.record_bytes.len() as u32,
            self.records.len() as u32,
            block.number,
            block.in_pass,
            u32::from(is_last),
        ];
        self.record_samples.push(self.len() as u32);
        self.record_bytes.push(self.records.len() as u32);
        let mut bytes = Vec::new();
        bytes.extend(*b"TGP2");
        put(&mut bytes, header);
        for cells in [&self.cells, &self.own, &self.opponent] {
            put_bytes(&mut bytes, cells);
        }
        put(&mut bytes, self.rules);
        put(&mut bytes, self.sides);
        put(&mut bytes, self.results);
        put(&mut bytes, self.searched.iter().map(|&v| v as u32));
        put(&mut bytes, self.played);
        put(&mut bytes, self.plies);
        put(&mut bytes, self.record_samples);
        put(&mut bytes, self.record_bytes);
        put_bytes(&mut bytes, &self.records);
        bytes
    }
}

/// Adds bytes, and zeros up to a multiple of four.
fn put_bytes(bytes: &mut Vec<u8>, more: &[u8]) {
    bytes.extend(more);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}
