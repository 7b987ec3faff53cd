use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::*;
use crate::board::parse_moves;
use crate::engine::Options;
use crate::engine::move_control::MoveControl;
use crate::openings::OpeningRule;
use crate::rules::Rule;
use crate::search::{SearchRequest, TimeSettings};
use crate::time::random_seed;

fn engine() -> Engine {
    Engine::new(Options {
        hash_kib: Some(1 << 10),
        ..Options::default()
    })
}

/// Chooses with a limit of nodes and no limit of time.
fn choice(engine: &mut Engine, phase: &Phase, nodes: u64, seed: u64) -> Choice {
    let request = SearchRequest {
        max_nodes: Some(nodes),
        ..SearchRequest::new(phase.board().clone(), Rule::Renju)
    };
    let control = MoveControl::new(Instant::now(), &TimeSettings::default());
    let context = ChoiceContext {
        request: &request,
        control: &control,
        time_ms: u64::MAX / 8,
        report: &mut |_| {},
    };
    choose(engine, phase, context, &mut StdRng::seed_from_u64(seed)).choice
}

fn board() -> Board {
    Board::new(15, 15).unwrap()
}

fn phase(rule: &str, moves: &str) -> Phase {
    let rule: OpeningRule = rule.parse().unwrap();
    let mut phase = Phase::new(rule, &board()).unwrap();
    let mut stones = board();
    parse_moves(&mut stones, moves).unwrap();
    let mut stones = stones.stones().iter();
    while let Some(step) = phase.step() {
        let choice = match step {
            OpeningStep::Put(_) => match stones.next() {
                Some(stone) => Choice::Put(stone.point),
                None => break,
            },
            OpeningStep::Take(_) if stones.len() > 0 => Choice::Take(Color::White),
            _ => break,
        };
        phase.choose(&choice).unwrap();
    }
    phase
}

#[test]
fn every_rule_is_played_to_its_end_legally_and_repeatably() {
    let mut rules = OpeningRule::PLAIN.to_vec();
    rules.push("designated:4D:3".parse().unwrap());
    for rule in rules {
        let play = |seed: u64| {
            let mut engine = engine();
            let mut phase = Phase::new(rule, &board()).unwrap();
            while !phase.is_over() {
                let choice = choice(&mut engine, &phase, 3_000, seed);
                phase.choose(&choice).unwrap();
            }
            phase.choices().to_vec()
        };
        assert_eq!(play(1), play(1), "{rule}");
        // Openings that the players choose freely differ.
        let is_fixed = matches!(
            rule,
            OpeningRule::Free
                | OpeningRule::Pro
                | OpeningRule::LongPro
                | OpeningRule::Designated { .. }
        );
        if !is_fixed {
            let differ = (2..6).any(|seed| play(seed) != play(1));
            assert!(differ, "{rule}");
        }
    }
}

/// Without any time the steps are still legal.
#[test]
fn no_time_is_enough() {
    let request = SearchRequest::new(board(), Rule::Renju);
    let time = TimeSettings {
        turn_ms: Some(0),
        ..TimeSettings::default()
    };
    for rule in OpeningRule::PLAIN {
        let mut engine = engine();
        let mut phase = Phase::new(rule, &board()).unwrap();
        while !phase.is_over() {
            let control = MoveControl::new(Instant::now(), &time);
            let context = ChoiceContext {
                request: &request,
                control: &control,
                time_ms: 0,
                report: &mut |_| {},
            };
            let chosen = choose(
                &mut engine,
                &phase,
                context,
                &mut StdRng::seed_from_u64(random_seed()),
            );
            phase.choose(&chosen.choice).unwrap();
        }
    }
}

#[test]
fn the_better_colour_is_taken() {
    // Black's stones are together, White's stone is far away.
    let good = phase("swap2", "h8 a1 i9");
    assert_eq!(
        choice(&mut engine(), &good, 20_000, 1),
        Choice::Take(Color::Black)
    );
    let bad = phase("swap2", "a1 h8 o15");
    assert_eq!(
        choice(&mut engine(), &bad, 20_000, 1),
        Choice::Take(Color::White)
    );
}

/// After three stones near balance the two-stone answer is given.
#[test]
fn two_stones_are_added_where_neither_colour_is_better() {
    let mut engine = engine();
    let added = (0..100).any(|seed| {
        let mut phase = Phase::new(OpeningRule::Swap2, &board()).unwrap();
        while matches!(phase.step(), Some(OpeningStep::Put(_))) {
            let put = choice(&mut engine, &phase, 20_000, seed);
            phase.choose(&put).unwrap();
        }
        matches!(choice(&mut engine, &phase, 20_000, seed), Choice::Add(_))
    });
    assert!(added);
}

#[test]
fn the_fifth_stone_that_is_worst_for_black_is_kept() {
    let mut phase = phase("rif", "h8 h9 i9 g7");
    let point = |label| Point::from_label(label, 15, 15).unwrap();
    let offer = Choice::Offer(vec![point("a1"), point("i8")]);
    phase.choose(&offer).unwrap();
    let kept = choice(&mut engine(), &phase, 20_000, 1);
    assert_eq!(kept, Choice::Keep(point("a1")));
}

#[test]
fn offers_are_near_the_stones_and_all_different() {
    let phase = phase("rif", "h8 h9 i9 g7");
    let Choice::Offer(points) = choice(&mut engine(), &phase, 20_000, 1) else {
        panic!("fifth stones are asked for");
    };
    assert_eq!(points.len(), 2);
    for p in points {
        assert!(distance(p, Point::new(7, 7)) <= 4, "{p}");
    }
}
