use super::area::Area;
use super::choice::{Ahead, Alternative, Choice, OpeningStep, Player};
use super::fifths::{are_equivalent, surely_unequal, unequal_points};
use super::refusal::{NotPlayable, Refusal};
use super::rule::{AFTER_ADDING, Item, KEEPING, OpeningRule};
use crate::board::Board;
use crate::types::{Color, Point, PointSet};

/// The opening of one game under an [`OpeningRule`].
///
/// When it [is over](Phase::is_over), the game goes on with ordinary moves on
/// [`board`](Phase::board), whose side to move belongs to [`holder`](Phase::holder).
#[derive(Clone, Debug)]
pub struct Phase {
    rule: OpeningRule,
    board: Board,
    /// Player who holds Black.
    black: Player,
    /// Steps that are still to be done.
    script: &'static [Item],
    /// Player who decided last. At the beginning the first player, who puts the stones of a
    /// designated opening.
    last: Player,
    declared: u8,
    offered: Vec<Point>,
    choices: Vec<Choice>,
}

impl Phase {
    /// The beginning of a game by `rule` on `board`.
    ///
    /// # Errors
    /// When the board is not empty, or too small for the rule.
    pub fn new(rule: OpeningRule, board: &Board) -> Result<Phase, NotPlayable> {
        let cells = usize::from(board.width()) * usize::from(board.height());
        let is_empty = board.empty_count() == cells;
        if !is_empty && rule != OpeningRule::Free {
            return Err(NotPlayable::NotEmpty);
        }
        let least = rule.least_side();
        if board.width().min(board.height()) < least {
            let rule = rule.to_string();
            return Err(NotPlayable::TooSmall { rule, least });
        }
        let mut board = board.clone();
        if rule != OpeningRule::Free {
            board.set_side_to_move(Color::Black);
        }
        let mut declared = 0;
        if let OpeningRule::Designated { opening, fifths } = rule {
            let most = surely_unequal(cells);
            if fifths == 0 || fifths > most {
                return Err(NotPlayable::TooManyFifths {
                    count: fifths,
                    most,
                });
            }
            declared = fifths;
            for p in opening.points(board.width(), board.height()) {
                board.play(p);
            }
        }
        Ok(Phase {
            rule,
            board,
            black: Player::First,
            script: rule.script(),
            last: Player::First,
            declared,
            offered: Vec::new(),
            choices: Vec::new(),
        })
    }

    /// The rule.
    pub fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// The stones so far. A fifth stone that is only offered is not among them.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Player who has `color` now.
    pub fn holder(&self, color: Color) -> Player {
        match color {
            Color::Black => self.black,
            Color::White => !self.black,
        }
    }

    /// The colour that `player` has now.
    pub fn color_of(&self, player: Player) -> Color {
        if player == self.black {
            Color::Black
        } else {
            Color::White
        }
    }

    /// True if nothing is left to decide.
    pub fn is_over(&self) -> bool {
        self.script.is_empty()
    }

    /// Player who decides next; `None` when the opening is over.
    pub fn decider(&self) -> Option<Player> {
        Some(match self.script.first()? {
            Item::First(_) => Player::First,
            Item::Mover(_) => self.holder(self.board.side_to_move()),
            Item::Take | Item::TakeOrAdd | Item::TakeOrOffer(_) => !self.last,
            Item::Declare(_) => self.last,
            Item::Offer(_) => self.holder(Color::Black),
            Item::Keep => self.holder(Color::White),
        })
    }

    /// Decision that is next; `None` when the opening is over.
    pub fn step(&self) -> Option<OpeningStep> {
        Some(match *self.script.first()? {
            Item::First(area) | Item::Mover(area) => OpeningStep::Put(area),
            Item::Take => OpeningStep::Take(None),
            Item::TakeOrAdd => OpeningStep::Take(Some(Alternative::Add)),
            Item::TakeOrOffer(count) => OpeningStep::Take(Some(Alternative::Offer { count })),
            Item::Declare(most) => OpeningStep::Declare {
                most: most.unwrap_or_else(|| surely_unequal(self.cells())),
            },
            Item::Offer(count) => OpeningStep::Offer {
                count: count.unwrap_or(self.declared),
            },
            Item::Keep => OpeningStep::Keep,
        })
    }

