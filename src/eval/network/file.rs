//! The file form of networks, little endian:
//!
//! | bytes | field |
//! |---|---|
//! | 4 | `TGNN` |
//! | 2 | version, 4 |
//! | 2 | channels: a multiple of 32, at most 128 |
//! | 2, 2 | outputs of the first and second layer: the same |
//! | 2 | number of sections |
//! | 2 | 0 |
//! | 24 each | for each section: network (0 freestyle, 1 standard, 2 renju seen by Black, 3 by White, 4 caro, 5 caro9), packed length, unpacked length, number of codes as u32, and the checksum of the unpacked bytes as u64 |
//! | | the sections, each a zstd frame |
//!
//! An unpacked section:
//!
//! | type | field |
//! |---|---|
//! | i8 | what each window adds to its cell: `[window][channel]`, see [`super::features`]; with codes `[code][channel]` |
//! | u16 | with codes: the code of each window |
//! | i16, i32 | weights `[input][output]` and biases of the three layers, layer by layer |
//! | i32 | factor of the classical value |
//! | i16, i32 | weights and biases of the two layers of the policy, layer by layer |
//! | i32 | factor of the classical policy |
//! | u16 | table of `8192 ln(1 + exp(-(i + 0.5) / 128))`, 1024 entries |
//!
//! The codes are a vector quantisation: similar windows share a row, which makes the file smaller
//! by several times and changes nothing in the engine. Source of the idea: Rapfi's networks of
//! 2025.
//!
//! Where the number of codes is 2^31 + N, the section has only the layers, and its rows are those
//! of network N: so caro's networks take a tenth of the space.

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::error::{NetworkError, VERSION};
use super::features::WINDOWS;
use super::head::{Head, RawHead, RawLayer, SOFTPLUS};
use super::layout::{BLOCK, Row, Widths};
use super::rule_net::RuleNet;
use crate::eval::weights_file::{checksum, unpack};
use crate::files::open_regular_file;
use crate::memory::advise_huge_pages;
use crate::rules::Rule;

const MAGIC: [u8; 4] = *b"TGNN";
const HEADER: usize = 16;
const ENTRY: usize = 24;
/// Most codes of a section: a window's is a `u16`.
const MAX_CODES: u32 = 1 << 16;
/// Mark in place of a number of codes where the rows are those of another network: this and
/// that network's number.
const SHARED: u32 = 1 << 31;
/// Most sections of a file.
const MAX_SECTIONS: usize = 16;

/// The files that the program carries: one for each rule, so that a new network of one rule leaves
/// the others as they are.
#[cfg(feature = "networks")]
const EMBEDDED: &[&[u8]] = &[
    include_bytes!("../weights/network-freestyle.tgnn"),
    include_bytes!("../weights/network-standard.tgnn"),
    include_bytes!("../weights/network-renju.tgnn"),
    include_bytes!("../weights/network-caro.tgnn"),
];

/// None: the host has them.
#[cfg(not(feature = "networks"))]
const EMBEDDED: &[&[u8]] = &[];

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
enum Source {
    /// In the program.
    Program(&'static [u8]),
    /// In memory.
    Memory(Arc<[u8]>),
    /// On disk. They are read when they are needed: kept, they would take memory from the
    /// transposition table.
    Disk(PathBuf),
}

/// Rows of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    /// One for each window.
    Windows,
    /// So many that the windows share.
    Codes(usize),
    /// Those of the network with this number.
    Of(u32),
}

/// Where one network is.
#[derive(Clone, Debug)]
struct Section {
    source: Source,
    number: u32,
    start: usize,
    packed: usize,
    widths: Widths,
    table: Table,
    checksum: u64,
}

/// The networks of a file, still packed. Two are equal if they hold networks of the same numbers
/// and checksums.
#[derive(Clone, Debug, Default)]
pub struct NetworkFile {
    sections: Vec<Section>,
}

impl PartialEq for NetworkFile {
    fn eq(&self, other: &NetworkFile) -> bool {
        let networks = |file: &NetworkFile| -> Vec<(u32, u64)> {
            let sections = file.sections.iter();
            sections.map(|s| (s.number, s.checksum)).collect()
        };
        networks(self) == networks(other)
    }
}

