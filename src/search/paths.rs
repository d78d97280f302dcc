//! Paths cut into words, and what the list of all paths says of each. It judges none: that is for `factors`.
//! Read [`PathWords`] first.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::RelPath;
use crate::store::names::effective_name;
use crate::store::tokens;

/// A path cut into what the rules ask for.
pub(super) struct PathWords<'a> {
    pub path: &'a str,
    pub index: bool,
    pub generated: bool,
    /// Folders in lower case.
    pub folders: Vec<String>,
    folder_words: Vec<Vec<String>>,
    /// Words of the file name without its extension.
    pub name_words: Vec<String>,
    pub foreign_names: Vec<&'static str>,
    pub old_version: Option<&'a str>,
    pub has_implementation: bool,
}

/// What the list of all files says of each.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// Folder -> highest `N` of the `vN` folders in it.
    newest: FxHashMap<Box<str>, u32>,
    /// Paths of C-like sources without their extension.
    implementations: FxHashSet<Box<str>>,
}

const SOURCES: &[&str] = &["c", "cc", "cpp", "cxx", "c++", "m", "mm", "cu"];
const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx", "h++", "cuh"];
const UNIX: &[&str] = &[
    "linux",
    "macos",
    "ios",
    "android",
    "freebsd",
    "netbsd",
    "openbsd",
    "dragonfly",
    "solaris",
    "illumos",
    "aix",
    "haiku",
];
const BSD: &[&str] = &["freebsd", "netbsd", "openbsd", "dragonfly", "macos", "ios"];

/// Names of a system in paths, and the hosts (as `std::env::consts::OS` calls them) it is no other system for.
const PLATFORMS: &[(&[&str], &[&str])] = &[
    (&["windows", "win", "win32", "win64", "winnt", "mingw", "msys"], &["windows"]),
    (&["macos", "macosx", "osx", "darwin"], &["macos", "ios"]),
    (&["ios", "tvos", "watchos"], &["ios"]),
    (&["linux"], &["linux", "android"]),
    (&["unix", "posix"], UNIX),
    (&["android"], &["android"]),
    (&["bsd"], BSD),
    (&["freebsd"], &["freebsd"]),
    (&["netbsd"], &["netbsd"]),
    (&["openbsd"], &["openbsd"]),
    (&["solaris", "sunos", "illumos"], &["solaris", "illumos"]),
    (&["aix"], &["aix"]),
    (&["haiku"], &["haiku"]),
    (&["cygwin"], &["cygwin"]),
    (&["wasm", "wasm32", "wasi", "emscripten"], &["emscripten", "wasi"]),
    (&["fuchsia"], &["fuchsia"]),
    (&["qnx", "vxworks"], &["nto", "vxworks"]),
];

impl<'a> PathWords<'a> {
    pub(super) fn new(path: &'a RelPath, generated: bool, neighbours: &Neighbours, host: &str) -> Self {
        let index = effective_name(path).index;
        let (dir, file, path) = (path.dir(), path.file_name(), path.as_str());
        let folders = || dir.split('/').filter(|folder| !folder.is_empty());
        let (name, extension) = file.rsplit_once('.').unwrap_or((file, ""));
        let bare = path.strip_suffix(extension).and_then(|path| path.strip_suffix('.'));
        let old = versions(dir)
            .find(|(parent, _, version)| neighbours.newest.get(*parent).is_some_and(|newest| newest > version));
        let mut words = Self {
            path,
            index,
            generated,
            folders: folders().map(str::to_lowercase).collect(),
            folder_words: folders().map(words_of).collect(),
            name_words: words_of(name),
            foreign_names: Vec::new(),
            old_version: old.map(|(_, folder, _)| folder),
            has_implementation: HEADERS.contains(&extension)
                && bare.is_some_and(|bare| neighbours.implementations.contains(bare)),
        };
        words.foreign_names = words.foreign(host, stem(file));
        words
    }

    /// Names of the other systems the path speaks of.
    fn foreign(&self, host: &str, stem: &str) -> Vec<&'static str> {
        let stem = stem.to_lowercase();
        let runs =
            || self.folders.iter().chain([&stem]).flat_map(|name| name.split(|char: char| !char.is_alphanumeric()));
        let parts = || self.folder_words.iter().flatten().chain(&self.name_words).map(String::as_str);
        let named = |name: &str| runs().any(|run| run == name) || parts().any(|part| part == name);
        let others =
            PLATFORMS.iter().filter(|(names, hosts)| !hosts.contains(&host) && names.iter().any(|name| named(name)));
        others.flat_map(|(names, _)| names.iter().copied()).collect()
    }

    pub(super) fn folder(&self, names: &[&str]) -> bool {
        self.folders.iter().any(|folder| names.contains(&folder.as_str()))
    }

    pub(super) fn extension(&self, extensions: &[&str]) -> bool {
        self.path
            .rsplit_once('.')
            .is_some_and(|(_, extension)| extensions.iter().any(|e| e.eq_ignore_ascii_case(extension)))
    }

    pub(super) fn ends_with(&self, suffixes: &[&str]) -> bool {
        suffixes.iter().any(|suffix| self.path.ends_with(suffix))
    }

    /// A word of the file name or of a folder.
    pub(super) fn any_word(&self, words: &[&str]) -> bool {
        self.folder_words.iter().flatten().chain(&self.name_words).any(|word| words.contains(&word.as_str()))
    }

    /// First or last word of the file name.
    pub(super) fn name_edge(&self, words: &[&str]) -> bool {
        is_edge(&self.name_words, words)
    }

    /// First or last word of a folder.
    pub(super) fn folder_edge(&self, words: &[&str]) -> bool {
        self.folder_words.iter().any(|folder| is_edge(folder, words))
    }
}

impl Neighbours {
    pub(super) fn of<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut all = Self::default();
        let mut last_dir = "";
        for path in paths {
            let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
            if dir != last_dir {
                last_dir = dir;
                all.add_versions(dir);
            }
            if let Some((name, extension)) = file.rsplit_once('.')
                && SOURCES.contains(&extension)
            {
                let end = path.len() - file.len() + name.len();
                all.implementations.insert(path.get(..end).unwrap_or_default().into());
            }
        }
        all
    }

    fn add_versions(&mut self, dir: &str) {
        for (parent, _, version) in versions(dir) {
            match self.newest.get_mut(parent) {
                Some(newest) => *newest = version.max(*newest),
                None => {
                    self.newest.insert(parent.into(), version);
                }
            }
        }
    }
}

fn is_edge(of: &[String], words: &[&str]) -> bool {
    of.first().into_iter().chain(of.last()).any(|word| words.contains(&word.as_str()))
}

/// File name up to its first dot, a leading one aside.
fn stem(file: &str) -> &str {
    let bare = file.trim_start_matches('.');
    bare.split('.').next().unwrap_or(bare)
}

/// Words of a name, split where identifiers are, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    tokens::words(name).for_each(|word| tokens::parts(word, |part| found.push(part.to_owned())));
    found
}

/// Every `vN` folder of a path: the path above it, its name and `N`.
fn versions(dir: &str) -> impl Iterator<Item = (&str, &str, u32)> {
    let mut end = 0;
    dir.split('/').filter_map(move |folder| {
        let parent = dir.get(..end).unwrap_or_default();
        end += folder.len() + 1;
        let number = folder.strip_prefix(['v', 'V'])?;
        Some((parent, folder, number.parse().ok()?))
    })
}
