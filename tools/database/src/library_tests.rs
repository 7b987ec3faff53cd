use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::tests::{board, put, situation, temporary};
use super::*;
use tengen::board::Board;
use tengen::openings::NamedOpening;
use tengen::rules::Rule;
use tengen::search::Bound;
use tengen::types::{Point, Score, Symmetry};
use tengen_games::renlib::{Charset, Entries, LibError, Library, Node};

/// Two variations, a comment, a text on a cell, an old comment: written by hand after the format.
fn lib_bytes() -> Vec<u8> {
    let mut bytes = b"\xffRenLib\xff\x03\x04".to_vec();
    bytes.extend([0xff; 10]);
    // Root; h8; i9 with a comment, h10 with a sibling, leaf; i8.
    bytes.extend([0x00, 0x00]);
    bytes.extend([0x78, 0x00]);
    bytes.extend([0x69, 0x88]);
    bytes.extend(b"direct\x08more\0");
    bytes.extend([0x58, 0x41, 0x00, 0x01]);
    bytes.extend(b"W8\0\0");
    bytes.extend([0x79, 0x60]);
    bytes.extend(b"ol\xe4\x00");
    bytes
}

#[test]
fn libraries_are_read() {
    let library = Library::read(&lib_bytes()).unwrap();
    let label = |place| library.point(place).unwrap().label(15);
    let moves: Vec<String> = (1..=library.moves()).map(label).collect();
    assert_eq!(moves, ["h8", "i9", "h10", "i8"]);
    assert!(library.children(1).eq([2, 4]));
    assert!(library.children(2).eq([3]));
    assert_eq!(library.comment(2), "direct\nmore");
    assert_eq!(library.cell_text(3), "W8");
    assert_eq!(library.comment(4), "old");
}

#[test]
fn libraries_come_back_as_they_went() {
    let library = Library::read(&lib_bytes()).unwrap();
    assert_eq!(Library::read(&library.write()).unwrap(), library);
}

#[test]
fn texts_of_libraries_come_back_as_they_were_read() {
    // Zero bytes in the old form, carriage returns of all kinds, a title without more.
    let old = b"\x78\x20a\0\0b\x0d\x0d\x0a\xe3\x79\x40";
    for text in [
        &b"title\x08\0\0"[..],
        b"a\r\x08b\rc\0\0",
        b"\x08\r\r\n\0\0",
        b"\xe9\0",
    ] {
        let new = [&b"\x78\x08"[..], text, b"\x79\x40"].concat();
        for bytes in [old, &new[..]] {
            let library = Library::read(bytes).unwrap();
            assert_ne!(library.comment(1), "");
            assert_eq!(Library::read(&library.write()).unwrap(), library);
        }
    }
}

#[test]
fn bad_libraries_are_refused() {
    let good = lib_bytes();
    assert_eq!(Library::read(b"START 15"), Err(LibError::Foreign));
    assert_eq!(Library::read(b""), Err(LibError::Foreign));
    let mut late = good.clone();
    late[8] = 9;
    assert_eq!(Library::read(&late), Err(LibError::Version(9, 4)));
    for length in 0..good.len() {
        // Whatever comes of it, nothing breaks.
        let _ = Library::read(&good[..length]);
    }
    let mut cell = good.clone();
    cell[22] = 0x70;
    assert_eq!(Library::read(&cell), Err(LibError::Cell(22)));
    assert_eq!(Library::read(&good[..27]), Err(LibError::CutShort));
}

/// Nodes of two bytes took 115 bytes of memory each.
#[test]
fn a_library_of_many_moves_takes_little_memory() {
    let nodes = |count: usize| [0x78, 0x80].repeat(count);
    let library = Library::read(&nodes(2_500_000)).unwrap();
    assert_eq!(library.moves(), 2_500_000);
    assert!(library.children(1).eq([2]));
    // Libraries of 14 to 22 MB, 5 to 11 million moves, were refused.
    let nodes = nodes(11_000_000);
    let mut entries = Entries::new(&nodes, None).unwrap();
    assert_eq!(entries.moves(), 11_000_000);
    assert_eq!(entries.next().map(|entry| entry.plies), Some(0));
    assert_eq!(entries.last().map(|entry| entry.plies), Some(10_999_999));
}

