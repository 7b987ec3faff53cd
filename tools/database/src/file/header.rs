//! The header: the size of the file, and two slots, of which one has the roots of the last change.

use twox_hash::XxHash3_128;

use super::page::{PageRef, ROOT_BYTES};
use super::{PAGE_BYTES, u32_at, u64_at, u128_at};

const MAGIC: [u8; 9] = *b"redb\x1A\x0A\xA9\x0D\x0A";
const FLAGS: usize = MAGIC.len();
/// The slot of the last change is the second one.
const SECOND_IS_LAST: u8 = 1;
/// The file was not closed.
const OPEN: u8 = 2;
/// The pages of the last change were on the disk before its slot was.
const TWO_PHASES: u8 = 4;
const PAGES_OF_REGION: u32 = 1 << 20;
const SLOT_STARTS: [usize; 2] = [64, 192];
const SLOT_BYTES: usize = 128;
const SLOT_CHECKSUM: usize = SLOT_BYTES - 16;
const FORMAT_VERSION: u8 = 3;

/// Why a file is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderFault {
    /// It is no file of redb.
    Foreign,
    /// Of an earlier format.
    Outdated,
    /// Its header contradicts itself or the length of the file.
    Damaged,
}

/// The header of a file whose length fits it.
pub(crate) struct Header {
    bytes: [u8; Header::BYTES],
    /// Those whose checksum is right: the one that the header names as the last, and the other.
    slots: [Option<Slot>; 2],
}

/// The roots that a change left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Which of the two slots it is.
    index: usize,
    /// Number of the change; the later the greater.
    change: u64,
    /// Of the tree of tables, if there are any.
    pub(crate) user_root: Option<PageRef>,
    /// Of the tree of redb's own tables.
    pub(crate) system_root: Option<PageRef>,
}

impl Header {
    /// Bytes of the header that redb reads and writes.
    pub(crate) const BYTES: usize = SLOT_STARTS[1] + SLOT_BYTES;

    /// Checks the first bytes of a file of that length.
    pub(crate) fn new(bytes: &[u8], file_len: u64) -> Result<Header, HeaderFault> {
        if !bytes.starts_with(&MAGIC) {
            return Err(HeaderFault::Foreign);
        }
        let bytes: [u8; Header::BYTES] = *bytes.first_chunk().ok_or(HeaderFault::Damaged)?;
        let number = |at| u32_at(&bytes, at).expect("within the header");
        let regions = u128::from(number(24)) * u128::from(PAGES_OF_REGION);
        let used = u128::from(PAGE_BYTES) * (1 + regions + u128::from(number(28)));
        let size = u128::from(file_len);
        let is_open = bytes[FLAGS] & OPEN != 0;
        let is_sound = bytes[FLAGS] <= SECOND_IS_LAST | OPEN | TWO_PHASES
            && u64::from(number(12)) == PAGE_BYTES
            && number(16) == 0
            && number(20) == PAGES_OF_REGION
            && number(28) <= PAGES_OF_REGION
            && used > u128::from(PAGE_BYTES)
            && file_len.is_multiple_of(PAGE_BYTES)
            && (size == used || is_open && size > used);
        let last = usize::from(bytes[FLAGS] & SECOND_IS_LAST);
        let mut slots = [None; 2];
        for (place, index) in [(0, last), (1, 1 - last)] {
            slots[place] = Slot::new(&bytes, index, file_len)?;
        }
        let header = Header { bytes, slots };
        // Closing writes both slots, the last change last.
        let is_last = |[last, other]: [Slot; 2]| last.change >= other.change;
        let slots = header.slots[0].zip(header.slots[1]);
        let is_closed_well = slots.is_some_and(|(last, other)| is_last([last, other]));
        if is_sound && (is_open || is_closed_well) {
            Ok(header)
        } else {
            Err(HeaderFault::Damaged)
        }
    }

