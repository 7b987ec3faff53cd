//! Files of games in all formats. A game that was read is written as SGF and read as the same; the
//! moves that are shown are read as the same position, and all conversions can be read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen_fuzz::sound;
use tengen_games::convert::{Converter, Target};
use tengen_games::records::{ReadOptions, RecordedGame, drawing, of_moves, read, text_of};

fuzz_target!(|bytes: &[u8]| {
    let empty = Board::new(15, 15).expect("a usual size");
    let _ = text_of(bytes);
    let Ok(record) = read(bytes, &ReadOptions::new("", &empty)) else {
        return;
    };
    assert!(!record.games.is_empty());
    // Each game is drawn and read again; a file of thousands would take too long.
    for game in record.games.iter().take(8) {
        let _ = (drawing::text(game), drawing::svg(game), game.json());
        let shown = sound(of_moves(&game.labels().join(" "), &game.start), "moves");
        assert_eq!(shown.end().hash(), game.end().hash());
        written_again(game, &empty);
        Target::ALL
            .iter()
            .for_each(|&target| converted(target, game, &empty));
    }
});

/// A record written in a format is read as a game again.
fn converted(target: Target, game: &RecordedGame, empty: &Board) {
    let mut converter = Converter::new(target, None, None);
    let mut file = Vec::new();
    sound(converter.add("a", game.clone(), &mut file), "a game");
    let count = converter.count();
    sound(converter.finish(&mut file), "an end");
    // Lines of other kinds may look like moves of another board.
    if count > 0
        && matches!(
            target,
            Target::Sgf | Target::Json | Target::Psq | Target::Lib
        )
    {
        let options = ReadOptions {
            any_game: true,
            ..ReadOptions::new("", empty)
        };
        let again = sound(read(&file, &options), target.name());
        assert_eq!(again.games.len(), 1);
        if matches!(target, Target::Sgf | Target::Json) {
            assert_eq!(again.games[0].moves, game.moves);
        }
    }
}

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
