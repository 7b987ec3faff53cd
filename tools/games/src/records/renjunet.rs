//! RenjuNet's database of games (`.rif`, an XML file), and files of that form by others.
//!
//! Players, tournaments, rules and openings stand in tables before the games, which name them by
//! number; other programs write the names themselves into the games. The file is read as a stream:
//! only the tables and one game are held.

use std::collections::HashMap;
use std::io::BufRead;

use quick_xml::encoding::DecodingReader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::rule_names::rule_named;
use super::{RecordError, RecordedGame, Sink, Warning};
use crate::sgf::Property;
use tengen::board::Board;
use tengen::types::{Color, Point};

/// Rows and columns of all boards.
const SIDE: u8 = 15;
/// The rule where a file names none that is known: RenjuNet collects games of renju alone.
const USUAL_RULE: &str = "renju";

/// True if a text begins as such a file does: the first element is one of its own.
pub(super) fn begins(text: &str) -> bool {
    const ELEMENTS: [&str; 6] = [
        "database",
        "games",
        "game",
        "renju",
        "players",
        "tournaments",
    ];
    let mut rest = text;
    // Declarations and comments may stand before the first element.
    while rest.starts_with("<?") || rest.starts_with("<!") {
        let Some((_, after)) = rest.split_once('>') else {
            return false;
        };
        rest = after.trim_start();
    }
    let Some(rest) = rest.strip_prefix('<') else {
        return false;
    };
    let end = rest
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(rest.len());
    ELEMENTS.contains(&&rest[..end])
}

/// The names in the tables, by their numbers.
#[derive(Default)]
struct Tables {
    players: HashMap<String, String>,
    tournaments: HashMap<String, Tournament>,
    rules: HashMap<String, String>,
    openings: HashMap<String, String>,
}

#[derive(Default)]
struct Tournament {
    name: String,
    date: String,
    rule: String,
}

/// A game whose element is open.
struct OpenGame {
    game: RecordedGame,
    moves: String,
    info: String,
}

/// Reads the games of a file. Returns its charset.
///
/// # Errors
/// When the file has no game, is no XML, or cannot be read. Games before the fault were handed out.
pub(super) fn read(
    input: impl BufRead,
    sink: &mut Sink,
) -> Result<Option<&'static str>, RecordError> {
    let mut xml = Reader::from_reader(DecodingReader::new(input));
    // A part that is not well formed should cost no more than itself.
    let config = xml.config_mut();
    config.allow_dangling_amp = true;
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    let mut tables = Tables::default();
    let mut open: Option<OpenGame> = None;
    // The name of the innermost element.
    let mut inside = String::new();
    let mut count = 0;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let at = xml.buffer_position();
        let event = xml.read_event_into(&mut buffer);
        let event = event.map_err(|error| RecordError::Xml(at, error.to_string()))?;
        let is_end = match &event {
            Event::Start(element) | Event::Empty(element) => {
                inside = element.local_name().as_ref().to_string();
                match inside.as_str() {
                    "game" => open = Some(tables.game(element)),
                    name => tables.add(name, element),
                }
                let is_empty = matches!(event, Event::Empty(_));
                let is_game = inside == "game";
                if is_empty {
                    inside.clear();
                }
                is_empty && is_game
            }
            Event::End(element) => {
                inside.clear();
                element.local_name().as_ref() == "game"
            }
            Event::Eof => true,
            _ => false,
        };
        if is_end && let Some(game) = open.take() {
            count += 1;
            let game = game.finish(&mut sink.warnings);
            if sink.take(game).is_break() {
                break;
            }
        }
        let text = match &event {
            Event::Text(text) => text.xml10_content().into_owned(),
            Event::CData(text) => text.xml10_content().into_owned(),
            Event::GeneralRef(name) => character(name),
            Event::Decl(declaration) => {
                if let Some(charset) = declaration.encoder() {
                    xml.get_mut().set_encoding(charset);
                }
                continue;
            }
            Event::Eof if count == 0 => return Err(RecordError::NoGames),
            Event::Eof => break,
            _ => continue,
        };
        match (inside.as_str(), &mut open) {
            ("move" | "moves", Some(game)) => game.moves.push_str(&text),
            ("info", Some(game)) => game.info.push_str(&text),
            _ => {}
        }
    }
    Ok(Some(xml.get_ref().encoding().name()))
}

/// A letter named by `&…;`; as it stands if the name is unknown.
fn character(name: &BytesRef) -> String {
    let letter = name.resolve_char_ref().ok().flatten();
    letter
        .map(String::from)
        .unwrap_or_else(|| match &*name.xml10_content() {
            "amp" => "&".to_string(),
            "lt" => "<".to_string(),
            "gt" => ">".to_string(),
            "quot" => "\"".to_string(),
            "apos" => "'".to_string(),
            other => format!("&{other};"),
        })
}

/// The value of an attribute, without NUL as in other texts; empty if there is none.
fn attribute(element: &BytesStart, name: &str) -> String {
    let found = element
        .html_attributes()
        .flatten()
        .find(|found| found.key.as_ref() == name);
    let value = found.map(
        |found| match found.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) => value.trim().to_string(),
            Err(_) => found.value.trim().to_string(),
        },
    );
    value.unwrap_or_default().replace('\0', "")
}

