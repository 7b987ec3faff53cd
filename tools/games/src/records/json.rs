//! Games in JSON, and in the lists of Python: points, moves, games, books of problems; one value a
//! file or one a line. A list of games is read as a stream: no more than one of them is held.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Value};

use super::game::PASS;
use super::rule_names::rule_of_title;
use super::{
    Format, MoveList, Offsets, ReadOptions, RecordError, RecordedGame, Sink, Warning, diagram,
    moves, sgf,
};
use crate::sgf::Property;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::types::{Color, Point};

/// Side of the board on which a book of problems counts its rows.
const BOOK_SIDE: u32 = 15;
/// Numbers in a row of a board; fewer are a point.
const LEAST_ROW: usize = 5;

/// Letters of a value that an error shows.
const LONGEST_SHOWN: usize = 60;

/// The fields by which the kind of an object is known.
#[derive(Default, Deserialize)]
struct Head {
    #[serde(default, rename = "type")]
    kind: Value,
    #[serde(default, rename = "defaultSettings")]
    defaults: Value,
    puzzles: Option<IgnoredAny>,
}

impl Head {
    fn of(text: &str) -> Head {
        serde_json::from_str(text).unwrap_or_default()
    }
}

/// The format of a text that begins with a brace or a bracket; `None` for a list of moves in no
/// language.
pub(super) fn format_of(text: &str) -> Option<Format> {
    let is_tag = text.strip_prefix('[').is_some_and(|rest| {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        name.len() < rest.len() && name.trim_start().starts_with('"')
    });
    if is_tag {
        return Some(Format::Pgn);
    }
    let Some(json) = first_line(text).or_else(|| as_json(text)) else {
        // The error of the JSON tells more than that of moves.
        return text.starts_with('{').then_some(Format::Json);
    };
    if json.starts_with('[') {
        // Coordinates without lists around them, or offsets.
        let is_flat = serde_json::from_str::<Vec<i64>>(&json).is_ok();
        let pairs = || serde_json::from_str::<Vec<[i64; 2]>>(&json).unwrap_or_default();
        let is_offsets = json.contains('-') && pairs().iter().flatten().any(|&n| n < 0);
        return (!is_flat && !is_offsets).then_some(Format::Json);
    }
    let head = Head::of(&json);
    Some(match head.kind.as_str() {
        Some("match" | "game") => Format::Journal,
        _ if head.puzzles.is_some() => Format::Problems,
        _ => Format::Json,
    })
}

/// The first line of a text with a value on each line.
fn first_line(text: &str) -> Option<Cow<'_, str>> {
    let (line, rest) = text.split_once('\n')?;
    match rest.trim().is_empty() {
        true => None,
        false => as_json(line),
    }
}

/// A text that is JSON, or JSON made of a list of Python; `None` for any other text.
fn as_json(text: &str) -> Option<Cow<'_, str>> {
    let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    if is_json(text) {
        return Some(Cow::Borrowed(text));
    }
    // A point alone, (7, 7), is no list.
    let is_list = text.starts_with('[')
        || text
            .strip_prefix('(')
            .is_some_and(|rest| rest.trim_start().starts_with(['(', '[']));
    let json = is_list.then(|| json_of_python(text))?;
    is_json(&json).then_some(Cow::Owned(json))
}

/// A list of Python as JSON has it: tuples, single quotes, a comma before a closing bracket, and
/// comments from `#` on.
fn json_of_python(text: &str) -> String {
    let mut json = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '(' => json.push('['),
            ')' | ']' | '}' => {
                json.truncate(json.trim_end().len());
                if json.ends_with(',') {
                    json.pop();
                }
                json.push(if letter == ')' { ']' } else { letter });
            }
            '#' => {
                let _ = letters.by_ref().find(|&c| c == '\n');
            }
            '\'' | '"' => {
                json.push('"');
                let mut is_escaped = false;
                for inner in letters.by_ref() {
                    match inner {
                        _ if is_escaped => is_escaped = false,
                        '\\' => is_escaped = true,
                        _ if inner == letter => break,
                        '"' => json.push('\\'),
                        _ => {}
                    }
                    json.push(inner);
                }
                json.push('"');
            }
            _ => json.push(letter),
        }
    }
    json
}

