//! Which settings made each frame of a file, and which numbers its games have.

use std::collections::BTreeMap;
use std::io;

use super::counts::CountsByKind;
use super::format::{FormatError, Header};
use super::frames::{Content, Frame, Piece, Scan, compress, counted};

/// Games of a full frame, enough to compress well.
pub(super) const FRAME_GAMES: u64 = 1024;

/// Where the games of one run stand in a file, among those of others.
pub(super) struct Layout {
    /// The header of the run.
    pub ours: Header,
    /// Whether the file has that header or frames of it.
    pub has_ours: bool,
    /// Identity of the header that holds at the end of the file.
    pub last: Option<u64>,
    /// Number of the game that follows in the run, those counted that are missing.
    pub next: u64,
    /// Most games that the damage has cost, without those at the end that are played again.
    pub lost: u64,
    /// Games in sound frames of any run.
    pub kept: u64,
    /// Whether a frame stands behind another header than its own.
    pub is_disordered: bool,
    headers: BTreeMap<u64, Header>,
    /// Number of the first game of each old frame, in their order.
    old_numbers: Vec<u64>,
}

impl Layout {
    /// The layout of a scanned file for the run with the header `ours`. With `is_old` the frames
    /// before the first header are that run's too. `expected` is the number of the run's next game
    /// by its part, if there is one.
    ///
    /// # Errors
    /// When a header cannot be understood, or no header says what made a frame; with the place.
    pub fn of(
        scan: &Scan,
        ours: Header,
        is_old: bool,
        expected: Option<u64>,
    ) -> Result<Layout, (usize, FormatError)> {
        for damage in &scan.damage {
            let unknown = match &damage.error {
                FormatError::Version(version) => FormatError::Version(*version),
                FormatError::Settings(why) => FormatError::Settings(why.clone()),
                _ => continue,
            };
            return Err((damage.range.start, unknown));
        }
        let mut layout = Layout {
            ours,
            has_ours: is_old,
            last: None,
            next: 0,
            lost: 0,
            kept: 0,
            is_disordered: false,
            headers: BTreeMap::new(),
            old_numbers: Vec::new(),
        };
        layout.find_ours(scan);
        if is_old {
            layout.count_old(scan, expected);
            layout.number_old(scan);
        }
        for piece in &scan.pieces {
            let frame = match &piece.content {
                Content::Header(header) => {
                    layout.last = Some(header.id);
                    layout.headers.insert(header.id, header.clone());
                    continue;
                }
                Content::Frame(frame) => frame,
                Content::Gap(_) => continue,
            };
            let header = layout.header_of(frame, is_old);
            let checked = header.and_then(|header| header.origin.check(&frame.counts));
            checked.map_err(|error| (piece.range.start, error))?;
            layout.add(scan, piece, frame);
        }
        // Frames at the end are lost, and the part tells how many games they had.
        let damaged: u64 = scan.damage.iter().map(|d| d.pieces).sum();
        let most = layout.next.saturating_add(FRAME_GAMES * damaged);
        if let Some(expected) = expected.filter(|next| (layout.next..=most).contains(next))
            && !is_old
        {
            layout.lost += expected - layout.next;
            layout.next = expected;
        }
        Ok(layout)
    }

    /// Takes the identity of the run's settings from the file, in case another version has written
    /// them otherwise.
    fn find_ours(&mut self, scan: &Scan) {
        for piece in &scan.pieces {
            if let Content::Header(header) = &piece.content
                && header.origin.maker == self.ours.origin.maker
            {
                self.ours.id = header.id;
                self.has_ours = true;
            }
        }
    }

    /// The header of a frame. That of the run is known even where the file has lost it.
    fn header_of(&self, frame: &Frame, is_old: bool) -> Result<&Header, FormatError> {
        match frame.place {
            Some((id, _)) if id == self.ours.id => Ok(&self.ours),
            Some((id, _)) => self.headers.get(&id).ok_or(FormatError::NoHeader),
            None if is_old && self.last.is_none() => Ok(&self.ours),
            None => Err(FormatError::NoHeader),
        }
    }

    fn add(&mut self, scan: &Scan, piece: &Piece, frame: &Frame) {
        let games = frame.counts.total().games;
        self.kept += games;
        self.is_disordered |= frame.place.is_some_and(|(id, _)| self.last != Some(id));
        match frame.place {
            Some((id, first)) if id == self.ours.id => {
                self.has_ours = true;
                let is_damaged = scan.damage.iter().any(|d| d.range.end == piece.range.start);
                if is_damaged {
                    self.lost += first.saturating_sub(self.next);
                }
                self.next = self.next.max(first.saturating_add(games));
            }
            _ => {}
        }
    }

