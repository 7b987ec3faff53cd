//! The subcommands `status`, `merge` and `label` of `datagen`.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use super::super::error::warn;
use super::super::{Error, Output};
use super::failed;
use crate::datagen::{
    Counts, Inventory, InventoryRow, NewLabels, Recipe, data_files, merge, summarize,
};
use tengen::files::read_argument;
use tengen::streams::on_one_line;

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

/// Make a file of soft labels: what others, such as a large network, say of positions
///
/// They are lines of JSON such as {"rule": "renju", "size": 15, "opening": 1, "result": "black",
/// "moves": "h8 i9 g7", "labels": [{"ply": 2, "win": 0.6, "draw": 0.1, "policy": {"g7": 0.8, "h10":
/// 0.2}}]}, or zstd frames of records (see src/datagen/label_file.rs and src/datagen/soft_label.rs).
#[derive(Debug, clap::Args)]
pub(super) struct LabelArgs {
    /// The new file, such as labels.bin.zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Who made the labels and how, in words; the file keeps it
    #[arg(long, value_name = "TEXT")]
    source: String,
    /// Lines of JSON, or zstd frames of records
    #[arg(value_name = "FILE")]
    labels: PathBuf,
}

pub(super) fn run_label(args: &LabelArgs, out: &mut Output) -> Result<ExitCode, Error> {
    let path = args.labels.display();
    let bytes = read_argument(&args.labels).map_err(|error| failed(format!("{path}: {error}")))?;
    let mut labels = NewLabels::default();
    let read = labels.read(&bytes);
    read.map_err(|error| failed(format!("{path}: {error}")))?;
    let written = labels.write(&args.out, &args.source);
    let counts = written.map_err(|error| failed(format!("{}: {error}", args.out.display())))?;
    let Counts {
        lines, soft_labels, ..
    } = counts.total();
    writeln!(out, "{soft_labels} soft labels in {lines} lines")?;
    Ok(ExitCode::SUCCESS)
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

/// The files that `paths` name: files, and those of folders in the order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let of = |path: &PathBuf| {
        data_files(path).map_err(|error| failed(format!("{}: {error}", path.display())))
    };
    Ok(paths
        .iter()
        .map(of)
        .collect::<Result<Vec<_>, _>>()?
        .concat())
}

fn write_table(inventory: &Inventory, out: &mut Output) -> Result<(), Error> {
    writeln!(
        out,
        "{:<9} {:>5} {:>6} {:>10} {:>9} {:>11} {:>11} {:>11} {:>9}  made by",
        "rule", "board", "files", "unfinished", "games", "branches", "labels", "soft labels", "MB"
    )?;
    let mut total = Counts::default();
    for row in inventory.rows() {
        total += row.counts;
        let Counts {
            games,
            branches,
            labels,
            soft_labels,
            ..
        } = row.counts;
        let (rule, size, files, unfinished) = (row.rule, row.size, row.files, row.unfinished);
        let megabytes = megabytes(row.bytes);
        writeln!(
            out,
            "{rule:<9} {size:>5} {files:>6} {unfinished:>10} {games:>9} {branches:>11} \
             {labels:>11} {soft_labels:>11} {megabytes:>9}  {}",
            on_one_line(&made_by(row))
        )?;
    }
    writeln!(
        out,
        "{:<9} {:>5} {:>6} {:>10} {:>9} {:>11} {:>11} {:>11} {:>9}",
        "all",
        "",
        inventory.files,
        "",
        total.games,
        total.branches,
        total.labels,
        total.soft_labels,
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

fn recipe_as_json(recipe: &Recipe) -> serde_json::Value {
    match recipe {
        Recipe::Games {
            nodes,
            branches,
            relabel_nodes,
            evaluation,
        } => json!({
            "nodes": nodes,
            "branches": branches,
            "relabel_nodes": relabel_nodes,
            "evaluation": format!("{evaluation:016x}"),
        }),
        Recipe::Labels { source } => json!({ "source": source }),
    }
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
            "lines": row.counts.lines,
            "soft_labels": row.counts.soft_labels,
            "bytes": row.bytes,
            "recipe": row.recipe.as_ref().map(recipe_as_json),
        })
    });
    json!({
        "files": inventory.files,
        "bytes": inventory.bytes,
        "kinds": rows.collect::<Vec<_>>(),
    })
}
