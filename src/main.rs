//! The binary `pbrain-tengen`: starts the log, runs the command line and prints the one error.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Without RUST_LOG there is no logger at all, and standard error stays silent.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    // Windows' shells leave `*.txt` to the program; elsewhere these are the plain arguments.
    tengen::cli::run(wild::args_os()).unwrap_or_else(|error| {
        eprintln!("pbrain-tengen: {error}");
        ExitCode::from(error.exit_code())
    })
}
