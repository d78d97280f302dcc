//! `Cargo.toml`: the crates of the project and which of them a crate may name. Features and versions are not looked at.
//! Read [`Crate`] first.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::super::path::{join, upwards};
use crate::graph::Code;

/// A package.
#[derive(Debug, Default)]
pub(in super::super) struct Crate {
    pub(in super::super) dir: String,
    /// Name of the library in paths.
    pub(in super::super) lib: String,
    /// Root file of the library, whether it is there or not.
    pub(in super::super) lib_path: String,
    /// Files that the manifest names as roots of a target.
    pub(in super::super) targets: Vec<String>,
    /// Paths in `use` begin at the root of the crate.
    pub(in super::super) edition_2015: bool,
    /// By name in paths.
    dependencies: BTreeMap<String, Dependency>,
}

#[derive(Debug, Clone, Default)]
struct Dependency {
    package: String,
    /// Folder, where the manifest names one.
    dir: Option<String>,
    /// The entry of the workspace says more.
    inherited: bool,
}

/// All packages, and what manifests say for those in the folders below.
#[derive(Debug, Default)]
pub(in super::super) struct Crates {
    by_dir: BTreeMap<String, Crate>,
    /// Dependencies of workspaces, by folder and name in paths.
    workspaces: BTreeMap<String, BTreeMap<String, Dependency>>,
    /// Replaced dependencies: package and folder.
    patches: BTreeMap<String, String>,
}

impl Crates {
    pub(super) fn read(code: &dyn Code) -> Self {
        let mut crates = Self::default();
        for (path, text) in code.manifests("Cargo.toml") {
            let Ok(manifest) = text.parse::<Table>() else { continue };
            let dir = path.dir();
            if let Some(shared) = manifest.get("workspace").and_then(|workspace| workspace.get("dependencies")) {
                crates.workspaces.insert(dir.to_owned(), dependencies(dir, shared).collect());
            }
            let patches = manifest.get("patch").and_then(Value::as_table).into_iter().flatten();
            let patched = patches.flat_map(|(_, table)| dependencies(dir, table));
            crates.patches.extend(patched.filter_map(|(_, patch)| Some((patch.package, patch.dir?))));
            crates.by_dir.extend(Crate::new(dir, &manifest).map(|found| (dir.to_owned(), found)));
        }
        crates
    }

    /// The package that a file in `dir` belongs to.
    pub(in super::super) fn nearest(&self, dir: &str) -> Option<&Crate> {
        upwards(dir).find_map(|dir| self.by_dir.get(dir))
    }

    /// The package that `from` means by `name`: its own library or one that it depends on.
    pub(in super::super) fn named(&self, from: &Crate, name: &str) -> Option<&Crate> {
        if from.lib == name {
            return self.by_dir.get(&from.dir);
        }
        let own = from.dependencies.get(name)?;
        let shared = upwards(&from.dir).find_map(|dir| self.workspaces.get(dir)?.get(name));
        let dependency = shared.filter(|_| own.inherited).unwrap_or(own);
        self.by_dir.get(dependency.dir.as_ref().or_else(|| self.patches.get(&dependency.package))?)
    }
}

impl Crate {
    /// `name` is that of its own library or of a dependency, wherever that is.
    pub(in super::super) fn knows(&self, name: &str) -> bool {
        self.lib == name || self.dependencies.contains_key(name)
    }

    fn new(dir: &str, manifest: &Table) -> Option<Self> {
        let package = manifest.get("package")?;
        let name = package.get("name")?.as_str()?;
        let text = |value: Option<&Value>, key: &str| Some(value?.get(key)?.as_str()?.to_owned());
        let lib = manifest.get("lib");
        let lib_path = text(lib, "path").unwrap_or_else(|| "src/lib.rs".to_owned());
        let edition = package.get("edition");
        Some(Self {
            dir: dir.to_owned(),
            lib: ident(&text(lib, "name").unwrap_or_else(|| name.to_owned())),
            lib_path: join(dir, &lib_path)?,
            targets: targets(dir, manifest),
            edition_2015: edition.is_none_or(|edition| edition.as_str() == Some("2015")),
            dependencies: all_dependencies(dir, manifest),
        })
    }
}

fn ident(name: &str) -> String {
    name.replace('-', "_")
}

fn targets(dir: &str, manifest: &Table) -> Vec<String> {
    let lists = ["bin", "test", "example", "bench"].into_iter().filter_map(|kind| manifest.get(kind)?.as_array());
    let single = ["lib"].into_iter().filter_map(|kind| manifest.get(kind));
    let paths = lists.flatten().chain(single).filter_map(|target| target.get("path")?.as_str());
    let build = manifest.get("package").and_then(|package| package.get("build")?.as_str());
    paths.chain(build).filter_map(|path| join(dir, path)).collect()
}

/// Dependencies of all kinds and for all systems.
fn all_dependencies(dir: &str, manifest: &Table) -> BTreeMap<String, Dependency> {
    const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let systems = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(|table| table.values());
    let tables = systems.flat_map(|system| KINDS.into_iter().filter_map(|kind| system.get(kind)));
    let tables = tables.chain(KINDS.into_iter().filter_map(|kind| manifest.get(kind)));
    tables.flat_map(|table| dependencies(dir, table)).collect()
}

fn dependencies<'m>(dir: &'m str, table: &'m Value) -> impl Iterator<Item = (String, Dependency)> + 'm {
    table.as_table().into_iter().flatten().map(move |(name, value)| {
        let package = value.get("package").and_then(Value::as_str).unwrap_or(name).to_owned();
        let place = value.get("path").and_then(Value::as_str).and_then(|path| join(dir, path));
        let inherited = value.get("workspace").and_then(Value::as_bool).unwrap_or_default();
        (ident(name), Dependency { package, dir: place, inherited })
    })
}
