//! Questions about how something comes about: which definition is meant, and the code of the calls around it. Read [`explain`] first.

use serde_json::Value;

use super::code::context_of;
use super::desk::Shelf;
use super::graph;
use super::indexing::encode;
use super::input::{ExplainFlow, FindCalls, FlowAction, GetImports, GetSymbol, ResolveSeed, StackTree};
use super::output::{FlowExplained, Seed, Seeds, Staleness};
use super::refusal::{Answer, Refusal};
use crate::model::Packed;

pub(super) fn seeds(shelf: &Shelf, input: &ResolveSeed) -> Answer<Value> {
    if input.query.trim().is_empty() {
        return Err(Refusal::new("query is empty", "give a question or a name"));
    }
    let answer = shelf.engine.resolve_seed(&input.query).map_err(|error| shelf.refusal(error))?;
    let mut seeds = answer.candidates.iter().cloned();
    encode(&Seeds {
        best_seed: seeds.next().map(Seed::from),
        count: answer.candidates.len(),
        candidates: answer.candidates.into_iter().map(Seed::from).collect(),
        staleness: Staleness::from(&answer.freshness),
    })
}

pub(super) fn explain(shelf: &mut Shelf, input: ExplainFlow) -> Answer<Value> {
    match input.action {
        None | Some(FlowAction::Explain) => flow(shelf, &input),
        Some(FlowAction::FindCallers) => graph::callers(shelf, &calls(input)),
        Some(FlowAction::FindCallees) => graph::callees(shelf, &calls(input)),
        Some(FlowAction::BuildStackTree) => {
            let (depth, direction) = (input.max_depth, input.direction);
            graph::stack_tree(shelf, &StackTree { seed: input.query, depth, direction, min_confidence: None })
        }
        Some(FlowAction::ResolveSeed) => seeds(shelf, &ResolveSeed { query: input.query }),
        Some(FlowAction::GetSymbol) => graph::symbol(shelf, GetSymbol { name: Some(input.query), chunk_id: None }),
        Some(FlowAction::GetImports) => graph::imports(shelf, &GetImports { file_path: input.query }),
    }
}

fn flow(shelf: &mut Shelf, input: &ExplainFlow) -> Answer<Value> {
    let request = graph::request(input.max_depth, input.direction, None)?;
    let grown = graph::grown(shelf, &input.query, &request)?;
    let tree = graph::tree(&grown);
    // A name alone asks where it is; here its calls are asked for.
    let is_name = !input.query.trim().contains(char::is_whitespace);
    let asked = if is_name { format!("trace the call flow of {}", input.query) } else { input.query.clone() };
    let answer = context_of(shelf, asked, input.token_budget, None)?;
    let with_text = answer.context.blocks.iter().filter(|block| block.packed != Packed::Pointer);
    encode(&FlowExplained {
        seed: Some(tree.seed.clone()),
        tree: Some(tree),
        token_count: Some(answer.context.tokens),
        chunks_included: Some(with_text.count()),
        flow_context: Some(answer.context.text),
    })
}

fn calls(input: ExplainFlow) -> FindCalls {
    FindCalls { function_name: input.query, limit: None, offset: None, min_confidence: None }
}
