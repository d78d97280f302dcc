//! The stores as a whole: emptied, counted, and what of the project they hold.
//! Read [`Engine::clear_index`] first.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::{Engine, Watch};
use crate::model::RelPath;
use crate::store::code::CodeReader;
use crate::store::{Start, Writer};

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
}
