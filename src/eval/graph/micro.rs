//! Small cases of single language features: folders with sources and a `callgraph.json` that maps each dotted name
//! (`module.Class.method`) to the dotted names it calls. Each folder is a project of its own. Read [`run_micro`] first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Serialize;

use super::graph_of;
use crate::engine::{CallEdge, Endpoint, GraphDump, HIGH_CONFIDENCE};
use crate::model::{EdgeKind, SymbolKind};

/// Edges of some cases. Shares are in 0..=1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct MicroFigures {
    pub cases: usize,
    /// Cases with the right edges and no others.
    pub exact: usize,
    /// Right edges between definitions of a case.
    pub gold: usize,
    /// Right edges to what is not written in the case.
    pub gold_outside: usize,
    /// Edges of the graph.
    pub edges: usize,
    pub right: usize,
    pub p: f64,
    /// Of the edges between definitions of a case.
    pub r: f64,
    /// Of all edges.
    pub r_all: f64,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct MicroReport {
    /// At the confidence that questions are answered with unless they ask for more.
    pub high: MicroFigures,
    pub all: MicroFigures,
    /// By the folder that the cases lie in, at high confidence.
    pub by_folder: BTreeMap<String, MicroFigures>,
}

type Edges = BTreeSet<(String, String)>;

const TRUTH: &str = "callgraph.json";
const CONSTRUCTORS: [&str; 2] = ["__init__", "constructor"];
/// Files that stand for their folder.
const INDEXES: [&str; 2] = ["__init__", "index"];

/// Scores the graph of every case below `dir`.
///
/// # Errors
/// There is no case, one cannot be read, or indexing failed.
pub fn run_micro(dir: &Path) -> anyhow::Result<MicroReport> {
    let mut cases = Vec::new();
    find_cases(dir, &mut cases)?;
    if cases.is_empty() {
        bail!("no {TRUTH} below {}", dir.display());
    }
    let mut report =
        MicroReport { high: MicroFigures::default(), all: MicroFigures::default(), by_folder: BTreeMap::new() };
    for case in &cases {
        let (gold, dump) = read_case(case).with_context(|| format!("case {}", case.display()))?;
        let modules: BTreeSet<String> = dump.definitions.iter().chain(callers(&dump)).map(module).collect();
        let high = figures(&gold, &edges(&dump, HIGH_CONFIDENCE), &modules);
        report.high.add(&high);
        report.all.add(&figures(&gold, &edges(&dump, 0), &modules));
        let folder = case.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        report.by_folder.entry(folder).or_default().add(&high);
    }
    Ok(report)
}

impl MicroFigures {
    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.exact += other.exact;
        self.gold += other.gold;
        self.gold_outside += other.gold_outside;
        self.edges += other.edges;
        self.right += other.right;
        self.p = share(self.right, self.edges);
        self.r = share(self.right, self.gold);
        self.r_all = share(self.right, self.gold + self.gold_outside);
    }
}

