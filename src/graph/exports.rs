//! What files give each other: an import -> the definition behind it, through re-exports, barrels and packages.
//! Read [`Resolver::import`] first.

use std::sync::Arc;

use super::code::{Place, Unit};
use super::modules::{self, Module};
use super::names::{Asked, MOST_HOPS, Want, dotted, is_inner, preferred};
use super::resolve::{Resolver, Spot};
use super::value::{Found, Value};
use crate::model::{FileId, Import, ImportKind, ModuleStyle, Resolution};

/// The name of what a file that is one table gives (`return M` in Lua).
const GIVEN: &str = "return";

impl Resolver<'_> {
    /// What an import gives its file.
    pub(super) fn import(&self, file: FileId, unit: &Arc<Unit>, import: &Import, asked: Asked) -> Option<Found> {
        if asked.hops > MOST_HOPS {
            return None;
        }
        if unit.dialect.modules == ModuleStyle::ClassName {
            return Some(self.import_by_name(unit, import));
        }
        if import.module.is_empty() && import.reexport {
            return self.in_file(file, unit, &import.name, asked.want);
        }
        if let Some(value) = self.used(file, unit, import) {
            return Some(Found::new(value, Resolution::Import));
        }
        let module = self.module(unit, module_text(unit, import), import.at);
        let step = if asked.hops == 0 { Resolution::Import } else { Resolution::Reexport };
        match import.kind {
            _ if module == Module::External => Some(Found::outside()),
            ImportKind::Module | ImportKind::Namespace | ImportKind::Wildcard => {
                Some(Found::new(self.whole(module, unit, import), step))
            }
            ImportKind::Named | ImportKind::Default => {
                let found = self.exported(&module, unit, &import.name, asked.next());
                let again = |found: Found| {
                    let own = found.step == Resolution::Local;
                    found.through(if own { step } else { Resolution::Reexport })
                };
                let inner = || modules::submodule(self.layout, &self.lens, &module, unit, &import.name);
                let inner = || inner().map(|module| Found::new(Value::Module(module), step));
                found.map(again).or_else(inner).or(Some(Found::new(Value::Unknown, Resolution::Ambiguous)))
            }
        }
    }

    /// Where a module path leads that stands at a byte of a file.
    pub(super) fn module(&self, unit: &Unit, path: &str, at: u32) -> Module {
        let owner =
            if unit.dialect.modules == ModuleStyle::RustPath { modules::owner_at(unit, at) } else { String::new() };
        let key = (format!("{}#{owner}", unit.path), path.to_owned());
        if let Some(known) = self.modules.borrow().get(&key) {
            return known.clone();
        }
        let module = modules::find_within(self.layout, &self.lens, unit, &owner, path);
        self.modules.borrow_mut().insert(key, module.clone());
        module
    }

    /// A module whose one export stands for it (`module.exports = f`) is that export where it is imported whole.
    pub(super) fn whole(&self, module: Module, unit: &Arc<Unit>, import: &Import) -> Value {
        let is = |style, kind| unit.dialect.modules == style && import.kind == kind;
        let table = is(ModuleStyle::Include, ImportKind::Namespace) || is(ModuleStyle::Include, ImportKind::Module);
        if !table && !is(ModuleStyle::RelativePath, ImportKind::Module) {
            return Value::Module(module);
        }
        let name = if table { GIVEN } else { "exports" };
        match self.exported(&module, unit, name, Asked::new(Want::Value)) {
            Some(found) => found.value,
            None => Value::Module(module),
        }
    }

    /// Java, Kotlin, Scala, C#, PHP: the full name of a class, a member or a package.
    fn import_by_name(&self, unit: &Unit, import: &Import) -> Found {
        let module = dotted(&import.module);
        let full = match (module.is_empty(), import.name.is_empty()) {
            (_, true) => module,
            (true, false) => import.name.to_string(),
            (false, false) => format!("{module}.{}", import.name),
        };
        match self.by_full_name(unit, &full, Want::Value) {
            Some(place) => Found::symbol(place, Resolution::Import),
            None => Found::new(Value::Package(full), Resolution::Import),
        }
    }

    /// What a module gives out under a name.
    pub(super) fn exported(&self, module: &Module, from: &Arc<Unit>, name: &str, asked: Asked) -> Option<Found> {
        if asked.hops > MOST_HOPS {
            return None;
        }
        match module {
            Module::File { file, owner } => self.exported_by_file(*file, owner, name, asked),
            Module::Folder(files) => {
                let inside = |place: &&Place| files.contains(&place.file);
                let top = |place: &Place| {
                    self.symbol(*place)
                        .is_some_and(|symbol| symbol.owner.is_empty() && !is_inner(&symbol.unit, &symbol))
                };
                let all = self.candidates(from, name);
                all.iter().filter(inside).copied().find(top).map(|place| Found::symbol(place, Resolution::Local))
            }
            Module::External => Some(Found::outside()),
            Module::Namespace(_) | Module::Missing => None,
        }
    }

    fn exported_by_file(&self, file: FileId, owner: &str, name: &str, asked: Asked) -> Option<Found> {
        let key = (file, owner.to_owned(), name.to_owned(), asked.want);
        if let Some(known) = self.exports.borrow().get(&key) {
            return known.clone();
        }
        // Files that re-export each other have what one of them defines; asking in a circle gives nothing.
        self.exports.borrow_mut().insert(key.clone(), None);
        let found = self.find_export(file, owner, name, asked);
        self.exports.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_export(&self, file: FileId, owner: &str, name: &str, asked: Asked) -> Option<Found> {
        let unit = self.lens.look(file, name)?;
        if owner.is_empty()
            && let Some(import) = unit.imports_named(name).find(|import| import.reexport)
        {
            let found = if import.module.is_empty() {
                self.own_export(file, &unit, import, asked)
            } else {
                self.import(file, &unit, import, asked.next())
            };
            return found;
        }
        let there = |at: &u32| {
            unit.symbol(*at).is_some_and(|symbol| dotted(&symbol.owner) == owner && !is_inner(&unit, symbol))
        };
        if let Some(symbol) = preferred(&unit, unit.symbols_named(name).filter(there), asked.want) {
            return Some(Found::symbol(Place { file, symbol }, Resolution::Local));
        }
        let shared = unit.dialect.modules != ModuleStyle::RelativePath;
        if let Some(import) = unit.imports_named(name).find(|_| shared) {
            return self.import(file, &unit, import, asked.next());
        }
        let wholes = unit
            .facts
            .imports
            .iter()
            .filter(|import| import.kind == ImportKind::Wildcard && (import.reexport || shared));
        for import in wholes {
            let module = self.module(&unit, &import.module, import.at);
            let same = matches!(&module, Module::File { file: to, owner: inner } if *to == file && inner == owner);
            let found = if same { None } else { self.exported(&module, &unit, name, asked.next()) };
            match found {
                Some(found) if found.step != Resolution::External => return Some(found.through(Resolution::Reexport)),
                _ => {}
            }
        }
        if owner.is_empty() { self.in_table(file, &unit, name, asked) } else { None }
    }

    /// A member of the table that a file gives.
    fn in_table(&self, file: FileId, unit: &Arc<Unit>, name: &str, asked: Asked) -> Option<Found> {
        let gives =
            unit.dialect.modules == ModuleStyle::Include && unit.imports_named(GIVEN).any(|import| import.reexport);
        let table = if gives && name != GIVEN {
            self.exported_by_file(file, "", GIVEN, Asked::new(Want::Value))?
        } else {
            return None;
        };
        let found = self.member(&Spot::outside(file, unit, None), &table.value, name, asked.want)?;
        Some(if found.step == Resolution::SelfMember { found.through(Resolution::Local) } else { found })
    }

    /// `export { a as b }`, `module.exports = a`: a definition of the file, or what it imported.
    fn own_export(&self, file: FileId, unit: &Arc<Unit>, import: &Import, asked: Asked) -> Option<Found> {
        let name = &*import.name;
        let imported = unit.imports_named(name).find(|other| !(other.reexport && other.module.is_empty()));
        match imported {
            Some(other) => {
                self.import(file, unit, other, asked.next()).map(|found| found.through(Resolution::Reexport))
            }
            None => self.in_file(file, unit, name, asked.want),
        }
    }
}

/// `import a.b.c` without another name gives `a`.
fn module_text<'i>(unit: &Unit, import: &'i Import) -> &'i str {
    let first =
        unit.dialect.modules == ModuleStyle::Dotted && import.kind == ImportKind::Module && import.alias.is_none();
    if first { import.module.split('.').next().unwrap_or_default() } else { &import.module }
}
