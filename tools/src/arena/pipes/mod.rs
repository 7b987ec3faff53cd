//! Two-way byte streams to an engine, with a deadline on every operation, so that an engine never
//! makes its opponent wait.
//!
//! On Unix the engine's stdin and stdout are sockets (as in Node.js). Sockets have timeouts of
//! their own and can be dropped at once, even if a stray grandchild keeps the other end open.
//! Elsewhere threads move the bytes.

use std::io;
use std::process::Stdio;
use std::time::Duration;

#[cfg(any(windows, test))]
mod threaded;
#[cfg(unix)]
mod unix;

#[cfg(windows)]
pub use threaded::Pipes;
#[cfg(unix)]
pub use unix::Pipes;

/// The engine's ends of both streams, given to it at its start.
pub struct EngineEnds {
    /// Its input.
    pub stdin: Stdio,
    /// Its output.
    pub stdout: Stdio,
}

/// The result of a read.
#[derive(Debug, PartialEq, Eq)]
pub enum Read {
    /// This many bytes.
    Bytes(usize),
    /// Nothing within the time.
    TimedOut,
    /// The engine closed its output: no bytes now or later.
    Closed,
}

/// The operations that each system provides.
pub trait Transport {
    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// When the engine closed its input, or did not take the bytes within `patience`.
    fn write_all(&mut self, bytes: &[u8], patience: Duration) -> io::Result<()>;

    /// Waits at most `patience` (0: not at all) for bytes and puts them into `buffer`.
    fn read(&mut self, buffer: &mut [u8], patience: Duration) -> Read;

    /// Ends the engine's input: the engine reads the end of the file.
    fn close_input(&mut self);
}
