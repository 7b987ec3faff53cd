//! `convert`: records of games in another format.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::error::warn;
use super::output_file::is_standard_output;
use super::records::{Extract, name_of, tell};
use super::values::parse_board;
use super::{Error, Output};
use tengen::board::Board;
use tengen::files::write_file;
use tengen::rules::Rule;
use tengen_games::convert::{Converter, Losses, Target};
use tengen_games::records::{Format, RecordedGame};
use tengen_games::renlib::Charset;

/// Convert records of games into another format
///
/// Reads every format in docs/analysis.md, from files and from all files of a folder. All games go
/// into one file; into a folder each file goes as a file of its own, with its own name. Parts
/// without a place in the format are reported.
#[derive(Debug, clap::Args)]
#[command(override_usage = "tengen convert [OPTIONS] <IN>... <OUT>", after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files and folders of records, then the file or folder to write; '-' is standard input or
    /// output
    #[arg(required = true, num_args = 2.., value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Format to write: sgf, psq, lib, moves, json, openings (Gomocup's offsets), or problems
    /// (lines for 'solve') [default: by the end of OUT, moves for .txt]
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Option<Target>,
    #[command(flatten)]
    extract: Extract,
    /// Board size of a record that is only moves
    #[arg(long, value_name = "S|WxH", default_value = "15", value_parser = parse_board)]
    size: Board,
    /// Rule of all games, in the place of the rules in the records
    #[arg(long)]
    rule: Option<Rule>,
    /// Charset to write [default: utf-8; for .lib the charset of the first library read]
    #[arg(long, value_name = "NAME", value_parser = charset)]
    to_charset: Option<Charset>,
}

const EXAMPLES: &str = "\
Examples:
  tengen convert game.psq game.sgf
  tengen convert renjunet.rif games.sgf
  tengen convert library.lib library.sgf
  tengen convert --to sgf records/ sgf/        a file for each file of the folder
  tengen convert --to openings --after 5 games.sgf openings.txt
  tengen convert --to moves game.sgf -         on standard output";

fn target(text: &str) -> Result<Target, String> {
    let found = Target::ALL.into_iter().find(|target| target.name() == text);
    found.ok_or_else(|| format!("expected one of {}", target_names()))
}

fn target_names() -> String {
    Target::ALL.map(Target::name).join(", ")
}

