//! `match`: plays engines against each other, joins and reports journals.

mod args;
pub(super) mod book;
pub(super) mod engines;
pub(super) mod habits;
pub(super) mod judge;
pub(super) mod parse;
pub(super) mod progress;
mod report;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::Error;
use super::error::warn;
use super::interrupt::{self, stop_on_interrupt};
use super::output_file::is_standard_output;
use crate::arena::conversation::Failure;
use crate::arena::engine_check::{self, UnfitEngine};
use crate::arena::forfeits::ForfeitStreaks;
use crate::arena::game::GameRecord;
use crate::arena::journal::{self, Journal, MatchTerms};
use crate::arena::json_lines::{self, JournalError};
use crate::arena::merge::{self, Merged};
use crate::arena::openings;
use crate::arena::record::Folder;
use crate::arena::runner::{self, MatchEnd, MatchEvent};
use crate::arena::summary::Summary;
use crate::balance::{BalanceError, find_balanced};
use tengen::streams::eprint_line;
use tengen::types::Point;

pub(super) use args::Args;
use args::{MatchSetup, MergeArgs, OpeningsArgs, Part};
use progress::Progress;

impl From<JournalError> for Error {
    fn from(error: JournalError) -> Error {
        Error::failed(error)
    }
}

impl From<BalanceError> for Error {
    fn from(error: BalanceError) -> Error {
        match error {
            BalanceError::Output(error) => Error::Output(error),
            error => Error::Failed(error.to_string()),
        }
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Error> {
    match &args.part {
        Some(Part::Merge(merge)) => join(merge, out),
        Some(Part::Report(wanted)) => report::run(wanted, out),
        Some(Part::Openings(wanted)) => write_openings(wanted, out),
        None => play(args, out),
    }
}

/// A line for machines.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum JsonLine<'a> {
    Game(&'a GameRecord),
    Status(&'a Summary),
    Result(&'a Summary),
}

fn write_json(out: &mut dyn Write, line: &JsonLine) -> Result<(), Error> {
    serde_json::to_writer(&mut *out, line).map_err(|e| Error::Output(e.into()))?;
    writeln!(out)?;
    Ok(out.flush()?)
}

fn play(args: &Args, out: &mut dyn Write) -> Result<ExitCode, Error> {
    let journal_path = args.journal_path();
    if args.resume && journal_path.is_none() {
        let text = "--resume needs the --journal or the --records to go on with";
        return Err(Error::Usage(text.to_string()));
    }
    if let Some(path) = &journal_path {
        json_lines::check_free(path, args.resume)?;
    }
    let MatchSetup {
        contest,
        terms,
        found,
        warnings,
    } = args.setup()?;
    warnings.iter().for_each(|text| warn(text));
    if let Some(folder) = &contest.trace {
        fs::create_dir_all(folder).map_err(|e| Error::of_file(folder, e))?;
    }
    if let Some(folder) = &args.records {
        fs::create_dir_all(folder).map_err(|e| Error::of_file(folder, e))?;
    }
    // The journal has every finished game at any time of the interrupt.
    let stop = stop_on_interrupt()?;
    let check = || {
        let trace = contest.trace.as_deref();
        engine_check::check(&contest.engines, &contest.conditions, &stop, trace)
    };
    // No journal is begun for engines that cannot play. A resumed match may be over, and then needs
    // no engines.
    if !args.resume
        && let Err(unfit) = check()
    {
        return refuse(&unfit);
    }
    let (journal, done) = match &journal_path {
        None => (None, Vec::new()),
        Some(path) if args.resume => {
            let (journal, done) = Journal::resume(path, &terms, &found)?;
            (Some(journal), done)
        }
        Some(path) => (Some(Journal::create(path, &terms, &found)?), Vec::new()),
    };
    let records = args
        .records
        .as_ref()
        .map(|root| Folder::open(root, &done).map_err(|e| Error::of_file(root, e)))
        .transpose()?;
    let mut recorder = MatchRecorder {
        journal,
        records,
        progress: Progress::new(&contest, &done, args.json),
        terms: &terms,
        games: done.clone(),
        streaks: ForfeitStreaks::new(args.max_forfeits),
        json: args.json,
        out,
        unchecked: args.resume.then_some(&check),
    };
    let end = runner::run(&contest, done, &stop, &mut |event| recorder.note(event));
    let MatchRecorder {
        progress,
        mut games,
        out,
        ..
    } = recorder;
    progress.finish();
    games.sort_by_key(|game| game.id);
    let summary = Summary::new(&terms, &games);
    if args.json {
        write_json(out, &JsonLine::Result(&summary))?;
    } else {
        write!(out, "{summary}")?;
    }
    if end? == MatchEnd::Stopped {
        eprint_line("stopped; unfinished games are dropped");
        return Ok(interrupt::status(true));
    }
    Ok(ExitCode::SUCCESS)
}

/// The end of a match with an engine that cannot play, or of a match stopped before its first game.
fn refuse(unfit: &UnfitEngine) -> Result<ExitCode, Error> {
    match unfit.failure {
        Failure::Stopped => Ok(interrupt::status(true)),
        _ => Err(Error::Failed(format!("{unfit}; no game was played"))),
    }
}

/// Records the events of a match.
struct MatchRecorder<'a> {
    journal: Option<Journal>,
    records: Option<Folder>,
    progress: Progress,
    terms: &'a MatchTerms,
    games: Vec<GameRecord>,
    streaks: ForfeitStreaks,
    json: bool,
    out: &'a mut dyn Write,
    /// The check of the engines that is due before the first game.
    unchecked: Option<&'a dyn Fn() -> Result<(), UnfitEngine>>,
}

impl MatchRecorder<'_> {
    fn note(&mut self, event: MatchEvent) -> Result<(), Error> {
        match event {
            MatchEvent::Started(game) => {
                if let Some(check) = self.unchecked.take()
                    && let Err(unfit) = check()
                {
                    // After a stop the match ends by itself.
                    refuse(&unfit)?;
                }
                self.progress.started(game);
            }
            MatchEvent::Finished(game) => self.finished(game)?,
            MatchEvent::Narrowed(games, why) => self.progress.narrowed(games, why),
        }
        Ok(())
    }

    fn finished(&mut self, game: &GameRecord) -> Result<(), Error> {
        // The journal comes first: its games are never played again.
        if let Some(journal) = &mut self.journal {
            journal.add(game)?;
        }
        if let Some(records) = &mut self.records {
            records
                .add(game)
                .map_err(|e| Error::Failed(format!("records: {e}")))?;
        }
        let place = self.games.partition_point(|other| other.id < game.id);
        self.games.insert(place, game.clone());
        if self.json {
            write_json(self.out, &JsonLine::Game(game))?;
        }
        // A line on the state of the match follows every hundredth game.
        let writes_status = self.json && self.games.len().is_multiple_of(100);
        let wants_summary = writes_status || self.progress.wants_summary(self.games.len());
        let summary = wants_summary.then(|| Summary::new(self.terms, &self.games));
        if writes_status && let Some(summary) = &summary {
            write_json(self.out, &JsonLine::Status(summary))?;
        }
        self.progress.finished(game, summary.as_ref());
        Ok(self.streaks.note(game)?)
    }
}

/// Writes openings in the form that `--openings` reads. Each is written as soon as it is found,
/// because finding one takes seconds.
fn write_openings(args: &OpeningsArgs, out: &mut dyn Write) -> Result<ExitCode, Error> {
    let options = args.balance_options();
    let (width, height) = (args.size.width(), args.size.height());
    let kind = match args.opening_rule {
        Some(opening) => format!("balanced openings by {opening}"),
        None => format!(
            "balanced openings, {} to {} stones",
            options.plies.0, options.plies.1
        ),
    };
    let games = if options.played { " and games" } else { "" };
    writeln!(
        out,
        "# {} {width}x{height}: {} {kind}, judged by {} nodes{games}, seed {}",
        args.rule, options.count, options.nodes, options.seed
    )?;
    let mut write = |stones: &[Point]| {
        write!(out, "{}", openings::to_text(&[stones.to_vec()], height))?;
        out.flush()
    };
    find_balanced(
        &options,
        args.opening_rule,
        args.rule,
        &args.size,
        &mut write,
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The journals named by arguments: files, or folders that hold one.
fn journal_paths(arguments: &[PathBuf]) -> Vec<PathBuf> {
    let path = |path: &PathBuf| match path.is_dir() {
        true => Folder::journal(path),
        false => path.clone(),
    };
    arguments.iter().map(path).collect()
}

fn join(args: &MergeArgs, out: &mut dyn Write) -> Result<ExitCode, Error> {
    let Merged {
        terms,
        games,
        missing,
    } = merge::merge(&journal_paths(&args.journals))?;
    for part in missing {
        warn(&format!(
            "part {part} is missing; the result is that of the other parts"
        ));
    }
    match &args.out {
        Some(path) if is_standard_output(path) => {
            out.write_all(&journal::to_text(&terms, &games))?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(path) => merge::write(path, &terms, &games)?,
        None => {}
    }
    let summary = Summary::new(&terms, &games);
    if args.json {
        write_json(out, &JsonLine::Result(&summary))?;
    } else {
        write!(out, "{summary}")?;
    }
    Ok(ExitCode::SUCCESS)
}
