//! The result of a match so far: the source of the final table, the live table and the
//! machine-readable lines.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::course::Course;
use super::game::GameRecord;
use super::journal::MatchTerms;
use super::ratings::{self, Rating};
use super::runner::PairSequence;
use super::schedule::{GameSpec, Round, Schedule, Standing};
use super::sprt::{Hypothesis, Pentanomial};
use super::stats::{self, EloEstimate, PlayerStats, ScoreCounts};
use crate::game::referee::{Outcome, Reason};
use tengen::types::Color;

/// The result of a match.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Rule name.
    pub rule: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Games that count.
    pub games: u64,
    /// Games that ended after the test had its answer.
    pub uncounted: u64,
    /// Points for a win, a draw and a loss.
    pub points: [f64; 3],
    /// Players in the order of the match.
    pub players: Vec<PlayerSummary>,
    /// The comparison, if there are two players.
    pub duel: Option<Duel>,
    /// The course of the meetings, if these depend on results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<Course>,
    /// The order of players with equal points, in words.
    pub tie_break: &'static str,
    /// Worth of the black stones, if there are more than two players.
    pub black_rating: Option<Rating>,
    /// Results of Black against White over all players.
    pub black: ScoreCounts,
    /// Results of the players who began, if there is an opening rule: a swap may take Black from
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstSide>,
    /// Number of games that ended for each reason.
    pub reasons: BTreeMap<Reason, u64>,
    /// Results of Black by opening.
    pub openings: BTreeMap<usize, ScoreCounts>,
    /// Results of the row's player against the column's.
    pub cross_table: Vec<Vec<ScoreCounts>>,
}

/// Worth of an opening rule for the player who begins.
#[derive(Clone, Debug, Serialize)]
pub struct FirstSide {
    /// The rule.
    pub rule: String,
    /// His results.
    pub results: ScoreCounts,
    /// Games in which he played White in the end.
    pub swapped: u64,
}

/// A player and his results.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerSummary {
    /// Name.
    pub name: String,
    /// Place in the ranking, from 1.
    pub place: usize,
    /// Points by the match's scale.
    pub points: f64,
    /// Part of the points that a Swiss tournament gave for rounds without an opponent.
    pub bye_points: f64,
    /// Sum of the opponents' points.
    pub buchholz: f64,
    /// Opponents' points times the part of each game won against them.
    pub sonneborn_berger: f64,
    /// Strength, if there are more than two players.
    pub rating: Option<Rating>,
    /// Results and averages.
    #[serde(flatten)]
    pub stats: PlayerStats,
    /// Milliseconds for a move on average.
    pub mean_ms: f64,
    /// Average depth in plies, if reported.
    pub mean_depth: Option<f64>,
    /// Nodes a second, if reported.
    pub speed: Option<f64>,
}

/// Two players compared, from the view of the first.
#[derive(Clone, Debug, Serialize)]
pub struct Duel {
    /// Difference in strength.
    pub elo: Option<EloEstimate>,
    /// Games of pairs that repeat earlier pairs move by move; they count neither here nor in the
    /// test.
    pub repeated: u64,
    /// True if the two games of each pair have the same moves, and there are four pairs or more:
    /// the two players are the same one.
    pub alike: bool,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: Pentanomial,
    /// State of the test, if there is one.
    pub sprt: Option<SprtState>,
}

/// State of a sequential test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtState {
    /// H0 in Elo.
    pub elo0: f64,
    /// H1 in Elo.
    pub elo1: f64,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted here.
    pub lower: f64,
    /// H1 is accepted here.
    pub upper: f64,
    /// The answer.
    pub accepted: Option<Hypothesis>,
    /// True if the games without forfeits give another answer or none.
    pub by_forfeits: bool,
}

impl PlayerSummary {
    /// Number of games lost by misbehaviour.
    pub fn forfeits(&self) -> u64 {
        self.stats.forfeits.values().sum()
    }
}

