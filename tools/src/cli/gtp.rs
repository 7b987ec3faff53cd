//! `gtp`: the Go Text Protocol for GUIs such as Sabaki and GoGui.

use std::process::ExitCode;
use std::time::Duration;

use super::resources::{MoveLimits, Resources};
use super::values::parse_board;
use super::{Error, values};
use crate::gtp::{self, Setup};
use tengen::board::Board;
use tengen::rules::Rule;

/// Talk the Go Text Protocol (GTP), for Sabaki, GoGui and other GUIs for Go
///
/// Commands come on standard input, answers go to standard output; docs/gtp.md describes each of
/// them, and how GUIs are set up. 'quit' and the end of a pipe end a search; a file of commands is
/// carried out to its end.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Rule set: freestyle, standard, renju, caro or caro9; the command gomoku-rules changes it
    #[arg(long, default_value_t = Rule::Freestyle, value_parser = values::rule(),
          hide_possible_values = true)]
    rule: Rule,
    /// Board size to begin with, 5 to 22, such as 15 or 20x15
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    /// Longest time for a move, such as 500ms, 5s or 2m [default: 5s without another limit]
    #[arg(long, value_name = "T", value_parser = values::time)]
    time: Option<Duration>,
    #[command(flatten)]
    limits: MoveLimits,
    #[command(flatten)]
    resources: Resources,
}

const EXAMPLES: &str = "\
Examples:
  tengen gtp                                     what to enter in a board's settings
  tengen gtp --rule renju --time 10s --threads 4
  tengen gtp --nodes 20000 < commands.gtp        a file of commands";

pub(super) fn run(args: &Args) -> Result<ExitCode, Error> {
    let setup = Setup {
        rule: args.rule,
        board: args.size.clone(),
        turn: args.time,
        depth: args.limits.depth,
        nodes: args.limits.nodes,
        strength: args.limits.strength(),
    };
    Ok(gtp::run(args.resources.engine()?, setup))
}