/// Reads the games of a text: points or moves, `[[7,7],[8,6]]`, `["h8","i9"]`, or an object with
/// such `moves`; a list of objects or of lists of moves; a book of problems; or one of these a
/// line.
pub(super) fn read(text: &str, options: &ReadOptions, sink: &mut Sink) -> Result<(), RecordError> {
    let mut reader = JsonReader {
        options,
        sink,
        defaults: Value::Null,
        points: None,
        rows: Vec::new(),
        number: 0,
        listed: None,
        has_games: false,
        is_over: false,
        first_error: None,
    };
    if first_line(text).is_none() {
        let json = as_json(text).unwrap_or(Cow::Borrowed(text));
        reader.value(&json)?;
    } else {
        for (line, text) in (1..).zip(text.lines().map(str::trim)) {
            if text.is_empty() || reader.is_over {
                continue;
            }
            let json = as_json(text).unwrap_or(Cow::Borrowed(text));
            if let Err(error) = reader.value(&json) {
                let what = error.to_string();
                reader.sink.warnings.push(Warning::LeftOut { line, what });
                super::limit(&mut reader.sink.warnings);
                reader.first_error = reader.first_error.or(Some(error));
            }
        }
    }
    reader.finish()
}

/// Takes values as they are read.
struct JsonReader<'a, 'b, 'c> {
    options: &'a ReadOptions<'a>,
    sink: &'b mut Sink<'c>,
    /// Facts for problems of the book without their own.
    defaults: Value,
    /// The game of the points so far, with its board.
    points: Option<(RecordedGame, Board)>,
    /// The rows of a board so far.
    rows: Vec<Value>,
    /// Number of the last game in the file.
    number: usize,
    /// The noun for the elements of the list that was read.
    listed: Option<&'static str>,
    has_games: bool,
    is_over: bool,
    first_error: Option<RecordError>,
}

impl JsonReader<'_, '_, '_> {
    /// Reads a text of one value.
    fn value(&mut self, json: &str) -> Result<(), RecordError> {
        if json.starts_with('{') {
            self.defaults = Head::of(json).defaults;
        }
        let mut input = serde_json::Deserializer::from_str(json);
        let mut fault = None;
        let list = Level {
            reader: self,
            fault: &mut fault,
        };
        let read = list.deserialize(&mut input).and_then(|()| input.end());
        match (read, fault) {
            (_, Some(fault)) => return Err(fault),
            (Err(error), None) if !self.is_over => {
                return Err(RecordError::NoRecord(format!("JSON: {error}")));
            }
            _ => {}
        }
        // Points of several lines are one game.
        if json.starts_with('[') {
            self.end_list()?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), RecordError> {
        self.end_list()?;
        match self.first_error {
            _ if self.has_games => Ok(()),
            Some(error) => Err(error),
            None => Err(self.listed.map_or_else(no_moves, |noun| {
                RecordError::NoRecord(format!("its list holds no {noun}"))
            })),
        }
    }

    /// Hands out the game of the points, or of the rows, before.
    fn end_list(&mut self) -> Result<(), RecordError> {
        if let Some((game, _)) = self.points.take() {
            self.take(game);
        }
        if !self.rows.is_empty() {
            let rows = Value::Array(std::mem::take(&mut self.rows));
            let game = board(&rows, self.options)?;
            self.take(game);
        }
        Ok(())
    }

    fn take(&mut self, game: RecordedGame) {
        self.has_games = true;
        self.is_over |= self.sink.take(game).is_break();
    }

    /// Takes a game or a problem of a list. An unreadable one becomes a warning and costs no
    /// others.
    fn game(&mut self, value: &Value, is_problem: bool) {
        self.number += 1;
        let game = match is_problem {
            true => {
                let warnings = &mut self.sink.warnings;
                problem(value, &self.defaults, self.options, warnings)
                    .map_err(RecordError::NoRecord)
            }
            false => game(value, self.options, &mut self.sink.warnings).map(Some),
        };
        match game {
            Ok(Some(game)) => self.take(game),
            // A picture.
            Ok(None) => {}
            Err(error) => {
                let number = self.number;
                let reason = match error {
                    RecordError::NoRecord(reason) => reason,
                    error => error.to_string(),
                };
                let kind = if is_problem { "problem" } else { "game" };
                let why = RecordError::NoRecord(format!("{kind} {number}: {reason}"));
                self.first_error.get_or_insert(why);
                self.sink.warnings.push(Warning::Game { number, reason });
                super::limit(&mut self.sink.warnings);
            }
        }
    }

    /// Takes an element of a list.
    fn element(&mut self, value: Value) -> Result<(), RecordError> {
        if is_game(&value) && self.points.is_none() {
            self.game(&value, false);
            return Ok(());
        }
        let is_row = value.as_array().is_some_and(|row| row.len() >= LEAST_ROW);
        if is_row && self.points.is_none() {
            self.rows.push(value);
            return Ok(());
        }
        let start = || {
            let board = self.options.start();
            (RecordedGame::from_position(board.clone()), board)
        };
        let (game, board) = self.points.get_or_insert_with(start);
        add_move(game, board, &value)
    }

    /// Takes an object.
    fn object(&mut self, object: Map<String, Value>) -> Result<(), RecordError> {
        let value = Value::Object(object);
        if !is_game(&value) && place(&value).is_some() {
            return self.element(value);
        }
        let game = game(&value, self.options, &mut self.sink.warnings)?;
        self.number += 1;
        self.take(game);
        Ok(())
    }
}

