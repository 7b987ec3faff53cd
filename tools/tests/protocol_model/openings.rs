//! Steps of openings: their possible answers, and the board afterwards.

use tengen::board::Board;
use tengen::types::Point;

use crate::answers::cells;
use crate::command::Entry;
use crate::conversation::{Trouble, wrong};

/// A permitted answer to a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// The other colour is taken.
    Swap,
    /// That many moves; they stand on the board afterwards.
    Moves(usize),
    /// That many moves, and a number of fifth stones.
    MovesAndNumber(usize),
    /// That many fifth stones to choose from; they do not stand on the board.
    Offer(usize),
    /// Lines of Yixin-Board, one for each of these heads. Yixin-Board sends the board again
    /// afterwards.
    Lines(&'static [&'static str]),
}

use Form::{Lines, Moves, MovesAndNumber, Offer, Swap};

const YIXIN_SWAP2_OF_THREE: &[&[&str]] = &[
    &["SWAP2 SWAP1 YES"],
    &["SWAP2 SWAP1 NO"],
    &["SWAP2 MOVE4 ", "SWAP2 MOVE5 "],
];

/// The possible answers to a step with that many stones, by the table of `protocol.md`. None if the
/// step may not come with them.
fn forms(word: &str, number: Option<i64>, stones: usize) -> Vec<Form> {
    let n = number.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    match (word, stones) {
        ("SWAP1STBOARD", 0) => vec![Moves(1)],
        ("SWAP1STBOARD", 1) | ("SWAPBOARD", 3) | ("SWAP2BOARD", 5) => vec![Swap, Moves(1)],
        ("SWAPBOARD" | "SWAP2BOARD" | "RIFSTEP1" | "SOOSYRVSTEP1", 0) => vec![Moves(3)],
        ("SWAP2BOARD", 3) => vec![Swap, Moves(1), Moves(2)],
        ("PROBOARD" | "LONGPROBOARD", 0..=2) => vec![Moves(1)],
        ("RIFSTEP2" | "YAMAGUCHISTEP2", 3) => vec![Swap, Moves(1)],
        ("RIFSTEP3" | "YAMAGUCHISTEP3", 3) => vec![Moves(1)],
        ("RIFSTEP4", 4) => vec![Offer(2)],
        ("RIFSTEP5" | "YAMAGUCHISTEP5" | "SOOSYRVSTEP6" | "TARAGUCHISTEP4", 4) => vec![Moves(2)],
        ("YAMAGUCHISTEP1", 0) => vec![MovesAndNumber(3)],
        ("YAMAGUCHISTEP4" | "SOOSYRVSTEP5" | "TARAGUCHISTEP3", 4) => vec![Offer(n)],
        ("SOOSYRVSTEP2", 3) => vec![Swap, MovesAndNumber(1)],
        ("SOOSYRVSTEP3", 3) => vec![MovesAndNumber(1)],
        ("SOOSYRVSTEP4", 4) => vec![Swap, Offer(n)],
        ("TARANNIKOVSTEP1", 0..=5) | ("TARAGUCHISTEP1", 0..=5) => vec![Moves(1)],
        ("TARAGUCHISTEP2", 4) => vec![Swap, Moves(1), Offer(n)],
        ("TARANNIKOVSTEP2" | "TARAGUCHISTEP2", 1..=5) => vec![Swap, Moves(1)],
        ("YXSWAP2STEP1", _) => vec![Lines(&["SWAP2 MOVE1 ", "SWAP2 MOVE2 ", "SWAP2 MOVE3 "])],
        ("YXSWAP2STEP2", 3) => YIXIN_SWAP2_OF_THREE
            .iter()
            .map(|heads| Lines(heads))
            .collect(),
        ("YXSWAP2STEP3", 5) => vec![Lines(&["SWAP2 SWAP2 YES"]), Lines(&["SWAP2 SWAP2 NO"])],
        ("YXSOOSORVSTEP1", _) => {
            vec![Lines(&[
                "SOOSORV MOVE1 ",
                "SOOSORV MOVE2 ",
                "SOOSORV MOVE3 ",
            ])]
        }
        ("YXSOOSORVSTEP2", 3) => vec![Lines(&["SOOSORV SWAP1 Y"]), Lines(&["SOOSORV SWAP1 N"])],
        ("YXSOOSORVSTEP3", 3) => vec![Lines(&["SOOSORV MOVE4 "])],
        ("YXSOOSORVSTEP4", 4) => vec![Lines(&["SOOSORV SWAP2 Y"]), Lines(&["SOOSORV SWAP2 N"])],
        ("YXSOOSORVSTEP5", 4) => vec![Lines(&["SOOSORV MOVE5 REFRESH"])],
        ("YXSOOSORVSTEP6", _) => vec![Lines(&["SOOSORV MOVE5C "])],
        _ => Vec::new(),
    }
}

/// True if a block follows the word. The other steps use the board of the session.
pub fn has_block(word: &str) -> bool {
    !matches!(
        word,
        "YXSWAP2STEP1" | "YXSWAP2STEP2" | "YXSWAP2STEP3" | "YXSOOSORVSTEP1"
    )
}

/// The verdict about a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Answer,
    Refusal,
    /// The rule decides, and the model does not know the whole rule.
    Either,
}

/// A request for a step.
pub struct Request {
    word: String,
    number: Option<i64>,
    /// The position of the request.
    board: Board,
    forms: Vec<Form>,
    verdict: Verdict,
}

