//! Everything the product can be asked, one method per question. It glues the rooms and knows no terminal, no JSON and no
//! protocol. Read [`Engine`] first.

mod briefing;
mod chunk;
mod context;
mod conventions;
mod doctor;
mod fault;
mod freshness;
mod graph;
mod init;
mod refresh;
mod session;
mod stats;
mod stores;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;

pub use self::briefing::{Briefing, Counts};
pub use self::chunk::{ChunkError, ChunkText};
pub use self::context::{ContextAnswer, SeedAnswer};
pub use self::conventions::{
    Case, Conventions, Count, Documented, ErrorType, Habit, LanguageConventions, Lengths, Named, Naming, Statement,
    StyleCount, Tests, TopCall,
};
pub use self::doctor::{Finding, Level};
pub use self::fault::{Code, Fault};
pub use self::freshness::{Freshness, FreshnessLevel};
pub use self::graph::{
    Call, CallEdge, CallsAnswer, DISPATCH_CONFIDENCE, EdgeFilter, Endpoint, EntryPoint, EntryReason, GraphDump,
    GraphNode, GraphPlace, HIGH_CONFIDENCE, ImportRow, ImportsAnswer, LooseAnswer, NameError, SymbolAnswer, TreeAnswer,
    TreeDirection, TreeRequest, Unused,
};
pub use self::init::{Client, EmbeddingProvider, InitError, InitRequest, Settings, Touched, TouchedAs};
pub use self::refresh::{OutsideProject, StoreIdentity};
pub use self::stats::{DiskUse, Stats};
pub use crate::graph::tree::{Below, Branch, End, Shape, Step, Tree};
pub use crate::index::{IndexReport, Phase, Progress, Watch};
pub use crate::scan::{Scope, WatchState, Watcher};
pub use crate::search::intent::{Intent, Relation};
pub use crate::search::prompt::{Frame, Mention, Sanitized};
pub use crate::search::{FoundSeed, Hit, SearchQuery, SearchResults, Searcher, SeedReason, Signal, Trace};

use crate::config::{self, Config, ConfigWarning};
use crate::index::{self, IndexOptions};
use crate::model::{Lang, RelPath, Symbol, SymbolKind};
use crate::parse::{self, Extensions};
use crate::project::Project;
use crate::scan::{self, ScanOptions};

use crate::store::StorePaths;
use crate::store::code::CodeReader;

/// One project and its stores.
#[derive(Debug)]
pub struct Engine {
    project: Project,
    config: Config,
    warnings: Vec<ConfigWarning>,
    paths: StorePaths,
}

/// What to index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexRequest {
    /// Forget what is stored and do every file again.
    pub full: bool,
    /// Leave comments and docstrings out of the searchable text.
    pub strip_docs: bool,
    /// What to look at. An unfinished index is always looked at as a whole.
    pub only: Scope,
}

/// Ranked code and how far to trust it.
pub struct SearchAnswer {
    pub results: SearchResults,
    pub freshness: Freshness,
}

/// A language that no file can be of.
#[derive(Debug, thiserror::Error)]
#[error("unknown language {name:?}; known are {}", known.iter().map(String::as_str).collect::<Vec<_>>().join(", "))]
pub struct UnknownLanguage {
    pub name: String,
    pub known: BTreeSet<String>,
}

impl Engine {
    /// The engine of a project, with the project's settings. Opens no store yet.
    #[must_use]
    pub fn open(project: Project) -> Self {
        let loaded = config::load(&project.config_file());
        for warning in &loaded.warnings {
            tracing::debug!(%warning, "config.json");
        }
        let paths = StorePaths::new(&project.memory_dir);
        Self { paths, project, config: loaded.config, warnings: loaded.warnings }
    }

    /// The same project with its stores in another folder, for measurements that must not touch `.memory/`.
    #[must_use]
    pub fn with_store_in(project: Project, dir: PathBuf) -> Self {
        Self::open(Project { memory_dir: dir, ..project })
    }

    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What is wrong with the settings.
    #[must_use]
    pub fn config_warnings(&self) -> &[ConfigWarning] {
        &self.warnings
    }

    /// Brings the index up to date.
    ///
    /// # Errors
    /// The project or its stores cannot be read or written, or `watch` cancelled the run.
    pub fn index(&self, request: IndexRequest, watch: &Watch<'_>) -> anyhow::Result<IndexReport> {
        self.project.ensure_memory_dir()?;
        Ok(index::run(&self.project.root, &self.paths, &self.index_options(request), watch)?)
    }

    /// Ranked code for a query.
    ///
    /// # Errors
    /// There is no index or it cannot be read; the path filter is no glob; [`UnknownLanguage`].
    pub fn search(&self, query: &SearchQuery) -> anyhow::Result<SearchAnswer> {
        self.search_with(&self.searcher()?, query)
    }

