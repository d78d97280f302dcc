//! A bare name -> what it means: scopes, members of the enclosing type, the file, its imports, its package. The order of the steps
//! is the ladder, in [`Resolver::bare`]; each step is one function.

use std::sync::Arc;

use super::code::{Code, Named, Place, Unit, local_name};
use super::members::qualified;
use super::resolve::{Resolver, Spot};
use super::scopes::Declared;
use super::value::{Found, Value};
use super::written::{Written, written};
use crate::model::{
    Binding, BindingKind, BindingSource, FileId, Import, ImportKind, ModuleStyle, PackageScope, Resolution, Symbol,
    SymbolKind,
};

/// Longest chain of re-exports that is followed.
pub(super) const MOST_HOPS: u8 = 16;

/// A question to other files: what for, and how many re-exports are behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) want: Want,
    pub(super) hops: u8,
}

impl Asked {
    pub(super) const fn new(want: Want) -> Self {
        Self { want, hops: 0 }
    }

    pub(super) const fn next(self) -> Self {
        Self { want: self.want, hops: self.hops + 1 }
    }
}

/// What a name is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Want {
    Call,
    Type,
    Value,
}

impl Resolver<'_> {
    /// The ladder for a name without a receiver.
    pub(super) fn bare(&self, spot: &Spot, name: &str, want: Want) -> Option<Found> {
        if spot.at.is_some() {
            return self.lexical(spot, name, want).or_else(|| self.beyond(spot, name, want));
        }
        let key = (spot.file, spot.from, name.to_owned(), want);
        if let Some(known) = self.names.borrow().get(&key) {
            return known.clone();
        }
        self.names.borrow_mut().insert(key.clone(), None);
        let found = self.beyond(spot, name, want);
        self.names.borrow_mut().insert(key, found.clone());
        found
    }

    /// The steps past the scopes of functions.
    fn beyond(&self, spot: &Spot, name: &str, want: Want) -> Option<Found> {
        self.lens.looked(spot.file, &spot.unit.path, name);
        self.type_parameter(spot, name, want)
            .or_else(|| nested(spot, name, want))
            .or_else(|| self.enclosing_member(spot, name, want))
            .or_else(|| self.in_file(spot.file, &spot.unit, name, want))
            .or_else(|| self.in_package(spot, name, want))
            .or_else(|| self.wildcards(spot, name, want))
            .or_else(|| spot.unit.dialect.builtins.iter().any(|builtin| builtin == name).then(Found::outside))
    }

    /// Scopes of the file in work, innermost first.
    fn lexical(&self, spot: &Spot, name: &str, want: Want) -> Option<Found> {
        let at = spot.at?;
        let unit = &spot.unit;
        let declared = self.scopes().find(self.own(), name, at, want)?;
        match declared {
            Declared::Import(import) => {
                let import = unit.facts.imports.get(import as usize)?;
                self.import(spot.file, unit, import, Asked::new(want))
            }
            Declared::Symbol(symbol) => declared_symbol(spot, symbol, want),
            Declared::Bind(bind) => {
                let torn = want == Want::Call && self.scopes().is_torn(self.own(), bind);
                let bind = unit.facts.binds.get(bind as usize)?;
                let skipped = want == Want::Call && unit.dialect.calls_skip_variables;
                let typed = want == Want::Type && (bind.kind != BindingKind::Param || names_its_type(bind));
                if skipped || typed {
                    return None;
                }
                if torn {
                    return Some(Found::new(Value::Unknown, Resolution::Ambiguous));
                }
                let value = self.bound(spot, bind);
                let reaches =
                    want == Want::Call && unit.dialect.calls_reach_variables && !matches!(value, Value::Symbol(_));
                let holder = if reaches { constant_of(unit, bind) } else { None };
                Some(match holder {
                    Some(symbol) => Found::symbol(Place { file: spot.file, symbol }, Resolution::Local),
                    None => Found::new(value, Resolution::Local),
                })
            }
        }
    }

    /// A parameter of the type or function around the place, which stands for its bound.
    fn type_parameter(&self, spot: &Spot, name: &str, want: Want) -> Option<Found> {
        if want != Want::Type || spot.at.is_some() {
            return None;
        }
        let mut around = spot.from;
        while let Some(symbol) = around.and_then(|at| spot.unit.symbol(at)) {
            let bind =
                spot.unit.binds_named(name).find(|bind| bind.kind == BindingKind::Param && bind.within == around);
            if let Some(bind) = bind.filter(|bind| bind.source != BindingSource::Unknown) {
                return Some(Found::new(self.bound(spot, bind), Resolution::Local));
            }
            around = symbol.parent;
        }
        // Of an implementation, which is no symbol.
        let loose = |bind: &&Binding| {
            bind.kind == BindingKind::Param && bind.within.is_none() && matches!(bind.source, BindingSource::Type(_))
        };
        let bind = spot.unit.binds_named(name).find(loose)?;
        Some(Found::new(self.bound(spot, bind), Resolution::Local))
    }

    /// Members of the types and namespaces around the place, from the inside out.
    fn enclosing_member(&self, spot: &Spot, name: &str, want: Want) -> Option<Found> {
        let implicit = spot.unit.dialect.implicit_self || want == Want::Type;
        for outer in self.enclosing(spot) {
            let kind = self.symbol(outer).map(|symbol| symbol.kind)?;
            if kind != SymbolKind::Module && !implicit {
                continue;
            }
            let found = self.class_member(outer, name);
            let typed = |found: &Found| {
                found.value.symbol().and_then(|place| self.symbol(place)).is_some_and(|symbol| is_type(symbol.kind))
            };
            let fits = |found: &Found| want != Want::Type || typed(found);
            if let Some(found) = found.filter(fits).and_then(|found| self.of_enclosing(spot, kind, found, want)) {
                return Some(found);
            }
        }
        None
    }

    /// A function of a namespace is none of the object around; a constructor named as a value is its type.
    fn of_enclosing(&self, spot: &Spot, kind: SymbolKind, found: Found, want: Want) -> Option<Found> {
        let Value::Symbol(place) = found.value else { return Some(found) };
        let symbol = self.symbol(place)?;
        if want != Want::Call && symbol.kind.is_callable() && symbol.owner.rsplit('.').next() == Some(&*symbol.name) {
            let class = symbol
                .parent
                .filter(|parent| symbol.unit.symbol(*parent).is_some_and(|parent| parent.kind.is_container()));
            return class.map(|symbol| Found::symbol(Place { file: place.file, symbol }, Resolution::Local));
        }
        let step = if place.file == spot.file { Resolution::Local } else { Resolution::Package };
        Some(if kind == SymbolKind::Module && (!spot.unit.dialect.mixins || symbol.kind.is_container()) {
            found.through(step)
        } else {
            found
        })
    }

    /// Top-level definitions and imports of a file.
    pub(super) fn in_file(&self, file: FileId, unit: &Arc<Unit>, name: &str, want: Want) -> Option<Found> {
        self.lens.looked(file, &unit.path, name);
        let typed = |symbol: &Symbol| want != Want::Type || is_type(symbol.kind);
        let top = |at: &u32| {
            unit.symbol(*at).is_some_and(|symbol| symbol.owner.is_empty() && !is_inner(unit, symbol) && typed(symbol))
        };
        let import = unit.imports_named(name).find(|import| !(import.reexport && import.module.is_empty()));
        let symbol = preferred(unit, unit.symbols_named(name).filter(top), want);
        let fallback =
            |symbol: Option<u32>| symbol.map(|symbol| Found::symbol(Place { file, symbol }, Resolution::Local));
        match (symbol, import) {
            (Some(symbol), Some(import))
                if unit.symbol(symbol).is_none_or(|found| !found.kind.is_callable() && !found.kind.is_container()) =>
            {
                self.import(file, unit, import, Asked::new(want)).or_else(|| fallback(Some(symbol)))
            }
            (None, Some(import)) => self.import(file, unit, import, Asked::new(want)),
            (symbol, _) => fallback(symbol),
        }
    }

    /// What other files of the same package, folder or project define.
    pub(super) fn in_package(&self, spot: &Spot, name: &str, want: Want) -> Option<Found> {
        let scope = spot.unit.dialect.scope;
        if scope == PackageScope::File {
            return None;
        }
        let mut best: Option<(u8, Place)> = None;
        let mut torn = false;
        for named in self.alike(&spot.unit, name) {
            let place = named.place;
            if place.file == spot.file || !wanted(named.kind, want) || !self.may_be_visible(spot, &named, scope) {
                continue;
            }
            let Some(symbol) = self.symbol(place).filter(|symbol| !is_inner(&symbol.unit, symbol)) else { continue };
            let nearness = self.visibility(spot, &symbol.unit, &symbol, scope);
            if nearness > best.map_or(0, |(best, _)| best) {
                best = Some((nearness, place));
                torn = false;
            } else if nearness > 0 && best.is_some_and(|(known, at)| known == nearness && at.file != place.file) {
                torn |= scope == PackageScope::Project && symbol.kind.is_callable();
            }
        }
        if torn {
            return Some(Found::new(Value::Unknown, Resolution::Ambiguous));
        }
        let step = if scope == PackageScope::Includes { Resolution::Import } else { Resolution::Package };
        best.map(|(_, place)| Found::symbol(place, step))
    }

    /// False for a definition that is out of sight wherever in its file it stands: then the file need not be read.
    fn may_be_visible(&self, spot: &Spot, named: &Named, scope: PackageScope) -> bool {
        let Some(head) = self.lens.head(named.place.file) else { return false };
        match scope {
            PackageScope::File => false,
            PackageScope::Directory => !named.owned && head.path.dir() == spot.unit.path.dir(),
            PackageScope::Package => true,
            PackageScope::Project => !named.owned,
            PackageScope::Includes => named.owned || self.includes_path(spot.file, head.path),
        }
    }

    /// How near a definition is that needs no import; 0 is out of sight.
    fn visibility(&self, spot: &Spot, unit: &Unit, symbol: &Symbol, scope: PackageScope) -> u8 {
        let near = unit.path.dir() == spot.unit.path.dir();
        match scope {
            PackageScope::File => 0,
            PackageScope::Directory => u8::from(near && symbol.owner.is_empty()),
            PackageScope::Package => same_package(spot, unit, symbol),
            PackageScope::Project => {
                u8::from(symbol.owner.is_empty() && (symbol.exported || !unit.dialect.file_private))
                    * (1 + u8::from(near))
            }
            PackageScope::Includes => self.included(spot, unit, symbol),
        }
    }

    /// Names that come with a whole module or package.
    fn wildcards(&self, spot: &Spot, name: &str, want: Want) -> Option<Found> {
        let unit = &spot.unit;
        let wholes =
            unit.facts.imports.iter().filter(|import| import.kind == ImportKind::Wildcard || opens(import, unit));
        let known = |found: &Found| found.step != Resolution::External;
        wholes.filter_map(|import| self.of_whole(spot, import, name, want)).find(known)
    }

    fn of_whole(&self, spot: &Spot, import: &Import, name: &str, want: Want) -> Option<Found> {
        let unit = &spot.unit;
        if let Some(found) = self.of_opened_namespace(spot, import, name, want) {
            return Some(found);
        }
        if unit.dialect.modules == ModuleStyle::ClassName {
            let holder = dotted(&import.module);
            return self
                .by_full_name(unit, &format!("{holder}.{name}"), want)
                .map(|place| Found::symbol(place, Resolution::Import));
        }
        let module = self.module(unit, &import.module, import.at);
        let found = self.exported(&module, unit, name, Asked::new(want))?;
        Some(found.through(Resolution::Import))
    }

    /// The definition of that full name.
    pub(super) fn by_full_name(&self, unit: &Unit, full: &str, want: Want) -> Option<Place> {
        let last = full.rsplit('.').next()?;
        let all = self.candidates(unit, last);
        let mut same = all.iter().copied().filter(|place| {
            self.symbol(*place)
                .is_some_and(|symbol| wanted(symbol.kind, want) && qualified(&symbol.unit, &symbol) == full)
        });
        same.next()
    }

    /// Definitions of that name in languages that `unit` can call into.
    pub(super) fn candidates(&self, unit: &Unit, name: &str) -> Vec<Place> {
        self.alike(unit, name).into_iter().map(|named| named.place).collect()
    }

    /// The same with what is known of them without their files.
    pub(super) fn alike(&self, unit: &Unit, name: &str) -> Vec<Named> {
        let family = unit.head().family();
        let same =
            |named: &&Named| self.lens.glance(named.place.file, name).is_some_and(|head| head.family() == family);
        let mut all: Vec<Named> = self.lens.named(name).iter().filter(same).copied().collect();
        if !unit.dialect.singleton_words.is_empty() && all.len() > 1 {
            all.sort_by_key(|named| self.symbol(named.place).is_some_and(|symbol| is_single(&symbol.unit, &symbol)));
        }
        all
    }

    /// The definition that a dotted path names, in the packages around a place or from the root; its first part is no other name.
    pub(super) fn by_path(&self, spot: &Spot, path: &[&str], want: Want) -> Option<Found> {
        let first = path.first()?;
        if spot.unit.dialect.modules != ModuleStyle::ClassName
            || path.len() < 2
            || self.bare(spot, first, Want::Value).is_some()
        {
            return None;
        }
        let (path, mut around) = (path.join("."), namespace(spot));
        if !spot.unit.dialect.nested_packages {
            around = dotted(&spot.unit.facts.package);
        }
        while !around.is_empty() {
            if let Some(place) = self.by_full_name(&spot.unit, &format!("{around}.{path}"), want) {
                return Some(Found::symbol(place, Resolution::Package));
            }
            let outer = around.rfind('.').filter(|_| spot.unit.dialect.nested_packages).unwrap_or_default();
            around.truncate(outer);
        }
        self.by_full_name(&spot.unit, &path, want).map(|place| Found::symbol(place, Resolution::Package))
    }
}

