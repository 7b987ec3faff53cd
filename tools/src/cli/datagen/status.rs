//! The subcommands `status` and `merge` of `datagen`.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use super::super::error::warn;
use super::super::output_file::lasting;
use super::super::{Error, Output};
use crate::datagen::{Counts, Inventory, Kind, MergeError, data_files, merge, read_data_file};
use tengen::streams::on_one_line;

/// Count games, branches and labels of files by rule, board and source
#[derive(Debug, clap::Args)]
pub(super) struct StatusArgs {
    /// Files, or folders with .bin.zst files
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Join files of games into one after checking every game in them
///
/// Games that the same settings and seed made twice are refused. The new file can be read and
/// merged again, but not continued.
#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    /// The new file, such as all.bin.zst
    #[arg(long, value_name = "FILE", value_parser = lasting())]
    out: PathBuf,
    /// Origin of games in a file without a header (zstd frames of bare records), in
    /// words; the new file keeps it
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// Files, or folders with .bin.zst files
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
}

pub(super) fn run_status(args: &StatusArgs, out: &mut Output) -> Result<ExitCode, Error> {
    let mut inventory = Inventory::default();
    for path in files(&args.paths)? {
        inventory.add(&read_data_file(&path, &mut |_| {}).map_err(Error::failed)?);
    }
    if args.json {
        writeln!(out, "{}", as_json(&inventory))?;
    } else {
        write_table(&inventory, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run_merge(args: &MergeArgs, out: &mut Output) -> Result<ExitCode, Error> {
    let files = files(&args.paths)?;
    let source = args.source.as_deref();
    let merged = merge(&args.out, &files, source, &mut |warning| warn(&warning));
    let inventory = merged.map_err(|error| match error {
        MergeError::Io(error) => Error::of_file(&args.out, error),
        error => Error::failed(error),
    })?;
    write_table(&inventory, out)?;
    Ok(ExitCode::SUCCESS)
}

/// The files that `paths` name: files, and those of folders in the order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let of = |path: &PathBuf| data_files(path).map_err(|error| Error::of_file(path, error));
    Ok(paths
        .iter()
        .map(of)
        .collect::<Result<Vec<_>, _>>()?
        .concat())
}

fn write_table(inventory: &Inventory, out: &mut Output) -> Result<(), Error> {
    writeln!(
        out,
        "{:<9} {:>5} {:>6} {:>10} {:>9} {:>11} {:>11} {:>9}  made by",
        "rule", "board", "files", "unfinished", "games", "branches", "labels", "MB"
    )?;
    let mut total = Counts::default();
    for row in inventory.rows() {
        total += row.counts;
        let Counts {
            games,
            branches,
            labels,
        } = row.counts;
        let (Kind { rule, size }, files, unfinished) = (row.kind, row.files, row.unfinished);
        let megabytes = megabytes(row.bytes);
        writeln!(
            out,
            "{rule:<9} {size:>5} {files:>6} {unfinished:>10} {games:>9} {branches:>11} \
             {labels:>11} {megabytes:>9}  {}",
            on_one_line(&row.recipe.to_string())
        )?;
    }
    writeln!(
        out,
        "{:<9} {:>5} {:>6} {:>10} {:>9} {:>11} {:>11} {:>9}",
        "all",
        "",
        inventory.files,
        "",
        total.games,
        total.branches,
        total.labels,
        megabytes(inventory.bytes)
    )?;
    Ok(())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1e6)
}

fn as_json(inventory: &Inventory) -> serde_json::Value {
    let rows = inventory.rows().map(|row| {
        json!({
            "rule": row.kind.rule.name(),
            "size": row.kind.size,
            "files": row.files,
            "unfinished": row.unfinished,
            "games": row.counts.games,
            "branches": row.counts.branches,
            "labels": row.counts.labels,
            "bytes": row.bytes,
            "recipe": row.recipe,
        })
    });
    json!({
        "files": inventory.files,
        "bytes": inventory.bytes,
        "kinds": rows.collect::<Vec<_>>(),
    })
}
