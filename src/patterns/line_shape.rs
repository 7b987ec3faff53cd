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

/// Definition of a five for one colour under one rule.
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

    /// True if stones at both ends make a five worth nothing.
    const fn fives_can_be_blocked(self) -> bool {
        matches!(self, FiveRule::Caro | FiveRule::CaroExact)
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

/// Cell codes of an arm from one colour's view.
const EMPTY: usize = 0;
const OWN: usize = 1;
const OPPONENT: usize = 2;
const BLOCKED: usize = 3;

/// The shapes of all lines of one colour.
///
/// A line is a centre with an arm on each side: the cells outward from the centre, two bits a cell
/// (0 empty, 1 own, 2 opponent, 3 blocked or off the board), the nearest lowest. No row reaches
/// over an opponent's stone, so what lies behind one does not matter: of 1,024 arms of five cells
/// there are 94 kinds, and only their 8,836 pairs are computed instead of a million windows.
pub(super) struct LineShapes {
    rule: FiveRule,
    /// The [`canonical`] arm of each kind, in ascending order.
    arms: Vec<usize>,
    /// The kind of each arm.
    kinds: Vec<u8>,
    /// The shape for each kind of one arm and of the other.
    shapes: Vec<Shape>,
}

impl LineShapes {
    /// Computes the shapes of one colour under `rule`.
    ///
    /// Another stone makes an arm's number larger, so from the highest down the shapes after one
    /// more stone are already known.
    pub fn new(rule: FiveRule) -> LineShapes {
        let radius = rule.radius();
        let representative: Vec<usize> = (0..1 << (2 * radius))
            .map(|arm| canonical(arm, radius))
            .collect();
        let mut arms = representative.clone();
        arms.sort_unstable();
        arms.dedup();
        let kind_of = |arm| arms.binary_search(arm).expect("a representative") as u8;
        let kinds = representative.iter().map(kind_of).collect();
        let shapes = vec![Shape::Dead; arms.len() * arms.len()];
        let mut lines = LineShapes {
            rule,
            arms,
            kinds,
            shapes,
        };
        for one in (0..lines.arms.len()).rev() {
            for other in (0..lines.arms.len()).rev() {
                let shape = lines.compute(lines.arms[one], lines.arms[other]);
                lines.shapes[one * lines.arms.len() + other] = shape;
            }
        }
        lines
    }

    /// The kind of `arm`, whose cells too far away to matter are cut off.
    pub fn kind(&self, arm: usize) -> u8 {
        self.kinds[arm % self.kinds.len()]
    }

    /// The shape that a stone between arms of these kinds makes.
    pub fn shape(&self, one: u8, other: u8) -> Shape {
        self.shapes[usize::from(one) * self.arms.len() + usize::from(other)]
    }

    fn compute(&self, one: usize, other: usize) -> Shape {
        let radius = self.rule.radius();
        let code = |arm: usize, cell: usize| arm >> (2 * cell) & 3;
        let run = |arm| {
            (0..radius)
                .take_while(|&cell| code(arm, cell) == OWN)
                .count()
        };
        let (before, behind) = (run(one), run(other));
        let length = before + 1 + behind;
        if length >= 5 {
            // A row that extends beyond an arm is longer than five, and its ends do not matter.
            let blocked = before < radius
                && behind < radius
                && code(one, before) == OPPONENT
                && code(other, behind) == OPPONENT;
            if let Some(finished) = self.rule.finished(length, blocked) {
                return finished;
            }
        }

        // Number of free cells that turn the line into each shape. In a five the centre and the new
        // stone are at most four apart, so the outermost cells of a long arm are skipped.
        let mut ways = [0u8; Shape::ALL.len()];
        for (one, other) in with_stone(one, other, OWN, 4) {
            ways[self.shape(self.kind(one), self.kind(other)) as usize] += 1;
        }
        let fives = &mut ways[Shape::Five as usize];
        // Where a five's ends matter, one stone between two fives may stop both.
        if *fives > 1 && self.rule.fives_can_be_blocked() {
            let mut replies = with_stone(one, other, OPPONENT, radius);
            if replies.any(|(one, other)| !self.can_make_five(one, other)) {
                *fives = 1;
            }
        }
        shape_by_ways(self.rule, length, &ways)
    }

    /// True if another stone makes a five with a stone between these arms.
    fn can_make_five(&self, one: usize, other: usize) -> bool {
        with_stone(one, other, OWN, 4)
            .any(|(one, other)| self.shape(self.kind(one), self.kind(other)) == Shape::Five)
    }
}

/// The arms with one more stone of a code on each free cell up to a distance, in turn.
fn with_stone(
    one: usize,
    other: usize,
    code: usize,
    distance: usize,
) -> impl Iterator<Item = (usize, usize)> {
    (0..distance).flat_map(move |cell| {
        let shift = 2 * cell;
        let is_free = |arm: usize| arm >> shift & 3 == EMPTY;
        let first = is_free(one).then_some((one | code << shift, other));
        let second = is_free(other).then_some((one, other | code << shift));
        first.into_iter().chain(second)
    })
}

/// `arm` with all cells blocked behind the first opponent's stone or blocked cell.
fn canonical(arm: usize, radius: usize) -> usize {
    let end = (0..radius).find(|cell| arm >> (2 * cell) & 3 >= OPPONENT);
    end.map_or(arm, |end| {
        let behind = (end + 1..radius).map(|cell| BLOCKED << (2 * cell));
        arm | behind.sum::<usize>()
    })
}

/// The shape of an unfinished line with a row of `length` stones, where `ways` free cells turn it
/// into each shape.
fn shape_by_ways(rule: FiveRule, length: usize, ways: &[u8; Shape::ALL.len()]) -> Shape {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_of_few_kinds() {
        for (rule, kinds) in [(FiveRule::AtLeastFive, 46), (FiveRule::Caro, 94)] {
            let lines = LineShapes::new(rule);
            assert_eq!(lines.arms.len(), kinds);
            // Own, empty, opponent; then anything.
            let arm = OWN | EMPTY << 2 | OPPONENT << 4;
            let behind = |code| lines.kind(arm | code << 6);
            assert!((EMPTY..=BLOCKED).all(|code| behind(code) == behind(BLOCKED)));
            assert_ne!(behind(EMPTY), lines.kind(OWN));
        }
    }

    #[test]
    fn a_line_read_from_its_other_end_has_the_same_shape() {
        for rule in [FiveRule::AtLeastFive, FiveRule::RenjuBlack, FiveRule::Caro] {
            let lines = LineShapes::new(rule);
            for (one, other) in (0..lines.arms.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let (one, other) = (one as u8, other as u8);
                assert_eq!(lines.shape(one, other), lines.shape(other, one));
            }
        }
    }
}
