//! `reporecall refresh`.

use std::process::ExitCode;

use super::args::RefreshArgs;
use super::index::report;
use super::progress::watched;
use crate::engine::{Engine, IndexRequest, Scope};
use crate::project;

pub(super) fn run(engine: &Engine, args: &RefreshArgs) -> anyhow::Result<ExitCode> {
    let only = if args.paths.is_empty() {
        Scope::Everything
    } else {
        engine.scope_of(&project::current_dir()?, &args.paths)?
    };
    let started = std::time::Instant::now();
    let request = IndexRequest { only, ..IndexRequest::default() };
    let done = watched(true, |watch| engine.index(request, watch))??;
    report(&done, started, args.json)
}
