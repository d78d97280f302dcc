//! How changes reach the store: any thread sends them, one thread (`worker`) makes them. It decides nothing about files.
//! Read [`Writer`] first; [`Job`] is all it can be asked.

use std::path::Path;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, select};

use super::StorePaths;
use super::code::{CodeFile, PackedFile, PackedLinks, Packer, pack_exposed};
use super::error::StoreError;
use super::lock::IndexLock;
use super::text::TextDoc;
use super::worker::{self, Worker};
use crate::model::{ContentHash, FileId, RelPath, Skip, Stat};

/// Updates that may wait for the writer. Producers that are faster are held up, so memory stays bounded.
const QUEUE: usize = 32;

/// What a writer begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With what is stored.
    AsIs,
    /// With empty stores.
    Afresh,
}

/// A file to be put, packed on the thread of whoever made it.
#[derive(Debug)]
pub struct Update {
    pub(super) file: PackedFile,
    pub(super) doc: TextDoc,
    pub(super) exposed: Vec<u8>,
}

/// What is left beside the files: with the first of them, and at the end of a run.
#[derive(Debug, Default)]
pub struct Finish {
    /// Hashes of folders, `""` is the root; `None` leaves them as they are.
    pub dirs: Option<Vec<(String, ContentHash)>>,
    /// Files that were left out; `None` leaves the list as it is.
    pub skipped: Option<Vec<Skip>>,
    /// Texts by key.
    pub meta: Vec<(String, String)>,
    /// Links of all files that needed new ones were sent before this.
    pub linked: bool,
}

/// What a writer did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteReport {
    pub put: usize,
    pub removed: usize,
    pub touched: usize,
    /// Pairs of transactions.
    pub commits: usize,
}

/// Takes changes from any thread. Dropped without [`Writer::finish`], it keeps what was sent.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<Result<WriteReport, StoreError>>>,
    /// Loses its sender when the thread ends.
    ended: Receiver<()>,
    /// The store was made, or made anew, by opening it: it knows no file.
    fresh: bool,
    /// Let go after the thread has closed its connections: fields drop in order.
    _lock: IndexLock,
}

/// All that the writer can be asked.
#[derive(Debug)]
pub(super) enum Job {
    Put(Box<Update>),
    Remove(RelPath),
    Touch(RelPath, Stat, i64),
    Link(FileId, Box<PackedLinks>),
    Note(Box<Finish>),
    Settle(Sender<()>),
}

impl Update {
    /// Packs a file; `doc` is made of the same text. `exposed` are the keys of what other files may look up in it, each with a hash
    /// of the answer; ascending.
    #[must_use]
    pub fn new(file: CodeFile, doc: TextDoc, exposed: &[(u32, u32)], packer: &mut Packer) -> Self {
        Self { file: packer.pack(file), doc, exposed: pack_exposed(exposed) }
    }
}

