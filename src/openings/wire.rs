//! The commands by which managers ask for a step of an opening, in one table for readers and
//! writers of requests.

use std::fmt::Write as _;

use super::{Alternative, Choice, OpeningRule, OpeningStep, Phase, are_equivalent};
use crate::board::Board;
use crate::types::Point;

/// Most fifth stones to be declared in Soosorv-8.
const MOST_DECLARED: usize = 8;

/// Stones on the board when fifth stones are offered.
pub const STONES_BEFORE_OFFER: usize = 4;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerStyle {
    /// `SWAP`, or cells and a number, on one line.
    Gomocup,
    /// Yixin-Board's `MESSAGE SWAP2 …`; one decision.
    YixinSwap2,
    /// Yixin-Board's `MESSAGE SOOSORV …`; one decision, or a stone and a number.
    YixinSoosorv,
}

/// The source of a request's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StonesFrom {
    /// The board of the session.
    SessionBoard,
    /// A block.
    Block,
    /// A block, and the fifth stones offered after its end.
    BlockAndOffer,
    /// A block of four stones and all fifth stones offered.
    BlockWithOffer,
}

/// The meaning of a number after the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// None.
    None,
    /// The number of declared fifth stones.
    Declared,
    /// The most fifth stones to be declared.
    Most,
    /// The number of fifth stones in Taraguchi's second way.
    Way,
}

/// A row of the table: a command that asks for a step of an opening.
#[derive(Debug, PartialEq, Eq)]
pub struct OpeningCommand {
    /// The word that begins the command's line, in upper case.
    pub word: &'static str,
    rule: OpeningRule,
    /// The numbers of stones allowed on the board.
    stones: &'static [usize],
    /// True if the colours are settled, so that a swap is impossible.
    colours_fixed: bool,
    /// The source of the stones.
    pub stones_from: StonesFrom,
    number: Number,
    answer_style: AnswerStyle,
}

const fn command(
    word: &'static str,
    rule: OpeningRule,
    stones: &'static [usize],
) -> OpeningCommand {
    OpeningCommand {
        word,
        rule,
        stones,
        colours_fixed: false,
        stones_from: StonesFrom::Block,
        number: Number::None,
        answer_style: AnswerStyle::Gomocup,
    }
}

impl OpeningCommand {
    const fn colours_fixed(self) -> OpeningCommand {
        OpeningCommand {
            colours_fixed: true,
            ..self
        }
    }

    const fn number(self, number: Number) -> OpeningCommand {
        OpeningCommand { number, ..self }
    }

    const fn stones_from(self, stones_from: StonesFrom) -> OpeningCommand {
        OpeningCommand {
            stones_from,
            ..self
        }
    }

    const fn answer_style(self, answer_style: AnswerStyle) -> OpeningCommand {
        OpeningCommand {
            answer_style,
            ..self
        }
    }

    /// True for a command of Yixin-Board.
    pub fn is_yixin(&self) -> bool {
        self.answer_style != AnswerStyle::Gomocup
    }

    /// The request with the number after the word, if there is one.
    pub fn request(&'static self, number: Option<i64>) -> OpeningRequest {
        OpeningRequest {
            command: self,
            number,
        }
    }
}

use AnswerStyle::{YixinSoosorv, YixinSwap2};
use Number::{Declared, Most, Way};
use OpeningRule::{
    LongPro, Pro, Rif, Soosorv8, Swap, Swap2, SwapAfterOne, Taraguchi, Tarannikov, Yamaguchi,
};
use StonesFrom::{BlockAndOffer, BlockWithOffer, SessionBoard};