fn import(library: &Library, database: &Database) -> usize {
    let bytes = library.write();
    let mut entries = Entries::new(&bytes, Some(library.charset_to_write())).unwrap();
    database
        .write(|writer| import_library(&mut entries, Rule::Renju, writer))
        .unwrap()
}

fn export(database: &Database, from: &str) -> Library {
    database
        .read(|reader| export_library(reader, &board(from), Rule::Renju, Charset::UTF_8))
        .unwrap()
        .unwrap()
}

#[test]
fn libraries_go_through_the_store() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let library = Library::read(&lib_bytes()).unwrap();
    assert_eq!(import(&library, &database), 4);
    let record = |moves: &str| database.get(&situation(moves)).unwrap().unwrap();
    let seen = |moves: &str| record(moves).comment(&situation(moves));
    assert_eq!(seen("h8 i9"), "direct\nmore");
    assert_eq!(record("h8 i9 h10").shown_label().unwrap(), "W8");
    let place = situation("h8 i9").place(Point::from_label("h10", 15, 15).unwrap());
    assert_eq!(record("h8 i9").cell_text(place), Some("W8"));
    let out = export(&database, "h8");
    let again = Library::read(&out.write()).unwrap();
    let (_dir, path) = temporary();
    let copy = Database::open(&path).unwrap();
    import(&again, &copy);
    for moves in ["", "h8", "h8 i9", "h8 i9 h10", "h8 i8"] {
        let wanted = database.get(&situation(moves)).unwrap();
        assert_eq!(copy.get(&situation(moves)).unwrap(), wanted, "{moves}");
    }
    let wide = Board::new(20, 20).unwrap();
    let none = database.read(|reader| export_library(reader, &wide, Rule::Renju, Charset::UTF_8));
    assert_eq!(none.unwrap(), None);
}

/// Managers list the stones of a position in any order.
#[test]
fn a_library_begins_with_stones_in_turn() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    put(&database, "h8 i9 h7 j8", &Record::default());
    let moves = board("h8 i9 h7");
    let mut owners = moves.cleared();
    for at in [1, 0, 2] {
        let stone = moves.stones()[at];
        owners.put(stone.point, stone.color);
    }
    owners.set_side_to_move(moves.side_to_move());
    let export = |board: &Board| {
        database.read(|reader| export_library(reader, board, Rule::Renju, Charset::UTF_8))
    };
    let library = export(&owners).unwrap().expect("a library");
    assert_eq!(library.moves(), 4);
    assert_eq!(Some(library), export(&moves).unwrap());
    owners.block(Point::new(0, 0));
    assert_eq!(export(&owners).unwrap(), None);
}

/// Moves to cells that a symmetry joins share their texts: the second of these has none, and the
/// third another one. A move to a taken cell is left out with its replies.
#[test]
fn the_texts_of_symmetric_moves_are_joined() {
    // h8; after it i9 with a text, g9, g7 with a text, and h8 once more, with i9.
    let bytes = b"\x78\x00\x69\xc1\0\x01A1\0\0\x67\xc0\x87\xc1\0\x01B\0\x78\x00\x69\x40";
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    assert_eq!(import(&Library::read(bytes).unwrap(), &database), 4);
    let place = situation("h8").place(Point::new(6, 6));
    let record = database.get(&situation("h8")).unwrap().unwrap();
    assert_eq!(record.cell_text(place), Some("A1 B"));
    assert_eq!(database.len().unwrap(), 3);
}

