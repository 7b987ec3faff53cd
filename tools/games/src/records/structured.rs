//! Games in forms for programs: saved games of Yixin, blocks of the protocol, and the fragments of
//! pages' addresses.

use super::{LineError, ReadOptions, RecordError, RecordedGame, moves, rule_named};
use tengen::board::{Board, Move, ParseMovesError, parse_moves, parse_size};
use tengen::rules::Rule;
use tengen::types::Color;

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
/// opponent's. Stones in turns are moves, the first one by the side that begins; in another order
/// they are a position with the engine to move.
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
            let side = board.side_to_move();
            board = Board::new(width, height)?;
            board.set_side_to_move(side);
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
    let own = options.first.unwrap_or(match count(2) > count(1) {
        true => Color::White,
        false => Color::Black,
    });
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
        } else if let Some((rule, size)) = part.split_once('-')
            && size.starts_with(|c: char| c.is_ascii_digit())
            && parse_size(size).is_some()
            && rule.bytes().all(|b| b.is_ascii_lowercase())
        {
            return Err(RecordError::NoRecord(format!("unknown rule '{rule}'")));
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
                    _ if !board.is_empty(p) => {
                        let label = p.label(board.height());
                        return Err(RecordError::Moves(
                            ParseMovesError::Taken(label).to_string(),
                        ));
                    }
                    "b" => board.put(p, Color::Black),
                    "w" => board.put(p, Color::White),
                    "x" => board.block(p),
                    _ => {
                        let problem = format!("unknown part '{part}' of the address");
                        return Err(RecordError::NoRecord(problem));
                    }
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
    // Addresses of other kinds have words that are no moves.
    let taken = parse_moves(&mut board.clone(), &moves);
    let has_moves = has_position || matches!(taken, Err(ParseMovesError::Taken(_)));
    let read = moves::of_moves(&moves, &board);
    let read = read.map_err(|error| if has_moves { error } else { none() })?;
    for made in read.moves {
        game.play(Move { ..made });
    }
    game.rule = rule.map_or_else(String::new, |rule| rule.name().to_string());
    debug_assert!(game.rule.is_empty() || rule_named(&game.rule).is_some());
    Ok(game)
}
