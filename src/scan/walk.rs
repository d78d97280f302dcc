//! Which files there are. Lists folders in parallel, asks the ignore files and the built-in tables, and takes one `stat` per
//! file; opens none but ignore files. Nothing is left out silently but what an ignore file names. Read [`walk`] first.

use std::fs::{self, DirEntry, FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::LARGEST_FILE;
use super::builtin::{self, FolderRule};
use super::read::link_reason;
use super::rules::{GIT_IGNORE, Layer, MEMORY_IGNORE, Present, Rules, Verdict};
use super::scope::Scope;
use crate::model::{RelPath, Skip, SkipReason, Stat};
use crate::project::GitDirs;

/// What a project's owner can set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScanOptions {
    /// Bytes. Larger files are kept only if they are source code, and none above [`LARGEST_FILE`].
    pub max_file_size: u64,
    /// Lines of gitignore syntax, relative to the root.
    pub ignore_patterns: Vec<String>,
    /// Extensions (lower case, with the dot) that no built-in rule leaves out.
    pub extensions: Vec<String>,
    /// Names of files that are of use without content.
    pub kept_when_empty: Vec<String>,
    /// What to look at; the rest is neither found nor skipped.
    pub only: Scope,
}

/// A file to index, as it stood at the time of the walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    pub path: RelPath,
    pub stat: Stat,
}

/// What is below a root. Both lists are sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    pub files: Vec<FoundFile>,
    pub skipped: Vec<Skip>,
}

#[derive(Debug, Error)]
pub enum ScanError {
    #[error("cannot read project folder {}: {source}", path.display())]
    Root { path: PathBuf, source: io::Error },
}

/// Answers whether a path is source code, by its name.
pub type IsSource<'a> = &'a (dyn Fn(&RelPath) -> bool + Sync);

/// All files below `root` that should be indexed, and why others are not.
///
/// # Errors
/// `root` itself cannot be read. Unreadable files and folders below it are counted as skipped.
pub fn walk(root: &Path, options: &ScanOptions, is_source: IsSource<'_>) -> Result<Walk, ScanError> {
    walk_with(root, (options, is_source), global_rules()).map(|(walk, _)| walk)
}

/// The folders that a walk lists, `""` for the root: where a file that counts can appear.
///
/// # Errors
/// `root` itself cannot be read.
pub fn folders(root: &Path, options: &ScanOptions) -> Result<Vec<RelPath>, ScanError> {
    walk_with(root, (options, &|_| true), global_rules()).map(|(_, folders)| folders)
}

/// What the file system says of `path` below `root` now; `None` when it is no plain file.
#[must_use]
pub fn stat(root: &Path, path: &RelPath) -> Option<Stat> {
    let meta = fs::symlink_metadata(root.join(path.as_str())).ok()?;
    meta.is_file().then(|| stat_of(&meta))
}

/// Files that one task looks at.
const PIECE: usize = 1024;

/// Folders are given to the thread pool one by one, so depth costs no stack.
struct Walker<'a> {
    root: PathBuf,
    /// Length of the part of a path that lies above the root.
    base: usize,
    options: &'a ScanOptions,
    is_source: IsSource<'a>,
    global: Rules,
    repository: Option<PathBuf>,
    walk: Mutex<Walk>,
    /// Those that were listed.
    folders: Mutex<Vec<RelPath>>,
}

/// A folder that is still to be listed.
struct Folder {
    dir: PathBuf,
    /// From the top of the repository, with a trailing slash; empty at the top.
    path: String,
    above: Arc<Layer>,
    product: bool,
}

/// What a folder holds.
#[derive(Default)]
struct Listing {
    entries: Vec<Entry>,
    present: Present,
    build_file: bool,
    package: bool,
    marked: bool,
    skipped: Vec<Skip>,
}

struct Entry {
    /// From the top of the repository.
    path: String,
    kind: FileType,
    on_disk: DirEntry,
}

fn global_rules() -> Rules {
    let excludes = ignore::gitignore::gitconfig_excludes_path();
    excludes.map(|path| Rules::load(&path)).unwrap_or_default()
}

