//! Bringing the index up to date in part: the files that somebody names, or those that the watcher saw change.
//! Read [`Engine::scope_of`] first.

use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use crossbeam_channel::Receiver;

use super::Engine;
use crate::model::RelPath;
use crate::scan::{self, ScanOptions, Scope, WatchOptions, Watcher, watch};

/// What tells the files of an index from others that take their places: number and birth of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreIdentity([Option<(u64, Option<SystemTime>)>; 2]);

/// A path that leads out of the project.
#[derive(Debug, thiserror::Error)]
#[error("{} is not in the project", .0.display())]
pub struct OutsideProject(pub PathBuf);

impl Engine {
    /// What `paths`, absolute or relative to `base`, are in the project; they need not exist. Nothing is asked of the disk but where
    /// `base` is.
    ///
    /// # Errors
    /// [`OutsideProject`].
    pub fn scope_of(&self, base: &Path, paths: &[PathBuf]) -> Result<Scope, OutsideProject> {
        let base = std::fs::canonicalize(base).unwrap_or_else(|_| base.to_path_buf());
        let inside = paths.iter().map(|path| self.inside(&base, path).ok_or_else(|| OutsideProject(path.clone())));
        Ok(Scope::of(inside.collect::<Result<Vec<RelPath>, _>>()?))
    }

    /// Watches the project; a message is what changed since the last, after `quiet` without a further change.
    #[must_use]
    pub fn watch(&self, quiet: Duration) -> (Watcher, Receiver<Scope>) {
        let options = WatchOptions {
            quiet,
            scan: ScanOptions { only: Scope::Everything, ..self.scan_options() },
            git: self.project.git.as_ref().map(|git| git.dirs.git_dir.clone()),
            poll: false,
        };
        watch(self.project.root.clone(), options)
    }

    /// Of the index on disk. A reader of another one sees nothing new any more.
    #[must_use]
    pub fn store_identity(&self) -> StoreIdentity {
        StoreIdentity([self.paths.metadata(), self.paths.fts()].map(|path| scan::identity(&path)))
    }

    fn inside(&self, base: &Path, path: &Path) -> Option<RelPath> {
        let path = plain(&base.join(path))?;
        // A link on the way to the project is no way out of it.
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        let root = &self.project.root;
        let below = path.strip_prefix(root).or_else(|_| real.strip_prefix(root)).ok()?;
        let parts: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
        Some(RelPath::new(&parts?.join("/")))
    }
}

/// Without `.` and `..`; `None` where they lead above the root of the disk.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::Engine;
    use crate::model::RelPath;
    use crate::project::Project;
    use crate::scan::Scope;

    #[test]
    fn paths_are_taken_from_the_base_and_must_stay_inside() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sub")).unwrap();
        let engine = Engine::open(Project::at(dir.path()).unwrap());
        let root = &engine.project().root;
        let scope = |path: &str| engine.scope_of(&root.join("sub"), &[PathBuf::from(path)]).ok();
        let only = |path: &str| Some(Scope::of([RelPath::new(path)]));
        assert_eq!(scope("a.rs"), only("sub/a.rs"));
        assert_eq!(scope("../b/./c.rs"), only("b/c.rs"));
        assert_eq!(scope(root.join("d.rs").to_str().unwrap()), only("d.rs"));
        assert_eq!(scope(".."), Some(Scope::Everything));
        for outside in ["../..", "../../etc/passwd", "/etc/passwd", "../../../../../../../../../.."] {
            assert_eq!(scope(outside), None, "{outside}");
        }
    }
}
