//! Answers about the graph, with everything in them that can be shown. Read [`TreeAnswer`] first.

use super::super::Freshness;
use crate::graph::Place;
use crate::graph::tree::{Shape, Tree};
use crate::model::{EdgeKind, FileId, ImportKind, Lines, RelPath, Resolution, Symbol, SymbolKind};
use crate::search::calls::{EdgeFilter, Link, Node, Walk};
use crate::search::calls::{File, Graph};
use crate::store::StoreError;

/// A definition, the top-level code of a file, or a name from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphNode {
    /// `<module>` for top-level code.
    pub name: Box<str>,
    /// Empty at top level.
    pub owner: Box<str>,
    /// `None` for top-level code and for what has no definition here.
    pub kind: Option<SymbolKind>,
    /// `None` for what has no definition here.
    pub place: Option<GraphPlace>,
}

/// Where a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPlace {
    pub path: RelPath,
    pub lang: Box<str>,
    /// Of the declared name.
    pub line: u32,
    pub lines: Lines,
    pub signature: Box<str>,
    /// `path#ordinal` of the chunk that begins it.
    pub chunk_id: Option<String>,
    pub exported: bool,
    pub test: bool,
}

/// All that a name means.
#[derive(Debug)]
pub struct SymbolAnswer {
    /// By path and line.
    pub matches: Vec<GraphNode>,
    pub freshness: Freshness,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub caller: GraphNode,
    pub callee: GraphNode,
    /// Of the called name, in the caller's file.
    pub line: u32,
    pub kind: EdgeKind,
    /// As written.
    pub receiver: Option<Box<str>>,
    pub resolution: Resolution,
    /// Percent.
    pub confidence: u8,
}

/// Callers or callees.
#[derive(Debug)]
pub struct CallsAnswer {
    pub seed: Vec<GraphNode>,
    pub calls: Vec<Call>,
    /// Calls beyond the limit.
    pub more: usize,
    /// Calls that are not sure enough.
    pub hidden: usize,
    pub freshness: Freshness,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeDirection {
    /// Callers.
    Up,
    /// Callees.
    Down,
    Both,
}

/// What tree to grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeRequest {
    pub direction: TreeDirection,
    pub filter: EdgeFilter,
    /// Of each direction.
    pub shape: Shape,
}

/// Trees on a definition.
#[derive(Debug)]
pub struct TreeAnswer {
    /// More than one are overloads, or a declaration and its definition.
    pub seed: Vec<GraphNode>,
    pub callers: Option<Tree<GraphNode>>,
    pub callees: Option<Tree<GraphNode>>,
    /// Share of the calls met on the way down whose callee is known, in 0..=1.
    pub coverage: f32,
    pub freshness: Freshness,
}

/// One import of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRow {
    pub line: u32,
    pub kind: ImportKind,
    /// As written.
    pub module: Box<str>,
    /// Empty when the module itself, or all of it, is imported.
    pub name: Box<str>,
    pub alias: Option<Box<str>>,
    pub reexport: bool,
    /// `None`: outside the project.
    pub path: Option<RelPath>,
}

/// What a file imports, and who imports it.
#[derive(Debug)]
pub struct ImportsAnswer {
    pub path: RelPath,
    /// By line.
    pub imports: Vec<ImportRow>,
    /// By path.
    pub imported_by: Vec<RelPath>,
    pub freshness: Freshness,
}

impl GraphNode {
    /// `Owner.name`, or `name` at top level.
    #[must_use]
    pub fn qualified(&self) -> String {
        if self.owner.is_empty() { self.name.to_string() } else { format!("{}.{}", self.owner, self.name) }
    }

    fn outside(name: Box<str>) -> Self {
        Self { name, owner: "".into(), kind: None, place: None }
    }
}

/// What is asked for.
pub(super) fn seed(walk: &Walk<'_>) -> Result<Vec<GraphNode>, StoreError> {
    walk.seed.iter().map(|place| node_at(walk.graph, *place)).collect()
}

pub(super) fn node(walk: &Walk<'_>, node: Node) -> Result<GraphNode, StoreError> {
    match node {
        Node::Seed => walk.seed.first().map_or_else(|| Ok(GraphNode::outside("".into())), |p| node_at(walk.graph, *p)),
        Node::Symbol(place) => node_at(walk.graph, place),
        Node::Module(file) => module(walk.graph, file),
        Node::Outside(name) => Ok(GraphNode::outside(walk.outside(name))),
    }
}

pub(super) fn node_at(graph: &Graph<'_>, place: Place) -> Result<GraphNode, StoreError> {
    let shown = graph.symbol(place, |file, symbol| {
        let chunk = file.chunk(place.symbol);
        GraphNode {
            name: symbol.name.clone(),
            owner: symbol.owner.clone(),
            kind: Some(symbol.kind),
            place: Some(graph_place(file, symbol, chunk)),
        }
    });
    match shown? {
        Some(node) => Ok(node),
        None => module(graph, place.file),
    }
}

pub(super) fn call(walk: &Walk<'_>, link: &Link) -> Result<Call, StoreError> {
    let facts = walk.graph.facts(link.file)?;
    let reference = facts.refs.get(link.edge.reference as usize);
    Ok(Call {
        caller: node(walk, link.from)?,
        callee: node(walk, link.to)?,
        line: link.edge.line,
        kind: link.edge.kind,
        receiver: reference.and_then(|reference| reference.receiver.clone()),
        resolution: link.edge.resolution,
        confidence: link.edge.confidence,
    })
}

pub(super) fn imports(graph: &Graph<'_>, path: &RelPath) -> Result<(Vec<ImportRow>, Vec<RelPath>), StoreError> {
    let Some(file) = graph.reader.file_at(path)? else { return Ok((Vec::new(), Vec::new())) };
    let links = graph.reader.import_links(file.id)?;
    let facts = graph.facts(file.id)?;
    let mut rows = Vec::with_capacity(facts.imports.len());
    for (at, import) in (0..).zip(&facts.imports) {
        let to = links.iter().find(|link| link.import == at).and_then(|link| link.to);
        rows.push(ImportRow {
            line: import.line,
            kind: import.kind,
            module: import.module.clone(),
            name: import.name.clone(),
            alias: import.alias.clone(),
            reexport: import.reexport,
            path: to.map(|to| graph.path(to)).transpose()?.flatten(),
        });
    }
    let mut imported_by = Vec::new();
    for other in graph.reader.imported_by(file.id)? {
        imported_by.extend(graph.path(other)?);
    }
    imported_by.sort();
    imported_by.dedup();
    Ok((rows, imported_by))
}

fn module(graph: &Graph<'_>, file: FileId) -> Result<GraphNode, StoreError> {
    let file = graph.file(file)?;
    let place = file.map(|file| GraphPlace {
        path: file.row.path.clone(),
        lang: file.row.lang.clone(),
        line: 1,
        lines: Lines { start: 1, end: file.row.lines.max(1) },
        signature: "".into(),
        chunk_id: None,
        exported: false,
        test: false,
    });
    Ok(GraphNode { name: "<module>".into(), owner: "".into(), kind: None, place })
}

fn graph_place(file: &File, symbol: &Symbol, chunk: Option<usize>) -> GraphPlace {
    GraphPlace {
        path: file.row.path.clone(),
        lang: file.row.lang.clone(),
        line: symbol.name_line,
        lines: symbol.lines,
        signature: symbol.signature.clone(),
        chunk_id: chunk.map(|ordinal| format!("{}#{ordinal}", file.row.path)),
        exported: symbol.exported,
        test: symbol.test,
    }
}
