use super::*;
use tengen::rules::Rule;
use tengen::types::{Color, Point};

fn one(text: &str) -> Result<Case, String> {
    let mut entries = parse("file", text).map_err(|error| error.to_string())?;
    assert_eq!(entries.len(), 1);
    Ok(entries.remove(0).case)
}

#[test]
fn stones_may_be_unbalanced_and_the_last_is_put_last() {
    let line = "standard\t15\tblack:1,1;7,7;3,3\twhite:\tlast:7,7\twinner:none\tname:x";
    let Ok(Case::Win(case)) = one(line) else {
        panic!("not a win case");
    };
    assert_eq!(case.board.stones().len(), 3);
    assert_eq!(case.board.last().unwrap().point, Point::new(7, 7));
    assert_eq!(case.board.side_to_move(), Color::White);
    assert_eq!((case.strict, case.name.as_str()), (None, "x"));
}

#[test]
fn claims_are_told_apart() {
    let claim = |text: &str| match one(&format!(
        "id\trenju\t15\tw\t7,7 8,8\t6,6\t{text}\tc\td\tsrc=a;pv=1,1 2,2 3,3"
    ))? {
        Case::Tactic(case) => {
            assert_eq!(case.board.side_to_move(), Color::White);
            assert_eq!(case.line.len(), 3);
            Ok::<_, String>(case.claim)
        }
        other => panic!("{other:?}"),
    };
    let win = |fours, minimal| Ok(Claim::VcfWin { fours, minimal });
    assert_eq!(claim("vcf_win 4"), win(4, true));
    assert_eq!(claim("vcf_win <=9"), win(9, false));
    assert_eq!(claim("vcf_none"), Ok(Claim::VcfNone));
    assert_eq!(claim("vct_win <=9"), Ok(Claim::VctWin { plies: Some(9) }));
    assert_eq!(claim("vct_win ?"), Ok(Claim::VctWin { plies: None }));
    let moves = vec![Point::new(9, 9), Point::new(5, 4)];
    assert_eq!(claim("defend 9,9 5,4"), Ok(Claim::Defend(moves)));
    for bad in ["vcf_win", "vcf_win x", "vct_win 9", "vcf_none 3", "", "win"] {
        assert!(claim(bad).unwrap_err().contains("expected a claim"));
    }
    assert!(claim("defend 7,7").unwrap_err().contains("not free"));
}

#[test]
fn plain_positions_keep_the_order_of_play() {
    let Ok(Case::Position(case)) = one("a | caro | 20x15 | h8 i9 0,0 | a game") else {
        panic!("not a position");
    };
    assert_eq!((case.board.width(), case.board.height()), (20, 15));
    assert_eq!(case.rule, Rule::Caro);
    assert_eq!(case.board.last().unwrap().point, Point::new(0, 0));
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let good = "renju\t15\tblack:7,7\twhite:8,8\tforbidden:";
    assert!(one(good).is_ok());
    for (bad, message) in [
        ("renju 15", "expected a line such as"),
        (
            "renju\t15\tblack:7,7\tforbidden:",
            "expected a column 'white:",
        ),
        ("renju\t15\tblack:7,7\twhite:7,7\tforbidden:", "7,7 has two"),
        ("renju\t15\tblack:7,15\twhite:\tforbidden:", "off the 15x15"),
        ("renju\t15\tblack:-1,3\twhite:\tforbidden:", "off the 15x15"),
        ("renju\t15\tblack:7\twhite:\tforbidden:", "expected a point"),
        (
            "renju\t4\tblack:\twhite:\tforbidden:",
            "unsupported size 4x4",
        ),
        ("rengo\t15\tblack:\twhite:\tforbidden:", "unknown rule"),
        (
            "caro\t15\tblack:\twhite:\tforbidden:",
            "expected the rule renju",
        ),
        ("renju\t15\tblack:7,7\twhite:\tforbidden:7,7=33", "not free"),
        (
            "renju\t15\tblack:7,7\twhite:\tforbidden:7,8=34",
            "expected kinds",
        ),
        (
            "renju\t15\tblack:\twhite:\tforbidden:\tforbiden:",
            "unexpected column",
        ),
        (
            "caro\t15\tblack:7,7\twhite:\tlast:7,8\twinner:none",
            "not among",
        ),
        (
            "caro\t15\tblack:7,7\twhite:7,7\tlast:7,7\twinner:none",
            "two",
        ),
        (
            "caro\t15\tblack:7,7\twhite:\tlast:7,7\twinner:me",
            "none, black or",
        ),
        ("id\trenju\t15\tb\t7,7", "expected 10 columns"),
        (
            "id\trenju\t15\tx\t\t\tvcf_none\t\t\t",
            "side to move, b or w",
        ),
        ("a | caro | 15 | h8 h8 | s", "already taken"),
        ("a | caro | 15 | h8", "expected 5 columns"),
    ] {
        let error = one(&format!("# head\n\n{bad}")).unwrap_err();
        assert!(error.starts_with("file:3: "), "{error}");
        assert!(error.contains(message), "{bad}: {error}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    for text in ["a | caro | 15 | h8 | s", "# head\na | caro | 15 | h8 | s"] {
        let lines = parse("file", &format!("\u{feff}{text}")).unwrap();
        assert_eq!(lines.len(), 1, "{text}");
        let Case::Position(case) = &lines[0].case else {
            panic!("{lines:?}");
        };
        assert_eq!(case.id, "a");
    }
}
