//! `reporecall conventions`, as a user meets it.

use crate::goldens::check_shape;
use crate::project::{SHOP, TestProject};

/// Enough of everything that the answer can hold.
fn project() -> TestProject {
    let project = TestProject::new(SHOP);
    for name in ["orders", "bills", "items", "taxes", "users"] {
        let source = format!(
            "import attrs\n\nfrom .failures import fail_with\n\nMAX_{name} = 1\nMAX_ROWS = 2\n\n\nclass My{name}Error(Exception):\n    \"\"\"Wrong.\"\"\"\n\n\n\
             def read_{name}(path):\n    \"\"\"Reads.\n\n    :param path: where\n    \"\"\"\n    fail_with(path)\n    raise ValueError(path)\n\n\n\
             def write_{name}(path):\n    \"\"\"Writes.\n\n    :param path: where\n    \"\"\"\n    raise ValueError(path)\n"
        );
        project.write(&format!("src/all_{name}.py"), source);
        let test = format!("import pytest\n\n\ndef test_{name}():\n    pass\n");
        project.write(&format!("tests/test_{name}.py"), test);
    }
    project.write("src/failures.py", "def fail_with(path):\n    \"\"\"Fails.\"\"\"\n    return path\n");
    project
}

#[test]
fn the_answer_keeps_its_shape_and_is_the_same_when_counted_anew() {
    let project = project();
    project.run(&["index"]);
    let answer = project.json(&["conventions", "--json"]);
    check_shape("conventions", &answer);
    assert!(project.path(".memory/conventions.json").exists());
    assert_eq!(project.json(&["conventions", "--json"]), answer);
    assert_eq!(project.json(&["conventions", "--json", "--refresh"]), answer);
    assert!(project.json(&["doctor", "--json"])["ok"].as_bool().unwrap());
}

#[test]
fn text_and_markdown_say_the_same() {
    let project = project();
    project.run(&["index"]);
    let (text, brief) = (project.run(&["conventions"]), project.run(&["conventions", "--brief"]));
    for part in
        ["functions snake_case (100% of ", "in tests/ (6)", "named test_*.py (6)", "most raised ValueError (10)"]
    {
        assert!(text.contains(part), "{part}: {text}");
        assert!(brief.contains(part), "{part}: {brief}");
    }
}

#[test]
fn without_code_it_says_so_and_without_an_index_it_exits_with_3() {
    let project = TestProject::new("//- README.md\n# Shop\n\nWords.\n");
    project.command(&["conventions"]).assert().code(3);
    assert!(!project.path(".memory").exists(), "a question must not create anything");
    project.run(&["index"]);
    assert!(project.run(&["conventions"]).contains("too little code"));
    assert_eq!(project.run(&["conventions", "--brief"]), "");
}
