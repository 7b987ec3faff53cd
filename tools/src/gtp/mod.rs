//! The Go Text Protocol, version 2, on standard input and output: for GUIs such as Sabaki and GoGui.
//! `docs/gtp.md` describes every command.
//! Source: G. Farnebäck, Specification of the Go Text Protocol, version 2, draft 2.

mod analysis;
mod clock;
mod game;
mod input;
mod reply;
mod session;
mod vertex;

use std::io::{IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use session::{Event, Session};
use tengen::engine::Engine;
use tengen::memory::spare_address_space;
use tengen::streams::{Backlog, Watched, WriteWatch, eprint_line, is_regular_file};

pub use session::{Setup, command_words};

/// Time for the session to end by itself after the last line. A session that then searches, or
/// waits for a reader of its output, gets no further such time.
const FAREWELL: Duration = Duration::from_millis(50);
/// Most of these times, for answers to earlier commands.
const FAREWELLS: usize = 20;
/// The engine is prepared for its next search when no command comes for this long.
const QUIET: Duration = Duration::from_millis(2);
/// Stack of the thread that reads lines.
const READER_STACK_BYTES: usize = 256 << 10;

/// Talks to a controller until `quit` or the end of input. If standard input is a file, all its
/// commands are carried out; otherwise `quit` and the end of input end a search.
pub fn run(engine: Engine, setup: Setup) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    let input = std::io::stdin();
    if input.is_terminal() {
        eprint_line(format_args!(
            "Tengen {} waits for commands of the Go Text Protocol, for instance:\n  \
             boardsize 15\n  play black H8\n  genmove white\n  quit",
            env!("CARGO_PKG_VERSION")
        ));
    }
    spare_address_space();
    let is_patient = is_regular_file(&input);
    let (stdout, watch) = Watched::new(std::io::stdout());
    let end = move |searches: &AtomicBool| {
        if !is_patient {
            leave(searches, watch);
        }
    };
    let (session, _inbox) = take_part(engine, setup, input, stdout, is_patient, end);
    // The process ends anyway, and freeing a large table takes time.
    std::mem::forget(session);
    ExitCode::SUCCESS
}

/// Holds a session with lines from `input` and answers to `output`. Returns when the session is
/// over and its search has stopped. Everything in `input` is carried out if `is_patient`.
pub fn converse(
    engine: Engine,
    setup: Setup,
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
    is_patient: bool,
) {
    let (session, inbox) = take_part(engine, setup, input, output, is_patient, |_| {});
    session.stop();
    while session.is_searching() {
        match inbox.recv() {
            Ok(Event::Finished { .. }) | Err(_) => break,
            Ok(_) => {}
        }
    }
}

/// Ends the process from the reading thread if the session does not end it.
fn leave(searches: &AtomicBool, mut watch: WriteWatch) {
    for _ in 0..FAREWELLS {
        thread::sleep(FAREWELL);
        if searches.load(Ordering::Relaxed) || watch.is_stuck() {
            break;
        }
    }
    std::process::exit(0);
}

/// Talks until the session is over. Returns the session and the channel for the events of a search
/// still running. The reading thread calls `at_end_of_input`.
fn take_part(
    engine: Engine,
    setup: Setup,
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
    is_patient: bool,
    at_end_of_input: impl FnOnce(&AtomicBool) + Send + 'static,
) -> (Session, Receiver<Event>) {
    let (events, inbox) = mpsc::channel();
    let backlog = Arc::new(Backlog::default());
    let reading = Arc::clone(&backlog);
    let mut session = Session::new(engine, setup, output, events.clone(), backlog, is_patient);
    let searches = session.search_flag();
    let reader = thread::Builder::new()
        .name("reader".to_string())
        .stack_size(READER_STACK_BYTES)
        .spawn(move || {
            input::read_lines(input, &events, &reading);
            at_end_of_input(&searches);
        });
    if let Err(error) = reader {
        eprint_line(format_args!("no thread to read commands: {error}"));
        return (session, inbox);
    }
    loop {
        let flow = match next_event(&session, &inbox) {
            Ok(event) => session.handle(event),
            Err(RecvTimeoutError::Timeout) if session.wants_rest() => {
                session.rest();
                ControlFlow::Continue(())
            }
            Err(RecvTimeoutError::Timeout) => {
                session.tick();
                ControlFlow::Continue(())
            }
            Err(RecvTimeoutError::Disconnected) => ControlFlow::Break(()),
        };
        if flow.is_break() {
            return (session, inbox);
        }
    }
}

/// The next event, or a timeout when the session has something to do by itself.
fn next_event(session: &Session, inbox: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
    if session.wants_rest() {
        return inbox.recv_timeout(QUIET);
    }
    match session.due_at() {
        Some(at) => inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
        None => inbox.recv().map_err(RecvTimeoutError::from),
    }
}
