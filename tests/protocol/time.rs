//! Time and memory: cases 17, 18, and the suspended process of case 25.
//!
//! `TENGEN_LONG_TESTS=1` plays case 17's 200 moves of a second each.

use std::time::Duration;

use tengen::rules::Rule;

use crate::common::{ALLOWANCE, Session, assert_within};
use crate::games;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn c17_every_move_keeps_the_turn_limit() {
    let is_long = std::env::var_os("TENGEN_LONG_TESTS").is_some();
    let (turn_ms, moves) = if is_long { (1_000, 200) } else { (100, 60) };
    let mut times = Vec::new();
    while times.len() < moves {
        times.extend(games::play(
            15,
            15,
            Rule::Renju,
            turn_ms,
            moves - times.len(),
        ));
    }
    let bound = ms(turn_ms.into());
    assert_within(&times, bound);
    // Moves keep within their time even when they use most of it. An engine without a margin has
    // none of these.
    let used_well = times.iter().filter(|&&t| t > bound * 6 / 10 && t < bound);
    assert!(used_well.count() > 0, "{times:?}");
}

#[test]
fn c17_no_time_left_means_at_once() {
    let mut session = Session::start(15);
    session
        .info("timeout_turn", 30_000)
        .info("timeout_match", 180_000);
    for left in [50, 0, -100] {
        let times: Vec<Duration> = (0..5)
            .map(|_| {
                session.send("RESTART").expect_ok();
                session.info("time_left", left).turn(7, 7).timed_move()
            })
            .collect();
        assert_within(&times, ms(150));
    }
}

/// Plays up to `moves` moves with the engine on a match clock of `match_ms`. Returns the time used.
/// With `tell`, `time_left` comes before each move.
fn use_match_clock(match_ms: i64, moves: u32, tell: bool) -> Duration {
    let mut session = Session::spawn();
    session.send("START 15").expect_ok();
    session.info("timeout_match", match_ms);
    let mut used = Duration::ZERO;
    for i in 0..moves {
        if tell {
            session.info("time_left", match_ms - used.as_millis() as i64);
        }
        // Far apart from each other, so that the game goes on.
        let entries = format!("{},{},2", (i * 7) % 15, (i * 4) % 15);
        used += session.block("BOARD", &entries).timed_move();
    }
    used
}

#[test]
fn c17_the_match_clock_is_never_overdrawn() {
    for tell in [true, false] {
        let used: Vec<Duration> = (0..3).map(|_| use_match_clock(1_500, 40, tell)).collect();
        assert_within(&used, ms(1_500));
    }
}

#[test]
fn an_increment_makes_moves_longer() {
    let mut session = Session::spawn();
    session.send("START 15").expect_ok();
    session.info("timeout_match", 100_000);
    let mut times = |increment_ms: u64| {
        session.info("time_increment", increment_ms);
        [(7, 7), (3, 4), (0, 0)].map(|(x, y)| {
            session.send("RESTART").expect_ok();
            session.info("time_left", 2_500).turn(x, y).timed_move()
        })
    };
    // At most a seventh of the time left.
    assert_within(&times(0), ms(358));
    let times = times(2_000);
    assert!(*times.iter().max().unwrap() > ms(600), "{times:?}");
}

#[test]
fn c18_a_turn_limit_of_nothing_means_at_once() {
    let mut session = Session::start(15);
    session.info("timeout_turn", 0);
    let times: Vec<Duration> = (0..10)
        .map(|i| {
            let entries = format!("7,7,2 {i},14,1 8,8,2");
            session.block("BOARD", &entries).timed_move()
        })
        .collect();
    assert_within(&times, ms(100));
    session.expect_silence();
}

/// A choice of several searches ends in the time that comes while its first search runs.
#[test]
fn c18_a_shorter_limit_holds_for_a_choice_of_several_searches() {
    let mut session = Session::start(15);
    session.info("timeout_turn", 60_000);
    session
        .block("yxboard", "7,7,1 8,8,2")
        .send("yxbalancetwo 0");
    let begun = std::time::Instant::now();
    session.expect_thinking();
    let line = session.info("timeout_turn", 1_000).answer();
    assert_eq!(line.split(' ').count(), 2, "{line}");
    assert!(begun.elapsed() < ms(1_000) + ALLOWANCE);
}

#[test]
fn c18_a_search_ends_when_it_is_told_to() {
    let mut session = Session::start(15);
    for word in [
        "INFO timeout_turn 0",
        "info time_left 0",
        "YXSTOP",
        "yxstop\r",
        "STOP",
    ] {
        let times: Vec<Duration> = (0..4)
            .map(|i| {
                session.send("START 15").expect_ok();
                session
                    .info("timeout_turn", -1)
                    .info("time_left", 2_147_483_647u32);
                session.block("BOARD", &format!("7,7,2 {i},14,1 8,8,2"));
                session.expect_thinking();
                session.send(word).timed_move()
            })
            .collect();
        assert_within(&times, ms(100));
        session.expect_silence();
    }
}

