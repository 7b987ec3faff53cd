//! `serve`: the board in a browser on this machine.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread::available_parallelism;
use std::time::Duration;

use super::error::warn;
use super::interrupt::on_interrupt;
use super::output_file::lasting;
use super::{Error, Output, values};
use crate::serve::{Server, Settings, USUAL_PORT};
use tengen::memory::spare_address_space;
use tengen_database::{Access, Database};

/// Play, analyse and review in a browser on this machine
///
/// Prints the address to open. Its part after the '#' is a secret without which nobody gets an
/// engine; nothing is reachable from other machines. Every tab has an engine of its own. Ctrl-C
/// ends all of them. See docs/web.md.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Port on 127.0.0.1; 0 takes any free one [default: 15225, or any free one]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Open the board in the browser
    #[arg(long)]
    open: bool,
    /// Address of a public board, to which the page's links lead
    #[arg(long, value_name = "URL", value_parser = web_address)]
    address: Option<String>,
    /// Database of positions, shown by the board and filled with its analyses; made if missing
    #[arg(long, value_name = "FILE", value_parser = lasting())]
    database: Option<PathBuf>,
    /// Only read the database
    #[arg(long, requires = "database")]
    read_only: bool,
    /// Boards (tabs) with an engine at once
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(1..=64))]
    sessions: u16,
    /// Most search threads of a board [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Most memory of all boards together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048,
          value_parser = clap::value_parser!(u32).range(64..=1 << 20))]
    memory: u32,
    /// End the engine of a board in which nothing happens for so long
    #[arg(long, value_name = "T", default_value = "30m", value_parser = values::time)]
    idle: Duration,
}

const EXAMPLES: &str = "\
Examples:
  tengen serve --open
  tengen serve --port 8080 --database positions.db
  tengen serve --address https://board.example/
  tengen serve --sessions 1 --threads 8 --memory 16384";

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    spare_address_space();
    let database = match &args.database {
        Some(path) => Some(open_database(path, args.read_only)?),
        None => None,
    };
    let cores = available_parallelism().map_or(1, usize::from);
    let server = Server::start(Settings {
        port: args.port,
        address: args.address.clone(),
        sessions: args.sessions.into(),
        threads: args.threads.map_or(cores, usize::from),
        memory: (u64::from(args.memory) << 20) / u64::from(args.sessions),
        idle: args.idle,
        database,
    })
    .map_err(Error::failed)?;
    let stopper = server.stopper();
    on_interrupt(move || stopper.stop())?;
    if args.port.is_none() && server.port() != USUAL_PORT {
        warn(&format!(
            "port {USUAL_PORT} is not free: the games that the browser keeps for it are not on this board"
        ));
    }
    let url = server.url();
    writeln!(out, "{url}")?;
    out.flush()?;
    if args.open
        && let Err(error) = open_in_browser(&url)
    {
        warn(&format!("no browser was opened: {error}"));
    }
    server.run();
    Ok(ExitCode::SUCCESS)
}

/// An address for browsers.
fn web_address(text: &str) -> Result<String, String> {
    let lower = text.to_ascii_lowercase();
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|scheme| lower.strip_prefix(scheme));
    let is_address = rest
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    match is_address {
        true => Ok(text.to_string()),
        false => Err(
            "an address begins with https:// or http:// and a host, and has no blanks".to_string(),
        ),
    }
}

fn open_database(path: &Path, is_read_only: bool) -> Result<Database, Error> {
    let opened = match is_read_only {
        true => Database::open_existing(path, Access::Read),
        false => Database::open(path),
    };
    opened.map_err(|error| Error::of_file(path, error))
}

/// Hands the address to the system's opener of addresses.
fn open_in_browser(url: &str) -> io::Result<()> {
    opener(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(|_| ())
}

#[cfg(windows)]
fn opener(url: &str) -> Command {
    let mut command = Command::new("rundll32");
    command.args(["url.dll,FileProtocolHandler", url]);
    command
}

#[cfg(target_os = "macos")]
fn opener(url: &str) -> Command {
    let mut command = Command::new("open");
    command.arg(url);
    command
}

#[cfg(not(any(windows, target_os = "macos")))]
fn opener(url: &str) -> Command {
    let mut command = Command::new("xdg-open");
    command.arg(url);
    command
}
