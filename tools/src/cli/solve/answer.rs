use std::time::Duration;

use super::input::Puzzle;
use tengen::streams::on_one_line;
use tengen::threats::Proof;
use tengen::types::Point;
use tengen_games::corpus::Claim;

/// The solver's answer for a position.
pub(super) struct Answer {
    pub verdict: Verdict,
    /// A winning line, attacker first, or the moves that defend.
    pub moves: Vec<Point>,
    /// Plies until the five stands, at most.
    pub plies: Option<u32>,
    /// Positions visited.
    pub nodes: u64,
    /// CPU time, without that for proofs.
    pub time: Duration,
    /// The proof of a win, if the options request one.
    pub proof: Option<Proof>,
    pub judgement: Judgement,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side to move wins by fours.
    VcfWin,
    /// The side to move wins by threats; no win by fours was found.
    VctWin,
    /// The side to move wins because Black comes to have only forbidden moves.
    FoulWin,
    /// The side to move has no win of the kind searched for.
    None,
    /// The side to move must defend; the moves are all that do.
    Defend,
    /// The opponent threatens no win of the kind searched for.
    NoThreat,
    /// Somebody has won already.
    Over,
    /// A limit was reached.
    Unknown,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Verdict::VcfWin => "vcf_win",
            Verdict::VctWin => "vct_win",
            Verdict::FoulWin => "foul_win",
            Verdict::None => "none",
            Verdict::Defend => "defend",
            Verdict::NoThreat => "no_threat",
            Verdict::Over => "over",
            Verdict::Unknown => "unknown",
        }
    }
}

/// An answer compared with the file's statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    /// The answer contradicts nothing.
    Solved,
    /// There is no answer.
    Unsolved,
    /// The answer contradicts the file, or its proof is wrong.
    Wrong(String),
}

impl Answer {
    /// Sets the judgement by the file's statement. With `shortest` a win by fours has the fewest.
    pub(super) fn judge(&mut self, claim: Option<&Claim>, shortest: bool) {
        let wrong = |why: &str| Judgement::Wrong(why.to_string());
        self.judgement = match (claim, self.verdict) {
            (_, Verdict::Unknown) | (None, Verdict::Over) => Judgement::Unsolved,
            (Some(_), Verdict::Over) => wrong("the game is over"),
            (None, _) => Judgement::Solved,
            (Some(Claim::VcfWin { fours, minimal }), Verdict::VcfWin) => {
                let plies = 2 * fours + 1;
                let found = self.plies.unwrap_or(plies);
                if *minimal && found < plies {
                    wrong("a shorter win than the shortest")
                } else if shortest && found > plies {
                    wrong("a longer win than the shortest")
                } else {
                    Judgement::Solved
                }
            }
            (Some(Claim::VcfWin { .. }), Verdict::None) => wrong("a win by fours is stated"),
            (Some(Claim::VcfNone), Verdict::None) => Judgement::Solved,
            (Some(Claim::VcfNone | Claim::VctWin { .. }), Verdict::VcfWin) => {
                wrong("it is stated that there is no win by fours")
            }
            (Some(Claim::VcfNone | Claim::VctWin { .. }), Verdict::VctWin | Verdict::FoulWin) => {
                Judgement::Solved
            }
            (Some(Claim::Defend(moves)), Verdict::Defend) => {
                let mut stated = moves.clone();
                stated.sort_unstable();
                match stated == self.moves {
                    true => Judgement::Solved,
                    false => wrong("other moves are stated"),
                }
            }
            (Some(Claim::Defend(_)), Verdict::NoThreat) => wrong("a threat is stated"),
            // The statement is about another kind of win. Also `None` beside a stated win by
            // threats: the search tries no quiet moves far from all stones, so `None` proves
            // nothing.
            _ => Judgement::Unsolved,
        };
    }

    /// The answer's line of output.
    pub(super) fn text(&self, puzzle: &Puzzle) -> String {
        let height = puzzle.board.height();
        let labels: Vec<String> = self.moves.iter().map(|p| p.label(height)).collect();
        let dash = || "-".to_string();
        let length = match self.verdict {
            Verdict::Defend => Some(self.moves.len() as u32),
            _ => self.plies,
        };
        let mut text = format!(
            "{}\t{}\t{}\t{}\t{}\t{:.3}\t{}",
            on_one_line(&puzzle.id),
            self.verdict.name(),
            labels.first().cloned().unwrap_or_else(dash),
            length.map_or_else(dash, |length| length.to_string()),
            self.nodes,
            self.time.as_secs_f64() * 1e3,
            if labels.is_empty() {
                dash()
            } else {
                labels.join(" ")
            },
        );
        if let Judgement::Wrong(why) = &self.judgement {
            text.push_str("\tWRONG: ");
            text.push_str(why);
        }
        text
    }
}
