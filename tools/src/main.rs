//! The program `tengen` for people: starts the log, runs the command line and prints its one error.

use std::process::ExitCode;

use tengen::streams::{eprint_line, on_one_line};

fn main() -> ExitCode {
    // Without RUST_LOG there is no logger, and standard error stays silent.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    // Windows' shells leave `*.txt` to the program; on other systems these are the plain arguments.
    tengen_tools::cli::run(wild::args_os()).unwrap_or_else(|error| {
        let text = on_one_line(&error.to_string());
        eprint_line(format_args!("tengen: {text}"));
        ExitCode::from(error.exit_code())
    })
}
