//! Balanced openings that were found in advance.
//!
//! Where one player puts stones and the other chooses, the second gains by all that he sees and the
//! first overlooked in the same time. Only longer searches help. The lists were made by
//! `tengen match openings --opening-rule`. The openings of five stones were made by Taraguchi's
//! rule: in them an offer before the fifth stone is not good for Black either. Games decided which
//! of renju's 26 openings are balanced with how many fifth stones: `match --opening-rule
//! designated:OPENING:FIFTHS`.

use std::sync::LazyLock;

use rand::RngExt;
use rand::seq::IteratorRandom;

use crate::board::{Board, parse_moves};
use crate::openings::{OpeningRule, Phase};
use crate::rules::Rule;
use crate::types::{Point, Symmetry};

/// Openings for one rule on a square board.
struct OpeningList {
    rule: Rule,
    side: u8,
    openings: Vec<KnownOpening>,
}

/// A balanced opening.
struct KnownOpening {
    stones: Vec<Point>,
    /// The number of fifth stones that balances the opening; `None` if Black puts his next stone
    /// freely.
    fifths: Option<u8>,
}

impl KnownOpening {
    /// True if it can be played by `rule`.
    fn fits(&self, rule: OpeningRule) -> bool {
        match rule {
            OpeningRule::Rif | OpeningRule::RenjuSwap => self.fifths == Some(2),
            OpeningRule::Yamaguchi => self.fifths.is_some(),
            _ => self.fifths.is_none() && rule.stones_before_choice() == Some(self.stones.len()),
        }
    }
}

static LISTS: LazyLock<[OpeningList; 2]> = LazyLock::new(|| {
    let freestyle_15 = include_str!("freestyle-15.txt");
    let renju_15 = include_str!("renju-15.txt");
    [
        OpeningList::new(Rule::Freestyle, 15, freestyle_15),
        OpeningList::new(Rule::Renju, 15, renju_15),
    ]
});

impl OpeningList {
    /// Reads one opening a line: labels of its stones, optionally followed by `with` and a number
    /// of fifth stones.
    fn new(rule: Rule, side: u8, text: &str) -> OpeningList {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let opening = |line: &str| {
            let (labels, fifths) = match line.split_once(" with ") {
                Some((labels, count)) => (labels, Some(count.parse().expect("a number"))),
                None => (line, None),
            };
            let mut board = Board::new(side.into(), side.into()).expect("a valid size");
            parse_moves(&mut board, labels).expect("valid labels");
            let stones = board.stones().iter().map(|stone| stone.point).collect();
            KnownOpening { stones, fifths }
        };
        OpeningList {
            rule,
            side,
            openings: lines.map(opening).collect(),
        }
    }

    /// The list for such a game, if there is one.
    fn of(phase: &Phase, rule: Rule) -> Option<&'static OpeningList> {
        let size = (phase.board().width(), phase.board().height());
        let is_for = |list: &&OpeningList| list.rule == rule && size == (list.side, list.side);
        LISTS.iter().find(is_for)
    }

    /// The openings that begin like `phase`, in any orientation, and can still be played, each with
    /// its further stones.
    fn beginning_like<'a>(
        &'a self,
        phase: &'a Phase,
    ) -> impl Iterator<Item = (&'a KnownOpening, impl Iterator<Item = Point> + 'a)> + 'a {
        let side = self.side;
        let fitting = self.openings.iter().filter(|o| o.fits(phase.rule()));
        fitting
            .flat_map(move |opening| {
                let symmetries = (0..Symmetry::count(side, side)).map(Symmetry::new);
                symmetries.map(move |symmetry| {
                    let image = opening.stones.iter();
                    (opening, image.map(move |&p| symmetry.map(p, side, side)))
                })
            })
            .filter_map(move |(opening, mut image)| {
                let mut stones = phase.board().stones().iter();
                let is_same = stones.all(|s| image.next() == Some(s.point));
                is_same.then_some((opening, image))
            })
    }
}

/// The next stone of a random opening that begins like `phase`, in any orientation; `None` where
/// there is none.
pub(super) fn next_stone(phase: &Phase, rule: Rule, rng: &mut impl RngExt) -> Option<Point> {
    let openings = OpeningList::of(phase, rule)?.beginning_like(phase);
    let stones = openings.filter_map(|(_, mut following)| following.next());
    stones.choose(rng)
}

