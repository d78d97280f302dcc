//! Threads that read, parse and pack files and hand them to the writer. The queue to the writer is short, so a fast parser waits
//! and memory stays bounded. Read [`Pipeline::run`] first.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::document::document;
use super::report::{IndexError, Phase, Progress};
use super::{IndexOptions, Known, Watch};
use crate::graph;
use crate::model::{ContentHash, Lang, RelPath, Skip, SkipReason, SourceFile};
use crate::parse;
use crate::scan::{self, Changes, FoundFile};
use crate::store::code::{CodeFile, Packer};
use crate::store::text::Scratch;
use crate::store::{StoreError, Update, Writer};

/// For the syntax tree of one file. Real files take milliseconds; what runs into this is lost in error recovery.
const MOST_TIME: Duration = Duration::from_secs(2);

/// What became of the files of a run.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) indexed: Vec<(RelPath, ContentHash)>,
    /// Left out by what they hold.
    pub(super) skipped: Vec<Skip>,
    /// Were in the index and are left out now.
    pub(super) dropped: Vec<RelPath>,
    pub(super) failures: Vec<(RelPath, String)>,
    pub(super) cancelled: bool,
}

/// One run's means.
pub(super) struct Pipeline<'a> {
    pub(super) root: &'a Path,
    pub(super) options: &'a IndexOptions,
    pub(super) watch: &'a Watch<'a>,
    pub(super) writer: &'a Writer,
    /// Clock before the walk: no file was hashed earlier.
    pub(super) hashed_at_ns: i64,
}

/// What a thread keeps from file to file.
#[derive(Default)]
struct Tools {
    scratch: Scratch,
    packer: Packer,
}

impl Pipeline<'_> {
    /// Stores what changed and takes out what is gone.
    /// An ended writer ends the run early; [`Writer::finish`] then gives the reason.
    pub(super) fn run(&self, changes: &Changes, known: &Known) -> Outcome {
        let gone = changes.removed.iter().try_for_each(|path| self.writer.remove(path.clone()));
        let touched = || {
            changes
                .touched
                .iter()
                .try_for_each(|(path, stat, _)| self.writer.touch(path.clone(), *stat, self.hashed_at_ns))
        };
        if gone.and_then(|()| touched()).is_err() {
            return Outcome::default();
        }
        let mut outcome = self.index(&changes.changed);
        outcome.indexed.sort_unstable();
        outcome.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        outcome.failures.sort_unstable();
        outcome.dropped =
            outcome.skipped.iter().map(|skip| skip.path.clone()).filter(|p| known.contains_key(p)).collect();
        for path in &outcome.dropped {
            if self.writer.remove(path.clone()).is_err() {
                break;
            }
        }
        outcome.cancelled = self.watch.cancel.load(Ordering::Relaxed);
        outcome
    }

    /// In order of the paths as far as threads allow: neighbours share a block of the text store.
    fn index(&self, files: &[FoundFile]) -> Outcome {
        let next = AtomicUsize::new(0);
        let done = AtomicU64::new(0);
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(files.len());
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| self.work(files, &next, &done))).collect();
            let parts = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|fault| resume_unwind(fault)));
            parts.fold(Outcome::default(), joined)
        })
    }

    fn work(&self, files: &[FoundFile], next: &AtomicUsize, done: &AtomicU64) -> Outcome {
        let mut tools = Tools::default();
        let mut outcome = Outcome::default();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if self.watch.cancel.load(Ordering::Relaxed) {
                break;
            }
            match self.one(file, &mut tools) {
                Ok(Done::Indexed(hash)) => outcome.indexed.push((file.path.clone(), hash)),
                Ok(Done::Skipped(reason)) => outcome.skipped.push(skip(file, reason)),
                Ok(Done::Failed(message)) => outcome.failures.push((file.path.clone(), message)),
                Err(_) => break,
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.watch.progress)(Progress { phase: Phase::Index, done, total: files.len() as u64 });
        }
        outcome
    }

    /// A fault in a grammar must not take the other files with it.
    fn one(&self, file: &FoundFile, tools: &mut Tools) -> Result<Done, StoreError> {
        catch_unwind(AssertUnwindSafe(|| self.store(file, tools))).unwrap_or_else(|_| {
            *tools = Tools::default();
            Ok(Done::Failed("the parser failed on this file".to_owned()))
        })
    }

    fn store(&self, file: &FoundFile, tools: &mut Tools) -> Result<Done, StoreError> {
        let (source, hash) = match self.read(file) {
            Ok(source) => source,
            Err(reason) => return Ok(Done::Skipped(reason)),
        };
        self.writer.put(self.update(file, source, tools))?;
        Ok(Done::Indexed(hash))
    }

    fn read(&self, file: &FoundFile) -> Result<(SourceFile, ContentHash), SkipReason> {
        let kept = self.options.scan.kept_when_empty.iter().any(|name| name == file.path.file_name());
        if file.stat.size == 0 && !kept {
            return Err(SkipReason::Empty);
        }
        let content = scan::read(self.root, file)?;
        if content.text.trim().is_empty() && !kept {
            return Err(SkipReason::Empty);
        }
        let lang = self.lang(&file.path, &content.text).ok_or(SkipReason::UnknownType)?;
        let source = SourceFile { path: file.path.clone(), lang, text: content.text, hash: content.hash };
        Ok((source, content.hash))
    }

    fn lang(&self, path: &RelPath, text: &str) -> Option<Lang> {
        parse::detect(path, text.as_bytes(), &self.options.extensions)
    }

    fn update(&self, file: &FoundFile, source: SourceFile, tools: &mut Tools) -> Update {
        let started = Instant::now();
        let parsed = parse::parse_within(&source, &|| started.elapsed() > MOST_TIME);
        let doc = document(&source, &parsed, self.options.strip_docs, &mut tools.scratch);
        let exposed = graph::exposed(&parsed, parse::dialect(parsed.lang.0));
        let stored = CodeFile { source, stat: file.stat, hashed_at_ns: self.hashed_at_ns, parsed };
        Update::new(stored, doc, &exposed, &mut tools.packer)
    }
}

/// What happened to one file.
enum Done {
    Indexed(ContentHash),
    Skipped(SkipReason),
    Failed(String),
}

/// Builds the syntax tree of every source file below `root` and drops it, on all cores: number of files and bytes.
///
/// # Errors
/// The root cannot be read.
pub fn parse_all(root: &Path, options: &IndexOptions) -> Result<(usize, u64), IndexError> {
    let is_source = |path: &RelPath| parse::by_path(path, &options.extensions).is_some_and(parse::is_source);
    let walk = scan::walk(root, &options.scan, &is_source)?;
    let parsed = walk.files.par_iter().filter_map(|file| {
        let lang = parse::by_path(&file.path, &options.extensions).filter(|lang| parse::is_source(*lang))?;
        let content = scan::read(root, file).ok()?;
        let source = SourceFile { path: file.path.clone(), lang, text: content.text, hash: content.hash };
        parse::parse_only(&source).then_some(source.text.len() as u64)
    });
    Ok(parsed
        .fold(|| (0, 0), |(files, bytes), size| (files + 1, bytes + size))
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1)))
}

fn skip(file: &FoundFile, reason: SkipReason) -> Skip {
    Skip { path: file.path.clone(), reason, size: file.stat.size }
}

fn joined(mut all: Outcome, part: Outcome) -> Outcome {
    all.indexed.extend(part.indexed);
    all.skipped.extend(part.skipped);
    all.failures.extend(part.failures);
    all
}
