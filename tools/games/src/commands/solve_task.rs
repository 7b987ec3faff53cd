//! The search for a win by force as a task of the engine, with its messages.

use std::cell::Cell;

use serde_json::{Value, json};

use tengen::engine::move_control::MoveControl;
use tengen::engine::{Engine, GameKind};
use tengen::position::Position;
use tengen::protocol::HostedTask;
use tengen::protocol::reply::{Reply, short};
use tengen::protocol::text::first_word;
use tengen::rules::ends_by_foul;
use tengen::search::{SearchControl, SearchRequest};
use tengen::threats::{Proof, SolveLimits};
use tengen::time::Duration;

use crate::solver::{Means, Outcome, Solver, tree};

/// Time between two messages about the search's progress.
const REPORT_EVERY: Duration = Duration::from_millis(500);
/// The search for fours before threats gets one part in this many of all time and nodes.
const FOURS_SHARE: u64 = 4;
/// Most bytes of a proof as a game tree; a longer one is left out.
const MAX_TREE: usize = 1 << 20;
/// The tree's name.
const TREE_NAME: &str = "TENGENSOLVE";

/// Reads the text after the word `TENGENSOLVE`; a `DONE` at its end is allowed, as after a block.
pub fn solve_means(text: &str) -> Result<Means, &'static str> {
    let (word, rest) = first_word(text);
    let means = match &*word.to_ascii_lowercase() {
        "vcf" => Some(Means::Fours),
        "vct" => Some(Means::Threats),
        "auto" => Some(Means::FoursThenThreats),
        _ => None,
    };
    let is_end = rest.is_empty() || rest.trim().eq_ignore_ascii_case("DONE");
    means
        .filter(|_| is_end)
        .ok_or("expected TENGENSOLVE vcf|vct|auto")
}

/// A search for a win by force.
pub struct SolveTask {
    /// The allowed moves.
    pub means: Means,
}

impl HostedTask for SolveTask {
    /// Solves the position in the memory of the engine's table. Says messages on the way, and then
    /// the answer.
    fn run(
        &self,
        engine: &mut Engine,
        request: &SearchRequest,
        control: &MoveControl,
        say: &dyn Fn(Reply),
    ) {
        let control = control.whole();
        let bytes = engine.release_table(GameKind::of(request));
        let answer = match bytes {
            0 => Answer::unknown("memory", self.means),
            _ => self.answer(request, control, bytes, say),
        };
        let ms = control.elapsed().as_millis() as u64;
        say(Reply::Message(format!("SOLVE {}", answer.json(ms))));
    }

    fn needs_table(&self) -> bool {
        false
    }
}

impl SolveTask {
    /// The answer of a solver in `bytes` of memory.
    fn answer(
        &self,
        request: &SearchRequest,
        control: &SearchControl,
        bytes: u64,
        say: &dyn Fn(Reply),
    ) -> Answer {
        let mut solver = Solver::within(bytes);
        let mut position = Position::new(&request.board, request.rule);
        let reported = Cell::new(Duration::ZERO);
        let stops = |stage, nodes| {
            let elapsed = control.elapsed();
            if elapsed - reported.get() >= REPORT_EVERY {
                reported.set(elapsed);
                say(progress_message(stage, nodes, elapsed));
            }
            control.poll() || nodes >= control.max_nodes()
        };
        let limits_of_fours = SolveLimits {
            nodes: control.max_nodes() / FOURS_SHARE,
            // The limit may change during the search.
            stop: &|nodes| {
                stops("vcf", nodes) || control.elapsed_ms() >= control.hard_ms() / FOURS_SHARE
            },
        };
        let limits = SolveLimits {
            nodes: control.max_nodes(),
            stop: &|nodes| stops(last_word(self.means), nodes),
        };
        let outcome = solver.solve(&mut position, self.means, limits_of_fours, limits);
        let is_by_threats = self.means == Means::Threats || solver.has_used_threats();
        let means = match outcome {
            Outcome::WinByFours { .. } => Means::Fours,
            _ if is_by_threats => Means::Threats,
            _ => Means::Fours,
        };
        let nodes = solver.nodes();
        let answer = match outcome {
            Outcome::WinByFours { .. } | Outcome::WinByThreats => {
                // The node limit bounds the search, not the proof.
                let stop = |_| stops("proof", 0);
                let proof = solver.prove(&mut position, &stop, Solver::max_steps(bytes));
                match proof {
                    Some(proof) => Answer::win(&proof, request, means),
                    None if control.is_stopped() => Answer::unknown(why_stopped(control), means),
                    None => Answer::unknown("proof", means),
                }
            }
            Outcome::None => Answer::without_win("none", "", means),
            Outcome::Unknown if control.is_stopped() => {
                Answer::unknown(why_stopped(control), means)
            }
            Outcome::Unknown => Answer::unknown("nodes", means),
        };
        Answer { nodes, ..answer }
    }
}

