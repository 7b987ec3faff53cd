use super::tests::{board, put, situation, temporary};
use super::*;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::search::Bound;
use tengen::types::{Point, Score};
use tengen_games::renlib::{LibError, Library};

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
    let refused = |bytes: &[u8]| Library::read(bytes).err();
    assert_eq!(refused(&nodes(3_000_000)), Some(LibError::TooLarge));
    // Short texts take much more than their letters.
    let texts = |count: usize| [0x78, 0x88, b'a', 0].repeat(count);
    assert!(Library::read(&texts(100_000)).is_ok());
    assert_eq!(refused(&texts(1_000_000)), Some(LibError::TooLarge));
}

fn import(library: &Library, database: &Database) -> usize {
    database
        .write(|writer| import_library(library, Rule::Renju, writer))
        .unwrap()
}

fn export(database: &Database, from: &str) -> Library {
    database
        .read(|reader| export_library(reader, &board(from), Rule::Renju))
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
    assert_eq!(record("h8 i9").comment, "direct\nmore");
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
    let none = database.read(|reader| export_library(reader, &wide, Rule::Renju));
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
    let export = |board: &Board| database.read(|reader| export_library(reader, board, Rule::Renju));
    let library = export(&owners).unwrap().expect("a library");
    assert_eq!(library.moves(), 4);
    assert_eq!(Some(library), export(&moves).unwrap());
    owners.block(Point::new(0, 0));
    assert_eq!(export(&owners).unwrap(), None);
}

/// Moves to cells that a symmetry joins share their text: the second of these has none, and the third
/// another one. A move to a taken cell is left out, with what follows.
#[test]
fn the_first_text_of_symmetric_moves_is_kept() {
    // h8; after it i9 with a text, g9, g7 with a text, and h8 once more, with i9.
    let bytes = b"\x78\x00\x69\xc1\0\x01A1\0\0\x67\xc0\x87\xc1\0\x01B\0\x78\x00\x69\x40";
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    assert_eq!(import(&Library::read(bytes).unwrap(), &database), 4);
    let place = situation("h8").place(Point::new(6, 6));
    let record = database.get(&situation("h8")).unwrap().unwrap();
    assert_eq!(record.cell_text(place), Some("A1"));
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
    // The text on the move's cell, its record, and what the library says.
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
            assert_eq!(child, *record, "{label}");
        }
        if ["*", "best of all"].contains(text) {
            assert_eq!(copied.cell_text(place), Some(*text), "{label}");
        }
    }
    // Going through once more changes nothing.
    assert_eq!(export(&copy, "h8"), library);
}
