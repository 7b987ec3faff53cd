//! Ctrl-C and a polite kill: a subcommand reacts instead of dying at once.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Error;

/// The shell's status for a command that was interrupted.
const INTERRUPTED: u8 = 130;

/// The exit status of work that was done, or interrupted.
pub(super) fn status(is_interrupted: bool) -> ExitCode {
    match is_interrupted {
        true => ExitCode::from(INTERRUPTED),
        false => ExitCode::SUCCESS,
    }
}

/// Calls `react` at every Ctrl-C and polite kill, on a thread of its own. Call it once in a
/// process.
pub(super) fn on_interrupt(react: impl FnMut() + Send + 'static) -> Result<(), Error> {
    ctrlc::set_handler(react).map_err(|e| Error::Failed(format!("signal handler: {e}")))
}

/// A flag set by Ctrl-C and a polite kill.
pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    on_interrupt(move || flag.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

/// A flag set by the first Ctrl-C, which also calls `stop`; the second one ends the process.
pub(super) fn stop_search_on_interrupt(
    mut stop: impl FnMut() + Send + 'static,
) -> Result<Arc<AtomicBool>, Error> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    on_interrupt(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        stop();
    })?;
    Ok(interrupted)
}
