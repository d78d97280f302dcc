//! Sets of queries that lie in a project: `benchmark/queries/<name>.jsonl`. It fetches no corpus. Read [`named`] first.

use std::path::{Path, PathBuf};

use crate::config;

/// Name of the suite that is all sets of the folder together.
pub const REGISTRY: &str = "registry";

const QUERIES: &str = "benchmark/queries";

/// Why a suite cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("no suite {name:?} in {}", folder.display())]
    Unknown { name: String, folder: PathBuf, known: Vec<String> },
    #[error("cannot read {}", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error("no folder for the corpora: there is no cache folder")]
    NoCache,
    #[error("not one of the corpora is in {}: {}", folder.display(), wanted.join(", "))]
    NoCorpora { wanted: Vec<String>, folder: PathBuf },
}

impl SuiteError {
    /// What the user can do.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unknown { known, .. } if known.is_empty() => "run it in a project with such a folder".to_owned(),
            Self::Unknown { known, .. } => format!("there are: {REGISTRY}, {}", known.join(", ")),
            Self::Folder { .. } => format!("run it in a project that has {QUERIES}, or name one with --project"),
            Self::NoCache | Self::NoCorpora { .. } => {
                "`scripts/benchmark fetch` puts the corpora of the suites into the cache folder; --corpora names another".to_owned()
            }
        }
    }
}

/// Files of a suite of the project in `root`.
///
/// # Errors
/// There is no such suite.
pub fn named(root: &Path, name: &str) -> Result<Vec<PathBuf>, SuiteError> {
    let folder = root.join(QUERIES);
    let files = files(&folder).map_err(|source| SuiteError::Folder { folder: folder.clone(), source })?;
    if name == REGISTRY && !files.is_empty() {
        return Ok(files);
    }
    let stem = |file: &PathBuf| file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    if let Some(file) = files.iter().find(|file| stem(file).as_deref() == Some(name)) {
        return Ok(vec![file.clone()]);
    }
    let known = files.iter().filter_map(stem).collect();
    Err(SuiteError::Unknown { name: name.to_owned(), folder, known })
}

/// Where `scripts/benchmark fetch` puts corpora.
///
/// # Errors
/// This user has no cache folder.
pub fn suite_corpora() -> Result<PathBuf, SuiteError> {
    Ok(config::cache_dir().ok_or(SuiteError::NoCache)?.join("benchmark").join("suites"))
}

/// By name, so that every run has the same order.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a folder");
        let folder = dir.path().join(QUERIES);
        std::fs::create_dir_all(&folder).expect("a folder");
        for name in ["b.jsonl", "a.jsonl", "notes.txt"] {
            std::fs::write(folder.join(name), "").expect("a file");
        }
        dir
    }

    #[test]
    fn a_name_is_a_file_and_registry_is_all_of_them() {
        let dir = project();
        let names = |name: &str| -> Vec<String> {
            let files = named(dir.path(), name).expect("a suite");
            files.iter().map(|file| file.file_name().expect("a name").to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names("a"), ["a.jsonl"]);
        assert_eq!(names(REGISTRY), ["a.jsonl", "b.jsonl"]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let dir = project();
        let error = named(dir.path(), "c").expect_err("no such suite");
        assert_eq!(error.hint(), "there are: registry, a, b");
    }
}
