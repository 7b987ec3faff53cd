use super::Step;

/// Why a choice is illegal. Points are named by their labels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing is left to decide.
    #[error("the opening is over")]
    Over,
    /// Something else is to be decided.
    #[error("the rule asks {0}")]
    WrongStep(Step),
    /// Off the board.
    #[error("{0} is off the board")]
    OffBoard(String),
    /// There is a stone.
    #[error("{0} is taken")]
    Taken(String),
    /// Outside of the area that the rule leaves for this stone.
    #[error("{point}: stone {number} must be put {area}")]
    Area {
        /// The point.
        point: String,
        /// The stone's number, from 1.
        number: usize,
        /// Where it must be put.
        area: super::Area,
    },
    /// A number of fifth stones that may not be declared.
    #[error("1 to {most} fifth stones may be declared, not {count}")]
    Declared {
        /// What was declared.
        count: u8,
        /// The most that may be.
        most: u8,
    },
    /// Too many or too few fifth stones.
    #[error("{expected} fifth stones must be offered, not {found}")]
    Count {
        /// How many the rule wants.
        expected: u8,
        /// How many came.
        found: usize,
    },
    /// A point twice in one offer.
    #[error("{0} is offered twice")]
    Repeated(String),
    /// Two fifth stones of one offer that give the same position but for its place.
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
    /// The areas of the rule, or its fifth stones, would not fit.
    #[error("opening rule {rule} needs a board of at least {least}x{least}")]
    TooSmall {
        /// The rule's name.
        rule: String,
        /// Shortest side that does.
        least: u8,
    },
    /// So many fifth stones that are not equivalent need not exist.
    #[error("{count} fifth stones are too many for this board, at most {most}")]
    TooManyFifths {
        /// What the rule says.
        count: u8,
        /// What the board has room for.
        most: u8,
    },
}
