//! Where the log goes: standard error for commands, a file for the daemon. Read [`to_stderr`] first.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

use crate::config;
use crate::daemon::RotatingLog;

/// Warnings, or what the environment asks for.
pub(super) fn to_stderr() {
    let filter = EnvFilter::try_new(config::log_filter()).unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .without_time()
        .init();
}

/// What happens to the daemon, and with `debug` what is asked of it.
pub(super) fn to_file(log: RotatingLog, debug: bool) {
    let filter = EnvFilter::new(if debug { "info,reporecall=debug" } else { "info" });
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Mutex::new(log))
        .with_ansi(false)
        .with_target(false)
        .init();
}
