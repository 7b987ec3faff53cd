use std::fmt;
use std::str::FromStr;

use super::area::Area::{Anywhere, Beyond, Within};
use super::{Area, NamedOpening, ParseOpeningError};

/// An opening rule: the way a game begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// No rule: the game begins at once.
    #[default]
    Free,
    /// After the first stone the second player may swap.
    SwapAfterOne,
    /// Three stones anywhere, then the second player takes a colour.
    Swap,
    /// Three stones anywhere; the second player takes a colour or puts a white and a black stone
    /// more, after which the first player takes one.
    Swap2,
    /// Black's first stone on the centre, his second outside the central 5x5.
    Pro,
    /// Black's first stone on the centre, his second outside the central 7x7.
    LongPro,
    /// One of the 26 openings, swap?, fourth stone anywhere, two fifth stones.
    Rif,
    /// As [`OpeningRule::Rif`], but White puts the second stone. Official from 1989 to 1995.
    RenjuSwap,
    /// One of the 26 openings with a number of fifth stones, swap?, fourth stone anywhere.
    Yamaguchi,
    /// Stones within 1x1, 3x3, 5x5, 7x7 and 9x9, after each of which the other player may swap.
    Tarannikov,
    /// As [`OpeningRule::Tarannikov`] up to the fourth stone; after it either swap?, a fifth stone
    /// within 9x9, swap?, or five fifth stones anywhere without swap.
    Taraguchi,
    /// The same with ten fifth stones.
    Taraguchi10,
    /// One of the 26 openings, swap?, fourth stone anywhere with 1 to 8 fifth stones, swap?
    Soosorv8,
    /// An opening given beforehand, swap?, fourth stone anywhere, fifth stones as given: the rule
    /// of Chinese championships.
    Designated {
        /// The opening; how it is turned does not matter.
        opening: NamedOpening,
        /// Number of fifth stones, at least 1.
        fifths: u8,
    },
}

/// One step of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// The first player puts the next stone, whichever colour it has.
    First(Area),
    /// The side to move puts its stone.
    Mover(Area),
    /// The player who did not decide last takes a colour.
    Take,
    /// The same, or adds two stones and lets the other player choose; [`AFTER_ADDING`] follows
    /// then.
    TakeOrAdd,
    /// The same, or offers so many fifth stones; [`KEEPING`] follows then.
    TakeOrOffer(u8),
    /// The player who decided last declares a number of fifth stones, up to this many, or up to
    /// what the board has room for.
    Declare(Option<u8>),
    /// Black offers fifth stones: so many, or as many as were declared.
    Offer(Option<u8>),
    /// White keeps one of them.
    Keep,
}

/// Swap2 after the second player's two stones.
pub(super) const AFTER_ADDING: &[Item] = &[Item::Take];
/// Taraguchi after an offer.
pub(super) const KEEPING: &[Item] = &[Item::Keep];

use Item::{Declare, First, Keep, Mover, Offer, Take, TakeOrAdd, TakeOrOffer};

// Source of the renju rules: Renju International Federation, The International Rules of Renju.
const SWAP_AFTER_ONE: &[Item] = &[First(Anywhere), Take];
const SWAP: &[Item] = &[First(Anywhere), First(Anywhere), First(Anywhere), Take];
const SWAP2: &[Item] = &[First(Anywhere), First(Anywhere), First(Anywhere), TakeOrAdd];
const PRO: &[Item] = &[Mover(Within(0)), Mover(Anywhere), Mover(Beyond(2))];
const LONG_PRO: &[Item] = &[Mover(Within(0)), Mover(Anywhere), Mover(Beyond(3))];
const RIF: &[Item] = &[
    First(Within(0)),
    First(Within(1)),
    First(Within(2)),
    Take,
    Mover(Anywhere),
    Offer(Some(2)),
    Keep,
];
const RENJU_SWAP: &[Item] = &[
    Mover(Within(0)),
    Mover(Within(1)),
    Mover(Within(2)),
    Take,
    Mover(Anywhere),
    Offer(Some(2)),
    Keep,
];
const YAMAGUCHI: &[Item] = &[
    First(Within(0)),
    First(Within(1)),
    First(Within(2)),
    Declare(None),
    Take,
    Mover(Anywhere),
    Offer(None),
    Keep,
];
const TARANNIKOV: &[Item] = &[
    Mover(Within(0)),
    Take,
    Mover(Within(1)),
    Take,
    Mover(Within(2)),
    Take,
    Mover(Within(3)),
    Take,
    Mover(Within(4)),
    Take,
];
const TARAGUCHI: &[Item] = &taraguchi(5);
const TARAGUCHI_10: &[Item] = &taraguchi(10);
const SOOSORV_8: &[Item] = &[
    First(Within(0)),
    First(Within(1)),
    First(Within(2)),
    Take,
    Mover(Anywhere),
    Declare(Some(8)),
    Take,
    Offer(None),
    Keep,
];
/// After the stones that are given.
const DESIGNATED: &[Item] = &[Take, Mover(Anywhere), Offer(None), Keep];

const fn taraguchi(fifths: u8) -> [Item; 10] {
    [
        Mover(Within(0)),
        Take,
        Mover(Within(1)),
        Take,
        Mover(Within(2)),
        Take,
        Mover(Within(3)),
        TakeOrOffer(fifths),
        Mover(Within(4)),
        Take,
    ]
}

