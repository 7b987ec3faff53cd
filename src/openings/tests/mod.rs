//! Every rule twice: [`Phase`] against a plain reading of the whole record, written rule by rule.

mod page_commands;
mod page_table;
mod record;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::{Board, parse_moves};
use crate::types::{Color, MAX_SIDE, Point, Symmetry};

/// Runs of each rule without an illegal step, and as many with one.
const RUNS: usize = 10_000;

fn board(width: u32, height: u32) -> Board {
    Board::new(width, height).unwrap()
}

fn with_moves(text: &str) -> Board {
    let mut board = board(15, 15);
    parse_moves(&mut board, text).unwrap();
    board
}

/// Any point at all, more often one that could be meant.
fn random_point(phase: &Phase, rng: &mut StdRng) -> Point {
    let (width, height) = (phase.board().width(), phase.board().height());
    match rng.random_range(0..10) {
        0 => Point::new(rng.random_range(0..MAX_SIDE), rng.random_range(0..MAX_SIDE)),
        1 | 2 => Point::new(rng.random_range(0..width), rng.random_range(0..height)),
        _ => {
            let near = |side: u8, rng: &mut StdRng| side / 2 + rng.random_range(0..=10) - 5;
            let (x, y) = (near(width.max(11), rng), near(height.max(11), rng));
            Point::new(x.min(width - 1), y.min(height - 1))
        }
    }
}

fn random_points(phase: &Phase, count: usize, rng: &mut StdRng) -> Vec<Point> {
    (0..count).map(|_| random_point(phase, rng)).collect()
}

/// A choice, legal or not, mostly of the kind asked for.
fn random_choice(phase: &Phase, rng: &mut StdRng) -> Choice {
    let fitting = match phase.step() {
        Some(OpeningStep::Put(_)) => 0,
        Some(OpeningStep::Take(Some(Alternative::Add))) => *[1, 2].choose(rng).unwrap(),
        Some(OpeningStep::Take(Some(Alternative::Offer { .. }))) => *[1, 4].choose(rng).unwrap(),
        Some(OpeningStep::Take(None)) => 1,
        Some(OpeningStep::Declare { .. }) => 3,
        Some(OpeningStep::Offer { .. }) => 4,
        Some(OpeningStep::Keep) | None => 5,
    };
    let kind = if rng.random_bool(0.9) {
        fitting
    } else {
        rng.random_range(0..6)
    };
    match kind {
        0 => Choice::Put(random_point(phase, rng)),
        1 => Choice::Take(*Color::BOTH.choose(rng).unwrap()),
        2 => Choice::Add([random_point(phase, rng), random_point(phase, rng)]),
        3 => Choice::Declare(rng.random_range(0..=12)),
        4 => Choice::Offer(random_offer(phase, rng)),
        _ => match phase.offered().choose(rng) {
            Some(&p) if rng.random_bool(0.8) => Choice::Keep(p),
            _ => Choice::Keep(random_point(phase, rng)),
        },
    }
}

/// As many points as are asked for, nearly; images under the board's symmetries among them.
fn random_offer(phase: &Phase, rng: &mut StdRng) -> Vec<Point> {
    let count = match phase.step() {
        Some(
            OpeningStep::Offer { count } | OpeningStep::Take(Some(Alternative::Offer { count })),
        ) => usize::from(count),
        _ => 2,
    };
    let mut points = if rng.random_bool(0.7) {
        let all = unequal_points(phase.board());
        all.sample(rng, count).copied().collect()
    } else {
        random_points(phase, count, rng)
    };
    let (width, height) = (phase.board().width(), phase.board().height());
    match rng.random_range(0..6) {
        0 if width == height && points.len() > 1 && points[1].x().max(points[1].y()) < width => {
            let symmetry = Symmetry::new(rng.random_range(1..8));
            points[0] = symmetry.map(points[1], width, height);
        }
        1 => points.extend(random_points(phase, 1, rng)),
        2 => drop(points.pop()),
        _ => {}
    }
    points
}

fn random_rule(kind: usize, rng: &mut StdRng) -> OpeningRule {
    let openings: Vec<NamedOpening> = NamedOpening::all().collect();
    let designated = OpeningRule::Designated {
        opening: *openings.choose(rng).unwrap(),
        fifths: rng.random_range(1..8),
    };
    *OpeningRule::PLAIN.get(kind).unwrap_or(&designated)
}

