//! Leftovers that a match may not have: threads and child processes, zombies among them.

use std::path::Path;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// Numbers of threads and children of this process.
#[derive(Debug, PartialEq, Eq)]
struct Count {
    threads: usize,
    children: usize,
}

/// The counts while no match is played: the thread that runs the tests.
const ALONE: Count = Count {
    threads: 1,
    children: 0,
};

/// Counts now; where the system does not say, the counts without leftovers.
#[cfg(target_os = "linux")]
fn count() -> Count {
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

/// Counts now; where the system does not say, the counts without leftovers.
#[cfg(not(target_os = "linux"))]
fn count() -> Count {
    ALONE
}

/// An error if anything is left of the matches so far, or one of our sleepers lives.
pub fn check() -> Result<(), Failed> {
    // A finished thread is still counted for a moment. So the counts are compared with constants: a
    // count from before may be of such a moment too.
    let deadline = Instant::now() + Duration::from_secs(1);
    loop {
        let (now, alive) = (count(), sleepers());
        if now == ALONE && alive == 0 {
            return Ok(());
        }
        if Instant::now() > deadline {
            let text = format!("{now:?} left, {alive} forked processes alive");
            return Err(text.into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Living processes that an engine forked.
fn sleepers() -> usize {
    engines("sleeper") + engines("glutton")
}

/// Living processes of this program that run as the engine `fault`. Another build, whose tests may
/// run at the same time, has another path.
pub fn engines(fault: &str) -> usize {
    let program = std::env::current_exe().unwrap();
    let mut system = System::new();
    let wanted = ProcessRefreshKind::nothing()
        .with_cmd(UpdateKind::Always)
        .without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, wanted);
    let processes = system.processes().values();
    processes
        .filter(|process| {
            let words = process.cmd();
            let is_engine = words.len() > 2 && words[1] == "--engine" && words[2] == fault;
            is_engine && program == Path::new(&words[0])
        })
        .count()
}