/// Whether a definition of that kind can be what is wanted; `apart`: interfaces and aliases are no values.
pub(super) const fn can_be(kind: SymbolKind, apart: bool, want: Want) -> bool {
    let only_type = matches!(kind, SymbolKind::Interface | SymbolKind::Type);
    match want {
        Want::Call | Want::Value => !(apart && only_type),
        Want::Type => !apart || kind.is_container() || only_type,
    }
}

/// The only object of its kind; a type of the same name is what the name means as a type.
pub(super) fn is_single(unit: &Unit, symbol: &Symbol) -> bool {
    let words = &unit.dialect.singleton_words;
    !words.is_empty()
        && symbol
            .signature
            .split_whitespace()
            .take_while(|word| **word != *symbol.name)
            .any(|word| words.iter().any(|single| single == word))
}

/// `a::b`, `A\B` -> `a.b`, `A.B`.
pub(super) fn dotted(path: &str) -> String {
    path.trim_start_matches(['\\', ':', '.']).replace("::", ".").replace(['\\', '/'], ".")
}

/// Stands inside a function.
pub(super) fn is_inner(unit: &Unit, symbol: &Symbol) -> bool {
    symbol.parent.and_then(|parent| unit.symbol(parent)).is_some_and(|parent| parent.kind.is_callable())
}

