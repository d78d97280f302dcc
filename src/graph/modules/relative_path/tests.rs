//! Where imports of JavaScript and TypeScript lead, by way of being written.

use super::*;
use crate::graph::fixture::{Tree, dialect};
use crate::model::ModuleStyle::RelativePath;

const TS: [&str; 9] = ["ts", "tsx", "mts", "js", "jsx", "mjs", "vue", "d.ts", "d.mts"];

fn project(paths: &[&str]) -> Tree {
    Tree::of(dialect(RelativePath, &TS, &["index"], &[]), paths)
}

fn finds(tree: &Tree, from: &str, module: &str) -> String {
    tree.show(&find(&Layout::read(tree), tree, &tree.at(from), module))
}

#[test]
fn relative_paths_may_leave_out_or_exchange_the_extension() {
    let tree = project(&[
        "src/a.ts",
        "src/b.js",
        "src/b.d.ts",
        "src/c.mts",
        "src/d.service.ts",
        "src/Card.vue",
        "src/ui/index.tsx",
        "src/ui.ts",
        "src/style.css",
        "index.ts",
    ]);
    let rows = [
        ("./b", "src/b.js"),
        ("./b.js", "src/b.js"),
        ("./c.mjs", "src/c.mts"),
        ("./d.service", "src/d.service.ts"),
        ("./d.service.js", "src/d.service.ts"),
        ("./Card.vue", "src/Card.vue"),
        ("./Card.vue?raw", "src/Card.vue"),
        ("./ui", "src/ui.ts"),
        ("./ui/", "src/ui/index.tsx"),
        ("./ui/index.js", "src/ui/index.tsx"),
        ("./style.css", "src/style.css"),
        ("..", "index.ts"),
        ("../", "index.ts"),
        ("../../x", "missing"),
        ("./gone", "missing"),
        ("/src/a", "src/a.ts"),
        ("react", "external"),
        ("node:fs", "external"),
        ("@scope/name/sub", "external"),
    ];
    for (module, expected) in rows {
        assert_eq!(finds(&tree, "src/a.ts", module), expected, "{module}");
    }
}

#[test]
fn javascript_takes_the_written_file_before_a_typescript_one() {
    let js = dialect(RelativePath, &["js", "ts"], &["index"], &[]);
    let tree = Tree::of(js, &["a.js", "b.js", "b.ts"]);
    assert_eq!(finds(&tree, "a.js", "./b.js"), "b.js");
    assert_eq!(finds(&project(&["a.js", "b.js", "b.ts"]), "a.js", "./b.js"), "b.ts");
}

