//! The arena against engines that misbehave: each case asserts the verdict and the time it took.
//!
//! The engines are this very program, called with `--engine FAULT`.

mod engine;
mod leftovers;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use tengen::board::Board;
use tengen::rules::Rule;
use tengen_tools::arena::adjudication::Adjudication;
use tengen_tools::arena::engine_check;
use tengen_tools::arena::game::{Conditions, GameRecord};
use tengen_tools::arena::openings::{Book, BookOrder};
use tengen_tools::arena::runner::{self, Match, MatchEnd, MatchEvent};
use tengen_tools::arena::schedule::{Schedule, ScheduleKind};
use tengen_tools::arena::spec::parse_engines;
use tengen_tools::game::referee::{Options, Outcome, Reason};

/// Time for a move, and the tolerance beyond it.
const TURN: Duration = Duration::from_millis(300);
const TOLERANCE: Duration = Duration::from_millis(100);
/// Tolerance for an engine that is late but should not lose, on a busy machine too.
const WIDE_TOLERANCE: Duration = Duration::from_secs(1);
/// Time for the answer to START.
const STARTUP: Duration = Duration::from_millis(600);
/// Every verdict comes within its limit plus this.
const GRACE: Duration = Duration::from_secs(2);

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, flag, fault, rest @ ..] = &words[..]
        && flag == "--engine"
    {
        engine::run(fault, rest);
        return;
    }
    if words.get(1).is_some_and(|word| word == "--match") {
        // For the test that kills an arena.
        let mut contest = contest("ignores-end", &["time=60"]);
        contest.schedule.games = 100;
        contest.concurrency = 2;
        play(&contest, &Arc::default());
        return;
    }
    let mut arguments = Arguments::from_args();
    // One at a time: the tests measure time, and count leftover threads and processes.
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, cases()).exit();
}

/// A fault, its verdict, words of the verdict's detail, and the longest time until the verdict.
struct Case {
    fault: &'static str,
    reason: Reason,
    detail: &'static str,
    limit: Duration,
    /// Settings beyond the usual.
    settings: &'static [&'static str],
}

fn cases() -> Vec<Trial> {
    let overdue = TURN + TOLERANCE;
    let now = Duration::ZERO;
    let case = |fault, reason, detail, limit| Case {
        fault,
        reason,
        detail,
        limit,
        settings: &[],
    };
    let mut cases = vec![
        case("silent", Reason::Time, "no answer within 400 ms", overdue),
        case("flood-of-lines", Reason::Time, "no answer", overdue),
        case("flood-without-end", Reason::Time, "no answer", overdue),
        case("late", Reason::Time, "no answer", overdue),
        case("twice", Reason::Unasked, "unasked: '14,14'", now),
        case("twice-in-time", Reason::Unasked, "unasked: '14,14'", now),
        case("garbage", Reason::Time, "last said", overdue),
        case("half-a-line", Reason::Time, "half a line: '3,'", overdue),
        case(
            "closes-output",
            Reason::Disconnect,
            "closed its output",
            now,
        ),
        case("exits", Reason::Crash, "exited with code 3", now),
        case("taken", Reason::Illegal, "is taken", now),
        case("off-board", Reason::Illegal, "15,0 is off the board", now),
        case("passes", Reason::Illegal, "a pass is not allowed", now),
        case("forks-and-exits", Reason::Crash, "exited with code 0", now),
        case("forks-and-is-silent", Reason::Time, "no answer", overdue),
    ];
    cases.push(Case {
        settings: &["memory=100M", "time=5s"],
        ..case("eats-memory", Reason::Memory, "104857600 allowed", now)
    });
    cases.push(Case {
        settings: &["memory=100M", "time=5s"],
        ..case(
            "child-eats-memory",
            Reason::Memory,
            "104857600 allowed",
            now,
        )
    });
    if cfg!(target_os = "linux") {
        cases.push(Case {
            settings: &["memory=100M", "time=5s"],
            ..case(
                "daemon-eats-memory",
                Reason::Memory,
                "104857600 allowed",
                now,
            )
        });
    }
    if cfg!(unix) {
        cases.push(case(
            "closes-input",
            Reason::Disconnect,
            "closed its input",
            now,
        ));
        cases.push(case("aborts", Reason::Crash, "died by signal 6", now));
        cases.push(case(
            "closes-both",
            Reason::Disconnect,
            "closed its output",
            now,
        ));
    }
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .map(|case| trial(case.fault, move || loses(&case)))
        .collect();
    trials.extend([
        trial("a game without an engine is no game", no_engine),
        trial("engines are tried before a match", tried_before_a_match),
        trial("lag within the tolerance is forgiven", forgiven_lag),
        trial("an engine that ignores END is ended", ignores_end),
        trial("the game after a crash is played", plays_again),
        trial("a crashing engine's words are kept", last_words),
        trial("a match is stopped in the middle of a move", stopped),
        trial("a crash by the stop is no loss", stopped_with_an_engine),
        trial("games of other meetings are not taken", stray_games),
        trial("a kept process plays many games", kept),
    ]);
    if cfg!(target_os = "linux") {
        trials.extend([
            trial("daemons of an engine are ended", || daemons("has-daemon")),
            trial("daemons without environment are ended", || {
                daemons("has-unmarked-daemon")
            }),
        ]);
    }
    if cfg!(any(target_os = "linux", windows)) {
        trials.push(trial("no engine survives a killed arena", killed_arena));
    }
    trials
}

