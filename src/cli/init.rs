//! `reporecall init`.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::args::InitArgs;
use super::output::{json, out, plain};
use crate::engine::Engine;

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
    let touched = engine.init(args.dry_run)?;
    let root = engine.project().root.display().to_string();
    if args.json {
        let files = touched.iter().map(|t| TouchedJson { path: t.path.display().to_string(), action: t.how.as_str() });
        json(&InitJson { root, dry_run: args.dry_run, files: files.collect() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = out();
    writeln!(out, "project {}{}", plain(&root), if args.dry_run { " (dry run, nothing is written)" } else { "" })?;
    for file in touched {
        writeln!(out, "  {:8} {}", file.how.as_str(), plain(&file.path.display().to_string()))?;
    }
    if !args.dry_run {
        writeln!(out, "next: reporecall index")?;
    }
    Ok(ExitCode::SUCCESS)
}
