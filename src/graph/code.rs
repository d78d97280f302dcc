//! What resolution may ask of the indexed code. Read [`Code`] first.

use std::sync::Arc;

use crate::model::{
    Binding, BindingKind, Dialect, Facts, FileId, Import, ImportKind, Lang, ModuleStyle, RelPath, Symbol, SymbolKey,
    SymbolKind, symbol_keys,
};

/// A symbol in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: FileId,
    /// Index into the file's symbols.
    pub symbol: u32,
}

/// A symbol of a name, with what of it is known without its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    pub place: Place,
    pub kind: SymbolKind,
    /// It has an owner.
    pub owned: bool,
}

/// What is known of a file without its content.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    pub path: &'a RelPath,
    pub lang: Lang,
    pub dialect: &'static Dialect,
}

/// What is known of a file.
#[derive(Debug)]
pub struct Unit {
    pub path: RelPath,
    pub lang: Lang,
    pub dialect: &'static Dialect,
    pub symbols: Vec<Symbol>,
    pub facts: Facts,
    /// Symbols, bindings and imports by name, so that each is found without a walk.
    symbols_by_name: Vec<u32>,
    binds_by_name: Vec<u32>,
    imports_by_name: Vec<u32>,
}

/// A symbol and the file that it is in.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    pub(super) unit: Arc<Unit>,
    at: u32,
}

impl Definition {
    pub(super) fn new(unit: Arc<Unit>, at: u32) -> Option<Self> {
        unit.symbol(at)?;
        Some(Self { unit, at })
    }
}

impl std::ops::Deref for Definition {
    type Target = Symbol;

    fn deref(&self) -> &Symbol {
        self.unit.symbols.get(self.at as usize).expect("the symbol that it was made of")
    }
}

/// The indexed code, one state of it: answers do not change while a file is resolved.
pub trait Code {
    /// `None` when there is no such file.
    fn unit(&self, file: FileId) -> Option<Arc<Unit>>;

    /// The same without its content, which need not be read for it.
    fn head(&self, file: FileId) -> Option<Head<'_>>;

    /// The key of a symbol. Whoever knows the whole index answers without reading the file again.
    fn key(&self, place: Place) -> Option<SymbolKey> {
        symbol_keys(&self.unit(place.file)?.symbols).get(place.symbol as usize).copied()
    }

    /// The file at a path, `/`-separated and relative to the root.
    fn file_at(&self, path: &str) -> Option<FileId>;

    /// Files directly in a folder (`""` is the root), by path.
    fn files_in(&self, dir: &str) -> Vec<FileId>;

    /// Files of that name in any folder (`ring.h`), by path: path and id.
    fn files_called(&self, file_name: &str) -> Vec<(RelPath, FileId)>;

    /// Symbols spelled exactly so, in all languages; by path and position.
    fn named(&self, name: &str) -> Arc<[Named]>;

    /// Files of that name anywhere (`package.json`, `go.mod`), by path: path and text.
    fn manifests(&self, file_name: &str) -> Vec<(RelPath, Arc<str>)>;
}

impl<'a> Head<'a> {
    /// Languages of one family call into each other.
    pub(super) fn family(self) -> &'a str {
        if self.dialect.family.is_empty() { self.lang.0 } else { &self.dialect.family }
    }
}

impl Unit {
    #[must_use]
    pub fn new(path: RelPath, lang: Lang, dialect: &'static Dialect, symbols: Vec<Symbol>, facts: Facts) -> Self {
        let order = |len: usize| (0..len as u32).collect::<Vec<_>>();
        let mut unit = Self {
            symbols_by_name: order(symbols.len()),
            binds_by_name: order(facts.binds.len()),
            imports_by_name: order(facts.imports.len()),
            path,
            lang,
            dialect,
            symbols,
            facts,
        };
        let mut by_name = std::mem::take(&mut unit.symbols_by_name);
        by_name.sort_by(|a, b| unit.symbol_name(*a).cmp(unit.symbol_name(*b)));
        unit.symbols_by_name = by_name;
        let mut by_name = std::mem::take(&mut unit.binds_by_name);
        by_name.sort_by(|a, b| unit.bind_name(*a).cmp(unit.bind_name(*b)));
        unit.binds_by_name = by_name;
        let mut by_name = std::mem::take(&mut unit.imports_by_name);
        by_name.sort_by(|a, b| unit.import_name(*a).cmp(unit.import_name(*b)));
        unit.imports_by_name = by_name;
        unit
    }

