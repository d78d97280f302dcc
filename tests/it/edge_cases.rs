//! Call graphs written by hand: every folder `grammars/<language>/edges/<case>/` holds sources and `expected.txt`, the edges that the
//! language means. `UPDATE_EXPECT=1` writes them anew; the diff is then read by a person who knows the language.
//!
//! A line is `path:line caller -> path:Owner.name (kind, resolution)`. Calls of what the case defines nowhere are left out; others that
//! lead to nothing are `-> ambiguous name (kind)` or `-> external name (kind)`. `Owner.name#2` is the second of that name in its file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use reporecall::engine::{Engine, IndexRequest, unwatched};
use reporecall::model::{Edge, EdgeKind, Facts, FileId, Symbol, SymbolKey, symbol_keys};
use reporecall::project::Project;
use reporecall::store::StorePaths;
use reporecall::store::code::CodeReader;
use tempfile::TempDir;

use crate::fixtures::{GOLDEN, folders, grammars, sources};

/// A file of the index.
struct Indexed {
    path: String,
    symbols: Vec<Symbol>,
    keys: Vec<SymbolKey>,
    facts: Facts,
    edges: Vec<Edge>,
}

#[test]
fn calls_lead_where_the_language_says() {
    let mut failures = Vec::new();
    for case in cases() {
        let golden = expect_test::expect_file![case.join(GOLDEN)];
        let actual = render(&indexed(&case));
        let matched = std::panic::catch_unwind(|| golden.assert_eq(&actual));
        if matched.is_err() {
            failures.push(case.display().to_string());
        }
    }
    assert!(failures.is_empty(), "edges differ: {failures:#?}");
}

fn cases() -> Vec<PathBuf> {
    folders(&grammars()).iter().flat_map(|language| folders(&language.join("edges"))).collect()
}

/// The sources of a case, indexed alone.
fn indexed(case: &Path) -> BTreeMap<FileId, Indexed> {
    let (project, store) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    for source in sources(case) {
        let target = project.path().join(source.strip_prefix(case).expect("inside the case"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::copy(&source, target).expect("a copy");
    }
    let engine = Engine::with_store_in(Project::at(project.path()).expect("a project"), store.path().to_owned());
    engine.index(IndexRequest::default(), &unwatched(&AtomicBool::new(false))).expect("an index");
    let code = CodeReader::open(&StorePaths::new(store.path().to_owned()).metadata()).expect("metadata");
    let files = code.files().expect("files");
    let read = |id: FileId, path: String| {
        let symbols = code.symbols(id).expect("symbols");
        let facts = code.facts(id).expect("facts");
        Indexed { path, keys: symbol_keys(&symbols), symbols, facts, edges: code.edges(id).expect("edges") }
    };
    files.into_iter().map(|file| (file.id, read(file.id, file.path.to_string()))).collect()
}

fn render(files: &BTreeMap<FileId, Indexed>) -> String {
    let names: BTreeSet<&str> = files.values().flat_map(|file| &file.symbols).map(|symbol| &*symbol.name).collect();
    let mut by_path: Vec<&Indexed> = files.values().collect();
    by_path.sort_by(|a, b| a.path.cmp(&b.path));
    let mut lines = Vec::new();
    for file in by_path {
        let mut edges: Vec<&Edge> = file.edges.iter().collect();
        edges.sort_by_key(|edge| (edge.line, edge.kind == EdgeKind::Inherit, edge.reference, edge.to));
        lines.extend(edges.into_iter().filter_map(|edge| line(files, &names, file, edge)));
    }
    lines.concat()
}

fn line(files: &BTreeMap<FileId, Indexed>, names: &BTreeSet<&str>, file: &Indexed, edge: &Edge) -> Option<String> {
    let caller = edge.from.map(|at| at as usize).map_or("<file>".to_owned(), |from| numbered(&file.symbols, from));
    let (place, kind) = (format!("{}:{} {caller}", file.path, edge.line), edge.kind.as_str());
    let Some(target) = edge.to else {
        let callee = file.facts.refs.get(edge.reference as usize).map_or("", |reference| &reference.callee);
        return names.contains(callee).then(|| format!("{place} -> {} {callee} ({kind})\n", edge.resolution.as_str()));
    };
    let other = files.get(&target.file).expect("a file of the index");
    let at = other.keys.iter().position(|key| *key == target.key).expect("a symbol of the file");
    let callee = numbered(&other.symbols, at);
    Some(format!("{place} -> {}:{callee} ({kind}, {})\n", other.path, edge.resolution.as_str()))
}

fn numbered(symbols: &[Symbol], at: usize) -> String {
    let name = symbols[at].qualified();
    let before = symbols[..at].iter().filter(|symbol| symbol.qualified() == name).count();
    if before == 0 { name } else { format!("{name}#{}", before + 1) }
}