impl Summary {
    /// The result of `games`, which are in order. Games after the answer of the match's test do not
    /// count, so the same games always give the same table.
    pub fn new(terms: &MatchTerms, games: &[GameRecord]) -> Summary {
        let names: Vec<String> = terms.players.iter().map(|p| p.name.clone()).collect();
        let decided = decided_pairs(terms, &names, games);
        let counted = up_to(decided, games);
        let stats = stats::players(&names, &counted);
        let schedule = terms.plan();
        let rounds = rounds(&schedule, &names, &counted);
        let standings = schedule.standings(&rounds);
        let ratings =
            (names.len() > 2).then(|| ratings::rate(names.len(), &rated(&names, &counted)));
        let duel = match &names[..] {
            [first, second] => {
                let distinct = stats::distinct(&counted);
                let pairs = stats::pentanomial(&stats::pairs(first, second, &distinct));
                Some(Duel {
                    elo: stats::elo(&cross_table(&names, &distinct)[0][1], &pairs),
                    alike: are_alike(&distinct),
                    repeated: (counted.len() - distinct.len()) as u64,
                    pairs,
                    sprt: terms.sprt.map(|sprt| {
                        let (lower, upper) = sprt.bounds();
                        let accepted = decided.map(|(hypothesis, _)| hypothesis);
                        SprtState {
                            elo0: sprt.elo0,
                            elo1: sprt.elo1,
                            llr: sprt.llr(&pairs),
                            lower,
                            upper,
                            accepted,
                            by_forfeits: accepted.is_some()
                                && accepted != sprt.decide(&played_pairs(first, second, &distinct)),
                        }
                    }),
                })
            }
            _ => None,
        };
        let mut black = ScoreCounts::default();
        counted
            .iter()
            .for_each(|g| black.add(g.black_half_points()));
        Summary {
            rule: terms.rule.clone(),
            width: terms.width,
            height: terms.height,
            games: counted.len() as u64,
            uncounted: (games.len() - counted.len()) as u64,
            points: terms.points,
            cross_table: cross_table(&names, &counted),
            course: Course::new(&schedule, &rounds, &names),
            tie_break: schedule.tie_break(),
            black_rating: ratings.as_ref().map(|r| r.black),
            players: names
                .into_iter()
                .zip(stats)
                .enumerate()
                .map(|(i, (name, stats))| {
                    let place = place_of(&standings, i);
                    let standing = &standings[place];
                    PlayerSummary {
                        name,
                        place: 1 + place,
                        points: standing.points,
                        bye_points: standing.bye_points,
                        buchholz: standing.buchholz,
                        sonneborn_berger: standing.sonneborn_berger,
                        rating: ratings.as_ref().map(|r| r.players[i]),
                        mean_ms: stats.moves.mean_ms(),
                        mean_depth: stats.moves.mean_depth(),
                        speed: stats.moves.speed(),
                        stats,
                    }
                })
                .collect(),
            duel,
            black,
            first: first_side(&counted),
            reasons: stats::reasons(&counted),
            openings: stats::openings(&counted),
        }
    }
}

/// The games that count: those up to the answer of the match's test, all without one.
pub(super) fn counted_games<'a>(
    terms: &MatchTerms,
    games: &'a [GameRecord],
) -> Vec<&'a GameRecord> {
    let names: Vec<String> = terms.players.iter().map(|p| p.name.clone()).collect();
    up_to(decided_pairs(terms, &names, games), games)
}

/// Pairs with the same moves in both games from which on the players count as the same one.
const ALIKE_PAIRS: usize = 4;

/// See [`Duel::alike`].
fn are_alike(games: &[&GameRecord]) -> bool {
    let mut alone: HashMap<u64, &GameRecord> = HashMap::new();
    let mut pairs = 0;
    for &game in games {
        let Some(other) = alone.remove(&game.pair) else {
            alone.insert(game.pair, game);
            continue;
        };
        let labels = game.turns.iter().map(|turn| &turn.label);
        if !labels.eq(other.turns.iter().map(|turn| &turn.label)) {
            return false;
        }
        pairs += 1;
    }
    pairs >= ALIKE_PAIRS
}

/// The pairs in which nobody forfeited a game.
fn played_pairs(first: &str, second: &str, games: &[&GameRecord]) -> Pentanomial {
    let forfeits = games.iter().filter(|game| game.reason.is_forfeit());
    let broken: HashSet<u64> = forfeits.map(|game| game.pair).collect();
    let mut pairs = stats::pairs(first, second, games);
    pairs.retain(|pair, _| !broken.contains(pair));
    stats::pentanomial(&pairs)
}

/// Number of games of the whole match if known beforehand: without a test, whose answer ends the
/// match, and with meetings independent of results.
pub(super) fn planned_games(terms: &MatchTerms) -> Option<u64> {
    let schedule = terms.plan();
    if terms.sprt.is_some() || !schedule.is_fixed() || terms.players.len() < 2 {
        return None;
    }
    let encounters = schedule.next_round(&[])?.len() as u64;
    Some(encounters.saturating_mul(terms.games))
}

fn up_to(decided: Option<(Hypothesis, u64)>, games: &[GameRecord]) -> Vec<&GameRecord> {
    let counts = |game: &&GameRecord| decided.is_none_or(|(_, pairs)| game.pair < pairs);
    games.iter().filter(counts).collect()
}