    /// All slots of a header, however damaged, that can be read: the one that the header names as
    /// the last first.
    pub(crate) fn slots_of(bytes: &[u8], file_len: u64) -> Vec<Slot> {
        let Some(bytes) = bytes.first_chunk() else {
            return Vec::new();
        };
        let last = usize::from(bytes[FLAGS] & SECOND_IS_LAST);
        let read = |index| Some(Slot::read(slot_bytes(bytes, index), index, file_len));
        [last, 1 - last].into_iter().filter_map(read).collect()
    }

    /// Whether the file was not closed.
    pub(crate) fn is_open(&self) -> bool {
        self.bytes[FLAGS] & OPEN != 0
    }

    /// The slots whose roots may be those of the last whole change, the likeliest first. Where there
    /// is more than one, all pages of the first must be looked at: the change may be incomplete.
    pub(crate) fn candidates(&self) -> Vec<Slot> {
        let [last, other] = self.slots;
        if !self.is_open() || self.bytes[FLAGS] & TWO_PHASES != 0 {
            return last.into_iter().collect();
        }
        let mut slots: Vec<Slot> = [last, other].into_iter().flatten().collect();
        slots.sort_by_key(|slot| std::cmp::Reverse(slot.change));
        slots
    }

    /// Whether the last change may be incomplete, so that its slot proves nothing of its pages.
    pub(crate) fn may_be_torn(&self) -> bool {
        self.is_open() && self.bytes[FLAGS] & TWO_PHASES == 0
    }

    /// The bytes of the header, with `slot` as the last one. redb takes the later of the two, so the
    /// other one becomes a copy where it is not to be looked at.
    pub(crate) fn with_last(&self, slot: &Slot) -> [u8; Header::BYTES] {
        let mut bytes = self.bytes;
        if !self.may_be_torn() {
            return bytes;
        }
        let chosen = *slot_bytes(&self.bytes, slot.index);
        let start = SLOT_STARTS[1 - slot.index];
        bytes[start..start + SLOT_BYTES].copy_from_slice(&chosen);
        bytes[FLAGS] = bytes[FLAGS] & !SECOND_IS_LAST | slot.index as u8;
        bytes
    }
}

impl Slot {
    /// The slot with that index. `None` if its checksum is wrong.
    fn new(
        header: &[u8; Header::BYTES],
        index: usize,
        file_len: u64,
    ) -> Result<Option<Slot>, HeaderFault> {
        let bytes = slot_bytes(header, index);
        let checksum = u128_at(bytes, SLOT_CHECKSUM).expect("within the slot");
        if checksum != XxHash3_128::oneshot(&bytes[..SLOT_CHECKSUM]) {
            return Ok(None);
        }
        match bytes[0] {
            1 | 2 => return Err(HeaderFault::Outdated),
            FORMAT_VERSION => {}
            _ => return Err(HeaderFault::Damaged),
        }
        let slot = Slot::read(bytes, index, file_len);
        // A root outside of the file is a damage that no slot survives.
        let is_whole = slot.user_root.is_some() == (bytes[1] != 0)
            && slot.system_root.is_some() == (bytes[2] != 0);
        Ok(is_whole.then_some(slot))
    }

    fn read(bytes: &[u8; SLOT_BYTES], index: usize, file_len: u64) -> Slot {
        let root = |flag: usize, at| {
            let root = PageRef::root_at(bytes, at, file_len);
            root.filter(|_| bytes[flag] != 0)
        };
        Slot {
            index,
            change: u64_at(bytes, 8 + 3 * ROOT_BYTES).expect("within the slot"),
            user_root: root(1, 8),
            system_root: root(2, 8 + ROOT_BYTES),
        }
    }
}

fn slot_bytes(header: &[u8; Header::BYTES], index: usize) -> &[u8; SLOT_BYTES] {
    header[SLOT_STARTS[index]..]
        .first_chunk()
        .expect("within the header")
}
