//! Files of games. A file is a row of zstd frames, each with zstd's checksum. The first frame is
//! the header: JSON, see [`Header`]. The other frames have records, see [`record`](super::record).
//! Files may be joined with `cat`: a header holds for all frames up to the next header. `zstd -d`
//! gives all of it, and no record begins with a header's first byte.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use zstd::Decoder;
use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, find_frame_compressed_size};

use super::counts::CountsByKind;
use super::{DatagenSettings, Kind, TrainingRecord};
use tengen::files::read_argument;

/// The form of files that this program reads and writes.
const FORMAT: u16 = 3;
/// First byte of a header.
const HEADER_START: u8 = b'{';
/// Longest header in bytes.
const MAX_HEADER: u64 = 1 << 16;
/// First bytes of a frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Compression level of zstd.
const ZSTD_LEVEL: i32 = 9;
/// Largest window of a frame that is decoded, as a power of two. The window bounds the memory that
/// a file can ask for; frames of other programs need up to 8 MiB.
const MAX_WINDOW_LOG: u32 = 23;

/// The first frame of a file: `{"format":3,"engine":"0.1.0","settings":{...}}` for games of the
/// engine, `{"format":3,"source":"..."}` for games of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    format: u16,
    /// Version of the program that began the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    engine: String,
    #[serde(flatten)]
    pub maker: Maker,
}

/// Source of games or labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Maker {
    /// The engine made games with these settings.
    #[serde(rename = "settings")]
    Engine(DatagenSettings),
    /// Somebody else made them: who and how, in words.
    #[serde(rename = "source")]
    Other(String),
}

impl Maker {
    /// Settings of the engine's games; `None` for games of others.
    pub fn settings(&self) -> Option<&DatagenSettings> {
        match self {
            Maker::Engine(settings) => Some(settings),
            Maker::Other(_) => None,
        }
    }

    fn check(&self, kind: Kind) -> Result<(), FormatError> {
        let settings = self.settings();
        match settings.is_none_or(|settings| settings.makes(kind)) {
            true => Ok(()),
            false => Err(FormatError::Kind(kind)),
        }
    }
}

impl Header {
    pub fn new(maker: Maker) -> Header {
        Header {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            maker,
        }
    }

    /// The header as a frame.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn encode(&self) -> io::Result<Vec<u8>> {
        pack(&serde_json::to_vec(self)?)
    }

    fn read(stream: impl Read) -> Result<Header, FormatError> {
        let header: Header = serde_json::from_reader(stream.take(MAX_HEADER))
            .map_err(|error| FormatError::Header(error.to_string()))?;
        match header.format {
            FORMAT => Ok(header),
            other => Err(FormatError::Version(other)),
        }
    }
}

/// Why a frame of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// No zstd frame.
    #[error("not a file of training games")]
    Foreign,
    /// A header of another version.
    #[error("format {0}, but this program knows only format {FORMAT}")]
    Version(u16),
    /// A header that is damaged, or has settings of another version of this program.
    #[error("a header that this program cannot read: {0}")]
    Header(String),
    /// The file ends before the end of the frame.
    #[error("the file ends inside a frame")]
    Incomplete,
    /// A frame with a damaged compression or an invalid record.
    #[error("record {record} of a frame of games: {error}")]
    Frame {
        /// Number of the record in its frame, from 0.
        record: usize,
        /// Damage to the record.
        error: io::Error,
    },
    /// Games before the first header.
    #[error("games without a header, which 'datagen merge --source' writes")]
    NoHeader,
    /// A game of a rule or board that the header does not name.
    #[error("records of {0} behind a header of others")]
    Kind(Kind),
}

/// Why a file of games cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DataFileError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The frame at this byte is damaged or unknown.
    #[error("{0}, byte {1}: {2}")]
    Format(PathBuf, usize, FormatError),
}

/// The games behind one header.
#[derive(Clone, Debug)]
pub struct Section {
    /// Source of the games.
    pub maker: Maker,
    /// Number of games, branches and labels.
    pub counts: CountsByKind,
    /// Length of the frames.
    pub bytes: usize,
}

