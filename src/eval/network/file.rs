//! The file form of networks, little endian:
//!
//! | bytes | field |
//! |---|---|
//! | 4 | `TGNN` |
//! | 2 | version, 1 |
//! | 2 | channels, 32 |
//! | 2, 2 | outputs of the first and second layer, 32 each |
//! | 2 | number of sections |
//! | 2 | 0 |
//! | 24 each | for each section: set (0 freestyle, 1 standard, 2 renju seen by Black, 3 by White), packed length, unpacked length, 0 as u32, and the checksum of the unpacked bytes as u64 |
//! | | the sections, each a zstd frame |
//!
//! A section unpacked:
//!
//! | type | field |
//! |---|---|
//! | i8 | what each window adds to its cell: `[window][channel]`, see [`super::features`] |
//! | i16, i32 | weights `[input][output]` and biases of the three layers, layer by layer |
//! | i32 | factor of the classical value |
//! | i16 | weights of the promise of moves |
//! | i32 | factor of the classical order of moves |
//! | u16 | table of `8192 ln(1 + exp(-(i + 0.5) / 128))`, 1024 entries |

use std::borrow::Cow;
use std::fs;
use std::io::Read;
use std::path::Path;

use ruzstd::decoding::StreamingDecoder;

use super::features::WINDOWS;
use super::head::{Head, RawHead, SOFTPLUS};
use super::Set;
use crate::eval::simd::{Row, CHANNELS};
use crate::eval::weights_file::checksum;

const MAGIC: [u8; 4] = *b"TGNN";
const VERSION: u16 = 1;
/// Channels, outputs of the first and of the second layer.
const ARCHITECTURE: [u16; 3] = [CHANNELS as u16; 3];
const HEADER: usize = 16;
const ENTRY: usize = 24;
/// Bytes of the table of rows.
const TABLE: usize = WINDOWS * CHANNELS;
/// Larger files are not read.
const MAX_FILE: u64 = 64 << 20;

/// The file that the program carries.
///
/// There is none yet: a network comes in when it has won its matches.
const EMBEDDED: Option<&[u8]> = None;

/// Why a network cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The program carries none.
    #[error("this program carries no network")]
    NoneEmbedded,
    /// The file cannot be read; holds the reason.
    #[error("{0}")]
    Unreadable(String),
    /// Shorter than a header, or without the magic bytes.
    #[error("not a network file")]
    NotNetwork,
    /// Another version of the format.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Another architecture: channels and outputs of the layers.
    #[error("a network of {}, {} and {} channels, expected {CHANNELS} each", .0[0], .0[1], .0[2])]
    Architecture([u16; 3]),
    /// The lengths in the header do not fit each other or the file.
    #[error("cut short or damaged: its lengths do not agree")]
    Length,
    /// A rule's part is not in the file; holds the set's number.
    #[error("nothing for rule set {0} in it")]
    Missing(u32),
    /// The numbers are not those that were written; holds the set's number.
    #[error("damaged: rule set {0} does not unpack, or its checksum does not match")]
    Damaged(u32),
    /// Weights with which a sum could overflow.
    #[error("weights too large for its sums")]
    Overflow,
}

/// Where a rule set's part is.
#[derive(Clone, Debug)]
struct Section {
    set: u32,
    start: usize,
    packed: usize,
    checksum: u64,
}

/// A file of networks for all rules, still packed.
#[derive(Clone, Debug)]
pub struct NetworkFile {
    bytes: Cow<'static, [u8]>,
    sections: Vec<Section>,
}

