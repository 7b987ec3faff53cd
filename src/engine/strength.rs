//! Playing weaker than one can, the way people do: by seeing less, not by giving stones away.
//!
//! A weak player looks at fewer nodes, takes a good move for the best one, and at times sees no
//! open three coming. He does not leave a five on the board, his own or the opponent's.
//! Source of the choice among several lines with noise: Stockfish's `Skill` (M. Costalba, 2013).

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Engine;
use crate::patterns::Class;
use crate::position::Position;
use crate::search::{
    NodeThreat, SearchControl, SearchInfo, SearchRequest, SearchResult, moves_to_search,
};
use crate::time::random_seed;
use crate::types::{Point, Score, ScoreKind};

/// Playing strength, 0 (a beginner) to 100 (all that the engine can).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength(u8);

impl Default for Strength {
    fn default() -> Strength {
        Strength::FULL
    }
}

/// Nodes of the weakest player's search.
const LEAST_NODES: f64 = 3_000.0;
/// Steps of strength in which the nodes double.
const DOUBLING: f64 = 8.0;
/// Lines that the weakest player weighs against each other.
const MOST_LINES: usize = 12;
/// Noise on the value of a line at strength 0, in evaluation units (about 100 is a clear
/// advantage).
const NOISE: f64 = 160.0;
/// Chance of a beginner to see no straight four coming.
const BLINDNESS: f64 = 0.35;
/// From this strength on every straight four is seen coming.
const SIGHTED: u8 = 50;
/// What a proved win or loss is worth to a player who sees it.
const DECIDED_VALUE: f64 = 1_500.0;
/// Plies after which a proved win or loss seems a third as certain to the weakest player, and by
/// how many that grows to full strength.
const SIGHT: (f64, f64) = (4.0, 60.0);

impl Strength {
    /// All that the engine can.
    pub const FULL: Strength = Strength(100);

    /// Any number is brought into 0 to 100.
    pub fn new(percent: i64) -> Strength {
        Strength(percent.clamp(0, 100) as u8)
    }

    /// 1 for the weakest, 0 at full strength.
    fn weakness(self) -> f64 {
        1.0 - f64::from(self.0) / 100.0
    }

    /// Nodes that this player searches.
    fn nodes(self) -> u64 {
        (LEAST_NODES * (f64::from(self.0) / DOUBLING).exp2()) as u64
    }

    fn lines(self) -> usize {
        2 + (self.weakness() * (MOST_LINES - 2) as f64) as usize
    }
}

impl Engine {
    /// Thinks as [`go`](Engine::go) does and chooses the move as a player of that strength would.
    /// The reports tell of what he saw, the outcome's line of what he plays; a blunder has none.
    pub fn go_as(
        &mut self,
        strength: Strength,
        request: &SearchRequest,
        control: &SearchControl,
        report: &mut (dyn FnMut(&SearchInfo) + Send),
    ) -> SearchResult {
        if strength == Strength::FULL || request.board.stones().is_empty() {
            return self.go(request, control, report);
        }
        let mut rng = StdRng::seed_from_u64(random_seed());
        let limit = strength.nodes();
        let weaker = SearchRequest {
            max_nodes: Some(request.max_nodes.map_or(limit, |nodes| nodes.min(limit))),
            multi_pv: strength.lines(),
            ..request.clone()
        };
        let mut outcome = self.go(&weaker, control, report);
        let chosen = if let Some(blunder) = overlook(strength, request, &mut rng) {
            Some(blunder)
        } else {
            choose(strength, &outcome.lines, &mut rng)
        };
        if let Some(p) = chosen {
            outcome.best = Some(p);
            outcome.lines.retain(|line| line.pv.first() == Some(&p));
            for line in &mut outcome.lines {
                line.rank = 0;
                line.lines = 1;
            }
        }
        outcome
    }
}

