//! `reporecall benchmark`: indexes the corpora of a set of judged queries, asks every query through the engine as a user would,
//! and scores the answers. It ranks nothing itself. Call graphs are measured in [`graph`]. Read [`run`] first.

pub mod graph;

mod corpus;
mod latency;
mod rows;
mod score;
mod suite;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde::Serialize;

pub use corpus::{Mode, Surface};
pub use latency::{Latency, latency, percentile};
pub use rows::{QueryRow, ResultItem, ResultRow, Target};
pub use score::{Scores, score};
pub use suite::{REGISTRY, SuiteError, named, suite_corpora};

use crate::model::SymbolKind;

/// What to measure.
pub struct Suite {
    /// JSON Lines of [`QueryRow`], one set in one file or more.
    pub queries: Vec<PathBuf>,
    /// Folder with one folder per corpus.
    pub corpora: PathBuf,
    pub surface: Surface,
    pub mode: Mode,
    pub results: Option<PathBuf>,
    /// Table of the queries, for comparing two versions line by line.
    pub csv: Option<PathBuf>,
    pub strip_docs: bool,
    pub kind: Option<SymbolKind>,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub surface: &'static str,
    /// What was searched with.
    pub mode: &'static str,
    pub queries: usize,
    pub scores: Scores,
    pub by_category: BTreeMap<String, Scores>,
    pub by_corpus: BTreeMap<String, Scores>,
    pub latency: Latency,
    /// Mean of the text put before the assistant, over the queries that were given any.
    pub tokens: Option<f64>,
    pub index_seconds: f64,
    /// Corpora that are not there, with their queries left out.
    pub missing: Vec<String>,
}

/// A query, what was found, and how good that is.
struct Answered {
    query: QueryRow,
    result: ResultRow,
    scores: Scores,
}

/// Runs the suite; `tell` gets one line per corpus.
///
/// # Errors
/// A file cannot be read or written, no corpus is there, or indexing or a query failed.
pub fn run(suite: &Suite, tell: &dyn Fn(&str)) -> anyhow::Result<Report> {
    let rows = rows::read_all(&suite.queries)?;
    let mut answered: Vec<Answered> = Vec::with_capacity(rows.len());
    let mut missing = Vec::new();
    let mut index_seconds = 0.0;
    for (corpus, queries) in by_corpus(rows) {
        let root = suite.corpora.join(&corpus);
        if !root.is_dir() {
            missing.push(corpus);
            continue;
        }
        let asked = corpus::ask(suite, &root, queries).with_context(|| format!("corpus {corpus}"))?;
        index_seconds += asked.index_seconds;
        tell(&format!("{corpus}: {} queries, indexed in {:.2} s", asked.answers.len(), asked.index_seconds));
        answered.extend(asked.answers.into_iter().map(judged));
    }
    if answered.is_empty() {
        return Err(SuiteError::NoCorpora { wanted: missing, folder: suite.corpora.clone() }.into());
    }
    if let Some(path) = &suite.results {
        write_results(path, &answered)?;
    }
    if let Some(path) = &suite.csv {
        std::fs::write(path, table::csv(&answered)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(summarise(suite, &answered, index_seconds, missing))
}

fn by_corpus(rows: Vec<QueryRow>) -> BTreeMap<String, Vec<QueryRow>> {
    let mut corpora: BTreeMap<String, Vec<QueryRow>> = BTreeMap::new();
    for row in rows {
        corpora.entry(row.corpus()).or_default().push(row);
    }
    corpora
}

fn judged((query, result): (QueryRow, ResultRow)) -> Answered {
    let mut scores = score(&query.relevant, &result.results);
    if let (Some(expected), Some(route)) = (&query.expected_route, result.route) {
        scores.0.insert("route_acc", f64::from(u8::from(expected == route)));
    }
    Answered { query, result, scores }
}

fn write_results(path: &Path, answered: &[Answered]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).with_context(cannot)?);
    for row in answered {
        serde_json::to_writer(&mut file, &row.result).with_context(cannot)?;
        file.write_all(b"\n").with_context(cannot)?;
    }
    file.flush().with_context(cannot)
}

fn summarise(suite: &Suite, answered: &[Answered], index_seconds: f64, missing: Vec<String>) -> Report {
    let scores = |pick: &dyn Fn(&QueryRow) -> bool| {
        Scores::mean(answered.iter().filter(|row| pick(&row.query)).map(|row| row.scores.clone()))
    };
    let groups = |key: &dyn Fn(&QueryRow) -> String| -> BTreeMap<String, Scores> {
        let names: BTreeSet<String> = answered.iter().map(|row| key(&row.query)).collect();
        names.into_iter().map(|name| (name.clone(), scores(&|query| key(query) == name))).collect()
    };
    let times = answered.iter().map(|row| Duration::from_secs_f64(row.result.ms / 1000.0)).collect();
    Report {
        surface: suite.surface.as_str(),
        mode: suite.mode.in_effect(),
        queries: answered.len(),
        scores: scores(&|_| true),
        by_category: groups(&|query| query.category.clone().unwrap_or_else(|| "-".to_owned())),
        by_corpus: groups(&QueryRow::corpus),
        latency: Latency::of(times),
        tokens: tokens(answered),
        index_seconds,
        missing,
    }
}

fn tokens(answered: &[Answered]) -> Option<f64> {
    let given: Vec<f64> =
        answered.iter().filter_map(|row| row.result.tokens).filter(|tokens| *tokens > 0).map(f64::from).collect();
    let count = u32::try_from(given.len()).ok().filter(|count| *count > 0)?;
    Some(given.iter().sum::<f64>() / f64::from(count))
}