/// Sources: SWAP2BOARD is Gomocup's; the words that begin with YX are Yixin-Board's; the others are
/// AlphaGomoku's extension (M. Kozarzewski, "Gomoku protocols").
const OPENING_COMMANDS: &[OpeningCommand] = &[
    command("SWAP1STBOARD", SwapAfterOne, &[0, 1]),
    command("SWAPBOARD", Swap, &[0, 3]),
    command("SWAP2BOARD", Swap2, &[0, 3, 5]),
    command("PROBOARD", Pro, &[0, 1, 2]),
    command("LONGPROBOARD", LongPro, &[0, 1, 2]),
    command("RIFSTEP1", Rif, &[0]),
    command("RIFSTEP2", Rif, &[3]),
    command("RIFSTEP3", Rif, &[3]).colours_fixed(),
    command("RIFSTEP4", Rif, &[4]).colours_fixed(),
    command("RIFSTEP5", Rif, &[4])
        .colours_fixed()
        .stones_from(BlockAndOffer),
    command("YAMAGUCHISTEP1", Yamaguchi, &[0]),
    command("YAMAGUCHISTEP2", Yamaguchi, &[3]).number(Declared),
    command("YAMAGUCHISTEP3", Yamaguchi, &[3])
        .colours_fixed()
        .number(Declared),
    command("YAMAGUCHISTEP4", Yamaguchi, &[4])
        .colours_fixed()
        .number(Declared),
    command("YAMAGUCHISTEP5", Yamaguchi, &[4])
        .colours_fixed()
        .number(Declared)
        .stones_from(BlockAndOffer),
    command("SOOSYRVSTEP1", Soosorv8, &[0]).number(Most),
    command("SOOSYRVSTEP2", Soosorv8, &[3]).number(Most),
    command("SOOSYRVSTEP3", Soosorv8, &[3])
        .colours_fixed()
        .number(Most),
    command("SOOSYRVSTEP4", Soosorv8, &[4]).number(Declared),
    command("SOOSYRVSTEP5", Soosorv8, &[4])
        .colours_fixed()
        .number(Declared),
    command("SOOSYRVSTEP6", Soosorv8, &[4])
        .colours_fixed()
        .number(Declared)
        .stones_from(BlockAndOffer),
    command("TARANNIKOVSTEP1", Tarannikov, &[0, 1, 2, 3, 4, 5]).colours_fixed(),
    command("TARANNIKOVSTEP2", Tarannikov, &[1, 2, 3, 4, 5]),
    command("TARAGUCHISTEP1", Taraguchi, &[0, 1, 2, 3, 4, 5])
        .colours_fixed()
        .number(Way),
    command("TARAGUCHISTEP2", Taraguchi, &[1, 2, 3, 4, 5]).number(Way),
    // From here on Taraguchi's second way is the same as Yamaguchi's, with any number of fifth
    // stones.
    command("TARAGUCHISTEP3", Yamaguchi, &[4])
        .colours_fixed()
        .number(Declared),
    command("TARAGUCHISTEP4", Yamaguchi, &[4])
        .colours_fixed()
        .number(Declared)
        .stones_from(BlockAndOffer),
    command("YXSWAP2STEP1", Swap2, &[0])
        .stones_from(SessionBoard)
        .answer_style(YixinSwap2),
    command("YXSWAP2STEP2", Swap2, &[3])
        .stones_from(SessionBoard)
        .answer_style(YixinSwap2),
    command("YXSWAP2STEP3", Swap2, &[5])
        .stones_from(SessionBoard)
        .answer_style(YixinSwap2),
    command("YXSOOSORVSTEP1", Soosorv8, &[0])
        .stones_from(SessionBoard)
        .answer_style(YixinSoosorv),
    command("YXSOOSORVSTEP2", Soosorv8, &[3]).answer_style(YixinSoosorv),
    command("YXSOOSORVSTEP3", Soosorv8, &[3])
        .colours_fixed()
        .answer_style(YixinSoosorv),
    command("YXSOOSORVSTEP4", Soosorv8, &[4])
        .number(Declared)
        .answer_style(YixinSoosorv),
    command("YXSOOSORVSTEP5", Soosorv8, &[4])
        .colours_fixed()
        .number(Declared)
        .answer_style(YixinSoosorv),
    command("YXSOOSORVSTEP6", Soosorv8, &[4])
        .colours_fixed()
        .stones_from(BlockWithOffer)
        .answer_style(YixinSoosorv),
];