#[test]
fn results_go_through_a_library_beside_texts() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let proved = |label, value| Record {
        label: Some(label),
        value,
        bound: Bound::Exact,
        ..Record::default()
    };
    let won = proved(Label::WIN, Score::win_in(12));
    let lost = proved(Label::LOSS, Score::loss_in(7));
    let mark = |label| Record {
        label: Some(label),
        ..Record::default()
    };
    // The text on the move's cell, its record, and the text in the library.
    let cases = [
        ("i9", "*", won.clone(), "W12 *"),
        ("h9", "W8", won, "W12"),
        ("i10", "best of all", lost.clone(), "L7 best of all"),
        ("h10", "", lost, "L7"),
        ("j10", "*", mark(Label::DRAW), "D *"),
        ("j11", "*", mark(Label::AVOID), "*"),
        ("j12", "W8", Record::default(), "W8"),
    ];
    let before = situation("h8");
    let mut start = Record::default();
    let point = |label: &str| Point::from_label(label, 15, 15).unwrap();
    for (label, text, record, _) in &cases {
        put(&database, &format!("h8 {label}"), record);
        start.set_cell_text(before.place(point(label)), text);
    }
    put(&database, "h8", &start);
    let library = export(&database, "h8");
    let (_dir, path) = temporary();
    let copy = Database::open(&path).unwrap();
    import(&library, &copy);
    let copied = copy.get(&before).unwrap().unwrap();
    for (label, text, record, shown) in &cases {
        let place = before.place(point(label));
        let said: Vec<&str> = (1..=library.moves())
            .filter(|&node| before.place(library.point(node).unwrap()) == place)
            .map(|node| library.cell_text(node))
            .filter(|text| !text.is_empty())
            .collect();
        assert_eq!(said, [*shown], "{label}");
        let child = copy.get(&situation(&format!("h8 {label}"))).unwrap();
        let child = child.unwrap();
        if record.label != Some(Label::AVOID) && record.label.is_some() {
            let child = Record {
                drawings: Vec::new(),
                ..child
            };
            assert_eq!(child, *record, "{label}");
        }
        if ["*", "best of all"].contains(text) {
            assert_eq!(copied.cell_text(place), Some(*text), "{label}");
        }
    }
    // Going through once more changes nothing.
    assert_eq!(export(&copy, "h8"), library);
}

/// Each path of a library with the comment behind it, in order.
fn paths(library: &Library) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    let mut open = vec![(Library::ROOT, String::new())];
    while let Some((node, path)) = open.pop() {
        paths.push((path.clone(), library.comment(node).to_string()));
        for child in library.children(node) {
            let label = library.point(child).unwrap().label(15);
            open.push((child, format!("{path} {label}").trim().to_string()));
        }
    }
    paths.sort();
    paths
}

/// A library of these lines; the last node of each has the comment.
fn library(charset: Charset, lines: &[(&str, &str)]) -> Library {
    let mut library = Library::new(charset);
    for (moves, comment) in lines {
        let mut place = Library::ROOT;
        for label in moves.split(' ') {
            let point = Some(Point::from_label(label, 15, 15).unwrap());
            let known = library
                .children(place)
                .find(|&child| library.point(child) == point);
            place = known.unwrap_or_else(|| {
                let node = Node {
                    point,
                    ..Node::default()
                };
                library.add(place, node)
            });
        }
        library.add_comment(place, comment);
    }
    library
}

