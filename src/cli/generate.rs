//! `generate`: documents made by the program itself.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::drawing::write_drawing;
use super::play::screenshot;
use super::{Cli, Error};

/// Write man pages and shell completions, or a picture of the program
///
/// The folder's 'man' gets a page for the program and for each subcommand, 'completions' a file for
/// each shell: bash, elvish, fish, powershell, zsh.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Folder for man pages and completions, created if it is missing
    #[arg(required_unless_present = "screenshot")]
    dir: Option<PathBuf>,
    /// Draw the screen of 'play' in the middle of a game into this file (SVG)
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Error> {
    let failed =
        |path: &Path, error: io::Error| Error::Failed(format!("{}: {error}", path.display()));
    if let Some(dir) = &args.dir {
        write_all(dir).map_err(|error| failed(dir, error))?;
    }
    if let Some(file) = &args.screenshot {
        write_drawing(file, &screenshot()?)?;
    }
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
