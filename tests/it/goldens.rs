//! Goldens of what scripts and people rely on: the help of every command and the shape of every JSON answer. `UPDATE_EXPECT=1`
//! writes them anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use expect_test::expect_file;
use serde_json::Value;

use crate::project::{SHOP, TestProject, binary};

#[test]
fn the_help_of_every_command_matches_its_golden() {
    let mut pending: Vec<Vec<String>> = vec![Vec::new()];
    let mut seen = BTreeSet::new();
    while let Some(command) = pending.pop() {
        let help = help_of(&command);
        let name = if command.is_empty() { "reporecall".to_owned() } else { command.join("-") };
        let file = format!("{name}.txt");
        expect_file![goldens().join(&file)].assert_eq(&help);
        seen.insert(file);
        pending.extend(subcommands(&help).map(|sub| [command.as_slice(), &[sub]].concat()));
    }
    let kept = goldens().read_dir().expect("the goldens").flatten();
    let kept: BTreeSet<String> = kept.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(kept, seen, "goldens of commands that are not there");
}

#[test]
fn json_answers_keep_their_shape() {
    let project = TestProject::new(SHOP);
    project.write("empty.py", "");
    for args in [&["init"] as &[&str], &["index"], &["search", "cart"], &["stats"], &["doctor"]] {
        let answer = project.json(&[args, &["--json"]].concat());
        check_shape(args.first().expect("a command"), &answer);
    }
}

/// An answer has the values that its golden names.
pub(crate) fn check_shape(name: &str, answer: &Value) {
    let mut paths = BTreeSet::new();
    collect("", answer, &mut paths);
    let shape: String = paths.into_iter().map(|path| path + "\n").collect();
    expect_file![goldens().with_file_name("json").join(format!("{name}.txt"))].assert_eq(&shape);
}

fn goldens() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/help")
}

fn help_of(command: &[String]) -> String {
    let output = Command::new(binary()).args(command).arg("--help").env("COLUMNS", "100").assert().success();
    String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8").replace("reporecall.exe", "reporecall")
}

/// Names in the section `Commands:`.
fn subcommands(help: &str) -> impl Iterator<Item = String> {
    let section = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = section.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned)
}

/// Paths of all values that hold no others.
fn collect(path: &str, value: &Value, paths: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (key, value) in fields {
                collect(&format!("{path}.{key}"), value, paths);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                collect(&format!("{path}[]"), item, paths);
            }
        }
        Value::Object(_) | Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            paths.insert(path.to_owned());
        }
    }
}
