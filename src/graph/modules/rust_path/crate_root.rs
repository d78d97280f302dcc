//! Which crate a Rust file is of: the root file of a target, and the folder that its modules lie in. Read [`root_of`] first.

use super::super::Layout;
use super::super::manifest::Crate;
use super::super::path::{below, file_name, in_dir, parent, upwards};
use crate::graph::Code;
use crate::model::{FileId, ImportKind};

/// Folders of which each file, or each folder with a `main.rs`, is a crate.
const TARGET_DIRS: [&str; 4] = ["src/bin", "tests", "examples", "benches"];

/// Where a crate begins.
pub(super) struct Root {
    /// Folder of the modules that the root file declares.
    pub(super) dir: String,
    /// `None` where more than one may be meant (`tests/support/mod.rs`).
    pub(super) file: Option<FileId>,
}

/// The root of the crate that the file at `path` is of.
pub(super) fn root_of(layout: &Layout, code: &dyn Code, path: &str) -> Root {
    let at = |path: &str| Root { dir: parent(path).to_owned(), file: code.file_at(path) };
    if is_root(layout, path) {
        return at(path);
    }
    let Some(package) = layout.crates.nearest(parent(path)) else { return unmanaged(code, path) };
    let (target_dir, main) = target_main(package, path).unzip();
    if let Some(main) = main.filter(|main| code.file_at(main).is_some()) {
        return at(&main);
    }
    let lib_dir = parent(&package.lib_path);
    let in_lib = below(path, lib_dir).is_some();
    let around = package.targets.iter().filter(|target| below(path, parent(target)).is_some());
    let around = around.filter(|target| !in_lib || parent(target).len() > lib_dir.len());
    match (around.max_by_key(|target| parent(target).len()), target_dir) {
        (Some(target), _) => at(target),
        (None, Some(dir)) => Root { dir, file: None },
        (None, None) if in_lib && lib_dir != package.dir => {
            Root { dir: lib_dir.to_owned(), file: library_or_program(code, lib_dir, &package.lib_path, path) }
        }
        (None, None) => unmanaged(code, path),
    }
}

/// The file at `path` is the root of a crate by its place or by the manifest.
pub(super) fn is_root(layout: &Layout, path: &str) -> bool {
    let Some(package) = layout.crates.nearest(parent(path)) else { return is_root_name(path) };
    let place = below(path, &package.dir).unwrap_or_default();
    let alone = file_name(path) != "mod.rs" && TARGET_DIRS.contains(&parent(place));
    let in_folder = file_name(path) == "main.rs" && TARGET_DIRS.contains(&parent(parent(place)));
    let named = path == package.lib_path || package.targets.iter().any(|target| target == path);
    named || alone || in_folder || matches!(place, "src/main.rs" | "build.rs")
}

fn is_root_name(path: &str) -> bool {
    matches!(file_name(path), "lib.rs" | "main.rs")
}

/// Of a file in a folder below one of [`TARGET_DIRS`], that one and the `main.rs` of the folder.
fn target_main(package: &Crate, path: &str) -> Option<(String, String)> {
    TARGET_DIRS.iter().find_map(|dir| {
        let dir = in_dir(&package.dir, dir);
        let (folder, _) = below(path, &dir)?.split_once('/')?;
        let main = in_dir(&dir, &format!("{folder}/main.rs"));
        Some((dir, main))
    })
}

/// Of a library and a program in one folder the one that declares the module; the library where both or neither do.
fn library_or_program(code: &dyn Code, dir: &str, lib: &str, path: &str) -> Option<FileId> {
    let main = code.file_at(&in_dir(dir, "main.rs"));
    let (Some(lib), Some(main)) = (code.file_at(lib), main) else { return code.file_at(lib).or(main) };
    let first = below(path, dir)?.split('/').next()?.trim_end_matches(".rs");
    let declares = |file: FileId| {
        let unit = code.unit(file)?;
        let mut modules = unit.facts.imports.iter().filter(|import| import.kind == ImportKind::Module);
        modules.find(|import| &*import.module == first).map(|_| file)
    };
    declares(lib).or_else(|| declares(main)).or(Some(lib))
}

/// A file that no manifest knows: the nearest folder with a root file.
fn unmanaged(code: &dyn Code, path: &str) -> Root {
    let roots = upwards(parent(path)).flat_map(|dir| ["lib.rs", "main.rs"].map(|name| in_dir(dir, name)));
    let root = roots.into_iter().find(|root| code.file_at(root).is_some());
    let dir = root.as_deref().map_or(parent(path), parent).to_owned();
    Root { dir, file: root.and_then(|root| code.file_at(&root)) }
}
