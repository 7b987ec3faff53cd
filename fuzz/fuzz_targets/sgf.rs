//! Smart Game Format, through all its readers. A text that was read is written and read as the
//! same.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tengen::board::Board;
use tengen::openings::OpeningRule;
use tengen::rules::Rule;
use tengen_fuzz::record::of_match;
use tengen_fuzz::sound;
use tengen_games::records::{self, ReadOptions};
use tengen_games::sgf::{Step, Tree, Trees, Writer, cells, size};
use tengen_tools::arena::record::{pgn, sgf as record};
use tengen_tools::game::clock::TimeControl;
use tengen_tools::play::game::GameSetup;
use tengen_tools::play::record as game;

/// Defaults for a record's missing properties.
const USUAL: GameSetup = GameSetup {
    rule: Rule::Freestyle,
    opening: OpeningRule::Free,
    width: 15,
    height: 15,
    time: TimeControl {
        turn: None,
        game: None,
        increment: std::time::Duration::ZERO,
        byo_yomi: None,
    },
};

fuzz_target!(|text: &str| {
    properties(text);
    let path = Path::new("game.sgf");
    let empty = Board::new(15, 15).expect("a usual size");
    let options = ReadOptions::new("game.sgf", &empty);
    let games = |text: &str| records::read(text.as_bytes(), &options).map(|read| read.games);
    for read in games(text).unwrap_or_default() {
        if let Some(of_match) = of_match(&read) {
            let again = sound(games(&record::write(&of_match)), "a record").remove(0);
            assert_eq!(again.moves, read.moves);
            assert_eq!(again.start.to_string(), read.start.to_string());
            assert_eq!((again.black, again.white), (read.black, read.white));
            assert_eq!(again.rule, read.rule);
            pgn::write(&of_match);
        }
    }
    if let Ok(read) = game::read(path, text.as_bytes(), &USUAL) {
        let names = [&*read.names[0], &*read.names[1]];
        let written = game::write(&read.game, names, 0);
        let again = sound(game::read(path, written.as_bytes(), &USUAL), "a game");
        assert_eq!(
            again.game.board().to_string(),
            read.game.board().to_string(),
            "{written}"
        );
        assert_eq!(
            again.game.board().side_to_move(),
            read.game.board().side_to_move()
        );
        assert_eq!(again.game.ending().is_some(), read.game.ending().is_some());
        assert_eq!(again.names, read.names);
    }
});

/// Every property comes back from a text of our own.
fn properties(text: &str) {
    for tree in trees(text) {
        for step in tree.walk(Tree::ROOT) {
            let Step::Node(place) = step else { continue };
            for property in &tree.node(place).properties {
                for value in &property.values {
                    let _ = (cells(value, 15), size(value));
                }
                let mut writer = Writer::new(15, 15, "renju");
                writer.properties([property]);
                let text = writer.finish();
                let again = trees(&text).next().expect("properties");
                let root = again.node(Tree::ROOT);
                assert_eq!(root.properties.last(), Some(property));
            }
        }
    }
}

/// The trees of a text, up to the error that there is none.
fn trees(text: &str) -> impl Iterator<Item = Tree> {
    Trees::new(text, usize::MAX).map_while(Result::ok)
}
