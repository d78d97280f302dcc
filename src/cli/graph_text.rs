//! How answers about the graph look: trees and lists as text, trees for Graphviz and Mermaid. Read [`tree`] first.

use std::collections::BTreeMap;
use std::io::{StdoutLock, Write as _};

use super::graph::Shown;
use super::output::{counted, dim, out, plain, strong};
use super::search::stale_line;
use crate::engine::{
    Below, Branch, End, EntryPoint, EntryReason, Freshness, FreshnessLevel, GraphNode, HIGH_CONFIDENCE, ImportRow,
    ImportsAnswer, Tree, TreeAnswer, Unused,
};
use crate::model::{EdgeKind, SymbolKind};

/// Which end of an edge the branches of a tree are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Callers,
    Callees,
}

/// Seeds, then the callers, then the callees.
pub(super) fn tree(answer: &TreeAnswer) -> anyhow::Result<()> {
    let mut out = out();
    for seed in &answer.seed {
        writeln!(out, "{}", title(seed))?;
    }
    if let Some(callers) = &answer.callers {
        half(&mut out, callers, Side::Callers)?;
    }
    if let Some(callees) = &answer.callees {
        half(&mut out, callees, Side::Callees)?;
    }
    stale(&mut out, &answer.freshness)
}

pub(super) fn dot(answer: &TreeAnswer) -> anyhow::Result<()> {
    let (nodes, edges) = drawing(answer);
    let mut out = out();
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    writeln!(out, "digraph calls {{\n  rankdir=LR;\n  node [shape=box];")?;
    for (label, number) in sorted(&nodes) {
        writeln!(out, "  n{number} [label=\"{}\"];", quoted(label))?;
    }
    for (from, to, label, sure) in edges {
        let style = if sure { "" } else { ", style=dashed" };
        writeln!(out, "  n{from} -> n{to} [label=\"{label}\"{style}];")?;
    }
    Ok(writeln!(out, "}}")?)
}

pub(super) fn mermaid(answer: &TreeAnswer) -> anyhow::Result<()> {
    let (nodes, edges) = drawing(answer);
    let mut out = out();
    let quoted =
        |text: &str| text.replace('#', "#35;").replace('"', "#quot;").replace('<', "#lt;").replace('\n', "<br/>");
    writeln!(out, "flowchart LR")?;
    for (label, number) in sorted(&nodes) {
        writeln!(out, "  n{number}[\"{}\"]", quoted(label))?;
    }
    for (from, to, label, sure) in edges {
        let arrow = if sure { "-->" } else { "-.->" };
        writeln!(out, "  n{from} {arrow}|{label}| n{to}")?;
    }
    Ok(())
}

pub(super) fn unused(shown: &Shown<'_, Unused>, freshness: &Freshness) -> anyhow::Result<()> {
    let mut out = out();
    for row in &shown.rows {
        let doubt = if row.doubt.is_empty() { String::new() } else { format!("  {}", row.doubt) };
        writeln!(out, "{} {}{}", share(row.confidence), title(&row.node), dim(&doubt))?;
    }
    rest(&mut out, shown.rows.is_empty(), shown.more, shown.hidden)?;
    stale(&mut out, freshness)
}

/// By reason, the surest first.
pub(super) fn entry_points(shown: &Shown<'_, EntryPoint>, freshness: &Freshness) -> anyhow::Result<()> {
    let mut out = out();
    for reason in EntryReason::ALL {
        for row in shown.rows.iter().filter(|row| row.reason == reason) {
            writeln!(out, "{:8} {} {}", reason.as_str(), share(row.confidence), title(&row.node))?;
        }
    }
    rest(&mut out, shown.rows.is_empty(), shown.more, shown.hidden)?;
    stale(&mut out, freshness)
}

pub(super) fn imports(answer: &ImportsAnswer) -> anyhow::Result<()> {
    let mut out = out();
    writeln!(out, "{}", strong(&plain(answer.path.as_str())))?;
    writeln!(out, "imports ({})", answer.imports.len())?;
    for row in &answer.imports {
        writeln!(out, "  :{:<5} {}", row.line, plain(&import(row)))?;
    }
    writeln!(out, "imported by ({})", answer.imported_by.len())?;
    for path in &answer.imported_by {
        writeln!(out, "  {}", plain(path.as_str()))?;
    }
    stale(&mut out, &answer.freshness)
}

fn half(out: &mut StdoutLock<'_>, tree: &Tree<GraphNode>, side: Side) -> anyhow::Result<()> {
    let name = match side {
        Side::Callers => "callers",
        Side::Callees => "callees",
    };
    let first = tree.children(None).count() + tree.below.more as usize;
    writeln!(out, "{name} ({first})")?;
    level(out, tree, None, side, "")
}

/// The branches on one, each with its own below it.
fn level(
    out: &mut StdoutLock<'_>,
    tree: &Tree<GraphNode>,
    parent: Option<usize>,
    side: Side,
    indent: &str,
) -> anyhow::Result<()> {
    let below = parent.and_then(|at| tree.branches.get(at)).map_or(tree.below, |branch| branch.below);
    let remark = remark(below);
    let children: Vec<usize> = tree.children(parent).collect();
    for (nth, at) in children.iter().enumerate() {
        let last = nth + 1 == children.len() && remark.is_none();
        let (fork, bar) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        if let Some(branch) = tree.branches.get(*at) {
            writeln!(out, "{indent}{fork}{}", line(branch, side))?;
            level(out, tree, Some(*at), side, &format!("{indent}{bar}"))?;
        }
    }
    if let Some(remark) = remark {
        writeln!(out, "{indent}└─ {}", dim(&remark))?;
    }
    Ok(())
}

