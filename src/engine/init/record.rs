//! What `init` found in each file that it changed, kept in `.memory/`, so that `uninstall` gives it back to the byte. It is used only while
//! the file is as `init` left it. Read [`Record`] first.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

use super::Change;

/// Its file in `.memory/`.
pub(super) const FILE: &str = "init.json";

/// By path, from the root where it lies below it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    files: BTreeMap<String, Kept>,
}

/// A file as it was found and as it was left.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    /// `None`: it was not there.
    pub before: Option<String>,
    /// Hash of the text that was written.
    after: String,
}

impl Record {
    /// Without a readable one, nothing is known.
    pub(super) fn load(memory_dir: &Path) -> Self {
        let text = crate::project::read_plain(&memory_dir.join(FILE), 16 << 20).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(super) fn save(&self, memory_dir: &Path) -> anyhow::Result<()> {
        let path = memory_dir.join(FILE);
        if self.files.is_empty() {
            // It may never have been there.
            drop(std::fs::remove_file(&path));
            return Ok(());
        }
        let text = serde_json::to_string_pretty(self)?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Keeps what a change finds. Of a file that is still as the last run left it, what that run found counts.
    pub(super) fn keep(&mut self, root: &Path, change: &Change) {
        let Some(after) = &change.after else { return };
        if change.before.as_ref() == Some(after) {
            return;
        }
        let found = change.before.as_deref();
        let first = found.and_then(|found| self.kept(root, &change.path, found));
        let before = first.map_or_else(|| change.before.clone(), |kept| kept.before.clone());
        self.files.insert(key(root, &change.path), Kept { before, after: hash(after) });
    }

    /// What is known of a file whose text `now` is the one that was left.
    pub(super) fn kept(&self, root: &Path, path: &Path, now: &str) -> Option<&Kept> {
        self.files.get(&key(root, path)).filter(|kept| kept.after == hash(now))
    }

    pub(super) fn forget(&mut self, root: &Path, path: &Path) {
        self.files.remove(&key(root, path));
    }
}

fn key(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

fn hash(text: &str) -> String {
    format!("{:016x}", xxh64(text.as_bytes(), 0))
}
