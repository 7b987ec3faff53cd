//! A sequence of commands sent to a session, with its answers held against the model.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{Command, Style};
use crate::link::{Heard, Link};
use crate::model::Model;

/// Longest time for an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// A search without a small limit is stopped after this.
const UNLIMITED: Duration = Duration::from_millis(30);
/// Lines must be shorter than this.
const MAX_LINE: usize = 1_000;

/// The manager's act after writing a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Then {
    /// The next command stands in the same write.
    Join,
    /// The command is sent.
    Send,
    /// The command is sent, and the next one comes a little later.
    Pause,
    /// The command is sent, and all answers so far are awaited.
    Wait,
}

/// One command of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub command: Command,
    pub style: Style,
    pub then: Then,
    /// Splits the write at this byte, if the write is long enough.
    pub cut: usize,
}

/// A sequence of commands. If it ends early, `END` comes before all answers.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub steps: Vec<Step>,
    pub ends_early: bool,
}

/// The place where a session and the model disagree.
#[derive(Debug)]
pub struct Failure {
    why: String,
    transcript: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.why, self.transcript.join("\n"))
    }
}

/// The reason why a sequence cannot go on.
pub enum Trouble {
    /// The output is over.
    Ended,
    /// The session did something wrong.
    Wrong(String),
}

/// Shorthand for a wrong line.
pub fn wrong<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(why.into()))
}

/// The lines of a session.
pub trait Lines {
    /// The next line. A search without a small limit is stopped.
    fn next(&mut self, is_limited: bool) -> Result<String, Trouble>;
}

struct Talk<L> {
    link: L,
    transcript: Vec<String>,
    /// Written, but not sent yet.
    unsent: Vec<u8>,
}

impl<L: Link> Talk<L> {
    fn note(&mut self, sign: char, text: &str) {
        let text: String = text.escape_debug().take(400).collect();
        self.transcript.push(format!("{sign} {text}"));
    }

    fn send(&mut self, cut: usize) {
        let bytes = std::mem::take(&mut self.unsent);
        let (first, rest) = bytes.split_at(cut.min(bytes.len()));
        for part in [first, rest] {
            if !part.is_empty() {
                self.note('>', &String::from_utf8_lossy(part));
                self.link.send(part);
            }
        }
    }
}

impl<L: Link> Lines for Talk<L> {
    fn next(&mut self, is_limited: bool) -> Result<String, Trouble> {
        let since = Instant::now();
        let mut is_stopped = is_limited;
        loop {
            let limit = if is_stopped { PATIENCE } else { UNLIMITED };
            match self.link.hear(limit) {
                Heard::Line(text) => {
                    self.note('<', &text);
                    let Some(line) = text.strip_suffix('\n') else {
                        return wrong("a write that is no whole line");
                    };
                    let is_sound = !line.is_empty()
                        && line.len() < MAX_LINE
                        && line.is_ascii()
                        && line.trim() == line
                        && !line.contains(['\n', '\r']);
                    if !is_sound {
                        return wrong("a line that no manager bears");
                    }
                    return Ok(line.to_string());
                }
                Heard::End => return Err(Trouble::Ended),
                Heard::Silence if since.elapsed() >= PATIENCE => {
                    return wrong("an answer is missing");
                }
                Heard::Silence => {
                    is_stopped = true;
                    self.note('>', "YXSTOP");
                    self.link.send(b"YXSTOP\n");
                }
            }
        }
    }
}

/// Talks to a session and holds its answers against the model.
pub fn converse<L: Link>(sequence: &Sequence, link: L) -> Result<(), Failure> {
    let mut talk = Talk {
        link,
        transcript: Vec::new(),
        unsent: Vec::new(),
    };
    let mut result = exchange(sequence, &mut talk);
    let Talk {
        link,
        mut transcript,
        ..
    } = talk;
    if result.is_ok() {
        result = link.verdict();
    }
    result.map_err(|why| {
        transcript.push(String::new());
        Failure { why, transcript }
    })
}

fn exchange<L: Link>(sequence: &Sequence, talk: &mut Talk<L>) -> Result<(), String> {
    let mut model = Model::default();
    let mut unanswered = Vec::new();
    for step in &sequence.steps {
        let command = step.command.resolved(model.board());
        talk.unsent.extend(command.bytes(step.style));
        unanswered.push(command);
        match step.then {
            Then::Join => {}
            Then::Send => talk.send(step.cut),
            Then::Pause => {
                talk.send(step.cut);
                thread::sleep(Duration::from_millis(1));
            }
            Then::Wait => {
                talk.send(step.cut);
                for command in unanswered.drain(..) {
                    fine(model.take(&command, talk), false)?;
                }
                fine(model.settle(talk), false)?;
            }
        }
    }
    talk.send(usize::MAX);
    if sequence.ends_early {
        talk.unsent.extend(b"END\n");
        talk.send(usize::MAX);
    }
    for command in &unanswered {
        fine(model.take(command, talk), sequence.ends_early)?;
    }
    fine(model.settle(talk), sequence.ends_early)?;
    talk.link.close();
    match model.expect_nothing(talk) {
        Err(Trouble::Ended) => Ok(()),
        Err(Trouble::Wrong(why)) => Err(why),
        Ok(()) => Ok(()),
    }
}

fn fine(result: Result<(), Trouble>, may_end: bool) -> Result<(), String> {
    match result {
        Err(Trouble::Wrong(why)) => Err(why),
        Err(Trouble::Ended) if !may_end => Err("the session ended".to_string()),
        Ok(()) | Err(Trouble::Ended) => Ok(()),
    }
}
