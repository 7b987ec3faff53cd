//! The binary `pbrain-tengen`: starts the log, runs the command line and prints the one error. Without
//! the feature `tools` it speaks the protocol alone.

use std::process::ExitCode;

#[cfg(feature = "tools")]
use tengen::streams::{eprint_line, on_one_line};

#[cfg(feature = "tools")]
fn main() -> ExitCode {
    // Without RUST_LOG there is no logger at all, and standard error stays silent.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    // Windows' shells leave `*.txt` to the program; elsewhere these are the plain arguments.
    tengen::cli::run(wild::args_os()).unwrap_or_else(|error| {
        let text = on_one_line(&error.to_string());
        eprint_line(format_args!("pbrain-tengen: {text}"));
        ExitCode::from(error.exit_code())
    })
}

#[cfg(not(feature = "tools"))]
fn main() -> ExitCode {
    let first = std::env::args_os().nth(1);
    match first.as_ref().and_then(|argument| argument.to_str()) {
        Some("--version" | "-V" | "--help" | "-h") => {
            println!(
                "pbrain-tengen {}: a build for managers alone, without subcommands",
                env!("CARGO_PKG_VERSION")
            );
            ExitCode::SUCCESS
        }
        // Some managers pass arguments of their own.
        _ => tengen::protocol::run(),
    }
}
