//! The pieces of a file of games: headers, and frames with their counts. Each frame is decoded by
//! itself, so that damage to one costs no other.

use std::io::{self, BufReader};
use std::ops::Range;

use twox_hash::XxHash64;
use zstd::Decoder;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::counts::CountsByKind;
use super::format::{
    COUNTS_MAGIC, FormatError, FrameCounts, GAP_MAGIC, HEADER_MAGIC, Header, SKIPPABLE_START,
    ZSTD_MAGIC, content_length,
};
use super::record::TrainingRecord;

/// Compression level of zstd.
const ZSTD_LEVEL: i32 = 9;
/// Largest window of a frame that is decoded, as a power of two. It bounds the memory that a file
/// can ask for; frames of [`ZSTD_LEVEL`] need 4 MiB, files of other programs up to 8 MiB.
const MAX_WINDOW_LOG: u32 = 23;

/// A sound piece of a file.
pub(super) struct Piece {
    /// Where it stands, counts included.
    pub range: Range<usize>,
    pub content: Content,
}

/// What a piece is.
pub(super) enum Content {
    Header(Header),
    Frame(Frame),
    /// So many games are missing here; in old files.
    Gap(u64),
}

/// A frame of games.
pub(super) struct Frame {
    /// Identity of its header and number of its first game; old files have neither.
    pub place: Option<(u64, u64)>,
    /// Where the games stand.
    pub packed: Range<usize>,
    pub counts: CountsByKind,
}

/// Damage between sound pieces.
pub(super) struct Damage {
    pub range: Range<usize>,
    /// What was wrong first.
    pub error: FormatError,
    /// Damaged pieces.
    pub pieces: u64,
}

/// All pieces of a file, and the damage between them.
#[derive(Default)]
pub(super) struct Scan {
    pub pieces: Vec<Piece>,
    pub damage: Vec<Damage>,
}

/// Finds the pieces of a file. `is_old` allows what only old files have.
pub(super) fn scan(bytes: &[u8], is_old: bool) -> Scan {
    let mut scan = Scan::default();
    let mut damage: Option<Damage> = None;
    let mut at = 0;
    while at < bytes.len() {
        let read = match read_piece(bytes, at, &mut |_| {}) {
            Ok(piece) if !is_old && piece.is_old() => Err(FormatError::NoHeader),
            read => read,
        };
        match read {
            Ok(piece) => {
                scan.damage.extend(damage.take());
                at = piece.range.end;
                scan.pieces.push(piece);
            }
            Err(error) => {
                let start = at;
                at = next_start(bytes, at + 1, is_old);
                let damage = damage.get_or_insert(Damage {
                    range: start..at,
                    error,
                    pieces: 0,
                });
                damage.range.end = at;
                damage.pieces += 1;
            }
        }
    }
    scan.damage.extend(damage);
    scan
}

impl Scan {
    /// The first header of the file.
    pub fn first_header(&self) -> Option<&Header> {
        self.pieces.iter().find_map(|piece| match &piece.content {
            Content::Header(header) => Some(header),
            _ => None,
        })
    }
}

impl Piece {
    /// Whether only old files have such a piece.
    fn is_old(&self) -> bool {
        match &self.content {
            Content::Header(_) => false,
            Content::Frame(frame) => frame.place.is_none(),
            Content::Gap(_) => true,
        }
    }
}

/// Reads the piece that begins `at` this byte, and calls `visit` with its records.
pub(super) fn read_piece(
    bytes: &[u8],
    at: usize,
    visit: &mut dyn FnMut(TrainingRecord),
) -> Result<Piece, FormatError> {
    let rest = &bytes[at..];
    if rest.starts_with(&HEADER_MAGIC) {
        let content = skippable(rest)?.ok_or(FormatError::Header)?;
        return Ok(Piece {
            range: at..at + SKIPPABLE_START + content.len(),
            content: Content::Header(Header::decode(content)?),
        });
    }
    if rest.starts_with(&COUNTS_MAGIC) {
        let content = skippable(rest)?.ok_or(FormatError::Counts)?;
        let counts = FrameCounts::decode(content).ok_or(FormatError::Counts)?;
        return read_counted(bytes, at, content.len(), counts, visit);
    }
    if let Some(content) = rest.strip_prefix(&GAP_MAGIC) {
        let missing = content.first_chunk().ok_or(FormatError::Incomplete)?;
        return Ok(Piece {
            range: at..at + GAP_MAGIC.len() + missing.len(),
            content: Content::Gap(u32::from_le_bytes(*missing).into()),
        });
    }
    if rest.starts_with(&ZSTD_MAGIC) {
        let (length, counts) = read_frame(rest, visit)?;
        return Ok(Piece {
            range: at..at + length,
            content: Content::Frame(Frame {
                place: None,
                packed: at..at + length,
                counts,
            }),
        });
    }
    let magics = [HEADER_MAGIC, COUNTS_MAGIC, ZSTD_MAGIC];
    match magics.iter().any(|magic| magic.starts_with(rest)) {
        true => Err(FormatError::Incomplete),
        false => Err(FormatError::Foreign),
    }
}

