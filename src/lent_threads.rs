//! Threads that the host lends, on `wasm32-unknown-unknown` built with shared memory: a program
//! there cannot start any itself.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

type Task = Box<dyn FnOnce() + Send>;

/// The tasks that wait for a thread.
struct Waiting {
    /// Threads that were counted, busy or not.
    threads: usize,
    tasks: VecDeque<Task>,
}

static WAITING: Mutex<Waiting> = Mutex::new(Waiting {
    threads: 0,
    tasks: VecDeque::new(),
});
static CHANGED: Condvar = Condvar::new();

fn lock() -> MutexGuard<'static, Waiting> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a thread about to be [lent](lend), so tasks may wait for it.
pub fn count() {
    lock().threads += 1;
}

/// Lends the calling thread for good: it does what [`spawn`] is given.
pub fn lend() -> ! {
    loop {
        let is_idle = |waiting: &mut Waiting| waiting.tasks.is_empty();
        let waited = CHANGED.wait_while(lock(), is_idle);
        let task = waited
            .unwrap_or_else(PoisonError::into_inner)
            .tasks
            .pop_front();
        if let Some(task) = task {
            task();
        }
    }
}

/// Gives a task to a lent thread, which may still be on its way, or at the end of an earlier task.
///
/// # Errors
/// When no thread was counted.
pub fn spawn(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut waiting = lock();
    if waiting.threads == 0 {
        return Err(io::ErrorKind::Unsupported.into());
    }
    waiting.tasks.push_back(Box::new(task));
    CHANGED.notify_one();
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn tasks_run_on_lent_threads() {
        assert!(spawn(|| {}).is_err());
        count();
        thread::spawn(|| lend());
        let (sender, results) = mpsc::channel();
        for i in 0..10 {
            let sender = sender.clone();
            spawn(move || sender.send((i, thread::current().id())).unwrap()).unwrap();
        }
        let own = thread::current().id();
        let results: Vec<_> = results.iter().take(10).collect();
        assert!(results.iter().all(|&(_, thread)| thread != own));
        assert!(results.iter().map(|&(i, _)| i).eq(0..10));
    }
}
