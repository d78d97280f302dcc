//! Python: `a.b.c` from the folders that imports may begin in, `.a` from the package of the importing file. A folder without
//! `__init__.py` is a package only where nothing better has its name. Read [`find`] first.

use super::path::{below, in_dir, parent, shared, stem, upwards};
use super::{Layout, Module};
use crate::graph::{Code, Unit};
use crate::model::Dialect;

pub(super) fn find(layout: &Layout, code: &dyn Code, from: &Unit, module: &str) -> Module {
    let names = module.trim_start_matches('.');
    let path = names.replace('.', "/");
    match module.len() - names.len() {
        0 => absolute(layout, code, from, &path),
        dots => {
            let package = upwards(from.path.dir()).nth(dots - 1).map(|dir| in_dir(dir, &path));
            package.and_then(|path| at(code, from.dialect, &path)).unwrap_or(Module::Missing)
        }
    }
}

pub(super) fn submodule(code: &dyn Code, inside: &Module, from: &Unit, name: &str) -> Option<Module> {
    let dir = match inside {
        Module::Namespace(dir) => dir.clone(),
        Module::File { file, owner } if owner.is_empty() => {
            let path = &code.unit(*file)?.path;
            let is_package = from.dialect.module_index.iter().any(|index| index == stem(path.as_str()));
            is_package.then(|| path.dir().to_owned())?
        }
        Module::File { .. } | Module::Folder(_) | Module::External | Module::Missing => return None,
    };
    at(code, from.dialect, &in_dir(&dir, name))
}

fn absolute(layout: &Layout, code: &dyn Code, from: &Unit, path: &str) -> Module {
    let top = top(code, from);
    let (near, far) = roots(layout, from, top);
    let dialect = from.dialect;
    let first = path.split('/').next().unwrap_or_default();
    let file = |root: &str| regular(code, dialect, &in_dir(root, path));
    // A lone file above the importing one is no more than a guess.
    let above = |root| if first == path { package(code, dialect, &in_dir(root, path)) } else { file(root) };
    let begins = |root: &str| regular(code, dialect, &in_dir(root, first)).is_some();
    let found = near.iter().find_map(|root| file(root));
    let found = found.or_else(|| upwards(top).filter(|root| !near.contains(root)).find_map(above));
    let found = found.or_else(|| far.iter().filter(|root| begins(root)).find_map(|root| file(root)));
    let found = found.or_else(|| near.iter().find_map(|root| namespace(code, dialect, &in_dir(root, path))));
    let ours = || near.iter().any(|root| package(code, dialect, &in_dir(root, first)).is_some());
    found.unwrap_or_else(|| if first != path && ours() { Module::Missing } else { Module::External })
}

/// Folder that the outermost package around the importing file lies in: what Python puts first when the file is run.
fn top<'u>(code: &dyn Code, from: &'u Unit) -> &'u str {
    upwards(from.path.dir()).find(|dir| package(code, from.dialect, dir).is_none()).unwrap_or_default()
}

/// Folders that imports may begin in: those around the importing file, nearest first, and those of other projects.
fn roots<'r>(layout: &'r Layout, from: &'r Unit, top: &'r str) -> (Vec<&'r str>, Vec<&'r str>) {
    let dir = from.path.dir();
    let around = |root: &str| dir == root || below(dir, root).is_some();
    let own = |root: &&str| around(root) || around(parent(root));
    let (mut declared, far): (Vec<_>, Vec<_>) = layout.python_roots.iter().map(String::as_str).partition(own);
    declared.sort_by_key(|root| std::cmp::Reverse(shared(root, dir)));
    let usual = std::iter::once("").chain(from.dialect.module_roots.iter().map(String::as_str));
    let mut near = vec![top];
    for root in declared.into_iter().chain(usual) {
        if !near.contains(&root) {
            near.push(root);
        }
    }
    (near, far)
}

fn at(code: &dyn Code, dialect: &Dialect, path: &str) -> Option<Module> {
    regular(code, dialect, path).or_else(|| namespace(code, dialect, path))
}

/// A package or a file, with the stubs of either last.
fn regular(code: &dyn Code, dialect: &Dialect, path: &str) -> Option<Module> {
    let files = dialect.module_extensions.iter().flat_map(|extension| {
        let index = dialect.module_index.iter().map(move |index| in_dir(path, &format!("{index}.{extension}")));
        index.chain((!path.is_empty()).then(|| format!("{path}.{extension}")))
    });
    files.into_iter().find_map(|file| code.file_at(&file)).map(Module::file)
}

/// The file that makes the folder a package.
fn package(code: &dyn Code, dialect: &Dialect, dir: &str) -> Option<Module> {
    let index = |index: &String| code.file_at(&in_dir(dir, &format!("{index}.{}", dialect.module_extensions.first()?)));
    dialect.module_index.iter().find_map(index).map(Module::file)
}

