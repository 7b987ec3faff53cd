//! The clock and random seeds: all that a search asks of the operating system.
//!
//! Natively both come from the standard library. `wasm32-unknown-unknown` has neither: there
//! `Instant` reads the clock that the host gives by `set_clock`.

use std::hash::{BuildHasher, Hasher, RandomState};

pub use std::time::Duration;

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use host::{Instant, set_clock};

/// A seed for a random generator that differs from call to call and from process to process.
///
/// Where the system gives no random keys to hash tables, the clock alone makes the difference.
pub fn random_seed() -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u128(clock_nanos());
    hasher.finish()
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn clock_nanos() -> u128 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos())
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn clock_nanos() -> u128 {
    Instant::now().nanos()
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod host {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;

    use super::Duration;

    static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    /// Sets the clock of the process: milliseconds since a fixed moment, the same moment in every
    /// thread (`performance.timeOrigin + performance.now()` in a browser). The first call counts.
    pub fn set_clock(milliseconds: fn() -> f64) {
        let _ = CLOCK.set(milliseconds);
    }

    /// A moment by the host's clock; `std::time::Instant` elsewhere. Without a clock time stands
    /// still, so that only limits of depth and nodes end a search.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Instant {
            let milliseconds = CLOCK.get().map_or(0.0, |clock| clock());
            Instant(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::ZERO))
        }

        /// Time from an earlier moment to this one; zero if that lies later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            *self - earlier
        }

        /// Time since this moment; zero if it lies in the future.
        pub fn elapsed(&self) -> Duration {
            Instant::now() - *self
        }

        pub(super) fn nanos(self) -> u128 {
            self.0.as_nanos()
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, later: Duration) -> Instant {
            Instant(self.0.saturating_add(later))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ() {
        let mut seeds: Vec<u64> = (0..100).map(|_| random_seed()).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 100);
    }
}