/// The best of several definitions of one name: a function or class before a variable; where types and values are apart,
/// only those of the wanted kind.
pub(super) fn preferred(unit: &Unit, all: impl Iterator<Item = u32>, want: Want) -> Option<u32> {
    let kind = |at: &u32| unit.symbol(*at).map(|symbol| symbol.kind);
    let single = |at: &u32| unit.symbol(*at).is_some_and(|symbol| is_single(unit, symbol));
    let rank = |at: &u32| {
        kind(at).map_or(0, |kind| u8::from(kind.is_container() || kind.is_callable()) * (2 - u8::from(single(at))))
    };
    let fits = |at: &u32| kind(at).is_some_and(|kind| can_be(kind, unit.dialect.types_apart, want));
    let mut best: Option<u32> = None;
    for at in all.filter(fits) {
        if best.is_none_or(|best| rank(&at) > rank(&best)) {
            best = Some(at);
        }
    }
    best
}

/// Package and enclosing types of a place, dotted.
pub(super) fn namespace(spot: &Spot) -> String {
    let package = dotted(&spot.unit.facts.package);
    let owner =
        spot.from.and_then(|from| spot.unit.symbol(from)).map(|symbol| dotted(&symbol.owner)).unwrap_or_default();
    match (package.is_empty(), owner.is_empty()) {
        (_, true) => package,
        (true, false) => owner,
        (false, false) => format!("{package}.{owner}"),
    }
}

