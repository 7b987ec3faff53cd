//! The command line for people and scripts. Without a subcommand the program is an engine for a
//! manager.

mod analyze;
mod arena;
mod bench;
mod board_text;
mod check;
mod convert;
mod datagen;
mod error;
mod generate;
mod gtp;
mod interrupt;
mod output_file;
mod play;
mod progress_style;
mod records;
mod resources;
mod review;
mod selfcheck;
mod serve;
mod show;
mod solve;
mod tune;
mod values;
mod wrap;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use tengen::files::is_record_name;
use tengen_database::commands::CurrentDatabase;

use crate::host::host;

pub use error::Error;

/// Tools of a Gomoku and Renju engine: play, analyse, review, match, solve, convert.
#[derive(Debug, Parser)]
#[command(name = PROGRAM, version, after_help = AFTER_HELP, max_term_width = 100)]
#[command(override_usage = "tengen [COMMAND]")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

macro_rules! examples {
    () => {
        "\
Examples:
  tengen play --rule renju              play against it in the terminal
  tengen serve --open                   play, analyse and review in a browser
  tengen analyze h8 i9 h7               what to play, and why
  tengen review game.sgf                how good every move of a game was
  tengen show game.sgf                  the moves of a record on a board
  tengen convert game.psq game.sgf      a record in another format
  tengen solve problems.txt             wins by force
  tengen match --engine cmd=./new --engine cmd=./old    which engine is stronger
  tengen gtp                            play under Sabaki, GoGui and other GUIs for Go
  tengen tune --all --each nodes=5000   better parameters for the search
  tengen datagen --folder DATA          training games, until it is stopped
  tengen selfcheck                      check this program on this machine"
    };
}

const AFTER_HELP: &str = concat!(
    examples!(),
    "\n
Without a command, where standard input is no terminal, it talks the Piskvork/Gomocup protocol as
pbrain-tengen does, with the words of the database and of reviews; arguments that it does not know
are then ignored, because some managers pass their own."
);

/// For a person in a terminal, short enough for one screen.
const GREETING: &str = concat!(
    "Tengen ",
    env!("CARGO_PKG_VERSION"),
    ", a Gomoku and Renju engine\n\n",
    examples!(),
    "\n\n`tengen --help` lists all commands, `tengen COMMAND --help` explains one."
);

/// Name of the program.
const PROGRAM: &str = "tengen";

/// Standard output, plain or in colour as the terminal and `NO_COLOR` want. Not locked, because
/// reports come from the search threads.
type Output = dyn Write + Send;

#[derive(Debug, Subcommand)]
enum Command {
    Play(Box<play::Args>),
    Serve(serve::Args),
    Analyze(analyze::Args),
    Review(Box<review::Args>),
    Show(show::Args),
    Convert(convert::Args),
    Solve(solve::Args),
    Match(Box<arena::Args>),
    Gtp(gtp::Args),
    Selfcheck(selfcheck::Args),
    Check(check::Args),
    Bench(bench::Args),
    Generate(generate::Args),
    Datagen(datagen::Args),
    Tune(Box<tune::Args>),
}

impl Command {
    /// Runs the subcommand; text for the reader goes to `out`.
    fn run(self, out: &mut Output) -> Result<ExitCode, Error> {
        match self {
            Command::Analyze(args) => analyze::run(&args, out),
            Command::Bench(args) => bench::run(&args, out),
            Command::Check(args) => check::run(&args, out),
            Command::Convert(args) => convert::run(&args, out),
            Command::Datagen(args) => datagen::run(&args, out),
            Command::Generate(args) => generate::run(&args, out),
            Command::Gtp(args) => gtp::run(&args),
            Command::Match(args) => arena::run(&args, out),
            Command::Play(args) => play::run(&args, out),
            Command::Review(args) => review::run(&args, out),
            Command::Selfcheck(args) => selfcheck::run(&args, out),
            Command::Serve(args) => serve::run(&args, out),
            Command::Show(args) => show::run(&args, out),
            Command::Solve(args) => solve::run(&args, out),
            Command::Tune(args) => tune::run(&args, out),
        }
    }
}

/// Runs the command line `args` (the program's name first) and returns the exit status.
///
/// # Errors
/// When the arguments are wrong or the work failed. A reader that closes standard output early
/// (`| head`) is no error.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Result<ExitCode, Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    if !names_subcommand(&args) {
        let host = host(CurrentDatabase::default(), None);
        return Ok(tengen::protocol::run(host));
    }
    let mut out = anstream::stdout();
    if args.len() == 1 {
        writeln!(out, "{GREETING}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let done = match Cli::try_parse_from(&args) {
        Ok(cli) => cli.command.run(&mut out),
        Err(error) if !error.use_stderr() => write!(out, "{}", error.render().ansi())
            .map(|()| ExitCode::SUCCESS)
            .map_err(Error::from),
        Err(error) => Err(match (error.into(), tip(&args)) {
            (Error::Usage(line), Some(tip)) => Error::Usage(format!("{line}; tip: {tip}")),
            (error, _) => error,
        }),
    };
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Err(Error::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(ExitCode::SUCCESS)
        }
        done => done,
    }
}

/// A tip for refused arguments.
fn tip(args: &[OsString]) -> Option<String> {
    let record = args.get(1).filter(|word| is_record_name(Path::new(word)));
    let of_record = |name: &OsString| format!("write tengen show {}", name.to_string_lossy());
    record.map(of_record).or_else(|| arena::habits::tip(args))
}

/// True if the arguments are for clap, and not for the protocol loop, which ignores its arguments:
/// always in a terminal. Elsewhere a misspelt subcommand and the name of a record get an error. A
/// manager never gets one, because no known manager passes a word of letters, or a record.
fn names_subcommand(args: &[OsString]) -> bool {
    let is_meant = |first: &str| {
        matches!(first, "help" | "--help" | "-h" | "--version" | "-V") || is_like_subcommand(first)
    };
    let first = args.get(1).and_then(|arg| arg.to_str());
    let is_record = args
        .get(1)
        .is_some_and(|arg| is_record_name(Path::new(arg)));
    first.is_some_and(is_meant) || is_record || io::stdin().is_terminal()
}

/// True if `word` is a subcommand up to two slips of the keyboard, in a short name one. A slip is a
/// letter too many or too few, another letter, or two letters in the wrong order.
fn is_like_subcommand(word: &str) -> bool {
    const SLIPS: usize = 2;
    let is_word = word.len() > SLIPS && word.chars().all(|c| c.is_ascii_alphabetic());
    is_word
        && Cli::command().get_subcommands().any(|known| {
            let name = known.get_name();
            let slips = strsim::damerau_levenshtein(&word.to_lowercase(), name);
            slips <= SLIPS.min(name.len() - SLIPS)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }
}
