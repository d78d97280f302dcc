//! After the files are stored: the references of those that changed, and of those that looked up what changed, are resolved and
//! their links stored. It decides which files; how a reference is resolved is `graph`'s matter. Read [`Linker::run`] first.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustc_hash::FxHashMap;

use super::Watch;
use super::report::{Phase, Progress};
use crate::graph::modules::Layout;
use crate::graph::{self, Code, Place, Resolved, Unit};
use crate::model::{FileId, Lang, RelPath};
use crate::parse;
use crate::store::code::{CodeReader, FileRow, ImportLink, Links, PackedLinks, Packer};
use crate::store::{StoreError, StorePaths, Writer};

/// Symbols and facts that are kept in memory for all files together, as a number of symbols, references left out.
const MOST_KEPT: usize = 400_000;

/// One run's means.
pub(super) struct Linker<'a> {
    pub(super) paths: &'a StorePaths,
    pub(super) watch: &'a Watch<'a>,
    pub(super) writer: &'a Writer,
}

impl Linker<'_> {
    /// Links what has to be; whether all of it was done.
    pub(super) fn run(&self) -> Result<bool, StoreError> {
        self.writer.settle()?;
        let reader = CodeReader::open(&self.paths.metadata())?;
        let files = reader.files()?;
        let outdated = outdated(&reader)?;
        let known = Known::new(files);
        let outdated: Vec<FileId> = outdated.into_iter().filter(|file| known.rows.contains_key(file)).collect();
        if outdated.is_empty() {
            return Ok(true);
        }
        let code = Indexed::new(&known, reader);
        let layout = Layout::read(&code);
        code.check()?;
        self.link(&known, &layout, &outdated)
    }

    fn link(&self, known: &Known, layout: &Layout, files: &[FileId]) -> Result<bool, StoreError> {
        let next = AtomicUsize::new(0);
        let done = AtomicU64::new(0);
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(files.len());
        thread::scope(|scope| {
            let work = || self.work(known, layout, files, (&next, &done));
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let mut all = true;
            for worker in workers {
                all &= worker.join().unwrap_or_else(|fault| resume_unwind(fault))?;
            }
            Ok(all)
        })
    }

    fn work(
        &self,
        known: &Known,
        layout: &Layout,
        files: &[FileId],
        (next, done): (&AtomicUsize, &AtomicU64),
    ) -> Result<bool, StoreError> {
        let code = Indexed::new(known, CodeReader::open(&self.paths.metadata())?);
        let mut packer = Packer::new();
        while let Some(&file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if self.watch.cancel.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if let Some(unit) = code.whole(file)? {
                let resolved = graph::resolve(&code, layout, file, &unit);
                code.check()?;
                self.writer.link(file, Box::new(PackedLinks::new(&links(resolved), &mut packer)))?;
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.watch.progress)(Progress { phase: Phase::Link, done, total: files.len() as u64 });
        }
        Ok(true)
    }
}

/// Files without links, and those that looked up what is another answer now.
fn outdated(reader: &CodeReader) -> Result<BTreeSet<FileId>, StoreError> {
    let mut outdated: BTreeSet<FileId> = reader.unresolved()?.into_iter().collect();
    let changed = reader.changed()?;
    if !changed.is_empty() {
        outdated.extend(reader.watching(&changed)?);
    }
    Ok(outdated)
}

fn links(resolved: Resolved) -> Links {
    let imports = resolved.imports.into_iter().map(|import| ImportLink { import: import.import, to: import.to });
    Links { edges: resolved.edges, names: resolved.names, imports: imports.collect(), watched: resolved.watched }
}

/// What all threads share.
struct Known {
    rows: FxHashMap<FileId, FileRow>,
    by_path: FxHashMap<RelPath, FileId>,
    /// Files of each folder, by path.
    folders: FxHashMap<String, Vec<FileId>>,
    /// Files of each name, by path.
    names: FxHashMap<String, Vec<FileId>>,
    units: Mutex<Kept<FileId, Option<Arc<Unit>>>>,
    places: Mutex<Kept<Box<str>, Arc<[Place]>>>,
}

/// Answers that are kept until there are too many.
struct Kept<K, V> {
    answers: FxHashMap<K, V>,
    size: usize,
}

impl<K: std::hash::Hash + Eq, V: Clone> Kept<K, V> {
    fn new() -> Self {
        Self { answers: FxHashMap::default(), size: 0 }
    }

    fn put(&mut self, key: K, answer: V, size: usize) {
        if self.size + size > MOST_KEPT {
            self.answers.clear();
            self.size = 0;
        }
        self.size += size;
        self.answers.insert(key, answer);
    }
}