fn namespace(code: &dyn Code, dialect: &Dialect, dir: &str) -> Option<Module> {
    let is_module =
        |path: &str| dialect.module_extensions.iter().any(|extension| path.ends_with(&format!(".{extension}")));
    let holds =
        code.files_in(dir).into_iter().any(|file| code.unit(file).is_some_and(|unit| is_module(unit.path.as_str())));
    holds.then(|| Module::Namespace(dir.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::fixture::{Tree, dialect};
    use crate::model::ModuleStyle;

    fn project(paths: &[&str]) -> Tree {
        Tree::of(dialect(ModuleStyle::Dotted, &["py", "pyi"], &["__init__"], &["src"]), paths)
    }

    fn finds(tree: &Tree, from: &str, module: &str) -> String {
        tree.show(&find(&Layout::read(tree), tree, &tree.at(from), module))
    }

    fn finds_in(tree: &Tree, from: &str, module: &str, name: &str) -> Option<String> {
        let from = tree.at(from);
        let inside = find(&Layout::read(tree), tree, &from, module);
        submodule(tree, &inside, &from, name).map(|found| tree.show(&found))
    }

    #[test]
    fn dots_begin_in_the_package_of_the_file() {
        let tree =
            project(&["kit/__init__.py", "kit/a.py", "kit/a.pyi", "kit/sub/__init__.py", "kit/sub/b.py", "run.py"]);
        assert_eq!(finds(&tree, "kit/sub/b.py", "."), "kit/sub/__init__.py");
        assert_eq!(finds(&tree, "kit/sub/__init__.py", ".b"), "kit/sub/b.py");
        assert_eq!(finds(&tree, "kit/sub/b.py", "..a"), "kit/a.py");
        assert_eq!(finds(&tree, "kit/sub/b.py", "...run"), "run.py");
        assert_eq!(finds(&tree, "kit/sub/b.py", "....run"), "missing");
        assert_eq!(finds(&tree, "kit/a.py", ".gone"), "missing");
        assert_eq!(finds_in(&tree, "kit/a.py", ".", "sub").as_deref(), Some("kit/sub/__init__.py"));
        assert_eq!(finds_in(&tree, "kit/a.py", ".", "name"), None);
        assert_eq!(finds_in(&tree, "run.py", "kit.a", "sub"), None);
    }

    #[test]
    fn absolute_paths_begin_in_the_root_or_in_src() {
        let tree = project(&[
            "src/kit/__init__.py",
            "src/kit/a.py",
            "src/kit/json.py",
            "tests/conftest.py",
            "tests/t/case.py",
        ]);
        assert_eq!(finds(&tree, "tests/conftest.py", "kit.a"), "src/kit/a.py");
        assert_eq!(finds(&tree, "src/kit/a.py", "kit"), "src/kit/__init__.py");
        assert_eq!(finds(&tree, "src/kit/a.py", "json"), "external");
        assert_eq!(finds(&tree, "src/kit/a.py", "kit._version"), "missing");
        assert_eq!(finds(&tree, "src/kit/a.py", "os.path"), "external");
        assert_eq!(finds(&tree, "tests/t/case.py", "conftest"), "external");
    }

    #[test]
    fn a_script_sees_the_files_beside_it() {
        let tree =
            project(&["tools/run.py", "tools/steps.py", "app/api/main.py", "app/db/__init__.py", "app/db/pool.py"]);
        assert_eq!(finds(&tree, "tools/run.py", "steps"), "tools/steps.py");
        assert_eq!(finds(&tree, "app/api/main.py", "db.pool"), "app/db/pool.py");
        assert_eq!(finds(&tree, "app/api/main.py", "db"), "app/db/__init__.py");
        assert_eq!(finds(&tree, "app/api/main.py", "steps"), "external");
    }

    #[test]
    fn folders_without_an_init_file_are_namespaces() {
        let tree = project(&["kit/a.py", "kit/sub/b.py", "docs/index.md", "run.py"]);
        assert_eq!(finds(&tree, "run.py", "kit"), "kit/");
        assert_eq!(finds(&tree, "run.py", "kit.sub.b"), "kit/sub/b.py");
        assert_eq!(finds(&tree, "kit/sub/b.py", ".."), "kit/");
        assert_eq!(finds(&tree, "run.py", "docs"), "external");
        assert_eq!(finds_in(&tree, "run.py", "kit", "a").as_deref(), Some("kit/a.py"));
        assert_eq!(finds_in(&tree, "run.py", "kit", "sub").as_deref(), Some("kit/sub/"));
    }

    #[test]
    fn manifests_say_where_packages_begin() {
        let tree =
            project(&["libs/a/code/a/__init__.py", "libs/a/code/a/x.py", "libs/b/b/y.py", "libs/b/b/__init__.py"])
                .manifest("libs/a/pyproject.toml", "[tool.setuptools.packages.find]\nwhere = ['code']")
                .manifest("libs/b/setup.py", "setup()");
        assert_eq!(finds(&tree, "libs/b/b/y.py", "a.x"), "libs/a/code/a/x.py");
        assert_eq!(finds(&tree, "libs/a/code/a/x.py", "b"), "libs/b/b/__init__.py");
    }
}
