//! Logs of conversations.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use tengen::files::create_file;

/// A log of one conversation with times, for a user in search of a fault.
pub struct Trace {
    file: File,
    start: Instant,
}

impl Trace {
    /// Begins the log of an engine's process in a folder, in the place of an earlier one. `None` if
    /// the log cannot be written: that must not cost an engine its game.
    pub fn begin(directory: &Path, engine: &str, process: u32) -> Option<Trace> {
        let path = log_of(directory, engine, &format!("-{process}.log"));
        let file = create_file(&path, is_trace).ok()?;
        Some(Trace {
            file,
            start: Instant::now(),
        })
    }

    /// Notes a line with its sign: `>` to the engine, `<` by the engine.
    pub fn note(&mut self, sign: char, text: &str) {
        let ms = self.start.elapsed().as_secs_f64() * 1e3;
        for line in text.lines() {
            // As above: a full disk costs the log, not the game.
            let _ = writeln!(self.file, "{ms:>12.3} {sign} {line}");
        }
    }
}

/// The file `NAME.err` in a folder, to which all processes of an engine append their standard
/// error; nowhere if the file cannot be opened.
pub fn standard_error(directory: &Path, engine: &str) -> Stdio {
    let path = log_of(directory, engine, ".err");
    let file = File::options().create(true).append(true).open(path);
    file.map_or_else(|_| Stdio::null(), Stdio::from)
}

/// The path of a log in `directory`: the engine's letters and digits, then `end`.
fn log_of(directory: &Path, engine: &str, end: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let name: String = engine.chars().map(plain).collect();
    directory.join(name + end)
}

/// True if a file that begins with `head` is a log of this kind.
fn is_trace(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut words = text.split_ascii_whitespace();
    let ms = words.next().map(str::parse::<f64>);
    matches!((ms, words.next()), (Some(Ok(_)), Some(">" | "<")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_earlier_logs_are_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a-1.log");
        for _ in 0..2 {
            let mut trace = Trace::begin(dir.path(), "a", 1).unwrap();
            trace.note('>', "START 15");
        }
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
        fs::write(&path, "notes of mine").unwrap();
        assert!(Trace::begin(dir.path(), "a", 1).is_none());
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes of mine");
    }
}
