//! What a file of games has: all its records, or the counts of them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::TrainingRecord;
use super::beside::{OldSettings, beside};
use super::counts::CountsByKind;
use super::format::{
    COUNTS_MAGIC, FormatError, FrameCounts, HEADER_MAGIC, Header, Maker, Origin, SKIPPABLE_START,
    content_length,
};
use super::frames::{Content, Frame, Piece, next_start, read_piece};
use super::part::Leftover;
use tengen::files::{open_regular_file, read_regular_file};

/// Why a file of games cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DataFileError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// What begins at this byte is damaged or unknown.
    #[error("{0}, byte {1}: {2}")]
    Format(PathBuf, u64, FormatError),
}

/// The games of a file that the same settings made.
#[derive(Clone, Debug)]
pub struct Section {
    /// What made them; `None` for an old file without its settings.
    pub origin: Option<Origin>,
    /// How many there are.
    pub counts: CountsByKind,
    /// Those in the part beside the file that wait for their frame; [`summarize`] alone counts them.
    pub waiting: CountsByKind,
    /// Length of their frames.
    pub bytes: u64,
    /// The numbers of the games, frame by frame.
    pub numbers: Vec<Range<u64>>,
    /// Identity of the header; old files have none.
    id: Option<u64>,
}

/// What a file of games has.
#[derive(Clone, Debug)]
pub struct FileSummary {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its games by what made them.
    pub sections: Vec<Section>,
    /// Where a frame begins that was not written to its end, in a file whose run can be continued.
    pub incomplete: Option<u64>,
    /// Whether there are games that wait for their frame.
    pub is_unfinished: bool,
    /// Whether it has frames without counts.
    pub is_old: bool,
    /// Place in `sections` of the header that holds now.
    current: Option<usize>,
}

/// Reads a file of games to its end and calls `visit` with each record.
///
/// # Errors
/// When the file cannot be read, or any of it is damaged or unknown. An incomplete frame at the end of
/// a file whose run can be continued is no error.
pub fn read_data_file(
    path: &Path,
    visit: &mut dyn FnMut(TrainingRecord),
) -> Result<FileSummary, DataFileError> {
    let io_error = |error| DataFileError::Io(path.to_path_buf(), error);
    let bytes = read_regular_file(path).map_err(io_error)?;
    let mut summary = FileSummary::new(path, bytes.len() as u64);
    let mut at = 0;
    while at < bytes.len() {
        let read = read_piece(&bytes, at, visit);
        let added = read.and_then(|piece| {
            summary.add(&piece)?;
            Ok(piece.range.end)
        });
        at = match added {
            Ok(end) => end,
            Err(FormatError::Incomplete)
                if summary.is_unfinished && next_start(&bytes, at + 1, false) == bytes.len() =>
            {
                summary.incomplete = Some(at as u64);
                break;
            }
            Err(error) => return Err(summary.error(at, error)),
        };
    }
    Ok(summary)
}

/// Counts the games of a file by the counts of its frames, without unpacking them, and those that wait
/// in its part; old files are read to their end.
///
/// # Errors
/// As [`read_data_file`], but damage to frames is not noticed.
pub fn summarize(path: &Path) -> Result<FileSummary, DataFileError> {
    let io_error = |error| DataFileError::Io(path.to_path_buf(), error);
    let mut file = open_regular_file(path).map_err(io_error)?;
    let bytes = file.metadata().map_err(io_error)?.len();
    let mut summary = FileSummary::new(path, bytes);
    if !summary.skim(&mut file).map_err(io_error)? {
        // Whatever it is, a full reading will tell.
        summary = read_data_file(path, &mut |_| {})?;
    }
    summary.count_waiting();
    Ok(summary)
}

impl FileSummary {
    fn new(path: &Path, bytes: u64) -> FileSummary {
        FileSummary {
            path: path.to_path_buf(),
            bytes,
            sections: Vec::new(),
            incomplete: None,
            is_unfinished: beside(path, ".part").exists(),
            is_old: false,
            current: None,
        }
    }

    fn error(&self, at: usize, error: FormatError) -> DataFileError {
        DataFileError::Format(self.path.clone(), at as u64, error)
    }

