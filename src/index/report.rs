//! What an index run says while it runs and when it is done. Read [`IndexReport`] first.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::model::RelPath;
use crate::scan::ScanError;
use crate::store::StoreError;

/// Stage of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Scan,
    Index,
    Link,
    Commit,
}

impl Phase {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scan => "scanning",
            Self::Index => "indexing",
            Self::Link => "linking",
            Self::Commit => "writing",
        }
    }
}

/// Files done of those in work; both zero where the number is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub phase: Phase,
    pub done: u64,
    pub total: u64,
}

/// The state after a run and what the run did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexReport {
    /// In the index now.
    pub files: u64,
    pub chunks: u64,
    pub symbols: u64,
    /// Read, parsed and stored by this run.
    pub indexed: u64,
    pub unchanged: u64,
    pub removed: u64,
    /// In the index now, with syntax the grammar does not know.
    pub files_with_errors: u64,
    /// In the index now, cut as plain text because parsing them took too much.
    pub files_given_up: u64,
    /// Left out, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Files that could not be done, with the reason. They are tried again by the next run.
    pub failures: Vec<(RelPath, String)>,
}

#[derive(Debug, Error)]
pub enum IndexError {
    #[error(transparent)]
    Scan(#[from] ScanError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cancelled after {done} files; run the command again to go on from there")]
    Cancelled { done: u64 },
}

impl IndexError {
    /// The store's part of it.
    #[must_use]
    pub const fn store(&self) -> Option<&StoreError> {
        match self {
            Self::Store(error) => Some(error),
            Self::Scan(_) | Self::Cancelled { .. } => None,
        }
    }
}
