//! The graph as it is stored: files, symbols and edges by place, the hierarchy of types. Each file is read once per question, and only
//! when something in it is shown or decides. It ranks and hides nothing. Read [`Graph`] first.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Place;
use crate::model::{Edge, EdgeKind, Facts, FileId, Reference, RelPath, Symbol, SymbolKey, Target, symbol_keys};
use crate::store::StoreError;
use crate::store::code::{CodeReader, FileRow, Incoming, Outline};

/// Paths that are read one by one; who wants more gets all.
const MOST_SINGLE_PATHS: usize = 64;

/// Names that methods which make an object of their class go by, where that is not the name of the class, and the language if it is
/// an ordinary name in others.
const CONSTRUCTORS: [(&str, &str); 8] = [
    ("__init__", ""),
    ("__new__", ""),
    ("constructor", ""),
    ("<init>", ""),
    ("__construct", ""),
    ("initialize", "ruby"),
    ("init", "swift"),
    ("this", "scala"),
];

/// One state of the index, and what was read of it.
#[derive(Clone, Copy)]
pub struct Graph<'r> {
    pub reader: &'r CodeReader,
    cache: &'r Cache,
}

/// What was read of one commit.
#[derive(Debug, Default)]
pub struct Cache {
    files: RefCell<FxHashMap<FileId, Option<Arc<File>>>>,
    edges: RefCell<FxHashMap<FileId, Arc<[Edge]>>>,
    facts: RefCell<FxHashMap<FileId, Arc<Facts>>>,
    paths: RefCell<FxHashMap<FileId, RelPath>>,
}

/// A file and what it defines.
#[derive(Debug)]
pub struct File {
    pub row: FileRow,
    pub outline: Outline,
    /// Made when one is first asked for.
    keys: OnceLock<Vec<SymbolKey>>,
}

impl Cache {
    /// One that knows the paths of all files already.
    #[must_use]
    pub fn with_paths(paths: impl Iterator<Item = (FileId, RelPath)>) -> Self {
        Self { paths: RefCell::new(paths.collect()), ..Self::default() }
    }

    /// Number of files of which something is kept.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files.borrow().len().max(self.edges.borrow().len()).max(self.facts.borrow().len())
    }
}

impl<'r> Graph<'r> {
    #[must_use]
    pub const fn new(reader: &'r CodeReader, cache: &'r Cache) -> Self {
        Self { reader, cache }
    }

    pub fn file(&self, id: FileId) -> Result<Option<Arc<File>>, StoreError> {
        if let Some(known) = self.cache.files.borrow().get(&id) {
            return Ok(known.clone());
        }
        let file = match self.reader.file(id)? {
            Some(row) => {
                let outline = self.reader.outline(id)?;
                Some(Arc::new(File { row, outline, keys: OnceLock::new() }))
            }
            None => None,
        };
        self.cache.files.borrow_mut().insert(id, file.clone());
        Ok(file)
    }

    pub fn edges(&self, id: FileId) -> Result<Arc<[Edge]>, StoreError> {
        if let Some(known) = self.cache.edges.borrow().get(&id) {
            return Ok(Arc::clone(known));
        }
        let edges: Arc<[Edge]> = self.reader.edges(id)?.into();
        self.cache.edges.borrow_mut().insert(id, Arc::clone(&edges));
        Ok(edges)
    }

    /// Path of a file; the symbols in it are not read.
    pub fn path(&self, id: FileId) -> Result<Option<RelPath>, StoreError> {
        if let Some(known) = self.cache.files.borrow().get(&id) {
            return Ok(known.as_ref().map(|file| file.row.path.clone()));
        }
        if let Some(known) = self.cache.paths.borrow().get(&id) {
            return Ok(Some(known.clone()));
        }
        let mut paths = self.cache.paths.borrow_mut();
        if paths.len() == MOST_SINGLE_PATHS {
            paths.extend(self.reader.files()?.into_iter().map(|row| (row.id, row.path)));
            return Ok(paths.get(&id).cloned());
        }
        let path = self.reader.file(id)?.map(|row| row.path);
        paths.extend(path.clone().map(|path| (id, path)));
        Ok(path)
    }

    /// References of a file, which are resolved to its edges.
    pub fn facts(&self, id: FileId) -> Result<Arc<Facts>, StoreError> {
        if let Some(known) = self.cache.facts.borrow().get(&id) {
            return Ok(Arc::clone(known));
        }
        let facts = Arc::new(self.reader.facts(id)?);
        self.cache.facts.borrow_mut().insert(id, Arc::clone(&facts));
        Ok(facts)
    }

    /// A reference's callee as it is written.
    pub fn callee(&self, file: FileId, reference: u32) -> Result<Box<str>, StoreError> {
        let facts = self.facts(file)?;
        Ok(facts.refs.get(reference as usize).map(written).unwrap_or_default())
    }

