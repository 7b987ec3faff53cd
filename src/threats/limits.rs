//! When a search for a win by force gives up.

/// Limits of a search by fours or by threats.
#[derive(Clone, Copy)]
pub struct SolveLimits<'a> {
    /// Most positions to search, by all threads together.
    pub nodes: u64,
    /// Called every millisecond or so with the positions searched so far; `true` ends the search.
    pub stop: &'a dyn Fn(u64) -> bool,
}

impl<'a> SolveLimits<'a> {
    /// Only `stop` ends the search.
    pub fn until(stop: &'a dyn Fn(u64) -> bool) -> SolveLimits<'a> {
        SolveLimits {
            nodes: u64::MAX,
            stop,
        }
    }
}
