//! `tsconfig.json` and `jsconfig.json`: `baseUrl` and `paths`, with what they extend. Compiler options are not looked at.
//! Read [`PathMaps`] first.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::path::{extension, file_name, join, parent, upwards};
use super::json;
use crate::graph::Code;

/// Aliases of module paths by the folder that they hold in.
#[derive(Debug, Default)]
pub(in super::super) struct PathMaps(BTreeMap<String, PathMap>);

#[derive(Debug, Clone, Default)]
struct PathMap {
    /// Folder that bare paths begin in.
    base: Option<String>,
    /// Pattern and targets from the root; at most one `*` in each.
    paths: Vec<(String, Vec<String>)>,
}

impl PathMaps {
    pub(super) fn read(code: &dyn Code) -> Self {
        let mut maps = BTreeMap::new();
        for (path, _) in ["tsconfig.json", "jsconfig.json"].into_iter().flat_map(|name| code.manifests(name)) {
            let mut map = digest(code, path.as_str(), path.dir(), &mut BTreeSet::new());
            if map.is_empty() {
                map = referenced(code, path.as_str());
            }
            if !map.is_empty() {
                maps.entry(path.dir().to_owned()).or_insert(map);
            }
        }
        Self(maps)
    }

    /// Paths from the root that `module` may stand for in a file in `dir`, by preference.
    pub(in super::super) fn candidates(&self, dir: &str, module: &str) -> Vec<String> {
        let Some(map) = upwards(dir).find_map(|dir| self.0.get(dir)) else { return Vec::new() };
        let mut found = map.aliased(module);
        found.extend(map.base.as_ref().and_then(|base| join(base, module)));
        found
    }

    /// `module` is an alias: no package can be meant by it.
    pub(in super::super) fn is_alias(&self, dir: &str, module: &str) -> bool {
        let map = upwards(dir).find_map(|dir| self.0.get(dir));
        map.is_some_and(|map| map.paths.iter().any(|(pattern, _)| pattern != "*" && middle(pattern, module).is_some()))
    }
}

impl PathMap {
    fn is_empty(&self) -> bool {
        self.base.is_none() && self.paths.is_empty()
    }

    /// Targets of the pattern that fits `module` with the longest text before its `*`.
    fn aliased(&self, module: &str) -> Vec<String> {
        let fitting =
            self.paths.iter().filter_map(|(pattern, targets)| Some((pattern, middle(pattern, module)?, targets)));
        let longest = fitting.max_by_key(|(pattern, ..)| (!pattern.contains('*'), pattern.find('*')));
        let Some((_, middle, targets)) = longest else { return Vec::new() };
        targets.iter().map(|target| target.replace('*', middle)).collect()
    }
}

/// What the `*` of `pattern` stands for in `module`; empty where the two are the same.
fn middle<'m>(pattern: &str, module: &'m str) -> Option<&'m str> {
    match pattern.split_once('*') {
        Some((head, tail)) => module.strip_prefix(head)?.strip_suffix(tail),
        None => (pattern == module).then_some(""),
    }
}

/// The options of the file at `path` over those that it extends. `home` is the folder of the file that was asked for first.
fn digest(code: &dyn Code, path: &str, home: &str, seen: &mut BTreeSet<String>) -> PathMap {
    let Some(config) = config_at(code, path).filter(|_| seen.insert(path.to_owned())) else {
        return PathMap::default();
    };
    let dir = parent(path);
    let mut map = PathMap::default();
    for base in one_or_more(&config["extends"]).into_iter().filter_map(|base| extended(dir, base)) {
        let base = digest(code, &base, home, seen);
        map =
            PathMap { base: base.base.or(map.base), paths: if base.paths.is_empty() { map.paths } else { base.paths } };
    }
    let options = &config["compilerOptions"];
    let place = |relative: &str| match relative.strip_prefix("${configDir}") {
        Some(rest) => join(home, rest),
        None => join(dir, relative),
    };
    if let Some(base) = options["baseUrl"].as_str().and_then(place) {
        map.base = Some(base);
    }
    if let Some(paths) = options["paths"].as_object() {
        let begin = if options["baseUrl"].is_string() { map.base.clone() } else { None };
        let begin = begin.or_else(|| map.base.clone()).unwrap_or_else(|| dir.to_owned());
        let target = |text: &str| if text.starts_with('$') { place(text) } else { join(&begin, text) };
        let targets = |value: &Value| one_or_more(value).into_iter().filter_map(target).collect();
        map.paths = paths.iter().map(|(pattern, value)| (pattern.clone(), targets(value))).collect();
    }
    map
}

/// Of a file that only points to others in its folder (`tsconfig.app.json`), the first of those that says anything.
fn referenced(code: &dyn Code, path: &str) -> PathMap {
    let config = config_at(code, path).unwrap_or_default();
    let references = config["references"].as_array().into_iter().flatten();
    let paths = references.filter_map(|reference| join(parent(path), reference["path"].as_str()?));
    let beside = paths.filter(|other| parent(other) == parent(path) && other.contains(".json"));
    let mut maps = beside.map(|other| digest(code, &other, parent(path), &mut BTreeSet::new()));
    maps.find(|map| !map.is_empty()).unwrap_or_default()
}

fn config_at(code: &dyn Code, path: &str) -> Option<Value> {
    let found = code.manifests(file_name(path)).into_iter().find(|(at, _)| at.as_str() == path)?;
    json(&found.1)
}

/// Path of an extended file; `None` for one in a package.
fn extended(dir: &str, base: &str) -> Option<String> {
    let path = join(dir, base).filter(|_| base.starts_with('.'))?;
    let has_extension = extension(&path) == Some("json");
    Some(if has_extension { path } else { format!("{path}.json") })
}

fn one_or_more(value: &Value) -> Vec<&str> {
    let many = value.as_array().into_iter().flatten();
    many.chain(std::iter::once(value)).filter_map(Value::as_str).collect()
}
