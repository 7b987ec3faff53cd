//! `--engine` and `--each`: options of several settings that may come several times, each time for
//! another engine. Clap's derive cannot tell one time from the next, so the options are read by
//! hand, and with them `--time`, short for one of the settings.

use clap::{Arg, ArgAction, ArgMatches, Command};

use super::super::values;
use crate::arena::spec::{EngineSpec, IDENTITY_HELP, SETTINGS_HELP};
use crate::game::clock::ParseDurationError;

/// Settings as given.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs {
    /// For all engines, `--time` as the last of them.
    pub each: Vec<String>,
    /// For each of them.
    pub engines: Vec<Vec<String>>,
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let settings = |name: &'static str| {
            Arg::new(name)
                .long(name)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .help_heading("Engines")
        };
        command
            .arg(
                settings("engine")
                    .help("A player: cmd=COMMAND and other settings; once for each player")
                    .long_help(format!(
                        "A player: cmd=COMMAND and other settings; once for each player.\n\n\
                         {IDENTITY_HELP}\n{SETTINGS_HELP}"
                    )),
            )
            .arg(settings("each").help("Settings for all players, before their own"))
            .arg(
                Arg::new("time")
                    .long("time")
                    .value_name("T")
                    .value_parser(time_setting)
                    .help_heading("Engines")
                    .help("Time of all players for a move, such as 500ms, 1s or 2m: --each time=T"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let mut args = EngineArgs::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let occurrences = |name: &str| -> Vec<Vec<String>> {
            matches
                .get_occurrences::<String>(name)
                .map(|all| all.map(|one| one.cloned().collect()).collect())
                .unwrap_or_default()
        };
        self.engines = occurrences("engine");
        self.each = occurrences("each").concat();
        self.each.extend(matches.get_one::<String>("time").cloned());
        Ok(())
    }
}

/// The setting abbreviated by `--time`.
fn time_setting(text: &str) -> Result<String, ParseDurationError> {
    values::time(text).map(|_| format!("time={text}"))
}

/// Warnings about engines if `concurrency` pairs of them play at once.
pub fn warnings(engines: &[EngineSpec], concurrency: u16) -> Vec<String> {
    let mut warnings = Vec::new();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = engines.iter().filter_map(|e| e.threads).max().unwrap_or(1) as usize;
    let wanted = usize::from(concurrency) * threads;
    if wanted > cores {
        warnings.push(format!(
            "{wanted} cores are needed and {cores} available: times will be distorted"
        ));
    }
    for engine in engines {
        let limits = &engine.limits;
        if let (Some(game), Some(turn)) = (limits.time.game, limits.time.turn)
            && turn >= game
        {
            let (game, turn) = (game.as_secs_f64(), turn.as_secs_f64());
            warnings.push(format!(
                "{} has {game} s for the game and {turn} s for a move: in other programs \
                 tc={game}/{turn} is {game} moves in {turn} s",
                engine.name
            ));
        }
        if !limits.time.is_limited() && limits.nodes.is_none() && limits.depth.is_none() {
            warnings.push(format!(
                "{} has no limit (time, tc, nodes, depth ...) and may think for {} s a move",
                engine.name,
                limits.hang.as_secs()
            ));
        }
    }
    warnings
}
