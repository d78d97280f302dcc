//! `reporecall benchmark`: indexes the corpora of a set of judged queries, asks every query through the engine as a user would,
//! and scores the answers. It ranks nothing itself. Call graphs are measured in [`graph`]. Read [`run`] first.

pub mod graph;

mod latency;
mod rows;
mod score;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde::Serialize;

pub use latency::{Latency, latency, percentile};
pub use rows::{QueryRow, ResultItem, ResultRow, Target};
pub use score::{Scores, score};

use crate::engine::{Engine, IndexRequest, SearchQuery, unwatched};
use crate::model::SymbolKind;
use crate::project::Project;

/// Results kept per query.
const DEPTH: usize = 30;
/// System that the ranking is measured as if on, so that results are the same everywhere.
const HOST: &str = "linux";

/// What to measure.
pub struct Suite {
    /// JSON Lines of [`QueryRow`].
    pub queries: PathBuf,
    /// Folder with one folder per corpus.
    pub corpora: PathBuf,
    pub results: Option<PathBuf>,
    pub strip_docs: bool,
    pub kind: Option<SymbolKind>,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    pub queries: usize,
    pub scores: Scores,
    pub by_category: BTreeMap<String, Scores>,
    pub by_corpus: BTreeMap<String, Scores>,
    pub latency: Latency,
    pub index_seconds: f64,
    /// Corpora that are not there, with their queries left out.
    pub missing: Vec<String>,
}

/// Runs the suite; `tell` gets one line per corpus.
///
/// # Errors
/// A file cannot be read or written, no corpus is there, or indexing or a query failed.
pub fn run(suite: &Suite, tell: &dyn Fn(&str)) -> anyhow::Result<Report> {
    let rows = rows::read(&suite.queries)?;
    let mut answered: Vec<(QueryRow, ResultRow)> = Vec::with_capacity(rows.len());
    let mut missing = Vec::new();
    let mut index_seconds = 0.0;
    for (corpus, queries) in by_corpus(rows) {
        let root = suite.corpora.join(&corpus);
        if !root.is_dir() {
            missing.push(corpus);
            continue;
        }
        let (seconds, mut results) = run_corpus(suite, &root, queries).with_context(|| format!("corpus {corpus}"))?;
        index_seconds += seconds;
        tell(&format!("{corpus}: {} queries, indexed in {seconds:.2} s", results.len()));
        answered.append(&mut results);
    }
    if answered.is_empty() {
        bail!("no corpus of {} is in {}", suite.queries.display(), suite.corpora.display());
    }
    if let Some(path) = &suite.results {
        write_results(path, &answered)?;
    }
    Ok(summarise(&answered, index_seconds, missing))
}

fn by_corpus(rows: Vec<QueryRow>) -> BTreeMap<String, Vec<QueryRow>> {
    let mut corpora: BTreeMap<String, Vec<QueryRow>> = BTreeMap::new();
    for row in rows {
        corpora.entry(row.corpus()).or_default().push(row);
    }
    corpora
}

fn run_corpus(suite: &Suite, root: &Path, queries: Vec<QueryRow>) -> anyhow::Result<(f64, Vec<(QueryRow, ResultRow)>)> {
    let store = scratch()?;
    let engine = Engine::with_store_in(Project::at(root)?, store.path.clone());
    let started = Instant::now();
    let cancel = AtomicBool::new(false);
    engine.index(IndexRequest { full: true, strip_docs: suite.strip_docs }, &unwatched(&cancel))?;
    let seconds = started.elapsed().as_secs_f64();
    let searcher = engine.searcher_on(HOST)?;
    let mut answered = Vec::with_capacity(queries.len());
    for query in queries {
        let asked = Instant::now();
        let answer = engine.search_with(&searcher, &search_query(&query.query, suite.kind))?;
        let row = ResultRow::new(&query.id, asked.elapsed(), &answer.results);
        answered.push((query, row));
    }
    Ok((seconds, answered))
}

fn search_query(text: &str, kind: Option<SymbolKind>) -> SearchQuery {
    SearchQuery { text: text.to_owned(), limit: DEPTH, kind, ..SearchQuery::default() }
}

/// A folder for one corpus's store; removed when dropped.
struct Scratch {
    path: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "cannot remove a scratch folder");
        }
    }
}

fn scratch() -> anyhow::Result<Scratch> {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("reporecall-benchmark-{}-{number}", std::process::id()));
    std::fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(Scratch { path })
}

fn write_results(path: &Path, answered: &[(QueryRow, ResultRow)]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).with_context(cannot)?);
    for (_, row) in answered {
        serde_json::to_writer(&mut file, row).with_context(cannot)?;
        file.write_all(b"\n").with_context(cannot)?;
    }
    file.flush().with_context(cannot)
}

fn summarise(answered: &[(QueryRow, ResultRow)], index_seconds: f64, missing: Vec<String>) -> Report {
    let scores = |pick: &dyn Fn(&QueryRow) -> bool| {
        let chosen = answered.iter().filter(|(query, _)| pick(query));
        Scores::mean(chosen.map(|(query, row)| score(&query.relevant, &row.results)))
    };
    let groups = |key: &dyn Fn(&QueryRow) -> String| -> BTreeMap<String, Scores> {
        let names: std::collections::BTreeSet<String> = answered.iter().map(|(query, _)| key(query)).collect();
        names.into_iter().map(|name| (name.clone(), scores(&|query| key(query) == name))).collect()
    };
    let times: Vec<Duration> = answered.iter().map(|(_, row)| Duration::from_secs_f64(row.ms / 1000.0)).collect();
    Report {
        queries: answered.len(),
        scores: scores(&|_| true),
        by_category: groups(&|query| query.category.clone().unwrap_or_else(|| "-".to_owned())),
        by_corpus: groups(&QueryRow::corpus),
        latency: Latency::of(times),
        index_seconds,
        missing,
    }
}
