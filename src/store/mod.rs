//! Keeps the index of the code: the only room that speaks SQL. It never parses, never reads a source file and never ranks.
//! Both databases are disposable: what is damaged or of another version is replaced by an empty store, and all files are new.
//! Read [`Writer`] first, then the tables in [`text`] (`fts.db`) and [`code`] (`metadata.db`).
//!
//! Consistency: a batch commits fts.db, then metadata.db with the file hashes, each with the same commit number. A file whose
//! two hashes differ is left out by readers and done again by the next run; different commit numbers make the next writer compare
//! all files. A generation number, drawn when the store is made, tells files that do not belong together.

pub mod code;
pub mod names;
pub mod text;
pub mod tokens;

mod check;
mod database;
mod dictionary;
#[cfg(test)]
mod equality;
mod error;
#[cfg(test)]
mod fixtures;
mod interner;
mod inverted;
#[cfg(test)]
mod linking;
mod lock;
mod varint;
mod worker;
mod writer;

use std::path::PathBuf;

pub use check::{Integrity, check};
pub use error::{Kind, StoreError};
pub use inverted::BLOCK_FILES;
pub use writer::{Finish, Start, Update, WriteReport, Writer};

/// Where the code store of a project lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorePaths {
    /// The `.memory` folder.
    pub dir: PathBuf,
}

impl StorePaths {
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    #[must_use]
    pub fn metadata(&self) -> PathBuf {
        self.dir.join(Kind::Metadata.file_name())
    }

    #[must_use]
    pub fn fts(&self) -> PathBuf {
        self.dir.join(Kind::Text.file_name())
    }

    #[must_use]
    pub fn lock(&self) -> PathBuf {
        self.dir.join("index.lock")
    }
}
