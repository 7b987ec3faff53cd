//! The steps of opening rules as managers ask for them.

mod answer;
mod command;
mod task;

#[cfg(test)]
mod tests;

pub use answer::replies;
pub use command::{
    OpeningCommand, STONES_BEFORE_OFFER, StonesFrom, opening_command, opening_words,
};
pub use task::{OpeningTask, decide, take_step};