impl NetworkFile {
    /// The networks that the program carries, whose headers are read at the first call.
    ///
    /// # Errors
    /// When the program is damaged.
    pub fn embedded() -> Result<Arc<NetworkFile>, NetworkError> {
        static FILE: OnceLock<Result<Arc<NetworkFile>, NetworkError>> = OnceLock::new();
        let read = || {
            let mut all = Vec::new();
            for bytes in EMBEDDED {
                let length = bytes.len() as u64;
                all.extend(sections(&Source::Program(bytes), bytes, length)?);
            }
            Ok(Arc::new(NetworkFile { sections: all }))
        };
        FILE.get_or_init(read).clone()
    }

    /// The networks of both; where both have one of a number, the other's.
    #[must_use]
    pub fn with(&self, other: NetworkFile) -> NetworkFile {
        let is_replaced = |number| other.section(number).is_ok();
        let kept = self.sections.iter().filter(|s| !is_replaced(s.number));
        NetworkFile {
            sections: kept
                .cloned()
                .chain(other.sections.iter().cloned())
                .collect(),
        }
    }

    /// The file with these bytes.
    ///
    /// # Errors
    /// When its header is not one of this version or does not fit the length. The sections are
    /// checked when they are unpacked.
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<NetworkFile, NetworkError> {
        let bytes = bytes.into();
        let source = Source::Memory(Arc::clone(&bytes));
        Ok(NetworkFile {
            sections: sections(&source, &bytes, bytes.len() as u64)?,
        })
    }

    /// The file at `path`, which must stay there.
    ///
    /// # Errors
    /// When it cannot be read, or as [`from_bytes`](NetworkFile::from_bytes).
    pub fn open(path: &Path) -> Result<NetworkFile, NetworkError> {
        let mut head = Vec::new();
        let most = (HEADER + MAX_SECTIONS * ENTRY) as u64;
        let file = open_regular_file(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        file.take(most).read_to_end(&mut head).map_err(unreadable)?;
        let source = Source::Disk(path.to_path_buf());
        Ok(NetworkFile {
            sections: sections(&source, &head, length)?,
        })
    }

    /// Numbers of the networks for `rule`: one for both colours, or Black's and White's. Where the
    /// file has none for caro, the one whose rows of six count as they do there, as in the
    /// classical evaluation.
    pub(super) fn numbers(&self, rule: Rule) -> &'static [u32] {
        let has = |number| self.section(number).is_ok();
        match rule {
            Rule::Caro if has(4) => &[4],
            Rule::CaroExact if has(5) => &[5],
            Rule::Freestyle | Rule::Caro => &[0],
            Rule::Standard | Rule::CaroExact => &[1],
            Rule::Renju => &[2, 3],
        }
    }

    /// The file's sections for `rule`, lenders of rows included.
    fn rule_sections(&self, rule: Rule) -> impl Iterator<Item = &Section> {
        let numbers = self.numbers(rule).iter();
        let sections = numbers.filter_map(|&number| self.section(number).ok());
        sections.flat_map(|section| {
            let lender = match section.table {
                Table::Of(number) => self.section(number).ok(),
                _ => None,
            };
            [Some(section), lender].into_iter().flatten()
        })
    }

    /// Bytes of the packed network for `rule`.
    pub fn packed_bytes(&self, rule: Rule) -> u64 {
        let sections = self.rule_sections(rule);
        sections.map(|section| section.packed as u64).sum()
    }

    /// Most bytes taken for a while by the unpacking of the network for `rule`. The packed bytes
    /// count: they are read from disk, or the system loads that part of the program.
    pub(super) fn unpacking_bytes(&self, rule: Rule) -> u64 {
        let sections = self.rule_sections(rule);
        let unpacked = sections.map(|section| section.unpacked_length() as u64);
        self.packed_bytes(rule) + unpacked.max().unwrap_or(0)
    }

    /// Most bytes that the network for `rule` keeps.
    pub(super) fn kept_bytes(&self, rule: Rule) -> u64 {
        let numbers = self.numbers(rule).iter();
        let sections = numbers.filter_map(|&number| self.section(number).ok());
        sections.map(|section| RuleNet::bytes(section.widths)).sum()
    }

