//! The thread that keeps the index up to date while the daemon lives: what the watcher tells is indexed, one message at a time, through
//! the one write lock. Read [`Indexer::start`] first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};

use super::desk::Desk;
use crate::engine::{Fault, IndexRequest, Scope, WatchState, Watcher, unwatched};

/// Keeps the index fresh until it is stopped.
#[derive(Debug)]
pub(super) struct Indexer {
    cancel: Arc<AtomicBool>,
    /// Asks for a look at everything; closed, it ends the thread.
    wake: Mutex<Option<Sender<()>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    watcher: Mutex<Option<Watcher>>,
    state: Arc<Mutex<IndexState>>,
    ended: Receiver<()>,
}

/// What is known of the index without looking at it.
#[derive(Debug, Clone, Default)]
pub(super) struct IndexState {
    pub(super) indexing: bool,
    /// Messages of the watcher that are indexed.
    done: u64,
    /// Why the last run failed.
    pub(super) fault: Option<String>,
    pub(super) watch: WatchState,
}

/// Pauses before a failed run is tried again.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_mins(2);

struct Work {
    desk: Arc<Desk>,
    cancel: Arc<AtomicBool>,
    state: Arc<Mutex<IndexState>>,
}

impl Indexer {
    /// Brings the index up to date and keeps it so.
    pub(super) fn start(desk: &Arc<Desk>) -> anyhow::Result<Self> {
        let engine = desk.engine()?;
        let (watcher, changes) = engine.watch(Duration::from_millis(engine.config().debounce_ms));
        let (cancel, state) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(Mutex::new(IndexState { indexing: true, ..IndexState::default() })),
        );
        let (wake, woken) = unbounded();
        let (alive, ended) = bounded(0);
        let work = Work { desk: Arc::clone(desk), cancel: Arc::clone(&cancel), state: Arc::clone(&state) };
        let run = move || {
            let _alive: Sender<()> = alive;
            work.run(&changes, &woken);
        };
        let thread = thread::Builder::new().name("indexer".into()).spawn(run)?;
        let watcher = Mutex::new(Some(watcher));
        Ok(Self { cancel, wake: Mutex::new(Some(wake)), thread: Mutex::new(Some(thread)), watcher, state, ended })
    }

    pub(super) fn state(&self) -> IndexState {
        let mut state = lock(&self.state).clone();
        if let Some(watcher) = &*lock(&self.watcher) {
            state.watch = watcher.state();
            state.watch.pending |= state.watch.told > state.done;
        }
        state
    }

    /// Everything is looked at soon.
    pub(super) fn wake(&self) {
        if let Some(wake) = &*lock(&self.wake)
            && wake.send(()).is_err()
        {
            tracing::debug!("the indexer has ended");
        }
    }

    /// Lets the files in work be finished and their commit be made, then stops watching.
    pub(super) fn stop(&self, within: Duration) {
        self.cancel.store(true, Ordering::Relaxed);
        drop(lock(&self.wake).take());
        let timed_out = matches!(self.ended.recv_timeout(within), Err(crossbeam_channel::RecvTimeoutError::Timeout));
        if timed_out {
            tracing::warn!("the index is still being written");
        } else if let Some(thread) = lock(&self.thread).take()
            && thread.join().is_err()
        {
            tracing::error!("the indexer failed");
        }
        drop(lock(&self.watcher).take());
    }
}

impl Work {
    fn run(&self, changes: &Receiver<Scope>, woken: &Receiver<()>) {
        let mut owed = Some(Scope::Everything);
        let mut pause = FIRST_PAUSE;
        let mut taken = 0;
        loop {
            if let Some(scope) = owed.take() {
                if self.index(scope.clone()) {
                    pause = FIRST_PAUSE;
                    lock(&self.state).done += std::mem::take(&mut taken);
                } else {
                    owed = Some(scope);
                }
            }
            let wait = if owed.is_some() { pause } else { Duration::from_hours(1) };
            select! {
                recv(changes) -> scope => match scope {
                    Ok(scope) => {
                        taken += 1;
                        owed = Some(join(owed, scope));
                    }
                    Err(_) => return,
                },
                recv(woken) -> wake => match wake {
                    Ok(()) => owed = Some(Scope::Everything),
                    Err(_) => return,
                },
                default(wait) => pause = (pause * 2).min(LONGEST_PAUSE),
            }
            for scope in changes.try_iter() {
                taken += 1;
                owed = Some(join(owed, scope));
            }
            if self.cancel.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Whether it was done.
    fn index(&self, only: Scope) -> bool {
        let started = Instant::now();
        lock(&self.state).indexing = true;
        self.desk.forget_engine();
        let request = IndexRequest { only, ..IndexRequest::default() };
        let run = self.desk.engine().and_then(|engine| engine.index(request, &unwatched(&self.cancel)));
        let fault = match run {
            Ok(report) => {
                let (indexed, removed) = (report.indexed, report.removed);
                tracing::info!(indexed, removed, ms = started.elapsed().as_millis(), "index is up to date");
                None
            }
            Err(error) => Some(Fault::of(&error).message),
        };
        if let Some(fault) = &fault {
            tracing::warn!("cannot index: {fault}");
        } else if let Err(error) = self.desk.warm() {
            tracing::warn!("cannot read the index: {}", Fault::of(&error).message);
        }
        let mut state = lock(&self.state);
        state.indexing = false;
        state.fault = fault;
        state.fault.is_none()
    }
}

fn join(owed: Option<Scope>, scope: Scope) -> Scope {
    match owed {
        Some(owed) => owed.join(scope),
        None => scope,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
