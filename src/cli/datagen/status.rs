//! What files and folders of training games have.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use super::super::error::warn;
use super::super::{Error, Output};
use super::failed;
use crate::datagen::{Counts, Inventory, InventoryRow, merge, summarize};

/// Show what files of games have, by the counts in them
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
/// Files of older versions get their headers. Games that the same settings and seed made twice are
/// refused.
#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    /// The new file, such as all.bin.zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Files, or folders with .bin.zst files
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
}

pub(super) fn run_status(args: &StatusArgs, out: &mut Output) -> Result<ExitCode, Error> {
    let mut inventory = Inventory::default();
    for path in files(&args.paths)? {
        inventory.add(&summarize(&path).map_err(failed)?);
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
    let inventory = merge(&args.out, &files, &mut |warning| warn(&warning.to_string()));
    write_table(&inventory.map_err(failed)?, out)?;
    Ok(ExitCode::SUCCESS)
}

/// What the files of a folder have, files that cannot be read left out.
pub(super) fn folder_inventory(folder: &Path) -> Inventory {
    let mut inventory = Inventory::default();
    let paths = files(&[folder.to_path_buf()]).unwrap_or_default();
    for summary in paths.iter().filter_map(|path| summarize(path).ok()) {
        inventory.add(&summary);
    }
    inventory
}

/// The files that `paths` name: files, and those of folders in the order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let error = |error| failed(format!("{}: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(error)? {
            let file = entry.map_err(error)?.path();
            let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
            if name.ends_with(".bin.zst") && !name.starts_with('.') {
                inside.push(file);
            }
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
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
        let (rule, size, files, unfinished) = (row.rule, row.size, row.files, row.unfinished);
        let megabytes = megabytes(row.bytes);
        writeln!(
            out,
            "{rule:<9} {size:>5} {files:>6} {unfinished:>10} {games:>9} {branches:>11} \
             {labels:>11} {megabytes:>9}  {}",
            made_by(row)
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

fn made_by(row: &InventoryRow) -> String {
    match &row.recipe {
        Some(recipe) => recipe.to_string(),
        None => "unknown settings".to_string(),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.2}", bytes as f64 / 1e6)
}

fn as_json(inventory: &Inventory) -> serde_json::Value {
    let rows = inventory.rows().map(|row| {
        json!({
            "rule": row.rule.name(),
            "size": row.size,
            "files": row.files,
            "unfinished": row.unfinished,
            "games": row.counts.games,
            "branches": row.counts.branches,
            "labels": row.counts.labels,
            "bytes": row.bytes,
            "recipe": row.recipe.as_ref().map(|recipe| json!({
                "nodes": recipe.nodes,
                "branches": recipe.branches,
                "relabel_nodes": recipe.relabel_nodes,
                "evaluation": format!("{:016x}", recipe.evaluation),
            })),
        })
    });
    json!({
        "files": inventory.files,
        "bytes": inventory.bytes,
        "kinds": rows.collect::<Vec<_>>(),
    })
}
