//! Files of games in all formats. A game that was read is written as SGF and read as the same; the
//! moves that are shown are read as the same position.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen_fuzz::sound;
use tengen_games::records::{ReadOptions, RecordedGame, drawing, of_moves, read, text_of};

fuzz_target!(|bytes: &[u8]| {
    let empty = Board::new(15, 15).expect("a usual size");
    let _ = text_of(bytes);
    let Ok(record) = read(bytes, &ReadOptions::new("", &empty)) else {
        return;
    };
    let json = record.json(true);
    let games = json["games"].as_array().expect("a list");
    assert!(!games.is_empty() && games.len() == record.games.len());
    // Each game is drawn and read again; a file of thousands would take too long.
    for game in record.games.iter().take(8) {
        let _ = (drawing::text(game), drawing::svg(game));
        let shown = sound(of_moves(&game.labels().join(" "), &game.start), "moves");
        assert_eq!(shown.end().hash(), game.end().hash());
        written_again(game, &empty);
    }
});

fn written_again(game: &RecordedGame, empty: &Board) {
    let text = game.sgf(&game.rule);
    let options = ReadOptions {
        any_game: true,
        ..ReadOptions::new("", empty)
    };
    let mut again = sound(read(text.as_bytes(), &options), "a game");
    assert_eq!(again.games.len(), 1, "{text}");
    let again = again.games.remove(0);
    assert_eq!(again.sgf(&again.rule), text);
    assert_eq!(again.moves, game.moves, "{text}");
    assert_eq!(again.swaps, game.swaps, "{text}");
    assert_eq!(again.start.hash(), game.start.hash(), "{text}");
    assert_eq!(again.tree.len(), game.tree.len(), "{text}");
}
