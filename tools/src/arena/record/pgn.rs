//! Results as PGN, the format that rating tools read. PGN has no Gomoku moves; a comment has them.
//! The side that moves first is White in PGN, so Black stands under `White` and a tool's "advantage
//! of White" is the first player's.

use std::fmt::Write as _;

use super::super::game::GameRecord;
use super::sgf;
use crate::game::referee::Outcome;
use tengen::streams::on_one_line;

/// The game as one entry of a `.pgn` file.
pub fn write(game: &GameRecord) -> String {
    let result = match game.outcome {
        Outcome::Black => "1-0",
        Outcome::White => "0-1",
        Outcome::Draw => "1/2-1/2",
    };
    let mut text = String::new();
    let size = format!("{}x{}", game.width, game.height);
    let round = format!("{}.{}", game.round + 1, game.number());
    // Journals of old versions say nothing of the time.
    let date = match game.ended {
        0 => "????.??.??".to_string(),
        ended => sgf::date(ended).replace('-', "."),
    };
    for (tag, value) in [
        ("Event", &format!("{} {size}", game.rule)),
        ("Site", &"?".to_string()),
        ("Date", &date),
        ("Round", &round),
        ("White", &game.black),
        ("Black", &game.white),
        ("Result", &result.to_string()),
        ("Termination", &game.reason.to_string()),
        ("PlyCount", &"0".to_string()),
    ] {
        let _ = writeln!(text, "[{tag} \"{}\"]", escape(value));
    }
    if let Some(opening) = game.named_opening() {
        let _ = writeln!(text, "[Opening \"{} {}\"]", opening.code(), opening.name());
    }
    if let Some(agreed) = &game.agreed {
        let _ = writeln!(text, "[OpeningRule \"{}\"]", escape(&agreed.rule));
    }
    let labels: Vec<&str> = game.turns.iter().map(|t| t.label.as_str()).collect();
    let _ = writeln!(text, "\n{{first player: {}}}", labels.join(" "));
    let _ = writeln!(text, "{result}\n");
    text
}

fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    on_one_line(&text)
}

#[cfg(test)]
mod tests {
    use super::super::super::journal::tests::game;
    use super::*;

    #[test]
    fn the_first_player_is_pgns_white() {
        let text = write(&game(1, Outcome::Black));
        assert!(
            text.contains("[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]"),
            "{text}"
        );
        assert!(text.ends_with("{first player: h8}\n1-0\n\n"), "{text}");
        assert!(write(&game(1, Outcome::Draw)).contains("1/2-1/2"));
        assert!(text.contains("[Date \"????.??.??\"]"), "{text}");
        let dated = GameRecord {
            ended: 1_000_000_000,
            ..game(1, Outcome::Draw)
        };
        assert!(write(&dated).contains("[Date \"2001.09.09\"]"));
    }
}
