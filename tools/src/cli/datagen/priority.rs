//! The lowest priority, for work in time that nobody else needs.

use std::io;

use clap::ValueEnum;

/// The share of the processor that a process gets beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Priority {
    /// Only when nobody else wants to
    Idle,
    /// Like any other
    Normal,
}

impl Priority {
    /// Gives this priority to the process and its later threads.
    pub fn apply(self) -> io::Result<()> {
        match self {
            Priority::Idle => become_idle(),
            Priority::Normal => Ok(()),
        }
    }
}

#[cfg(target_os = "linux")]
fn become_idle() -> io::Result<()> {
    // For systems whose containers forbid the policy.
    lower_nice()?;
    // SAFETY: plain data, for which all zero bytes are a value.
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a live value; 0 names the calling thread, whose policy later
    // threads inherit.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) };
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn become_idle() -> io::Result<()> {
    lower_nice()
}

#[cfg(unix)]
fn lower_nice() -> io::Result<()> {
    const LOWEST: i32 = 19;
    rustix::process::setpriority_process(None, LOWEST)?;
    Ok(())
}

#[cfg(windows)]
fn become_idle() -> io::Result<()> {
    use windows_sys::Win32::System::Threading::{
        GetCurrentProcess, IDLE_PRIORITY_CLASS, SetPriorityClass,
    };
    // SAFETY: the handle of the own process needs no closing and is always valid.
    match unsafe { SetPriorityClass(GetCurrentProcess(), IDLE_PRIORITY_CLASS) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

#[cfg(not(any(unix, windows)))]
fn become_idle() -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// On a thread of its own, which the other tests do not share.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_lowest_priority_holds_for_later_threads() {
        let policy = std::thread::spawn(|| {
            Priority::Idle.apply().unwrap();
            let nice = || rustix::process::getpriority_process(None).unwrap();
            assert_eq!(nice(), 19);
            std::thread::spawn(nice).join().unwrap()
        });
        assert_eq!(policy.join().unwrap(), 19);
    }
}
