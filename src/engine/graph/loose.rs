//! Definitions that nothing in the project leads to: dead code, or where execution enters. A static graph does not see every use, so each
//! row says how sure it is and why not surer. Read [`unused`] first.

use rustc_hash::FxHashSet;

use super::super::Freshness;
use super::answer::{GraphNode, node_at};
use crate::graph::Place;
use crate::model::{EdgeKind, FileId, Reference, ReferenceKind, Symbol, SymbolKind, Target};
use crate::search::calls::{File, Graph};
use crate::store::StoreError;

/// Rows by path and line.
#[derive(Debug)]
pub struct LooseAnswer<T> {
    pub rows: Vec<T>,
    pub freshness: Freshness,
}

/// A definition that no edge leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unused {
    pub node: GraphNode,
    /// That it can go, in percent.
    pub confidence: u8,
    /// What could use it unseen; empty when nothing is known.
    pub doubt: &'static str,
}

/// Why something is an entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryReason {
    Main,
    /// Decorated by a member of something, or handed over by name, and called by nobody.
    Handler,
    Exported,
    Test,
}

/// Where execution can enter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPoint {
    pub node: GraphNode,
    pub reason: EntryReason,
    /// Percent.
    pub confidence: u8,
}

impl EntryReason {
    pub const ALL: [Self; 4] = [Self::Main, Self::Handler, Self::Exported, Self::Test];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Handler => "handler",
            Self::Exported => "exported",
            Self::Test => "test",
        }
    }
}

/// What leads to each symbol that anything leads to.
struct Uses {
    called: FxHashSet<Target>,
    handed_over: FxHashSet<Target>,
}

const SURE: u8 = 90;
const LIKELY: u8 = 70;
/// The name is called or imported somewhere, as another definition or one that is not known.
const MENTIONED: u8 = 50;
/// What is written to be found by name, decorated, or required by a base.
const UNSEEN: u8 = 30;

/// Callables and types that no edge leads to.
pub(super) fn unused(graph: &Graph<'_>) -> Result<Vec<Unused>, StoreError> {
    let uses = Uses::read(graph)?;
    let mut rows = Vec::new();
    for file in sorted_files(graph)? {
        let Some(file) = graph.file(file)? else { continue };
        let is_used = |place: Place| uses.leads_to(&file, place);
        for (place, symbol) in file.places() {
            if is_candidate(&file, symbol)
                && !symbol.exported
                && !is_used(place)
                && !has_used_member(&file, symbol, is_used)
            {
                let (confidence, doubt) = doubt(graph, &file, place, symbol)?;
                rows.push(Unused { node: node_at(graph, place)?, confidence, doubt });
            }
        }
    }
    Ok(rows)
}

/// Main functions, handlers, tests, and exported callables that nobody in the project calls.
pub(super) fn entry_points(graph: &Graph<'_>) -> Result<Vec<EntryPoint>, StoreError> {
    let uses = Uses::read(graph)?;
    let mut rows = Vec::new();
    for file in sorted_files(graph)? {
        let Some(file) = graph.file(file)? else { continue };
        for (place, symbol) in file.places().filter(|(_, symbol)| symbol.kind.is_callable()) {
            if let Some((reason, confidence)) = entry(graph, &uses, &file, place, symbol)? {
                rows.push(EntryPoint { node: node_at(graph, place)?, reason, confidence });
            }
        }
    }
    Ok(rows)
}

impl Uses {
    /// A call from inside a symbol to itself does not count.
    fn read(graph: &Graph<'_>) -> Result<Self, StoreError> {
        let mut uses = Self { called: FxHashSet::default(), handed_over: FxHashSet::default() };
        for row in graph.reader.files()? {
            let edges = graph.edges(row.id)?;
            for (edge, to) in edges.iter().filter_map(|edge| Some((edge, edge.to?))) {
                let own = edge.from.filter(|_| to.file == row.id).map(|at| graph.place(to).map(|to| (at, to)));
                let recursive = matches!(own.transpose()?, Some((at, Some(to))) if to.symbol == at);
                match edge.kind {
                    EdgeKind::Callback => uses.handed_over.insert(to),
                    EdgeKind::Call | EdgeKind::New | EdgeKind::Macro | EdgeKind::Decorator | EdgeKind::Inherit => {
                        !recursive && uses.called.insert(to)
                    }
                };
            }
        }
        Ok(uses)
    }

    fn leads_to(&self, file: &File, place: Place) -> bool {
        self.is_called(file, place) || self.is_handed_over(file, place)
    }

    fn is_called(&self, file: &File, place: Place) -> bool {
        file.target(place).is_some_and(|target| self.called.contains(&target))
    }

    fn is_handed_over(&self, file: &File, place: Place) -> bool {
        file.target(place).is_some_and(|target| self.handed_over.contains(&target))
    }
}

