//! The steps of opening rules as managers ask for them.

mod answer;
mod task;

#[cfg(test)]
mod tests;

pub use answer::replies;
pub use task::{OpeningTask, decide, take_step};

use super::text::integer;

/// The number, such as of fifth stones, at the start of the text after a command's word.
pub fn leading_number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    // A cell such as 7,7 or 7 , 7 is no number.
    integer(word).filter(|_| !rest.trim_start().starts_with(','))
}
