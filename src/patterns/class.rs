use super::Shape;
use crate::board::Direction;

/// Threat that a stone on a free cell makes in all four directions together.
///
/// Ordered as [`Class::ALL`]: `Four` and above forces, `Five` and above ends the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No threat.
    #[default]
    Quiet = 0,
    /// An open three.
    OpenThree,
    /// An open three and a closed three, or a second line one stone from an open three.
    ThreePlus,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four and a closed three, or a second line one stone from an open three.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// A straight four or two fours: wins unless the opponent makes five or fours first.
    StraightFour,
    /// Wins.
    Five,
    /// Surely forbidden: an overline or two fours, and no five (Black in renju).
    Forbidden,
}

/// Number of classes.
pub const CLASSES: usize = 10;

impl Class {
    /// Every class, by number.
    pub const ALL: [Class; CLASSES] = [
        Class::Quiet,
        Class::OpenThree,
        Class::ThreePlus,
        Class::DoubleThree,
        Class::Four,
        Class::FourPlus,
        Class::FourThree,
        Class::StraightFour,
        Class::Five,
        Class::Forbidden,
    ];

    /// The class at this place of [`Class::ALL`].
    #[inline]
    pub const fn from_index(index: usize) -> Class {
        Class::ALL[index]
    }

    /// Place in [`Class::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The classes of cells on which a stone makes a four, so threatens to make five next.
    pub const FOURS: [Class; 4] = [
        Class::Four,
        Class::FourPlus,
        Class::FourThree,
        Class::StraightFour,
    ];

    /// True if a stone here threatens to make five next: one of [`Class::FOURS`].
    #[inline]
    pub fn is_four(self) -> bool {
        self >= Class::Four && self <= Class::StraightFour
    }
}

/// The shapes of the four directions, four bits each, in the order of [`Direction::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shapes(pub u16);

impl Shapes {
    /// Number of different values.
    pub const COUNT: usize = 1 << 16;

    /// The shape along `direction`.
    #[inline]
    pub fn get(self, direction: Direction) -> Shape {
        Shape::from_index(usize::from(self.0 >> (4 * direction.index()) & 15))
    }

    /// These shapes with the first two neighbours exchanged that are out of order; `None` if all
    /// are in order, the strongest in the highest bits.
    pub(super) fn exchanged(self) -> Option<Shapes> {
        let shape = |i: u32| self.0 >> (4 * i) & 15;
        let i = (0..3).find(|&i| shape(i) > shape(i + 1))?;
        let both = (shape(i) ^ shape(i + 1)) * 0x11;
        Some(Shapes(self.0 ^ both << (4 * i)))
    }

    /// The four shapes, or `None` if some bits do not stand for a shape.
    pub(super) fn all(self) -> Option<[Shape; 4]> {
        let number = |i: usize| usize::from(self.0 >> (4 * i) & 15);
        (0..4)
            .all(|i| number(i) < Shape::ALL.len())
            .then(|| std::array::from_fn(|i| Shape::from_index(number(i))))
    }
}

/// Number of each kind of line among the four through a cell.
struct LineCounts {
    fives: u32,
    overlines: u32,
    straight_fours: u32,
    /// Fours, counting two for a double-four on one line and one for a straight four.
    fours: u32,
    open_threes: u32,
    closed_threes: u32,
    open_twos: u32,
}

impl LineCounts {
    fn of(shapes: [Shape; 4]) -> LineCounts {
        let count = |wanted: &[Shape]| shapes.iter().filter(|s| wanted.contains(s)).count() as u32;
        let straight = count(&[Shape::StraightFour]);
        let double = count(&[Shape::LineDoubleFour]);
        LineCounts {
            fives: count(&[Shape::Five]),
            overlines: count(&[Shape::Overline]),
            straight_fours: straight,
            fours: count(&[Shape::Four]) + straight + 2 * double,
            open_threes: count(&[Shape::OpenThree, Shape::WideThree]),
            closed_threes: count(&[Shape::ClosedThree]),
            open_twos: count(&[Shape::OpenTwo, Shape::WideTwo]),
        }
    }
}

/// The class of a cell, and a flag for cells of which only the exact test knows if they are
/// forbidden (two open threes, one of them perhaps not real). `restricted` is true for Black in
/// renju.
pub(super) fn classify(shapes: [Shape; 4], restricted: bool) -> (Class, bool) {
    let lines = LineCounts::of(shapes);
    if lines.fives > 0 {
        return (Class::Five, false);
    }
    if restricted && (lines.overlines > 0 || lines.fours >= 2) {
        return (Class::Forbidden, false);
    }
    let more = lines.closed_threes > 0 || lines.open_twos > 0;
    let class = if lines.straight_fours > 0 || lines.fours >= 2 {
        Class::StraightFour
    } else if lines.fours == 1 {
        match (lines.open_threes, more) {
            (0, false) => Class::Four,
            (0, true) => Class::FourPlus,
            _ => Class::FourThree,
        }
    } else {
        match (lines.open_threes, more) {
            (0, _) => Class::Quiet,
            (1, false) => Class::OpenThree,
            (1, true) => Class::ThreePlus,
            _ => Class::DoubleThree,
        }
    };
    (class, restricted && lines.open_threes >= 2)
}
