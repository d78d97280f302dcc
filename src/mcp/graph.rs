//! Questions about what leads where: callers, callees, trees, imports, definitions. Read [`stack_tree`] first.

use serde_json::Value;

use super::code::chunk_of;
use super::desk::Shelf;
use super::indexing::encode;
use super::input::{self, Direction, FindCalls, GetImports, GetSymbol, bounded, percent};
use super::output::{
    Calls, FileImports, Import, IncomingCall, OutgoingCall, Place, StackTree, Staleness, SymbolMatch, Symbols,
    TreeEdge, TreeNode, share, thousandths,
};
use super::paths::{inside, name_inside};
use super::refusal::{Answer, Refusal};
use crate::engine::{
    Branch, Call, CallsAnswer, ChunkText, EdgeFilter, End, GraphNode, HIGH_CONFIDENCE, ImportRow, NameError, Shape,
    Tree, TreeAnswer, TreeDirection, TreeRequest,
};
use crate::model::{ImportKind, SymbolKind};

/// Nodes of one direction of a tree, and steps from one of them.
const TREE_NODES: usize = 60;
const TREE_BRANCHES: usize = 12;
/// Definitions of a name that are shown, and those whose text is.
const MOST_MATCHES: usize = 50;
const MATCHES_WITH_TEXT: usize = 5;

pub(super) fn callers(shelf: &Shelf, input: &FindCalls) -> Answer<Value> {
    let page = Page::of(shelf, input)?;
    let answer = shelf.engine.find_callers(&page.name, page.filter, page.offset + page.limit);
    let answer = answer.map_err(|error| shelf.refusal(error))?;
    encode(&page.cut(&answer, caller))
}

pub(super) fn callees(shelf: &Shelf, input: &FindCalls) -> Answer<Value> {
    let page = Page::of(shelf, input)?;
    let filter = EdgeFilter { outside: input.min_confidence == Some(0.0), ..page.filter };
    let answer = shelf.engine.find_callees(&page.name, filter, page.offset + page.limit);
    let answer = answer.map_err(|error| shelf.refusal(error))?;
    encode(&page.cut(&answer, callee))
}

pub(super) fn stack_tree(shelf: &Shelf, input: &input::StackTree) -> Answer<Value> {
    let request = request(input.depth, input.direction, input.min_confidence)?;
    encode(&tree(&grown(shelf, &input.seed, &request)?))
}

/// The tree of a name; where nothing has the name, of the definition that the words are about.
pub(super) fn grown(shelf: &Shelf, seed: &str, request: &TreeRequest) -> Answer<TreeAnswer> {
    let name = name_inside(&shelf.engine.project().root, seed)?;
    let error = match shelf.engine.build_stack_tree(&name, request) {
        Ok(answer) => return Ok(answer),
        Err(error) => error,
    };
    if !matches!(error.downcast_ref(), Some(NameError::UnknownSymbol { .. })) {
        return Err(shelf.refusal(error));
    }
    let seeds = shelf.engine.resolve_seed(seed).map_err(|error| shelf.refusal(error))?;
    let Some(best) = seeds.candidates.first() else { return Err(shelf.refusal(error)) };
    let name = format!("{}:{}", best.path, best.name);
    shelf.engine.build_stack_tree(&name, request).map_err(|error| shelf.refusal(error))
}

pub(super) fn imports(shelf: &Shelf, input: &GetImports) -> Answer<Value> {
    let path = inside(&shelf.engine.project().root, &input.file_path)?;
    let answer = shelf.engine.get_imports(path.as_str()).map_err(|error| shelf.refusal(error))?;
    encode(&FileImports {
        file_path: answer.path.to_string(),
        count: answer.imports.len(),
        imports: answer.imports.into_iter().map(import).collect(),
        imported_by: answer.imported_by.iter().map(ToString::to_string).collect(),
        staleness: Staleness::from(&answer.freshness),
    })
}