/// The game that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// Rules of gomoku players.
    Gomoku,
    /// Rules of renju players: no passing before the sixth stone.
    Renju,
}

impl OpeningRule {
    /// All rules but [`OpeningRule::Designated`], which needs an opening and a number.
    pub const PLAIN: [OpeningRule; 13] = [
        OpeningRule::Free,
        OpeningRule::SwapAfterOne,
        OpeningRule::Swap,
        OpeningRule::Swap2,
        OpeningRule::Pro,
        OpeningRule::LongPro,
        OpeningRule::Rif,
        OpeningRule::RenjuSwap,
        OpeningRule::Yamaguchi,
        OpeningRule::Tarannikov,
        OpeningRule::Taraguchi,
        OpeningRule::Taraguchi10,
        OpeningRule::Soosorv8,
    ];

    /// Lower-case name, as `FromStr` reads it; for [`OpeningRule::Designated`] without opening and
    /// number.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Free => "free",
            OpeningRule::SwapAfterOne => "swap1",
            OpeningRule::Swap => "swap",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Pro => "pro",
            OpeningRule::LongPro => "long-pro",
            OpeningRule::Rif => "rif",
            OpeningRule::RenjuSwap => "renju-swap",
            OpeningRule::Yamaguchi => "yamaguchi",
            OpeningRule::Tarannikov => "tarannikov",
            OpeningRule::Taraguchi => "taraguchi",
            OpeningRule::Taraguchi10 => "taraguchi-10",
            OpeningRule::Soosorv8 => "soosorv-8",
            OpeningRule::Designated { .. } => "designated",
        }
    }

    /// The game that the rule is for.
    pub const fn kind(self) -> RuleKind {
        match self {
            OpeningRule::Free
            | OpeningRule::SwapAfterOne
            | OpeningRule::Swap
            | OpeningRule::Swap2
            | OpeningRule::Pro
            | OpeningRule::LongPro => RuleKind::Gomoku,
            _ => RuleKind::Renju,
        }
    }

    /// Number of stones that one player puts before the other makes the final choice of a colour,
    /// if both play well. Under the rules of Tarannikov and Taraguchi the player who may swap does
    /// so, puts none and chooses last. `None` for rules without such a number.
    pub const fn stones_before_choice(self) -> Option<usize> {
        match self {
            OpeningRule::Swap | OpeningRule::Swap2 => Some(3),
            OpeningRule::Tarannikov | OpeningRule::Taraguchi | OpeningRule::Taraguchi10 => Some(5),
            _ => None,
        }
    }

    /// Shortest side of a board on which every step can be taken.
    pub const fn least_side(self) -> u8 {
        match self {
            OpeningRule::Free
            | OpeningRule::SwapAfterOne
            | OpeningRule::Swap
            | OpeningRule::Swap2 => 5,
            _ => 9,
        }
    }

    pub(super) const fn script(self) -> &'static [Item] {
        match self {
            OpeningRule::Free => &[],
            OpeningRule::SwapAfterOne => SWAP_AFTER_ONE,
            OpeningRule::Swap => SWAP,
            OpeningRule::Swap2 => SWAP2,
            OpeningRule::Pro => PRO,
            OpeningRule::LongPro => LONG_PRO,
            OpeningRule::Rif => RIF,
            OpeningRule::RenjuSwap => RENJU_SWAP,
            OpeningRule::Yamaguchi => YAMAGUCHI,
            OpeningRule::Tarannikov => TARANNIKOV,
            OpeningRule::Taraguchi => TARAGUCHI,
            OpeningRule::Taraguchi10 => TARAGUCHI_10,
            OpeningRule::Soosorv8 => SOOSORV_8,
            OpeningRule::Designated { .. } => DESIGNATED,
        }
    }
}

/// The name, with opening and number: `designated:4D:2`.
impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningRule::Designated { opening, fifths } => {
                f.pad(&format!("{}:{}:{fifths}", self.name(), opening.code()))
            }
            plain => f.pad(plain.name()),
        }
    }
}

/// Why a text is not an opening rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseOpeningRuleError {
    /// An unknown name; holds it.
    #[error(
        "unknown opening rule '{0}' (free, swap1, swap, swap2, pro, long-pro, rif, renju-swap, yamaguchi, tarannikov, taraguchi, taraguchi-10, soosorv-8, designated:OPENING:FIFTHS)"
    )]
    Name(String),
    /// A designated opening that does not exist.
    #[error(transparent)]
    Opening(#[from] ParseOpeningError),
    /// An invalid number of fifth stones; holds it.
    #[error("'{0}' is no number of fifth stones, as in designated:4D:2")]
    Fifths(String),
}

impl FromStr for OpeningRule {
    type Err = ParseOpeningRuleError;

    fn from_str(text: &str) -> Result<OpeningRule, ParseOpeningRuleError> {
        if let Some(("designated", rest)) = text.split_once(':') {
            let (opening, fifths) = rest.split_once(':').unwrap_or((rest, ""));
            let count = fifths.parse().ok().filter(|&n: &u8| n > 0);
            return Ok(OpeningRule::Designated {
                opening: opening.parse()?,
                fifths: count.ok_or_else(|| ParseOpeningRuleError::Fifths(fifths.to_string()))?,
            });
        }
        OpeningRule::PLAIN
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseOpeningRuleError::Name(text.to_string()))
    }
}
