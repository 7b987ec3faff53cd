use super::ROOM;

/// Items that were found to be of use, in room that is there already.
///
/// Where the processor can hardly guess whether an item is of use, each is written down, and
/// whether it stays is added to the number of those before: no branch that could be mispredicted.
pub(super) struct Keeper<'a, T> {
    room: &'a mut [T; ROOM],
    len: usize,
}

impl<'a, T> Keeper<'a, T> {
    /// None yet, at most [`ROOM`] to come.
    #[inline]
    pub(super) fn new(room: &'a mut [T; ROOM]) -> Keeper<'a, T> {
        Keeper { room, len: 0 }
    }

    /// Keeps `item` if `is_of_use`.
    #[inline]
    pub(super) fn push_if(&mut self, item: T, is_of_use: bool) {
        // A remainder in place of a check.
        self.room[self.len % ROOM] = item;
        self.len += usize::from(is_of_use);
    }

    /// What was kept.
    #[inline]
    pub(super) fn kept(&self) -> &[T] {
        &self.room[..self.len]
    }
}
