//! The Piskvork/Gomocup protocol with the extensions of Yixin-Board, on standard input and output.
//! `protocol.md` in the repository's root describes it for authors of managers.
//!
//! `parser` turns lines into commands by the table of commands in `session`, which carries them
//! out; `task` decides what the engine is asked.

mod arguments;
mod balance;
mod database_arguments;
mod decision;
mod exclusions;
mod game_clock;
mod input;
mod line_text;
mod opening;
mod output;
mod parser;
mod progress;
mod reply;
pub mod safety;
mod session;
mod settings;
mod setup;
mod task;
mod text;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use session::Session;

/// After the end of input the session has this long to end by itself; it may block on a manager
/// that does not read its output.
const FAREWELL: Duration = Duration::from_millis(50);

/// Talks to a manager until `END` or the end of input.
///
/// Nothing is written to standard error, not even the message of a panic, unless `RUST_LOG` asks
/// for it: Piskvork mixes it into standard output, where any line may look like a move.
pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    if std::io::stdin().is_terminal() {
        eprintln!(
            "Tengen {} waits for commands of the Gomocup protocol, for instance:\n  \
             START 15\n  INFO timeout_turn 2000\n  TURN 7,7\n  END\n\
             `pbrain-tengen --help` tells what else it can do.",
            env!("CARGO_PKG_VERSION")
        );
    }
    let (events, inbox) = mpsc::channel();
    let mut session = Session::new(std::io::stdout(), events.clone());
    thread::spawn(move || {
        input::read_commands(std::io::stdin(), &events);
        thread::sleep(FAREWELL);
        std::process::exit(0);
    });
    for event in inbox {
        if session.handle(event).is_break() {
            break;
        }
    }
    session.close();
    // The process ends anyway, and freeing a large table takes time.
    std::mem::forget(session);
    ExitCode::SUCCESS
}
