//! `package.json`: the packages of the project, who may name them, and what their entries say. Dependencies that are not in the
//! project have no place here. Read [`Package`] first.

use std::collections::{BTreeMap, BTreeSet};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde_json::{Map, Value};

use super::super::path::{below, join, upwards};
use super::json;
use crate::graph::Code;

/// A folder with a `package.json`.
#[derive(Debug)]
pub(in super::super) struct Package {
    pub(in super::super) dir: String,
    pub(in super::super) name: String,
    /// Values of `source`, `module`, `main`, `types`, in that order.
    pub(in super::super) entries: Vec<String>,
    pub(in super::super) exports: Option<Value>,
    pub(in super::super) imports: Option<Value>,
    /// Dependencies that it takes from the project (`workspace:*`, `file:../x`).
    links: BTreeSet<String>,
}

/// All packages.
#[derive(Debug, Default)]
pub(in super::super) struct Packages {
    by_dir: BTreeMap<String, Package>,
    /// Folders by package name.
    by_name: BTreeMap<String, Vec<String>>,
    workspaces: Vec<Workspace>,
}

/// Packages below a folder that see each other.
#[derive(Debug)]
struct Workspace {
    dir: String,
    members: GlobSet,
}

impl Packages {
    pub(super) fn read(code: &dyn Code) -> Self {
        let mut packages = Self::default();
        for (path, text) in code.manifests("package.json") {
            let Some(Value::Object(manifest)) = json(&text) else { continue };
            let package = Package::new(path.dir(), &manifest);
            packages.by_name.entry(package.name.clone()).or_default().push(package.dir.clone());
            packages.by_dir.insert(package.dir.clone(), package);
            packages.workspaces.extend(Workspace::new(path.dir(), &workspace_globs(&manifest)));
        }
        for (path, text) in code.manifests("lerna.json") {
            let globs = json(&text).map(|manifest| strings(&manifest["packages"])).unwrap_or_default();
            packages.workspaces.extend(Workspace::new(path.dir(), &globs));
        }
        for (path, text) in code.manifests("pnpm-workspace.yaml") {
            packages.workspaces.extend(Workspace::new(path.dir(), &pnpm_globs(&text)));
        }
        packages
    }

    pub(in super::super) fn at(&self, dir: &str) -> Option<&Package> {
        self.by_dir.get(dir)
    }

    /// The package that a file in `dir` belongs to.
    pub(in super::super) fn nearest(&self, dir: &str) -> Option<&Package> {
        upwards(dir).find_map(|dir| self.at(dir))
    }

    /// The package that a file in `dir` means by `name`: one that it is inside of, a member of its workspace, or a linked one. Other
    /// packages of that name, such as those of fixtures, are not meant.
    pub(in super::super) fn visible(&self, name: &str, dir: &str) -> Option<&Package> {
        let named = self.by_name.get(name)?;
        let around = upwards(dir).find(|dir| named.iter().any(|named| named == dir));
        let found = around.or_else(|| {
            let linked = self.nearest(dir).is_some_and(|package| package.links.contains(name));
            named.iter().map(String::as_str).find(|other| linked || self.share_workspace(dir, other))
        });
        self.at(found?)
    }

    fn share_workspace(&self, dir: &str, other: &str) -> bool {
        let holds = |workspace: &&Workspace| below(dir, &workspace.dir).is_some() || workspace.dir == dir;
        self.workspaces.iter().filter(holds).any(|workspace| workspace.has(other))
    }
}

impl Package {
    fn new(dir: &str, manifest: &Map<String, Value>) -> Self {
        let text = |key: &str| manifest.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            dir: dir.to_owned(),
            name: text("name").unwrap_or_default(),
            entries: ["source", "module", "main", "types", "typings"].into_iter().filter_map(text).collect(),
            exports: manifest.get("exports").cloned(),
            imports: manifest.get("imports").cloned(),
            links: links(manifest),
        }
    }
}

impl Workspace {
    fn new(dir: &str, globs: &[String]) -> Option<Self> {
        let mut members = GlobSetBuilder::new();
        for glob in globs.iter().filter(|glob| !glob.starts_with('!')) {
            let glob = glob.trim_start_matches("./").trim_end_matches('/');
            members.add(GlobBuilder::new(glob).literal_separator(true).build().ok()?);
        }
        let members = members.build().ok().filter(|members| !members.is_empty())?;
        Some(Self { dir: dir.to_owned(), members })
    }

    fn has(&self, dir: &str) -> bool {
        below(dir, &self.dir).is_some_and(|dir| self.members.is_match(dir))
    }
}

