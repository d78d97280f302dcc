//! `reporecall index`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;

use super::args::IndexArgs;
use super::output::{counted, json, out, plain};
use super::progress::watched;
use crate::engine::{Engine, IndexReport, IndexRequest};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportJson<'a> {
    files: u64,
    chunks: u64,
    symbols: u64,
    indexed: u64,
    unchanged: u64,
    removed: u64,
    files_with_errors: u64,
    files_given_up: u64,
    skipped: &'a BTreeMap<&'static str, u64>,
    failures: Vec<FailureJson<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct FailureJson<'a> {
    path: &'a str,
    message: &'a str,
}

pub(super) fn run(engine: &Engine, args: &IndexArgs) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let request = IndexRequest { full: args.full, ..IndexRequest::default() };
    let done = watched(args.quiet || args.json, |watch| engine.index(request, watch))??;
    if args.quiet && !args.json { Ok(code(&done)) } else { report(&done, started, args.json) }
}

/// Prints what a run did and gives the exit code.
pub(super) fn report(done: &IndexReport, started: Instant, as_json: bool) -> anyhow::Result<ExitCode> {
    let seconds = started.elapsed().as_secs_f64();
    if as_json {
        json(&report_json(done, seconds))?;
    } else {
        print(done, seconds)?;
    }
    Ok(code(done))
}

fn code(done: &IndexReport) -> ExitCode {
    if done.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn report_json(report: &IndexReport, seconds: f64) -> ReportJson<'_> {
    let failures = report.failures.iter().map(|(path, message)| FailureJson { path: path.as_str(), message });
    ReportJson {
        files: report.files,
        chunks: report.chunks,
        symbols: report.symbols,
        indexed: report.indexed,
        unchanged: report.unchanged,
        removed: report.removed,
        files_with_errors: report.files_with_errors,
        files_given_up: report.files_given_up,
        skipped: &report.skipped,
        failures: failures.collect(),
        seconds,
    }
}

fn print(report: &IndexReport, seconds: f64) -> anyhow::Result<()> {
    let mut out = out();
    writeln!(
        out,
        "{}, {}, {} in {seconds:.2} s",
        counted(report.files, "file"),
        counted(report.chunks, "chunk"),
        counted(report.symbols, "symbol")
    )?;
    writeln!(out, "  indexed {}, unchanged {}, removed {}", report.indexed, report.unchanged, report.removed)?;
    if !report.skipped.is_empty() {
        let reasons: Vec<String> = report.skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        writeln!(out, "  left out: {}", reasons.join(", "))?;
    }
    if report.files_with_errors > 0 {
        writeln!(out, "  with syntax errors (indexed around them): {}", counted(report.files_with_errors, "file"))?;
    }
    if report.files_given_up > 0 {
        writeln!(out, "  too costly to parse (indexed as plain text): {}", counted(report.files_given_up, "file"))?;
    }
    for (path, message) in &report.failures {
        writeln!(out, "  failed: {}: {}", plain(path.as_str()), plain(message))?;
    }
    Ok(())
}
