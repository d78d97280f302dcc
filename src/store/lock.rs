//! One writer at a time over all processes: an advisory lock on `index.lock`, let go when the process ends in whatever way.
//! It never removes the file and never breaks a lock. Readers come here only to learn why there is nothing to read.
//! Read [`IndexLock::acquire`].

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::database::expect_plain;
use super::error::StoreError;

/// How long a waiting process sleeps before it asks again.
const POLL: Duration = Duration::from_millis(50);

/// Held for as long as it lives.
#[derive(Debug)]
pub(super) struct IndexLock {
    _file: File,
}

impl IndexLock {
    /// Waits for the present holder, if there is one, after one call of `wait`, until `cancelled` says so.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] where the file cannot be opened for writing; [`StoreError::Locked`] when the wait is cancelled.
    pub(super) fn acquire(path: &Path, wait: impl FnOnce(), cancelled: &dyn Fn() -> bool) -> Result<Self, StoreError> {
        expect_plain(path)?;
        let failed = |source| StoreError::io(path, source);
        let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(failed)?;
        let mut wait = Some(wait);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if cancelled() => return Err(StoreError::Locked),
                Err(TryLockError::WouldBlock) => {
                    if let Some(wait) = wait.take() {
                        wait();
                    }
                    thread::sleep(POLL);
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
        // For a person who looks; a full disk must not keep a repair from starting.
        if file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).is_err() {
            tracing::debug!("process id not written to {}", path.display());
        }
        Ok(Self { _file: file })
    }

    /// Whether a process holds it now. Never waits and makes no file.
    pub(super) fn is_held(path: &Path) -> bool {
        let file = expect_plain(path).ok().and_then(|()| File::open(path).ok());
        file.is_some_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn second_holder_is_told_once_and_waits() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index.lock");
        let first = IndexLock::acquire(&path, || panic!("nobody holds it"), &|| false).unwrap();
        let (told, hears) = mpsc::channel();
        let second = thread::spawn(move || IndexLock::acquire(&path, || told.send(()).unwrap(), &|| false).map(|_| ()));
        hears.recv().unwrap();
        assert!(!second.is_finished());
        drop(first);
        second.join().unwrap().unwrap();
        assert!(hears.recv().is_err());
    }

    #[test]
    fn asking_who_holds_it_takes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index.lock");
        assert!(!IndexLock::is_held(&path));
        assert!(!path.exists());
        let held = IndexLock::acquire(&path, || {}, &|| false).unwrap();
        assert!(IndexLock::is_held(&path));
        drop(held);
        assert!(!IndexLock::is_held(&path));
    }

    #[test]
    fn a_wait_ends_when_it_is_cancelled() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index.lock");
        let _first = IndexLock::acquire(&path, || {}, &|| false).unwrap();
        let told = Cell::new(false);
        let second = IndexLock::acquire(&path, || told.set(true), &|| told.get());
        assert!(matches!(second, Err(StoreError::Locked)));
    }
}
