use std::collections::HashSet;
use std::path::PathBuf;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use tempfile::TempDir;

use super::*;
use tengen::board::{Board, parse_moves};
use tengen::rules::Rule;
use tengen::search::Bound;
use tengen::types::{Color, Point, Score, Symmetry};

/// A board of 15x15 after these moves.
pub(super) fn board(moves: &str) -> Board {
    let mut board = Board::new(15, 15).unwrap();
    parse_moves(&mut board, moves).unwrap();
    board
}

pub(super) fn situation(moves: &str) -> Situation {
    Situation::new(&board(moves), Rule::Renju)
}

pub(super) fn temporary() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("my positions.db");
    (dir, path)
}

fn sample() -> Record {
    Record {
        label: Some(Label::WIN),
        value: Score::win_in(12),
        depth: 30,
        bound: Bound::Exact,
        drawings: Drawing::only("a \"quoted\" comment\nof two lines, 五"),
        cells: vec![(situation("h8 i9").place(Point::new(3, 4)), "A1".to_string())],
    }
}

pub(super) fn put(database: &Database, moves: &str, record: &Record) {
    database
        .write(|writer| writer.put(&situation(moves), record))
        .unwrap();
}

/// The number of positions that a walk from one finds.
fn walked(database: &Database, from: &str) -> usize {
    let mut count = 0;
    let walk = |reader: &Reader| {
        reader.walk(&board(from), Rule::Renju, &mut |_, _| {
            count += 1;
            true
        })
    };
    database.read(walk).unwrap();
    count
}

#[test]
fn symmetric_positions_are_one() {
    let moves = [(7, 7), (8, 6), (9, 9), (3, 2)];
    let keys: Vec<Vec<u8>> = (0..8)
        .map(|number| {
            let mut board = Board::new(15, 15).unwrap();
            for (x, y) in moves {
                board.play(Symmetry::new(number).map(Point::new(x, y), 15, 15));
            }
            Situation::new(&board, Rule::Renju).key().to_vec()
        })
        .collect();
    assert!(keys.iter().all(|key| *key == keys[0]));
    assert_eq!(situation("h8 i9 h7 j8"), situation("h7 i9 h8 j8"));
    assert_ne!(situation("h8 i9"), situation("i9 h8"));
    let freestyle = Situation::new(&board("h8 i9"), Rule::Freestyle);
    assert_ne!(situation("h8 i9").key(), freestyle.key());
}

#[test]
fn cells_that_a_symmetry_of_the_position_joins_are_one_place() {
    let start = situation("h8");
    let places: Vec<Point> = [(6, 7), (8, 7), (7, 6), (7, 8)]
        .map(|(x, y)| start.place(Point::new(x, y)))
        .to_vec();
    assert!(places.iter().all(|p| *p == places[0]));
    let none = situation("h8 i9 h7 j8");
    let cells = board("h8 i9 h7 j8");
    let mut places: Vec<Point> = cells.points().map(|p| none.place(p)).collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 225);
}

#[test]
fn records_outlive_the_program() {
    let (_dir, path) = temporary();
    {
        let database = Database::open(&path).unwrap();
        put(&database, "h8 i9", &sample());
        assert!(matches!(Database::open(&path), Err(DatabaseError::InUse)));
    }
    let database = Database::open(&path).unwrap();
    // The mirror image of h8 i9.
    assert_eq!(database.get(&situation("h8 g9")).unwrap(), Some(sample()));
    assert_eq!(database.get(&situation("h8 h9")).unwrap(), None);
    assert_eq!(database.len().unwrap(), 1);
}

