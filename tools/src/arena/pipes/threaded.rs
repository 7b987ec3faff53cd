use std::io::{self, ErrorKind, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use process_wrap::std::ChildWrapper;

use super::{EngineEnds, Read, Transport};

/// Chunks of output that may wait for a reader; beyond these the engine blocks on its pipe.
const QUEUED_CHUNKS: usize = 64;

/// Pipes whose blocking ends are held by threads. The threads end when the engine's whole process
/// tree has ended, because that closes the far ends: end the tree before dropping this.
#[derive(Default)]
pub struct Pipes {
    input: Option<Input>,
    output: Option<Receiver<Vec<u8>>>,
    /// Received, not yet read.
    pending: Vec<u8>,
}

/// The writing thread: takes bytes, reports each write's end.
struct Input {
    bytes: SyncSender<Vec<u8>>,
    written: Receiver<io::Result<()>>,
}

impl Pipes {
    /// Prepares both pipes; [`attach`](Pipes::attach) completes them.
    ///
    /// # Errors
    /// Never on this system.
    pub fn open() -> io::Result<(Pipes, EngineEnds)> {
        let ends = EngineEnds {
            stdin: Stdio::piped(),
            stdout: Stdio::piped(),
        };
        Ok((Pipes::default(), ends))
    }

    /// Takes the engine's pipes and starts the threads.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn attach(&mut self, child: &mut dyn ChildWrapper) -> io::Result<()> {
        self.input = child.stdin().take().map(write_thread).transpose()?;
        self.output = child.stdout().take().map(read_thread).transpose()?;
        Ok(())
    }
}

fn write_thread(mut stdin: ChildStdin) -> io::Result<Input> {
    let (bytes, to_write) = sync_channel::<Vec<u8>>(1);
    let (done, written) = sync_channel(1);
    thread::Builder::new().spawn(move || {
        for chunk in to_write {
            let result = stdin.write_all(&chunk).and_then(|()| stdin.flush());
            let failed = result.is_err();
            if done.send(result).is_err() || failed {
                break;
            }
        }
    })?;
    Ok(Input { bytes, written })
}

fn read_thread(mut stdout: ChildStdout) -> io::Result<Receiver<Vec<u8>>> {
    let (sender, receiver) = sync_channel(QUEUED_CHUNKS);
    thread::Builder::new().spawn(move || {
        let mut buffer = vec![0; 16 << 10];
        loop {
            match stdout.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    if sender.send(buffer[..n].to_vec()).is_err() {
                        break;
                    }
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    })?;
    Ok(receiver)
}

impl Transport for Pipes {
    fn write_all(&mut self, bytes: &[u8], patience: Duration) -> io::Result<()> {
        let input = self.input.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        input
            .bytes
            .try_send(bytes.to_vec())
            .map_err(|_| ErrorKind::BrokenPipe)?;
        match input.written.recv_timeout(patience) {
            Ok(result) => result,
            Err(RecvTimeoutError::Timeout) => {
                // The thread is stuck in the write; its late report would be taken for that of
                // another write.
                self.input = None;
                Err(ErrorKind::TimedOut.into())
            }
            Err(RecvTimeoutError::Disconnected) => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn read(&mut self, buffer: &mut [u8], patience: Duration) -> Read {
        if self.pending.is_empty() {
            let Some(output) = self.output.as_ref() else {
                return Read::Closed;
            };
            let received = if patience.is_zero() {
                output.try_recv().map_err(|e| match e {
                    TryRecvError::Empty => Read::TimedOut,
                    TryRecvError::Disconnected => Read::Closed,
                })
            } else {
                output.recv_timeout(patience).map_err(|e| match e {
                    RecvTimeoutError::Timeout => Read::TimedOut,
                    RecvTimeoutError::Disconnected => Read::Closed,
                })
            };
            match received {
                Ok(chunk) => self.pending = chunk,
                Err(read) => return read,
            }
        }
        let n = self.pending.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.pending[..n]);
        self.pending.drain(..n);
        Read::Bytes(n)
    }

    fn close_input(&mut self) {
        self.input = None;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    #[test]
    fn bytes_travel_both_ways_and_every_wait_ends() {
        let (mut pipes, ends) = Pipes::open().unwrap();
        let mut child = Command::new("cat")
            .stdin(ends.stdin)
            .stdout(ends.stdout)
            .spawn()
            .unwrap();
        pipes.attach(&mut child).unwrap();
        let mut buffer = [0; 3];
        let second = Duration::from_secs(1);
        assert_eq!(pipes.read(&mut buffer, Duration::ZERO), Read::TimedOut);
        pipes.write_all(b"7,7\n", second).unwrap();
        assert_eq!(pipes.read(&mut buffer, second * 5), Read::Bytes(3));
        assert_eq!(pipes.read(&mut buffer, second * 5), Read::Bytes(1));
        let start = Instant::now();
        assert_eq!(pipes.read(&mut buffer, second / 20), Read::TimedOut);
        assert!(start.elapsed() < second);
        pipes.close_input();
        assert_eq!(pipes.read(&mut buffer, second * 5), Read::Closed);
        child.wait().unwrap();
    }

    #[test]
    fn a_write_that_nobody_reads_times_out() {
        let (mut pipes, ends) = Pipes::open().unwrap();
        let mut child = Command::new("sleep")
            .arg("30")
            .stdin(ends.stdin)
            .stdout(ends.stdout)
            .spawn()
            .unwrap();
        pipes.attach(&mut child).unwrap();
        let flood = vec![b'x'; 4 << 20];
        let error = pipes.write_all(&flood, Duration::from_millis(100));
        assert_eq!(error.unwrap_err().kind(), ErrorKind::TimedOut);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
