//! Where events come from. On Linux each folder that counts is watched by itself, so that what a build writes into an ignored folder
//! costs nothing; elsewhere the system watches the whole tree. Without events it keeps the time until the next look.
//! Read [`Eyes::open`] first.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crossbeam_channel::Sender;
use notify::{Config, ErrorKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::super::scope::Scope;
use super::super::walk::{ScanOptions, folders};
use super::{Message, WatchOptions, place};
use crate::model::RelPath;

/// A source of changes.
#[derive(Debug)]
pub(super) struct Eyes {
    source: Source,
    /// Of the root when it was opened; `None` when it was not there.
    root: Option<(u64, Option<SystemTime>)>,
}

#[derive(Debug)]
enum Source {
    Events(Events),
    Polling(Polling),
    /// There is nothing to watch.
    Nothing,
}

#[derive(Debug)]
struct Events {
    watcher: RecommendedWatcher,
    watched: BTreeSet<RelPath>,
    /// Why no more folders can be watched.
    full: Option<String>,
}

#[derive(Debug)]
struct Polling {
    reason: String,
    every: Duration,
    last: Instant,
}

/// The system's events of a folder are of what lies directly in it.
const PER_FOLDER: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Polling takes at most this share of the time.
const SHARE: u32 = 20;
const SHORTEST: Duration = Duration::from_secs(2);
const LONGEST: Duration = Duration::from_mins(1);

impl Eyes {
    pub(super) fn open(root: &Path, options: &WatchOptions, messages: &Sender<Message>) -> Self {
        let identity = place::identity(root);
        let started = Instant::now();
        let Ok(folders) = folders(root, &options.scan) else { return Self { source: Source::Nothing, root: None } };
        let polling = |reason: String| {
            let every = (started.elapsed() * SHARE).clamp(SHORTEST, LONGEST);
            Source::Polling(Polling { reason, every, last: Instant::now() })
        };
        let silent = place::silent(root).map(|kind| format!("the file system ({kind}) does not tell of changes"));
        let forced = options.poll.then(|| "the settings say so".to_owned());
        let source = match forced.or(silent) {
            Some(reason) => polling(reason),
            None => match Events::open(root, &folders, options.git.as_deref(), messages) {
                Ok(events) => Source::Events(events),
                Err(error) => polling(reason_of(&error)),
            },
        };
        Self { source, root: identity }
    }

    /// Why there are no events.
    pub(super) fn polling(&self) -> Option<&str> {
        match &self.source {
            Source::Polling(polling) => Some(&polling.reason),
            Source::Events(_) | Source::Nothing => None,
        }
    }

    pub(super) const fn every(&self) -> Duration {
        match &self.source {
            Source::Polling(polling) => polling.every,
            Source::Events(_) | Source::Nothing => LONGEST,
        }
    }

    /// Whether it is time to look at everything; the time starts anew then.
    pub(super) fn is_poll_due(&mut self) -> bool {
        match &mut self.source {
            Source::Polling(polling) if polling.last.elapsed() >= polling.every => {
                polling.last = Instant::now();
                true
            }
            Source::Polling(_) | Source::Events(_) | Source::Nothing => false,
        }
    }

    /// No more folders can be watched, and some should be.
    pub(super) const fn is_overfull(&self) -> bool {
        match &self.source {
            Source::Events(events) => events.full.is_some(),
            Source::Polling(_) | Source::Nothing => false,
        }
    }

    /// The root is another folder than the one that was opened, or there is none.
    pub(super) fn is_blind(&self, root: &Path) -> bool {
        place::identity(root) != self.root
    }

    /// Watches a folder that appeared at `path`, and no longer what has gone from there.
    pub(super) fn follow(&mut self, root: &Path, options: &WatchOptions, path: &RelPath) {
        let Source::Events(events) = &mut self.source else { return };
        if !PER_FOLDER {
            return;
        }
        let is_folder = std::fs::symlink_metadata(root.join(path.as_str())).is_ok_and(|meta| meta.is_dir());
        if !is_folder {
            events.forget(root, path);
            return;
        }
        let only = Scope::Only([path.as_str().to_owned()].into());
        let scan = ScanOptions { only, ..options.scan.clone() };
        // A folder made between the listing and the watching is found by the next listing.
        while let Ok(folders) = folders(root, &scan)
            && events.add(root, &folders)
        {}
    }
}

impl Events {
    fn open(root: &Path, folders: &[RelPath], git: Option<&Path>, messages: &Sender<Message>) -> notify::Result<Self> {
        let messages = messages.clone();
        let tell = move |event| {
            if messages.send(Message::Event(event)).is_err() {
                tracing::debug!("an event after the end");
            }
        };
        let watcher = RecommendedWatcher::new(tell, Config::default().with_follow_symlinks(false))?;
        let mut events = Self { watcher, watched: BTreeSet::new(), full: None };
        if PER_FOLDER {
            events.add(root, folders);
            if let Some(full) = events.full.take() {
                return Err(notify::Error::generic(&full));
            }
        } else {
            events.watcher.watch(root, RecursiveMode::Recursive)?;
        }
        for dir in git.into_iter().flat_map(|git| [git.to_path_buf(), git.join("logs")]) {
            events.watch_git(&dir);
        }
        Ok(events)
    }

    /// Watches those that are not yet watched; whether there were any.
    fn add(&mut self, root: &Path, folders: &[RelPath]) -> bool {
        let new: Vec<&RelPath> = folders.iter().filter(|folder| !self.watched.contains(*folder)).collect();
        for folder in &new {
            match self.watcher.watch(&at(root, folder), RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert((*folder).clone());
                }
                Err(error) if is_limit(&error) => {
                    self.full = Some(reason_of(&error));
                    return false;
                }
                // It has gone again, or cannot be read.
                Err(error) => {
                    tracing::debug!(%error, %folder, "not watched");
                    self.watched.insert((*folder).clone());
                }
            }
        }
        !new.is_empty()
    }

    /// A watch of a folder that was moved away would tell of it under its old name.
    fn forget(&mut self, root: &Path, path: &RelPath) {
        let scope = Scope::Only([path.as_str().to_owned()].into());
        let gone: Vec<RelPath> = self.watched.extract_if(.., |folder| scope.covers(folder.as_str())).collect();
        for folder in gone {
            if let Err(error) = self.watcher.unwatch(&at(root, &folder)) {
                tracing::debug!(%error, "was not watched");
            }
        }
    }

    fn watch_git(&mut self, dir: &Path) {
        if dir.is_dir()
            && let Err(error) = self.watcher.watch(dir, RecursiveMode::NonRecursive)
        {
            tracing::debug!(%error, "git is not watched");
        }
    }
}

