//! The JSON Lines that benchmarks read and write. Read [`QueryRow`] first.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::engine::{ContextAnswer, SearchResults};

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
    /// `skip`, `R0`, `R1` or `R2`.
    #[serde(default)]
    pub expected_route: Option<String>,
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
    /// How the prompt was answered; `None` from the search surface, which has no routes.
    pub route: Option<&'static str>,
    /// Of the text put before the assistant; `None` from the search surface.
    pub tokens: Option<u32>,
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
    pub(super) fn of_search(id: &str, took: Duration, found: &SearchResults) -> Self {
        let item = |hit: &crate::engine::Hit| ResultItem {
            path: hit.path.to_string(),
            start_line: hit.lines.start,
            end_line: hit.lines.end,
            symbol: hit.kind.map(|_| hit.qualified()),
            score: hit.score,
        };
        Self {
            id: id.to_owned(),
            route: None,
            tokens: None,
            ms: ms(took),
            results: found.hits.iter().map(item).collect(),
        }
    }

    /// Every block counts that is named in the text, a pointer too: it says where to look.
    pub(super) fn of_context(id: &str, took: Duration, answer: &ContextAnswer) -> Self {
        let context = &answer.context;
        let item = |packed: &crate::model::PackedBlock| ResultItem {
            path: packed.block.path.to_string(),
            start_line: packed.block.lines.start,
            end_line: packed.block.lines.end,
            symbol: packed.block.kind.map(|_| packed.block.name.clone()),
            score: packed.block.score,
        };
        Self {
            id: id.to_owned(),
            route: Some(context.route.as_str()),
            tokens: Some(context.tokens),
            ms: ms(took),
            results: context.blocks.iter().map(item).collect(),
        }
    }
}

/// All rows of the files, in their order.
pub(super) fn read_all(paths: &[PathBuf]) -> anyhow::Result<Vec<QueryRow>> {
    let sets: Vec<Vec<QueryRow>> = paths.iter().map(|path| read(path)).collect::<anyhow::Result<_>>()?;
    Ok(sets.into_iter().flatten().collect())
}

fn read(path: &Path) -> anyhow::Result<Vec<QueryRow>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("{}, line {}: not a query row", path.display(), number + 1))
        })
        .collect()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

const fn one() -> u32 {
    1
}