#[test]
fn one_charset_is_guessed_for_all_texts_of_a_library_and_kept() {
    for (name, texts) in [
        ("GBK", ["黑棋必胜", "白棋的强防", "好", "此处白有反击"]),
        (
            "Shift_JIS",
            ["黒の必勝手順", "白の強防", "ソ", "ここで黒がミセ手を打つ"],
        ),
        ("Big5", ["黑棋必勝", "白棋的強防", "功", "此處白有反擊"]),
        (
            "EUC-KR",
            ["흑의 필승", "백의 강한 방어", "수", "여기서 백이 반격한다"],
        ),
        (
            "windows-1251",
            [
                "Чёрные выигрывают",
                "сильная защита белых",
                "да",
                "лучший ход",
            ],
        ),
        (
            "windows-1250",
            [
                "Černý vyhrává",
                "nejsilnější obrana bílého",
                "ž",
                "tady je lepší hned útočit",
            ],
        ),
        ("UTF-8", ["黑棋必胜", "сильная защита", "ž", "plain"]),
    ] {
        let charset = Charset::named(name).unwrap();
        let lines = ["h8", "h8 i9", "h8 i9 h7", "h8 i9 g7"];
        let lines: Vec<(&str, &str)> = lines.into_iter().zip(texts).collect();
        let bytes = library(charset, &lines).write();
        let read = Library::read(&bytes).unwrap();
        assert_eq!(read.charset().name(), charset.name());
        for (line, text) in &lines {
            assert!(
                paths(&read).contains(&(line.to_string(), text.to_string())),
                "{text}"
            );
        }
        assert_eq!(read.write(), bytes);
        // The database keeps the name of the charset.
        let (_dir, path) = temporary();
        let database = Database::open(&path).unwrap();
        let mut entries = Entries::new(&bytes, None).unwrap();
        let import = |writer: &mut Writer| {
            writer.set_library_charset(entries.charset())?;
            import_library(&mut entries, Rule::Renju, writer)
        };
        assert_eq!(database.write(import).unwrap(), 4);
        drop(database);
        let database = Database::open(&path).unwrap();
        assert_eq!(database.library_charset().unwrap(), Some(charset));
        assert_eq!(paths(&export(&database, "")), paths(&read));
    }
    // A letter that the charset lacks: the whole library is written in UTF-8.
    let library = library(Charset::named("GBK").unwrap(), &[("h8", "필승")]);
    assert_eq!(library.texts_outside(library.charset()), 1);
    assert_eq!(Library::read(&library.write()).unwrap().comment(1), "필승");
    assert!(
        ["UTF-16", "ISO-2022-JP", "none"]
            .iter()
            .all(|name| Charset::named(name).is_none())
    );
}

/// Lines with transpositions and mirrored lines.
#[test]
fn comments_on_one_position_are_all_kept_as_they_were_drawn() {
    // Two drawings of one position, from RenLib 3.0.
    let bytes = b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x78\x00\x69\x00\
        \x96\x80\x67\x48one\0\x9a\x00\x67\x48two\0";
    let drawn = Library::read(bytes).unwrap();
    let lines = [
        ("h8 i9 f6 g9", "one"),
        ("h8 i9 j6 g9", "two"),
        ("h8 h9 j10 a1 c3", "first: j10"),
        // Other orders of the same stones.
        ("h8 a1 j10 h9 c3", "second"),
        ("j10 h9 h8 a1 c3", "first: j10"),
        // The same turned, with the points of its own drawing.
        ("h8 i8 j6 a15 c13", "third: j6, W12 and J6i8"),
    ];
    for (library, all) in [
        (drawn, &lines[..2]),
        (library(Charset::UTF_8, &lines), &lines[..]),
    ] {
        let (_dir, path) = temporary();
        let database = Database::open(&path).unwrap();
        assert_eq!(import(&library, &database), library.moves());
        // Another time changes nothing.
        import(&library, &database);
        let exported = paths(&export(&database, ""));
        let comment = |line: &str| {
            exported
                .iter()
                .find(|(path, _)| path == line)
                .map(|(_, text)| text.as_str())
        };
        assert_eq!(comment("h8 i9 f6 g9"), Some("one"));
        assert_eq!(comment("h8 i9 j6 g9"), Some("two"));
        if all.len() > 2 {
            let texts: Vec<&str> = exported
                .iter()
                .map(|(_, text)| text.as_str())
                .filter(|text| text.starts_with("first"))
                .collect();
            assert_eq!(texts, ["first: j10\nsecond"]);
            assert_eq!(comment("h8 i8 j6 a15 c13"), Some("third: j6, W12 and J6i8"));
            // A view of the position in one drawing has all comments, with the points of this
            // drawing.
            let record = database.get(&situation(lines[2].0)).unwrap().unwrap();
            assert_eq!(
                record.comment(&situation(lines[2].0)),
                "first: j10\nsecond\nthird: j10, W12 and J10h9"
            );
            assert_eq!(
                record.comment(&situation(lines[5].0)),
                "first: j6\nsecond\nthird: j6, W12 and J6i8"
            );
        }
    }
}

