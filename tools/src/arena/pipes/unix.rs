use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use process_wrap::std::ChildWrapper;

use super::{EngineEnds, Read, Transport};

/// Our ends of the two socket pairs.
pub struct Pipes {
    input: UnixStream,
    output: UnixStream,
    /// Current settings of the sockets: a system call is made only when one changes.
    read_timeout: Duration,
    write_timeout: Duration,
    nonblocking: bool,
}

impl Pipes {
    /// Opens both pairs.
    ///
    /// # Errors
    /// When the system has no more descriptors.
    pub fn open() -> io::Result<(Pipes, EngineEnds)> {
        let (input, stdin) = UnixStream::pair()?;
        let (output, stdout) = UnixStream::pair()?;
        // A pipe has one direction, so each socket is cut down to one. The engine's reading end
        // then sees the end of the file, and nobody can write into the wrong one.
        stdin.shutdown(Shutdown::Write)?;
        stdout.shutdown(Shutdown::Read)?;
        let pipes = Pipes {
            input,
            output,
            read_timeout: Duration::ZERO,
            write_timeout: Duration::ZERO,
            nonblocking: false,
        };
        let ends = EngineEnds {
            stdin: OwnedFd::from(stdin).into(),
            stdout: OwnedFd::from(stdout).into(),
        };
        Ok((pipes, ends))
    }

    /// Does nothing: the ends were made by [`Pipes::open`]. Other systems take their ends here.
    ///
    /// # Errors
    /// Never on this system.
    pub fn attach(&mut self, _child: &mut dyn ChildWrapper) -> io::Result<()> {
        Ok(())
    }
}

impl Transport for Pipes {
    fn write_all(&mut self, mut bytes: &[u8], patience: Duration) -> io::Result<()> {
        if self.write_timeout != patience {
            self.input.set_write_timeout(Some(patience))?;
            self.write_timeout = patience;
        }
        let start = Instant::now();
        while !bytes.is_empty() {
            if start.elapsed() > patience {
                return Err(ErrorKind::TimedOut.into());
            }
            match self.input.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    return Err(ErrorKind::TimedOut.into());
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8], patience: Duration) -> Read {
        let waits = !patience.is_zero();
        if self.nonblocking == waits {
            if self.output.set_nonblocking(!waits).is_err() {
                return Read::Closed;
            }
            self.nonblocking = !waits;
        }
        if waits && self.read_timeout != patience {
            if self.output.set_read_timeout(Some(patience)).is_err() {
                return Read::Closed;
            }
            self.read_timeout = patience;
        }
        match self.output.read(buffer) {
            Ok(0) => Read::Closed,
            Ok(n) => Read::Bytes(n),
            Err(e)
                if matches!(
                    e.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                Read::TimedOut
            }
            Err(_) => Read::Closed,
        }
    }

    fn close_input(&mut self) {
        // Fails only when the engine closed its end first, and then nothing is left to do.
        let _ = self.input.shutdown(Shutdown::Both);
    }
}
