//! Statistics of finished games.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::game::GameRecord;
use super::sprt::{Pentanomial, elo_of_score};
use crate::game::referee::{Outcome, Reason};
use tengen::types::Color;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreCounts {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl ScoreCounts {
    /// Counts one game by its half points, 0 to 2.
    pub fn add(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half of the draws, divided by the games; 1/2 without games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            n => (self.wins as f64 + 0.5 * self.draws as f64) / n as f64,
        }
    }

    /// Drawn part of the games; 0 without games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    /// Points by a scale of win, draw, loss.
    pub fn points(&self, scale: [f64; 3]) -> f64 {
        self.wins as f64 * scale[0] + self.draws as f64 * scale[1] + self.losses as f64 * scale[2]
    }
}

/// A player's results and averages.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerStats {
    /// All games.
    pub all: ScoreCounts,
    /// Games with the black stones.
    pub black: ScoreCounts,
    /// Games with the white stones.
    pub white: ScoreCounts,
    /// Games lost by misbehaviour, by reason.
    pub forfeits: BTreeMap<String, u64>,
    /// Averages over the player's own moves.
    pub moves: MoveStats,
}

/// Averages over moves; each is over the moves with a known value.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct MoveStats {
    /// Moves counted.
    pub moves: u64,
    /// Milliseconds used in all.
    pub total_ms: f64,
    /// Longest time for one move, in ms.
    pub max_ms: f64,
    depth_sum: f64,
    depth_moves: u64,
    nodes_sum: f64,
    /// Time of the moves whose nodes are known, in ms.
    nodes_ms: f64,
    speed_sum: f64,
    speed_moves: u64,
}

impl MoveStats {
    /// Milliseconds for a move on average.
    pub fn mean_ms(&self) -> f64 {
        self.total_ms / self.moves.max(1) as f64
    }

    /// Average of the reported depths.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.depth_moves > 0).then(|| self.depth_sum / self.depth_moves as f64)
    }

    /// Nodes a second: the reported nodes divided by the measured time, or the average of the
    /// reported speeds where no nodes are reported.
    pub fn speed(&self) -> Option<f64> {
        if self.nodes_ms > 0.0 {
            Some(self.nodes_sum / self.nodes_ms * 1e3)
        } else {
            (self.speed_moves > 0).then(|| self.speed_sum / self.speed_moves as f64)
        }
    }

    fn add(&mut self, turn: &super::game::RecordedTurn) {
        let Some(ms) = turn.ms else {
            return;
        };
        self.moves += 1;
        self.total_ms += ms;
        self.max_ms = self.max_ms.max(ms);
        if let Some(depth) = turn.depth {
            self.depth_sum += f64::from(depth);
            self.depth_moves += 1;
        }
        if let Some(nodes) = turn.nodes {
            self.nodes_sum += nodes as f64;
            self.nodes_ms += ms;
        }
        if let Some(speed) = turn.speed {
            self.speed_sum += speed as f64;
            self.speed_moves += 1;
        }
    }
}

/// Statistics of each player, in the order of `names`.
pub fn players(names: &[String], games: &[&GameRecord]) -> Vec<PlayerStats> {
    let mut stats = vec![PlayerStats::default(); names.len()];
    for game in games {
        for color in Color::BOTH {
            let Some(player) = names.iter().position(|name| name == game.player(color)) else {
                continue;
            };
            let player = &mut stats[player];
            let half_points = game.half_points(color);
            player.all.add(half_points);
            match color {
                Color::Black => player.black.add(half_points),
                Color::White => player.white.add(half_points),
            }
            if game.outcome == Outcome::win(!color) && game.reason.is_forfeit() {
                *player.forfeits.entry(game.reason.to_string()).or_default() += 1;
            }
            let own = game.turns.iter().skip(color.index()).step_by(2);
            own.for_each(|turn| player.moves.add(turn));
        }
    }
    stats
}

/// Number of games that ended for each reason.
pub fn reasons(games: &[&GameRecord]) -> BTreeMap<Reason, u64> {
    let mut reasons = BTreeMap::new();
    for game in games {
        *reasons.entry(game.reason).or_default() += 1;
    }
    reasons
}

