//! `reporecall graph`.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use serde::Serialize;

use super::args::{Cli, GraphArgs, GraphFormat};
use super::graph_text;
use super::output::json;
use super::search::FreshnessJson;
use crate::engine::{
    Branch, EdgeFilter, End, Engine, EntryPoint, EntryReason, GraphNode, HIGH_CONFIDENCE, ImportRow, ImportsAnswer,
    LooseAnswer, Shape, Tree, TreeAnswer, TreeDirection, TreeRequest, Unused,
};
use crate::model::{RelPath, SymbolKind};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnswerJson<'a> {
    seed: Vec<NodeJson<'a>>,
    callers: Option<TreeJson<'a>>,
    callees: Option<TreeJson<'a>>,
    node_count: usize,
    /// Share of the calls met on the way down whose callee is known.
    coverage: f32,
    staleness: FreshnessJson<'a>,
}

/// By level; `parent` is an index into `nodes`, `null` for the seed.
#[derive(Serialize)]
struct TreeJson<'a> {
    nodes: Vec<BranchJson<'a>>,
    more: u32,
    hidden: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BranchJson<'a> {
    parent: Option<usize>,
    depth: u32,
    #[serde(flatten)]
    node: NodeJson<'a>,
    /// In the caller's file, of the first call.
    site_line: u32,
    sites: u32,
    call_type: &'static str,
    resolution: &'static str,
    confidence: f32,
    cycle: bool,
    repeated: bool,
    more: u32,
    hidden: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeJson<'a> {
    name: &'a str,
    qualified_name: String,
    kind: Option<&'static str>,
    file_path: Option<&'a str>,
    line: Option<u32>,
    start_line: Option<u32>,
    end_line: Option<u32>,
    chunk_id: Option<&'a str>,
    signature: &'a str,
    language: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListJson<'a> {
    results: Vec<LooseJson<'a>>,
    more: usize,
    /// Less sure than was asked for.
    hidden: usize,
    staleness: FreshnessJson<'a>,
}

#[derive(Serialize)]
struct LooseJson<'a> {
    #[serde(flatten)]
    node: NodeJson<'a>,
    confidence: f32,
    reason: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ImportsJson<'a> {
    file_path: &'a str,
    imports: Vec<ImportJson<'a>>,
    imported_by: Vec<&'a str>,
    staleness: FreshnessJson<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ImportJson<'a> {
    name: &'a str,
    alias: Option<&'a str>,
    from: &'a str,
    resolved_path: Option<&'a str>,
    kind: &'static str,
    reexport: bool,
    line: u32,
}

/// A list cut to what is shown.
pub(super) struct Shown<'a, T> {
    pub(super) rows: Vec<&'a T>,
    pub(super) more: usize,
    /// Less sure than was asked for, or tests.
    pub(super) hidden: usize,
}

