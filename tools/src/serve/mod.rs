//! The board in a browser: a small HTTP server on this machine that gives out the page, and over
//! WebSockets lets it talk the protocol, each socket to an engine of its own.
//!
//! Only who knows the token that was printed at the start gets an engine. Threads and blocking streams
//! do all of it: one user needs no more, and a thread that waits for its client keeps nobody else.

mod access;
mod limits;
mod page;
mod request;
mod response;
mod server;
mod socket;

pub use page::{Page, PageError, is_match_report};
pub use server::{ServeError, Server, Settings, Stopper};
