//! What stands in a file of games besides the games. Little endian:
//!
//! | piece | bytes |
//! |---|---|
//! | header | `58 2A 4D 18`, u32 length of the content; content: `TGDG`, u16 version (1: games; 2: soft labels), u16 zero, u64 identity, JSON, u64 check |
//! | counts of the frame behind | `59 2A 4D 18`, u32 length of the content; content: `TGDC`, u64 identity of the header, u64 number of the first game or line, u64 length and u64 XXH64 of the frame, for each rule and board (u8 rule, u8 size, u8 0, u8 zero, u32 games, u32 branches, u32 labels) of the games and (u8 rule, u8 size, u8 1, u8 zero, u32 lines, u32 zero, u32 soft labels) of the lines with soft labels, u64 check |
//! | frame of games or lines | a zstd frame of records (see [`record`](super::record)), with zstd's checksum |
//!
//! The JSON is an [`Origin`]. It holds for all frames up to the next header: those behind a header of
//! version 1 have games and branches alone, those behind one of version 2 lines with soft labels. Frames
//! name the header to which they belong, so that a lost header is noticed, and the first game or line,
//! so that a lost frame is. The identity is the XXH64 of the settings, or of the source of the labels,
//! as JSON, the check that of the content before it.
//! Headers and counts are skippable frames of zstd: `zstd -d` passes over them, and files may be
//! joined with `cat`.
//!
//! Files of older versions have no header and no counts, but their settings in a file beside them
//! (`.json`), and perhaps skippable frames for games that are missing: `57 2A 4D 18`, u32 4, u32
//! number of games.

use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use super::DatagenSettings;
use super::counts::{Counts, CountsByKind};
use super::record::{TrainingRecordError, number_of, rule_of};
use tengen::rules::Rule;

/// The versions of headers that this program reads and writes: of games, and of soft labels.
const GAMES_VERSION: u16 = 1;
const LABELS_VERSION: u16 = 2;
/// First bytes of a header, of the counts of a frame, of a frame.
pub(super) const HEADER_MAGIC: [u8; 4] = [0x58, 0x2A, 0x4D, 0x18];
pub(super) const COUNTS_MAGIC: [u8; 4] = [0x59, 0x2A, 0x4D, 0x18];
pub(super) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// First bytes of what old files have in the place of damaged frames.
pub(super) const GAP_MAGIC: [u8; 8] = [0x57, 0x2A, 0x4D, 0x18, 4, 0, 0, 0];
/// Bytes before the content of a header or counts.
pub(super) const SKIPPABLE_START: usize = 8;
/// Longest content of a header or counts.
const MAX_CONTENT: usize = 1 << 16;
const HEADER_TAG: &[u8; 4] = b"TGDG";
const COUNTS_TAG: &[u8; 4] = b"TGDC";

/// What made games or labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// What made them, and how.
    #[serde(flatten)]
    pub maker: Maker,
    /// Version of the program that wrote them.
    pub engine: String,
}

/// What made games or labels, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Maker {
    /// The engine made games with these settings.
    #[serde(rename = "settings")]
    Engine(DatagenSettings),
    /// Somebody handed soft labels in.
    #[serde(rename = "labels")]
    Labels(LabelSource),
}

impl Maker {
    /// What made them, as JSON.
    pub(super) fn json(&self) -> String {
        let json = match self {
            Maker::Engine(settings) => serde_json::to_string(settings),
            Maker::Labels(source) => serde_json::to_string(source),
        };
        json.expect("both are plain data")
    }
}

/// Where soft labels come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelSource {
    /// Who made them and how, in words.
    pub source: String,
    /// XXH64 of the records, so that labels that were handed in twice are noticed.
    pub records: u64,
}

impl Origin {
    /// How games were made; `None` for soft labels.
    pub fn settings(&self) -> Option<&DatagenSettings> {
        match &self.maker {
            Maker::Engine(settings) => Some(settings),
            Maker::Labels(_) => None,
        }
    }

    /// Checks that records of the kinds in `counts` are among those that the maker makes.
    pub(super) fn check(&self, counts: &CountsByKind) -> Result<(), FormatError> {
        let is_made = |rule, size, counts: Counts| match &self.maker {
            Maker::Engine(settings) => counts.lines == 0 && settings.makes(rule, size),
            Maker::Labels(_) => !counts.has_games(),
        };
        let other = counts.iter().find(|&(r, s, c)| !is_made(r, s, c));
        other.map_or(Ok(()), |(rule, size, _)| Err(FormatError::Kind(rule, size)))
    }
}

/// Why what stands at a place of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// Neither a header nor games.
    #[error("not a file of training games")]
    Foreign,
    /// A header of another version.
    #[error("format {0}, but this program knows only formats {GAMES_VERSION} and {LABELS_VERSION}")]
    Version(u16),
    /// A header whose check is wrong.
    #[error("the header is damaged")]
    Header,
    /// A header with other settings than this program knows.
    #[error("settings that this program does not know: {0}")]
    Settings(String),
    /// Counts whose check is wrong.
    #[error("the counts of a frame are damaged")]
    Counts,
    /// A frame whose bytes are not those that were written.
    #[error("a frame of games is damaged")]
    Damaged,
    /// A frame that cannot be unpacked, or has a record that is invalid.
    #[error("record {record} of a frame of games: {error}")]
    Frame {
        /// Number of the record in its frame, from 0.
        record: usize,
        /// What is wrong with it.
        error: TrainingRecordError,
    },
    /// A frame whose length or games are not those of its counts.
    #[error("a frame of games differs from its counts")]
    Mismatch,
    /// The file ends before the end of what begins here.
    #[error("the file ends too early")]
    Incomplete,
    /// Games of which no header says what made them.
    #[error("games without their header")]
    NoHeader,
    /// A game of a rule or board that the header does not name, or soft labels among games.
    #[error("records of {0} on {1}x{1} behind a header of others")]
    Kind(Rule, u8),
}

