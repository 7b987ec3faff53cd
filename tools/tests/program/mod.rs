//! Runs of the real program.

#![allow(dead_code, reason = "no test needs all of it")]

use std::path::Path;
use std::process::{Command, Output};

/// The program.
pub const TENGEN: &str = env!("CARGO_BIN_EXE_tengen");

/// The texts that a run printed, and its exit status.
#[derive(Debug)]
pub struct Run {
    pub out: String,
    pub err: String,
    pub status: Option<i32>,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Run {
            out: text(output.stdout),
            err: text(output.stderr),
            status: output.status.code(),
        }
    }
}

impl Run {
    /// Standard output of a run that must succeed.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!(self.status, Some(0), "{self:?}");
        self.out
    }

    /// Standard error of a run that must end with `status`.
    #[track_caller]
    pub fn complaint(self, status: i32) -> String {
        assert_eq!(self.status, Some(status), "{self:?}");
        self.err
    }
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Run {
    command.output().expect("the program starts").into()
}

/// A call of the program in `directory` with the words of a text.
pub fn call(directory: &Path, words: &str) -> Command {
    let mut command = Command::new(TENGEN);
    command
        .current_dir(directory)
        .args(words.split_whitespace());
    command
}
