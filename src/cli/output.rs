//! How answers and errors leave the process: standard output, standard error, colours, exit codes. Read [`fail`] first.

use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::config;
use crate::engine::Fault;
use crate::eval::SuiteError;

/// A failure on its way to the user.
pub(super) struct Failure {
    fault: Fault,
    /// The reader of our output has gone; nobody is there to be told.
    closed: bool,
}

impl Failure {
    pub(super) fn of(error: &anyhow::Error) -> Self {
        let closed = |cause: &(dyn std::error::Error + 'static)| {
            let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
            let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
            io.or(json) == Some(io::ErrorKind::BrokenPipe)
        };
        let mut fault = Fault::of(error);
        let of_suite = || error.chain().find_map(|cause| cause.downcast_ref::<SuiteError>().map(SuiteError::hint));
        fault.hint = fault.hint.or_else(of_suite);
        Self { fault, closed: error.chain().any(closed) }
    }
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: &'a str,
    message: &'a str,
    hint: Option<&'a str>,
}

/// Prints an error with its hint, as JSON on standard output when that was asked for, and gives the exit code.
pub(super) fn fail(failure: &Failure, as_json: bool) -> ExitCode {
    if failure.closed {
        return ExitCode::SUCCESS;
    }
    let fault = &failure.fault;
    let printed = if as_json {
        let error = ErrorBody { code: fault.code.as_str(), message: &fault.message, hint: fault.hint.as_deref() };
        json(&ErrorJson { error })
    } else {
        to_stderr(fault)
    };
    // Without standard streams the exit code is all that can be said.
    drop(printed);
    ExitCode::from(fault.code.exit())
}

/// Says something on standard error that does not end the work.
pub(super) fn warn(message: &str) {
    // A closed standard error must not end it either.
    drop(writeln!(io::stderr(), "warning: {}", plain(message)));
}

/// Standard output.
pub(super) fn out() -> io::StdoutLock<'static> {
    io::stdout().lock()
}

/// Prints a value as indented JSON.
pub(super) fn json<T: Serialize>(value: &T) -> anyhow::Result<()> {
    let mut out = out();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(())
}

/// Text in bold on a terminal that wants colours.
pub(super) fn strong(text: &str) -> String {
    styled(text, "1")
}

pub(super) fn dim(text: &str) -> String {
    styled(text, "2")
}

/// `1 file`, `1,234 files`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// Digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in the unit that reads best.
pub(super) fn bytes(count: u64) -> String {
    indicatif::HumanBytes(count).to_string()
}

/// Text from files for one line: control characters but tabs are shown as replacement characters, so that a file cannot drive the
/// terminal.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect()
}

fn styled(text: &str, code: &str) -> String {
    if io::stdout().is_terminal() && !config::no_color() {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}

fn to_stderr(fault: &Fault) -> anyhow::Result<()> {
    let mut err = io::stderr().lock();
    writeln!(err, "error: {}", plain(&fault.message))?;
    if let Some(hint) = &fault.hint {
        writeln!(err, "hint: {}", plain(hint))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([grouped(7), grouped(1000), grouped(1_234_567)], ["7", "1,000", "1,234,567"]);
    }

    #[test]
    fn escape_sequences_in_source_do_not_reach_the_terminal() {
        assert_eq!(plain("a\x1b[31mb\tc\n"), "a\u{fffd}[31mb\tc\u{fffd}");
    }
}