    /// Counts the games of old frames, and those lost. How many games a damaged frame had is not
    /// known. It follows from `expected`, or a frame that another one follows is taken for a full
    /// one: so no number is used twice. Games of the last frame are played again.
    fn count_old(&mut self, scan: &Scan, expected: Option<u64>) {
        let found: u64 = scan.pieces.iter().map(old_games).sum();
        let last = scan.pieces.iter().rfind(|piece| is_old_frame(piece));
        let end = last.map_or(0, |piece| piece.range.end);
        let damaged: u64 = scan.damage.iter().map(|d| d.pieces).sum();
        let inner = scan.damage.iter().filter(|d| d.range.end <= end);
        let inner: u64 = inner.map(|d| d.pieces).sum();
        self.lost = match expected {
            Some(next) if found < next && next <= found + FRAME_GAMES * damaged => next - found,
            _ => FRAME_GAMES * inner,
        };
        self.next = found + self.lost;
    }

    /// Numbers the games of old frames. All that are lost count where the damage begins.
    fn number_old(&mut self, scan: &Scan) {
        let damage = scan.damage.first().map_or(usize::MAX, |d| d.range.start);
        let mut number = 0;
        for piece in &scan.pieces {
            if is_old_frame(piece) {
                let is_behind = piece.range.start > damage;
                let lost = if is_behind { self.lost } else { 0 };
                self.old_numbers.push(number + lost);
            }
            number += old_games(piece);
        }
    }

    /// The sound pieces of `bytes`, scanned as `scan`, each frame behind its header and its counts,
    /// and the identity of the header at the end. The run's own header is among them, because the
    /// settings beside an old file are removed then. Where games before the next one are lost and no
    /// frame tells so, an empty frame with its number does.
    pub fn rebuild(&self, bytes: &[u8], scan: &Scan) -> io::Result<(Vec<u8>, u64)> {
        let mut rebuilt = Vec::new();
        let mut last = None;
        let mut next = 0;
        let mut old_numbers = self.old_numbers.iter();
        let is_ours = |piece: &Piece| match &piece.content {
            Content::Header(header) => header.id == self.ours.id,
            Content::Frame(frame) => frame.place.is_none_or(|(id, _)| id == self.ours.id),
            Content::Gap(_) => false,
        };
        let mut put_header = |rebuilt: &mut Vec<u8>, header: &Header| {
            if last.replace(header.id) != Some(header.id) {
                rebuilt.extend(header.encode());
            }
        };
        for piece in &scan.pieces {
            let frame = match &piece.content {
                Content::Header(header) => {
                    put_header(&mut rebuilt, header);
                    continue;
                }
                Content::Gap(_) => continue,
                Content::Frame(frame) => frame,
            };
            let games = frame.counts.total().games;
            if let Some((id, first)) = frame.place {
                put_header(&mut rebuilt, self.headers.get(&id).unwrap_or(&self.ours));
                rebuilt.extend(&bytes[piece.range.clone()]);
                if id == self.ours.id {
                    next = next.max(first.saturating_add(games));
                }
            } else {
                put_header(&mut rebuilt, &self.ours);
                let first = *old_numbers.next().expect("one for each old frame");
                let packed = &bytes[frame.packed.clone()];
                rebuilt.extend(counted(self.ours.id, first, &frame.counts, packed));
                next = next.max(first + games);
            }
        }
        if next < self.next {
            put_header(&mut rebuilt, &self.ours);
            let nothing = CountsByKind::default();
            rebuilt.extend(compress(self.ours.id, self.next, &nothing, &[])?);
        } else if !scan.pieces.iter().any(is_ours) {
            put_header(&mut rebuilt, &self.ours);
        }
        Ok((rebuilt, last.unwrap_or(self.ours.id)))
    }
}

fn is_old_frame(piece: &Piece) -> bool {
    matches!(&piece.content, Content::Frame(frame) if frame.place.is_none())
}

/// Games that a piece of an old file has, or says to be missing.
fn old_games(piece: &Piece) -> u64 {
    match &piece.content {
        Content::Frame(frame) if frame.place.is_none() => frame.counts.total().games,
        Content::Gap(games) => *games,
        _ => 0,
    }
}
