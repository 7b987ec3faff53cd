//! The arguments that stand before the block of a database command. Each function returns them with
//! the text after them, or `None` if they make no sense.

use crate::{Selection, Verdict};
use tengen::protocol::text::{Coord, first_word, integer};

/// The changes of `YXEDITTVDDATABASE` to a record; `None` leaves a field as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordEdit {
    /// The code of a character; any other number clears the label.
    pub label: Option<i64>,
    /// For the player who made the last move.
    pub value: Option<i64>,
    /// In plies.
    pub depth: Option<i64>,
}

/// `mask label value depth`; of the mask's bits 1 is the label, 2 the value, 4 the depth.
pub fn record_edit(text: &str) -> Option<(RecordEdit, &str)> {
    let mut rest = text;
    let mut numbers = [0; 4];
    for number in &mut numbers {
        let (word, after) = first_word(rest);
        *number = integer(word)?;
        rest = after;
    }
    let [mask, label, value, depth] = numbers;
    let wanted = |bit, number| (mask & bit != 0).then_some(number);
    let edit = RecordEdit {
        label: wanted(1, label),
        value: wanted(2, value),
        depth: wanted(4, depth),
    };
    Some((edit, rest))
}

/// The text after the four numbers.
pub fn after_record_edit(text: &str) -> Option<&str> {
    Some(record_edit(text)?.1)
}

/// A text for a cell (`YXEDITLABELDATABASE`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellText {
    /// The cell.
    pub at: Coord,
    /// The new text; empty to remove the present one.
    pub text: String,
}

/// `x,y text`.
pub fn cell_text(text: &str) -> Option<(CellText, &str)> {
    let (word, after) = first_word(text);
    let at = Coord::parse(word).filter(|_| word.contains(','))?;
    let (text, behind) = first_word(after);
    // Without a text the block begins here.
    let is_text = !text.is_empty() && Coord::parse(text).is_none() && !is_done(text);
    let (text, rest) = if is_text { (text, behind) } else { ("", after) };
    let text = text.to_string();
    Some((CellText { at, text }, rest))
}

/// The text after the cell and its text.
pub fn after_cell_text(text: &str) -> Option<&str> {
    Some(cell_text(text)?.1)
}

/// The kind of positions to delete (`YXDELETEDATABASEALL`), with `RECURSIVE` at its end or as the
/// next word, and for `WLINSTEP` the number of plies. Without arguments all positions that follow
/// are selected.
pub fn selection(text: &str) -> Option<(Selection, &str)> {
    let (word, rest) = first_word(text);
    if word.is_empty() || word.contains(',') || is_done(word) {
        let all = Selection {
            verdict: Verdict::Any,
            is_recursive: true,
        };
        return Some((all, text));
    }
    let word = word.to_ascii_uppercase();
    let (kind, joined) = match word.strip_suffix("RECURSIVE") {
        Some(kind) => (kind, true),
        None => (&*word, false),
    };
    let (next, behind) = first_word(rest);
    let (is_recursive, rest) = if next.eq_ignore_ascii_case("RECURSIVE") {
        (true, behind)
    } else {
        (joined, rest)
    };
    let (number, behind) = first_word(rest);
    let (verdict, rest) = match kind {
        "NONWL" => (Verdict::NotWinOrLoss, rest),
        "NONWLD" => (Verdict::NotDecided, rest),
        "W" => (Verdict::Win, rest),
        "L" => (Verdict::Loss, rest),
        "WL" => (Verdict::WinOrLoss, rest),
        "WLD" => (Verdict::Decided, rest),
        "WLNOSTEP" => (Verdict::WithoutPlies, rest),
        "WLINSTEP" => {
            let plies = u32::try_from(integer(number)?).ok()?;
            (Verdict::WithinPlies(plies), behind)
        }
        _ => return None,
    };
    let selection = Selection {
        verdict,
        is_recursive,
    };
    Some((selection, rest))
}

/// The text after the kind of positions.
pub fn after_selection(text: &str) -> Option<&str> {
    Some(selection(text)?.1)
}

fn is_done(word: &str) -> bool {
    word.eq_ignore_ascii_case("DONE")
}

#[cfg(test)]
mod tests {
    use tengen::protocol::{Commands, commands_as_text};

    use super::*;
    use crate::commands::COMMANDS;

    fn parse(text: &str) -> Vec<String> {
        let mut requests = commands_as_text(Commands::new(&[COMMANDS]), text.as_bytes());
        assert_eq!(requests.pop().as_deref(), Some("END"));
        requests
    }

    #[test]
    fn heads_carry_their_arguments_in_both_layouts() {
        for (head, arguments) in [
            ("YXEDITTVDDATABASE 5 87 0 12", "5 87 0 12"),
            ("YXEDITLABELDATABASE 3,4 A1", "3,4 A1"),
            ("YXEDITLABELDATABASE 3,4 ", "3,4"),
            ("YXEDITTEXTDATABASE \"all done here\"", "all done here"),
            ("YXDELETEDATABASEALL wl", "wl"),
            (
                "YXDELETEDATABASEALL wlinsteprecursive 9",
                "wlinsteprecursive 9",
            ),
            ("YXDELETEDATABASEALL WLD RECURSIVE", "WLD RECURSIVE"),
        ] {
            let word = head.split(' ').next().unwrap();
            let wanted = [format!("{word} {arguments:?} 7,7 8,6")];
            assert_eq!(parse(&format!("{head}\n7,7\n8,6\ndone")), wanted, "{head}");
            assert_eq!(parse(&format!("{head} 7,7 8,6 DONE")), wanted, "{head}");
        }
        for word in [
            "YXDELETEDATABASEALL",
            "YXDELETEDATABASEONE",
            "YXQUERYDATABASEALLT",
        ] {
            let wanted = [format!("{word} 7,7 8,6")];
            assert_eq!(parse(&format!("{word} 7,7 8,6 DONE")), wanted);
        }
    }

    #[test]
    fn heads_without_sense_swallow_their_block() {
        for head in [
            "YXEDITTVDDATABASE 1 W 0 0",
            "YXEDITTEXTDATABASE none",
            "YXEDITLABELDATABASE A",
            "YXEDITLABELDATABASE all done here",
            "YXDELETEDATABASEALL everything",
            "YXDELETEDATABASEALL WLINSTEP",
        ] {
            for text in [format!("{head}\n7,7\nDONE"), format!("{head} 7,7 DONE")] {
                assert_eq!(parse(&text), ["-"], "{text}");
            }
        }
    }

    #[test]
    fn arguments_are_read() {
        let edit = RecordEdit {
            label: Some(87),
            value: None,
            depth: Some(12),
        };
        assert_eq!(record_edit("5 87 0 12"), Some((edit, "")));
        let cell = |text: &str| CellText {
            at: Coord { x: 3, y: 4 },
            text: text.to_string(),
        };
        assert_eq!(cell_text("3,4 A1"), Some((cell("A1"), "")));
        assert_eq!(cell_text("3,4"), Some((cell(""), "")));
        for (text, verdict, is_recursive) in [
            ("", Verdict::Any, true),
            ("wl", Verdict::WinOrLoss, false),
            ("wlinsteprecursive 9", Verdict::WithinPlies(9), true),
            ("WLD RECURSIVE", Verdict::Decided, true),
        ] {
            let wanted = Selection {
                verdict,
                is_recursive,
            };
            assert_eq!(selection(text), Some((wanted, "")), "{text}");
        }
    }
}