/// Results by opening: its place in the file, wins of Black, draws, wins of White.
pub fn openings(games: &[&GameRecord]) -> BTreeMap<usize, ScoreCounts> {
    let mut openings: BTreeMap<usize, ScoreCounts> = BTreeMap::new();
    for game in games {
        if let Some(opening) = game.opening {
            openings
                .entry(opening)
                .or_default()
                .add(game.black_half_points());
        }
    }
    openings
}

/// The games of all pairs but exact repetitions of earlier pairs. Engines limited by nodes or depth
/// play a repeated opening alike, and such games say nothing new.
pub fn distinct<'a>(games: &[&'a GameRecord]) -> Vec<&'a GameRecord> {
    let mut courses: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for game in games {
        courses.entry(game.pair).or_default().push(game.course());
    }
    let mut seen = SeenPairs::default();
    let is_new: HashMap<u64, bool> = courses
        .into_iter()
        .map(|(pair, courses)| (pair, seen.insert(courses)))
        .collect();
    let games = games.iter().copied();
    games.filter(|game| is_new[&game.pair]).collect()
}

/// The courses of the pairs so far.
#[derive(Default)]
pub struct SeenPairs(HashSet<Vec<u64>>);

impl SeenPairs {
    /// Adds the [courses](GameRecord::course) of a pair's games, in any order. False if an earlier
    /// pair has them.
    pub fn insert(&mut self, mut courses: Vec<u64>) -> bool {
        courses.sort_unstable();
        self.0.insert(courses)
    }
}

/// The completed pairs of games between `player` and `opponent`, in order: the pair's number, and
/// the half points of `player` in it, 0 to 4.
pub fn pairs(player: &str, opponent: &str, games: &[&GameRecord]) -> BTreeMap<u64, u32> {
    let mut open: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
    for game in games {
        if let Some(color) = game.color_against(player, opponent) {
            let entry = open.entry(game.pair).or_default();
            entry.0 += game.half_points(color);
            entry.1 += 1;
        }
    }
    open.into_iter()
        .filter(|(_, (_, games))| *games == 2)
        .map(|(pair, (half_points, _))| (pair, half_points))
        .collect()
}

/// Counts [`pairs`] by their points.
pub fn pentanomial(pairs: &BTreeMap<u64, u32>) -> Pentanomial {
    let mut counts = [0; 5];
    for half_points in pairs.values() {
        counts[*half_points as usize] += 1;
    }
    counts
}

