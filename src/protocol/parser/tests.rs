use super::*;
use crate::protocol::session::Dialect::Gomocup;
use crate::protocol::session::DuringSearch::Ok as OkInSearch;
use crate::protocol::session::Needs::Nothing;
use crate::protocol::text::first_word;
use crate::time::{Duration, Instant};

/// Words of a host, with the forms that the engine's own words lack.
#[rustfmt::skip]
const HOSTED: &[CommandSpec] = &[
    CommandSpec::new(&["QUOTE"],  Gomocup, OkInSearch, Nothing, Form::QuoteAndBlock, |_, _| Ok(())),
    CommandSpec::new(&["NUMBER"], Gomocup, OkInSearch, Nothing, Form::LineAndBlock(after_number), |_, _| Ok(())),
    CommandSpec::new(&["FILE"],   Gomocup, OkInSearch, Nothing, Form::Path, |_, _| Ok(())),
];

fn after_number(text: &str) -> Option<&str> {
    let (number, rest) = first_word(text);
    integer(number).map(|_| rest)
}

/// The requests of some lines as text.
fn parse(text: &str) -> Vec<String> {
    let mut parser = Parser::new(Commands::new(&[HOSTED]));
    let mut requests = Vec::new();
    for line in text.split('\n') {
        parser.line(line.as_bytes(), &mut |request| {
            requests.push(format!("{request:?}"));
        });
    }
    requests
}

/// A line that is no command, or a block without sense.
const IGNORED: &str = "-";

#[test]
fn a_word_and_its_arguments_have_several_spellings() {
    for (text, arguments) in [
        ("START 15", "15"),
        ("start 15\r", "15"),
        ("  Start\t15 ", "15"),
        ("start 15 15", "15 15"),
        ("\u{feff}START 15", "15"),
    ] {
        assert_eq!(parse(text), [format!("START {arguments:?}")], "{text}");
    }
    assert_eq!(parse("start"), ["START"]);
}

