//! Whether an answer still agrees with the files on disk. A search looks only at the files it names; `stats` and `doctor` look at
//! all. Read [`Freshness`] first.

use std::collections::{BTreeSet, HashMap};

use super::Engine;
use crate::index::meta;
use crate::model::RelPath;
use crate::scan::{self, FoundFile, Walk};
use crate::search::{Answer, SearchResults};
use crate::store::code::CodeReader;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreshnessLevel {
    Fresh,
    Stale,
    /// Nothing is indexed.
    Empty,
}

impl FreshnessLevel {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Stale => "stale",
            Self::Empty => "empty",
        }
    }
}

/// How an index compares with the source it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freshness {
    pub level: FreshnessLevel,
    pub indexed_commit: Option<String>,
    pub current_commit: Option<String>,
    /// Files that were looked at and differ from the index, sorted.
    pub dirty_files: Vec<String>,
    /// Results of a search that were left out because their files are being indexed again.
    pub hidden_results: usize,
    /// Seconds since 1970.
    pub last_indexed_at: Option<i64>,
    /// The last run ended before every file was done.
    pub partial: bool,
}

impl Freshness {
    /// Some files wait for their edges: an answer about the graph is not whole.
    pub(super) fn add_unresolved(&mut self, unresolved: bool) {
        self.partial |= unresolved;
        if unresolved && self.level == FreshnessLevel::Fresh {
            self.level = FreshnessLevel::Stale;
        }
    }
}

impl Engine {
    /// Of the files that `results` name; without a hit, of all: what was asked for may be in one that has changed.
    pub(super) fn freshness_of(&self, results: &SearchResults, reader: &CodeReader) -> anyhow::Result<Freshness> {
        if results.hits.is_empty() {
            return self.freshness(reader, self.dirty_files(reader)?, results.stale);
        }
        let paths: BTreeSet<&RelPath> = results.hits.iter().map(|hit| &hit.path).collect();
        let dirty = self.dirty_of(paths.into_iter(), reader)?;
        self.freshness(reader, dirty, results.stale)
    }

    /// Of the files that a lane names; of none when it names none, for a prompt is no question whether something is there.
    pub(super) fn freshness_of_lane(&self, answer: &Answer, reader: &CodeReader) -> anyhow::Result<Freshness> {
        let paths: BTreeSet<&RelPath> = answer.lane.blocks.iter().map(|block| &block.path).collect();
        self.freshness(reader, self.dirty_of(paths.into_iter(), reader)?, answer.stale)
    }

    /// Of the files that a graph names.
    pub(super) fn freshness_of_paths<'p>(
        &self,
        paths: impl Iterator<Item = &'p RelPath>,
        reader: &CodeReader,
    ) -> anyhow::Result<Freshness> {
        self.freshness(reader, self.dirty_of(paths, reader)?, 0)
    }

    /// Of the whole project.
    pub(super) fn freshness_of_all(&self, reader: &CodeReader) -> anyhow::Result<Freshness> {
        self.freshness(reader, self.dirty_files(reader)?, 0)
    }

    /// Looks at these files and compares.
    fn dirty_of<'p>(
        &self,
        paths: impl Iterator<Item = &'p RelPath>,
        reader: &CodeReader,
    ) -> anyhow::Result<Vec<String>> {
        let paths: Vec<&RelPath> = paths.collect();
        let known = reader.known_of(paths.iter().copied())?;
        let found = |path: &&RelPath| {
            let stat = scan::stat(&self.project.root, path)?;
            Some(FoundFile { path: (*path).clone(), stat })
        };
        let walk = Walk { files: paths.iter().filter_map(found).collect(), skipped: Vec::new() };
        let changes = scan::changes(&self.project.root, &walk, &known);
        let changed = changes.changed.into_iter().map(|file| file.path).chain(changes.removed);
        Ok(changed.map(|path| path.to_string()).collect())
    }

    /// Walks the project and compares.
    fn dirty_files(&self, reader: &CodeReader) -> anyhow::Result<Vec<String>> {
        let walk = scan::walk(&self.project.root, &self.scan_options(), &self.is_source())?;
        let known = reader.known()?;
        let skipped: HashMap<RelPath, u64> = reader.skipped()?.into_iter().map(|skip| (skip.path, skip.size)).collect();
        let changes = scan::changes(&self.project.root, &walk, &known);
        let still_left_out = |file: &FoundFile| skipped.get(&file.path) == Some(&file.stat.size);
        let changed = changes.changed.into_iter().filter(|file| !still_left_out(file)).map(|file| file.path);
        Ok(changed.chain(changes.removed).map(|path| path.to_string()).collect())
    }

    fn freshness(
        &self,
        reader: &CodeReader,
        mut dirty_files: Vec<String>,
        hidden_results: usize,
    ) -> anyhow::Result<Freshness> {
        dirty_files.sort_unstable();
        let last_indexed_at = reader.meta(meta::INDEXED_AT)?.and_then(|seconds| seconds.parse().ok());
        let complete = reader.meta(meta::COMPLETE)?.as_deref() == Some("1");
        let level = match (last_indexed_at, dirty_files.is_empty() && complete && hidden_results == 0) {
            (None, _) => FreshnessLevel::Empty,
            (Some(_), true) => FreshnessLevel::Fresh,
            (Some(_), false) => FreshnessLevel::Stale,
        };
        Ok(Freshness {
            level,
            indexed_commit: reader.meta(meta::COMMIT)?.filter(|commit| !commit.is_empty()),
            current_commit: self.project.commit().map(str::to_owned),
            dirty_files,
            hidden_results,
            last_indexed_at,
            partial: !complete,
        })
    }
}
