//! Prepares a project and connects its assistants: `.memory/`, an entry that keeps it out of git, `.memoryignore`, and what each assistant
//! reads. It changes nothing that others wrote, and takes back exactly what it added. Read [`InitRequest`] first.
//!
//! - `clients`: the files of the assistants; `json_text` (on `json_tree`), `block_text`: changes in a text that leave the rest as it is.
//! - `record`: what the files were before, so that they can be given back to the byte.

mod block_text;
pub(super) mod clients;
pub(super) mod json_text;
mod json_tree;
mod record;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use self::clients::{BrokenConfig, ConfigFile};
use self::record::Record;
use super::Engine;
use crate::project::MEMORY_DIR;

pub use self::clients::Client;

/// What to prepare.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InitRequest {
    /// Write nothing.
    pub dry_run: bool,
    pub clients: Vec<Client>,
    /// A section about the index in CLAUDE.md.
    pub claude_md: bool,
    /// Settings to keep in `config.json`.
    pub settings: Settings,
}

/// Settings that `init` can write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settings {
    /// Of the daemon.
    pub port: Option<u16>,
    pub embedding_provider: Option<EmbeddingProvider>,
}

/// What turns text into vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddingProvider {
    Keyword,
    Local,
    Ollama,
    Openai,
}

impl EmbeddingProvider {
    pub const ALL: [Self; 4] = [Self::Keyword, Self::Local, Self::Ollama, Self::Openai];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Local => "local",
            Self::Ollama => "ollama",
            Self::Openai => "openai",
        }
    }

    /// It is part of this version.
    #[must_use]
    pub const fn is_built(self) -> bool {
        match self {
            Self::Keyword => true,
            Self::Local | Self::Ollama | Self::Openai => false,
        }
    }
}

/// A file of an assistant that is not changed, because that could lose what stands in it.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    #[error("{} cannot be read: {what}", path.display())]
    Broken { path: PathBuf, what: String },
    #[error("{} leads out of the project", path.display())]
    LeadsOut { path: PathBuf },
    #[error("the embedding provider {0} is not part of this version")]
    NotBuilt(&'static str),
}

impl InitError {
    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Broken { .. } => "correct the file, or leave its client out of --client; nothing was written",
            Self::LeadsOut { .. } => "put a file or folder in place of the link; nothing was written",
            Self::NotBuilt(_) => "use keyword",
        }
    }
}

/// What happened to one file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TouchedAs {
    Created,
    Changed,
    /// As it should be already.
    Kept,
    Removed,
}

impl TouchedAs {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Kept => "kept",
            Self::Removed => "removed",
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
const MEMORYIGNORE_TEXT: &str = include_str!("../../../.memoryignore.example");

impl Engine {
    /// Creates what is missing and connects the assistants asked for. Running it twice changes nothing more.
    ///
    /// # Errors
    /// [`InitError`], before anything is written; a file or folder cannot be read or written.
    pub fn init(&self, request: &InitRequest) -> anyhow::Result<Vec<Touched>> {
        let provider = request.settings.embedding_provider.filter(|provider| !provider.is_built());
        if let Some(provider) = provider {
            return Err(InitError::NotBuilt(provider.as_str()).into());
        }
        let files = files_of(&request.clients).chain(request.claude_md.then_some(ConfigFile::ClaudeMd));
        let changes =
            files.filter_map(|file| self.connect(file).transpose()).collect::<anyhow::Result<Vec<Change>>>()?;
        let settings = self.with_settings(request.settings)?;
        let mut touched = vec![self.init_memory_dir(request.dry_run)?];
        if let Some(exclude) = self.project.info_exclude() {
            touched.push(self.init_exclude(exclude, request.dry_run)?);
        }
        touched.push(init_memoryignore(&self.project.root, request.dry_run)?);
        let mut record = Record::load(&self.project.memory_dir);
        for change in settings.into_iter().chain(changes) {
            touched.push(change.touched());
            if !request.dry_run {
                record.keep(&self.project.root, &change);
                change.write()?;
            }
        }
        if !request.dry_run {
            record.save(&self.project.memory_dir)?;
        }
        Ok(touched)
    }

    /// Takes back what [`Engine::init`] added for these assistants and, when it is for all of them, to the project. What is indexed or
    /// remembered stays.
    ///
    /// # Errors
    /// See [`Engine::init`].
    pub fn uninstall(&self, clients: &[Client], dry_run: bool) -> anyhow::Result<Vec<Touched>> {
        let all = Client::ALL.iter().all(|client| clients.contains(client));
        let claude_md = clients.contains(&Client::Claude).then_some(ConfigFile::ClaudeMd);
        let mut record = Record::load(&self.project.memory_dir);
        let files = files_of(clients).chain(claude_md);
        let changes = files.filter_map(|file| self.disconnect(file, &record).transpose());
        let changes = changes.collect::<anyhow::Result<Vec<Change>>>()?;
        let mut touched = Vec::new();
        for change in changes {
            touched.push(change.touched());
            if !dry_run {
                change.write()?;
                record.forget(&self.project.root, &change.path);
            }
        }
        if all {
            touched.extend(self.uninit(dry_run)?);
        } else if !dry_run {
            record.save(&self.project.memory_dir)?;
        }
        Ok(touched)
    }

    fn connect(&self, file: ConfigFile) -> anyhow::Result<Option<Change>> {
        let Some(path) = file.path(&self.project) else { return Ok(None) };
        let before = self.config_text(file, &path)?;
        let broken = |error: BrokenConfig| InitError::Broken { path: path.clone(), what: error.to_string() };
        let after = file.with(before.as_deref().unwrap_or_default(), &self.project.root).map_err(broken)?;
        Ok(Some(Change { path, before, after: Some(after) }))
    }

