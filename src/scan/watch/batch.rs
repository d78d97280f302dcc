//! Changes that are gathered until they are told, and what an event means. Read [`Batch`] first.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use notify::EventKind;

use super::super::scope::Scope;
use crate::model::RelPath;
use crate::project::MEMORY_DIR;

/// What has changed and was not told yet.
#[derive(Debug, Default)]
pub(super) struct Batch {
    paths: BTreeSet<RelPath>,
    everything: bool,
    times: Option<(Instant, Instant)>,
}

/// What an event at a path means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Nothing,
    Path(RelPath),
    Everything,
}

/// With more paths than this, looking at everything is faster.
const MOST_PATHS: usize = 2_000;

impl Batch {
    pub(super) fn add(&mut self, path: RelPath) {
        self.paths.insert(path);
        self.everything |= self.paths.len() > MOST_PATHS;
        self.touch();
    }

    pub(super) fn add_everything(&mut self) {
        self.everything = true;
        self.touch();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.times.is_none()
    }

    /// Time since the last change; `None` when nothing waits.
    pub(super) fn since_last(&self) -> Option<Duration> {
        self.times.map(|(_, last)| last.elapsed())
    }

    /// Time since the first change.
    pub(super) fn age(&self) -> Duration {
        self.times.map_or(Duration::ZERO, |(first, _)| first.elapsed())
    }

    pub(super) fn take(&mut self) -> Option<Scope> {
        self.times.take()?;
        let paths = std::mem::take(&mut self.paths);
        let everything = std::mem::take(&mut self.everything);
        Some(if everything { Scope::Everything } else { Scope::of(paths) })
    }

    /// Begins the wait for quiet again.
    pub(super) fn touch(&mut self) {
        let now = Instant::now();
        self.times = Some((self.times.map_or(now, |(first, _)| first), now));
    }
}

/// What an event of `kind` at `path` means for the project at `root`, whose git folder is `git`.
pub(super) fn kind(root: &Path, git: Option<&Path>, path: &Path, kind: EventKind) -> Kind {
    if matches!(kind, EventKind::Access(_)) {
        return Kind::Nothing;
    }
    if let Some(below) = git.and_then(|git| path.strip_prefix(git).ok()) {
        let moved = below == Path::new("HEAD") || below == Path::new("logs/HEAD");
        return if moved { Kind::Everything } else { Kind::Nothing };
    }
    let Ok(below) = path.strip_prefix(root) else { return Kind::Nothing };
    let parts: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
    // The root's own events are about its place, which is looked at anyway.
    let Some(parts) = parts.filter(|parts| !parts.is_empty()) else { return Kind::Nothing };
    let ours = parts.first() == Some(&MEMORY_DIR) || parts.contains(&".git");
    if ours || parts.last().is_some_and(|name| is_passing(name)) {
        return Kind::Nothing;
    }
    Kind::Path(RelPath::new(&parts.join("/")))
}

/// Files that editors make while they save another.
fn is_passing(name: &str) -> bool {
    let starts = [".#", ".goutputstream-", "#"];
    let ends = ["~", ".swp", ".swo", ".swx", ".crswap", "___jb_tmp___", "___jb_old___"];
    name == "4913" || starts.iter().any(|start| name.starts_with(start)) || ends.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use notify::EventKind;
    use notify::event::{AccessKind, ModifyKind};

    use super::{Batch, Kind, MOST_PATHS, kind};
    use crate::model::RelPath;
    use crate::scan::Scope;

    fn meaning(path: &str) -> Kind {
        kind(Path::new("/p"), Some(Path::new("/p/.git")), Path::new(path), EventKind::Modify(ModifyKind::Any))
    }

    #[test]
    fn only_files_of_the_project_count() {
        assert_eq!(meaning("/p/a/b.rs"), Kind::Path(RelPath::new("a/b.rs")));
        let passing = ["a.py~", ".a.py.swp", "4913", ".#a", "#a#", "a.rs___jb_tmp___", ".goutputstream-X"];
        for nothing in passing.map(|name| format!("/p/src/{name}")) {
            assert_eq!(meaning(&nothing), Kind::Nothing, "{nothing}");
        }
        for nothing in
            ["/p", "/q/a.rs", "/p/.memory/fts.db-wal", "/p/sub/.git/index", "/p/.git/index", "/p/.git/HEAD.lock"]
        {
            assert_eq!(meaning(nothing), Kind::Nothing, "{nothing}");
        }
        let read = EventKind::Access(AccessKind::Any);
        assert_eq!(kind(Path::new("/p"), None, Path::new("/p/a.rs"), read), Kind::Nothing);
    }

    #[test]
    fn a_moved_head_is_everything() {
        assert_eq!(meaning("/p/.git/HEAD"), Kind::Everything);
        assert_eq!(meaning("/p/.git/logs/HEAD"), Kind::Everything);
    }

    #[test]
    fn a_batch_is_taken_once_and_a_large_one_is_everything() {
        let mut batch = Batch::default();
        assert_eq!(batch.take(), None);
        batch.add(RelPath::new("a.rs"));
        batch.add(RelPath::new("a.rs"));
        assert_eq!(batch.take(), Some(Scope::of([RelPath::new("a.rs")])));
        assert!(batch.is_empty());
        (0..=MOST_PATHS).for_each(|n| batch.add(RelPath::new(&n.to_string())));
        assert_eq!(batch.take(), Some(Scope::Everything));
    }
}