/// Reads a frame whose counts, `length` bytes of content, begin `at` this byte.
fn read_counted(
    bytes: &[u8],
    at: usize,
    length: usize,
    expected: FrameCounts,
    visit: &mut dyn FnMut(TrainingRecord),
) -> Result<Piece, FormatError> {
    let start = at + SKIPPABLE_START + length;
    let end = usize::try_from(expected.length)
        .ok()
        .and_then(|length| start.checked_add(length))
        .filter(|&end| end <= bytes.len())
        .ok_or(FormatError::Incomplete)?;
    if XxHash64::oneshot(0, &bytes[start..end]) != expected.hash {
        return Err(FormatError::Damaged);
    }
    let (length, counts) = read_frame(&bytes[start..end], visit)?;
    if length != end - start || counts != expected.counts {
        return Err(FormatError::Mismatch);
    }
    Ok(Piece {
        range: at..end,
        content: Content::Frame(Frame {
            place: Some((expected.id, expected.first)),
            packed: start..end,
            counts,
        }),
    })
}

/// The content of the skippable frame at the start of `bytes`; `None` if it is too long to be ours.
fn skippable(bytes: &[u8]) -> Result<Option<&[u8]>, FormatError> {
    let start = bytes.first_chunk().ok_or(FormatError::Incomplete)?;
    let Some(length) = content_length(start) else {
        return Ok(None);
    };
    let content = bytes.get(SKIPPABLE_START..SKIPPABLE_START + length);
    content.ok_or(FormatError::Incomplete).map(Some)
}

/// Length and counts of the zstd frame at the start of `bytes`. Its records are decoded one by one, so
/// that its unpacked size needs no memory.
fn read_frame(
    bytes: &[u8],
    visit: &mut dyn FnMut(TrainingRecord),
) -> Result<(usize, CountsByKind), FormatError> {
    let mut rest = bytes;
    let mut record = 0;
    let mut counts = CountsByKind::default();
    let broken = |record, error: io::Error| FormatError::Frame {
        record,
        error: error.into(),
    };
    let decoder = Decoder::with_buffer(&mut rest).map_err(|e| broken(0, e))?;
    let mut decoder = decoder.single_frame();
    let limited = decoder.window_log_max(MAX_WINDOW_LOG);
    limited.map_err(|e| broken(0, e))?;
    let mut records = BufReader::new(decoder);
    loop {
        let read = TrainingRecord::read(&mut records);
        match read.map_err(|error| FormatError::Frame { record, error })? {
            Some(read) => {
                counts.add(&read);
                visit(read);
            }
            None => break,
        }
        record += 1;
    }
    drop(records);
    Ok((bytes.len() - rest.len(), counts))
}

/// The next place from `from` on where a piece may begin; the end if there is none.
pub(super) fn next_start(bytes: &[u8], from: usize, is_old: bool) -> usize {
    let begins = |at: &usize| {
        let rest = &bytes[*at..];
        let is_new = rest.starts_with(&HEADER_MAGIC) || rest.starts_with(&COUNTS_MAGIC);
        is_new || (is_old && (rest.starts_with(&ZSTD_MAGIC) || rest.starts_with(&GAP_MAGIC)))
    };
    (from..bytes.len()).find(begins).unwrap_or(bytes.len())
}

/// Records as a frame behind its counts. `first` is the number of the first game.
pub(super) fn compress(
    id: u64,
    first: u64,
    counts: &CountsByKind,
    records: &[u8],
) -> io::Result<Vec<u8>> {
    Ok(counted(id, first, counts, &pack(records)?))
}

/// Records as a frame without counts.
pub(super) fn pack(records: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = Compressor::new(ZSTD_LEVEL)?;
    // For other readers; ours have the hash in the counts.
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.compress(records)
}

/// A frame behind its counts.
pub(super) fn counted(id: u64, first: u64, counts: &CountsByKind, packed: &[u8]) -> Vec<u8> {
    let counts = FrameCounts {
        id,
        first,
        length: packed.len() as u64,
        hash: XxHash64::oneshot(0, packed),
        counts: counts.clone(),
    };
    let mut bytes = counts.encode();
    bytes.extend(packed);
    bytes
}
