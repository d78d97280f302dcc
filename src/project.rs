//! Where things are: the root, `.memory/`, and what git calls this checkout. Reads git's files itself and never runs git;
//! knows no setting and no content. Read [`Project`] first.

mod daemon;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use daemon::{Claim, DaemonFiles, DaemonRecord};

/// Folder of the index and the memory, inside the root.
pub const MEMORY_DIR: &str = ".memory";

/// Branch name where git does not tell one.
pub const DEFAULT_BRANCH: &str = "main";

/// A folder with one of these is a project root.
const MARKERS: [&str; 5] = [".git", "Cargo.toml", "package.json", "pyproject.toml", "go.mod"];

/// Most bytes read of a git file: `packed-refs` of large repositories has some megabytes.
const GIT_FILE_LIMIT: u64 = 64 << 20;

/// A project on disk. `root` is absolute and free of symbolic links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub root: PathBuf,
    pub memory_dir: PathBuf,
    pub git: Option<GitIdentity>,
}

/// What git calls a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitIdentity {
    pub dirs: GitDirs,
    /// Short branch name, or `detached-` and eight digits of the commit.
    pub branch: String,
    /// Current commit in hex; `None` before the first commit.
    pub head: Option<String>,
}

/// Git's own folders. They differ in linked work trees only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitDirs {
    /// Folder that holds `.git`.
    pub top: PathBuf,
    /// Of this work tree: `HEAD`, index.
    pub git_dir: PathBuf,
    /// Of the repository: refs, `info/exclude`.
    pub common_dir: PathBuf,
}

#[derive(Debug, Error)]
pub enum ProjectError {
    #[error("cannot open project folder {}: {source}", path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("project {} is not a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("{} is not a folder of its own (a file or a symbolic link is in its place)", path.display())]
    MemoryDirTaken { path: PathBuf },
    #[error("cannot create {}: {source}", path.display())]
    CreateMemoryDir { path: PathBuf, source: io::Error },
}

/// The folder that the process was started in.
///
/// # Errors
/// It does not exist any more, or cannot be read.
pub fn current_dir() -> io::Result<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "the one place where the root is looked for")]
    std::env::current_dir()
}

impl Project {
    /// The project that `start` (a file or folder) lies in: the nearest folder upwards with `.git`, `Cargo.toml`,
    /// `package.json`, `pyproject.toml` or `go.mod`, or `start` itself. A folder that already has `.memory/` wins over a
    /// nested marker, up to the git root; outside git any folder upwards counts but the home folder.
    ///
    /// # Errors
    /// `start` does not exist or cannot be resolved.
    pub fn discover(start: &Path) -> Result<Self, ProjectError> {
        let start = canonical(start)?;
        let start = if start.is_dir() { start.as_path() } else { start.parent().unwrap_or(&start) };
        let root = initialised_above(start).or_else(|| marked_above(start)).unwrap_or(start);
        Ok(Self::from_root(root.to_path_buf()))
    }

    /// The project at exactly `dir`.
    ///
    /// # Errors
    /// `dir` does not exist or is not a folder.
    pub fn at(dir: &Path) -> Result<Self, ProjectError> {
        let root = canonical(dir)?;
        if !root.is_dir() {
            return Err(ProjectError::NotAFolder { path: dir.to_path_buf() });
        }
        Ok(Self::from_root(root))
    }

    fn from_root(root: PathBuf) -> Self {
        let git = GitDirs::above(&root).map(GitIdentity::read);
        Self { memory_dir: root.join(MEMORY_DIR), root, git }
    }

    /// Branch that memory is kept under; [`DEFAULT_BRANCH`] without git.
    #[must_use]
    pub fn branch(&self) -> &str {
        self.git.as_ref().map_or(DEFAULT_BRANCH, |git| &git.branch)
    }

    /// Current commit in hex.
    #[must_use]
    pub fn commit(&self) -> Option<&str> {
        self.git.as_ref()?.head.as_deref()
    }

    /// `info/exclude` of the repository, shared by all its work trees.
    #[must_use]
    pub fn info_exclude(&self) -> Option<PathBuf> {
        self.git.as_ref().map(|git| git.dirs.info_exclude())
    }

    #[must_use]
    pub fn config_file(&self) -> PathBuf {
        self.memory_dir.join("config.json")
    }

    /// The root is the user's home folder: nobody's project.
    #[must_use]
    pub fn is_home(&self) -> bool {
        Self::home().is_some_and(|home| fs::canonicalize(&home).unwrap_or(home) == self.root)
    }