    /// Adds all pieces of the file without reading the games. Returns whether all is as expected.
    fn skim(&mut self, file: &mut File) -> io::Result<bool> {
        let mut at = 0;
        while at < self.bytes {
            file.seek(SeekFrom::Start(at))?;
            let mut start = [0; SKIPPABLE_START];
            if self.bytes - at < SKIPPABLE_START as u64 {
                return Ok(false);
            }
            file.read_exact(&mut start)?;
            let Some(length) = content_length(&start) else {
                return Ok(false);
            };
            let end = at + (SKIPPABLE_START + length) as u64;
            if end > self.bytes {
                return Ok(false);
            }
            let mut bytes = vec![0; length];
            file.read_exact(&mut bytes)?;
            let range = |end: u64| at as usize..end as usize;
            let piece = if start.starts_with(&HEADER_MAGIC) {
                Header::decode(&bytes).ok().map(|header| Piece {
                    range: range(end),
                    content: Content::Header(header),
                })
            } else if start.starts_with(&COUNTS_MAGIC) {
                let counts = FrameCounts::decode(&bytes);
                let counts = counts.filter(|counts| counts.length <= self.bytes - end);
                counts.map(|counts| Piece {
                    range: range(end + counts.length),
                    content: Content::Frame(Frame {
                        place: Some((counts.id, counts.first)),
                        packed: end as usize..(end + counts.length) as usize,
                        counts: counts.counts,
                    }),
                })
            } else {
                None
            };
            let Some(piece) = piece.filter(|piece| self.add(piece).is_ok()) else {
                return Ok(false);
            };
            at = piece.range.end as u64;
        }
        Ok(true)
    }

    /// Counts the games of the part. One that cannot be read, or is just being written by its owner,
    /// has none.
    fn count_waiting(&mut self) {
        let read = read_regular_file(&beside(&self.path, ".part"));
        let Some(leftover) = read.ok().and_then(|bytes| Leftover::of(&bytes)) else {
            return;
        };
        let mut sections = self.sections.iter_mut();
        if let Some(section) = sections.find(|section| section.id == leftover.id) {
            let packed = section.numbers.iter().map(|numbers| numbers.end).max();
            // Otherwise they have their frame already.
            if leftover.first >= packed.unwrap_or(0) {
                section.waiting = leftover.counts();
            }
        }
    }

    /// Adds a piece of the file.
    fn add(&mut self, piece: &Piece) -> Result<(), FormatError> {
        let frame = match &piece.content {
            Content::Header(header) => {
                self.begin(Some(header.id), Some(header.origin.clone()));
                return Ok(());
            }
            Content::Frame(frame) => frame,
            Content::Gap(games) => {
                self.begin_old()?;
                let section = self.current_section()?;
                let first = section.next_number();
                let next = first.saturating_add(*games);
                section.numbers.push(next..next);
                return Ok(());
            }
        };
        if frame.place.is_none() {
            self.begin_old()?;
        }
        let section = self.current_section()?;
        if frame.place.is_some_and(|(id, _)| section.id != Some(id)) {
            return Err(FormatError::NoHeader);
        }
        if let Some(origin) = &section.origin {
            origin.check(&frame.counts)?;
        }
        let first = frame
            .place
            .map_or(section.next_number(), |(_, first)| first);
        let games = frame.counts.total().numbered();
        section.numbers.push(first..first.saturating_add(games));
        section.bytes += piece.range.len() as u64;
        section.counts += &frame.counts;
        Ok(())
    }

    /// Continues the section with this identity, or begins it.
    fn begin(&mut self, id: Option<u64>, origin: Option<Origin>) {
        let known = self.sections.iter().position(|section| section.id == id);
        self.current = known.or_else(|| {
            self.sections.push(Section {
                origin,
                counts: CountsByKind::default(),
                waiting: CountsByKind::default(),
                bytes: 0,
                numbers: Vec::new(),
                id,
            });
            Some(self.sections.len() - 1)
        });
    }

    /// Begins the section of frames without counts, whose settings stand beside the file.
    fn begin_old(&mut self) -> Result<(), FormatError> {
        self.is_old = true;
        match self.current {
            None => {
                let old = OldSettings::read(&self.path).ok().flatten();
                let settings = old.and_then(|old| old.settings);
                let origin = settings.map(|settings| Origin {
                    maker: Maker::Engine(settings),
                    engine: String::new(),
                });
                self.begin(None, origin);
                Ok(())
            }
            Some(current) if self.sections[current].id.is_none() => Ok(()),
            Some(_) => Err(FormatError::NoHeader),
        }
    }

    fn current_section(&mut self) -> Result<&mut Section, FormatError> {
        let current = self.current.ok_or(FormatError::NoHeader)?;
        Ok(&mut self.sections[current])
    }
}

impl Section {
    /// The number that follows those of its last frame.
    fn next_number(&self) -> u64 {
        self.numbers.last().map_or(0, |numbers| numbers.end)
    }
}
