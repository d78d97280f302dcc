//! Says which files change while a project is looked at: events of the file system, gathered until nothing more happens for a
//! while, so that a save is one message and a change of branch is one. Where there are no events (network file systems, the system's limit
//! of watched folders), a message asks to look at everything every few seconds. Reads no file. Read [`watch`] first.

mod batch;
mod eyes;
mod place;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

pub use self::place::identity;

use self::batch::{Batch, Kind};
use self::eyes::Eyes;
use super::scope::Scope;
use super::walk::ScanOptions;

/// How to watch.
#[derive(Debug, Clone, Default)]
pub struct WatchOptions {
    /// Without a further change for so long, what has changed is told.
    pub quiet: Duration,
    pub scan: ScanOptions,
    /// Git's folder of this work tree: a change of `HEAD` is a change of everything.
    pub git: Option<PathBuf>,
    /// Never use events.
    pub poll: bool,
}

/// What a watcher does at the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WatchState {
    /// Why there are no events and everything is looked at every few seconds instead.
    pub polling: Option<String>,
    /// The project's folder is not there.
    pub root_gone: bool,
    /// Something has changed and was not told yet.
    pub pending: bool,
    /// Messages so far.
    pub told: u64,
}

/// Watches for as long as it lives.
#[derive(Debug)]
pub struct Watcher {
    messages: Sender<Message>,
    state: Arc<Mutex<WatchState>>,
    thread: Option<JoinHandle<()>>,
}

/// Watches the project at `root`; a message is what changed since the last one.
#[must_use]
pub fn watch(root: PathBuf, options: WatchOptions) -> (Watcher, Receiver<Scope>) {
    let (messages, inbox) = unbounded();
    let (outbox, changes) = unbounded();
    let state = Arc::new(Mutex::new(WatchState { pending: true, ..WatchState::default() }));
    let watched = Watched { root, options, inbox, outbox, state: Arc::clone(&state), messages: messages.clone() };
    let thread = thread::Builder::new().name("watcher".into()).spawn(move || watched.run());
    let thread = thread.map_err(|error| tracing::warn!(%error, "files are not watched")).ok();
    (Watcher { messages, state, thread }, changes)
}

/// How often the root is looked for.
const LOOK: Duration = Duration::from_secs(1);

/// How long the end of a git command is waited for.
const LONGEST_GIT: Duration = Duration::from_secs(30);

#[derive(Debug)]
enum Message {
    Event(notify::Result<notify::Event>),
    Stop,
}

/// What the thread knows.
struct Watched {
    root: PathBuf,
    options: WatchOptions,
    inbox: Receiver<Message>,
    outbox: Sender<Scope>,
    state: Arc<Mutex<WatchState>>,
    /// For the system's events.
    messages: Sender<Message>,
}

impl Watcher {
    #[must_use]
    pub fn state(&self) -> WatchState {
        lock(&self.state).clone()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let stopped = self.messages.send(Message::Stop).is_ok();
        if let Some(thread) = self.thread.take().filter(|_| stopped)
            && thread.join().is_err()
        {
            tracing::warn!("the watcher failed");
        }
    }
}

impl Watched {
    fn run(&self) {
        let mut eyes = self.open();
        let mut batch = Batch::default();
        // What changed before the eyes were open was seen by nobody.
        batch.add_everything();
        let mut looked = Instant::now();
        loop {
            match self.inbox.recv_timeout(self.pause(&eyes, &batch)) {
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Message::Event(event)) => self.absorb(event, &mut eyes, &mut batch),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                self.look(&mut eyes, &mut batch);
            }
            if eyes.is_poll_due() {
                batch.add_everything();
            }
            self.tell(&mut batch);
        }
    }

    fn open(&self) -> Eyes {
        let eyes = Eyes::open(&self.root, &self.options, &self.messages);
        if let Some(reason) = eyes.polling() {
            tracing::warn!("files are looked at every {:?}: {reason}", eyes.every());
        }
        let mut state = lock(&self.state);
        state.polling = eyes.polling().map(str::to_owned);
        state.root_gone = !self.root.is_dir();
        drop(state);
        eyes
    }

    fn pause(&self, eyes: &Eyes, batch: &Batch) -> Duration {
        let due =
            batch.since_last().map(|since| self.options.quiet.saturating_sub(since).max(Duration::from_millis(2)));
        let poll = eyes.polling().map(|_| eyes.every());
        [due, poll, Some(LOOK)].into_iter().flatten().min().unwrap_or(LOOK)
    }

    fn absorb(&self, event: notify::Result<notify::Event>, eyes: &mut Eyes, batch: &mut Batch) {
        match event {
            Ok(event) if event.need_rescan() => batch.add_everything(),
            Ok(event) => {
                for path in &event.paths {
                    match batch::kind(&self.root, self.options.git.as_deref(), path, event.kind) {
                        Kind::Nothing => {}
                        Kind::Everything => batch.add_everything(),
                        Kind::Path(path) => {
                            eyes.follow(&self.root, &self.options, &path);
                            batch.add(path);
                        }
                    }
                }
            }
            Err(error) => {
                tracing::debug!(%error, "an event was lost");
                batch.add_everything();
            }
        }
        if eyes.is_overfull() {
            *eyes = self.open();
            batch.add_everything();
        }
        lock(&self.state).pending = !batch.is_empty();
    }

    /// A root that was deleted, or is another one than before, is watched from scratch.
    fn look(&self, eyes: &mut Eyes, batch: &mut Batch) {
        if eyes.is_blind(&self.root) {
            *eyes = self.open();
            if !lock(&self.state).root_gone {
                batch.add_everything();
            }
        }
    }

    fn tell(&self, batch: &mut Batch) {
        let quiet = self.options.quiet;
        // What git has done is told by events that may still be on their way when it is done.
        if self.is_git_busy() && !batch.is_empty() && batch.age() < LONGEST_GIT {
            batch.touch();
            return;
        }
        let due = batch.since_last().is_some_and(|since| since >= quiet) || batch.age() > longest_wait(quiet);
        if !due || !self.root.is_dir() {
            return;
        }
        if let Some(scope) = batch.take() {
            tracing::debug!(?scope, "changed");
            let mut state = lock(&self.state);
            state.pending = false;
            state.told += 1;
            drop(state);
            if self.outbox.send(scope).is_err() {
                tracing::debug!("nobody listens");
            }
        }
    }

    /// Git holds this file while it changes the work tree.
    fn is_git_busy(&self) -> bool {
        self.options.git.as_ref().is_some_and(|git| git.join("index.lock").exists())
    }
}

/// Changes that never stop are told all the same.
fn longest_wait(quiet: Duration) -> Duration {
    (quiet * 10).max(Duration::from_secs(2))
}

fn lock(state: &Mutex<WatchState>) -> MutexGuard<'_, WatchState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
