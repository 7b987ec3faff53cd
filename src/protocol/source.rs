//! Where commands come from.

use std::io;

use crate::streams::is_regular_file;

/// Who says the commands, and so what their pace and the end of the input mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A manager or a person, who hears the answers: a new command may cut a search short, and the
    /// end of the input means that nobody is left.
    Manager,
    /// A regular file, whose author heard no answer: each command waits for the answers to those
    /// before it, and the last one is answered too.
    File,
}

impl Source {
    /// What standard input is.
    pub fn of_standard_input() -> Source {
        match is_regular_file(&io::stdin()) {
            true => Source::File,
            false => Source::Manager,
        }
    }
}
