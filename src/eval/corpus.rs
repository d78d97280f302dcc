//! One corpus: indexed into a scratch folder and asked, through the surface that is measured. Read [`ask`] first.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Context as _;

use super::Suite;
use super::rows::{QueryRow, ResultRow};
use crate::engine::{Engine, IndexRequest, SearchQuery, Searcher, unwatched};
use crate::model::{Budget, Prompt};
use crate::project::Project;

/// Which of the engine's questions is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// What `search` lists, 30 deep.
    Search,
    /// What a hook would put before the assistant: routed, packed, cut to the hook's budget.
    Context,
}

impl Surface {
    pub const ALL: [Self; 2] = [Self::Search, Self::Context];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Context => "context",
        }
    }
}

/// What to search with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The best there is.
    Auto,
    Keyword,
}

impl Mode {
    pub const ALL: [Self; 2] = [Self::Auto, Self::Keyword];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Keyword => "keyword",
        }
    }

    /// There are no vectors yet, so the best there is are keywords.
    #[must_use]
    pub const fn in_effect(self) -> &'static str {
        match self {
            Self::Auto | Self::Keyword => Self::Keyword.as_str(),
        }
    }
}

/// What a corpus answered.
pub(super) struct Asked {
    pub(super) answers: Vec<(QueryRow, ResultRow)>,
    pub(super) index_seconds: f64,
}

/// Results kept per query of the search surface.
const DEPTH: usize = 30;
/// System that the ranking is measured as if on, so that results are the same everywhere.
const HOST: &str = "linux";

/// A folder for one corpus's store; removed when dropped.
pub(super) struct Scratch {
    pub(super) path: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "cannot remove a scratch folder");
        }
    }
}

pub(super) fn scratch() -> anyhow::Result<Scratch> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("reporecall-benchmark-{}-{number}", std::process::id()));
    std::fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(Scratch { path })
}

/// Indexes the folder `root` and asks the queries.
pub(super) fn ask(suite: &Suite, root: &Path, queries: Vec<QueryRow>) -> anyhow::Result<Asked> {
    let store = scratch()?;
    let engine = Engine::with_store_in(Project::at(root)?, store.path.clone());
    let started = Instant::now();
    let cancel = AtomicBool::new(false);
    engine.index(
        IndexRequest { full: true, strip_docs: suite.strip_docs, ..IndexRequest::default() },
        &unwatched(&cancel),
    )?;
    let index_seconds = started.elapsed().as_secs_f64();
    let searcher = engine.searcher_on(HOST)?;
    let answers = queries
        .into_iter()
        .map(|query| answer(suite, &engine, &searcher, &query).map(|result| (query, result)))
        .collect::<anyhow::Result<_>>()?;
    Ok(Asked { answers, index_seconds })
}

fn answer(suite: &Suite, engine: &Engine, searcher: &Searcher, query: &QueryRow) -> anyhow::Result<ResultRow> {
    let text = query.query.clone();
    match suite.surface {
        Surface::Search => {
            let asked = SearchQuery { text, limit: DEPTH, kind: suite.kind, ..SearchQuery::default() };
            let started = Instant::now();
            let found = engine.search_with(searcher, &asked)?;
            Ok(ResultRow::of_search(&query.id, started.elapsed(), &found.results))
        }
        Surface::Context => {
            let prompt = Prompt { text, budget: Budget::HOOK, ..Prompt::default() };
            let started = Instant::now();
            let given = engine.context_with(searcher, &prompt)?;
            Ok(ResultRow::of_context(&query.id, started.elapsed(), &given))
        }
    }
}
