//! Conversations in this process.

use std::io::{self, Cursor, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::Setup;
use crate::gtp::converse;
use tengen::board::Board;
use tengen::engine::strength::Strength;
use tengen::engine::{Engine, Evaluation, Options};
use tengen::rules::Rule;
use tengen::streams::Source;

/// Longest silence of a session.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends each write to a channel.
struct Writes(mpsc::Sender<String>);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8(bytes.to_vec()).map_err(io::Error::other)?;
        self.0.send(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The writes of a session with small searches by `rule`, each write by itself.
fn writes(rule: Rule, input: impl Into<Vec<u8>>, source: Source) -> Vec<String> {
    let mut engine = Engine::new(Options {
        hash_kib: Some(1 << 10),
        ..Options::default()
    });
    engine.set_evaluation(Evaluation::Classical);
    let setup = Setup {
        rule,
        board: Board::new(15, 15).unwrap(),
        turn: None,
        depth: None,
        nodes: Some(500),
        strength: Strength::FULL,
    };
    let (writes, texts) = mpsc::channel();
    let input = Cursor::new(input.into());
    let session = thread::spawn(move || {
        converse(engine, setup, input, source, Writes(writes));
    });
    let mut all = Vec::new();
    loop {
        match texts.recv_timeout(PATIENCE) {
            Ok(text) => all.push(text),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("no end came after {all:?}"),
        }
    }
    session.join().unwrap();
    all
}

/// The answers to freestyle's commands, without the blank line at the end of each.
fn answers(input: &str) -> Vec<String> {
    answers_by(Rule::Freestyle, input)
}

fn answers_by(rule: Rule, input: &str) -> Vec<String> {
    let text = writes(rule, input, Source::File).concat();
    assert!(text.ends_with("\n\n"), "{text:?}");
    text.trim_end().split("\n\n").map(str::to_string).collect()
}

#[test]
fn commands_are_answered_in_their_form() {
    let input = "1 protocol_version\n\n# a comment\n2 NAME\r\nknown_command play # here\n\
                 known_command fly\n77 fly away\n5\nboardsize 3\nboardsize x\nkomi 6.5\nkomi many\n\
                 undo\nquit\nname\n";
    let expected = [
        "=1 2",
        "=2 Tengen",
        "= true",
        "= false",
        "?77 unknown command",
        "?5 unknown command",
        "? unacceptable size",
        "? syntax error: no size",
        "=",
        "? syntax error: no number",
        "? cannot undo",
        "=",
    ];
    assert_eq!(answers(input), expected);
}

#[test]
fn every_listed_command_is_known_and_answers_once() {
    let list = answers("list_commands\n").remove(0);
    let names: Vec<&str> = list.trim_start_matches("= ").lines().collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        let words = ["", " b", " b H8", " 15 15", " x y z", " b 1 1"];
        // These words would name files to be written.
        let words = &words[..if name == "printsgf" { 1 } else { words.len() }];
        for word in words.iter().filter(|_| name != "quit") {
            let input = format!("{name}{word}\n99 known_command {name}\n");
            let answers = answers(&input);
            assert_eq!(answers.len(), 2, "{input}: {answers:?}");
            assert_eq!(answers[1], "=99 true");
        }
    }
}

#[test]
fn moves_of_any_order_are_played_and_taken_back() {
    let input = "boardsize 9\nplay b J9\nplay BLACK a1\nplay w j9\nplay w k1\nplay q a2\n\
                 play w pass\nundo\nundo\ngogui-rules_side_to_move\nshowboard\n";
    let answers = answers(input);
    assert_eq!(
        answers[..9],
        [
            "=",
            "=",
            "=",
            "? illegal move: the point is taken",
            "? invalid color or coordinate",
            "? invalid color or coordinate",
            "=",
            "=",
            "=",
        ]
    );
    assert_eq!(answers[9], "= black");
    let board: Vec<&str> = answers[10].lines().collect();
    assert_eq!(board[0], "=");
    assert_eq!(board[1], "   A B C D E F G H J");
    assert_eq!(board[2], " 9 . . . . . . . . X 9");
    assert_eq!(board[12], "freestyle, black to move");
}

#[test]
fn a_won_game_is_given_up_or_passed() {
    let row = "play b A1\nplay b B1\nplay b C1\nplay b D1\nplay b E1\n";
    let input = format!(
        "{row}final_score\ngogui-rules_final_result\ngogui-rules_legal_moves\n\
         genmove w\ngenmove b\nreg_genmove w\nlz-genmove_analyze w\nundo\nundo\nfinal_score\n"
    );
    let answers = answers(&input);
    assert_eq!(
        answers[5..],
        [
            "= B+1",
            "= black",
            "=",
            "= resign",
            "= pass",
            "= resign",
            "=\nplay resign",
            "=",
            "=",
            "= 0",
        ]
    );
}

#[test]
fn a_full_board_is_a_draw() {
    let mut input = "boardsize 5\n".to_string();
    for y in 1..=5 {
        for (x, letter) in "ABCDE".chars().enumerate() {
            let color = if (x / 2 + y) % 2 == 0 { 'b' } else { 'w' };
            input += &format!("play {color} {letter}{y}\n");
        }
    }
    input += "genmove b\nfinal_score\ngogui-rules_final_result\nlz-analyze\nname\n";
    let answers = answers(&input);
    assert_eq!(answers[26..], ["= pass", "= 0", "= draw", "=", "= Tengen"]);
}

#[test]
fn renju_refuses_and_names_forbidden_points() {
    let shape = "play b F8\nplay w A1\nplay b G8\nplay w A15\nplay b H10\nplay w P1\nplay b H9\n\
                 play w P15\n";
    let input = format!(
        "{shape}gomoku-forbidden\nplay b H8\ngogui-rules_game_id\ngomoku-rules freestyle\n\
         gomoku-rules\nplay b H8\nkata-set-rules chinese\n"
    );
    let answers = answers_by(Rule::Renju, &input);
    assert_eq!(answers[8], "= H8");
    assert_eq!(answers[9], "? illegal move: forbidden for Black (33)");
    assert_eq!(answers[10..14], ["= renju", "=", "= freestyle", "="]);
    assert!(answers[14].starts_with("? unknown rule, use one of freestyle, "));
}

#[test]
fn the_engine_plays_a_whole_game() {
    for rule in [Rule::Freestyle, Rule::Renju] {
        let input = "boardsize 7\n".to_string() + &"genmove b\ngenmove w\n".repeat(26);
        let answers = answers_by(rule, &input);
        assert_eq!(answers.len(), 53);
        let last = answers.last().unwrap();
        assert!(["= resign", "= pass"].contains(&last.as_str()), "{last}");
        let mut seen = Vec::new();
        for answer in &answers[1..] {
            assert!(answer.starts_with("= "), "{answer}");
            let is_stone = !["= resign", "= pass"].contains(&answer.as_str());
            assert!(!(is_stone && seen.contains(&answer)), "{answer} twice");
            seen.push(answer);
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_moves() {
    let input = "play b H8\ngenmove w\ngenmove b\nreg_genmove w\nshowboard\n";
    assert_eq!(answers(input), answers(input));
}

#[test]
fn an_analysis_lasts_until_the_next_line() {
    let first = "play b H8\nlz-analyze w 10 maxmoves 3\n";
    for (next, last) in [
        ("\n", "=\n\n"),
        ("8 name\n", "=8 Tengen\n\n"),
        ("# x\n", "=\n\n"),
    ] {
        let text = writes(
            Rule::Freestyle,
            format!("{first}{next}quit\n"),
            Source::File,
        );
        assert_eq!(text[1], "=\n", "{next:?}");
        let end = text.iter().position(|text| text == "\n").expect("its end");
        assert!(
            text[2..end]
                .iter()
                .all(|line| line.starts_with("info move "))
        );
        assert_eq!(text[end + 1], last, "{next:?}");
    }
    // The end of the input also ends the search.
    let text = writes(Rule::Freestyle, first, Source::Manager);
    assert_eq!(text.last().map(String::as_str), Some("\n"));
}

/// The analysis begins only when the move is found; all lines have come by then.
#[test]
fn an_analysis_whose_end_has_come_ends() {
    for end in ["\n", "# interrupt\n", "7 version\n"] {
        let input = format!("play b H8\ngenmove w\nlz-analyze\n{end}8 name\n");
        assert_eq!(answers(&input).last().unwrap(), "=8 Tengen", "{end:?}");
    }
    let moves = "play b H8\n".to_string() + &"genmove w\nkata-analyze b 5\ngenmove b\n".repeat(5);
    assert_eq!(answers(&moves).len(), 16);
}

#[test]
fn a_move_may_show_its_candidates() {
    let input = "play b H8\n3 kata-genmove_analyze w 5 avoid w H9,J8 9\n4 name\n";
    let answers = answers(input);
    let lines: Vec<&str> = answers[1].lines().collect();
    assert_eq!(lines[0], "=3");
    let (vertex, infos) = (lines.last().unwrap(), &lines[1..lines.len() - 1]);
    assert!(!infos.is_empty() && infos.iter().all(|line| line.contains(" winrate 0.")));
    let best = infos.last().unwrap().split(' ').nth(2).unwrap();
    assert_eq!(*vertex, format!("play {best}"));
    assert!(!["H9", "J8"].contains(&best));
    assert_eq!(answers[2], "=4 Tengen");
}

#[test]
fn positions_are_set_up() {
    let input = "boardsize 9\ngogui-setup b A1 b B1 w C1\ngogui-setup_player w\n\
                 gogui-rules_side_to_move\ngogui-play_sequence w D1 b E1\ngogui-rules_board\n\
                 gogui-setup b F1\nundo\nundo\nundo\ngogui-play_sequence b A9 w\ngogui-rules_board_size\n\
                 rectangular_boardsize 9 7\ngogui-rules_board_size\n";
    let answers = answers(input);
    assert_eq!(answers[3], "= white");
    assert!(
        answers[5].ends_with("\nX X O O X . . . ."),
        "{}",
        answers[5]
    );
    assert_eq!(answers[6], "? no stone can be set up there");
    assert_eq!(answers[7..10], ["=", "=", "? cannot undo"]);
    assert_eq!(answers[10], "? invalid color or coordinate");
    assert_eq!(answers[11], "= 9");
    assert_eq!(answers[13], "? the board is no square");
}

#[test]
fn handicap_stones_are_blacks_and_white_begins() {
    let input = "fixed_handicap 4\nfixed_handicap 2\ngogui-rules_side_to_move\nundo\nplay w H8\n\
                 undo\ngogui-rules_board\nclear_board\nplace_free_handicap 9\nclear_board\n\
                 set_free_handicap H8 J9\ngogui-rules_side_to_move\nclear_board\n\
                 set_free_handicap H8 I9\nset_free_handicap H8 H8\nset_free_handicap H8\n\
                 set_free_handicap H8 pass\nfixed_handicap 10\nfixed_handicap x\nboardsize 20\n\
                 place_free_handicap 9\nboardsize 6\nfixed_handicap 2\n";
    let answers = answers(input);
    assert_eq!(
        answers[..6],
        [
            "= D4 M12 D12 M4",
            "? board not empty",
            "= white",
            "? cannot undo",
            "=",
            "="
        ]
    );
    assert_eq!(answers[6].matches('X').count(), 4);
    assert_eq!(answers[8].split(' ').count(), 10, "{}", answers[8]);
    assert_eq!(answers[10..12], ["=", "= white"]);
    assert_eq!(
        answers[13..19],
        [
            "? bad vertex list: this protocol has no column I, J follows H",
            "? bad vertex list",
            "? bad vertex list",
            "? bad vertex list",
            "? invalid number of stones",
            "? syntax error: no number",
        ]
    );
    assert_eq!(answers[20].split(' ').count(), 5, "{}", answers[20]);
    assert_eq!(answers[22], "? invalid number of stones");
}

#[test]
fn games_are_printed_written_and_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (file, theirs) = (path("my game.sgf"), path("theirs.sgf"));
    std::fs::write(&theirs, "(;GM[4]SZ[9]RU[renju];B[ee];W[ff];B[gg])").unwrap();
    let input = format!(
        "boardsize 13\ngogui-setup w A1\ngogui-setup_player b\nplay b H8\nplay w pass\n\
         play b J9\nprintsgf\nprintsgf {file}\nprintsgf {file}\nprintsgf {theirs}\nloadsgf\n\
         loadsgf {theirs} 3\ngogui-rules_board_size\ngomoku-rules\ngogui-rules_side_to_move\n\
         undo\nundo\nundo\nloadsgf {theirs} 99\ngogui-rules_side_to_move\nloadsgf {file}\n\
         printsgf -\nloadsgf {}\nloadsgf {}\n",
        path("none.sgf"),
        dir.path().display(),
    );
    let answers = answers(&input);
    let game = &answers[6];
    assert!(
        game.starts_with("= (;FF[4]GM[4]") && game.ends_with(')'),
        "{game}"
    );
    assert!(game.contains(";B[hf];W[];B[ie]"), "{game}");
    assert_eq!(answers[7..9], ["=", "="]);
    assert!(
        answers[9].starts_with("? cannot write file: "),
        "{answers:?}"
    );
    assert_eq!(answers[10], "? syntax error: no file");
    assert_eq!(answers[11..15], ["=", "= 9", "= renju", "= black"]);
    assert_eq!(answers[15..18], ["=", "=", "? cannot undo"]);
    assert_eq!(answers[18..21], ["=", "= white", "="]);
    // The rule of the file stays as well.
    assert_eq!(answers[21], *game);
    for answer in &answers[22..] {
        assert!(answer.starts_with("? cannot load file: "), "{answer}");
    }
    assert!(
        std::fs::read_to_string(theirs)
            .unwrap()
            .starts_with("(;GM[4]SZ[9]")
    );
}

#[test]
fn time_systems_have_names() {
    let systems = [
        "none",
        "absolute 300",
        "canadian 300 30 5",
        "byoyomi 300 30 5",
        "fischer 300 5.5",
        "fischer-capped 300 5 600 -1",
    ];
    let mut input = String::new();
    for system in systems {
        input += &format!("kata-time_settings {system}\nkgs-time_settings {system}\n");
    }
    input += "kata-time_settings sudden 5\nkata-time_settings absolute\nkata-time_settings\n\
              kata-list_time_settings\ncputime\ngenmove b\n";
    let answers = answers(&input);
    assert!(
        answers[..12].iter().all(|answer| answer == "="),
        "{answers:?}"
    );
    for answer in &answers[12..15] {
        assert!(
            answer.starts_with("? syntax error: use none, or absolute MAIN"),
            "{answer}"
        );
    }
    let names = "= none absolute canadian byoyomi fischer fischer-capped";
    assert_eq!(answers[15], names);
    assert!(
        answers[16][2..].parse::<f64>().unwrap() >= 0.0,
        "{answers:?}"
    );
}

#[test]
fn the_missing_column_is_explained() {
    let input = "play b I8\nplay b i8\nlz-analyze avoid b I8 1\ngogui-setup b I8\nplay b Z99\n";
    let answers = answers(input);
    let note = "this protocol has no column I, J follows H";
    assert!(
        answers[..4].iter().all(|answer| answer.ends_with(note)),
        "{answers:?}"
    );
    assert!(!answers[4].contains(note));
}

#[test]
fn clocks_are_told_in_seconds() {
    let input = "time_settings 300 30 5\ntime_left b 12.5 0\ntime_left w 1e99 3\n\
                 time_left b x 0\ntime_settings 1 2\ntime_settings nan 0 0\ntime_left w 1 -1\n";
    let answers = answers(input);
    assert_eq!(answers[..3], ["=", "=", "="]);
    assert!(
        answers[3..]
            .iter()
            .all(|answer| answer.starts_with("? syntax error"))
    );
}

#[test]
fn bad_bytes_and_long_lines_are_errors() {
    let mut input = b"\xff\xfe\x00\n1 ".to_vec();
    input.extend(b"x ".repeat(100_000));
    input.extend(b"\nplay b \xc3\x28\n\x1b[2Jname\nname\n");
    let text = writes(Rule::Freestyle, input, Source::File).concat();
    let answers: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!(
        answers,
        [
            "? unknown command",
            "? line longer than 65536 bytes",
            "? invalid color or coordinate",
            "? unknown command",
            "= Tengen",
        ]
    );
}

#[test]
fn a_session_without_patience_searches_nothing_after_its_end() {
    let begun = std::time::Instant::now();
    let input = "genmove b\n".to_string() + &"genmove w\ngenmove b\n".repeat(200) + "quit\n";
    let text = writes(Rule::Renju, input, Source::Manager).concat();
    let answers: Vec<&str> = text.trim_end().split("\n\n").collect();
    assert_eq!((answers.len(), answers[401]), (402, "="));
    assert!(answers[..401].iter().all(|answer| answer.starts_with("= ")));
    assert!(begun.elapsed() < Duration::from_secs(20));
}
