//! The stores as files on disk: emptied, and told apart from those that took their place. It reads nothing in them.
//! Read [`Engine::clear_index`] first.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::{Engine, Watch};
use crate::model::RelPath;
use crate::store::code::CodeReader;
use crate::store::{Start, Writer};

/// Which files the stores are. A reader that was opened on others sees nothing of what is written since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexStamp([Option<u64>; 2]);

impl Engine {
    /// Forgets everything that was indexed; what is remembered beside the code stays. Waits for another process that writes.
    ///
    /// # Errors
    /// The stores cannot be written, or `watch` cancelled the wait.
    pub fn clear_index(&self, watch: &Watch<'_>) -> anyhow::Result<()> {
        if !self.project.memory_dir.is_dir() {
            return Ok(());
        }
        let cancelled = || watch.cancel.load(Ordering::Relaxed);
        drop(Writer::open(&self.paths, Start::Afresh, watch.waiting, &cancelled)?);
        Ok(())
    }

    /// Links of the call graph.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn edge_count(&self) -> anyhow::Result<u64> {
        Ok(CodeReader::open(&self.paths.metadata())?.graph_stats()?.edges)
    }

    /// Folders that hold indexed files, the root among them.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn folder_count(&self) -> anyhow::Result<u64> {
        Ok(CodeReader::open(&self.paths.metadata())?.dirs()?.len() as u64)
    }

    /// Those of `paths` that are neither a file of the index nor a folder with one.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn not_indexed(&self, paths: &[RelPath]) -> anyhow::Result<Vec<RelPath>> {
        let reader = CodeReader::open(&self.paths.metadata())?;
        let files: BTreeSet<RelPath> = reader.files()?.into_iter().map(|row| row.path).collect();
        let holds = |path: &&RelPath| {
            let folder = RelPath::new(&format!("{path}/"));
            let first_below = files.range(folder.clone()..).next();
            path.as_str() == "."
                || files.contains(path)
                || first_below.is_some_and(|file| file.as_str().starts_with(folder.as_str()))
        };
        Ok(paths.iter().filter(|path| !holds(path)).cloned().collect())
    }

    /// Whether the stores are still the files they were.
    #[must_use]
    pub fn index_stamp(&self) -> IndexStamp {
        IndexStamp([self.paths.metadata(), self.paths.fts()].map(|path| identity(&path)))
    }
}

fn identity(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|meta| identity_of(&meta))
}

#[cfg(unix)]
fn identity_of(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn identity_of(meta: &Metadata) -> u64 {
    let since_epoch = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).ok();
    meta.created().ok().and_then(since_epoch).map_or(0, |age| age.as_nanos() as u64)
}
