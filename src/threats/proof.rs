//! Proofs of wins, and a checker of them that knows only the board and the reference rules.

use std::collections::HashSet;

use crate::board::Board;
use crate::rules::{Rule, foul, winning_points, wins_at};
use crate::types::{Color, Point};

/// A complete answer to every defence: for each position a move of the attacker, who was to move at
/// the start.
///
/// Positions reached by several orders of moves share their steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    steps: Vec<Step>,
}

/// Names a step of one [`Proof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepId(u32);

/// A move of the attacker and the answers to each reply. When the attacker can make five, that is
/// the next move, without a step of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The attacker's move.
    pub point: Point,
    /// Replies that need an answer of their own.
    pub replies: Vec<(Point, StepId)>,
    /// The answer to every other reply, to a pass too; `None` where the attacker then makes five,
    /// or where there is no other allowed reply.
    pub otherwise: Option<StepId>,
    /// The attacker's five stands within that many plies, this move counted. A foul that the
    /// defender cannot avoid counts as two.
    pub plies: u32,
}

/// Why a proof was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("after {}: {fault}", moves_text(.line))]
pub struct ProofError {
    /// The moves that lead to the fault, a pass being `None`.
    pub line: Vec<Option<Point>>,
    /// Fault found there.
    pub fault: Fault,
}

/// Fault of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no first move.
    #[error("the proof is empty")]
    Empty,
    /// The attacker's move is not allowed.
    #[error("the attacker's move is not allowed")]
    Attack,
    /// The defender makes five.
    #[error("the defender makes five")]
    DefenderWins,
    /// No step answers a reply, and no five is there.
    #[error("the reply has no answer")]
    Unanswered,
    /// The five comes later than stated.
    #[error("the win takes longer than stated")]
    Late,
}

fn moves_text(line: &[Option<Point>]) -> String {
    let texts: Vec<String> = line
        .iter()
        .map(|p| p.map_or("pass".to_string(), |p| p.to_string()))
        .collect();
    texts.join(" ")
}

impl Proof {
    /// Adds a step and names it. The last step added is the first move.
    pub(super) fn push(&mut self, step: Step) -> StepId {
        let id = StepId(self.steps.len() as u32);
        self.steps.push(step);
        id
    }

    /// The step named by `id`, which must come from this proof.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The attacker's first move.
    pub fn root(&self) -> Option<StepId> {
        (self.steps.len() as u32).checked_sub(1).map(StepId)
    }

    /// The longest of the stated lines, attacker first, up to the last stated move: a four that
    /// nothing stops, a five, or a move with only forbidden replies. Replies that are not stated
    /// may put the win off for longer.
    pub fn line(&self) -> Vec<Point> {
        self.root().map_or(Vec::new(), |root| self.line_from(root))
    }

    /// As [`line`](Proof::line), from a step on.
    pub(super) fn line_from(&self, id: StepId) -> Vec<Point> {
        let mut line = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next.take() {
            let step = self.step(id);
            line.push(step.point);
            let longest = step.replies.iter().max_by_key(|r| self.step(r.1).plies);
            if let Some(&(reply, id)) = longest {
                line.push(reply);
                next = Some(id);
            }
        }
        line
    }

    /// Replays the proof from `board` under `rule` against every allowed reply to every step.
    ///
    /// # Errors
    /// At the first reply that is not answered by a win.
    pub fn check(&self, board: &Board, rule: Rule) -> Result<(), ProofError> {
        let mut checker = Checker {
            proof: self,
            board: board.clone(),
            rule,
            attacker: board.side_to_move(),
            line: Vec::new(),
            verified: HashSet::new(),
        };
        let checked = match self.root() {
            Some(root) => checker.attack(root),
            None => Err(Fault::Empty),
        };
        checked.map_err(|fault| ProofError {
            line: checker.line,
            fault,
        })
    }
}

/// The state of a check: the proof, the position, and the moves that led there.
struct Checker<'a> {
    proof: &'a Proof,
    board: Board,
    rule: Rule,
    attacker: Color,
    line: Vec<Option<Point>>,
    /// Valid steps, with the hashes of their positions. Many replies lead to the same.
    verified: HashSet<(u64, StepId)>,
}

impl Checker<'_> {
    fn is_allowed(&self, color: Color, p: Point) -> bool {
        self.board.is_empty(p) && !(self.rule.restricts(color) && foul(&self.board, p).is_some())
    }

    /// The attacker is to move and has the answer `id`.
    fn attack(&mut self, id: StepId) -> Result<(), Fault> {
        let place = (self.board.hash(), id);
        if self.verified.contains(&place) {
            return Ok(());
        }
        let step = self.proof.step(id);
        self.line.push(Some(step.point));
        if !self.is_allowed(self.attacker, step.point) {
            return Err(Fault::Attack);
        }
        self.board.put(step.point, self.attacker);
        if !wins_at(&self.board, self.rule, step.point) {
            self.replies(step)?;
        } else if step.plies < 1 {
            return Err(Fault::Late);
        }
        self.board.undo();
        self.line.pop();
        self.verified.insert(place);
        Ok(())
    }

    /// The defender is to move after `step`: all replies are tried.
    fn replies(&mut self, step: &Step) -> Result<(), Fault> {
        let fives = winning_points(&self.board, self.rule, self.attacker);
        let cells: Vec<Point> = self.board.empty_points().collect();
        for reply in cells {
            self.line.push(Some(reply));
            let line = self.line.len();
            let stones = self.board.stones().len();
            self.board.put(reply, !self.attacker);
            let answered = if wins_at(&self.board, self.rule, reply) {
                Err(Fault::DefenderWins)
            } else {
                let listed = step.replies.iter().find(|r| r.0 == reply);
                let answer = listed.map(|r| r.1).or(step.otherwise);
                self.answer(step, answer, &fives)
            };
            let moves_after = self.line.split_off(line);
            while self.board.stones().len() > stones {
                self.board.undo();
            }
            // A reply that is forbidden for the defender needs no answer. That is checked last
            // because most replies have one.
            if answered.is_err() && self.is_allowed(!self.attacker, reply) {
                self.line.extend(moves_after);
                return answered;
            }
            self.line.pop();
        }
        // Without a threat every reply has an answer of its own, and only a pass has none.
        if step.otherwise.is_some() || !fives.is_empty() {
            self.line.push(None);
            self.answer(step, step.otherwise, &fives)?;
            self.line.pop();
        }
        Ok(())
    }

    /// The defender has replied to `step`. The attacker makes five on one of `fives`, the five
    /// points from before the reply, or goes on with `answer`.
    fn answer(
        &mut self,
        step: &Step,
        answer: Option<StepId>,
        fives: &[Point],
    ) -> Result<(), Fault> {
        for &five in fives {
            if !self.board.is_empty(five) {
                continue;
            }
            self.board.put(five, self.attacker);
            let wins = wins_at(&self.board, self.rule, five);
            self.board.undo();
            if wins {
                return if step.plies >= 3 {
                    Ok(())
                } else {
                    Err(Fault::Late)
                };
            }
        }
        let answer = answer.ok_or(Fault::Unanswered)?;
        if self.proof.step(answer).plies + 2 > step.plies {
            return Err(Fault::Late);
        }
        self.attack(answer)
    }
}