    /// Where a target is now; `None` when its file or its key is gone.
    pub fn place(&self, target: Target) -> Result<Option<Place>, StoreError> {
        let file = self.file(target.file)?;
        let at = file.and_then(|file| file.keys().iter().position(|key| *key == target.key));
        Ok(at.map(|symbol| Place { file: target.file, symbol: symbol as u32 }))
    }

    /// What `read` makes of the symbol at a place.
    pub fn symbol<T>(&self, place: Place, read: impl FnOnce(&File, &Symbol) -> T) -> Result<Option<T>, StoreError> {
        let file = self.file(place.file)?;
        Ok(file.and_then(|file| Some(read(&file, file.symbol(place.symbol)?))))
    }

    /// Edges that lead to a symbol, of all kinds.
    pub fn incoming(&self, place: Place) -> Result<Vec<Incoming>, StoreError> {
        let found = self.symbol(place, |file, symbol| (symbol.name.clone(), file.target(place)))?;
        let Some((name, Some(target))) = found else { return Ok(Vec::new()) };
        let mut incoming = self.reader.incoming(&name)?;
        incoming.retain(|incoming| incoming.edge.to == Some(target));
        Ok(incoming)
    }

    /// A class stands for its constructors and a constructor for its class: the places that a call of `place` may name.
    pub fn aliases(&self, place: Place) -> Result<Vec<Place>, StoreError> {
        let aliases = |file: &File, symbol: &Symbol| {
            let of_class = symbol.kind.is_container().then(|| symbol.qualified());
            let is_alias = |other: &Symbol| match &of_class {
                Some(class) => *other.owner == **class && file.is_constructor(other),
                None => file.is_constructor(symbol) && other.kind.is_container() && other.qualified() == *symbol.owner,
            };
            let others = file.places().filter(|(at, other)| *at != place && is_alias(other));
            std::iter::once(place).chain(others.map(|(at, _)| at)).collect()
        };
        Ok(self.symbol(place, aliases)?.unwrap_or_default())
    }

    /// The symbol and, of a container, its members in the same file, as indexes.
    pub fn with_members(&self, place: Place) -> Result<BTreeSet<u32>, StoreError> {
        let all = |file: &File, symbol: &Symbol| {
            let owner = symbol.qualified();
            let inside = format!("{owner}.");
            let is_member = |other: &Symbol| *other.owner == *owner || other.owner.starts_with(&inside);
            let members = file.places().filter(|(_, other)| symbol.kind.is_container() && is_member(other));
            std::iter::once(place.symbol).chain(members.map(|(at, _)| at.symbol)).collect()
        };
        Ok(self.symbol(place, all)?.unwrap_or_default())
    }

    /// Methods of types below the method's own that have its name; of the `most` nearest types.
    pub fn overriding(&self, method: Place, most: usize) -> Result<Vec<Place>, StoreError> {
        self.related(method, most, Self::subtypes)
    }

    /// Methods of types above the method's own that have its name; of the `most` nearest types.
    pub fn overridden(&self, method: Place, most: usize) -> Result<Vec<Place>, StoreError> {
        self.related(method, most, Self::bases)
    }

    /// Types that a type names as its bases.
    pub fn bases(&self, class: Place) -> Result<Vec<Place>, StoreError> {
        let edges = self.edges(class.file)?;
        let own = edges.iter().filter(|edge| edge.kind == EdgeKind::Inherit && subtype(edge) == class.symbol);
        own.filter_map(|edge| self.place(edge.to?).transpose()).collect()
    }

    /// Types that name a type as their base.
    pub fn subtypes(&self, class: Place) -> Result<Vec<Place>, StoreError> {
        let incoming = self.incoming(class)?;
        let below = incoming.iter().filter(|incoming| incoming.edge.kind == EdgeKind::Inherit);
        Ok(below.map(|incoming| Place { file: incoming.file, symbol: subtype(&incoming.edge) }).collect())
    }

    fn related(
        &self,
        method: Place,
        most: usize,
        next: impl Fn(&Self, Place) -> Result<Vec<Place>, StoreError>,
    ) -> Result<Vec<Place>, StoreError> {
        let name = self.symbol(method, |_, symbol| symbol.kind.is_callable().then(|| symbol.name.clone()))?.flatten();
        let (Some(name), Some(class)) = (name, self.owner(method)?) else { return Ok(Vec::new()) };
        let (mut seen, mut found) = (FxHashSet::from_iter([class]), Vec::new());
        let mut pending = VecDeque::from([class]);
        while let Some(class) = pending.pop_front() {
            for other in next(self, class)? {
                if seen.len() < most && seen.insert(other) {
                    found.extend(self.members(other, &name)?);
                    pending.push_back(other);
                }
            }
        }
        found.retain(|place| *place != method);
        Ok(found)
    }

