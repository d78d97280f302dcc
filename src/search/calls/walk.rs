//! Callers and callees of a symbol as they were asked for: how sure, with or without overriding methods and what lies outside. It grows
//! no tree (`graph::tree` does) and prints nothing. Read [`Walk::links`] first.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::stored::Graph;
use crate::graph::Place;
use crate::graph::tree::{Calls, Step, Steps, Way};
use crate::model::{Edge, EdgeKind, FileId, Resolution};
use crate::store::StoreError;

/// Confidence of a call to a base's method as a call to the methods that override it, in percent.
pub const DISPATCH_CONFIDENCE: u8 = 60;

/// The lowest confidence of what is shown without being asked for more, in percent.
pub const HIGH_CONFIDENCE: u8 = 70;

/// Types that one question may follow a hierarchy through, and one between other work.
const MOST_TYPES: usize = 2_000;
const FEW_TYPES: usize = 12;

/// Which edges a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeFilter {
    /// Percent.
    pub min_confidence: u8,
    /// A call to a method is also one to the methods that override it, at [`DISPATCH_CONFIDENCE`], whatever the minimum.
    pub dispatch: bool,
    /// Callees that are outside the project or not known, too.
    pub outside: bool,
}

impl Default for EdgeFilter {
    fn default() -> Self {
        Self { min_confidence: HIGH_CONFIDENCE, dispatch: false, outside: false }
    }
}

/// What can stand in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// What was asked for, all of its definitions.
    Seed,
    Symbol(Place),
    /// Top-level code of a file.
    Module(FileId),
    /// A name of [`Walk::outside`].
    Outside(u32),
}

/// One edge, from its caller to its callee.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    pub from: Node,
    pub to: Node,
    /// The caller's.
    pub file: FileId,
    /// A dispatched one as it is shown.
    pub edge: Edge,
}

/// A file, and those of its symbols that calls stand in; `None` is its top-level code.
type Source = (FileId, Option<BTreeSet<u32>>);

/// A question about the definitions in `seed`.
pub struct Walk<'a> {
    pub graph: &'a Graph<'a>,
    pub seed: Vec<Place>,
    pub filter: EdgeFilter,
    /// Files that the other end of an edge may stand in; all where it is `None`.
    within: Option<&'a FxHashSet<FileId>>,
    /// Where there is no room for all steps, of equally sure ones the first stay: what leads to them is not counted.
    unranked: bool,
    names: RefCell<Vec<Box<str>>>,
    known: Cell<u32>,
    unknown: Cell<u32>,
}

impl<'a> Walk<'a> {
    pub fn new(graph: &'a Graph<'a>, seed: Vec<Place>, filter: EdgeFilter) -> Self {
        Self {
            graph,
            seed,
            filter,
            within: None,
            unranked: false,
            names: RefCell::default(),
            known: Cell::new(0),
            unknown: Cell::new(0),
        }
    }

    /// The same, as it is walked between other work: only edges that end in these files, if any are named, and without counting what
    /// leads to the steps.
    #[must_use]
    pub fn swift(self, within: Option<&'a FxHashSet<FileId>>) -> Self {
        Self { within, unranked: true, ..self }
    }

    /// Edges of a node, in the order they are shown: callers by path and line, callees by line. And the number of those that are not
    /// sure enough.
    pub fn links(&self, node: Node, way: Way) -> Result<(Vec<Link>, u32), StoreError> {
        match way {
            Way::Callers => self.callers(node),
            Way::Callees => self.callees(node),
        }
    }

    pub fn outside(&self, name: u32) -> Box<str> {
        self.names.borrow().get(name as usize).cloned().unwrap_or_default()
    }

    /// Share of the calls met on the way down whose callee is known, be it outside; 1 when there was none.
    pub fn coverage(&self) -> f32 {
        let (known, unknown) = (self.known.get(), self.unknown.get());
        if known + unknown == 0 { 1.0 } else { known as f32 / (known + unknown) as f32 }
    }

    fn callers(&self, node: Node) -> Result<(Vec<Link>, u32), StoreError> {
        let mut found = Vec::new();
        for place in self.places(node) {
            for alias in self.graph.aliases(place)? {
                found.extend(self.graph.incoming(alias)?.into_iter().map(|incoming| (incoming.file, incoming.edge)));
            }
            if self.filter.dispatch {
                for base in self.graph.overridden(place, self.most_types())? {
                    let incoming = self.graph.incoming(base)?.into_iter();
                    found.extend(incoming.map(|incoming| (incoming.file, dispatched(incoming.edge))));
                }
            }
        }
        let mut links = Vec::new();
        let mut hidden = 0;
        found.retain(|(file, _)| self.is_within(*file));
        for (file, edge) in found.into_iter().filter(|(_, edge)| edge.kind != EdgeKind::Inherit) {
            if self.is_shown(&edge) {
                let from = edge.from.map_or(Node::Module(file), |symbol| self.node(Place { file, symbol }));
                links.push((self.path(file)?, Link { from, to: node, file, edge }));
            } else {
                hidden += 1;
            }
        }
        links.sort_by(|(left, a), (right, b)| left.cmp(right).then_with(|| order(&a.edge).cmp(&order(&b.edge))));
        Ok((links.into_iter().map(|(_, link)| link).collect(), hidden))
    }