fn first_side(games: &[&GameRecord]) -> Option<FirstSide> {
    let agreed = games.iter().find_map(|game| game.agreed.as_ref())?;
    let mut first = FirstSide {
        rule: agreed.rule.clone(),
        results: ScoreCounts::default(),
        swapped: 0,
    };
    for game in games {
        first.results.add(game.first_half_points());
        let swapped = game.agreed.as_ref().is_some_and(|agreed| agreed.swapped);
        first.swapped += u64::from(swapped);
    }
    Some(first)
}

fn place_of(standings: &[Standing], player: usize) -> usize {
    let place = standings.iter().position(|s| s.player == player);
    place.expect("every player has a standing")
}

/// The rounds that consist of these games.
fn rounds(schedule: &Schedule, names: &[String], games: &[&GameRecord]) -> Vec<Round> {
    if !schedule.is_fixed() {
        let outcomes: HashMap<u64, Outcome> = games
            .iter()
            .map(|g| (g.id, g.scheduled_outcome()))
            .collect();
        return schedule.rounds(|id| outcomes.get(&id).copied());
    }
    // One round, perhaps of very many games; the games not yet played need no entry.
    let place = |name: &str| names.iter().position(|n| n == name);
    let played = |game: &&GameRecord| {
        let spec = GameSpec {
            id: game.id,
            pair: game.pair,
            round: 0,
            opening: 0,
            black: place(&game.black)?,
            white: place(&game.white)?,
        };
        Some((spec, game.outcome))
    };
    vec![Round {
        encounters: schedule.next_round(&[]).unwrap_or_default(),
        games: games.iter().filter_map(played).collect(),
    }]
}

fn rated(names: &[String], games: &[&GameRecord]) -> Vec<ratings::RatedGame> {
    let place = |name: &str| names.iter().position(|n| n == name);
    games
        .iter()
        .filter_map(|game| {
            Some(ratings::RatedGame {
                black: place(&game.black)?,
                white: place(&game.white)?,
                score: f64::from(game.black_half_points()) / 2.0,
            })
        })
        .collect()
}

/// The test's answer and the number of pairs up to it.
fn decided_pairs(
    terms: &MatchTerms,
    names: &[String],
    games: &[GameRecord],
) -> Option<(Hypothesis, u64)> {
    let sprt = terms.sprt.as_ref()?;
    if terms.shard.is_some() {
        // A part of a match has gaps; the test needs the whole.
        return None;
    }
    let [first, second] = names else {
        return None;
    };
    let mut sequence = PairSequence::default();
    for game in games {
        if let Some(color) = game.color_against(first, second) {
            sequence.note(game, game.half_points(color));
        }
    }
    sequence.decide(sprt)
}

