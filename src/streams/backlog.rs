//! Commands that were read and are not carried out yet. The backlog limits their memory. The end of
//! the process waits for the commands on files.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most bytes of commands. At this size nothing more is read until half of them are carried out.
const MAX_BYTES: usize = 8 << 20;
/// Bytes of a command besides its text.
const COMMAND_BYTES: usize = 256;

/// The commands of a session between the reading thread and the working one.
#[derive(Default)]
pub struct Backlog {
    counts: Mutex<Counts>,
    changed: Condvar,
}

#[derive(Default)]
struct Counts {
    bytes: usize,
    /// Work on files asked for or begun.
    file_work: usize,
    is_closed: bool,
}

impl Backlog {
    /// Notes a command with `text_bytes` of text. Waits while there are too many, unless the
    /// backlog is closed.
    pub fn add(self: &Arc<Self>, text_bytes: usize, is_file_work: bool) -> Ticket {
        let mut counts = self.lock();
        if counts.bytes >= MAX_BYTES {
            let is_full = |counts: &mut Counts| counts.bytes > MAX_BYTES / 2 && !counts.is_closed;
            let waited = self.changed.wait_while(counts, is_full);
            counts = waited.unwrap_or_else(PoisonError::into_inner);
        }
        self.ticket(counts, text_bytes + COMMAND_BYTES, is_file_work)
    }

    /// Notes that commands are being read; work on files may be among them.
    pub fn begin_reading(self: &Arc<Self>) -> Ticket {
        self.begin_file_work()
    }

    /// Notes work on files that no command asked for, such as closing them.
    pub fn begin_file_work(self: &Arc<Self>) -> Ticket {
        self.ticket(self.lock(), 0, true)
    }

    fn ticket(
        self: &Arc<Self>,
        mut counts: MutexGuard<Counts>,
        bytes: usize,
        is_file_work: bool,
    ) -> Ticket {
        counts.bytes += bytes;
        counts.file_work += usize::from(is_file_work);
        Ticket {
            backlog: Arc::clone(self),
            bytes,
            is_file_work,
        }
    }

    /// Asks for no more commands to be read.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// True if no more commands are to be read.
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// True if work on files is not done yet.
    pub fn has_file_work(&self) -> bool {
        self.lock().file_work > 0
    }

    /// Waits at most `limit` until no work on files is left. Returns true if none is.
    pub fn wait_for_file_work(&self, limit: Duration) -> bool {
        let is_open = |counts: &mut Counts| counts.file_work > 0;
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), limit, is_open)
            .unwrap_or_else(PoisonError::into_inner);
        waited.0.file_work == 0
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // No panic leaves the counts half changed.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A command's place in the backlog; dropping it gives the place back.
pub struct Ticket {
    backlog: Arc<Backlog>,
    bytes: usize,
    is_file_work: bool,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut counts = self.backlog.lock();
        let was_full = counts.bytes > MAX_BYTES / 2;
        counts.bytes -= self.bytes;
        counts.file_work -= usize::from(self.is_file_work);
        // Waiting threads are woken rarely, because each call of the system costs more than a
        // command.
        let has_room = was_full && counts.bytes <= MAX_BYTES / 2;
        if has_room || (self.is_file_work && counts.file_work == 0) {
            self.backlog.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn a_full_backlog_waits_for_room() {
        let backlog = Arc::new(Backlog::default());
        let (sender, receiver) = mpsc::channel();
        let reader = thread::spawn({
            let backlog = Arc::clone(&backlog);
            move || {
                while !backlog.is_closed() && sender.send(backlog.add(50_000, false)).is_ok() {}
            }
        });
        let mut taken = 0;
        while taken < 4 * MAX_BYTES {
            let ticket = receiver.recv().unwrap();
            assert!(backlog.lock().bytes <= MAX_BYTES + ticket.bytes);
            taken += ticket.bytes;
        }
        backlog.close();
        reader.join().unwrap();
        drop(receiver);
        assert_eq!(backlog.lock().bytes, 0);
        // A command larger than the whole room still passes.
        let backlog = Arc::new(Backlog::default());
        let large = backlog.add(2 * MAX_BYTES, false);
        assert!(backlog.lock().bytes > MAX_BYTES);
        drop(large);
    }

    #[test]
    fn work_on_files_is_waited_for() {
        let backlog = Arc::new(Backlog::default());
        assert!(backlog.wait_for_file_work(Duration::ZERO));
        let quick = backlog.add(1, false);
        let slow = backlog.add(1, true);
        assert!(backlog.has_file_work());
        assert!(!backlog.wait_for_file_work(Duration::from_millis(1)));
        backlog.close();
        assert!(backlog.is_closed());
        let closing = backlog.begin_file_work();
        drop(slow);
        assert!(backlog.has_file_work());
        thread::spawn(move || drop(closing));
        assert!(backlog.wait_for_file_work(Duration::from_secs(60)));
        drop(quick);
    }
}
