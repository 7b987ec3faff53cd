//! The commands that ask for a step of an opening, and what each says about it.

use crate::board::Board;
use crate::openings::{Alternative, Choice, OpeningRule, Phase, Step, are_equivalent};
use crate::protocol::text::integer;
use crate::types::Point;

/// Most fifth stones that may be declared in Soosorv-8.
const MOST_DECLARED: usize = 8;

/// What an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    /// `SWAP`, or cells and a number, on one line.
    Gomocup,
    /// Yixin-Board's `MESSAGE SWAP2 …`; one decision.
    YixinSwap2,
    /// Yixin-Board's `MESSAGE SOOSORV …`; one decision, or a stone and a number.
    YixinSoosorv,
}

/// Where the stones come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The board of the session.
    OnBoard,
    /// A block.
    Block,
    /// A block, and the fifth stones offered after its end.
    BlockAndOffer,
    /// A block of four stones and all fifth stones offered.
    BlockWithOffer,
}

/// What a number behind the command means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// There is none.
    None,
    /// The fifth stones that were declared.
    Declared,
    /// The most that may be declared.
    Most,
    /// The fifth stones of Taraguchi's second way.
    Way,
}

/// One command.
#[derive(Debug, PartialEq, Eq)]
struct Form {
    word: &'static str,
    rule: OpeningRule,
    /// Numbers of stones with which it may come.
    stones: &'static [usize],
    /// Whether the colours are settled, so that a swap is out of the question.
    settled: bool,
    layout: Layout,
    number: Number,
    tongue: Tongue,
}

const fn form(word: &'static str, rule: OpeningRule, stones: &'static [usize]) -> Form {
    Form {
        word,
        rule,
        stones,
        settled: false,
        layout: Layout::Block,
        number: Number::None,
        tongue: Tongue::Gomocup,
    }
}

impl Form {
    const fn settled(self) -> Form {
        Form {
            settled: true,
            ..self
        }
    }

    const fn number(self, number: Number) -> Form {
        Form { number, ..self }
    }

    const fn layout(self, layout: Layout) -> Form {
        Form { layout, ..self }
    }

    const fn tongue(self, tongue: Tongue) -> Form {
        Form { tongue, ..self }
    }
}

use Layout::{BlockAndOffer, BlockWithOffer, OnBoard};
use Number::{Declared, Most, Way};
use OpeningRule::{
    LongPro, Pro, Rif, Soosorv8, Swap, Swap2, SwapAfterOne, Taraguchi, Tarannikov, Yamaguchi,
};
use Tongue::{YixinSoosorv, YixinSwap2};

