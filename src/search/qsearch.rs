//! Quiescence search: the value of a position at remaining depth 0, which is a win by fours (VCF)
//! or the static evaluation.

use super::thread::SearchThread;
use super::tt::{Bound, TtEntry};
use crate::patterns::Class;
use crate::position::Position;
use crate::threats::VcfResult;
use crate::types::{Color, Score};

/// Fours that a VCF can begin with. A straight four wins at once.
const FOURS: [Class; 3] = [Class::Four, Class::FourPlus, Class::FourThree];

/// Whether `color` can make a four that is no straight four.
pub(super) fn has_fours(position: &Position, color: Color) -> bool {
    FOURS.iter().any(|&four| position.count(color, four) > 0)
}

impl SearchThread<'_> {
    /// The value of a position at remaining depth 0: the table's score, a win by fours, or the
    /// evaluation. Source of the table lookup: Stockfish.
    pub(super) fn qsearch(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        let entry = self.shared.tt.probe(self.position.key());
        match entry.and_then(|entry| entry.cutoff(alpha, beta, ply)) {
            Some(score) => score,
            None => {
                let eval = self.static_eval(entry.as_ref());
                self.vcf_or_eval(entry.as_ref(), eval, beta, ply)
            }
        }
    }

    /// The score of a win by fours, or else `eval`, the position's evaluation. The win is searched
    /// only where the evaluation is below beta. `entry` is the table's entry, which was of no use.
    pub(super) fn vcf_or_eval(
        &mut self,
        entry: Option<&TtEntry>,
        eval: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        let bound = if eval >= beta {
            Bound::Lower
        } else {
            if let Some(win) = self.leaf_vcf(eval, ply) {
                return win;
            }
            Bound::Upper
        };
        if entry.is_none() {
            let entry = TtEntry {
                best: None,
                depth: 0,
                bound,
                score: eval,
                eval,
                was_pv: false,
            };
            self.shared.tt.store(self.position.key(), entry);
        }
        eval
    }

    /// The score of a win by fours of the side to move, who has no five and faces no four, if a
    /// small search finds one. The table keeps it as proved.
    fn leaf_vcf(&mut self, eval: Score, ply: usize) -> Option<Score> {
        let limit = self.shared.params.leaf_vcf_nodes as u64;
        if limit == 0 || !has_fours(&self.position, self.position.side_to_move()) {
            return None;
        }
        let result = self.data.vcf.solve(&self.position, limit);
        self.nodes += self.data.vcf.nodes();
        let VcfResult::Win { plies } = result else {
            return None;
        };
        let score = Score::win_in(ply + plies as usize);
        let entry = TtEntry {
            best: self.data.vcf.first_move(),
            depth: 0,
            bound: Bound::Lower,
            score: score.to_node(ply),
            eval,
            was_pv: false,
        };
        self.shared.tt.store(self.position.key(), entry);
        Some(score)
    }
}
