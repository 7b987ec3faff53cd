//! Import and export of RenLib libraries.

use std::collections::HashSet;

use super::error::DatabaseError;
use super::key::Situation;
use super::record::{Label, Record};
use super::store::{Reader, Writer};
use super::way::alternating_moves;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::search::Bound;
use tengen::types::{Point, Score};
use tengen_games::renlib::{Library, Node, SIDE};

/// Adds every position of `library` to the store. Returns how many of its nodes were taken; a line
/// that plays on a taken cell is cut there.
///
/// A text on a move's cell that begins with a word such as `W`, `L12` or `D` gives its label as well.
///
/// # Errors
/// When the store cannot be read or written.
pub fn import_library(
    library: &Library,
    rule: Rule,
    store: &mut Writer,
) -> Result<usize, DatabaseError> {
    let mut board = Board::new(SIDE.into(), SIDE.into()).expect("a size that the engine plays on");
    import_node(library, Library::ROOT, &board, rule, store)?;
    let mut count = 0;
    // The moves on the way to `board`, and nodes still to come with the length of the way to each.
    let mut way: Vec<Option<Point>> = Vec::new();
    let mut open = Vec::new();
    open.extend(library.first_child(Library::ROOT).map(|child| (child, 0)));
    while let Some((place, plies)) = open.pop() {
        while way.len() > plies {
            match way.pop().flatten() {
                Some(_) => {
                    board.undo();
                }
                None => board.set_side_to_move(!board.side_to_move()),
            }
        }
        open.extend(library.next_sibling(place).map(|sibling| (sibling, plies)));
        let point = library.point(place);
        match point {
            Some(p) if board.is_empty(p) => board.play(p),
            Some(_) => continue,
            None => board.set_side_to_move(!board.side_to_move()),
        }
        import_node(library, place, &board, rule, store)?;
        count += 1;
        way.push(point);
        open.extend(library.first_child(place).map(|child| (child, plies + 1)));
    }
    Ok(count)
}

/// Adds what a library says at a node, the position `board`: there and on the cells of the replies.
fn import_node(
    library: &Library,
    node: usize,
    board: &Board,
    rule: Rule,
    store: &mut Writer,
) -> Result<(), DatabaseError> {
    let situation = Situation::new(board, rule);
    let (result, _) = split_result(library.cell_text(node));
    let mut record = Record {
        comment: library.comment(node).to_string(),
        ..result
    };
    for child in library.children(node) {
        let text = match split_result(library.cell_text(child)) {
            (_, "") => library.cell_text(child),
            (_, rest) => rest,
        };
        let cell = library.point(child).filter(|&p| board.is_empty(p));
        if let Some(p) = cell.filter(|_| !text.is_empty()) {
            let place = situation.place(p);
            // Of cells that a symmetry joins, the first that has a text.
            if record.cell_text(place).is_none() {
                record.set_cell_text(place, text);
            }
        }
    }
    store.merge(&situation, record)
}

/// The result with which a text on a cell begins, and the rest of the text: `*` of `W12 *`. The result
/// is that of the move on the cell.
fn split_result(text: &str) -> (Record, &str) {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let result = labelled(first);
    match result.label {
        Some(_) => (result, rest),
        None => (result, text),
    }
}

/// The text on a move's cell in a library: the result that the move's label shows, and what the
/// database has on the cell besides. Other labels would not be read again.
fn text_with_label(text: &str, shown: &str) -> String {
    let (_, rest) = split_result(text);
    match labelled(shown).label {
        Some(_) if rest.is_empty() => shown.to_string(),
        Some(_) => format!("{shown} {rest}"),
        None if text.is_empty() => shown.to_string(),
        None => text.to_string(),
    }
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
/// way to it, Black's and White's in turn. `None` when that is impossible: RenLib knows 15x15 only,
/// and sides that take turns. A position that several lines reach is written in the first of them.
///
/// # Errors
/// When the store cannot be read or written.
pub fn export_library(
    reader: &Reader,
    board: &Board,
    rule: Rule,
) -> Result<Option<Library>, DatabaseError> {
    let mut start = Board::new(SIDE.into(), SIDE.into()).expect("a size that the engine plays on");
    let is_of_size = (board.width(), board.height()) == (SIDE, SIDE);
    let Some(moves) = alternating_moves(board).filter(|_| is_of_size) else {
        return Ok(None);
    };
    let mut library = Library::default();
    let mut place = Library::ROOT;
    library.set_comment(place, comment(reader, &start, rule)?);
    for p in moves {
        start.play(p);
        let node = Node {
            point: Some(p),
            comment: comment(reader, &start, rule)?,
            ..Node::default()
        };
        place = library.add(place, node);
    }
    // There are blocked cells, which RenLib does not know.
    if start.hash() != board.hash() {
        return Ok(None);
    }
    let mut seen = HashSet::new();
    let mut open = vec![(place, start)];
    while let Some((place, board)) = open.pop() {
        let situation = Situation::new(&board, rule);
        let record = reader.get(&situation)?.unwrap_or_default();
        for (p, child) in reader.children(&board, rule)? {
            let mut next = board.clone();
            next.play(p);
            if !seen.insert(Situation::new(&next, rule).key().to_vec()) {
                continue;
            }
            let text = record.cell_text(situation.place(p)).unwrap_or_default();
            let shown = child.shown_label().unwrap_or_default();
            let node = Node {
                point: Some(p),
                cell_text: text_with_label(text, &shown),
                comment: child.comment,
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
