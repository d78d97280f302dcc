//! `reporecall stats`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::args::JsonArgs;
use super::output::{bytes, counted, grouped, json, out, plain};
use super::search::{FreshnessJson, stale_line};
use crate::engine::{Engine, FreshnessLevel, Stats};
use crate::project::DaemonRecord;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatsJson<'a> {
    total_files: u64,
    total_chunks: u64,
    total_symbols: u64,
    total_lines: u64,
    source_bytes: u64,
    languages: &'a BTreeMap<String, u64>,
    files_with_errors: u64,
    files_given_up: u64,
    skipped: &'a BTreeMap<&'static str, u64>,
    largest_skipped: Vec<SkipJson<'a>>,
    last_indexed_at: Option<i64>,
    staleness: FreshnessJson<'a>,
    disk: DiskJson,
    daemon: Option<DaemonJson>,
}

#[derive(Serialize)]
struct DaemonJson {
    pid: u32,
    port: u16,
    version: String,
}

#[derive(Serialize)]
struct SkipJson<'a> {
    path: &'a str,
    reason: &'static str,
    size: u64,
}

/// Bytes.
#[derive(Serialize)]
struct DiskJson {
    metadata: u64,
    fts: u64,
    total: u64,
}

pub(super) fn run(engine: &Engine, args: &JsonArgs) -> anyhow::Result<ExitCode> {
    let stats = engine.stats()?;
    if args.json {
        json(&as_json(&stats, engine.project().daemon().running()))?;
    } else {
        print(engine, &stats)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(stats: &Stats, daemon: Option<DaemonRecord>) -> StatsJson<'_> {
    StatsJson {
        total_files: stats.files,
        total_chunks: stats.chunks,
        total_symbols: stats.symbols,
        total_lines: stats.lines,
        source_bytes: stats.source_bytes,
        languages: &stats.languages,
        files_with_errors: stats.files_with_errors,
        files_given_up: stats.files_given_up,
        skipped: &stats.skipped,
        largest_skipped: stats
            .largest_skipped
            .iter()
            .map(|skip| SkipJson { path: skip.path.as_str(), reason: skip.reason.as_str(), size: skip.size })
            .collect(),
        last_indexed_at: stats.freshness.last_indexed_at,
        staleness: FreshnessJson::from(&stats.freshness),
        disk: DiskJson { metadata: stats.disk.metadata, fts: stats.disk.fts, total: stats.disk.total() },
        daemon: daemon.map(|daemon| DaemonJson { pid: daemon.pid, port: daemon.port, version: daemon.version }),
    }
}

fn print(engine: &Engine, stats: &Stats) -> anyhow::Result<()> {
    let mut out = out();
    writeln!(out, "project   {}", plain(&engine.project().root.display().to_string()))?;
    writeln!(
        out,
        "index     {}, {}, {}, {}",
        counted(stats.files, "file"),
        counted(stats.chunks, "chunk"),
        counted(stats.symbols, "symbol"),
        counted(stats.lines, "line")
    )?;
    let share = ratio(stats.disk.total(), stats.source_bytes);
    writeln!(out, "disk      {} for {} of source ({share})", bytes(stats.disk.total()), bytes(stats.source_bytes))?;
    let mut languages: Vec<(&String, &u64)> = stats.languages.iter().collect();
    languages.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let languages: Vec<String> = languages.iter().map(|(name, count)| format!("{name} {}", grouped(**count))).collect();
    writeln!(out, "languages {}", languages.join(", "))?;
    if !stats.skipped.is_empty() {
        let reasons: Vec<String> =
            stats.skipped.iter().map(|(reason, count)| format!("{reason} {}", grouped(*count))).collect();
        writeln!(out, "left out  {}", reasons.join(", "))?;
    }
    for skip in &stats.largest_skipped {
        writeln!(out, "          {} ({}, {})", plain(skip.path.as_str()), skip.reason.as_str(), bytes(skip.size))?;
    }
    if stats.files_with_errors > 0 {
        writeln!(out, "syntax    {} with errors, indexed around them", counted(stats.files_with_errors, "file"))?;
    }
    if stats.files_given_up > 0 {
        let files = counted(stats.files_given_up, "file");
        writeln!(out, "parser    {files} given up as too costly, indexed as plain text")?;
    }
    writeln!(out, "freshness {}", freshness_line(stats))?;
    if let Some(daemon) = engine.project().daemon().running() {
        writeln!(out, "daemon    process {} on port {}", daemon.pid, daemon.port)?;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "a ratio shown with two digits")]
fn ratio(part: u64, whole: u64) -> String {
    format!("{:.2} x", part as f64 / whole.max(1) as f64)
}

fn freshness_line(stats: &Stats) -> String {
    match stats.freshness.level {
        FreshnessLevel::Fresh => "fresh".to_owned(),
        FreshnessLevel::Empty => "empty".to_owned(),
        FreshnessLevel::Stale => stale_line(&stats.freshness),
    }
}
