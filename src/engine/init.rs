//! Prepares a project: `.memory/`, an entry that keeps it out of git, and `.memoryignore`. Writes nothing that is already there
//! and nothing that others wrote. Read [`Touched`] first.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::Engine;
use crate::project::MEMORY_DIR;

/// What happened to one file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TouchedAs {
    Created,
    Changed,
    /// As it should be already.
    Kept,
}

impl TouchedAs {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Kept => "kept",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    pub path: PathBuf,
    pub how: TouchedAs,
}

const EXCLUDE_ENTRY: &str = "/.memory/";
const MEMORYIGNORE: &str = ".memoryignore";
const MEMORYIGNORE_TEXT: &str = include_str!("../../.memoryignore.example");

impl Engine {
    /// Creates what is missing; with `dry_run` only says what it would do. Running it twice changes nothing more.
    ///
    /// # Errors
    /// A file or folder cannot be read or written.
    pub fn init(&self, dry_run: bool) -> anyhow::Result<Vec<Touched>> {
        let mut touched = vec![self.init_memory_dir(dry_run)?];
        if let Some(exclude) = self.project.info_exclude() {
            touched.push(self.init_exclude(exclude, dry_run)?);
        }
        touched.push(init_memoryignore(&self.project.root, dry_run)?);
        Ok(touched)
    }

    fn init_memory_dir(&self, dry_run: bool) -> anyhow::Result<Touched> {
        let path = self.project.memory_dir.clone();
        let missing = if dry_run { !path.is_dir() } else { self.project.ensure_memory_dir()? };
        Ok(Touched { path, how: if missing { TouchedAs::Created } else { TouchedAs::Kept } })
    }

    /// A pattern with a leading slash is anchored at the top of the work tree, so the entry names the way down from there.
    fn init_exclude(&self, exclude: PathBuf, dry_run: bool) -> anyhow::Result<Touched> {
        let entry = self.exclude_entry();
        let text = match fs::read(&exclude) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", exclude.display())),
        };
        let known = String::from_utf8_lossy(&text).lines().any(|line| is_entry(line.trim(), &entry));
        if known {
            return Ok(Touched { path: exclude, how: TouchedAs::Kept });
        }
        let how = if exclude.exists() { TouchedAs::Changed } else { TouchedAs::Created };
        if !dry_run {
            let start = if text.is_empty() || text.ends_with(b"\n") { "" } else { "\n" };
            append(&exclude, &format!("{start}{entry}\n"))?;
        }
        Ok(Touched { path: exclude, how })
    }

    fn exclude_entry(&self) -> String {
        let top = self.project.git.as_ref().map(|git| git.dirs.top.as_path());
        let below = top.and_then(|top| self.project.root.strip_prefix(top).ok()).filter(|p| !p.as_os_str().is_empty());
        below.map_or_else(
            || EXCLUDE_ENTRY.to_owned(),
            |below| format!("/{}{EXCLUDE_ENTRY}", below.to_string_lossy().replace('\\', "/")),
        )
    }
}

fn is_entry(line: &str, entry: &str) -> bool {
    line == entry || line == MEMORY_DIR || line == format!("{MEMORY_DIR}/") || line == entry.trim_end_matches('/')
}

fn append(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

fn init_memoryignore(root: &Path, dry_run: bool) -> anyhow::Result<Touched> {
    let path = root.join(MEMORYIGNORE);
    if fs::symlink_metadata(&path).is_ok() {
        return Ok(Touched { path, how: TouchedAs::Kept });
    }
    if !dry_run {
        append(&path, MEMORYIGNORE_TEXT)?;
    }
    Ok(Touched { path, how: TouchedAs::Created })
}