/// Paths that `exports` or `imports` give for `key` (`.`, `./sub`, `#name`), the ones nearest to source first.
pub(in super::super) fn targets(map: &Value, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    match map {
        Value::Object(entries) if entries.keys().any(|entry| entry.starts_with(['.', '#'])) => {
            if let Some((value, middle)) = entry(entries, key) {
                leaves(value, &mut Vec::new(), &mut found);
                for (_, path) in &mut found {
                    *path = fill(path, &middle);
                }
            }
        }
        whole if key == "." => leaves(whole, &mut Vec::new(), &mut found),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {}
    }
    found.sort_by_cached_key(|(ranks, path)| (path.contains(".d."), ranks.clone()));
    found.into_iter().map(|(_, path)| path).collect()
}

/// The value for `key`, and what its `*` stands for.
fn entry<'m>(entries: &'m Map<String, Value>, key: &str) -> Option<(&'m Value, String)> {
    if let Some(value) = entries.get(key) {
        return Some((value, String::new()));
    }
    let fits = |pattern: &str| {
        let (head, tail) = pattern.split_once('*').or_else(|| pattern.ends_with('/').then_some((pattern, "")))?;
        let middle = key.strip_prefix(head)?.strip_suffix(tail)?;
        Some((head.len(), middle.to_owned()))
    };
    let found = entries.iter().filter_map(|(pattern, value)| Some((fits(pattern)?, value)));
    let ((_, middle), value) = found.max_by_key(|((length, _), _)| *length)?;
    Some((value, middle))
}

fn fill(path: &str, middle: &str) -> String {
    if path.ends_with('/') { format!("{path}{middle}") } else { path.replace('*', middle) }
}

/// All paths of a tree of conditions, each with the ranks of the conditions that lead to it.
fn leaves(value: &Value, ranks: &mut Vec<u8>, found: &mut Vec<(Vec<u8>, String)>) {
    match value {
        Value::String(path) => found.push((ranks.clone(), path.clone())),
        Value::Array(values) => values.iter().for_each(|value| leaves(value, ranks, found)),
        Value::Object(conditions) => {
            for (condition, value) in conditions {
                ranks.push(rank(condition));
                leaves(value, ranks, found);
                ranks.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Conditions nearer to the source stand lower.
fn rank(condition: &str) -> u8 {
    match condition {
        source if source.contains("source") => 0,
        "import" | "module" => 1,
        "node" => 2,
        "default" => 3,
        "require" => 4,
        "types" => 5,
        _ => 6,
    }
}

fn links(manifest: &Map<String, Value>) -> BTreeSet<String> {
    const KINDS: [&str; 4] = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    const LOCAL: [&str; 4] = ["workspace:", "file:", "link:", "portal:"];
    let dependencies = KINDS.into_iter().filter_map(|kind| manifest.get(kind)?.as_object()).flatten();
    let is_local = |version: &Value| version.as_str().is_some_and(|text| LOCAL.iter().any(|p| text.starts_with(p)));
    dependencies.filter(|(_, version)| is_local(version)).map(|(name, _)| name.clone()).collect()
}

/// `workspaces`: a list, or a list under `packages`.
fn workspace_globs(manifest: &Map<String, Value>) -> Vec<String> {
    let Some(value) = manifest.get("workspaces") else { return Vec::new() };
    if value.is_array() { strings(value) } else { strings(&value["packages"]) }
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The list under `packages:`, one `- glob` a line.
fn pnpm_globs(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_end).skip_while(|line| *line != "packages:").skip(1);
    let items = lines.map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let items = items.map_while(|line| line.strip_prefix('-'));
    items.filter_map(|item| join("", item.trim().trim_matches(['"', '\'']))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_nearer_to_the_source_come_first() {
        let map = json(
            r#"{ ".": { "types": "./index.d.ts", "require": "./a.cjs", "default": "./a.js", "@x/source": "./a.ts" },
                 "./*": "./out/*.js", "./deep/*": { "import": ["./deep/*.mjs"] }, "./old/": "./new/", "./no": null }"#,
        );
        let map = map.unwrap();
        assert_eq!(targets(&map, "."), ["./a.ts", "./a.js", "./a.cjs", "./index.d.ts"]);
        assert_eq!(targets(&map, "./x/y"), ["./out/x/y.js"]);
        assert_eq!(targets(&map, "./deep/z"), ["./deep/z.mjs"]);
        assert_eq!(targets(&map, "./old/z.js"), ["./new/z.js"]);
        assert!(targets(&map, "./no").is_empty());
        assert_eq!(targets(&Value::String("./main.js".to_owned()), "."), ["./main.js"]);
    }

    #[test]
    fn members_of_a_pnpm_workspace_are_read_from_its_lines() {
        let text = "# all\ncatalog:\n  a: 1\npackages:\n  # code\n  - 'packages/*'\n  - \"!**/test\"\n\nonly: x\n- y";
        assert_eq!(pnpm_globs(text), ["packages/*", "!**/test"]);
    }
}