#[test]
fn blocks_have_two_layouts() {
    let expected = ["BOARD 7,7,1 8,8,2"];
    for text in [
        "BOARD\n7,7,1\n8,8,2\nDONE",
        "board 7,7,1 8,8,2 done",
        "Board 7,7,1\n\n 8 , 8 , 2 \nDone",
        "BOARD\n7,7,1 8,8,2\nnonsense 1\nDONE",
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
    assert_eq!(
        parse("YXBOARD DONE YXNBEST 3"),
        ["YXBOARD", "YXNBEST \"3\""]
    );
}

#[test]
fn a_lost_done_does_not_hold_the_engine() {
    assert_eq!(parse("BOARD\n7,7,1\nSTART 20"), ["START \"20\""]);
    assert_eq!(parse("BOARD\n7,7,1\nend"), ["END"]);
    assert_eq!(parse("YXHASHDUMP\nend"), ["END"]);
}

#[test]
fn paths_stand_here_or_on_the_next_line() {
    let dump = |path: &str| [format!("YXHASHDUMP {path:?}")];
    assert_eq!(parse("yxhashdump C:\\A b"), dump("C:\\A b"));
    assert_eq!(parse("yxhashdump\n\n/tmp/START 15"), dump("/tmp/START 15"));
    assert_eq!(parse("yxhashdump \"my file\""), dump("my file"));
    assert_eq!(parse("FILE\n7,7"), ["FILE \"7,7\""]);
    assert_eq!(parse("RELOADCONFIG\nSTOP").pop().unwrap(), "STOP");
}

#[test]
fn values_keep_their_letter_case() {
    let requests = parse("info FOLDER  C:\\Users\\My Files ");
    assert_eq!(requests, [r#"INFO "FOLDER  C:\\Users\\My Files""#]);
}

#[test]
fn remains_of_unknown_blocks_are_ignored() {
    let commands = parse("FROBNICATE\n7,7\n 7 , 7 , 1\nDONE");
    assert_eq!(commands[0], "- \"FROBNICATE\"");
    assert_eq!(commands[1..], [IGNORED; 3]);
    let text = "NUMBER all done here\n7,7\nDONE";
    assert_eq!(parse(text), [IGNORED]);
}

/// With more commands on one line than a recursive parser has stack for.
#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn a_line_may_hold_many_blocks() {
    let line = "YXBOARD 7,7,1 DONE ".repeat(50_000);
    let commands = parse(&line);
    assert_eq!(commands.len(), 50_000);
    assert_eq!(commands[49_999], "YXBOARD 7,7,1");
}

#[test]
fn heads_carry_their_arguments_in_both_layouts() {
    for (head, text) in [
        ("number 5", "5"),
        ("QUOTE \"all done here\"", "all done here"),
        (r#"QUOTE "a \"b\" \\c""#, r#"a "b" \c"#),
        ("QUOTE \"two\nlines: 1,1\nDONE\"", "two\nlines: 1,1\nDONE"),
        ("QUOTE \"a\\\n\\\"b\"", "a\n\"b"),
        (r#"QUOTE "a\nb\tc\\n""#, "a\nb\tc\\n"),
    ] {
        let (word, _) = split_word(head);
        let wanted = [format!("{word} {text:?} 7,7 8,6")];
        assert_eq!(parse(&format!("{head}\n7,7\n8,6\ndone")), wanted, "{head}");
        assert_eq!(parse(&format!("{head} 7,7 8,6 DONE")), wanted, "{head}");
    }
}

/// A parser that reads the text again for each line takes minutes for this.
#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn a_text_that_never_ends_costs_linear_time() {
    let begun = Instant::now();
    let text = format!("QUOTE \"\n{}END", "a\n".repeat(400_000));
    assert_eq!(parse(&text), ["END"]);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes under Miri")]
fn a_text_that_is_too_long_is_one_error() {
    let line = "a".repeat(1_000);
    let text = format!("QUOTE \"{}", format!("{line}\n").repeat(5_000));
    let too_long = "- \"text longer than 1048576 bytes\"";
    assert_eq!(parse(&format!("{text}END")), [too_long, "END"]);
    let commands = parse(&format!("{text}\"\n7,7\nDONE\nABOUT"));
    assert_eq!(commands, [too_long, IGNORED, "ABOUT"]);
}

#[test]
fn heads_without_sense_swallow_their_block() {
    for head in ["NUMBER none", "QUOTE none"] {
        for text in [format!("{head}\n7,7\nDONE"), format!("{head} 7,7 DONE")] {
            assert_eq!(parse(&text), [IGNORED], "{text}");
        }
    }
}

#[test]
fn stones_offered_follow_their_block() {
    let text = "RIFSTEP5 7,7 7,6 7,8 6,8 DONE 3,3\n3,4 DONE YXNBEST 2";
    let commands = parse(text);
    assert_eq!(commands.len(), 2);
    assert_eq!(commands[0], "RIFSTEP5 7,7 7,6 7,8 6,8 3,3 3,4");
    assert_eq!(commands[1], "YXNBEST \"2\"");
    let cut_short = parse("RIFSTEP5 7,7 7,6 7,8 6,8 PLAY 3,3\nYXBOARD 7,7,1 DONE");
    assert_eq!(cut_short.len(), 2);
    assert_eq!(cut_short[1], "YXBOARD 7,7,1");
}

/// The request is refused at once, before the next line comes.
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
        assert_eq!(commands[0], "TARAGUCHISTEP4 7,7 7,6 7,8 6,8");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_unknown_word() {
    let mut commands = Vec::new();
    Parser::default().line(b"\xff\xfe\x00 7", &mut |c| commands.push(c));
    assert_eq!(format!("{commands:?}"), "[- \"\u{fffd}\u{fffd}\\0\"]");
}

/// The author of a file with an open text learns why nothing was done.
#[test]
fn a_text_that_the_file_leaves_open_is_named() {
    let mut parser = Parser::new(Commands::new(&[HOSTED]));
    let mut requests = Vec::new();
    parser.line(b"QUOTE \"a", &mut |request| requests.push(request));
    parser.file_over(&mut |request| requests.push(request));
    let named = "- \"the file ends inside a text in quotes\"";
    assert_eq!(format!("{requests:?}"), format!("[{named}]"));
}

#[test]
fn a_path_may_be_of_any_bytes() {
    for line in [
        &b"yxhashdump \xff 1\n"[..],
        b"\xef\xbb\xbf YXHASHDUMP  \"\xff 1\" \n",
        b"YXHASHDUMP\n\xff 1\n",
    ] {
        let mut paths = Vec::new();
        let mut parser = Parser::default();
        for line in line.split(|byte| *byte == b'\n') {
            parser.line(line, &mut |request| {
                paths.push(request.path().to_path_buf())
            });
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let expected = std::path::Path::new(std::ffi::OsStr::from_bytes(b"\xff 1"));
            assert_eq!(paths, [expected]);
        }
        #[cfg(not(unix))]
        assert_eq!(paths.len(), 1);
    }
}
