//! From the start of a daemon to its end: one a project, a port that is free, a token nobody can guess; at the end, in this order: stop
//! accepting, let requests finish, let the writer commit, stop watching, close the index, give up the lock.
//! Read [`serve`] first.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use super::desk::Desk;
use super::indexer::Indexer;
use super::limits::{Gate, Limits};
use super::metrics::Metrics;
use super::{Companion, ServeOptions, Shared, routes, server};
use crate::engine::{Engine, unix_time};
use crate::hook;
use crate::project::{Claim, DaemonFiles, DaemonRecord, Project};

/// How it went.
#[derive(Debug)]
pub enum Served {
    /// It was asked to end, or nobody needed it any more.
    Ended,
    /// Another process is the daemon of this project; its record, once it has one.
    AlreadyRunning(Option<DaemonRecord>),
}

/// Ports that are tried from the one in the settings on, before any free one is taken.
const MOST_PORTS: u16 = 64;

/// For the commit of the files in work.
const WRITER_DRAIN: Duration = Duration::from_secs(3);

/// After being asked to end, the process ends within this whatever happens.
const FORCED_END: Duration = Duration::from_secs(10);

/// How often the daemon looks after its place.
const LOOK: Duration = Duration::from_millis(500);

const BLOCKING_THREADS: usize = 4;

/// Is the daemon of the engine's project until it is asked to end; `ready` is told where it listens.
///
/// # Errors
/// The project folder cannot be written, no port can be had, or a thread cannot be started.
pub fn serve(engine: Engine, options: ServeOptions, ready: impl FnOnce(&DaemonRecord)) -> anyhow::Result<Served> {
    let project = engine.project().clone();
    project.ensure_memory_dir()?;
    let files = project.daemon();
    let Some(claim) = files.claim().context("cannot lock the project for its daemon")? else {
        return Ok(Served::AlreadyRunning(files.running()));
    };
    let listener = listen(options.port.unwrap_or(engine.config().port))?;
    let record = record(listener.local_addr()?.port())?;
    let limits = Limits::new(engine.config().rate_limit);
    drop(engine);
    let desk = Arc::new(Desk::new(project.root.clone()));
    let shared = Arc::new(Shared {
        root: project.root.clone(),
        token: record.token.clone(),
        debug: options.debug,
        max_chunks: options.max_chunks,
        authenticated: Gate::new(limits.authenticated),
        anonymous: Gate::new(limits.anonymous),
        limits,
        metrics: Metrics::new(),
        indexer: Indexer::start(&desk)?,
        desk,
        stop: Notify::new(),
        touched: std::sync::Mutex::new(Instant::now()),
        faults: AtomicU64::new(0),
    });
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(BLOCKING_THREADS).build()?;
    let place = Place { project, record, claim: Some(claim), idle_exit: options.idle_exit };
    let companion = options.companion;
    runtime.block_on(live(&shared, listener, place, (companion, ready)))?;
    end(&shared, runtime);
    Ok(Served::Ended)
}

/// Asks the daemon of a project to end and waits until it has; `false` when none runs.
///
/// # Errors
/// It does not answer, or does not end in time.
pub fn stop(files: &DaemonFiles) -> anyhow::Result<bool> {
    let Some(daemon) = files.running() else { return Ok(false) };
    let asked = Instant::now();
    let hung = || format!("the daemon does not answer; end process {} yourself", daemon.pid);
    hook::ask(&daemon, "/stop", b"", asked + Duration::from_secs(5)).with_context(hung)?;
    while files.is_claimed() {
        anyhow::ensure!(asked.elapsed() < FORCED_END + Duration::from_secs(2), "{}", hung());
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(true)
}

/// The right to be the daemon, which a deleted folder takes away.
struct Place {
    project: Project,
    record: DaemonRecord,
    claim: Option<Claim>,
    idle_exit: Option<Duration>,
}

async fn live(
    shared: &Arc<Shared>,
    listener: TcpListener,
    mut place: Place,
    (companion, ready): (Option<Companion>, impl FnOnce(&DaemonRecord)),
) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut signals = Signals::new()?;
    place.publish()?;
    tracing::info!(port = place.record.port, pid = place.record.pid, "listening");
    ready(&place.record);
    if let Some(companion) = companion {
        accompany(shared, companion)?;
    }
    let until = async {
        tokio::select! {
            name = signals.next() => tracing::info!("{name}"),
            () = shared.stop.notified() => tracing::info!("asked to end"),
            reason = place.keep(shared) => tracing::info!("{reason}"),
        }
        force_end();
    };
    server::run(listener, routes::router(shared), shared, until).await;
    // Not before the last answer: whoever finds no record starts another daemon.
    let indexer = Arc::clone(shared);
    tokio::task::spawn_blocking(move || indexer.indexer.stop(WRITER_DRAIN)).await?;
    shared.desk.close();
    Ok(())
}