fn walk_with(
    root: &Path,
    (options, is_source): (&ScanOptions, IsSource<'_>),
    global: Rules,
) -> Result<(Walk, Vec<RelPath>), ScanError> {
    let failed = |source| ScanError::Root { path: root.to_path_buf(), source };
    let root = fs::canonicalize(root).map_err(failed)?;
    // Listing it again later is cheaper than carrying an error out of the pool.
    fs::read_dir(&root).map_err(failed)?;
    let git = GitDirs::above(&root);
    let (path, above) = above_root(&root, git.as_ref(), &global);
    let above = Layer::of_patterns(&path, &options.ignore_patterns, above);
    let walker = Walker {
        base: path.len(),
        options,
        is_source,
        global,
        repository: git.map(|git| git.common_dir),
        walk: Mutex::default(),
        folders: Mutex::default(),
        root,
    };
    let folder = Folder { dir: walker.root.clone(), path, above: Arc::new(above), product: false };
    rayon::scope(|pool| walker.visit(pool, folder));
    let mut walk = walker.walk.into_inner().unwrap_or_else(PoisonError::into_inner);
    walk.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    walk.skipped.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let mut folders = walker.folders.into_inner().unwrap_or_else(PoisonError::into_inner);
    folders.sort_unstable();
    Ok((walk, folders))
}

/// Path of `root` from the top of its repository and the ignore files in between. A root that these ignore was chosen all the
/// same: then they are about something else.
fn above_root(root: &Path, git: Option<&GitDirs>, global: &Rules) -> (String, Option<Arc<Layer>>) {
    let found = git.and_then(|git| {
        let inner = root.strip_prefix(&git.top).ok()?;
        let (mut dir, mut path, mut layer) = (git.top.clone(), String::new(), None);
        for part in inner {
            let present = Present { git: true, repository: path.is_empty(), ..Present::default() };
            let here = Arc::new(Layer::load(&dir, &path, present, layer));
            let name = part.to_str()?;
            if here.verdict(&format!("{path}{name}"), true, global) == Verdict::Ignored {
                return None;
            }
            dir.push(name);
            path = format!("{path}{name}/");
            layer = Some(here);
        }
        Some((path, layer))
    });
    found.unwrap_or_default()
}

impl Walker<'_> {
    fn visit<'s>(&'s self, pool: &rayon::Scope<'s>, folder: Folder) {
        let Ok(mut listing) = self.list(&folder) else {
            return self.keep(Vec::new(), vec![self.skip(&folder.path, SkipReason::Unreadable, 0)]);
        };
        if self.is_excluded(&folder, &listing) {
            return self.keep(Vec::new(), vec![self.skip(&folder.path, SkipReason::ExcludedFolder, 0)]);
        }
        let layer = if listing.present.any() {
            Arc::new(Layer::load(&folder.dir, &folder.path, listing.present, Some(folder.above)))
        } else {
            folder.above
        };
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).push(self.rel_path(&folder.path));
        let products = listing.build_file || folder.path.len() == self.base;
        let (folders, files): (Vec<_>, Vec<_>) = listing.entries.into_iter().partition(|entry| entry.kind.is_dir());
        for entry in folders.into_iter().filter(|entry| self.options.only.leads_into(self.below(&entry.path))) {
            match self.enter(entry, &layer, products) {
                Some(Ok(folder)) => pool.spawn(|pool| self.visit(pool, folder)),
                Some(Err(skip)) => listing.skipped.push(skip),
                None => {}
            }
        }
        self.keep(Vec::new(), listing.skipped);
        self.in_pieces(pool, files, &layer);
    }

    /// Looks at `files`, in parallel where there are many.
    fn in_pieces<'s>(&'s self, pool: &rayon::Scope<'s>, mut files: Vec<Entry>, layer: &Arc<Layer>) {
        while files.len() > PIECE {
            let piece = files.split_off(files.len() - PIECE);
            let layer = Arc::clone(layer);
            pool.spawn(move |_| self.files(piece, &layer));
        }
        self.files(files, layer);
    }

    fn list(&self, folder: &Folder) -> io::Result<Listing> {
        let mut listing = Listing::default();
        for entry in fs::read_dir(&folder.dir)? {
            let Ok((entry, kind)) = entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind))) else {
                listing.skipped.push(self.skip(&folder.path, SkipReason::Unreadable, 0));
                continue;
            };
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                let path = format!("{}{}", folder.path, name.to_string_lossy());
                listing.skipped.push(self.skip(&path, SkipReason::NonUnicodePath, 0));
                continue;
            };
            listing.note(name, kind);
            listing.entries.push(Entry { path: format!("{}{name}", folder.path), kind, on_disk: entry });
        }
        Ok(listing)
    }

    /// What only its content tells of a folder.
    fn is_excluded(&self, folder: &Folder, listing: &Listing) -> bool {
        let product = folder.product && !listing.package;
        let inner = folder.path.len() > self.base;
        inner && (product || listing.marked || (listing.present.repository && self.is_work_tree(&folder.dir)))
    }

    /// A second work tree of the project's own repository holds the same files once more.
    fn is_work_tree(&self, dir: &Path) -> bool {
        self.repository.is_some() && GitDirs::at(dir).map(|dirs| dirs.common_dir) == self.repository
    }

    fn enter(&self, entry: Entry, layer: &Arc<Layer>, products: bool) -> Option<Result<Folder, Skip>> {
        let rule = builtin::folder(file_name(&entry.path));
        if rule == Some(FolderRule::Never) {
            return None;
        }
        let kept = match layer.verdict(&entry.path, true, &self.global) {
            Verdict::Ignored => return None,
            Verdict::Kept => true,
            Verdict::Open => false,
        };
        if rule == Some(FolderRule::Always) && !kept {
            return Some(Err(self.skip(&entry.path, SkipReason::ExcludedFolder, 0)));
        }
        let product = rule == Some(FolderRule::Product) && products && !kept;
        Some(Ok(Folder { dir: entry.on_disk.path(), path: entry.path + "/", above: Arc::clone(layer), product }))
    }

    fn files(&self, entries: Vec<Entry>, layer: &Layer) {
        let (mut files, mut skipped) = (Vec::with_capacity(entries.len()), Vec::new());
        for entry in entries.into_iter().filter(|entry| self.options.only.covers(self.below(&entry.path))) {
            match layer.verdict(&entry.path, false, &self.global) {
                Verdict::Ignored => {}
                verdict @ (Verdict::Kept | Verdict::Open) => match self.file(&entry, verdict == Verdict::Kept) {
                    Ok(file) => files.push(file),
                    Err(skip) => skipped.push(skip),
                },
            }
        }
        self.keep(files, skipped);
    }

    fn file(&self, entry: &Entry, kept: bool) -> Result<FoundFile, Skip> {
        if entry.kind.is_symlink() {
            return Err(self.skip(&entry.path, link_reason(&self.root, &entry.on_disk.path()), 0));
        }
        if !entry.kind.is_file() {
            return Err(self.skip(&entry.path, SkipReason::SpecialFile, 0));
        }
        let meta = entry.on_disk.metadata().map_err(|_| self.skip(&entry.path, SkipReason::Unreadable, 0))?;
        let path = self.rel_path(&entry.path);
        match self.refusal(&path, meta.len(), kept) {
            Some(reason) => Err(Skip { path, reason, size: meta.len() }),
            None => Ok(FoundFile { path, stat: stat_of(&meta) }),
        }
    }

    /// Why a plain file is left out by its name and size.
    fn refusal(&self, path: &RelPath, size: u64, kept: bool) -> Option<SkipReason> {
        let kept = kept
            || self.options.extensions.iter().any(|extension| path.file_name().to_lowercase().ends_with(extension));
        let by_name = if kept { None } else { builtin::file(path.dir(), path.file_name(), size) };
        if by_name.is_some() {
            return by_name;
        }
        let too_large = size > LARGEST_FILE || (size > self.options.max_file_size && !(self.is_source)(path));
        match size {
            0 if !self.options.kept_when_empty.iter().any(|name| name == path.file_name()) => Some(SkipReason::Empty),
            _ => too_large.then_some(SkipReason::TooLarge),
        }
    }

    fn skip(&self, path: &str, reason: SkipReason, size: u64) -> Skip {
        Skip { path: self.rel_path(path), reason, size }
    }

    /// `path`, which counts from the top of the repository, from the root.
    fn rel_path(&self, path: &str) -> RelPath {
        RelPath::new(self.below(path))
    }

    fn below<'p>(&self, path: &'p str) -> &'p str {
        path.get(self.base..).unwrap_or_default().trim_end_matches('/')
    }

    fn keep(&self, mut files: Vec<FoundFile>, mut skipped: Vec<Skip>) {
        if !files.is_empty() || !skipped.is_empty() {
            let mut walk = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
            walk.files.append(&mut files);
            walk.skipped.append(&mut skipped);
        }
    }
}

