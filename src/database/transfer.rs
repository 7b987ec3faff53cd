//! Import and export of RenLib libraries.

use std::collections::HashSet;

use super::error::DatabaseError;
use super::key::Situation;
use super::record::{Label, Record};
use super::renlib::{Library, Node, SIDE};
use super::store::{Reader, Writer};
use crate::board::Board;
use crate::rules::Rule;
use crate::search::Bound;
use crate::types::{Point, Score};

/// Adds every position of `library` to the store. Returns how many of its nodes were taken; a line
/// that plays on a taken cell is cut there.
///
/// A text such as `W`, `L12` or `D` on a move's cell is its label as well.
///
/// # Errors
/// When the store cannot be read or written.
pub fn import_library(
    library: &Library,
    rule: Rule,
    store: &mut Writer,
) -> Result<usize, DatabaseError> {
    let board = Board::new(SIDE.into(), SIDE.into()).expect("a size that the engine plays on");
    let mut count = 0;
    let mut open = vec![(Library::ROOT, board)];
    while let Some((place, board)) = open.pop() {
        let node = &library.nodes()[place];
        let situation = Situation::new(&board, rule);
        let mut record = Record {
            comment: node.comment.clone(),
            ..labelled(&node.cell_text)
        };
        for &child in &node.children {
            let reply = &library.nodes()[child];
            let mut next = board.clone();
            match reply.point {
                Some(p) if next.is_empty(p) => {
                    record.set_cell_text(situation.place(p), &reply.cell_text);
                    next.play(p);
                }
                Some(_) => continue,
                None => next.set_side_to_move(!board.side_to_move()),
            }
            open.push((child, next));
        }
        store.merge(&situation, record)?;
        count += usize::from(place != Library::ROOT);
    }
    Ok(count)
}

/// The label that a text on a cell gives the move there.
fn labelled(text: &str) -> Record {
    let plies = text.get(1..).unwrap_or("");
    let score = |win: bool| match plies.parse::<u8>() {
        Ok(plies) if win => Some(Score::win_in(plies.into())),
        Ok(plies) => Some(Score::loss_in(plies.into())),
        Err(_) => None,
    };
    let (label, value) = match text.as_bytes().first() {
        Some(b'W') => (Label::WIN, score(true)),
        Some(b'L') => (Label::LOSS, score(false)),
        Some(b'D') if plies.is_empty() => (Label::DRAW, None),
        _ => return Record::default(),
    };
    if value.is_none() && !plies.is_empty() {
        return Record::default();
    }
    Record {
        label: Some(label),
        value: value.unwrap_or(Score::DRAW),
        bound: value.map_or(Bound::None, |_| Bound::Exact),
        ..Record::default()
    }
}

/// The library of all known positions that follow from `board`, with the stones of `board` on the
/// way to it, in their order. `None` when that is impossible: RenLib knows 15x15 only, and sides
/// that take turns. A position that several lines reach is written in the first of them.
///
/// # Errors
/// When the store cannot be read or written.
pub fn export_library(
    reader: &Reader,
    board: &Board,
    rule: Rule,
) -> Result<Option<Library>, DatabaseError> {
    let mut start = Board::new(SIDE.into(), SIDE.into()).expect("a size that the engine plays on");
    if (board.width(), board.height()) != (SIDE, SIDE) {
        return Ok(None);
    }
    let mut library = Library::default();
    let mut place = Library::ROOT;
    library.node_mut(place).comment = comment(reader, &start, rule)?;
    for stone in board.stones() {
        if stone.color != start.side_to_move() {
            return Ok(None);
        }
        start.play(stone.point);
        let node = Node {
            point: Some(stone.point),
            comment: comment(reader, &start, rule)?,
            ..Node::default()
        };
        place = library.add(place, node);
    }
    if start.hash() != board.hash() {
        return Ok(None);
    }
    let mut seen = HashSet::new();
    let mut open = vec![(place, start)];
    while let Some((place, board)) = open.pop() {
        let situation = Situation::new(&board, rule);
        let record = reader.get(&situation)?.unwrap_or_default();
        let text = |p: Point| record.cell_text(situation.place(p)).map(str::to_string);
        for (p, child) in reader.children(&board, rule)? {
            let mut next = board.clone();
            next.play(p);
            if !seen.insert(Situation::new(&next, rule).key().to_vec()) {
                continue;
            }
            let shown = text(p).or_else(|| child.shown_label());
            let node = Node {
                point: Some(p),
                cell_text: shown.unwrap_or_default(),
                comment: child.comment,
                children: Vec::new(),
            };
            open.push((library.add(place, node), next));
        }
    }
    Ok(Some(library))
}

fn comment(reader: &Reader, board: &Board, rule: Rule) -> Result<String, DatabaseError> {
    let record = reader.get(&Situation::new(board, rule))?;
    Ok(record.map_or(String::new(), |record| record.comment))
}
