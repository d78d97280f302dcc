//! Rust: `crate`, `self`, `super`, modules in files and inline, names that a module has from elsewhere, and the crates of the workspace.
//! Attributes are not seen: `#[path]` is not followed, and a module is taken to be there whatever `cfg` says. Read [`find`] first.

mod crate_root;

use super::path::{in_dir, parent, stem};
use super::{Layout, Module, owner_at};
use crate::graph::{Code, Unit};
use crate::model::{FileId, Import, ImportKind, Symbol};
use crate_root::{is_root, root_of};

/// Imports that are followed one after another before a path counts as leading nowhere.
const MAX_HOPS: u8 = 4;

/// Crates that come with the compiler.
const STANDARD: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

#[derive(Clone, Copy)]
struct Project<'a> {
    layout: &'a Layout,
    code: &'a dyn Code,
}

pub(super) fn find(layout: &Layout, code: &dyn Code, from: &Unit, owner: &str, module: &str) -> Module {
    path(Project { layout, code }, from, owner, module, MAX_HOPS)
}

pub(super) fn submodule(layout: &Layout, code: &dyn Code, inside: &Module, name: &str) -> Option<Module> {
    child(Project { layout, code }, inside, name, MAX_HOPS)
}

fn path(project: Project, from: &Unit, owner: &str, module: &str, hops: u8) -> Module {
    let Some(hops) = hops.checked_sub(1) else { return Module::Missing };
    let outside = module.starts_with("::");
    let mut segments = module.trim_start_matches("::").split("::").map(plain);
    let mut at = match segments.next() {
        Some("crate" | "$crate") => found(root_of(project.layout, project.code, from.path.as_str()).file),
        Some("self") => here(project, from, owner),
        Some("super") => above(project, &here(project, from, owner)),
        Some(name) if outside => extern_crate(project, from, name),
        Some(name) => first(project, from, owner, name, hops),
        None => Module::Missing,
    };
    for name in segments {
        at = match name {
            "self" => at,
            "super" => above(project, &at),
            name => child(project, &at, name, hops).unwrap_or(Module::Missing),
        };
    }
    at
}

/// `name` without what a path may carry (`r#name`, spaces, `Name<T>`).
fn plain(name: &str) -> &str {
    let name = name.trim().trim_start_matches("r#");
    name.split('<').next().unwrap_or_default()
}

fn found(file: Option<FileId>) -> Module {
    file.map_or(Module::Missing, Module::file)
}

fn here(project: Project, from: &Unit, owner: &str) -> Module {
    let file = project.code.file_at(from.path.as_str());
    file.map_or(Module::Missing, |file| Module::File { file, owner: owner.to_owned() })
}

/// The module around one.
fn above(project: Project, module: &Module) -> Module {
    let Module::File { file, owner } = module else { return Module::Missing };
    if !owner.is_empty() {
        let owner = owner.rsplit_once('.').map_or("", |(outer, _)| outer).to_owned();
        return Module::File { file: *file, owner };
    }
    let Some(unit) = project.code.unit(*file) else { return Module::Missing };
    let path = unit.path.as_str();
    let home = if unit.path.file_name() == "mod.rs" { parent(unit.path.dir()) } else { unit.path.dir() };
    let root = root_of(project.layout, project.code, path);
    if root.file == Some(*file) {
        return Module::Missing;
    }
    if root.dir == home {
        return found(root.file);
    }
    let files = [in_dir(home, "mod.rs"), format!("{home}.rs")];
    found(files.iter().find_map(|path| project.code.file_at(path)))
}

/// The first name of a path that may begin in the module or with a crate.
fn first(project: Project, from: &Unit, owner: &str, name: &str, hops: u8) -> Module {
    let here = here(project, from, owner);
    let declares =
        |import: &Import| import.kind == ImportKind::Module && &*import.module == name && import.alias.is_none();
    let declared = imports_in(from, owner).any(declares);
    let local = inline(from, owner, name).and_then(|owner| with_owner(&here, owner));
    let local = local.or_else(|| in_file(project, &here, name).filter(|_| declared));
    local.or_else(|| named(project, from, owner, name, hops)).unwrap_or_else(|| {
        let package = project.layout.crates.nearest(from.path.dir());
        if STANDARD.contains(&name) || package.is_some_and(|package| package.knows(name)) {
            return extern_crate(project, from, name);
        }
        at_root(project, from, name).or_else(|| globbed(project, from, owner, name, hops)).unwrap_or(Module::External)
    })
}

/// A crate that the nested module `owner` of `unit` gives on under its name (`pub use http;`).
fn given_on(project: Project, unit: &Unit, owner: &str, name: &str) -> Option<Module> {
    project.layout.crates.nearest(unit.path.dir()).filter(|package| package.knows(name))?;
    let gives = |import: &Import| &*import.module == name && import.name.is_empty() && import.alias.is_none();
    imports_in(unit, owner).any(gives).then(|| extern_crate(project, unit, name))
}

