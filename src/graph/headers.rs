//! C's headers and scripts that read others in: what an inclusion shows, and where what a header declares is defined. Only files that
//! are included are looked into, and a declaration without a definition stays what it is. Read [`Resolver::included`] first.

use std::sync::Arc;

use super::code::{Code, Definition, Place, Unit};
use super::members::qualified;
use super::modules::Module;
use super::names::{Want, dotted};
use super::resolve::{Resolver, Spot};
use super::value::{Found, Value};
use crate::model::{FileId, Import, ImportKind, ModuleStyle, PackageScope, RelPath, Resolution, Symbol};

/// Included files that are looked at for one file.
const MOST_INCLUDES: usize = 400;

impl Resolver<'_> {
    /// How near a definition is by the files that this one includes, themselves and through others; 0 is out of sight.
    pub(super) fn included(&self, spot: &Spot, unit: &Unit, symbol: &Symbol) -> u8 {
        let (own, owner) = (super::names::namespace(spot), dotted(&symbol.owner));
        let seen = owner.is_empty()
            || own.strip_prefix(owner.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        if !seen || !self.includes_path(spot.file, &unit.path) {
            return 0;
        }
        let depth = owner.split('.').filter(|part| !part.is_empty()).count().min(100) as u8;
        1 + depth * 2 + u8::from(symbol.body)
    }

    /// Whether a file includes the one at a path, directly or through others.
    pub(super) fn includes_path(&self, file: FileId, path: &RelPath) -> bool {
        self.includes(file).iter().any(|(included, _)| included == path.as_str())
    }

    /// Files that a file includes, directly or through others.
    pub(super) fn includes(&self, file: FileId) -> Arc<[(String, FileId)]> {
        if let Some(known) = self.includes.borrow().get(&file) {
            return Arc::clone(known);
        }
        let mut found: Vec<(String, FileId)> = Vec::new();
        let mut next = vec![file];
        while let Some(unit) = next.pop().and_then(|file| self.lens.unit(file)) {
            for import in unit.facts.imports.iter().filter(|import| import.kind == ImportKind::Module) {
                let module = self.module(&unit, &import.module, import.at);
                if let Module::File { file, .. } = module
                    && found.len() < MOST_INCLUDES
                    && !found.iter().any(|(_, known)| *known == file)
                    && let Some(unit) = self.lens.unit(file)
                {
                    found.push((unit.path.to_string(), file));
                    next.push(file);
                }
            }
        }
        let found: Arc<[_]> = found.into();
        self.includes.borrow_mut().insert(file, Arc::clone(&found));
        found
    }

    /// The definition of what is only declared at a place: in the same file, in the file that its header is of, or the only one.
    pub(super) fn definition_of(&self, place: Place) -> Place {
        let Some(declared) = self.symbol(place) else { return place };
        if declared.body || declared.unit.dialect.scope != PackageScope::Includes || !declared.kind.is_callable() {
            return place;
        }
        let full = qualified(&declared.unit, &declared);
        let fits = |other: &Definition| {
            other.body
                && other.kind.is_callable()
                && other.params == declared.params
                && qualified(&other.unit, other) == full
        };
        let rank = |at: Place, other: &Definition| {
            if at.file == place.file {
                4
            } else if !other.exported && !self.includes(place.file).iter().any(|(_, file)| *file == at.file) {
                0
            } else if stem(other.unit.path.as_str()) == stem(declared.unit.path.as_str()) {
                3
            } else {
                1 + u8::from(other.unit.path.dir() == declared.unit.path.dir())
            }
        };
        let all = self.candidates(&declared.unit, &declared.name).into_iter();
        let ranked: Vec<(u8, Place)> = all
            .filter_map(|at| self.symbol(at).filter(fits).map(|other| (rank(at, &other), at)))
            .filter(|(rank, _)| *rank > 0)
            .collect();
        let best = ranked.iter().map(|(rank, _)| *rank).max();
        let mut nearest = ranked.iter().filter(|(rank, _)| Some(*rank) == best);
        match (nearest.next(), nearest.next()) {
            (Some((_, only)), None) => *only,
            _ => place,
        }
    }

    /// What `using a::b`, `using namespace a` or a namespace's other name means: a path of names, no file.
    pub(super) fn used(&self, file: FileId, unit: &Arc<Unit>, import: &Import) -> Option<Value> {
        let names = unit.dialect.modules == ModuleStyle::Include
            && unit.dialect.nested_packages
            && import.kind != ImportKind::Module;
        if !names {
            return None;
        }
        let spot = Spot::outside(file, unit, None);
        let path = match (import.module.is_empty(), import.name.is_empty()) {
            (true, _) => dotted(&import.name),
            (false, true) => dotted(&import.module),
            (false, false) => format!("{}.{}", dotted(&import.module), import.name),
        };
        self.deeper(|| self.path_value(&spot, &path)).flatten()
    }

    fn path_value(&self, spot: &Spot, path: &str) -> Option<Value> {
        let mut parts = path.split('.');
        let first = parts.next()?;
        let mut value = self.beyond_imports(spot, first)?;
        for part in parts {
            value = self.member(spot, &value, part, Want::Value)?.value;
        }
        Some(value)
    }

    /// A namespace at the top of the file or of what it includes.
    fn beyond_imports(&self, spot: &Spot, name: &str) -> Option<Value> {
        let top = |at: &u32| {
            spot.unit.symbol(*at).is_some_and(|symbol| symbol.owner.is_empty() && symbol.kind.is_container())
        };
        let here =
            spot.unit.symbols_named(name).find(top).map(|symbol| Value::Symbol(Place { file: spot.file, symbol }));
        here.or_else(|| self.in_package(spot, name, Want::Value).map(|found| found.value))
    }

    /// A name from a namespace that is opened whole.
    pub(super) fn of_opened_namespace(&self, spot: &Spot, import: &Import, name: &str, want: Want) -> Option<Found> {
        let value = self.used(spot.file, &spot.unit, import)?;
        let found = self.member(spot, &value, name, want)?;
        Some(found.through(Resolution::Import))
    }
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}