pub(super) fn run(engine: &Engine, args: &GraphArgs) -> anyhow::Result<ExitCode> {
    if args.unused {
        unused(args, &engine.unused()?)?;
    } else if args.entry_points {
        entry_points(args, &engine.entry_points()?)?;
    } else if let Some(path) = &args.imports {
        imports(args, &engine.get_imports(path)?)?;
    } else if let Some(name) = &args.name {
        tree(args, &engine.build_stack_tree(name, &request(args))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn request(args: &GraphArgs) -> TreeRequest {
    let direction = match (args.callers && !args.both, args.callees && !args.both) {
        (true, _) => TreeDirection::Up,
        (false, true) => TreeDirection::Down,
        (false, false) => TreeDirection::Both,
    };
    let lowest = if args.all { 0 } else { HIGH_CONFIDENCE };
    let filter = EdgeFilter {
        min_confidence: args.min_confidence.unwrap_or(lowest),
        dispatch: args.dispatch || args.all,
        outside: args.all,
    };
    let nodes = usize::from(args.limit);
    TreeRequest { direction, filter, shape: Shape { depth: args.depth.into(), branches: (nodes / 4).max(3), nodes } }
}

fn tree(args: &GraphArgs, answer: &TreeAnswer) -> anyhow::Result<()> {
    match format(args) {
        GraphFormat::Text => graph_text::tree(answer),
        GraphFormat::Json => json(&tree_json(answer)),
        GraphFormat::Dot => graph_text::dot(answer),
        GraphFormat::Mermaid => graph_text::mermaid(answer),
    }
}

fn unused(args: &GraphArgs, answer: &LooseAnswer<Unused>) -> anyhow::Result<()> {
    let shown = shown(args, &answer.rows, |row| row.confidence, |_| false);
    if is_json(args) {
        let row = |row: &&'_ Unused| (row.confidence, row.doubt);
        let rows = shown.rows.iter().map(|found| loose_json(&found.node, row(found)));
        let staleness = FreshnessJson::from(&answer.freshness);
        return json(&ListJson { results: rows.collect(), more: shown.more, hidden: shown.hidden, staleness });
    }
    graph_text::unused(&shown, &answer.freshness)
}

fn entry_points(args: &GraphArgs, answer: &LooseAnswer<EntryPoint>) -> anyhow::Result<()> {
    let shown = shown(args, &answer.rows, |row| row.confidence, |row| row.reason == EntryReason::Test);
    if is_json(args) {
        let row = |row: &&'_ EntryPoint| (row.confidence, row.reason.as_str());
        let rows = shown.rows.iter().map(|found| loose_json(&found.node, row(found)));
        let staleness = FreshnessJson::from(&answer.freshness);
        return json(&ListJson { results: rows.collect(), more: shown.more, hidden: shown.hidden, staleness });
    }
    graph_text::entry_points(&shown, &answer.freshness)
}

fn imports(args: &GraphArgs, answer: &ImportsAnswer) -> anyhow::Result<()> {
    if is_json(args) { json(&imports_json(answer)) } else { graph_text::imports(answer) }
}

fn shown<'a, T>(
    args: &GraphArgs,
    rows: &'a [T],
    confidence: impl Fn(&T) -> u8,
    is_apart: impl Fn(&T) -> bool,
) -> Shown<'a, T> {
    let lowest = args.min_confidence.unwrap_or(if args.all { 0 } else { HIGH_CONFIDENCE });
    let asked = |row: &&T| confidence(row) >= lowest && (args.all || !is_apart(row));
    let mut sure: Vec<&T> = rows.iter().filter(asked).collect();
    let hidden = rows.len() - sure.len();
    let more = sure.len().saturating_sub(args.limit.into());
    sure.truncate(args.limit.into());
    Shown { rows: sure, more, hidden }
}

fn format(args: &GraphArgs) -> GraphFormat {
    if args.json { GraphFormat::Json } else { args.format.unwrap_or(GraphFormat::Text) }
}

/// Of what is no tree.
fn is_json(args: &GraphArgs) -> bool {
    match format(args) {
        GraphFormat::Text => false,
        GraphFormat::Json => true,
        GraphFormat::Dot | GraphFormat::Mermaid => {
            let message = "`--format dot` and `--format mermaid` draw the calls of a definition, not lists";
            Cli::command().error(ErrorKind::ArgumentConflict, message).exit()
        }
    }
}

fn tree_json(answer: &TreeAnswer) -> AnswerJson<'_> {
    let trees = answer.callers.iter().chain(&answer.callees);
    AnswerJson {
        seed: answer.seed.iter().map(node_json).collect(),
        callers: answer.callers.as_ref().map(branches_json),
        callees: answer.callees.as_ref().map(branches_json),
        node_count: 1 + trees.flat_map(|tree| &tree.branches).filter(|branch| branch.end == End::None).count(),
        coverage: answer.coverage,
        staleness: FreshnessJson::from(&answer.freshness),
    }
}

fn branches_json(tree: &Tree<GraphNode>) -> TreeJson<'_> {
    TreeJson {
        nodes: tree.branches.iter().map(branch_json).collect(),
        more: tree.below.more,
        hidden: tree.below.hidden,
    }
}

fn branch_json(branch: &Branch<GraphNode>) -> BranchJson<'_> {
    BranchJson {
        parent: branch.parent,
        depth: branch.depth,
        node: node_json(&branch.step.node),
        site_line: branch.step.line,
        sites: branch.step.sites,
        call_type: branch.step.kind.as_str(),
        resolution: branch.step.resolution.as_str(),
        confidence: share(branch.step.confidence),
        cycle: branch.end == End::Cycle,
        repeated: branch.end == End::Repeated,
        more: branch.below.more,
        hidden: branch.below.hidden,
    }
}

fn node_json(node: &GraphNode) -> NodeJson<'_> {
    let place = node.place.as_ref();
    NodeJson {
        name: &node.name,
        qualified_name: node.qualified(),
        kind: node.kind.map(SymbolKind::as_str),
        file_path: place.map(|place| place.path.as_str()),
        line: place.map(|place| place.line),
        start_line: place.map(|place| place.lines.start),
        end_line: place.map(|place| place.lines.end),
        chunk_id: place.and_then(|place| place.chunk_id.as_deref()),
        signature: place.map_or("", |place| &place.signature),
        language: place.map_or("", |place| &place.lang),
    }
}

fn loose_json<'a>(node: &'a GraphNode, (confidence, reason): (u8, &'static str)) -> LooseJson<'a> {
    LooseJson { node: node_json(node), confidence: share(confidence), reason }
}

fn imports_json(answer: &ImportsAnswer) -> ImportsJson<'_> {
    ImportsJson {
        file_path: answer.path.as_str(),
        imports: answer.imports.iter().map(import_json).collect(),
        imported_by: answer.imported_by.iter().map(RelPath::as_str).collect(),
        staleness: FreshnessJson::from(&answer.freshness),
    }
}

fn import_json(row: &ImportRow) -> ImportJson<'_> {
    ImportJson {
        name: &row.name,
        alias: row.alias.as_deref(),
        from: &row.module,
        resolved_path: row.path.as_ref().map(RelPath::as_str),
        kind: row.kind.as_str(),
        reexport: row.reexport,
        line: row.line,
    }
}

fn share(percent: u8) -> f32 {
    f32::from(percent) / 100.0
}
