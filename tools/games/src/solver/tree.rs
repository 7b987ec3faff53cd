//! Proofs as games with variations in Smart Game Format.

use std::collections::HashMap;

use crate::sgf::Writer;
use tengen::board::Board;
use tengen::rules::Rule;
use tengen::threats::{Proof, StepId};
use tengen::types::Color;

/// The position of `board`, named `name`, and below it the whole proof: each of the attacker's
/// moves, and as variations every reply with an answer of its own. A pass stands for all other
/// replies. After a move without a next one, five cannot be stopped. `None` if the text takes more
/// than `max_bytes`.
pub fn tree(
    board: &Board,
    rule: Rule,
    name: &str,
    proof: &Proof,
    max_bytes: usize,
) -> Option<String> {
    let attacker = board.side_to_move();
    let mut sgf = Writer::new(board.width(), board.height(), rule);
    sgf.property("GN", name);
    sgf.position(board);
    let mut tree = Tree {
        proof,
        attacker,
        height: board.height(),
        line: Vec::new(),
        written: HashMap::new(),
        sgf,
        max_bytes,
    };
    if let Some(root) = proof.root() {
        let plies = proof.step(root).plies;
        let comment = format!("{attacker} wins in {plies} plies at most");
        tree.sgf.property("C", comment).new_line();
        tree.step(root)?;
    }
    let text = tree.sgf.finish();
    (text.len() <= max_bytes).then_some(text)
}

/// True if a file that begins with `head` holds such proofs.
pub fn is_tree(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.starts_with("(;") && text.contains("AP[Tengen:") && text.contains(" plies at most]")
}

struct Tree<'a> {
    proof: &'a Proof,
    attacker: Color,
    height: u8,
    /// Labels of the moves to the present one.
    line: Vec<String>,
    /// The first line to each step.
    written: HashMap<StepId, String>,
    sgf: Writer,
    max_bytes: usize,
}

impl Tree<'_> {
    /// The attacker's move of a step, and all after it; `None` when the text has become too long.
    fn step(&mut self, id: StepId) -> Option<()> {
        if self.sgf.size() > self.max_bytes {
            return None;
        }
        let step = self.proof.step(id);
        self.sgf.turn(self.attacker, Some(step.point));
        self.line.push(step.point.label(self.height));
        match self.written.get(&id) {
            // The same position is reached by another order of moves.
            Some(line) => {
                let comment = format!("goes on as after {line}");
                self.sgf.property("C", comment);
            }
            None => {
                self.written.insert(id, self.line.join(" "));
                let listed = step.replies.iter().map(|&(p, id)| (Some(p), id));
                let replies: Vec<_> = listed.chain(step.otherwise.map(|id| (None, id))).collect();
                let several = replies.len() > 1;
                for (reply, answer) in replies {
                    if several {
                        self.sgf.open();
                    }
                    self.sgf.turn(!self.attacker, reply);
                    if reply.is_none() {
                        self.sgf.property("C", "any other move");
                    }
                    let label = reply.map_or("pass".to_string(), |p| p.label(self.height));
                    self.line.push(label);
                    self.step(answer)?;
                    self.line.pop();
                    if several {
                        self.sgf.close();
                    }
                }
            }
        }
        self.line.pop();
        Some(())
    }
}