    /// A number that tells the network for `rule` from others, made of checksums and never 0.
    ///
    /// # Errors
    /// When the file has none for it.
    pub fn fingerprint(&self, rule: Rule) -> Result<u64, NetworkError> {
        for &number in self.numbers(rule) {
            if let Table::Of(lender) = self.section(number)?.table {
                self.section(lender)?;
            }
        }
        let sums = self.rule_sections(rule).map(|section| section.checksum);
        let joined = sums.reduce(|a, b| a.rotate_left(1) ^ b);
        Ok(joined.expect("every rule has a network").max(1))
    }

    fn section(&self, number: u32) -> Result<&Section, NetworkError> {
        let mut sections = self.sections.iter();
        let section = sections.find(|section| section.number == number);
        section.ok_or(NetworkError::Missing(number))
    }

    /// Unpacks one network.
    pub(super) fn unpack(&self, number: u32) -> Result<RuleNet, NetworkError> {
        let section = self.section(number)?;
        let unpacked = section.unpack()?;
        let head = head(&unpacked[section.table_length()..], section.widths)?;
        let rows = match section.table {
            Table::Of(lender) => {
                drop(unpacked);
                let lender = self.section(lender)?;
                if lender.widths.channels != section.widths.channels {
                    return Err(NetworkError::OtherChannels(number));
                }
                lender.rows(&lender.unpack()?, number)?
            }
            _ => section.rows(&unpacked, number)?,
        };
        Ok(RuleNet { rows, head })
    }
}

impl Section {
    /// The unpacked bytes, checked.
    fn unpack(&self) -> Result<Vec<u8>, NetworkError> {
        let packed = self.read()?;
        let length = self.unpacked_length();
        // As bytes: zeroed memory of a larger alignment would be written here, not mapped.
        let mut bytes = bytemuck::try_zeroed_vec(length).map_err(|()| NetworkError::Memory)?;
        if unpack(&packed, &mut bytes) != Some(length) || checksum(&bytes) != self.checksum {
            return Err(NetworkError::Damaged(self.number));
        }
        Ok(bytes)
    }

    /// The row of each window for network `number`, by block of channels, from this section
    /// `unpacked`. An error where the section has no rows of its own, or a code that does not
    /// exist.
    fn rows(&self, unpacked: &[u8], number: u32) -> Result<Vec<Vec<Row>>, NetworkError> {
        let blocks = 0..self.widths.channels / BLOCK;
        blocks
            .map(|block| self.block_rows(unpacked, number, block))
            .collect()
    }

    /// The rows of one block of channels.
    fn block_rows(
        &self,
        unpacked: &[u8],
        number: u32,
        block: usize,
    ) -> Result<Vec<Row>, NetworkError> {
        let channels = self.widths.channels;
        let mut rows = Vec::new();
        rows.try_reserve_exact(WINDOWS)
            .map_err(|_| NetworkError::Memory)?;
        advise_huge_pages(rows.spare_capacity_mut());
        let row = |bytes: &[u8]| {
            Row(bytemuck::pod_read_unaligned(
                &bytes[block * BLOCK..][..BLOCK],
            ))
        };
        match self.table {
            Table::Windows => rows.extend(unpacked.chunks_exact(channels).take(WINDOWS).map(row)),
            Table::Codes(codes) => {
                let (shared, rest) = unpacked.split_at(codes * channels);
                let shared: Vec<Row> = shared.chunks_exact(channels).map(row).collect();
                let (window_codes, _) = rest.as_chunks();
                for &code in &window_codes[..WINDOWS] {
                    let shared = shared.get(usize::from(u16::from_le_bytes(code)));
                    rows.push(*shared.ok_or(NetworkError::Damaged(number))?);
                }
            }
            Table::Of(_) => return Err(NetworkError::Damaged(number)),
        }
        Ok(rows)
    }

    /// Bytes of the rows, and of the windows' codes if there are some.
    fn table_length(&self) -> usize {
        self.table.length(self.widths)
    }

    /// Bytes of the section unpacked.
    fn unpacked_length(&self) -> usize {
        let layers = RawHead::all_layers(self.widths);
        let layers: usize = layers
            .map(|(weights, biases)| 2 * weights + 4 * biases)
            .sum();
        self.table_length() + layers + 4 + 4 + 2 * SOFTPLUS
    }
}