impl Writer {
    /// Makes the folder, takes the lock (after one call of `wait` if another process has it) and opens or makes both databases.
    /// Damaged files, those of another version and two that do not belong together are replaced by empty ones.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], [`StoreError::DiskFull`], [`StoreError::Locked`] when `cancelled` ends the wait.
    pub fn open(
        paths: &StorePaths,
        start: Start,
        wait: impl FnOnce(),
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, StoreError> {
        std::fs::create_dir_all(&paths.dir).map_err(|error| StoreError::io(&paths.dir, error))?;
        let lock = IndexLock::acquire(&paths.lock(), wait, cancelled)?;
        if start == Start::Afresh {
            // What is stored outlives a run that was called off meanwhile.
            if cancelled() {
                return Err(StoreError::Locked);
            }
            worker::discard(paths)?;
        }
        let worker = Worker::open(paths)?;
        let fresh = worker.is_fresh();
        let (sender, jobs) = bounded(QUEUE);
        let (alive, ended) = bounded(0);
        let paths = paths.clone();
        let work = move || {
            let _alive = alive;
            worker.work(&jobs, &paths)
        };
        let thread = thread::Builder::new().name("index-writer".into()).spawn(work);
        let thread = thread.map_err(|error| StoreError::io(Path::new("index-writer"), error))?;
        Ok(Self { jobs: Some(sender), thread: Some(thread), ended, fresh, _lock: lock })
    }

    /// Nothing is in the store: whatever was known of files before is void.
    #[must_use]
    pub const fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Puts a file in place of what the index holds of its path.
    ///
    /// # Errors
    /// [`StoreError::Stopped`]: an earlier job failed, and [`Writer::finish`] says how.
    pub fn put(&self, update: Update) -> Result<(), StoreError> {
        self.send(Job::Put(Box::new(update)))
    }

    /// Takes a file out; one that is not there is fine.
    ///
    /// # Errors
    /// See [`Writer::put`].
    pub fn remove(&self, path: RelPath) -> Result<(), StoreError> {
        self.send(Job::Remove(path))
    }

    /// Notes a new stat of a file whose content is as it was.
    ///
    /// # Errors
    /// See [`Writer::put`].
    pub fn touch(&self, path: RelPath, stat: Stat, hashed_at_ns: i64) -> Result<(), StoreError> {
        self.send(Job::Touch(path, stat, hashed_at_ns))
    }

    /// Leaves texts in the same commit as the files that are sent next.
    ///
    /// # Errors
    /// See [`Writer::put`].
    pub fn note(&self, finish: Finish) -> Result<(), StoreError> {
        self.send(Job::Note(Box::new(finish)))
    }

    /// Commits what was sent so far and waits for it: readers that are opened now see it.
    ///
    /// # Errors
    /// See [`Writer::put`].
    pub fn settle(&self) -> Result<(), StoreError> {
        let (sender, settled) = bounded(1);
        self.send(Job::Settle(sender))?;
        // A job that an ended thread did not take stays in the queue and keeps its sender.
        let answer = select! {
            recv(settled) -> answer => answer.is_ok(),
            recv(self.ended) -> _ => settled.try_recv().is_ok(),
        };
        if answer { Ok(()) } else { Err(StoreError::Stopped) }
    }

    /// Replaces what leads out of a file that is in the index.
    ///
    /// # Errors
    /// See [`Writer::put`].
    pub fn link(&self, file: FileId, links: Box<PackedLinks>) -> Result<(), StoreError> {
        self.send(Job::Link(file, links))
    }

    /// Commits the rest and ends the thread.
    ///
    /// # Errors
    /// Whatever made a job fail. What earlier batches committed stays; the batch of the failed job is undone.
    pub fn finish(mut self, finish: Finish) -> Result<WriteReport, StoreError> {
        // An ended thread answers below.
        let sent = self.send(Job::Note(Box::new(finish)));
        let report = self.join()?;
        sent.map(|()| report)
    }

    fn send(&self, job: Job) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or(StoreError::Stopped)?;
        jobs.send(job).map_err(|_| StoreError::Stopped)
    }

