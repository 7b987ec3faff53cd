//! Opening rules of tournaments, step by step, and the 26 openings of renju.
//!
//! [`Phase`] is the state of a game's opening under an [`OpeningRule`]: who decides next, what is
//! legal, and what follows. It knows only the rules; `engine::opening` makes the choices.
//!
//! ```
//! use tengen::board::Board;
//! use tengen::openings::{Choice, OpeningRule, Phase, Player};
//! use tengen::types::{Color, Point};
//!
//! let mut phase = Phase::new(OpeningRule::Swap2, &Board::new(15, 15).unwrap()).unwrap();
//! for (x, y) in [(7, 7), (8, 6), (9, 9)] {
//!     assert_eq!(phase.decider(), Some(Player::First));
//!     phase.choose(&Choice::Put(Point::new(x, y))).unwrap();
//! }
//! assert_eq!(phase.decider(), Some(Player::Second));
//! phase.choose(&Choice::Take(Color::Black)).unwrap();
//! assert!(phase.is_over());
//! assert_eq!(phase.holder(Color::Black), Player::Second);
//! ```

mod area;
mod choice;
mod fifths;
mod named;
mod phase;
mod refusal;
mod rule;
pub mod wire;

#[cfg(test)]
mod tests;

pub use area::Area;
pub use choice::{Ahead, Alternative, Choice, OpeningStep, Player};
pub use fifths::{are_equivalent, unequal_among, unequal_points};
pub use named::{NamedOpening, ParseOpeningError};
pub use phase::Phase;
pub use refusal::{NotPlayable, Refusal};
pub use rule::{OpeningRule, ParseOpeningRuleError, RuleKind};
