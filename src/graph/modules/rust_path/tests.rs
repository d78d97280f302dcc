//! Where paths of Rust lead, by where they are written.

use super::*;
use crate::graph::fixture::{Tree, dialect, import, symbol, unit};
use crate::model::{ImportKind, ModuleStyle, Span, SymbolKind};

/// A file with what it declares: `mod a` and `enum A` (in it), `a` (a file), `pub a::b`, `a::b as c` and `a::*`.
fn file(path: &str, items: &[&str]) -> Unit {
    let rust = dialect(ModuleStyle::RustPath, &["rs"], &["mod"], &[]);
    let mut file = unit(path, rust);
    for item in items {
        let (public, item) = item.strip_prefix("pub ").map_or((false, *item), |item| (true, item));
        let (item, alias) = item.split_once(" as ").map_or((item, None), |(item, alias)| (item, Some(alias.into())));
        let mut fact = match (item.rsplit_once("::"), item.split_once(' ')) {
            (Some((module, "*")), _) => import(ImportKind::Wildcard, module, "", public),
            (Some((module, name)), _) => import(ImportKind::Named, module, name, public),
            (None, Some((kind, name))) => {
                let kind = if kind == "mod" { SymbolKind::Module } else { SymbolKind::Enum };
                file.symbols.push(symbol(kind, name));
                continue;
            }
            (None, None) => import(ImportKind::Module, item, "", public),
        };
        fact.alias = alias;
        file.facts.imports.push(fact);
    }
    file
}

fn finds(tree: &Tree, from: &str, module: &str) -> String {
    tree.show(&find(&Layout::read(tree), tree, &tree.at(from), "", module))
}

fn package(tree: Tree, text: &str) -> Tree {
    tree.manifest("Cargo.toml", &format!("[package]\nname = \"my-kit\"\nedition = \"2024\"\n{text}"))
}

fn kit() -> Tree {
    let tree = Tree::new([
        file(
            "src/lib.rs",
            &["a", "b", "mod tests", "mod tests.deep", "pub b::inner as short", "pub a::*", "std::io", "pub serde"],
        ),
        file("src/a.rs", &["x", "enum Kind", "io", "crate::b as other"]),
        file("src/a/x.rs", &["super::super::b::inner", "super::Kind"]),
        file("src/b/mod.rs", &["pub inner"]),
        file("src/b/inner.rs", &[]),
        file("src/b/io.rs", &[]),
    ]);
    package(tree, "[dependencies]\nserde = '1'\n")
}

#[test]
fn paths_begin_at_the_crate_here_or_above() {
    let tree = kit();
    let rows = [
        ("src/a/x.rs", "crate", "src/lib.rs"),
        ("src/a/x.rs", "crate::b::inner", "src/b/inner.rs"),
        ("src/a/x.rs", "super", "src/a.rs"),
        ("src/a/x.rs", "super::super::b", "src/b/mod.rs"),
        ("src/b/inner.rs", "super", "src/b/mod.rs"),
        ("src/b/mod.rs", "super::a", "src/a.rs"),
        ("src/b/mod.rs", "self::inner", "src/b/inner.rs"),
        ("src/b/mod.rs", "inner", "src/b/inner.rs"),
        ("src/a.rs", "x", "src/a/x.rs"),
        ("src/lib.rs", "super", "missing"),
        ("src/lib.rs", "crate::tests::deep", "src/lib.rs#tests.deep"),
        ("src/b/mod.rs", "crate::a::Kind", "src/a.rs#Kind"),
        ("src/a.rs", "crate::gone", "missing"),
        ("src/a.rs", "r#x", "src/a/x.rs"),
    ];
    for (from, module, expected) in rows {
        assert_eq!(finds(&tree, from, module), expected, "{module} in {from}");
    }
}

#[test]
fn names_that_a_module_has_from_elsewhere_are_followed() {
    let tree = kit();
    assert_eq!(finds(&tree, "src/a/x.rs", "crate::short"), "src/b/inner.rs");
    assert_eq!(finds(&tree, "src/b/inner.rs", "crate::x"), "src/a/x.rs");
    assert_eq!(finds(&tree, "src/b/inner.rs", "crate::io"), "external");
    assert_eq!(finds(&tree, "src/b/inner.rs", "crate::serde::de"), "external");
    assert_eq!(finds(&tree, "src/a.rs", "other::inner"), "src/b/inner.rs");
    assert_eq!(finds(&tree, "src/a/x.rs", "inner"), "src/b/inner.rs");
    assert_eq!(finds(&tree, "src/a/x.rs", "Kind"), "src/a.rs#Kind");
}

#[test]
fn what_is_neither_declared_nor_a_crate_of_the_project_is_outside() {
    let tree = kit();
    assert_eq!(finds(&tree, "src/a.rs", "std::collections"), "external");
    assert_eq!(finds(&tree, "src/a.rs", "serde::de"), "external");
    assert_eq!(finds(&tree, "src/b/mod.rs", "io"), "external");
    assert_eq!(finds(&tree, "src/b/mod.rs", "::b"), "external");
}

