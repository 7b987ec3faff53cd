use std::sync::Mutex;

use crossbeam_channel::{Receiver, unbounded};

use super::*;
use crate::engine::{Engine, Options};
use crate::protocol::parser::Parser;
use crate::rules::Rule;
use crate::types::Point;

/// The bytes written, to be read by the test.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session whose decisions a test may change.
struct Bench {
    session: Session,
    sink: Sink,
    events: Receiver<Event>,
}

impl Bench {
    fn new() -> Bench {
        let (to_events, events) = unbounded();
        let sink = Sink::default();
        let engine = EngineThread::start(Engine::new(Options::default()));
        Bench {
            session: Session::new(
                Host::default(),
                Source::Manager,
                sink.clone(),
                engine,
                to_events,
                LastWork::default(),
            ),
            sink,
            events,
        }
    }

    /// Says lines, and passes events on until no search runs; `tamper` may change decisions.
    /// Returns the printed lines except for messages.
    fn say(&mut self, text: &str, tamper: impl Fn(&mut Option<Decision>)) -> Vec<String> {
        self.sink.0.lock().unwrap().clear();
        let mut requests = Vec::new();
        let mut parser = Parser::default();
        for line in text.lines() {
            parser.line(line.as_bytes(), &mut |request| requests.push(request));
        }
        for request in requests {
            while !self.session.takes_commands() {
                self.pass_on(&tamper);
            }
            self.session.command(Arrival::new(request, Instant::now()));
        }
        while self.session.is_searching() {
            self.pass_on(&tamper);
        }
        let printed = String::from_utf8(self.sink.0.lock().unwrap().clone()).unwrap();
        printed
            .lines()
            .filter(|line| !line.starts_with("MESSAGE "))
            .map(str::to_string)
            .collect()
    }

    /// Passes one event on.
    fn pass_on(&mut self, tamper: impl Fn(&mut Option<Decision>)) {
        let event = match self.events.recv().unwrap() {
            Event::Finished(mut decision) => {
                tamper(&mut decision);
                Event::Finished(decision)
            }
            event => event,
        };
        self.session.event(event);
        assert!(!self.session.is_over());
    }
}

const SETUP: &str = "START 15\nINFO timeout_turn 20\nINFO rule 4\n";
/// Black's only forbidden cell is 6,8.
const DOUBLE_THREE: &str = "BOARD 7,7,1 7,8,2 8,6,1 8,8,2 7,9,1 8,5,2 8,10,1 8,11,2 DONE\n";

fn parse(line: &str) -> Point {
    let (x, y) = line.split_once(',').unwrap();
    Point::new(x.parse().unwrap(), y.parse().unwrap())
}

#[test]
fn a_broken_search_still_moves() {
    let mut bench = Bench::new();
    let printed = bench.say(&format!("{SETUP}{DOUBLE_THREE}"), |decision| {
        *decision = None
    });
    assert_eq!(printed.len(), 2, "{printed:?}");
    let board = bench.session.board.as_ref().unwrap();
    assert_eq!(board.last().unwrap().point, parse(&printed[1]));
    assert_ne!(printed[1], "6,8");
}

#[test]
fn an_illegal_decision_is_replaced() {
    for bad in [Point::new(6, 8), Point::new(7, 7), Point::new(20, 3)] {
        let mut bench = Bench::new();
        let printed = bench.say(&format!("{SETUP}{DOUBLE_THREE}"), |decision| {
            decision.as_mut().unwrap().points = vec![bad];
        });
        assert_ne!(parse(&printed[1]), bad);
        assert_eq!(bench.session.board.as_ref().unwrap().stones().len(), 9);
    }
}

#[test]
fn an_opening_cut_short_is_completed() {
    let mut bench = Bench::new();
    let printed = bench.say(&format!("{SETUP}SWAP2BOARD DONE\n"), |decision| {
        *decision = None;
    });
    let mut cells: Vec<&str> = printed[1].split(' ').collect();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), 3, "{printed:?}");
}

/// The engine is asked for two moves only where there is room for both.
#[test]
fn two_balanced_moves_need_two_free_cells() {
    let full: Vec<String> = (0..25)
        .map(|i| format!("{},{},{}", i % 5, i / 5, 1 + i % 2))
        .collect();
    for (free, answer) in [
        (0, "ERROR the board is full"),
        (1, "ERROR only one cell is free"),
    ] {
        let mut bench = Bench::new();
        let entries = full[free..].join(" ");
        let printed = bench.say(
            &format!("START 5\nYXBOARD {entries} DONE\nYXBALANCETWO 0\n"),
            |_| panic!("there is nothing to search"),
        );
        assert_eq!(printed, ["OK", answer]);
        let board = bench.session.board.as_ref().unwrap();
        assert_eq!(board.empty_count(), free);
    }
    let mut bench = Bench::new();
    let entries = full[2..].join(" ");
    let printed = bench.say(
        &format!("START 5\nYXBOARD {entries} DONE\nYXBALANCETWO 0\n"),
        |decision| assert_eq!(decision.as_ref().unwrap().points.len(), 2),
    );
    assert_eq!(printed[1].split(' ').count(), 2);
}

#[test]
fn a_command_waits_for_the_move_of_the_search_that_it_stops() {
    let mut bench = Bench::new();
    let printed = bench.say(
        "START 15\nINFO timeout_turn -1\nTURN 7,7\nSTART 20\nABOUT\nYXSHOWFORBID\n",
        |_| {},
    );
    // ABOUT came after a waiting command, so it waits too.
    assert_eq!(printed[0], "OK");
    parse(&printed[1]);
    assert_eq!(printed[2], "OK");
    assert!(printed[3].starts_with("name=\"Tengen\""));
    assert_eq!(printed[4], "FORBID .");
    assert_eq!(bench.session.board.as_ref().unwrap().width(), 20);
}

/// Otherwise the manager would take its `ERROR` for the answer of the search.
#[test]
fn a_command_without_sense_waits_for_the_move_too() {
    let mut bench = Bench::new();
    let printed = bench.say("START 15\nINFO timeout_turn 300\nBEGIN\nTURN 7\n", |_| {});
    assert_eq!(printed[0], "OK");
    parse(&printed[1]);
    assert!(
        printed[2].starts_with("ERROR bad coordinates"),
        "{printed:?}"
    );
}

#[test]
fn what_the_manager_asks_reaches_the_engine() {
    let mut bench = Bench::new();
    bench.say(
        "START 15\nINFO thread_num 2\nINFO hash_size 2048\nINFO timeout_turn 10\nTURN 7,7\n",
        |_| {},
    );
    let options = bench.session.engine.idle().unwrap().options();
    assert_eq!((options.threads, options.hash_kib), (2, Some(2_048)));
}

#[test]
fn excluded_cells_last_until_the_board_has_another_size() {
    let mut bench = Bench::new();
    let mut excluded = |text: &str| {
        bench.say(text, |_| {});
        let session = &bench.session;
        let board = session.board.as_ref().unwrap();
        session.exclusions.at(board, Rule::Freestyle).len()
    };
    assert_eq!(excluded("START 15\nYXBLOCK 7,7 8,8 99,99 DONE\n"), 2);
    assert_eq!(excluded("YXBLOCKUNDO\n7,7\nDONE\n"), 1);
    assert_eq!(excluded("START 15\n"), 1);
    assert_eq!(excluded("START 16\n"), 0);
}