    /// Continuation after the current step; the value of a choice depends on it.
    pub fn ahead(&self) -> Ahead {
        let rest = self.script.get(1..).unwrap_or_default();
        match *rest {
            [] | [Item::Keep, ..] => Ahead::Game,
            [Item::Declare(most), ..] | [Item::Mover(_), Item::Declare(most), ..] => {
                Ahead::Number { most }
            }
            [Item::Take | Item::TakeOrAdd | Item::TakeOrOffer(_), ..] => Ahead::Swap,
            [Item::Offer(count), ..] | [Item::Mover(_), Item::Offer(count), ..] => Ahead::Fifths {
                count: count.unwrap_or(self.declared),
            },
            [Item::Mover(_), Item::Take | Item::TakeOrOffer(_), ..]
                if self.is_choosing_colours() =>
            {
                Ahead::Swap
            }
            _ if rest
                .iter()
                .any(|item| matches!(item, Item::Take | Item::TakeOrAdd)) =>
            {
                Ahead::Stones
            }
            _ => Ahead::Game,
        }
    }

    fn is_choosing_colours(&self) -> bool {
        matches!(self.step(), Some(OpeningStep::Take(_)))
    }

    /// A legal choice without search: the colours stay, and stones are put as close to the centre
    /// as possible.
    ///
    /// # Panics
    /// When the opening is over.
    pub fn any_choice(&self) -> Choice {
        let step = self.step().expect("an opening that is not over");
        let centre = Point::centre(self.board.width(), self.board.height());
        let off_centre = |p: &Point| {
            let (dx, dy) = (p.x().abs_diff(centre.x()), p.y().abs_diff(centre.y()));
            (dx.max(dy), *p)
        };
        match step {
            OpeningStep::Put(_) => {
                let point = self.points().iter().min_by_key(off_centre);
                Choice::Put(point.expect("a board with room for the rule"))
            }
            OpeningStep::Take(_) => {
                let decider = self.decider().expect("an opening that is not over");
                Choice::Take(self.color_of(decider))
            }
            OpeningStep::Declare { .. } => Choice::Declare(1),
            OpeningStep::Offer { count } => {
                let mut points = unequal_points(&self.board);
                points.sort_by_key(off_centre);
                points.truncate(count.into());
                Choice::Offer(points)
            }
            OpeningStep::Keep => Choice::Keep(self.offered[0]),
        }
    }

    /// The fifth stones offered, until one of them is kept.
    pub fn offered(&self) -> &[Point] {
        &self.offered
    }

    /// Number of fifth stones that Black must offer, if already fixed for the game.
    pub fn fifths(&self) -> Option<u8> {
        let fixed = self.script.iter().find_map(|item| match item {
            Item::Offer(Some(count)) => Some(*count),
            _ => None,
        });
        fixed.or((self.declared > 0).then_some(self.declared))
    }

    /// Everything decided so far.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The legal points of the next stone, or of a stone to add, offer or keep.
    pub fn points(&self) -> PointSet {
        match self.step() {
            Some(OpeningStep::Put(area)) => self.free_within(area),
            Some(OpeningStep::Take(Some(_)) | OpeningStep::Offer { .. }) => {
                self.free_within(Area::Anywhere)
            }
            Some(OpeningStep::Keep) => self.offered.iter().copied().collect(),
            Some(OpeningStep::Take(None) | OpeningStep::Declare { .. }) | None => PointSet::EMPTY,
        }
    }

    /// Makes a choice for the [`decider`](Phase::decider).
    ///
    /// # Errors
    /// When the rule does not allow it; nothing changes then.
    pub fn choose(&mut self, choice: &Choice) -> Result<(), Refusal> {
        self.judge(choice)?;
        let decider = self.decider().expect("judged: the opening is not over");
        let (item, rest) = self
            .script
            .split_first()
            .expect("judged: the opening is not over");
        self.script = rest;
        match *choice {
            Choice::Put(p) => self.board.play(p),
            Choice::Take(color) => {
                self.black = if color == Color::Black {
                    decider
                } else {
                    !decider
                }
            }
            Choice::Add(points) => {
                points.into_iter().for_each(|p| self.board.play(p));
                self.script = AFTER_ADDING;
            }
            Choice::Declare(count) => self.declared = count,
            Choice::Offer(ref points) => {
                self.offered.clone_from(points);
                if matches!(item, Item::TakeOrOffer(_)) {
                    self.script = KEEPING;
                }
            }
            Choice::Keep(p) => {
                self.board.play(p);
                self.offered.clear();
            }
        }
        self.last = decider;
        self.choices.push(choice.clone());
        Ok(())
    }

