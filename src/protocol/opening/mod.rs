//! The steps of opening rules as managers ask for them.

mod ask;
mod talk;

#[cfg(test)]
mod tests;

pub use ask::{Ask, Layout, ask};
pub use talk::{Opening, decide, settle, words};
