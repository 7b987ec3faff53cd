//! Files of openings in all their forms. Openings that were read are written as moves and read as
//! the same, and each can be turned and played.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen_fuzz::sound;
use tengen_tools::arena::openings::{Book, BookFormat, BookOrder, parse, to_text};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    width: u8,
    height: u8,
    rule: u8,
    format: u8,
    seed: u64,
    text: &'a str,
}

fuzz_target!(|input: Input| {
    let side = |n: u8| 5 + u32::from(n % 18);
    let empty = Board::new(side(input.width), side(input.height)).expect("sizes from 5 to 22");
    let rule = Rule::ALL[usize::from(input.rule) % Rule::ALL.len()];
    let formats = [
        None,
        Some(BookFormat::Moves),
        Some(BookFormat::Pos),
        Some(BookFormat::Offset),
    ];
    let format = formats[usize::from(input.format) % formats.len()];
    let Ok(openings) = parse(input.text, format, rule, &empty) else {
        return;
    };
    let written = to_text(&openings, empty.height());
    let again = parse(&written, Some(BookFormat::Moves), rule, &empty);
    assert_eq!(sound(again, "openings"), openings);
    let count = openings.len() as u64;
    let book = Book::new(openings, empty.clone(), BookOrder::Random, true, input.seed);
    for pair in 0..count.min(20) {
        let opening = book.get(pair).expect("the book has openings");
        let mut board = empty.clone();
        for p in opening.moves {
            assert!(board.is_empty(p));
            board.play(p);
        }
    }
});
