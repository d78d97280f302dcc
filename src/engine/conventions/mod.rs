//! How the code of a project is written, for whoever adds to it: names, documentation, lengths, tests, errors, what is called and imported
//! most. All of it is counted in the index; what is rare is not said. Read [`Conventions`] first.

mod cache;
mod errors;
mod gather;
mod modules;
mod naming;
mod paths;
mod statements;
mod survey;
mod tally;
mod testing;
mod words;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use naming::{Case, Named};
pub use statements::Statement;

use super::Engine;
use crate::model::RelPath;
use crate::store::code::CodeReader;

/// The conventions of a project, by language, most definitions first. Files of tests, examples, other people's code and generated
/// code are left out of all that is not about tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conventions {
    pub languages: Vec<LanguageConventions>,
}

/// Lists are empty and options `None` where there is too little to say anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LanguageConventions {
    pub language: String,
    /// Files of source.
    pub files: u64,
    /// Functions, methods and types in them.
    pub definitions: u64,
    pub naming: Vec<Naming>,
    /// What the index has as constants of this language.
    pub constants_are: String,
    /// Of public definitions.
    pub documentation: Vec<Documented>,
    /// Public definitions with documentation.
    pub documented: u64,
    /// What their documentation begins with.
    pub doc_forms: Vec<Count>,
    /// What the documentation of functions holds.
    pub doc_tags: Vec<Count>,
    pub function_lines: Option<Lengths>,
    pub file_lines: Option<Lengths>,
    pub tests: Option<Tests>,
    pub errors: Vec<Habit>,
    /// Types that are raised, by the number of times.
    pub raised: Vec<Count>,
    /// Types of errors that the project defines, those first that are raised most.
    pub error_types: Vec<ErrorType>,
    /// Modules from outside the project, by the number of files that import them.
    pub modules: Vec<Count>,
    /// What is called most, by the number of files that call it.
    pub calls: Vec<TopCall>,
}

/// The styles of a set of names. Names that show none are not counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Naming {
    pub of: Named,
    pub names: u64,
    /// Style of at least four in five; `None`: mixed.
    pub dominant: Option<Case>,
    /// Most frequent first; rare ones are left out.
    pub styles: Vec<StyleCount>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StyleCount {
    pub style: Case,
    pub count: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Documented {
    pub of: Named,
    pub public: u64,
    pub documented: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    pub what: String,
    pub count: u64,
}

/// Lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// Things measured.
    pub count: u64,
    pub median: u32,
    pub p90: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tests {
    /// Files that are tests.
    pub files: u64,
    /// Files of source beside them.
    pub sources: u64,
    pub folders: Vec<Count>,
    pub patterns: Vec<Count>,
    /// Files of source that hold tests, where the language has that.
    pub inline: u64,
    /// How they do.
    pub inline_form: String,
    /// By the number of test files that import them.
    pub frameworks: Vec<Count>,
    /// Functions that declare tests, by the number of files that call them.
    pub calls: Vec<Count>,
}

/// A way to deal with errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Habit {
    pub what: String,
    /// Lines, or functions where `of` is their number.
    pub count: u64,
    pub of: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorType {
    pub name: String,
    pub path: RelPath,
    pub line: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopCall {
    pub name: String,
    pub path: RelPath,
    pub line: u32,
    /// Calls that are known to mean it, outside of tests.
    pub calls: u64,
    /// Files with such calls.
    pub files: u64,
}

impl Engine {
    /// How the code of the project is written. The answer is kept in `.memory/` until the index changes.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn conventions(&self) -> anyhow::Result<Conventions> {
        self.conventions_of_index(cache::load)
    }

    /// The same, counted anew.
    ///
    /// # Errors
    /// See [`Engine::conventions`].
    pub fn conventions_anew(&self) -> anyhow::Result<Conventions> {
        self.conventions_of_index(|_, _| None)
    }

    /// What `load` gives for the folder and the key of the index, or else counts and keeps.
    fn conventions_of_index(
        &self,
        load: impl FnOnce(&Path, &str) -> Option<Conventions>,
    ) -> anyhow::Result<Conventions> {
        let reader = CodeReader::open(&self.paths.metadata())?;
        let _state = reader.snapshot()?;
        let key = cache::key(&reader)?;
        if let Some(kept) = load(&self.paths.dir, &key) {
            return Ok(kept);
        }
        let conventions = gather::conventions(&reader)?;
        cache::keep(&self.paths.dir, key, &conventions);
        Ok(conventions)
    }
}

#[cfg(test)]
mod tests;
