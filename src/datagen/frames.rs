//! The zstd frames of a file of games. Each is decoded by itself, so that damage to one costs no
//! other.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use zstd::Decoder;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::record::TrainingRecord;
use crate::files::{any_kind, read_regular_file, write_file};

/// Games of a frame, enough to compress well.
pub(super) const FRAME_GAMES: u64 = 1024;
/// Compression level of zstd.
const ZSTD_LEVEL: i32 = 9;
/// Largest window of a frame that is decoded, as a power of two. It bounds the memory that a file
/// can ask for; frames of [`ZSTD_LEVEL`] need 4 MiB.
const MAX_WINDOW_LOG: u32 = 23;
/// First bytes of a zstd frame.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// First bytes of the frame that replaces damaged ones: one of zstd's skippable frames, which
/// decoders pass over, with four bytes of content, the number of games that are missing.
const GAP_MAGIC: [u8; 8] = [0x57, 0x2A, 0x4D, 0x18, 4, 0, 0, 0];

/// Damage that was found in a file of games, and what was done about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}: {frames} damaged {} ({bytes} bytes) moved to {}; games kept in other frames: {kept}; {}",
    path.display(),
    if *frames == 1 { "frame" } else { "frames" },
    moved_to.display(),
    match lost {
        0 => "games missing at the end are played again".to_string(),
        lost => format!("up to {lost} games are lost, and their numbers are not used again"),
    }
)]
pub struct Repair {
    /// The file of games.
    pub path: PathBuf,
    /// The new file that has the damaged bytes.
    pub moved_to: PathBuf,
    /// Number of damaged frames.
    pub frames: u64,
    /// Length of the damaged frames.
    pub bytes: u64,
    /// Games in sound frames.
    pub kept: u64,
    /// Most games that the damaged frames had, without those at the end of the file that are played
    /// again.
    pub lost: u64,
}

/// The frames of a file, sound and damaged.
pub(super) struct Frames {
    bytes: Vec<u8>,
    /// Where the sound frames and the damaged bytes between them are, in order.
    sound: Vec<Range<usize>>,
    damaged: Vec<Range<usize>>,
    /// Games in sound frames.
    kept: u64,
    /// Games that earlier repairs left out.
    missing: u64,
    /// Damaged frames, and those of them that a sound frame follows.
    damaged_frames: u64,
    inner_damaged_frames: u64,
}

impl Frames {
    /// Reads the file at `path`; a file that does not exist has no frames.
    pub fn read(path: &Path) -> io::Result<Frames> {
        let bytes = match read_regular_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let mut frames = Frames {
            bytes,
            sound: Vec::new(),
            damaged: Vec::new(),
            kept: 0,
            missing: 0,
            damaged_frames: 0,
            inner_damaged_frames: 0,
        };
        frames.scan();
        Ok(frames)
    }

    fn scan(&mut self) {
        let mut at = 0;
        let mut damage: Option<usize> = None;
        while at < self.bytes.len() {
            let Some(frame) = read_frame(&self.bytes[at..]) else {
                damage.get_or_insert(at);
                self.damaged_frames += 1;
                at = next_start(&self.bytes, at + 1);
                continue;
            };
            if let Some(start) = damage.take() {
                self.damaged.push(start..at);
                self.inner_damaged_frames = self.damaged_frames;
            }
            self.sound.push(at..at + frame.length);
            self.kept += frame.games;
            self.missing += frame.missing;
            at += frame.length;
        }
        self.damaged.extend(damage.map(|start| start..at));
    }

    /// Number of games up to the end of the file, missing ones included, and how many of them this
    /// damage cost. `next` is the number of the game that follows by the part, if there is one.
    ///
    /// The number of games of a damaged frame is not known. It follows from `next`, or a frame that
    /// another one follows is taken for a full one: so no number is used twice. Games of the last
    /// frame are played again.
    pub fn games(&self, next: Option<u64>) -> (u64, u64) {
        let found = self.kept + self.missing;
        let most = found + FRAME_GAMES * self.damaged_frames;
        match next {
            Some(next) if found < next && next <= most => (next, next - found),
            _ => {
                let lost = FRAME_GAMES * self.inner_damaged_frames;
                (found + lost, lost)
            }
        }
    }

    /// Moves the damaged bytes, if there are any, to a new file beside the one at `path`, and notes
    /// in their place that `lost` games are missing.
    pub fn repair(&self, path: &Path, lost: u64) -> io::Result<Option<Repair>> {
        let Some(first) = self.damaged.first() else {
            return Ok(None);
        };
        let (mut cut, moved_to) = create_cut(path)?;
        for range in &self.damaged {
            cut.write_all(&self.bytes[range.clone()])?;
        }
        // The bytes may leave the file only when they are on the disk elsewhere.
        cut.sync_all()?;
        let mut repaired = self.bytes[..first.start].to_vec();
        if lost > 0 {
            let lost = u32::try_from(lost).unwrap_or(u32::MAX);
            repaired.extend(GAP_MAGIC);
            repaired.extend(lost.to_le_bytes());
        }
        for range in self.sound.iter().filter(|range| range.start > first.start) {
            repaired.extend(&self.bytes[range.clone()]);
        }
        write_file(path, any_kind, |file| file.write_all(&repaired))?;
        Ok(Some(Repair {
            path: path.to_path_buf(),
            moved_to,
            frames: self.damaged_frames,
            bytes: self.damaged.iter().map(|range| range.len() as u64).sum(),
            kept: self.kept,
            lost,
        }))
    }
}

/// Records as a frame, with a checksum that tells damage.
pub(super) fn compress(records: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = Compressor::new(ZSTD_LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.compress(records)
}

/// `path` with `extension` appended to the file's name.
pub(super) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(extension);
    PathBuf::from(name)
}

/// A new file for damaged bytes: `.cut`, `.cut2`, and so on. None is overwritten.
fn create_cut(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 1;
    loop {
        let cut = match number {
            1 => beside(path, ".cut"),
            number => beside(path, &format!(".cut{number}")),
        };
        match OpenOptions::new().write(true).create_new(true).open(&cut) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            file => return Ok((file?, cut)),
        }
    }
}

/// A sound frame.
struct Frame {
    length: usize,
    games: u64,
    /// Games missing in its place.
    missing: u64,
}

/// The frame at the start of `bytes`; `None` if it is incomplete or one of its records is invalid.
/// Its records are decoded one by one, so that its unpacked size needs no memory.
fn read_frame(bytes: &[u8]) -> Option<Frame> {
    if let Some(content) = bytes.strip_prefix(&GAP_MAGIC) {
        return content.first_chunk().map(|missing| Frame {
            length: GAP_MAGIC.len() + missing.len(),
            games: 0,
            missing: u32::from_le_bytes(*missing).into(),
        });
    }
    let mut rest = bytes;
    let mut decoder = Decoder::with_buffer(&mut rest).ok()?.single_frame();
    decoder.window_log_max(MAX_WINDOW_LOG).ok()?;
    let mut records = BufReader::new(decoder);
    let mut games = 0;
    while let Some(record) = TrainingRecord::read(&mut records).ok()? {
        games += u64::from(record.is_game());
    }
    drop(records);
    Some(Frame {
        length: bytes.len() - rest.len(),
        games,
        missing: 0,
    })
}

/// The next place from `from` on where a frame may begin; the end if there is none.
fn next_start(bytes: &[u8], from: usize) -> usize {
    (from..bytes.len())
        .find(|&at| bytes[at..].starts_with(&ZSTD_MAGIC) || bytes[at..].starts_with(&GAP_MAGIC))
        .unwrap_or(bytes.len())
}
