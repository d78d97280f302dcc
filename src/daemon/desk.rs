//! Opened indexes that requests borrow. The last one given back is the next one lent, so requests that come one after another share one
//! and its memory; a second is opened only while the first is in use. Read [`Desk::ask`] first.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::{Engine, Searcher, StoreIdentity};
use crate::project::Project;

/// A project with its opened indexes.
#[derive(Debug)]
pub(super) struct Desk {
    root: PathBuf,
    engine: Mutex<Option<(Arc<Engine>, Instant)>>,
    idle: Mutex<Vec<Opened>>,
}

#[derive(Debug)]
struct Opened {
    searcher: Searcher,
    /// Of the files it reads; others with their names are another index.
    identity: StoreIdentity,
}

/// Branch, commit and settings are read again when they are older.
const FRESH: Duration = Duration::from_secs(2);

/// Opened indexes that are kept.
const MOST_KEPT: usize = 2;

impl Desk {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, engine: Mutex::new(None), idle: Mutex::default() }
    }

    /// The engine with the branch, the commit and the settings of now.
    pub(super) fn engine(&self) -> anyhow::Result<Arc<Engine>> {
        let mut current = lock(&self.engine);
        if let Some((engine, _)) = current.as_ref().filter(|(_, opened)| opened.elapsed() < FRESH) {
            return Ok(Arc::clone(engine));
        }
        let engine = Arc::new(Engine::open(Project::at(&self.root)?));
        *current = Some((Arc::clone(&engine), Instant::now()));
        Ok(engine)
    }

    /// The next engine is opened anew.
    pub(super) fn forget_engine(&self) {
        *lock(&self.engine) = None;
    }

    /// Asks an opened index. One that failed is not used again.
    pub(super) fn ask<T>(&self, question: impl FnOnce(&Engine, &Searcher) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let engine = self.engine()?;
        let opened = self.borrow(&engine)?;
        let answer = question(&engine, &opened.searcher)?;
        self.give_back(opened);
        Ok(answer)
    }

    /// Loads what the last run of the index changed, so that the next request need not.
    pub(super) fn warm(&self) -> anyhow::Result<()> {
        self.ask(|_, searcher| Ok(searcher.refresh().map(drop)?))
    }

    /// Closes all indexes that are not in use.
    pub(super) fn close(&self) {
        lock(&self.idle).clear();
    }

    fn borrow(&self, engine: &Engine) -> anyhow::Result<Opened> {
        let identity = engine.store_identity();
        loop {
            let Some(opened) = lock(&self.idle).pop() else {
                return Ok(Opened { searcher: engine.searcher()?, identity });
            };
            if opened.identity == identity {
                return Ok(opened);
            }
        }
    }

    fn give_back(&self, opened: Opened) {
        let mut idle = lock(&self.idle);
        if idle.len() < MOST_KEPT {
            idle.push(opened);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