impl Known {
    fn new(mut files: Vec<FileRow>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut folders: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
        let mut names: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
        for file in &files {
            folders.entry(file.path.dir().to_owned()).or_default().push(file.id);
            names.entry(file.path.file_name().to_owned()).or_default().push(file.id);
        }
        Self {
            by_path: files.iter().map(|file| (file.path.clone(), file.id)).collect(),
            rows: files.into_iter().map(|file| (file.id, file)).collect(),
            folders,
            names,
            units: Mutex::new(Kept::new()),
            places: Mutex::new(Kept::new()),
        }
    }
}

/// The stored code as resolution asks for it. A fault of the store is kept until somebody asks for it: to resolution, what cannot
/// be read is not there.
struct Indexed<'a> {
    known: &'a Known,
    reader: CodeReader,
    fault: RefCell<Option<StoreError>>,
}

impl<'a> Indexed<'a> {
    fn new(known: &'a Known, reader: CodeReader) -> Self {
        Self { known, reader, fault: RefCell::new(None) }
    }

    /// A file with its references and scopes.
    fn whole(&self, file: FileId) -> Result<Option<Arc<Unit>>, StoreError> {
        self.read(file, Unit::new)
    }

    fn read(
        &self,
        file: FileId,
        make: fn(RelPath, Lang, &'static crate::model::Dialect, Vec<crate::model::Symbol>, crate::model::Facts) -> Unit,
    ) -> Result<Option<Arc<Unit>>, StoreError> {
        let Some(row) = self.known.rows.get(&file) else { return Ok(None) };
        let Some(lang) = parse::named(&row.lang) else { return Ok(None) };
        let (symbols, facts) = (self.reader.symbols(file)?, self.reader.facts(file)?);
        Ok(Some(Arc::new(make(row.path.clone(), lang, parse::dialect(lang.0), symbols, facts))))
    }

    fn check(&self) -> Result<(), StoreError> {
        self.fault.take().map_or(Ok(()), Err)
    }

    /// What was read, or nothing and the fault noted.
    fn noted<T: Default>(&self, read: Result<T, StoreError>) -> T {
        read.unwrap_or_else(|fault| {
            *self.fault.borrow_mut() = Some(fault);
            T::default()
        })
    }
}

impl Code for Indexed<'_> {
    fn unit(&self, file: FileId) -> Option<Arc<Unit>> {
        let kept = || self.known.units.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unit) = kept().answers.get(&file) {
            return unit.clone();
        }
        let unit = match self.read(file, Unit::seen_from_outside) {
            Ok(unit) => unit,
            Err(fault) => return self.noted(Err(fault)),
        };
        let size =
            unit.as_ref().map_or(1, |unit| unit.symbols.len() + unit.facts.imports.len() + unit.facts.binds.len());
        kept().put(file, unit.clone(), size);
        unit
    }

    fn file_at(&self, path: &str) -> Option<FileId> {
        self.known.by_path.get(&RelPath::new(path)).copied()
    }

    fn files_in(&self, dir: &str) -> Vec<FileId> {
        self.known.folders.get(dir).cloned().unwrap_or_default()
    }

    fn files_called(&self, file_name: &str) -> Vec<(RelPath, FileId)> {
        let ids = self.known.names.get(file_name).into_iter().flatten();
        ids.filter_map(|id| Some((self.known.rows.get(id)?.path.clone(), *id))).collect()
    }

    fn named(&self, name: &str) -> Arc<[Place]> {
        let kept = || self.known.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = kept().answers.get(name) {
            return Arc::clone(places);
        }
        let found = match self.reader.find_symbols(name) {
            Ok(found) => found,
            Err(fault) => return self.noted::<Vec<Place>>(Err(fault)).into(),
        };
        let same = found.into_iter().filter(|symbol| symbol.name == name);
        let mut places: Vec<Place> = same.map(|symbol| Place { file: symbol.file, symbol: symbol.symbol }).collect();
        // Numbers of files tell in which order they came, which must not decide anything.
        places.sort_by_key(|place| (self.known.rows.get(&place.file).map(|row| &row.path), place.symbol));
        let places: Arc<[Place]> = places.into();
        kept().put(name.into(), Arc::clone(&places), places.len() + 1);
        places
    }

    fn manifests(&self, file_name: &str) -> Vec<(RelPath, Arc<str>)> {
        let files = self.files_called(file_name).into_iter();
        files.map(|(path, file)| (path, self.noted(self.reader.text(file)).into())).collect()
    }
}
