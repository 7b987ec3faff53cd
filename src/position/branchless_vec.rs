use super::ROOM;

/// A list in preallocated room whose items are pushed without a branch.
///
/// Where a condition is hard to predict, each item is written, and the length grows by whether it
/// holds: there is no branch to mispredict.
pub(super) struct BranchlessVec<'a, T> {
    room: &'a mut [T; ROOM],
    len: usize,
}

impl<'a, T> BranchlessVec<'a, T> {
    /// An empty list for at most [`ROOM`] items.
    #[inline]
    pub(super) fn new(room: &'a mut [T; ROOM]) -> BranchlessVec<'a, T> {
        BranchlessVec { room, len: 0 }
    }

    /// Appends `item` if `condition`.
    #[inline]
    pub(super) fn push_if(&mut self, item: T, condition: bool) {
        // A remainder replaces a bounds check.
        self.room[self.len % ROOM] = item;
        self.len += usize::from(condition);
    }

    /// The items.
    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        &self.room[..self.len]
    }
}
