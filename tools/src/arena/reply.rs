//! The lines that answer a request for a move.

/// An engine's answer to a request for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `x,y` as written, perhaps off the board.
    Move(i32, i32),
    /// `-1,-1` (as Rapfi writes it in blocks) or `PASS`.
    Pass,
    /// `CLAIM`, or `CLAIM x,y`: the opponent's stone there, or his last one, was a foul.
    Claim(Option<(i32, i32)>),
}

impl Reply {
    /// Reads a line; `None` if the line answers no request for a move.
    pub fn parse(line: &str) -> Option<Reply> {
        let line = line.trim();
        if line.eq_ignore_ascii_case("PASS") {
            return Some(Reply::Pass);
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word.eq_ignore_ascii_case("CLAIM") {
            return match rest.trim() {
                "" => Some(Reply::Claim(None)),
                point => parse_pair(point).map(|p| Reply::Claim(Some(p))),
            };
        }
        match parse_pair(line)? {
            (-1, -1) => Some(Reply::Pass),
            (x, y) => Some(Reply::Move(x, y)),
        }
    }
}

/// An engine's answer to a request for a step of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningReply {
    /// `SWAP`: the engine takes the side not to move.
    Swap,
    /// Cells as written, perhaps off the board, and a number of fifth stones behind them.
    Points(Vec<(i32, i32)>, Option<u32>),
    /// `PASS`.
    Pass,
}

impl OpeningReply {
    /// Reads a line; `None` if the line answers no request for a step.
    pub fn parse(line: &str) -> Option<OpeningReply> {
        let line = line.trim().to_ascii_uppercase();
        match line.split_whitespace().next()? {
            "SWAP" => return Some(OpeningReply::Swap),
            "PASS" => return Some(OpeningReply::Pass),
            _ => {}
        }
        let parts: Vec<&str> = line.split(',').map(str::trim).collect();
        let line = parts.join(",");
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let number = words.last().and_then(|word| word.parse().ok());
        if number.is_some() {
            words.pop();
        }
        let cells: Option<Vec<(i32, i32)>> = words.into_iter().map(parse_pair).collect();
        cells
            .filter(|cells| !cells.is_empty())
            .map(|cells| OpeningReply::Points(cells, number))
    }
}

fn parse_pair(text: &str) -> Option<(i32, i32)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_an_opening_are_told_from_other_lines() {
        use OpeningReply::{Pass, Points, Swap};
        let read = OpeningReply::parse;
        assert_eq!(read("swap"), Some(Swap));
        assert_eq!(read("PASS"), Some(Pass));
        assert_eq!(read("7,7"), Some(Points(vec![(7, 7)], None)));
        assert_eq!(
            read("7,7 8 , 8 3"),
            Some(Points(vec![(7, 7), (8, 8)], Some(3)))
        );
        assert_eq!(read("-1,-1"), Some(Points(vec![(-1, -1)], None)));
        for other in ["", "OK", "3", "7,7 x", "MESSAGE 7,7", "7,7,1 8,8,2"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn answers_are_told_from_other_lines() {
        assert_eq!(Reply::parse("7,8"), Some(Reply::Move(7, 8)));
        assert_eq!(Reply::parse(" 7 , 8 "), Some(Reply::Move(7, 8)));
        assert_eq!(Reply::parse("99,-3"), Some(Reply::Move(99, -3)));
        assert_eq!(Reply::parse("-1,-1"), Some(Reply::Pass));
        assert_eq!(Reply::parse("claim 7,7"), Some(Reply::Claim(Some((7, 7)))));
        assert_eq!(Reply::parse("CLAIM"), Some(Reply::Claim(None)));
        for other in [
            "",
            "OK",
            "7",
            "7,",
            "7,8,1",
            "7,8 9,9",
            "MESSAGE 7,7",
            "claim h8",
        ] {
            assert_eq!(Reply::parse(other), None, "{other}");
        }
    }
}
