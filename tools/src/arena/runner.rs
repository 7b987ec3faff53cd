//! Plays a schedule on worker threads; results come in the order in which games end.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::conversation::{Failure, Session};
use super::engine_check::UnfitEngine;
use super::game::{self, Conditions, GameRecord, NoGame, PlayedGame};
use super::memory::Monitor;
use super::openings::{Book, BookOpening};
use super::schedule::{GameSpec, Round, Schedule};
use super::spec::EngineSpec;
use super::sprt::{Hypothesis, Pentanomial, Sprt};
use super::stats::SeenPairs;
use crate::game::referee::{Outcome, Reason};
use crate::share::Share;
use tengen::types::{Color, PerColor};

/// Time between two checks of the stop flag by the director.
const POLL: Duration = Duration::from_millis(50);
/// Pause of the last worker before another try to play a game after a shortage.
const SHORTAGE_PAUSE: Duration = Duration::from_millis(200);
/// Tries of the last worker to play a game for which the system has no room.
const SHORTAGE_TRIES: u32 = 3;
/// Longest head start of the engines over this process in receiving a stop that is sent to all.
const STOP_LAG: Duration = Duration::from_millis(200);

/// A match: everything that its games depend on.
pub struct Match {
    /// Players, in the schedule's order.
    pub engines: Vec<Arc<EngineSpec>>,
    /// Rule, board and judge.
    pub conditions: Conditions,
    /// Openings.
    pub book: Book,
    /// The schedule of the meetings.
    pub schedule: Schedule,
    /// The part of the schedule played here.
    pub shard: Option<Share>,
    /// A test whose answer ends the match; for two players and a match that is not split.
    pub sprt: Option<Sprt>,
    /// Games played at once, at least 1.
    pub concurrency: usize,
    /// Seed of the engines' random choices in openings by a rule.
    pub seed: u64,
    /// Folder for logs of the communication with the engines.
    pub trace: Option<PathBuf>,
}

/// An event of a match.
pub enum MatchEvent<'a> {
    /// A game begins.
    Started(&'a GameSpec),
    /// A game has a result.
    Finished(&'a GameRecord),
    /// The system has no room for more than this number of games at once, for this reason.
    Narrowed(usize, &'a str),
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The test has an answer after this many pairs. Later games do not count.
    Decided {
        /// The answer.
        hypothesis: Hypothesis,
        /// Pairs up to the answer.
        pairs: u64,
    },
    /// The match was stopped from outside.
    Stopped,
}

/// Plays the match, except for the games in `done`. `stop` may be set at any time to end the match;
/// games in progress are then abandoned. An error of `observe` also ends the match and is returned.
///
/// # Errors
/// Errors of `observe`. In words: an engine cannot be started, a game in `done` is not of this match,
/// the test meets nothing but copies of earlier games, or the system gives no thread.
pub fn run<E: From<String>>(
    config: &Match,
    done: Vec<GameRecord>,
    stop: &Arc<AtomicBool>,
    observe: &mut dyn FnMut(MatchEvent) -> Result<(), E>,
) -> Result<MatchEnd, E> {
    let monitor = config
        .engines
        .iter()
        .any(|engine| engine.memory.is_some())
        .then(Monitor::start)
        .transpose()
        .map_err(|e| no_thread(&e.to_string()))?;
    // Set when the match is over but not stopped from outside: the test has decided.
    let abandon = Arc::new(AtomicBool::new(false));
    let (give, jobs) = channel::<AssignedGame>();
    let jobs = Arc::new(Mutex::new(jobs));
    let (report, reports) = channel();
    thread::scope(|scope| {
        let workers = Arc::new(AtomicUsize::new(0));
        let mut refused = None;
        for _ in 0..config.concurrency.max(1) {
            let monitor = monitor.as_ref();
            let stop = Arc::clone(&abandon);
            let (jobs, report) = (Arc::clone(&jobs), report.clone());
            let shared = Arc::clone(&workers);
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                // Engines stay in the thread that started them.
                let sessions = HashMap::new();
                let mut worker = Worker {
                    config,
                    monitor,
                    stop,
                    sessions,
                    workers: shared,
                };
                worker.work(&jobs, &report);
            });
            match started {
                Ok(_) => workers.fetch_add(1, Ordering::Relaxed),
                Err(error) => {
                    refused = Some(error.to_string());
                    break;
                }
            };
        }
        drop(report);
        let at_once = workers.load(Ordering::Relaxed);
        if let Some(why) = refused {
            if at_once == 0 {
                return Err(no_thread(&why).into());
            }
            observe(MatchEvent::Narrowed(at_once, &why))?;
        }
        let mut director = Director {
            config,
            done: done.into_iter().map(|game| (game.id, game)).collect(),
            stop,
            give,
            reports,
            at_once,
            tries: 0,
            sequence: PairSequence::default(),
        };
        let end = director.direct(observe);
        // Unfinished games are abandoned for any reason.
        abandon.store(true, Ordering::Relaxed);
        drop(director);
        end
    })
}

