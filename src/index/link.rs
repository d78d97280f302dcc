//! After the files are stored: the references of those that changed, and of those that looked up what changed, are resolved and
//! their links stored. It decides which files; how a reference is resolved is `graph`'s matter. Read [`Linker::run`] first.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use rustc_hash::FxHashMap;

use super::Watch;
use super::report::{Phase, Progress};
use crate::graph::modules::Layout;
use crate::graph::{self, Code, Head, Named, Place, Resolved, Unit};
use crate::model::{Dialect, Facts, FileId, Lang, RelPath, Symbol, SymbolKey, symbol_keys};
use crate::parse;
use crate::store::code::{CodeReader, FileRow, ImportLink, Links, PackedLinks, Packer, SpelledSymbol};
use crate::store::{StoreError, StorePaths, Writer};

/// Symbols and facts that are kept in memory for all files together, as a number of symbols, references left out.
const MOST_KEPT: usize = 400_000;

type MakeUnit = fn(RelPath, Lang, &'static Dialect, Vec<Symbol>, Facts) -> Unit;

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
        let outdated: Vec<FileId> = outdated.into_iter().filter(|file| known.file(*file).is_some()).collect();
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
    /// By id.
    files: Vec<Option<KnownFile>>,
    by_path: FxHashMap<RelPath, FileId>,
    /// Files of each folder, by path.
    folders: FxHashMap<String, Vec<FileId>>,
    /// Files of each name, by path.
    names: FxHashMap<String, Vec<FileId>>,
    units: Mutex<Kept<FileId, Arc<Unit>>>,
    places: Mutex<Kept<Box<str>, Arc<[Named]>>>,
}

/// What is kept of every file.
struct KnownFile {
    path: RelPath,
    /// `None`: of a language that nobody knows any more.
    lang: Option<(Lang, &'static Dialect)>,
    /// Place among all files by path.
    order: usize,
    keys: OnceLock<Box<[SymbolKey]>>,
}

/// Answers that are kept, within [`MOST_KEPT`]: those that were asked for since half of that was reached, and those before them.
struct Kept<K, V> {
    late: FxHashMap<K, (V, usize)>,
    early: FxHashMap<K, (V, usize)>,
    /// Of the late ones.
    size: usize,
}

impl<K: std::hash::Hash + Eq, V: Clone> Kept<K, V> {
    fn new() -> Self {
        Self { late: FxHashMap::default(), early: FxHashMap::default(), size: 0 }
    }

    fn get<Q: std::hash::Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
    {
        if let Some((answer, _)) = self.late.get(key) {
            return Some(answer.clone());
        }
        let (key, (answer, size)) = self.early.remove_entry(key)?;
        self.put(key, answer.clone(), size);
        Some(answer)
    }

    fn put(&mut self, key: K, answer: V, size: usize) {
        if self.size + size > MOST_KEPT / 2 {
            self.early = std::mem::take(&mut self.late);
            self.size = 0;
        }
        self.size += size;
        self.late.insert(key, (answer, size));
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
        let by_path = files.iter().map(|file| (file.path.clone(), file.id)).collect();
        let end = files.iter().map(|file| file.id.0 as usize + 1).max().unwrap_or_default();
        let mut known: Vec<Option<KnownFile>> = Vec::new();
        known.resize_with(end, || None);
        for (order, file) in files.into_iter().enumerate() {
            let lang = parse::named(&file.lang).map(|lang| (lang, parse::dialect(lang.0)));
            known[file.id.0 as usize] = Some(KnownFile { path: file.path, lang, order, keys: OnceLock::new() });
        }
        let (units, places) = (Mutex::new(Kept::new()), Mutex::new(Kept::new()));
        Self { files: known, by_path, folders, names, units, places }
    }

    fn file(&self, file: FileId) -> Option<&KnownFile> {
        self.files.get(file.0 as usize)?.as_ref()
    }
}

impl KnownFile {
    fn unit(
        &self,
        (lang, dialect): (Lang, &'static Dialect),
        make: MakeUnit,
        symbols: Vec<Symbol>,
        facts: Facts,
    ) -> Arc<Unit> {
        Arc::new(make(self.path.clone(), lang, dialect, symbols, facts))
    }
}

/// The stored code as resolution asks for it. A fault of the store is kept until somebody asks for it: to resolution, what cannot
/// be read is not there.
struct Indexed<'a> {
    known: &'a Known,
    reader: CodeReader,
    /// The file in work.
    own: RefCell<Option<(FileId, Arc<Unit>)>>,
    fault: RefCell<Option<StoreError>>,
}

impl<'a> Indexed<'a> {
    fn new(known: &'a Known, reader: CodeReader) -> Self {
        Self { known, reader, own: RefCell::new(None), fault: RefCell::new(None) }
    }

