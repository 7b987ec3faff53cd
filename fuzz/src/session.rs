//! A manager that talks to a session in this process.

use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex};

use tengen::protocol::{Source, converse};
use tengen_database::commands::CurrentDatabase;
use tengen_tools::host::host;

/// The manager's condition for going on.
#[derive(Clone, Debug)]
pub enum Until {
    /// This many answers since the session began.
    Answers(usize),
    /// An answer that contains this text.
    Text(String),
}

/// Lines that the manager sends together, and the condition for going on afterwards.
#[derive(Clone, Debug)]
pub struct Part {
    /// The lines.
    pub lines: Vec<u8>,
    /// The condition for the next part.
    pub until: Until,
}

/// Lets a session run through `parts`; returns all printed lines. A missing answer makes this wait
/// for ever; the fuzzer reports such an input as too slow.
pub fn replies_to(parts: Vec<Part>) -> Vec<String> {
    let heard = Arc::new(Heard::default());
    let feed = Feed {
        parts: parts.into_iter(),
        rest: io::Cursor::new(Vec::new()),
        until: Until::Answers(0),
        heard: Arc::clone(&heard),
    };
    let host = host(CurrentDatabase::default(), None);
    converse(host, feed, Source::Manager, Ear(Arc::clone(&heard)));
    let bytes = heard.bytes.lock().expect("no thread panicked");
    let text = std::str::from_utf8(&bytes).expect("replies are UTF-8");
    assert!(
        text.is_empty() || text.ends_with('\n'),
        "half a line: {text:?}"
    );
    text.lines().map(str::to_string).collect()
}

/// True if a line answers a command; other lines are for people, or for GUIs that asked for them.
pub fn is_answer(line: &str) -> bool {
    !["MESSAGE", "INFO", "DEBUG"]
        .iter()
        .any(|word| line.starts_with(word))
}

/// True if a line is a list of cells, as moves are.
pub fn is_cells(line: &str) -> bool {
    let is_number = |text: &str| text.parse::<u8>().is_ok_and(|n| n < 22);
    line.split(' ').all(|cell| {
        cell.split_once(',')
            .is_some_and(|(x, y)| is_number(x) && is_number(y))
    })
}

/// True if a line answers a step of an opening: `SWAP`, or cells and perhaps a number of fifth
/// stones.
pub fn is_opening_step(line: &str) -> bool {
    let is_number = |text: &str| text.parse::<u8>().is_ok();
    line == "SWAP"
        || is_cells(line)
        || line
            .rsplit_once(' ')
            .is_some_and(|(cells, number)| is_cells(cells) && is_number(number))
}

/// The lines that the session printed.
#[derive(Default)]
struct Heard {
    bytes: Mutex<Vec<u8>>,
    changed: Condvar,
}

impl Heard {
    fn wait(&self, until: &Until) {
        let bytes = self.bytes.lock().expect("no thread panicked");
        let is_missing = |bytes: &mut Vec<u8>| {
            let text = String::from_utf8_lossy(bytes);
            let mut answers = text.lines().filter(|line| is_answer(line));
            match until {
                Until::Answers(0) => false,
                Until::Answers(count) => answers.count() < *count,
                Until::Text(part) => !answers.any(|line| line.contains(part.as_str())),
            }
        };
        drop(
            self.changed
                .wait_while(bytes, is_missing)
                .expect("no thread panicked"),
        );
    }
}

struct Ear(Arc<Heard>);

impl Write for Ear {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .bytes
            .lock()
            .expect("no thread panicked")
            .extend(bytes);
        self.0.changed.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Feed {
    parts: std::vec::IntoIter<Part>,
    /// The rest of the present part.
    rest: io::Cursor<Vec<u8>>,
    until: Until,
    heard: Arc<Heard>,
}

impl Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.rest.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            self.heard.wait(&self.until);
            let Some(part) = self.parts.next() else {
                return Ok(0);
            };
            self.rest = io::Cursor::new(part.lines);
            self.until = part.until;
        }
    }
}
