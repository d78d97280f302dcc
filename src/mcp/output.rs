//! What the tools give. Every struct is the schema that clients see and the JSON that they get. Read [`Found`] first.

use std::collections::BTreeMap;

use rmcp::schemars;
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::{ChunkText, FoundSeed, Freshness, FreshnessLevel, GraphNode, Hit};
use crate::model::SymbolKind;

/// How far the answer agrees with the files on disk.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct Staleness {
    /// `fresh`, `stale` or `empty`. When stale, call index_codebase or read the files.
    pub level: &'static str,
    /// The first of the files that changed since they were indexed.
    pub dirty_files: Vec<String>,
    pub dirty_count: usize,
    /// Results that were left out because their files are being indexed again.
    pub hidden_results: usize,
    /// An index run is at work or did not finish.
    pub partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_commit: Option<String>,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_indexed_at: Option<i64>,
}

/// A piece of code.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodePiece {
    pub chunk_id: String,
    /// Empty for a stretch of a file that no definition owns.
    pub name: String,
    pub parent_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    pub file_path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub language: String,
    /// Comparable within one answer only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    pub docstring: String,
    pub content: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct Found {
    /// Best first.
    pub results: Vec<CodePiece>,
    pub count: usize,
    /// There is more: ask again with this offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staleness: Option<Staleness>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct IndexRun {
    /// Read, parsed and stored by this run.
    pub files_processed: u64,
    pub files_unchanged: u64,
    pub files_removed: u64,
    /// In the index now.
    pub files: u64,
    /// In the index now.
    pub chunks_created: u64,
    /// Links of the call graph in the index now.
    pub edges: u64,
    /// Files left out, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Files that could not be done; the next run tries them again.
    pub failures: Vec<Failure>,
    pub ms: u64,
    /// Of the named paths, those that are not in the index: missing, ignored or left out.
    pub not_indexed: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct Failure {
    pub file_path: String,
    pub reason: String,
}

/// Of the questions that this server answered, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
pub(super) struct LatencyTimes {
    pub avg: f64,
    pub p50: f64,
    pub p95: f64,
    pub count: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct Statistics {
    pub root: String,
    pub branch: String,
    pub total_files: u64,
    pub total_chunks: u64,
    pub total_symbols: u64,
    pub total_lines: u64,
    /// Files per language.
    pub languages: BTreeMap<String, u64>,
    /// Files left out, by reason.
    pub skipped: BTreeMap<String, u64>,
    pub bytes_on_disk: u64,
    /// Seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_indexed_at: Option<i64>,
    pub latency: LatencyTimes,
    pub staleness: Staleness,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Cleared {
    pub cleared: bool,
    pub message: String,
}

/// A definition, the top-level code of a file, or a name from outside the project.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct Place {
    /// `Owner.name`; `<module>` for top-level code.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct IncomingCall {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
    pub file_path: String,
    /// Of the call.
    pub line: u32,
    pub caller_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller_kind: Option<&'static str>,
    pub call_type: &'static str,
    /// As written before the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    /// The rule that resolved the call.
    pub resolution: &'static str,
    /// How often such a call is resolved right.
    pub confidence: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct OutgoingCall {
    pub target_name: String,
    pub call_type: &'static str,
    /// Of the call.
    pub line: u32,
    /// Of the call.
    pub file_path: String,
    /// Absent for what is defined outside the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_file_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_chunk_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<String>,
    pub resolution: &'static str,
    pub confidence: f64,
}

/// Calls of one direction.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct Calls<T> {
    /// What was asked about; several are overloads.
    pub seed: Vec<Place>,
    pub results: Vec<T>,
    pub count: usize,
    /// There is more: ask again with this offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Calls below minConfidence.
    pub hidden: usize,
    pub staleness: Staleness,
}

/// A node of a tree, by level.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct TreeNode {
    #[serde(flatten)]
    pub place: Place,
    /// 1 beside the seed.
    pub depth: u32,
    /// Index in the same list; absent for the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Calls itself through the nodes above it.
    pub cycle: bool,
    /// Stands elsewhere in the tree, with what follows.
    pub repeated: bool,
    /// Below it, without room here.
    pub more: u32,
    /// Below it, unsure.
    pub hidden: u32,
}

/// From a caller to what it calls.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct TreeEdge {
    pub from: String,
    pub to: String,
    /// Of the first call, in the caller's file.
    pub line: u32,
    /// Number of calls.
    pub sites: u32,
    pub call_type: &'static str,
    pub resolution: &'static str,
    pub confidence: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct StackTree {
    pub seed: Vec<Place>,
    /// Callers.
    pub up_tree: Vec<TreeNode>,
    /// Callees.
    pub down_tree: Vec<TreeNode>,
    pub edges: Vec<TreeEdge>,
    pub node_count: usize,
    /// Share of the calls met on the way down whose callee is known.
    pub coverage: f64,
    pub staleness: Staleness,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct Import {
    /// Empty where the module itself is imported.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// The module as written.
    pub from: String,
    /// Absent for what lies outside the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved_path: Option<String>,
    pub is_default: bool,
    pub is_namespace: bool,
    pub is_reexport: bool,
    pub line: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct FileImports {
    pub file_path: String,
    pub imports: Vec<Import>,
    /// Files that import it.
    pub imported_by: Vec<String>,
    pub count: usize,
    pub staleness: Staleness,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct SymbolMatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
    pub name: String,
    pub parent_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    pub file_path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub language: String,
    pub signature: String,
    /// Of the first matches; the others have a chunkId to read them by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct Symbols {
    pub symbol: String,
    pub matches: Vec<SymbolMatch>,
    pub count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub staleness: Option<Staleness>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct Assembled {
    /// `R0` names or words, `R1` a flow of calls, `R2` a broad question, `skip` nothing about the code.
    pub route: &'static str,
    /// Markdown.
    pub context: String,
    pub token_count: u32,
    pub chunks_included: usize,
    /// Chunks that were found and had no room.
    pub chunks_left_out: usize,
    pub staleness: Staleness,
}

/// A definition that a query may be about.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars", inline)]
#[serde(rename_all = "camelCase")]
pub(super) struct Seed {
    pub chunk_id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    pub file_path: String,
    pub line: u32,
    pub confidence: f64,
    /// Why it was taken.
    pub reason: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct Seeds {
    /// Absent when the query is about no definition that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_seed: Option<Seed>,
    /// The surest first, the best among them.
    pub candidates: Vec<Seed>,
    pub count: usize,
    pub staleness: Staleness,
}

/// A flow, or what the tool in `action` gives.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "camelCase")]
pub(super) struct FlowExplained {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<Vec<Place>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<StackTree>,
    /// Markdown: the code of the seed, of those that lead to it and of what it leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow_context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks_included: Option<usize>,
}

impl From<&Freshness> for Staleness {
    fn from(freshness: &Freshness) -> Self {
        /// Files that are named.
        const NAMED: usize = 20;
        Self {
            level: freshness.level.as_str(),
            dirty_files: freshness.dirty_files.iter().take(NAMED).cloned().collect(),
            dirty_count: freshness.dirty_files.len(),
            hidden_results: freshness.hidden_results,
            partial: freshness.partial && freshness.level != FreshnessLevel::Empty,
            indexed_commit: freshness.indexed_commit.clone(),
            current_commit: freshness.current_commit.clone(),
            last_indexed_at: freshness.last_indexed_at,
        }
    }
}

impl From<Hit> for CodePiece {
    fn from(hit: Hit) -> Self {
        Self {
            chunk_id: hit.chunk_id,
            name: hit.name.into(),
            parent_name: hit.owner.into(),
            kind: hit.kind.map(SymbolKind::as_str),
            file_path: hit.path.to_string(),
            start_line: hit.lines.start,
            end_line: hit.lines.end,
            language: hit.lang.into(),
            score: Some(thousandths(hit.score)),
            docstring: hit.doc,
            content: hit.text,
        }
    }
}

impl From<ChunkText> for CodePiece {
    fn from(chunk: ChunkText) -> Self {
        Self {
            chunk_id: chunk.id,
            name: chunk.name.into(),
            parent_name: chunk.owner.into(),
            kind: chunk.kind.map(SymbolKind::as_str),
            file_path: chunk.path.to_string(),
            start_line: chunk.lines.start,
            end_line: chunk.lines.end,
            language: chunk.lang.into(),
            score: None,
            docstring: chunk.doc,
            content: chunk.text,
        }
    }
}

impl From<FoundSeed> for Seed {
    fn from(seed: FoundSeed) -> Self {
        Self {
            chunk_id: seed.chunk_id,
            name: seed.name,
            kind: seed.kind.map(SymbolKind::as_str),
            file_path: seed.path.to_string(),
            line: seed.line,
            confidence: thousandths(seed.confidence),
            reason: seed.reason.as_str(),
        }
    }
}

impl From<&GraphNode> for Place {
    fn from(node: &GraphNode) -> Self {
        let place = node.place.as_ref();
        Self {
            name: node.qualified(),
            kind: node.kind.map(SymbolKind::as_str),
            file_path: place.map(|place| place.path.to_string()),
            line: place.map(|place| place.line),
            end_line: place.map(|place| place.lines.end),
            chunk_id: place.and_then(|place| place.chunk_id.clone()),
        }
    }
}

/// A share as it reads best.
pub(super) fn share(percent: u8) -> f64 {
    f64::from(percent) / 100.0
}

pub(super) fn thousandths(number: f32) -> f64 {
    (f64::from(number) * 1_000.0).round() / 1_000.0
}
