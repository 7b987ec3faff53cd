//! A WebSocket as two streams of lines for a session of the protocol: one text message is one line.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tungstenite::error::Error;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Most bytes of a message: a line of the protocol may have 65,536.
const MAX_MESSAGE: usize = 128 << 10;
/// Time for the client to take the sent bytes.
const WRITE_TIME: Duration = Duration::from_secs(20);
/// Time between two checks for an idle session.
const TICK: Duration = Duration::from_millis(500);

/// A reader of lines from a socket. The lines end when the client leaves or breaks the WebSocket
/// protocol, or after too long a silence on both sides.
pub struct LineReader {
    socket: WebSocket<ReadHalf>,
    /// The rest of the last line, not taken yet.
    line: Vec<u8>,
    taken: usize,
    activity: Arc<Activity>,
    idle: Duration,
    is_over: bool,
}

/// A writer that sends each line as a message.
pub struct LineWriter {
    shared: SharedWriter,
    /// The beginning of the unfinished line.
    line: Vec<u8>,
    activity: Arc<Activity>,
}

/// The only writer to the stream: of lines, closes, and the reader's answers to pings, each in
/// whole frames.
type SharedWriter = Arc<Mutex<WebSocket<TcpStream>>>;

/// The reader's stream, and the stream for its answers.
struct ReadHalf {
    stream: TcpStream,
    writer: SharedWriter,
}

/// The time of the last message of either side.
struct Activity {
    start: Instant,
    last_ms: AtomicU64,
}

impl Activity {
    fn note(&self) {
        let now = self.start.elapsed().as_millis() as u64;
        self.last_ms.store(now, Ordering::Relaxed);
    }

    fn silence(&self) -> Duration {
        let last = Duration::from_millis(self.last_ms.load(Ordering::Relaxed));
        self.start.elapsed().saturating_sub(last)
    }
}

/// The two directions of a socket after its handshake. `rest` holds the bytes read after the
/// handshake, and `idle` is the longest silence.
///
/// # Errors
/// When the system does not give the needed streams.
pub fn halves(
    stream: &TcpStream,
    rest: Vec<u8>,
    idle: Duration,
) -> io::Result<(LineReader, LineWriter)> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_TIME))?;
    stream.set_read_timeout(Some(TICK.min(idle).max(Duration::from_millis(1))))?;
    let config = WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let writer = WebSocket::from_raw_socket(stream.try_clone()?, Role::Server, Some(config));
    let writer = Arc::new(Mutex::new(writer));
    let half = ReadHalf {
        stream: stream.try_clone()?,
        writer: Arc::clone(&writer),
    };
    let activity = Arc::new(Activity {
        start: Instant::now(),
        last_ms: AtomicU64::new(0),
    });
    let reader = LineReader {
        socket: WebSocket::from_partially_read(half, rest, Role::Server, Some(config)),
        line: Vec::new(),
        taken: 0,
        activity: Arc::clone(&activity),
        idle,
        is_over: false,
    };
    let writer = LineWriter {
        shared: writer,
        line: Vec::new(),
        activity,
    };
    Ok((reader, writer))
}

fn lock(writer: &SharedWriter) -> MutexGuard<'_, WebSocket<TcpStream>> {
    writer.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LineReader {
    /// The next message; `None` after the last one.
    fn message(&mut self) -> Option<String> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    self.activity.note();
                    return Some(text.as_str().to_string());
                }
                Ok(Message::Binary(_)) => {
                    self.close(CloseCode::Unsupported, "only text is understood");
                    return None;
                }
                Ok(Message::Close(frame)) => {
                    // The writer of lines answers, so that nothing follows the answer.
                    let _ = lock(&self.socket.get_ref().writer).close(frame);
                    return None;
                }
                // The next read answers pings.
                Ok(_) => {}
                Err(Error::Io(error)) if is_timeout(&error) => {
                    if self.activity.silence() >= self.idle {
                        self.close(CloseCode::Away, "idle for too long");
                        return None;
                    }
                    continue;
                }
                Err(Error::Capacity(_)) => {
                    self.close(CloseCode::Size, "message too long");
                    return None;
                }
                Err(_) => return None,
            }
            self.activity.note();
        }
    }

    fn close(&mut self, code: CloseCode, reason: &str) {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        let _ = lock(&self.socket.get_ref().writer).close(Some(frame));
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

impl Read for LineReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.line.len() {
            if self.is_over {
                return Ok(0);
            }
            let Some(message) = self.message() else {
                self.is_over = true;
                return Ok(0);
            };
            self.line = message.into_bytes();
            self.line.push(b'\n');
            self.taken = 0;
        }
        let count = buffer.len().min(self.line.len() - self.taken);
        buffer[..count].copy_from_slice(&self.line[self.taken..][..count]);
        self.taken += count;
        Ok(count)
    }
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = String::from_utf8_lossy(&self.line).into_owned();
            self.line.clear();
            let mut writer = lock(&self.shared);
            // Nobody listens after a close; the session ends with its input.
            if writer.can_write() {
                writer.send(Message::text(line)).map_err(io::Error::other)?;
            }
            drop(writer);
            self.activity.note();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LineWriter {
    fn drop(&mut self) {
        let mut writer = lock(&self.shared);
        // Sends nothing after another close, and fails when the stream is gone.
        let _ = writer.close(None).and_then(|()| writer.flush());
        let _ = writer.get_ref().shutdown(Shutdown::Both);
    }
}

impl Read for ReadHalf {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for ReadHalf {
    /// The frames of an answer come in one write.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.writer).get_mut().write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
