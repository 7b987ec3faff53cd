//! The Go Text Protocol, version 2, on standard input and output: for GUIs such as Sabaki and
//! GoGui. `docs/gtp.md` describes every command. Source: G. Farnebäck, Specification of the Go Text
//! Protocol, version 2, draft 2.

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

use input::Input;
use session::{Event, Session};
use tengen::engine::Engine;
use tengen::memory::spare_address_space;
use tengen::streams::console::{self, AnsweringEnd, InputEnd, ReadingEnd};
use tengen::streams::{Line, MAX_LINE, Source, Watched, WriteWatch, eprint_line};

pub use session::{Setup, command_words};

/// Talks to a controller until `quit` or the end of input. If standard input is a file, all its
/// commands are carried out; otherwise `quit` and the end of input end a search.
pub fn run(engine: Engine, setup: Setup) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    let input = std::io::stdin();
    if input.is_terminal() {
        eprint_line(format_args!(
            "Tengen {} waits for commands of the Go Text Protocol, for instance:\n  \
             boardsize 15\n  play black H8\n  genmove white\n\
             'quit' ends it; docs/gtp.md has all commands. To play without a GUI: tengen play",
            env!("CARGO_PKG_VERSION")
        ));
    }
    spare_address_space();
    let source = Source::of_standard_input();
    let (stdout, watch) = Watched::new(std::io::stdout());
    let (session, _answering) = talk(engine, setup, input, source, stdout, Some(watch));
    // The process ends anyway, and freeing a large table takes time.
    std::mem::forget(session);
    ExitCode::SUCCESS
}

/// Holds a session with lines from `input` and answers to `output`. Returns when the session is
/// over and its search has stopped. Everything in a [`Source::File`] is carried out.
pub fn converse(
    engine: Engine,
    setup: Setup,
    input: impl Read + Send + 'static,
    source: Source,
    output: impl Write + 'static,
) {
    let (mut session, answering) = talk(engine, setup, input, source, output, None);
    answering.wait_for_search(&mut session);
}

/// Talks until the session is over.
fn talk(
    engine: Engine,
    setup: Setup,
    input: impl Read + Send + 'static,
    source: Source,
    output: impl Write + 'static,
    watch: Option<WriteWatch>,
) -> (Session, AnsweringEnd<Session>) {
    console::converse(
        |reading| Session::new(engine, setup, output, reading.events()),
        move |session| read_lines(input, source, session),
        watch,
    )
}

/// Sends every line of `input` to the session up to `quit` or the end; the end is sent last.
fn read_lines(input: impl Read, source: Source, session: &ReadingEnd<Session>) -> InputEnd {
    let leaves_at_once = source == Source::Manager;
    let mut has_quit = false;
    let announce_end = || {
        if leaves_at_once {
            session.send_event(Event::EndIsRead);
        }
    };
    session.read(input, b"\n", |line| {
        let (input, bytes) = match line {
            Line::Whole(line) => {
                log::debug!("<- {}", String::from_utf8_lossy(line));
                (input::parse(line), line.len())
            }
            Line::TooLong => (Input::TooLong, MAX_LINE),
        };
        if input == Input::Interrupt {
            session.send_event(Event::Interrupt);
        }
        has_quit = input.ends_session();
        if has_quit {
            announce_end();
        }
        session.send(input, bytes, true);
        match has_quit {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if !has_quit {
        session.cut_off();
    }
    announce_end();
    session.send(Input::End, 0, true);
    match (leaves_at_once, has_quit) {
        (false, _) => InputEnd::OfFile,
        (true, true) => InputEnd::ByCommand,
        (true, false) => InputEnd::OfPipe,
    }
}
