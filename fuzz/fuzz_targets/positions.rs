//! Diagrams, lists of moves and corpora of positions. A board or a list of moves that was read is
//! written and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::board::{Board, parse_moves, parse_size};
use tengen_fuzz::sound;
use tengen_games::corpus;
use tengen_games::records::{self, Format, ReadOptions};

fuzz_target!(|text: &str| {
    diagram(text);
    let (size, rest) = text.split_once('\n').unwrap_or(("15", text));
    let size = parse_size(size).and_then(|(width, height)| Board::new(width, height).ok());
    moves(
        size.unwrap_or_else(|| Board::new(15, 15).expect("a usual size")),
        rest,
    );
    let _ = corpus::parse("fuzzed", text);
});

fn diagram(text: &str) {
    let empty = Board::new(15, 15).expect("a usual size");
    let read = |text: &str| records::read(text.as_bytes(), &ReadOptions::new("", &empty));
    let Ok(record) = read(text) else {
        return;
    };
    if record.format != Format::Diagram {
        return;
    }
    let board = record.games[0].end();
    let drawn = format!("{board}\n{} to move", board.side_to_move());
    let again = sound(read(&drawn), "a diagram");
    assert_eq!(again.format, Format::Diagram);
    assert_eq!(again.games[0].end().hash(), board.hash());
}

fn moves(empty: Board, text: &str) {
    let mut board = empty.clone();
    if parse_moves(&mut board, text).is_err() {
        return;
    }
    let labels = board
        .stones()
        .iter()
        .map(|stone| stone.point.label(board.height()));
    let labels: Vec<String> = labels.collect();
    for gap in [" ", "", ";"] {
        let mut again = empty.clone();
        sound(parse_moves(&mut again, &labels.join(gap)), "moves");
        assert_eq!(again.stones(), board.stones());
        assert_eq!(again.hash(), board.hash());
    }
}
