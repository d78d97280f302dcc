//! `go.mod`: which module path a folder has. Requirements are not looked at. Read [`GoModule`] first.

use super::super::path::join;
use crate::graph::Code;

/// A module of the project.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct GoModule {
    pub(in super::super) path: String,
    pub(in super::super) dir: String,
}

/// All modules, those with the longest path first. A path that a `replace` line leads to a folder is one more.
pub(super) fn read(code: &dyn Code) -> Vec<GoModule> {
    let mut modules = Vec::new();
    for (at, text) in code.manifests("go.mod") {
        modules.extend(declared(&text).map(|path| GoModule { path: path.to_owned(), dir: at.dir().to_owned() }));
    }
    for (at, text) in ["go.mod", "go.work"].into_iter().flat_map(|name| code.manifests(name)) {
        for (path, target) in text.lines().filter_map(replaced) {
            let known = modules.iter().any(|module| module.path == path);
            let dir = join(at.dir(), target).filter(|_| !known);
            modules.extend(dir.map(|dir| GoModule { path: path.to_owned(), dir }));
        }
    }
    modules.sort_by(|a, b| b.path.len().cmp(&a.path.len()).then_with(|| a.path.cmp(&b.path)));
    modules
}

fn declared(text: &str) -> Option<&str> {
    let rest = text.lines().find_map(|line| line.trim_start().strip_prefix("module"))?;
    let path = rest.split_whitespace().next()?.trim_matches(['"', '`']);
    (rest.starts_with([' ', '\t']) && !path.starts_with("//")).then_some(path)
}

/// Path and folder of `replace path [version] => ./folder`, alone or as a line of a block.
fn replaced(line: &str) -> Option<(&str, &str)> {
    let (left, right) = line.split_once("=>")?;
    let path = left.trim().trim_start_matches("replace").split_whitespace().next()?;
    let target = right.split_whitespace().next()?.trim_matches('"');
    target.starts_with('.').then_some((path, target))
}