/// A process that is killed meanwhile leaves the file.
#[test]
fn a_database_that_is_being_made_tells_by_its_name_what_it_is() {
    let (dir, path) = temporary();
    let names = || -> Vec<String> {
        let entries = std::fs::read_dir(dir.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    let look = |_: &mut Writer| {
        let names = names();
        let is_told = |name: &String| name.starts_with(".my positions.db.");
        assert!(names.iter().all(is_told), "{names:?}");
        assert!(names.iter().all(|name| name.ends_with(".part")));
        assert_eq!(names.len(), 1);
        Ok::<_, DatabaseError>(())
    };
    drop(Database::create(&path, look).unwrap());
    assert_eq!(names(), ["my positions.db"]);
    let nowhere = Database::open(&dir.path().join("none/a.db"));
    let why = nowhere.err().unwrap().to_string();
    assert!(!why.contains(".part"), "{why}");
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let (_dir, path) = temporary();
    let text = "Dear diary, ".repeat(1_000);
    std::fs::write(&path, &text).unwrap();
    assert!(Database::open(&path).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_failed_change_changes_nothing() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let result = database.write(|writer| {
        writer.put(&situation("h8"), &sample())?;
        Err::<(), _>(DatabaseError::Damaged)
    });
    assert!(result.is_err());
    assert!(database.is_empty().unwrap());
}

#[test]
fn what_is_known_better_is_kept() {
    let value = |value, depth, bound| Record {
        value: Score::value(value),
        depth,
        bound,
        ..Record::default()
    };
    let mut record = value(10, 12, Bound::Exact);
    record.merge(value(50, 8, Bound::Exact));
    assert_eq!(record.depth, 12);
    record.merge(value(60, 20, Bound::Upper));
    assert_eq!(record.depth, 12);
    record.merge(value(70, 20, Bound::Exact));
    assert_eq!(record.value, Score::value(70));
    record.merge(sample());
    assert_eq!(record, sample());
    record.merge(value(0, 99, Bound::Exact));
    assert_eq!(record, sample());
}

#[test]
fn labels_tell_the_plies_of_a_proof() {
    assert_eq!(sample().shown_label().unwrap(), "W12");
    let guess = Record {
        value: Score::value(300),
        ..sample()
    };
    assert_eq!(guess.shown_label().unwrap(), "W");
    assert_eq!(Label::new(b'l'), Some(Label::LOSS));
    assert_eq!(Label::new(b' '), None);
}

#[test]
fn values_that_no_search_gives_are_read() {
    for (value, shown) in [(i16::MIN, "L0"), (-30_005, "L0"), (i16::MAX, "L")] {
        let mut bytes = Record {
            label: Some(Label::LOSS),
            ..Record::default()
        }
        .to_bytes();
        bytes[1..3].copy_from_slice(&value.to_le_bytes());
        let record = Record::from_bytes(&bytes).unwrap();
        assert_eq!(record.shown_label().unwrap(), shown);
        assert!(Verdict::WithinPlies(0).takes(&record));
        assert_eq!(-(-record.value), record.value);
    }
}

#[test]
fn walks_see_each_position_once() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    // Two orders of the same three stones, a line, and a position that no known one leads to.
    for moves in [
        "h8",
        "h8 i9",
        "h8 i9 h7",
        "h7",
        "h7 i9",
        "h7 i9 h8",
        "a1 b1 c1 d1",
    ] {
        put(&database, moves, &Record::default());
    }
    // The images of a single h8 are itself; h7 has others, but they are the same position.
    assert_eq!(walked(&database, "h8 i9"), 1);
    assert_eq!(walked(&database, ""), 5);
}

#[test]
fn selections_remove_what_they_name() {
    let labelled = |label, value| Record {
        label,
        value,
        bound: Bound::Exact,
        ..Record::default()
    };
    let fill = |path: &std::path::Path| {
        let database = Database::open(path).unwrap();
        put(&database, "h8", &sample());
        put(
            &database,
            "h8 i9",
            &labelled(Some(Label::WIN), Score::win_in(5)),
        );
        put(
            &database,
            "h8 h9",
            &labelled(Some(Label::LOSS), Score::DRAW),
        );
        put(
            &database,
            "h8 j10",
            &labelled(Some(Label::DRAW), Score::DRAW),
        );
        put(&database, "h8 h10", &labelled(None, Score::DRAW));
        put(
            &database,
            "h8 i9 g7",
            &labelled(Some(Label::WIN), Score::DRAW),
        );
        database
    };
    for (verdict, is_recursive, left) in [
        // Where a position that is kept follows, an empty record stays.
        (Verdict::Any, false, 3),
        (Verdict::Any, true, 1),
        (Verdict::Win, false, 6),
        (Verdict::Win, true, 4),
        (Verdict::Loss, true, 5),
        (Verdict::WinOrLoss, true, 3),
        (Verdict::Decided, true, 2),
        (Verdict::NotWinOrLoss, true, 4),
        (Verdict::NotDecided, true, 5),
        (Verdict::WithoutPlies, true, 4),
        (Verdict::WithinPlies(5), true, 6),
        (Verdict::WithinPlies(4), true, 6),
    ] {
        let (_dir, path) = temporary();
        let database = fill(&path);
        let selection = Selection {
            verdict,
            is_recursive,
        };
        // Symmetric cells are listed one by one, and lead to one position.
        let after = board("h8");
        let count = database
            .write(|writer| writer.remove_after(&after, Rule::Renju, selection))
            .unwrap();
        assert_eq!(database.len().unwrap(), left, "{selection:?}");
        assert_eq!(walked(&database, "h8") as u64, left - 1, "{selection:?}");
        let again = database.write(|writer| writer.remove_after(&after, Rule::Renju, selection));
        assert!(count > 0 || left == 6, "{selection:?}");
        assert_eq!(again.unwrap(), 0, "{selection:?}");
    }
}

#[test]
fn what_is_deleted_stays_as_a_way_to_what_is_not() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    for moves in ["h8", "h8 i9", "h8 i9 g7", "h8 i9 g7 a1"] {
        put(&database, moves, &sample());
    }
    let delete = |moves: &str| database.write(|writer| writer.delete(&situation(moves)));
    assert!(delete("h8 i9").unwrap());
    let left = database.get(&situation("h8 i9")).unwrap().unwrap();
    assert!(left.is_blank() && left.drawings.len() == 1, "{left:?}");
    assert_eq!(walked(&database, "h8"), 3);
    assert!(!delete("h8 i9").unwrap());
    let all = Selection {
        verdict: Verdict::Any,
        is_recursive: true,
    };
    let count = database.write(|writer| writer.remove_after(&board("h8"), Rule::Renju, all));
    assert_eq!(count.unwrap(), 3);
    assert_eq!(database.len().unwrap(), 1);
    assert!(delete("h8").unwrap());
    assert!(!delete("h8").unwrap());
    assert!(database.is_empty().unwrap());
}

#[test]
fn text_comes_back_as_it_went() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    put(&database, "h8 i9", &sample());
    let odd = Record {
        label: Some(Label::AVOID),
        drawings: Drawing::only("-"),
        cells: vec![(Point::new(0, 0), "a b\\c".to_string())],
        ..Record::default()
    };
    put(&database, "c3 i9 a15", &odd);
    put(&database, "", &Record::default());
    let mut text = Vec::new();
    database
        .each(&mut |board, rule, record| {
            assert!(write_text(&mut text, board, rule, &record).unwrap());
            true
        })
        .unwrap();
    let (_dir, path) = temporary();
    let copy = Database::open(&path).unwrap();
    let count = copy.write(|writer| read_text(&text[..], writer)).unwrap();
    assert_eq!(count, 3);
    for moves in ["h8 i9", "c3 i9 a15", ""] {
        let wanted = database.get(&situation(moves)).unwrap();
        assert_eq!(copy.get(&situation(moves)).unwrap(), wanted, "{moves}");
    }
    let bad = "renju\t15x15\tb5\tW\t0\t1\texact\t-\t-\nrenju\t15x15\th8 h8\t-\t0\t0\t-\t-\t-\n";
    let error = copy.write(|writer| read_text(bad.as_bytes(), writer));
    assert_eq!(error.unwrap_err().to_string(), "line 2: bad moves");
    assert_eq!(copy.get(&situation("b5")).unwrap(), None);
}

