//! `reporecall uninstall`.

use std::io::Write as _;
use std::process::ExitCode;

use super::args::UninstallArgs;
use super::init::{print, touched_json};
use super::output::{out, plain};
use crate::engine::{Client, Engine};

pub(super) fn run(engine: &Engine, args: &UninstallArgs) -> anyhow::Result<ExitCode> {
    let named: Vec<Client> = args.clients.iter().copied().flatten().collect();
    let clients = if args.clients.is_empty() { &Client::ALL[..] } else { &named };
    let touched = engine.uninstall(clients, args.dry_run)?;
    if args.json {
        return touched_json(engine, args.dry_run, &touched);
    }
    print(engine, args.dry_run, &touched)?;
    let mut out = out();
    if touched.is_empty() {
        writeln!(out, "nothing of this program is there")?;
    }
    let memory = &engine.project().memory_dir;
    if args.clients.is_empty() && memory.is_dir() {
        writeln!(
            out,
            "note: {} stays; it holds the index. Delete it when you do not need it",
            plain(&memory.display().to_string())
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
