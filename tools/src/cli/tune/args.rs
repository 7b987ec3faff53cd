use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::Error;
use crate::arena::game::Conditions;
use crate::arena::json_lines::{self, FoundOpenings};
use crate::arena::openings::Book;
use crate::arena::spec::{EngineSpec, SETTINGS_HELP};
use crate::arena::spsa::journal::TuningTerms;
use crate::arena::spsa::{Knob, Plan, Trial};
use crate::cli::arena::book::{BookArgs, Source, source};
use crate::cli::arena::engines::warnings;
use crate::cli::arena::judge::JudgeArgs;
use crate::cli::output_file::lasting;
use crate::cli::values::parse_board;
use tengen::board::Board;
use tengen::openings::OpeningRule;
use tengen::rules::Rule;
use tengen::search::{Param, Params};

/// Names of the two versions in records.
pub const PLUS: &str = "plus";
pub const MINUS: &str = "minus";

/// Tune the parameters of the search by games against itself
///
/// SPSA: every iteration changes all parameters at random, each up or down, lets the two versions
/// play, and moves the parameters a little towards the better one. The program's file must stay as
/// it is until the end: build elsewhere, or tune a copy.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Parameters to tune, separated by commas; lmr_* means all names that begin with lmr_
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "Parameters"
    )]
    param: Vec<String>,
    /// Tune all parameters
    #[arg(long, conflicts_with = "param", help_heading = "Parameters")]
    all: bool,
    /// Iterations of the whole tuning
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Method",
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    iterations: u64,
    /// Pairs of games in an iteration; both games of a pair begin with the same opening
    #[arg(long, value_name = "K", default_value_t = 8, help_heading = "Method",
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pairs: u64,
    /// Change that is tried, in steps of each parameter: larger ones show in fewer games
    #[arg(long, value_name = "X", default_value = "1", value_parser = above_zero,
          help_heading = "Method")]
    spread: f64,
    /// Step at the end for each game won more than lost, as a part of the change that is tried
    #[arg(long, value_name = "R", default_value = "0.002", value_parser = above_zero,
          help_heading = "Method")]
    r_end: f64,
    /// RULE:SIZE:OPENINGS, such as renju, renju:15 or freestyle:20:openings.txt; if there are
    /// several, iterations take turns
    #[arg(
        long,
        value_name = "GAME",
        default_value = "freestyle:15",
        help_heading = "Game"
    )]
    on: Vec<StageArg>,
    /// Settings of both versions, such as nodes=5000 or tc=10s+0.1s
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., help_heading = "Engines",
          long_help = format!("Settings of both versions.\n\n{SETTINGS_HELP}"))]
    each: Vec<String>,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Games played at once; each engine needs its own cores
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Schedule",
          value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// File of openings, or balanced:N for N openings that a search finds balanced, where --on
    /// names none
    #[arg(
        long,
        value_name = "FILE",
        default_value = "balanced:50",
        value_parser = source(),
        help_heading = "Openings"
    )]
    openings: Source,
    #[command(flatten)]
    book: BookArgs,
    /// File for a line about every iteration at its end
    #[arg(
        long,
        value_name = "FILE",
        default_value = "tune.jsonl",
        value_parser = lasting(),
        help_heading = "Output"
    )]
    pub journal: PathBuf,
    /// Go on with the tuning of the journal
    #[arg(long, help_heading = "Output")]
    pub resume: bool,
}

const EXAMPLES: &str = "\
Example:
  tengen tune --param 'lmr_*,rfp_ply' --each nodes=5000 --on freestyle:15 --on renju:15 \\
      --iterations 2000 --concurrency 2 --journal lmr.jsonl";

/// Larger spreads and steps only lead from one end of every range to the other; far larger ones
/// make the gains infinite.
const LARGEST_GAIN: f64 = 1e6;

fn above_zero(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|r: &f64| *r > 0.0 && *r <= LARGEST_GAIN)
        .ok_or_else(|| format!("a number above 0 and up to {LARGEST_GAIN} is expected"))
}

