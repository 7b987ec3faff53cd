//! `match report`: the contents of a match's journal.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::super::error::{Error, warn};
use super::super::output_file;
use super::journal_paths;
use crate::arena::merge::{self, Merged};
use crate::arena::report::MatchReport;
use crate::serve::is_match_report;

/// Arguments of `match report`.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Journals of one match, or folders that hold one; '-' is standard input
    #[arg(required = true, value_name = "JOURNAL")]
    journals: Vec<PathBuf>,
    /// Write the report as one HTML file, with charts and a board for every game; '-' is standard
    /// output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Reads the journals, damaged ones as far as they can be read, and writes the report.
pub(super) fn run(args: &ReportArgs, out: &mut dyn Write) -> Result<ExitCode, Error> {
    let (merged, damage) = merge::salvage(&journal_paths(&args.journals))?;
    let Merged {
        terms,
        games,
        missing,
    } = merged;
    let mut notes: Vec<String> = damage.iter().map(ToString::to_string).collect();
    notes.extend(missing.iter().map(|part| format!("part {part} is missing")));
    let report = MatchReport::new(terms, games, notes);
    for note in &report.notes {
        warn(note);
    }
    match &args.html {
        None => write!(out, "{report}")?,
        Some(path) => {
            let html = report.html().map_err(Error::failed)?;
            output_file::write(path, is_match_report, &html, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
