//! Limited playing strength, with human-like errors.
//!
//! A weak player searches fewer nodes, sometimes takes a good move for the best one, and sometimes
//! overlooks an open three. He never misses a five, his own or the opponent's.
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

/// Playing strength, 0 (a beginner) to 100 (full strength).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength(u8);

impl Default for Strength {
    fn default() -> Strength {
        Strength::FULL
    }
}

/// Nodes of the weakest player's search.
const MIN_NODES: f64 = 3_000.0;
/// Steps of strength that double the nodes.
const DOUBLING: f64 = 8.0;
/// Lines that the weakest player chooses from.
const MAX_LINES: usize = 12;
/// Mean noise on the value of a line at strength 0, in evaluation units (about 100 is a clear
/// advantage).
const NOISE: f64 = 160.0;
/// Probability at strength 0 to overlook that the opponent can make a straight four.
const OVERLOOK_RATE: f64 = 0.35;
/// From this strength on no straight four is overlooked.
const NO_OVERLOOK_STRENGTH: u8 = 50;
/// Value of a proved win in one ply, in evaluation units.
const DECIDED_VALUE: f64 = 1_500.0;
/// Plies over which the value of a proved win or loss falls to a third: at strength 0, and how many
/// more at full strength.
const HORIZON: (f64, f64) = (4.0, 60.0);

impl Strength {
    /// The engine without limits.
    pub const FULL: Strength = Strength(100);

    /// A strength in percent, clamped to 0 to 100.
    pub fn new(percent: i64) -> Strength {
        Strength(percent.clamp(0, 100) as u8)
    }

    /// The strength in percent, 0 to 100.
    pub const fn percent(self) -> u8 {
        self.0
    }

    /// 1 for the weakest, 0 at full strength.
    fn weakness(self) -> f64 {
        1.0 - f64::from(self.0) / 100.0
    }

    /// Node limit of a search.
    fn nodes(self) -> u64 {
        (MIN_NODES * (f64::from(self.0) / DOUBLING).exp2()) as u64
    }

    fn lines(self) -> usize {
        2 + (self.weakness() * (MAX_LINES - 2) as f64) as usize
    }
}

impl Engine {
    /// Searches like [`go`](Engine::go) and chooses the move as a player of this strength would.
    /// `on_info` gets all lines of the search. The result has only the line of the chosen move, and
    /// none for an overlooked threat.
    pub fn go_as(
        &mut self,
        strength: Strength,
        request: &SearchRequest,
        control: &SearchControl,
        on_info: &mut (dyn FnMut(&SearchInfo) + Send),
    ) -> SearchResult {
        if strength == Strength::FULL || request.board.stones().is_empty() {
            return self.go(request, control, on_info);
        }
        let mut rng = StdRng::seed_from_u64(random_seed());
        let limit = strength.nodes();
        let limited = SearchRequest {
            max_nodes: Some(request.max_nodes.map_or(limit, |nodes| nodes.min(limit))),
            multi_pv: strength.lines(),
            ..request.clone()
        };
        let mut result = self.go(&limited, control, on_info);
        let chosen = if let Some(blunder) = overlook(strength, request, &mut rng) {
            Some(blunder)
        } else {
            choose(strength, &result.lines, &mut rng)
        };
        if let Some(p) = chosen {
            result.best = Some(p);
            result.lines.retain(|line| line.pv.first() == Some(&p));
            for line in &mut result.lines {
                line.rank = 0;
                line.lines = 1;
            }
        }
        result
    }
}

/// The first move of the line that is best after noise is added to each value.
fn choose(strength: Strength, lines: &[SearchInfo], rng: &mut impl RngExt) -> Option<Point> {
    let best = lines.first()?;
    if best.score == Score::win_in(1) {
        return best.pv.first().copied();
    }
    let noise = NOISE * strength.weakness().powi(2);
    let horizon = HORIZON.0 + HORIZON.1 * (1.0 - strength.weakness());
    let win_value = |plies: u32| DECIDED_VALUE * (-f64::from(plies) / horizon).exp();
    let value = |score: Score| match score.kind() {
        ScoreKind::Value(v) => f64::from(v),
        ScoreKind::Win(plies) => win_value(plies),
        ScoreKind::Loss(plies) => -win_value(plies),
    };
    lines
        .iter()
        .map(|line| {
            // An exponential variable: mostly small, now and then large.
            let luck = -noise * (1.0 - rng.random::<f64>()).ln();
            (value(line.score) + luck, line)
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .and_then(|(_, line)| line.pv.first().copied())
}

/// With some probability, a move that lets the opponent make a straight four: the best one for the
/// side's own shapes.
fn overlook(strength: Strength, request: &SearchRequest, rng: &mut impl RngExt) -> Option<Point> {
    let attention = f64::from(strength.0) / f64::from(NO_OVERLOOK_STRENGTH);
    if !rng.random_bool((OVERLOOK_RATE * (1.0 - attention)).max(0.0)) {
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
        let result = engine.go_as(strength, request, &SearchControl::unlimited(), &mut |_| {});
        let best = result.best.unwrap();
        let first = result.lines.first().and_then(|line| line.pv.first());
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
                let block = request("a1 h8 a2 h9 a15 h10 o15 h11 h12 b9", Rule::Standard);
                let p = play(&mut engine, strength, &block);
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
