//! `reporecall mcp`. Standard output belongs to the protocol.

use std::process::ExitCode;
use std::sync::Arc;

use super::args::McpArgs;
use super::output::warn;
use crate::engine::Engine;
use crate::mcp::{self, Toolset};

pub(super) fn run(engine: Engine, args: &McpArgs) -> anyhow::Result<ExitCode> {
    for set in args.toolsets.iter().filter(|set| !set.is_built()) {
        warn(&format!("the toolset {} has no tools in this version", set.as_str()));
    }
    let toolsets = if args.toolsets.is_empty() { &Toolset::ALL[..] } else { &args.toolsets };
    mcp::run(Arc::new(engine), toolsets)?;
    Ok(ExitCode::SUCCESS)
}