#[test]
fn walks_find_what_a_text_brings() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let lines = |all: &[&str]| {
        let line = |moves: &&str| format!("renju\t15x15\t{moves}\tW\t0\t0\t-\t-\t-\n");
        all.iter().map(line).collect::<String>()
    };
    let read = |text: &str| database.write(|writer| read_text(text.as_bytes(), writer));
    assert_eq!(read(&lines(&["h8 i9 j10 g7"])).unwrap(), 1);
    assert_eq!(database.len().unwrap(), 5);
    assert_eq!(walked(&database, ""), 4);
    // Any known way is enough: one that stands further down, in another order of moves.
    read(&lines(&["j10 g7 h8 i9 a2 a3", "j10 g7 h8 i9 a2"])).unwrap();
    assert_eq!(database.len().unwrap(), 7);
    // As far as a known way only.
    read(&lines(&["h8 a1 j10 i9 c3"])).unwrap();
    assert_eq!(database.len().unwrap(), 9);
    assert_eq!(walked(&database, ""), 8);
    // The import adds nothing to the exported positions.
    let mut text = Vec::new();
    database
        .each(&mut |board, rule, record| write_text(&mut text, board, rule, &record).unwrap())
        .unwrap();
    let (_dir, path) = temporary();
    let copy = Database::open(&path).unwrap();
    let count = copy.write(|writer| read_text(&text[..], writer)).unwrap();
    assert_eq!(count as u64, database.len().unwrap());
    assert_eq!(copy.len().unwrap(), database.len().unwrap());
}

