//! `reporecall benchmark --graph`: indexes a corpus, takes every edge that the index holds, and compares them with edges that a compiler
//! resolved. It resolves nothing itself. Read [`run`] first.

mod micro;
mod rows;
mod score;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context as _, bail};
use serde::Serialize;

pub use micro::{MicroFigures, MicroReport, run_micro};
pub use rows::{EdgeRow, EndRow};
pub use score::{Band, Figures, SetScores};

use super::corpus::scratch;
use crate::engine::{CallEdge, Engine, GraphDump, HIGH_CONFIDENCE, IndexRequest, unwatched};
use crate::model::EdgeKind;
use crate::project::Project;
use rows::Scope;
use score::Truth;

/// What to measure.
pub struct GraphSuite {
    /// Lists of resolved edges, JSON Lines, or folders of such.
    pub truths: Vec<PathBuf>,
    /// Folder with one folder per corpus.
    pub corpora: PathBuf,
    /// Where the edges of the graph are written: a file for one list, a folder for several.
    pub edges: Option<PathBuf>,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct GraphReport {
    pub sets: Vec<SetReport>,
    /// Corpora that are not there, with their lists left out.
    pub missing: Vec<String>,
}

/// The scores of one list.
#[derive(Debug, Serialize)]
pub struct SetReport {
    pub name: String,
    /// At the confidence that questions are answered with unless they ask for more.
    pub high: Figures,
    #[serde(flatten)]
    pub scores: SetScores,
    /// Edges that are no call expressions and are not scored.
    pub other_edges: BTreeMap<&'static str, usize>,
    pub index_seconds: f64,
}

/// Scores the graphs of all corpora; `tell` gets one line per corpus.
///
/// # Errors
/// A file cannot be read or written, no corpus is there, or indexing failed.
pub fn run(suite: &GraphSuite, tell: &dyn Fn(&str)) -> anyhow::Result<GraphReport> {
    let lists = lists(&suite.truths)?;
    let mut report = GraphReport { sets: Vec::new(), missing: Vec::new() };
    for list in &lists {
        let text = std::fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
        let corpus = rows::corpus(&text).with_context(|| list.display().to_string())?;
        let root = suite.corpora.join(&corpus);
        if !root.is_dir() {
            report.missing.push(corpus);
            continue;
        }
        let out = suite
            .edges
            .as_ref()
            .map(|out| if lists.len() == 1 { out.clone() } else { out.join(list.file_name().unwrap_or_default()) });
        let set = run_set(list, &text, &root, out.as_deref()).with_context(|| format!("corpus {corpus}"))?;
        tell(&format!("{}: {} edges, indexed in {:.2} s", set.name, set.scores.all.edges, set.index_seconds));
        report.sets.push(set);
    }
    if report.sets.is_empty() {
        bail!("no corpus of these lists is in {}", suite.corpora.display());
    }
    Ok(report)
}

fn run_set(list: &Path, text: &str, root: &Path, out: Option<&Path>) -> anyhow::Result<SetReport> {
    let name = list.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let truth = rows::edges(text).with_context(|| list.display().to_string())?;
    let scope = Scope::beside(list, &name)?;
    let (dump, index_seconds) = graph_of(root)?;
    let edges: Vec<EdgeRow> = dump.edges.iter().filter(|edge| is_call(edge)).map(EdgeRow::from).collect();
    if let Some(path) = out {
        write_edges(path, &edges).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let scores = Truth::new(&truth, &scope).score(&edges);
    let high = scores.floors.iter().find(|(floor, _)| *floor == HIGH_CONFIDENCE);
    let high = high.map(|(_, figures)| *figures).unwrap_or_default();
    Ok(SetReport { name, high, scores, other_edges: other_edges(&dump), index_seconds })
}

/// Indexes a folder into a store of its own; the seconds that took.
fn graph_of(root: &Path) -> anyhow::Result<(GraphDump, f64)> {
    let store = scratch()?;
    let engine = Engine::with_store_in(Project::at(root)?, store.path.clone());
    let started = Instant::now();
    let cancel = AtomicBool::new(false);
    engine.index(IndexRequest { full: true, ..IndexRequest::default() }, &unwatched(&cancel))?;
    let seconds = started.elapsed().as_secs_f64();
    Ok((engine.graph_dump()?, seconds))
}

/// Files, and those in folders that end in `.jsonl`; by name.
fn lists(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut lists = Vec::new();
    for path in given {
        if path.is_dir() {
            let entries = path.read_dir().with_context(|| format!("cannot read {}", path.display()))?;
            let found = entries.filter_map(Result::ok).map(|entry| entry.path());
            lists.extend(found.filter(|path| path.extension().is_some_and(|end| end == "jsonl")));
        } else {
            lists.push(path.clone());
        }
    }
    lists.sort();
    Ok(lists)
}

fn is_call(edge: &CallEdge) -> bool {
    matches!(edge.kind, EdgeKind::Call | EdgeKind::New | EdgeKind::Macro)
}

/// Resolved edges of other kinds, counted.
fn other_edges(dump: &GraphDump) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for edge in dump.edges.iter().filter(|edge| !is_call(edge) && edge.callee.is_some()) {
        *counts.entry(edge.kind.as_str()).or_insert(0) += 1;
    }
    counts
}

fn write_edges(path: &Path, edges: &[EdgeRow]) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for edge in edges {
        serde_json::to_writer(&mut file, edge)?;
        file.write_all(b"\n")?;
    }
    Ok(file.flush()?)
}
