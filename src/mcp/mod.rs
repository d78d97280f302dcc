//! The tools of an assistant over the Model Context Protocol, on standard input and output. Nothing but its messages is ever written to
//! standard output. It finds nothing itself: a tool is one question to the engine. Read [`run`] first.
//!
//! - `server`: the protocol; `desk`: the thread that answers questions from one open index; `indexing`: runs that change it.
//! - `tool`: the list of tools; `input`, `output`: what they take and give, schemas included; `code`, `graph`, `flow`: question -> answer.
//! - `paths`: what an assistant names must lie inside the project; `refusal`: a failure as an assistant needs it.

mod code;
mod desk;
mod flow;
mod graph;
mod indexing;
mod input;
mod output;
mod paths;
mod refusal;
mod server;
mod tool;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;

use self::server::Server;
use crate::engine::Engine;

/// A group of tools that can be offered or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Toolset {
    Code,
    Memory,
    Gaps,
}

impl Toolset {
    pub const ALL: [Self; 3] = [Self::Code, Self::Memory, Self::Gaps];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Memory => "memory",
            Self::Gaps => "gaps",
        }
    }

    /// It has tools in this version.
    #[must_use]
    pub fn is_built(self) -> bool {
        tool::Tool::ALL.iter().any(|tool| tool.toolset() == self)
    }
}

/// What an unfinished index run is given to stop in when the client has gone.
const GRACE: Duration = Duration::from_secs(2);

/// Serves one client until it closes its end. Opens no store before the first question; runs on the calling thread.
///
/// # Errors
/// The client breaks the protocol before it has introduced itself, or the standard streams fail.
pub fn run(engine: Arc<Engine>, toolsets: &[Toolset]) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime of the MCP server")?;
    let server = Server::new(engine, toolsets)?;
    let served = runtime.block_on(serve(server));
    runtime.shutdown_timeout(GRACE);
    served
}

async fn serve(server: Server) -> anyhow::Result<()> {
    match server.serve(stdio_pipes()).await {
        Ok(running) => {
            running.waiting().await.context("the MCP server stopped")?;
            Ok(())
        }
        // A client that looks whether the program starts, and says nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error).context("the MCP client did not introduce itself"),
    }
}