fn cross_table(names: &[String], games: &[&GameRecord]) -> Vec<Vec<ScoreCounts>> {
    let mut table = vec![vec![ScoreCounts::default(); names.len()]; names.len()];
    let place = |name: &str| names.iter().position(|n| n == name);
    for game in games {
        if let (Some(black), Some(white)) = (place(&game.black), place(&game.white)) {
            table[black][white].add(game.black_half_points());
            table[white][black].add(game.half_points(Color::White));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::journal::JournalPlayer;
    use super::super::journal::tests::{game, terms};
    use super::super::sprt::Sprt;
    use super::*;

    #[test]
    fn games_after_the_tests_answer_do_not_count() {
        // A wins all.
        let games: Vec<GameRecord> = (0..40)
            .map(|id| {
                game(
                    id,
                    if id % 2 == 0 {
                        Outcome::Black
                    } else {
                        Outcome::White
                    },
                )
            })
            .collect();
        let terms = MatchTerms {
            sprt: Some(Sprt::parse(&["elo0=0", "elo1=200"]).unwrap()),
            ..terms()
        };
        let summary = Summary::new(&terms, &games);
        let duel = summary.duel.unwrap();
        assert_eq!(duel.sprt.unwrap().accepted, Some(Hypothesis::H1));
        assert!(summary.games < 40);
        assert_eq!(summary.games + summary.uncounted, 40);
        assert_eq!(summary.cross_table[1][0].losses, summary.games);
        // Without one game in the middle the answer must wait.
        let gap: Vec<GameRecord> = games.into_iter().filter(|g| g.id != 1).collect();
        assert_eq!(
            Summary::new(&terms, &gap)
                .duel
                .unwrap()
                .sprt
                .unwrap()
                .accepted,
            None
        );
    }

    #[test]
    fn a_player_that_meets_itself_is_told() {
        // The fixture's games have the same moves in both games of a pair.
        let record = |id: u64| game(id, Outcome::Black);
        let summary = |games: u64| {
            let games: Vec<GameRecord> = (0..games).map(record).collect();
            Summary::new(&terms(), &games)
        };
        assert!(!summary(6).duel.unwrap().alike);
        let alike = summary(8);
        assert!(alike.duel.as_ref().unwrap().alike);
        assert!(alike.to_string().contains("always chose the same moves"));
        let mut games: Vec<GameRecord> = (0..8).map(record).collect();
        games[5].turns.pop();
        assert!(!Summary::new(&terms(), &games).duel.unwrap().alike);
    }

    #[test]
    fn copies_of_games_decide_no_test() {
        let terms = MatchTerms {
            sprt: Some(Sprt::parse(&["elo0=0", "elo1=200"]).unwrap()),
            ..terms()
        };
        // A wins all, in copies of the first two games.
        let record = |id: u64| {
            let outcome = [Outcome::Black, Outcome::White][(id % 2) as usize];
            GameRecord {
                turns: game(0, outcome).turns,
                ..game(id, outcome)
            }
        };
        let games: Vec<GameRecord> = (0..40).map(record).collect();
        let summary = Summary::new(&terms, &games);
        let duel = summary.duel.as_ref().unwrap();
        assert_eq!(summary.games, 40);
        assert_eq!(duel.repeated, 38);
        assert_eq!(duel.pairs, [0, 0, 0, 0, 1]);
        assert_eq!(duel.sprt.unwrap().accepted, None);
        let text = summary.to_string();
        assert!(text.contains("38 games are in pairs that repeat"), "{text}");
    }

    #[test]
    fn a_test_decided_by_forfeits_says_so() {
        let terms = MatchTerms {
            sprt: Some(Sprt::parse(&["elo0=0", "elo1=200"]).unwrap()),
            ..terms()
        };
        // A wins all, and B crashes in these games.
        let played = |crashes: &dyn Fn(u64) -> bool| {
            let record = |id: u64| {
                let outcome = [Outcome::Black, Outcome::White][(id % 2) as usize];
                let mut record = game(id, outcome);
                if crashes(id) {
                    record.reason = Reason::Crash;
                }
                record
            };
            let games: Vec<GameRecord> = (0..40).map(record).collect();
            Summary::new(&terms, &games)
        };
        let by_forfeits =
            |summary: &Summary| summary.duel.as_ref().unwrap().sprt.unwrap().by_forfeits;
        let clean = played(&|_| false);
        assert!(!by_forfeits(&clean));
        assert!(!clean.to_string().contains("forfeits"));
        let crashed = played(&|id| id % 4 == 1);
        assert!(by_forfeits(&crashed));
        let text = crashed.to_string();
        assert!(
            text.contains(", H1 accepted, decided by forfeits\n"),
            "{text}"
        );
        let elo = text
            .lines()
            .find(|line| line.starts_with("Elo of A"))
            .unwrap();
        assert!(elo.contains(", forfeits: B "), "{elo}");
        assert!(super::super::status_line(&crashed).contains(", forfeits: B "));
        // One crash among enough games does not decide.
        assert!(!by_forfeits(&played(&|id| id == 39)));
    }

    /// The bye counts as both games won; the table of games alone would not explain the points.
    #[test]
    fn points_without_a_game_are_named() {
        let mut terms = terms();
        terms.schedule = "swiss:1".to_string();
        terms.games = 2;
        terms.players.push(JournalPlayer {
            name: "C".to_string(),
            settings: Vec::new(),
        });
        let games = [game(0, Outcome::Black), game(1, Outcome::Draw)];
        let summary = Summary::new(&terms, &games);
        let bye_points: Vec<f64> = summary.players.iter().map(|p| p.bye_points).collect();
        assert_eq!(bye_points, [0.0, 0.0, 2.0]);
        let text = summary.to_string();
        assert!(
            text.contains("\nPoints by byes, without a game: C 2\n"),
            "{text}"
        );
    }

    #[test]
    fn tables_of_a_tournament_fit_80_columns() {
        let names = [
            "pbrain-tengen-0.1.0-with-another-network-a1b2c3d4",
            "B",
            "C",
            "D",
            "E",
            "F",
            "G",
            "H",
        ];
        let mut terms = terms();
        terms.players = names
            .map(|name| JournalPlayer {
                name: name.to_string(),
                settings: Vec::new(),
            })
            .to_vec();
        let games: Vec<GameRecord> = (0..24)
            .map(|id| {
                let mut record = game(id, Outcome::Black);
                record.black = names[id as usize % 8].to_string();
                record.white = names[(id as usize + 1) % 8].to_string();
                record
            })
            .collect();
        for schedule in ["swiss:3", "groups:2:1"] {
            terms.schedule = schedule.to_string();
            let text = Summary::new(&terms, &games).to_string();
            let cut = "\n  pbrain-tengen…ork-a1b2c3d4 ";
            assert!(text.contains(cut), "{text}");
            let too_wide = |line: &&str| line.chars().count() > 80;
            assert_eq!(text.lines().find(too_wide), None, "{text}");
        }
    }
}
