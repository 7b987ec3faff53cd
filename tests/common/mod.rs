//! Conversations with the real binary in the way of a manager.

mod moves;
pub mod process;

use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub use moves::parse_move;
use process::engine;

/// Extra time beyond the protocol's own bound before a test fails, so that a busy machine fails no
/// test. Tests of timing itself hold the best of several tries against the bound alone.
pub const ALLOWANCE: Duration = Duration::from_millis(1_500);
/// Longest time between `END` and the end of the process.
pub const EXIT_BOUND: Duration = Duration::from_millis(100);
/// Time to wait for something expected that has no bound of its own.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Time in which nothing may come, where nothing should.
const SILENCE: Duration = Duration::from_millis(200);

/// A conversation with one process of the engine.
///
/// The process is killed when the session goes out of scope. Any output on standard error fails the
/// test, and so does an unexpected end.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    stderr: Option<JoinHandle<String>>,
    /// Everything said, for the message of a failing test.
    transcript: Vec<String>,
    sent_at: Instant,
    /// True once the process has ended as it should, or was killed by the test.
    has_ended: bool,
    /// The working directory of the process, which leaves no files elsewhere.
    home: TempDir,
}

impl Session {
    /// Starts the engine with arguments and says nothing.
    pub fn spawn_with(args: &[&str]) -> Session {
        let mut command = engine();
        command.args(args);
        Session::run(command)
    }

