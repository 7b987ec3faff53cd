use super::*;
use tengen::board::Move;
use tengen::rules::Rule;
use tengen::types::{Color, Point};

fn empty() -> Board {
    Board::new(15, 15).unwrap()
}

fn one(text: &str) -> Result<RecordedGame, String> {
    let mut games = read(text, Format::of(text), &empty()).map_err(|error| error.to_string())?;
    assert_eq!(games.len(), 1, "{text}");
    Ok(games.remove(0))
}

fn labels(game: &RecordedGame) -> String {
    let label = |m: &Move| {
        m.point
            .map_or("pass".to_string(), |p| p.label(game.start.height()))
    };
    game.moves.iter().map(label).collect::<Vec<_>>().join(" ")
}

/// The same game is read from every format.
#[test]
fn formats_are_told_apart_by_their_text() {
    let mut board = empty();
    tengen::board::parse_moves(&mut board, "h8 i9 h7").unwrap();
    for text in [
        "(;GM[4]FF[4]SZ[15];B[hh];W[ig];B[hi])",
        "\u{feff}\n (;B[hh];W[ig];B[hi])",
        "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,12\r\n8,9,3\r\nA\r\nB\r\n0\r\n",
        "h8 i9 h7\n",
        "h8,i9,h7",
        "h8, i9, h7,",
        "h8i9h7",
        "7,7 8,6 7,8",
    ] {
        let game = one(text).unwrap();
        assert_eq!(labels(&game), "h8 i9 h7", "{text}");
        assert_eq!(game.end(), board, "{text}");
    }
    let game = one(&board.to_string()).unwrap();
    assert_eq!((game.moves.len(), game.start.stones().len()), (0, 3));
    assert_eq!(game.end().side_to_move(), Color::White);
}

#[test]
fn sgf_of_others_is_read() {
    let text = "(;GM[4]FF[4]SZ[15]PB[x] PW[y\\]]RU[RIF Renju]\nRE[W+];B[hh](;W[ii];B[])(;W[jj]))";
    let game = one(text).unwrap();
    assert_eq!(labels(&game), "h8 i7 pass");
    assert_eq!((game.white.as_str(), game.result.as_str()), ("y]", "W+"));
    assert_eq!(game.known_rule(), Some(Rule::Renju));
    assert_eq!(game.position(1).last().unwrap().point, Point::new(7, 7));
    assert_eq!(game.end().side_to_move(), Color::White);
    let games = read(
        "(;GM[4];B[hh])(;GM[4]SZ[20:15];B[tn])",
        Format::Sgf,
        &empty(),
    )
    .unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!((games[1].start.width(), games[1].start.height()), (20, 15));
    // `tt` is a pass in old files, unless the board has that point.
    let of_size = |size| one(&format!("(;GM[4]FF[3]SZ[{size}];B[jj];W[tt])")).unwrap();
    assert_eq!(labels(&of_size(19)), "j10 pass");
    assert_eq!(labels(&of_size(20)), "j11 t1");
    // Sides need not take turns.
    let game = one("(;B[aa];B[bb];W[cc])").unwrap();
    assert_eq!(game.end().stones().len(), 3);
    assert_eq!(game.end().side_to_move(), Color::Black);
}

#[test]
fn positions_that_are_set_up_are_read() {
    let game = one("(;GM[4]SZ[20:15]RU[renju]AB[aa:ba]AW[tn];B[hh](;W[ii])(;W[aa]))").unwrap();
    assert_eq!(game.start.stones().len(), 3);
    assert_eq!(game.moves.len(), 2);
    assert_eq!(game.end().side_to_move(), Color::Black);
    let game = one("(;AB[hh][hi]AW[ii]XB[aa]C[B[hh\\] ; (])").unwrap();
    assert_eq!(game.end().side_to_move(), Color::White);
    assert!(!game.end().is_empty(Point::new(0, 0)));
    assert_eq!(
        one("(;GM[4]PL[W])").unwrap().end().side_to_move(),
        Color::White
    );
    // A later set-up begins the game again.
    let game = one("(;SZ[9];B[aa];W[bb];AE[aa]AW[cc]PL[B];B[dd])").unwrap();
    assert_eq!(game.start.stones().len(), 2);
    assert_eq!(game.start.side_to_move(), Color::Black);
    assert_eq!(labels(&game), "d6");
}

#[test]
fn the_side_to_move_is_a_letter_or_a_word() {
    for (text, side) in [
        ("W", Color::White),
        ("White", Color::White),
        ("WHITE", Color::White),
        (" w ", Color::White),
        ("b", Color::Black),
        ("BLACK\n", Color::Black),
    ] {
        // Otherwise the other side would be to move.
        let stone = ["AB", "AW"][usize::from(side == Color::Black) ^ 1];
        for stones in ["", &format!("{stone}[hh]")] {
            let game = one(&format!("(;GM[4]{stones}PL[{text}])")).unwrap();
            assert_eq!(game.end().side_to_move(), side, "{stones}{text}");
        }
    }
}

