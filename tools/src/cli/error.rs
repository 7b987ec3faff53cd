use std::fmt::Display;
use std::io;
use std::path::Path;

use tengen::streams::{eprint_line, on_one_line};

/// The failure of a subcommand, shown as one line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments were wrong.
    #[error("{0}")]
    Usage(String),
    /// The arguments were right and the work failed.
    #[error("{0}")]
    Failed(String),
    /// Standard output could not be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// The failure of work on a file or folder.
    pub(super) fn of_file(path: &Path, why: impl Display) -> Error {
        Error::Failed(format!("{}: {why}", path.display()))
    }

    /// A failure with the text of another error.
    pub(super) fn failed(why: impl Display) -> Error {
        Error::Failed(why.to_string())
    }

    /// The exit status: 2 for wrong usage, 1 for failed work.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Usage(_) => 2,
            Error::Failed(_) | Error::Output(_) => 1,
        }
    }
}

/// Writes a warning about work that goes on to standard error.
pub(super) fn warn(text: &str) {
    eprint_line(format_args!("warning: {}", on_one_line(text)));
}

impl From<String> for Error {
    fn from(why: String) -> Error {
        Error::Failed(why)
    }
}

impl From<clap::Error> for Error {
    /// Clap's message and its tips on one line, without the usage text that follows them.
    fn from(error: clap::Error) -> Error {
        let text = error.to_string();
        let mut paragraphs = text.split("\n\n").map(|paragraph| {
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            words.join(" ")
        });
        let first = paragraphs.next().unwrap_or_default();
        let mut line = first.trim_start_matches("error: ").to_string();
        for tip in paragraphs.filter(|p| p.starts_with("tip:")) {
            line.push_str("; ");
            line.push_str(&tip);
        }
        Error::Usage(line)
    }
}
