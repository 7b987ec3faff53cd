//! Piskvork's own formats.
//!
//! `.psq`: a head line; `x,y,ms` for each move, counted from 1 at the top left; in records of
//! tournaments the names of both players; and a number for the end of the game. The number does not
//! tell the winner: 0 means a proper end, 15 a loss by time. Versions before 8.3 leave it out.
//! Source: Piskvork 9.0, `savePsq` and `openPsq` in game.cpp.
//!
//! Gomocup's records since 2020 end in four lines: the names in the order of the colours, -1, and
//! `number,tournament`. The number counts the engines of the schedule; the tournament's name tells
//! the rule.
//!
//! `.rec` of Piskvork's tournaments: both names, `x,y,ms` counted from 0, and a last number.

use super::{RecordError, RecordedGame, Warning};
use crate::sgf::Property;
use tengen::board::{Board, parse_size};
use tengen::rules::winner;
use tengen::streams::on_one_line;
use tengen::types::Color;

/// The first word of a file.
pub const HEAD: &str = "Piskvorky ";

/// Stands for a name that is not known.
pub(crate) const UNKNOWN: &str = "?";

/// Side of the board of a `.rec`, and of one with a stone beyond it.
const REC_SIDES: [u32; 2] = [15, 20];

/// True for the head of a `.psq`.
pub(super) fn begins(text: &str) -> bool {
    let head = text.get(..HEAD.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(HEAD))
}

/// Reads a `.psq` file. Blank lines do not count. Without a five on the board the result of the
/// game stays empty.
///
/// # Errors
/// With the fault.
pub fn read(text: &str, warnings: &mut Vec<Warning>) -> Result<RecordedGame, RecordError> {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let head = lines.next().filter(|(_, line)| begins(line));
    let (_, head) = head.ok_or(RecordError::PsqHead)?;
    let head = &head[HEAD.len()..];
    let size = head
        .split(',')
        .next()
        .and_then(|size| parse_size(size.trim()));
    let (width, height) = size.ok_or(RecordError::PsqHead)?;
    let mut board = Board::new(width, height)?;
    let mut game = RecordedGame::from_position(board.clone());
    let (mut before, mut rest) = (Vec::new(), Vec::new());
    let places = || text.lines().skip(1).filter_map(place);
    let first = i32::from(!counts_from_zero(places(), &board));
    if first == 0 {
        warnings.push(Warning::FromZero);
    }
    let mut impossible = Impossible::default();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        match place(line) {
            Some((x, y)) if rest.is_empty() => {
                let place = (x.saturating_sub(first), y.saturating_sub(first));
                impossible.add(&mut game, &mut board, place)?;
            }
            // Some programs write the names before the moves.
            None if game.moves.is_empty() && before.len() < 2 => before.push((number, line)),
            _ => rest.push((number, line)),
        }
    }
    warnings.extend(impossible.warning());
    if game.moves.is_empty() || before.len() == 1 {
        rest.splice(0..0, before.drain(..));
    }
    let end = end(&rest)?;
    let mut names = match before[..] {
        [(_, first), (_, second)] => [first, second],
        _ => end.names,
    };
    // The names are in the order of the table, where the second player may have begun; Gomocup's
    // are in the order of the colours.
    let is_second_first = head.split(',').nth(2).is_some_and(|who| who.trim() == "1");
    if is_second_first && end.tournament.is_none() {
        names.reverse();
    }
    [game.black, game.white] =
        names.map(|name| if name == UNKNOWN { "" } else { name }.to_string());
    if let Some(tournament) = end.tournament {
        game.root().properties.push(Property::new("EV", tournament));
        game.rule = super::rule_named(tournament)
            .map_or("", |rule| rule.name())
            .to_string();
        match game.known_rule() {
            None => warnings.push(Warning::Rule(tournament.to_string())),
            Some(rule) => {
                game.result = match winner(&board, rule) {
                    Some(Color::Black) => "B+".to_string(),
                    Some(Color::White) => "W+".to_string(),
                    None => String::new(),
                };
            }
        }
    }
    Ok(game)
}

/// The first impossible move of a game, which is read up to there.
#[derive(Default)]
struct Impossible {
    /// The move's number and the reason.
    first: Option<(usize, String)>,
    /// Moves after it.
    lost: usize,
}

impl Impossible {
    /// Adds a move, unless one before was impossible.
    ///
    /// # Errors
    /// When the first move of the game is impossible.
    fn add(
        &mut self,
        game: &mut RecordedGame,
        board: &mut Board,
        place: (i32, i32),
    ) -> Result<(), RecordError> {
        if self.first.is_some() {
            self.lost += 1;
            return Ok(());
        }
        let color = board.side_to_move();
        match game.add(board, color, Some(place)) {
            Err(RecordError::Move { number, reason }) if number > 1 => {
                self.first = Some((number, reason));
                Ok(())
            }
            result => result,
        }
    }

