//! The words TENGENREVIEW and TENGENSOLVE of the protocol.

mod review;
mod review_arguments;
mod review_task;
mod solve;
mod solve_task;

use tengen::protocol::Dialect::Gomocup;
use tengen::protocol::DuringSearch::StopsIt;
use tengen::protocol::Needs::Board;
use tengen::protocol::{CommandSpec, Form};

use review_arguments::after_options;

/// The rows of these words, for a session's host.
pub const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        &["TENGENREVIEW"],
        Gomocup,
        StopsIt,
        Board,
        Form::LineAndBlock(after_options),
        review::review,
    ),
    CommandSpec::new(
        &["TENGENSOLVE"],
        Gomocup,
        StopsIt,
        Board,
        Form::Line,
        solve::solve,
    ),
];