/// The header of the games behind it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    pub id: u64,
    pub origin: Origin,
}

impl Header {
    /// The header of games that this program makes.
    pub fn new(settings: &DatagenSettings) -> Header {
        Header::of(Maker::Engine(settings.clone()))
    }

    /// The header of soft labels.
    pub fn of_labels(source: LabelSource) -> Header {
        Header::of(Maker::Labels(source))
    }

    fn of(maker: Maker) -> Header {
        Header {
            id: XxHash64::oneshot(0, maker.json().as_bytes()),
            origin: Origin {
                maker,
                engine: env!("CARGO_PKG_VERSION").to_string(),
            },
        }
    }

    fn version(&self) -> u16 {
        match self.origin.maker {
            Maker::Engine(_) => GAMES_VERSION,
            Maker::Labels(_) => LABELS_VERSION,
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut content = HEADER_TAG.to_vec();
        content.extend(self.version().to_le_bytes());
        content.extend([0; 2]);
        content.extend(self.id.to_le_bytes());
        content.extend(serde_json::to_vec(&self.origin).expect("settings are plain data"));
        sealed(HEADER_MAGIC, content)
    }

    /// The header with this content.
    pub fn decode(content: &[u8]) -> Result<Header, FormatError> {
        let content = unsealed(content, HEADER_TAG).ok_or(FormatError::Header)?;
        let (version, rest) = content.split_first_chunk().ok_or(FormatError::Header)?;
        match u16::from_le_bytes(*version) {
            GAMES_VERSION | LABELS_VERSION => {}
            other => return Err(FormatError::Version(other)),
        }
        let (id, text) = rest[2..].split_first_chunk().ok_or(FormatError::Header)?;
        Ok(Header {
            id: u64::from_le_bytes(*id),
            origin: serde_json::from_slice(text)
                .map_err(|e| FormatError::Settings(e.to_string()))?,
        })
    }
}

/// The counts that stand before a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FrameCounts {
    /// Identity of the frame's header.
    pub id: u64,
    /// Number of its first game.
    pub first: u64,
    /// Bytes of the frame.
    pub length: u64,
    /// XXH64 of the frame.
    pub hash: u64,
    pub counts: CountsByKind,
}

impl FrameCounts {
    pub fn encode(&self) -> Vec<u8> {
        let mut content = COUNTS_TAG.to_vec();
        for number in [self.id, self.first, self.length, self.hash] {
            content.extend(number.to_le_bytes());
        }
        for (rule, size, counts) in self.counts.iter() {
            let mut put = |is_soft: bool, numbers: [u64; 3]| {
                content.extend([number_of(rule), size, is_soft.into(), 0]);
                let numbers = numbers.map(|number| number as u32);
                content.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            };
            if counts.has_games() || counts.lines == 0 {
                put(false, [counts.games, counts.branches, counts.labels]);
            }
            if counts.lines > 0 {
                put(true, [counts.lines, 0, counts.soft_labels]);
            }
        }
        sealed(COUNTS_MAGIC, content)
    }

    /// The counts with this content; `None` if they are damaged.
    pub fn decode(content: &[u8]) -> Option<FrameCounts> {
        let content = unsealed(content, COUNTS_TAG)?;
        let (numbers, kinds) = content.split_at_checked(32)?;
        let mut numbers = numbers.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b));
        let mut frame = FrameCounts {
            id: numbers.next()?,
            first: numbers.next()?,
            length: numbers.next()?,
            hash: numbers.next()?,
            counts: CountsByKind::default(),
        };
        let (kinds, []) = kinds.as_chunks::<16>() else {
            return None;
        };
        for kind in kinds {
            let number = |at: usize| kind[at..].first_chunk().map(|b| u32::from_le_bytes(*b));
            let counts = frame.counts.of(rule_of(kind[0])?, kind[1]);
            let numbers = [number(4)?, number(8)?, number(12)?].map(u64::from);
            *counts += match kind[2] {
                0 => Counts {
                    games: numbers[0],
                    branches: numbers[1],
                    labels: numbers[2],
                    ..Counts::default()
                },
                1 => Counts {
                    lines: numbers[0],
                    soft_labels: numbers[2],
                    ..Counts::default()
                },
                _ => return None,
            };
        }
        Some(frame)
    }
}

/// Length of the content of the header or counts that begin with `start`; `None` if that is too
/// long to be any.
pub(super) fn content_length(start: &[u8; SKIPPABLE_START]) -> Option<usize> {
    let length = start.last_chunk().map(|b| u32::from_le_bytes(*b) as usize);
    length.filter(|&length| length <= MAX_CONTENT)
}

/// A skippable frame of `content` and its check.
fn sealed(magic: [u8; 4], mut content: Vec<u8>) -> Vec<u8> {
    content.extend(XxHash64::oneshot(0, &content).to_le_bytes());
    let mut bytes = magic.to_vec();
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(content);
    bytes
}

/// What stands between the tag and the check; `None` if these are wrong.
fn unsealed<'a>(content: &'a [u8], tag: &[u8; 4]) -> Option<&'a [u8]> {
    let (content, check) = content.split_last_chunk()?;
    let is_sound = XxHash64::oneshot(0, content) == u64::from_le_bytes(*check);
    content.strip_prefix(tag).filter(|_| is_sound)
}
