//! The thread that owns both write connections. It commits in batches, fts.db first, and keeps whole batches only; what it finds
//! damaged it removes. Read [`Worker::apply`] first.

use std::collections::BTreeMap;

use crossbeam_channel::Receiver;

use super::StorePaths;
use super::code::CodeWriter;
use super::database::{self, Database};
use super::error::{Kind, StoreError};
use super::text::TextWriter;
use super::writer::{Finish, Job, WriteReport};

/// Bytes of postings and names in memory that end a batch.
const BATCH_BYTES: usize = 40 << 20;

/// Bytes of packed content that end a batch, which bounds the log.
const BATCH_CONTENT: usize = 64 << 20;

const GENERATION: &str = "generation";
const COMMIT: &str = "commit";

/// What the thread owns.
#[derive(Debug)]
pub(super) struct Worker {
    text: TextWriter,
    code: CodeWriter,
    /// Number of the last commit.
    commit: i64,
    batch: Option<Batch>,
    report: WriteReport,
}

/// An open pair of transactions.
#[derive(Debug, Clone, Copy, Default)]
struct Batch {
    content: usize,
    text_changed: bool,
}

impl Worker {
    pub(super) fn open(paths: &StorePaths) -> Result<Self, StoreError> {
        match Self::open_as_is(paths) {
            Err(error) if error.calls_for_rebuild() => {
                tracing::warn!("{error}; the index is made anew");
                discard(paths)?;
                Self::open_as_is(paths)
            }
            other => other,
        }
    }

    /// No text was ever committed.
    pub(super) const fn is_fresh(&self) -> bool {
        self.commit == 0
    }

    fn open_as_is(paths: &StorePaths) -> Result<Self, StoreError> {
        let metadata = Database::open_writer(&paths.metadata(), Kind::Metadata)?;
        let fts = Database::open_writer(&paths.fts(), Kind::Text)?;
        match (metadata.state(GENERATION)?, fts.state(GENERATION)?) {
            (Some(left), Some(right)) if left == right => {}
            (None, None) => {
                let drawn = metadata.first("SELECT random()", (), |row| row.get(0))?.unwrap_or_default();
                metadata.set_state(GENERATION, drawn)?;
                fts.set_state(GENERATION, drawn)?;
            }
            (_, _) => return Err(fts.damaged("it belongs to another metadata.db")),
        }
        let commits = (metadata.state(COMMIT)?.unwrap_or_default(), fts.state(COMMIT)?.unwrap_or_default());
        let (code, text) = (CodeWriter::new(metadata)?, TextWriter::new(fts)?);
        let commit = commits.0.max(commits.1);
        let mut worker = Self { text, code, commit, batch: None, report: WriteReport::default() };
        if commits.0 != commits.1 {
            worker.reconcile()?;
        }
        Ok(worker)
    }

    /// After a crash between the two commits, or a power cut that undid one of them: no file may look done whose text is not
    /// what the hash says, and no text may be left of a file that nobody knows.
    fn reconcile(&mut self) -> Result<(), StoreError> {
        self.begin()?.text_changed = true;
        let mut texts: BTreeMap<_, _> =
            self.text.files()?.into_iter().map(|(id, path, hash)| (id, (path, hash))).collect();
        for (id, path, hash) in self.code.files()? {
            if texts.remove(&id) != Some((path, hash)) {
                self.code.distrust(id)?;
            }
        }
        for id in texts.into_keys() {
            self.text.remove(id)?;
        }
        self.commit()
    }

    /// Takes jobs until all senders are gone, then commits the rest. The first error ends it.
    pub(super) fn work(mut self, jobs: &Receiver<Job>, paths: &StorePaths) -> Result<WriteReport, StoreError> {
        let mut all = || {
            for job in jobs {
                self.apply(job)?;
            }
            self.commit()
        };
        let done = all();
        self.empty_logs();
        let report = self.report;
        // Closing the connections undoes what is not committed.
        drop(self);
        match done {
            Err(error) if error.calls_for_rebuild() => {
                discard(paths)?;
                Err(error)
            }
            done => done.map(|()| report),
        }
    }

    /// An open reader keeps the last connection of a writer from emptying the log. A reader in the middle of a query keeps it full: the
    /// next run tries again.
    fn empty_logs(&self) {
        for database in [self.text.database(), self.code.database()] {
            if let Err(error) = database.batch("PRAGMA wal_checkpoint(TRUNCATE)") {
                tracing::debug!(%error, "the log is not emptied");
            }
        }
    }

    fn apply(&mut self, job: Job) -> Result<(), StoreError> {
        match job {
            Job::Put(update) => {
                let batch = self.begin()?;
                batch.text_changed = true;
                batch.content += update.file.text.len() + update.file.outline.len() + update.file.facts.len();
                let id = self.code.put(&update.file, &update.exposed)?;
                self.text.put(id, update.doc)?;
                self.report.put += 1;
            }
            Job::Remove(path) => {
                self.begin()?.text_changed = true;
                if let Some(id) = self.code.remove(&path)? {
                    self.text.remove(id)?;
                    self.report.removed += 1;
                }
            }
            Job::Touch(path, stat, hashed_at_ns) => {
                self.begin()?;
                self.code.touch(&path, &stat, hashed_at_ns)?;
                self.report.touched += 1;
            }
            Job::Link(file, links) => {
                self.begin()?.content += links.size();
                self.code.link(file, &links)?;
            }
            Job::Note(finish) => self.note(&finish)?,
            Job::Settle(settled) => {
                self.commit()?;
                if settled.send(()).is_err() {
                    tracing::debug!("nobody waits for the commit");
                }
            }
        }
        if self.is_full() { self.commit() } else { Ok(()) }
    }

