//! What can go wrong in the store, in the cases a caller treats differently. It words no hints: that is for whoever asked.
//! Read [`StoreError`].

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::types::Type;

/// Which of the two code databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `metadata.db`
    Metadata,
    /// `fts.db`
    Text,
}

impl Kind {
    #[must_use]
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Metadata => "metadata.db",
            Self::Text => "fts.db",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing has been indexed here.
    #[error("there is no index at {}", .0.display())]
    Missing(PathBuf),
    /// The file is not what was written. A writer replaces it by an empty one, a reader cannot go on.
    #[error("{db} is damaged: {detail}")]
    Damaged { db: &'static str, detail: String },
    /// Another process holds it, or waiting for that process was interrupted.
    #[error("another process is writing the index")]
    Locked,
    #[error("the index cannot be opened or written: {0}")]
    ReadOnly(String),
    #[error("no space is left for the index")]
    DiskFull,
    /// Written by another version of this program.
    #[error("{db} has format {found}, this version reads {expected}")]
    Version { db: &'static str, found: i64, expected: i64 },
    /// The thread that writes has ended; `Writer::finish` says why.
    #[error("the index writer has stopped")]
    Stopped,
    #[error("{db}: {source}")]
    Sql { db: &'static str, source: rusqlite::Error },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl StoreError {
    pub(super) fn sql(kind: Kind, error: rusqlite::Error) -> Self {
        let db = kind.file_name();
        let damaged = |detail: String| Self::Damaged { db, detail };
        match code(&error) {
            // All statements are fixed: one that SQLite does not understand means tables that are not ours.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => {
                damaged(error.to_string())
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                Self::ReadOnly(error.to_string())
            }
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::SystemIoFailure) if is_out_of_space(&error) => Self::DiskFull,
            None if is_conversion(&error) => damaged(error.to_string()),
            Some(_) | None => Self::Sql { db, source: error },
        }
    }

    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        use io::ErrorKind::{
            Interrupted, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull, WouldBlock,
        };
        let kind = source.kind();
        if [PermissionDenied, ReadOnlyFilesystem].contains(&kind) {
            Self::ReadOnly(format!("{}: {source}", path.display()))
        } else if [StorageFull, QuotaExceeded].contains(&kind) {
            Self::DiskFull
        } else if [Interrupted, WouldBlock].contains(&kind) {
            Self::Locked
        } else {
            Self::Io { path: path.to_owned(), source }
        }
    }

    /// An empty store in its place would cure it.
    #[must_use]
    pub const fn calls_for_rebuild(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Version { .. })
    }
}

/// A stored value that does not decode, in the form a row mapper returns it.
pub(super) fn undecodable(what: &'static str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Blob, what.into())
}

fn code(error: &rusqlite::Error) -> Option<ErrorCode> {
    if let rusqlite::Error::SqlInputError { error, .. } = error {
        return Some(error.code);
    }
    error.sqlite_error_code()
}

/// The log's index could not grow.
fn is_out_of_space(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}

fn is_conversion(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    )
}
