use super::OpeningStep;

/// Why a choice is illegal. Points are named by their labels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The opening is over.
    #[error("the opening is over")]
    Over,
    /// The rule asks for another kind of choice.
    #[error("the rule asks {0}")]
    WrongStep(OpeningStep),
    /// Off the board.
    #[error("{0} is off the board")]
    OffBoard(String),
    /// The point is taken.
    #[error("{0} is taken")]
    Taken(String),
    /// Outside of the area that the rule allows for this stone.
    #[error("{point}: stone {number} must be put {area}")]
    Area {
        /// The point.
        point: String,
        /// The stone's number, from 1.
        number: usize,
        /// Where it must be put.
        area: super::Area,
    },
    /// An invalid number of declared fifth stones.
    #[error("1 to {most} fifth stones may be declared, not {count}")]
    Declared {
        /// The declared number.
        count: u8,
        /// The most that may be.
        most: u8,
    },
    /// Too many or too few fifth stones.
    #[error("{expected} fifth stones must be offered, not {found}")]
    Count {
        /// Number that the rule wants.
        expected: u8,
        /// Number that came.
        found: usize,
    },
    /// A point stands twice in one offer.
    #[error("{0} is offered twice")]
    Repeated(String),
    /// Two fifth stones of one offer are equivalent.
    #[error(
        "{0} and {1} are the same fifth stone: a symmetry of the position maps one to the other"
    )]
    Equivalent(String, String),
    /// A fifth stone that was not offered.
    #[error("{0} was not offered")]
    NotOffered(String),
}

/// Why an opening rule cannot be played on a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlayable {
    /// Openings begin on an empty board without blocked cells.
    #[error("an opening begins on an empty board")]
    NotEmpty,
    /// The board is too small for the areas of the rule or its fifth stones.
    #[error("opening rule {rule} needs a board of at least {least}x{least}")]
    TooSmall {
        /// The rule's name.
        rule: String,
        /// Shortest side that the rule needs.
        least: u8,
    },
    /// So many fifth stones without equivalent ones may not exist.
    #[error("{count} fifth stones are too many for this board, at most {most}")]
    TooManyFifths {
        /// The number of the rule.
        count: u8,
        /// The largest number that always exists on the board.
        most: u8,
    },
}