fn at(root: &Path, folder: &RelPath) -> PathBuf {
    if folder.as_str().is_empty() { root.to_path_buf() } else { root.join(folder.as_str()) }
}

fn is_limit(error: &notify::Error) -> bool {
    // ENOSPC: no watch left; EMFILE: no watcher left.
    let by_number = |error: &std::io::Error| matches!(error.raw_os_error(), Some(28 | 24));
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        ErrorKind::Io(error) => by_number(error),
        ErrorKind::Generic(_) | ErrorKind::PathNotFound | ErrorKind::WatchNotFound | ErrorKind::InvalidConfig(_) => {
            false
        }
    }
}

fn reason_of(error: &notify::Error) -> String {
    if is_limit(error) {
        return "the system's limit of watched folders is reached; raise it with `sysctl fs.inotify.max_user_watches=524288` and \
                `sysctl fs.inotify.max_user_instances=512`"
            .to_owned();
    }
    match &error.kind {
        ErrorKind::Generic(reason) => reason.clone(),
        ErrorKind::Io(_)
        | ErrorKind::PathNotFound
        | ErrorKind::WatchNotFound
        | ErrorKind::InvalidConfig(_)
        | ErrorKind::MaxFilesWatch => format!("the system gives no events: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_limit, reason_of};

    #[test]
    fn limits_of_the_system_come_with_what_to_do() {
        let full = notify::Error::io(std::io::Error::from_raw_os_error(28));
        assert!(is_limit(&full) && reason_of(&full).contains("max_user_watches"));
        assert!(is_limit(&notify::Error::new(notify::ErrorKind::MaxFilesWatch)));
        assert!(!is_limit(&notify::Error::path_not_found()));
    }
}
