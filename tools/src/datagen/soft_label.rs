//! What somebody, such as a large network, says of a position: win, draw and loss, and how good moves
//! are. Behind the values of a record whose result is 4 or more (see [`record`](super::record)), little
//! endian:
//!
//! | bytes | field |
//! |---|---|
//! | 2 | number of labels, at least 1 |
//!
//! and for each label, in the order of the plies:
//!
//! | bytes | field |
//! |---|---|
//! | 2 | number of stones on the board, 0 to n |
//! | 2, 2 | probability that the side to move wins, and that nobody does, in 1/65535, together at most 1; both 65535 = unknown |
//! | 1 | k, number of moves; 0 = unknown |
//! | 3k | for each move: u16 `y * S + x`, u8 weight from 1 |
//!
//! The moves are free cells, each once, the best first by custom. Their weights are in any unit; readers
//! divide by the sum. A label has an outcome or moves, or both.

use std::io::{self, Read};

use super::cells::{cell_of, point_of};
use tengen::types::{Point, PointSet};

/// Stored where the outcome is not known.
const NO_OUTCOME: [u16; 2] = [u16::MAX; 2];

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoftLabel {
    /// Stones on the board of the position.
    pub ply: u16,
    /// How the game ends.
    pub outcome: Option<SoftOutcome>,
    /// Moves with their weights, each at least 1; empty where nothing is known of them.
    pub policy: Vec<(Point, u8)>,
}

/// Probabilities of how a game ends, in 1/65535. The rest is that of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoftOutcome {
    /// The side to move wins.
    pub win: u16,
    /// Nobody wins.
    pub draw: u16,
}

/// Why a soft label cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SoftLabelError {
    /// A record with none.
    #[error("no soft label in a record that has some")]
    Nothing,
    /// Not behind the label before, or behind the last move.
    #[error("a soft label of {0} stones, which is not in order or behind the end")]
    Ply(u16),
    /// Neither outcome nor moves.
    #[error("an empty soft label of {0} stones")]
    Empty(u16),
    /// Win and draw are together more than 1.
    #[error("win and draw of the soft label of {0} stones are more than certain")]
    Outcome(u16),
    /// A move off the board, to a stone, or twice, or without weight.
    #[error("the soft label of {ply} stones has a wrong move to cell {cell}")]
    Move {
        /// Stones on the board.
        ply: u16,
        /// `y * size + x`.
        cell: u16,
    },
}

/// Why labels cannot be read from a stream.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadLabelsError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Label(#[from] SoftLabelError),
}

impl SoftOutcome {
    /// The outcome with these probabilities; `None` where they are not numbers from 0 to 1, together at
    /// most 1.
    pub fn new(win: f64, draw: f64) -> Option<SoftOutcome> {
        let is_sound = win >= 0.0 && draw >= 0.0 && win + draw <= 1.0 + 1e-6;
        let one = f64::from(u16::MAX);
        let win = (win * one).round() as u16;
        is_sound.then(|| SoftOutcome {
            win,
            draw: ((draw * one).round() as u16).min(u16::MAX - win),
        })
    }

    /// The expected points of the side to move, 0 to 1.
    pub fn points(self) -> f32 {
        (f32::from(self.win) + f32::from(self.draw) / 2.0) / f32::from(u16::MAX)
    }
}

/// Adds the labels to the bytes of a record.
pub(super) fn write(labels: &[SoftLabel], size: u8, bytes: &mut Vec<u8>) {
    bytes.extend((labels.len() as u16).to_le_bytes());
    for label in labels {
        let outcome = label.outcome.map_or(NO_OUTCOME, |o| [o.win, o.draw]);
        for number in [label.ply, outcome[0], outcome[1]] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.push(label.policy.len() as u8);
        for &(p, weight) in &label.policy {
            bytes.extend(cell_of(p, size).to_le_bytes());
            bytes.push(weight);
        }
    }
}

/// Reads the labels of a record with these moves.
pub(super) fn read(
    stream: &mut impl Read,
    moves: &[Point],
    size: u8,
) -> Result<Vec<SoftLabel>, ReadLabelsError> {
    let count = read_u16(stream)?;
    if count == 0 {
        return Err(SoftLabelError::Nothing.into());
    }
    let mut labels = Vec::new();
    let mut taken = PointSet::EMPTY;
    let mut stones = 0;
    for _ in 0..count {
        let ply = read_u16(stream)?;
        let is_next = labels.last().is_none_or(|last: &SoftLabel| ply > last.ply);
        if !is_next || usize::from(ply) > moves.len() {
            return Err(SoftLabelError::Ply(ply).into());
        }
        let before = std::mem::replace(&mut stones, usize::from(ply));
        moves[before..stones].iter().for_each(|&p| taken.insert(p));
        labels.push(read_label(stream, ply, size, taken)?);
    }
    Ok(labels)
}

