use std::sync::{Mutex, MutexGuard};

use super::expansion::Child;

/// A position that was expanded, and its children.
#[derive(Default)]
struct Place {
    key: u64,
    children: Vec<Child>,
}

/// The children of recently expanded positions, each position at the place that the low bits of its
/// key name.
pub(super) struct Recent {
    places: Box<[Mutex<Place>]>,
    is_shared: bool,
}

impl Recent {
    /// Room for `2^bits` positions, shared by that many threads.
    pub(super) fn new(bits: u32, threads: usize) -> Recent {
        Recent {
            places: (0..1 << bits).map(|_| Mutex::default()).collect(),
            is_shared: threads > 1,
        }
    }

    fn place(&self, key: u64) -> MutexGuard<'_, Place> {
        let place = &self.places[key as usize & (self.places.len() - 1)];
        place
            .lock()
            .expect("no thread panics while it holds a place")
    }

    /// Takes out the children of that position, to be [`put`](Recent::put) back.
    pub(super) fn get(&self, key: u64) -> Option<Vec<Child>> {
        let mut place = self.place(key);
        if place.key != key {
            return None;
        }
        // Only another thread can ask for them before they are back.
        let children = match self.is_shared {
            true => place.children.clone(),
            false => std::mem::take(&mut place.children),
        };
        Some(children).filter(|children| !children.is_empty())
    }

    /// Gives other threads, if there are any, the children that were just found.
    pub(super) fn share(&self, key: u64, children: &[Child]) {
        if self.is_shared {
            self.put(key, children.to_vec());
        }
    }

    /// Stores the children of a position in place of another's.
    pub(super) fn put(&self, key: u64, children: Vec<Child>) {
        let old = std::mem::replace(&mut *self.place(key), Place { key, children });
        // Freed when the place is no longer locked.
        drop(old);
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        for place in 0..self.places.len() {
            self.place(place as u64).key = 0;
        }
    }
}