/// Plays whole openings from random choices, each judged by both; the illegal ones must leave the
/// state as it was. Counts the openings without and with an illegal choice.
fn compare(kind: usize) {
    let mut rng = StdRng::seed_from_u64(kind as u64);
    let (mut legal, mut illegal) = (0, 0);
    let sizes = [(15, 15), (15, 15), (9, 9), (20, 20), (19, 12)];
    while legal < RUNS || illegal < RUNS {
        let rule = random_rule(kind, &mut rng);
        let &(width, height) = sizes.choose(&mut rng).unwrap();
        let mut phase = Phase::new(rule, &board(width, height)).unwrap();
        let mut record = record::Record::new(rule, width, height);
        let may_err = illegal < RUNS && (legal == RUNS || rng.random_bool(0.5));
        let mut erred = false;
        while !phase.is_over() {
            let choice = random_choice(&phase, &mut rng);
            let decider = phase.decider().unwrap();
            let verdict = phase.judge(&choice);
            let expected = record.allows(decider, &choice);
            assert_eq!(verdict.is_ok(), expected, "{rule} {record:?} {choice:?}");
            // A run with an illegal step has exactly one; others are only judged.
            if expected || (may_err && !erred) {
                let before = (phase.step(), phase.choices().len(), phase.board().hash());
                assert_eq!(phase.choose(&choice), verdict);
                if expected {
                    record.add(decider, choice);
                } else {
                    erred = true;
                    let after = (phase.step(), phase.choices().len(), phase.board().hash());
                    assert_eq!(before, after);
                }
            }
        }
        let any = Choice::Take(Color::Black);
        assert_eq!(phase.choose(&any), Err(Refusal::Over));
        assert_eq!(
            record.end(),
            Some(phase.holder(Color::Black)),
            "{rule} {record:?}"
        );
        if erred {
            illegal += 1;
        } else if legal < RUNS {
            legal += 1;
        } else if rule == OpeningRule::Free {
            // Nothing to decide, so nothing illegal but going on.
            illegal += 1;
        }
    }
}

macro_rules! compared {
    ($($name:ident: $kind:expr,)*) => {
        $(#[test]
        fn $name() {
            compare($kind);
        })*
    };
}

compared! {
    free_agrees_with_its_record: 0,
    swap_after_one_agrees_with_its_record: 1,
    swap_agrees_with_its_record: 2,
    swap2_agrees_with_its_record: 3,
    pro_agrees_with_its_record: 4,
    long_pro_agrees_with_its_record: 5,
    rif_agrees_with_its_record: 6,
    renju_swap_agrees_with_its_record: 7,
    yamaguchi_agrees_with_its_record: 8,
    tarannikov_agrees_with_its_record: 9,
    taraguchi_agrees_with_its_record: 10,
    taraguchi_10_agrees_with_its_record: 11,
    soosorv_8_agrees_with_its_record: 12,
    designated_agrees_with_its_record: 13,
}

#[test]
fn refusals_tell_the_rules_reason() {
    let mut phase = Phase::new(OpeningRule::Rif, &board(15, 15)).unwrap();
    let point = |label| Point::from_label(label, 15, 15).unwrap();
    let refusal = |phase: &Phase, choice| phase.judge(&choice).unwrap_err().to_string();
    assert_eq!(
        refusal(&phase, Choice::Put(point("h9"))),
        "h9: stone 1 must be put on the centre"
    );
    phase.choose(&Choice::Put(point("h8"))).unwrap();
    assert_eq!(
        refusal(&phase, Choice::Put(point("h10"))),
        "h10: stone 2 must be put within the central 3x3"
    );
    phase.choose(&Choice::Put(point("h9"))).unwrap();
    phase.choose(&Choice::Put(point("h6"))).unwrap();
    assert_eq!(
        refusal(&phase, Choice::Put(point("i8"))),
        "the rule asks who takes which colour"
    );
    phase.choose(&Choice::Take(Color::White)).unwrap();
    phase.choose(&Choice::Put(point("h10"))).unwrap();
    assert_eq!(
        refusal(&phase, Choice::Offer(vec![point("i8"), point("g8")])),
        "i8 and g8 are the same fifth stone: a symmetry of the position maps one to the other"
    );
    assert_eq!(
        refusal(&phase, Choice::Offer(vec![point("i8")])),
        "2 fifth stones must be offered, not 1"
    );
    let offer = Choice::Offer(vec![point("i8"), point("g7")]);
    phase.choose(&offer).unwrap();
    assert_eq!(
        refusal(&phase, Choice::Keep(point("g8"))),
        "g8 was not offered"
    );
    assert_eq!(phase.undo(), Some(offer));
    assert_eq!(phase.step(), Some(OpeningStep::Offer { count: 2 }));
    assert_eq!(phase.board().stones().len(), 4);
}

