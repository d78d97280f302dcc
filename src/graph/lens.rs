//! The code as one file sees it, with a record of all that was looked up: the answer stands until one of those things changes.
//! Read [`Lens`] first; [`exposed`] is the other side, what a file lets others look up.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use xxhash_rust::xxh64::xxh64;

use super::code::{Code, Definition, Head, Named, Place, Unit, local_name};
use crate::model::{BindingKind, Dialect, FileId, ParsedFile, RelPath, Symbol, SymbolKey, SymbolKind};

/// Answers questions and remembers them.
pub(super) struct Lens<'a> {
    code: &'a dyn Code,
    own: FileId,
    seen: RefCell<FxHashSet<u32>>,
}

/// What is looked up.
#[derive(Debug, Clone, Copy)]
enum Subject<'a> {
    /// A name in the file at a path; the empty name is what belongs to no name (package, wildcard imports).
    In(&'a str, &'a str),
    /// A name in all files.
    Anywhere(&'a str),
    File(&'a str),
    /// Which files have a name.
    Called(&'a str),
    /// All that the file at a path says.
    Whole(&'a str),
    /// The content of all files of a name.
    Manifest(&'a str),
    Folder(&'a str),
}

impl<'a> Lens<'a> {
    /// The code as seen from `own`, of which nothing is recorded: whoever changes it resolves it again.
    pub(super) fn new(code: &'a dyn Code, own: FileId) -> Self {
        Self { code, own, seen: RefCell::default() }
    }

    /// A file, to look up a name in it.
    pub(super) fn look(&self, file: FileId, name: &str) -> Option<Arc<Unit>> {
        let unit = self.code.unit(file)?;
        self.looked(file, &unit.path, name);
        Some(unit)
    }

    /// A file in which a name is looked up, where its path and language decide.
    pub(super) fn glance(&self, file: FileId, name: &str) -> Option<Head<'_>> {
        let head = self.code.head(file)?;
        self.looked(file, head.path, name);
        Some(head)
    }

    /// Notes that a name is looked up in the file at a path.
    pub(super) fn looked(&self, file: FileId, path: &RelPath, name: &str) {
        if file != self.own {
            self.note(Subject::In(path.as_str(), name));
            self.note(Subject::In(path.as_str(), ""));
        }
    }

    /// A definition that another question led to.
    pub(super) fn definition(&self, place: Place) -> Option<Definition> {
        let definition = Definition::new(self.code.unit(place.file)?, place.symbol)?;
        self.looked(place.file, &definition.unit.path, &definition.name);
        Some(definition)
    }

    /// Notes that the answers depend on manifests of these names.
    pub(super) fn note_manifests(&self, names: &[String]) {
        for name in names {
            self.note(Subject::Manifest(name));
        }
    }

    /// All that was looked up, sorted.
    pub(super) fn into_seen(self) -> Vec<u32> {
        let mut seen: Vec<u32> = self.seen.into_inner().into_iter().collect();
        seen.sort_unstable();
        seen
    }

    fn note(&self, subject: Subject<'_>) {
        self.seen.borrow_mut().insert(subject.key());
    }
}

impl Code for Lens<'_> {
    /// Whoever asks for a file as such may read anything in it.
    fn unit(&self, file: FileId) -> Option<Arc<Unit>> {
        let unit = self.code.unit(file)?;
        if file != self.own {
            self.note(Subject::Whole(unit.path.as_str()));
        }
        Some(unit)
    }

    /// Whoever looks a name up notes it: see [`Lens::glance`].
    fn head(&self, file: FileId) -> Option<Head<'_>> {
        self.code.head(file)
    }

    /// The number of a symbol among those of its name depends on all of them.
    fn key(&self, place: Place) -> Option<SymbolKey> {
        let head = self.code.head(place.file)?;
        if place.file != self.own {
            self.note(Subject::Whole(head.path.as_str()));
        }
        self.code.key(place)
    }

    fn file_at(&self, path: &str) -> Option<FileId> {
        self.note(Subject::File(path));
        self.code.file_at(path)
    }

    fn files_in(&self, dir: &str) -> Vec<FileId> {
        self.note(Subject::Folder(dir));
        self.code.files_in(dir)
    }

    fn files_called(&self, file_name: &str) -> Vec<(RelPath, FileId)> {
        self.note(Subject::Called(file_name));
        self.code.files_called(file_name)
    }

    fn named(&self, name: &str) -> Arc<[Named]> {
        self.note(Subject::Anywhere(name));
        self.code.named(name)
    }

    fn manifests(&self, file_name: &str) -> Vec<(RelPath, Arc<str>)> {
        self.note(Subject::Manifest(file_name));
        self.code.manifests(file_name)
    }
}

impl Subject<'_> {
    fn key(self) -> u32 {
        let (kind, first, second) = match self {
            Self::In(path, name) => (1, path, name),
            Self::Anywhere(name) => (2, name, ""),
            Self::File(path) => (3, path, ""),
            Self::Folder(dir) => (4, dir, ""),
            Self::Called(name) => (5, name, ""),
            Self::Whole(path) => (6, path, ""),
            Self::Manifest(name) => (7, name, ""),
        };
        let hash = xxh64(first.as_bytes(), kind);
        (if second.is_empty() { hash } else { xxh64(second.as_bytes(), hash) }) as u32
    }
}

/// What others may look up in a file, each with a hash of what it says: sorted pairs. A pair that is new, gone or has another
/// hash concerns whoever looked it up.
#[must_use]
pub fn exposed(file: &ParsedFile, dialect: &Dialect) -> Vec<(u32, u32)> {
    let path = file.path.as_str();
    let mut pairs = vec![
        (Subject::File(path).key(), 0),
        (Subject::Folder(file.path.dir()).key(), hash(path)),
        (Subject::Called(file.path.file_name()).key(), hash(path)),
        (Subject::Manifest(file.path.file_name()).key(), hash(path).wrapping_add(file.hash.0 as u32)),
        (Subject::In(path, "").key(), hash(&wide(file, dialect))),
    ];
    let mut says = |name: &str, what: String| {
        let what = hash(&what);
        pairs.push((Subject::In(path, name).key(), what));
        what
    };
    let mut anywhere = Vec::new();
    let symbol_at = |at: u32| file.symbols.get(at as usize);
    for symbol in &file.symbols {
        let parent = symbol.parent.and_then(symbol_at).map(|parent| (&parent.name, parent.kind));
        let what = (
            symbol.kind,
            &symbol.owner,
            parent,
            &symbol.returns,
            &symbol.bases,
            symbol.exported,
            symbol.body,
            symbol.params,
            &symbol.signature,
        );
        let what = says(&symbol.name, format!("{what:?}"));
        anywhere.push((Subject::Anywhere(&symbol.name).key(), what.wrapping_add(hash(path))));
    }
    for import in &file.facts.imports {
        let what = (import.kind, &import.module, &import.name, import.reexport, module_around(file, import.at));
        says(local_name(import, dialect.modules), format!("{what:?}"));
    }
    for bind in &file.facts.binds {
        let within = bind.within.and_then(symbol_at);
        let holder = within.map(Symbol::qualified);
        // What a function returns is said under its name.
        if bind.kind == BindingKind::Return {
            says(within.map_or("", |within| &within.name), format!("{:?}", &bind.source));
        } else if bind.kind == BindingKind::Field || within.is_none_or(|within| !within.kind.is_callable()) {
            says(&bind.name, format!("{:?}", (bind.kind, &bind.source, holder)));
        }
    }
    for inherit in &file.facts.inherits {
        let name = inherit.sub.rsplit(['.', ':']).next().unwrap_or_default();
        says(name, format!("{:?}", (&inherit.sub, &inherit.base)));
    }
    let all = pairs.iter().fold(0_u32, |all, (_, what)| all.wrapping_mul(31).wrapping_add(*what));
    pairs.push((Subject::Whole(path).key(), all));
    pairs.append(&mut anywhere);
    folded(pairs)
}

/// What belongs to no single name: the language, the package, what is imported whole.
fn wide(file: &ParsedFile, dialect: &Dialect) -> String {
    let wholes = file.facts.imports.iter().filter(|import| local_name(import, dialect.modules).is_empty());
    let wholes: Vec<_> = wholes.map(|import| (import.kind, &import.module, import.reexport)).collect();
    format!("{} {} {wholes:?}", file.lang, file.facts.package)
}

/// Name of the nested module around a byte; imports in it give names only there.
fn module_around(file: &ParsedFile, at: u32) -> Option<&str> {
    let around = file
        .symbols
        .iter()
        .rev()
        .find(|symbol| symbol.kind == SymbolKind::Module && symbol.span.start <= at && at < symbol.span.end);
    around.map(|symbol| &*symbol.name)
}

/// One pair a key. What a file says of a name is folded in the order of the source: of two definitions the order can decide.
fn folded(mut pairs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    pairs.sort_by_key(|(key, _)| *key);
    pairs.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 = if same { kept.1.wrapping_mul(31).wrapping_add(next.1) } else { kept.1 };
        same
    });
    pairs
}

fn hash(text: &str) -> u32 {
    xxh64(text.as_bytes(), 0) as u32
}