/// Reads a value whose elements, or those of its field `games` or `puzzles`, are taken one by one.
struct Level<'r, 'a, 'b, 'c> {
    reader: &'r mut JsonReader<'a, 'b, 'c>,
    /// The error of an element, which ends the reading.
    fault: &'r mut Option<RecordError>,
}

impl<'de> DeserializeSeed<'de> for Level<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element()? {
            if let Err(error) = self.reader.element(value) {
                *self.fault = Some(error);
            }
            if self.fault.is_some() || self.reader.is_over {
                return Err(A::Error::custom("the list is not read further"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut object = Map::new();
        let mut has_list = false;
        while let Some(name) = fields.next_key::<String>()? {
            if matches!(&*name, "games" | "puzzles") {
                has_list = true;
                let noun = if name == "puzzles" { "problem" } else { "game" };
                self.reader.listed = Some(noun);
                fields.next_value_seed(Games {
                    reader: self.reader,
                    is_problem: name == "puzzles",
                })?;
            } else {
                object.insert(name, fields.next_value()?);
            }
        }
        if !has_list && let Err(error) = self.reader.object(object) {
            *self.fault = Some(error);
        }
        Ok(())
    }
}

/// Reads the games or problems of a field.
struct Games<'r, 'a, 'b, 'c> {
    reader: &'r mut JsonReader<'a, 'b, 'c>,
    is_problem: bool,
}

impl<'de> DeserializeSeed<'de> for Games<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Games<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element::<Value>()? {
            self.reader.game(&value, self.is_problem);
            if self.reader.is_over {
                return Err(A::Error::custom("the list is not read further"));
            }
        }
        Ok(())
    }
}

fn no_moves() -> RecordError {
    let why = "JSON without moves, such as {\"moves\": [\"h8\", [8, 6]]}";
    RecordError::NoRecord(why.to_string())
}

/// True if an element of a list is a game of its own.
fn is_game(value: &Value) -> bool {
    const FIELDS: [&str; 3] = ["blackStones", "board", "sgf"];
    match value {
        Value::Object(_) => {
            moves_of(value).is_some() || FIELDS.iter().any(|name| value.get(name).is_some())
        }
        Value::Array(points) => {
            matches!(
                points.first(),
                None | Some(Value::Array(_) | Value::String(_) | Value::Object(_))
            )
        }
        Value::String(text) => {
            let letters = text.as_bytes().windows(2);
            letters
                .filter(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())
                .count()
                > 1
        }
        _ => false,
    }
}

/// The moves of an object.
fn moves_of(value: &Value) -> Option<&Value> {
    ["moves", "stones", "position", "record"]
        .iter()
        .find_map(|name| value.get(name))
}