impl Table {
    /// Rows by the field `codes` of a section; `None` if there is no such table.
    fn of(codes: u32) -> Option<Table> {
        match codes {
            0 => Some(Table::Windows),
            1..=MAX_CODES => Some(Table::Codes(codes as usize)),
            SHARED.. => Some(Table::Of(codes - SHARED)),
            _ => None,
        }
    }

    /// Bytes of a section's rows, and of the windows' codes if there are some.
    fn length(self, widths: Widths) -> usize {
        match self {
            Table::Windows => WINDOWS * widths.channels,
            Table::Codes(codes) => codes * widths.channels + WINDOWS * size_of::<u16>(),
            Table::Of(_) => 0,
        }
    }
}

/// The layers of a section, which follow its rows.
fn head(bytes: &[u8], widths: Widths) -> Result<Head, NetworkError> {
    let mut fields = Fields(bytes);
    let raw = RawHead {
        widths,
        layers: RawHead::layers(widths).map(|shape| fields.layer(shape)),
        skip: fields.i32(),
        policy: RawHead::policy_layers(widths).map(|shape| fields.layer(shape)),
        policy_skip: fields.i32(),
        softplus: (0..SOFTPLUS).map(|_| fields.u16()).collect(),
    };
    debug_assert!(fields.0.is_empty());
    Head::new(&raw)
}

/// The sections of a file of `length` bytes at `source` that begins with `head`.
fn sections(source: &Source, head: &[u8], length: u64) -> Result<Vec<Section>, NetworkError> {
    if head.len() < HEADER || head[..4] != MAGIC {
        return Err(NetworkError::NotNetwork);
    }
    let mut fields = Fields(&head[4..]);
    let version = fields.u16();
    if version != VERSION {
        return Err(NetworkError::Version(version));
    }
    let widths = [0; 3].map(|_| fields.u16());
    let widths = Widths::new(widths).ok_or(NetworkError::Widths(widths))?;
    let count = usize::from(fields.u16());
    let mut start = HEADER + count * ENTRY;
    if head.len() < start {
        return Err(NetworkError::Length);
    }
    let mut fields = Fields(&head[HEADER..]);
    let mut sections = Vec::with_capacity(count);
    for _ in 0..count {
        let [number, packed, unpacked, codes] = [0; 4].map(|_| fields.u32());
        let (packed, unpacked) = (packed as usize, unpacked as usize);
        let table = Table::of(codes).ok_or(NetworkError::Length)?;
        let section = Section {
            source: source.clone(),
            number,
            start,
            packed,
            widths,
            table,
            checksum: fields.u64(),
        };
        // A packed section is not larger than the unpacked one: this limits the memory for it.
        if unpacked != section.unpacked_length() || packed > unpacked {
            return Err(NetworkError::Length);
        }
        sections.push(section);
        start += packed;
    }
    if length != start as u64 {
        return Err(NetworkError::Length);
    }
    Ok(sections)
}

impl Section {
    /// The packed bytes.
    fn read(&self) -> Result<Cow<'_, [u8]>, NetworkError> {
        let path = match &self.source {
            Source::Program(bytes) => return Ok(bytes[self.start..][..self.packed].into()),
            Source::Memory(bytes) => return Ok(bytes[self.start..][..self.packed].into()),
            Source::Disk(path) => path,
        };
        let mut packed = Vec::new();
        packed
            .try_reserve_exact(self.packed)
            .map_err(|_| NetworkError::Memory)?;
        packed.resize(self.packed, 0);
        let mut file = open_regular_file(path).map_err(unreadable)?;
        let read = file.seek(SeekFrom::Start(self.start as u64));
        match read.and_then(|_| file.read_exact(&mut packed)) {
            Ok(()) => Ok(packed.into()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(NetworkError::Length),
            Err(error) => Err(unreadable(error)),
        }
    }
}

fn unreadable(error: io::Error) -> NetworkError {
    NetworkError::Unreadable(error.to_string())
}

/// Numbers that are read one after the other; there must be enough.
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

    /// The weights and biases of a layer of this shape.
    fn layer(&mut self, (weights, biases): (usize, usize)) -> RawLayer {
        let weights = (0..weights).map(|_| self.i16()).collect();
        (weights, (0..biases).map(|_| self.i32()).collect())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}
