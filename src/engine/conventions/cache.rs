//! Keeps the last answer beside the index. A file that is damaged, old or of another index is as good as none, and one that cannot be
//! written costs nothing but time. Read [`load`] first.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Conventions;
use crate::parse::PARSER_VERSION;
use crate::project;
use crate::store::StoreError;
use crate::store::code::CodeReader;

/// Changes when the same index gives another answer.
const VERSION: u32 = 2;
const FILE: &str = "conventions.json";
/// An answer has some kilobytes; more is damage.
const MOST_BYTES: u64 = 1 << 20;

#[derive(Serialize, Deserialize)]
struct Kept<C> {
    key: String,
    conventions: C,
}

/// What an answer depends on: this code, the parser, the commit of the index and the hash of all source.
pub(super) fn key(reader: &CodeReader) -> Result<String, StoreError> {
    let dirs = reader.dirs()?;
    let root = dirs.iter().find(|(path, _)| path.is_empty()).map(|(_, hash)| hash.to_string()).unwrap_or_default();
    Ok(format!("{} {VERSION} {PARSER_VERSION} {} {root}", env!("CARGO_PKG_VERSION"), reader.commit()?))
}

/// The answer that was kept under `key`.
pub(super) fn load(dir: &Path, key: &str) -> Option<Conventions> {
    let text = project::read_plain(&dir.join(FILE), MOST_BYTES).ok()?;
    let kept: Kept<Conventions> = serde_json::from_str(&text).ok()?;
    (kept.key == key).then_some(kept.conventions)
}

/// Keeps an answer, in place of the one before it.
pub(super) fn keep(dir: &Path, key: String, conventions: &Conventions) {
    if let Err(error) = write(dir, &Kept { key, conventions }) {
        tracing::debug!(%error, "conventions are not kept");
    }
}

fn write(dir: &Path, kept: &Kept<&Conventions>) -> anyhow::Result<()> {
    Ok(project::write_private(&dir.join(FILE), &serde_json::to_vec(kept)?)?)
}
