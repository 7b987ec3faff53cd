use std::fmt;
use std::ops::Not;

use super::Area;
use crate::types::{Color, Point};

/// The two players, named by who began; which colour each of them holds may change by swaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Player {
    /// The tentative Black.
    First = 0,
    /// The tentative White.
    Second = 1,
}

impl Player {
    /// Both players, the tentative Black first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// 0 for the first player, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Player {
    type Output = Player;

    /// The other player.
    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Player::First => "the first player",
            Player::Second => "the second player",
        })
    }
}

/// Decision of a player in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Puts the next stone.
    Put(Point),
    /// Plays this colour from now on: a swap if the other player had it.
    Take(Color),
    /// Swap2: puts a white and a black stone, in this order, and lets the other player choose.
    Add([Point; 2]),
    /// Declares how many fifth stones Black must offer later.
    Declare(u8),
    /// Offers these points for the fifth stone. The offer replaces a swap that was possible.
    Offer(Vec<Point>),
    /// Keeps this one of the fifth stones offered.
    Keep(Point),
}

impl Choice {
    /// The same as words for people, with labels of a board of `height` rows.
    pub fn text(&self, height: u8) -> String {
        let labels = |points: &[Point]| -> String {
            let labels: Vec<String> = points.iter().map(|p| p.label(height)).collect();
            labels.join(" ")
        };
        match self {
            Choice::Put(p) => p.label(height),
            Choice::Take(color) => format!("takes {color}"),
            Choice::Add(points) => format!("adds {}", labels(points)),
            Choice::Declare(count) => format!("declares {count}"),
            Choice::Offer(points) => format!("offers {}", labels(points)),
            Choice::Keep(p) => format!("keeps {}", p.label(height)),
        }
    }
}

/// Decision that is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningStep {
    /// [`Choice::Put`]: a stone of the side to move, in this area.
    Put(Area),
    /// [`Choice::Take`], or what else the rule allows here.
    Take(Option<Alternative>),
    /// [`Choice::Declare`]: from 1 to this many.
    Declare {
        /// The most that may be declared.
        most: u8,
    },
    /// [`Choice::Offer`]: exactly this many points.
    Offer {
        /// Number of stones.
        count: u8,
    },
    /// [`Choice::Keep`]: one of [`offered`](super::Phase::offered).
    Keep,
}

/// Alternative that the rule allows to choosing a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// [`Choice::Add`]: the two more stones of swap2.
    Add,
    /// [`Choice::Offer`] without a swap: Taraguchi's second way.
    Offer {
        /// Number of stones.
        count: u8,
    },
}

/// Continuation after a step, as far as the choice depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Ordinary moves.
    Game,
    /// More stones before the colours are chosen for good.
    Stones,
    /// A choice of colours, at once or after the next stone.
    Swap,
    /// A number of fifth stones, up to `most`, is to be declared.
    Number {
        /// `None`: as many as the board has room for.
        most: Option<u8>,
    },
    /// Black offers so many fifth stones, perhaps after White's fourth stone.
    Fifths {
        /// Number of stones.
        count: u8,
    },
}

/// As an end of the sentence "the rule asks …".
impl fmt::Display for OpeningStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningStep::Put(area) => write!(f, "for a stone {area}"),
            OpeningStep::Take(None) => write!(f, "who takes which colour"),
            OpeningStep::Take(Some(Alternative::Add)) => {
                write!(f, "who takes which colour, or for two more stones")
            }
            OpeningStep::Take(Some(Alternative::Offer { count })) => {
                write!(f, "who takes which colour, or for {count} fifth stones")
            }
            OpeningStep::Declare { most } => write!(f, "for a number of fifth stones, 1 to {most}"),
            OpeningStep::Offer { count } => write!(f, "for {count} fifth stones to choose from"),
            OpeningStep::Keep => write!(f, "which of the fifth stones offered is kept"),
        }
    }
}
