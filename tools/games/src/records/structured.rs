//! Games in forms for programs: JSON, books of problems, saved games of Yixin, blocks of the
//! protocol, and the fragments of pages' addresses.

use serde_json::Value;

use super::game::PASS;
use super::sgf;
use super::{
    Format, LineError, MoveList, Offsets, ReadOptions, RecordError, RecordedGame, Warning,
};
use super::{moves, rule_named};
use crate::sgf::Property;
use tengen::board::{Board, Move, parse_size};
use tengen::rules::Rule;
use tengen::types::{Color, Point};

/// The format of a text that begins with a brace or a bracket; `None` for a list of points of other
/// languages, such as `[(7, 7), (8, 6)]`.
pub(super) fn format_of(text: &str) -> Option<Format> {
    let is_tag = text.strip_prefix('[').is_some_and(|rest| {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        name.len() < rest.len() && name.trim_start().starts_with('"')
    });
    if is_tag {
        return Some(Format::Pgn);
    }
    let first = serde_json::Deserializer::from_str(text).into_iter().next();
    let value: Value = match first {
        Some(Ok(value)) => value,
        // The error of the JSON tells more than that of moves.
        _ if text.starts_with('{') => return Some(Format::Json),
        _ => return None,
    };
    Some(match value.get("type").and_then(Value::as_str) {
        Some("match" | "game") => Format::Journal,
        _ if value.get("puzzles").is_some() => Format::Problems,
        _ => Format::Json,
    })
}

