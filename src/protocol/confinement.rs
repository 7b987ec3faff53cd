//! Bounds of a session whose manager may not use this machine freely, such as a page in a browser.

use std::sync::Arc;

use crate::database::Database;

/// Bounds of a session: no file is reachable but one database, which is open already and may be shared
/// with other sessions, and the engine has a share of the machine.
#[derive(Clone)]
pub struct Confinement {
    /// The only database.
    pub database: Option<Arc<Database>>,
    /// Most search threads.
    pub threads: usize,
    /// Most memory in bytes.
    pub memory: u64,
}

/// The answer to a command that names a file.
pub const NO_FILES: &str = "files cannot be reached from here";
