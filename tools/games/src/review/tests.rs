use super::*;
use tengen::board::{Board, Move};
use tengen::engine::move_control::MoveControl;
use tengen::engine::{Engine, Options};
use tengen::rules::Rule;
use tengen::search::TimeSettings;
use tengen::time::Instant;
use tengen::types::{Color, Point};

/// A game from the empty board, sides in turn.
fn game(rule: Rule, labels: &str, first_judged: usize) -> Game {
    let point = |label| Point::from_label(label, 15, 15).unwrap();
    let colors = Color::BOTH.into_iter().cycle();
    let moves = labels.split(' ').zip(colors).map(|(label, color)| Move {
        color,
        point: Some(point(label)),
    });
    Game::new(
        rule,
        Board::new(15, 15).unwrap(),
        moves.collect(),
        first_judged,
    )
}

fn control() -> MoveControl {
    MoveControl::new(Instant::now(), &TimeSettings::default())
}

fn reviewed(game: &Game) -> Review {
    let limits = Limits {
        nodes: Some(4_000),
        ..Limits::default()
    };
    let mut engine = Engine::new(Options {
        hash_kib: Some(4 << 10),
        ..Options::default()
    });
    review(&mut engine, game, &limits, &control(), &mut |_| {})
}

/// White plays in corners, and Black wins.
const LEFT_ALONE: &str = "h8 a1 h9 a2 h10 a3 h11 o15 h12";

#[test]
fn moves_in_corners_lose() {
    let Review {
        judgements: moves,
        summary,
    } = reviewed(&game(Rule::Freestyle, LEFT_ALONE, 1));
    assert_eq!(moves.len(), 9);
    let classes: Vec<MoveClass> = moves.iter().map(|m| m.class).collect();
    assert_eq!(classes[0], MoveClass::Opening);
    assert!(classes[1].is_fault(), "{classes:?}");
    assert_eq!(classes[5], MoveClass::Good, "all is lost: {classes:?}");
    assert_eq!(classes[8], MoveClass::Best);
    assert_eq!(moves[8].value.score.to_string(), "+M1");
    assert_eq!(moves[6].value.score.to_string(), "+M3");
    assert!(moves[5].value.score.is_loss());
    let [black, white] = summary.accuracy.map(Option::unwrap);
    assert!(black > 90.0 && white < black, "{summary:?}");
    assert_eq!(summary.counts[0].of(MoveClass::Blunder), 0);
    assert_eq!((summary.moves, summary.reviewed), (9, 9));
}

#[test]
fn a_win_that_was_missed_is_shown() {
    let missed = "h8 a1 h9 a3 h10 a5 h11 a7 o1 h12 h7";
    let moves = reviewed(&game(Rule::Standard, missed, 1)).judgements;
    let missed = &moves[8];
    assert_eq!(missed.class, MoveClass::Good, "the other end is still free");
    assert_eq!(missed.best_value.score.to_string(), "+M1");
    assert_eq!(missed.best_value.line, [missed.best.unwrap()]);
    assert_eq!(missed.value.score.to_string(), "+M3");
}

#[test]
fn a_forbidden_move_loses_and_ends_the_game() {
    // Black's double three on h8.
    let labels = "h9 a1 h10 a3 i8 a5 j8 a7 h8 b9 c9";
    let game = game(Rule::Renju, labels, 1);
    assert_eq!(game.len(), 9);
    let moves = reviewed(&game).judgements;
    assert_eq!(moves[8].value.score.to_string(), "-M1");
    assert_eq!(moves[8].class, MoveClass::Blunder);
    assert!(moves[8].loss() > 0.5);
}

#[test]
fn the_opening_is_valued_and_not_judged() {
    let Review {
        judgements: moves,
        summary,
    } = reviewed(&game(Rule::Freestyle, "h8 a1 h9 i8", 4));
    let classes: Vec<MoveClass> = moves.iter().map(|m| m.class).collect();
    assert_eq!(classes[..3], [MoveClass::Opening; 3]);
    assert!(moves[1].loss() > 0.0);
    assert_ne!(classes[3], MoveClass::Opening);
    assert_eq!(summary.accuracy[0], None);
    assert!(summary.accuracy[1].is_some());
}

