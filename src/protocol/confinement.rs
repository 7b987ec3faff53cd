//! Bounds of a session whose manager may not use this machine freely, such as a page in a browser.

/// Bounds of a session: no file is reachable by its name, and the engine has a share of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Confinement {
    /// Most search threads.
    pub threads: usize,
    /// Most memory in bytes.
    pub memory: u64,
}

/// The answer to a command that names a file.
pub const NO_FILES: &str = "files cannot be reached from here";