fn find_cases(dir: &Path, cases: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = dir.read_dir().with_context(|| format!("cannot read {}", dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    if dir.join(TRUTH).is_file() {
        cases.push(dir.to_path_buf());
        return Ok(());
    }
    paths.iter().filter(|path| path.is_dir()).try_for_each(|path| find_cases(path, cases))
}

fn read_case(case: &Path) -> anyhow::Result<(Edges, GraphDump)> {
    let text = std::fs::read_to_string(case.join(TRUTH))?;
    let gold: BTreeMap<String, Vec<String>> = serde_json::from_str(&text)?;
    let pairs = |(caller, callees): (String, Vec<String>)| {
        callees.into_iter().map(move |callee| (caller.clone(), callee)).collect::<Vec<_>>()
    };
    Ok((gold.into_iter().flat_map(pairs).collect(), graph_of(case)?.0))
}

fn figures(gold: &Edges, edges: &Edges, modules: &BTreeSet<String>) -> MicroFigures {
    let is_inside = |name: &str| {
        modules
            .iter()
            .any(|module| name.strip_prefix(&**module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    let inside: Edges = gold.iter().filter(|(_, callee)| is_inside(callee)).cloned().collect();
    let mut figures = MicroFigures::default();
    figures.add(&MicroFigures {
        cases: 1,
        exact: usize::from(inside == *edges),
        gold: inside.len(),
        gold_outside: gold.len() - inside.len(),
        edges: edges.len(),
        right: edges.intersection(&inside).count(),
        ..MicroFigures::default()
    });
    figures
}

/// Calls and applied decorators between definitions, as dotted names.
fn edges(dump: &GraphDump, floor: u8) -> Edges {
    let calls = dump.edges.iter().filter(|edge| edge.confidence >= floor && is_call(edge.kind));
    calls.filter_map(|edge| Some((dotted(&calling(&edge.caller)), called(edge.callee.as_ref()?, dump)?))).collect()
}

/// The code that runs when the caller is the value of a variable: that around it.
fn calling(caller: &Endpoint) -> Endpoint {
    let holds = matches!(caller.kind, Some(SymbolKind::Constant | SymbolKind::Variable));
    match caller.name.rsplit_once('.') {
        Some((around, _)) if holds => Endpoint { name: around.to_owned(), ..caller.clone() },
        None if holds => Endpoint { name: "<module>".to_owned(), kind: None, ..caller.clone() },
        _ => caller.clone(),
    }
}

fn is_call(kind: EdgeKind) -> bool {
    match kind {
        EdgeKind::Call | EdgeKind::New | EdgeKind::Macro | EdgeKind::Decorator => true,
        EdgeKind::Callback | EdgeKind::Inherit => false,
    }
}

/// Dotted name of what runs: of a class its constructor, be it a base's; nothing when it has none.
fn called(callee: &Endpoint, dump: &GraphDump) -> Option<String> {
    if !callee.kind.is_some_and(crate::model::SymbolKind::is_container) {
        return Some(dotted(callee));
    }
    let mut seen: Vec<&Endpoint> = Vec::new();
    let mut pending = vec![callee];
    while let Some(class) = pending.pop() {
        let is_own = |name: &str| CONSTRUCTORS.iter().any(|ctor| name == format!("{}.{ctor}", class.name));
        if let Some(found) = dump.definitions.iter().find(|def| def.path == class.path && is_own(&def.name)) {
            return Some(dotted(found));
        }
        seen.push(class);
        let mut bases: Vec<&Endpoint> = dump.edges.iter().filter_map(|edge| base(edge, class)).collect();
        bases.retain(|base| !seen.contains(base));
        pending.extend(bases.into_iter().rev());
    }
    None
}

fn base<'e>(edge: &'e CallEdge, class: &Endpoint) -> Option<&'e Endpoint> {
    let own = edge.kind == EdgeKind::Inherit && edge.caller == *class;
    edge.callee.as_ref().filter(|_| own)
}

fn callers(dump: &GraphDump) -> impl Iterator<Item = &Endpoint> {
    dump.edges.iter().map(|edge| &edge.caller)
}

fn dotted(end: &Endpoint) -> String {
    if end.kind.is_none() { module(end) } else { format!("{}.{}", module(end), end.name.replace("::", ".")) }
}

/// `folder/file.py` is `folder.file`, the file that stands for its folder is the folder.
fn module(end: &Endpoint) -> String {
    let path = end.path.as_str();
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let folder = stem.rsplit_once('/').filter(|(_, file)| INDEXES.contains(file)).map(|(folder, _)| folder);
    folder.unwrap_or(stem).replace('/', ".")
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{RelPath, Resolution, SymbolKind};

    fn end(path: &str, name: &str, kind: SymbolKind) -> Endpoint {
        Endpoint { path: RelPath::new(path), name: name.to_owned(), line: 1, kind: Some(kind) }
    }

    fn edge(kind: EdgeKind, caller: Endpoint, callee: &Endpoint) -> CallEdge {
        let callee = Some(callee.clone());
        CallEdge { caller, callee, line: 1, kind, resolution: Resolution::Local, confidence: 95 }
    }

    #[test]
    fn a_new_object_calls_the_constructor_that_its_class_has_from_a_base() {
        let main = Endpoint { kind: None, ..end("pkg/__init__.py", "<module>", SymbolKind::Class) };
        let (base, sub) = (end("pkg/a.py", "Base", SymbolKind::Class), end("pkg/a.py", "Sub", SymbolKind::Class));
        let plain = end("pkg/a.py", "Plain", SymbolKind::Class);
        let definitions = vec![base.clone(), sub.clone(), end("pkg/a.py", "Base.__init__", SymbolKind::Method)];
        let edges_of = vec![
            edge(EdgeKind::New, main.clone(), &sub),
            edge(EdgeKind::New, main, &plain),
            edge(EdgeKind::Inherit, sub, &base),
        ];
        let found = edges(&GraphDump { definitions, edges: edges_of }, 0);
        assert_eq!(Vec::from_iter(found), [("pkg".to_owned(), "pkg.a.Base.__init__".to_owned())]);
    }

    #[test]
    fn edges_to_what_is_not_in_the_case_are_counted_apart() {
        let pair = |caller: &str, callee: &str| (caller.to_owned(), callee.to_owned());
        let gold = Edges::from([pair("main", "main.f"), pair("main", "<builtin>.len"), pair("main", "main.g")]);
        let found = figures(&gold, &Edges::from([pair("main", "main.f")]), &BTreeSet::from(["main".to_owned()]));
        assert_eq!((found.gold, found.gold_outside, found.right), (2, 1, 1));
        assert_eq!((found.p, found.r, found.exact), (1.0, 0.5, 0));
    }
}