    fn callees(&self, node: Node) -> Result<(Vec<Link>, u32), StoreError> {
        let (mut links, mut hidden) = (Vec::new(), 0);
        for (file, from) in self.sources(node)? {
            for edge in self.graph.edges(file)?.iter() {
                let own =
                    from.as_ref().map_or(edge.from.is_none(), |from| edge.from.is_some_and(|at| from.contains(&at)));
                if own && edge.kind != EdgeKind::Inherit {
                    hidden += self.take(node, file, edge, &mut links)?;
                }
            }
        }
        Ok((links, hidden))
    }

    /// Adds an outgoing edge as it is asked for; 1 when it is not sure enough.
    fn take(&self, node: Node, file: FileId, edge: &Edge, links: &mut Vec<Link>) -> Result<u32, StoreError> {
        let from = edge.from.map_or(Node::Module(file), |symbol| self.node(Place { file, symbol }));
        let from = if node == Node::Seed { from } else { node };
        let sure = edge.resolution == Resolution::External || (edge.to.is_some() && edge.confidence >= HIGH_CONFIDENCE);
        let count = if sure { &self.known } else { &self.unknown };
        count.set(count.get() + 1);
        let Some(target) = edge.to else {
            if self.filter.outside {
                links.push(Link { from, to: self.named(file, edge)?, file, edge: *edge });
                return Ok(0);
            }
            return Ok(u32::from(edge.resolution != Resolution::External));
        };
        if !self.is_within(target.file) {
            return Ok(0);
        }
        let Some(place) = self.graph.place(target)? else { return Ok(0) };
        let shown = self.is_shown(edge);
        if shown {
            links.push(Link { from, to: self.node(place), file, edge: *edge });
        }
        if self.filter.dispatch {
            for other in self.graph.overriding(place, self.most_types())? {
                links.push(Link { from, to: self.node(other), file, edge: dispatched(*edge) });
            }
        }
        Ok(u32::from(!shown))
    }

    /// Where a node's calls stand.
    fn sources(&self, node: Node) -> Result<Vec<Source>, StoreError> {
        if let Node::Module(file) = node {
            return Ok(vec![(file, None)]);
        }
        let places = self.places(node).into_iter();
        places.map(|place| Ok((place.file, Some(self.graph.with_members(place)?)))).collect()
    }

    fn places(&self, node: Node) -> Vec<Place> {
        match node {
            Node::Seed => self.seed.clone(),
            Node::Symbol(place) => vec![place],
            Node::Module(_) | Node::Outside(_) => Vec::new(),
        }
    }

    fn node(&self, place: Place) -> Node {
        if self.seed.contains(&place) { Node::Seed } else { Node::Symbol(place) }
    }

    fn most_types(&self) -> usize {
        if self.unranked { FEW_TYPES } else { MOST_TYPES }
    }

    fn is_within(&self, file: FileId) -> bool {
        self.within.is_none_or(|within| within.contains(&file))
    }

    fn is_shown(&self, edge: &Edge) -> bool {
        edge.resolution == Resolution::Dispatch && self.filter.dispatch || edge.confidence >= self.filter.min_confidence
    }

    /// The node of a callee that has no definition here.
    fn named(&self, file: FileId, edge: &Edge) -> Result<Node, StoreError> {
        let name = self.graph.callee(file, edge.reference)?;
        let mut names = self.names.borrow_mut();
        let at = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        Ok(Node::Outside(at as u32))
    }

    fn path(&self, file: FileId) -> Result<Box<str>, StoreError> {
        Ok(self.graph.path(file)?.map(|path| path.as_str().into()).unwrap_or_default())
    }
}

impl Calls for Walk<'_> {
    type Node = Node;
    type Error = StoreError;

    fn steps(&self, node: Node, way: Way) -> Result<Steps<Node>, StoreError> {
        let (links, hidden) = self.links(node, way)?;
        let mut steps: Vec<Step<Node>> = Vec::new();
        let mut at = rustc_hash::FxHashMap::default();
        for link in links {
            let node = if way == Way::Callers { link.from } else { link.to };
            let Edge { line, kind, resolution, confidence, .. } = link.edge;
            let index = *at.entry(node).or_insert(steps.len());
            match steps.get_mut(index) {
                None => steps.push(Step { node, line, sites: 1, kind, resolution, confidence }),
                Some(step) => {
                    step.sites += 1;
                    if confidence > step.confidence {
                        (step.kind, step.resolution, step.confidence) = (kind, resolution, confidence);
                    }
                }
            }
        }
        Ok(Steps { steps, hidden })
    }

    fn fan_in(&self, node: Node) -> Result<u32, StoreError> {
        match node {
            _ if self.unranked => Ok(0),
            Node::Symbol(place) => Ok(self.graph.incoming(place)?.len() as u32),
            Node::Seed | Node::Module(_) | Node::Outside(_) => Ok(0),
        }
    }
}

fn dispatched(edge: Edge) -> Edge {
    let confidence = edge.confidence.min(DISPATCH_CONFIDENCE);
    Edge { resolution: Resolution::Dispatch, confidence, ..edge }
}

fn order(edge: &Edge) -> (u32, u32) {
    (edge.line, edge.reference)
}