/// Before the edition of 2018, paths in `use` begin at the root of the crate.
fn at_root(project: Project, from: &Unit, name: &str) -> Option<Module> {
    project.layout.crates.nearest(from.path.dir()).filter(|package| package.edition_2015)?;
    let root = root_of(project.layout, project.code, from.path.as_str()).file?;
    in_file(project, &Module::file(root), name)
}

fn extern_crate(project: Project, from: &Unit, name: &str) -> Module {
    let crates = &project.layout.crates;
    let named = crates.nearest(from.path.dir()).and_then(|package| crates.named(package, name));
    named.map_or(Module::External, |named| found(project.code.file_at(&named.lib_path)))
}

/// What `name` is in `module`: a module, or a type that has names of its own.
fn child(project: Project, module: &Module, name: &str, hops: u8) -> Option<Module> {
    let Module::File { file, owner } = module else {
        return (*module == Module::External).then_some(Module::External);
    };
    let inside = in_file(project, module, name);
    inside.or_else(|| {
        let unit = project.code.unit(*file)?;
        let inline = inline(&unit, owner, name).and_then(|owner| with_owner(module, owner));
        inline
            .or_else(|| given_on(project, &unit, owner, name))
            .or_else(|| named(project, &unit, owner, name, hops))
            .or_else(|| globbed(project, &unit, owner, name, hops))
    })
}

/// The file of the module `name` that `module` declares.
fn in_file(project: Project, module: &Module, name: &str) -> Option<Module> {
    let Module::File { file, owner } = module else { return None };
    let unit = project.code.unit(*file)?;
    let path = unit.path.as_str();
    let own_dir = unit.path.file_name() == "mod.rs" || is_root(project.layout, path);
    let dir = if own_dir { unit.path.dir().to_owned() } else { in_dir(unit.path.dir(), stem(path)) };
    let dir = in_dir(&dir, &owner.replace('.', "/"));
    let files = [in_dir(&dir, &format!("{name}.rs")), in_dir(&dir, &format!("{name}/mod.rs"))];
    files.iter().find_map(|path| project.code.file_at(path)).map(Module::file)
}

/// Qualified name of what has members and is defined in `unit` itself.
fn inline(unit: &Unit, owner: &str, name: &str) -> Option<String> {
    let mut symbols = unit.symbols.iter().filter(|symbol| symbol.kind.is_container());
    symbols.find(|symbol| &*symbol.name == name && &*symbol.owner == owner).map(Symbol::qualified)
}

fn with_owner(module: &Module, owner: String) -> Option<Module> {
    let Module::File { file, .. } = module else { return None };
    Some(Module::File { file: *file, owner })
}

/// Imports of the nested module `owner` itself.
fn imports_in<'u>(unit: &'u Unit, owner: &'u str) -> impl Iterator<Item = &'u Import> {
    unit.facts.imports.iter().filter(move |import| owner_at(unit, import.at) == owner)
}

/// What the nested module `owner` of `unit` imports under `name`.
fn named(project: Project, unit: &Unit, owner: &str, name: &str, hops: u8) -> Option<Module> {
    let mut imports =
        unit.facts.imports.iter().filter(|import| local_name(import) == Some(name) && &*import.module != name);
    let import = imports.find(|import| owner_at(unit, import.at) == owner)?;
    let module = path(project, unit, owner, &import.module, hops);
    let meant =
        if import.name.is_empty() { Some(module) } else { child(project, &module, &import.name, hops.checked_sub(1)?) };
    meant.filter(|meant| *meant != Module::Missing)
}

/// Name that an import has in its file; `None` when it has many.
fn local_name(import: &Import) -> Option<&str> {
    match import.kind {
        ImportKind::Wildcard => None,
        ImportKind::Module | ImportKind::Named | ImportKind::Default | ImportKind::Namespace => {
            let written = if import.name.is_empty() { import.module.rsplit("::").next()? } else { &*import.name };
            Some(import.alias.as_deref().unwrap_or(written))
        }
    }
}

/// What the nested module `owner` of `unit` has under `name` from all names of a module of the project.
fn globbed(project: Project, unit: &Unit, owner: &str, name: &str, hops: u8) -> Option<Module> {
    let hops = hops.checked_sub(1)?;
    let globs = imports_in(unit, owner).filter(|import| import.kind == ImportKind::Wildcard);
    let mut modules = globs.map(|import| path(project, unit, owner, &import.module, hops));
    modules.find_map(|module| match module {
        Module::File { .. } => child(project, &module, name, hops),
        Module::Folder(_) | Module::Namespace(_) | Module::External | Module::Missing => None,
    })
}

#[cfg(test)]
mod tests;
