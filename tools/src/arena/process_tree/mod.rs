//! An engine's process with all its descendants, to end them all.
//!
//! | system | what an engine started | when the arena itself is killed |
//! |---|---|---|
//! | Linux | its process group, and what left it: this process adopts orphans | the engine's first process is killed |
//! | Windows | a job object, which no process can leave | a job object around all engines ends them |
//! | others | its process group; what leaves the group lives on | engines see the end of their input |

#[cfg(not(any(target_os = "linux", windows)))]
mod group;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

#[cfg(not(any(target_os = "linux", windows)))]
pub use group::{ProcessTree, orphans_of};
#[cfg(target_os = "linux")]
pub use linux::{ProcessTree, orphans_of};
#[cfg(windows)]
pub use windows::{ProcessTree, orphans_of};