fn no_thread(why: &str) -> String {
    format!("no thread can be started: {why}")
}

struct AssignedGame {
    game: GameSpec,
    opening: Option<BookOpening>,
}

/// A worker's result of a game.
type GameReport = (GameSpec, Result<GameRecord, UnfitEngine>);

/// Hands out the games and takes the results.
struct Director<'a> {
    config: &'a Match,
    done: BTreeMap<u64, GameRecord>,
    stop: &'a Arc<AtomicBool>,
    give: Sender<AssignedGame>,
    reports: Receiver<GameReport>,
    /// Number of workers.
    at_once: usize,
    /// Tries of the last worker in a row for which the system had no room.
    tries: u32,
    sequence: PairSequence,
}

impl Director<'_> {
    fn direct<E: From<String>>(
        &mut self,
        observe: &mut dyn FnMut(MatchEvent) -> Result<(), E>,
    ) -> Result<MatchEnd, E> {
        let mut past: Vec<Round> = Vec::new();
        while let Some(encounters) = self.config.schedule.next_round(&past) {
            let games = self.config.schedule.games(&encounters, &past);
            let mine: Vec<GameSpec> = games
                .into_iter()
                .filter(|game| self.config.shard.is_none_or(|shard| shard.has(game.pair)))
                .collect();
            let mut results = Vec::new();
            let mut to_play = Vec::new();
            for game in mine {
                match self.done.get(&game.id) {
                    Some(record) => {
                        self.check_place(record, &game)?;
                        results.push((game, record.scheduled_outcome()));
                        self.sequence
                            .note(record, first_players_points(&game, record));
                    }
                    None => to_play.push(game),
                }
            }
            if let Some(end) = self.decided()? {
                return Ok(end);
            }
            if let Some(end) = self.play_round(to_play, &mut results, observe)? {
                return Ok(end);
            }
            results.sort_by_key(|(game, _)| game.id);
            past.push(Round {
                encounters,
                games: results,
            });
        }
        Ok(MatchEnd::Complete)
    }

    /// Plays `games`; `Some` ends the match.
    fn play_round<E: From<String>>(
        &mut self,
        games: Vec<GameSpec>,
        results: &mut Vec<(GameSpec, Outcome)>,
        observe: &mut dyn FnMut(MatchEvent) -> Result<(), E>,
    ) -> Result<Option<MatchEnd>, E> {
        let mut games = VecDeque::from(games);
        let mut running = 0;
        loop {
            while running < self.at_once {
                let Some(game) = games.pop_front() else {
                    break;
                };
                observe(MatchEvent::Started(&game))?;
                let opening = self.config.book.get(game.opening);
                self.give
                    .send(AssignedGame { game, opening })
                    .expect("workers live as long as the director");
                running += 1;
            }
            if running == 0 {
                return Ok(None);
            }
            let report = loop {
                match self.reports.recv_timeout(POLL) {
                    Ok(report) => break report,
                    Err(RecvTimeoutError::Timeout) if !self.stop.load(Ordering::Relaxed) => {}
                    // The second: all workers have panicked, which ends the scope.
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                        return Ok(Some(MatchEnd::Stopped));
                    }
                }
            };
            running -= 1;
            let (game, result) = report;
            let record = match result {
                Ok(record) => record,
                Err(unfit) if unfit.failure == Failure::Stopped || self.is_being_stopped() => {
                    return Ok(Some(MatchEnd::Stopped));
                }
                Err(unfit) => {
                    self.note_unfit(unfit, observe)?;
                    games.push_front(game);
                    continue;
                }
            };
            self.tries = 0;
            let was_ended = matches!(record.reason, Reason::Crash | Reason::Disconnect);
            if was_ended && self.is_being_stopped() {
                return Ok(Some(MatchEnd::Stopped));
            }
            // A game counts only if it is on the record.
            observe(MatchEvent::Finished(&record))?;
            results.push((game, record.scheduled_outcome()));
            self.sequence
                .note(&record, first_players_points(&game, &record));
            if let Some(end) = self.decided()? {
                return Ok(Some(end));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Some(MatchEnd::Stopped));
            }
        }
    }

    /// Goes on with fewer workers where the system has no room; other failures to start end the
    /// match.
    fn note_unfit<E: From<String>>(
        &mut self,
        unfit: UnfitEngine,
        observe: &mut dyn FnMut(MatchEvent) -> Result<(), E>,
    ) -> Result<(), E> {
        match &unfit.failure {
            Failure::Shortage(why) if self.at_once > 1 => {
                self.at_once -= 1;
                observe(MatchEvent::Narrowed(self.at_once, why))
            }
            Failure::Shortage(_) if self.tries + 1 < SHORTAGE_TRIES => {
                self.tries += 1;
                Ok(())
            }
            _ => Err(unfit.to_string().into()),
        }
    }

    /// Checks that `record` is of `game`: a number alone does not tell the players.
    fn check_place(&self, record: &GameRecord, game: &GameSpec) -> Result<(), String> {
        let text = |pair: u64, [black, white]: [&str; 2]| {
            format!("{black} - {white} in pair {}", pair.saturating_add(1))
        };
        let players = [game.black, game.white].map(|p| self.config.engines[p].name.as_str());
        let found = record.scheduled_players();
        if (record.pair, found) == (game.pair, players) {
            return Ok(());
        }
        Err(format!(
            "game {} of the journal is {}; this match has {} there",
            record.number(),
            text(record.pair, found),
            text(game.pair, players),
        ))
    }

    /// True if the match is being stopped: an engine may have been ended by the signal that goes to
    /// all processes, and its game is played again. The signal may reach the engine first, so this
    /// waits for the stop.
    fn is_being_stopped(&self) -> bool {
        let is_stopped = || self.stop.load(Ordering::Relaxed);
        let deadline = Instant::now() + STOP_LAG;
        while !is_stopped() && Instant::now() < deadline {
            thread::sleep(POLL / 10);
        }
        is_stopped()
    }

    /// The end of the match by its test, if it has one.
    fn decided(&mut self) -> Result<Option<MatchEnd>, String> {
        let Some(sprt) = &self.config.sprt else {
            return Ok(None);
        };
        let answer = self.sequence.decide(sprt);
        if answer.is_none() && self.sequence.is_stuck() {
            return Err(format!(
                "the last {MOST_REPEATS} pairs of games repeat earlier ones move by move, which the \
                 test does not count: it needs more openings (--openings), or limits of time"
            ));
        }
        Ok(answer.map(|(hypothesis, pairs)| MatchEnd::Decided { hypothesis, pairs }))
    }
}

