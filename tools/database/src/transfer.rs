//! Import and export of RenLib libraries.

use std::collections::HashMap;

use super::error::DatabaseError;
use super::key::{self, Level, Situation, StoredPosition, hash};
use super::record::{Drawing, Label, Record};
use super::store::{Reader, Writer};
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::search::Bound;
use tengen::types::{Point, Score, Symmetry};
use tengen_games::convert::alternating_moves;
use tengen_games::renlib::{Charset, Entries, Library, Node, SIDE};

/// Adds every position of a library to the store, with its texts and as it is drawn. Returns the
/// number of moves taken; a line is cut at a move to a taken cell.
///
/// A text on a move's cell that begins with a word such as `W`, `L12` or `D` gives its label as
/// well.
///
/// # Errors
/// When the store cannot be read or written.
pub fn import_library(
    entries: &mut Entries,
    rule: Rule,
    store: &mut Writer,
) -> Result<usize, DatabaseError> {
    let mut board = Board::new(SIDE.into(), SIDE.into()).expect("a size that the engine plays on");
    let situation = Situation::new(&board, rule);
    let mut root = Record::default();
    root.add_comment(&situation, "");
    store.merge(&situation, root)?;
    let mut count = 0;
    // The moves on the way to `board`, and the length of the way whose line is left out.
    let mut way: Vec<Option<Point>> = Vec::new();
    let mut cut = None;
    for entry in entries {
        if cut.is_some_and(|plies| entry.plies > plies) {
            continue;
        }
        cut = None;
        while way.len() > entry.plies {
            match way.pop().flatten() {
                Some(_) => {
                    board.undo();
                }
                None => board.set_side_to_move(!board.side_to_move()),
            }
        }
        let (result, rest) = split_result(&entry.cell_text);
        let mut record = Record::default();
        if let Some(point) = entry.made {
            match point {
                Some(p) if board.is_empty(p) => {
                    add_cell_text(&board, p, &entry.cell_text, rest, rule, store)?;
                    board.play(p);
                }
                Some(_) => {
                    cut = Some(entry.plies);
                    continue;
                }
                None => board.set_side_to_move(!board.side_to_move()),
            }
            way.push(point);
            count += 1;
            record = result;
        }
        let situation = Situation::new(&board, rule);
        record.add_comment(&situation, &entry.comment);
        store.merge(&situation, record)?;
    }
    Ok(count)
}

/// Adds the text on the cell of a reply to `board`: `rest`, the text without a leading result, or
/// all of `text` if `rest` is empty.
fn add_cell_text(
    board: &Board,
    p: Point,
    text: &str,
    rest: &str,
    rule: Rule,
    store: &mut Writer,
) -> Result<(), DatabaseError> {
    let text = if rest.is_empty() { text } else { rest };
    if text.is_empty() {
        return Ok(());
    }
    let situation = Situation::new(board, rule);
    let mut record = Record::default();
    record.add_cell_text(situation.place(p), text);
    store.merge(&situation, record)
}

/// The result with which a text on a cell begins, and the rest of the text: `*` of `W12 *`. The
/// result is that of the move on the cell.
fn split_result(text: &str) -> (Record, &str) {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let result = labelled(first);
    match result.label {
        Some(_) => (result, rest),
        None => (result, text),
    }
}

/// The text on a move's cell in a library: the result by the move's label, then the database's text
/// on the cell. Other labels would not be read again.
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

/// The library of all known positions after `board`. The stones of `board` come first, Black's and
/// White's in turn. `None` where the format has no place for them: RenLib knows 15x15 only, no
/// blocked cells, and sides in turn.
///
/// Each drawing of a position is written once, at the end of the first line to this drawing. A
/// position without a reached drawing is written once with all its comments, at the end of its
/// first line, in the usual orientation of the openings.
///
/// # Errors
/// When the store cannot be read or written.
pub fn export_library(
    reader: &Reader,
    board: &Board,
    rule: Rule,
    charset: Charset,
) -> Result<Option<Library>, DatabaseError> {
    let board = &as_drawn(reader, board, rule)?;
    let mut start = Board::new(SIDE.into(), SIDE.into()).expect("a size that the engine plays on");
    let is_of_size = (board.width(), board.height()) == (SIDE, SIDE);
    let Some(moves) = alternating_moves(board).filter(|_| is_of_size) else {
        return Ok(None);
    };
    let mut library = Library::new(charset);
    let mut place = Library::ROOT;
    library.add_comment(place, &comment(reader, &start, rule)?);
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
    let situation = Situation::new(&start, rule);
    let record = reader.get(&situation)?.unwrap_or_default();
    let position = StoredPosition::new(situation.key()).expect("the key of a position");
    let first = Parent::new(place, &position, &record, hash(&start));
    let mut parents = HashMap::from([(hash(&start), first)]);
    let mut level = Level::of(&start, rule);
    while !parents.is_empty() {
        let is_second_move = level.stones() == 1;
        level = level.next();
        let mut next = HashMap::new();
        reader.scan(level, &mut |key, position, record| {
            let mut ways = ways(&position, &parents);
            if ways.is_empty() {
                return Ok(());
            }
            ways.sort_by_key(|way| (way.parent.place, usual_order(way.point, is_second_move)));
            let record = record.read()?;
            let shown = record.shown_label().unwrap_or_default();
            for (way, drawn) in chosen(&ways, &record) {
                let (board, rule) = key::position(key).expect("the key of a position");
                let board = board.turned(way.map);
                let node = Node {
                    point: Some(way.point),
                    cell_text: text_with_label(way.parent.text(way.point), &shown),
                    comment: match record.has_comment() {
                        true => drawn.comment(&Situation::new(&board, rule)),
                        false => String::new(),
                    },
                };
                let place = library.add(way.parent.place, node);
                let hash = position.hash(way.map);
                next.insert(hash, Parent::new(place, &position, &record, hash));
            }
            Ok(())
        })?;
        parents = next;
    }
    Ok(Some(library))
}

