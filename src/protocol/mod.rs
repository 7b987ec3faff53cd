//! The Piskvork/Gomocup protocol with the extensions of Yixin-Board, on standard input and output.
//! `protocol.md` in the repository's root describes it for authors of managers.
//!
//! `parser` turns lines into requests by the table of commands in `session`, whose handlers carry
//! them out; `task` decides what to ask of the engine.

mod balance;
mod decision;
mod exclusions;
pub mod hosted;
mod input;
mod opening;
mod parser;
mod progress;
pub mod reply;
mod session;
pub mod settings;
pub mod setup;
mod task;
pub mod text;

use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;

use crate::engine::background::EngineThread;
use crate::engine::{Engine, Options};
use crate::memory::spare_address_space;
use crate::streams::console::{self, AnsweringEnd};
use crate::streams::{Watched, WriteWatch, eprint_line};
use parser::Parser;

pub use crate::streams::Source;
pub use input::commands_as_text;
pub use session::{
    Answer, CommandSpec, Commands, Dialect, DuringSearch, Form, Handler, Host, Needs,
    PositionStore, Request, Session,
};
pub use settings::{Confinement, NO_FILES};
pub use task::HostedTask;

/// Talks to a manager on standard input and output until `END` or the end of input, or carries out
/// a file of commands. Fails if a pipe ends before the answer to one of its commands.
///
/// Without a terminal or `RUST_LOG` nothing is written to standard error, not even the message of a
/// panic: Piskvork mixes standard error into standard output, where any line may look like a move.
pub fn run(host: Host) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    spare_address_space();
    let (stdout, watch) = Watched::new(std::io::stdout());
    let source = Source::of_standard_input();
    let (mut session, answering) = talk(host, std::io::stdin(), source, stdout, Some(watch));
    session.close();
    // The process ends anyway, and freeing a large table takes time.
    std::mem::forget(session);
    if !answering.owes_answer() {
        return ExitCode::SUCCESS;
    }
    if std::io::stderr().is_terminal() {
        eprint_line(CUT_OFF);
    }
    ExitCode::FAILURE
}

/// For a person whose pipe has ended too early.
const CUT_OFF: &str = "The input ended before the answer. A pipe must stay open until the answer comes; \
                       a file (`< commands.txt`) is answered to its end.";

/// Holds a session with commands from `input` and replies to `output`. Returns when the session is
/// over and its search has stopped: after `END`, after the end of `input`, or when `output` fails.
/// Work on files asked for before that is done first. When `output` fails, a thread goes on reading
/// `input` up to the next command. At the end of a [`Source::File`] all its commands are answered
/// first.
pub fn converse(
    host: Host,
    input: impl Read + Send + 'static,
    source: Source,
    output: impl Write + 'static,
) {
    let (mut session, answering) = talk(host, input, source, output, None);
    session.close();
    answering.wait_for_search(&mut session);
}

/// Talks until the session is over.
fn talk(
    host: Host,
    input: impl Read + Send + 'static,
    source: Source,
    output: impl Write + 'static,
    watch: Option<WriteWatch>,
) -> (Session, AnsweringEnd<Session>) {
    let parser = Parser::new(Commands::new(&host.tables));
    console::converse(
        |reading| {
            let engine = EngineThread::start(Engine::new(Options::default()));
            let (events, file_work) = (reading.events(), reading.work());
            Session::new(host, source, output, engine, events, file_work)
        },
        move |session| input::read_commands(input, parser, source, session),
        watch,
    )
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc;

    use super::*;

    /// Sends each line to a channel.
    struct Lines(mpsc::Sender<String>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let line = String::from_utf8_lossy(bytes).into_owned();
            self.0.send(line).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn replies_to(input: &'static [u8]) -> Vec<String> {
        let (lines, replies) = mpsc::channel();
        converse(Host::default(), input, Source::Manager, Lines(lines));
        replies.into_iter().collect()
    }

    /// The replies to a file of commands, without messages.
    fn replies_to_file(file: &'static str) -> Vec<String> {
        let (lines, replies) = mpsc::channel();
        converse(Host::default(), file.as_bytes(), Source::File, Lines(lines));
        let is_answer = |line: &String| !line.starts_with("MESSAGE ");
        replies.into_iter().filter(is_answer).collect()
    }

    #[test]
    fn a_file_is_answered_to_its_end() {
        let replies = replies_to_file(
            "START 15\nINFO max_node 3000\nTURN 7,7\nTURN 0,0\nYXSHOWFORBID\nABOUT",
        );
        assert_eq!(replies.len(), 5, "{replies:?}");
        assert!(replies[2].contains(','), "{replies:?}");
        assert_eq!(replies[3], "FORBID .\n");
        assert!(replies[4].starts_with("name="), "{replies:?}");
    }

    #[test]
    fn a_file_cannot_ask_for_an_endless_search() {
        for settings in ["INFO pondering 1\n", ""] {
            let unlimited = format!("START 15\nINFO timeout_turn -1\n{settings}");
            let file = format!("{unlimited}TURN 7,7\nTURN 0,0\nTURN 14,14\n");
            let replies = replies_to_file(file.leak());
            assert_eq!(replies.len(), 4, "{replies:?}");
        }
        let ponders = "START 15\nINFO max_node 500\nINFO pondering 1\nTURN 7,7";
        assert_eq!(replies_to_file(ponders).len(), 2);
    }

    #[test]
    fn a_session_over_any_streams_ends_with_its_input() {
        let replies = replies_to(b"START 15\nYXSHOWFORBID\nHELLO");
        assert_eq!(replies[..2], ["OK\n", "FORBID .\n"]);
        assert!(replies[2].starts_with("UNKNOWN"), "{replies:?}");
        assert_eq!(replies.len(), 3);
    }

    #[test]
    fn the_end_of_the_input_stops_an_endless_search() {
        let replies = replies_to(b"START 15\nINFO timeout_turn -1\nBEGIN\n");
        assert_eq!(replies[0], "OK\n");
    }

    #[test]
    fn a_session_that_nobody_hears_ends() {
        let (lines, _) = mpsc::channel();
        let blanks = io::repeat(b'\n').chain(&b""[..]).take(1 << 20);
        let inputs: [Box<dyn Read + Send>; 2] =
            [Box::new(blanks), Box::new(&b"START 15\nABOUT\n"[..])];
        for input in inputs {
            converse(
                Host::default(),
                input,
                Source::Manager,
                Lines(lines.clone()),
            );
        }
    }
}
