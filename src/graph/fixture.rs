//! A project in memory for the tests of resolution: parsed files by path, and manifests. It checks nothing.
//! Read [`Tree`] first.

use std::sync::Arc;

use super::modules::Module;
use super::{Code, Head, Named, Place, Unit};
use crate::model::{
    Dialect, Facts, FileId, Import, ImportKind, Lang, Lines, ModuleStyle, RelPath, Span, Symbol, SymbolKind,
};

/// Files have the ids of their order by path.
#[derive(Default)]
pub(super) struct Tree {
    units: Vec<Arc<Unit>>,
    manifests: Vec<(RelPath, Arc<str>)>,
}

impl Tree {
    pub(super) fn new(units: impl IntoIterator<Item = Unit>) -> Self {
        let mut units: Vec<_> = units.into_iter().map(Arc::new).collect();
        units.sort_by(|a, b| a.path.cmp(&b.path));
        Self { units, manifests: Vec::new() }
    }

    /// Files without contents.
    pub(super) fn of(dialect: &'static Dialect, paths: &[&str]) -> Self {
        Self::new(paths.iter().map(|path| unit(path, dialect)))
    }

    pub(super) fn manifest(mut self, path: &str, text: &str) -> Self {
        self.manifests.push((RelPath::new(path), text.into()));
        self.manifests.sort();
        self
    }

    pub(super) fn at(&self, path: &str) -> Arc<Unit> {
        let file = self.file_at(path).unwrap_or_else(|| panic!("no file {path}"));
        self.unit(file).expect("a file that was found")
    }

    /// `path`, `path#owner`, `[path path]`, `folder/`, `external` or `missing`.
    pub(super) fn show(&self, module: &Module) -> String {
        let path = |file: &FileId| self.units[file.0 as usize].path.to_string();
        match module {
            Module::File { file, owner } if owner.is_empty() => path(file),
            Module::File { file, owner } => format!("{}#{owner}", path(file)),
            Module::Folder(files) => format!("[{}]", files.iter().map(path).collect::<Vec<_>>().join(" ")),
            Module::Namespace(dir) => format!("{dir}/"),
            Module::External => "external".to_owned(),
            Module::Missing => "missing".to_owned(),
        }
    }

    fn ids(&self, is: impl Fn(&RelPath) -> bool) -> Vec<FileId> {
        (0u32..).zip(&self.units).filter(|(_, unit)| is(&unit.path)).map(|(id, _)| FileId(id)).collect()
    }
}

impl Code for Tree {
    fn unit(&self, file: FileId) -> Option<Arc<Unit>> {
        self.units.get(file.0 as usize).cloned()
    }

    fn head(&self, file: FileId) -> Option<Head<'_>> {
        self.units.get(file.0 as usize).map(|unit| unit.head())
    }

    fn file_at(&self, path: &str) -> Option<FileId> {
        self.ids(|at| at.as_str() == path).first().copied()
    }

    fn files_in(&self, dir: &str) -> Vec<FileId> {
        self.ids(|at| at.dir() == dir)
    }

    fn files_called(&self, file_name: &str) -> Vec<(RelPath, FileId)> {
        let named = self.ids(|at| at.file_name() == file_name);
        named.into_iter().map(|file| (self.units[file.0 as usize].path.clone(), file)).collect()
    }

    fn named(&self, name: &str) -> Arc<[Named]> {
        let places = (0u32..).zip(&self.units).flat_map(|(file, unit)| {
            let symbols = (0u32..).zip(&unit.symbols).filter(|(_, symbol)| &*symbol.name == name);
            let named = |(at, symbol): (u32, &Symbol)| Named {
                place: Place { file: FileId(file), symbol: at },
                kind: symbol.kind,
                owned: !symbol.owner.is_empty(),
            };
            symbols.map(named).collect::<Vec<_>>()
        });
        places.collect()
    }

    fn manifests(&self, file_name: &str) -> Vec<(RelPath, Arc<str>)> {
        self.manifests.iter().filter(|(path, _)| path.file_name() == file_name).cloned().collect()
    }
}

/// A file without contents.
pub(super) fn unit(path: &str, dialect: &'static Dialect) -> Unit {
    Unit::new(RelPath::new(path), Lang("test"), dialect, Vec::new(), Facts::default())
}

/// A dialect that lives as long as the tests.
pub(super) fn dialect(modules: ModuleStyle, extensions: &[&str], index: &[&str], roots: &[&str]) -> &'static Dialect {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    Box::leak(Box::new(Dialect {
        modules,
        module_extensions: owned(extensions),
        module_index: owned(index),
        module_roots: owned(roots),
        ..Dialect::default()
    }))
}

/// A definition by its qualified name.
pub(super) fn symbol(kind: SymbolKind, qualified: &str) -> Symbol {
    let (owner, name) = qualified.rsplit_once('.').unwrap_or(("", qualified));
    Symbol {
        kind,
        name: name.into(),
        owner: owner.into(),
        parent: None,
        span: Span { start: 0, end: 0 },
        lines: Lines { start: 1, end: 1 },
        name_line: 1,
        signature: "".into(),
        doc: Vec::new(),
        returns: None,
        params: 0,
        body: true,
        bases: Vec::new(),
        exported: true,
        test: false,
    }
}

/// An import that is also given out where `reexport`.
pub(super) fn import(kind: ImportKind, module: &str, name: &str, reexport: bool) -> Import {
    Import { at: 0, line: 1, kind, module: module.into(), name: name.into(), alias: None, reexport }
}
