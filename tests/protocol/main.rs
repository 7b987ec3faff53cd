//! The protocol in the view of managers, spoken with the real binary. Each theme has one module;
//! the numbers in the tests' names are those of the conformance cases.

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod command_files;
mod games;
mod gui;
mod managers;
#[cfg(target_os = "linux")]
mod memory;
mod openings;
mod requests;
mod robustness;
mod start;
mod swap2;
mod tactics;
mod time;