/// The message about the progress, in the form of those of a search: `vct n 1250K n/ms 12 tm
/// 103000`.
fn progress_message(stage: &str, nodes: u64, elapsed: Duration) -> Reply {
    let ms = elapsed.as_millis();
    let speed = u128::from(nodes) / ms.max(1);
    Reply::Message(format!("{stage} n {} n/ms {speed} tm {ms}", short(nodes)))
}

/// The word for the last stage of a search by `means`.
fn last_word(means: Means) -> &'static str {
    match means {
        Means::Fours => "vcf",
        Means::Threats | Means::FoursThenThreats => "vct",
    }
}

/// The word for the limit that stopped a search.
fn why_stopped(control: &SearchControl) -> &'static str {
    match control.elapsed_ms() >= control.hard_ms() {
        true => "time",
        false => "stopped",
    }
}

/// The answer; `protocol.md` describes the fields.
struct Answer {
    verdict: &'static str,
    /// The reason for a missing verdict.
    reason: &'static str,
    /// The means by which the win was found, or was not.
    means: Means,
    /// 0 without a win.
    plies: u32,
    /// Names of points.
    line: Vec<String>,
    /// True if Black has only forbidden moves after the line.
    by_foul: bool,
    nodes: u64,
    /// Empty without a win, and if it would be too long.
    tree: String,
}

impl Answer {
    fn without_win(verdict: &'static str, reason: &'static str, means: Means) -> Answer {
        Answer {
            verdict,
            reason,
            means,
            plies: 0,
            line: Vec::new(),
            by_foul: false,
            nodes: 0,
            tree: String::new(),
        }
    }

    fn unknown(reason: &'static str, means: Means) -> Answer {
        Answer::without_win("unknown", reason, means)
    }

    fn win(proof: &Proof, request: &SearchRequest, means: Means) -> Answer {
        let SearchRequest { board, rule, .. } = request;
        let line = proof.line();
        let labels = line.iter().map(|p| p.label(board.height()));
        Answer {
            by_foul: ends_by_foul(board, *rule, &line),
            plies: proof.root().map_or(0, |root| proof.step(root).plies),
            line: labels.collect(),
            tree: tree(board, *rule, TREE_NAME, proof, MAX_TREE).unwrap_or_default(),
            ..Answer::without_win("win", "", means)
        }
    }

    /// One JSON object.
    fn json(&self, ms: u64) -> Value {
        json!({
            "verdict": self.verdict,
            "reason": self.reason,
            "mode": last_word(self.means),
            "plies": self.plies,
            "line": self.line,
            "by_foul": self.by_foul,
            "nodes": self.nodes,
            "ms": ms,
            "sgf": self.tree,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_means_are_named() {
        for (text, means) in [
            ("vcf", Means::Fours),
            ("VCT", Means::Threats),
            ("auto", Means::FoursThenThreats),
            ("vct DONE", Means::Threats),
            ("vcf done", Means::Fours),
        ] {
            assert_eq!(solve_means(text), Ok(means), "{text}");
        }
        for text in ["", "DONE", "vcx", "vcf vct", "vcf 7,7 DONE"] {
            assert!(solve_means(text).is_err(), "{text}");
        }
    }
}
