//! The words of the database, of reviews and of problems, spoken with the real binary.

#[path = "../../../tests/common/mod.rs"]
#[allow(dead_code)]
mod common;

mod damaged_database;
mod database;
mod files;
mod page_reasons;
mod review;
mod solve;