fn sorted_files(graph: &Graph<'_>) -> Result<Vec<FileId>, StoreError> {
    let mut files = graph.reader.files()?;
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files.into_iter().map(|row| row.id).collect())
}

/// Something that could be called or made, and that nothing but a call brings to life.
fn is_candidate(file: &File, symbol: &Symbol) -> bool {
    let kind = match symbol.kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro | SymbolKind::Class | SymbolKind::Struct => true,
        SymbolKind::Interface
        | SymbolKind::Enum
        | SymbolKind::Trait
        | SymbolKind::Type
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Module
        | SymbolKind::Section => false,
    };
    kind && !symbol.test && !is_main(symbol) && !file.is_constructor(symbol) && !is_called_by_language(symbol)
}

/// Names that the language calls.
fn is_called_by_language(symbol: &Symbol) -> bool {
    (symbol.name.starts_with("__") && symbol.name.ends_with("__")) || &*symbol.name == "init"
}

fn is_main(symbol: &Symbol) -> bool {
    symbol.kind.is_callable() && matches!(&*symbol.name, "main" | "Main" | "__main__")
}

fn has_used_member(file: &File, symbol: &Symbol, is_used: impl Fn(Place) -> bool) -> bool {
    let owner = symbol.qualified();
    symbol.kind.is_container() && file.places().any(|(place, member)| *member.owner == *owner && is_used(place))
}

/// How sure it is that nothing uses a symbol that no edge leads to.
fn doubt(graph: &Graph<'_>, file: &File, place: Place, symbol: &Symbol) -> Result<(u8, &'static str), StoreError> {
    let facts = graph.facts(file.row.id)?;
    if decorators(file, &facts.refs, symbol).next().is_some() {
        return Ok((UNSEEN, "decorated"));
    }
    if overrides(graph, place)? {
        return Ok((UNSEEN, "its type has a base that may call it"));
    }
    if !graph.reader.mentions(&symbol.name)?.is_empty() {
        return Ok((MENTIONED, "its name is called or imported"));
    }
    let text = graph.reader.text(file.row.id)?;
    if occurrences(&text, &symbol.name) > 1 {
        return Ok((MENTIONED, "its name stands elsewhere in its file"));
    }
    Ok((SURE, ""))
}

/// The method's type has a base, here or outside.
fn overrides(graph: &Graph<'_>, method: Place) -> Result<bool, StoreError> {
    let Some(class) = graph.owner(method)? else { return Ok(false) };
    let written = graph.symbol(class, |_, class| !class.bases.is_empty())?.unwrap_or_default();
    Ok(written || !graph.bases(class)?.is_empty())
}

fn entry(
    graph: &Graph<'_>,
    uses: &Uses,
    file: &File,
    place: Place,
    symbol: &Symbol,
) -> Result<Option<(EntryReason, u8)>, StoreError> {
    if symbol.test {
        return Ok(Some((EntryReason::Test, SURE)));
    }
    if uses.is_called(file, place) {
        return Ok(None);
    }
    if is_main(symbol) && symbol.owner.is_empty() {
        return Ok(Some((EntryReason::Main, SURE)));
    }
    let nested = symbol.parent.and_then(|at| file.symbol(at)).is_some_and(|parent| parent.kind.is_callable());
    let facts = graph.facts(file.row.id)?;
    let registered = decorators(file, &facts.refs, symbol).any(|decorator| decorator.receiver.is_some());
    if !nested && registered {
        return Ok(Some((EntryReason::Handler, LIKELY)));
    }
    if uses.is_handed_over(file, place) {
        return Ok(Some((EntryReason::Handler, MENTIONED)));
    }
    let entry = symbol.exported && !nested && !file.is_constructor(symbol) && !is_called_by_language(symbol);
    Ok(entry.then_some((EntryReason::Exported, if symbol.owner.is_empty() { LIKELY } else { MENTIONED })))
}

/// Decorators of a symbol: inside it before its name, or before it with no other definition between.
fn decorators<'f>(file: &File, refs: &'f [Reference], symbol: &Symbol) -> impl Iterator<Item = &'f Reference> {
    let before = file.outline.symbols.iter().filter(|other| other.span.start < symbol.span.start);
    let after =
        before.map(|other| if other.span.contains(symbol.span) { other.span.start } else { other.span.end }).max();
    let (from, end, line) = (after.unwrap_or_default(), symbol.span.end, symbol.name_line);
    refs.iter().filter(move |reference| {
        let near = from <= reference.at && reference.at < end && reference.line <= line;
        reference.kind == ReferenceKind::Decorator && near
    })
}

/// Whole words that are `name`.
fn occurrences(text: &str, name: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let found = text.match_indices(name).filter(|(at, _)| {
        let before = text.get(..*at).and_then(|text| text.chars().next_back());
        let after = text.get(at + name.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    });
    found.count()
}
