//! Drawn boards: rows of signs for cells, of many programs. Row numbers and lines of letters may
//! stand around them. A stone in brackets, `[X]`, is the last move; other stones have no order.

use super::moves::plain;
use super::{ReadOptions, RecordError, RecordedGame};
use tengen::board::Board;
use tengen::types::{Color, Point};

/// Cells of the shortest row.
const LEAST: usize = 5;

/// Signs of black stones. Beside other black stones `*` and `@` are marks on free cells.
const BLACK: &str = "Xx●⚫Bb";
const WHITE: &str = "Oo○⚪◯Ww";
const BLACK_OR_MARK: &str = "*@";
const FREE: &str = ".!_+-·・十";
/// Free cells of a drawn grid.
const GRID: &str = "┼├┤┬┴┌┐└┘╋┿╂╬╠╣╦╩╔╗╚╝";
const BLOCKED: char = '#';

/// Lines at the beginning of a text that tell a diagram.
const HEAD_LINES: usize = 5;

/// The lines of a text that are not blank, without the prefixes of our programs: `=` in GTP, and
/// `MESSAGE |` in the protocol.
fn lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    let lines = text
        .lines()
        .map(|line| match line.strip_prefix("MESSAGE ") {
            Some(message) => message.strip_prefix('|').unwrap_or(message),
            None => line,
        });
    lines.filter(|line| !matches!(line.trim(), "" | "="))
}

/// The side of a line such as `Black to move` or `renju, 15x15, white to move`.
fn side_to_move(line: &str) -> Option<Color> {
    let line = line.to_ascii_lowercase();
    let named = |color: &Color| line.contains(&format!("{color} to move"));
    Color::BOTH.into_iter().find(named)
}

/// True if the text begins with a row of cells, and most of the next lines are rows too.
pub(super) fn is_diagram(text: &str) -> bool {
    let mut lines = lines(text);
    let has_letters = lines
        .clone()
        .next()
        .is_some_and(|line| is_letters(&plain(line)));
    let lines = lines.by_ref().skip_while(|line| is_letters(&plain(line)));
    let rows: Vec<Option<Row>> = lines
        .take(HEAD_LINES)
        .map(|line| cells(&plain(line)))
        .collect();
    let Some(Some(first)) = rows.first() else {
        return false;
    };
    let has_sign = |row: &Row| row.cells.iter().any(|(sign, _)| !matches!(sign, '0'..='2'));
    let is_of_digits = |row: &Row| row.cells.iter().all(|(sign, _)| sign.is_ascii_digit());
    let found = rows.iter().flatten().count();
    // One row alone is a word, one of large digits a list of coordinates, and a few rows among
    // other lines are numbers of versions, dates and times.
    first.cells.len() >= LEAST
        && (!is_of_digits(first) || !has_sign(first))
        && rows.len() > 1
        && (has_letters || 4 * found >= 3 * rows.len())
}

/// A line of signs.
struct Row {
    /// Each sign, and true if the sign stands in brackets.
    cells: Vec<(char, bool)>,
    /// The number before the signs, of that many digits.
    number: Option<u32>,
    digits: usize,
    /// The number behind them.
    end: Option<u32>,
    end_digits: usize,
}

/// The signs of a line; `None` if there are others than those of cells.
fn cells(line: &str) -> Option<Row> {
    let line = line.trim();
    let is_digit = |c: char| c.is_ascii_digit();
    let head = line.len() - line.trim_start_matches(is_digit).len();
    let tail = line.len() - line.trim_end_matches(is_digit).len();
    let is_apart = |c: Option<char>| c.is_some_and(char::is_whitespace);
    // Numbers stand close to a drawn grid, in which no digit is a cell.
    let is_grid = line.contains(|c| GRID.contains(c));
    let digits = match head {
        _ if is_grid || is_apart(line[head..].chars().next()) => head,
        _ => 0,
    };
    let end_digits = match tail {
        _ if tail < line.len() && is_grid => tail,
        _ if tail < line.len() && is_apart(line[..line.len() - tail].chars().next_back()) => tail,
        _ => 0,
    };
    let mut cells = Vec::new();
    let mut is_marked = false;
    for sign in line.chars() {
        match sign {
            '[' | '(' => is_marked = true,
            ']' | ')' => is_marked = false,
            '|' => {}
            _ if sign.is_whitespace() => {}
            _ if sign.is_ascii_digit() || sign == BLOCKED => cells.push((sign, is_marked)),
            _ if [BLACK, WHITE, BLACK_OR_MARK, FREE, GRID]
                .iter()
                .any(|s| s.contains(sign)) =>
            {
                cells.push((sign, is_marked));
            }
            _ => return None,
        }
    }
    // Numbers with a sign or two digits are no cells.
    let inner = &line[digits..line.len() - end_digits];
    let is_number =
        |word: &str| word.len() > 1 && word.trim_start_matches(['+', '-']).chars().all(is_digit);
    let mut words = inner.split_whitespace();
    if words.clone().count() > 1 && words.any(is_number) {
        return None;
    }
    Some(Row {
        number: line[..digits].parse().ok(),
        digits,
        end: line[line.len() - end_digits..].parse().ok(),
        end_digits,
        cells,
    })
}

