//! `generate`: documents made by the program itself.

mod man;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Command, CommandFactory, ValueEnum};
use clap_complete::{Generator, Shell};

use super::output_file::{self, is_drawing};
use super::play::screenshot;
use super::{Cli, Error, Output, PROGRAM};
use tengen::files::write_file;

/// Write man pages and shell completions, or a picture of the program
///
/// The folder's 'man' gets a page for the program and for each subcommand, 'completions' a file for
/// each shell: bash, elvish, fish, powershell, zsh. Earlier files of this command are replaced; any
/// other file in their place stays, with an error.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE)]
pub(super) struct Args {
    /// Folder for man pages and completions, created if it is missing
    #[arg(required_unless_present = "screenshot")]
    dir: Option<PathBuf>,
    /// Draw the screen of 'play' in the middle of a game into this file (SVG); '-' is standard
    /// output
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
}

const USAGE: &str = "\
tengen generate <DIR>
       tengen generate --screenshot <FILE> [DIR]";

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    if let Some(dir) = &args.dir {
        write_all(dir)?;
    }
    if let Some(file) = &args.screenshot {
        output_file::write(file, is_drawing, &screenshot()?, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_all(dir: &Path) -> Result<(), Error> {
    let pages = man::pages(Cli::command()).map(|(name, page)| (name, page.into_bytes()));
    write_folder(&dir.join("man"), pages)?;
    let shells = Shell::value_variants().iter();
    let completions = shells.map(|shell| (shell.file_name(PROGRAM), completion(*shell)));
    write_folder(&dir.join("completions"), completions)
}

/// Writes files by their names into a folder, created if missing.
fn write_folder(
    folder: &Path,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::of_file(folder, error))?;
    for (name, content) in files {
        let path = folder.join(name);
        write_file(&path, names_program, |file| file.write_all(&content))
            .map_err(|error| Error::of_file(&path, error))?;
    }
    Ok(())
}

/// True if a file may have been written by an earlier run: man pages and completions begin with the
/// program's name.
fn names_program(head: &[u8]) -> bool {
    String::from_utf8_lossy(head).contains(PROGRAM)
}

/// The completions of a shell.
fn completion(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut visible(&Cli::command()), PROGRAM, &mut script);
    script
}

/// The command without hidden options, because `clap_complete` completes those too.
fn visible(command: &Command) -> Command {
    // Names of commands live as long as the program.
    let name: &'static str = command.get_name().to_string().leak();
    let arguments = command.get_arguments().filter(|arg| !arg.is_hide_set());
    Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(command.get_version().is_none())
        .about(command.get_about().cloned().unwrap_or_default())
        .args(arguments.cloned())
        .subcommands(command.get_subcommands().map(visible))
}
