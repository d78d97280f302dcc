//! Ignore files and who wins: `.memoryignore` files from the deepest up, then `.gitignore` files from the deepest up to the
//! top of their repository, its `info/exclude`, the user's global excludes. Knows no built-in rule. Read [`Layer`] first.

use std::iter;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::project::{GitDirs, read_plain};

pub(super) const GIT_IGNORE: &str = ".gitignore";
pub(super) const MEMORY_IGNORE: &str = ".memoryignore";

/// Bytes read of one ignore file. A hostile one of this size costs about two seconds; what people write has a few kilobytes.
const FILE_LIMIT: u64 = 256 << 10;

/// No path is longer, so no longer pattern can be meant.
const LONGEST_PATTERN: usize = 4096;

/// What the ignore files say of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Ignored,
    /// Asked for by name in a `.memoryignore`: built-in rules do not count.
    Kept,
    Open,
}

/// Lines of one ignore file, compiled.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// One set, or several where one would be too large to compile; a later one wins.
    sets: Vec<Gitignore>,
}

/// The ignore files of one folder, on top of those of the folders above.
#[derive(Debug, Default)]
pub(super) struct Layer {
    /// Path of the folder from the top, with a trailing slash; empty at the top.
    folder: String,
    memory: Rules,
    git: Rules,
    /// Present at the top of a repository: `.gitignore` files above it do not count below it.
    exclude: Option<Rules>,
    above: Option<Arc<Layer>>,
}

/// Which ignore files a folder holds, as its listing showed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Present {
    pub(super) memory: bool,
    pub(super) git: bool,
    pub(super) repository: bool,
}

impl Rules {
    /// Lines that are no valid pattern match nothing, as in git.
    pub(super) fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut rules = Self::default();
        let lines: Vec<&str> = lines.into_iter().filter(|line| line.len() <= LONGEST_PATTERN).collect();
        rules.compile(&lines);
        rules
    }

    /// Empty where `path` is no readable plain file.
    pub(super) fn load(path: &Path) -> Self {
        read_plain(path, FILE_LIMIT).map_or_else(|_| Self::default(), |text| Self::parse(whole_lines(&text).lines()))
    }

    fn compile(&mut self, lines: &[&str]) {
        let mut builder = GitignoreBuilder::new("");
        let added = lines.iter().filter(|line| builder.add_line(None, line).is_ok()).count();
        match builder.build() {
            Ok(set) if set.is_empty() => {}
            Ok(set) => self.sets.push(set),
            Err(_) if added > 1 => {
                let (first, second) = lines.split_at(lines.len() / 2);
                self.compile(first);
                self.compile(second);
            }
            // A single pattern that is too large to compile.
            Err(_) => {}
        }
    }

    /// Whether the last matching line ignores; `None` where none matches.
    fn ignores(&self, path: &str, is_dir: bool) -> Option<bool> {
        self.sets.iter().rev().find_map(|set| match set.matched(path, is_dir) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        })
    }
}

impl Layer {
    /// The rules of the folder at `dir`, whose path from the top is `folder`.
    pub(super) fn load(dir: &Path, folder: &str, present: Present, above: Option<Arc<Self>>) -> Self {
        let load = |there: bool, name: &str| if there { Rules::load(&dir.join(name)) } else { Rules::default() };
        let repository = present.repository.then(|| GitDirs::at(dir)).flatten();
        Self {
            folder: folder.to_owned(),
            memory: load(present.memory, MEMORY_IGNORE),
            git: load(present.git, GIT_IGNORE),
            exclude: repository.map(|dirs| Rules::load(&dirs.info_exclude())),
            above,
        }
    }

    /// `patterns` rank below every `.memoryignore` and above every `.gitignore`.
    pub(super) fn of_patterns(folder: &str, patterns: &[String], above: Option<Arc<Self>>) -> Self {
        let memory = Rules::parse(patterns.iter().map(String::as_str));
        Self { folder: folder.to_owned(), memory, above, ..Self::default() }
    }

