//! The board in a browser: a small HTTP server on this machine. The server gives out the page, and
//! over WebSockets lets the page talk the protocol, each socket to an engine of its own.
//!
//! Only the holder of the token printed at the start gets an engine. Threads and blocking streams
//! do all the work: one user needs no more, and a thread that waits for its client delays nobody
//! else.

mod access;
mod limits;
mod page;
mod request;
mod response;
mod server;
mod socket;

pub use page::{Page, PageError, is_match_report};
pub use server::{ServeError, Server, Settings, Stopper, USUAL_PORT};