#[test]
fn a_folder_with_a_manifest_is_its_main_file() {
    let tree = project(&["app.ts", "kit/src/main.ts", "kit/index.ts", "old/lib/index.js", "bare/index.ts"])
        .manifest("kit/package.json", r#"{ "main": "./dist/main.js" }"#)
        .manifest("old/package.json", r#"{ "main": "lib" }"#);
    assert_eq!(finds(&tree, "app.ts", "./kit"), "kit/src/main.ts");
    assert_eq!(finds(&tree, "app.ts", "./old"), "old/lib/index.js");
    assert_eq!(finds(&tree, "app.ts", "./bare"), "bare/index.ts");
}

#[test]
fn built_files_lead_to_their_source() {
    let tree = project(&["src/index.ts", "src/http/get.ts", "src/fp/index.ts", "lib/kit.js", "test/a.ts"])
        .manifest("package.json", "{}");
    assert_eq!(finds(&tree, "test/a.ts", "../dist/index.js"), "src/index.ts");
    assert_eq!(finds(&tree, "test/a.ts", "../dist/esm/http/get.mjs"), "src/http/get.ts");
    assert_eq!(finds(&tree, "test/a.ts", "../dist/node/kit.min.cjs"), "lib/kit.js");
    assert_eq!(finds(&tree, "test/a.ts", "../dist/fp.js"), "src/fp/index.ts");
    assert_eq!(finds(&tree, "test/a.ts", "../other/index.js"), "missing");
}

#[test]
fn a_package_is_known_to_itself_and_to_its_workspace() {
    let tree = project(&[
        "packages/kit/src/index.ts",
        "packages/kit/src/deep/one.ts",
        "packages/kit/tool.ts",
        "packages/app/main.ts",
        "fixtures/react/index.js",
        "other/x.ts",
    ])
    .manifest("package.json", r#"{ "name": "root", "workspaces": ["packages/*"] }"#)
    .manifest(
        "packages/kit/package.json",
        r#"{ "name": "@me/kit", "exports": { ".": { "import": "./dist/index.mjs" }, "./deep/*": "./dist/deep/*.js" } }"#,
    )
    .manifest("packages/app/package.json", r#"{ "name": "app", "dependencies": { "loose": "file:../../other" } }"#)
    .manifest("fixtures/react/package.json", r#"{ "name": "react" }"#)
    .manifest("other/package.json", r#"{ "name": "loose", "main": "x" }"#);
    assert_eq!(finds(&tree, "packages/app/main.ts", "@me/kit"), "packages/kit/src/index.ts");
    assert_eq!(finds(&tree, "packages/app/main.ts", "@me/kit/deep/one"), "packages/kit/src/deep/one.ts");
    assert_eq!(finds(&tree, "packages/app/main.ts", "@me/kit/tool"), "packages/kit/tool.ts");
    assert_eq!(finds(&tree, "packages/app/main.ts", "@me/kit/gone"), "missing");
    assert_eq!(finds(&tree, "packages/app/main.ts", "react"), "external");
    assert_eq!(finds(&tree, "packages/app/main.ts", "loose"), "other/x.ts");
    assert_eq!(finds(&tree, "packages/kit/tool.ts", "@me/kit"), "packages/kit/src/index.ts");
    assert_eq!(finds(&tree, "packages/kit/tool.ts", "loose"), "external");
}

#[test]
fn source_is_taken_before_declarations_beside_it() {
    let tree = project(&["index.d.ts", "index.js", "lib/kit.js", "test.ts"]).manifest(
        "package.json",
        r#"{ "name": "kit", "exports": { ".": { "types": "./index.d.ts", "default": { "require": "./dist/kit.cjs", "default": "./index.js" } } } }"#,
    );
    assert_eq!(finds(&tree, "test.ts", "kit"), "index.js");
}

#[test]
fn numbered_imports_are_those_of_the_package() {
    let tree = project(&["src/a.ts", "src/log/file.ts", "x.ts"]).manifest(
        "package.json",
        r##"{ "imports": { "#log/*": { "types": "./dist/log/*.d.ts", "default": "./dist/log/*.js" }, "#fs": "node:fs" } }"##,
    );
    assert_eq!(finds(&tree, "src/a.ts", "#log/file"), "src/log/file.ts");
    assert_eq!(finds(&tree, "src/a.ts", "#fs"), "external");
}

#[test]
fn aliases_come_from_the_nearest_configuration() {
    let tree = project(&["src/a.ts", "src/ui/card.ts", "gen/api.ts", "web/x.ts", "web/lib/y.ts", "web/own/z.ts", "shared/s.ts"])
        .manifest("tsconfig.json", "{ \"extends\": \"./config/base\", /* all */ \"compilerOptions\": { \"baseUrl\": \"src\", }, }")
        .manifest("config/base.json", r#"{ "compilerOptions": { "baseUrl": "..", "paths": { "gen/*": ["nope/*", "gen/*"], "gen/deep/*": ["x/*"] } } }"#)
        .manifest("web/tsconfig.json", r#"{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }"#)
        .manifest(
            "web/tsconfig.app.json",
            r#"{ "compilerOptions": { "paths": { "@/*": ["./lib/*"], "s": ["${configDir}/../shared/s.ts"] } } }"#,
        );
    assert_eq!(finds(&tree, "src/a.ts", "ui/card"), "src/ui/card.ts");
    assert_eq!(finds(&tree, "src/a.ts", "gen/api"), "gen/api.ts");
    assert_eq!(finds(&tree, "src/a.ts", "gen/deep/api"), "missing");
    assert_eq!(finds(&tree, "web/x.ts", "@/y"), "web/lib/y.ts");
    assert_eq!(finds(&tree, "web/x.ts", "s"), "shared/s.ts");
    assert_eq!(finds(&tree, "web/x.ts", "ui/card"), "external");
}

#[test]
fn usual_aliases_need_no_configuration() {
    let tree = project(&["web/src/api.ts", "web/src/lib/db.ts", "web/app/page.vue", "web/x.ts"])
        .manifest("web/package.json", "{}");
    assert_eq!(finds(&tree, "web/x.ts", "@/api"), "web/src/api.ts");
    assert_eq!(finds(&tree, "web/x.ts", "~/page.vue"), "web/app/page.vue");
    assert_eq!(finds(&tree, "web/x.ts", "$lib/db"), "web/src/lib/db.ts");
    assert_eq!(finds(&tree, "web/x.ts", "@/gone"), "missing");
}
