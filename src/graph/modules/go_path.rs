//! Go: an import path is the path of a module and a folder below it, and means all files of that folder. Dependencies that lie in the
//! project (`vendor`) are not of it. Read [`find`] first.

use super::path::in_dir;
use super::{Layout, Module};
use crate::graph::{Code, Unit};
use crate::model::FileId;

/// Ending of the names of files that only tests of the same folder see.
const TEST: &str = "_test";

pub(super) fn find(layout: &Layout, code: &dyn Code, from: &Unit, module: &str) -> Module {
    let Some((dir, rest)) = layout.go_modules.iter().find_map(|go| Some((&go.dir, folder_in(module, &go.path)?)))
    else {
        return Module::External;
    };
    // The folder of a later major version may have its own or be the same as that of the first.
    let folders = [Some(rest), without_version(rest)].into_iter().flatten();
    let packages = folders.map(|folder| package(code, from, &in_dir(dir, folder)));
    packages.into_iter().find(|files| !files.is_empty()).map_or(Module::Missing, Module::Folder)
}

fn folder_in<'m>(module: &'m str, path: &str) -> Option<&'m str> {
    let rest = module.strip_prefix(path)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

fn without_version(folder: &str) -> Option<&str> {
    let (first, rest) = folder.split_once('/').unwrap_or((folder, ""));
    let number = first.strip_prefix('v')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(rest)
}

fn package(code: &dyn Code, from: &Unit, dir: &str) -> Vec<FileId> {
    let inside = from.path.dir() == dir;
    let belongs = |file: &FileId| {
        let Some(unit) = code.unit(*file) else { return false };
        let Some((name, extension)) = unit.path.file_name().rsplit_once('.') else { return false };
        from.dialect.module_extensions.iter().any(|known| known == extension) && (inside || !name.ends_with(TEST))
    };
    code.files_in(dir).into_iter().filter(belongs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::fixture::{Tree, dialect};
    use crate::model::ModuleStyle;

    #[test]
    fn an_import_path_is_the_folder_below_its_module() {
        let go = dialect(ModuleStyle::GoPath, &["go"], &[], &[]);
        let tree = Tree::of(
            go,
            &[
                "a.go",
                "a_test.go",
                "log/log.go",
                "log/log_test.go",
                "log/notes.txt",
                "sub/v2/s.go",
                "tool/t.go",
                "x/deep/d.go",
            ],
        )
        .manifest("go.mod", "// a kit\nmodule example.org/kit/v5 // the newest\n\ngo 1.22\n")
        .manifest("tool/go.mod", "module \"example.org/kit/v5/tool\"\nreplace (\n\texample.org/x v1.0.0 => ../x\n)\n");
        let layout = Layout::read(&tree);
        let finds = |from: &str, module: &str| tree.show(&find(&layout, &tree, &tree.at(from), module));
        assert_eq!(finds("log/log.go", "example.org/kit/v5"), "[a.go]");
        assert_eq!(finds("a_test.go", "example.org/kit/v5"), "[a.go a_test.go]");
        assert_eq!(finds("a.go", "example.org/kit/v5/log"), "[log/log.go]");
        assert_eq!(finds("a.go", "example.org/kit/v5/sub/v2"), "[sub/v2/s.go]");
        assert_eq!(finds("a.go", "example.org/kit/v5/v6/log"), "[log/log.go]");
        assert_eq!(finds("a.go", "example.org/kit/v5/tool"), "[tool/t.go]");
        assert_eq!(finds("tool/t.go", "example.org/x/deep"), "[x/deep/d.go]");
        assert_eq!(finds("a.go", "example.org/kit/v5/gone"), "missing");
        assert_eq!(finds("a.go", "example.org/kit/v55"), "external");
        assert_eq!(finds("a.go", "net/http"), "external");
    }
}
