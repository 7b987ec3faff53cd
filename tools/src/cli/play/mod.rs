//! `play`: a game at the terminal, or line by line in a pipe.

mod describe;
mod line_mode;
mod problems;
mod screen;

pub(super) use screen::screenshot;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use etcetera::BaseStrategy as _;

use super::records::{Extract, Words, joined, read_file};
use super::resources::{MoveLimits, Resources};
use super::values::parse_board;
use super::{Error, Output, values};
use crate::game::clock::{ByoYomi, TimeControl};
use crate::play::command::Side;
use crate::play::game::{GameSetup, rule_of_game};
use crate::play::keep::Keeper;
use crate::play::model::{Display, Model, Pace};
use tengen::board::Board;
use tengen::openings::OpeningRule;
use tengen::rules::Rule;

/// Time for the engine's move when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// Play a game in the terminal
///
/// A click, arrows and Enter, or typed points such as h8, put stones; F1 shows all keys and
/// commands. Where standard input or output is no terminal, or with --plain, the same commands are
/// read line by line ('help' lists them), so that a game can be scripted. The exit status is 1 if a
/// script's save or load failed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Go on with these moves, or with this file of a game or position: .sgf, .psq, a diagram ...
    #[arg(value_name = "MOVES|FILE")]
    game: Vec<OsString>,
    /// Go on with the last game that was played in a terminal; docs/playing.md says where games are
    /// kept
    #[arg(long, conflicts_with = "game")]
    resume: bool,
    /// Solve problems instead, line by line: wins by fours and by threats, defences, and wins
    /// because a point is forbidden, in five grades; 'help' lists the words
    #[arg(long, exclusive = true)]
    problems: bool,
    /// Rule set: freestyle, standard, renju, caro or caro9 [default: freestyle, or renju for an
    /// opening rule of renju]
    #[arg(long, value_parser = values::rule(), hide_possible_values = true)]
    rule: Option<Rule>,
    /// Opening rule: free, swap1, swap, swap2, pro, long-pro, rif, renju-swap, yamaguchi,
    /// tarannikov, taraguchi, taraguchi-10, soosorv-8, or designated:4D:2
    #[arg(long, value_name = "O", default_value_t = OpeningRule::Free,
          value_parser = values::opening_rule(), hide_possible_values = true)]
    opening: OpeningRule,
    /// Board size, 5 to 22, such as 15 or 20x15
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    /// Your side, to begin with [default: black, or your side in the game]
    #[arg(long, value_enum)]
    side: Option<Side>,
    /// The engine's time for a move, such as 500ms, 5s or 2m [default: 3s without another limit]
    #[arg(long, value_name = "T", value_parser = values::time, alias = "think")]
    time: Option<Duration>,
    #[command(flatten)]
    limits: MoveLimits,
    /// Play on the clock: GAME, GAME/MOVE, each with +INCREMENT, such as 5m, 5m/30s or 3m+2s
    #[arg(long, value_name = "TC", value_parser = TimeControl::parse_tc)]
    tc: Option<TimeControl>,
    /// Periods that follow the game's time, such as 3x30s
    #[arg(long, value_name = "NxT")]
    byo_yomi: Option<ByoYomi>,
    #[command(flatten)]
    resources: Resources,
    /// Lines instead of the full screen
    #[arg(long)]
    plain: bool,
    /// Draw with plain letters only
    #[arg(long)]
    ascii: bool,
    /// Hide win rates, their graph and the engine's lines (F2, or the word values, switches them)
    #[arg(long)]
    no_values: bool,
    /// Number the stones on the screen (F3, or the word numbers, switches the numbers)
    #[arg(long)]
    numbers: bool,
}

const EXAMPLES: &str = "\
Examples:
  tengen play                               you are Black, freestyle, 15x15
  tengen play --rule renju --side white --strength 40
  tengen play --opening swap2 --size 15 --tc 5m --byo-yomi 3x30s
  tengen play game.sgf                      go on with a saved game
  tengen play h8 i9 h7                      go on after these moves
  tengen play --resume                      go on after a closed terminal
  tengen play --problems                    solve problems
  tengen play --side both                   two people at one terminal
  printf 'h8\\ni9\\nsave game.sgf\\n' | tengen play --depth 8";

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    if args.problems {
        return problems::run(kept_files().map(|folder| folder.join("problems.json")), out);
    }
    let setup = args.setup()?;
    let now = Instant::now();
    let side = args.side.unwrap_or(Side::Black);
    let mut model = Model::new(setup, side, args.pace(), now)
        .map_err(|error| Error::Usage(error.to_string()))?;
    // A script can type all again.
    let is_kept = args.resume || io::stdin().is_terminal();
    let games = kept_files().map(|folder| folder.join("games"));
    let mut keeper = games.filter(|_| is_kept).map(Keeper::new);
    let record = args.record()?;
    let has_record = record.is_some();
    let mut first = match (record, &mut keeper) {
        (Some((path, bytes)), _) => {
            let effects = model.read(&path, Ok(bytes), now);
            if let Some(notice) = model.notice().filter(|notice| notice.is_error) {
                return Err(Error::Failed(notice.text.clone()));
            }
            effects
        }
        (None, Some(keeper)) if args.resume => keeper.resume(&mut model, now)?,
        (None, None) if args.resume => {
            let text = "no game is kept: there is no home folder";
            return Err(Error::Failed(text.to_string()));
        }
        (None, _) => model.begin(now),
    };
    if has_record || args.resume {
        // The words of the call count more than those of the record.
        let strength = args.limits.wanted_strength();
        first.extend(model.change(args.side, strength, now));
    }
    model.show(Display {
        values: !args.no_values,
        numbers: args.numbers,
    });
    let engine = args.resources.engine()?;
    let has_screen = io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    if args.plain || !has_screen {
        line_mode::run(model, first, engine, keeper, out)
    } else {
        screen::run(model, first, engine, keeper, args.ascii)
    }
}

/// The user's folder for kept games and records; `None` without a home.
fn kept_files() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Some(folder.join("tengen"))
}

impl Args {
    /// The name and the bytes of the record to go on with.
    fn record(&self) -> Result<Option<(PathBuf, Vec<u8>)>, Error> {
        if self.game.is_empty() {
            return Ok(None);
        }
        Ok(Some(match Words::of(&self.game)? {
            Words::File(path) => (path.to_path_buf(), read_file(path)?),
            words @ Words::Moves(_) => {
                // A misspelt move is named.
                Extract::default().game(words, &self.size)?;
                (PathBuf::from("moves"), joined(&self.game).into_bytes())
            }
        }))
    }

    fn setup(&self) -> Result<GameSetup, Error> {
        let rule = rule_of_game(self.opening, self.rule, Rule::Freestyle)
            .map_err(|error| Error::Usage(format!("--opening {error}")))?;
        let mut time = self.tc.unwrap_or_default();
        time.byo_yomi = self.byo_yomi;
        Ok(GameSetup {
            rule,
            opening: self.opening,
            width: self.size.width(),
            height: self.size.height(),
            time,
        })
    }

    fn pace(&self) -> Pace {
        let is_limited = self.tc.is_some()
            || self.byo_yomi.is_some()
            || self.limits.depth.is_some()
            || self.limits.nodes.is_some();
        let usual = (!is_limited).then_some(DEFAULT_TIME);
        Pace {
            turn: self.time.or(usual),
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            strength: self.limits.strength(),
        }
    }
}