#[test]
fn inside_a_nested_module_super_is_the_file() {
    let mut file = file("src/lib.rs", &["codec", "mod tests", "super::*"]);
    file.symbols.iter_mut().for_each(|symbol| symbol.span = Span { start: 50, end: 90 });
    file.facts.imports.iter_mut().filter(|import| &*import.module == "super").for_each(|import| import.at = 60);
    let tree = package(Tree::new([file, self::file("src/codec.rs", &[]), self::file("src/tests/data.rs", &[])]), "");
    let from = tree.at("src/lib.rs");
    let within = |module: &str| tree.show(&find(&Layout::read(&tree), &tree, &from, "tests", module));
    assert_eq!(within("super"), "src/lib.rs");
    assert_eq!(within("super::codec"), "src/codec.rs");
    assert_eq!(within("codec"), "src/codec.rs");
    assert_eq!(within("self"), "src/lib.rs#tests");
    assert_eq!(within("self::data"), "src/tests/data.rs");
    assert_eq!(super::owner_at(&from, 60), "tests");
    assert_eq!(super::owner_at(&from, 20), "");
}

#[test]
fn each_target_is_a_crate_of_its_own() {
    let paths = [
        "src/lib.rs",
        "src/a.rs",
        "src/cli.rs",
        "src/bin/tool.rs",
        "src/bin/big/main.rs",
        "src/bin/big/part.rs",
        "build.rs",
        "tests/it/main.rs",
        "tests/it/case.rs",
        "tests/one.rs",
        "tests/support/mod.rs",
        "odd/start.rs",
        "odd/more.rs",
    ];
    let main = file("src/main.rs", &["cli"]);
    let tree = Tree::new(paths.iter().map(|path| file(path, &["support", "case"])).chain([main]));
    let tree = package(tree, "[[bin]]\nname = 'odd'\npath = 'odd/start.rs'\n");
    let rows = [
        ("tests/it/case.rs", "crate", "tests/it/main.rs"),
        ("tests/it/case.rs", "super", "tests/it/main.rs"),
        ("tests/it/main.rs", "case", "tests/it/case.rs"),
        ("tests/it/case.rs", "my_kit::a", "src/a.rs"),
        ("tests/one.rs", "support", "tests/support/mod.rs"),
        ("tests/support/mod.rs", "crate", "missing"),
        ("src/bin/big/part.rs", "crate::part", "src/bin/big/part.rs"),
        ("src/bin/tool.rs", "my_kit", "src/lib.rs"),
        ("src/main.rs", "crate::cli", "src/cli.rs"),
        ("src/cli.rs", "crate", "src/main.rs"),
        ("src/a.rs", "crate", "src/lib.rs"),
        ("odd/more.rs", "super", "odd/start.rs"),
        ("odd/start.rs", "self::more", "odd/more.rs"),
    ];
    for (from, module, expected) in rows {
        assert_eq!(finds(&tree, from, module), expected, "{module} in {from}");
    }
}

#[test]
fn crates_of_the_workspace_go_by_their_name_in_paths() {
    let tree = Tree::new(
        [
            "app/src/main.rs",
            "lib-a/src/lib.rs",
            "lib-a/src/x.rs",
            "b/code/b.rs",
            "fixtures/serde/src/lib.rs",
            "p/src/lib.rs",
        ]
        .map(|path| file(path, &[])),
    )
    .manifest(
        "Cargo.toml",
        "[workspace.dependencies]\nlib-a = { path = 'lib-a' }\n[patch.registry]\np = { path = 'p' }",
    )
    .manifest(
        "app/Cargo.toml",
        "[package]\nname = 'app'\nedition = '2021'\n[dependencies]\nlib-a.workspace = true\nserde = '1'\np = '2'\n
         [target.'cfg(unix)'.dev-dependencies]\nbee = { path = '../b', package = 'b' }",
    )
    .manifest("lib-a/Cargo.toml", "[package]\nname = 'lib-a'\nedition = '2021'")
    .manifest("b/Cargo.toml", "[package]\nname = 'b'\nedition = '2021'\n[lib]\npath = 'code/b.rs'")
    .manifest("p/Cargo.toml", "[package]\nname = 'p'\nedition = '2021'")
    .manifest("fixtures/serde/Cargo.toml", "[package]\nname = 'serde'\nedition = '2021'");
    let rows = [
        ("lib_a::x", "lib-a/src/x.rs"),
        ("bee", "b/code/b.rs"),
        ("serde", "external"),
        ("p", "p/src/lib.rs"),
        ("lib_a::gone", "missing"),
    ];
    for (module, expected) in rows {
        assert_eq!(finds(&tree, "app/src/main.rs", module), expected, "{module}");
    }
}

#[test]
fn in_the_first_edition_paths_begin_at_the_root() {
    let tree = Tree::new(["src/lib.rs", "src/a.rs", "src/b.rs"].map(|path| file(path, &[])));
    let tree = tree.manifest("Cargo.toml", "[package]\nname = 'old'");
    assert_eq!(finds(&tree, "src/a.rs", "b"), "src/b.rs");
    assert_eq!(finds(&tree, "src/a.rs", "c"), "external");
}

#[test]
fn a_module_is_known_by_its_name_in_another() {
    let tree = kit();
    let layout = Layout::read(&tree);
    let from = tree.at("src/a.rs");
    let inside = find(&layout, &tree, &from, "", "crate::b");
    let name = |name: &str| submodule(&layout, &tree, &inside, name).map(|found| tree.show(&found));
    assert_eq!(name("inner").as_deref(), Some("src/b/inner.rs"));
    assert_eq!(name("make"), None);
}
