//! The steps of opening rules as managers ask for them.

mod ask;
mod talk;

#[cfg(test)]
mod tests;

pub use ask::{ask, Ask, Layout};
pub use talk::{decide, settle, words, Opening};
