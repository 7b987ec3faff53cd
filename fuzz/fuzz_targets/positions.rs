//! Diagrams, lists of moves and corpora of positions. A board or a list of moves that was read is
//! written and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::board::{Board, Cell, parse_diagram, parse_moves, parse_size};
use tengen::types::Color;
use tengen_fuzz::sound;
use tengen_games::corpus;
use tengen_games::records::{self, Format};

fuzz_target!(|text: &str| {
    diagram(text);
    let (size, rest) = text.split_once('\n').unwrap_or(("15", text));
    let size = parse_size(size).and_then(|(width, height)| Board::new(width, height).ok());
    moves(
        size.unwrap_or_else(|| Board::new(15, 15).expect("a usual size")),
        rest,
    );
    let _ = corpus::parse("fuzzed", text);
    let empty = Board::new(15, 15).expect("a usual size");
    for game in records::read(text, Format::of(text), &empty).unwrap_or_default() {
        assert_eq!(game.end().hash(), game.position(usize::MAX).hash());
    }
});

fn diagram(text: &str) {
    let Ok(board) = parse_diagram(text) else {
        return;
    };
    let drawn = board.to_string();
    let again = sound(parse_diagram(&drawn), "a diagram");
    assert_eq!(again.to_string(), drawn);
    let rows = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with('a'));
    let rows: Vec<&str> = rows.collect();
    for (symbol, cell) in [('X', Cell::Black), ('O', Cell::White), ('#', Cell::Blocked)] {
        let drawn = rows
            .iter()
            .map(|row| row.matches(symbol).count())
            .sum::<usize>();
        let found = board.points().filter(|&p| board.cell(p) == cell).count();
        assert_eq!(found, drawn, "{symbol}");
    }
    let count = |color| {
        board
            .stones()
            .iter()
            .filter(|stone| stone.color == color)
            .count()
    };
    let is_white = count(Color::Black) > count(Color::White);
    assert_eq!(board.side_to_move() == Color::White, is_white);
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