    fn note(&mut self, finish: &Finish) -> Result<(), StoreError> {
        self.begin()?;
        if let Some(dirs) = &finish.dirs {
            self.code.set_dirs(dirs)?;
        }
        if let Some(skipped) = &finish.skipped {
            self.code.set_skipped(skipped)?;
        }
        if finish.linked {
            self.code.conclude_links()?;
        }
        finish.meta.iter().try_for_each(|(key, value)| self.code.set_meta(key, value))
    }

    fn is_full(&self) -> bool {
        let content = self.batch.map_or(0, |batch| batch.content);
        content > BATCH_CONTENT || self.text.waiting() + self.code.waiting() > BATCH_BYTES
    }

    fn begin(&mut self) -> Result<&mut Batch, StoreError> {
        if self.batch.is_none() {
            self.text.database().batch("BEGIN IMMEDIATE")?;
            self.code.database().batch("BEGIN IMMEDIATE")?;
        }
        Ok(self.batch.get_or_insert_default())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        let Some(batch) = self.batch.take() else { return Ok(()) };
        self.commit += i64::from(batch.text_changed);
        self.commit_text(batch)?;
        self.code.flush()?;
        self.code.database().set_state(COMMIT, self.commit)?;
        self.code.database().batch("COMMIT")?;
        self.report.commits += 1;
        Ok(())
    }

    fn commit_text(&mut self, batch: Batch) -> Result<(), StoreError> {
        if batch.text_changed {
            self.text.flush()?;
            self.text.database().set_state(COMMIT, self.commit)?;
        }
        self.text.database().batch("COMMIT")
    }
}

/// Removes both databases; the next open makes empty ones.
pub(super) fn discard(paths: &StorePaths) -> Result<(), StoreError> {
    database::discard(&paths.metadata())?;
    database::discard(&paths.fts())
}

#[cfg(test)]
mod tests {
    use std::thread;

    use crossbeam_channel::bounded;

    use super::super::check;
    use super::super::code::CodeReader;
    use super::super::fixtures::{Content, hash, hashes, store, update, write};
    use super::super::text::TextReader;
    use super::super::writer::{Start, Writer};
    use super::*;
    use crate::model::{ContentHash, RelPath};

    fn text_hashes(paths: &StorePaths) -> Vec<(String, ContentHash)> {
        let layout = TextReader::open(&paths.fts()).unwrap().layout().unwrap();
        layout.files.into_iter().map(|file| (file.path.to_string(), file.hash)).collect()
    }

    #[test]
    fn a_crash_between_the_commits_leaves_files_to_be_done_again() {
        let (_dir, paths) = store();
        let mut worker = Worker::open(&paths).unwrap();
        worker.apply(Job::Put(Box::new(update("a.py", &["changed"])))).unwrap();
        worker.apply(Job::Put(Box::new(update("new.py", &["new"])))).unwrap();
        worker.commit += 1;
        let batch = worker.batch.unwrap();
        worker.commit_text(batch).unwrap();
        drop(worker);

        assert_eq!(hashes(&paths).len(), 2);
        assert_eq!(text_hashes(&paths).len(), 3);
        drop(Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap());
        let known = CodeReader::open(&paths.metadata()).unwrap().known().unwrap();
        assert_eq!(known[&RelPath::new("a.py")].hash, ContentHash(0));
        assert_eq!(known[&RelPath::new("b.py")].hash, hash(&["beta"]));
        assert_eq!(text_hashes(&paths).len(), 2);
        assert_eq!(check(&paths).unwrap().pending, 1);

        write(&paths, |writer| writer.put(update("a.py", &["alpha", "beta"])).unwrap());
        assert_eq!(check(&paths).unwrap(), super::super::Integrity { files: 2, ..Default::default() });
    }

    #[test]
    fn a_full_disk_stops_the_writer_and_keeps_the_old_state() {
        for text_full in [true, false] {
            let (_dir, paths) = store();
            let before = Content::read(&paths);
            let worker = Worker::open(&paths).unwrap();
            let full = if text_full { worker.text.database() } else { worker.code.database() };
            full.batch("PRAGMA max_page_count=1").unwrap();
            let (sender, jobs) = bounded(1);
            let thread = thread::spawn({
                let paths = paths.clone();
                move || worker.work(&jobs, &paths)
            });
            let words: Vec<String> = (0..300).map(|number| format!("word{number}")).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            for number in 0..40 {
                let sent = sender.send(Job::Put(Box::new(update(&format!("{number}.py"), &words))));
                assert!(number < 39 || sent.is_err() || !text_full);
            }
            drop(sender);
            assert!(matches!(thread.join().unwrap(), Err(StoreError::DiskFull)));
            drop(Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap());
            assert_eq!(Content::read(&paths), before);
        }
    }
}
