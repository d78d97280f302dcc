//! The process: log set-up and exit code.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use reporecall::{cli, config};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let filter = EnvFilter::try_new(config::log_filter()).unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .init();
    cli::main()
}