/// A test after which its match may have no leftovers.
fn trial(name: &str, test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::test(name, || test().and_then(|()| leftovers::check()))
}

/// A match of two games between the faulty engine, which has Black first, and a good one.
fn contest(command: &str, settings: &[&str]) -> Match {
    let program = std::env::current_exe().unwrap();
    let quoted = format!("'{}' --engine", program.display());
    let each = [
        format!("time={}ms", TURN.as_millis()),
        format!("tolerance={}ms", TOLERANCE.as_millis()),
        format!("startup={}ms", STARTUP.as_millis()),
    ];
    let mut bad = vec![format!("cmd={quoted} {command}"), "name=bad".to_string()];
    bad.extend(settings.iter().map(|s| s.to_string()));
    let opponent = match command {
        "twice-in-time" => engine::SLOW,
        _ => "none",
    };
    let good = vec![format!("cmd={quoted} {opponent}"), "name=good".to_string()];
    Match {
        engines: parse_engines(&each, &[bad, good])
            .unwrap()
            .into_iter()
            .map(Arc::new)
            .collect(),
        conditions: Conditions {
            rule: Rule::Freestyle,
            board: Board::new(15, 15).unwrap(),
            referee: Options {
                max_stones: Some(8),
                ..Options::default()
            },
            adjudication: Adjudication::default(),
            opening_rule: tengen::openings::OpeningRule::Free,
        },
        book: Book::new(
            Vec::new(),
            Board::new(15, 15).unwrap(),
            BookOrder::Sequential,
            false,
            1,
        ),
        schedule: Schedule {
            kind: ScheduleKind::RoundRobin,
            players: 2,
            games: 2,
            points: [1.0, 0.5, 0.0],
        },
        shard: None,
        sprt: None,
        concurrency: 1,
        seed: 1,
        trace: None,
    }
}

/// Plays a match; returns its games, each with the time from its start to its verdict.
fn play(contest: &Match, stop: &Arc<AtomicBool>) -> (MatchEnd, Vec<(GameRecord, Duration)>) {
    let mut games = Vec::new();
    let mut begun = Instant::now();
    let end = runner::run(contest, Vec::new(), stop, &mut |event| {
        match event {
            MatchEvent::Started(_) => begun = Instant::now(),
            MatchEvent::Finished(game) => games.push((game.clone(), begun.elapsed())),
            MatchEvent::Narrowed(..) => {}
        }
        Ok::<(), String>(())
    })
    .unwrap();
    (end, games)
}

fn check(holds: bool, text: impl Into<String>) -> Result<(), Failed> {
    if holds {
        Ok(())
    } else {
        Err(Failed::from(text.into()))
    }
}

fn loses(case: &Case) -> Result<(), Failed> {
    let (end, games) = play(&contest(case.fault, case.settings), &Arc::default());
    check(
        end == MatchEnd::Complete && games.len() == 2,
        format!("{end:?}"),
    )?;
    for (game, took) in games {
        let loss = if game.black == "bad" {
            Outcome::White
        } else {
            Outcome::Black
        };
        let verdict = game.verdict();
        check(game.outcome == loss, format!("wrong loser: {verdict}"))?;
        check(
            game.reason == case.reason,
            format!("wrong reason: {verdict}"),
        )?;
        check(
            game.detail.contains(case.detail),
            format!("wrong detail: {verdict}"),
        )?;
        check(
            took >= case.limit,
            format!("too early, {took:?}: {verdict}"),
        )?;
        check(
            took <= case.limit + GRACE,
            format!("too late, {took:?}: {verdict}"),
        )?;
    }
    Ok(())
}