impl Listing {
    /// Takes note of names that say something about the folder itself. Ignore files count only as plain files, as in git.
    fn note(&mut self, name: &str, kind: FileType) {
        self.present.repository |= name == ".git";
        self.build_file |= builtin::is_build_file(name);
        if kind.is_file() {
            self.present.git |= name == GIT_IGNORE;
            self.present.memory |= name == MEMORY_IGNORE;
            self.package |= name == "__init__.py";
            self.marked |= builtin::marks_excluded_folder(name);
        }
    }
}

impl Present {
    const fn any(self) -> bool {
        self.memory || self.git || self.repository
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(unix)]
fn stat_of(meta: &Metadata) -> Stat {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    Stat {
        size: meta.len(),
        mtime_ns: nanoseconds(meta.mtime(), meta.mtime_nsec()),
        ctime_ns: nanoseconds(meta.ctime(), meta.ctime_nsec()),
        inode: meta.ino(),
    }
}

/// Without a change time and an inode number, the creation time tells a file that was replaced.
#[cfg(not(unix))]
fn stat_of(meta: &Metadata) -> Stat {
    let nanoseconds = |time: io::Result<std::time::SystemTime>| {
        let since = time.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    };
    Stat { size: meta.len(), mtime_ns: nanoseconds(meta.modified()), ctime_ns: nanoseconds(meta.created()), inode: 0 }
}

#[cfg(test)]
mod tests;
