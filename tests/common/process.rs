//! The engine's process, for tests that need more than a conversation.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The program of the tests' package: `pbrain-tengen`, or `tengen` with its further words.
pub const PROGRAM: &str = match (
    option_env!("CARGO_BIN_EXE_pbrain-tengen"),
    option_env!("CARGO_BIN_EXE_tengen"),
) {
    (Some(program), _) | (_, Some(program)) => program,
    _ => panic!("the package has no program"),
};

/// A start of the engine, in the present folder and without a log, with pipes to all its streams.
pub fn engine() -> Command {
    piped(Command::new(PROGRAM))
}

/// The same start with pipes to all streams, and without a log of the engine.
pub fn piped(mut command: Command) -> Command {
    command
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The exit status of the process; `None` if it was killed after `limit`.
pub fn exit_within(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if since.elapsed() > limit {
            child.kill().unwrap();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
}
