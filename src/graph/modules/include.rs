//! Languages that name a file: C and C++, Zig, shells, Ruby, Lua. A path is looked for beside the importing file and wherever a folder
//! for such paths may be; include paths of a build are not read. Of two files that fit equally well it takes neither.
//! Read [`find`] first.

use std::cmp::Reverse;

use super::Module;
use super::path::{below, extension, file_name, in_dir, join, parent, shared};
use crate::graph::{Code, Unit};
use crate::model::{Dialect, FileId, ImportKind, RelPath};

pub(super) fn find(code: &dyn Code, from: &Unit, module: &str) -> Module {
    let Some(written) = fixed_part(module) else { return Module::External };
    let spellings = spellings(from.dialect, &written);
    let beside = || spellings.iter().find_map(|path| other_file(code, from, &join(from.path.dir(), path)?));
    let anywhere = || spellings.iter().find_map(|path| search(code, from, path));
    let found = if is_relative(from, &written) {
        beside().or_else(|| spellings.iter().find_map(|path| other_file(code, from, &join("", path)?)))
    } else if is_name(from.dialect, &written) {
        anywhere().or_else(beside)
    } else {
        beside().or_else(anywhere)
    };
    let is_there = || spellings.iter().any(|path| ending_with(code, from, path).next().is_some());
    let ours = || is_relative(from, &written) || has_extension(from.dialect, &written) || is_there();
    found.map_or_else(|| if ours() { Module::Missing } else { Module::External }, Module::file)
}

/// What follows the last part that a shell computes (`$DIR/`, `$(dirname "$0")/`), without quotes; `None` when all of it is computed.
fn fixed_part(module: &str) -> Option<String> {
    let plain = module.replace(['"', '\''], "");
    match plain.rfind(['$', '`', ')', '}']).and_then(|at| plain.get(at..)) {
        Some(computed) => computed.split_once('/').map(|(_, rest)| rest.to_owned()),
        None => Some(plain),
    }
}

/// Paths that `written` may stand for: itself, or with what a module's name leaves out.
fn spellings(dialect: &Dialect, written: &str) -> Vec<String> {
    if !is_name(dialect, written) {
        return vec![written.to_owned()];
    }
    let dotted = (!written.contains('/') && written.contains('.')).then(|| written.replace('.', "/"));
    let names = std::iter::once(written.to_owned()).chain(dotted);
    let spell = |name: String| {
        let extensions = dialect.module_extensions.iter();
        extensions.flat_map(move |extension| {
            let index = dialect.module_index.iter().map(|index| format!("{name}/{index}.{extension}"));
            std::iter::once(format!("{name}.{extension}")).chain(index).collect::<Vec<_>>()
        })
    };
    names.flat_map(spell).collect()
}

/// A name that leaves the extension out.
fn is_name(dialect: &Dialect, written: &str) -> bool {
    !dialect.module_extensions.is_empty() && !has_extension(dialect, written)
}

fn has_extension(dialect: &Dialect, written: &str) -> bool {
    dialect.module_extensions.iter().any(|known| extension(written) == Some(known))
}

/// Only beside the importing file: written so, or imported by a statement that says so and gives all names.
fn is_relative(from: &Unit, written: &str) -> bool {
    let all_names = |kind| kind == ImportKind::Wildcard;
    let dots = matches!(written, "." | "..") || written.starts_with("./") || written.starts_with("../");
    dots || from.facts.imports.iter().any(|import| &*import.module == written && all_names(import.kind))
}

/// No file imports itself: what has its name is another one.
fn other_file(code: &dyn Code, from: &Unit, path: &str) -> Option<FileId> {
    code.file_at(path).filter(|_| path != from.path.as_str())
}

/// The one file whose path ends with `path`, the nearest where there are more.
fn search(code: &dyn Code, from: &Unit, path: &str) -> Option<FileId> {
    let rank = |at: &RelPath| (Reverse(shared(at.dir(), from.path.dir())), at.as_str().matches('/').count());
    let mut found: Vec<_> = ending_with(code, from, path).map(|(at, file)| (rank(&at), file)).collect();
    found.sort();
    match found.as_slice() {
        [(best, _), (next, _), ..] if best == next => None,
        files => files.first().map(|(_, file)| *file),
    }
}

fn ending_with<'a>(
    code: &dyn Code,
    from: &'a Unit,
    path: &'a str,
) -> impl Iterator<Item = (RelPath, FileId)> + use<'a> {
    code.files_called(file_name(path)).into_iter().filter(move |(at, _)| {
        let at = at.as_str();
        let folder =
            if at == path { Some("") } else { at.strip_suffix(path).and_then(|folder| folder.strip_suffix('/')) };
        at != from.path.as_str() && folder.is_some_and(|folder| may_begin_in(from, folder, path))
    })
}