/// Reads what follows the ply of a label. `taken` are the cells with stones.
fn read_label(
    stream: &mut impl Read,
    ply: u16,
    size: u8,
    mut taken: PointSet,
) -> Result<SoftLabel, ReadLabelsError> {
    let outcome = [read_u16(stream)?, read_u16(stream)?];
    let [win, draw] = outcome;
    if outcome != NO_OUTCOME && win.checked_add(draw).is_none() {
        return Err(SoftLabelError::Outcome(ply).into());
    }
    let mut count = [0];
    stream.read_exact(&mut count)?;
    let mut policy = Vec::with_capacity(count[0].into());
    for _ in 0..count[0] {
        let cell = read_u16(stream)?;
        let mut weight = [0];
        stream.read_exact(&mut weight)?;
        let p = point_of(cell, size).filter(|&p| weight[0] > 0 && !taken.contains(p));
        let p = p.ok_or(SoftLabelError::Move { ply, cell })?;
        taken.insert(p);
        policy.push((p, weight[0]));
    }
    if outcome == NO_OUTCOME && policy.is_empty() {
        return Err(SoftLabelError::Empty(ply).into());
    }
    Ok(SoftLabel {
        ply,
        outcome: (outcome != NO_OUTCOME).then_some(SoftOutcome { win, draw }),
        policy,
    })
}

fn read_u16(stream: &mut impl Read) -> io::Result<u16> {
    let mut bytes = [0; 2];
    stream.read_exact(&mut bytes)?;
    Ok(u16::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: [(u8, u8); 3] = [(9, 9), (19, 0), (0, 19)];

    fn moves() -> Vec<Point> {
        MOVES.map(|(x, y)| Point::new(x, y)).into()
    }

    fn labels() -> Vec<SoftLabel> {
        vec![
            SoftLabel {
                ply: 1,
                outcome: SoftOutcome::new(0.25, 0.5),
                policy: vec![(Point::new(19, 0), 255), (Point::new(3, 1), 1)],
            },
            SoftLabel {
                ply: 3,
                outcome: None,
                policy: vec![(Point::new(1, 0), 7)],
            },
        ]
    }

    #[test]
    fn labels_come_back_as_they_were_written() {
        let mut bytes = Vec::new();
        write(&labels(), 20, &mut bytes);
        // The layout that other programs write.
        assert_eq!(bytes[..9], [2, 0, 1, 0, 0, 64, 0, 128, 2]);
        assert_eq!(bytes[9..15], [19, 0, 255, 23, 0, 1]);
        assert_eq!(bytes[15..], [3, 0, 255, 255, 255, 255, 1, 1, 0, 7]);
        assert_eq!(read(&mut &bytes[..], &moves(), 20).unwrap(), labels());
        for length in 0..bytes.len() {
            let read = read(&mut &bytes[..length], &moves(), 20);
            assert!(matches!(read, Err(ReadLabelsError::Io(_))), "{length}");
        }
    }

    #[test]
    fn wrong_labels_are_refused() {
        let mut bytes = Vec::new();
        write(&labels(), 20, &mut bytes);
        let read_with = |changes: &[(usize, u8)]| {
            let mut bytes = bytes.clone();
            changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
            match read(&mut &bytes[..], &moves(), 20) {
                Err(ReadLabelsError::Label(error)) => error,
                read => panic!("{changes:?}: {read:?}"),
            }
        };
        let wrong = |ply, cell| SoftLabelError::Move { ply, cell };
        assert_eq!(read_with(&[(0, 0)]), SoftLabelError::Nothing);
        assert_eq!(read_with(&[(15, 1)]), SoftLabelError::Ply(1));
        assert_eq!(read_with(&[(15, 4)]), SoftLabelError::Ply(4));
        assert_eq!(read_with(&[(5, 255)]), SoftLabelError::Outcome(1));
        assert_eq!(read_with(&[(21, 0)]), SoftLabelError::Empty(3));
        assert_eq!(read_with(&[(14, 0)]), wrong(1, 23));
        // A cell off the board, the same cell twice, and one with a stone.
        assert_eq!(read_with(&[(12, 144), (13, 1)]), wrong(1, 400));
        assert_eq!(read_with(&[(12, 19)]), wrong(1, 19));
        assert_eq!(read_with(&[(22, 19)]), wrong(3, 19));
    }

    #[test]
    fn outcomes_are_probabilities() {
        let sure = SoftOutcome {
            win: 65535,
            draw: 0,
        };
        assert_eq!(SoftOutcome::new(1.0, 0.0), Some(sure));
        assert_eq!(sure.points(), 1.0);
        for (win, draw) in [(0.1, 0.9), (1.0 / 3.0, 2.0 / 3.0), (0.0, 1.0)] {
            let outcome = SoftOutcome::new(win, draw).unwrap();
            assert!(f64::from(outcome.points()) - (win + draw / 2.0) < 1e-4);
        }
        for (win, draw) in [(-0.1, 0.5), (0.6, 0.5), (f64::NAN, 0.0), (0.0, f64::NAN)] {
            assert_eq!(SoftOutcome::new(win, draw), None);
        }
    }
}