/// An engine that cannot be started, as when its file is being rebuilt, ends the match.
fn no_engine() -> Result<(), Failed> {
    let directory = tempfile::tempdir().unwrap();
    let marker = directory.path().join("started");
    let exits_later = format!("exits-later '{}'", marker.display());
    for (fault, why) in [
        (
            "silent-at-start",
            "engine bad: START: not answered within 600 ms",
        ),
        ("refuses", "engine bad: START: answered 'ERROR size'"),
        ("exits-at-once", "engine bad: START: exited with code 4"),
        (&*exits_later, "engine bad: START: exited with code 4"),
        ("no-such-engine", "engine bad: cannot be started: "),
    ] {
        let mut contest = contest(fault, &[]);
        if fault == "no-such-engine" {
            let missing = ["cmd=./no-such-engine".to_string(), "name=bad".to_string()];
            let spec = parse_engines(&[], &[missing.to_vec()]).unwrap().remove(0);
            contest.engines[0] = Arc::new(spec);
        }
        let mut played = 0;
        let end = runner::run(&contest, Vec::new(), &Arc::default(), &mut |event| {
            played += u32::from(matches!(event, MatchEvent::Finished(_)));
            Ok::<(), String>(())
        });
        let text = end.map_err(|error| error.to_string()).unwrap_err();
        check(text.starts_with(why), text)?;
        let games = u32::from(fault == exits_later);
        check(played == games, format!("{fault}: {played} games"))?;
    }
    Ok(())
}

fn tried_before_a_match() -> Result<(), Failed> {
    let stop = Arc::default();
    for (fault, what) in [
        ("silent-at-start", "START: not answered within 600 ms"),
        ("refuses", "START: answered 'ERROR size'"),
        ("exits-at-once", "START: exited with code 4"),
        ("exits-at-about", "exited with code 5"),
    ] {
        let contest = contest(fault, &[]);
        let found = engine_check::check(&contest.engines, &contest.conditions, &stop, None);
        let text = found.map_err(|unfit| unfit.to_string()).unwrap_err();
        check(text.starts_with(&format!("engine bad: {what}")), text)?;
    }
    // An engine that knows no opening rules would be waited for, and lose on time.
    let mut by_rule = contest("none", &["name=bad"]);
    by_rule.conditions.opening_rule = tengen::openings::OpeningRule::Swap2;
    let found = engine_check::check(&by_rule.engines, &by_rule.conditions, &stop, None);
    let text = found.map_err(|unfit| unfit.to_string()).unwrap_err();
    let refused = "engine bad: answered 'UNKNOWN command' to SWAP2BOARD";
    check(text == refused, text)?;
    // No fault before the game, and ABOUT need not be answered.
    let contest = contest("exits", &[]);
    let found = engine_check::check(&contest.engines, &contest.conditions, &stop, None);
    check(found == Ok(()), format!("{found:?}"))
}

/// Checks that all games are drawn by length, without a fault.
fn all_drawn(games: &[(GameRecord, Duration)]) -> Result<(), Failed> {
    games
        .iter()
        .try_for_each(|(game, _)| check(game.reason == Reason::Length, game.verdict()))
}

fn forgiven_lag() -> Result<(), Failed> {
    let settings = [format!("tolerance={}ms", WIDE_TOLERANCE.as_millis())];
    let (_, games) = play(&contest("lags", &[&settings[0]]), &Arc::default());
    all_drawn(&games)
}

fn ignores_end() -> Result<(), Failed> {
    let start = Instant::now();
    let (_, games) = play(&contest("ignores-end", &[]), &Arc::default());
    all_drawn(&games)?;
    check(
        start.elapsed() < GRACE * 3,
        format!("took {:?}", start.elapsed()),
    )
}

fn plays_again() -> Result<(), Failed> {
    let directory = tempfile::tempdir().unwrap();
    let marker = directory.path().join("crashed");
    let command = format!("crashes-once '{}'", marker.display());
    let (_, games) = play(&contest(&command, &[]), &Arc::default());
    check(marker.exists(), "it crashed")?;
    check(games[0].0.reason == Reason::Crash, games[0].0.verdict())?;
    check(games[1].0.reason == Reason::Length, games[1].0.verdict())
}