/// The row of `word`, given in upper case. `None` for a word that asks for no step of an opening.
pub fn opening_command(word: &str) -> Option<&'static OpeningCommand> {
    OPENING_COMMANDS.iter().find(|command| command.word == word)
}

/// The words of all rows.
pub fn opening_words() -> impl Iterator<Item = &'static str> {
    OPENING_COMMANDS.iter().map(|command| command.word)
}

/// A request for a step of an opening: a row of the table and the number after the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningRequest {
    command: &'static OpeningCommand,
    number: Option<i64>,
}

impl OpeningRequest {
    /// True if the request asks for the first stones. Then the stones on the board do not matter.
    pub fn begins(&self) -> bool {
        self.command.stones == [0]
    }

    /// True for a request of Yixin-Board.
    pub fn is_yixin(&self) -> bool {
        self.command.is_yixin()
    }

    /// The form of the answer.
    pub fn answer_style(&self) -> AnswerStyle {
        self.command.answer_style
    }

    /// Number of cells of a block together with the fifth stones after its end; `None` if none
    /// follow.
    pub fn cells_with_offer(&self) -> Option<usize> {
        let count = match (self.command.stones_from, self.command.number, self.number) {
            (BlockAndOffer, Declared, Some(n)) => usize::from(u8::try_from(n).ok()?),
            (BlockAndOffer, Number::None, _) => 2,
            _ => return None,
        };
        Some(STONES_BEFORE_OFFER + count)
    }

    /// Most fifth stones that the engine may declare, if the request limits them.
    pub fn most(&self) -> Option<u8> {
        (self.command.number == Most).then(|| {
            self.number
                .map_or(MOST_DECLARED, |n| n.clamp(1, 8) as usize) as u8
        })
    }

    fn rule(&self) -> OpeningRule {
        match (self.command.number, self.number) {
            (Way, Some(10)) => OpeningRule::Taraguchi10,
            (Way, Some(5)) => Taraguchi,
            // No rule has another number: then only Taraguchi's first way is left.
            (Way, _) => Tarannikov,
            _ => self.command.rule,
        }
    }

    /// The state of the opening on a board of the size of `empty`. `points` are the stones in
    /// playing order and then the fifth stones offered, if they belong to the request. No swap is
    /// assumed on the way: the legal steps do not depend on the players' colours.
    ///
    /// # Errors
    /// With the rule's reason, when the stones or the offer are illegal, and when their number does
    /// not fit the command.
    pub fn phase(&self, empty: &Board, points: &[Point]) -> Result<Phase, String> {
        let command = self.command;
        let mut phase = Phase::new(self.rule(), empty).map_err(|e| e.to_string())?;
        let (stones, offer) = match command.stones_from {
            StonesFrom::SessionBoard | StonesFrom::Block => (points, &points[..0]),
            BlockAndOffer | BlockWithOffer => {
                points.split_at(points.len().min(STONES_BEFORE_OFFER))
            }
        };
        if !command.stones.contains(&stones.len()) {
            let counts: Vec<String> = command.stones.iter().map(usize::to_string).collect();
            let counts = counts.join(" or ");
            return Err(format!("{} needs {counts} stones", command.word));
        }
        let mut declared = match (command.number, self.number) {
            (Declared, Some(n)) => Some(n.clamp(0, u8::MAX.into()) as u8),
            (Declared, None) => {
                return Err(format!("{} needs the number of fifth stones", command.word));
            }
            _ => None,
        };
        let mut offer = offer.to_vec();
        let mut stones = stones.iter();
        loop {
            let choice = match phase.step() {
                Some(OpeningStep::Put(_)) => match stones.next() {
                    Some(&p) => Choice::Put(p),
                    None => break,
                },
                Some(OpeningStep::Take(Some(Alternative::Add))) if stones.len() == 2 => {
                    let mut next = || *stones.next().expect("there are two");
                    Choice::Add([next(), next()])
                }
                Some(OpeningStep::Take(_)) if stones.len() > 0 || command.colours_fixed => {
                    let decider = phase.decider().expect("there is a step");
                    Choice::Take(phase.color_of(decider))
                }
                Some(OpeningStep::Declare { .. }) if command.stones_from == BlockWithOffer => {
                    // Yixin-Board accepts any offer of its user: equivalent stones count once.
                    let fair = unequal_offer(phase.board(), &offer);
                    offer = fair;
                    declared = Some(offer.len() as u8);
                    Choice::Declare(offer.len() as u8)
                }
                Some(OpeningStep::Declare { .. }) => match declared {
                    Some(count) => Choice::Declare(count),
                    None => break,
                },
                Some(OpeningStep::Offer { .. }) if command.stones_from != StonesFrom::Block => {
                    Choice::Offer(offer.clone())
                }
                Some(OpeningStep::Take(_) | OpeningStep::Offer { .. } | OpeningStep::Keep)
                | None => break,
            };
            phase.choose(&choice).map_err(|e| e.to_string())?;
        }
        if stones.next().is_some() {
            return Err(format!("{}: there are too many stones", command.word));
        }
        Ok(phase)
    }
}

