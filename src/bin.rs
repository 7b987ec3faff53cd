//! The program `pbrain-tengen`, which managers and tournaments load: the protocol, and `bench`.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use tengen::bench::{DEPTH, write_report};
use tengen::engine::{Engine, Options};
use tengen::files::is_record_name;
use tengen::protocol::{self, Host};
use tengen::streams::eprint_line;

const VERSION: &str = concat!("pbrain-tengen ", env!("CARGO_PKG_VERSION"));

const HELP: &str = "\
Gomoku and Renju engine that speaks the Piskvork/Gomocup protocol on standard input and output

Usage:
  pbrain-tengen              talk to a manager
  pbrain-tengen bench        count and time a fixed amount of search
      [--depth D]            deepest iteration in plies [12]
      [--threads N]          search threads [1]
      [--hash MIB]           size of the transposition table [256]
  pbrain-tengen --version
  pbrain-tengen --help

Other arguments are ignored, because some managers pass their own; names of records are refused.
A pipe must stay open until its answer comes; a file of commands is answered to its end.
The program `tengen` plays, analyses, reviews, matches, solves and converts.";

/// For a person in a terminal. Its commands work when they are pasted: no `END` cuts the answer
/// off.
const HINT: &str = concat!(
    "Tengen ",
    env!("CARGO_PKG_VERSION"),
    " as an engine for managers. For people there is the program `tengen`:\n  \
     tengen play               play in the terminal\n  \
     tengen serve --open       play and analyse in a browser\n  \
     tengen analyze h8 i9 h7   what to play, and why\n\
     Here commands of the Gomocup protocol are read, for instance:\n  \
     START 15\n  INFO timeout_turn 2000\n  TURN 7,7\n\
     The answer is the engine's move. END leaves; `pbrain-tengen --help` tells more."
);

fn main() -> ExitCode {
    // Without RUST_LOG there is no logger, and standard error stays silent.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    match arguments.first().map(String::as_str) {
        Some("--version" | "-V") => print(VERSION),
        Some("--help" | "-h" | "help") => print(HELP),
        Some("bench") => match bench_options(&arguments[1..]) {
            Ok((depth, options)) => {
                let written = write_report(&mut Engine::new(options), depth, &mut io::stdout());
                status(written)
            }
            Err(why) => {
                eprint_line(format_args!("pbrain-tengen: bench: {why}"));
                ExitCode::from(2)
            }
        },
        Some(argument) if is_record_name(Path::new(argument)) => {
            eprint_line(format_args!(
                "pbrain-tengen: it reads no records; `tengen show {argument}` draws this one, and \
                 analyze, review and play take it too"
            ));
            ExitCode::from(2)
        }
        _ => {
            if io::stdin().is_terminal() {
                eprint_line(HINT);
            }
            protocol::run(Host::default())
        }
    }
}

fn print(text: &str) -> ExitCode {
    use io::Write;
    status(writeln!(io::stdout(), "{text}"))
}

/// A reader that closes standard output early (`| head`) is no error.
fn status(written: io::Result<()>) -> ExitCode {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprint_line(format_args!("pbrain-tengen: standard output: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Depth in plies and the engine's options, from the arguments after `bench`.
fn bench_options(arguments: &[String]) -> Result<(u32, Options), String> {
    let (mut depth, mut threads, mut hash) = (DEPTH, 1, None);
    let mut words = arguments.iter();
    while let Some(name) = words.next() {
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (name.as_str(), words.next().map(String::as_str)),
        };
        let most = match name {
            "--depth" => 200,
            "--threads" => 256,
            "--hash" => 1 << 20,
            _ => return Err(format!("there is no option {name:?}; see --help")),
        };
        let number = value.and_then(|value| value.parse().ok());
        let number = number
            .filter(|n| (1..=most).contains(n))
            .ok_or_else(|| format!("{name} needs a number from 1 to {most}"))?;
        match name {
            "--depth" => depth = number,
            "--threads" => threads = number as usize,
            _ => hash = Some(number),
        }
    }
    Ok((depth, Options::with_hash(threads, hash)))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use tengen::streams::Source;

    use super::*;

    /// They ended with `END`, which leaves before the move.
    #[test]
    fn the_commands_of_the_hint_get_a_move() {
        let commands = HINT.lines().filter(|line| {
            let word = line.split_whitespace().next();
            word.is_some_and(|word| word.chars().all(char::is_uppercase)) && line.starts_with("  ")
        });
        let commands: Vec<&str> = commands.collect();
        assert_eq!(commands.len(), 3, "{HINT}");
        let (mut replies, answers) = io::pipe().unwrap();
        let input = io::Cursor::new(commands.join("\n").replace("2000", "100"));
        protocol::converse(Host::default(), input, Source::File, answers);
        let mut text = String::new();
        replies.read_to_string(&mut text).unwrap();
        let last = text.lines().last().unwrap();
        assert!(
            last.split_once(',')
                .is_some_and(|(x, y)| { x.parse::<u8>().is_ok() && y.parse::<u8>().is_ok() }),
            "{last}"
        );
    }
}