/// A panic stands in the file of standard error, once for each of the two games.
fn last_words() -> Result<(), Failed> {
    let directory = tempfile::tempdir().unwrap();
    let mut contest = contest("panics", &[]);
    contest.trace = Some(directory.path().to_path_buf());
    play(&contest, &Arc::default());
    let words = std::fs::read_to_string(directory.path().join("bad.err")).unwrap();
    check(words.matches("the table is empty").count() == 2, words)
}

fn stopped() -> Result<(), Failed> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let mut contest = contest("silent", &["time=60"]);
    contest.concurrency = 2;
    let timer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let start = Instant::now();
    let (end, games) = play(&contest, &stop);
    timer.join().unwrap();
    check(
        end == MatchEnd::Stopped && games.is_empty(),
        format!("{end:?}"),
    )?;
    check(
        start.elapsed() < GRACE * 2,
        format!("took {:?}", start.elapsed()),
    )
}

/// Stops the match as by a signal to all processes that reaches the engine first.
fn stopped_with_an_engine() -> Result<(), Failed> {
    let directory = tempfile::tempdir().unwrap();
    let marker = directory.path().join("crashed");
    let command = format!("crashes-once '{}'", marker.display());
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let timer = std::thread::spawn(move || {
        let deadline = Instant::now() + GRACE;
        while !marker.exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(50));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let (end, games) = play(&contest(&command, &[]), &stop);
    timer.join().unwrap();
    let verdicts: Vec<String> = games.iter().map(|(game, _)| game.verdict()).collect();
    check(
        end == MatchEnd::Stopped && games.is_empty(),
        format!("{end:?}, {verdicts:?}"),
    )
}

fn stray_games() -> Result<(), Failed> {
    let contest = contest("none", &[]);
    let (_, games) = play(&contest, &Arc::default());
    let resumed = |change: &dyn Fn(&mut GameRecord)| {
        let mut done: Vec<GameRecord> = games.iter().map(|(game, _)| game.clone()).collect();
        change(&mut done[1]);
        runner::run(
            &contest,
            done,
            &Arc::default(),
            &mut |_| Ok::<_, String>(()),
        )
    };
    check(resumed(&|_| {}) == Ok(MatchEnd::Complete), "as played")?;
    let wanted = "this match has good - bad in pair 1 there";
    let other_pair = resumed(&|game| game.pair = 1).unwrap_err();
    check(
        other_pair == format!("game 2 of the journal is good - bad in pair 2; {wanted}"),
        other_pair,
    )?;
    let other_names = resumed(&|game| game.black = "bad".to_string()).unwrap_err();
    check(
        other_names == format!("game 2 of the journal is bad - bad in pair 1; {wanted}"),
        other_names,
    )
}

fn kept() -> Result<(), Failed> {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("starts");
    let command = format!("counts-starts '{}'", log.display());
    let mut contest = contest(&command, &["restart=no"]);
    contest.schedule.games = 6;
    let (_, games) = play(&contest, &Arc::default());
    all_drawn(&games)?;
    let starts = read(&log);
    check(starts == "1", format!("{starts} processes for 6 games"))
}

/// Two games at once: the end of one game must leave the engines of the other alone.
fn daemons(fault: &str) -> Result<(), Failed> {
    let mut contest = contest(fault, &[]);
    contest.schedule.games = 6;
    contest.concurrency = 2;
    let (_, games) = play(&contest, &Arc::default());
    check(games.len() == 6, "six games")?;
    all_drawn(&games)
}

fn killed_arena() -> Result<(), Failed> {
    let mut arena = std::process::Command::new(std::env::current_exe().unwrap())
        .arg("--match")
        .spawn()
        .unwrap();
    let deadline = Instant::now() + GRACE * 10;
    while leftovers::engines("ignores-end") < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let engines = leftovers::engines("ignores-end");
    // SIGKILL, or its counterpart on Windows.
    arena.kill().unwrap();
    arena.wait().unwrap();
    check(engines >= 2, format!("{engines} engines have started"))?;
    let deadline = Instant::now() + GRACE;
    while leftovers::engines("ignores-end") > 0 {
        check(Instant::now() < deadline, "engines live on")?;
        std::thread::sleep(Duration::from_millis(5));
    }
    // This process may have adopted the engines; it waits for them at the end of a match of its
    // own.
    let (_, games) = play(&contest("none", &[]), &Arc::default());
    all_drawn(&games)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path)
        .unwrap_or_default()
        .lines()
        .count()
        .to_string()
}
