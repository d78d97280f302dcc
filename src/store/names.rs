//! What a file is called in the index. The index files of a folder say nothing by their own name, so they are called after the
//! folder. Used where documents are made and where file names are matched: both must agree. Read [`effective_name`].

use crate::model::RelPath;

/// Stems of files that stand for their folder.
const INDEX_STEMS: [&str; 6] = ["__init__", "index", "mod", "lib", "init", "package-info"];

/// Name and folders of a file as search sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectiveName<'p> {
    pub stem: &'p str,
    /// From the root downwards; without the folder that gave the name.
    pub folders: Vec<&'p str>,
    /// It stands for its folder.
    pub index: bool,
}

/// Stem up to the first dot; an index file (`__init__.py`, `index.ts`, `mod.rs`, …) is called after its folder, and its folder is the one above.
#[must_use]
pub fn effective_name(path: &RelPath) -> EffectiveName<'_> {
    let mut folders: Vec<&str> = path.dir().split('/').filter(|part| !part.is_empty()).collect();
    let name = path.file_name();
    let visible = name.trim_start_matches('.');
    let stem = visible.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(name);
    let index = INDEX_STEMS.contains(&stem);
    match folders.pop() {
        Some(folder) if index => EffectiveName { stem: folder, folders, index },
        Some(folder) => {
            folders.push(folder);
            EffectiveName { stem, folders, index }
        }
        None => EffectiveName { stem, folders, index },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_files_are_called_after_their_folder() {
        let cases = [
            ("src/http/client.test.ts", ("client", vec!["src", "http"])),
            ("src/http/mod.rs", ("http", vec!["src"])),
            ("pkg/__init__.py", ("pkg", vec![])),
            ("index.js", ("index", vec![])),
            (".github/workflows/ci.yml", ("ci", vec![".github", "workflows"])),
            (".eslintrc", ("eslintrc", vec![])),
        ];
        for (path, (stem, folders)) in cases {
            let path = RelPath::new(path);
            let name = effective_name(&path);
            assert_eq!((name.stem, name.folders), (stem, folders), "{path}");
        }
    }
}
