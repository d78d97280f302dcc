//! `reporecall benchmark`.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use serde::Serialize;

use super::args::{BenchmarkArgs, BenchmarkPart, ProjectArg};
use super::output::{json, out, plain};
use crate::eval::{self, Report, Scores, Suite};

#[derive(Serialize)]
struct ParseJson {
    files: usize,
    bytes: u64,
    seconds: f64,
}

pub(super) fn run(project: &ProjectArg, args: &BenchmarkArgs) -> anyhow::Result<ExitCode> {
    match args.part {
        Some(BenchmarkPart::Parse) => parse(project),
        Some(BenchmarkPart::Latency { count }) => {
            json(&eval::latency(&super::engine(project)?, count)?)?;
            Ok(ExitCode::SUCCESS)
        }
        None => suite(args),
    }
}

fn parse(project: &ProjectArg) -> anyhow::Result<ExitCode> {
    let engine = super::engine(project)?;
    let started = Instant::now();
    let (files, bytes) = engine.parse_all()?;
    json(&ParseJson { files, bytes, seconds: started.elapsed().as_secs_f64() })?;
    Ok(ExitCode::SUCCESS)
}

fn suite(args: &BenchmarkArgs) -> anyhow::Result<ExitCode> {
    let suite = Suite {
        queries: args.queries.clone().context("--queries is missing")?,
        corpora: args.corpora.clone().context("--corpora is missing")?,
        results: args.results.clone(),
        strip_docs: args.strip_docs,
        kind: args.kind,
    };
    let report = eval::run(&suite, &|line| drop(writeln!(std::io::stderr(), "{}", plain(line))))?;
    if args.json {
        json(&report)?;
    } else {
        print(&report)?;
    }
    let reached = report.scores.get("ndcg10").unwrap_or_default();
    let low = args.threshold.filter(|threshold| reached < *threshold);
    if let Some(threshold) = low {
        writeln!(std::io::stderr(), "NDCG@10 {reached:.4} is below the threshold {threshold}")?;
    }
    Ok(if low.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print(report: &Report) -> anyhow::Result<()> {
    let mut out = out();
    writeln!(out, "{} queries, corpora indexed in {:.1} s", report.queries, report.index_seconds)?;
    writeln!(out, "{:24} {}", "ALL", line(&report.scores))?;
    for (name, scores) in report.by_category.iter().chain(&report.by_corpus) {
        writeln!(out, "{:24} {}", plain(name), line(scores))?;
    }
    let latency = &report.latency;
    writeln!(out, "latency p50 {:.2} ms, p95 {:.2} ms, max {:.2} ms", latency.p50_ms, latency.p95_ms, latency.max_ms)?;
    if !report.missing.is_empty() {
        writeln!(out, "not there: {}", plain(&report.missing.join(", ")))?;
    }
    Ok(())
}

fn line(scores: &Scores) -> String {
    scores.0.iter().map(|(name, value)| format!("{name}={value:.4}")).collect::<Vec<_>>().join(" ")
}