    /// The same from an opened index: the one way of every question.
    ///
    /// # Errors
    /// The index cannot be read; the path filter is no glob; [`UnknownLanguage`].
    pub fn search_with(&self, searcher: &Searcher, query: &SearchQuery) -> anyhow::Result<SearchAnswer> {
        let mut query = query.clone();
        query.functions |= query.kind == Some(SymbolKind::Function);
        query.path = query.path.filter(|path| !matches!(path.as_str(), "" | "." | "./"));
        if let Some(lang) = &query.lang {
            self.check_language(lang)?;
        }
        let results = searcher.find(&query)?;
        let freshness = self.freshness_of(&results, searcher.code())?;
        Ok(SearchAnswer { results, freshness })
    }

    /// An opened index, for more than one query in this process.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn searcher(&self) -> anyhow::Result<Searcher> {
        self.searcher_on(std::env::consts::OS)
    }

    /// The same as on the system `host`, named as in `std::env::consts::OS`: files for other systems come later.
    ///
    /// # Errors
    /// See [`Engine::searcher`].
    pub fn searcher_on(&self, host: &str) -> anyhow::Result<Searcher> {
        Ok(Searcher::open(&self.paths, &self.name(), host)?)
    }

    /// Parses every source file and drops the result: files and bytes parsed. The yardstick that indexing is compared with.
    ///
    /// # Errors
    /// The project folder cannot be read.
    pub fn parse_all(&self) -> anyhow::Result<(usize, u64)> {
        let options = self.index_options(IndexRequest::default());
        index::parse_all(&self.project.root, &options).context("cannot parse the project")
    }

    /// Up to `count` queries that users of this project could ask: first sentences of documentation and names of definitions in turn,
    /// spread over all files.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn sample_queries(&self, count: usize) -> anyhow::Result<Vec<String>> {
        let reader = CodeReader::open(&self.paths.metadata())?;
        let files = reader.files()?;
        let step = (files.len() / count.max(1)).max(1);
        let mut queries = Vec::with_capacity(count);
        for file in files.iter().step_by(step) {
            let text = reader.text(file.id)?;
            let symbols = reader.symbols(file.id)?;
            let want_sentence = queries.len() % 2 == 0;
            let sentence = || symbols.iter().find_map(|symbol| first_sentence(symbol, &text));
            let name = || symbols.last().map(Symbol::qualified);
            queries.extend(if want_sentence { sentence().or_else(name) } else { name() });
        }
        queries.truncate(count);
        Ok(queries)
    }

    /// A language is known when it can be parsed or is in the index.
    fn check_language(&self, lang: &str) -> anyhow::Result<()> {
        if parse::named(&lang.to_lowercase()).is_some() {
            return Ok(());
        }
        let indexed = CodeReader::open(&self.paths.metadata())?.stats()?.langs;
        let indexed = indexed.into_iter().map(|row| row.lang.into_string());
        let known: BTreeSet<String> = parse::languages().iter().map(|lang| lang.0.to_owned()).chain(indexed).collect();
        if known.iter().any(|name| name.eq_ignore_ascii_case(lang)) {
            return Ok(());
        }
        Err(UnknownLanguage { name: lang.to_owned(), known }.into())
    }

    /// Name of the project's folder.
    fn name(&self) -> String {
        self.project.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn index_options(&self, request: IndexRequest) -> IndexOptions {
        IndexOptions {
            full: request.full,
            strip_docs: request.strip_docs,
            scan: ScanOptions { only: request.only, ..self.scan_options() },
            extensions: self.extensions(),
            commit: self.project.commit().map(str::to_owned),
        }
    }

    fn scan_options(&self) -> ScanOptions {
        ScanOptions {
            max_file_size: self.config.max_file_size,
            ignore_patterns: self.config.ignore_patterns.clone(),
            extensions: self.config.extensions.keys().cloned().collect(),
            kept_when_empty: parse::package_files(),
            only: Scope::Everything,
        }
    }

    /// Extensions of the configuration whose language is known; `doctor` names the others.
    fn extensions(&self) -> Extensions {
        let known = |(extension, language): (&String, &String)| -> Option<(String, Lang)> {
            Some((extension.trim_start_matches('.').to_owned(), parse::named(language)?))
        };
        self.config.extensions.iter().filter_map(known).collect()
    }

    fn is_source(&self) -> impl Fn(&RelPath) -> bool + Sync {
        let extensions = self.extensions();
        move |path| parse::by_path(path, &extensions).is_some_and(parse::is_source)
    }
}

/// Seconds since 1970.
#[must_use]
pub fn unix_time() -> i64 {
    scan::clock_ns() / 1_000_000_000
}

/// A [`Watch`] that nobody looks at.
#[must_use]
pub fn unwatched(cancel: &AtomicBool) -> Watch<'_> {
    Watch { progress: &|_| (), waiting: &|| (), cancel }
}

fn first_sentence(symbol: &Symbol, text: &str) -> Option<String> {
    let doc = symbol.doc.last()?;
    let doc = text.get(doc.start as usize..doc.end as usize)?;
    let words = doc.split(['.', '\n']).map(|line| line.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|line| line.split(' ').count() >= 3).map(str::to_owned).next()
}