fn end(shared: &Shared, runtime: Runtime) {
    // A question that nobody waits for any more may still be at work.
    runtime.shutdown_timeout(Duration::from_millis(500));
    shared.desk.close();
    tracing::info!("ended");
}

fn accompany(shared: &Arc<Shared>, companion: Companion) -> io::Result<()> {
    let shared = Arc::clone(shared);
    let run = move || {
        companion();
        shared.stop.notify_one();
    };
    std::thread::Builder::new().name("companion".into()).spawn(run).map(drop)
}

impl Place {
    fn publish(&self) -> io::Result<()> {
        self.claim.as_ref().map_or(Ok(()), |claim| claim.publish(&self.record))
    }

    /// Looks after the daemon's place until there is a reason to end.
    async fn keep(&mut self, shared: &Shared) -> String {
        loop {
            tokio::time::sleep(LOOK).await;
            if self.idle_exit.is_some_and(|limit| shared.idle() >= limit && !shared.indexer.state().indexing) {
                return "nobody has asked for a while".to_owned();
            }
            let stands = self.claim.as_ref().is_some_and(Claim::stands);
            if stands || !self.project.root.is_dir() {
                continue;
            }
            match self.claim_again() {
                Ok(true) => shared.indexer.wake(),
                Ok(false) => return "another daemon has the project".to_owned(),
                Err(error) => return format!("the project cannot be written any more: {error}"),
            }
        }
    }

    /// The folder of the index was deleted: it is made again, with the index.
    fn claim_again(&mut self) -> anyhow::Result<bool> {
        self.project.ensure_memory_dir()?;
        self.claim = self.project.daemon().claim()?;
        self.publish()?;
        tracing::info!("the folder of the index was deleted; it is made again");
        Ok(self.claim.is_some())
    }
}

/// The first that is free from `port` on.
fn listen(port: u16) -> anyhow::Result<TcpListener> {
    let bind = |port: u16| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let candidates = (port..=port.saturating_add(MOST_PORTS)).chain([0]);
    let mut last = None;
    for candidate in candidates {
        match bind(candidate) {
            Ok(listener) => {
                if candidate != port {
                    tracing::warn!("port {port} is taken");
                }
                return Ok(listener);
            }
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or_else(|| anyhow::anyhow!("no port"), Into::into)).context("no port on 127.0.0.1 can be had")
}

fn record(port: u16) -> anyhow::Result<DaemonRecord> {
    let mut secret = [0_u8; 32];
    getrandom::fill(&mut secret).map_err(|error| anyhow::anyhow!("the system gives no random bytes: {error}"))?;
    let digit = |four: u8| char::from_digit(u32::from(four), 16).unwrap_or('0');
    let token = secret.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Ok(DaemonRecord { pid: std::process::id(), port, token, version, started_at: unix_time() })
}

/// Ends the process when the end takes too long.
fn force_end() {
    let end = || {
        std::thread::sleep(FORCED_END);
        tracing::error!("the end took too long");
        #[expect(clippy::exit, reason = "what hangs would keep the lock of the project")]
        std::process::exit(1);
    };
    if let Err(error) = std::thread::Builder::new().name("forced-end".into()).spawn(end) {
        tracing::warn!(%error, "nothing will force the end");
    }
}

#[cfg(unix)]
struct Signals([tokio::signal::unix::Signal; 3]);

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self([signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?, signal(SignalKind::hangup())?]))
    }

    async fn next(&mut self) -> &'static str {
        let [terminate, interrupt, hangup] = &mut self.0;
        tokio::select! {
            _ = terminate.recv() => "terminated",
            _ = interrupt.recv() => "interrupted",
            _ = hangup.recv() => "the terminal was closed",
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> &'static str {
        match tokio::signal::ctrl_c().await {
            Ok(()) => "interrupted",
            Err(_) => std::future::pending().await,
        }
    }
}
