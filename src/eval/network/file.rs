//! The file form of networks, little endian:
//!
//! | bytes | field |
//! |---|---|
//! | 4 | `TGNN` |
//! | 2 | version, 2 |
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
//! | i16, i32 | weights and biases of the two layers behind the weights of moves, layer by layer |
//! | i32 | factor of the classical order of moves |
//! | u16 | table of `8192 ln(1 + exp(-(i + 0.5) / 128))`, 1024 entries |

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::error::{NetworkError, VERSION};
use super::features::WINDOWS;
use super::head::{Head, RawHead, RawLayer, SOFTPLUS};
use super::layout::{CHANNELS, Row};
use super::rule_net::{RuleNet, rule_nets};
use crate::eval::weights_file::checksum;
use crate::memory::advise_huge_pages;
use crate::rules::Rule;

const MAGIC: [u8; 4] = *b"TGNN";
/// Channels, outputs of the first and of the second layer.
const ARCHITECTURE: [u16; 3] = [CHANNELS as u16; 3];
const HEADER: usize = 16;
const ENTRY: usize = 24;
/// Bytes of the table of rows.
const TABLE: usize = WINDOWS * CHANNELS;
/// Most sections of a file.
const MAX_SECTIONS: usize = 16;

/// The file that the program carries.
const EMBEDDED: &[u8] = include_bytes!("../weights/network.tgnn");

/// Where a rule set's part is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    set: u32,
    start: usize,
    packed: usize,
    checksum: u64,
}

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
enum Source {
    /// In the program.
    Program(&'static [u8]),
    /// On disk, from where they are read when they are needed: kept, they would take memory from
    /// the transposition table.
    Disk(PathBuf),
}

/// A file of networks for all rules, still packed. Two are equal where their headers are, and
/// with these, by the checksums, the networks.
#[derive(Clone, Debug)]
pub struct NetworkFile {
    source: Source,
    sections: Vec<Section>,
}

impl PartialEq for NetworkFile {
    fn eq(&self, other: &NetworkFile) -> bool {
        self.sections == other.sections
    }
}

impl NetworkFile {
    /// The file that the program carries.
    ///
    /// # Errors
    /// When the program is damaged.
    pub fn embedded() -> Result<NetworkFile, NetworkError> {
        Ok(NetworkFile {
            sections: sections(EMBEDDED, EMBEDDED.len() as u64)?,
            source: Source::Program(EMBEDDED),
        })
    }

    /// The file at `path`, which shall stay there.
    ///
    /// # Errors
    /// When it cannot be read, or its header is not one of this version or says not what there is.
    /// The sections are looked at when they are needed.
    pub fn open(path: &Path) -> Result<NetworkFile, NetworkError> {
        let info = fs::metadata(path).map_err(unreadable)?;
        // Whoever opens a pipe waits for its other end.
        if !info.is_file() {
            return Err(NetworkError::NotNetwork);
        }
        let mut head = Vec::new();
        let most = (HEADER + MAX_SECTIONS * ENTRY) as u64;
        let file = File::open(path).map_err(unreadable)?;
        file.take(most).read_to_end(&mut head).map_err(unreadable)?;
        Ok(NetworkFile {
            sections: sections(&head, info.len())?,
            source: Source::Disk(path.to_path_buf()),
        })
    }

    /// The sections for `rule`, as far as the file has them.
    fn wanted(&self, rule: Rule) -> impl Iterator<Item = &Section> {
        let sets = rule_nets(rule).iter();
        sets.filter_map(|&set| self.section(set).ok())
    }

    /// Bytes of the packed network for `rule`.
    pub fn packed_bytes(&self, rule: Rule) -> u64 {
        self.wanted(rule).map(|section| section.packed as u64).sum()
    }

    /// A number that tells the network for `rule` from others, made of checksums and never 0.
    ///
    /// # Errors
    /// When the file has none for it.
    pub fn fingerprint(&self, rule: Rule) -> Result<u64, NetworkError> {
        let sets = rule_nets(rule).iter();
        let sums = sets.map(|&set| self.section(set).map(|section| section.checksum));
        let joined = sums.reduce(|a, b| Ok(a?.rotate_left(1) ^ b?));
        Ok(joined.expect("every rule has a set")?.max(1))
    }