    /// The user's home folder.
    #[must_use]
    pub fn home() -> Option<PathBuf> {
        directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_path_buf())
    }

    /// Creates `.memory/` for this user only (mode 0700) where it is missing; `true` when it was. A `.gitignore` of its own keeps it out
    /// of git also where `init` was never run.
    ///
    /// # Errors
    /// The folder cannot be created, or a file or symbolic link has its name: a cloned repository may bring a link, and what is
    /// written through it would land in a place of the repository's choice.
    pub fn ensure_memory_dir(&self) -> Result<bool, ProjectError> {
        let path = || self.memory_dir.clone();
        match fs::symlink_metadata(&self.memory_dir) {
            Ok(meta) if meta.is_dir() => Ok(false),
            Ok(_) => Err(ProjectError::MemoryDirTaken { path: path() }),
            Err(_) => match create_private(&self.memory_dir) {
                Ok(()) => fs::write(self.memory_dir.join(".gitignore"), "*\n")
                    .map(|()| true)
                    .map_err(|source| ProjectError::CreateMemoryDir { path: path(), source }),
                // Another process was faster.
                Err(source) if source.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(source) => Err(ProjectError::CreateMemoryDir { path: path(), source }),
            },
        }
    }
}

impl GitDirs {
    /// Of the repository that `dir` lies in.
    #[must_use]
    pub fn above(dir: &Path) -> Option<Self> {
        dir.ancestors().find_map(Self::at)
    }

    /// Of the work tree whose top is `top`; `None` where its `.git` leads to no repository.
    #[must_use]
    pub fn at(top: &Path) -> Option<Self> {
        let dot_git = top.join(".git");
        let git_dir = if dot_git.is_dir() { dot_git } else { linked(top, &dot_git, "gitdir:")? };
        let common_dir = linked(&git_dir, &git_dir.join("commondir"), "").unwrap_or_else(|| git_dir.clone());
        let real = git_dir.join("HEAD").is_file() && common_dir.join("objects").is_dir();
        real.then(|| Self { top: top.to_path_buf(), git_dir, common_dir })
    }

    #[must_use]
    pub fn info_exclude(&self) -> PathBuf {
        self.common_dir.join("info").join("exclude")
    }

    /// Commit that `reference` (`refs/heads/…`) stands for.
    fn resolve(&self, reference: &str) -> Option<String> {
        let mut name = reference.to_owned();
        // Symbolic references may lead to each other; git follows five as well.
        for _ in 0..5 {
            let value = self.loose(&name).or_else(|| self.packed(&name))?;
            match value.strip_prefix("ref:") {
                Some(next) => next.trim().clone_into(&mut name),
                None => return is_commit(&value).then_some(value),
            }
        }
        None
    }

    fn loose(&self, name: &str) -> Option<String> {
        if !name.starts_with("refs/") || name.split('/').any(|part| part == "..") {
            return None;
        }
        [&self.git_dir, &self.common_dir].into_iter().find_map(|dir| first_line(&dir.join(name)))
    }

    fn packed(&self, name: &str) -> Option<String> {
        let text = read_text(&self.common_dir.join("packed-refs"))?;
        let (commit, _) = text.lines().filter_map(|line| line.split_once(' ')).find(|(_, found)| *found == name)?;
        Some(commit.to_owned())
    }
}

impl GitIdentity {
    fn read(dirs: GitDirs) -> Self {
        let head = first_line(&dirs.git_dir.join("HEAD")).unwrap_or_default();
        if let Some(reference) = head.strip_prefix("ref:").map(str::trim) {
            let short = reference.strip_prefix("refs/heads/").unwrap_or(reference);
            // Repositories with the `reftable` format keep this stand-in in HEAD.
            let branch = if short == ".invalid" || short.is_empty() { DEFAULT_BRANCH } else { short };
            return Self { branch: branch.to_owned(), head: dirs.resolve(reference), dirs };
        }
        if is_commit(&head) {
            let branch = format!("detached-{}", head.get(..8).unwrap_or_default());
            return Self { branch, head: Some(head), dirs };
        }
        Self { branch: DEFAULT_BRANCH.to_owned(), head: None, dirs }
    }
}

