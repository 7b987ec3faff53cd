//! Rules cases: `rule TAB size TAB black:x,y;... TAB white:x,y;... TAB key:value ...`.

use super::Case;
use super::fields::{board, free_point, items, rule, value};
use tengen::board::Board;
use tengen::rules::{Foul, Rule};
use tengen::types::{Color, Point};

/// All points forbidden to Black in a renju position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForbiddenCase {
    /// The stones; Black is to move.
    pub board: Board,
    /// Every forbidden point with its kinds. The points are exact. Where several kinds meet,
    /// referees name different ones, so any one of these is a right answer.
    pub forbidden: Vec<(Point, Foul)>,
    /// The points of the case's name; empty for a case without a name.
    pub candidates: Vec<(Point, Candidate)>,
    /// The case's name, empty if it has none.
    pub name: String,
}

/// The verdict about a point of a named case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// Forbidden in these ways.
    Foul(Foul),
    /// Allowed, and no five.
    Allowed,
    /// Makes exactly five: allowed, and wins.
    Five,
}

/// The outcome of the last move of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinCase {
    /// Rule set.
    pub rule: Rule,
    /// The stones, the last move put last.
    pub board: Board,
    /// The last move; its stone stands on the board.
    pub last: Point,
    /// The owner of a winning row, even if the move is forbidden.
    pub winner: Option<Color>,
    /// The strict referee's view; named cases do not give it.
    pub strict: Option<StrictClaim>,
    /// The case's name, empty if it has none.
    pub name: String,
}

/// The end of the game by a referee who punishes forbidden moves at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrictClaim {
    /// The verdict about the last move.
    pub foul: FoulClaim,
    /// The winner, by the row and the foul together.
    pub result: Option<Color>,
}

/// The verdict about a move under the rule of forbidden moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoulClaim {
    /// The mover has no forbidden moves.
    NotApplicable,
    /// The mover has forbidden moves, and this was none of them.
    Allowed,
    /// The move was forbidden in these ways.
    Foul(Foul),
}

/// Reads the columns of either kind of rules case.
pub(super) fn parse(columns: &[&str]) -> Result<Case, String> {
    let mut fields = Fields::new(&columns[2..])?;
    let rule = rule(columns[0])?;
    let size = columns[1];
    let stones = [fields.take("black")?, fields.take("white")?];
    let case = match fields.find("last") {
        Some(last) => Case::Win(win_case(rule, size, stones, last, &mut fields)?),
        None => Case::Forbidden(forbidden_case(rule, size, stones, &mut fields)?),
    };
    fields.finish()?;
    Ok(case)
}

fn forbidden_case(
    rule: Rule,
    size: &str,
    stones: [&str; 2],
    fields: &mut Fields,
) -> Result<ForbiddenCase, String> {
    if rule != Rule::Renju {
        return Err(value(
            "the rule renju on a line with forbidden points",
            rule.name(),
        ));
    }
    let mut board = board(size, stones, ';', None)?;
    board.set_side_to_move(Color::Black);
    let forbidden = items(fields.take("forbidden")?, ';')
        .map(|item| {
            let (p, kinds) = answer(&board, item)?;
            Ok((p, foul(kinds)?))
        })
        .collect::<Result<_, String>>()?;
    let candidates = items(fields.find("cand").unwrap_or(""), ';')
        .map(|item| {
            let (p, text) = answer(&board, item)?;
            let candidate = match text {
                "ok" => Candidate::Allowed,
                "five" => Candidate::Five,
                _ => Candidate::Foul(foul(text)?),
            };
            Ok((p, candidate))
        })
        .collect::<Result<_, String>>()?;
    Ok(ForbiddenCase {
        board,
        forbidden,
        candidates,
        name: fields.label(),
    })
}

fn win_case(
    rule: Rule,
    size: &str,
    stones: [&str; 2],
    last: &str,
    fields: &mut Fields,
) -> Result<WinCase, String> {
    let board = board(size, stones, ';', Some(last))?;
    let winner = side(fields.take("winner")?)?;
    let strict = match fields.find("foul") {
        None => None,
        Some(text) => Some(StrictClaim {
            foul: match text {
                "-" => FoulClaim::NotApplicable,
                "none" => FoulClaim::Allowed,
                kinds => FoulClaim::Foul(foul(kinds)?),
            },
            result: side(fields.take("result")?)?,
        }),
    };
    Ok(WinCase {
        rule,
        last: board.last().expect("the last move is put").point,
        board,
        winner,
        strict,
        name: fields.label(),
    })
}

/// The two halves of `x,y=answer`, the point being free.
fn answer<'a>(board: &Board, item: &'a str) -> Result<(Point, &'a str), String> {
    let (p, text) = item
        .split_once('=')
        .ok_or_else(|| value("a point and an answer such as 7,7=33", item))?;
    Ok((free_point(board, p)?, text))
}

fn foul(kinds: &str) -> Result<Foul, String> {
    kinds
        .parse()
        .map_err(|()| value("kinds of forbidden moves such as 33 or 6+44", kinds))
}

fn side(text: &str) -> Result<Option<Color>, String> {
    match text {
        "none" => Ok(None),
        "black" => Ok(Some(Color::Black)),
        "white" => Ok(Some(Color::White)),
        _ => Err(value("none, black or white", text)),
    }
}

/// The `key:value` columns of a line, each taken once.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Fields<'a> {
    fn new(columns: &[&'a str]) -> Result<Fields<'a>, String> {
        columns
            .iter()
            .map(|column| {
                column
                    .split_once(':')
                    .ok_or_else(|| value("a column key:value", column))
            })
            .collect::<Result<_, _>>()
            .map(Fields)
    }

    fn find(&mut self, key: &str) -> Option<&'a str> {
        let place = self.0.iter().position(|field| field.0 == key)?;
        Some(self.0.remove(place).1)
    }

    fn take(&mut self, key: &str) -> Result<&'a str, String> {
        self.find(key)
            .ok_or_else(|| format!("expected a column '{key}:...', found none"))
    }

    /// The case's name; its other comments are ignored.
    fn label(&mut self) -> String {
        for comment in ["src", "note", "tags"] {
            self.find(comment);
        }
        self.find("name").unwrap_or_default().to_string()
    }

    /// Refuses leftover columns.
    fn finish(self) -> Result<(), String> {
        match self.0.first() {
            None => Ok(()),
            Some((key, _)) => Err(format!("unexpected column '{key}'")),
        }
    }
}
