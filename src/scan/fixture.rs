//! Folders on disk for the tests of this room. Read [`folder`] first.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A fresh folder with `files`; a path that ends in `/` is a folder.
pub(super) fn folder(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(dir.path()).unwrap();
    add(&root, files);
    (dir, root)
}

/// Writes `files` below `root`.
pub(super) fn add(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let full = root.join(path);
        if path.ends_with('/') {
            fs::create_dir_all(full).unwrap();
        } else {
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, text).unwrap();
        }
    }
}

/// A named pipe that no one writes to.
#[cfg(unix)]
pub(super) fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}