    /// A file with its references and scopes, to be resolved next.
    fn whole(&self, file: FileId) -> Result<Option<Arc<Unit>>, StoreError> {
        let Some((known, lang)) = self.known.file(file).and_then(|known| Some((known, known.lang?))) else {
            return Ok(None);
        };
        let unit = known.unit(lang, Unit::new, self.reader.symbols(file)?, self.reader.facts(file)?);
        *self.own.borrow_mut() = Some((file, Arc::clone(&unit)));
        Ok(Some(unit))
    }

    fn read_outer(&self, file: FileId) -> Result<Option<Arc<Unit>>, StoreError> {
        if let Some((_, own)) = self.own.borrow().as_ref().filter(|(own, _)| *own == file) {
            return Ok(Some(Arc::new(own.outer())));
        }
        let Some((known, lang)) = self.known.file(file).and_then(|known| Some((known, known.lang?))) else {
            return Ok(None);
        };
        let (symbols, facts) = (self.reader.symbols(file)?, self.reader.outer_facts(file)?);
        Ok(Some(known.unit(lang, Unit::seen_from_outside, symbols, facts)))
    }

    fn kept_unit(&self, file: FileId) -> Option<Arc<Unit>> {
        self.known.units.lock().unwrap_or_else(PoisonError::into_inner).get(&file)
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
        if let Some(unit) = self.kept_unit(file) {
            return Some(unit);
        }
        let unit = match self.read_outer(file) {
            Ok(unit) => unit?,
            Err(fault) => return self.noted(Err(fault)),
        };
        let size = unit.symbols.len() + unit.facts.imports.len() + unit.facts.binds.len();
        self.known.units.lock().unwrap_or_else(PoisonError::into_inner).put(file, Arc::clone(&unit), size + 1);
        Some(unit)
    }

    fn head(&self, file: FileId) -> Option<Head<'_>> {
        let known = self.known.file(file)?;
        let (lang, dialect) = known.lang?;
        Some(Head { path: &known.path, lang, dialect })
    }

    fn key(&self, place: Place) -> Option<SymbolKey> {
        let keys = || match self.kept_unit(place.file) {
            Some(unit) => symbol_keys(&unit.symbols).into(),
            None => symbol_keys(&self.noted(self.reader.symbols(place.file))).into(),
        };
        self.known.file(place.file)?.keys.get_or_init(keys).get(place.symbol as usize).copied()
    }

    fn file_at(&self, path: &str) -> Option<FileId> {
        self.known.by_path.get(&RelPath::new(path)).copied()
    }

    fn files_in(&self, dir: &str) -> Vec<FileId> {
        self.known.folders.get(dir).cloned().unwrap_or_default()
    }

    fn files_called(&self, file_name: &str) -> Vec<(RelPath, FileId)> {
        let ids = self.known.names.get(file_name).into_iter().flatten();
        ids.filter_map(|id| Some((self.known.file(*id)?.path.clone(), *id))).collect()
    }

    fn named(&self, name: &str) -> Arc<[Named]> {
        let kept = || self.known.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = kept().get(name) {
            return places;
        }
        let mut found = Vec::new();
        let read = self.reader.each_symbol_spelled(name, |SpelledSymbol { file, symbol, kind, owned }| {
            found.push(Named { place: Place { file, symbol }, kind, owned });
        });
        if let Err(fault) = read {
            return self.noted::<Vec<Named>>(Err(fault)).into();
        }
        // Numbers of files tell in which order they came, which must not decide anything.
        found.sort_by_key(|named| (self.known.file(named.place.file).map(|file| file.order), named.place.symbol));
        let found: Arc<[Named]> = found.into();
        kept().put(name.into(), Arc::clone(&found), found.len() + 1);
        found
    }

    fn manifests(&self, file_name: &str) -> Vec<(RelPath, Arc<str>)> {
        let files = self.files_called(file_name).into_iter();
        files.map(|(path, file)| (path, self.noted(self.reader.text(file)).into())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_again_outlives_what_is_not() {
        let mut kept = Kept::new();
        for number in 0..100_u32 {
            kept.put(number, number, MOST_KEPT / 10);
            assert_eq!(kept.get(&0), Some(0));
            assert!(kept.late.len() + kept.early.len() <= 10);
        }
        assert_eq!((kept.get(&50), kept.get(&99)), (None, Some(99)));
    }
}
