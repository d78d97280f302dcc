//! The only writer of the code stores: what changed -> parse -> document -> store, in a row from one function. It knows no query
//! and prints nothing; progress and cancellation are handed in. Read [`run`] first.

mod document;
mod link;
mod pipeline;
mod report;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

pub use pipeline::parse_all;
pub use report::{IndexError, IndexReport, Phase, Progress};

use crate::graph;
use crate::model::{ContentHash, KnownFile, RelPath, Skip};
use crate::parse::{self, Extensions};
use crate::scan::{self, Changes, ScanOptions, Scope, Walk};
use crate::store::code::CodeReader;
use crate::store::{Finish, Start, StoreError, StorePaths, Writer};
use link::Linker;
use pipeline::{Outcome, Pipeline};

/// What to index and how.
#[derive(Debug, Clone, Default)]
pub struct IndexOptions {
    /// Forget what is stored and do every file again.
    pub full: bool,
    /// Leave comments and docstrings out of the searchable text.
    pub strip_docs: bool,
    pub scan: ScanOptions,
    pub extensions: Extensions,
    /// Commit that the working tree stands on.
    pub commit: Option<String>,
}

/// How a run talks to whoever started it.
pub struct Watch<'a> {
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Another process holds the write lock; called once before waiting.
    pub waiting: &'a (dyn Fn() + Sync),
    /// Set to stop after the files in work; what is done stays done.
    pub cancel: &'a AtomicBool,
}

/// Keys of the texts that a run leaves in the store.
pub mod meta {
    /// Parser and options that the stored files were made with.
    pub const RECIPE: &str = "recipe";
    /// Seconds since 1970.
    pub const INDEXED_AT: &str = "indexed_at";
    pub const COMMIT: &str = "commit";
    /// `1` when the last run did every file.
    pub const COMPLETE: &str = "complete";
}

type Known = HashMap<RelPath, KnownFile>;

/// Brings the stores in `paths` up to date with the files below `root`.
///
/// # Errors
/// The root cannot be read, the store cannot be opened or written, or the run was cancelled. Files that fail by themselves are
/// counted in the report.
pub fn run(
    root: &Path,
    paths: &StorePaths,
    options: &IndexOptions,
    watch: &Watch<'_>,
) -> Result<IndexReport, IndexError> {
    (watch.progress)(Progress { phase: Phase::Scan, done: 0, total: 0 });
    let writer = open_writer(paths, options, watch).map_err(|error| {
        let gave_up_waiting = matches!(error, StoreError::Locked) && watch.cancel.load(Ordering::Relaxed);
        if gave_up_waiting { IndexError::Cancelled { done: 0 } } else { error.into() }
    })?;
    let stored = Stored::read(paths)?;
    let is_source = |path: &RelPath| parse::by_path(path, &options.extensions).is_some_and(parse::is_source);
    let now = scan::clock_ns();
    let scan_options = stored.narrowed(options, writer.is_fresh());
    let walk = scan::walk(root, &scan_options, &is_source)?;
    let changes = scan::changes(root, &walk, &stored.known_in(&scan_options.only));
    let pipeline = Pipeline { root, options, watch, writer: &writer, hashed_at_ns: now };
    let outcome = pipeline.run(&changes, &stored.known);
    let linker = Linker { paths, watch, writer: &writer };
    let linked = linker.run();
    (watch.progress)(Progress { phase: Phase::Commit, done: 0, total: 0 });
    let skipped = stored.all_skips(&scan_options.only, &walk, &outcome);
    let mut finish = stored.finish(options, skipped.clone(), &changes, &outcome);
    // A stopped writer says itself what is wrong.
    finish.linked = match linked {
        Ok(linked) => linked,
        Err(StoreError::Stopped) => false,
        Err(error) => return Err(error.into()),
    };
    // Opened while the lock is held: the next writer may start afresh as soon as it is let go.
    let reader = CodeReader::open(&paths.metadata())?;
    writer.finish(finish)?;
    if watch.cancel.load(Ordering::Relaxed) {
        return Err(IndexError::Cancelled { done: outcome.indexed.len() as u64 });
    }
    Ok(conclude(&reader, &changes, &skipped, outcome)?)
}

/// The writer of stores that were made by this recipe; others are started afresh. The recipe is committed with the first files, so
/// that a run which is killed can be gone on with.
fn open_writer(paths: &StorePaths, options: &IndexOptions, watch: &Watch<'_>) -> Result<Writer, StoreError> {
    let recipe = recipe(options);
    let cancelled = || watch.cancel.load(Ordering::Relaxed);
    let mut writer = Writer::open(paths, Start::AsIs, watch.waiting, &cancelled)?;
    let outdated = || -> Result<bool, StoreError> {
        Ok(CodeReader::open(&paths.metadata())?.meta(meta::RECIPE)?.is_none_or(|stored| stored != recipe))
    };
    if !writer.is_fresh() && (options.full || outdated()?) && !cancelled() {
        drop(writer);
        writer = Writer::open(paths, Start::Afresh, watch.waiting, &cancelled)?;
    }
    if writer.is_fresh() {
        writer.note(Finish { meta: vec![(meta::RECIPE.to_owned(), recipe)], ..Finish::default() })?;
    }
    Ok(writer)
}