#[test]
fn an_edited_comment_is_true_in_the_drawing_that_was_imported() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    import(
        &library(Charset::UTF_8, &[("h8 i9 j8", "not i10")]),
        &database,
    );
    let seen = situation("h8 g9 f8");
    let mut record = database.get(&seen).unwrap().unwrap();
    assert_eq!(record.comment(&seen), "not g10");
    record.set_comment(&seen, "but g11");
    put(&database, "h8 g9 f8", &record);
    assert_eq!(record.comment(&seen), "but g11");
    let exported = paths(&export(&database, ""));
    assert_eq!(exported[3], ("h8 i9 j8".to_string(), "but i11".to_string()));
    // The way leads to the drawing, in whatever orientation the export is wanted.
    assert_eq!(paths(&export(&database, "h8 g9")), exported);
}

#[test]
fn what_nobody_drew_is_exported_in_the_usual_orientation_of_the_openings() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let mut wanted: Vec<String> = NamedOpening::all()
        .map(|opening| opening.points(15, 15).map(|p| p.label(15)).join(" "))
        .collect();
    for (i, moves) in wanted.iter().enumerate() {
        let map = Symmetry::new((i % 8) as u8);
        let turned = board(moves).turned(map);
        let add = |writer: &mut Writer| {
            add_ancestors(writer, &turned, Rule::Renju)?;
            writer.put(&Situation::new(&turned, Rule::Renju), &Record::default())
        };
        database.write(add).unwrap();
    }
    let exported = paths(&export(&database, ""));
    let mut threes: Vec<String> = exported.into_iter().map(|(path, _)| path).collect();
    threes.retain(|path| path.matches(' ').count() == 2);
    // Seven positions belong to two openings or to one twice: Black's stones may change places.
    wanted.sort();
    threes
        .iter()
        .for_each(|path| assert!(wanted.contains(path), "{path}"));
    assert_eq!(threes.len() as u64, 26, "{threes:?}");
}

/// A library of many lines comes back with the same boards. Of several lines to one drawing of a
/// position, one is kept.
#[test]
fn paths_of_a_library_stand_where_they_stood() {
    let mut random = StdRng::seed_from_u64(7);
    let mut lines = Vec::new();
    for _ in 0..400 {
        let mut line = Vec::new();
        while line.len() < 8 {
            let p = Point::new(random.random_range(6..10), random.random_range(6..10));
            if !line.contains(&p) {
                line.push(p);
            }
        }
        lines.push(
            line.iter()
                .map(|p| p.label(15))
                .collect::<Vec<_>>()
                .join(" "),
        );
    }
    let lines: Vec<(&str, &str)> = lines.iter().map(|line| (line.as_str(), "")).collect();
    let drawn = library(Charset::UTF_8, &lines);
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    import(&drawn, &database);
    let exported = export(&database, "");
    let boards = |library: &Library| -> HashSet<u64> {
        paths(library)
            .iter()
            .map(|(moves, _)| board(moves).hash())
            .collect()
    };
    assert_eq!(boards(&exported), boards(&drawn));
    assert!(drawn.moves() > 2_000, "{}", drawn.moves());
}
