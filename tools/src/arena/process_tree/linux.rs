//! Linux: this process becomes the reaper of its descendants' orphans (`PR_SET_CHILD_SUBREAPER`),
//! so every process of an engine stays below this one. An environment variable, inherited by
//! children, tells the processes of one engine from those of the others.
//!
//! Source: prctl(2), proc_pid_environ(5), proc_pid_stat(5), proc_tid_children(5).

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io, process, thread};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, getpgrp, getpid, getppid, kill_process, set_child_subreaper,
    set_parent_process_death_signal, waitpid,
};

/// The variable that marks the processes of an engine.
const MARK: &str = "TENGEN_ARENA_ENGINE";
/// Longest hunt for processes that start others faster than these are killed.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks, for killed processes to disappear.
const PAUSE: Duration = Duration::from_millis(1);

/// First processes of the engines that run, each with its mark. Locked while one is started: no
/// look at the children of this process finds an engine before it is listed here.
static RUNNING: Mutex<BTreeMap<u32, String>> = Mutex::new(BTreeMap::new());

fn running() -> MutexGuard<'static, BTreeMap<u32, String>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes of one engine.
pub struct ProcessTree {
    /// The first of them.
    root: u32,
    /// `NAME=VALUE` of the variable in their environment.
    mark: String,
}

impl ProcessTree {
    /// Starts `command` as the first process of a group. The kernel kills it when the calling
    /// thread ends, hence also when this process is killed.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(mut command: Command) -> io::Result<(Box<dyn ChildWrapper>, ProcessTree)> {
        adopt_orphans();
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let value = format!("{}.{number}", process::id());
        command.env(MARK, &value);
        end_with_this_thread(&mut command);
        let mut command = CommandWrap::from(command);
        command.wrap(ProcessGroup::leader());
        let mut running = running();
        let process = command.spawn()?;
        let root = process.id();
        let mark = format!("{MARK}={value}");
        running.insert(root, mark.clone());
        Ok((process, ProcessTree { root, mark }))
    }

    /// Kills all descendants of the first process, wherever they have gone. The first process must
    /// not have been waited for, or its number could be another's.
    pub fn kill_descendants(&self) {
        for pid in descendants(self.root) {
            kill(pid);
        }
    }

    /// Kills the remaining descendants once the first process was waited for, and removes it from
    /// the table of processes. After the last engine none of their descendants is left, even
    /// without the mark in its environment.
    pub fn end(&self) {
        running().remove(&self.root);
        let deadline = Instant::now() + PATIENCE;
        // A list of children may be incomplete if it changes during the read, so two looks must
        // find nothing.
        let mut empty_looks = 0;
        while empty_looks < 2 {
            if self.kill_left_behind() == 0 {
                empty_looks += 1;
            } else if Instant::now() > deadline {
                log::warn!("processes of an engine could not be ended");
                break;
            } else {
                empty_looks = 0;
                thread::sleep(PAUSE);
            }
        }
        reap_orphans();
    }

    /// Kills orphans with all below them; returns the number of processes found.
    fn kill_left_behind(&self) -> usize {
        let running = running();
        let is_last = running.is_empty();
        let children = children(process::id()).into_iter();
        let orphans = children.filter(|child| !running.contains_key(child));
        orphans
            .map(|orphan| {
                let mut tree = descendants(orphan);
                tree.push(orphan);
                let is_ours = is_last && is_living_orphan(orphan)
                    || tree.iter().any(|&pid| has_in_environment(pid, &self.mark));
                if !is_ours {
                    return 0;
                }
                tree.iter().for_each(|&pid| kill(pid));
                tree.len()
            })
            .sum()
    }
}

/// The orphans among the descendants of the running engine whose first process is `root`: they
/// belong to it as its children do. One without the mark in its environment is not found.
pub fn orphans_of(root: u32) -> Vec<u32> {
    let running = running();
    let Some(mark) = running.get(&root) else {
        return Vec::new();
    };
    let children = children(process::id()).into_iter();
    children
        .filter(|child| !running.contains_key(child) && has_in_environment(*child, mark))
        .collect()
}

/// Makes this process the parent of all orphans among its descendants.
fn adopt_orphans() {
    static ASKED: Once = Once::new();
    ASKED.call_once(|| {
        if let Err(error) = set_child_subreaper(Some(getpid())) {
            log::warn!("processes that engines leave behind cannot be ended: {error}");
        }
    });
}

/// Has the program killed when the current thread ends: for the system, the death of the parent is
/// the end of the thread that started the child.
fn end_with_this_thread(command: &mut Command) {
    let parent = getpid();
    let prepare = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before.
        if getppid() != Some(parent) {
            return Err(Errno::SRCH.into());
        }
        Ok(())
    };
    // SAFETY: between fork and exec `prepare` makes two system calls and takes no memory.
    unsafe { command.pre_exec(prepare) };
}

/// Children of a process, zombies among them.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| {
            let pids = list.split_whitespace().map(str::parse);
            pids.filter_map(Result::ok).collect::<Vec<u32>>()
        })
        .collect()
}

/// All processes below a process.
fn descendants(root: u32) -> Vec<u32> {
    let mut found = children(root);
    let mut next = 0;
    while next < found.len() {
        found.extend(children(found[next]));
        next += 1;
    }
    found
}

fn has_in_environment(pid: u32, variable: &str) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let mut variables = environment.split(|byte| *byte == 0);
    variables.any(|found| found == variable.as_bytes())
}

/// True if the child `pid` of this process has ended without being waited for, with its process
/// group. `None` when the child is gone.
fn state(pid: u32) -> Option<(bool, i32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Fields after the name, which stands in parentheses and may hold any character: state, parent,
    // process group.
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    let is_zombie = fields.next()? == "Z";
    Some((is_zombie, fields.nth(1)?.parse().ok()?))
}

/// True if a child of this process was adopted, by its process group: processes started by other
/// means share this process's group.
fn is_adopted(group: i32) -> bool {
    group != getpgrp().as_raw_pid()
}

fn is_living_orphan(child: u32) -> bool {
    state(child).is_some_and(|(is_zombie, group)| !is_zombie && is_adopted(group))
}

/// Waits for the adopted children that have ended.
fn reap_orphans() {
    let running = running();
    for child in children(process::id()) {
        let is_dead_orphan =
            state(child).is_some_and(|(is_zombie, group)| is_zombie && is_adopted(group));
        if is_dead_orphan && !running.contains_key(&child) {
            let _ = waitpid(Pid::from_raw(child as i32), WaitOptions::NOHANG);
        }
    }
}

/// Does nothing if the process has ended.
fn kill(pid: u32) {
    if let Some(pid) = Pid::from_raw(pid as i32) {
        let _ = kill_process(pid, Signal::KILL);
    }
}
