//! Limited playing strength, with human-like errors.
//!
//! A weak player searches fewer nodes, and now and then he only glances at the board. A glance takes
//! a move near the stones by its policy, and overlooks threats: double threats first, then open
//! threes, and fours only at the lowest strengths.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Engine;
use crate::eval::POLICY_LOGIT;
use crate::patterns::Class;
use crate::position::Position;
use crate::search::{
    NodeThreat, SearchControl, SearchInfo, SearchRequest, SearchResult, moves_to_search,
};
use crate::time::random_seed;
use crate::types::{Point, PointSet};

/// Playing strength, 0 (a beginner) to 100 (full strength).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength(u8);

impl Default for Strength {
    fn default() -> Strength {
        Strength::FULL
    }
}

/// Probability of a glance at strength 0. This and the other constants are chosen so that matches
/// give even steps: the table in `docs/playing.md`.
const MOST_GLANCES: f64 = 0.5;
/// Steps of strength over which the probability of a glance falls by the factor e.
const GLANCE_DECAY: f64 = 16.0;
/// Share of the glances that overlook an open three.
const OVERLOOKED_THREES: f64 = 0.7;
/// No four is overlooked where the probability of a glance is lower.
const FOURS_SEEN_BELOW: f64 = 0.25;
/// Nodes of the weakest player's search, whose first iteration always ends.
const MIN_NODES: f64 = 15.0;
/// Steps of strength that double the nodes.
const DOUBLING: f64 = 6.5;

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

    /// Node limit of a search.
    fn nodes(self) -> u64 {
        (MIN_NODES * (f64::from(self.0) / DOUBLING).exp2()) as u64
    }

    /// Probability of a glance.
    fn glances(self) -> f64 {
        MOST_GLANCES * (-f64::from(self.0) / GLANCE_DECAY).exp()
    }
}

impl Engine {
    /// Searches like [`go`](Engine::go) and chooses the move as a player of this strength would. The
    /// result of a glance has no lines.
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
            ..request.clone()
        };
        let mut result = self.go(&limited, control, on_info);
        if let Some(p) = glance(strength, request, &mut rng) {
            result.best = Some(p);
            result.lines.clear();
        }
        result
    }
}

/// The move of a glance. `None` where the player looks longer or sees a threat.
fn glance(strength: Strength, request: &SearchRequest, rng: &mut impl RngExt) -> Option<Point> {
    // One number decides for all threats: a player who overlooks a four overlooks threes as well.
    let attention: f64 = rng.random();
    let glances = strength.glances();
    if attention >= glances {
        return None;
    }
    let mut position = Position::new(&request.board, request.rule);
    let side = position.side_to_move();
    let mut overlooked = PointSet::EMPTY;
    let (threat, answers) = moves_to_search(&mut position);
    for (needed, class) in [
        (glances - FOURS_SEEN_BELOW, Class::Five),
        (glances * OVERLOOKED_THREES, Class::StraightFour),
        (glances, Class::FourThree),
        (glances, Class::DoubleThree),
    ] {
        let cells = position.set(side, class).union(position.set(!side, class));
        if attention >= needed && !cells.is_empty() {
            return None;
        }
        overlooked = overlooked.union(&cells);
    }
    if threat != NodeThreat::None {
        overlooked = overlooked.union(&answers);
    }
    let moves: Vec<Point> = position
        .candidates()
        .difference(&overlooked.union(&request.excluded))
        .iter()
        .filter(|&p| !position.is_forbidden(side, p))
        .collect();
    // The Gumbel-max trick draws by the policy's probabilities.
    let luck = |rng: &mut _| -(-RngExt::random::<f64>(rng).ln()).ln();
    moves
        .into_iter()
        .map(|p| (f64::from(position.policy(p)) / POLICY_LOGIT + luck(rng), p))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, p)| p)
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

    /// The moves of a thousand glances, each `None` where the player looks longer.
    fn glances(strength: i64, moves: &str, rule: Rule) -> Vec<Option<String>> {
        let request = request(moves, rule);
        let mut rng = StdRng::seed_from_u64(1);
        (0..1000)
            .map(|_| glance(Strength::new(strength), &request, &mut rng).map(|p| p.label(15)))
            .collect()
    }

    fn overlooked(strength: i64, moves: &str) -> usize {
        let glances = glances(strength, moves, Rule::Freestyle);
        glances.iter().flatten().count()
    }

    const FOUR: &str = "a1 h8 a3 h9 a5 h10 c1 h11 h12 b9";
    const THREE: &str = "a1 h8 a3 h9 c2 h10";
    const DOUBLE: &str = "h8 a1 h9 a3 j6 a5 k6 c1 c3 c5";

    #[test]
    fn doubles_are_overlooked_before_threes_and_threes_before_fours() {
        for strength in [0, 10, 20, 30, 40] {
            let [double, three, four] = [DOUBLE, THREE, FOUR].map(|at| overlooked(strength, at));
            assert!(
                double > three && three > four.max(1),
                "{strength}: {double} {three} {four}"
            );
            assert_eq!(four > 50, strength == 0, "{four}");
            assert!(strength < 20 || four == 0, "{strength}: {four}");
        }
    }

    #[test]
    fn more_strength_is_more_nodes_and_fewer_glances() {
        for percent in 0..99 {
            let [one, next] = [percent, percent + 1].map(Strength::new);
            assert!(one.nodes() < next.nodes());
            let fewer = one.glances() - next.glances();
            assert!((1e-5..0.05).contains(&fewer), "{percent}: {fewer}");
        }
    }

    #[test]
    fn a_glance_is_near_the_stones_likely_and_allowed() {
        let seen = glances(0, "h8 i9 h7 h6 g8 f8", Rule::Freestyle);
        let mut cells: Vec<&String> = seen.iter().flatten().collect();
        let count = cells.len();
        assert!(count > 300, "{count}");
        let is_near = |p: &str| ('c'..='l').contains(&p.chars().next().unwrap());
        assert!(cells.iter().all(|p| is_near(p)), "{cells:?}");
        cells.sort();
        let best = cells.chunk_by(|a, b| a == b).map(<[_]>::len).max();
        cells.dedup();
        // An even choice would take each cell about equally often.
        assert!(cells.len() > 5 && best > Some(3 * count / cells.len()));
        // Black's h8 is a double-three.
        let fork = "h9 a1 h10 a3 g8 c1 f8 c5";
        let seen = glances(0, fork, Rule::Renju);
        assert!(!seen.contains(&Some("h8".to_owned())));
        assert!(seen.iter().flatten().count() > 0);
    }

    #[test]
    fn from_20_on_no_five_is_missed() {
        let mut engine = engine();
        for strength in [20, 50, 90] {
            for _ in 0..20 {
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
                request.board.play(p);
                winner = wins_at(&request.board, rule, p).then_some(side);
            }
        }
    }
}