/// C# `using A.B` and PHP's own namespace give all names of a package.
fn opens(import: &Import, unit: &Unit) -> bool {
    unit.dialect.modules == ModuleStyle::ClassName
        && import.kind == ImportKind::Module
        && import.alias.is_none()
        && local_name(import, ModuleStyle::ClassName).is_empty()
}

const fn wanted(kind: SymbolKind, want: Want) -> bool {
    match want {
        Want::Call => {
            kind.is_callable() || kind.is_container() || matches!(kind, SymbolKind::Constant | SymbolKind::Variable)
        }
        Want::Type => is_type(kind),
        Want::Value => true,
    }
}

/// `struct ring *ring`: the type is another thing than the parameter.
fn names_its_type(bind: &Binding) -> bool {
    let BindingSource::Type(text) = &bind.source else { return false };
    matches!(written(text), Written::Named { path, .. } if path.last().is_some_and(|last| **last == *bind.name))
}

fn declared_symbol(spot: &Spot, symbol: u32, want: Want) -> Option<Found> {
    let found = spot.unit.symbol(symbol)?;
    let variable = matches!(found.kind, SymbolKind::Variable);
    if variable && want == Want::Call && spot.unit.dialect.calls_skip_variables {
        return None;
    }
    Some(Found::symbol(Place { file: spot.file, symbol }, Resolution::Local))
}