fn game(
    value: &Value,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<RecordedGame, RecordError> {
    let text = |name: &str| match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    // The whole game, as 'convert' writes it beside the moves.
    if let Some(Value::String(text)) = value.get("sgf") {
        return sgf::first(text, options, warnings);
    }
    // A problem outside of a book.
    let has = |name: &str| value.get(name).is_some();
    if has("blackStones") || has("side") && value["stones"].is_string() {
        let game =
            problem(value, &Value::Null, options, warnings).map_err(RecordError::NoRecord)?;
        return game.ok_or_else(no_moves);
    }
    let size = |name: &str| value.get(name).and_then(Value::as_u64);
    let mut start = options.start();
    let sides = size("width").zip(size("height"));
    let side = || size("size").or_else(|| size("boardSize"));
    if let Some((width, height)) = sides.or_else(|| side().map(|side| (side, side))) {
        let side = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        start = Board::new(side(width), side(height))?;
        start.set_side_to_move(options.start().side_to_move());
    }
    let moves = match value {
        Value::Object(_) => moves_of(value),
        _ => Some(value),
    };
    let mut game = match (moves, value.get("board")) {
        (Some(Value::Array(points)), _) if points.is_empty() && !value.is_object() => {
            return Err(RecordError::NoRecord("it has no moves".to_string()));
        }
        (Some(Value::String(text)), _) => moves::of_moves(text, &start)?,
        (Some(Value::Array(points)), _) => {
            let mut points: Vec<&Value> = points.iter().collect();
            // Numbers tell the order where all moves have one.
            let number = |point: &&Value| point.get("number").and_then(Value::as_u64);
            if points.iter().all(|point| number(point).is_some()) {
                points.sort_by_key(number);
            }
            let mut game = RecordedGame::from_position(start.clone());
            for point in points {
                add_move(&mut game, &mut start, point)?;
            }
            game
        }
        (None, Some(rows)) => board(rows, options)?,
        _ => return Err(no_moves()),
    };
    game.rule = text("rule");
    warn_of_rule(&game, warnings);
    (game.black, game.white, game.result) = (text("black"), text("white"), text("result"));
    Ok(game)
}

fn warn_of_rule(game: &RecordedGame, warnings: &mut Vec<Warning>) {
    if !game.rule.is_empty() && game.known_rule().is_none() {
        warnings.push(Warning::Rule(format!("\"rule\": \"{}\"", game.rule)));
    }
}

/// A board as a text of rows, a list of such texts, or a list of rows of numbers: 0 free, 1 Black,
/// 2 or -1 White.
fn board(value: &Value, options: &ReadOptions) -> Result<RecordedGame, RecordError> {
    let cell = |cell: &Value| match cell.as_i64() {
        Some(0) => Ok('.'),
        Some(1) => Ok('X'),
        Some(2 | -1) => Ok('O'),
        _ => Err(RecordError::NoRecord(format!(
            "{cell} is no cell of a board in JSON (0 free, 1 black, 2 white)"
        ))),
    };
    let row = |row: &Value| match row {
        Value::String(row) => Ok(row.clone()),
        Value::Array(cells) => cells.iter().map(cell).collect(),
        _ => Err(no_moves()),
    };
    let rows = match value {
        Value::String(text) => text.clone(),
        Value::Array(rows) => rows
            .iter()
            .map(row)
            .collect::<Result<Vec<String>, _>>()?
            .join("\n"),
        _ => return Err(no_moves()),
    };
    diagram::read(&rows, options)
}

/// The column and row of a point such as `[7, 7]`, `{"x": 7, "y": 7}` or `{"row": 7, "col": 7}`.
fn place(value: &Value) -> Option<(i32, i32)> {
    let number = |value: Option<&Value>| {
        let number = value.and_then(Value::as_i64);
        number.map(|n| i32::try_from(n).unwrap_or(i32::MAX))
    };
    let field = |names: [&str; 3]| names.iter().find_map(|name| value.get(name));
    match value {
        Value::Array(parts) => number(parts.first()).zip(number(parts.get(1))),
        _ => {
            number(field(["x", "col", "columnIndex"])).zip(number(field(["y", "row", "rowIndex"])))
        }
    }
}

/// Plays a move such as `"h8"`, `"pass"` or a [`place`]. With a colour, as in `"h8,1"`,
/// `[7, 7, "white"]` or `"color": "black"`, the stone has it; 1 is Black, 2 or -1 White.
fn add_move(game: &mut RecordedGame, board: &mut Board, value: &Value) -> Result<(), RecordError> {
    let field = |names: [&str; 3]| names.iter().find_map(|name| value.get(name));
    let (label, color) = match value {
        Value::String(text) => match text.split_once(',') {
            Some((label, stone)) => (Some(label.trim()), Some(Value::from(stone.trim()))),
            None => (Some(text.trim()), None),
        },
        Value::Array(parts) => (None, parts.get(2).cloned()),
        _ => (None, field(["color", "colour", "player"]).cloned()),
    };
    let no_move = || {
        let mut text = value.to_string();
        if text.chars().count() > LONGEST_SHOWN {
            text = text.chars().take(LONGEST_SHOWN).collect::<String>() + "…";
        }
        RecordError::NoRecord(format!("{text} is no move in JSON"))
    };
    let color = match color {
        None => board.side_to_move(),
        Some(color) => stone_color(&color).ok_or_else(no_move)?,
    };
    let point = match label {
        Some(label) if label.eq_ignore_ascii_case(PASS) => None,
        Some(label) => {
            let p = Point::from_label(label, board.width(), board.height());
            let p = p.map_err(|error| RecordError::NoRecord(error.to_string()))?;
            Some((i32::from(p.x()), i32::from(p.y())))
        }
        None => Some(place(value).ok_or_else(no_move)?),
    };
    game.add(board, color, point)
}

/// The colour of a stone by its name or by the protocol's number.
fn stone_color(value: &Value) -> Option<Color> {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_lowercase);
    match text.as_str() {
        "1" | "b" | "x" | "black" => Some(Color::Black),
        "2" | "-1" | "w" | "o" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A problem of a book, `{"puzzles": [{"stones": "G12H12", "side": 1, "rule": 2}]}`, as a position;
/// `None` for a picture. Stones are in turns from Black on, or apart as `blackStones` and
/// `whiteStones`; `side` is 1 for Black and 2 for White.
///
/// Source: the names of the fields in renjueditor's `puzzleCoder.js` (lfz084.github.io), where
/// rules have the numbers of Rapfi: 0 freestyle, 1 standard, 2 renju. Smaller boards there are the
/// top left corner of a board of 15 rows, with the larger board's numbers.
fn problem(
    puzzle: &Value,
    defaults: &Value,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Option<RecordedGame>, String> {
    let field = |name: &str| puzzle.get(name).or_else(|| defaults.get(name));
    let number = |name: &str| field(name).and_then(Value::as_u64);
    let text = |name: &str| field(name).and_then(Value::as_str).unwrap_or_default();
    let empty = match number("size") {
        Some(side) => {
            let side = u32::try_from(side).unwrap_or(u32::MAX);
            Board::new(side, side).map_err(|error| error.to_string())?
        }
        None => options.empty.clone(),
    };
    let lists = [
        ("stones", None),
        ("blackStones", Some(Color::Black)),
        ("whiteStones", Some(Color::White)),
    ];
    // The points are named as on the board `labels`.
    let set_up = |labels: &Board| -> Result<Board, String> {
        let mut board = empty.clone();
        for (name, color) in lists
            .into_iter()
            .filter(|(name, _)| !text(name).trim().is_empty())
        {
            let list = MoveList::of(text(name), labels, Offsets::Never);
            let lines = list
                .and_then(MoveList::openings)
                .map_err(|error| error.problem)?;
            let points = lines.into_iter().flat_map(|(_, points)| points);
            for (index, p) in points.enumerate() {
                let label = p.label(labels.height());
                let p = board.point(p.x().into(), p.y().into());
                let p = p.ok_or_else(|| format!("{label} is off the board"))?;
                if !board.is_empty(p) {
                    return Err(format!("{label} is named twice"));
                }
                board.put(p, color.unwrap_or(Color::BOTH[index % 2]));
            }
        }
        Ok(board)
    };
    let usual = Board::new(BOOK_SIDE, BOOK_SIDE).expect("a size that the engine plays on");
    let is_corner = u32::from(empty.width().max(empty.height())) < BOOK_SIDE;
    let mut board = match is_corner.then(|| set_up(&usual)) {
        Some(Ok(board)) => board,
        Some(Err(error)) => set_up(&empty).map_err(|_| error)?,
        None => set_up(&empty)?,
    };
    if board.stones().is_empty() {
        return Ok(None);
    }
    board.set_side_to_move(match field("side").and_then(stone_color) {
        Some(side) => side,
        None => options.first.unwrap_or(board.side_with_fewer_stones()),
    });
    let mut game = RecordedGame::from_position(board);
    game.rule = match number("rule") {
        Some(0) => Rule::Freestyle.name().to_string(),
        Some(1) => Rule::Standard.name().to_string(),
        Some(2) => Rule::Renju.name().to_string(),
        _ if text("rule").is_empty() => rule_of_title(text("title")).to_string(),
        _ => text("rule").to_string(),
    };
    warn_of_rule(&game, warnings);
    let titles = [("GN", "title"), ("C", "comment")];
    for (name, field) in titles
        .into_iter()
        .filter(|(_, field)| !text(field).is_empty())
    {
        game.last_node()
            .properties
            .push(Property::new(name, text(field)));
    }
    Ok(Some(game))
}
