//! The whole graph in one list, as benchmarks read it. Read [`GraphDump`] first.

use crate::model::{Edge, EdgeKind, FileId, RelPath, Resolution, SymbolKind};
use crate::search::calls::Graph;
use crate::store::StoreError;

/// Every definition and every edge of an index.
#[derive(Debug, Clone, Default)]
pub struct GraphDump {
    /// By path and position.
    pub definitions: Vec<Endpoint>,
    /// By path of the caller and reference.
    pub edges: Vec<CallEdge>,
}

/// One end of an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    pub path: RelPath,
    /// Qualified; `<module>` for top-level code.
    pub name: String,
    /// Line of the declared name.
    pub line: u32,
    /// `None` for top-level code.
    pub kind: Option<SymbolKind>,
}

/// An edge as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallEdge {
    pub caller: Endpoint,
    /// `None`: not known, or outside the project.
    pub callee: Option<Endpoint>,
    /// Line of the called name.
    pub line: u32,
    pub kind: EdgeKind,
    pub resolution: Resolution,
    /// Percent.
    pub confidence: u8,
}

pub(super) fn dump(graph: &Graph<'_>) -> Result<GraphDump, StoreError> {
    let mut files = graph.reader.files()?;
    files.sort_by(|left, right| left.path.cmp(&right.path));
    let mut dump = GraphDump::default();
    for row in files {
        let Some(file) = graph.file(row.id)? else { continue };
        for (place, _) in file.places() {
            dump.definitions.push(endpoint(graph, row.id, Some(place.symbol))?);
        }
        for edge in graph.edges(row.id)?.iter() {
            dump.edges.push(call_edge(graph, row.id, edge)?);
        }
    }
    Ok(dump)
}

fn call_edge(graph: &Graph<'_>, file: FileId, edge: &Edge) -> Result<CallEdge, StoreError> {
    let from = if edge.kind == EdgeKind::Inherit { edge.from.or(Some(edge.reference)) } else { edge.from };
    let target = edge.to.map(|to| graph.place(to)).transpose()?.flatten();
    let callee = target.map(|place| endpoint(graph, place.file, Some(place.symbol))).transpose()?;
    let Edge { line, kind, resolution, confidence, .. } = *edge;
    Ok(CallEdge { caller: endpoint(graph, file, from)?, callee, line, kind, resolution, confidence })
}

fn endpoint(graph: &Graph<'_>, file: FileId, symbol: Option<u32>) -> Result<Endpoint, StoreError> {
    let path = graph.path(file)?.unwrap_or_else(|| RelPath::new(""));
    let file = graph.file(file)?;
    let symbol = symbol.and_then(|at| file.as_ref()?.symbol(at));
    Ok(match symbol {
        Some(symbol) => Endpoint { path, name: symbol.qualified(), line: symbol.name_line, kind: Some(symbol.kind) },
        None => Endpoint { path, name: "<module>".to_owned(), line: 1, kind: None },
    })
}