/// The smallest of the `sorted` values (ascending) not exceeded by a part `q` of them; `None`
/// without values.
pub fn quantile<T: Copy>(sorted: &[T], q: f64) -> Option<T> {
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloEstimate {
    /// In Elo; infinite when every point was won or lost.
    pub elo: f64,
    /// Half the width of the 95 % interval, in Elo; infinite when it reaches a score of 0 or 1.
    pub error: f64,
    /// Likelihood of superiority: probability that the first player is the stronger one.
    pub los: f64,
}

/// Quantile of the normal distribution for a 95 % interval.
pub(super) const Z95: f64 = 1.959_964;

/// Variance of one pair's result when each of the five is as likely: 0, 1/4, 1/2, 3/4, 1.
const PAIR_VARIANCE: f64 = 0.125;
/// Variance of one game's result when both sides are as likely to win.
const GAME_VARIANCE: f64 = 0.25;

/// The difference in strength by the score over all games; `None` without games. Games of a pair
/// share an opening, so their variance is taken over pairs: over games, the opening's advantage
/// would count as noise. For games without a partner the variance is taken over games. One virtual
/// result (`PAIR_VARIANCE`, `GAME_VARIANCE`) is added to the variance of each kind, because a few
/// results may be alike by chance.
/// Source: the delta method on the logistic curve, as Fishtest and c-chess-cli do.
pub fn elo(all: &ScoreCounts, pairs: &Pentanomial) -> Option<EloEstimate> {
    let games = all.games() as f64;
    if games == 0.0 {
        return None;
    }
    let score = all.score();
    let deviation = score_deviation(all, pairs, score);
    let (low, high) = (score - Z95 * deviation, score + Z95 * deviation);
    let error = if low <= 0.0 || high >= 1.0 {
        f64::INFINITY
    } else {
        (elo_of_score(high) - elo_of_score(low)) / 2.0
    };
    Some(EloEstimate {
        elo: elo_of_score(score),
        error,
        // Probability that equal players do worse. The spread is measured around the score of equal
        // players: around the score found, a clean sweep has no spread and would be called certain.
        los: normal_cdf((score - 0.5) / score_deviation(all, pairs, 0.5)),
    })
}

/// Standard deviation of the score of `all`, which has at least one game, with the spread of the
/// results measured around the score `centre`.
fn score_deviation(all: &ScoreCounts, pairs: &Pentanomial, centre: f64) -> f64 {
    let games = all.games() as f64;
    let paired: f64 = pairs.iter().sum::<u64>() as f64;
    let pair_spread: f64 = (0..5)
        .map(|i| pairs[i] as f64 * (i as f64 / 4.0 - centre).powi(2))
        .sum();
    let pair_variance = (pair_spread + PAIR_VARIANCE) / (paired + 1.0);
    let results = [(all.wins, 1.0), (all.draws, 0.5), (all.losses, 0.0)];
    let game_spread: f64 = results
        .iter()
        .map(|&(count, points)| count as f64 * (points - centre).powi(2))
        .sum();
    let game_variance = (game_spread + GAME_VARIANCE) / (games + 1.0);
    // The sum of independent results: a pair counts as two games of its score.
    let single = games - 2.0 * paired;
    let variance = (4.0 * paired * pair_variance + single * game_variance) / (games * games);
    variance.sqrt()
}

/// The normal distribution function, to about 1e-7. Source: Abramowitz and Stegun, 7.1.26.
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let poly = t
        * (0.254_829_592
            + t * (-0.284_496_736
                + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let upper = 0.5 * poly * (-z * z).exp();
    if x > 0.0 { 1.0 - upper } else { upper }
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::game;
    use super::*;

    #[test]
    fn pairs_that_repeat_earlier_ones_say_nothing_new() {
        use Outcome::{Black, White};
        let with_moves_of = |id: u64, other: u64, outcome| GameRecord {
            turns: game(other, outcome).turns,
            ..game(id, outcome)
        };
        let games = [
            game(0, Black),
            game(1, White),
            // The same moves, the games in the other order of their ends.
            with_moves_of(3, 1, White),
            with_moves_of(2, 0, Black),
            // One game of the pair is new.
            with_moves_of(4, 0, Black),
            game(5, White),
            // The same moves with the colours changed: other games.
            GameRecord {
                black: "B".into(),
                white: "A".into(),
                ..with_moves_of(6, 0, White)
            },
        ];
        let distinct = distinct(&games.iter().collect::<Vec<_>>());
        let ids: Vec<u64> = distinct.iter().map(|game| game.id).collect();
        assert_eq!(ids, [0, 1, 4, 5, 6]);
    }

    fn played() -> Vec<GameRecord> {
        use Outcome::{Black, Draw, White};
        // A has Black in even games: A scores 1, 1; 0, 1/2; 1/2, and game 6 stands alone.
        let outcomes = [Black, White, White, Draw, Draw, Draw, Black];
        (0..).zip(outcomes).map(|(id, o)| game(id, o)).collect()
    }

    #[test]
    fn results_are_counted_by_player_and_colour() {
        let names = ["A".to_string(), "B".to_string()];
        let stats = players(&names, &played().iter().collect::<Vec<_>>());
        let tally = |wins, draws, losses| ScoreCounts {
            wins,
            draws,
            losses,
        };
        assert_eq!(stats[0].all, tally(3, 3, 1));
        assert_eq!(stats[0].black, tally(2, 1, 1));
        assert_eq!(stats[1].all, tally(1, 3, 3));
        assert_eq!(stats[1].white, tally(1, 1, 2));
        assert_eq!(stats[0].all.points([3.0, 1.0, 0.0]), 12.0);
    }

    #[test]
    fn pairs_need_both_games() {
        let pairs = pairs("A", "B", &played().iter().collect::<Vec<_>>());
        assert_eq!(
            pairs.into_iter().collect::<Vec<_>>(),
            [(0, 4), (1, 1), (2, 2)]
        );
    }

    #[test]
    fn quantiles_are_values_that_occur() {
        assert_eq!(quantile(&[1, 2, 3, 4], 0.5), Some(2));
        assert_eq!(quantile(&[1, 2, 3], 0.5), Some(2));
        assert_eq!(quantile(&[1, 2, 3], 1.0), Some(3));
        assert_eq!(quantile(&[1, 2, 3], 0.0), Some(1));
        assert_eq!(quantile::<u8>(&[], 0.5), None);
    }

    /// 60 wins, 40 losses: score 0.6, Elo 400 log10(1.5) = 70.437; deviation
    /// sqrt(0.24 / 100) = 0.048990; 95 %: 0.503980 to 0.696020, that is 2.766 to 143.946 Elo by
    /// hand, half the width 70.590; around 0.5 the deviation is
    /// sqrt(0.25 / 100) = 0.05, so LOS = Phi(0.1 / 0.05) = 0.97725.
    #[test]
    fn elo_and_its_error_by_hand() {
        let all = ScoreCounts {
            wins: 60,
            draws: 0,
            losses: 40,
        };
        let elo = elo(&all, &[0; 5]).unwrap();
        assert!((elo.elo - 70.437).abs() < 1e-3, "{}", elo.elo);
        assert!((elo.error - 70.590).abs() < 0.05, "{}", elo.error);
        assert!((elo.los - 0.977_25).abs() < 1e-4, "{}", elo.los);
    }

    /// Black wins every game: games say nothing with great noise, pairs say "equal" with none.
    #[test]
    fn pairs_take_the_colours_advantage_out() {
        let all = ScoreCounts {
            wins: 50,
            draws: 0,
            losses: 50,
        };
        let unpaired = elo(&all, &[0; 5]).unwrap();
        assert!(unpaired.error > 60.0);
        let paired = elo(&all, &[0, 0, 50, 0, 0]).unwrap();
        assert_eq!(paired.elo, 0.0);
        assert!((paired.los - 0.5).abs() < 1e-6);
        assert!(
            paired.error > 0.0 && paired.error < 10.0,
            "{}",
            paired.error
        );
        assert_eq!(elo(&ScoreCounts::default(), &[0; 5]), None);
    }

    /// Two wins and a loss, where a win and the loss form a pair, and 21 games with one unpaired:
    /// the last game counts too. Score 2/3: Elo 400 log10(2) = 120.412; 11/21: 400 log10(1.1) =
    /// 16.557.
    #[test]
    fn an_odd_game_counts() {
        let results = |wins, losses| ScoreCounts {
            wins,
            draws: 0,
            losses,
        };
        let three = elo(&results(2, 1), &[0, 0, 1, 0, 0]).unwrap();
        assert!((three.elo - 120.412).abs() < 1e-3, "{}", three.elo);
        assert_eq!(three.error, f64::INFINITY);
        let paired = elo(&results(10, 10), &[2, 0, 6, 0, 2]).unwrap();
        let one_more = elo(&results(11, 10), &[2, 0, 6, 0, 2]).unwrap();
        assert!((one_more.elo - 16.557).abs() < 1e-3, "{}", one_more.elo);
        assert!((one_more.error - paired.error).abs() < 10.0);
    }

    #[test]
    fn a_clean_sweep_has_no_finite_elo() {
        let all = ScoreCounts {
            wins: 4,
            draws: 0,
            losses: 0,
        };
        let elo = elo(&all, &[0, 0, 0, 0, 2]).unwrap();
        assert_eq!((elo.elo, elo.error), (f64::INFINITY, f64::INFINITY));
        assert!(elo.los > 0.9 && elo.los < 0.96, "{}", elo.los);
    }

    #[test]
    fn one_pair_is_no_certainty() {
        let all = ScoreCounts {
            wins: 0,
            draws: 1,
            losses: 1,
        };
        let elo = elo(&all, &[0, 1, 0, 0, 0]).unwrap();
        assert_eq!(elo.error, f64::INFINITY);
        assert!(elo.los > 0.1, "{}", elo.los);
    }
}
