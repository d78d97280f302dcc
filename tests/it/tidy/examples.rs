//! Every rule fails on what it is there to forbid, and only on that.

use super::*;

const TABLE: &str = "\
| room | may import | must never know |
|---|---|---|
| `model` | – | anything |
| scan, store | `model` | each other |
";

fn imports(path: &str, text: &str) -> Vec<String> {
    bad_imports(&Source::new(path, text), &import_table(TABLE))
}

fn faults(rule: impl Fn(&Source) -> Vec<String>, path: &str, text: &str) -> usize {
    rule(&Source::new(path, text)).len()
}

#[test]
fn the_table_is_read_from_its_rows() {
    let arrows = import_table(TABLE);
    assert_eq!(arrows.len(), 3);
    assert_eq!(arrows["model"], Vec::<String>::new());
    assert_eq!(arrows["store"], ["model"]);
}

#[test]
fn an_import_outside_the_table_is_found_in_every_form() {
    let found = |text| imports("src/scan/walk.rs", text).len();
    assert_eq!(
        imports("src/scan/walk.rs", "use crate::store::Writer;"),
        ["src/scan/walk.rs:1: `scan` may not import `store`"]
    );
    assert_eq!(found("use crate::{model::{self, Stat}, store, store::text::{Reader, Block}};"), 2);
    assert_eq!(found("fn f() { crate::store::open() }"), 1);
    assert_eq!(found("fn f() { log!(crate::store::NAME) }"), 1);
    assert_eq!(found("mod tests { use crate::store; }"), 1);
    assert_eq!(found("use super::super::store;"), 1);
    assert_eq!(found("mod tests { use super::super::super::{store, model}; }"), 1);
    assert_eq!(found("use reporecall::store;"), 1);
    assert_eq!(imports("src/store.rs", "use super::{scan, model};").len(), 1);
    assert_eq!(imports("src/misc.rs", "").len(), 1);
}