#[test]
fn without_a_choice_nothing_is_taken_back() {
    let given = with_moves("h8 h9 i10");
    let mut phase = Phase::new(OpeningRule::Free, &given).unwrap();
    assert_eq!(phase.undo(), None);
    assert_eq!(phase.board(), &given);
}

/// Black's stones 1 and 3 and White's 2 and 4 are symmetric about the point between them, which is
/// not the board's centre.
#[test]
fn fifths_are_compared_under_half_turns_off_the_centre() {
    let board = with_moves("h8 h9 i10 i9");
    let point = |label| Point::from_label(label, 15, 15).unwrap();
    assert!(are_equivalent(&board, point("h7"), point("i11")));
    assert!(!are_equivalent(&board, point("h7"), point("i7")));
    assert_eq!(unequal_points(&with_moves("h8 i9 h7 k11")).len(), 221);
}

/// Of equivalent points one is kept among the points asked for, wherever the others lie. The axis
/// of the stones h8, g9 and f8 is column g: points right of the stones have their images left of
/// it.
#[test]
fn classes_of_points_are_represented_within_an_area() {
    let board = with_moves("h8 g9 f8");
    let is_right = |p: &Point| p.x() > 7;
    let right: Vec<Point> = board.empty_points().filter(is_right).collect();
    assert_eq!(unequal_among(&board, right.iter().copied()), right);
    assert_eq!(
        unequal_points(&board).into_iter().filter(is_right).count(),
        2 * 15
    );
}

#[test]
fn rules_and_openings_read_as_they_are_written() {
    let mut rng = StdRng::seed_from_u64(1);
    for kind in 0..=OpeningRule::PLAIN.len() {
        let rule = random_rule(kind, &mut rng);
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    assert!("designated:4D:0".parse::<OpeningRule>().is_err());
    assert!("designated:14D:1".parse::<OpeningRule>().is_err());
    for opening in NamedOpening::all() {
        for name in [opening.name(), opening.chinese(), opening.japanese()] {
            assert_eq!(name.parse(), Ok(opening));
        }
        assert_eq!(opening.code().to_lowercase().parse(), Ok(opening));
    }
}

/// The 26 openings are all there are, and each is itself only.
/// Names are shown in one way where both languages write them alike.
#[test]
fn names_in_two_languages_are_told_apart() {
    let shown = |code: &str| code.parse::<NamedOpening>().unwrap().to_string();
    assert_eq!(shown("4D"), "4D Kagetsu (花月)");
    assert_eq!(shown("6I"), "6I Ungetsu (Chinese 云月, Japanese 雲月)");
}

#[test]
fn every_opening_is_recognised_however_it_is_turned() {
    let mut counts = std::collections::HashMap::new();
    let centre = Point::new(7, 7);
    for white in board(15, 15).points() {
        for black in board(15, 15).points() {
            let near = |p: Point, radius| p.x().abs_diff(7).max(p.y().abs_diff(7)) <= radius;
            let differ = white != centre && black != centre && white != black;
            if !differ || !near(white, 2) || !near(black, 3) {
                continue;
            }
            let mut board = board(15, 15);
            [centre, white, black]
                .into_iter()
                .for_each(|p| board.play(p));
            let named = NamedOpening::of(&board);
            assert_eq!(named.is_some(), near(white, 1) && near(black, 2));
            if let Some(opening) = named {
                *counts.entry(opening).or_insert(0) += 1;
                let mut other_order = self::board(15, 15);
                for p in [black, white, centre] {
                    other_order.play(p);
                }
                assert_eq!(NamedOpening::of(&other_order), Some(opening));
            }
        }
    }
    assert_eq!(counts.len(), 26);
    // Eight places for White's stone, each with 23 for Black's second.
    assert_eq!(counts.values().sum::<i32>(), 8 * 23);
    for opening in NamedOpening::all() {
        let mut board = board(20, 20);
        opening
            .points(20, 20)
            .into_iter()
            .for_each(|p| board.play(p));
        assert_eq!(NamedOpening::of(&board), Some(opening));
    }
}

#[test]
fn boards_without_room_are_refused() {
    let small = Phase::new(OpeningRule::Rif, &board(8, 15)).unwrap_err();
    assert_eq!(
        small.to_string(),
        "opening rule rif needs a board of at least 9x9"
    );
    let stone = Phase::new(OpeningRule::Swap2, &with_moves("h8")).unwrap_err();
    assert_eq!(stone, NotPlayable::NotEmpty);
    let rule = OpeningRule::Designated {
        opening: "4D".parse().unwrap(),
        fifths: 56,
    };
    assert_eq!(
        Phase::new(rule, &board(15, 15)).unwrap_err(),
        NotPlayable::TooManyFifths {
            count: 56,
            most: 55
        }
    );
}
