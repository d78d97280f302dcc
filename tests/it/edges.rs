//! Edges written down as text, put into an index: tests that use them say nothing about how references are resolved.
//! Read [`link`] first.

use std::collections::BTreeMap;

use reporecall::model::{Edge, EdgeKind, FileId, ReferenceKind, Resolution, Target, symbol_keys};
use reporecall::store::code::{CodeReader, ImportLink, Links, PackedLinks, Packer};
use reporecall::store::{Finish, Start, StorePaths, Writer};

use crate::project::TestProject;

/// Makes these the only edges and imports of an indexed project. A line is `file symbol callee > file symbol resolution percent`,
/// with `-` as the target of a callee without definition, or `file class : file base`; of an import `file number file`.
pub(crate) fn link(project: &TestProject, edges: &str, imports: &[&str]) {
    let paths = StorePaths::new(project.path(".memory"));
    let code = CodeReader::open(&paths.metadata()).expect("an index");
    let files: BTreeMap<String, FileId> =
        code.files().expect("files").into_iter().map(|row| (row.path.to_string(), row.id)).collect();
    let mut links: BTreeMap<FileId, Links> = files.values().map(|id| (*id, Links::default())).collect();
    for line in edges.lines() {
        let (file, edge, name) = edge(&code, &files, &links, line);
        let of_file = links.get_mut(&file).expect("a file");
        of_file.edges.push(edge);
        of_file.names.push(name);
    }
    for line in imports {
        let words: Vec<&str> = line.split(' ').collect();
        let to = files.get(words[2]).copied();
        let import = ImportLink { import: words[1].parse().expect("a number"), to };
        links.get_mut(&files[words[0]]).expect("a file").imports.push(import);
    }
    let writer = Writer::open(&paths, Start::AsIs, || panic!("nobody else writes"), &|| false).expect("a writer");
    for (file, links) in links {
        writer.link(file, Box::new(PackedLinks::new(&links, &mut Packer::new()))).expect("room");
    }
    writer.finish(Finish { linked: true, ..Finish::default() }).expect("written");
}

fn edge(
    code: &CodeReader,
    files: &BTreeMap<String, FileId>,
    links: &BTreeMap<FileId, Links>,
    line: &str,
) -> (FileId, Edge, Box<str>) {
    let (from, to) = line.split_once(" > ").or_else(|| line.split_once(" : ")).expect("two ends");
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split(' ').collect(), to.split(' ').collect());
    let file = files[from[0]];
    let symbols = code.symbols(file).expect("symbols");
    let at = symbols.iter().position(|symbol| symbol.qualified() == from[1]).map(|at| at as u32);
    let (target, name) = target(code, files, &to);
    let Some(callee) = from.get(2) else {
        let reference = at.expect("a class");
        let edge = Edge {
            line: symbols[reference as usize].name_line,
            reference,
            from: at,
            kind: EdgeKind::Inherit,
            resolution: Resolution::Import,
            confidence: 97,
            candidates: 1,
            to: target,
        };
        return (file, edge, name);
    };
    let facts = code.facts(file).expect("facts");
    let taken = |reference: usize| {
        links[&file].edges.iter().any(|edge| edge.reference as usize == reference && edge.kind != EdgeKind::Inherit)
    };
    let is_it = |(nth, found): &(usize, &reporecall::model::Reference)| {
        found.from == at && *found.callee == **callee && !taken(*nth)
    };
    let (nth, reference) = facts.refs.iter().enumerate().find(is_it).unwrap_or_else(|| panic!("{line}"));
    let kind = match reference.kind {
        ReferenceKind::Call => EdgeKind::Call,
        ReferenceKind::New => EdgeKind::New,
        ReferenceKind::Macro => EdgeKind::Macro,
        ReferenceKind::Decorator => EdgeKind::Decorator,
        ReferenceKind::Callback => EdgeKind::Callback,
    };
    let words: Vec<&str> = to.iter().rev().take(2).copied().collect();
    let resolution = Resolution::ALL.into_iter().find(|step| step.as_str() == words[1]).expect("a resolution");
    let confidence = words[0].parse().expect("a percentage");
    let reference_line = reference.line;
    let edge = Edge {
        line: reference_line,
        reference: nth as u32,
        from: at,
        kind,
        resolution,
        confidence,
        candidates: 1,
        to: target,
    };
    (file, edge, name)
}

fn target(code: &CodeReader, files: &BTreeMap<String, FileId>, to: &[&str]) -> (Option<Target>, Box<str>) {
    let Some(file) = files.get(to[0]).copied() else { return (None, "".into()) };
    let symbols = code.symbols(file).expect("symbols");
    let at = symbols.iter().position(|symbol| symbol.qualified() == to[1]).expect("a target");
    let key = symbol_keys(&symbols)[at];
    (Some(Target { file, key }), symbols[at].name.clone())
}