fn remark(below: Below) -> Option<String> {
    let more = (below.more > 0).then(|| format!("{} more (--limit)", below.more));
    let hidden = (below.hidden > 0).then(|| format!("{} (--all)", counted(below.hidden.into(), "unsure call")));
    let parts: Vec<String> = more.into_iter().chain(hidden).collect();
    (!parts.is_empty()).then(|| format!("… {}", parts.join(", ")))
}

/// A caller with the line of its call, or a callee with its own line.
fn line(branch: &Branch<GraphNode>, side: Side) -> String {
    let step = &branch.step;
    let place = step.node.place.as_ref().map(|place| match side {
        Side::Callers => format!("{}:{}", place.path, step.line),
        Side::Callees => format!("{}:{}", place.path, place.line),
    });
    let kind = step.node.kind.map_or("", SymbolKind::as_str);
    let how = if step.kind == EdgeKind::Call { String::new() } else { format!("{} ", step.kind.as_str()) };
    let sites = if step.sites > 1 { format!(" ×{}", step.sites) } else { String::new() };
    let at = if side == Side::Callees { format!(" at :{}", step.line) } else { String::new() };
    let end = match branch.end {
        End::None => "",
        End::Cycle => " ↺ cycle",
        End::Repeated => " ↑ shown elsewhere",
    };
    let tail = format!("{how}{} {}{at}{sites}{end}", step.resolution.as_str(), share(step.confidence));
    let words =
        [strong(&plain(&step.node.qualified())), plain(&place.unwrap_or_default()), kind.to_owned(), dim(&tail)];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("  ")
}

fn title(node: &GraphNode) -> String {
    let kind = node.kind.map_or("module", SymbolKind::as_str);
    let place = node.place.as_ref().map(|place| format!("{}:{}", place.path, place.line)).unwrap_or_default();
    format!("{}  {kind} {}", strong(&plain(&place)), plain(&node.qualified()))
}

fn import(row: &ImportRow) -> String {
    let name = match (&*row.name, row.alias.as_deref()) {
        ("", None) => String::new(),
        ("", Some(alias)) => format!(" as {alias}"),
        (name, None) => format!(" {name}"),
        (name, Some(alias)) => format!(" {name} as {alias}"),
    };
    let reexport = if row.reexport { " (re-exported)" } else { "" };
    let to = row.path.as_ref().map_or("outside", |path| path.as_str());
    format!("{}{name} -> {to}{reexport}", row.module)
}

fn rest(out: &mut StdoutLock<'_>, none: bool, more: usize, hidden: usize) -> anyhow::Result<()> {
    if none {
        writeln!(out, "nothing found")?;
    }
    if let Some(remark) = remark_of_list(more, hidden) {
        writeln!(out, "{}", dim(&remark))?;
    }
    Ok(())
}

fn remark_of_list(more: usize, hidden: usize) -> Option<String> {
    let more = (more > 0).then(|| format!("{more} more (--limit)"));
    let hidden = (hidden > 0).then(|| format!("{hidden} less sure or tests (--all)"));
    let parts: Vec<String> = more.into_iter().chain(hidden).collect();
    (!parts.is_empty()).then(|| format!("… {}", parts.join(", ")))
}

/// `0.95`.
fn share(percent: u8) -> String {
    format!("{}.{:02}", percent / 100, percent % 100)
}

fn stale(out: &mut StdoutLock<'_>, freshness: &Freshness) -> anyhow::Result<()> {
    if freshness.level != FreshnessLevel::Fresh {
        writeln!(out, "{}", stale_line(freshness))?;
    }
    Ok(())
}

/// Labels with the numbers of their nodes, and edges between the numbers: label, and whether it is sure.
type Drawing = (BTreeMap<String, usize>, Vec<(usize, usize, String, bool)>);

fn drawing(answer: &TreeAnswer) -> Drawing {
    let (mut nodes, mut edges) = (BTreeMap::new(), Vec::new());
    if let Some(seed) = answer.seed.first() {
        number(&mut nodes, seed);
    }
    for (tree, side) in [(&answer.callers, Side::Callers), (&answer.callees, Side::Callees)] {
        for branch in tree.iter().flat_map(|tree| &tree.branches) {
            let Some(tree) = tree else { continue };
            let parent = branch.parent.and_then(|at| tree.branches.get(at)).map_or(&tree.root, |b| &b.step.node);
            let (own, parent) = (number(&mut nodes, &branch.step.node), number(&mut nodes, parent));
            let (from, to) = if side == Side::Callers { (own, parent) } else { (parent, own) };
            let label = format!("{} {}", branch.step.resolution.as_str(), share(branch.step.confidence));
            let edge = (from, to, label, branch.step.confidence >= HIGH_CONFIDENCE);
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
    }
    (nodes, edges)
}

fn number(nodes: &mut BTreeMap<String, usize>, node: &GraphNode) -> usize {
    let place = node.place.as_ref().map(|place| format!("\n{}:{}", place.path, place.line)).unwrap_or_default();
    let next = nodes.len();
    *nodes.entry(plain_lines(&format!("{}{place}", node.qualified()))).or_insert(next)
}

/// Two lines at most, each without control characters.
fn plain_lines(label: &str) -> String {
    label.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

fn sorted(nodes: &BTreeMap<String, usize>) -> Vec<(&String, &usize)> {
    let mut sorted: Vec<_> = nodes.iter().collect();
    sorted.sort_by_key(|(_, number)| **number);
    sorted
}
