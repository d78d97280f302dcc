//! The JSON Lines that benchmarks read and write. Read [`QueryRow`] first.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::engine::SearchResults;

/// A query and its judged answers.
#[derive(Debug, Clone, Deserialize)]
pub struct QueryRow {
    pub id: String,
    pub repo: String,
    #[serde(default)]
    pub name: Option<String>,
    pub commit: String,
    pub query: String,
    #[serde(default)]
    pub category: Option<String>,
    #[serde(default)]
    pub relevant: Vec<Target>,
}

impl QueryRow {
    /// Folder name of its corpus: the row's name, else `<repository>-<first 10 digits of the commit>`.
    #[must_use]
    pub fn corpus(&self) -> String {
        let repository = self.repo.rsplit('/').next().unwrap_or(&self.repo);
        let commit: String = self.commit.chars().take(10).collect();
        self.name.clone().unwrap_or_else(|| format!("{repository}-{commit}"))
    }
}

/// One right answer. Without lines any part of the file is it; without a path any definition of that name is.
#[derive(Debug, Clone, Deserialize)]
pub struct Target {
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub symbol: Option<String>,
    #[serde(default)]
    pub start_line: Option<u32>,
    #[serde(default)]
    pub end_line: Option<u32>,
    #[serde(default = "one")]
    pub grade: u32,
}

#[derive(Debug, Clone, Serialize)]
pub struct ResultRow {
    pub id: String,
    /// Milliseconds of the query inside the process.
    pub ms: f64,
    pub results: Vec<ResultItem>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ResultItem {
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub symbol: Option<String>,
    pub score: f32,
}

impl ResultRow {
    pub(super) fn new(id: &str, took: Duration, found: &SearchResults) -> Self {
        let item = |hit: &crate::engine::Hit| ResultItem {
            path: hit.path.to_string(),
            start_line: hit.lines.start,
            end_line: hit.lines.end,
            symbol: hit.kind.map(|_| hit.qualified()),
            score: hit.score,
        };
        Self { id: id.to_owned(), ms: took.as_secs_f64() * 1000.0, results: found.hits.iter().map(item).collect() }
    }
}

/// All rows of a file.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<QueryRow>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("{}, line {}: not a query row", path.display(), number + 1))
        })
        .collect()
}

const fn one() -> u32 {
    1
}
