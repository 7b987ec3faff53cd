//! Ways to a session: in this process, and through the pipes of the program.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tengen::protocol::{Source, converse};
use tengen_database::commands::CurrentDatabase;
use tengen_tools::host::host;

/// A line or the end, heard from a session.
pub enum Heard {
    /// The content of one write: a line with its end.
    Line(String),
    /// Nothing within the time.
    Silence,
    /// The session is over.
    End,
}

/// A session at the other end.
pub trait Link {
    fn send(&mut self, bytes: &[u8]);
    fn hear(&mut self, limit: Duration) -> Heard;
    /// Ends the input.
    fn close(&mut self);
    /// Called after the end of the output: a fault that no line shows.
    fn verdict(self) -> Result<(), String>;
}

fn hear(lines: &Receiver<String>, limit: Duration) -> Heard {
    match lines.recv_timeout(limit) {
        Ok(line) => Heard::Line(line),
        Err(RecvTimeoutError::Timeout) => Heard::Silence,
        Err(RecvTimeoutError::Disconnected) => Heard::End,
    }
}

/// A session in a thread of this process.
pub struct InProcess {
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
    /// Returns the errors logged by the session.
    session: JoinHandle<Vec<String>>,
}

/// A reader of the sent pieces: each read returns one of them, or its rest.
struct Chunks {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // The other end is gone: the input is over.
            self.rest = self.chunks.recv().unwrap_or_default();
        }
        let n = self.rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.rest[..n]);
        self.rest.drain(..n);
        Ok(n)
    }
}

/// Each write is a message of its own.
struct Writes(Sender<String>);

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.0.send(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl InProcess {
    pub fn open() -> InProcess {
        InProcess::with(Source::Manager)
    }

    fn with(source: Source) -> InProcess {
        let (input, chunks) = mpsc::channel();
        let (sender, lines) = mpsc::channel();
        let session = thread::spawn(move || {
            let rest = Vec::new();
            let host = host(CurrentDatabase::default(), None);
            converse(host, Chunks { chunks, rest }, source, Writes(sender));
            ERRORS.take()
        });
        InProcess {
            input: Some(input),
            lines,
            session,
        }
    }
}

/// The same with a file of commands: the input is over before the first answer is heard.
pub struct CommandFile(InProcess);

impl CommandFile {
    pub fn open() -> CommandFile {
        CommandFile(InProcess::with(Source::File))
    }
}

impl Link for CommandFile {
    fn send(&mut self, bytes: &[u8]) {
        // In a file nothing can hurry a search.
        if self.0.input.is_some() {
            self.0.send(bytes);
        }
    }

    fn hear(&mut self, limit: Duration) -> Heard {
        self.0.close();
        self.0.hear(limit)
    }

    fn close(&mut self) {
        self.0.close();
    }

    fn verdict(self) -> Result<(), String> {
        self.0.verdict()
    }
}

impl Link for InProcess {
    fn send(&mut self, bytes: &[u8]) {
        // Fails when the session is over; then the output shows that.
        let input = self.input.as_ref().expect("the input is open");
        let _ = input.send(bytes.to_vec());
    }

    fn hear(&mut self, limit: Duration) -> Heard {
        hear(&self.lines, limit)
    }

    fn close(&mut self) {
        self.input = None;
    }

    fn verdict(self) -> Result<(), String> {
        match self.session.join() {
            Ok(errors) if errors.is_empty() => Ok(()),
            Ok(errors) => Err(format!("logged: {}", errors.join("\n"))),
            Err(_) => Err("the session panicked".to_string()),
        }
    }
}

thread_local! {
    /// The errors logged by this thread. A session logs its recoveries in its own thread, such as
    /// from a search without a result or with an illegal move.
    static ERRORS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, metadata: &log::Metadata) -> bool {
        metadata.level() == log::Level::Error
    }

    fn log(&self, record: &log::Record) {
        if self.enabled(record.metadata()) {
            ERRORS.with_borrow_mut(|errors| errors.push(record.args().to_string()));
        }
    }

    fn flush(&self) {}
}

/// From now on every logged error of a session fails its sequence.
pub fn collect_errors() {
    if log::set_logger(&Collector).is_ok() {
        log::set_max_level(log::LevelFilter::Error);
    }
}

/// The program, in an empty folder of its own.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: JoinHandle<String>,
    home: tempfile::TempDir,
}

impl Program {
    pub fn open() -> Program {
        let home = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .current_dir(home.path())
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = mpsc::channel();
        let mut stdout = child.stdout.take().expect("a pipe");
        thread::spawn(move || {
            let mut text = Vec::new();
            let mut buffer = [0; 1 << 12];
            while let Ok(n @ 1..) = stdout.read(&mut buffer) {
                text.extend_from_slice(&buffer[..n]);
                while let Some(end) = text.iter().position(|&b| b == b'\n') {
                    let line: Vec<u8> = text.drain(..=end).collect();
                    let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
                }
            }
        });
        let mut stderr = child.stderr.take().expect("a pipe");
        Program {
            stdin: child.stdin.take(),
            lines,
            stderr: thread::spawn(move || {
                let mut bytes = Vec::new();
                stderr.read_to_end(&mut bytes).expect("a pipe to read");
                String::from_utf8_lossy(&bytes).into_owned()
            }),
            child,
            home,
        }
    }
}

fn is_empty(folder: &Path) -> bool {
    folder
        .read_dir()
        .is_ok_and(|mut files| files.next().is_none())
}

impl Link for Program {
    fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        // Fails when the program is gone; then the output shows that.
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    fn hear(&mut self, limit: Duration) -> Heard {
        hear(&self.lines, limit)
    }

    fn close(&mut self) {
        self.stdin = None;
    }

    fn verdict(mut self) -> Result<(), String> {
        let since = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("a process to wait for") {
                Some(status) => break status,
                None if since.elapsed() > Duration::from_secs(10) => {
                    let _ = self.child.kill();
                    return Err("the process does not end".to_string());
                }
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        let stderr = self.stderr.join().expect("its standard error");
        if !status.success() || !stderr.is_empty() {
            return Err(format!("{status}, standard error: {stderr}"));
        }
        if !is_empty(self.home.path()) {
            return Err("a file was left in the working directory".to_string());
        }
        Ok(())
    }
}
