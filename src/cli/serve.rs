//! `reporecall serve`: the daemon in the foreground or in the background, and its end.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use super::args::ServeArgs;
use super::log;
use super::output::out;
use crate::daemon::{self, Companion, RotatingLog, ServeOptions, Served};
use crate::engine::Engine;
use crate::hook;
use crate::mcp::{self, Toolset};
use crate::project::DaemonRecord;

/// A daemon in the background says where it listens within this.
const LONGEST_START: Duration = Duration::from_secs(10);

pub(super) fn run(engine: Engine, args: &ServeArgs) -> anyhow::Result<ExitCode> {
    if args.stop {
        return stop(&engine);
    }
    engine.project().ensure_memory_dir()?;
    if let Some(daemon) = engine.project().daemon().running() {
        return refuse(&engine, Some(&daemon), args.mcp);
    }
    if args.detach {
        return detach(&engine, args);
    }
    let logs = engine.project().daemon().logs().context("cannot make the folder of the logs")?;
    log::to_file(RotatingLog::open(&logs).context("cannot open the log")?, args.debug);
    let options = ServeOptions {
        port: args.port,
        debug: args.debug,
        max_chunks: args.max_chunks,
        idle_exit: args.idle_exit.map(Duration::from_secs),
        companion: args.mcp.then(|| companion(engine.project().clone())),
    };
    let project = engine.project().clone();
    // Standard output belongs to MCP.
    let quiet = args.mcp;
    let ready = |daemon: &DaemonRecord| {
        if !quiet {
            announce(daemon);
        }
    };
    match daemon::serve(engine, options, ready)? {
        Served::Ended => Ok(ExitCode::SUCCESS),
        Served::AlreadyRunning(daemon) => refuse(&Engine::open(project), daemon.as_ref(), args.mcp),
    }
}

/// MCP needs no daemon of its own: it is spoken beside the one that runs.
fn refuse(engine: &Engine, daemon: Option<&DaemonRecord>, mcp: bool) -> anyhow::Result<ExitCode> {
    if mcp {
        companion(engine.project().clone())();
        return Ok(ExitCode::SUCCESS);
    }
    match daemon {
        Some(daemon) => bail!(
            "a daemon serves this project already, process {} on port {}; `reporecall serve --stop` ends it",
            daemon.pid,
            daemon.port
        ),
        None => bail!("a daemon of this project is starting or ending; try again"),
    }
}

/// MCP on standard input and output until the client hangs up.
fn companion(project: crate::project::Project) -> Companion {
    Box::new(move || {
        if let Err(error) = mcp::run(Arc::new(Engine::open(project)), &Toolset::ALL) {
            tracing::error!("{error:#}");
        }
    })
}

fn stop(engine: &Engine) -> anyhow::Result<ExitCode> {
    let stopped = daemon::stop(&engine.project().daemon())?;
    writeln!(out(), "{}", if stopped { "the daemon has ended" } else { "no daemon runs" })?;
    Ok(ExitCode::SUCCESS)
}

fn detach(engine: &Engine, args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let number = |name: &str, value: Option<u64>| value.map(|value| [name.to_owned(), value.to_string()]);
    let options = [
        number("--port", args.port.map(u64::from)),
        number("--max-chunks", args.max_chunks.map(u64::from)),
        number("--idle-exit", args.idle_exit),
    ];
    let mut options: Vec<String> = options.into_iter().flatten().flatten().collect();
    options.extend(args.debug.then(|| "--debug".to_owned()));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    hook::start(&engine.project().root, &options).context("cannot start the daemon")?;
    let started = Instant::now();
    while started.elapsed() < LONGEST_START {
        if let Some(daemon) = engine.project().daemon().running() {
            announce(&daemon);
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    bail!("the daemon did not start; its log is in .memory/logs")
}

fn announce(daemon: &DaemonRecord) {
    // Without standard output it serves all the same.
    drop(writeln!(out(), "daemon of this project: process {}, http://127.0.0.1:{}", daemon.pid, daemon.port));
}