/// Earlier versions left ways with holes.
#[test]
fn an_edit_closes_the_way_to_its_position() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    for moves in ["", "h8", "h8 i9 g7"] {
        put(&database, moves, &sample());
    }
    let after = board("h8 i9 g7 a1");
    let add = |writer: &mut Writer| add_ancestors(writer, &after, Rule::Renju);
    database.write(add).unwrap();
    assert_eq!(walked(&database, ""), 3);
    assert_eq!(database.get(&situation("h8")).unwrap(), Some(sample()));
}

/// Managers list the stones of a position in any order, such as by their owners.
#[test]
fn a_position_whose_stones_stand_in_any_order_has_a_way() {
    use Color::{Black, White};
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let put = |stones: &[(Color, u8, u8)]| {
        let mut board = Board::new(15, 15).unwrap();
        for &(color, x, y) in stones {
            board.put(Point::new(x, y), color);
        }
        board.set_side_to_move(board.side_with_fewer_stones());
        let add = |writer: &mut Writer| {
            add_ancestors(writer, &board, Rule::Renju)?;
            writer.put(&Situation::new(&board, Rule::Renju), &sample())
        };
        database.write(add).unwrap();
        walked(&database, "")
    };
    let owners = [(Black, 7, 7), (Black, 8, 8), (White, 6, 5), (White, 5, 8)];
    assert_eq!(put(&owners), 4);
    assert_eq!(put(&[(White, 7, 8), (Black, 7, 7)]), 5);
    // No alternating moves lead there, so there is no way to store.
    let known = database.len().unwrap();
    assert_eq!(put(&[(Black, 0, 0), (Black, 9, 3)]), 5);
    assert_eq!(database.len().unwrap(), known + 1);
}

#[test]
fn the_store_can_be_checked() {
    let (_dir, path) = temporary();
    let mut database = Database::open(&path).unwrap();
    put(&database, "h8 i9", &sample());
    database.check().unwrap();
}

/// The positions that follow, found by the moves of each.
fn following(reader: &Reader, board: &Board, rule: Rule) -> HashSet<Vec<u8>> {
    let mut seen = HashSet::new();
    let mut open = vec![board.clone()];
    while let Some(board) = open.pop() {
        for (p, _) in reader.children(&board, rule).unwrap() {
            let mut next = board.clone();
            next.play(p);
            if seen.insert(Situation::new(&next, rule).key().to_vec()) {
                open.push(next);
            }
        }
    }
    seen
}

#[test]
fn walks_find_what_moves_lead_to() {
    let (_dir, path) = temporary();
    let database = Database::open(&path).unwrap();
    let mut random = StdRng::seed_from_u64(3);
    let mut starts = Vec::new();
    for (width, height) in [(15, 15), (7, 5)] {
        let mut plain = Board::new(width, height).unwrap();
        let mut handicap = plain.clone();
        handicap.put(Point::new(2, 2), Color::Black);
        handicap.put(Point::new(3, 3), Color::Black);
        handicap.set_side_to_move(Color::White);
        let mut blocked = plain.clone();
        blocked.block(Point::new(0, 1));
        plain.set_side_to_move(Color::Black);
        starts.extend([plain, handicap, blocked]);
    }
    let mut boards = Vec::new();
    for start in &starts {
        for _ in 0..40 {
            let mut board = start.clone();
            for _ in 0..5 {
                let near = |p: &Point| p.x().abs_diff(3) < 3 && p.y() < 5 && board.is_empty(*p);
                let points: Vec<Point> = board.points().filter(near).collect();
                board.play(points[random.random_range(0..points.len())]);
                boards.push(board.clone());
            }
        }
    }
    let rules = [Rule::Renju, Rule::Freestyle];
    let fill = |writer: &mut Writer| {
        for (i, board) in boards.iter().enumerate().filter(|(i, _)| i % 11 > 0) {
            writer.put(&Situation::new(board, rules[i % 7 / 6]), &Record::default())?;
        }
        Ok::<_, DatabaseError>(())
    };
    database.write(fill).unwrap();
    let mut count = 0;
    for board in starts.iter().chain(&boards[..60]) {
        database
            .read(|reader| {
                let mut found = HashSet::new();
                reader.walk(board, Rule::Renju, &mut |key, _| {
                    assert!(found.insert(key.to_vec()));
                    true
                })?;
                count += found.len();
                assert_eq!(found, following(reader, board, Rule::Renju));
                Ok(())
            })
            .unwrap();
    }
    assert!(count > 300, "{count}");
}