pub(super) fn symbol(shelf: &mut Shelf, input: GetSymbol) -> Answer<Value> {
    if let Some(id) = input.chunk_id {
        let chunk = chunk_of(shelf, &id)?;
        return encode(&Symbols { symbol: id, matches: vec![match_of_chunk(chunk)], count: 1, staleness: None });
    }
    let name = input.name.ok_or_else(|| Refusal::new("name is missing", "give a name or a chunkId"))?;
    let wanted = name_inside(&shelf.engine.project().root, &name)?;
    let answer = shelf.engine.get_symbol(&wanted).map_err(|error| shelf.refusal(error))?;
    let count = answer.matches.len();
    let mut matches: Vec<SymbolMatch> = answer.matches.iter().take(MOST_MATCHES).filter_map(match_of).collect();
    for found in matches.iter_mut().take(MATCHES_WITH_TEXT) {
        // The index may have changed between the two questions; the place is an answer still.
        let id = found.chunk_id.clone();
        found.content = id.and_then(|id| chunk_of(shelf, &id).ok()).map(|chunk| chunk.text);
    }
    encode(&Symbols { symbol: name, matches, count, staleness: Some(Staleness::from(&answer.freshness)) })
}

pub(super) fn request(
    depth: Option<u64>,
    direction: Option<Direction>,
    min_confidence: Option<f64>,
) -> Answer<TreeRequest> {
    let direction = match direction {
        Some(Direction::Up) => TreeDirection::Up,
        Some(Direction::Down) => TreeDirection::Down,
        Some(Direction::Both) | None => TreeDirection::Both,
    };
    let depth = bounded("depth", depth, 1..=10, 2)? as u32;
    let filter = EdgeFilter { min_confidence: percent(min_confidence, HIGH_CONFIDENCE)?, ..EdgeFilter::default() };
    let shape = Shape { depth, branches: TREE_BRANCHES, nodes: TREE_NODES };
    Ok(TreeRequest { direction, filter, shape })
}

pub(super) fn tree(answer: &TreeAnswer) -> StackTree {
    let seed: Vec<Place> = answer.seed.iter().map(Place::from).collect();
    let root = seed.first().map(|place| place.name.clone()).unwrap_or_default();
    let mut edges = Vec::new();
    let mut nodes = |tree: &Option<Tree<GraphNode>>, up: bool| -> Vec<TreeNode> {
        let branches = tree.as_ref().map_or(&[][..], |tree| &tree.branches);
        edges.extend(branches.iter().map(|branch| edge(branch, branches, &root, up)));
        branches.iter().map(tree_node).collect()
    };
    let (up_tree, down_tree) = (nodes(&answer.callers, true), nodes(&answer.callees, false));
    let own = |node: &&TreeNode| !node.cycle && !node.repeated;
    StackTree {
        node_count: 1 + up_tree.iter().chain(&down_tree).filter(own).count(),
        seed,
        up_tree,
        down_tree,
        edges,
        coverage: thousandths(answer.coverage),
        staleness: Staleness::from(&answer.freshness),
    }
}

/// Which calls are asked for.
struct Page {
    name: String,
    filter: EdgeFilter,
    offset: usize,
    limit: usize,
}

impl Page {
    fn of(shelf: &Shelf, input: &FindCalls) -> Answer<Self> {
        let min_confidence = percent(input.min_confidence, HIGH_CONFIDENCE)?;
        Ok(Self {
            name: name_inside(&shelf.engine.project().root, &input.function_name)?,
            filter: EdgeFilter { min_confidence, ..EdgeFilter::default() },
            offset: bounded("offset", input.offset, 0..=100_000, 0)?,
            limit: bounded("limit", input.limit, 1..=500, 20)?,
        })
    }

    fn cut<T>(&self, answer: &CallsAnswer, show: impl FnMut(&Call) -> T) -> Calls<T> {
        let results: Vec<T> = answer.calls.iter().skip(self.offset).map(show).collect();
        Calls {
            seed: answer.seed.iter().map(Place::from).collect(),
            count: results.len(),
            next_offset: (answer.more > 0).then_some(self.offset + results.len()),
            results,
            hidden: answer.hidden,
            staleness: Staleness::from(&answer.freshness),
        }
    }
}

