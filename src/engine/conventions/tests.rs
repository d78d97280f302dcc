//! Whole answers about small projects.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use expect_test::{Expect, expect};

use super::*;
use crate::engine::{IndexRequest, unwatched};
use crate::project::Project;

/// A project of files from a text (`//- path` starts one), indexed.
struct Indexed {
    dir: tempfile::TempDir,
    engine: Engine,
}

impl Indexed {
    fn new(fixture: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        for part in fixture.split("//- ").filter(|part| !part.trim().is_empty()) {
            let (path, text) = part.split_once('\n').unwrap();
            write(dir.path(), path.trim(), text);
        }
        let indexed = Self { engine: Engine::open(Project::at(dir.path()).unwrap()), dir };
        indexed.index();
        indexed
    }

    fn index(&self) {
        self.engine.index(IndexRequest::default(), &unwatched(&AtomicBool::new(false))).unwrap();
    }

    fn cache(&self) -> std::path::PathBuf {
        self.dir.path().join(".memory/conventions.json")
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn check(fixture: &str, expected: &Expect) {
    let mut lines = Vec::new();
    for language in Indexed::new(fixture).engine.conventions().unwrap().languages {
        lines.push(format!("{} {} {}\n", language.language, language.files, language.definitions));
        let said = language.statements().into_iter();
        lines.extend(said.map(|statement| format!("  {}: {}\n", statement.topic, statement.parts.join("; "))));
    }
    expected.assert_eq(&lines.concat());
}

const PYTHON: &str = r#"//- shop/cart.py
import os
import attrs
from .errors import CartError, raise_if

MAX_ITEMS = 3

class ShopCart:
    """Holds items."""

    def __init__(self):
        self.items_held = []

    def add_item(self, item):
        """Adds one.

        :param item: what to add
        """
        raise_if(item)
        if item is None:
            raise CartError("no item")
        self.items_held.append(item)

    def total_price(self):
        raise_if(self)
        if not self.items_held:
            raise CartError("empty")
        # raise CartError never counts in a comment
        return 1

    def remove_item(self, item):
        raise CartError("cannot")
//- shop/errors.py
import attrs

class CartError(Exception):
    """Anything about carts."""

def raise_if(thing):
    """Complains."""
    return thing

def log_all(thing):
    return raise_if(thing)

def find_all(x):
    return x
//- shop/view.py
from .errors import raise_if

def show_all(x):
    return raise_if(x)

def show_one(x):
    return x
//- tests/test_cart.py
import pytest
from shop.cart import ShopCart

def test_add():
    ShopCart().add_item(1)
    raise ValueError()
//- tests/test_view.py
import pytest

def testCamelIsNoStyleOfTheProject():
    pass

def test_show():
    pass
//- tests/test_errors.py
import pytest

def test_errors():
    pass
//- tests/helper.py
def makeThings():
    pass
"#;

#[test]
fn python_is_told_from_its_source_and_its_tests() {
    check(
        PYTHON,
        &expect![[r#"
            python 3 11
              names: functions snake_case (100% of 8)
              tests: 3 test files to 3 of source; in tests/ (3); named test_*.py (3); using pytest (3 files)
              errors: `raise` 3; most raised CartError (3); own types CartError shop/errors.py:3
              docs: 25% of 8 public functions
              length: functions median 2, 90% up to 9 lines
              calls: raise_if shop/errors.py:6 (4 in 3 files); CartError shop/errors.py:3 (3 in 1 file)
              imports: attrs (2 files)
        "#]],
    );
}

#[test]
fn rust_tells_inline_tests_and_results() {
    let file = |name: &str| {
        format!(
            "//- src/{name}.rs
/// One {name}.
pub struct Shop{name} {{}}

/// Why not.
pub enum {name}Error {{ None }}

/// Reads it.
pub fn read_{name}(x: u8) -> Result<u8, {name}Error> {{
    let value = parse_{name}(x)?;
    Ok(value)
}}

impl TryFrom<u8> for Shop{name} {{
    type Error = {name}Error;
}}

fn parse_{name}(x: u8) -> Result<u8, {name}Error> {{
    Ok(x)
}}

#[cfg(test)]
mod tests {{
    #[test]
    fn readsIt() {{
        super::read_{name}(1).unwrap();
    }}
}}
"
        )
    };
    check(
        &["Cart", "Item", "View"].map(file).concat(),
        &expect![[r#"
            rust 3 12
              names: types PascalCase (100% of 6)
              tests: 3 of 3 source files hold tests in `#[cfg(test)]` modules or `#[test]` functions
              errors: functions that return `Result` 6 (100%), `?` 3; own types CartError src/Cart.rs:5, ItemError src/Item.rs:5, ViewError src/View.rs:5
              docs: 100% of 6 public types; written as `///` (100%)
              length: functions median 4, 90% up to 4 lines
        "#]],
    );
}

#[test]
fn go_has_one_style_whether_exported_or_not() {
    let go = "//- cart.go
package shop

import \"errors\"

type CartItem struct{}

// AddItem adds.
func AddItem(x int) error {
	if err := checkItem(x); err != nil {
		return err
	}
	return nil
}

func checkItem(x int) error { return errors.New(\"a\") }
func readItem(x int) error { return errors.New(\"b\") }
func dropItem(x int) error { return errors.New(\"c\") }
func SellItem(x int) int { return 1 }
func SendItem(x int) int { return 1 }
func BookItem(x int) int { return 1 }
func FindItem(x int) int { return 1 }
func KeepItem(x int) int { return 1 }
//- cart_test.go
package shop

import \"testing\"

func TestAdd(t *testing.T) {}
//- view_test.go
package shop

import \"testing\"

func TestView(t *testing.T) {}
//- _examples/one/item_test.go
package one

import \"testing\"

func TestOne(t *testing.T) {}
//- item_test.go
package shop

import \"testing\"

func TestItem(t *testing.T) {}
";
    check(
        go,
        &expect![[r#"
            go 1 10
              names: functions MixedCaps (100% of 9)
              tests: 3 test files to 1 of source; beside the source (3); named *_test.go (3); using testing (3 files)
              errors: functions that return `error` 4 (44%), `errors.New` 3
              docs: 16% of 6 public functions
              length: functions median 1, 90% up to 6 lines
        "#]],
    );
}

#[test]
fn typescript_documentation_is_a_doc_comment() {
    let functions = (0..6)
        .map(|at| format!("// plain\nexport function readItem{at}() {{ throw new ShopError(); }}\n\n"))
        .collect::<Vec<_>>()
        .concat();
    let documented = (0..6)
        .map(|at| format!("/** Says. */\nexport function makeItem{at}() {{ return 1; }}\n\n"))
        .collect::<Vec<_>>()
        .concat();
    let tests: String = ["cart", "item", "view"]
        .map(|name| format!("//- src/{name}.test.ts\nimport {{ it }} from \"vitest\";\nit(\"works\", () => {{}});\n"))
        .concat();
    check(
        &format!(
            "//- src/cart-items.ts\nimport {{ z }} from \"zod/v4\";\n{functions}//- src/make.tsx\n{documented}{tests}"
        ),
        &expect![[r#"
            typescript 2 12
              names: functions camelCase (100% of 12)
              tests: 3 test files to 2 of source; beside the source (3); named *.test.ts (3); using Vitest (3 files); declared by it (3 files)
              errors: `throw` 6; most raised ShopError (6)
              docs: 50% of 12 public functions; written as `/**` (100%)
              length: functions median 1, 90% up to 1 lines
        "#]],
    );
}

#[test]
fn where_there_is_too_little_nothing_is_said() {
    check("//- README.md\n# Shop\n\nWords.\n", &expect![[""]]);
    check("//- a.py\ndef f(): pass\n", &expect![[""]]);
    let generated = (0..20).map(|at| format!("def made_by_{at}():\n    pass\n")).collect::<Vec<_>>().concat();
    check(&format!("//- made.py\n# @generated\n{generated}"), &expect![[""]]);
    check(&format!("//- examples/made.py\n{generated}"), &expect![[""]]);
    check("//- empty.py\n\n", &expect![[""]]);
}

#[test]
fn odd_names_show_no_style_and_break_nothing() {
    let names = ["é", "ß", "x", "y", "読む", "z1", "_", "__", "größe", "naïve", "Ω", "名前"];
    let odd = names.iter().map(|name| format!("def {name}(): pass\n")).collect::<Vec<_>>().concat();
    check(
        &format!("//- größe/名前.py\n{odd}"),
        &expect![[r#"
        python 1 12
          docs: 0% of 10 public functions
          length: functions median 1, 90% up to 1 lines
    "#]],
    );
}

#[test]
fn what_one_file_calls_gives_way_to_what_many_call() {
    let helpers: String =
        ["first", "second", "third"].map(|name| format!("def {name}_help(x):\n    return x\n\n")).concat();
    let caller = |file: &str| {
        let calls = "    first_help(1)\n    second_help(1)\n    third_help(1)\n".repeat(2);
        let own = format!(
            "def own_{file}(x):\n    return x\n\ndef other_{file}(x):\n    return x\n\ndef third_{file}(x):\n    return x\n"
        );
        let import = "from helpers import first_help, second_help, third_help\n";
        format!(
            "//- {file}.py\n{import}\n{own}\ndef run_{file}():\n{calls}{}\n",
            format!("    own_{file}(1)\n").repeat(9)
        )
    };
    let project = Indexed::new(&format!("//- helpers.py\n{helpers}{}{}", caller("a"), caller("b")));
    let answer = project.engine.conventions().unwrap();
    let calls = answer.languages.first().unwrap().calls.iter();
    let calls: Vec<String> = calls.map(|call| format!("{} {} {}", call.name, call.calls, call.files)).collect();
    assert_eq!(calls, ["first_help 4 2", "second_help 4 2", "third_help 4 2"]);
}

#[test]
fn the_answer_is_kept_until_the_index_changes() {
    let project = Indexed::new(PYTHON);
    let first = project.engine.conventions().unwrap();
    let kept = fs::read_to_string(project.cache()).unwrap();
    fs::write(project.cache(), kept.replace("python", "serpent")).unwrap();
    assert_eq!(project.engine.conventions().unwrap().languages.first().unwrap().language, "serpent");
    assert_eq!(project.engine.conventions_anew().unwrap(), first);
    write(project.dir.path(), "shop/view.py", "def show_all(x):\n    return x\n");
    project.index();
    let second = project.engine.conventions().unwrap();
    assert_ne!(second, first);
    assert_eq!(second, project.engine.conventions_anew().unwrap());
}

#[test]
fn a_damaged_answer_is_counted_anew() {
    let project = Indexed::new(PYTHON);
    let first = project.engine.conventions().unwrap();
    for damaged in ["", "{", "{\"key\": \"\", \"conventions\": {\"languages\": []}}", "\u{0}\u{1}"] {
        fs::write(project.cache(), damaged).unwrap();
        assert_eq!(project.engine.conventions().unwrap(), first, "{damaged:?}");
    }
    fs::remove_file(project.cache()).unwrap();
    fs::create_dir(project.cache()).unwrap();
    assert_eq!(project.engine.conventions().unwrap(), first);
    let drafts = fs::read_dir(project.dir.path().join(".memory")).unwrap().flatten();
    let drafts = drafts.filter(|entry| entry.file_name().to_string_lossy().ends_with(".tmp"));
    assert_eq!(drafts.count(), 0, "no draft is left behind");
}

#[test]
fn without_an_index_there_is_an_error_and_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let engine = Engine::open(Project::at(dir.path()).unwrap());
    assert!(engine.conventions().is_err());
    assert!(!dir.path().join(".memory").exists());
}

#[test]
fn a_briefing_keeps_to_its_size() {
    let conventions = Indexed::new(PYTHON).engine.conventions().unwrap();
    let whole = conventions.briefing(10_000);
    assert!(whole.contains("**python** (3 source files)\n- names: functions snake_case"), "{whole}");
    for most in [0, 10, 40, 150, 300, 600] {
        let brief = conventions.briefing(most);
        assert!(brief.chars().count() <= most, "{most}: {brief}");
        assert!(brief.is_empty() || brief.contains("- "), "{most}: {brief}");
    }
    assert_eq!(Conventions::default().briefing(1_000), "");
}
