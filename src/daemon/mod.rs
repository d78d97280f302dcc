//! The daemon of a project: HTTP on loopback for hooks and probes, and the watcher that keeps the index fresh. One a project; asks the
//! engine and decides nothing about code. Read [`serve`] first.
//!
//! - `server`: connections; `guard`: who may ask; `routes`: what is answered, `answers`: in which form; `limits`, `metrics`.
//! - `desk`: opened indexes; `indexer`: the thread that indexes what changed; `life`: port, token, signals, the order of the end; `log`.

mod answers;
mod desk;
mod guard;
mod indexer;
mod life;
mod limits;
mod log;
mod metrics;
mod routes;
mod server;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use self::desk::Desk;
use self::indexer::Indexer;
pub use self::life::{Served, serve, stop};
use self::limits::{Gate, Limits};
pub use self::log::RotatingLog;
use self::metrics::Metrics;

/// How a daemon is run.
pub struct ServeOptions {
    /// Instead of the one in the settings; 0 for any.
    pub port: Option<u16>,
    /// Prompts in the log, reasons in the answers.
    pub debug: bool,
    /// Pieces of code in an answer, at most.
    pub max_chunks: Option<u32>,
    /// Ends by itself when nobody has asked for so long.
    pub idle_exit: Option<Duration>,
    /// Runs beside the server, on a thread of its own; when it returns, the daemon ends.
    pub companion: Option<Companion>,
}

/// See [`ServeOptions::companion`].
pub type Companion = Box<dyn FnOnce() + Send>;

/// What all requests share.
struct Shared {
    root: PathBuf,
    token: String,
    debug: bool,
    max_chunks: Option<u32>,
    limits: Limits,
    authenticated: Gate,
    anonymous: Gate,
    metrics: Metrics,
    desk: Arc<Desk>,
    indexer: Indexer,
    /// Asked to end.
    stop: Notify,
    /// When somebody with the token asked last.
    touched: Mutex<Instant>,
    /// Internal errors so far.
    faults: AtomicU64,
}

impl Shared {
    fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn idle(&self) -> Duration {
        self.touched.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}
