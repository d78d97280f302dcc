//! Starting the daemon apart from this process: nothing is waited for, and it outlives whoever started it. Read [`start`] first.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Starts the daemon of the project at `root` with further arguments of `reporecall serve`.
///
/// # Errors
/// The program cannot be started again.
pub fn start(root: &Path, args: &[&str]) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("--project").arg(root).arg("serve").args(args).current_dir(root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C in the terminal is meant for whoever runs there.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x8;
        const NEW_PROCESS_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(&mut command, DETACHED_PROCESS | NEW_PROCESS_GROUP);
    }
    command.spawn().map(drop)
}