/// Stones are taken away and put back; their last changes give their order.
#[test]
fn set_ups_of_many_changes_are_read() {
    let points = |text: &str| {
        let stones = one(text).unwrap().start;
        let stones = stones.stones().iter();
        stones
            .map(|stone| stone.point.label(15))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let text = "(;SZ[15]AB[hh][ii]XB[aa];AE[hh][aa]AW[jj]AE[aa:bb]AB[hh])";
    assert_eq!(points(text), "i7 j6 h8");
    assert_eq!(points("(;SZ[15]AB[aa]AE[aa]AW[aa];AE[oo])"), "a15");
    // A board built again for each stone took 5 s for this.
    let text = format!("(;GM[4]SZ[15]XB[aa]AE{};B[hh])", "[aa:oo]".repeat(20_000));
    let start = std::time::Instant::now();
    assert_eq!(labels(&one(&text).unwrap()), "h8");
    assert!(start.elapsed().as_secs() < 3, "{:?}", start.elapsed());
}

#[test]
fn lines_of_piskvork_may_be_blank_and_names_missing() {
    let moves = "8,8,0\n9,7,12\n8,9,3\n";
    for (head, end, names) in [
        ("11:11, 0", "A\nB\n0\n", ["A", "B"]),
        ("11:11, 0", "A\nB\n", ["A", "B"]),
        // The second player has begun.
        ("11:11, 1", "A\nB\n-2\n", ["B", "A"]),
        ("0:0, 1", "-1\n\n\n", ["", ""]),
        ("0:0, 0", "", ["", ""]),
    ] {
        let text = format!("Piskvorky 15x15, {head}\n{moves}{end}");
        for text in [
            text.replace('\n', "\r\r\n"),
            text.replace('\n', "\n \n\n"),
            text,
        ] {
            let game = one(&text).unwrap();
            assert_eq!(labels(&game), "h8 i9 h7", "{text:?}");
            assert_eq!([&*game.black, &*game.white], names, "{text:?}");
            assert_eq!(game.result, "");
        }
    }
}

#[test]
fn names_of_files_count_more_than_their_text() {
    let of_file = |name: &str| Format::of_file(Path::new(name), "h8");
    assert_eq!(of_file("a.SGF"), Format::Sgf);
    assert_eq!(of_file("a.psq"), Format::Psq);
    assert_eq!(of_file("a.txt"), Format::Moves);
    let error = read("h8", Format::Sgf, &empty()).unwrap_err();
    assert!(error.to_string().contains("no SGF"), "{error}");
}

#[test]
fn names_of_rules_are_understood() {
    for (text, rule) in [
        ("renju", Some(Rule::Renju)),
        (" Renju, Soosyrv ", Some(Rule::Renju)),
        ("standard", Some(Rule::Standard)),
        ("Caro", Some(Rule::Caro)),
        ("chess", None),
        ("", None),
    ] {
        assert_eq!(rule_named(text), rule, "{text}");
    }
}

#[test]
fn broken_records_say_what_is_wrong() {
    for (text, message) in [
        ("(;B[hh]", "the text ends inside a game"),
        ("(;GM[1]SZ[19];B[aa])", "a record of Go (GM[1])"),
        ("(;GM[2];B[aa])", "another game (GM[2])"),
        ("(;SZ[99];B[aa])", "unsupported size"),
        ("(;SZ[x];B[aa])", "a board size"),
        ("(;SZ[15];B[hh];W[hh])", "move 2 is on a taken point"),
        ("(;SZ[9];B[jj])", "move 1 is off the board"),
        ("(;SZ[15];B[zz])", "'zz' is no point"),
        ("(;SZ[9]AB[jj])", "AB[jj]"),
        ("(;SZ[9]AE[jj])", "AE[jj]"),
        ("(;PL[1];B[hh])", "PL[1]: expected B or W"),
        ("(;AB[hh]PL[])", "PL[]: expected B or W"),
        ("(;AB[aa]AW[aa])", "AW[aa]"),
        ("Piskvorky axb\n", "WIDTHxHEIGHT"),
        ("Piskvorky 15x15\n16,1,0\n", "move 1 is off the board"),
        (
            "Piskvorky 15x15\n1,1,0\n1,1,0\n",
            "move 2 is on a taken point",
        ),
        (
            "Piskvorky 15x15\n-2147483648,1,0\n",
            "move 1 is off the board",
        ),
        // An unreadable move, and a move after the names.
        (
            "Piskvorky 15x15\n8,8,0\n\n9;7;12\n8,9,3\n",
            "line 5 is a move, but line 4 before it is none: '9;7;12'",
        ),
        (
            "Piskvorky 15x15\n8,8,0\n9;7;12\nA\nB\n0\n",
            "line 3: expected a move, the names",
        ),
        ("Piskvorky 15x15\n9;7;12\n0\n", "found '9;7;12'"),
        (
            "Piskvorky 15x15\n8,8,0\nA\nB\n0\n9,9,0\n",
            "line 6 is a move, but line 3 before it is none: 'A'",
        ),
        ("hello", "'hello'"),
        ("h8 h8", "'h8' is already taken"),
        (". . . . X\n. . . .\n. .\n.\n.", "row 2 of the diagram"),
    ] {
        let error = one(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
    assert_eq!(one("").unwrap().end(), empty());
}

#[test]
fn moves_may_pass() {
    let game = one("h8 pass, i9;pass PASS h7").unwrap();
    assert_eq!(labels(&game), "h8 pass i9 pass pass h7");
    let colors: Vec<Color> = game.moves.iter().map(|made| made.color).collect();
    let both = Color::BOTH.into_iter().cycle();
    assert!(colors.into_iter().eq(both.take(6)));
    // The last line of a drawing is read back.
    let drawing = drawing::text(&game);
    let last = drawing.lines().last().unwrap();
    assert_eq!(of_moves(last, &empty()).unwrap().moves, game.moves);
    assert!(of_moves("h8 passed", &empty()).is_err());
}