    /// Without what only the file itself can see: references, scopes and the variables of functions.
    #[must_use]
    pub fn seen_from_outside(
        path: RelPath,
        lang: Lang,
        dialect: &'static Dialect,
        mut symbols: Vec<Symbol>,
        facts: Facts,
    ) -> Self {
        let seen = |bind: &Binding| {
            matches!(bind.kind, BindingKind::Field | BindingKind::Return)
                || bind.within.and_then(|at| symbols.get(at as usize)).is_none_or(|within| !within.kind.is_callable())
        };
        let binds = facts.binds.into_iter().filter(seen).collect();
        let facts = Facts { refs: Vec::new(), scopes: Vec::new(), binds, ..facts };
        for symbol in &mut symbols {
            symbol.doc = Vec::new();
        }
        Self::new(path, lang, dialect, symbols, facts)
    }

    /// What other files see of this one.
    #[must_use]
    pub fn outer(&self) -> Self {
        let Facts { package, imports, binds, inherits, .. } = &self.facts;
        let (package, imports) = (package.clone(), imports.clone());
        let (binds, inherits) = (binds.clone(), inherits.clone());
        let facts = Facts { package, imports, binds, inherits, ..Facts::default() };
        Self::seen_from_outside(self.path.clone(), self.lang, self.dialect, self.symbols.clone(), facts)
    }

    #[must_use]
    pub fn head(&self) -> Head<'_> {
        Head { path: &self.path, lang: self.lang, dialect: self.dialect }
    }

    #[must_use]
    pub fn symbol(&self, at: u32) -> Option<&Symbol> {
        self.symbols.get(at as usize)
    }

    /// Positions of the symbols of that name, ascending.
    pub fn symbols_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        let start = self.symbols_by_name.partition_point(|at| self.symbol_name(*at) < name);
        self.symbols_by_name.iter().skip(start).copied().take_while(move |at| self.symbol_name(*at) == name)
    }

    /// The bindings of that name, by position.
    pub fn binds_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Binding> + 'a {
        let start = self.binds_by_name.partition_point(|at| self.bind_name(*at) < name);
        let same = self.binds_by_name.iter().skip(start).take_while(move |at| self.bind_name(**at) == name);
        same.filter_map(|at| self.facts.binds.get(*at as usize))
    }

    /// The imports that give that name in the file, by position.
    pub fn imports_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Import> + 'a {
        let start = self.imports_by_name.partition_point(|at| self.import_name(*at) < name);
        let same = self.imports_by_name.iter().skip(start).take_while(move |at| self.import_name(**at) == name);
        same.filter_map(|at| self.facts.imports.get(*at as usize))
    }

    fn symbol_name(&self, at: u32) -> &str {
        self.symbols.get(at as usize).map_or("", |symbol| &symbol.name)
    }

    fn bind_name(&self, at: u32) -> &str {
        self.facts.binds.get(at as usize).map_or("", |bind| &bind.name)
    }

    fn import_name(&self, at: u32) -> &str {
        self.facts.imports.get(at as usize).map_or("", |import| local_name(import, self.dialect.modules))
    }
}

/// The name that an import gives in its file; empty when it gives none.
#[must_use]
pub(super) fn local_name(import: &Import, style: ModuleStyle) -> &str {
    if let Some(alias) = &import.alias {
        return alias;
    }
    match import.kind {
        ImportKind::Named | ImportKind::Default => &import.name,
        ImportKind::Namespace | ImportKind::Wildcard => "",
        ImportKind::Module => module_name(&import.module, style),
    }
}

/// The name under which a module that is imported whole is known.
fn module_name(module: &str, style: ModuleStyle) -> &str {
    let last = |separators: &[char]| module.rsplit(separators).next().unwrap_or_default();
    match style {
        ModuleStyle::Dotted => module.split('.').next().unwrap_or_default(),
        ModuleStyle::GoPath => {
            let major = last(&['/']);
            let versioned = major
                .strip_prefix('v')
                .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
            let bare = module
                .strip_suffix(major)
                .map(|rest| rest.trim_end_matches('/'))
                .filter(|rest| versioned && !rest.is_empty());
            bare.map_or(major, |rest| rest.rsplit('/').next().unwrap_or_default())
        }
        ModuleStyle::RustPath => last(&[':']),
        ModuleStyle::ClassName => last(&['.', '\\', ':']),
        ModuleStyle::None | ModuleStyle::RelativePath | ModuleStyle::Include => "",
    }
}
