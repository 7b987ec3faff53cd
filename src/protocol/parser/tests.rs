use crate::time::{Duration, Instant};

use super::super::arguments::{BoardSize, Setting};
use super::super::database_arguments::{CellText, RecordEdit};
use super::super::text::Coord;
use super::*;
use crate::database::{Selection, Verdict};

/// The commands of some lines, each as its first word and its arguments.
fn parse(text: &str) -> Vec<String> {
    let mut parser = Parser::default();
    let mut commands = Vec::new();
    for line in text.split('\n') {
        parser.line(line.as_bytes(), &mut |command| {
            commands.push(format!("{command:?}"));
        });
    }
    commands
}

fn shown(word: &str, arguments: impl std::fmt::Debug) -> String {
    format!("{word} {arguments:?}")
}

/// A line that is no command, or a block without sense.
const IGNORED: &str = "- ()";

fn entry(x: i64, y: i64, field: i64) -> BoardEntry {
    BoardEntry {
        at: Coord { x, y },
        field: Some(field),
    }
}

fn square(word: &str, n: i64, asked: &str) -> String {
    let size = BoardSize {
        width: n,
        height: n,
        asked: asked.to_string(),
    };
    shown(word, size)
}

#[test]
fn start_has_several_spellings() {
    for (text, asked) in [
        ("START 15", "15"),
        ("start 15\r", "15"),
        ("  Start\t15 ", "15"),
        ("start 15 15", "15x15"),
        ("start 15,15", "15x15"),
        ("\u{feff}START 15", "15"),
    ] {
        assert_eq!(parse(text), [square("START", 15, asked)], "{text}");
    }
    assert_eq!(
        parse("RECTSTART 15 ,15"),
        [square("RECTSTART", 15, "15x15")]
    );
    for text in ["START", "START abc", "RECTSTART 15", "START 15 abc"] {
        let commands = parse(text);
        assert_eq!(commands.len(), 1);
        assert!(commands[0].contains(" \"bad size"), "{commands:?}");
    }
}

#[test]
fn blocks_have_two_layouts() {
    let expected = [shown("BOARD", [entry(7, 7, 1), entry(8, 8, 2)])];
    for text in [
        "BOARD\n7,7,1\n8,8,2\nDONE",
        "board 7,7,1 8,8,2 done",
        "Board 7,7,1\n\n 8 , 8 , 2 \nDone",
        "BOARD\n7,7,1 8,8,2\nnonsense 1\nDONE",
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
    assert_eq!(parse("YXBOARD DONE YXNBEST 3"), ["YXBOARD []", "YXNBEST 3"]);
}

#[test]
fn a_lost_done_does_not_hold_the_engine() {
    assert_eq!(parse("BOARD\n7,7,1\nSTART 20"), [square("START", 20, "20")]);
    assert_eq!(parse("BOARD\n7,7,1\nend"), ["END ()"]);
    assert_eq!(parse("YXHASHDUMP\nend"), ["END ()"]);
}

#[test]
fn paths_stand_here_or_on_the_next_line() {
    let dump = |path: &str| [shown("YXHASHDUMP", path)];
    assert_eq!(parse("yxhashdump C:\\A b"), dump("C:\\A b"));
    assert_eq!(parse("yxhashdump\n\n/tmp/START 15"), dump("/tmp/START 15"));
    assert_eq!(parse("yxhashdump \"my file\""), dump("my file"));
    assert_eq!(parse("YXSETDATABASE\n7,7"), [shown("YXSETDATABASE", "7,7")]);
    assert_eq!(parse("RELOADCONFIG\nSTOP").pop().unwrap(), "STOP ()");
}

#[test]
fn values_keep_their_letter_case() {
    assert_eq!(
        parse("info FOLDER  C:\\Users\\My Files "),
        [shown(
            "INFO",
            Setting {
                key: "folder".to_string(),
                value: "C:\\Users\\My Files".to_string()
            }
        )]
    );
    assert_eq!(
        parse("INFO"),
        [shown(
            "INFO",
            Setting {
                key: String::new(),
                value: String::new()
            }
        )]
    );
}

#[test]
fn remains_of_unknown_blocks_are_ignored() {
    let commands = parse("FROBNICATE\n7,7\n 7 , 7 , 1\nDONE");
    assert_eq!(commands[0], "- \"FROBNICATE\"");
    assert_eq!(commands[1..], [IGNORED; 3]);
    let text = "YXEDITLABELDATABASE all done here\n7,7\nDONE";
    assert_eq!(parse(text), [IGNORED]);
}

/// More commands on a line than a recursive parser has stack for.
#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn a_line_may_hold_many_blocks() {
    let line = "YXBOARD 7,7,1 DONE ".repeat(50_000);
    let commands = parse(&line);
    assert_eq!(commands.len(), 50_000);
    assert_eq!(commands[49_999], shown("YXBOARD", [entry(7, 7, 1)]));
}

