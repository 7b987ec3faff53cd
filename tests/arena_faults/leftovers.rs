//! What a match may not leave behind: threads and child processes, zombies among them.

use std::time::{Duration, Instant};

use libtest_mimic::Failed;

/// Numbers of threads and children of this process.
#[derive(Debug, PartialEq, Eq)]
pub struct Count {
    threads: usize,
    children: usize,
}

/// Counts now; where the system does not say, nothing.
#[cfg(target_os = "linux")]
pub fn count() -> Count {
    let tasks: Vec<_> = std::fs::read_dir("/proc/self/task")
        .unwrap()
        .flatten()
        .collect();
    let me = std::process::id().to_string();
    let is_child = |stat: &str| {
        // Fields after the name, which stands in parentheses: state, parent.
        let fields = stat.rsplit(')').next().unwrap_or("");
        fields.split_whitespace().nth(1) == Some(&me)
    };
    let children = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok())
        .filter(|stat| is_child(stat))
        .count();
    Count {
        threads: tasks.len(),
        children,
    }
}

/// Counts now; where the system does not say, nothing.
#[cfg(not(target_os = "linux"))]
pub fn count() -> Count {
    Count {
        threads: 0,
        children: 0,
    }
}

/// Whether no more is there than `before`, and none of our sleepers lives.
pub fn check(before: &Count) -> Result<(), Failed> {
    // A thread that has done its work is still counted for a moment.
    let deadline = Instant::now() + Duration::from_secs(1);
    loop {
        let (now, alive) = (count(), sleepers());
        if now == *before && alive == 0 {
            return Ok(());
        }
        if Instant::now() > deadline {
            let text = format!("{before:?} before, {now:?} now, {alive} forked processes alive");
            return Err(text.into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Living processes that an engine forked.
#[cfg(target_os = "linux")]
fn sleepers() -> usize {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .filter(|line| {
            let words: Vec<&[u8]> = line.split(|b| *b == 0).collect();
            words.len() > 2
                && words[1] == b"--engine"
                && (words[2] == b"sleeper" || words[2] == b"glutton")
        })
        .count()
}

#[cfg(not(target_os = "linux"))]
fn sleepers() -> usize {
    0
}
