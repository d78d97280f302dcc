//! Where tests are, how their files are named and what they are written with. Read [`TestSurvey`] first.

use std::collections::BTreeSet;

use super::tally::Counts;
use super::words::{self, Words};
use super::{Count, Tests, paths};
use crate::model::{Facts, RelPath, Symbol};

/// Sums over the test files of a language.
#[derive(Default)]
pub(super) struct TestSurvey {
    files: Vec<TestFile>,
    frameworks: Counts<&'static str>,
    calls: Counts<String>,
    /// Files of source that hold tests.
    pub inline: u64,
}

struct TestFile {
    path: RelPath,
    /// Something in it is known to be a test.
    holds_tests: bool,
}

/// Files that a statement about tests needs.
const LEAST_FILES: u64 = 3;
/// Folders that are told one by one.
const MOST_FOLDERS: usize = 3;
/// What stands for the folder of tests that are in none of their own.
const BESIDE: &str = "beside the source";
const MOST_PATTERNS: usize = 3;
const MOST_FRAMEWORKS: usize = 5;

impl TestSurvey {
    pub(super) fn add(&mut self, path: &RelPath, symbols: &[Symbol], facts: &Facts, words: &'static Words) {
        let modules =
            facts.imports.iter().map(|import| if import.module.is_empty() { &import.name } else { &import.module });
        let frameworks: BTreeSet<&str> = modules.filter_map(|module| words::framework(words, module)).collect();
        let bare =
            facts.refs.iter().filter(|reference| reference.receiver.is_none()).map(|reference| &*reference.callee);
        let calls: BTreeSet<&str> = bare.filter(|callee| words.test_calls.contains(callee)).collect();
        let holds_tests = !calls.is_empty() || symbols.iter().any(|symbol| symbol.test);
        if holds_tests {
            self.frameworks.extend(frameworks);
            self.calls.extend(calls.into_iter().map(str::to_owned));
        }
        self.files.push(TestFile { path: path.clone(), holds_tests });
    }

    /// What was counted, beside `sources` files of source; `None` with too few tests.
    pub(super) fn finish(&self, sources: u64, words: &Words) -> Option<Tests> {
        let files = self.tests();
        let (count, inline) = (files.len() as u64, if words.inline_tests.is_empty() { 0 } else { self.inline });
        if count < LEAST_FILES && inline < LEAST_FILES {
            return None;
        }
        let mut patterns = Counts::default();
        files
            .iter()
            .filter_map(|file| paths::name_pattern(file.path.as_str()))
            .for_each(|pattern| patterns.add(pattern));
        Some(Tests {
            files: count,
            sources,
            folders: folders(&files),
            patterns: patterns.top(MOST_PATTERNS, LEAST_FILES.max(count / 20)),
            inline,
            inline_form: if inline > 0 { words.inline_tests.to_owned() } else { String::new() },
            frameworks: self.frameworks.top(MOST_FRAMEWORKS, LEAST_FILES),
            calls: self.calls.top(2, LEAST_FILES),
        })
    }

    /// Files that hold tests; where a language does not show any, those that are named so; else all.
    fn tests(&self) -> Vec<&TestFile> {
        let all = |keep: fn(&&TestFile) -> bool| self.files.iter().filter(keep).collect::<Vec<_>>();
        let shown = all(|file| file.holds_tests);
        let named = all(|file| paths::name_pattern(file.path.as_str()).is_some());
        match (shown.len() * 4 >= self.files.len(), named.len() * 4 >= self.files.len()) {
            (true, _) => shown,
            (false, true) => named,
            (false, false) => self.files.iter().collect(),
        }
    }
}

/// Folders by the number of tests in them; many folders of one name are one row, files beside the source another.
fn folders(files: &[&TestFile]) -> Vec<Count> {
    let mut counts = Counts::default();
    let of = |file: &TestFile| paths::folder_of_tests(file.path.as_str()).map(str::to_owned);
    counts.extend(files.iter().map(|file| of(file).unwrap_or_else(|| BESIDE.to_owned())));
    if counts.sorted().len() > MOST_FOLDERS {
        let wide = |folder: String| match folder.trim_end_matches('/').rsplit_once('/') {
            Some((_, last)) => format!("**/{last}/"),
            None => folder,
        };
        let mut merged = Counts::default();
        merged.extend(files.iter().map(|file| of(file).map_or_else(|| BESIDE.to_owned(), wide)));
        counts = merged;
    }
    counts.top(MOST_FOLDERS, LEAST_FILES.max(files.len() as u64 / 20))
}