/// The lines that ask for the next step of `phase`, as Gomocup and AlphaGomoku write them, with a
/// line end after each. Renju's Swap asks for its first stones like Tarannikov's rule and goes on
/// like RIF. A designated opening goes on like Yamaguchi's rule with a declared number.
///
/// # Panics
/// When nothing is left to decide.
pub fn request(phase: &Phase) -> String {
    let step = phase.step().expect("asked only while there is a step");
    let stones = phase.board().stones();
    let family = match phase.rule() {
        OpeningRule::Free => unreachable!("a rule without steps"),
        SwapAfterOne => "SWAP1STBOARD",
        Swap => "SWAPBOARD",
        Swap2 => "SWAP2BOARD",
        Pro => "PROBOARD",
        LongPro => "LONGPROBOARD",
        OpeningRule::RenjuSwap if stones.len() < 3 => "TARANNIKOV",
        Rif | OpeningRule::RenjuSwap => "RIF",
        Yamaguchi | OpeningRule::Designated { .. } => "YAMAGUCHI",
        Tarannikov => "TARANNIKOV",
        Taraguchi | OpeningRule::Taraguchi10 => "TARAGUCHI",
        Soosorv8 => "SOOSYRV",
    };
    let is_offered = step == OpeningStep::Keep;
    let takes = matches!(step, OpeningStep::Take(_));
    let rows = || {
        let of_family = |row: &&OpeningCommand| row.word.starts_with(family);
        OPENING_COMMANDS.iter().filter(of_family)
    };
    let fits = |row: &&OpeningCommand| {
        row.stones.contains(&stones.len())
            && (row.stones_from == BlockAndOffer) == is_offered
            && row.colours_fixed != takes
    };
    // The first row asks for the first stones; a rule's only row asks for everything.
    let row = rows()
        .find(fits)
        .or(rows().next())
        .expect("a row for each rule");
    let number = match (phase.rule(), row.number) {
        (_, Number::None) => None,
        (Taraguchi, _) => Some(5),
        (OpeningRule::Taraguchi10, _) => Some(10),
        (_, Most) => Some(MOST_DECLARED as u8),
        (_, Declared | Way) => phase.fifths(),
    };
    let mut text = row.word.to_string();
    if let Some(number) = number {
        let _ = write!(text, " {number}");
    }
    text.push('\n');
    for stone in stones {
        let _ = writeln!(text, "{}", stone.point);
    }
    text.push_str("DONE\n");
    if is_offered {
        let offered: Vec<String> = phase.offered().iter().map(Point::to_string).collect();
        let _ = writeln!(text, "{}", offered.join(" "));
    }
    text
}

/// The points of `offer` without taken ones and without those equivalent to an earlier one.
fn unequal_offer(board: &Board, offer: &[Point]) -> Vec<Point> {
    let mut fair: Vec<Point> = Vec::new();
    for &p in offer {
        let is_new = board.is_empty(p) && !fair.iter().any(|&q| are_equivalent(board, p, q));
        if is_new && fair.len() < MOST_DECLARED {
            fair.push(p);
        }
    }
    fair
}