/// The move of one of the lines, the better ones more often: each value gets noise.
fn choose(strength: Strength, lines: &[SearchInfo], rng: &mut impl RngExt) -> Option<Point> {
    let best = lines.first()?;
    if best.score == Score::win_in(1) {
        return best.pv.first().copied();
    }
    let noise = NOISE * strength.weakness().powi(2);
    let sight = SIGHT.0 + SIGHT.1 * (1.0 - strength.weakness());
    let certainty = |plies: u32| DECIDED_VALUE * (-f64::from(plies) / sight).exp();
    let worth = |score: Score| match score.kind() {
        ScoreKind::Value(v) => f64::from(v),
        ScoreKind::Win(plies) => certainty(plies),
        ScoreKind::Loss(plies) => -certainty(plies),
    };
    lines
        .iter()
        .map(|line| {
            // An exponential variable: mostly small, now and then large.
            let luck = -noise * (1.0 - rng.random::<f64>()).ln();
            (worth(line.score) + luck, line)
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .and_then(|(_, line)| line.pv.first().copied())
}

/// Sometimes a move that lets the opponent make a straight four: the one that looks best to
/// somebody who sees only his own stones.
fn overlook(strength: Strength, request: &SearchRequest, rng: &mut impl RngExt) -> Option<Point> {
    let sight = f64::from(strength.0) / f64::from(SIGHTED);
    if !rng.random_bool((BLINDNESS * (1.0 - sight)).max(0.0)) {
        return None;
    }
    let mut position = Position::new(&request.board, request.rule);
    let side = position.side_to_move();
    if position.count(side, Class::Five) > 0
        || moves_to_search(&mut position).0 != NodeThreat::StraightFour
    {
        return None;
    }
    let cells = position.free_set();
    cells
        .iter()
        .filter(|&p| !request.excluded.contains(p) && !position.is_forbidden(side, p))
        .max_by_key(|&p| (position.class(side, p), position.policy(p), p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, parse_moves};
    use crate::engine::Options;
    use crate::rules::{Rule, foul, wins_at};

    fn request(moves: &str, rule: Rule) -> SearchRequest {
        let mut board = Board::new(15, 15).unwrap();
        parse_moves(&mut board, moves).unwrap();
        SearchRequest::new(board, rule)
    }

    fn engine() -> Engine {
        Engine::new(Options {
            hash_kib: Some(1 << 10),
            ..Options::default()
        })
    }

    fn play(engine: &mut Engine, strength: i64, request: &SearchRequest) -> Point {
        let strength = Strength::new(strength);
        let outcome = engine.go_as(strength, request, &SearchControl::unlimited(), &mut |_| {});
        let best = outcome.best.unwrap();
        let first = outcome.lines.first().and_then(|line| line.pv.first());
        assert!(first.is_none_or(|p| *p == best));
        best
    }

    #[test]
    fn no_strength_misses_a_five() {
        let mut engine = engine();
        for _ in 0..20 {
            for strength in [0, 30, 70] {
                let own = request("h8 a1 h9 a2 h10 a3 h11 c7", Rule::Freestyle);
                let p = play(&mut engine, strength, &own);
                assert!(["h7", "h12"].contains(&&*p.label(15)), "{p}");
                let parry = request("a1 h8 a2 h9 a15 h10 o15 h11 h12 b9", Rule::Standard);
                let p = play(&mut engine, strength, &parry);
                assert_eq!(p.label(15), "h7");
            }
        }
    }

    #[test]
    fn the_weak_vary_and_the_strong_do_not_stray() {
        let mut engine = engine();
        let quiet = request("h8 i9 h7 h6 g8 f8", Rule::Freestyle);
        let mut moves: Vec<Point> = (0..12).map(|_| play(&mut engine, 0, &quiet)).collect();
        moves.sort();
        moves.dedup();
        assert!(moves.len() > 2, "{moves:?}");
        // Strength 95 sees the win by fours that beginners may pass by.
        let win = request("h8 a1 h9 a3 h10 a5 j8 a7 k8 a9", Rule::Freestyle);
        for _ in 0..3 {
            let p = play(&mut engine, 95, &win);
            assert!(
                ["h7", "h11", "i8", "l8", "h8"].contains(&&*p.label(15)),
                "{p}"
            );
        }
    }

    #[test]
    fn whole_games_of_the_weak_are_legal_and_end() {
        let mut engine = engine();
        for (rule, strength) in [(Rule::Renju, 0), (Rule::Caro, 10), (Rule::Freestyle, 20)] {
            let mut request = request("h8 i9", rule);
            let mut winner = None;
            while request.board.empty_count() > 0 && winner.is_none() {
                let side = request.board.side_to_move();
                let p = play(&mut engine, strength, &request);
                assert!(request.board.is_empty(p));
                if rule.restricts(side) {
                    assert_eq!(foul(&request.board, p), None, "{}", request.board);
                }
                let five: Vec<Point> = {
                    let position = Position::new(&request.board, rule);
                    position.set(side, Class::Five).iter().collect()
                };
                assert!(five.is_empty() || five.contains(&p), "{}", request.board);
                request.board.play(p);
                winner = wins_at(&request.board, rule, p).then_some(side);
            }
        }
    }
}
