//! `reporecall hook`: one line of JSON on standard output and exit code 0, whatever happens. To some clients another code means that
//! the prompt is to be blocked.

use std::ffi::OsString;
use std::io::{Write as _, stdin};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;

use super::args::{HookArgs, HookClient};
use super::output::out;
use crate::hook::{self, Call, Client};

pub(super) fn run(args: HookArgs, project: Option<PathBuf>) -> ExitCode {
    let client = match args.client {
        HookClient::Claude => Client::Claude,
        HookClient::Codex => Client::Codex,
        HookClient::Gemini => Client::Gemini,
        HookClient::Cursor => Client::Cursor,
    };
    say(&hook::run(Call { event: args.event, client, project }, stdin()))
}

/// Wrong arguments: what clap says of them, but of a hook an empty answer.
pub(super) fn or_usage(error: &clap::Error) -> ExitCode {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_hook(std::env::args_os()) && !asked {
        return say("{}");
    }
    error.exit()
}

fn say(json: &str) -> ExitCode {
    // Nobody is there to be told.
    drop(writeln!(out(), "{json}"));
    ExitCode::SUCCESS
}

/// The first word that is no option and no option's value.
fn is_hook(args: impl Iterator<Item = OsString>) -> bool {
    let mut args = args.skip(1);
    while let Some(arg) = args.next() {
        if arg == "--project" {
            args.next();
        } else if !arg.to_string_lossy().starts_with('-') {
            return arg == "hook";
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_hook;

    #[test]
    fn only_a_hook_forgives_wrong_arguments() {
        let is_hook = |line: &str| is_hook(line.split(' ').map(Into::into));
        for hook in [
            "reporecall hook",
            "reporecall hook prompt --nope",
            "reporecall --project /p hook x",
            "reporecall --project=/p hook",
        ] {
            assert!(is_hook(hook), "{hook}");
        }
        for other in ["reporecall", "reporecall search hook", "reporecall --project hook index"] {
            assert!(!is_hook(other), "{other}");
        }
    }
}