    fn warning(self) -> Option<Warning> {
        let lost = self.lost;
        let (number, reason) = self.first?;
        Some(Warning::Move {
            number,
            reason,
            lost,
        })
    }
}

/// True if the moves of a `.psq` count from 0, as some programs write them: one has a 0, and none
/// is on the last line as counted from 1. Lines behind the moves have no 0 before a comma.
fn counts_from_zero(mut places: impl Iterator<Item = (i32, i32)> + Clone, board: &Board) -> bool {
    let (width, height) = (board.width().into(), board.height().into());
    places.clone().any(|(x, y)| x == 0 || y == 0) && places.all(|(x, y)| x < width && y < height)
}

/// The place of a move, as the file counts it; `None` for a line without a move.
fn place(line: &str) -> Option<(i32, i32)> {
    let mut numbers = line.split(',').map(|word| word.trim().parse::<i32>());
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The line of a player's name; `None` if the name would be read as a move.
pub(crate) fn name_line(name: &str) -> Option<String> {
    let name = on_one_line(name.trim());
    match place(&name) {
        Some(_) => None,
        None if name.is_empty() => Some(UNKNOWN.to_string()),
        None => Some(name),
    }
}

/// The lines after the moves.
#[derive(Default)]
struct End<'a> {
    /// The names; empty without any.
    names: [&'a str; 2],
    /// The name of the tournament.
    tournament: Option<&'a str>,
}

fn end<'a>(rest: &[(usize, &'a str)]) -> Result<End<'a>, RecordError> {
    let Some(&(before, text)) = rest.first() else {
        return Ok(End::default());
    };
    if let Some(&(line, _)) = rest.iter().find(|(_, line)| place(line).is_some()) {
        let text = text.to_string();
        return Err(RecordError::PsqMove { line, before, text });
    }
    let is_number = |line: &str| line.parse::<i32>().is_ok();
    let is_cut_move = |line: &str| line.starts_with(|c: char| c.is_ascii_digit());
    let names = |names| End {
        names,
        tournament: None,
    };
    match *rest {
        [(_, end)] if is_number(end) || !is_cut_move(end) => Ok(End::default()),
        [(_, first), (_, second)] if !is_number(second) => Ok(names([first, second])),
        [(_, first), (_, second), _] => Ok(names([first, second])),
        [(_, first), (_, second), (_, end), (_, schedule)] if is_number(end) => {
            let tournament = schedule.split_once(',').map(|(_, name)| name.trim());
            Ok(End {
                names: [first, second],
                tournament: tournament.or(Some(schedule)),
            })
        }
        _ => Err(RecordError::PsqEnd {
            line: before,
            text: text.to_string(),
        }),
    }
}

/// True for a `.rec`: two names, then lines of moves with their times.
pub(super) fn is_rec(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_name = |line: Option<&str>| line.is_some_and(|line| place(line).is_none());
    let is_move = |line: &str| line.split(',').count() == 3 && place(line).is_some();
    is_name(lines.next()) && is_name(lines.next()) && lines.next().is_some_and(is_move)
}

/// Reads a `.rec`.
///
/// # Errors
/// With the fault.
pub(super) fn read_rec(
    text: &str,
    warnings: &mut Vec<Warning>,
) -> Result<RecordedGame, RecordError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let names = [lines.next(), lines.next()].map(|name| name.map_or("", |(_, name)| name));
    let lines: Vec<(usize, &str)> = lines.collect();
    let places: Vec<(i32, i32)> = lines.iter().map_while(|(_, line)| place(line)).collect();
    let farthest = places.iter().map(|&(x, y)| x.max(y)).max().unwrap_or(0);
    let is_inside = |side: &u32| farthest < *side as i32;
    let side = REC_SIDES
        .into_iter()
        .find(is_inside)
        .unwrap_or(REC_SIDES[1]);
    let mut board = Board::new(side, side)?;
    let mut game = RecordedGame::from_position(board.clone());
    let mut impossible = Impossible::default();
    for &place in &places {
        impossible.add(&mut game, &mut board, place)?;
    }
    warnings.extend(impossible.warning());
    match lines[places.len()..] {
        [] => {}
        [(_, end)] if end.parse::<i32>().is_ok() => {}
        [(line, text), ..] => {
            let text = text.to_string();
            return Err(RecordError::PsqEnd { line, text });
        }
    }
    [game.black, game.white] = names.map(str::to_string);
    Ok(game)
}