fn charset(text: &str) -> Result<Charset, String> {
    Charset::named(text).ok_or_else(|| "no such charset".to_string())
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Error> {
    let (to, from) = args.paths.split_last().expect("clap wants two paths");
    let is_folder = to.is_dir() || to.as_os_str().to_string_lossy().ends_with(['/', '\\']);
    let target = args.target(to)?;
    let mut run = Run {
        args,
        target,
        losses: Losses::default(),
        failed: 0,
    };
    let files = files_in(from)?;
    let is_output = is_standard_output(to);
    let count = match is_folder {
        true => run.write_folder(&files, to)?,
        false if is_output => run.write_one(&files, out)?,
        false => {
            let mut count = 0;
            write(to, target, |file| {
                count = run.write_one(&files, file)?;
                match count > 0 || run.failed == 0 {
                    true => Ok(()),
                    false => Err(Error::Failed(run.failure(files.len()))),
                }
            })?;
            count
        }
    };
    for line in run.losses.lines() {
        warn(&format!("not carried over: {line}"));
    }
    if !is_output {
        writeln!(out, "{count} games written to {}", to.display())?;
    }
    if run.failed > 0 {
        return Err(Error::Failed(run.failure(files.len())));
    }
    Ok(ExitCode::SUCCESS)
}

/// The files named, and those in the folders named, by name.
fn files_in(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |error| Error::of_file(path, error);
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let entry = entry.map_err(failed)?.path();
            if entry.is_file() {
                found.push(entry);
            }
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

impl Args {
    /// The format to write.
    fn target(&self, to: &Path) -> Result<Target, Error> {
        let extension = to.extension().unwrap_or_default().to_ascii_lowercase();
        let named = Target::ALL
            .into_iter()
            .find(|target| extension == target.extension());
        self.to.or(named).ok_or_else(|| {
            let (to, names) = (to.display(), target_names());
            Error::Usage(format!("--to names the format of {to}: {names}"))
        })
    }
}

/// A conversion of files.
struct Run<'a> {
    args: &'a Args,
    target: Target,
    losses: Losses,
    /// Number of files that could not be read.
    failed: usize,
}

impl Run<'_> {
    fn failure(&self, files: usize) -> String {
        format!("{} of {files} files could not be read", self.failed)
    }

    fn converter(&self) -> Converter {
        Converter::new(self.target, self.args.rule, self.args.to_charset)
    }

    /// Writes the games of all files into one; returns their number.
    fn write_one(&mut self, files: &[PathBuf], out: &mut dyn Write) -> Result<usize, Error> {
        let mut converter = self.converter();
        let target = self.target;
        for file in files {
            let charset = self.each(file, &mut |name, game| {
                if target == Target::Psq && converter.count() > 0 {
                    let text = "a .psq file holds one game; name a folder for several, or --game";
                    return Err(Error::Usage(text.to_string()));
                }
                Ok(converter.add(name, game, out)?)
            })?;
            self.keep_charset(&mut converter, charset);
        }
        let count = converter.count();
        self.losses.extend(converter.finish(out)?);
        Ok(count)
    }

    /// Writes the games of each file into a file of the folder `to`; returns their number.
    fn write_folder(&mut self, files: &[PathBuf], to: &Path) -> Result<usize, Error> {
        fs::create_dir_all(to).map_err(|error| Error::of_file(to, error))?;
        let mut written: HashMap<PathBuf, &Path> = HashMap::new();
        let mut count = 0;
        for file in files {
            let stem = file.file_stem().unwrap_or_default();
            let target = self.target;
            let mut path_of = |number: usize| {
                let mut name = stem.to_os_string();
                if number > 1 {
                    name.push(format!("-{number}"));
                }
                name.push(".");
                name.push(target.extension());
                let path = to.join(name);
                match written.insert(path.clone(), file) {
                    Some(other) if other != file => Err(Error::Failed(format!(
                        "{}: {} and {} would both be written there",
                        path.display(),
                        other.display(),
                        file.display()
                    ))),
                    _ => Ok(path),
                }
            };
            let mut converter = self.converter();
            let mut losses = Losses::default();
            if target == Target::Psq {
                let mut number = 0;
                self.each(file, &mut |name, game| {
                    number += 1;
                    let mut text = Vec::new();
                    let mut one = Converter::new(target, self.args.rule, self.args.to_charset);
                    one.add(name, game, &mut text)?;
                    if one.count() > 0 {
                        count += 1;
                        write(&path_of(number)?, target, |file| Ok(file.write_all(&text)?))?;
                    }
                    losses.extend(one.finish(&mut text)?);
                    Ok(())
                })?;
            } else {
                // A file without a game leaves none behind.
                let mut has_game = false;
                let done = write(&path_of(1)?, target, |out| {
                    let charset =
                        self.each(file, &mut |name, game| Ok(converter.add(name, game, out)?))?;
                    self.keep_charset(&mut converter, charset);
                    has_game = converter.count() > 0;
                    count += converter.count();
                    losses.extend(converter.finish(out)?);
                    match has_game {
                        true => Ok(()),
                        false => Err(Error::Failed("no game".to_string())),
                    }
                });
                if has_game {
                    done?;
                }
            }
            self.losses.extend(losses);
        }
        Ok(count)
    }

    /// Hands the chosen games of a file to `take`, each with a name. Returns the charset of a
    /// library. An unreadable file is reported and counted.
    fn each(
        &mut self,
        file: &Path,
        take: &mut dyn FnMut(&str, RecordedGame) -> Result<(), Error>,
    ) -> Result<Option<Charset>, Error> {
        let extract = &self.args.extract;
        let name = name_of(file);
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let mut number = 0;
        let mut result = Ok(());
        let read = extract.each(file, &self.args.size, &mut |game, warnings| {
            number += 1;
            if !extract.chooses(number) {
                return ControlFlow::Continue(());
            }
            tell(file, &warnings);
            let game = extract.cut(&name, game);
            result = game.and_then(|game| take(&format!("{stem}-{number}"), game));
            match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        result?;
        match read {
            Ok(record) => {
                tell(file, &record.warnings);
                let charset = record.charset.filter(|_| record.format == Format::Lib);
                Ok(charset.and_then(Charset::named))
            }
            Err(error) => {
                self.failed += 1;
                warn(&error.to_string());
                Ok(None)
            }
        }
    }

    /// A library is written in the charset in which the first one was read, unless another is
    /// named.
    fn keep_charset(&self, converter: &mut Converter, charset: Option<Charset>) {
        if let Some(charset) = charset.filter(|_| self.args.to_charset.is_none()) {
            converter.set_library_charset(charset);
        }
    }
}

fn write(
    path: &Path,
    target: Target,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    let written = write_file(path, target.kind(), |file| write(file));
    written.map_err(|error| match error {
        Error::Output(error) => Error::of_file(path, error),
        error => error,
    })
}