    /// Starts the engine with that much address space.
    #[cfg(target_os = "linux")]
    pub fn spawn_within(kib: u64) -> Session {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {kib} && exec \"$0\"");
        command.args(["-c", &script, process::PROGRAM]);
        Session::run(process::piped(command))
    }

    fn run(mut command: Command) -> Session {
        let home = tempfile::tempdir().expect("a folder");
        let mut child = command
            .current_dir(home.path())
            .spawn()
            .expect("the binary starts");
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8(line).expect("replies are UTF-8");
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        Session {
            stdin: child.stdin.take(),
            child,
            lines,
            stderr: Some(thread::spawn(move || {
                let mut bytes = Vec::new();
                stderr.read_to_end(&mut bytes).expect("a pipe to read");
                String::from_utf8_lossy(&bytes).into_owned()
            })),
            transcript: Vec::new(),
            sent_at: Instant::now(),
            has_ended: false,
            home,
        }
    }

    /// The working directory of the process.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Starts the engine and says nothing.
    pub fn spawn() -> Session {
        Session::spawn_with(&[])
    }

    /// Starts the engine and a game; moves take a tenth of a second.
    pub fn start(size: u32) -> Session {
        let mut session = Session::spawn();
        session.send(format!("START {size}")).expect_ok();
        session.info("timeout_turn", 100);
        session
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Session {
        let text = String::from_utf8_lossy(bytes);
        self.transcript.push(format!("> {}", text.trim_end()));
        let stdin = self.stdin.as_mut().expect("standard input is open");
        let written = stdin.write_all(bytes).and_then(|()| stdin.flush());
        self.sent_at = Instant::now();
        if let Err(error) = written {
            self.fail(&format!("cannot write: {error}"));
        }
        self
    }

    /// Sends text and a line end.
    pub fn send(&mut self, text: impl Display) -> &mut Session {
        self.raw(format!("{text}\n").as_bytes())
    }

    /// Sends `INFO key value`.
    pub fn info(&mut self, key: &str, value: impl Display) -> &mut Session {
        self.send(format!("INFO {key} {value}"))
    }

    /// Sends `TURN x,y`.
    pub fn turn(&mut self, x: u32, y: u32) -> &mut Session {
        self.send(format!("TURN {x},{y}"))
    }

    /// Sends a block, each of the blank-separated `entries` on a line of its own.
    pub fn block(&mut self, head: &str, entries: &str) -> &mut Session {
        let lines: String = entries.split(' ').map(|e| format!("{e}\n")).collect();
        self.raw(format!("{head}\n{}DONE\n", lines.trim_start()).as_bytes())
    }

    /// Sends a block on one line.
    pub fn block_in_one_line(&mut self, head: &str, entries: &str) -> &mut Session {
        self.send(format!("{head} {entries} DONE"))
    }

    /// The next line of any kind and its time, if one comes within `limit`.
    fn next_line(&mut self, limit: Duration) -> Result<(Instant, String), RecvTimeoutError> {
        let next = self.lines.recv_timeout(limit);
        if let Ok((_, line)) = &next {
            self.transcript.push(format!("< {line}"));
        }
        next
    }

    /// The next line of any kind, if one comes within `limit`.
    pub fn any_line(&mut self, limit: Duration) -> Option<String> {
        self.next_line(limit).ok().map(|(_, line)| line)
    }

    /// The next line of any kind, if one comes within `limit`. The process must live on.
    fn line_or_silence(&mut self, limit: Duration) -> Option<String> {
        match self.next_line(limit) {
            Ok((_, line)) => Some(line),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => self.fail("the process is gone"),
        }
    }

    /// The next line that is an answer rather than news of the search.
    pub fn answer(&mut self) -> String {
        loop {
            match self.any_line(PATIENCE) {
                Some(line) if line.starts_with("MESSAGE ") || line.starts_with("DEBUG ") => {}
                Some(line) => return line,
                None => self.fail("no answer came"),
            }
        }
    }

    /// The next line must be `line`; messages count.
    pub fn expect_line(&mut self, line: &str) -> &mut Session {
        match self.any_line(PATIENCE) {
            Some(got) if got == line => self,
            got => self.fail(&format!("expected {line:?}, got {got:?}")),
        }
    }

    /// The next answer must be exactly `OK`.
    pub fn expect_ok(&mut self) -> &mut Session {
        match self.answer() {
            line if line == "OK" => self,
            line => self.fail(&format!("expected OK, got {line:?}")),
        }
    }

    /// The next answer must be an error with a text.
    pub fn expect_error(&mut self) -> &mut Session {
        match self.answer() {
            line if line.starts_with("ERROR ") && line.len() > 8 => self,
            line => self.fail(&format!("expected ERROR, got {line:?}")),
        }
    }

    /// The next answer must be the complaint about an unknown word.
    pub fn expect_unknown(&mut self) -> &mut Session {
        match self.answer() {
            line if line.starts_with("UNKNOWN ") => self,
            line => self.fail(&format!("expected UNKNOWN, got {line:?}")),
        }
    }

    /// The next answer must be one move, strictly `x,y`.
    pub fn expect_move(&mut self) -> (u32, u32) {
        let line = self.answer();
        match parse_move(&line) {
            Some(point) => point,
            None => self.fail(&format!("expected a move, got {line:?}")),
        }
    }

    /// The next answer must be one of `moves`, separated by blanks.
    pub fn expect_one_of(&mut self, moves: &str) -> &mut Session {
        let line = self.answer();
        if moves.split(' ').all(|m| m != line) {
            self.fail(&format!("expected one of {moves}, got {line:?}"));
        }
        self
    }

    /// The next answer must be a move. Returns the time since the last line sent, and the move.
    pub fn timed_cell(&mut self) -> (Duration, (u32, u32)) {
        loop {
            match self.next_line(PATIENCE) {
                Ok((at, line)) => {
                    if let Some(cell) = parse_move(&line) {
                        return (at.saturating_duration_since(self.sent_at), cell);
                    }
                    if !line.starts_with("MESSAGE ") {
                        self.fail(&format!("expected a move, got {line:?}"));
                    }
                }
                Err(_) => self.fail("no move came"),
            }
        }
    }

    /// The next answer must be a move. Returns the time since the last line sent.
    pub fn timed_move(&mut self) -> Duration {
        self.timed_cell().0
    }

    /// Nothing may come for a while.
    pub fn expect_silence(&mut self) -> &mut Session {
        match self.line_or_silence(SILENCE) {
            None => self,
            Some(line) => self.fail(&format!("expected silence, got {line:?}")),
        }
    }

    /// For a while nothing but news of the search may come: it goes on.
    pub fn expect_thinking(&mut self) -> &mut Session {
        let until = Instant::now() + SILENCE;
        let left = || until.saturating_duration_since(Instant::now());
        while let Some(line) = self.line_or_silence(left()) {
            if !line.starts_with("MESSAGE ") {
                self.fail(&format!("expected news of a search, got {line:?}"));
            }
        }
        self
    }

    /// Closes the engine's standard input.
    pub fn close_input(&mut self) -> &mut Session {
        self.stdin = None;
        self.sent_at = Instant::now();
        self
    }

    /// The process must end in time with status 0, without another answer. Returns the time until
    /// its end.
    pub fn expect_exit(&mut self) -> Duration {
        self.expect_status(0)
    }

    /// The process must end in time with this status, without another answer. Returns the time until
    /// its end.
    pub fn expect_status(&mut self, expected: i32) -> Duration {
        let limit = EXIT_BOUND + ALLOWANCE;
        loop {
            let waited = self.sent_at.elapsed();
            if let Some(status) = self.child.try_wait().unwrap() {
                if status.code() != Some(expected) {
                    self.fail(&format!("ended with {status}"));
                }
                self.has_ended = true;
                // News from before the end do no harm.
                while let Some(line) = self.any_line(PATIENCE) {
                    if !line.starts_with("MESSAGE ") {
                        self.fail(&format!("printed {line:?} after the end"));
                    }
                }
                return waited;
            }
            if waited > limit {
                self.fail("does not end");
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends `END`; see [`expect_exit`](Session::expect_exit).
    pub fn end(&mut self) -> Duration {
        self.send("END").expect_exit()
    }

    /// Sends a signal such as `CONT` to the process. After `STOP`, all its threads stand still when
    /// this returns; after `KILL`, its end is expected.
    #[cfg(unix)]
    pub fn signal(&mut self, name: &str) -> &mut Session {
        self.transcript.push(format!("! SIG{name}"));
        self.has_ended |= name == "KILL";
        let status = Command::new("kill")
            .args([format!("-{name}"), self.child.id().to_string()])
            .status()
            .expect("kill starts");
        assert!(status.success());
        if name == "STOP" {
            let mut status = 0;
            // SAFETY: waits for a child that nobody else waits for, and writes only to `status`.
            unsafe { libc::waitpid(self.child.id() as i32, &mut status, libc::WUNTRACED) };
            assert!(libc::WIFSTOPPED(status), "the process does not stop");
        }
        self
    }

    /// Peak memory of the process, in bytes.
    #[cfg(target_os = "linux")]
    pub fn peak_memory(&self) -> u64 {
        peak_memory(self.child.id())
    }

    fn fail(&self, why: &str) -> ! {
        panic!("{why}\n{}", self.transcript.join("\n"));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let ended = self.child.try_wait();
        // The process may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let stderr = self.stderr.take().map(|thread| thread.join());
        if !thread::panicking() {
            let text = stderr.and_then(Result::ok).expect("its standard error");
            assert_eq!(text, "", "standard error must stay silent");
            if let (false, Some(status)) = (self.has_ended, ended.unwrap()) {
                self.fail(&format!("ended by itself with {status}"));
            }
        }
    }
}

/// All tries must be within `bound` and the allowance, the quickest one within `bound`.
pub fn assert_within(times: &[Duration], bound: Duration) {
    let slowest = times.iter().max().unwrap();
    let quickest = times.iter().min().unwrap();
    assert!(*slowest < bound + ALLOWANCE, "{slowest:?} of {bound:?}");
    assert!(*quickest < bound, "{quickest:?} of {bound:?}");
}

/// Peak memory of a process, in bytes.
#[cfg(target_os = "linux")]
pub fn peak_memory(process: u32) -> u64 {
    let path = format!("/proc/{process}/status");
    let status = std::fs::read_to_string(path).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kib = line.unwrap().split_whitespace().nth(1).unwrap();
    kib.parse::<u64>().unwrap() << 10
}
