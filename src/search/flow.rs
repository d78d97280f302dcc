//! What calls join to a definition: who leads to it and where it leads, as chunks with a weight that falls with every step. It ranks
//! nothing. Read [`joined`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{EdgeFilter, File, Graph, HIGH_CONFIDENCE, Node, Walk};
use super::view::View;
use crate::graph::Place;
use crate::graph::tree::{self, End, Shape, Tree, Way};
use crate::model::{FileId, Part, Symbol, SymbolKind};
use crate::store::StoreError;
use crate::store::tokens;

/// Of a caller, to a callee: what a definition does says more of it than who uses it.
const CALLER: f32 = 0.7;
/// Weights of what is joined otherwise: the type that holds it, what builds on it or it on, its members, its neighbours, types that
/// its signature names.
const OWNER: f32 = 0.6;
const SUBTYPE: f32 = 0.6;
const MEMBER: f32 = 0.5;
const SIBLING: f32 = 0.2;
const SIGNATURE: f32 = 0.6;
/// How the type of a method is joined to it.
const HOLDS: &str = "holds";
/// Names in a signature that are looked up.
const MOST_TYPES: usize = 4;
/// Types that build on one.
const MOST_SUBTYPES: usize = 6;
/// Members of a type that are looked at.
const MOST_MEMBERS: usize = 40;

/// How far a flow is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    pub depth: u32,
    /// Most steps of a node, by confidence.
    pub branches: usize,
    pub nodes: usize,
    /// What a step leaves of a weight.
    pub step: f32,
    /// A call of a base's method leads to those that override it, too.
    pub dispatch: bool,
}

/// From the seed of a flow.
pub(super) const FLOW: Reach = Reach { depth: 2, branches: 3, nodes: 10, step: 0.7, dispatch: true };
/// From each of the best answers of a search.
pub(super) const BESIDE: Reach = Reach { depth: 1, branches: 12, nodes: 6, step: 0.6, dispatch: false };

/// All direct callers and callees.
pub(super) const STEP: Reach = Reach { depth: 1, branches: 40, nodes: 24, step: 0.7, dispatch: true };

/// A chunk that calls join to another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Joined {
    /// Dense index.
    pub chunk: u32,
    /// The definition, when it is one that calls or is called.
    pub place: Option<Place>,
    /// At most 1, that of the seed itself.
    pub weight: f32,
    pub part: Part,
    /// As a clause: `calls x at line 12`.
    pub because: String,
    /// Line of the call, when it stands in this chunk's file.
    pub site: Option<u32>,
    /// It belongs there whatever its own words say.
    pub sure: bool,
}

/// Everything that calls join to `seed` within `reach`, in the files `within` where they are named; each chunk once, where it is nearest.
pub(super) fn joined(
    graph: Graph<'_>,
    view: &View,
    (seed, within): (Place, Option<&FxHashSet<FileId>>),
    reach: Reach,
) -> Result<Vec<Joined>, StoreError> {
    let filter = EdgeFilter { min_confidence: HIGH_CONFIDENCE, dispatch: reach.dispatch, outside: false };
    let walk = Walk::new(&graph, vec![seed], filter).swift(within);
    let shape = Shape { depth: reach.depth, branches: reach.branches, nodes: reach.nodes };
    let mut found: FxHashMap<u32, Joined> = FxHashMap::default();
    for way in [Way::Callers, Way::Callees] {
        let tree = tree::grow(&walk, Node::Seed, way, shape)?;
        for at in 0..tree.branches.len() {
            let Some(joined) = branch((graph, view, seed), &tree, way, (at, reach))? else { continue };
            let known = found.get(&joined.chunk).map_or(0.0, |known| known.weight);
            if joined.weight > known {
                found.insert(joined.chunk, joined);
            }
        }
    }
    for joined in kin(graph, view, seed, within)? {
        found.entry(joined.chunk).or_insert(joined);
    }
    let mut found: Vec<Joined> = found.into_values().collect();
    found.sort_by(|left, right| right.weight.total_cmp(&left.weight).then(left.chunk.cmp(&right.chunk)));
    Ok(found)
}

