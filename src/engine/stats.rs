//! What the index holds, how fresh it is, what was left out and what it costs on disk. Read [`Stats`] first.

use std::collections::BTreeMap;

use super::{Engine, Freshness};
use crate::model::Skip;
use crate::store::code::CodeReader;

/// Bytes on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiskUse {
    pub metadata: u64,
    pub fts: u64,
}

impl DiskUse {
    #[must_use]
    pub const fn total(self) -> u64 {
        self.metadata + self.fts
    }
}

#[derive(Debug, Clone)]
pub struct Stats {
    pub files: u64,
    pub chunks: u64,
    pub symbols: u64,
    pub lines: u64,
    /// Bytes of source that are indexed.
    pub source_bytes: u64,
    /// Files per language.
    pub languages: BTreeMap<String, u64>,
    /// Files with syntax errors.
    pub files_with_errors: u64,
    /// Files cut as plain text because parsing them took too much.
    pub files_given_up: u64,
    /// Files left out, per reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// The largest files that were left out.
    pub largest_skipped: Vec<Skip>,
    pub freshness: Freshness,
    pub disk: DiskUse,
}

/// Left-out files that `doctor` and `stats` name.
const NAMED_SKIPS: usize = 5;

impl Engine {
    /// Counts of the index and its state against the files on disk.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn stats(&self) -> anyhow::Result<Stats> {
        let reader = CodeReader::open(&self.paths.metadata())?;
        let counts = reader.stats()?;
        let mut skips = reader.skipped()?;
        let mut skipped = BTreeMap::new();
        for skip in &skips {
            *skipped.entry(skip.reason.as_str()).or_insert(0) += 1;
        }
        skips.sort_by(|a, b| b.size.cmp(&a.size).then_with(|| a.path.cmp(&b.path)));
        skips.truncate(NAMED_SKIPS);
        Ok(Stats {
            files: counts.files,
            chunks: counts.chunks,
            symbols: counts.symbols,
            lines: counts.lines,
            source_bytes: counts.bytes,
            languages: counts.langs.into_iter().map(|lang| (lang.lang.into_string(), lang.files)).collect(),
            files_with_errors: counts.files_with_errors,
            files_given_up: counts.files_given_up,
            skipped,
            largest_skipped: skips,
            freshness: self.freshness_of_all(&reader)?,
            disk: self.disk_use(),
        })
    }

    fn disk_use(&self) -> DiskUse {
        let size = |path: &std::path::Path| {
            let wal = path.with_extension("db-wal");
            [path, &wal].iter().filter_map(|p| std::fs::metadata(p).ok()).map(|m| m.len()).sum()
        };
        DiskUse { metadata: size(&self.paths.metadata()), fts: size(&self.paths.fts()) }
    }
}
