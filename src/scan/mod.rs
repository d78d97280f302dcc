//! Which files exist, which of them changed, and what is in them. Never stores anything: hashes are handed in. Never parses:
//! whether a path is source code is asked of a closure. Read [`walk`] first.

mod builtin;
mod changes;
#[cfg(test)]
mod fixture;
mod merkle;
mod read;
mod rules;
mod scope;
mod walk;
mod watch;

pub use changes::{Changes, changes};
pub use merkle::directory_hashes;
pub use read::{Content, read};
pub use scope::Scope;
pub use walk::{FoundFile, IsSource, ScanError, ScanOptions, Walk, folders, stat, walk};
pub use watch::{WatchOptions, WatchState, Watcher, identity, watch};

/// Nanoseconds since 1970.
#[must_use]
pub fn clock_ns() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "this room owns the clock that file times are compared with")]
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// Bytes. Nothing larger is read, source code or not.
pub const LARGEST_FILE: u64 = 8 << 20;
