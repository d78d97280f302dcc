//! Which part of a project a run looks at. It knows names only and touches no disk. Read [`Scope`] first.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::builtin;
use super::rules::{GIT_IGNORE, MEMORY_IGNORE};
use crate::model::RelPath;

/// Files and folders to look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Scope {
    #[default]
    Everything,
    /// These, and what lies in them.
    Only(BTreeSet<String>),
}

impl Scope {
    /// Of paths that have changed. One that decides about its neighbours, such as an ignore file, makes it everything, and so does the
    /// root.
    #[must_use]
    pub fn of(paths: impl IntoIterator<Item = RelPath>) -> Self {
        let mut only = BTreeSet::new();
        for path in paths {
            if path.as_str().is_empty() || decides_for_others(path.file_name()) {
                return Self::Everything;
            }
            only.insert(path.as_str().to_owned());
        }
        Self::Only(only)
    }

    /// `path` is one of them or lies in one.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Only(paths) => with_parents(path).any(|part| paths.contains(part)),
        }
    }

    /// Something to look at may lie in the folder `dir`.
    #[must_use]
    pub fn leads_into(&self, dir: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Only(paths) => dir.is_empty() || self.covers(dir) || holds_below(paths, dir),
        }
    }

    /// Both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Only(mut paths), Self::Only(more)) => {
                paths.extend(more);
                Self::Only(paths)
            }
            (Self::Everything, _) | (_, Self::Everything) => Self::Everything,
        }
    }
}

/// `a/b/c`, `a/b`, `a`.
fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    let parents = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    std::iter::once(path).chain(parents)
}

fn holds_below(paths: &BTreeSet<String>, dir: &str) -> bool {
    let start = format!("{dir}/");
    let next = paths.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded)).next();
    next.is_some_and(|path| path.starts_with(&start))
}

/// Files whose presence or content decides whether others count.
fn decides_for_others(name: &str) -> bool {
    matches!(name, GIT_IGNORE | MEMORY_IGNORE | "__init__.py")
        || builtin::is_build_file(name)
        || builtin::marks_excluded_folder(name)
}

#[cfg(test)]
mod tests {
    use super::Scope;
    use crate::model::RelPath;

    fn scope(paths: &[&str]) -> Scope {
        Scope::of(paths.iter().map(|path| RelPath::new(path)))
    }

    #[test]
    fn a_path_covers_itself_and_what_lies_in_it() {
        let scope = scope(&["a/b", "c.rs"]);
        for inside in ["a/b", "a/b/c", "c.rs"] {
            assert!(scope.covers(inside), "{inside}");
        }
        for outside in ["a", "a/bc", "a/b.rs", "c", ""] {
            assert!(!scope.covers(outside), "{outside}");
        }
    }

    #[test]
    fn folders_on_the_way_are_entered_and_others_are_not() {
        let scope = scope(&["a/b/c.rs", "a-b/x"]);
        for way in ["", "a", "a/b", "a-b", "a-b/x"] {
            assert!(scope.leads_into(way), "{way}");
        }
        for other in ["b", "a/c", "a/b/c", "a-"] {
            assert!(!scope.leads_into(other), "{other}");
        }
    }

    #[test]
    fn a_file_that_decides_for_others_and_the_root_are_everything() {
        for path in ["a/.gitignore", ".memoryignore", "x/package.json", "pkg/__init__.py", ""] {
            assert_eq!(scope(&["a.rs", path]), Scope::Everything, "{path}");
        }
        assert_eq!(scope(&["a.rs"]).join(Scope::Everything), Scope::Everything);
        assert_eq!(scope(&["a.rs"]).join(scope(&["b.rs"])), scope(&["a.rs", "b.rs"]));
    }
}