/// Reads points or moves in JSON: `[[7,7],[8,6]]`, `["h8","i9"]`, or an object with such `moves`; a
/// list of objects, or of lists of moves, is several games.
pub(super) fn read_json(
    text: &str,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<RecordedGame>, RecordError> {
    let value = parsed(text)?;
    let games = value.get("games").unwrap_or(&value).as_array();
    let is_game = |value: &Value| value.is_object() && moves_of(value).is_some();
    let is_list = |value: &Value| matches!(value.get(0), Some(Value::Array(_) | Value::String(_)));
    match games {
        Some(games) if !games.is_empty() && games.iter().all(|g| is_game(g) || is_list(g)) => games
            .iter()
            .map(|game| json_game(game, options, warnings))
            .collect(),
        _ => Ok(vec![json_game(&value, options, warnings)?]),
    }
}

fn parsed(text: &str) -> Result<Value, RecordError> {
    serde_json::from_str(text).map_err(|error| RecordError::NoRecord(format!("JSON: {error}")))
}

/// The moves of an object.
fn moves_of(value: &Value) -> Option<&Value> {
    ["moves", "stones", "position", "record"]
        .iter()
        .find_map(|name| value.get(name))
}

fn json_game(
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
    let no_record = |why: &str| RecordError::NoRecord(why.to_string());
    let none = || no_record("JSON without moves, such as {\"moves\": [\"h8\", [8, 6]]}");
    let moves = match value {
        Value::Object(_) => moves_of(value).ok_or_else(none)?,
        _ => value,
    };
    let size = |name: &str| value.get(name).and_then(Value::as_u64);
    let mut start = options.start();
    let sides = size("width").zip(size("height"));
    if let Some((width, height)) = sides.or_else(|| size("size").map(|side| (side, side))) {
        let side = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        start = Board::new(side(width), side(height))?;
        start.set_side_to_move(options.first);
    }
    let mut game = match moves {
        Value::String(text) => moves::of_moves(text, &start)?,
        Value::Array(points) => {
            let mut game = RecordedGame::from_position(start.clone());
            for point in points {
                json_move(&mut game, &mut start, point)?;
            }
            game
        }
        _ => return Err(none()),
    };
    game.rule = text("rule");
    if !game.rule.is_empty() && game.known_rule().is_none() {
        warnings.push(Warning::Rule(format!("\"rule\": \"{}\"", game.rule)));
    }
    (game.black, game.white, game.result) = (text("black"), text("white"), text("result"));
    Ok(game)
}

/// Plays a move such as `"h8"`, `"pass"`, `[7, 7]`, `{"x": 7, "y": 7}` or `{"row": 7, "col": 7}`. With a
/// colour, as in `"h8,1"`, `[7, 7, "white"]` or `"color": "black"`, the stone has it; 1 is Black, 2 White.
fn json_move(game: &mut RecordedGame, board: &mut Board, value: &Value) -> Result<(), RecordError> {
    let number = |value: Option<&Value>| {
        let number = value.and_then(Value::as_i64);
        number.map(|n| i32::try_from(n).unwrap_or(i32::MAX))
    };
    let field = |names: [&str; 3]| names.iter().find_map(|name| value.get(name));
    let (label, point, color) = match value {
        Value::String(text) => match text.split_once(',') {
            Some((label, stone)) => (Some(label.trim()), None, Some(Value::from(stone.trim()))),
            None => (Some(text.trim()), None, None),
        },
        Value::Array(parts) => {
            let point = number(parts.first()).zip(number(parts.get(1)));
            (None, point, parts.get(2).cloned())
        }
        _ => {
            let x = number(field(["x", "col", "columnIndex"]));
            let point = x.zip(number(field(["y", "row", "rowIndex"])));
            (None, point, field(["color", "colour", "player"]).cloned())
        }
    };
    let no_move = || RecordError::NoRecord(format!("{value} is no move in JSON"));
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
        None => Some(point.ok_or_else(no_move)?),
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
        "2" | "w" | "o" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Reads a book of problems: `{"puzzles": [{"stones": "G12H12", "side": 1, "rule": 2}]}`. Stones are
/// in turns from Black on, or apart as `blackStones` and `whiteStones`; `side` is 1 for Black and 2
/// for White. What a problem does not say stands in `defaultSettings`.
///
/// Source: the names of the fields in renjueditor's `puzzleCoder.js` (lfz084.github.io), where rules
/// have the numbers of Rapfi: 0 freestyle, 1 standard, 2 renju.
pub(super) fn read_problems(
    text: &str,
    options: &ReadOptions,
) -> Result<Vec<RecordedGame>, RecordError> {
    let book = parsed(text)?;
    let defaults = &book["defaultSettings"];
    let puzzles = book["puzzles"].as_array().map_or(&[][..], Vec::as_slice);
    let mut games = Vec::new();
    for (number, puzzle) in (1..).zip(puzzles) {
        let game = problem(puzzle, defaults, options).map_err(|reason| {
            RecordError::NoRecord(format!("problem {number} of the book: {reason}"))
        })?;
        games.extend(game);
    }
    match games.is_empty() {
        true => Err(RecordError::NoRecord("a book without problems".to_string())),
        false => Ok(games),
    }
}

/// A problem as a position; `None` for a picture.
fn problem(
    puzzle: &Value,
    defaults: &Value,
    options: &ReadOptions,
) -> Result<Option<RecordedGame>, String> {
    let field = |name: &str| puzzle.get(name).or_else(|| defaults.get(name));
    let number = |name: &str| field(name).and_then(Value::as_u64);
    let text = |name: &str| field(name).and_then(Value::as_str).unwrap_or_default();
    let mut board = match number("size") {
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
    for (name, color) in lists {
        let list = MoveList::of(text(name), &board, Offsets::Never);
        let lines = list.map_err(|error| error.problem)?.openings();
        let lines = if text(name).trim().is_empty() {
            Ok(Vec::new())
        } else {
            lines
        };
        let points = lines.map_err(|error| error.problem)?;
        for (index, p) in points
            .into_iter()
            .flat_map(|(_, points)| points)
            .enumerate()
        {
            if !board.is_empty(p) {
                return Err(format!("{} is named twice", p.label(board.height())));
            }
            board.put(p, color.unwrap_or(Color::BOTH[index % 2]));
        }
    }
    if board.stones().is_empty() {
        return Ok(None);
    }
    board.set_side_to_move(match number("side") {
        Some(1) => Color::Black,
        Some(2) => Color::White,
        _ => board.side_with_fewer_stones(),
    });
    let mut game = RecordedGame::from_position(board);
    game.rule = match number("rule") {
        Some(0) => Rule::Freestyle.name().to_string(),
        Some(1) => Rule::Standard.name().to_string(),
        Some(2) => Rule::Renju.name().to_string(),
        _ => String::new(),
    };
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

/// The numbers of each line that has any; `None` if a line has something else.
fn number_lines(text: &str) -> Option<Vec<Vec<i32>>> {
    let is_gap = |c: char| c.is_whitespace() || c == ',';
    let numbers = |line: &str| -> Option<Vec<i32>> {
        let words = line.split(is_gap).filter(|word| !word.is_empty());
        words.map(|word| word.parse().ok()).collect()
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(numbers).collect()
}

/// True for a saved game of Yixin: two lines for the size, one for the number of stones, and a line
/// for each stone.
pub(super) fn is_sav(text: &str) -> bool {
    let lines = number_lines(text).unwrap_or_default();
    let Some((head, stones)) = lines.split_at_checked(3) else {
        return false;
    };
    let is_side = |line: &Vec<i32>| matches!(line[..], [5..=22]);
    let is_count = matches!(head[2][..], [count] if usize::try_from(count) == Ok(stones.len()));
    head[..2].iter().all(is_side) && is_count && stones.iter().all(|line| line.len() == 2)
}

/// Reads a saved game of Yixin. A stone is its row and column, from 0 at the top left.
pub(super) fn read_sav(text: &str) -> Result<RecordedGame, RecordError> {
    let lines = number_lines(text).unwrap_or_default();
    let side = |at: usize| lines[at][0].unsigned_abs();
    let mut board = Board::new(side(0), side(1))?;
    let mut game = RecordedGame::from_position(board.clone());
    for line in &lines[3..] {
        let color = board.side_to_move();
        game.add(&mut board, color, Some((line[1], line[0])))?;
    }
    Ok(game)
}

/// True for a block of the protocol, with the words around it or without: lines `x,y,field`.
pub(super) fn is_board_block(text: &str) -> bool {
    let is_word = |line: &&str| {
        ["BOARD", "YXBOARD"]
            .iter()
            .any(|w| line.eq_ignore_ascii_case(w))
    };
    let lines = text.lines().map(str::trim);
    // Another text may have the word on a line too.
    let mut after = lines.clone().skip_while(|line| !is_word(line)).skip(1);
    if let Some(line) = after.find(|line| !line.is_empty()) {
        return line.starts_with(|c: char| c.is_ascii_digit()) || line.eq_ignore_ascii_case("DONE");
    }
    let stones = number_lines(text).unwrap_or_default();
    let is_stone = |line: &Vec<i32>| line.len() == 3 && matches!(line[2], 1 | 2);
    !stones.is_empty() && stones.iter().all(is_stone)
}

/// Reads a block of the protocol. The fields are 1 for the engine's own stones, 2 for the
/// opponent's. Stones in turns are moves, Black's first; in another order they are a position with
/// the engine to move.
pub(super) fn read_board_block(
    text: &str,
    options: &ReadOptions,
) -> Result<RecordedGame, RecordError> {
    let mut board = options.start();
    let mut stones = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let mut words = line.split_whitespace();
        let size = words
            .next()
            .filter(|word| word.eq_ignore_ascii_case("START"))
            .and(words.next());
        if let Some((width, height)) = size.and_then(parse_size) {
            board = Board::new(width, height)?;
            continue;
        }
        match number_lines(line)
            .unwrap_or_default()
            .first()
            .map(Vec::as_slice)
        {
            Some(&[x, y, field @ (1 | 2)]) => stones.push((number, x, y, field)),
            Some(&[_, _, 3]) | None => {}
            Some(_) => {
                let problem = format!("'{line}' is no stone such as 7,7,1");
                let line = number;
                return Err(LineError { line, problem }.into());
            }
        }
    }
    let takes_turns = stones.windows(2).all(|pair| pair[0].3 != pair[1].3);
    if takes_turns {
        let mut game = RecordedGame::from_position(board.clone());
        for (_, x, y, _) in stones {
            let color = board.side_to_move();
            game.add(&mut board, color, Some((x, y)))?;
        }
        return Ok(game);
    }
    let count = |field| stones.iter().filter(|stone| stone.3 == field).count();
    let own = match count(2) > count(1) {
        true => Color::White,
        false => Color::Black,
    };
    for (line, x, y, field) in stones {
        let p = board.point(x, y).filter(|&p| board.is_empty(p));
        let p = p.ok_or_else(|| LineError {
            line,
            problem: format!("{x},{y} is off the board or taken"),
        })?;
        board.put(p, if field == 1 { own } else { !own });
    }
    board.set_side_to_move(own);
    Ok(RecordedGame::from_position(board))
}

/// True for an address whose fragment holds a game, or for that fragment alone.
pub(super) fn is_link(text: &str) -> bool {
    let is_word = !text.contains(char::is_whitespace);
    let has_rule = |part: &str| {
        part.split_once('-')
            .is_some_and(|(rule, size)| rule.parse::<Rule>().is_ok() && parse_size(size).is_some())
    };
    is_word && (text.contains("://") || fragment(text).split('/').next().is_some_and(has_rule))
}

/// The text behind the last `#`, or all of it.
fn fragment(text: &str) -> &str {
    let found = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    found.trim_matches('/')
}

/// Reads the fragment of an address: `renju-15/b:h8g8/w:i9/x:a1/t:w/h7` of our page, `h8i9h7` of
/// gomocalc.
pub(super) fn read_link(text: &str, options: &ReadOptions) -> Result<RecordedGame, RecordError> {
    let none = || RecordError::NoRecord(format!("the address '{text}' has no moves"));
    let text = fragment(text)
        .replace("%3A", ":")
        .replace("%2F", "/")
        .replace("%3a", ":")
        .replace("%2f", "/");
    let mut board = options.start();
    let mut rule = None;
    let mut has_position = false;
    let mut moves = String::new();
    for part in text.split('/') {
        let kind = part
            .split_once('-')
            .and_then(|(rule, size)| Some((rule.parse::<Rule>().ok()?, parse_size(size)?)));
        if let Some((named, (width, height))) = kind {
            board = Board::new(width, height)?;
            rule = Some(named);
            has_position = true;
        } else if let Some((name, list)) = part.split_once(':') {
            if name == "t" {
                let side = if list == "w" {
                    Color::White
                } else {
                    Color::Black
                };
                board.set_side_to_move(side);
                continue;
            }
            let side = board.side_to_move();
            let points = moves::of_moves(list, &board.cleared())?;
            for p in points.moves.iter().filter_map(|made| made.point) {
                match name {
                    _ if !board.is_empty(p) => return Err(none()),
                    "b" => board.put(p, Color::Black),
                    "w" => board.put(p, Color::White),
                    _ => board.block(p),
                }
            }
            board.set_side_to_move(side);
        } else {
            // A dash is a pass.
            moves = part.replace('-', " pass ");
        }
    }
    if moves.is_empty() && !has_position {
        return Err(none());
    }
    let mut game = RecordedGame::from_position(board.clone());
    for made in moves::of_moves(&moves, &board).map_err(|_| none())?.moves {
        game.play(Move { ..made });
    }
    game.rule = rule.map_or_else(String::new, |rule| rule.name().to_string());
    debug_assert!(game.rule.is_empty() || rule_named(&game.rule).is_some());
    Ok(game)
}