fn caller(call: &Call) -> IncomingCall {
    let place = call.caller.place.as_ref();
    IncomingCall {
        chunk_id: place.and_then(|place| place.chunk_id.clone()),
        file_path: place.map(|place| place.path.to_string()).unwrap_or_default(),
        line: call.line,
        caller_name: call.caller.qualified(),
        caller_kind: call.caller.kind.map(SymbolKind::as_str),
        call_type: call.kind.as_str(),
        receiver: call.receiver.as_deref().map(str::to_owned),
        resolution: call.resolution.as_str(),
        confidence: share(call.confidence),
    }
}

fn callee(call: &Call) -> OutgoingCall {
    let target = Place::from(&call.callee);
    OutgoingCall {
        target_name: target.name,
        call_type: call.kind.as_str(),
        line: call.line,
        file_path: call.caller.place.as_ref().map(|place| place.path.to_string()).unwrap_or_default(),
        target_file_path: target.file_path,
        target_line: target.line,
        target_kind: target.kind,
        target_chunk_id: target.chunk_id,
        receiver: call.receiver.as_deref().map(str::to_owned),
        resolution: call.resolution.as_str(),
        confidence: share(call.confidence),
    }
}

fn tree_node(branch: &Branch<GraphNode>) -> TreeNode {
    TreeNode {
        place: Place::from(&branch.step.node),
        depth: branch.depth,
        parent: branch.parent,
        cycle: branch.end == End::Cycle,
        repeated: branch.end == End::Repeated,
        more: branch.below.more,
        hidden: branch.below.hidden,
    }
}

fn edge(branch: &Branch<GraphNode>, branches: &[Branch<GraphNode>], root: &str, up: bool) -> TreeEdge {
    let name = |branch: &Branch<GraphNode>| branch.step.node.qualified();
    let above = branch.parent.and_then(|parent| branches.get(parent)).map_or_else(|| root.to_owned(), name);
    let (from, to) = if up { (name(branch), above) } else { (above, name(branch)) };
    TreeEdge {
        from,
        to,
        line: branch.step.line,
        sites: branch.step.sites,
        call_type: branch.step.kind.as_str(),
        resolution: branch.step.resolution.as_str(),
        confidence: share(branch.step.confidence),
    }
}

fn import(row: ImportRow) -> Import {
    Import {
        name: row.name.into(),
        alias: row.alias.map(Into::into),
        from: row.module.into(),
        resolved_path: row.path.map(|path| path.to_string()),
        is_default: row.kind == ImportKind::Default,
        is_namespace: matches!(row.kind, ImportKind::Namespace | ImportKind::Wildcard),
        is_reexport: row.reexport,
        line: row.line,
    }
}

fn match_of(node: &GraphNode) -> Option<SymbolMatch> {
    let place = node.place.as_ref()?;
    Some(SymbolMatch {
        chunk_id: place.chunk_id.clone(),
        name: node.name.to_string(),
        parent_name: node.owner.to_string(),
        kind: node.kind.map(SymbolKind::as_str),
        file_path: place.path.to_string(),
        start_line: place.lines.start,
        end_line: place.lines.end,
        language: place.lang.to_string(),
        signature: place.signature.to_string(),
        content: None,
    })
}

fn match_of_chunk(chunk: ChunkText) -> SymbolMatch {
    SymbolMatch {
        chunk_id: Some(chunk.id),
        name: chunk.name.into(),
        parent_name: chunk.owner.into(),
        kind: chunk.kind.map(SymbolKind::as_str),
        file_path: chunk.path.to_string(),
        start_line: chunk.lines.start,
        end_line: chunk.lines.end,
        language: chunk.lang.into(),
        signature: chunk.signature.into(),
        content: Some(chunk.text),
    }
}