/// A node of the last level written.
struct Parent {
    place: usize,
    /// The texts on cells, as the node is drawn.
    texts: Vec<(Point, String)>,
}

impl Parent {
    /// The node at `place`: `position` in the orientation with this hash.
    fn new(place: usize, position: &StoredPosition, record: &Record, hash: u128) -> Parent {
        let mut texts = Vec::new();
        if !record.cells.is_empty() {
            for map in position.maps().filter(|&map| position.hash(map) == hash) {
                let cells = record.cells.iter();
                texts.extend(cells.map(|(p, text)| (map.map(*p, SIDE, SIDE), text.clone())));
            }
        }
        Parent { place, texts }
    }

    fn text(&self, p: Point) -> &str {
        let found = self.texts.iter().find(|(place, _)| *place == p);
        found.map_or("", |(_, text)| text)
    }
}

/// A move by which a written position leads to another one.
struct Way<'a> {
    parent: &'a Parent,
    point: Point,
    /// The first map from the stored orientation to the one after the move.
    map: Symmetry,
}

/// All ways from `parents` to a position.
fn ways<'a>(position: &StoredPosition, parents: &'a HashMap<u128, Parent>) -> Vec<Way<'a>> {
    let mut ways = Vec::new();
    for (stone, hashes) in position.before() {
        for map in position.maps() {
            if let Some(parent) = parents.get(&hashes[usize::from(map.number())]) {
                let hash = position.hash(map);
                let mut same = position
                    .maps()
                    .filter(|&other| position.hash(other) == hash);
                ways.push(Way {
                    parent,
                    point: map.map(stone, SIDE, SIDE),
                    map: same.next().expect("the map itself"),
                });
            }
        }
    }
    ways
}

/// The ways on which a position is written, each with the comments of its drawing: the first way to
/// each drawing, or else the first of all. The first chosen way also gets the comments of drawings
/// without a way.
fn chosen<'a, 'b>(ways: &'b [Way<'a>], record: &Record) -> Vec<(&'b Way<'a>, Record)> {
    let mut chosen: Vec<(&Way, Record)> = Vec::new();
    let mut left = Vec::new();
    for drawing in &record.drawings {
        match ways.iter().find(|way| way.map == drawing.map) {
            Some(way) => chosen.push((
                way,
                Record {
                    drawings: vec![drawing.clone()],
                    ..Record::default()
                },
            )),
            None => left.push(drawing.clone()),
        }
    }
    if chosen.is_empty() {
        chosen.push((&ways[0], Record::default()));
    }
    chosen[0].1.drawings.extend(left);
    chosen
}

/// Puts first, of moves joined by a symmetry, the usual one of the 26 openings: the upper and then
/// the right one as the second move, the right and then the upper one later.
fn usual_order(p: Point, is_second_move: bool) -> (u8, u8) {
    let (up, right) = (p.y(), SIDE - p.x());
    if is_second_move {
        (up, right)
    } else {
        (right, up)
    }
}

/// `board` as its first drawing shows the position, or unchanged if a drawing has this orientation
/// or none exists.
fn as_drawn(reader: &Reader, board: &Board, rule: Rule) -> Result<Board, DatabaseError> {
    let situation = Situation::new(board, rule);
    let record = reader.get(&situation)?.unwrap_or_default();
    let is_drawn = |drawing: &Drawing| drawing.map == situation.drawing();
    Ok(match record.drawings.first() {
        Some(first) if !record.drawings.iter().any(is_drawn) => {
            let stored = board.turned(situation.drawing().inverse());
            stored.turned(first.map)
        }
        _ => board.clone(),
    })
}

fn comment(reader: &Reader, board: &Board, rule: Rule) -> Result<String, DatabaseError> {
    let situation = Situation::new(board, rule);
    let record = reader.get(&situation)?;
    Ok(record.map_or(String::new(), |record| record.comment(&situation)))
}
