//! Statements about the code that hold by construction: where a definition is, who calls it, which tests do, where its flow begins. Nothing is
//! guessed. Read [`facts`] first.

use super::calls::{EdgeFilter, Graph, Node, Walk};
use super::flow::Joined;
use super::seed::{Seed, VIABLE};
use super::view::View;
use crate::graph::Place;
use crate::graph::tree::Way;
use crate::model::{Fact, FileId, Part, RelPath, Route};
use crate::store::StoreError;

/// Seeds of which something is told.
const MOST_SEEDS: usize = 3;
/// Tests and beginnings that are told of one.
const MOST_TESTS: usize = 2;
const MOST_BEGINNINGS: usize = 2;
/// Characters of a signature.
const MOST_SIGNATURE: usize = 160;

/// What is surely known of the definitions that a prompt is about.
pub(super) fn facts(graph: Graph<'_>, seeds: &[Seed], view: &View) -> Result<Vec<Fact>, StoreError> {
    let mut facts = Vec::new();
    let sure = seeds.iter().filter(|seed| seed.confidence >= VIABLE).take(MOST_SEEDS);
    // Of a name that others have too nothing is said: which one is meant is not known.
    for seed in sure.filter(|seed| seed.reason.is_exact() || (seeds.first() == Some(*seed) && seed.reason.is_one())) {
        facts.extend(defined(graph, seed.place)?);
        facts.extend(called(graph, seed.place, view)?);
    }
    Ok(facts)
}

/// Where a flow begins.
pub(super) fn of_flow(graph: Graph<'_>, route: Route, flow: &[Joined]) -> Result<Vec<Fact>, StoreError> {
    let mut facts = Vec::new();
    if route != Route::Flow {
        return Ok(facts);
    }
    for place in flow.iter().filter(|step| matches!(step.part, Part::Caller(_))).filter_map(|step| step.place) {
        if facts.len() < MOST_BEGINNINGS && !is_called(graph, place)? {
            facts.extend(fact_at(graph, place, |name| {
                format!("The flow begins in `{name}`, of which no call is known")
            })?);
        }
    }
    Ok(facts)
}

/// Anything here calls or imports its name, or that of the class it makes: calls that are not resolved count, too.
fn is_called(graph: Graph<'_>, place: Place) -> Result<bool, StoreError> {
    for place in graph.aliases(place)? {
        let name = graph.symbol(place, |_, symbol| symbol.name.clone())?.unwrap_or_default();
        if !graph.reader.mentions(&name)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn defined(graph: Graph<'_>, place: Place) -> Result<Option<Fact>, StoreError> {
    graph.symbol(place, |file, symbol| {
        let signature: String = symbol.signature.chars().take(MOST_SIGNATURE).collect();
        let text = format!("`{}` is defined here: `{signature}`", symbol.qualified());
        Fact { text, path: file.row.path.clone(), line: symbol.name_line }
    })
}

/// How often it is called and from how many files, and the tests that call it.
fn called(graph: Graph<'_>, place: Place, view: &View) -> Result<Vec<Fact>, StoreError> {
    let walk = Walk::new(&graph, vec![place], EdgeFilter::default()).swift(None);
    let (links, _) = walk.links(Node::Seed, Way::Callers)?;
    let Some(first) = links.first() else { return Ok(Vec::new()) };
    let name = graph.symbol(place, |_, symbol| symbol.qualified())?.unwrap_or_default();
    let mut files: Vec<_> = links.iter().map(|link| link.file).collect();
    files.sort_unstable();
    files.dedup();
    let (calls, files) = (counted(links.len(), "call"), counted(files.len(), "file"));
    let path = graph.path(first.file)?.unwrap_or_else(|| RelPath::new(""));
    let mut facts = vec![Fact {
        text: format!("{calls} of `{name}` in {files} are known; the first"),
        path,
        line: first.edge.line,
    }];
    let mut told = 0;
    for link in links.iter().filter(|link| is_test_file(view, link.file)) {
        let Node::Symbol(caller) = link.from else { continue };
        if told < MOST_TESTS {
            told += 1;
            let is_test = graph.symbol(caller, |_, symbol| symbol.test)? == Some(true);
            let what = if is_test { "tests it" } else { "calls it, in a file of tests" };
            facts.extend(fact_at(graph, caller, |test| format!("`{test}` {what}"))?);
        }
    }
    Ok(facts)
}

fn is_test_file(view: &View, file: FileId) -> bool {
    view.layout.position(file).is_some_and(|file| view.is_test(file as u32))
}

fn fact_at(graph: Graph<'_>, place: Place, say: impl Fn(&str) -> String) -> Result<Option<Fact>, StoreError> {
    graph.symbol(place, |file, symbol| Fact {
        text: say(&symbol.qualified()),
        path: file.row.path.clone(),
        line: symbol.name_line,
    })
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