impl NetworkFile {
    /// The file that the program carries.
    ///
    /// # Errors
    /// When it carries none.
    pub fn embedded() -> Result<NetworkFile, NetworkError> {
        let bytes = EMBEDDED.ok_or(NetworkError::NoneEmbedded)?;
        NetworkFile::new(Cow::Borrowed(bytes))
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or is no file of networks.
    pub fn open(path: &Path) -> Result<NetworkFile, NetworkError> {
        let unreadable = |error: std::io::Error| NetworkError::Unreadable(error.to_string());
        let info = fs::metadata(path).map_err(unreadable)?;
        if !info.is_file() || info.len() > MAX_FILE {
            return Err(NetworkError::NotNetwork);
        }
        NetworkFile::new(Cow::Owned(fs::read(path).map_err(unreadable)?))
    }

    /// The file with these bytes.
    ///
    /// # Errors
    /// When the header is not one of this version, or says more than there is. The sections are
    /// looked at when they are needed.
    pub fn new(bytes: Cow<'static, [u8]>) -> Result<NetworkFile, NetworkError> {
        if bytes.len() < HEADER || bytes[..4] != MAGIC {
            return Err(NetworkError::NotNetwork);
        }
        let mut fields = Fields(&bytes[4..]);
        let version = fields.u16();
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let architecture = [0; 3].map(|_| fields.u16());
        if architecture != ARCHITECTURE {
            return Err(NetworkError::Architecture(architecture));
        }
        let count = usize::from(fields.u16());
        let mut start = HEADER + count * ENTRY;
        if bytes.len() < start {
            return Err(NetworkError::Length);
        }
        let mut fields = Fields(&bytes[HEADER..]);
        let mut sections = Vec::with_capacity(count);
        for _ in 0..count {
            let [set, packed, unpacked, _] = [0; 4].map(|_| fields.u32());
            if unpacked as usize != unpacked_length() {
                return Err(NetworkError::Length);
            }
            let packed = packed as usize;
            sections.push(Section {
                set,
                start,
                packed,
                checksum: fields.u64(),
            });
            start += packed;
        }
        if bytes.len() != start {
            return Err(NetworkError::Length);
        }
        Ok(NetworkFile { bytes, sections })
    }

    /// Bytes of the packed file, which stays in memory.
    pub fn packed_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Unpacks one rule set's part.
    pub(super) fn unpack(&self, set: u32) -> Result<Set, NetworkError> {
        let section = self.sections.iter().find(|section| section.set == set);
        let section = section.ok_or(NetworkError::Missing(set))?;
        let damaged = NetworkError::Damaged(set);
        let packed = &self.bytes[section.start..][..section.packed];
        // The table lies first and is used where it was unpacked to.
        let length = unpacked_length();
        let mut rows: Vec<Row> = bytemuck::zeroed_vec(length.div_ceil(CHANNELS));
        let bytes = &mut bytemuck::cast_slice_mut::<Row, u8>(&mut rows)[..length];
        let mut decoder = StreamingDecoder::new(packed).map_err(|_| damaged.clone())?;
        decoder.read_exact(bytes).map_err(|_| damaged.clone())?;
        let has_more = decoder.read(&mut [0]).map_err(|_| damaged.clone())? > 0;
        if has_more || checksum(bytes) != section.checksum {
            return Err(damaged);
        }
        let mut fields = Fields(&bytes[TABLE..]);
        let layers = RawHead::SHAPES.map(|(weights, biases)| {
            let weights = (0..weights).map(|_| fields.i16()).collect();
            (weights, (0..biases).map(|_| fields.i32()).collect())
        });
        let raw = RawHead {
            layers,
            skip: fields.i32(),
            policy: (0..CHANNELS).map(|_| fields.i16()).collect(),
            order: fields.i32(),
            softplus: (0..SOFTPLUS).map(|_| fields.u16()).collect(),
        };
        debug_assert!(fields.0.is_empty());
        let head = Head::new(&raw)?;
        rows.truncate(WINDOWS);
        Ok(Set {
            rows: rows.into_boxed_slice(),
            head,
        })
    }
}

/// Bytes of a section unpacked.
fn unpacked_length() -> usize {
    let layers = RawHead::SHAPES.iter();
    let layers: usize = layers
        .map(|(weights, biases)| 2 * weights + 4 * biases)
        .sum();
    TABLE + layers + 4 + 2 * CHANNELS + 4 + 2 * SOFTPLUS
}

/// Numbers read one after the other; there must be enough.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_first_chunk().expect("lengths were checked");
        self.0 = rest;
        *head
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}
