//! Directory hashes from file hashes, so that one number names the state of a folder and of the whole project. Touches no disk.
//! Read [`directory_hashes`] first.

use xxhash_rust::xxh64::Xxh64;

use crate::model::{ContentHash, RelPath};

/// A folder whose end has not been seen yet.
struct Open {
    path: String,
    /// Name, kind and hash of what is directly inside.
    children: Vec<(String, Kind, ContentHash)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Dir,
}

/// Path and hash of every folder that holds files, sorted by path; `""` is the root, which is always there. A hash covers the names,
/// kinds and hashes of what is inside and nothing else, so equal hashes mean equal folders.
///
/// `files` must be sorted by path.
#[must_use]
pub fn directory_hashes<'a>(files: impl IntoIterator<Item = (&'a RelPath, ContentHash)>) -> Vec<(String, ContentHash)> {
    let mut done = Vec::new();
    let mut open = vec![Open { path: String::new(), children: Vec::new() }];
    for (path, hash) in files {
        close_until(&mut open, &mut done, path.dir());
        open_down_to(&mut open, path.dir());
        if let Some(folder) = open.last_mut() {
            folder.children.push((path.file_name().to_owned(), Kind::File, hash));
        }
    }
    close_until(&mut open, &mut done, "");
    done.extend(open.into_iter().map(|root| (String::new(), root.hash())));
    done.sort_unstable();
    done
}

impl Open {
    fn hash(mut self) -> ContentHash {
        self.children.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut hasher = Xxh64::new(0);
        for (name, kind, hash) in &self.children {
            hasher.update(kind.tag());
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
            hasher.update(&hash.0.to_le_bytes());
        }
        ContentHash(hasher.digest())
    }

    fn holds(&self, dir: &str) -> bool {
        self.path.is_empty()
            || dir.strip_prefix(&*self.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl Kind {
    const fn tag(self) -> &'static [u8] {
        match self {
            Self::File => b"f",
            Self::Dir => b"d",
        }
    }
}

/// Closes folders from the innermost up to one that `dir` lies in.
fn close_until(open: &mut Vec<Open>, done: &mut Vec<(String, ContentHash)>, dir: &str) {
    while let Some(folder) = open.pop_if(|folder| !folder.holds(dir) || (dir.is_empty() && !folder.path.is_empty())) {
        let path = folder.path.clone();
        let hash = folder.hash();
        if let Some(parent) = open.last_mut() {
            let name = path.rsplit('/').next().unwrap_or(&path);
            parent.children.push((name.to_owned(), Kind::Dir, hash));
        }
        done.push((path, hash));
    }
}

fn open_down_to(open: &mut Vec<Open>, dir: &str) {
    let depth = open.last().map_or(0, |folder| folder.path.len());
    let ends = dir.match_indices('/').map(|(at, _)| at).chain([dir.len()]).filter(|end| *end > depth);
    open.extend(ends.map(|end| Open { path: dir.get(..end).unwrap_or(dir).to_owned(), children: Vec::new() }));
}

#[cfg(test)]
mod tests {
    use super::directory_hashes;
    use crate::model::{ContentHash, RelPath};

    fn hashes(files: &[(&str, u64)]) -> Vec<(String, ContentHash)> {
        let mut files: Vec<_> = files.iter().map(|(path, hash)| (RelPath::new(path), ContentHash(*hash))).collect();
        files.sort();
        directory_hashes(files.iter().map(|(path, hash)| (path, *hash)))
    }

    fn hash_of(files: &[(&str, u64)], dir: &str) -> ContentHash {
        hashes(files).into_iter().find(|(path, _)| path == dir).unwrap().1
    }

    #[test]
    fn every_folder_on_the_way_has_a_hash() {
        let files = [("a/b/c/x", 1), ("a-b/x", 2), ("a.c", 3), ("a/z", 4), ("ab/x", 5), ("y", 6)];
        let dirs: Vec<String> = hashes(&files).into_iter().map(|(dir, _)| dir).collect();
        assert_eq!(dirs, ["", "a", "a-b", "a/b", "a/b/c", "ab"]);
        assert_eq!(hashes(&[]).len(), 1);
    }

    #[test]
    fn a_change_shows_on_its_way_to_the_root_and_nowhere_else() {
        let before = hashes(&[("a/b/x", 1), ("a/c/y", 2), ("d/z", 3)]);
        let after = hashes(&[("a/b/x", 9), ("a/c/y", 2), ("d/z", 3)]);
        let changed: Vec<&str> =
            before.iter().zip(&after).filter(|(old, new)| old != new).map(|(old, _)| old.0.as_str()).collect();
        assert_eq!(changed, ["", "a", "a/b"]);
    }

    #[test]
    fn a_hash_depends_on_content_alone() {
        assert_eq!(hash_of(&[("a/x", 1), ("a/s/y", 2)], "a"), hash_of(&[("q/x", 1), ("q/s/y", 2), ("r", 3)], "q"));
        assert_ne!(hash_of(&[("x", 1)], ""), hash_of(&[("y", 1)], ""));
        let inner = hash_of(&[("s/x", 1)], "s");
        assert_ne!(hash_of(&[("s/x", 1)], ""), hash_of(&[("s", inner.0)], ""), "a folder is not a file of its hash");
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = vec!["d"; 10_000].join("/");
        assert_eq!(hashes(&[(&format!("{deep}/x"), 1)]).len(), 10_001);
    }
}