/// Opens `path` for reading if it is a plain file. Never waits, whatever has taken its place (a pipe without a writer).
///
/// # Errors
/// Those of the system, and `InvalidInput` where `path` is no plain file.
pub(crate) fn open_plain(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(NON_BLOCKING);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// First `limit` bytes of a plain file, lossily as text and without a byte order mark.
///
/// # Errors
/// Those of [`open_plain`] and of reading.
pub(crate) fn read_plain(path: &Path, limit: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    open_plain(path)?.take(limit).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

/// Puts `content` in the place of what is at `path`, whole or not at all, readable by its owner only.
///
/// # Errors
/// Those of the system.
pub(crate) fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
    let half = path.with_extension(format!("{}.tmp", std::process::id()));
    // What lies there, a link perhaps, is not written to.
    match fs::remove_file(&half) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&half).and_then(|mut file| file.write_all(content));
    written.and_then(|()| fs::rename(&half, path)).inspect_err(|_| drop(fs::remove_file(&half)))
}

// `O_NONBLOCK`, which std does not name.
#[cfg(any(target_os = "linux", target_os = "android"))]
const NON_BLOCKING: i32 = 0o4000;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
const NON_BLOCKING: i32 = 4;

fn canonical(path: &Path) -> Result<PathBuf, ProjectError> {
    fs::canonicalize(path).map_err(|source| ProjectError::Open { path: path.to_path_buf(), source })
}

fn marked_above(start: &Path) -> Option<&Path> {
    start.ancestors().find(|dir| MARKERS.iter().any(|marker| dir.join(marker).exists()))
}

fn initialised_above(start: &Path) -> Option<&Path> {
    let git_top = start.ancestors().find(|dir| dir.join(".git").exists());
    let home = Project::home();
    let initialised = |dir: &&Path| dir.join(MEMORY_DIR).is_dir();
    match git_top {
        Some(top) => start.ancestors().take_while(|dir| dir.starts_with(top)).find(initialised),
        None => start.ancestors().take_while(|dir| *dir == start || Some(*dir) != home.as_deref()).find(initialised),
    }
}

/// Folder that the file `from` names after `prefix`, relative to `base`.
fn linked(base: &Path, from: &Path, prefix: &str) -> Option<PathBuf> {
    let line = first_line(from)?;
    fs::canonicalize(base.join(line.strip_prefix(prefix)?.trim())).ok()
}

fn first_line(path: &Path) -> Option<String> {
    read_text(path)?.lines().next().map(|line| line.trim().to_owned())
}

fn read_text(path: &Path) -> Option<String> {
    read_plain(path, GIT_FILE_LIMIT).ok()
}

fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn create_private(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(dir)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use tempfile::TempDir;

    use super::{GitDirs, Project, ProjectError};

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    /// Writes `files` (a path ending in `/` is a folder) below a fresh folder.
    fn tree(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        for (path, text) in files {
            let full = root.join(path);
            if path.ends_with('/') {
                fs::create_dir_all(full).unwrap();
            } else {
                fs::create_dir_all(full.parent().unwrap()).unwrap();
                fs::write(full, text).unwrap();
            }
        }
        (dir, root)
    }

    fn discovered(root: &Path, start: &str) -> String {
        let project = Project::discover(&root.join(start)).unwrap();
        project.root.strip_prefix(root).unwrap().to_str().unwrap().to_owned()
    }

    fn project(files: &[(&str, &str)]) -> (TempDir, Project) {
        let (dir, root) = tree(files);
        (dir, Project::at(&root).unwrap())
    }

    #[test]
    fn nearest_marker_is_the_root() {
        for marker in ["Cargo.toml", "package.json", "pyproject.toml", "go.mod", ".git/HEAD", ".git"] {
            let (_dir, root) = tree(&[("a/go.mod", ""), (&format!("a/b/{marker}"), ""), ("a/b/c/d/x.rs", "")]);
            assert_eq!(discovered(&root, "a/b/c/d"), "a/b", "{marker}");
            assert_eq!(discovered(&root, "a/b/c/d/x.rs"), "a/b", "{marker}");
        }
    }

    #[test]
    fn start_is_the_root_where_nothing_marks_one() {
        let (_dir, root) = tree(&[("a/b/", "")]);
        assert_eq!(discovered(&root, "a/b"), "a/b");
    }

    #[test]
    fn initialised_folder_wins_over_a_nested_marker_up_to_the_git_root() {
        let (_dir, root) = tree(&[
            (".memory/", ""),
            ("repo/.git/HEAD", ""),
            ("repo/.memory/", ""),
            ("repo/web/package.json", ""),
            ("other/.git/HEAD", ""),
            ("other/web/package.json", ""),
            ("plain/web/package.json", ""),
        ]);
        assert_eq!(discovered(&root, "repo/web"), "repo");
        assert_eq!(discovered(&root, "other/web"), "other/web");
        assert_eq!(discovered(&root, "plain/web"), "");
    }

    #[test]
    fn explicit_project_must_be_an_existing_folder() {
        let (_dir, root) = tree(&[("file", "")]);
        assert!(matches!(Project::at(&root.join("none")), Err(ProjectError::Open { .. })));
        assert!(matches!(Project::at(&root.join("file")), Err(ProjectError::NotAFolder { .. })));
    }

    #[test]
    fn branch_and_commit_come_from_a_loose_reference() {
        let (_dir, project) = project(&[
            (".git/HEAD", "ref: refs/heads/feature/x\n"),
            (".git/objects/", ""),
            (".git/refs/heads/feature/x", &format!("{COMMIT}\n")),
        ]);
        assert_eq!((project.branch(), project.commit()), ("feature/x", Some(COMMIT)));
    }

    #[test]
    fn commit_comes_from_packed_references_and_through_symbolic_ones() {
        let packed = format!("# pack-refs with: peeled\n{COMMIT} refs/heads/main2\n^{COMMIT}\n");
        let (_dir, project) = project(&[
            (".git/HEAD", "ref: refs/heads/alias"),
            (".git/objects/", ""),
            (".git/refs/heads/alias", "ref: refs/heads/main2"),
            (".git/packed-refs", &packed),
        ]);
        assert_eq!(project.commit(), Some(COMMIT));
    }

    #[test]
    fn detached_unborn_and_missing_repositories_have_a_branch_name() {
        let (_dir, detached) = project(&[(".git/HEAD", COMMIT), (".git/objects/", "")]);
        assert_eq!((detached.branch(), detached.commit()), ("detached-01234567", Some(COMMIT)));
        let (_dir, unborn) = project(&[(".git/HEAD", "ref: refs/heads/trunk"), (".git/objects/", "")]);
        assert_eq!((unborn.branch(), unborn.commit()), ("trunk", None));
        let (_dir, none) = project(&[("x", "")]);
        assert_eq!((none.branch(), none.commit(), &none.git), ("main", None, &None));
    }

    #[test]
    fn hostile_references_are_not_followed() {
        for target in ["ref: ../../secret", "ref: refs/../../secret", "ref: refs/heads/loop", "", "\u{0}\u{1}"] {
            let (_dir, project) = project(&[
                (".git/HEAD", target),
                (".git/objects/", ""),
                (".git/refs/heads/loop", "ref: refs/heads/loop"),
                ("secret", COMMIT),
            ]);
            assert_eq!(project.commit(), None, "{target:?}");
        }
    }

    #[test]
    fn linked_work_trees_and_submodules_share_the_common_folder() {
        let (_dir, root) = tree(&[
            ("main/.git/HEAD", "ref: refs/heads/main"),
            ("main/.git/objects/", ""),
            ("main/.git/refs/heads/topic", COMMIT),
            ("main/.git/worktrees/w/HEAD", "ref: refs/heads/topic"),
            ("main/.git/worktrees/w/commondir", "../..\n"),
            ("w/.git", "gitdir: ../main/.git/worktrees/w\n"),
            ("main/.git/modules/m/HEAD", COMMIT),
            ("main/.git/modules/m/objects/", ""),
            ("main/m/.git", "gitdir: ../.git/modules/m"),
        ]);
        let tree = Project::at(&root.join("w")).unwrap();
        assert_eq!((tree.branch(), tree.commit()), ("topic", Some(COMMIT)));
        assert_eq!(tree.info_exclude(), Some(root.join("main/.git/info/exclude")));
        let module = Project::at(&root.join("main/m")).unwrap();
        assert_eq!(module.info_exclude(), Some(root.join("main/.git/modules/m/info/exclude")));
    }

    #[test]
    fn git_file_that_leads_nowhere_is_no_repository() {
        let (_dir, root) = tree(&[("a/.git", "gitdir: ../etc"), ("etc/info/exclude", ""), ("etc/HEAD", "")]);
        assert_eq!(GitDirs::at(&root.join("a")), None);
    }

    #[cfg(unix)]
    #[test]
    fn memory_folder_is_private_and_never_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (_dir, project) = project(&[("elsewhere/", "")]);
        assert!(project.ensure_memory_dir().unwrap());
        assert!(!project.ensure_memory_dir().unwrap());
        assert_eq!(fs::metadata(&project.memory_dir).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::read_to_string(project.memory_dir.join(".gitignore")).unwrap(), "*\n");
        fs::remove_dir_all(&project.memory_dir).unwrap();
        symlink(project.root.join("elsewhere"), &project.memory_dir).unwrap();
        assert!(matches!(project.ensure_memory_dir(), Err(ProjectError::MemoryDirTaken { .. })));
    }
}
