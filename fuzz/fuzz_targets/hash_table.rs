//! Files of transposition tables: any bytes, a written table with a byte changed or the end cut
//! off, and tables with arbitrary entries. A damaged file is refused and stores nothing; a sound
//! table comes back whole; a search finds a legal move with any table.

#![no_main]

use std::fs;
use std::time::Instant;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen::engine::hash_file::{load, write};
use tengen::engine::move_control::MoveControl;
use tengen::engine::{Engine, Evaluation, GameKind, Options};
use tengen::rules::{Rule, foul};
use tengen::search::{SearchRequest, TimeSettings, Tt};
use tengen_fuzz::folder::in_folder;
use tengen_fuzz::sound;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    rule: u8,
    side: u8,
    moves: Vec<u16>,
    /// Replaced entries: index among the known ones, modulo their number, and the new data.
    entries: Vec<(u16, u64)>,
    /// The changed byte of the file, and its changed bits; no bits: the file ends there.
    change: Option<(u16, u8)>,
    file: &'a [u8],
}

fuzz_target!(|input: Input| {
    let rule = Rule::ALL[usize::from(input.rule) % Rule::ALL.len()];
    let request = SearchRequest::new(board(&input), rule);
    let mut engine = Engine::new(Options {
        threads: 1,
        max_memory: 0,
        hash_kib: None,
    });
    // Unpacking a network takes longer than such a search.
    engine.set_evaluation(Evaluation::Classical);
    engine.prepare(GameKind::of(&request));
    if request.board.empty_count() == 0 {
        return;
    }
    search(&mut engine, &request);
    let (table, origin) = engine.table().expect("there was a search");
    let known: Vec<[u64; 2]> = table.raw_entries().collect();
    for (place, data) in &input.entries {
        if !known.is_empty() {
            table.insert_raw([known[usize::from(*place) % known.len()][0], *data]);
        }
    }
    in_folder(|folder| {
        let path = folder.join("table");
        let mut bytes = Vec::new();
        let count = sound(write(&table, origin, &mut bytes), "a table written");
        fs::write(&path, &bytes).expect("a file in the folder");
        let other = Tt::new(1 << 10);
        assert_eq!(sound(load(&other, origin, &path), "a table read"), count);
        if let Some((at, flip)) = input.change {
            let at = usize::from(at) % bytes.len();
            match flip {
                0 => bytes.truncate(at),
                _ => bytes[at] ^= flip,
            }
        }
        // True if a file is accepted.
        let is_taken = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("a file in the folder");
            let other = Tt::new(64);
            let read = load(&other, origin, &path);
            // Entries may replace each other.
            let count = other.raw_entries().count() as u64;
            assert!(count <= *read.as_ref().unwrap_or(&0), "{count} of {read:?}");
            read.is_ok()
        };
        assert_eq!(is_taken(&bytes), input.change.is_none());
        // These bytes may be a sound file: one without entries is short.
        is_taken(input.file);
    });
    drop(table);
    search(&mut engine, &request);
});

fn board(input: &Input) -> Board {
    let side = 5 + u32::from(input.side % 18);
    let mut board = Board::new(side, side).expect("sizes from 5 to 22");
    for number in &input.moves {
        let x = u32::from(*number) % side;
        let y = u32::from(*number) / side % side;
        let p = board
            .point(x as i32, y as i32)
            .expect("a cell of the board");
        if board.is_empty(p) {
            board.play(p);
        }
    }
    board
}

fn search(engine: &mut Engine, request: &SearchRequest) {
    let control = MoveControl::new(Instant::now(), &TimeSettings::default());
    control.set_bounds(None, Some(100));
    let result = engine.go(request, control.whole(), &mut |_| {});
    let board = &request.board;
    let best = result.best.expect("a board with a free cell has a move");
    assert!(board.is_empty(best));
    let is_bound = request.rule.restricts(board.side_to_move());
    let is_foul = |p| is_bound && foul(board, p).is_some();
    assert!(!is_foul(best) || board.empty_points().all(is_foul));
}