/// Content of a file of games.
#[derive(Clone, Debug)]
pub struct FileSummary {
    /// The file.
    pub path: PathBuf,
    /// Length of the file in bytes.
    pub bytes: usize,
    /// Games by their headers.
    pub sections: Vec<Section>,
    /// First byte of an incomplete last frame, left by a kill, a full disk or a running process.
    pub torn: Option<usize>,
}

/// Reads a file of games to its end and calls `visit` with each record. An incomplete frame at the
/// end is no error.
///
/// # Errors
/// When the file cannot be read, or any of it is damaged or unknown.
pub fn read_data_file(
    path: &Path,
    visit: &mut dyn FnMut(TrainingRecord),
) -> Result<FileSummary, DataFileError> {
    let bytes =
        read_argument(path).map_err(|error| DataFileError::Io(path.to_path_buf(), error))?;
    read_frames(path, &bytes, None, visit)
}

/// Reads the bytes of the file at `path` as [`read_data_file`]. `source` has made the games before
/// the first header.
pub(super) fn read_frames(
    path: &Path,
    bytes: &[u8],
    source: Option<&Maker>,
    visit: &mut dyn FnMut(TrainingRecord),
) -> Result<FileSummary, DataFileError> {
    let mut summary = FileSummary {
        path: path.to_path_buf(),
        bytes: bytes.len(),
        sections: Vec::new(),
        torn: None,
    };
    let mut at = 0;
    while at < bytes.len() {
        match summary.add_frame(&bytes[at..], source, visit) {
            Ok(length) => at += length,
            Err(FormatError::Incomplete) if is_last_frame(&bytes[at..]) => {
                summary.torn = Some(at);
                break;
            }
            Err(error) => return Err(DataFileError::Format(path.to_path_buf(), at, error)),
        }
    }
    Ok(summary)
}

impl FileSummary {
    /// Reads the frame at the start of `bytes` and returns its length.
    fn add_frame(
        &mut self,
        bytes: &[u8],
        source: Option<&Maker>,
        visit: &mut dyn FnMut(TrainingRecord),
    ) -> Result<usize, FormatError> {
        let magic = &ZSTD_MAGIC[..bytes.len().min(ZSTD_MAGIC.len())];
        if !bytes.starts_with(magic) {
            return Err(FormatError::Foreign);
        }
        let length = find_frame_compressed_size(bytes).map_err(|_| FormatError::Incomplete)?;
        let broken = |record, error| FormatError::Frame { record, error };
        let mut decoder = Decoder::with_buffer(&bytes[..length]).map_err(|e| broken(0, e))?;
        let limited = decoder.window_log_max(MAX_WINDOW_LOG);
        limited.map_err(|e| broken(0, e))?;
        let mut stream = BufReader::new(decoder);
        let start = stream.fill_buf().map_err(|e| broken(0, e))?;
        if start.first() == Some(&HEADER_START) {
            self.begin(Header::read(stream)?.maker);
            return Ok(length);
        }
        if let (Some(source), true) = (source, self.sections.is_empty()) {
            self.begin(source.clone());
        }
        let section = self.sections.last_mut().ok_or(FormatError::NoHeader)?;
        // Records are decoded one by one, so that the unpacked size of a frame needs no memory.
        for record in 0.. {
            let read = TrainingRecord::read(&mut stream);
            let Some(read) = read.map_err(|error| broken(record, error))? else {
                break;
            };
            section.maker.check(read.kind())?;
            section.counts.add(&read);
            visit(read);
        }
        section.bytes += length;
        Ok(length)
    }

    fn begin(&mut self, maker: Maker) {
        self.sections.push(Section {
            maker,
            counts: CountsByKind::default(),
            bytes: 0,
        });
    }
}

/// True if no frame seems to begin behind the one at the start of `bytes`.
pub(super) fn is_last_frame(bytes: &[u8]) -> bool {
    !bytes[1..].windows(4).any(|start| start == ZSTD_MAGIC)
}

/// Records, or a header, as a frame.
///
/// # Errors
/// When there is no memory.
pub(super) fn pack(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = Compressor::new(ZSTD_LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.compress(content)
}
