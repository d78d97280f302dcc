//! What the caller leaves out: by path, language and kind. It ranks nothing. Read [`Filter`].

use globset::{GlobBuilder, GlobMatcher};

use super::view::View;
use super::{SearchError, SearchQuery};
use crate::model::SymbolKind;
use crate::store::code::CodeReader;
use crate::store::text::ChunkFlags;

/// Which chunks may be answers.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// By file; all where it is `None`.
    files: Option<Vec<bool>>,
    /// Decided when a chunk's symbol is known; flags rule most others out before.
    pub kind: Option<SymbolKind>,
    callables: bool,
}

impl Filter {
    pub(super) fn new(query: &SearchQuery, view: &View, code: &CodeReader) -> Result<Self, SearchError> {
        let mut files: Option<Vec<bool>> = None;
        if let Some(pattern) = &query.path {
            let glob = PathPattern::new(pattern)?;
            files = Some(view.layout.files.iter().map(|file| glob.matches(file.path.as_str())).collect());
        }
        if let Some(lang) = &query.lang {
            let same: Vec<bool> = view.langs(code)?.iter().map(|of_file| of_file.eq_ignore_ascii_case(lang)).collect();
            files = Some(match files {
                Some(files) => files.into_iter().zip(same).map(|(path, lang)| path && lang).collect(),
                None => same,
            });
        }
        // A method is a function to whoever asks for one by what it does.
        let kind = query.kind.filter(|kind| !(query.functions && kind.is_callable()));
        Ok(Self { files, kind, callables: query.functions })
    }

    pub(super) const fn takes_all(&self) -> bool {
        self.files.is_none() && self.kind.is_none() && !self.callables
    }

    /// What it leaves is not known before symbols are read.
    pub(super) const fn is_narrow(&self) -> bool {
        self.kind.is_some()
    }

    pub(super) fn takes_file(&self, file: u32) -> bool {
        self.files.as_ref().is_none_or(|files| files.get(file as usize) == Some(&true))
    }

    pub(super) fn takes(&self, view: &View, chunk: u32) -> bool {
        let flags = view.layout.chunk_flags.get(chunk as usize).copied().unwrap_or_default();
        let file = view.file_of.get(chunk as usize).copied().unwrap_or_default();
        self.takes_flags(flags) && self.takes_file(file)
    }

    fn takes_flags(&self, flags: ChunkFlags) -> bool {
        let of_kind = self.kind.is_none_or(|kind| flags.callable || !kind.is_callable());
        of_kind && (flags.callable || !self.callables)
    }
}

/// A glob over whole paths, or a folder or file without any wildcard.
struct PathPattern {
    glob: GlobMatcher,
    plain: String,
}

impl PathPattern {
    fn new(pattern: &str) -> Result<Self, SearchError> {
        let bare = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
        let glob = GlobBuilder::new(bare).build().map_err(|error| SearchError::PathPattern(error.to_string()))?;
        Ok(Self { glob: glob.compile_matcher(), plain: format!("{bare}/") })
    }

    fn matches(&self, path: &str) -> bool {
        self.glob.is_match(path) || path.starts_with(&self.plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_pattern_is_a_glob_or_a_folder() {
        let matches = |pattern, path| PathPattern::new(pattern).unwrap().matches(path);
        assert!(matches("src/**/*.rs", "src/a/b.rs"));
        assert!(matches("*.rs", "src/a/b.rs"));
        assert!(matches("src/a", "src/a/b.rs"));
        assert!(matches("./src/a/", "src/a/b.rs"));
        assert!(!matches("src/a", "src/ab/b.rs"));
        assert!(PathPattern::new("src/[").is_err());
    }
}
