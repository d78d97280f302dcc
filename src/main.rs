//! The process: its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    reporecall::cli::main()
}
