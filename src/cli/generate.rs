//! `generate`: documents made from the command line's own declaration.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::{Cli, Error};

/// Write man pages and shell completions
///
/// Into the folder's 'man' goes a page for the program and for each subcommand, into 'completions'
/// a file for each shell: bash, elvish, fish, powershell, zsh.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder, made where it is missing
    dir: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Error> {
    write_all(&args.dir)
        .map_err(|error| Error::Failed(format!("{}: {error}", args.dir.display())))?;
    Ok(ExitCode::SUCCESS)
}

fn write_all(dir: &Path) -> io::Result<()> {
    let (man, completions) = (dir.join("man"), dir.join("completions"));
    std::fs::create_dir_all(&man)?;
    std::fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(Cli::command(), &man)?;
    for shell in Shell::value_variants() {
        let mut cli = Cli::command();
        let name = cli.get_name().to_string();
        clap_complete::generate_to(*shell, &mut cli, name, &completions)?;
    }
    Ok(())
}
