//! Little memory: `ulimit -v`, small values of `max_memory`, many threads.

use std::time::Duration;

use crate::common::{Session, parse_move};

/// The messages of the engine before a move.
struct Told {
    /// Depth lines.
    depths: usize,
    /// All other messages.
    messages: Vec<String>,
}

/// Waits for the move.
fn told_before_move(session: &mut Session) -> Told {
    let mut told = Told {
        depths: 0,
        messages: Vec::new(),
    };
    loop {
        let line = session.any_line(Duration::from_secs(60)).expect("a move");
        match line.strip_prefix("MESSAGE ") {
            Some(text) if text.starts_with("depth ") => told.depths += 1,
            Some(text) => told.messages.push(text.to_string()),
            None => {
                assert!(parse_move(&line).is_some(), "{line}");
                return told;
            }
        }
    }
}

/// Plays in `mib` of address space with `infos`, on boards of several sizes. Returns the number of
/// searched moves, of four, and all messages.
fn play_within(mib: u64, rule: u32, infos: &[(&str, u64)]) -> (usize, Vec<String>) {
    let mut session = Session::spawn_within(mib << 10);
    session.send("START 15").expect_ok();
    session.info("rule", rule).info("timeout_turn", 1_000);
    session.info("max_node", 20_000);
    for (key, value) in infos {
        session.info(key, value);
    }
    let mut searched = 0;
    let mut messages = Vec::new();
    let mut note = |told: Told| {
        searched += usize::from(told.depths > 0);
        messages.extend(told.messages);
    };
    for turn in [(7, 7), (0, 0)] {
        note(told_before_move(session.turn(turn.0, turn.1)));
    }
    session.send("RESTART").expect_ok();
    note(told_before_move(session.turn(5, 5)));
    session.send("START 22").expect_ok();
    note(told_before_move(
        session.block("BOARD", "10,10,1 11,11,2 10,11,1 10,12,2"),
    ));
    session.end();
    let mut unique = messages.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), messages.len(), "{messages:#?}");
    (searched, messages)
}

/// Gomocup's limit, as address space.
const PROMISED_MIB: u64 = 350;

#[test]
fn the_promised_address_space_plays_by_search_with_the_network() {
    for rule in [0, 1, 4, 8] {
        let (searched, messages) = play_within(PROMISED_MIB, rule, &[]);
        assert_eq!(searched, 4, "rule {rule}: {messages:#?}");
        let is_weaker = messages.iter().any(|text| text.contains("evaluator"));
        assert!(!is_weaker, "{messages:#?}");
    }
}

#[test]
fn less_plays_and_says_why() {
    for mib in (30..100).step_by(10).chain([150, 250]) {
        let (searched, messages) = play_within(mib, 4, &[]);
        assert!(
            searched == 4 || mib < PROMISED_MIB / 2,
            "{mib} MiB: {messages:#?}"
        );
        let is_said = |text: &String| text.contains("too little memory");
        assert!(
            !messages.is_empty() && messages.iter().all(is_said),
            "{mib} MiB: {messages:#?}"
        );
    }
}

#[test]
fn of_many_threads_those_search_that_fit() {
    for mib in (30..100).step_by(10).chain([150, 250, PROMISED_MIB]) {
        let (searched, messages) = play_within(mib, 0, &[("thread_num", 64)]);
        if mib == PROMISED_MIB {
            assert_eq!(searched, 4, "{messages:#?}");
        }
        let is_said = |text: &String| {
            text.contains(match searched {
                0 => "too little memory to search",
                _ => "64 search threads",
            })
        };
        assert!(messages.iter().any(is_said), "{mib} MiB: {messages:#?}");
    }
}

#[test]
fn processors_limit_threads_too() {
    let most = 32 * std::thread::available_parallelism().map_or(8, usize::from);
    let mut session = Session::start(15);
    session.info("max_memory", 0).info("hash_size", 1 << 14);
    session.info("thread_num", 256).info("max_depth", 2);
    let told = told_before_move(session.turn(7, 7));
    let words = format!("too few processors for 256 search threads: {most} search");
    let is_said = |text: &String| text.contains(&words);
    assert_eq!(told.messages.iter().any(is_said), most < 256);
    session.end();
}

#[test]
fn max_memory_limits_threads_too() {
    let mut session = Session::start(20);
    let limit = 64 << 20;
    session.info("max_memory", limit).info("thread_num", 64);
    session.info("timeout_turn", 500);
    let told = told_before_move(session.turn(10, 10));
    let is_said = |text: &String| text.contains("64 search threads");
    assert!(told.messages.iter().any(is_said), "{:#?}", told.messages);
    let peak = session.peak_memory();
    assert!(peak <= limit, "{} of {} MiB", peak >> 20, limit >> 20);
    for tiny in [1, 1_000, 1 << 20] {
        session.info("max_memory", tiny);
        let told = told_before_move(session.block("BOARD", "10,10,1 11,11,2"));
        assert_eq!(told.messages.len(), 0, "said before");
        assert!(told.depths > 0);
    }
    session.end();
}
