//! Errors as a user needs them: a code for the exit status, a message, a hint what to do. Read [`Fault`] first.

use super::{InitError, NameError, OutsideProject, UnknownLanguage};
use crate::index::IndexError;
use crate::project::ProjectError;
use crate::scan::ScanError;
use crate::search::SearchError;
use crate::store::StoreError;

/// What kind of failure it is; names are part of the JSON output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Nothing is indexed yet.
    NoIndex,
    /// The question cannot be asked like this.
    Usage,
    Failed,
}

impl Code {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoIndex => "no_index",
            Self::Usage => "usage",
            Self::Failed => "failed",
        }
    }

    /// Exit status of the process.
    #[must_use]
    pub const fn exit(self) -> u8 {
        match self {
            Self::NoIndex => 3,
            Self::Usage => 2,
            Self::Failed => 1,
        }
    }
}

/// A failure with a way out where one is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub code: Code,
    pub message: String,
    pub hint: Option<String>,
}

impl Fault {
    /// Reads the whole chain of `error`.
    #[must_use]
    pub fn of(error: &anyhow::Error) -> Self {
        let store = store_error(error);
        let hint = store.and_then(hint_of).or_else(|| error.chain().find_map(other_hint)).map(str::to_owned);
        let hint = hint.or_else(|| error.chain().find_map(|cause| cause.downcast_ref::<NameError>()?.hint()));
        Self { code: code_of(error, store), message: message_of(error), hint }
    }
}

const UNREADABLE_ROOT: &str = "make the project folder readable, or name another with --project";

/// What to do about damage.
pub(super) const REBUILD: &str = "run `reporecall doctor --fix` or `reporecall index --full`";

/// Only a rebuild of the index helps.
pub(super) fn is_damage(error: &anyhow::Error) -> bool {
    matches!(store_error(error), Some(StoreError::Damaged { .. }))
}

/// The chain in one line; what a cause repeats of the one before is said once.
fn message_of(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string).filter(|cause| !cause.is_empty()) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

fn store_error(error: &anyhow::Error) -> Option<&StoreError> {
    error.chain().find_map(|cause| {
        let from_index = cause.downcast_ref::<IndexError>().and_then(IndexError::store);
        let from_search = match cause.downcast_ref::<SearchError>() {
            Some(SearchError::Store(error)) => Some(error),
            Some(SearchError::PathPattern(_)) | None => None,
        };
        from_index.or(from_search).or_else(|| cause.downcast_ref::<StoreError>())
    })
}

fn code_of(error: &anyhow::Error, store: Option<&StoreError>) -> Code {
    let not_built =
        |cause: &(dyn std::error::Error + 'static)| matches!(cause.downcast_ref(), Some(InitError::NotBuilt(_)));
    let is_usage = |cause: &(dyn std::error::Error + 'static)| {
        cause.is::<UnknownLanguage>() || cause.is::<NameError>() || cause.is::<OutsideProject>() || not_built(cause)
    };
    let bad_path = error.chain().any(|cause| matches!(cause.downcast_ref(), Some(SearchError::PathPattern(_))));
    if matches!(store, Some(StoreError::Missing(_))) {
        Code::NoIndex
    } else if bad_path || error.chain().any(is_usage) {
        Code::Usage
    } else {
        Code::Failed
    }
}

/// Of errors that are not the store's.
fn other_hint(cause: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    let of_project = |error: &ProjectError| match error {
        ProjectError::Open { .. } | ProjectError::NotAFolder { .. } => "name an existing folder with --project",
        ProjectError::MemoryDirTaken { .. } => "move what lies in its place away",
        ProjectError::CreateMemoryDir { .. } => "make the project folder writable",
    };
    let of_index = |error: &IndexError| match error {
        IndexError::Scan(ScanError::Root { .. }) => Some(UNREADABLE_ROOT),
        IndexError::Cancelled { .. } => Some("run `reporecall index` to go on; `reporecall search` works meanwhile"),
        IndexError::Store(_) => None,
    };
    let of_scan = |error: &ScanError| match error {
        ScanError::Root { .. } => UNREADABLE_ROOT,
    };
    let project = cause.downcast_ref().map(of_project);
    let of_init = cause.downcast_ref().map(InitError::hint);
    project
        .or(of_init)
        .or_else(|| cause.downcast_ref().and_then(of_index))
        .or_else(|| cause.downcast_ref().map(of_scan))
}

fn hint_of(error: &StoreError) -> Option<&'static str> {
    let hint = match error {
        StoreError::Missing(_) => "run `reporecall index` first",
        StoreError::Damaged { .. } => REBUILD,
        StoreError::Version { .. } => "run `reporecall index`: the index is built again from the source",
        StoreError::Locked => "another process is writing the index; try again when it has finished",
        StoreError::ReadOnly(_) => "make the .memory folder and what is in it readable and writable for this user",
        StoreError::DiskFull => "free some disk space and run `reporecall index` again",
        StoreError::Io { .. } => "move what lies there away; the index can always be made again",
        StoreError::Stopped | StoreError::Sql { .. } => return None,
    };
    Some(hint)
}
