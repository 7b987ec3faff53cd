//! A stream that tells other threads whether a write to it is stuck.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A stream whose writes are counted: twice each, so that the number is odd during one.
pub struct Watched<W> {
    inner: W,
    writes: Arc<AtomicU64>,
}

impl<W: Write> Watched<W> {
    /// The stream, and what watches it.
    pub fn new(inner: W) -> (Watched<W>, WriteWatch) {
        let writes = Arc::new(AtomicU64::new(0));
        let watch = WriteWatch {
            writes: Arc::clone(&writes),
            seen: 0,
        };
        (Watched { inner, writes }, watch)
    }

    fn counted<T>(&mut self, write: impl FnOnce(&mut W) -> T) -> T {
        self.writes.fetch_add(1, Ordering::Relaxed);
        let result = write(&mut self.inner);
        self.writes.fetch_add(1, Ordering::Relaxed);
        result
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.counted(|inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.counted(W::flush)
    }
}

/// Sees whether nobody takes what is written.
pub struct WriteWatch {
    writes: Arc<AtomicU64>,
    seen: u64,
}

impl WriteWatch {
    /// Whether one write has lasted since the call before this one.
    pub fn is_stuck(&mut self) -> bool {
        let before = std::mem::replace(&mut self.seen, self.writes.load(Ordering::Relaxed));
        self.seen == before && self.seen % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};
    use std::thread;

    use super::*;

    /// Takes a write only when it is told to.
    struct Slow(Receiver<()>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.recv().map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_write_that_lasts_is_stuck() {
        let (taker, slow) = mpsc::channel();
        let (mut stream, mut watch) = Watched::new(Slow(slow));
        assert!(!watch.is_stuck() && !watch.is_stuck());
        let writer = thread::spawn(move || {
            stream.write_all(b"a").unwrap();
            stream.flush().unwrap();
        });
        while watch.writes.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
        assert!(!watch.is_stuck() && watch.is_stuck());
        taker.send(()).unwrap();
        writer.join().unwrap();
        assert!(!watch.is_stuck() && !watch.is_stuck());
    }
}