/// Paths begin in any folder, or in one of those that the language names, or around the importing file where the path itself has one.
fn may_begin_in(from: &Unit, folder: &str, path: &str) -> bool {
    let roots = &from.dialect.module_roots;
    let is_root = |root: &String| folder == root || folder.ends_with(&in_dir("/", root).replace("//", "/"));
    let around = !parent(path).is_empty() && below(from.path.as_str(), folder).is_some();
    roots.is_empty() || folder.is_empty() || around || roots.iter().any(is_root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::fixture::{Tree, dialect, import, unit};
    use crate::model::ModuleStyle::Include;

    fn finds(tree: &Tree, from: &str, module: &str) -> String {
        tree.show(&find(tree, &tree.at(from), module))
    }

    #[test]
    fn headers_are_beside_the_file_or_end_with_the_path() {
        let c = dialect(Include, &[], &[], &[]);
        let paths =
            ["src/a.c", "src/ring.h", "include/kit/ring.h", "include/kit/pool.h", "deps/x/config.h", "deps/y/config.h"];
        let tree = Tree::of(c, &[&paths[..], &["deps/x/in/b.c"]].concat());
        assert_eq!(finds(&tree, "src/a.c", "ring.h"), "src/ring.h");
        assert_eq!(finds(&tree, "src/a.c", "kit/ring.h"), "include/kit/ring.h");
        assert_eq!(finds(&tree, "src/a.c", "../include/kit/pool.h"), "include/kit/pool.h");
        assert_eq!(finds(&tree, "src/a.c", "it/pool.h"), "external");
        assert_eq!(finds(&tree, "src/a.c", "config.h"), "missing");
        assert_eq!(finds(&tree, "deps/x/in/b.c", "config.h"), "deps/x/config.h");
        assert_eq!(finds(&tree, "src/a.c", "stdio.h"), "external");
        assert_eq!(finds(&tree, "src/a.c", "./gone.h"), "missing");
    }

    #[test]
    fn a_shell_computes_the_folder_and_writes_the_rest() {
        let bash = dialect(Include, &[], &[], &[]);
        let tree = Tree::of(bash, &["bin/run.sh", "bin/net.sh", "lib/log.sh"]);
        assert_eq!(finds(&tree, "bin/run.sh", "$ROOT/lib/log.sh"), "lib/log.sh");
        assert_eq!(finds(&tree, "bin/run.sh", "\"$(dirname \"$0\")/net.sh\""), "bin/net.sh");
        assert_eq!(finds(&tree, "bin/run.sh", "${BASH_SOURCE%/*}/../lib/log.sh"), "lib/log.sh");
        assert_eq!(finds(&tree, "bin/run.sh", "./lib/log.sh"), "lib/log.sh");
        assert_eq!(finds(&tree, "bin/run.sh", "$1"), "external");
    }

    #[test]
    fn zig_names_files_and_packages() {
        let zig = dialect(Include, &["zig"], &[], &[]);
        let tree = Tree::of(zig, &["src/main.zig", "src/page.zig", "lib/tree.zig"]);
        assert_eq!(finds(&tree, "src/main.zig", "page.zig"), "src/page.zig");
        assert_eq!(finds(&tree, "src/main.zig", "../lib/tree.zig"), "lib/tree.zig");
        assert_eq!(finds(&tree, "src/main.zig", "tree"), "lib/tree.zig");
        assert_eq!(finds(&tree, "src/main.zig", "gone.zig"), "missing");
        assert_eq!(finds(&tree, "src/main.zig", "std"), "external");
    }

    #[test]
    fn ruby_looks_in_its_load_path_before_the_folder_of_the_file() {
        let ruby = dialect(Include, &["rb"], &[], &["lib", "app/models", "spec"]);
        let mut relative = unit("lib/shop/cart.rb", ruby);
        relative.facts.imports.push(import(ImportKind::Wildcard, "json", "", false));
        let paths = [
            "lib/shop.rb",
            "lib/shop/item.rb",
            "lib/shop/json.rb",
            "lib/json.rb",
            "app/models/user.rb",
            "gems/x/lib/x/y.rb",
        ];
        let tree = Tree::new(paths.iter().map(|path| unit(path, ruby)).chain([relative]));
        assert_eq!(finds(&tree, "lib/shop.rb", "shop/item"), "lib/shop/item.rb");
        assert_eq!(finds(&tree, "app/models/user.rb", "shop/item"), "lib/shop/item.rb");
        assert_eq!(finds(&tree, "lib/shop/cart.rb", "item"), "lib/shop/item.rb");
        assert_eq!(finds(&tree, "lib/shop/item.rb", "json"), "lib/json.rb");
        assert_eq!(finds(&tree, "lib/shop/cart.rb", "json"), "lib/shop/json.rb");
        assert_eq!(finds(&tree, "lib/shop.rb", "user"), "app/models/user.rb");
        assert_eq!(finds(&tree, "lib/shop.rb", "x/y.rb"), "gems/x/lib/x/y.rb");
        assert_eq!(finds(&tree, "lib/json.rb", "json"), "external");
    }

    #[test]
    fn lua_writes_folders_with_dots() {
        let lua = dialect(Include, &["lua"], &["init"], &["lua", "src"]);
        let tree = Tree::of(
            lua,
            &["lua/plug/init.lua", "lua/plug/keys.lua", "src/app/log.lua", "game/ui/draw.lua", "game/main.lua"],
        );
        assert_eq!(finds(&tree, "lua/plug/init.lua", "plug.keys"), "lua/plug/keys.lua");
        assert_eq!(finds(&tree, "lua/plug/keys.lua", "plug"), "lua/plug/init.lua");
        assert_eq!(finds(&tree, "lua/plug/keys.lua", "app.log"), "src/app/log.lua");
        assert_eq!(finds(&tree, "game/main.lua", "ui.draw"), "game/ui/draw.lua");
        assert_eq!(finds(&tree, "game/main.lua", "./ui/draw"), "game/ui/draw.lua");
        assert_eq!(finds(&tree, "lua/plug/keys.lua", "ui.draw"), "external");
    }
}