/// True for a line of the columns' letters.
fn is_letters(line: &str) -> bool {
    let letters: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let expected = ('a'..='z').take(letters.len());
    letters.len() >= LEAST
        && letters.len() <= 26
        && expected
            .zip(&letters)
            .take(LEAST)
            .all(|(a, b)| a == b.to_ascii_lowercase())
}

/// True if there are rows and their numbers count up or down.
fn count_rows(numbers: impl Iterator<Item = Option<u32>> + Clone) -> bool {
    let mut pairs = numbers.clone().zip(numbers.clone().skip(1));
    numbers.clone().count() > 1
        && pairs.all(|(a, b)| a.zip(b).is_some_and(|(a, b)| a.abs_diff(b) == 1))
}

/// Reads a diagram. A line below it may tell the side to move.
///
/// # Errors
/// When a sign does not stand for a cell, rows differ in length, or the size is unsupported.
pub(super) fn read(text: &str, options: &ReadOptions) -> Result<RecordedGame, RecordError> {
    let mut rows = Vec::new();
    let side = lines(text).find_map(side_to_move);
    for line in lines(text) {
        let line = &*plain(line);
        if !rows.is_empty() && side_to_move(line).is_some() {
            break;
        }
        if is_letters(line) {
            match rows.is_empty() {
                true => continue,
                false => break,
            }
        }
        let row = rows.len() + 1;
        let sign = || line.chars().find(|&c| cells(&c.to_string()).is_none());
        rows.push(cells(line).ok_or_else(|| RecordError::Diagram {
            row,
            reason: match sign() {
                Some(sign) => format!("'{sign}' is no cell (X black, O white, # blocked, . free)"),
                None => "numbers are no cells".to_string(),
            },
        })?);
    }
    let has_numbers = count_rows(rows.iter().map(|row| row.number));
    let has_ends = count_rows(rows.iter().map(|row| row.end));
    let rows: Vec<Vec<(char, bool)>> = rows
        .into_iter()
        .map(|mut row| {
            if has_ends {
                row.cells.truncate(row.cells.len() - row.end_digits);
            }
            row.cells
                .split_off(if has_numbers { row.digits } else { 0 })
        })
        .collect();
    let width = rows.first().map_or(0, Vec::len);
    let mut board = Board::new(width as u32, rows.len() as u32)?;
    let has = |signs: &str| rows.iter().flatten().any(|&(sign, _)| signs.contains(sign));
    let (has_black, has_white) = (has(BLACK), has(WHITE));
    let has_stones = has_black || has_white || has(BLACK_OR_MARK);
    let mut last = None;
    for (y, row) in rows.iter().enumerate() {
        if row.len() != width {
            return Err(RecordError::Diagram {
                row: y + 1,
                reason: format!("it has {} cells, the first row has {width}", row.len()),
            });
        }
        for (x, &(sign, is_marked)) in row.iter().enumerate() {
            let p = Point::new(x as u8, y as u8);
            let color = match sign {
                BLOCKED => {
                    board.block(p);
                    continue;
                }
                '1' if !has_stones => Color::Black,
                '2' if !has_stones => Color::White,
                _ if BLACK.contains(sign) => Color::Black,
                _ if WHITE.contains(sign) => Color::White,
                _ if BLACK_OR_MARK.contains(sign) && !has_black => Color::Black,
                _ => continue,
            };
            // Only the last of several stones in brackets is the last move.
            let set_up = match is_marked {
                true => last.replace((p, color)),
                false => Some((p, color)),
            };
            if let Some((p, color)) = set_up {
                board.put(p, color);
            }
        }
    }
    if let Some((p, color)) = last {
        board.put(p, color);
    }
    let options = ReadOptions {
        first: side.or(options.first),
        ..options.clone()
    };
    Ok(RecordedGame {
        marked: last.map(|(p, _)| p),
        ..options.position(board)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::seq::IteratorRandom;
    use rand::{RngExt, SeedableRng};
    use tengen::board::Cell;

    fn read(text: &str) -> Result<RecordedGame, RecordError> {
        let empty = Board::new(15, 15).unwrap();
        super::read(text, &ReadOptions::new("", &empty))
    }

    #[test]
    fn a_diagram_is_read_as_it_was_drawn() {
        let mut rng = StdRng::seed_from_u64(8);
        for (width, height) in [(5, 5), (15, 15), (20, 15), (22, 22)] {
            let mut board = Board::new(width, height).unwrap();
            let p = board.empty_points().choose(&mut rng).unwrap();
            board.block(p);
            for _ in 0..rng.random_range(0..20) {
                let p = board.empty_points().choose(&mut rng).unwrap();
                board.play(p);
            }
            assert!(is_diagram(&board.to_string()));
            let read = read(&board.to_string()).unwrap();
            assert_eq!(read.start.hash(), board.hash());
            assert_eq!(read.start.to_string(), board.to_string());
            assert_eq!(read.last_stone(), None);
        }
    }

    #[test]
    fn diagrams_need_no_labels_and_may_mark_the_last_stone() {
        let text = "..1..\n.XO!.\n.[X]...\n.....\n....#\n\n";
        let game = read(text).unwrap();
        assert_eq!(game.last_stone(), Some(Point::new(1, 2)));
        assert_eq!(game.end().side_to_move(), Color::White);
        assert_eq!(game.start.cell(Point::new(4, 4)), Cell::Blocked);
        // A digit is a row's number only with a space behind it.
        let digits = read("1.X..\n2....\n3....\n4....\n5....\n").unwrap();
        assert_eq!(digits.start.stones()[0].point, Point::new(2, 0));
        // Of several such marks the last one counts, and no stone is lost.
        let game = read(&text.replace("XO", "[X]O")).unwrap();
        assert_eq!(game.last_stone(), Some(Point::new(1, 2)));
        assert_eq!(game.start.stones().len(), 3);
        for (bad, message) in [
            ("", "unsupported size 0x0"),
            ("....\n", "unsupported size 4x1"),
            (
                ".....\n.....\n..é..\n.....\n.....",
                "row 3 of the diagram: 'é'",
            ),
            (
                ".....\n....\n.....\n.....\n.....",
                "row 2 of the diagram: it has 4",
            ),
        ] {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn signs_of_many_programs_are_understood() {
        let rows = [".....", ".X*..", "..O..", ".....", "....."];
        let stones = |text: &str| {
            let game = read(text).unwrap();
            let stones = game.start.stones().iter();
            let label = |color| move |s: &&tengen::board::Stone| s.color == color;
            Color::BOTH.map(|color| stones.clone().filter(label(color)).count())
        };
        // Beside other black stones a star is a mark.
        assert_eq!(stones(&rows.join("\n")), [1, 1]);
        assert_eq!(stones(&rows.join("\n").replace('X', ".")), [1, 1]);
        assert_eq!(
            stones(&rows.join("\n").replace('.', "0").replace('X', "1")),
            [1, 1]
        );
        // A grid is drawn with the numbers of its rows close to it; + in full width is a point.
        let grid = [
            "15┌┬┬┬┐",
            "14├┼●┼┤",
            "13○＋┼┼┤",
            "12├┼┼┼┤",
            "11└┴┴┴┘",
            "　ＡＢＣＤＥ",
        ];
        for lines in [&grid[..], &grid[..5]] {
            let text = lines.join("\n");
            assert!(is_diagram(&text));
            let game = read(&text).unwrap();
            let stones = game.start.stones().iter().map(|s| s.point);
            assert_eq!((game.start.width(), game.start.height()), (5, 5));
            assert!(stones.eq([Point::new(2, 1), Point::new(0, 2)]), "{text}");
        }
        // Behind the letters of columns a fault is one of the diagram.
        assert!(is_diagram(
            "A B C D E\n5 . . . . .\n4 . ? . . .\n3 . ? . . .\n2 . ? . . ."
        ));
        for text in [
            "9.0 (28.5.2023)\nCaro rule: a five\n\n8.9.2 (16.5.2017)\nA fault\n",
            "h8 i9 h7",
            "7 7 8 6 7 8\n7 7 8 6 8 8",
            "0,0, 1,1, 2,2\n0,0, 1,1, 2,1",
            "bob",
        ] {
            assert!(!is_diagram(text), "{text}");
        }
    }
}
