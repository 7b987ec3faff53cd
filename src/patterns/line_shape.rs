//! The shape of one line through a cell, derived from the rule's definition of a five: a four is
//! one stone away from a five, a three one stone away from a straight four, and so on.

use crate::board::WINDOW_RADIUS;

/// The shape that a stone on a free cell makes in one direction. Ordered roughly by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// Never part of a five.
    Dead = 0,
    /// A lone stone that can become a closed two at best.
    ClosedOne,
    /// A lone stone that can become an open two.
    OpenOne,
    /// One stone away from a closed three.
    ClosedTwo,
    /// One stone away from an open three, in few ways.
    OpenTwo,
    /// One stone away from an open three that has two points for a straight four.
    WideTwo,
    /// One stone away from a four.
    ClosedThree,
    /// One stone away from a straight four, on one point only.
    OpenThree,
    /// One stone away from a straight four, on two points or more.
    WideThree,
    /// One stone away from five, on one point.
    Four,
    /// Two fours on one line that are not a straight four: forbidden for Black in renju, as good
    /// as a straight four everywhere else.
    LineDoubleFour,
    /// One stone away from five on two points.
    StraightFour,
    /// Wins.
    Five,
    /// Six or more where only exactly five wins and more is forbidden (Black in renju).
    Overline,
}

impl Shape {
    /// Every shape, by number.
    pub const ALL: [Shape; 14] = [
        Shape::Dead,
        Shape::ClosedOne,
        Shape::OpenOne,
        Shape::ClosedTwo,
        Shape::OpenTwo,
        Shape::WideTwo,
        Shape::ClosedThree,
        Shape::OpenThree,
        Shape::WideThree,
        Shape::Four,
        Shape::LineDoubleFour,
        Shape::StraightFour,
        Shape::Five,
        Shape::Overline,
    ];

    /// The shape with this number.
    #[inline]
    pub const fn from_index(index: usize) -> Shape {
        Shape::ALL[index]
    }

    /// An open three of either kind.
    #[inline]
    pub const fn is_open_three(self) -> bool {
        matches!(self, Shape::OpenThree | Shape::WideThree)
    }
}

/// What counts as a five for one colour under one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FiveRule {
    /// Five or more.
    AtLeastFive,
    /// Exactly five; longer rows are worth nothing.
    ExactlyFive,
    /// Exactly five; longer rows and two fours on one line are forbidden.
    RenjuBlack,
    /// Six or more, or five unless the opponent stands at both ends.
    Caro,
    /// Exactly five unless the opponent stands at both ends.
    CaroExact,
}

impl FiveRule {
    /// Largest distance from the centre at which a cell matters. The ends of a row matter only
    /// where longer or blocked rows do not count as five.
    pub(super) const fn radius(self) -> usize {
        match self {
            FiveRule::AtLeastFive => WINDOW_RADIUS - 1,
            _ => WINDOW_RADIUS,
        }
    }

    /// The finished shape of a row of `length` stones, if it has one. `blocked`: the opponent
    /// stands at both ends.
    fn finished(self, length: usize, blocked: bool) -> Option<Shape> {
        let five = Some(Shape::Five);
        let dead = Some(Shape::Dead);
        match (self, length) {
            (_, 0..=4) => None,
            (FiveRule::AtLeastFive, _) => five,
            (FiveRule::ExactlyFive, 5) | (FiveRule::RenjuBlack, 5) => five,
            (FiveRule::ExactlyFive, _) => dead,
            (FiveRule::RenjuBlack, _) => Some(Shape::Overline),
            (FiveRule::Caro | FiveRule::CaroExact, 5) if blocked => dead,
            (FiveRule::Caro, _) | (FiveRule::CaroExact, 5) => five,
            (FiveRule::CaroExact, _) => dead,
        }
    }
}

/// Cell codes of a window from one colour's view.
const EMPTY: usize = 0;
const OWN: usize = 1;
const OPPONENT: usize = 2;

/// The shapes of all windows of one colour: index by the cells of the window without its centre,
/// two bits a cell (0 empty, 1 own, 2 opponent, 3 blocked), the cell furthest back lowest.
///
/// Windows are visited from the highest number down: another stone makes the number larger, so the
/// shapes after one more stone are already known.
pub(super) fn shapes(rule: FiveRule) -> Vec<Shape> {
    let cells = 2 * rule.radius();
    let mut table = vec![Shape::Dead; 1 << (2 * cells)];
    for window in (0..table.len()).rev() {
        table[window] = shape(rule, window, &table);
    }
    table
}

fn shape(rule: FiveRule, window: usize, table: &[Shape]) -> Shape {
    let radius = rule.radius();
    let code = |cell: usize| window >> (2 * cell) & 3;
    let before = (0..radius)
        .rev()
        .take_while(|&cell| code(cell) == OWN)
        .count();
    let behind = (radius..2 * radius)
        .take_while(|&cell| code(cell) == OWN)
        .count();
    let length = before + 1 + behind;
    if length >= 5 {
        // A row that extends beyond the window is longer than five, and its ends do not matter.
        let blocked = before < radius
            && behind < radius
            && code(radius - 1 - before) == OPPONENT
            && code(radius + behind) == OPPONENT;
        if let Some(finished) = rule.finished(length, blocked) {
            return finished;
        }
    }

    // Number of free cells that turn the line into each shape. In a five the centre and the new
    // stone are at most four apart, so the outermost cells of a wide window are skipped.
    let mut ways = [0u8; Shape::ALL.len()];
    for cell in radius - 4..radius + 4 {
        if code(cell) == EMPTY {
            ways[table[window | OWN << (2 * cell)] as usize] += 1;
        }
    }
    let ways = |shape: Shape| ways[shape as usize];

    match ways(Shape::Five) {
        0 => {}
        1 => return Shape::Four,
        _ if length == 4 => return Shape::StraightFour,
        _ => return Shape::LineDoubleFour,
    }
    let mut straight_fours = ways(Shape::StraightFour);
    if rule != FiveRule::RenjuBlack {
        straight_fours += ways(Shape::LineDoubleFour);
    }
    match straight_fours {
        0 => {}
        1 => return Shape::OpenThree,
        _ => return Shape::WideThree,
    }
    if ways(Shape::Four) > 0 {
        Shape::ClosedThree
    } else if ways(Shape::WideThree) >= 2 {
        Shape::WideTwo
    } else if ways(Shape::WideThree) + ways(Shape::OpenThree) > 0 {
        Shape::OpenTwo
    } else if ways(Shape::ClosedThree) > 0 {
        Shape::ClosedTwo
    } else if ways(Shape::WideTwo) + ways(Shape::OpenTwo) > 0 {
        Shape::OpenOne
    } else if ways(Shape::ClosedTwo) > 0 {
        Shape::ClosedOne
    } else {
        Shape::Dead
    }
}
