//! Questions about the call graph: who calls a definition, what it calls, what a file imports. Answers come from the stored edges; nothing
//! is resolved here. Read [`Engine::build_stack_tree`] first.

mod answer;
mod dump;
mod loose;
mod names;

use std::collections::BTreeSet;

pub use crate::search::calls::{DISPATCH_CONFIDENCE, EdgeFilter, HIGH_CONFIDENCE};
pub use answer::{
    Call, CallsAnswer, GraphNode, GraphPlace, ImportRow, ImportsAnswer, SymbolAnswer, TreeAnswer, TreeDirection,
    TreeRequest,
};
pub use dump::{CallEdge, Endpoint, GraphDump};
pub use loose::{EntryPoint, EntryReason, LooseAnswer, Unused};
pub use names::NameError;

use super::{Engine, Freshness};
use crate::graph::tree::{self, Way};
use crate::model::RelPath;
use crate::search::calls::{Cache, Graph};
use crate::search::calls::{Node, Walk};
use crate::store::StoreError;
use crate::store::code::CodeReader;

impl Engine {
    /// All definitions that a name means: `name`, `Owner.name`, `path:name`; exact spelling first.
    ///
    /// # Errors
    /// There is no index or it cannot be read; [`NameError::UnknownSymbol`].
    pub fn get_symbol(&self, name: &str) -> anyhow::Result<SymbolAnswer> {
        self.graph(|graph| {
            let places = names::matches(graph, name)?;
            if places.is_empty() {
                return Err(names::find(graph, name)?.err().map_or_else(|| anyhow::anyhow!("no symbol"), Into::into));
            }
            let matches = places.iter().map(|place| answer::node_at(graph, *place));
            let matches = matches.collect::<Result<Vec<GraphNode>, StoreError>>()?;
            let freshness = self.freshness_of_nodes(graph, &matches)?;
            Ok(SymbolAnswer { matches, freshness })
        })
    }

    /// The sites that call a definition, by path and line, at most `limit` of them.
    ///
    /// # Errors
    /// There is no index or it cannot be read; [`NameError`].
    pub fn find_callers(&self, name: &str, filter: EdgeFilter, limit: usize) -> anyhow::Result<CallsAnswer> {
        self.calls(name, filter, limit, Way::Callers)
    }

    /// The sites at which a definition calls others, by line, at most `limit` of them.
    ///
    /// # Errors
    /// There is no index or it cannot be read; [`NameError`].
    pub fn find_callees(&self, name: &str, filter: EdgeFilter, limit: usize) -> anyhow::Result<CallsAnswer> {
        self.calls(name, filter, limit, Way::Callees)
    }

    /// Callers of callers and callees of callees of a definition.
    ///
    /// # Errors
    /// There is no index or it cannot be read; [`NameError`].
    pub fn build_stack_tree(&self, name: &str, request: &TreeRequest) -> anyhow::Result<TreeAnswer> {
        self.graph(|graph| {
            let walk = Walk::new(graph, names::find(graph, name)??, request.filter);
            let grown = |way: Way, asked: bool| -> Result<Option<tree::Tree<GraphNode>>, StoreError> {
                let grown = asked.then(|| tree::grow(&walk, Node::Seed, way, request.shape)).transpose()?;
                grown.map(|tree| tree.try_map(|node| answer::node(&walk, node))).transpose()
            };
            let callers = grown(Way::Callers, request.direction != TreeDirection::Down)?;
            let callees = grown(Way::Callees, request.direction != TreeDirection::Up)?;
            let seed = answer::seed(&walk)?;
            let trees = callers.iter().chain(&callees);
            let shown = trees.flat_map(|tree| &tree.branches).map(|branch| &branch.step.node);
            let freshness = self.freshness_of_nodes(graph, shown.chain(&seed))?;
            Ok(TreeAnswer { seed, callers, callees, coverage: walk.coverage(), freshness })
        })
    }

    /// What a file imports and who imports it. The path may be the end of one.
    ///
    /// # Errors
    /// There is no index or it cannot be read; [`NameError::UnknownFile`], [`NameError::AmbiguousFile`].
    pub fn get_imports(&self, path: &str) -> anyhow::Result<ImportsAnswer> {
        self.graph(|graph| {
            let path = names::find_file(graph, path)??;
            let (imports, imported_by) = answer::imports(graph, &path)?;
            let freshness = linked(graph, self.freshness_of_paths([&path].into_iter(), graph.reader)?)?;
            Ok(ImportsAnswer { path, imports, imported_by, freshness })
        })
    }

    /// Definitions that nothing in the project leads to, except exported ones, tests and entry points; by path and line.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn unused(&self) -> anyhow::Result<LooseAnswer<Unused>> {
        self.graph(|graph| {
            let rows = loose::unused(graph)?;
            Ok(LooseAnswer { rows, freshness: linked(graph, self.freshness_of_all(graph.reader)?)? })
        })
    }

    /// Where execution enters the project: main functions, handlers, tests, and what is exported and never called inside; by path
    /// and line.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn entry_points(&self) -> anyhow::Result<LooseAnswer<EntryPoint>> {
        self.graph(|graph| {
            let rows = loose::entry_points(graph)?;
            Ok(LooseAnswer { rows, freshness: linked(graph, self.freshness_of_all(graph.reader)?)? })
        })
    }

    /// Every definition and every edge, for measurements.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn graph_dump(&self) -> anyhow::Result<GraphDump> {
        self.graph(|graph| Ok(dump::dump(graph)?))
    }

    fn calls(&self, name: &str, filter: EdgeFilter, limit: usize, way: Way) -> anyhow::Result<CallsAnswer> {
        self.graph(|graph| {
            let walk = Walk::new(graph, names::find(graph, name)??, filter);
            let (links, hidden) = walk.links(Node::Seed, way)?;
            let more = links.len().saturating_sub(limit);
            let calls = links.iter().take(limit).map(|link| answer::call(&walk, link));
            let calls = calls.collect::<Result<Vec<Call>, StoreError>>()?;
            let seed = answer::seed(&walk)?;
            let shown = calls.iter().flat_map(|call| [&call.caller, &call.callee]);
            let freshness = self.freshness_of_nodes(graph, shown.chain(&seed))?;
            Ok(CallsAnswer { seed, calls, more, hidden: hidden as usize, freshness })
        })
    }

    /// Asks one state of the index.
    fn graph<T>(&self, ask: impl FnOnce(&Graph<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let (reader, cache) = (CodeReader::open(&self.paths.metadata())?, Cache::default());
        let graph = Graph::new(&reader, &cache);
        let _state = reader.snapshot()?;
        ask(&graph)
    }

    fn freshness_of_nodes<'n>(
        &self,
        graph: &Graph<'_>,
        nodes: impl IntoIterator<Item = &'n GraphNode>,
    ) -> anyhow::Result<Freshness> {
        let paths: BTreeSet<&RelPath> = nodes.into_iter().filter_map(|node| Some(&node.place.as_ref()?.path)).collect();
        linked(graph, self.freshness_of_paths(paths.into_iter(), graph.reader)?)
    }
}

/// Says, too, whether some files wait to be linked.
fn linked(graph: &Graph<'_>, mut freshness: Freshness) -> anyhow::Result<Freshness> {
    freshness.add_unresolved(!graph.reader.unresolved()?.is_empty());
    Ok(freshness)
}
