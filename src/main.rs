//! The binary `pbrain-tengen`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Without RUST_LOG there is no logger at all, and standard error stays silent.
    if std::env::var_os("RUST_LOG").is_some() {
        env_logger::init();
    }
    tengen::protocol::run()
}
