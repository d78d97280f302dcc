//! The JSON Lines of call edges, and which files a set of them covers. Read [`EdgeRow`] first.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::engine::{CallEdge, Endpoint};

/// A call edge, of the truth or of a graph.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EdgeRow {
    pub caller: EndRow,
    /// `None` when it is not known, or outside the repository.
    pub callee: Option<EndRow>,
    /// Line of the called name.
    pub site_line: u32,
    #[serde(default)]
    pub confidence: Option<f64>,
    #[serde(default)]
    pub resolution: Option<String>,
    /// The called name is not on the line of the site.
    #[serde(default, skip_serializing)]
    pub unnamed_site: bool,
}

/// A definition; `<module>` is top-level code.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EndRow {
    pub path: String,
    /// Qualified.
    pub name: String,
    /// Line of the declared name.
    #[serde(default)]
    pub line: u32,
}

/// The files that a list of edges covers.
#[derive(Debug, Default)]
pub(super) struct Scope {
    prefix: String,
    extensions: Vec<String>,
    exclude: Option<Regex>,
}

/// A row of `scopes.json`.
#[derive(Debug, Default, Deserialize)]
struct ScopeRow {
    #[serde(default)]
    prefix: String,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    exclude: Option<String>,
}

/// Where a list of edges comes from.
#[derive(Debug, Deserialize)]
struct OriginRow {
    repo: String,
    commit: String,
    #[serde(default)]
    name: Option<String>,
}

impl EdgeRow {
    /// What is said without a confidence is meant to be sure.
    pub(super) fn confidence(&self) -> f64 {
        self.confidence.unwrap_or(1.0)
    }
}

impl From<&CallEdge> for EdgeRow {
    fn from(edge: &CallEdge) -> Self {
        Self {
            caller: EndRow::from(&edge.caller),
            callee: edge.callee.as_ref().map(EndRow::from),
            site_line: edge.line,
            confidence: Some(f64::from(edge.confidence) / 100.0),
            resolution: Some(edge.resolution.as_str().to_owned()),
            unnamed_site: false,
        }
    }
}

impl From<&Endpoint> for EndRow {
    fn from(end: &Endpoint) -> Self {
        Self { path: end.path.to_string(), name: end.name.clone(), line: end.line }
    }
}

impl Scope {
    /// The entry of `stem` in the `scopes.json` beside the list; without one, every file.
    pub(super) fn beside(list: &Path, stem: &str) -> anyhow::Result<Self> {
        let path = list.with_file_name("scopes.json");
        if !path.is_file() {
            return Ok(Self::default());
        }
        let cannot = || format!("cannot read {}", path.display());
        let text = std::fs::read_to_string(&path).with_context(cannot)?;
        let mut rows: BTreeMap<String, ScopeRow> = serde_json::from_str(&text).with_context(cannot)?;
        let ScopeRow { prefix, extensions, exclude } = rows.remove(stem).unwrap_or_default();
        let exclude = exclude.map(|pattern| Regex::new(&pattern)).transpose().with_context(cannot)?;
        Ok(Self { prefix, extensions, exclude })
    }

    pub(super) fn has(&self, path: &str) -> bool {
        let ends = self.extensions.is_empty() || self.extensions.iter().any(|end| path.ends_with(end));
        path.starts_with(&self.prefix) && ends && !self.exclude.as_ref().is_some_and(|regex| regex.is_match(path))
    }
}

/// Name of the corpus of a list, by its first row: the row's name, else `<repository>-<first 10 digits of the commit>`.
pub(super) fn corpus(list: &str) -> anyhow::Result<String> {
    let first = list.lines().find(|line| !line.trim().is_empty()).context("no edge in it")?;
    let OriginRow { repo, commit, name } =
        serde_json::from_str(first).context("no repo and commit in its first row")?;
    let repository = repo.rsplit('/').next().unwrap_or(&repo);
    let commit: String = commit.chars().take(10).collect();
    Ok(name.unwrap_or_else(|| format!("{repository}-{commit}")))
}

/// All edges of a list.
pub(super) fn edges(list: &str) -> anyhow::Result<Vec<EdgeRow>> {
    let lines = list.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| serde_json::from_str(line).with_context(|| format!("line {}: not an edge", number + 1)))
        .collect()
}