    fn join(&mut self) -> Result<WriteReport, StoreError> {
        self.jobs = None;
        let thread = self.thread.take().ok_or(StoreError::Stopped)?;
        thread.join().map_err(|_| StoreError::Stopped)?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if self.thread.is_some()
            && let Err(error) = self.join()
        {
            tracing::warn!("index writer: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::check;
    use super::super::code::CodeReader;
    use super::super::fixtures::{hash, hashes, store, tamper, update, write};
    use super::super::text::TextReader;
    use super::*;
    use crate::model::SkipReason;

    #[test]
    fn what_was_put_is_read_back() {
        let (_dir, paths) = store();
        let code = CodeReader::open(&paths.metadata()).unwrap();
        let known = code.known().unwrap();
        let file = known[&RelPath::new("a.py")];
        assert_eq!(file.stat, Stat { size: 10, mtime_ns: 1, ctime_ns: 2, inode: u64::MAX });
        assert_eq!((file.hash, file.hashed_at_ns), (hash(&["alpha", "beta"]), 3));
        assert_eq!(code.text(file.id).unwrap(), "alpha beta");
        assert_eq!(code.symbols(file.id).unwrap().len(), 2);
        assert_eq!(code.definitions("_Alpha").unwrap().first().unwrap().name, "alpha");
        assert_eq!(code.stats().unwrap().symbols, 3);
        assert_eq!(code.file(file.id).unwrap(), code.file_at(&RelPath::new("a.py")).unwrap());
    }

    #[test]
    fn touches_and_last_words_are_kept() {
        let (_dir, paths) = store();
        let stat = Stat { size: 10, mtime_ns: 8, ctime_ns: 9, inode: 1 };
        let skip = |path| Skip { path: RelPath::new(path), reason: SkipReason::Binary, size: 5 };
        let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
        assert!(!writer.is_fresh());
        writer.touch(RelPath::new("a.py"), stat, 11).unwrap();
        let finish = Finish {
            dirs: Some(vec![(String::new(), ContentHash(7))]),
            skipped: Some(vec![skip("x.bin"), skip("y.bin")]),
            meta: vec![("parser".into(), "3".into())],
            linked: false,
        };
        let report = writer.finish(finish).unwrap();
        assert_eq!(report, WriteReport { touched: 1, commits: 1, ..WriteReport::default() });
        let code = CodeReader::open(&paths.metadata()).unwrap();
        assert_eq!(code.known().unwrap()[&RelPath::new("a.py")].stat, stat);
        assert_eq!(code.skipped_counts().unwrap(), [(SkipReason::Binary, 2)]);
        assert_eq!(code.dirs().unwrap(), [(String::new(), ContentHash(7))]);
        assert_eq!(code.meta("parser").unwrap().as_deref(), Some("3"));
    }

    #[test]
    fn a_cancelled_start_afresh_discards_nothing() {
        let (_dir, paths) = store();
        assert!(matches!(Writer::open(&paths, Start::Afresh, || {}, &|| true), Err(StoreError::Locked)));
        assert_eq!(hashes(&paths).len(), 2);
    }

    #[test]
    fn a_dropped_writer_keeps_what_was_sent() {
        let (_dir, paths) = store();
        let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
        writer.remove(RelPath::new("a.py")).unwrap();
        drop(writer);
        assert_eq!(hashes(&paths), [("b.py".to_owned(), hash(&["beta"]))]);
    }

    #[test]
    fn damaged_databases_are_made_anew_and_everything_is_new() {
        let garbage = |path: &Path| fs::write(path, [0x5a; 9000]).unwrap();
        let cut = |path: &Path| {
            let len = fs::metadata(path).unwrap().len();
            fs::OpenOptions::new().write(true).open(path).unwrap().set_len(len / 2).unwrap();
        };
        let empty = |path: &Path| fs::write(path, []).unwrap();
        let gone = |path: &Path| fs::remove_file(path).unwrap();
        let foreign = |path: &Path| {
            fs::remove_file(path).unwrap();
            tamper(path, "CREATE TABLE state (x); PRAGMA user_version=1");
        };
        let newer = |path: &Path| tamper(path, "PRAGMA user_version=99");
        let old_format = |path: &Path| tamper(path, "UPDATE state SET value=0 WHERE key='format'");
        let damages: [&dyn Fn(&Path); 7] = [&garbage, &cut, &empty, &gone, &foreign, &newer, &old_format];
        for damage in damages {
            for file in [StorePaths::metadata, StorePaths::fts] {
                let (_dir, paths) = store();
                damage(&file(&paths));
                // Half a file may open and fail later, at the first job that meets the hole.
                let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
                let put = writer.put(update("a.py", &["alpha", "beta"]));
                if let Err(error) = writer.finish(Finish::default()) {
                    assert!(error.calls_for_rebuild(), "{error}");
                    write(&paths, |writer| writer.put(update("a.py", &["alpha", "beta"])).unwrap());
                } else {
                    put.unwrap();
                }
                assert_eq!(hashes(&paths), [("a.py".to_owned(), hash(&["alpha", "beta"]))]);
                assert!(check(&paths).unwrap().is_whole());
            }
        }
    }

    #[test]
    fn readers_name_what_is_wrong() {
        let (_dir, paths) = store();
        assert!(matches!(CodeReader::open(&paths.dir.join("none.db")), Err(StoreError::Missing(_))));
        fs::write(paths.fts(), [1; 5000]).unwrap();
        assert!(matches!(TextReader::open(&paths.fts()), Err(StoreError::Damaged { db: "fts.db", .. })));
        tamper(&paths.metadata(), "PRAGMA user_version=99");
        let opened = CodeReader::open(&paths.metadata());
        assert!(matches!(opened, Err(StoreError::Version { found: 99, .. })));
    }

    #[test]
    fn readers_of_a_store_in_the_making_hear_of_its_writer() {
        let unmade: [&dyn Fn(&StorePaths); 2] =
            [&|paths| fs::remove_file(paths.fts()).unwrap(), &|paths| fs::write(paths.fts(), []).unwrap()];
        for unmake in unmade {
            let (_dir, paths) = store();
            unmake(&paths);
            let opened = || TextReader::open(&paths.fts());
            assert!(matches!(opened(), Err(StoreError::Missing(_) | StoreError::Damaged { .. })));
            let _lock = IndexLock::acquire(&paths.lock(), || {}, &|| false).unwrap();
            assert!(matches!(opened(), Err(StoreError::Locked)));
        }
    }

    #[test]
    fn databases_of_two_stores_do_not_mix() {
        let ((_one, left), (_two, right)) = (store(), store());
        fs::copy(right.fts(), left.fts()).unwrap();
        let writer = Writer::open(&left, Start::AsIs, || {}, &|| false).unwrap();
        assert!(writer.is_fresh());
        drop(writer);
        assert_eq!(hashes(&left), []);
    }

    #[test]
    fn a_stopped_writer_answers_and_finish_says_why() {
        let (_dir, paths) = store();
        let writer = Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap();
        tamper(&paths.fts(), "DROP TABLE doc");
        let stopped = (0..10_000).any(|_| writer.put(update("a.py", &["x"])).is_err());
        assert!(stopped);
        assert!(matches!(writer.finish(Finish::default()), Err(StoreError::Damaged { .. })));
        assert!(Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap().is_fresh());
    }
}