/// Conditions of some games, as given.
#[derive(Clone, Debug, PartialEq)]
struct StageArg {
    rule: Rule,
    board: Board,
    openings: Option<Source>,
}

impl FromStr for StageArg {
    type Err = String;

    fn from_str(text: &str) -> Result<StageArg, String> {
        // The last part may have colons of its own.
        let mut parts = text.splitn(3, ':');
        let rule = parts.next().unwrap_or_default();
        Ok(StageArg {
            rule: rule.parse().map_err(|e| format!("{e}"))?,
            board: parse_board(parts.next().unwrap_or("15"))?,
            openings: parts
                .next()
                .map(|text| Source::parse(text.into()))
                .transpose()?,
        })
    }
}

/// Games that some of the iterations play.
pub struct Stage {
    /// Rule, board and judge.
    pub conditions: Conditions,
    /// Openings.
    pub book: Book,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conditions { rule, board, .. } = &self.conditions;
        write!(f, "{rule} {}x{}", board.width(), board.height())
    }
}

/// A tuning ready to begin.
pub struct TuningSetup {
    /// For the journal.
    pub terms: TuningTerms,
    /// The parameters, in the order of the registry.
    pub params: Vec<Param>,
    /// This program.
    pub program: String,
    /// At least one.
    pub stages: Vec<Stage>,
    /// Games at once.
    pub concurrency: usize,
    /// The judge's arguments.
    pub judge: Vec<String>,
    /// Openings for the journal.
    pub found: Vec<FoundOpenings>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

impl TuningSetup {
    /// The conditions of iteration `number`.
    pub fn stage(&self, number: u64) -> &Stage {
        &self.stages[(number % self.stages.len() as u64) as usize]
    }

    /// The two versions of a trial, [`PLUS`] first.
    pub fn versions(&self, trial: &Trial) -> Result<Vec<Arc<EngineSpec>>, Error> {
        [(PLUS, &trial.plus), (MINUS, &trial.minus)]
            .into_iter()
            .map(|(name, values)| {
                let own = self.params.iter().zip(values);
                let own = own.map(|(param, value)| format!("option.{}={value}", param.name));
                let mut settings = self.terms.each.clone();
                settings.extend(own);
                settings.push(format!("name={name}"));
                engine(&self.program, &settings).map(Arc::new)
            })
            .collect()
    }
}

fn engine(program: &str, settings: &[String]) -> Result<EngineSpec, Error> {
    EngineSpec::of_program(vec![program.to_string()], settings)
        .map_err(|e| Error::Usage(format!("--each: {e}")))
}

impl Args {
    /// Checks the arguments, and reads or finds the openings.
    pub fn setup(&self) -> Result<TuningSetup, Error> {
        let params = self.params().map_err(Error::Usage)?;
        for setting in &self.each {
            let key = setting.split('=').next().unwrap_or_default();
            if ["cmd", "name"].contains(&key) {
                let text = format!("--each: both versions are this program, '{setting}' is not");
                return Err(Error::Usage(text));
            }
        }
        let program = std::env::current_exe()
            .map_err(|e| Error::Failed(format!("this program's path: {e}")))?
            .into_os_string()
            .into_string()
            .map_err(|path| Error::Failed(format!("{path:?}: the path is not valid text")))?;
        let mut spec = engine(&program, &self.each)?;
        spec.name = "the engine".to_string();
        // The engine reads keys in any case.
        let is_tuned = |key: &str| params.iter().any(|p| p.name.eq_ignore_ascii_case(key));
        if let Some((key, _)) = spec.options.iter().find(|(key, _)| is_tuned(key)) {
            let text = format!("--each: '{key}' is tuned, so 'option.{key}' would have no effect");
            return Err(Error::Usage(text));
        }
        let (referee, adjudication) = self.judge.read()?;
        let mut found = match self.resume {
            true => json_lines::found_openings(&self.journal),
            false => Vec::new(),
        };
        let mut stages = Vec::new();
        let mut stage_names = Vec::new();
        for StageArg {
            rule,
            board,
            openings,
        } in &self.on
        {
            let source = openings.as_ref().unwrap_or(&self.openings);
            let book = self.book.book(Some(source), *rule, board, &mut found);
            let (book, identity) = book?;
            let stage = Stage {
                conditions: Conditions {
                    rule: *rule,
                    board: board.clone(),
                    referee,
                    adjudication,
                    opening_rule: OpeningRule::Free,
                },
                book,
            };
            stage_names.push(format!("{stage}, openings {identity}"));
            stages.push(stage);
        }
        let terms = TuningTerms {
            version: env!("CARGO_PKG_VERSION").to_string(),
            knobs: params
                .iter()
                .map(|param| knob(param, self.spread))
                .collect(),
            plan: Plan {
                iterations: self.iterations,
                r_end: self.r_end,
                seed: self.book.seed,
            },
            pairs: self.pairs,
            each: self.each.clone(),
            stages: stage_names,
            judge: format!("{referee}; {adjudication}"),
        };
        Ok(TuningSetup {
            warnings: self.warnings(&spec, &params),
            found,
            terms,
            params,
            program,
            stages,
            concurrency: usize::from(self.concurrency),
            judge: self.judge.words(),
        })
    }