    /// What the rules say of `path` (from the top, without a trailing slash).
    pub(super) fn verdict(&self, path: &str, is_dir: bool, global: &Rules) -> Verdict {
        match self.memory_verdict(path, is_dir) {
            Some(true) => Verdict::Ignored,
            Some(false) => Verdict::Kept,
            None if self.git_verdict(path, is_dir, global) == Some(true) => Verdict::Ignored,
            None => Verdict::Open,
        }
    }

    fn memory_verdict(&self, path: &str, is_dir: bool) -> Option<bool> {
        self.upwards().find_map(|layer| layer.memory.ignores(layer.inner(path), is_dir))
    }

    fn git_verdict(&self, path: &str, is_dir: bool, global: &Rules) -> Option<bool> {
        for layer in self.upwards() {
            let inner = layer.inner(path);
            let found = layer.git.ignores(inner, is_dir);
            let Some(exclude) = &layer.exclude else {
                if found.is_some() {
                    return found;
                }
                continue;
            };
            return found.or_else(|| exclude.ignores(inner, is_dir)).or_else(|| global.ignores(inner, is_dir));
        }
        global.ignores(path, is_dir)
    }

    fn upwards(&self) -> impl Iterator<Item = &Self> {
        iter::successors(Some(self), |layer| layer.above.as_deref())
    }

    /// `path` as seen from this layer's folder.
    fn inner<'a>(&self, path: &'a str) -> &'a str {
        path.get(self.folder.len()..).unwrap_or(path)
    }
}

/// `text` without a last line that the limit may have cut: half a pattern may match far more than the whole.
fn whole_lines(text: &str) -> &str {
    const LONGEST_MARK: u64 = 3;
    let cut = text.len() as u64 + LONGEST_MARK >= FILE_LIMIT;
    if cut { text.rsplit_once('\n').map_or("", |(whole, _)| whole) } else { text }
}

#[cfg(test)]
mod tests {
    use super::{FILE_LIMIT, Rules};

    fn ignores(lines: &str, path: &str, is_dir: bool) -> Option<bool> {
        Rules::parse(lines.lines()).ignores(path, is_dir)
    }

    #[test]
    fn the_last_matching_line_counts() {
        assert_eq!(ignores("*.a\n!keep.a", "x/keep.a", false), Some(false));
        assert_eq!(ignores("!keep.a\n*.a", "x/keep.a", false), Some(true));
        assert_eq!(ignores("/x/\nd/", "d", false), None);
        assert_eq!(ignores("/x/\nd/", "y/d", true), Some(true));
    }

    #[test]
    fn lines_that_are_no_pattern_match_nothing() {
        for bad in ["\u{fffd}\u{0}", "{a,b", "a**[", "\\", "!", "/", "  "] {
            assert_eq!(ignores(&format!("{bad}\nx"), "x", false), Some(true), "{bad:?}");
            assert_eq!(ignores(bad, "y", false), None, "{bad:?}");
        }
    }

    #[test]
    fn oversized_patterns_do_not_take_the_others_with_them() {
        let huge = "?".repeat(100_000);
        assert_eq!(ignores(&format!("x\n{huge}"), "x", false), Some(true));
        let many = format!("{}*\n", "[a-zäöü]?".repeat(400)).repeat(300);
        assert_eq!(ignores(&format!("x\n{many}"), "x", false), Some(true));
        assert_eq!(ignores(&format!("{many}x\n!y\n"), "y", false), Some(false));
    }

    #[test]
    fn half_a_line_at_the_size_limit_is_no_pattern() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(".gitignore");
        let mut text = "x\n".to_owned();
        text.push_str(&"#".repeat(usize::try_from(FILE_LIMIT).unwrap() - 4));
        text.push_str("\n**.never");
        std::fs::write(&file, text).unwrap();
        let rules = Rules::load(&file);
        assert_eq!((rules.ignores("x", false), rules.ignores("y", false)), (Some(true), None));
    }
}