#[test]
fn passes_and_moves_out_of_turn_are_judged() {
    let point = |x, y| Some(Point::new(x, y));
    let moves = [
        (Color::Black, point(7, 7)),
        (Color::Black, point(7, 6)),
        (Color::White, None),
        (Color::Black, point(7, 5)),
        (Color::White, None),
        (Color::Black, point(7, 8)),
    ];
    let moves = moves.map(|(color, point)| Move { color, point });
    let board = Board::new(15, 15).unwrap();
    let game = Game::new(Rule::Freestyle, board, moves.to_vec(), 1);
    let Review {
        judgements: moves,
        summary,
    } = reviewed(&game);
    assert_eq!(summary.reviewed, 6);
    assert_eq!(moves[2].made.point, None);
    assert!(moves[5].value.score.is_win());
    assert!(moves[4].value.score.is_loss());
    assert_eq!(moves[4].class, MoveClass::Good);
}

#[test]
fn a_stop_keeps_what_is_judged() {
    let game = game(Rule::Freestyle, LEFT_ALONE, 1);
    let control = control();
    let limits = Limits {
        nodes: Some(500),
        ..Limits::default()
    };
    let mut engine = Engine::new(Options::default());
    let mut seen = Vec::new();
    let found = review(&mut engine, &game, &limits, &control, &mut |judgement| {
        seen.push(judgement.number);
        if seen.len() == 3 {
            control.stop();
        }
    });
    assert_eq!(seen, [9, 8, 7]);
    let kept = found.judgements.iter().map(|judgement| judgement.number);
    assert_eq!(kept.collect::<Vec<_>>(), [7, 8, 9]);
    assert_eq!((found.summary.moves, found.summary.reviewed), (9, 3));
}

#[test]
fn the_same_nodes_give_the_same_review() {
    let game = game(Rule::Standard, "h8 i9 h7 h9 g8 i8 i7", 1);
    assert_eq!(reviewed(&game).judgements, reviewed(&game).judgements);
}

#[test]
fn json_has_its_fields_in_ascii() {
    let Review {
        judgements: moves,
        summary,
    } = reviewed(&game(Rule::Freestyle, LEFT_ALONE, 1));
    assert_eq!(
        moves[8].json().to_string(),
        "{\"move\":9,\"point\":\"h12\",\"side\":\"black\",\"win_rate\":1.0,\"score\":\"+M1\",\
         \"best\":\"h12\",\"best_win_rate\":1.0,\"best_score\":\"+M1\",\"line\":[\"h12\"],\
         \"reply\":[],\"depth\":1,\"loss\":0.0,\"move_accuracy\":100.0,\"class\":\"best\"}"
    );
    assert!(moves[0].json()["best"].is_null());
    let lengths = moves
        .iter()
        .map(|judgement| judgement.json().to_string().len());
    assert!(lengths.max() < Some(900));
    let text = summary.json().to_string();
    assert!(text.starts_with("{\"accuracy\":{\"black\":"), "{text}");
    assert!(
        text.contains("\"moves\":9,\"reviewed\":9,\"nodes\":"),
        "{text}"
    );
}

#[test]
fn a_search_that_found_nothing_judges_nothing() {
    let limits = Limits {
        nodes: Some(1),
        ..Limits::default()
    };
    let mut engine = Engine::new(Options::default());
    let game = game(Rule::Freestyle, "h8 i9 h7 h6 g8 i8 f9", 1);
    let found = review(&mut engine, &game, &limits, &control(), &mut |_| {});
    assert_eq!(found.summary.reviewed, 7);
    for judgement in &found.judgements {
        assert_eq!(judgement.class, MoveClass::Unknown, "{judgement:?}");
        assert_eq!((judgement.loss(), judgement.best), (0.0, None));
    }
    assert_eq!(found.summary.accuracy, [None, None]);
    for class in MoveClass::JUDGED {
        assert!(found.summary.counts.iter().all(|c| c.of(class) == 0));
    }
}

#[test]
fn nothing_is_played_after_a_five_that_was_set_up() {
    let mut start = Board::new(15, 15).unwrap();
    (3..8).for_each(|x| start.put(Point::new(x, 7), Color::Black));
    let point = Some(Point::new(0, 0));
    let color = Color::White;
    let game = Game::new(Rule::Freestyle, start, vec![Move { color, point }], 1);
    assert!(game.is_empty());
}