/// Sources: SWAP2BOARD is Gomocup's; the others of that kind are AlphaGomoku's extension
/// (M. Kozarzewski, "Gomoku protocols"); those that begin with YX are Yixin-Board's.
const FORMS: &[Form] = &[
    form("SWAP1STBOARD", SwapAfterOne, &[0, 1]),
    form("SWAPBOARD", Swap, &[0, 3]),
    form("SWAP2BOARD", Swap2, &[0, 3, 5]),
    form("PROBOARD", Pro, &[0, 1, 2]),
    form("LONGPROBOARD", LongPro, &[0, 1, 2]),
    form("RIFSTEP1", Rif, &[0]),
    form("RIFSTEP2", Rif, &[3]),
    form("RIFSTEP3", Rif, &[3]).settled(),
    form("RIFSTEP4", Rif, &[4]).settled(),
    form("RIFSTEP5", Rif, &[4]).settled().layout(BlockAndOffer),
    form("YAMAGUCHISTEP1", Yamaguchi, &[0]),
    form("YAMAGUCHISTEP2", Yamaguchi, &[3]).number(Declared),
    form("YAMAGUCHISTEP3", Yamaguchi, &[3])
        .settled()
        .number(Declared),
    form("YAMAGUCHISTEP4", Yamaguchi, &[4])
        .settled()
        .number(Declared),
    form("YAMAGUCHISTEP5", Yamaguchi, &[4])
        .settled()
        .number(Declared)
        .layout(BlockAndOffer),
    form("SOOSYRVSTEP1", Soosorv8, &[0]).number(Most),
    form("SOOSYRVSTEP2", Soosorv8, &[3]).number(Most),
    form("SOOSYRVSTEP3", Soosorv8, &[3]).settled().number(Most),
    form("SOOSYRVSTEP4", Soosorv8, &[4]).number(Declared),
    form("SOOSYRVSTEP5", Soosorv8, &[4])
        .settled()
        .number(Declared),
    form("SOOSYRVSTEP6", Soosorv8, &[4])
        .settled()
        .number(Declared)
        .layout(BlockAndOffer),
    form("TARANNIKOVSTEP1", Tarannikov, &[0, 1, 2, 3, 4, 5]).settled(),
    form("TARANNIKOVSTEP2", Tarannikov, &[1, 2, 3, 4, 5]),
    form("TARAGUCHISTEP1", Taraguchi, &[0, 1, 2, 3, 4, 5])
        .settled()
        .number(Way),
    form("TARAGUCHISTEP2", Taraguchi, &[1, 2, 3, 4, 5]).number(Way),
    // From here on Taraguchi's second way is no other than Yamaguchi's, with any number.
    form("TARAGUCHISTEP3", Yamaguchi, &[4])
        .settled()
        .number(Declared),
    form("TARAGUCHISTEP4", Yamaguchi, &[4])
        .settled()
        .number(Declared)
        .layout(BlockAndOffer),
    form("YXSWAP2STEP1", Swap2, &[0])
        .layout(OnBoard)
        .tongue(YixinSwap2),
    form("YXSWAP2STEP2", Swap2, &[3])
        .layout(OnBoard)
        .tongue(YixinSwap2),
    form("YXSWAP2STEP3", Swap2, &[5])
        .layout(OnBoard)
        .tongue(YixinSwap2),
    form("YXSOOSORVSTEP1", Soosorv8, &[0])
        .layout(OnBoard)
        .tongue(YixinSoosorv),
    form("YXSOOSORVSTEP2", Soosorv8, &[3]).tongue(YixinSoosorv),
    form("YXSOOSORVSTEP3", Soosorv8, &[3])
        .settled()
        .tongue(YixinSoosorv),
    form("YXSOOSORVSTEP4", Soosorv8, &[4])
        .number(Declared)
        .tongue(YixinSoosorv),
    form("YXSOOSORVSTEP5", Soosorv8, &[4])
        .settled()
        .number(Declared)
        .tongue(YixinSoosorv),
    form("YXSOOSORVSTEP6", Soosorv8, &[4])
        .settled()
        .layout(BlockWithOffer)
        .tongue(YixinSoosorv),
];

/// A request for a step of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    form: &'static Form,
    number: Option<i64>,
}

/// Reads the first word of a line, in upper case, and what follows it. `None` if it asks for no
/// step of an opening.
pub fn ask(word: &str, rest: &str) -> Option<Ask> {
    let form = FORMS.iter().find(|form| form.word == word)?;
    // A cell such as 7,7 is no number.
    let number = rest.split_whitespace().next().and_then(integer);
    Some(Ask { form, number })
}

impl Ask {
    /// Where the stones come from.
    pub fn layout(&self) -> Layout {
        self.form.layout
    }

    /// Whether it asks for the first stones, whatever stands on the board.
    pub fn begins(&self) -> bool {
        self.form.stones == [0]
    }

    /// Whether it is one of Yixin-Board's.
    pub fn is_yixin(&self) -> bool {
        self.form.tongue != Tongue::Gomocup
    }

    pub(super) fn tongue(&self) -> Tongue {
        self.form.tongue
    }