    /// The selected parameters, in the order of the registry.
    fn params(&self) -> Result<Vec<Param>, String> {
        let names = || {
            let names: Vec<&str> = Params::REGISTRY.iter().map(|p| p.name).collect();
            names.join(", ")
        };
        let fits = |wish: &str, param: &Param| match wish.strip_suffix('*') {
            Some(head) => param.name.starts_with(head),
            None => param.name == wish,
        };
        if self.param.is_empty() && !self.all {
            return Err(format!(
                "--param or --all is missing; there are {}",
                names()
            ));
        }
        for wish in &self.param {
            if !Params::REGISTRY.iter().any(|param| fits(wish, param)) {
                return Err(format!(
                    "no number is named '{wish}'; there are {}",
                    names()
                ));
            }
        }
        let wanted = |param: &&Param| self.all || self.param.iter().any(|wish| fits(wish, param));
        Ok(Params::REGISTRY.iter().filter(wanted).copied().collect())
    }

    fn warnings(&self, spec: &EngineSpec, params: &[Param]) -> Vec<String> {
        let mut warnings = warnings(std::slice::from_ref(spec), self.concurrency);
        if !spec.limits.time.is_limited() {
            let idle: Vec<&str> = params
                .iter()
                .map(|param| param.name)
                .filter(|name| name.starts_with("time_"))
                .collect();
            if !idle.is_empty() {
                warnings.push(format!(
                    "without a clock {} change nothing and drift at random",
                    idle.join(", ")
                ));
            }
        }
        warnings
    }
}

fn knob(param: &Param, spread: f64) -> Knob {
    Knob {
        name: param.name.to_string(),
        start: param.default,
        min: param.min,
        max: param.max,
        c_end: spread * f64::from(param.step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_a_rule_a_size_and_openings() {
        let stage = |text: &str| text.parse::<StageArg>();
        let full = stage("renju:20x17:C:\\openings.txt").unwrap();
        assert_eq!(full.rule, Rule::Renju);
        assert_eq!((full.board.width(), full.board.height()), (20, 17));
        let file = PathBuf::from("C:\\openings.txt");
        assert_eq!(full.openings, Some(Source::File(file)));
        let found = stage("standard:15:balanced:9").unwrap().openings;
        assert_eq!(found, Some(Source::Balanced(9)));
        assert_eq!(stage("caro"), stage("caro:15"));
        assert_ne!(stage("caro"), stage("caro:19"));
        for bad in ["", "chess", "renju:99", "renju:15:balanced:0"] {
            assert!(stage(bad).is_err(), "{bad}");
        }
    }
}
