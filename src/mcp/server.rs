//! The protocol's side: who this is, which tools there are, and a call of one. Read [`Server`] first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;

use super::Toolset;
use super::desk::Desk;
use super::indexing::Run;
use super::input;
use super::refusal::{Answer, Refusal};
use super::tool::Tool;
use crate::engine::Engine;

/// One client's server.
pub(super) struct Server {
    engine: Arc<Engine>,
    desk: Desk,
    toolsets: Vec<Toolset>,
    /// A run of this server is changing the index.
    indexing: Arc<AtomicBool>,
}

const INSTRUCTIONS: &str = "A local index of this project's code. Use search_code to find where something is done, search_context for the \
    code around a task, find_callers before you change or remove a definition, build_stack_tree to follow a flow. Answers name file and \
    lines; `staleness` says whether the files have changed since: then call index_codebase, which takes seconds.";

impl Server {
    pub(super) fn new(engine: Arc<Engine>, toolsets: &[Toolset]) -> anyhow::Result<Self> {
        let indexing = Arc::new(AtomicBool::new(false));
        let desk = Desk::open(engine.clone(), indexing.clone())?;
        Ok(Self { engine, desk, toolsets: toolsets.to_vec(), indexing })
    }

    fn tools(&self) -> impl Iterator<Item = Tool> {
        Tool::ALL.into_iter().filter(|tool| self.toolsets.contains(&tool.toolset()))
    }

    async fn answer(&self, tool: Tool, arguments: JsonObject, context: RequestContext<RoleServer>) -> Answer<Value> {
        let run = || Run { engine: self.engine.clone(), indexing: self.indexing.clone(), context: context.clone() };
        match tool {
            Tool::IndexCodebase => {
                let input: input::IndexCodebase = tool.read(arguments)?;
                run().index(input.paths.unwrap_or_default(), input.full.unwrap_or_default()).await
            }
            Tool::RefreshContext => {
                let input: input::RefreshContext = tool.read(arguments)?;
                run().index(input.paths.unwrap_or_default(), false).await
            }
            Tool::ClearIndex => {
                let input: input::ClearIndex = tool.read(arguments)?;
                if !input.confirm {
                    return Err(Refusal::new("nothing was cleared", "call it with confirm: true to empty the index"));
                }
                run().clear().await
            }
            Tool::SearchCode
            | Tool::SearchContext
            | Tool::FindCallers
            | Tool::FindCallees
            | Tool::BuildStackTree
            | Tool::ExplainFlow
            | Tool::ResolveSeed
            | Tool::GetSymbol
            | Tool::GetImports
            | Tool::GetStats => tokio::select! {
                answer = self.desk.ask(tool, arguments) => answer,
                () = context.ct.cancelled() => Err(Refusal::new("cancelled", "ask again")),
            },
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new("reporecall", env!("CARGO_PKG_VERSION")).with_title("RepoRecall");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools().map(Tool::listed).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let known = Tool::named(&request.name).filter(|tool| self.tools().any(|other| other == *tool));
        let Some(tool) = known else {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
        };
        let answer = self.answer(tool, request.arguments.unwrap_or_default(), context).await;
        let result = match answer {
            Ok(value) => CallToolResult::structured(value),
            Err(refusal) => CallToolResult::error(vec![ContentBlock::text(refusal.to_string())]),
        };
        Ok(result.into())
    }
}