/// Half points in `record` of the match's first player, who has Black in the first game of each
/// pair.
fn first_players_points(game: &GameSpec, record: &GameRecord) -> u32 {
    match game.black {
        0 => record.first_half_points(),
        _ => 2 - record.first_half_points(),
    }
}

/// Results of pairs, judged in the order of the schedule. In the order of their ends short games
/// would come first; in this order the same games always give the same answer. A pair that repeats
/// an earlier one move by move does not count.
#[derive(Default)]
pub struct PairSequence {
    /// Half points of the first player, and the games' courses.
    open: BTreeMap<u64, (u32, Vec<u64>)>,
    next: u64,
    seen: SeenPairs,
    /// Pairs without anything new since the last new one.
    repeats: u32,
    counts: Pentanomial,
}

/// Pairs in a row without a new game after which a test is given up.
const MOST_REPEATS: u32 = 20;

impl PairSequence {
    /// Adds a game; `half_points` are the first player's.
    pub fn note(&mut self, game: &GameRecord, half_points: u32) {
        let entry = self.open.entry(game.pair).or_default();
        entry.0 += half_points;
        entry.1.push(game.course());
    }

    /// The first answer along the sequence of whole pairs, and the number of pairs up to it.
    pub fn decide(&mut self, sprt: &Sprt) -> Option<(Hypothesis, u64)> {
        while let Some((half_points, courses)) = self.open.remove(&self.next) {
            if courses.len() < 2 {
                self.open.insert(self.next, (half_points, courses));
                break;
            }
            self.next += 1;
            if !self.seen.insert(courses) {
                self.repeats += 1;
                continue;
            }
            self.repeats = 0;
            self.counts[half_points as usize] += 1;
            if let Some(hypothesis) = sprt.decide(&self.counts) {
                return Some((hypothesis, self.next));
            }
        }
        None
    }

    /// True if the games have long brought nothing new, so that no answer can be expected.
    fn is_stuck(&self) -> bool {
        self.repeats >= MOST_REPEATS
    }
}

/// Plays one game after another, keeping its engines between them.
struct Worker<'a> {
    config: &'a Match,
    monitor: Option<&'a Monitor>,
    stop: Arc<AtomicBool>,
    sessions: HashMap<usize, Session>,
    /// Number of workers.
    workers: Arc<AtomicUsize>,
}

