//! A conversation with one engine over the Gomocup protocol: every wait has an end.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::child::{Child, describe_exit};
use super::memory::{Monitor, Usage};
use super::message::ReportedSearch;
use super::pipes::Read;
use super::reply::{OpeningReply, Reply};
use super::spec::{DEFAULT_MEMORY, EngineSpec};
use super::trace::{Trace, standard_error};
use crate::game::clock::Clock;
use tengen::rules::Rule;

/// Longest line that is kept; the rest of a longer one is dropped.
const LINE_LIMIT: usize = 64 << 10;
/// Waits are cut into slices of this length, between which the match may be stopped.
const SLICE: Duration = Duration::from_millis(100);
/// Output from before a request is thrown away for at most this time.
const DRAIN_TIME: Duration = Duration::from_millis(20);
/// Longest wait for an engine that does not read its input.
const WRITE_PATIENCE: Duration = Duration::from_secs(2);
/// Longest wait for a dead engine's exit status.
const EXIT_PATIENCE: Duration = Duration::from_millis(200);
/// Longest wait for the answer to ABOUT.
const ABOUT_PATIENCE: Duration = Duration::from_secs(1);
/// Time to exit after END. Piskvork gives 700 ms, the Gomocup judge 500 ms.
const END_PATIENCE: Duration = Duration::from_millis(500);

/// A move request answered.
#[derive(Clone, Copy, Debug)]
pub struct Answer<R = Reply> {
    /// The engine's answer.
    pub reply: R,
    /// From the write of the request to the read of the answer's line.
    pub elapsed: Duration,
    /// The engine's latest report on its search.
    pub thought: ReportedSearch,
}

