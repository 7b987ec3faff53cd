use super::*;
use crate::board::{parse_moves, Board};
use crate::engine::{Engine, Options};
use crate::rules::Rule;
use crate::types::Point;

/// The move and last score of a search of `depth` plies.
fn think(rule: Rule, size: u32, moves: &str, depth: u32) -> Outcome {
    let mut board = Board::new(size, size).unwrap();
    parse_moves(&mut board, moves).unwrap();
    let mut engine = Engine::new(Options {
        hash_kib: Some(16 << 10),
        ..Options::default()
    });
    let request = Request {
        max_depth: Some(depth),
        ..Request::new(board, rule)
    };
    engine.go(&request, &Control::unlimited(), &mut |_| {})
}

#[test]
fn the_first_stone_goes_to_the_centre() {
    let outcome = think(Rule::Freestyle, 15, "", 3);
    assert_eq!(outcome.best, Some(Point::new(7, 7)));
}

#[test]
fn an_open_three_wins() {
    let outcome = think(Rule::Freestyle, 15, "h8 a1 h9 a3 h10 a5", 6);
    assert_eq!(outcome.lines[0].score.to_string(), "+M3");
    assert!(outcome.best == Some(Point::new(7, 4)) || outcome.best == Some(Point::new(7, 8)));
}

#[test]
fn a_search_repeats_to_the_node() {
    let moves = "h8 i9 h7 h9 g9 i7 f10 j7 k6";
    let a = think(Rule::Renju, 15, moves, 8);
    let b = think(Rule::Renju, 15, moves, 8);
    assert_eq!((a.best, a.nodes), (b.best, b.nodes));
}

#[test]
fn a_clean_five_is_played_before_one_with_an_overline() {
    // Black: four in the row from d8 to g8, open at c8 and h8; h8 completes a column of six too.
    let moves = "d8 a1 e8 a3 f8 a5 g8 a7 h5 a9 h6 a11 h7 a13 h9 c1 h10 e1";
    let outcome = think(Rule::Renju, 15, moves, 3);
    assert_eq!(outcome.best, Some(Point::new(2, 7)));
    assert_eq!(outcome.lines[0].score.to_string(), "+M1");
}