impl Request {
    pub fn new(
        held: &Board,
        word: &str,
        number: Option<i64>,
        entries: &[Entry],
        offer: &[Entry],
    ) -> Request {
        let mut board =
            Board::new(held.width().into(), held.height().into()).expect("the size of a board");
        let begins = ["YXSWAP2STEP1", "YXSOOSORVSTEP1"].contains(&word);
        let given: Vec<(i64, i64)> = if begins {
            Vec::new()
        } else if has_block(word) {
            entries.iter().filter_map(Entry::cell).collect()
        } else {
            let points = held.stones().iter().map(|stone| stone.point);
            points.map(|p| (p.x().into(), p.y().into())).collect()
        };
        let mut is_sound = true;
        let mut points = Vec::new();
        // The entries after the fourth stone are fifth stones, which are not put.
        let stones = if word == "YXSOOSORVSTEP6" {
            4
        } else {
            given.len()
        };
        for &(x, y) in given.iter().take(stones) {
            match board
                .point(x as i32, y as i32)
                .filter(|&p| board.is_empty(p))
            {
                Some(p) => {
                    board.play(p);
                    points.push(p);
                }
                None => is_sound = false,
            }
        }
        let forms = forms(word, number, given.len());
        let verdict = if forms.is_empty() || !is_sound {
            Verdict::Refusal
        } else if offer.is_empty() {
            verdict(word, &board, &points)
        } else {
            Verdict::Either
        };
        Request {
            word: word.to_string(),
            number,
            board,
            forms,
            verdict,
        }
    }

    /// True if a line is news of a search.
    pub fn is_news(&self, line: &str) -> bool {
        let heads = [
            "MESSAGE depth ",
            "MESSAGE REALTIME ",
            "MESSAGE evaluator: ",
            "INFO ",
        ];
        heads.iter().any(|head| line.starts_with(head))
    }

    /// Takes the answer, whose first line has come. Returns the board afterwards; `None` after an
    /// error, because an error changes nothing.
    pub fn take(
        &self,
        first: &str,
        mut next: impl FnMut() -> Result<String, Trouble>,
    ) -> Result<Option<Board>, Trouble> {
        let disagrees = |why: &str| {
            let number = self.number;
            wrong(format!(
                "{why} {first:?} to {} {number:?} of\n{}",
                self.word, self.board
            ))
        };
        if first.starts_with("ERROR ") {
            return match self.verdict {
                Verdict::Answer => disagrees("no reason for"),
                _ => Ok(None),
            };
        }
        if self.verdict == Verdict::Refusal {
            return disagrees("must be refused:");
        }
        let Some(form) = self.forms.iter().find(|form| self.fits(form, first)) else {
            return disagrees("what is");
        };
        let mut board = self.board.clone();
        match *form {
            Lines(heads) => {
                let mut last = first.to_string();
                for head in &heads[1..] {
                    last = next()?;
                    if !last.starts_with(&format!("MESSAGE {head}")) {
                        return disagrees("what is");
                    }
                }
                if last == "MESSAGE SOOSORV MOVE5 REFRESH" {
                    while last != "MESSAGE SOOSORV MOVE5 DONE" {
                        last = next()?;
                        if !last.starts_with("MESSAGE SOOSORV MOVE5 ") {
                            return disagrees("what is");
                        }
                    }
                }
            }
            Moves(_) | MovesAndNumber(_) => {
                for p in self.points(first).unwrap_or_default() {
                    board.play(p);
                }
            }
            Swap | Offer(_) => {}
        }
        Ok(Some(board))
    }

    fn fits(&self, form: &Form, line: &str) -> bool {
        let has_points = |count: usize, line| {
            self.points(line)
                .is_some_and(|points| points.len() == count)
        };
        match *form {
            Swap => line == "SWAP",
            Moves(count) | Offer(count) => has_points(count, line),
            MovesAndNumber(count) => line.rsplit_once(' ').is_some_and(|(cells, number)| {
                let number = number.parse::<u8>().unwrap_or(0);
                (1..=12).contains(&number) && has_points(count, cells)
            }),
            Lines(heads) => line
                .strip_prefix("MESSAGE ")
                .is_some_and(|text| text.starts_with(heads[0])),
        }
    }

    /// The cells of an answer, if they are free and different.
    fn points(&self, line: &str) -> Option<Vec<Point>> {
        let line = match line.rsplit_once(' ') {
            Some((cells, number)) if !number.contains(',') => cells,
            _ => line,
        };
        let mut board = self.board.clone();
        let mut points = Vec::new();
        for (x, y) in cells(line)? {
            let p = board.point(x, y).filter(|&p| board.is_empty(p))?;
            board.play(p);
            points.push(p);
        }
        Some(points)
    }
}

/// The verdict about a step, for the steps with a simple rule.
fn verdict(word: &str, board: &Board, points: &[Point]) -> Verdict {
    let has_centre = !matches!(word, "SWAP1STBOARD" | "SWAPBOARD" | "SWAP2BOARD")
        && !word.starts_with("YXSWAP2");
    let is_small = board.width().min(board.height()) < 9;
    let distance = |p: &Point| {
        let dx = p.x().abs_diff(board.width() / 2);
        dx.max(p.y().abs_diff(board.height() / 2))
    };
    match word {
        _ if has_centre && is_small => Verdict::Refusal,
        "SWAP1STBOARD" | "SWAPBOARD" | "SWAP2BOARD" | "YXSWAP2STEP1" | "YXSWAP2STEP2"
        | "YXSWAP2STEP3" | "YXSOOSORVSTEP1" | "RIFSTEP1" | "YAMAGUCHISTEP1" => Verdict::Answer,
        "RIFSTEP2" | "RIFSTEP3" | "YXSOOSORVSTEP2" | "YXSOOSORVSTEP3" => {
            let near = points
                .iter()
                .zip(0..)
                .all(|(p, reach)| distance(p) <= reach);
            if near {
                Verdict::Answer
            } else {
                Verdict::Refusal
            }
        }
        _ => Verdict::Either,
    }
}