/// The balanced number of fifth stones for the opening on the board of `phase`, declared before the
/// fourth stone.
pub(super) fn fifth_count(phase: &Phase, rule: Rule) -> Option<u8> {
    let openings = OpeningList::of(phase, rule)?.beginning_like(phase);
    let mut whole =
        openings.filter(|(opening, _)| opening.stones.len() == phase.board().stones().len());
    whole.find_map(|(opening, _)| opening.fifths)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::openings::{Choice, OpeningStep, RuleKind};
    use crate::rules::foul;
    use crate::types::Color;

    /// The opening by `rule` with these stones and without a change of colours.
    fn phase(rule: OpeningRule, side: u8, stones: &[Point]) -> Phase {
        let board = Board::new(side.into(), side.into()).unwrap();
        let mut phase = Phase::new(rule, &board).unwrap();
        let mut stones = stones.iter();
        while let Some(step) = phase.step() {
            let choice = match step {
                OpeningStep::Put(_) => match stones.next() {
                    Some(&p) => Choice::Put(p),
                    None => break,
                },
                OpeningStep::Take(_) => Choice::Take(Color::White),
                _ => break,
            };
            phase.choose(&choice).unwrap();
        }
        phase
    }

    /// The rules by which an opening of the list can be played.
    fn rules_for(list: &OpeningList, opening: &KnownOpening) -> Vec<OpeningRule> {
        let kind = match list.rule {
            Rule::Renju => RuleKind::Renju,
            _ => RuleKind::Gomoku,
        };
        let rules = OpeningRule::PLAIN.into_iter();
        rules
            .filter(|rule| rule.kind() == kind && opening.fits(*rule))
            .collect()
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
                let KnownOpening { stones, fifths } = opening;
                let fitting = rules_for(list, opening);
                assert!(!fitting.is_empty(), "{stones:?}");
                for rule in fitting {
                    let phase = phase(rule, list.side, stones);
                    let put = phase.board().stones().iter().map(|s| s.point);
                    assert!(put.eq(stones.iter().copied()), "{rule} {stones:?}");
                    assert_eq!(phase.is_over(), fifths.is_none(), "{rule} {stones:?}");
                    assert_eq!(fifth_count(&phase, list.rule), *fifths);
                }
                let mut board = Board::new(list.side.into(), list.side.into()).unwrap();
                for &p in stones {
                    assert_eq!(foul(&board, p), None, "{stones:?}");
                    board.play(p);
                }
                let images = (0..8).map(|number| image(stones, list.side, number));
                assert!(seen.insert((images.min(), *fifths)), "{stones:?}");
            }
            assert!(seen.len() >= 40, "{:?} {}", list.rule, list.side);
        }
    }

    #[test]
    fn an_opening_is_known_in_every_orientation() {
        let mut rng = StdRng::seed_from_u64(1);
        for list in LISTS.iter() {
            for (i, opening) in list.openings.iter().enumerate() {
                for rule in rules_for(list, opening) {
                    let turned = image(&opening.stones, list.side, (i % 8) as u8);
                    let mut found = turned[..turned.len() - 1].to_vec();
                    let before = phase(rule, list.side, &found);
                    found.push(next_stone(&before, list.rule, &mut rng).unwrap());
                    let is_it = |known: &KnownOpening| {
                        let mut images = (0..8).map(|n| image(&known.stones, list.side, n));
                        known.fits(rule) && images.any(|image| image == found)
                    };
                    assert!(list.openings.iter().any(is_it), "{rule} {found:?}");
                }
            }
        }
    }

    #[test]
    fn other_stones_rules_and_boards_have_none() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut next = |phase: &Phase, rule| next_stone(phase, rule, &mut rng);
        let renju = LISTS.iter().find(|list| list.rule == Rule::Renju).unwrap();
        let five = &renju.openings[0].stones;
        assert_eq!(five.len(), 5);
        let known = phase(OpeningRule::Taraguchi, 15, &five[..3]);
        assert!(next(&known, Rule::Renju).is_some());
        assert_eq!(next(&known, Rule::CaroExact), None);
        let whole = phase(OpeningRule::Tarannikov, 15, five);
        assert_eq!(next(&whole, Rule::Renju), None);
        let large = phase(OpeningRule::Tarannikov, 17, &[]);
        assert_eq!(next(&large, Rule::Renju), None);
        // White's fourth stone and then a number of fifth stones balance it.
        let soosorv = phase(OpeningRule::Soosorv8, 15, &[]);
        assert_eq!(next(&soosorv, Rule::Renju), None);
    }
}