impl Worker<'_> {
    fn work(&mut self, jobs: &Mutex<Receiver<AssignedGame>>, report: &Sender<GameReport>) {
        loop {
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = job else {
                break;
            };
            let result = self.play(&job);
            let is_short = |unfit: &UnfitEngine| matches!(unfit.failure, Failure::Shortage(_));
            let quits = result.as_ref().is_err_and(is_short) && self.makes_room();
            if report.send((job.game, result)).is_err() || quits {
                break;
            }
        }
        for (_, session) in self.sessions.drain() {
            session.end();
        }
    }

    /// Ends its engines where the system has no room. True if this worker is to end too, for
    /// another is left.
    fn makes_room(&mut self) -> bool {
        self.sessions.clear();
        let other_is_left = |workers: usize| workers.checked_sub(1).filter(|left| *left > 0);
        let order = Ordering::Relaxed;
        let quits = self.workers.fetch_update(order, order, other_is_left);
        if quits.is_err() {
            thread::sleep(SHORTAGE_PAUSE);
        }
        quits.is_ok()
    }

    fn play(&mut self, job: &AssignedGame) -> Result<GameRecord, UnfitEngine> {
        let players = PerColor([job.game.black, job.game.white]);
        let idle: Vec<usize> = self
            .sessions
            .keys()
            .copied()
            .filter(|player| !players.0.contains(player))
            .collect();
        for player in idle {
            if let Some(session) = self.sessions.remove(&player) {
                session.end();
            }
        }
        let played = self.play_between(players, job);
        let played = played.map_err(|NoGame { side, failure }| UnfitEngine {
            name: self.config.engines[players[side]].name.clone(),
            failure,
        })?;
        let peaks = Color::BOTH.map(|color| {
            let session = self.sessions.get(&players[color]);
            session.and_then(Session::peak_memory).unwrap_or(0)
        });
        for color in Color::BOTH {
            let restart = self.config.engines[players[color]].restart;
            if played.broken[color.index()] {
                self.sessions.remove(&players[color]);
            } else if restart && let Some(session) = self.sessions.remove(&players[color]) {
                session.end();
            }
        }
        Ok(self.record(job, played, peaks))
    }

    fn play_between(
        &mut self,
        players: PerColor<usize>,
        job: &AssignedGame,
    ) -> Result<PlayedGame, NoGame> {
        let mut launched = Vec::new();
        for color in Color::BOTH {
            match self.take_session(players[color]) {
                Ok(session) => launched.push(session),
                Err(failure) => {
                    return Err(NoGame {
                        side: color,
                        failure,
                    });
                }
            }
        }
        let [black, white] = &mut launched[..] else {
            unreachable!("both were launched");
        };
        let played = game::play(
            &self.config.conditions,
            job.opening.as_ref(),
            self.seed(job.game.id),
            [black, white],
            &mut |_| {},
        );
        for (color, session) in Color::BOTH.into_iter().zip(launched) {
            self.sessions.insert(players[color], session);
        }
        played
    }

    /// The seed for both engines of a game: different for each game, and small enough for any
    /// engine's integers.
    fn seed(&self, game: u64) -> u64 {
        self.config.seed.wrapping_mul(1_000_003).wrapping_add(game) % (1 << 31)
    }

    fn take_session(&mut self, player: usize) -> Result<Session, Failure> {
        match self.sessions.remove(&player) {
            Some(session) => Ok(session),
            None => Session::launch(
                &self.config.engines[player],
                self.monitor,
                &self.stop,
                self.config.trace.as_deref(),
            ),
        }
    }

    fn record(&self, job: &AssignedGame, played: PlayedGame, peaks: [u64; 2]) -> GameRecord {
        let conditions = &self.config.conditions;
        let opening = job.opening.as_ref();
        let name = |player: usize| self.config.engines[player].name.clone();
        let mut colors = [job.game.black, job.game.white];
        let mut peaks = peaks;
        if played.agreed.as_ref().is_some_and(|agreed| agreed.swapped) {
            colors.reverse();
            peaks.reverse();
        }
        GameRecord {
            id: job.game.id,
            pair: job.game.pair,
            round: job.game.round,
            black: name(colors[0]),
            white: name(colors[1]),
            rule: conditions.rule.to_string(),
            width: conditions.board.width(),
            height: conditions.board.height(),
            opening: opening.map(|o| o.index),
            opening_turns: played.opening_turns,
            agreed: played.agreed,
            turns: played.turns,
            outcome: played.ending.outcome,
            reason: played.ending.reason,
            detail: played.ending.detail,
            ended: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |d| d.as_secs()),
            peak_memory: (peaks != [0, 0]).then_some(peaks),
        }
    }
}
