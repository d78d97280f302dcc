//! What an assistant is told when a session begins: what is indexed, how fresh it is, how to ask for more.
//! Read [`Engine::briefing_with`] first.

use std::fmt::Write as _;

use super::{Engine, Freshness, FreshnessLevel};
use crate::context;
use crate::search::Searcher;
use crate::store::code::CodeStats;

/// A text and how fresh the index was when it was written.
#[derive(Debug)]
pub struct Briefing {
    /// Markdown, within the budget of a session.
    pub text: String,
    pub freshness: Freshness,
}

/// Files and chunks of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub files: u64,
    pub chunks: u64,
}

/// Languages that are named.
const MOST_LANGUAGES: usize = 5;

/// Characters of what is said of how the code is written.
const MOST_HABITS: usize = 2_500;

const HOW_TO_ASK: &str = "\
Code that matters to a prompt is put before you with it. To look further:
- `search_code`, `find_callers`, `find_callees`, `get_symbol`, `explain_flow` of the MCP server `reporecall`, where it is connected;
- in a shell: `reporecall search \"<question or name>\"`, `reporecall graph <name>` for callers and callees.
They answer from the index faster than reading files one by one; line numbers are those of the indexed state.
";

impl Engine {
    /// The text for the start of a session. Empty where not even its head has room in the budget.
    ///
    /// # Errors
    /// The index or the project folder cannot be read.
    pub fn briefing_with(&self, searcher: &Searcher) -> anyhow::Result<Briefing> {
        let stats = searcher.code().stats()?;
        let freshness = self.freshness_of_all(searcher.code())?;
        let head = self.head(&stats, &freshness);
        let habits = self.conventions()?.briefing(MOST_HABITS);
        let parts = [head.as_str(), HOW_TO_ASK, "\n", &habits];
        let mut text = String::new();
        for part in parts {
            if context::estimate(&text) + context::estimate(part) > self.config.session_budget {
                break;
            }
            text.push_str(part);
        }
        Ok(Briefing { text, freshness })
    }

    /// Sizes of an opened index.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn counts_with(&self, searcher: &Searcher) -> anyhow::Result<Counts> {
        let stats = searcher.code().stats()?;
        Ok(Counts { files: stats.files, chunks: stats.chunks })
    }

    fn head(&self, stats: &CodeStats, freshness: &Freshness) -> String {
        let mut head = format!("# Index of {}\n\n{} files, {} pieces of code", self.name(), stats.files, stats.chunks);
        let mut langs: Vec<_> = stats.langs.iter().map(|row| (row.files, &*row.lang)).collect();
        langs.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let langs: Vec<String> =
            langs.iter().take(MOST_LANGUAGES).map(|(files, lang)| format!("{lang} {files}")).collect();
        if !langs.is_empty() {
            write!(head, " ({})", langs.join(", ")).unwrap_or_default();
        }
        write!(head, "; branch {}. {}\n\n", self.project.branch(), freshness_line(freshness)).unwrap_or_default();
        head
    }
}

fn freshness_line(freshness: &Freshness) -> String {
    match (freshness.level, freshness.dirty_files.len()) {
        (FreshnessLevel::Fresh, _) => "The index agrees with the files.".to_owned(),
        (FreshnessLevel::Empty, _) => "Nothing is indexed yet.".to_owned(),
        (FreshnessLevel::Stale, 0) => "The index is being brought up to date.".to_owned(),
        (FreshnessLevel::Stale, 1) => "One file has changed since it was indexed.".to_owned(),
        (FreshnessLevel::Stale, many) => format!("{many} files have changed since they were indexed."),
    }
}