#[test]
fn database_heads_carry_their_arguments_in_both_layouts() {
    let moves = [(7, 7), (8, 6)].map(|(x, y)| BoardEntry {
        at: Coord { x, y },
        field: None,
    });
    let edit = RecordEdit {
        label: Some(87),
        value: None,
        depth: Some(12),
    };
    let cell = |text: &str| {
        let text = text.to_string();
        let at = Coord { x: 3, y: 4 };
        shown("YXEDITLABELDATABASE", (CellText { at, text }, &moves))
    };
    let after = |verdict, is_recursive| {
        let selection = Selection {
            verdict,
            is_recursive,
        };
        shown("YXDELETEDATABASEALL", (selection, &moves))
    };
    let comment = |text: &str| shown("YXEDITTEXTDATABASE", (text, &moves));
    for (head, wanted) in [
        (
            "yxedittvddatabase 5 87 0 12",
            shown("YXEDITTVDDATABASE", (edit, &moves)),
        ),
        ("YXEDITLABELDATABASE 3,4 A1", cell("A1")),
        ("YXEDITLABELDATABASE 3,4 ", cell("")),
        ("yxdeletedatabaseone", shown("YXDELETEDATABASEONE", moves)),
        ("yxdeletedatabaseall", after(Verdict::Any, true)),
        ("yxdeletedatabaseall wl", after(Verdict::WinOrLoss, false)),
        (
            "yxdeletedatabaseall wlinsteprecursive 9",
            after(Verdict::WithinPlies(9), true),
        ),
        (
            "YXEDITTEXTDATABASE \"all done here\"",
            comment("all done here"),
        ),
        (
            r#"YXEDITTEXTDATABASE "a \"b\" \\c""#,
            comment(r#"a "b" \c"#),
        ),
        (
            "YXEDITTEXTDATABASE \"two\nlines: 1,1\nDONE\"",
            comment("two\nlines: 1,1\nDONE"),
        ),
        ("YXEDITTEXTDATABASE \"a\\\n\\\"b\"", comment("a\n\"b")),
        (r#"YXEDITTEXTDATABASE "a\nb\tc\\n""#, comment("a\nb\tc\\n")),
        (
            "YXDELETEDATABASEALL WLD RECURSIVE",
            after(Verdict::Decided, true),
        ),
        ("yxquerydatabaseallt", shown("YXQUERYDATABASEALLT", moves)),
    ] {
        let wanted = [wanted];
        assert_eq!(parse(&format!("{head}\n7,7\n8,6\ndone")), wanted, "{head}");
        assert_eq!(parse(&format!("{head} 7,7 8,6 DONE")), wanted, "{head}");
    }
}

/// A parser that reads the text again with each line takes minutes for this.
#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn a_text_that_never_ends_costs_linear_time() {
    let begun = Instant::now();
    let text = format!("YXEDITTEXTDATABASE \"\n{}END", "a\n".repeat(400_000));
    assert_eq!(parse(&text), ["END ()"]);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn a_text_that_is_too_long_is_one_error() {
    let line = "a".repeat(1_000);
    let text = format!("YXEDITTEXTDATABASE \"{}", format!("{line}\n").repeat(5_000));
    let too_long = "- \"text longer than 1048576 bytes\"";
    assert_eq!(parse(&format!("{text}END")), [too_long, "END ()"]);
    let commands = parse(&format!("{text}\"\n7,7\nDONE\nABOUT"));
    assert_eq!(commands, [too_long, IGNORED, "ABOUT ()"]);
}

#[test]
fn heads_without_sense_swallow_their_block() {
    for head in [
        "YXEDITTVDDATABASE 1 W 0 0",
        "YXEDITTEXTDATABASE none",
        "YXEDITLABELDATABASE A",
        "YXDELETEDATABASEALL everything",
        "YXDELETEDATABASEALL WLINSTEP",
    ] {
        for text in [format!("{head}\n7,7\nDONE"), format!("{head} 7,7 DONE")] {
            assert_eq!(parse(&text), [IGNORED], "{text}");
        }
    }
}

#[test]
fn extension_words_are_known() {
    assert!(parse("yxswap2step2")[0].starts_with("YXSWAP2STEP2 OpeningRequest"));
    assert_eq!(parse("yxquerydatabaseall\ndone"), ["YXQUERYDATABASEALL []"]);
    assert_eq!(parse("yxbalancetwo -50"), ["YXBALANCETWO -50"]);
    assert_eq!(parse("yxnbest -3"), ["YXNBEST 1"]);
    assert_eq!(parse("yxsearchdefend"), ["YXSEARCHDEFEND ()"]);
}

#[test]
fn stones_offered_follow_their_block() {
    let text = "RIFSTEP5 7,7 7,6 7,8 6,8 DONE 3,3\n3,4 DONE YXNBEST 2";
    let commands = parse(text);
    assert_eq!(commands.len(), 2);
    assert_eq!(commands[0].matches("Coord").count(), 6);
    assert_eq!(commands[1], "YXNBEST 2");
    let cut_short = parse("RIFSTEP5 7,7 7,6 7,8 6,8 PLAY 3,3\nYXBOARD 7,7,1 DONE");
    assert_eq!(cut_short.len(), 2);
    assert_eq!(cut_short[1], shown("YXBOARD", [entry(7, 7, 1)]));
}

/// The request is refused at once, not when the next line comes.
#[test]
fn no_offer_is_awaited_after_another_number_of_stones() {
    for stones in ["", "7,7 7,6 7,8 ", "7,7 7,6 7,8 6,8 3,3 "] {
        let commands = parse(&format!("YAMAGUCHISTEP5 3 {stones}DONE"));
        assert_eq!(commands.len(), 1, "{stones}");
    }
}

#[test]
fn a_cell_after_an_opening_s_word_is_no_number() {
    for stones in ["7,7 7,6 7,8 6,8", "7 , 7 7 , 6 7 , 8 6 , 8"] {
        let commands = parse(&format!("TARAGUCHISTEP4 {stones} DONE"));
        assert_eq!(commands.len(), 1, "{stones}");
        assert!(commands[0].contains("number: None"), "{commands:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_unknown_word() {
    let mut commands = Vec::new();
    Parser::default().line(b"\xff\xfe\x00 7", &mut |c| commands.push(c));
    assert_eq!(format!("{commands:?}"), "[- \"\u{fffd}\u{fffd}\\0\"]");
}
