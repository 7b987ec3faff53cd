//! Proofs as games with variations in Smart Game Format.
//! Source: SGF FF[4] specification, red-bean.com/sgf.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::input::Puzzle;
use crate::threats::{Proof, StepId};
use crate::types::{Color, Point};

/// The position of `puzzle` and below it the whole proof: each of the attacker's moves, and as
/// variations every reply that needs an answer of its own; a pass stands for all other replies.
/// Where a move is followed by none, five cannot be stopped.
pub(super) fn write(puzzle: &Puzzle, proof: &Proof) -> String {
    let board = &puzzle.board;
    let size = match (board.width(), board.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    };
    let attacker = board.side_to_move();
    let mut text = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[Tengen:{}]SZ[{size}]RU[{}]GN[{}]",
        env!("CARGO_PKG_VERSION"),
        puzzle.rule,
        puzzle.id.replace('\\', "\\\\").replace(']', "\\]"),
    );
    for (property, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let stones = board.stones().iter().filter(|stone| stone.color == color);
        let places: String = stones
            .map(|stone| format!("[{}]", place(stone.point)))
            .collect();
        if !places.is_empty() {
            text.push_str(property);
            text.push_str(&places);
        }
    }
    let _ = write!(text, "PL[{}]", letter(attacker));
    let mut writer = Writer {
        proof,
        attacker,
        height: board.height(),
        line: Vec::new(),
        written: HashMap::new(),
        text,
    };
    if let Some(root) = proof.root() {
        let plies = proof.step(root).plies;
        let _ = writeln!(writer.text, "C[{attacker} wins in {plies} plies at most]");
        writer.step(root);
    }
    writer.text + ")\n"
}

struct Writer<'a> {
    proof: &'a Proof,
    attacker: Color,
    height: u8,
    /// Labels of the moves that lead to the present one.
    line: Vec<String>,
    /// The line by which each step was first reached.
    written: HashMap<StepId, String>,
    text: String,
}

impl Writer<'_> {
    /// The attacker's move of a step, and what follows it.
    fn step(&mut self, id: StepId) {
        let step = self.proof.step(id);
        self.node(self.attacker, Some(step.point));
        self.line.push(step.point.label(self.height));
        match self.written.get(&id) {
            // The same position by another order of moves.
            Some(line) => {
                let _ = write!(self.text, "C[goes on as after {line}]");
            }
            None => {
                self.written.insert(id, self.line.join(" "));
                let listed = step.replies.iter().map(|&(p, id)| (Some(p), id));
                let replies: Vec<_> = listed.chain(step.otherwise.map(|id| (None, id))).collect();
                let several = replies.len() > 1;
                for (reply, answer) in replies {
                    if several {
                        self.text.push_str("\n(");
                    }
                    self.node(!self.attacker, reply);
                    if reply.is_none() {
                        self.text.push_str("C[any other move]");
                    }
                    let label = reply.map_or("pass".to_string(), |p| p.label(self.height));
                    self.line.push(label);
                    self.step(answer);
                    self.line.pop();
                    if several {
                        self.text.push(')');
                    }
                }
            }
        }
        self.line.pop();
    }

    fn node(&mut self, color: Color, p: Option<Point>) {
        let place = p.map_or(String::new(), place);
        let _ = write!(self.text, ";{}[{place}]", letter(color));
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

fn place(p: Point) -> String {
    let letter = |n: u8| (b'a' + n) as char;
    format!("{}{}", letter(p.x()), letter(p.y()))
}
