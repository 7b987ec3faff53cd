//! Logs of conversations.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

/// Everything said, with times, for a user who looks for a fault.
pub struct Trace {
    file: File,
    start: Instant,
}

impl Trace {
    /// Begins the log of an engine's process in a folder; `None` if it cannot be written, which
    /// must not cost an engine its game.
    pub fn begin(directory: &Path, engine: &str, process: u32) -> Option<Trace> {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let name: String = engine.chars().map(plain).collect();
        let file = File::create(directory.join(format!("{name}-{process}.log"))).ok()?;
        Some(Trace {
            file,
            start: Instant::now(),
        })
    }

    /// Notes what was said: `>` to the engine, `<` by it.
    pub fn note(&mut self, sign: char, text: &str) {
        let ms = self.start.elapsed().as_secs_f64() * 1e3;
        for line in text.lines() {
            // As above: a full disk is the user's to notice.
            let _ = writeln!(self.file, "{ms:>12.3} {sign} {line}");
        }
    }
}
