//! Games behind tags in brackets, `[Black "name"]`: those of PlayOK, and the results of matches.
//! PlayOK's words `white`, `black` and `--` stand in the place of moves when the players choose
//! colours: the stones go on in turn.

use super::game::RecordedGame;
use super::moves::{self, RESULTS};
use super::{LineError, MoveList, Offsets, ReadOptions, RecordError, Sink, Warning};
use crate::sgf::Property;
use tengen::board::{Board, parse_size};

/// Words that are no moves.
const CHOICES: [&str; 3] = ["white", "black", "--"];
/// Moves of chess where a program wants some.
const FILLERS: [[&str; 2]; 2] = [["d4", "d5"], ["e4", "e5"]];
/// Before the moves in the comment of a match's result.
const MATCH_MOVES: &str = "first player:";

/// Reads the games of a text.
pub(super) fn read(text: &str, options: &ReadOptions, sink: &mut Sink) -> Result<(), RecordError> {
    // Games without moves wait until there is one with moves: results alone are no records.
    let mut waiting = Vec::new();
    let mut has_moves = false;
    let mut take = |entry: Entry, sink: &mut Sink| {
        let game = entry.game(options, &mut sink.warnings)?;
        has_moves |= !game.moves.is_empty();
        waiting.push(game);
        let mut is_over = false;
        if has_moves {
            is_over = waiting.drain(..).any(|game| sink.take(game).is_break());
        }
        Ok::<_, RecordError>(is_over)
    };
    let mut entry = Entry::default();
    for (number, line) in (1..).zip(text.lines()) {
        match tag(line) {
            Some(tag) => {
                if !entry.moves.trim().is_empty() && take(std::mem::take(&mut entry), sink)? {
                    return Ok(());
                }
                entry.tags.push(tag);
            }
            None => {
                entry.line = entry.line.or((!line.trim().is_empty()).then_some(number));
                if entry.line.is_some() {
                    entry.moves.push_str(line);
                    entry.moves.push('\n');
                }
            }
        }
    }
    if !entry.tags.is_empty() {
        take(entry, sink)?;
    }
    match has_moves {
        true => Ok(()),
        false => Err(RecordError::NoMoves),
    }
}

/// The name and value of a tag.
fn tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// A game in the text.
#[derive(Default)]
struct Entry<'a> {
    tags: Vec<(&'a str, String)>,
    /// The text behind the tags, and its first line.
    moves: String,
    line: Option<usize>,
}

impl Entry<'_> {
    fn tag(&self, name: &str) -> &str {
        let found = self.tags.iter().find(|(tag, _)| *tag == name);
        found.map_or("", |(_, value)| value)
    }

    /// True if two moves of chess stand in the place of those of the game.
    ///
    /// Source: `result.pgn` of Gomocup, which BayesElo reads; it wants moves of chess.
    fn has_filler(&self) -> bool {
        let mut words = self.moves.split_whitespace().filter(|word| *word != "1.");
        let pair = [words.next(), words.next()];
        let is_filler = FILLERS.contains(&pair.map(Option::unwrap_or_default));
        is_filler && self.tag("GameType").is_empty() && words.all(|word| RESULTS.contains(&word))
    }

    fn game(
        &self,
        options: &ReadOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<RecordedGame, RecordError> {
        let of_match = self.moves.split_once(MATCH_MOVES);
        let of_match = of_match.and_then(|(_, rest)| rest.split_once('}'));
        let text = match of_match {
            Some((moves, _)) => moves.to_string(),
            None if self.has_filler() => String::new(),
            None => without_choices(&self.moves),
        };
        // `GameType "61,15"` of PlayOK, `Event "renju 15x15"` of a match.
        let size = match of_match {
            Some(_) => self.tag("Event").rsplit(' ').next().and_then(parse_size),
            None => self
                .tag("GameType")
                .split_once(',')
                .and_then(|(_, side)| parse_size(side)),
        };
        let mut start = options.start();
        if let Some((width, height)) = size {
            start = Board::new(width, height)?;
            if of_match.is_none() {
                start.set_side_to_move(options.start().side_to_move());
            }
        }
        // PlayOK counts the words that are no moves.
        let first = self.line.unwrap_or(1);
        let list = MoveList::unnumbered(&text, &start, Offsets::Never);
        let list = list.map_err(|error| LineError {
            line: first + error.line - 1,
            ..error
        })?;
        let mut found = Vec::new();
        let mut game = moves::joined(&list, &start, &mut found)?;
        for warning in &mut found {
            if let Warning::LeftOut { line, .. } = warning {
                *line += first - 1;
            }
        }
        warnings.append(&mut found);
        (game.black, game.white) = (self.tag("Black").to_string(), self.tag("White").to_string());
        if of_match.is_some() {
            // The side that moves first is White in PGN.
            std::mem::swap(&mut game.black, &mut game.white);
            let rule = self.tag("Event").split(' ').next().unwrap_or_default();
            game.rule = rule.to_string();
            if game.known_rule().is_none() {
                warnings.push(Warning::Rule(game.rule.clone()));
            }
        }
        game.result = self.tag("Result").to_string();
        let kept = [
            ("Event", "EV"),
            ("Site", "PC"),
            ("Date", "DT"),
            ("Round", "RO"),
            ("TimeControl", "TM"),
        ];
        let root = game.root();
        for (tag, name) in kept {
            if !matches!(self.tag(tag), "" | "?" | "-") {
                root.properties.push(Property::new(name, self.tag(tag)));
            }
        }
        Ok(game)
    }
}

/// The text without PlayOK's words for choices.
fn without_choices(text: &str) -> String {
    let line = |line: &str| {
        let words = line
            .split_whitespace()
            .filter(|word| !CHOICES.contains(word));
        words.collect::<Vec<&str>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}