#[test]
fn an_import_inside_the_table_is_left_alone() {
    let text = "//! `crate::store` in prose.
        use crate::model::Stat; use crate::scan::other; use super::store; use super::super::model;
        pub(crate) fn f() { let text = \"crate::store\"; other::store::open() }
        mod tests { use super::super::store; }";
    assert_eq!(imports("src/scan/walk.rs", text), Vec::<String>::new());
}

#[test]
fn a_crate_outside_its_room_is_found() {
    assert_eq!(faults(misplaced_crates, "src/search/rank.rs", "use rusqlite::Connection;"), 1);
    assert_eq!(faults(misplaced_crates, "src/index.rs", "fn f() { tree_sitter_rust::LANGUAGE.into() }"), 1);
    assert_eq!(faults(misplaced_crates, "src/store/code.rs", "use rusqlite::Connection;"), 0);
}

#[test]
fn a_clock_in_a_pure_room_is_found() {
    assert_eq!(faults(impurities, "src/parse/mod.rs", "use std::{fmt, time::Instant};"), 1);
    assert_eq!(faults(impurities, "src/graph.rs", "fn f() { std::fs::read(p) }"), 1);
    assert_eq!(faults(impurities, "src/scan/mod.rs", "use std::time::Instant;"), 0);
}

#[test]
fn a_silenced_lint_is_found() {
    assert_eq!(faults(allows, "src/scan/mod.rs", "#![allow(dead_code)]"), 1);
    assert_eq!(faults(allows, "src/scan/mod.rs", "#[cfg_attr(test, allow(dead_code))] fn f() {}"), 1);
    assert_eq!(faults(allows, "src/lib.rs", "#![expect(clippy::pedantic, reason = \"\")]"), 1);
    assert_eq!(faults(allows, "src/scan/mod.rs", "#[expect(clippy::exit, reason = \"\")] fn f() { allow(1) }"), 0);
}

#[test]
fn a_vague_module_is_found() {
    assert_eq!(faults(vague_modules, "src/scan/utils.rs", ""), 1);
    assert_eq!(faults(vague_modules, "src/scan/mod.rs", "mod helpers { }"), 1);
    assert_eq!(faults(vague_modules, "src/scan/walk.rs", "fn core() {}"), 0);
}

#[test]
fn a_file_without_an_opening_is_found() {
    assert_eq!(faults(missing_opening, "src/scan/walk.rs", "use std::fmt;"), 1);
    assert_eq!(faults(missing_opening, "src/scan/walk.rs", "//! Walks."), 0);
}

#[test]
fn a_public_item_below_a_private_function_is_found() {
    assert_eq!(faults(late_public_items, "src/a.rs", "fn a() {} pub fn b() {}"), 1);
    assert_eq!(faults(late_public_items, "src/a.rs", "fn a() {} pub(in crate::x) const fn b() {} pub struct C;"), 2);
    assert_eq!(
        faults(late_public_items, "src/a.rs", "pub fn b() { fn a() {} } impl C { fn x() {} } pub fn d() {} fn a() {}"),
        0
    );
    assert_eq!(faults(late_public_items, "src/a.rs", "fn a() {} mod tests { pub fn b() {} } struct Private;"), 0);
}

#[test]
fn an_ignored_or_numbered_test_is_found() {
    assert_eq!(faults(bad_tests, "src/a.rs", "#[test] #[ignore] fn a() {}"), 1);
    assert_eq!(faults(bad_tests, "src/a.rs", "#[test] #[ignore = \"slow\"] fn a() {}"), 1);
    assert_eq!(faults(bad_tests, "src/a.rs", "#[test] fn test_one() {}"), 1);
    assert_eq!(faults(bad_tests, "src/a.rs", "fn f(test_one: [ignore; 1]) {}"), 0);
}

#[test]
fn a_long_file_needs_a_row() {
    let long = "x\n".repeat(MAX_FILE_LINES + 1);
    assert_eq!(faults(|source| long_file(source, &[]), "src/a.rs", &long), 1);
    assert_eq!(faults(|source| long_file(source, &[("src/a.rs", "a table")]), "src/a.rs", &long), 0);
    assert_eq!(faults(|source| long_file(source, &[]), "src/a.rs", "x\n"), 0);
}

#[test]
fn a_long_function_is_found_whatever_its_strings_hold() {
    let body = "let brace = ('{', \"}\", r#\"}\"#); // }\n".repeat(MAX_FUNCTION_LINES);
    assert_eq!(faults(long_functions, "src/a.rs", &format!("fn a() -> [u8; {{ 3 }}] {{\n{body}}}")), 1);
    assert_eq!(
        faults(long_functions, "src/a.rs", &format!("trait T {{ fn a(); fn b() {{}} }} const X: X = {{ {body} }};")),
        0
    );
    let lines = functions(&Source::new("src/a.rs", "pub fn a<'x>(\n  f: fn(&'x u8),\n) where X: Y {\n}\n"));
    assert_eq!(lines.iter().map(|function| function.lines).collect::<Vec<_>>(), [4]);
}

#[test]
fn many_middling_functions_are_found() {
    assert!(distribution_fault(vec![MEDIAN_FUNCTION_LINES + 1; 10]).is_some());
    assert!(distribution_fault(vec![1, 1, 1, 1, 1, 1, 1, P90_FUNCTION_LINES + 1, P90_FUNCTION_LINES + 1]).is_some());
    assert!(distribution_fault(vec![MEDIAN_FUNCTION_LINES; 10]).is_none());
}

#[test]
fn a_machine_path_or_a_registry_is_found() {
    for word in MACHINE_PATHS.iter().chain(&REGISTRY_HOSTS) {
        assert_eq!(faults(machine_words, "README.md", &format!("see\n\"{word}x\"")), 1, "{word}");
    }
    let relative = format!("frame{path} .{path} ${{dir}}{path}", path = MACHINE_PATHS[0]);
    assert_eq!(faults(machine_words, "README.md", &relative), 0);
}