    fn section(&self, set: u32) -> Result<&Section, NetworkError> {
        let section = self.sections.iter().find(|section| section.set == set);
        section.ok_or(NetworkError::Missing(set))
    }

    /// The packed bytes of a section.
    fn packed(&self, section: &Section) -> Result<Cow<'_, [u8]>, NetworkError> {
        let path = match &self.source {
            Source::Program(bytes) => return Ok(bytes[section.start..][..section.packed].into()),
            Source::Disk(path) => path,
        };
        let mut packed = vec![0; section.packed];
        let mut file = File::open(path).map_err(unreadable)?;
        let read = file.seek(SeekFrom::Start(section.start as u64));
        match read.and_then(|_| file.read_exact(&mut packed)) {
            Ok(()) => Ok(packed.into()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(NetworkError::Length),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// Unpacks one rule set's part.
    pub(super) fn unpack(&self, set: u32) -> Result<RuleNet, NetworkError> {
        let section = self.section(set)?;
        let damaged = NetworkError::Damaged(set);
        let packed = self.packed(section)?;
        // The table lies first and is used where it was unpacked to.
        let length = unpacked_length();
        let mut rows: Vec<Row> = bytemuck::zeroed_vec(length.div_ceil(CHANNELS));
        advise_huge_pages(&rows);
        let bytes = &mut bytemuck::cast_slice_mut::<Row, u8>(&mut rows)[..length];
        let unpacked = zstd::bulk::decompress_to_buffer(&packed, bytes);
        drop(packed);
        if unpacked.ok() != Some(length) || checksum(bytes) != section.checksum {
            return Err(damaged);
        }
        let mut fields = Fields(&bytes[TABLE..]);
        let raw = RawHead {
            layers: RawHead::LAYERS.map(|shape| fields.layer(shape)),
            skip: fields.i32(),
            moves: RawHead::MOVES.map(|shape| fields.layer(shape)),
            order: fields.i32(),
            softplus: (0..SOFTPLUS).map(|_| fields.u16()).collect(),
        };
        debug_assert!(fields.0.is_empty());
        let head = Head::new(&raw)?;
        rows.truncate(WINDOWS);
        Ok(RuleNet {
            rows: rows.into_boxed_slice(),
            head,
        })
    }
}

/// The sections of a file of `length` bytes that begins with `head`.
fn sections(head: &[u8], length: u64) -> Result<Vec<Section>, NetworkError> {
    if head.len() < HEADER || head[..4] != MAGIC {
        return Err(NetworkError::NotNetwork);
    }
    let mut fields = Fields(&head[4..]);
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
    if head.len() < start {
        return Err(NetworkError::Length);
    }
    let mut fields = Fields(&head[HEADER..]);
    let mut sections = Vec::with_capacity(count);
    for _ in 0..count {
        let [set, packed, unpacked, _] = [0; 4].map(|_| fields.u32());
        let packed = packed as usize;
        // What does not become smaller is not packed: this bounds the memory for unpacking.
        if unpacked as usize != unpacked_length() || packed > unpacked_length() {
            return Err(NetworkError::Length);
        }
        sections.push(Section {
            set,
            start,
            packed,
            checksum: fields.u64(),
        });
        start += packed;
    }
    if length != start as u64 {
        return Err(NetworkError::Length);
    }
    Ok(sections)
}

fn unreadable(error: io::Error) -> NetworkError {
    NetworkError::Unreadable(error.to_string())
}

/// Bytes of a section unpacked.
fn unpacked_length() -> usize {
    let layers: usize = RawHead::LAYERS
        .iter()
        .chain(&RawHead::MOVES)
        .map(|(weights, biases)| 2 * weights + 4 * biases)
        .sum();
    TABLE + layers + 4 + 4 + 2 * SOFTPLUS
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

    /// So many weights, and so many biases.
    fn layer(&mut self, (weights, biases): (usize, usize)) -> RawLayer {
        let weights = (0..weights).map(|_| self.i16()).collect();
        (weights, (0..biases).map(|_| self.i32()).collect())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}