    /// The type that a method belongs to: in its file, else beside it, else the only one of that name.
    pub fn owner(&self, method: Place) -> Result<Option<Place>, StoreError> {
        let Some(owner) = self.symbol(method, |_, symbol| symbol.owner.clone())? else { return Ok(None) };
        let Some(name) = owner.rsplit('.').next().filter(|name| !name.is_empty()) else { return Ok(None) };
        let fits = |symbol: &Symbol| symbol.kind.is_container() && symbol.qualified() == *owner;
        let nearest = self.nearest(method, name, fits)?;
        Ok(nearest.first().copied().filter(|_| nearest.len() == 1))
    }

    /// Members of that name of a type: in its file, else beside it, else anywhere.
    fn members(&self, class: Place, name: &str) -> Result<Vec<Place>, StoreError> {
        let Some(owner) = self.symbol(class, |_, symbol| symbol.qualified())? else { return Ok(Vec::new()) };
        let fits = |symbol: &Symbol| symbol.kind.is_callable() && *symbol.owner == *owner;
        self.nearest(class, name, fits)
    }

    /// Symbols spelled so, of the language of `from`: those in its file, else those in its folder, else all.
    fn nearest(&self, from: Place, name: &str, fits: impl Fn(&Symbol) -> bool) -> Result<Vec<Place>, StoreError> {
        let Some(home) = self.file(from.file)? else { return Ok(Vec::new()) };
        let own = home.places().filter(|(_, symbol)| *symbol.name == *name && fits(symbol));
        let own: Vec<Place> = own.map(|(place, _)| place).collect();
        if !own.is_empty() {
            return Ok(own);
        }
        let mut found = Vec::new();
        for named in self.reader.find_symbols(name)?.into_iter().filter(|named| named.name == name) {
            let place = Place { file: named.file, symbol: named.symbol };
            let beside = |file: &File, symbol: &Symbol| {
                let fits = file.row.lang == home.row.lang && fits(symbol);
                fits.then(|| file.row.path.dir() == home.row.path.dir())
            };
            found.extend(self.symbol(place, beside)?.flatten().map(|beside| (beside, place)));
        }
        let any_beside = found.iter().any(|(beside, _)| *beside);
        Ok(found.into_iter().filter(|(beside, _)| *beside == any_beside).map(|(_, place)| place).collect())
    }
}

impl File {
    pub fn symbol(&self, at: u32) -> Option<&Symbol> {
        self.outline.symbols.get(at as usize)
    }

    fn keys(&self) -> &[SymbolKey] {
        self.keys.get_or_init(|| symbol_keys(&self.outline.symbols))
    }

    pub fn places(&self) -> impl Iterator<Item = (Place, &Symbol)> {
        let file = self.row.id;
        (0..).zip(&self.outline.symbols).map(move |(symbol, of)| (Place { file, symbol }, of))
    }

    /// Number of the chunk that begins a symbol; of one without a chunk of its own, of what it is a part of.
    pub fn chunk(&self, at: u32) -> Option<usize> {
        let own = self.outline.chunks.iter().position(|chunk| chunk.symbol == Some(at));
        let line = self.symbol(at)?.name_line;
        let around = || self.outline.chunks.iter().position(|c| c.lines.start <= line && line <= c.lines.end);
        own.or_else(around)
    }

    /// It makes an object of its class.
    pub fn is_constructor(&self, symbol: &Symbol) -> bool {
        let class = symbol.owner.rsplit('.').next().unwrap_or_default();
        let is_named =
            |(name, lang): &(&str, &str)| **name == *symbol.name && (lang.is_empty() || **lang == *self.row.lang);
        let named = *symbol.name == *class || CONSTRUCTORS.iter().any(is_named);
        symbol.kind.is_callable() && !class.is_empty() && named
    }

    pub fn target(&self, place: Place) -> Option<Target> {
        self.keys().get(place.symbol as usize).map(|key| Target { file: place.file, key: *key })
    }
}

/// Index of the type that names its base in an edge of inheritance.
fn subtype(edge: &Edge) -> u32 {
    edge.from.unwrap_or(edge.reference)
}

/// `receiver.callee` where the receiver is a plain name, else the callee.
fn written(reference: &Reference) -> Box<str> {
    let plain = |receiver: &&str| receiver.chars().all(|c| c.is_alphanumeric() || "_.:$".contains(c));
    match reference.receiver.as_deref().filter(plain) {
        Some(path) if path.ends_with("::") => format!("{path}{}", reference.callee).into(),
        Some(receiver) => format!("{receiver}.{}", reference.callee).into(),
        None => reference.callee.clone(),
    }
}