impl Tables {
    /// Adds an element of one of the tables.
    fn add(&mut self, name: &str, element: &BytesStart) {
        let of = |name: &str| attribute(element, name);
        let id = || of("id");
        match name {
            "player" => {
                let names = [of("name"), of("surname")];
                self.players
                    .insert(id(), names.join(" ").trim().to_string());
            }
            "tournament" => {
                let date = match of("start") {
                    start if !start.is_empty() => start,
                    _ => date([of("year"), of("month"), of("day")]),
                };
                let (name, rule) = (of("name"), of("rule"));
                self.tournaments
                    .insert(id(), Tournament { name, date, rule });
            }
            "rule" => drop(self.rules.insert(id(), of("name"))),
            "opening" => drop(self.openings.insert(id(), of("name"))),
            _ => {}
        }
    }

    /// The game of an element, without its moves.
    fn game(&self, element: &BytesStart) -> OpenGame {
        let of = |name: &str| attribute(element, name);
        let named = |table: &HashMap<String, String>, key: &str| {
            let value = of(key);
            table.get(&value).cloned().unwrap_or(value)
        };
        let board = Board::new(SIDE.into(), SIDE.into()).expect("a size that the engine plays on");
        let mut game = RecordedGame::from_position(board);
        game.black = named(&self.players, "black");
        game.white = named(&self.players, "white");
        let result = [of("bresult"), of("result")].concat();
        game.result = match result.as_str() {
            "1" => "B+".to_string(),
            "0" => "W+".to_string(),
            "0.5" | "0,5" | ".5" => "Draw".to_string(),
            // Unknown, or in words.
            "-1" | "*" => String::new(),
            _ => result,
        };
        let tournament = self.tournaments.get(&of("tournament"));
        // The number of a rule that the file does not name says nothing.
        let rules = [
            of("rule"),
            tournament.map_or(String::new(), |t| t.rule.clone()),
        ];
        let mut rules = rules
            .iter()
            .map(|rule| self.rules.get(rule).unwrap_or(rule));
        let rule = rules.find(|rule| rule_named(rule).is_some());
        game.rule = rule.map_or(USUAL_RULE, String::as_str).to_string();
        let opening = named(&self.openings, "opening");
        let event = tournament.map_or_else(|| of("tournament"), |t| t.name.clone());
        let mut add = |name: &str, value: String| {
            if !value.is_empty() {
                game.root().properties.push(Property::new(name, value));
            }
        };
        add("EV", event);
        add("DT", tournament.map_or(String::new(), |t| t.date.clone()));
        add("RO", of("round"));
        add("ON", opening);
        let facts = [
            ("game", "id"),
            ("publisher", "publisher"),
            ("alternative fifth moves", "alt"),
            ("swaps", "swap"),
            ("Black's time", "btime"),
            ("White's time", "wtime"),
        ];
        let facts = facts.map(|(name, key)| (name, of(key)));
        let facts = facts.iter().filter(|(_, value)| !value.is_empty());
        let facts: Vec<String> = facts
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        add("GC", facts.join(", "));
        OpenGame {
            game,
            moves: String::new(),
            info: String::new(),
        }
    }
}

/// The known part of a date in SGF's form.
fn date(parts: [String; 3]) -> String {
    let number = |part: &String| part.parse::<u32>().ok().filter(|&number| number > 0);
    let parts: Vec<String> = parts
        .iter()
        .map_while(number)
        .map(|n| format!("{n:02}"))
        .collect();
    parts.join("-")
}

impl OpenGame {
    /// The game with its moves, up to the first that is impossible.
    fn finish(mut self, warnings: &mut Vec<Warning>) -> RecordedGame {
        let words = || {
            self.moves
                .split(|c: char| !c.is_ascii_alphanumeric())
                .filter(|word| !word.is_empty())
        };
        let mut board = self.game.start.clone();
        let mut labels = words().flat_map(labels_in);
        while let Some(label) = labels.next() {
            let number = self.game.moves.len() + 1;
            let made = Point::from_label(label, SIDE, SIDE);
            let place = made.map(|p| (p.x().into(), p.y().into()));
            let color = Color::BOTH[self.game.moves.len() % 2];
            let reason = match place {
                Ok(place) => match self.game.add(&mut board, color, Some(place)) {
                    Ok(()) => continue,
                    Err(RecordError::Move { reason, .. }) => reason.to_string(),
                    Err(error) => error.to_string(),
                },
                Err(error) => error.to_string(),
            };
            let lost = labels.count();
            warnings.push(Warning::Move {
                number,
                reason,
                lost,
            });
            break;
        }
        let info = self.info.trim();
        if !info.is_empty() {
            self.game
                .last_node()
                .properties
                .push(Property::new("C", info));
        }
        self.game
    }
}

/// The labels that a word joins: `h8`, `h9` of `h8h9`.
fn labels_in(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let digits = rest.find(|c: char| c.is_ascii_digit())?;
        let after = rest[digits..].find(|c: char| !c.is_ascii_digit());
        let (label, left) = rest.split_at(after.map_or(rest.len(), |end| digits + end));
        rest = left;
        Some(label)
    })
}