    fn disconnect(&self, file: ConfigFile, record: &Record) -> anyhow::Result<Option<Change>> {
        let Some(path) = file.path(&self.project) else { return Ok(None) };
        let Some(before) = self.config_text(file, &path)? else { return Ok(None) };
        let broken = |error: BrokenConfig| InitError::Broken { path: path.clone(), what: error.to_string() };
        let stripped = file.without(&before).map_err(broken)?;
        if stripped == before {
            return Ok(None);
        }
        let after = match record.kept(&self.project.root, &path, &before) {
            Some(kept) => kept.before.clone(),
            None => (!file.is_blank(&stripped)).then_some(stripped),
        };
        Ok(Some(Change { path, before: Some(before), after }))
    }

    /// Text of a file of an assistant. A cloned repository may bring a link, and what is written through it would land in a place of the
    /// repository's choice.
    fn config_text(&self, file: ConfigFile, path: &Path) -> anyhow::Result<Option<String>> {
        let there = path.ancestors().find(|above| fs::symlink_metadata(above).is_ok());
        let real = there.and_then(|there| fs::canonicalize(there).ok());
        if !file.is_users() && !real.is_some_and(|real| real.starts_with(&self.project.root)) {
            return Err(InitError::LeadsOut { path: path.to_path_buf() }.into());
        }
        read_text(path)
    }

    fn with_settings(&self, settings: Settings) -> anyhow::Result<Option<Change>> {
        let Settings { port, embedding_provider } = settings;
        let path = self.project.config_file();
        let before = if self.project.memory_dir.is_dir() { read_text(&path)? } else { None };
        let mut text = before.clone().unwrap_or_default();
        let port = port.map(|port| ("port", port.to_string()));
        let provider = embedding_provider.map(|provider| ("embeddingProvider", format!("{:?}", provider.as_str())));
        for (key, value) in port.into_iter().chain(provider) {
            let broken =
                |error: json_tree::BrokenJson| InitError::Broken { path: path.clone(), what: error.to_string() };
            text = json_text::set(&text, &[key], &value).map_err(broken)?;
        }
        let asked = settings != Settings::default();
        Ok(asked.then_some(Change { path, before, after: Some(text) }))
    }

    /// What `init` made for the project itself. `.memory/` goes only when nothing of worth is in it.
    fn uninit(&self, dry_run: bool) -> anyhow::Result<Vec<Touched>> {
        let mut touched = Vec::new();
        let ignore = self.project.root.join(MEMORYIGNORE);
        if fs::read_to_string(&ignore).is_ok_and(|text| text == MEMORYIGNORE_TEXT) {
            touched.push(removed(ignore, dry_run)?);
        }
        let dir = &self.project.memory_dir;
        let ours = [".gitignore", record::FILE];
        let only_ours = fs::read_dir(dir).is_ok_and(|mut entries| {
            entries.all(|entry| entry.is_ok_and(|entry| ours.iter().any(|name| entry.file_name() == *name)))
        });
        if !only_ours {
            return Ok(touched);
        }
        if !dry_run {
            fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
        }
        touched.push(Touched { path: dir.clone(), how: TouchedAs::Removed });
        if let Some(change) = self.without_exclude()? {
            touched.push(change.touched());
            if !dry_run {
                change.write()?;
            }
        }
        Ok(touched)
    }

    fn without_exclude(&self) -> anyhow::Result<Option<Change>> {
        let Some(path) = self.project.info_exclude() else { return Ok(None) };
        let Some(before) = read_text(&path)? else { return Ok(None) };
        let entry = self.exclude_entry();
        let kept: String = before.split_inclusive('\n').filter(|line| line.trim_end() != entry).collect();
        Ok((kept != before).then_some(Change { path, before: Some(before), after: Some(kept) }))
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

/// A file before and after; `None` where it is not there.
struct Change {
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
}

impl Change {
    fn touched(&self) -> Touched {
        let how = match (&self.before, &self.after) {
            (before, after) if before == after => TouchedAs::Kept,
            (None, Some(_)) => TouchedAs::Created,
            (Some(_), Some(_)) => TouchedAs::Changed,
            (_, None) => TouchedAs::Removed,
        };
        Touched { path: self.path.clone(), how }
    }

    /// The whole file at once, so that a reader never meets a half. The folder that was made for a file goes with it.
    fn write(&self) -> anyhow::Result<()> {
        let Some(after) = &self.after else {
            fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))?;
            // It may hold other things.
            if let Some(folder) = self.path.parent() {
                drop(fs::remove_dir(folder));
            }
            return Ok(());
        };
        if self.before.as_ref() == Some(after) {
            return Ok(());
        }
        replace(&self.path, after).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    // A link inside the project stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let fresh = folder.join(format!(".{name}.{}.new", std::process::id()));
    fs::write(&fresh, text)?;
    let kept = fs::metadata(&path).and_then(|meta| fs::set_permissions(&fresh, meta.permissions()));
    drop(kept);
    fs::rename(&fresh, &path).inspect_err(|_| drop(fs::remove_file(&fresh)))
}

fn files_of(clients: &[Client]) -> impl Iterator<Item = ConfigFile> {
    let asked = Client::ALL.into_iter().filter(|client| clients.contains(client));
    asked.flat_map(|client| client.files().iter().copied())
}

fn read_text(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).ok();
            let broken = || InitError::Broken { path: path.to_path_buf(), what: "it is not UTF-8".to_owned() };
            Ok(Some(text.ok_or_else(broken)?))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn removed(path: PathBuf, dry_run: bool) -> anyhow::Result<Touched> {
    if !dry_run {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    Ok(Touched { path, how: TouchedAs::Removed })
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