#[test]
fn c18_a_limit_that_comes_late_counts_from_the_request() {
    let mut session = Session::start(15);
    let mut answers = |turn_ms: u64| -> Vec<Duration> {
        let tries = (0..3).map(|_| {
            session.send("RESTART").expect_ok();
            session.info("timeout_turn", -1).turn(7, 7);
            std::thread::sleep(ms(500));
            session.info("timeout_turn", turn_ms).timed_move()
        });
        tries.collect()
    };
    // The search has already run for longer than this.
    assert_within(&answers(100), ms(100));
    // Half of this is spent. An engine counting from the limit takes all of it; one that ends at
    // any limit takes nothing.
    let times = answers(1_000);
    assert_within(&times, ms(750));
    assert!(*times.iter().max().unwrap() > ms(250), "{times:?}");
}

/// The tables and networks are ready before the time of the first move counts.
#[test]
fn the_first_move_of_a_process_is_searched_in_its_time() {
    let first = |rule: u32| {
        let mut session = Session::spawn();
        session.send("START 15").expect_ok();
        session.info("timeout_turn", 60).info("rule", rule);
        std::thread::sleep(ms(1_500));
        session.turn(7, 7);
        let start = std::time::Instant::now();
        let mut is_searched = false;
        loop {
            let line = session.any_line(ms(60_000)).expect("a move");
            is_searched |= line.starts_with("MESSAGE depth");
            if !line.starts_with("MESSAGE") {
                return (is_searched, start.elapsed());
            }
        }
    };
    for rule in [0, 4] {
        let tries: Vec<_> = (0..3).map(|_| first(rule)).collect();
        let is_good = |&(searched, took): &(bool, Duration)| searched && took < ms(60);
        assert!(tries.iter().any(is_good), "rule {rule}: {tries:?}");
    }
}

#[test]
fn without_limits_the_engine_thinks_until_the_default() {
    let mut session = Session::spawn();
    session.send("START 15").expect_ok();
    session.turn(7, 7).expect_thinking();
    session.send("YXSTOP").expect_move();
}

#[test]
fn limits_of_depth_and_nodes_end_a_search() {
    // Less than the 30 s of a move without any limit.
    let longest = ms(10_000);
    let mut session = Session::spawn();
    session.send("START 15").expect_ok();
    session
        .info("timeout_match", 0)
        .info("time_left", 2_147_483_647u32);
    session.info("max_depth", 2);
    assert!(session.turn(7, 7).timed_move() < longest);
    session.info("max_depth", 0).info("max_node", 3_000);
    let mut answers = Vec::new();
    for _ in 0..2 {
        // The same work from the same state: a fixed number of nodes repeats.
        session.send("yxhashclear");
        session.block("BOARD", "7,7,2 8,8,1 9,6,2");
        let (took, cell) = session.timed_cell();
        assert!(took < longest, "{took:?}");
        answers.push(cell);
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
#[cfg(unix)]
fn c25_a_suspended_process_moves_in_time() {
    let mut session = Session::spawn();
    session.raw(
        b"START 15\r\nINFO timeout_turn 400\r\nINFO timeout_match 10000\r\n\
          INFO max_memory 367001600\r\nINFO game_type 1\r\nINFO rule 4\r\nINFO folder /tmp\r\n",
    );
    session.signal("STOP");
    std::thread::sleep(ms(5_000));
    session.signal("CONT");
    session.expect_ok();
    let mut times = Vec::new();
    for i in 0..4 {
        session.info("time_left", 10_000 - 400 * i);
        if i == 0 {
            session.raw(b"BOARD\r\nDONE\r\n");
        } else {
            session.turn(i as u32, 0);
        }
        times.push(session.timed_move());
        session.signal("STOP");
        std::thread::sleep(ms(if i == 1 { 5_000 } else { 500 }));
        session.signal("CONT");
    }
    assert_within(&times, ms(400));
    // The first move, on an empty board, needs no search.
    assert_within(&times[1..], ms(400));
    session.expect_silence();
    session.end();
}

#[test]
#[cfg(unix)]
fn c25_a_request_that_waited_while_suspended_has_all_its_time() {
    let mut session = Session::start(15);
    session.turn(7, 7).expect_move();
    session.info("timeout_turn", 600);
    // A move without a search takes no time; one of several moves takes most of it.
    let times = [(0, 0), (0, 14), (14, 0)].map(|(x, y)| {
        session.signal("STOP");
        session.turn(x, y);
        std::thread::sleep(ms(1_500));
        session.signal("CONT");
        session.timed_move()
    });
    // An engine that counts from the writing would answer with its first thought; one that keeps an
    // old deadline would never answer.
    let longest = *times.iter().max().unwrap();
    assert!(longest < ms(1_500 + 600) + ALLOWANCE, "{times:?}");
    assert!(longest > ms(1_500 + 360), "{times:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn c25_memory_stays_within_the_limit() {
    for limit in [64 << 20, 350 << 20] {
        let mut session = Session::spawn();
        session.send("START 20").expect_ok();
        session
            .info("max_memory", limit)
            .info("timeout_turn", 1_500);
        session.turn(10, 10).expect_move();
        session.turn(3, 4).expect_move();
        let peak = session.peak_memory();
        assert!(peak <= limit, "{} of {} MiB", peak >> 20, limit >> 20);
        session.end();
    }
}