/// A branch as a chunk; none for top-level code, what has no chunk, and what stands in the tree elsewhere.
fn branch(
    (graph, view, seed): (Graph<'_>, &View, Place),
    tree: &Tree<Node>,
    way: Way,
    (at, reach): (usize, Reach),
) -> Result<Option<Joined>, StoreError> {
    let Some(branch) = tree.branches.get(at).filter(|branch| branch.end == End::None) else { return Ok(None) };
    let Node::Symbol(place) = branch.step.node else { return Ok(None) };
    let Some(chunk) = view.chunk_of(graph, place)? else { return Ok(None) };
    let parent = match branch.parent.and_then(|parent| tree.branches.get(parent)).map(|parent| parent.step.node) {
        Some(Node::Symbol(parent)) => parent,
        Some(Node::Seed | Node::Module(_) | Node::Outside(_)) | None => seed,
    };
    let other = graph.symbol(parent, |_, symbol| symbol.qualified())?.unwrap_or_default();
    let steps = u8::try_from(branch.depth).unwrap_or(u8::MAX);
    let line = branch.step.line;
    let (part, because, site) = match way {
        Way::Callers => (Part::Caller(steps), format!("calls {other} at line {line}"), Some(line)),
        Way::Callees => (Part::Callee(steps), format!("called by {other}"), None),
    };
    let way_share = if way == Way::Callers { CALLER } else { 1.0 };
    let weight = way_share * f32::from(branch.step.confidence) / 100.0 * reach.step.powi(branch.depth as i32);
    let sure = way == Way::Callees && branch.depth == 1 && place.file == seed.file;
    Ok(Some(Joined { chunk, place: Some(place), weight, part, because, site, sure }))
}

/// The type that holds `place`, and the types that its signature speaks of.
fn kin(
    graph: Graph<'_>,
    view: &View,
    place: Place,
    within: Option<&FxHashSet<FileId>>,
) -> Result<Vec<Joined>, StoreError> {
    let mut kin = Vec::new();
    if let Some(owner) = owner(graph, place)? {
        kin.push((owner, OWNER, Part::Related, HOLDS));
    }
    let far = within.is_none();
    for below in if far { graph.subtypes(place)? } else { Vec::new() }.into_iter().take(MOST_SUBTYPES) {
        kin.push((below, SUBTYPE, Part::Callee(1), "builds on"));
    }
    for base in if far { graph.bases(place)? } else { Vec::new() } {
        kin.push((base, SUBTYPE, Part::Caller(1), "is a base of"));
    }
    for member in members(graph, place)? {
        kin.push((member, MEMBER, Part::Related, "belongs to"));
    }
    for sibling in siblings(graph, place)? {
        kin.push((sibling, SIBLING, Part::Related, "stands beside"));
    }
    for named in if far { signature_types(graph, place)? } else { Vec::new() } {
        kin.push((named, SIGNATURE, Part::Related, "is in the signature of"));
    }
    let name = graph.symbol(place, |_, symbol| symbol.qualified())?.unwrap_or_default();
    let joined = |(place, weight, part, how): (Place, f32, Part, &str)| -> Result<Option<Joined>, StoreError> {
        let chunk = view.chunk_of(graph, place)?;
        let because = format!("{how} {name}");
        Ok(chunk.map(|chunk| Joined { chunk, place: None, weight, part, because, site: None, sure: how == HOLDS }))
    };
    kin.into_iter().filter_map(|row| joined(row).transpose()).collect()
}

/// The type that a method belongs to, in its own file.
fn owner(graph: Graph<'_>, place: Place) -> Result<Option<Place>, StoreError> {
    let Some(owner) = graph.symbol(place, |_, symbol| symbol.owner.clone())?.filter(|owner| !owner.is_empty()) else {
        return Ok(None);
    };
    let Some(file) = graph.file(place.file)? else { return Ok(None) };
    let is_owner = |(_, symbol): &(Place, &Symbol)| symbol.kind.is_container() && symbol.qualified() == *owner;
    Ok(file.places().find(is_owner).map(|(place, _)| place))
}

/// Functions of a type, those of its own file.
fn members(graph: Graph<'_>, place: Place) -> Result<Vec<Place>, StoreError> {
    let Some(Some(owner)) = graph.symbol(place, |_, symbol| symbol.kind.is_container().then(|| symbol.qualified()))?
    else {
        return Ok(Vec::new());
    };
    let Some(file) = graph.file(place.file)? else { return Ok(Vec::new()) };
    let own = file.places().filter(|(_, symbol)| symbol.kind.is_callable() && *symbol.owner == *owner);
    Ok(own.map(|(place, _)| place).take(MOST_MEMBERS).collect())
}

/// What else the same file or type defines.
fn siblings(graph: Graph<'_>, place: Place) -> Result<Vec<Place>, StoreError> {
    let Some(owner) = graph.symbol(place, |_, symbol| symbol.owner.clone())? else { return Ok(Vec::new()) };
    let Some(file) = graph.file(place.file)? else { return Ok(Vec::new()) };
    let beside = |symbol: &Symbol| (symbol.kind.is_callable() || symbol.kind.is_container()) && symbol.owner == owner;
    let own = file.places().filter(|(at, symbol)| *at != place && beside(symbol));
    Ok(own.map(|(place, _)| place).take(MOST_MEMBERS).collect())
}

/// Types of the project that the signature of a function names, when only one has the name.
fn signature_types(graph: Graph<'_>, place: Place) -> Result<Vec<Place>, StoreError> {
    let signature = graph
        .symbol(place, |file, symbol| (symbol.signature.clone(), symbol.kind.is_callable(), file.row.lang.clone()))?;
    let Some((signature, true, lang)) = signature else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    let words = tokens::words(&signature).filter(|word| word.starts_with(char::is_uppercase) && word.len() > 2);
    for word in words.take(MOST_TYPES) {
        let same = graph.reader.find_symbols(word)?;
        let mut types = Vec::new();
        for named in same.iter().filter(|named| named.name == word).take(4) {
            let place = Place { file: named.file, symbol: named.symbol };
            let fits = |file: &File, symbol: &Symbol| {
                file.row.lang == lang && !symbol.test && (symbol.kind.is_container() || symbol.kind == SymbolKind::Type)
            };
            if graph.symbol(place, fits)? == Some(true) {
                types.push(place);
            }
        }
        if let [only] = types.as_slice()
            && *only != place
            && !found.contains(only)
        {
            found.push(*only);
        }
    }
    Ok(found)
}
