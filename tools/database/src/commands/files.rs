//! Commands about files: the database itself, imports and exports.

use std::error::Error;
use std::io::{self, BufReader, Write};
use std::path::Path;

use super::{NO_DATABASE, OpenDatabase, Result, add_ancestors};
use crate::key;
use crate::{
    Access, Database, DatabaseError, Record, Situation, export_library, import_library,
    is_moves_file, is_text_file, read_text, write_moves, write_text,
};
use tengen::board::Board;
use tengen::files::{Kind, make_file, open_regular_file, read_regular_file, write_file};
use tengen::protocol::reply::Reply;
use tengen::protocol::text::{plain, shown};
use tengen::rules::Rule;
use tengen_games::renlib::{Charset, Entries, is_library};

/// One position of an export, in its stored orientation.
struct ExportedPosition<'a> {
    board: &'a Board,
    rule: Rule,
    record: &'a Record,
}

/// Writes one position; false if the position is beyond the format.
type WritePosition = fn(&mut dyn Write, ExportedPosition) -> io::Result<bool>;

/// A form of an export.
struct Format {
    write: WritePosition,
    /// Files of this format, which a new one replaces.
    kind: Kind,
}

/// A line of fields for each position.
const TEXT: Format = Format {
    write: |out, position| write_text(out, position.board, position.rule, position.record),
    kind: is_text_file,
};

/// A line of moves for each position.
const MOVES: Format = Format {
    write: |out, position| write_moves(out, position.board),
    kind: is_moves_file,
};

/// The positions that an export writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All.
    All,
    /// All after the current position.
    Following,
}

