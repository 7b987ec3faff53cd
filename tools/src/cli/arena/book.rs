//! Openings, as arguments.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};

use super::Error;
use super::parse::{fingerprint, parse_plies};
use crate::arena::json_lines::FoundOpenings;
use crate::arena::openings::{self, Book, BookFormat, BookOrder};
use crate::balance::{BalanceOptions, find_balanced};
use crate::cli::progress_style::counting_bar;
use tengen::board::Board;
use tengen::files::read_argument;
use tengen::rules::Rule;
use tengen::streams::eprint_line;
use tengen::types::Point;
use tengen_games::records::text_of;

/// Nodes searched to find out whether an opening is balanced.
pub const BALANCE_NODES: u64 = 50_000;

/// Source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A number of openings found by search.
    Balanced(usize),
}

impl Source {
    /// Reads an argument; a file's name may be any bytes.
    pub fn parse(text: OsString) -> Result<Source, String> {
        let count = text
            .to_str()
            .and_then(|text| text.strip_prefix("balanced:"));
        let Some(count) = count else {
            return Ok(Source::File(PathBuf::from(text)));
        };
        match count.parse() {
            Ok(count) if count > 0 => Ok(Source::Balanced(count)),
            _ => Err("balanced:N takes a number of openings".to_string()),
        }
    }
}

/// Reads a [`Source`] of a command line.
pub fn source() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().try_map(Source::parse)
}

/// Options for reading and using openings.
#[derive(Clone, Debug, clap::Args)]
pub struct BookArgs {
    /// Fewest and most stones of balanced openings
    #[arg(long, value_name = "A..B", default_value = "4..6", value_parser = parse_plies,
          help_heading = "Openings")]
    plies: (usize, usize),
    /// Form of the file: moves (h8 i9), pos (h8i7, rows from the top), offset (0,0, 1,-1)
    /// [default: moves, or offset where numbers have a sign or stand around 0]
    #[arg(
        long,
        value_name = "FORM",
        hide_possible_values = true,
        help_heading = "Openings"
    )]
    openings_format: Option<BookFormat>,
    /// Order of openings: random, or sequential
    #[arg(long, value_enum, default_value_t = BookOrder::Random, hide_possible_values = true,
        help_heading = "Openings")]
    order: BookOrder,
    /// Use openings as they are, not turned and mirrored at random
    #[arg(long, help_heading = "Openings")]
    no_symmetry: bool,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Openings")]
    pub seed: u64,
}

impl BookArgs {
    /// Openings for games under `rule` on the board `empty`, and their identification in a journal.
    /// Openings to be searched are taken from `found` where they were found before, and added to it
    /// otherwise.
    ///
    /// # Errors
    /// When the openings cannot be read or found.
    pub fn book(
        &self,
        source: Option<&Source>,
        rule: Rule,
        empty: &Board,
        found: &mut Vec<FoundOpenings>,
    ) -> Result<(Book, String), Error> {
        let openings = match source {
            None => Vec::new(),
            Some(Source::File(path)) => self.read(path, rule, empty)?,
            Some(Source::Balanced(count)) => self.search(*count, rule, empty, found)?,
        };
        let identity = match openings.len() {
            0 => "none: all games begin on the empty board".to_string(),
            count => {
                let order = match self.order {
                    BookOrder::Random => "in random order",
                    BookOrder::Sequential => "in their order",
                };
                let turned = match self.no_symmetry {
                    true => "as they are",
                    false => "turned and mirrored at random",
                };
                let hash = fingerprint(&openings);
                format!("{count} {order}, {turned}; their fingerprint is {hash:016x}")
            }
        };
        let symmetries = !self.no_symmetry;
        let book = Book::new(openings, empty.clone(), self.order, symmetries, self.seed);
        Ok((book, identity))
    }

    /// Balanced openings, with a bar on a terminal and a line elsewhere.
    fn search(
        &self,
        count: usize,
        rule: Rule,
        empty: &Board,
        found: &mut Vec<FoundOpenings>,
    ) -> Result<Vec<Vec<Point>>, Error> {
        let (width, height) = (empty.width(), empty.height());
        let options = BalanceOptions {
            count,
            plies: self.plies,
            nodes: BALANCE_NODES,
            played: false,
            seed: self.seed,
        };
        let (fewest, most) = options.plies;
        let wanted = format!(
            "{count} for {rule} {width}x{height} of {fewest} to {most} stones, \
             balanced by {BALANCE_NODES} nodes, seed {}",
            self.seed
        );
        if let Some(kept) = found.iter().find(|kept| kept.wanted == wanted) {
            let text = kept.openings.join("\n");
            return openings::parse(&text, Some(BookFormat::Moves), rule, empty)
                .map_err(|e| Error::Failed(format!("openings of the journal: {e}")));
        }
        if !io::stderr().is_terminal() {
            eprint_line(format_args!("searching for {count} balanced openings ..."));
        }
        let bar = counting_bar(count as u64, 0, " balanced openings");
        let mut openings = Vec::new();
        let searched = find_balanced(&options, None, rule, empty, &mut |opening| {
            openings.push(opening.to_vec());
            bar.inc(1);
            Ok(())
        });
        bar.finish_and_clear();
        searched?;
        let text = openings::to_text(&openings, height);
        found.push(FoundOpenings {
            wanted,
            openings: text.lines().map(str::to_string).collect(),
        });
        Ok(openings)
    }

    fn read(&self, path: &Path, rule: Rule, empty: &Board) -> Result<Vec<Vec<Point>>, Error> {
        let bytes = read_argument(path).map_err(|e| Error::of_file(path, e))?;
        let text = text_of(&bytes).map_err(|e| Error::of_file(path, e))?;
        let openings = openings::parse(&text, self.openings_format, rule, empty)
            .map_err(|e| Error::of_file(path, e))?;
        if openings.is_empty() {
            return Err(Error::of_file(path, "there is no opening in it"));
        }
        Ok(openings)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::balance::canonical;

    #[test]
    fn stored_openings_are_legal_and_different() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench_positions/openings");
        let mut read = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let (rule, side) = name.split_once('-').unwrap();
            let side = side.parse().unwrap();
            let empty = Board::new(side, side).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let openings = openings::parse(&text, None, rule.parse().unwrap(), &empty).unwrap();
            let kinds: HashSet<_> = openings.iter().map(|o| canonical(o, &empty)).collect();
            assert_eq!((openings.len(), kinds.len()), (50, 50), "{name}");
            read += 1;
        }
        assert_eq!(read, 4);
    }
}
