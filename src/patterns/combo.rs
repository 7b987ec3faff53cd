//! Combinations of the shapes of a cell without regard to direction, numbered densely: the features
//! of the classical evaluation.
//!
//! Only the three strongest of the four shapes count; a straight four, a five and a forbidden point
//! are one combination each. A table over the combinations of both colours is small enough to stay
//! in cache.

use super::{Class, Shape};

/// Shapes below a four, weakest first.
const QUIET: [Shape; 9] = [
    Shape::Dead,
    Shape::ClosedOne,
    Shape::OpenOne,
    Shape::ClosedTwo,
    Shape::OpenTwo,
    Shape::WideTwo,
    Shape::ClosedThree,
    Shape::OpenThree,
    Shape::WideThree,
];

/// Multisets of three quiet shapes.
const TRIPLES: usize = 9 * 10 * 11 / 6;
/// Multisets of two quiet shapes.
const PAIRS: usize = 9 * 10 / 2;

/// Number of combinations.
pub const COMBOS: usize = TRIPLES + PAIRS + 3;
const _: () = assert!(COMBOS <= 256, "a combination's number fits a byte");

const STRAIGHT_FOUR: usize = TRIPLES + PAIRS;
const FIVE: usize = STRAIGHT_FOUR + 1;
const FORBIDDEN: usize = FIVE + 1;

/// Number of `{a >= b}` among all pairs.
const fn pair(a: usize, b: usize) -> usize {
    a * (a + 1) / 2 + b
}

/// Number of `{a >= b >= c}` among all triples.
const fn triple(a: usize, b: usize, c: usize) -> usize {
    a * (a + 1) * (a + 2) / 6 + pair(b, c)
}

/// The number of the combination of `shapes`, which make `class` together.
pub(super) fn combo(shapes: [Shape; 4], class: Class) -> u8 {
    let mut sorted = shapes.map(|s| s as usize);
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let number = match class {
        Class::Five => FIVE,
        Class::Forbidden => FORBIDDEN,
        Class::StraightFour => STRAIGHT_FOUR,
        _ if class.is_four() => TRIPLES + pair(sorted[1], sorted[2]),
        _ => triple(sorted[0], sorted[1], sorted[2]),
    };
    number as u8
}

/// The shapes of combination number `combo`, strongest first; a combination that wins or is
/// forbidden is one shape.
///
/// # Panics
/// When `combo` is not below [`COMBOS`].
pub fn combo_shapes(combo: usize) -> Vec<Shape> {
    match combo {
        STRAIGHT_FOUR => vec![Shape::StraightFour],
        FIVE => vec![Shape::Five],
        FORBIDDEN => vec![Shape::Overline],
        _ if combo >= TRIPLES => (0..QUIET.len())
            .flat_map(|a| (0..=a).map(move |b| (a, b)))
            .find(|&(a, b)| TRIPLES + pair(a, b) == combo)
            .map(|(a, b)| vec![Shape::Four, QUIET[a], QUIET[b]])
            .expect("a combination number"),
        _ => (0..QUIET.len())
            .flat_map(|a| (0..=a).flat_map(move |b| (0..=b).map(move |c| (a, b, c))))
            .find(|&(a, b, c)| triple(a, b, c) == combo)
            .map(|(a, b, c)| vec![QUIET[a], QUIET[b], QUIET[c]])
            .expect("a combination number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{Shapes, Tables};
    use crate::rules::Rule;
    use crate::types::Color;

    #[test]
    fn every_number_names_its_own_shapes() {
        let mut seen = [false; COMBOS];
        for packed in 0..Shapes::COUNT {
            if let Some(shapes) = Shapes(packed as u16).all() {
                let info = Tables::get(Rule::Renju).cell(Color::Black, Shapes(packed as u16));
                seen[usize::from(info.combo())] = true;
                if info.class() < Class::StraightFour {
                    let mut sorted = shapes.to_vec();
                    sorted.sort_unstable_by(|a, b| b.cmp(a));
                    assert_eq!(combo_shapes(usize::from(info.combo())), sorted[..3]);
                }
            }
        }
        assert!(seen.iter().all(|&s| s));
    }
}