impl OpenDatabase<'_> {
    /// Does `work` with the file of a command and reports the result.
    fn with_file(&mut self, path: &Path, work: impl FnOnce(&mut OpenDatabase) -> Result<String>) {
        let result = work(self);
        self.report_about(path, result);
    }

    /// `YXSETDATABASE`: uses this file from now on.
    pub fn use_database(&mut self, path: &Path) {
        self.with_file(path, |db| {
            let is_open = |open: &Database| is_same_file(open.path(), path);
            if db.database.open.as_deref().is_some_and(is_open) {
                // As after any other opening, nothing that was refused before counts.
                db.database.refused = None;
            } else {
                db.open_database(path.to_path_buf())?;
            }
            db.use_as_named();
            let database = db.needed_database(false)?;
            let count = database.len()?;
            db.session
                .message(format!("DATABASE LOAD START {}", shown(path)));
            db.session.message("DATABASE LOAD DONE");
            Ok(format!("{count} positions in {}", shown(path)))
        });
    }

    /// `YXDBMERGE`: adds the records of another file.
    pub fn merge_database(&mut self, path: &Path) {
        self.with_file(path, |db| {
            // Otherwise the database's own lock is reported as another program's.
            if path.exists() && is_same_file(&db.database_path(), path) {
                return Err(
                    "it is the database itself; only another one can be merged into it".into(),
                );
            }
            let other = Database::open_existing(path, Access::Read)?;
            let count = db.change_database(|writer, _| {
                let mut count = 0;
                let mut result = Ok(());
                other.each(&mut |board, rule, record| {
                    count += 1;
                    result = writer.merge(&Situation::new(board, rule), record);
                    result.is_ok()
                })?;
                result.map(|()| count)
            })?;
            Ok(format!("{count} positions merged"))
        });
    }

    /// `YXDBSPLIT`: copies the current position, its way and all later positions to a new file.
    pub fn split_database(&mut self, path: &Path) {
        self.with_file(path, |db| {
            let (board, rule) = db.current_position()?;
            let source = db.needed_database(false)?;
            let charset = source.library_charset()?;
            let mut records = Vec::new();
            source.read(|reader| {
                let start = Situation::new(&board, rule);
                records.extend(reader.get(&start)?.map(|r| (start.key().to_vec(), r)));
                reader.walk(&board, rule, &mut |key, record| {
                    records.push((key.to_vec(), record));
                    true
                })
            })?;
            make_file(path, |path| {
                Database::open(path)?.write(|writer| {
                    add_ancestors(writer, &board, rule)?;
                    if let Some(charset) = charset {
                        writer.set_library_charset(charset)?;
                    }
                    for (key, record) in &records {
                        writer.put_key(key, record)?;
                    }
                    Ok::<_, DatabaseError>(())
                })?;
                Ok::<_, Box<dyn Error>>(())
            })?;
            let count = records.len();
            Ok(format!("{count} positions written to {}", shown(path)))
        });
    }

    /// `YXDBTOTXTALL`: writes all positions as text.
    pub fn export_all_text(&mut self, path: &Path) {
        self.with_file(path, |db| db.export(path, Part::All, TEXT));
    }

    /// `YXDBTOTXT`: writes the positions that follow as text.
    pub fn export_text(&mut self, path: &Path) {
        self.with_file(path, |db| db.export(path, Part::Following, TEXT));
    }

    /// `YXDBTOPOS`: writes the moves of all positions.
    pub fn export_moves(&mut self, path: &Path) {
        self.with_file(path, |db| db.export(path, Part::All, MOVES));
    }

    fn export(&mut self, path: &Path, part: Part, format: Format) -> Result<String> {
        let start = match part {
            Part::All => None,
            Part::Following => Some(self.current_position()?),
        };
        let database = self.needed_database(false)?;
        let count = write_file(path, format.kind, |out| {
            write_positions(database, start, format.write, out)
        })?;
        let left_out = match count.left_out {
            0 => String::new(),
            count => format!("; {count} to which no alternating moves lead are left out"),
        };
        let written = count.written;
        Ok(format!(
            "{written} positions written to {}{left_out}",
            shown(path)
        ))
    }

    /// `YXTXTTODB`: reads positions from a text.
    pub fn import_text(&mut self, path: &Path) {
        self.with_file(path, |db| {
            let file = BufReader::new(open_regular_file(path)?);
            if db.session.settings().database().is_readonly {
                return Err("it is read-only".into());
            }
            let database = db.needed_database(true)?;
            let count = database.write(|writer| read_text(file, writer))?;
            Ok(format!("{count} positions read"))
        });
    }

    /// `YXLIBTODB`: reads a library of RenLib.
    pub fn import_library(&mut self, path: &Path) {
        self.with_file(path, |db| {
            let charset = db.wanted_charset()?;
            let bytes = read_regular_file(path)?;
            let mut entries = Entries::new(&bytes, charset)?;
            let charset = entries.charset();
            let count = db.change_database(|writer, rule| {
                writer.set_library_charset(charset)?;
                import_library(&mut entries, rule, writer)
            })?;
            let mut text = format!("{count} moves of a library in {} read", charset.name());
            let cut = entries.moves() - count;
            if cut > 0 {
                text += &format!("; {cut} on or behind a taken cell left out");
            }
            let damaged = entries.damaged_texts();
            if damaged > 0 {
                text +=
                    &format!("; {damaged} texts have bytes that are no letters of this charset");
            }
            Ok(text)
        });
    }

    /// `YXDBTOLIB`: writes the later positions as a library of RenLib.
    pub fn export_library(&mut self, path: &Path) {
        self.with_file(path, |db| {
            let (board, rule) = db.current_position()?;
            let wanted = db.wanted_charset()?;
            let database = db.needed_database(false)?;
            let charset = wanted
                .or(database.library_charset()?)
                .unwrap_or(Charset::UTF_8);
            let library = database
                .read(|reader| export_library(reader, &board, rule, charset))?
                .ok_or("RenLib knows only 15x15 and sides that take turns")?;
            let outside = library.texts_outside(charset);
            let name = charset.name();
            if wanted.is_some() && outside > 0 {
                return Err(format!("{outside} texts have letters that {name} lacks").into());
            }
            write_file(path, is_library, |out| out.write_all(&library.write()))?;
            let count = library.moves();
            let charset = match outside {
                0 => name.to_string(),
                _ => format!("UTF-8, as {outside} texts have letters that {name} lacks"),
            };
            Ok(format!(
                "{count} moves written to {} in {charset}",
                shown(path)
            ))
        });
    }

    /// `INFO library_charset`; `None` if it was not sent.
    fn wanted_charset(&self) -> Result<Option<Charset>> {
        match self.session.settings().library_charset() {
            "" => Ok(None),
            name => match Charset::named(name) {
                Some(charset) => Ok(Some(charset)),
                None => Err(format!("library_charset {}: no such charset", plain(name)).into()),
            },
        }
    }

    /// `YXSAVEDATABASE`: every change is on the disk already.
    pub fn save_database(&mut self) {
        let Some(database) = &self.database.open else {
            return self
                .session
                .send(Reply::Error(format!("The database: {NO_DATABASE}").into()));
        };
        let path = shown(database.path());
        self.session.message(format!("DATABASE SAVE START {path}"));
        self.session.message("DATABASE SAVE DONE");
        self.session
            .message(format!("The database: saved in {path}"));
    }

    /// The current position, at which the export of a part begins.
    fn current_position(&self) -> Result<(Board, Rule)> {
        let board = self.session.board().cloned().ok_or("send START first")?;
        Ok((board, self.session.settings().rule()))
    }
}

/// The number of positions that an export wrote.
#[derive(Default)]
struct ExportCount {
    written: usize,
    /// Positions beyond the format.
    left_out: usize,
}

/// Writes all positions, or all after `start`.
fn write_positions(
    database: &Database,
    start: Option<(Board, Rule)>,
    write: WritePosition,
    out: &mut dyn Write,
) -> Result<ExportCount> {
    let mut count = ExportCount::default();
    let mut result = Ok(());
    let mut take = |board: &Board, rule, record: &Record| {
        let position = ExportedPosition {
            board,
            rule,
            record,
        };
        match write(out, position) {
            Ok(true) => count.written += 1,
            // Of the empty board there is nothing to write where moves stand alone.
            Ok(false) => count.left_out += usize::from(*board != board.cleared()),
            Err(error) => result = Err(error),
        }
        result.is_ok()
    };
    match start {
        None => database.each(&mut |board, rule, record| take(board, rule, &record)),
        Some((board, rule)) => database.read(|reader| {
            reader.walk(&board, rule, &mut |key, record| {
                let (next, _) = key::position(key).expect("the key of a position");
                take(&next, rule, &record)
            })
        }),
    }?;
    result?;
    Ok(count)
}

/// True if two paths, however written, lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    place(one) == place(other)
}