const fn is_type(kind: SymbolKind) -> bool {
    kind.is_container() || matches!(kind, SymbolKind::Type)
}

/// The top-level constant that a binding is of.
fn constant_of(unit: &Unit, bind: &Binding) -> Option<u32> {
    let of = |at: &u32| {
        unit.symbol(*at).is_some_and(|symbol| {
            symbol.owner.is_empty()
                && symbol.span.start <= bind.at
                && bind.at < symbol.span.end
                && !is_inner(unit, symbol)
        })
    };
    unit.symbols_named(&bind.name).find(of)
}

/// The innermost enclosing package in which the definition stands.
fn same_package(spot: &Spot, unit: &Unit, symbol: &Symbol) -> u8 {
    let full = qualified(unit, symbol);
    let holder = full.rsplit_once('.').map_or("", |(holder, _)| holder);
    let (own, package) = (namespace(spot), dotted(&spot.unit.facts.package));
    let depth = holder.split('.').count().min(200) as u8 + 1;
    let around = |inner: &str| inner == holder || inner.strip_prefix(holder).is_some_and(|rest| rest.starts_with('.'));
    let nested = spot.unit.dialect.nested_packages;
    if holder.is_empty() {
        return u8::from(package.is_empty() || nested);
    }
    // Types of the own package and of the types around the place; of outer packages only where they are seen.
    let seen = holder == package || around(&own) && (nested || holder.len() > package.len());
    if seen { depth } else { 0 }
}

/// Functions inside the functions around a place whose scopes are not known.
fn nested(spot: &Spot, name: &str, want: Want) -> Option<Found> {
    if spot.at.is_some() {
        return None;
    }
    let mut around = spot.from;
    while let Some(symbol) = around.and_then(|at| spot.unit.symbol(at)) {
        let inside =
            |at: &u32| symbol.kind.is_callable() && spot.unit.symbol(*at).is_some_and(|inner| inner.parent == around);
        if let Some(found) = preferred(&spot.unit, spot.unit.symbols_named(name).filter(inside), want) {
            return Some(Found::symbol(Place { file: spot.file, symbol: found }, Resolution::Local));
        }
        around = symbol.parent;
    }
    None
}
