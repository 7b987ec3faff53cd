//! Memory of engines' process trees, measured while they play and held to a limit.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::process_tree::orphans_of;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Time between two looks at the processes.
const INTERVAL: Duration = Duration::from_millis(100);

/// The memory use of one process tree.
#[derive(Debug)]
pub struct Usage {
    /// Process at the tree's root.
    root: u32,
    /// Limit of the tree's memory, in bytes.
    limit: u64,
    /// Peak memory, in bytes.
    peak: AtomicU64,
    /// True once the limit was passed.
    exceeded: AtomicBool,
}

impl Usage {
    /// Peak memory, in bytes; 0 before the first look.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// True once the limit was passed. The tree's root has been killed then.
    pub fn exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Acquire)
    }
}

/// Watches process trees from a thread of its own, which ends when the monitor is dropped.
pub struct Monitor {
    watched: Arc<Mutex<Vec<Arc<Usage>>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Monitor {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn start() -> io::Result<Monitor> {
        let watched = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let thread = thread::Builder::new().spawn({
            let (watched, stop) = (Arc::clone(&watched), Arc::clone(&stop));
            move || {
                let mut system = System::new();
                while !stop.load(Ordering::Relaxed) {
                    look(&mut system, &watched);
                    thread::park_timeout(INTERVAL);
                }
            }
        })?;
        Ok(Monitor {
            watched,
            stop,
            thread: Some(thread),
        })
    }

    /// Watches the tree below process `root` until the answer is dropped. When the tree uses more
    /// than `limit` bytes, its root is killed and [`Usage::exceeded`] becomes true.
    pub fn watch(&self, root: u32, limit: u64) -> Arc<Usage> {
        let usage = Arc::new(Usage {
            root,
            limit,
            peak: AtomicU64::new(0),
            exceeded: AtomicBool::new(false),
        });
        lock(&self.watched).push(Arc::clone(&usage));
        usage
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic there has been printed; there is nothing to save here.
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Measures every watched tree once.
fn look(system: &mut System, watched: &Mutex<Vec<Arc<Usage>>>) {
    let watched: Vec<Arc<Usage>> = {
        let mut watched = lock(watched);
        // The caller has dropped its handle.
        watched.retain(|usage| Arc::strong_count(usage) > 1);
        watched.clone()
    };
    if watched.is_empty() {
        return;
    }
    system.refresh_processes_specifics(
        ProcessesToUpdate::All,
        true,
        ProcessRefreshKind::nothing().with_memory().without_tasks(),
    );
    let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for (&pid, process) in system.processes() {
        if let Some(parent) = process.parent() {
            children.entry(parent).or_default().push(pid);
        }
    }
    for usage in watched {
        let mut tree = tree_of(Pid::from_u32(usage.root), &children);
        // An engine could hide its memory in a daemon.
        for orphan in orphans_of(usage.root) {
            tree.extend(tree_of(Pid::from_u32(orphan), &children));
        }
        let resident: u64 = tree
            .iter()
            .filter_map(|pid| system.process(*pid))
            .map(|process| process.memory())
            .sum();
        // Resident sizes count shared pages once for each process. So a tree above its limit is
        // measured again by the dearer measure of private pages.
        let used = if resident > usage.limit {
            tree.iter()
                .map(|pid| private_bytes(pid.as_u32()))
                .sum::<Option<u64>>()
                .unwrap_or(resident)
        } else {
            resident
        };
        usage.peak.fetch_max(used, Ordering::Relaxed);
        if used > usage.limit {
            usage.exceeded.store(true, Ordering::Release);
            if let Some(process) = system.process(Pid::from_u32(usage.root)) {
                process.kill();
            }
        }
    }
}

fn tree_of(root: Pid, children: &HashMap<Pid, Vec<Pid>>) -> Vec<Pid> {
    let mut tree = vec![root];
    let mut next = 0;
    while next < tree.len() {
        tree.extend(children.get(&tree[next]).into_iter().flatten());
        next += 1;
    }
    tree
}

/// The process's unique set size in bytes, as the Gomocup judge measures it: private pages. `None`
/// when the system does not tell.
#[cfg(target_os = "linux")]
fn private_bytes(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let kib = text
        .lines()
        .filter(|line| line.starts_with("Private_"))
        .filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok())
        .sum::<u64>();
    Some(kib << 10)
}

/// Other systems name no private size cheaply; the resident one counts.
#[cfg(not(target_os = "linux"))]
fn private_bytes(_pid: u32) -> Option<u64> {
    None
}
