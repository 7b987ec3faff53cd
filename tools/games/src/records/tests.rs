use super::*;
use crate::sgf::Tree;
use tengen::board::Move;
use tengen::rules::Rule;
use tengen::types::{Color, Point};

fn empty() -> Board {
    Board::new(15, 15).unwrap()
}

fn record(text: &str) -> Result<Record, String> {
    let empty = empty();
    read(text.as_bytes(), &ReadOptions::new("", &empty)).map_err(|error| error.to_string())
}

fn read_bytes(bytes: &[u8], name: &str) -> Result<Record, RecordError> {
    read(bytes, &ReadOptions::new(name, &empty()))
}

fn one(text: &str) -> Result<RecordedGame, String> {
    let mut games = record(text)?.games;
    assert_eq!(games.len(), 1, "{text}");
    Ok(games.remove(0))
}

/// The warnings as texts.
fn told(record: &Record) -> Vec<String> {
    record.warnings.iter().map(Warning::to_string).collect()
}

/// The game, and the only warning.
fn warned(text: &str) -> (RecordedGame, String) {
    let mut read = record(text).unwrap();
    assert_eq!(read.warnings.len(), 1, "{text}: {:?}", read.warnings);
    (read.games.remove(0), read.warnings[0].to_string())
}

fn labels(game: &RecordedGame) -> String {
    game.labels().join(" ")
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
    let games = record("(;GM[4];B[hh])(;GM[4]SZ[20:15];B[tn])")
        .unwrap()
        .games;
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

/// Without PL the counts of stones alone told the side, and a pass stood before the first move.
#[test]
fn the_move_after_a_set_up_tells_the_side_to_move() {
    for (text, side, moves) in [
        ("(;AB[hh][ii]AW[gg];B[jj];W[kk])", Color::Black, "j6 k5"),
        ("(;AB[hh]AW[gg];W[jj];B[kk])", Color::White, "j6 k5"),
        ("(;AB[hh]AW[gg];;C[x];W[];B[kk])", Color::White, "pass k5"),
        ("(;AB[hh]AW[gg]W[jj];B[kk])", Color::White, "j6 k5"),
        (
            "(;AB[hh]AW[gg](;W[jj];B[kk])(;B[jj]))",
            Color::White,
            "j6 k5",
        ),
        ("(;B[hh];W[ii];AB[aa][bb]AW[cc];B[jj])", Color::Black, "j6"),
        (
            "(;AB[hh][ii]AW[gg];PL[B]C[x];W[jj])",
            Color::Black,
            "pass j6",
        ),
        ("(;AB[hh][ii]AW[gg]PL[W];B[jj])", Color::White, "pass j6"),
        ("(;AB[hh][ii]AW[gg];AB[jj];B[kk])", Color::Black, "k5"),
        ("(;AB[hh][ii]AW[gg];B[resign])", Color::White, ""),
        (
            "(;AB[hh][ii]AW[gg];QPR[aa,bb,cc])",
            Color::Black,
            "a15 b14 c13",
        ),
        ("(;AB[hh][ii]AW[gg])", Color::White, ""),
    ] {
        let game = one(text).unwrap();
        assert_eq!((game.first(), &*labels(&game)), (side, moves), "{text}");
        let written = game.sgf("");
        let again = one(&written).unwrap();
        assert_eq!((again.first(), &*labels(&again)), (side, moves), "{text}");
        assert_eq!(again.sgf(""), written);
    }
    // A variation with a set-up of its own.
    let game = one("(;B[hh](;W[ii])(;AB[aa][bb];B[cc]))").unwrap();
    let sgf = game.sgf("");
    assert!(sgf.contains("(;AB[aa][bb]PL[B];B[cc])"), "{sgf}");
}

/// The choice of the side had no effect on positions.
#[test]
fn the_side_is_chosen_where_a_record_does_not_tell_it() {
    let diagram = "X....\n.X...\n..O..\n.....\n.....\n";
    let to_move = |side: &str| format!("{diagram}{side} to move\n");
    for (text, white, black) in [
        ("(;AB[hh][ii]AW[gg])", "white", "black"),
        ("(;AB[hh]AW[gg])", "white", "black"),
        ("(;B[hh];W[ii];AE[ii])", "white", "black"),
        ("(;SZ[15])", "white", "black"),
        (diagram, "white", "black"),
        ("7,7,1\n8,6,1\n7,8,2\n", "white", "black"),
        ("START 15\nBOARD\n7,7,1\n8,6,2\nDONE\n", "white", "black"),
        (
            "{\"board\": [\"X....\", \".....\", \".....\", \".....\", \".....\"]}",
            "white",
            "black",
        ),
        ("{\"puzzles\": [{\"stones\": \"h8i9\"}]}", "white", "black"),
        ("[GameType \"61,15\"]\n\n1. h8 i9\n", "white", "black"),
        ("(;AB[hh][ii]AW[gg]PL[W])", "white", "white"),
        ("(;AB[hh][ii]AW[gg];B[jj])", "black", "black"),
        ("(;SZ[15];B[hh])", "black", "black"),
        (&*to_move("Black"), "black", "black"),
        (
            &*to_move("freestyle, 5x5, 3 stones, white"),
            "white",
            "white",
        ),
        (
            "{\"puzzles\": [{\"stones\": \"h8i9\", \"side\": 1}]}",
            "black",
            "black",
        ),
    ] {
        for (first, expected) in [(Color::White, white), (Color::Black, black)] {
            let empty = empty();
            let options = ReadOptions {
                first: Some(first),
                ..ReadOptions::new("", &empty)
            };
            let game = read(text.as_bytes(), &options).unwrap().games.remove(0);
            assert_eq!(game.first().to_string(), expected, "{text}");
        }
    }
}

/// The lines that our programs print below a board were taken for bad cells, or ignored.
#[test]
fn a_diagram_tells_the_side_to_move() {
    let rows = "5  X . . . .\n4  . O . . .\n3  . .[X]. .\n2  . . . . .\n1  . . . . .\n";
    let letters = "   a b c d e\n";
    for (text, side) in [
        (rows.to_string(), Color::White),
        (format!("{rows}Black to move\n"), Color::Black),
        (
            format!("{rows}{letters}black to move, freestyle\n"),
            Color::Black,
        ),
        (
            format!(
                "{rows}{letters}    X black   O white   [ ] last move\n\nrenju, 5x5, 3 stones, black to move\n"
            ),
            Color::Black,
        ),
        (
            format!("=\n{letters}{rows}{letters}freestyle, Black to move\n\n"),
            Color::Black,
        ),
        (
            format!(
                "MESSAGE |{}MESSAGE black to move, freestyle\n",
                rows.replace('\n', "\nMESSAGE |")
                    .trim_end_matches("MESSAGE |")
            ),
            Color::Black,
        ),
    ] {
        let game = one(&text).unwrap();
        assert_eq!(game.start.width(), 5, "{text}");
        assert_eq!(
            (game.first(), game.start.stones().len()),
            (side, 3),
            "{text}"
        );
    }
    assert!(one(&format!("{rows}Black moves\n")).is_err());
}

/// One redundant stone cost the whole game.
#[test]
fn a_set_up_puts_stones_over_others() {
    for (text, stones, warning, moves) in [
        (
            "(;B[aa];W[ac];AB[aa]C[note];B[bb])",
            "",
            "AB[aa]: a point that holds the same",
            "a15 a13 b14",
        ),
        ("(;AB[hh]AW[ii];AB[ii]AW[hh];B[jj])", "i7 | h8", "", "j6"),
        ("(;B[hh];W[ii];AW[hh];B[jj])", " | h8 i7", "", "j6"),
        ("(;XB[hh];AB[hh];W[jj])", "h8 | ", "", "j6"),
        (
            "(;AB[hh][hh]AW[ii];B[jj])",
            "h8 | i7",
            "AB[hh]: a point named before in the same node",
            "j6",
        ),
        (
            "(;AB[hh]AW[hh];B[jj])",
            "h8 | ",
            "AW[hh]: a point named before",
            "j6",
        ),
        (
            "(;AB[hh]AW[gg:hh];B[jj])",
            "h8 | g8 g9 h9",
            "AW[gg:hh]: a point named before",
            "j6",
        ),
        (
            "(;SZ[15]AB[oo:qq];W[jj])",
            "o1 | ",
            "AB[oo:qq]: a point off the board",
            "j6",
        ),
        (
            "(;SZ[15]AB[pp];B[jj])",
            "",
            "AB[pp]: a point off the board",
            "j6",
        ),
        (
            "(;SZ[9]AE[jj];B[aa])",
            "",
            "AE[jj]: a point off the board",
            "a9",
        ),
        (
            "(;AB[]AW[8,8][ii];B[jj])",
            " | i7",
            "is not understood and does not count",
            "j6",
        ),
        (
            "(;AB[pp]AW[dd];W[dp])",
            "p4 | d16",
            "the record names no board; 19x19",
            "d4",
        ),
    ] {
        let read = record(text).unwrap();
        let game = &read.games[0];
        let told = told(&read).join("\n");
        assert!(
            told.contains(warning) && told.is_empty() == warning.is_empty(),
            "{text}: {told}"
        );
        assert_eq!(labels(game), moves, "{text}");
        let found = all(&game.start.to_string());
        let found = found.first().filter(|_| !game.start.stones().is_empty());
        let found = found.map_or("", |found| found.split(',').next().unwrap());
        assert_eq!(found, stones, "{text}");
        let written = game.sgf("");
        let again = one(&written).unwrap();
        assert_eq!(again.sgf(""), written, "{text}");
        assert_eq!(
            (again.moves, again.start.hash()),
            (game.moves.clone(), game.start.hash())
        );
    }
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

/// Stones are taken away and put back; they have no order.
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
    assert_eq!(points(text), "h8 i7 j6");
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
fn names_of_files_count_where_the_text_says_nothing() {
    let empty = empty();
    let named = |name: &str, text: &str| read(text.as_bytes(), &ReadOptions::new(name, &empty));
    assert_eq!(named("a.sgf", "h8 i9").unwrap().format, Format::Moves);
    let error = named("a.SGF", "hello").unwrap_err();
    assert!(error.to_string().contains("no SGF"), "{error}");
    let error = named("a.txt", "hello world.").unwrap_err();
    assert!(
        error.to_string().contains("no record of a game: 'hello'"),
        "{error}"
    );
}

#[test]
fn names_of_rules_are_understood() {
    for (text, rule) in [
        ("renju", Some(Rule::Renju)),
        (" Renju, Soosyrv ", Some(Rule::Renju)),
        ("Soosõrv-8", Some(Rule::Renju)),
        ("a-b : RIF rule", Some(Rule::Renju)),
        ("Taraguchi-10", Some(Rule::Renju)),
        ("连珠", Some(Rule::Renju)),
        ("4", Some(Rule::Renju)),
        ("standard", Some(Rule::Standard)),
        ("Standard Gomoku", Some(Rule::Standard)),
        ("Standard renju", Some(Rule::Renju)),
        ("1", Some(Rule::Standard)),
        ("Gomoku", Some(Rule::Freestyle)),
        ("Freestyle15_1", Some(Rule::Freestyle)),
        ("Fastgame", Some(Rule::Freestyle)),
        ("Caro", Some(Rule::Caro)),
        ("CARO 9", Some(Rule::CaroExact)),
        ("terrific", None),
        ("swap2", None),
        ("chess", None),
        ("", None),
    ] {
        assert_eq!(rule_named(text), rule, "{text}");
    }
    for rule in Rule::ALL {
        assert_eq!(rule_named(rule.name()), Some(rule));
    }
    for (rule, told) in [
        ("chess", "no rule that is known"),
        ("Swap2", "a rule for openings"),
    ] {
        let (game, warning) = warned(&format!("(;SZ[15]RU[{rule}];B[hh])"));
        assert_eq!(game.known_rule(), None);
        assert!(warning.contains(told), "{warning}");
    }
}

#[test]
fn broken_records_say_what_is_wrong() {
    for (text, message) in [
        (
            "(;GM[1]SZ[19]KM[6.5];B[aa])",
            "a record of Go (SZ[19], KM[6.5])",
        ),
        (
            "(;SZ[15]RU[Chinese];B[aa])",
            "a record of Go (SZ[15], RU[Chinese])",
        ),
        ("(;GM[3];B[aa])", "chess (GM[3])"),
        ("(;SZ[99];B[aa])", "unsupported size"),
        ("(;SZ[x];B[aa])", "a board size"),
        (
            "(;SZ[15];B[8,8];W[7,7])",
            "move 1 is '8,8', which is no point",
        ),
        ("(;SZ[9];B[jj])", "move 1 (jj) is off the board"),
        ("Piskvorky axb\n", "WIDTHxHEIGHT"),
        ("Piskvorky 15x15\n16,1,0\n", "move 1 is off the board"),
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
        ("{\"a\": 1}", "JSON without moves"),
        ("{\"a\": ", "no record of a game: JSON"),
        ("h8 i9\nx99", "line 2: 'x99'"),
        ("h8 99 i9", "'99'"),
        ("", "empty"),
        ("\n\0", "empty"),
        // Programs and other texts.
        (
            "for (i = 0; f(b[i], 1); i++)\n  if (line[15] > 2) { g(H[i]); }",
            "is no",
        ),
        ("# Renju\n", "it has no moves"),
        ("http://x/#renju-15/h8i9h8", "'h8' is already taken"),
        ("http://x/#h8i9h8", "'h8' is already taken"),
        ("#renju-15/h8i9q9", "'q9'"),
        ("#renju-15/z9", "'z9'"),
        ("#renju-15/b:h8/w:h8/", "'h8' is already taken"),
        ("#renju-15/b:h8/t:w/h8", "'h8' is already taken"),
        ("#renju-99/h8", "99"),
        ("#renju-15/q:h8/", "unknown part 'q:h8'"),
        ("http://x/#foo-15/h8", "unknown rule 'foo'"),
        ("http://x/#about", "has no moves"),
        ("board\nindex\n", "'board'"),
        ("[[7, 7, 5]]", "[7,7,5] is no move"),
    ] {
        let error = one(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
    for (bytes, kind) in [
        (&b"!<arch>\n/ "[..], "a library of a compiler"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"a\0b", "a binary file"),
        (b"\x1f\x8b\x08junk", "gzip is damaged"),
    ] {
        let error = read(bytes, &ReadOptions::new("", &empty()))
            .unwrap_err()
            .to_string();
        assert!(error.contains(kind), "{error}");
    }
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

/// An impossible move ends its line, and the rest is kept.
#[test]
fn a_game_is_read_up_to_an_impossible_move() {
    for (text, told, left) in [
        (
            "(;SZ[15];B[hh];W[hh];B[ii])",
            "move 2 (h8) is on a taken point",
            "h8",
        ),
        ("(;SZ[9]AB[aa];W[jj])", "move 1 (jj) is off the board", ""),
        (
            "(;AB[aa]W[aa];B[bb])",
            "move 1 (a15) is on a taken point",
            "",
        ),
        (
            "(;SZ[15];B[hh];W[zz])",
            "move 2 is 'zz', which is no point",
            "h8",
        ),
        (
            "(;SZ[15];B[hh](;W[hh])(;W[ii]))",
            "and the rest (1) is left out",
            "h8",
        ),
        (
            "(;SZ[15];B[hh];W[ii](;B[jj])(;B[hh];W[aa]))",
            "after move 2: a move (h8)",
            "h8 i7 j6",
        ),
        (
            "(;SZ[15];B[hh](;W[ii])(;AB[hh]))",
            "AB[hh]: a point that holds the same",
            "h8 i7",
        ),
        ("(;SZ[15]PL[1];B[hh])", "PL[1] is not understood", "h8"),
        (
            "(;SZ[15];B[hh];W[ii]",
            "line 1: the text ends inside a game",
            "h8 i7",
        ),
        (
            "Piskvorky 15x15\n1,1,0\n1,1,0\n",
            "move 2 is on a taken point: the game is read up to there",
            "a15",
        ),
        (
            "Piskvorky 15x15\n1,1,0\n1,1,0\n2,2,0\n",
            "move 2 is on a taken point: the game is read up to there, and the rest (1) is left out",
            "a15",
        ),
        (
            "(;SZ[15];B[hh];QXY[ig];B[gg])",
            "move 2 has QXY[ig], a stone in a form that is not known",
            "h8",
        ),
        (
            "(;SZ[15];B[hh];W[resign];B[ii];W[jj])",
            "move 2 follows a resignation: the game is read up to there, and the rest (1) is left out",
            "h8",
        ),
        ("(;GM[2];B[hh])", "GM[2] names another game", "h8"),
    ] {
        let (game, warning) = warned(text);
        assert!(warning.contains(told), "{text}: {warning}");
        assert!(!warning.contains('0'), "nothing is left out: {warning}");
        assert_eq!(labels(&game), left, "{text}");
    }
    let (game, warning) = warned("(;SZ[99])(;SZ[15];B[hh])");
    assert!(
        warning.contains("game 1 of the file is left out"),
        "{warning}"
    );
    assert_eq!(labels(&game), "h8");
    let read = read(
        b"(;GM[1]SZ[19]KM[6.5];B[aa])",
        &ReadOptions {
            any_game: true,
            ..ReadOptions::new("", &empty())
        },
    );
    assert_eq!(labels(&read.unwrap().games[0]), "a19");
    let (game, warning) = warned("(;B[hh];W[pp])");
    assert!((game.start.width(), &*warning) > (18, "the record names no board"));
}

/// Where a side moves twice, the other passes. The printed labels are read as the same game.
#[test]
fn turns_out_of_order_are_printed_with_passes() {
    for (text, printed) in [
        ("(;W[hh];B[ig];W[hg])", "pass h8 i9 h9"),
        ("(;B[hh];B[ig];W[hg])", "h8 pass i9 h9"),
        ("(;AB[aa][bb]AW[cc];W[hh];W[ii])", "h8 pass i7"),
        ("(;AB[aa][bb]AW[cc];B[hh];W[ii])", "h8 i7"),
        ("(;B[hh];W[swap];B[hi])", "h8 swap h7"),
    ] {
        let game = one(text).unwrap();
        assert_eq!(labels(&game), printed, "{text}");
        let again = of_moves(printed, &game.start).unwrap();
        assert_eq!(again.end().hash(), game.end().hash(), "{text}");
    }
    let empty = empty();
    let white_first = ReadOptions {
        first: Some(Color::White),
        ..ReadOptions::new("", &empty)
    };
    let game = read(b"h8 i9", &white_first).unwrap().games.remove(0);
    assert_eq!(game.moves[0].color, Color::White);
    assert_eq!(game.json()["first"], "white");
}

/// Comments, variations, labels and unknown properties come back; a second time nothing changes.
#[test]
fn a_game_is_written_with_all_that_it_has() {
    let text = "(;GM[1]FF[3]SZ[15]RU[Renju]PB[a]EV[Cup]DT[2020-01-02]C[root];B[hh]C[a\\] b]\
                LB[hh:A](;W[ig];B[hi]XY_[z])(;W[jj]C[side];B[]))";
    let game = one(text).unwrap();
    let written = game.sgf("renju");
    for part in [
        "EV[Cup]",
        "DT[2020-01-02]",
        "C[root]",
        "C[a\\] b]",
        "XY_[z]",
        "C[side]",
        "LB[hh:A]",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    let again = one(&written).unwrap();
    assert_eq!(again.sgf("renju"), written);
    assert_eq!(
        (&again.moves, again.tree.len()),
        (&game.moves, game.tree.len())
    );
    for text in [
        "h8 i9 {a comment} h7 1-0",
        "(;B[hh]W[ii]C[x];AE[hh];W[swap])",
        "(;AB[h8:aa])",
    ] {
        let Ok(game) = one(text) else { continue };
        let again = one(&game.sgf("caro")).unwrap();
        assert_eq!(
            (again.sgf("caro"), again.end()),
            (game.sgf("caro"), game.end()),
            "{text}"
        );
    }
}

#[test]
fn gomocups_names_are_in_the_order_of_the_colours() {
    let moves = "8,8,0\n1,1,0\n8,9,0\n1,2,0\n8,10,0\n1,3,0\n8,11,0\n1,4,0\n8,12,0\n";
    for (tournament, rule, result) in [
        ("2,Freestyle", Some(Rule::Freestyle), "B+"),
        ("1,Renju15", Some(Rule::Renju), "B+"),
    ] {
        let text = format!("Piskvorky 15x15, 11:11, 1\n{moves}A.zip\nB.zip\n-1\n{tournament}\n");
        let game = one(&text).unwrap();
        assert_eq!(
            [&*game.black, &*game.white, &*game.result],
            ["A.zip", "B.zip", result]
        );
        assert_eq!(game.known_rule(), rule);
    }
    let (game, warning) = warned("Piskvorky 15x15\n8,8,0\nA\nB\n-1\n3,Unknown Cup\n");
    assert!(warning.contains("Unknown Cup") && game.rule.is_empty());
}

#[test]
fn lists_and_games_on_several_lines_are_told_apart() {
    let games = |text: &str| -> Vec<String> {
        let games = record(text).unwrap().games;
        games.iter().map(labels).collect()
    };
    assert_eq!(games("h8 i9 g7\nh8 i9 h7"), ["h8 i9 g7", "h8 i9 h7"]);
    assert_eq!(
        games("1. h8 i9\n2. h7 h9\n\n1. a1 b2\n"),
        ["h8 i9 h7 h9", "a1 b2"]
    );
    assert_eq!(games("h8 i9\nh7 h9\n"), ["h8 i9 h7 h9"]);
    let broken = "a1 a2 a3 a4 a5 a6\nb1 b2 b3 b4 b5 b6\nc1 c2 c3";
    assert_eq!(games(broken).len(), 1);
    assert_eq!(games("0,0, 1,-1, 0,1"), ["h8 i9 h7"]);
    assert_eq!(games("[[[7,7],[8,6]],[[7,7]]]"), ["h8 i9", "h8"]);
    assert_eq!(
        games("{\"games\":[{\"moves\":\"h8i9\"},{\"moves\":[]}]}"),
        ["h8 i9", ""]
    );
}

#[test]
fn books_of_problems_are_positions() {
    let text = "{\"defaultSettings\":{\"rule\":2,\"size\":15},\"puzzles\":[{\"stones\":\"G12H12A1\",\
                \"side\":2,\"mode\":32,\"title\":\"one\"},{\"blackStones\":\"h8h9\",\"whiteStones\":\"a1a2\",\
                \"rule\":1},{\"image\":\"data:\"}]}";
    let read = record(text).unwrap();
    assert_eq!((read.format, read.games.len()), (Format::Problems, 2));
    let [first, second] = &read.games[..] else {
        unreachable!()
    };
    assert_eq!(
        (first.known_rule(), first.first()),
        (Some(Rule::Renju), Color::White)
    );
    assert_eq!(
        first.start.cell(Point::new(7, 3)),
        tengen::board::Cell::White
    );
    assert_eq!(
        (second.known_rule(), second.first()),
        (Some(Rule::Standard), Color::Black)
    );
    assert_eq!(second.start.stones().len(), 4);
    let error = record("{\"puzzles\":[{\"stones\":\"h8h8\"}]}").unwrap_err();
    assert!(error.contains("problem 1: h8 is named twice"), "{error}");
}

#[test]
fn compressed_files_are_unpacked() {
    use std::io::Write as _;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"h8 i9 h7").unwrap();
    let bytes = gzip.finish().unwrap();
    let empty = empty();
    let read = read(&bytes, &ReadOptions::new("", &empty)).unwrap();
    assert_eq!(labels(&read.games[0]), "h8 i9 h7");
    assert_eq!(text_of(&bytes).unwrap(), "h8 i9 h7");
}

/// Found by random changes of the files of other programs.
#[test]
fn strange_line_ends_and_empty_facts_do_no_harm() {
    let game = one("Piskvorky 15x15\r8,8,0\rA\tB\rC\r-1\r").unwrap();
    assert_eq!((&*labels(&game), &*game.black), ("h8", "A B"));
    assert_eq!(
        labels(&of_moves("swap pass", &empty()).unwrap()),
        "swap pass"
    );
    assert_eq!(one("(;SZ[15]PB[];B[hh]PB[late])").unwrap().black, "late");
    for text in [
        "15\n15\n3\n7 7\n6 8\n87\r 7\n",
        "[[7,7],[8]]",
        "BOARD\n7,7\nDONE",
    ] {
        assert!(one(text).is_err(), "{text}");
    }
}

#[test]
fn games_of_renjunet_are_read_with_their_tables() {
    let text = "<?xml version=\"1.0\" encoding=\"windows-1252\"?><database><players>\
        <player id=\"7\" name=\"Jos\u{e9}\" surname=\"A &amp; B\"/><player id=\"8\" surname=\"C\"/></players>\
        <tournaments><tournament id=\"3\" name=\"Cup\" year=\"2009\" month=\"8\" day=\"0\" rule=\"1\"/></tournaments>\
        <rules><rule id=\"1\" name=\"Yamaguchi\"><info>x</info></rule></rules><games>\
        <game id=\"5\" tournament=\"3\" round=\"2\" black=\"7\" white=\"8\" bresult=\"0.5\" alt=\"h6\" opening=\"9\">\
        <move>h8 h9 h10 i8</move><info>a &lt;good&gt; game</info></game>\
        <game black=\"x\" white=\"9\" bresult=\"0\"><move>h8i9h8j9</move></game><game/></games></database>";
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let record = read_bytes(&bytes, "a.rif").unwrap();
    assert_eq!(
        (record.format, record.charset),
        (Format::RenjuNet, Some("windows-1252"))
    );
    let [first, second, third] = &record.games[..] else {
        panic!("{} games", record.games.len());
    };
    let sgf = first.sgf("renju");
    let root = "PB[Jos\u{e9} A & B]PW[C]RE[Draw]EV[Cup]DT[2009-08]RO[2]ON[9]\
        GC[game 5, alternative fifth moves h6];B[hh];W[hg];B[hf];W[ih]C[a <good> game])\n";
    assert!(sgf.ends_with(root), "{sgf}");
    assert_eq!(
        (&*first.rule, first.known_rule()),
        ("Yamaguchi", Some(Rule::Renju))
    );
    assert_eq!(
        (&*second.black, &*second.white, &*second.result),
        ("x", "9", "W+")
    );
    assert_eq!(
        (second.labels(), third.labels()),
        (vec!["h8".to_string(), "i9".into()], vec![])
    );
    assert_eq!(
        told(&record),
        ["move 3 is on a taken point: the game is read up to there, and the rest (1) is left out"]
    );
    for (text, why) in [
        (
            "<database><games></games></database>",
            "this is an XML file like RenjuNet's, without a game",
        ),
        (
            "<games><game><move>h8</move></game",
            "no XML that can be read, at byte ",
        ),
    ] {
        let error = read_bytes(text.as_bytes(), "a.rif")
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(why), "{error}");
    }
}

#[test]
fn a_library_is_a_game_with_variations() {
    let head = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    // h8; after h8 i9 with a text on its cell and a comment, then h8 once more; and h9.
    let nodes = b"\x78\x00\x69\x89\0\x01\xe9t\xe9\0A\0\x78\x40\x68\x40";
    let record = read_bytes(&[&head[..], nodes].concat(), "a").unwrap();
    assert_eq!(
        (record.format, record.charset),
        (Format::Lib, Some("windows-1252"))
    );
    let game = &record.games[0];
    assert_eq!(game.labels(), ["h8", "i9"]);
    let sgf = game.sgf(&game.rule);
    assert_eq!(game.known_rule(), None, "a library has no rule");
    let tree = "SZ[15];B[hh]LB[ig:A]\n(;W[ig]C[\u{e9}t\u{e9}])\n(;W[hg]))\n";
    assert!(sgf.ends_with(tree), "{sgf}");
    assert_eq!(
        told(&record),
        ["a variation after move 2: a move is on a taken point; nodes left out: 1"]
    );
    // Libraries of more than 2.8 million moves were refused.
    let many = [&head[..], b"\x78\x00", &b"\x69\xc0".repeat(3_000_000)].concat();
    assert_eq!(
        read_bytes(&many, "a").unwrap().games[0].tree.len(),
        3_000_002
    );
    let board = empty();
    let most = ReadOptions {
        most_parts: 100,
        ..ReadOptions::new("a", &board)
    };
    let why = read(&many, &most).unwrap_err().to_string();
    assert_eq!(
        why,
        "the library has more than 100 moves (each text counts as 4)"
    );
    let cut = [&head[..], &nodes[..5]].concat();
    let why = read_bytes(&cut, "a").unwrap_err().to_string();
    assert_eq!(why, "the library is cut short");
}

/// A collection of 24 MB took 1.7 GB for one of its games.
#[test]
fn games_are_handed_out_one_after_the_other() {
    let text = "(;SZ[15];B[hh])(;SZ[15];B[zz])(;SZ[15];B[gg])(;SZ[50])".repeat(50);
    let board = Board::new(15, 15).unwrap();
    let mut taken = Vec::new();
    let record = read_each(
        text.as_bytes(),
        &ReadOptions::new("a.sgf", &board),
        &mut |game, warnings| {
            taken.push((game.labels().join(" "), warnings.len()));
            match taken.len() {
                6 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        },
    );
    // The warning about a game that is refused comes with the next one.
    let games = [("h8", 0), ("g9", 1), ("h8", 1)];
    let games = [games, [("g9", 1), ("h8", 1), ("g9", 1)]].concat();
    let found: Vec<(&str, usize)> = taken
        .iter()
        .map(|(moves, count)| (moves.as_str(), *count))
        .collect();
    assert_eq!(found, games);
    assert!(record.unwrap().games.is_empty());
}

#[test]
fn stones_in_json_have_their_colours() {
    for (text, moves) in [
        ("[[7,7,1],[8,6,1],[9,9,2]]", "B h8, B i9, W j6"),
        ("[\"L13,1\", \"J12,2\", \"J11,1\"]", "B l13, W j12, B j11"),
        (
            "[{\"x\":7,\"y\":7,\"color\":\"white\"},{\"x\":8,\"y\":6,\"color\":\"black\"}]",
            "W h8, B i9",
        ),
        (
            "{\"moves\":[{\"row\":7,\"col\":7},{\"row\":6,\"col\":8}]}",
            "B h8, W i9",
        ),
    ] {
        let game = one(text).unwrap();
        let turn = |made: &Move| format!("{} {}", made.color, made.point.unwrap().label(15));
        let played: Vec<String> = game.moves.iter().map(turn).collect();
        let long = moves.replace("B ", "black ").replace("W ", "white ");
        assert_eq!(played.join(", "), long, "{text}");
    }
}

/// Text around games may have brackets that look like one.
#[test]
fn games_inside_other_texts_are_found() {
    let game = one("See f(b[i]) and (note[1]).\n\n(;SZ[15];B[hh];W[ii])\n").unwrap();
    assert_eq!(game.moves.len(), 2);
}

/// Gomocup's file for BayesElo was read as thousands of games of two moves.
#[test]
fn moves_of_chess_stand_for_no_game() {
    let game = "[White \"0#A\"]\n[Black \"1#B\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n";
    let mut taken = 0;
    let board = empty();
    let options = ReadOptions::new("result.pgn", &board);
    let read = read_each(game.repeat(3).as_bytes(), &options, &mut |_, _| {
        taken += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((read.unwrap_err(), taken), (RecordError::NoMoves, 0));
    // A game of PlayOK may begin so.
    let playok = game.replace("[White", "[GameType \"61,15\"]\n[White");
    assert_eq!(labels(&one(&playok).unwrap()), "d4 d5");
}

#[test]
fn a_psq_may_count_from_zero() {
    let (game, warning) = warned("Piskvorky 15x15, 0:0, 0\n1,12\n2,13\n1,0\n0,14\n-1\n");
    assert_eq!(labels(&game), "b3 c2 b15 a1");
    assert!(warning.contains("count from 0"), "{warning}");
    // A move on line 15 is counted from 1.
    let (game, warning) = warned("Piskvorky 15x15, 0:0, 0\n15,15,0\n1,0,0\n");
    assert_eq!(labels(&game), "o1");
    assert!(warning.contains("off the board"), "{warning}");
}

/// The games of a text, each as its moves, or its stones by colour.
fn all(text: &str) -> Vec<String> {
    let game = |game: &RecordedGame| match game.start.stones() {
        [] => labels(game),
        stones => {
            let mut of = Color::BOTH.map(|color| {
                let own = stones.iter().filter(|stone| stone.color == color);
                own.map(|stone| stone.point.label(game.start.height()))
                    .collect::<Vec<String>>()
            });
            of.iter_mut().for_each(|labels| labels.sort());
            let [black, white] = of.map(|labels| labels.join(" "));
            format!("{black} | {white}, {}", game.end().side_to_move())
        }
    };
    record(text).unwrap().games.iter().map(game).collect()
}

/// Lists of coordinates were taken for offsets, and one on two lines for two games.
#[test]
fn lists_of_programs_are_read_as_json() {
    for (text, games) in [
        ("[(0, 0), (1, 1), (2, 2)]", &["a15 b14 c13"][..]),
        ("((0, 0), (1, 1), (2, 2),)", &["a15 b14 c13"]),
        (
            "[(0, 0), (0, 1), (1, 0), (1, 1),\n (2, 0), # a comment\n (2, 1)]",
            &["a15 a14 b15 b14 c15 c14"],
        ),
        ("[[0,0],[1,1],[2,2]]", &["a15 b14 c13"]),
        ("(0,0) (1,1) (2,2)", &["a15 b14 c13"]),
        ("[0, 0, 1, 1, 2, 2]", &["a15 b14 c13"]),
        ("['h8', 'i9']", &["h8 i9"]),
        ("[[(7,7),(8,6)],\n [(6,6),(7,7)]]", &["h8 i9", "g9 h8"]),
        ("[(7,7),(8,6)]\n[(6,6),(7,7)]\n", &["h8 i9", "g9 h8"]),
        (
            "[\"H7H8I6J6\",\"H8H9I8G8\"]",
            &["h7 h8 i6 j6", "h8 h9 i8 g8"],
        ),
        (
            "{\"moves\":\"h8 i9\"}\n\n{\"moves\":[[7,7]]}",
            &["h8 i9", "h8"],
        ),
        ("{\"x\":7,\"y\":7}\n{\"x\":8,\"y\":6}", &["h8 i9"]),
        ("[{\"stones\":\"H8I9\",\"side\":2}]", &["h8 | i9, white"]),
        (
            "{\"stones\":\"H8I9\",\"side\":\"white\"}",
            &["h8 | i9, white"],
        ),
        (
            "{\"board\":\".....\\n.XO..\\n.....\\n.....\\n.....\"}",
            &["b4 | c4, black"],
        ),
        (
            "[[0,0,0,0,0],[0,1,2,0,0],[0,0,0,0,0],[0,0,1,0,0],[0,0,0,0,0]]",
            &["b4 c2 | c4, white"],
        ),
        (
            "[[{\"row\":7,\"col\":7},{\"row\":6,\"col\":8}],[{\"row\":0,\"col\":0}]]",
            &["h8 i9", "a15"],
        ),
        (
            "[{\"columnIndex\":7,\"rowIndex\":7,\"color\":-1}]",
            &["pass h8"],
        ),
        (
            "{\"moves\":[{\"number\":1,\"x\":8,\"y\":6},{\"number\":0,\"x\":7,\"y\":7}]}",
            &["h8 i9"],
        ),
        ("0,0 - 0,1 - 13,12", &["a15 a14 n3"]),
        // These have a sign, or no brackets.
        ("[(-1, 0), (0, 1)]", &["g8 h7"]),
        ("[[-1, 0], [0, 1]]", &["g8 h7"]),
        ("0,0, 1,0", &["h8 i8"]),
        ("0,0, 1,0,\n1,1, 0,1", &["h8 i8 i7 h7"]),
    ] {
        assert_eq!(all(text), games, "{text}");
    }
    // One bad game costs no others.
    let read = record("[{\"moves\":\"h8\"},{\"moves\":\"z9\"},{\"moves\":\"i9\"}]").unwrap();
    assert_eq!(read.games.len(), 2);
    assert!(told(&read)[0].starts_with("game 2 of the file is left out: 'z9'"));
    let read = record("[[\"h8\",\"i9\"],[],[\"i9\"]]").unwrap();
    assert_eq!(
        told(&read),
        ["game 2 of the file is left out: it has no moves"]
    );
    let long = format!("[{{\"a\":\"{}\"}}]", "b".repeat(1000));
    assert!(record(&long).unwrap_err().len() < 200);
    let read = record("{\"moves\":\"h8\"}\n{\"moves\":\n{\"moves\":\"i9\"}").unwrap();
    assert_eq!(read.games.len(), 2);
    assert!(told(&read)[0].starts_with("line 2: this is no record of a game: JSON"));
}

/// One bad problem refused the book. Rows of small boards count on one of 15.
#[test]
fn books_of_problems_are_read_as_far_as_they_go() {
    let book = "{\"puzzles\":[\
        {\"stones\":\"H8I9H7\",\"side\":2,\"rule\":2,\"size\":15},\
        {\"side\":1,\"size\":6,\"blackStones\":\"A14C14C11\",\"whiteStones\":\"A10\"},\
        {\"stones\":\"A1B2\",\"size\":6},\
        {\"stones\":\"H8H8\"}],\
        \"defaultSettings\":{\"title\":\"t\"}}";
    assert_eq!(
        all(book),
        [
            "h7 h8 | i9, white",
            "a5 c2 c5 | a1, black",
            "a1 | b2, black"
        ]
    );
    let read = record(book).unwrap();
    assert_eq!(
        told(&read),
        ["game 4 of the file is left out: h8 is named twice"]
    );
    let rules: Vec<&str> = read.games.iter().map(|game| &*game.rule).collect();
    assert_eq!(rules, ["renju", "", ""]);
    let titles = read
        .games
        .iter()
        .map(|game| game.tree.node(Tree::ROOT).find("GN").unwrap().value());
    assert!(titles.eq(["t"; 3]));
    // A title may name the rule, here as in SGF.
    for (fields, rule) in [
        ("\"title\":\"Renju 1\"", "renju"),
        ("\"title\":\"Renju 1\",\"rule\":0", "freestyle"),
        ("\"title\":\"4\"", ""),
    ] {
        let book = format!("{{\"puzzles\":[{{\"stones\":\"h8i9h7\",{fields}}}]}}");
        assert_eq!(one(&book).unwrap().rule, rule, "{book}");
    }
    for (text, kind) in [
        ("{\"puzzles\": []}", "problem"),
        ("{\"puzzles\":[{\"image\":\"data:\"}]}", "problem"),
        ("{\"games\":[]}", "game"),
    ] {
        let empty = record(text).unwrap_err();
        let told = format!("this is no record of a game: its list holds no {kind}");
        assert_eq!(empty, told, "{text}");
    }
}

#[test]
fn lines_for_the_solver_are_games() {
    let text = "# id | rule | size | moves | source\n\
        a-1 | renju | 15 | h8 i9 h7 | someone\nb | renju | 15 | zz |\nc | caro | 20 | k10 |\n";
    assert_eq!(all(text), ["h8 i9 h7", "k10"]);
    let read = record(text).unwrap();
    assert_eq!(read.format, Format::Positions);
    assert_eq!(read.games[0].known_rule(), Some(Rule::Renju));
    assert!(
        told(&read)[0].starts_with("line 3: "),
        "{:?}",
        read.warnings
    );
}

#[test]
fn a_fault_of_the_size_is_told_as_one() {
    for (text, part) in [
        ("-7,-8, -6,-9, -3,-9", "'-7,-8' is not a point"),
        ("h8 s19 h9", "'s19' is not a point"),
        ("[[7,7],[16,3]]", "move 2 is off the board"),
    ] {
        let error = record(text).unwrap_err();
        assert!(error.contains(part), "{error}");
        assert!(error.ends_with("; --size 20 reads it"), "{error}");
    }
    for text in ["h8 z99", "h8 h8", "Piskvorky 15x15\n16,16,0\n"] {
        assert!(!record(text).unwrap_err().contains("--size"), "{text}");
    }
}

/// The moves of variations became moves of the game, and then comments.
#[test]
fn moves_in_parentheses_replace_the_move_before() {
    let tags = "[White \"a\"]\n[Black \"b\"]\n\n";
    for (text, moves, part) in [
        (
            "1. h8 i9 (1... j10 2. h9) 2. h7 g8",
            "h8 i9 h7 g8",
            ";B[hh]\n(;W[ig];B[hi];W[gh])\n(;W[jf];B[hg])",
        ),
        ("h8 (h9) i9", "h8 i9", "\n(;B[hh];W[ig])\n(;B[hg])"),
        (
            "1. h8 (1. g8 g9 (1... f9\n{deep )}) 2. f8) 1... i9 2. h7 g8 3. f7",
            "h8 i9 h7 g8 f7",
            "\n(;B[gh]\n(;W[gg];B[fh])\n(;W[fg]C[deep )]))",
        ),
        (
            "h8 i9\n(h9 i8)\nh7 # (g7\n(h6 {)})",
            "h8 i9 h7",
            "\n(;W[ig]\n(;B[hi]C[(g7])\n(;B[hj]C[)]))\n(;W[hg];B[ih])",
        ),
        (
            "7,7 8,6 (9, 9) 7,8",
            "h8 i9 h7",
            "\n(;W[ig];B[hi])\n(;W[jj])",
        ),
        ("h8 pass (i9 h9)", "h8 pass", "\n(;W[])\n(;W[ig];B[hg])"),
        (
            "h8 i9 (h9 (i8)) (h8)",
            "h8 i9",
            "\n(;W[ig]C[(h8)])\n(;W[hg])\n(;W[ih])",
        ),
        ("h8 i9 (or h9)", "h8 i9", "C[(or h9)]"),
        ("h8 i9 (h9 1-0)", "h8 i9", "C[(h9 1-0)]"),
        ("1. h8 1... i9 2. h7 2... g8 3. f7", "h8 i9 h7 g8 f7", ""),
        ("1. h8\n1... i9\n2. h7", "h8 i9 h7", ""),
        ("(h8)(i9)(h7)", "h8 i9 h7", ""),
        ("(7,7) (8,6)", "h8 i9", ""),
        ("(1) h8 (2) i9", "h8 i9", ""),
        ("1) h8 2) i9", "h8 i9", ""),
        ("h8 (pass) i9", "h8 pass i9", ""),
        ("h8 $1 i9$14! h7", "h8 i9 h7", ""),
        ("7,7 $1 8,6 $140", "h8 i9", ""),
        ("h8 {(} i9 {)} h7", "h8 i9 h7", ""),
    ] {
        let is_numbered = text.starts_with('1');
        let texts = [text.to_string(), format!("{tags}{text} 1-0\n")];
        for text in &texts[..1 + usize::from(is_numbered)] {
            let read = record(text).unwrap();
            let game = &read.games[0];
            assert_eq!((read.games.len(), &*labels(game)), (1, moves), "{text}");
            let told = told(&read);
            assert_eq!(
                told.len(),
                usize::from(part.contains("C[(h") || part.contains("C[(or")),
                "{text}: {told:?}"
            );
            let sgf = game.sgf("");
            assert!(sgf.contains(part), "{text}: {sgf}");
        }
    }
    let text = format!("{tags}1. h8 i9\n(1... h8 2. h9) 2. h7 $2 g8 1-0\n");
    let (game, warning) = warned(&text);
    assert_eq!(labels(&game), "h8 i9 h7 g8");
    assert_eq!(
        warning,
        "line 5: a variation in parentheses is no line of possible moves, and kept as a comment"
    );
    let error = of_moves("h8 (h9) i9", &empty()).unwrap_err().to_string();
    assert!(error.contains("a variation"), "{error}");
    let openings = MoveList::of("h8 i9\nh8 (h9) i9", &empty(), Offsets::Detected).unwrap();
    assert_eq!(openings.openings().unwrap_err().line, 2);
    // Many brackets take no long time.
    let start = std::time::Instant::now();
    for text in ["h8 (", "(i9) ", "(h8 ", "h8)", "pass (h8) "] {
        let _ = record(&text.repeat(50_000));
    }
    let _ = record(&format!(
        "h8 {}i9{}",
        "(h9 ".repeat(50_000),
        ")".repeat(50_000)
    ));
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn rows_of_labels_may_count_from_0() {
    for (text, moves) in [
        ("h7 i0 A14", "h8 i1 a15"),
        ("1. h7 a0 2. (b0) i8", "h8 a1 i9"),
        ("h7 (a0) i8", "h8 i9"),
    ] {
        let read = record(text).unwrap();
        assert_eq!(labels(&read.games[0]), moves);
        let told = told(&read);
        assert_eq!(
            told.last().unwrap(),
            "a move has the number 0, so the numbers count from 0 instead of 1"
        );
    }
    let error = record("h8 a0 h15").unwrap_err();
    assert!(error.contains("'h15' is not a point"), "{error}");
    // There is no place for the warning here.
    assert!(of_moves("h8 a0", &empty()).is_err());
    assert!(MoveList::of("h8 a0", &empty(), Offsets::Detected).is_err());
}