    /// Takes the last choice back; `None`, and nothing changes, if there is none.
    pub fn undo(&mut self) -> Option<Choice> {
        // Before the first choice the board is as it began, perhaps with a given position.
        let last = self.choices.pop()?;
        let choices = std::mem::take(&mut self.choices);
        while !self.board.stones().is_empty() {
            self.board.undo();
        }
        *self = Phase::new(self.rule, &self.board).expect("it has begun on this board before");
        for choice in &choices {
            self.choose(choice).expect("it was legal before");
        }
        Some(last)
    }

    /// Checks whether `choice` is legal.
    ///
    /// # Errors
    /// With the rule's reason why it is not.
    pub fn judge(&self, choice: &Choice) -> Result<(), Refusal> {
        let step = self.step().ok_or(Refusal::Over)?;
        match (step, choice) {
            (OpeningStep::Put(area), Choice::Put(p)) => self.judge_point(*p, area),
            (OpeningStep::Take(_), Choice::Take(_)) => Ok(()),
            (OpeningStep::Take(Some(Alternative::Add)), Choice::Add([a, b])) => {
                self.judge_point(*a, Area::Anywhere)?;
                self.judge_point(*b, Area::Anywhere)?;
                if a == b {
                    return Err(Refusal::Taken(self.label(*b)));
                }
                Ok(())
            }
            (OpeningStep::Declare { most }, Choice::Declare(count)) => {
                if !(1..=most).contains(count) {
                    let count = *count;
                    return Err(Refusal::Declared { count, most });
                }
                Ok(())
            }
            (
                OpeningStep::Offer { count }
                | OpeningStep::Take(Some(Alternative::Offer { count })),
                Choice::Offer(points),
            ) => {
                self.judge_offer(points)?;
                if points.len() != usize::from(count) {
                    let (expected, found) = (count, points.len());
                    return Err(Refusal::Count { expected, found });
                }
                Ok(())
            }
            (OpeningStep::Keep, Choice::Keep(p)) if self.offered.contains(p) => Ok(()),
            (OpeningStep::Keep, Choice::Keep(p)) => Err(Refusal::NotOffered(self.label(*p))),
            (step, _) => Err(Refusal::WrongStep(step)),
        }
    }

    /// Checks the first `points` of a choice that takes more.
    ///
    /// # Errors
    /// With the rule's reason why no choice with them is legal.
    pub fn judge_first(&self, points: &[Point]) -> Result<(), Refusal> {
        match self.step().ok_or(Refusal::Over)? {
            OpeningStep::Offer { .. } | OpeningStep::Take(Some(Alternative::Offer { .. })) => {
                self.judge_offer(points)
            }
            OpeningStep::Take(Some(Alternative::Add)) => {
                let mut points = points.iter();
                points.try_for_each(|&p| self.judge_point(p, Area::Anywhere))
            }
            step => Err(Refusal::WrongStep(step)),
        }
    }

    fn judge_point(&self, p: Point, area: Area) -> Result<(), Refusal> {
        if !self.contains(p) {
            return Err(Refusal::OffBoard(self.label(p)));
        }
        if !self.board.is_empty(p) {
            return Err(Refusal::Taken(self.label(p)));
        }
        if !area.contains(&self.board, p) {
            return Err(Refusal::Area {
                point: self.label(p),
                number: self.board.stones().len() + 1,
                area,
            });
        }
        Ok(())
    }

    /// Checks that `points` can be offered together, of any number.
    fn judge_offer(&self, points: &[Point]) -> Result<(), Refusal> {
        for (i, &p) in points.iter().enumerate() {
            self.judge_point(p, Area::Anywhere)?;
            for &earlier in &points[..i] {
                if p == earlier {
                    return Err(Refusal::Repeated(self.label(p)));
                }
                if are_equivalent(&self.board, earlier, p) {
                    return Err(Refusal::Equivalent(self.label(earlier), self.label(p)));
                }
            }
        }
        Ok(())
    }

    fn free_within(&self, area: Area) -> PointSet {
        let free = self.board.empty_points();
        free.filter(|&p| area.contains(&self.board, p)).collect()
    }

    fn cells(&self) -> usize {
        usize::from(self.board.width()) * usize::from(self.board.height())
    }

    fn contains(&self, p: Point) -> bool {
        p.x() < self.board.width() && p.y() < self.board.height()
    }

    fn label(&self, p: Point) -> String {
        if self.contains(p) {
            p.label(self.board.height())
        } else {
            p.to_string()
        }
    }
}