/// What the store held before the run.
struct Stored {
    known: Known,
    skipped: Vec<Skip>,
    complete: bool,
}

impl Stored {
    fn read(paths: &StorePaths) -> Result<Self, StoreError> {
        let reader = CodeReader::open(&paths.metadata())?;
        Ok(Self {
            known: reader.known()?,
            skipped: reader.skipped()?,
            complete: reader.meta(meta::COMPLETE)?.as_deref() == Some("1"),
        })
    }

    /// Whole, where a part would not complete the index.
    fn narrowed(&self, options: &IndexOptions, fresh: bool) -> ScanOptions {
        let only = if fresh || !self.complete { Scope::Everything } else { options.scan.only.clone() };
        ScanOptions { only, ..options.scan.clone() }
    }

    fn known_in(&self, scope: &Scope) -> Cow<'_, Known> {
        match scope {
            Scope::Everything => Cow::Borrowed(&self.known),
            Scope::Only(_) => {
                let inside = self.known.iter().filter(|(path, _)| scope.covers(path.as_str()));
                Cow::Owned(inside.map(|(path, known)| (path.clone(), *known)).collect())
            }
        }
    }

    /// What is left out after the run, by path: as the run found it, and elsewhere as it was.
    fn all_skips(&self, scope: &Scope, walk: &Walk, outcome: &Outcome) -> Vec<Skip> {
        let elsewhere = self.skipped.iter().filter(|skip| !scope.covers(skip.path.as_str()));
        let found = walk.skipped.iter().chain(&outcome.skipped);
        let skips: BTreeMap<&RelPath, &Skip> = elsewhere.chain(found).map(|skip| (&skip.path, skip)).collect();
        skips.into_values().cloned().collect()
    }

    /// Folder hashes and the list of left-out files are written only when they can have changed.
    fn finish(&self, options: &IndexOptions, skipped: Vec<Skip>, changes: &Changes, outcome: &Outcome) -> Finish {
        let moved = !outcome.indexed.is_empty() || !changes.removed.is_empty() || !outcome.dropped.is_empty();
        let dirs = (moved || !self.complete).then(|| {
            let hashes = self.hashes(changes, outcome);
            scan::directory_hashes(hashes.iter().map(|(path, hash)| (path, *hash)))
        });
        let complete = !outcome.cancelled && outcome.failures.is_empty();
        let meta = [
            (meta::INDEXED_AT, (scan::clock_ns() / 1_000_000_000).to_string()),
            (meta::COMMIT, options.commit.clone().unwrap_or_default()),
            (meta::COMPLETE, u8::from(complete).to_string()),
        ];
        Finish {
            dirs,
            skipped: (skipped != self.skipped).then_some(skipped),
            meta: meta.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            linked: false,
        }
    }

    /// Content hashes of all files that are in the index after the run.
    fn hashes(&self, changes: &Changes, outcome: &Outcome) -> BTreeMap<RelPath, ContentHash> {
        let mut hashes: BTreeMap<RelPath, ContentHash> =
            self.known.iter().map(|(path, known)| (path.clone(), known.hash)).collect();
        for path in changes.removed.iter().chain(&outcome.dropped) {
            hashes.remove(path);
        }
        hashes.extend(outcome.indexed.iter().cloned());
        hashes
    }
}

/// Whatever makes the same source give other rows.
fn recipe(options: &IndexOptions) -> String {
    let extensions: BTreeMap<&str, &str> =
        options.extensions.iter().map(|(extension, lang)| (extension.as_str(), lang.0)).collect();
    let versions = (parse::PARSER_VERSION, graph::RESOLVER_VERSION);
    format!("parser and resolver {versions:?}, docs {}, extensions {extensions:?}", !options.strip_docs)
}

fn conclude(
    reader: &CodeReader,
    changes: &Changes,
    skips: &[Skip],
    outcome: Outcome,
) -> Result<IndexReport, StoreError> {
    let stats = reader.stats()?;
    let mut skipped = BTreeMap::new();
    for skip in skips {
        *skipped.entry(skip.reason.as_str()).or_insert(0) += 1;
    }
    Ok(IndexReport {
        files: stats.files,
        chunks: stats.chunks,
        symbols: stats.symbols,
        indexed: outcome.indexed.len() as u64,
        unchanged: (changes.unchanged + changes.touched.len()) as u64,
        removed: (changes.removed.len() + outcome.dropped.len()) as u64,
        files_with_errors: stats.files_with_errors,
        files_given_up: stats.files_given_up,
        skipped,
        failures: outcome.failures,
    })
}
