//! Smart Game Format, version 4, game 4 (Gomoku and Renju); points as in Go, letters from the top
//! left. Times and values stand in comments.
//! Source: SGF FF[4] specification, red-bean.com/sgf.

use std::fmt::Write as _;

use super::super::game::{GameRecord, Turn};
use super::super::referee::{Outcome, Reason};
use super::points;
use super::read::{checked_point, checked_size, Shown};
use crate::types::Point;

/// The game as an `.sgf` file.
pub fn write(game: &GameRecord) -> String {
    let size = if game.width == game.height {
        game.width.to_string()
    } else {
        format!("{}:{}", game.width, game.height)
    };
    let mut text = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[Tengen:{}]SZ[{size}]RU[{}]PB[{}]PW[{}]RE[{}]GN[{}]",
        env!("CARGO_PKG_VERSION"),
        escape(&game.rule),
        escape(&game.black),
        escape(&game.white),
        result(game),
        game.id,
    );
    if game.ended > 0 {
        let _ = write!(text, "DT[{}]", date(game.ended));
    }
    let _ = writeln!(text, "C[{}]", escape(&game.verdict()));
    let turns = game.turns.iter().zip(points(game));
    for (i, (turn, point)) in turns.enumerate() {
        let color = if i % 2 == 0 { 'B' } else { 'W' };
        let _ = write!(text, ";{color}[{}]", point.map_or_else(String::new, place));
        let comment = comment(turn, i < game.opening_turns);
        if !comment.is_empty() {
            let _ = write!(text, "C[{}]", escape(&comment));
        }
        text.push('\n');
    }
    text.push_str(")\n");
    text
}

fn place(p: Point) -> String {
    let letter = |n: u8| (b'a' + n) as char;
    format!("{}{}", letter(p.x()), letter(p.y()))
}

fn result(game: &GameRecord) -> String {
    let winner = match game.outcome {
        Outcome::Draw => return "0".to_string(),
        Outcome::Black => 'B',
        Outcome::White => 'W',
    };
    let how = match game.reason {
        Reason::Time => "T",
        reason if reason.is_forfeit() => "F",
        _ => "",
    };
    format!("{winner}+{how}")
}

fn comment(turn: &Turn, opening: bool) -> String {
    let mut parts = Vec::new();
    if opening {
        parts.push("opening".to_string());
    }
    if let Some(ms) = turn.ms {
        parts.push(format!("{ms} ms"));
    }
    if let Some(eval) = turn.eval {
        parts.push(format!("value {eval}"));
    }
    if let Some(depth) = turn.depth {
        parts.push(match turn.seldepth {
            Some(seldepth) => format!("depth {depth}-{seldepth}"),
            None => format!("depth {depth}"),
        });
    }
    if let Some(nodes) = turn.nodes {
        parts.push(format!("{nodes} nodes"));
    }
    parts.join(", ")
}

/// Text inside brackets: a closing bracket and a backslash are escaped.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// `YYYY-MM-DD` of a time in seconds since 1970, UTC.
/// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
fn date(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March here.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 {
        (year_of_era + era * 400, month + 3)
    } else {
        (year_of_era + era * 400 + 1, month - 9)
    };
    format!("{year:04}-{month:02}-{day:02}")
}

/// Reads the first game of an `.sgf` file along its main line.
///
/// # Errors
/// With what is wrong. Stones that are set up, and sides that do not take turns, are refused.
pub fn read(text: &str) -> Result<Shown, String> {
    let mut game = Shown {
        black: String::new(),
        white: String::new(),
        rule: String::new(),
        result: String::new(),
        width: 15,
        height: 15,
        points: Vec::new(),
    };
    for (name, value) in main_line(text)? {
        match name.as_str() {
            "SZ" => {
                let (width, height) = value.split_once(':').unwrap_or((&value, &value));
                let side = |text: &str| text.trim().parse().map_err(|_| format!("SZ[{value}]"));
                (game.width, game.height) = checked_size(side(width)?, side(height)?)?;
            }
            "PB" => game.black = value,
            "PW" => game.white = value,
            "RU" => game.rule = value,
            "RE" => game.result = value,
            "AB" | "AW" => return Err(format!("stones set up ({name}) are not supported")),
            "B" | "W" => {
                let black = game.points.len() % 2 == 0;
                if (name == "B") != black {
                    return Err(format!(
                        "move {}: sides do not alternate",
                        game.points.len() + 1
                    ));
                }
                game.points.push(read_place(&value, &game)?);
            }
            _ => {}
        }
    }
    Ok(game)
}

fn read_place(value: &str, game: &Shown) -> Result<Option<Point>, String> {
    let number = |letter: u8| i64::from(letter) - i64::from(b'a');
    match *value.trim().as_bytes() {
        [] => Ok(None),
        [x, y] => {
            let size = (game.width, game.height);
            checked_point(number(x), number(y), size, &game.points).map(Some)
        }
        _ => Err(format!("'{value}' is no point")),
    }
}

/// Properties with their values from the root to the end of the first variation.
fn main_line(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut chars = text.chars().peekable();
    let mut properties = Vec::new();
    let mut name = String::new();
    let (mut begun, mut ended) = (false, false);
    while let Some(c) = chars.next() {
        match c {
            '(' => begun = true,
            // The first variation ends here, and with it the main line.
            ')' => {
                ended = begun;
                break;
            }
            '[' => {
                let mut value = String::new();
                loop {
                    match chars.next().ok_or("a value has no end")? {
                        ']' => break,
                        '\\' => value.extend(chars.next()),
                        other => value.push(other),
                    }
                }
                properties.push((name.clone(), value));
                // Further values of the same property follow at once.
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                if chars.peek() != Some(&'[') {
                    name.clear();
                }
            }
            c if c.is_ascii_uppercase() => name.push(c),
            _ => {}
        }
    }
    if ended {
        Ok(properties)
    } else {
        Err("not a whole SGF game".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::journal::tests::game;
    use super::super::super::message::Eval;
    use super::*;

    #[test]
    fn a_game_with_comments() {
        let mut game = game(0, Outcome::White);
        game.black = "A [fast]".to_string();
        game.turns.push(Turn {
            ms: Some(1.5),
            eval: Some(Eval::Win(3)),
            depth: Some(7),
            ..Turn::bare(Some(Point::new(0, 14)), 15)
        });
        game.turns.push(Turn::bare(None, 15));
        let text = write(&game);
        assert!(text.contains("PB[A [fast\\]]PW[B]RE[W+]"), "{text}");
        assert!(text.contains(";B[hh]C[opening]\n"), "{text}");
        assert!(
            text.contains(";W[ao]C[1.5 ms, value +M3, depth 7]\n;B[]\n)"),
            "{text}"
        );
        game.reason = Reason::Time;
        assert!(write(&game).contains("RE[W+T]"));
        game.width = 20;
        assert!(write(&game).contains("SZ[20:15]"));
    }

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(4_102_444_799), "2099-12-31");
    }
}
