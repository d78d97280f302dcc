//! `reporecall init`.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::args::InitArgs;
use super::output::{json, out, plain};
use crate::engine::{Client, Engine, InitRequest, Settings, Touched};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InitJson {
    root: String,
    dry_run: bool,
    files: Vec<TouchedJson>,
}

#[derive(Serialize)]
struct TouchedJson {
    path: String,
    action: &'static str,
}

pub(super) fn run(engine: &Engine, args: &InitArgs) -> anyhow::Result<ExitCode> {
    let clients: Vec<Client> = args.clients.iter().copied().flatten().collect();
    let request = InitRequest {
        dry_run: args.dry_run,
        clients: clients.clone(),
        claude_md: args.claude_md,
        settings: Settings { port: args.port, embedding_provider: args.embedding_provider },
    };
    let touched = engine.init(&request)?;
    if args.json {
        return touched_json(engine, args.dry_run, &touched);
    }
    print(engine, args.dry_run, &touched)?;
    let mut out = out();
    for note in clients.iter().filter_map(|client| client.note()) {
        writeln!(out, "note: {note}")?;
    }
    if !args.dry_run {
        writeln!(out, "next: reporecall index")?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn touched_json(engine: &Engine, dry_run: bool, touched: &[Touched]) -> anyhow::Result<ExitCode> {
    let files = touched.iter().map(|t| TouchedJson { path: t.path.display().to_string(), action: t.how.as_str() });
    json(&InitJson { root: engine.project().root.display().to_string(), dry_run, files: files.collect() })?;
    Ok(ExitCode::SUCCESS)
}

/// The project and each file that was touched.
pub(super) fn print(engine: &Engine, dry_run: bool, touched: &[Touched]) -> anyhow::Result<()> {
    let mut out = out();
    let root = engine.project().root.display().to_string();
    writeln!(out, "project {}{}", plain(&root), if dry_run { " (dry run, nothing is written)" } else { "" })?;
    for file in touched {
        writeln!(out, "  {:8} {}", file.how.as_str(), plain(&file.path.display().to_string()))?;
    }
    Ok(())
}
