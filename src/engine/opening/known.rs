//! Even openings that were looked for long before the game.
//!
//! Where one player puts stones and the other chooses then, what the other gains is what he sees in his
//! time and the first did not see in as little. Only more time helps against that. The lists were made
//! by `pbrain-tengen match openings --opening-rule`; those of five stones by Taraguchi's rule, so that
//! before the fifth an offer is not good for Black either.

use std::sync::LazyLock;

use rand::seq::IteratorRandom;
use rand::Rng;

use crate::board::{parse_moves, Board};
use crate::openings::Phase;
use crate::rules::Rule;
use crate::types::{Point, Symmetry};

/// Openings for one rule on a square board.
struct List {
    rule: Rule,
    side: u8,
    openings: Vec<Vec<Point>>,
}

static LISTS: LazyLock<[List; 2]> = LazyLock::new(|| {
    let freestyle_15 = include_str!("known/freestyle-15.txt");
    let renju_15 = include_str!("known/renju-15.txt");
    [
        List::new(Rule::Freestyle, 15, freestyle_15),
        List::new(Rule::Renju, 15, renju_15),
    ]
});

impl List {
    fn new(rule: Rule, side: u8, text: &str) -> List {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let opening = |line: &str| {
            let mut board = Board::new(side.into(), side.into()).expect("a size that there is");
            parse_moves(&mut board, line).expect("a list that the tests have read");
            board.stones().iter().map(|stone| stone.point).collect()
        };
        List {
            rule,
            side,
            openings: lines.map(opening).collect(),
        }
    }

    /// Those of so many stones, turned in all ways.
    fn images(&self, stones: usize) -> impl Iterator<Item = impl Iterator<Item = Point> + '_> + '_ {
        let side = self.side;
        let such = self.openings.iter().filter(move |o| o.len() == stones);
        such.flat_map(move |opening| {
            let symmetries = (0..Symmetry::count(side, side)).map(Symmetry::new);
            symmetries
                .map(move |symmetry| opening.iter().map(move |&p| symmetry.map(p, side, side)))
        })
    }
}

/// The next stone of one of the openings that begin like `phase`, however they are turned, drawn by
/// lot; `None` where there is no such opening, or they are of no use.
pub(super) fn next_stone(phase: &Phase, rule: Rule, rng: &mut impl Rng) -> Option<Point> {
    let board = phase.board();
    let size = (board.width(), board.height());
    let is_for = |list: &&List| list.rule == rule && size == (list.side, list.side);
    let list = LISTS.iter().find(is_for)?;
    let stones = board.stones();
    let following = list
        .images(phase.rule().stones_before_choice()?)
        .filter_map(|mut image| {
            let begins_so = stones.iter().all(|s| image.next() == Some(s.point));
            begins_so.then(|| image.next()).flatten()
        });
    following.choose(rng)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::rngs::StdRng;
    use rand::SeedableRng;

    use super::*;
    use crate::openings::{Choice, OpeningRule, Step};
    use crate::rules::foul;
    use crate::types::Color;

    /// The opening by `rule` with these stones, and the colours as they were.
    fn phase(rule: OpeningRule, side: u8, stones: &[Point]) -> Phase {
        let board = Board::new(side.into(), side.into()).unwrap();
        let mut phase = Phase::new(rule, &board).unwrap();
        let mut stones = stones.iter();
        while let Some(step) = phase.step() {
            let choice = match step {
                Step::Put(_) => match stones.next() {
                    Some(&p) => Choice::Put(p),
                    None => break,
                },
                _ => Choice::Take(Color::White),
            };
            phase.choose(&choice).unwrap();
        }
        phase
    }

    fn image(opening: &[Point], side: u8, number: u8) -> Vec<Point> {
        let turned = |&p: &Point| Symmetry::new(number).map(p, side, side);
        opening.iter().map(turned).collect()
    }

    #[test]
    fn all_are_legal_by_every_rule_and_different() {
        for list in LISTS.iter() {
            let mut seen = HashSet::new();
            for opening in &list.openings {
                for rule in OpeningRule::PLAIN {
                    if rule.stones_before_choice() == Some(opening.len()) {
                        assert!(phase(rule, list.side, opening).is_over(), "{opening:?}");
                    }
                }
                let mut board = Board::new(list.side.into(), list.side.into()).unwrap();
                for &p in opening {
                    assert_eq!(foul(&board, p), None, "{opening:?}");
                    board.play(p);
                }
                let images = (0..8).map(|number| image(opening, list.side, number));
                assert!(seen.insert(images.min()), "{opening:?}");
            }
            assert!(seen.len() >= 40, "{:?} {}", list.rule, list.side);
        }
    }

    #[test]
    fn an_opening_is_known_however_it_is_turned() {
        let mut rng = StdRng::seed_from_u64(1);
        for list in LISTS.iter() {
            for (i, opening) in list.openings.iter().enumerate() {
                let rule = match opening.len() {
                    3 => OpeningRule::Swap2,
                    _ => OpeningRule::Tarannikov,
                };
                let turned = image(opening, list.side, (i % 8) as u8);
                let mut found = turned[..turned.len() - 1].to_vec();
                let before = phase(rule, list.side, &found);
                found.push(next_stone(&before, list.rule, &mut rng).unwrap());
                let is_it = |known: &Vec<Point>| {
                    (0..8).any(|number| image(known, list.side, number) == found)
                };
                assert!(list.openings.iter().any(is_it), "{found:?}");
            }
        }
    }

    #[test]
    fn other_stones_rules_and_boards_have_none() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut next = |phase: &Phase, rule| next_stone(phase, rule, &mut rng);
        let renju = LISTS.iter().find(|list| list.rule == Rule::Renju).unwrap();
        let five = &renju.openings[0];
        assert_eq!(five.len(), 5);
        let known = phase(OpeningRule::Taraguchi, 15, &five[..3]);
        assert!(next(&known, Rule::Renju).is_some());
        assert_eq!(next(&known, Rule::CaroExact), None);
        let whole = phase(OpeningRule::Tarannikov, 15, five);
        assert_eq!(next(&whole, Rule::Renju), None);
        let large = phase(OpeningRule::Tarannikov, 17, &[]);
        assert_eq!(next(&large, Rule::Renju), None);
        // Nobody chooses after three stones and is done.
        let rif = phase(OpeningRule::Rif, 15, &five[..2]);
        assert_eq!(next(&rif, Rule::Renju), None);
    }
}