/// The reason for which an engine cannot go on with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The program could not be started.
    #[error("cannot be started: {0}")]
    Spawn(String),
    /// The system has no process, file or memory left for it; no engine is at fault.
    #[error("the system gives no more files or processes: {0}")]
    Shortage(String),
    /// START was answered with an error, or not within the time, or a new process ended before.
    #[error("START: {0}")]
    Start(String),
    /// No answer within the time.
    #[error("no answer within {} ms{said}", .waited.as_millis())]
    Silent {
        /// The time waited.
        waited: Duration,
        /// The engine's last lines if they are no answer, as an addition to the sentence.
        said: String,
    },
    /// The engine does not read its input.
    #[error("does not read its input")]
    Deaf,
    /// The process is gone; the text says how.
    #[error("{0}")]
    Exited(String),
    /// The process runs, but it closed this pipe, its input or its output.
    #[error("closed its {0}")]
    Disconnected(&'static str),
    /// The engine refuses a command that the match needs.
    #[error("answered '{answer}' to {request}")]
    Refused {
        /// The command.
        request: String,
        /// The engine's answer.
        answer: String,
    },
    /// The process tree used too much memory.
    #[error("used {used} bytes of memory, {limit} allowed")]
    Memory {
        /// Bytes measured.
        used: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A move without a request.
    #[error("gave a move unasked: '{0}'")]
    Unasked(String),
    /// The match is being stopped; no engine is at fault.
    #[error("stopped")]
    Stopped,
}

/// A running engine.
pub struct Session {
    spec: Arc<EngineSpec>,
    child: Child,
    usage: Option<Arc<Usage>>,
    /// Read, not yet consumed.
    buffer: Vec<u8>,
    /// The rest of the current line is dropped, since it is too long.
    skipping: bool,
    /// The time of the engine's last line, for [`EngineSpec::pause`].
    spoke: Instant,
    stop: Arc<AtomicBool>,
    trace: Option<Trace>,
    /// Lines to be written together with the next request.
    settings: String,
    /// True once START was answered.
    has_started: bool,
}

impl Session {
    /// Starts the engine. `stop` ends every later wait.
    ///
    /// # Errors
    /// [`Failure::Spawn`], or [`Failure::Shortage`].
    pub fn launch(
        spec: &Arc<EngineSpec>,
        monitor: Option<&Monitor>,
        stop: &Arc<AtomicBool>,
        trace: Option<&Path>,
    ) -> Result<Session, Failure> {
        let errors = trace.map_or_else(Stdio::null, |folder| standard_error(folder, &spec.name));
        let child = Child::spawn(spec, errors).map_err(|e| match is_shortage(&e) {
            true => Failure::Shortage(e.to_string()),
            false => Failure::Spawn(format!("{}: {e}", spec.program().display())),
        })?;
        let usage = match (monitor, spec.memory) {
            (Some(monitor), Some(limit)) => Some(monitor.watch(child.id(), limit)),
            _ => None,
        };
        let trace = trace.and_then(|folder| Trace::begin(folder, &spec.name, child.id()));
        Ok(Session {
            spec: Arc::clone(spec),
            child,
            usage,
            buffer: Vec::new(),
            skipping: false,
            // A machine may have run for less than the pause.
            spoke: Instant::now()
                .checked_sub(spec.pause)
                .unwrap_or_else(Instant::now),
            stop: Arc::clone(stop),
            trace,
            settings: String::new(),
            has_started: false,
        })
    }

    /// The engine.
    pub fn spec(&self) -> &Arc<EngineSpec> {
        &self.spec
    }

    /// Peak memory of the engine's process tree in bytes; `None` where memory is not watched.
    pub fn peak_memory(&self) -> Option<u64> {
        self.usage.as_ref().map(|usage| usage.peak())
    }

    /// Begins a game on an empty board and sends the settings to the engine.
    ///
    /// # Errors
    /// When the engine refuses or does not answer.
    pub fn start_game(
        &mut self,
        width: u8,
        height: u8,
        rule: Rule,
        clock: &Clock,
    ) -> Result<(), Failure> {
        let started = self.start(width, height);
        started.map_err(|failure| match failure {
            Failure::Exited(_) | Failure::Disconnected(_) | Failure::Deaf if !self.has_started => {
                Failure::Start(failure.to_string())
            }
            failure => failure,
        })?;
        self.has_started = true;
        self.spoke = Instant::now();
        self.settings = self.settings_text(rule, clock);
        Ok(())
    }

    fn start(&mut self, width: u8, height: u8) -> Result<(), Failure> {
        // A second answer to the last request of the previous game is dropped.
        self.drain(|_| Ok(()))?;
        let start = if width == height {
            format!("START {width}\n")
        } else {
            format!("RECTSTART {width},{height}\n")
        };
        self.keep_pause();
        self.write(&start)?;
        let patience = self.spec.limits.startup;
        let deadline = Instant::now() + patience;
        loop {
            let Some(line) = self.read_line(deadline)? else {
                return Err(Failure::Start(format!(
                    "not answered within {} ms",
                    patience.as_millis()
                )));
            };
            let word = line.split_whitespace().next().unwrap_or("");
            if word.eq_ignore_ascii_case("OK") {
                return Ok(());
            }
            if word.eq_ignore_ascii_case("ERROR") || word.eq_ignore_ascii_case("UNKNOWN") {
                return Err(Failure::Start(format!("answered '{line}'")));
            }
        }
    }

    /// Asks the engine for its name and version; `None` without an answer, which is no fault.
    ///
    /// # Errors
    /// When it is gone.
    pub fn ask_about(&mut self) -> Result<Option<String>, Failure> {
        self.keep_pause();
        self.write("ABOUT\n")?;
        let about = self.read_line(Instant::now() + ABOUT_PATIENCE)?;
        self.spoke = Instant::now();
        Ok(about)
    }

    /// Sends the command `request` (whole lines) to see if the engine refuses it by `UNKNOWN` or
    /// `ERROR`. The engine must be ended then, for its answer may still come: a refusal comes at
    /// once, and nothing else is waited for.
    ///
    /// # Errors
    /// [`Failure::Refused`], or when the engine is gone.
    pub fn try_command(&mut self, request: &str) -> Result<(), Failure> {
        self.keep_pause();
        self.write(request)?;
        let deadline = Instant::now() + ABOUT_PATIENCE;
        while let Some(answer) = self.read_line(deadline)? {
            let word = answer.split_whitespace().next().unwrap_or_default();
            if ["UNKNOWN", "ERROR"]
                .iter()
                .any(|no| word.eq_ignore_ascii_case(no))
            {
                let request = request.split_whitespace().next().unwrap_or_default();
                return Err(Failure::Refused {
                    request: request.to_string(),
                    answer: shorten(&answer),
                });
            }
            if OpeningReply::parse(&answer).is_some() {
                break;
            }
        }
        Ok(())
    }

    fn settings_text(&self, rule: Rule, clock: &Clock) -> String {
        let spec = &self.spec;
        let limits = &spec.limits;
        // Without a time limit the engine gets the longest wait, which is the actual limit.
        let turn_ms = clock.turn_ms().unwrap_or(limits.hang.as_millis() as u64);
        let mut pairs: Vec<(&str, String)> = vec![
            ("rule", rule.info_code().to_string()),
            ("timeout_turn", turn_ms.to_string()),
            ("timeout_match", clock.match_ms().to_string()),
            (
                "max_memory",
                spec.memory.unwrap_or(DEFAULT_MEMORY).to_string(),
            ),
        ];
        if !limits.time.increment.is_zero() {
            let increment = limits.time.increment.as_millis();
            pairs.push(("time_increment", increment.to_string()));
        }
        if let Some(nodes) = limits.nodes {
            pairs.push(("max_node", nodes.to_string()));
        }
        if let Some(depth) = limits.depth {
            pairs.push(("max_depth", depth.to_string()));
        }
        if let Some(threads) = spec.threads {
            pairs.push(("thread_num", threads.to_string()));
        }
        if let Some(hash) = spec.hash {
            pairs.push(("hash_size", (hash >> 10).to_string()));
        }
        let mut text = String::new();
        let own = spec.options.iter().map(|(k, v)| (k.as_str(), v.clone()));
        for (key, value) in pairs.into_iter().chain(own) {
            let _ = writeln!(text, "INFO {key} {value}");
        }
        text
    }

    /// Asks for a move: sends the settings due, the time left and `request` (whole lines), and
    /// waits for the answer at most as long as `clock` allows, tolerance included.
    ///
    /// # Errors
    /// When no answer comes in time, or the engine is gone.
    pub fn ask(&mut self, request: &str, clock: &Clock) -> Result<Answer, Failure> {
        self.ask_for(request, clock, Reply::parse)
    }

    /// The same for an answer of another kind: the first line that `read` understands.
    ///
    /// # Errors
    /// As those of [`ask`](Session::ask).
    pub fn ask_for<R>(
        &mut self,
        request: &str,
        clock: &Clock,
        read: impl Fn(&str) -> Option<R>,
    ) -> Result<Answer<R>, Failure> {
        let limits = self.spec.limits;
        self.drain(|line| match Reply::parse(line) {
            Some(_) => Err(Failure::Unasked(line.to_string())),
            None => Ok(()),
        })?;
        let mut text = std::mem::take(&mut self.settings);
        if text.is_empty() && limits.time.byo_yomi.is_some() {
            // Entering byo-yomi changes the time for one move.
            if let Some(turn_ms) = clock.turn_ms() {
                let _ = writeln!(text, "INFO timeout_turn {turn_ms}");
            }
        }
        let _ = writeln!(text, "INFO time_left {}", clock.time_left_ms());
        text.push_str(request);
        let patience = clock
            .allowed()
            .map_or(limits.hang, |allowed| allowed + limits.tolerance);
        self.keep_pause();
        let asked = Instant::now();
        self.write(&text)?;
        let mut thought = ReportedSearch::default();
        let mut other: Option<String> = None;
        loop {
            let Some(line) = self.read_line(asked + patience)? else {
                let half = String::from_utf8_lossy(&self.buffer);
                let said = match (half.trim(), other) {
                    ("", None) => String::new(),
                    ("", Some(line)) => format!(", last said '{}'", shorten(line.trim())),
                    (half, _) => format!(", half a line: '{}'", shorten(half)),
                };
                return Err(Failure::Silent {
                    waited: patience,
                    said,
                });
            };
            let elapsed = asked.elapsed();
            if let Some(reply) = read(&line) {
                self.spoke = Instant::now();
                self.refuse_second_answer()?;
                return Ok(Answer {
                    reply,
                    elapsed,
                    thought,
                });
            }
            thought.read(&line);
            if !line.trim().is_empty() {
                other = Some(line);
            }
        }
    }

    /// A second move that came together with the first.
    fn refuse_second_answer(&mut self) -> Result<(), Failure> {
        while let Some(line) = self.take_line() {
            if Reply::parse(&line).is_some() {
                return Err(Failure::Unasked(line));
            }
        }
        Ok(())
    }

    /// Ends the engine: END, a short time to exit, then force.
    pub fn end(mut self) {
        if self.write("END\n").is_ok() {
            self.child.end(END_PATIENCE);
        } else {
            self.child.end(Duration::ZERO);
        }
    }

    fn keep_pause(&self) {
        let pause = self.spec.pause.saturating_sub(self.spoke.elapsed());
        if !pause.is_zero() {
            std::thread::sleep(pause);
        }
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        if let Some(trace) = &mut self.trace {
            trace.note('>', text);
        }
        match self.child.write_all(text.as_bytes(), WRITE_PATIENCE) {
            Ok(()) => Ok(()),
            Err(e) if is_timeout(&e) => Err(Failure::Deaf),
            Err(_) => Err(self.why_closed("input")),
        }
    }

    /// The next whole line, without its end; `None` at the deadline.
    fn read_line(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        let mut chunk = [0; 4096];
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Some(line));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            self.check_memory()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            match self.child.read(&mut chunk, left.min(SLICE)) {
                Read::Bytes(n) => self.keep(&chunk[..n]),
                // A forked process may hold the pipe open after the engine's end.
                Read::TimedOut => {
                    if let Some(status) = self.child.wait_exit(Duration::ZERO) {
                        self.check_memory()?;
                        return Err(Failure::Exited(describe_exit(status)));
                    }
                }
                Read::Closed => return Err(self.why_closed("output")),
            }
        }
    }

    /// Adds output to the buffer, each line cut at [`LINE_LIMIT`].
    fn keep(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if self.skipping {
            match rest.iter().position(|b| is_line_end(*b)) {
                Some(end) => {
                    rest = &rest[end..];
                    self.skipping = false;
                }
                None => return,
            }
        }
        self.buffer.extend_from_slice(rest);
        if self.buffer.len() > LINE_LIMIT && !self.buffer.iter().any(|b| is_line_end(*b)) {
            self.buffer.truncate(LINE_LIMIT);
            self.skipping = true;
        }
    }

    /// Takes the first whole line out of the buffer; `None` without one.
    fn take_line(&mut self) -> Option<String> {
        let end = self.buffer.iter().position(|b| is_line_end(*b))?;
        let line = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
        self.buffer.drain(..=end);
        if let Some(trace) = &mut self.trace {
            trace.note('<', &line);
        }
        Some(line)
    }

    /// Reads the lines printed before a request and shows each to `judge`.
    fn drain(&mut self, judge: impl Fn(&str) -> Result<(), Failure>) -> Result<(), Failure> {
        let start = Instant::now();
        let mut chunk = [0; 4096];
        loop {
            while let Some(line) = self.take_line() {
                judge(&line)?;
            }
            self.check_memory()?;
            match self.child.read(&mut chunk, Duration::ZERO) {
                Read::Bytes(n) => self.keep(&chunk[..n]),
                Read::TimedOut => return Ok(()),
                Read::Closed => return Err(self.why_closed("output")),
            }
            if start.elapsed() > DRAIN_TIME {
                return Ok(());
            }
        }
    }

    fn check_memory(&self) -> Result<(), Failure> {
        match &self.usage {
            Some(usage) if usage.exceeded() => Err(Failure::Memory {
                used: usage.peak(),
                limit: self.spec.memory.unwrap_or(0),
            }),
            _ => Ok(()),
        }
    }

    /// The failure of an engine whose `pipe` is closed.
    fn why_closed(&mut self, pipe: &'static str) -> Failure {
        let status = self.child.wait_exit(EXIT_PATIENCE);
        match (self.check_memory(), status) {
            (Err(memory), _) => memory,
            (Ok(()), Some(status)) => Failure::Exited(describe_exit(status)),
            (Ok(()), None) => Failure::Disconnected(pipe),
        }
    }
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// True if the system refused a process, a thread or a file for want of room.
fn is_shortage(error: &io::Error) -> bool {
    /// `ENFILE` and `EMFILE`.
    #[cfg(unix)]
    const NO_FILES: [i32; 2] = [libc::ENFILE, libc::EMFILE];
    /// `ERROR_TOO_MANY_OPEN_FILES` and `ERROR_NO_SYSTEM_RESOURCES`.
    #[cfg(windows)]
    const NO_FILES: [i32; 2] = [4, 1450];
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::OutOfMemory)
        || error
            .raw_os_error()
            .is_some_and(|code| NO_FILES.contains(&code))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

/// At most 80 characters, for a message.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