    /// How many entries a block has together with the fifth stones that follow its end, if some
    /// do.
    pub fn entries_with_offer(&self) -> Option<usize> {
        let count = match (self.form.layout, self.form.number, self.number) {
            (BlockAndOffer, Declared, Some(n)) => usize::from(u8::try_from(n).ok()?),
            (BlockAndOffer, Number::None, _) => 2,
            _ => return None,
        };
        Some(4 + count)
    }

    /// Most fifth stones that the engine may declare, where the request says so.
    pub(super) fn most(&self) -> Option<u8> {
        (self.form.number == Most).then(|| {
            self.number
                .map_or(MOST_DECLARED, |n| n.clamp(1, 8) as usize) as u8
        })
    }

    fn rule(&self) -> OpeningRule {
        match (self.form.number, self.number) {
            (Way, Some(10)) => OpeningRule::Taraguchi10,
            (Way, Some(5)) => Taraguchi,
            // Other numbers are no rule that is played: Tengen goes the first way then.
            (Way, _) => Tarannikov,
            _ => self.form.rule,
        }
    }

    /// The state of the opening on a board of the size of `empty`, in which `points` are the
    /// stones in playing order and, where they belong to the request, the fifth stones offered.
    /// Colours that were chosen on the way stay as they were: they do not bear on what is legal.
    ///
    /// # Errors
    /// With the rule's reason, when the stones or the offer are illegal, and when their number
    /// does not fit the command.
    pub fn phase(&self, empty: &Board, points: &[Point]) -> Result<Phase, String> {
        let form = self.form;
        let mut phase = Phase::new(self.rule(), empty).map_err(|e| e.to_string())?;
        let (stones, offer) = match form.layout {
            Layout::OnBoard | Layout::Block => (points, &points[..0]),
            BlockAndOffer | BlockWithOffer => points.split_at(points.len().min(4)),
        };
        if !form.stones.contains(&stones.len()) {
            let counts: Vec<String> = form.stones.iter().map(usize::to_string).collect();
            let counts = counts.join(" or ");
            return Err(format!("{} needs {counts} stones", form.word));
        }
        let mut declared = match (form.number, self.number) {
            (Declared, Some(n)) => Some(u8::try_from(n).unwrap_or(0)),
            (Declared, None) => {
                return Err(format!("{} needs the number of fifth stones", form.word));
            }
            _ => None,
        };
        let mut offer = offer.to_vec();
        let mut stones = stones.iter();
        loop {
            let choice = match phase.step() {
                Some(Step::Put(_)) => match stones.next() {
                    Some(&p) => Choice::Put(p),
                    None => break,
                },
                Some(Step::Take(Some(Alternative::Add))) if stones.len() == 2 => {
                    let mut next = || *stones.next().expect("there are two");
                    Choice::Add([next(), next()])
                }
                Some(Step::Take(_)) if stones.len() > 0 || form.settled => {
                    let decider = phase.decider().expect("there is a step");
                    Choice::Take(phase.color_of(decider))
                }
                Some(Step::Declare { .. }) if form.layout == BlockWithOffer => {
                    // Yixin-Board lets people offer what they like: what is the same counts once.
                    let fair = unequal_offer(phase.board(), &offer);
                    offer = fair;
                    declared = Some(offer.len() as u8);
                    Choice::Declare(offer.len() as u8)
                }
                Some(Step::Declare { .. }) => match declared {
                    Some(count) => Choice::Declare(count),
                    None => break,
                },
                Some(Step::Offer { .. }) if form.layout != Layout::Block => {
                    Choice::Offer(offer.clone())
                }
                Some(Step::Take(_) | Step::Offer { .. } | Step::Keep) | None => break,
            };
            phase.choose(&choice).map_err(|e| e.to_string())?;
        }
        if stones.next().is_some() {
            return Err(format!("{}: there are too many stones", form.word));
        }
        Ok(phase)
    }
}

/// The points of `offer` without those that are taken or equivalent to an earlier one.
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
