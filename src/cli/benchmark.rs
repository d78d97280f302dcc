//! `reporecall benchmark`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use serde::Serialize;

use super::args::{BenchmarkArgs, BenchmarkPart, ProjectArg};
use super::output::{json, out, plain};
use crate::eval::graph::{Band, Figures, GraphReport, GraphSuite, MicroFigures, MicroReport};
use crate::eval::{self, Report, Scores, Suite};

#[derive(Serialize)]
struct ParseJson {
    files: usize,
    bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct GraphJson {
    graph: Option<GraphReport>,
    micro: Option<MicroReport>,
}

pub(super) fn run(project: &ProjectArg, args: &BenchmarkArgs) -> anyhow::Result<ExitCode> {
    match args.part {
        Some(BenchmarkPart::Parse) => parse(project),
        Some(BenchmarkPart::Latency { count }) => {
            json(&eval::latency(&super::engine(project)?, count)?)?;
            Ok(ExitCode::SUCCESS)
        }
        None if args.graph_micro.is_some() || !args.graph.is_empty() => graph(args),
        None => suite(project, args),
    }
}

fn parse(project: &ProjectArg) -> anyhow::Result<ExitCode> {
    let engine = super::engine(project)?;
    let started = Instant::now();
    let (files, bytes) = engine.parse_all()?;
    json(&ParseJson { files, bytes, seconds: started.elapsed().as_secs_f64() })?;
    Ok(ExitCode::SUCCESS)
}

fn suite(project: &ProjectArg, args: &BenchmarkArgs) -> anyhow::Result<ExitCode> {
    let suite = Suite {
        queries: queries(project, args)?,
        corpora: args.corpora.clone().map_or_else(eval::suite_corpora, Ok)?,
        surface: args.surface,
        mode: args.mode,
        results: args.results.clone(),
        csv: args.csv.clone(),
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

fn queries(project: &ProjectArg, args: &BenchmarkArgs) -> anyhow::Result<Vec<PathBuf>> {
    match &args.suite {
        Some(name) => Ok(eval::named(&super::project(project)?.root, name)?),
        None => Ok(vec![args.queries.clone().context("--queries is missing")?]),
    }
}

/// Scores call graphs; both kinds of list may be asked for at once.
fn graph(args: &BenchmarkArgs) -> anyhow::Result<ExitCode> {
    let tell = |line: &str| drop(writeln!(std::io::stderr(), "{}", plain(line)));
    let mut answer = GraphJson { graph: None, micro: None };
    if !args.graph.is_empty() {
        let corpora = args.corpora.clone().context("--corpora is missing")?;
        let suite = GraphSuite { truths: args.graph.clone(), corpora, edges: args.edges.clone() };
        answer.graph = Some(eval::graph::run(&suite, &tell)?);
    }
    answer.micro = args.graph_micro.as_deref().map(eval::graph::run_micro).transpose()?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    answer.graph.as_ref().map_or(Ok(()), print_graph)?;
    answer.micro.as_ref().map_or(Ok(()), print_micro)?;
    Ok(ExitCode::SUCCESS)
}

/// Everything about each list, then the table of all.
fn print_graph(report: &GraphReport) -> anyhow::Result<()> {
    let mut out = out();
    for set in &report.sets {
        writeln!(out, "{}: {} sites with truth", plain(&set.name), set.scores.gold_sites)?;
        writeln!(out, "{}", figures("confidence >= 0.0", &set.scores.all))?;
        for (floor, scores) in &set.scores.floors {
            writeln!(out, "{}", figures(&format!("confidence >= {}", f64::from(*floor) / 100.0), scores))?;
        }
        writeln!(out, "calibration (right share by confidence; gold = at sites with truth)")?;
        for band in &set.scores.bands {
            let Band { low, high, edges, mean, right_all, right_gold } = band;
            let range = format!("[{low:.2}, {high:.2}]  edges={edges:6} mean={mean:.3}");
            writeln!(out, "  {range} right(all)={right_all:.3} right(gold)={right_gold:.3}")?;
        }
        writeln!(out, "by resolution")?;
        for (name, scores) in &set.scores.by_resolution {
            writeln!(out, "  {}", figures(name, scores))?;
        }
        let others: Vec<String> = set.other_edges.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        writeln!(out, "not scored: {}\n", if others.is_empty() { "none".to_owned() } else { others.join(", ") })?;
    }
    writeln!(out, "At high confidence, which questions are answered with:")?;
    for set in &report.sets {
        writeln!(out, "{}", figures(&plain(&set.name), &set.high))?;
    }
    if !report.missing.is_empty() {
        writeln!(out, "not there: {}", plain(&report.missing.join(", ")))?;
    }
    Ok(())
}

fn figures(label: &str, figures: &Figures) -> String {
    let Figures { edges, p_all, p_gold, r, f1 } = figures;
    format!("{label:26} edges={edges:6} P(all)={p_all:.3} P(gold)={p_gold:.3} R={r:.3} F1={f1:.3}")
}

fn print_micro(report: &MicroReport) -> anyhow::Result<()> {
    let mut out = out();
    for (folder, figures) in &report.by_folder {
        writeln!(out, "{}", micro(&plain(folder), figures))?;
    }
    writeln!(out, "{}", micro("ALL, high confidence", &report.high))?;
    writeln!(out, "{}", micro("ALL, any confidence", &report.all))?;
    Ok(())
}

fn micro(label: &str, figures: &MicroFigures) -> String {
    let MicroFigures { cases, exact, gold, gold_outside, edges, p, r, r_all, right: _ } = figures;
    let counts = format!("cases={cases:4} exact={exact:4} edges={edges:4} gold={gold:4}+{gold_outside}");
    format!("{label:26} P={p:.3} R={r:.3} R(with outside)={r_all:.3}  {counts}")
}

fn print(report: &Report) -> anyhow::Result<()> {
    let mut out = out();
    let Report { queries, surface, mode, index_seconds, .. } = report;
    writeln!(out, "{queries} queries, surface {surface}, mode {mode}, corpora indexed in {index_seconds:.1} s")?;
    writeln!(out, "{:24} {}", "ALL", line(&report.scores))?;
    for (name, scores) in report.by_category.iter().chain(&report.by_corpus) {
        writeln!(out, "{:24} {}", plain(name), line(scores))?;
    }
    let latency = &report.latency;
    writeln!(out, "latency p50 {:.2} ms, p95 {:.2} ms, max {:.2} ms", latency.p50_ms, latency.p95_ms, latency.max_ms)?;
    if let Some(tokens) = report.tokens {
        writeln!(out, "tokens of a context that is not empty: {tokens:.0} on average")?;
    }
    if !report.missing.is_empty() {
        writeln!(out, "not there: {}", plain(&report.missing.join(", ")))?;
    }
    Ok(())
}

fn line(scores: &Scores) -> String {
    scores.0.iter().map(|(name, value)| format!("{name}={value:.4}")).collect::<Vec<_>>().join(" ")
}
