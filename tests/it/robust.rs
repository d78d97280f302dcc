//! Two writers, killed processes, damaged and unwritable stores: a correct index or a clear error, never a silent half.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::project::{SHOP, TestProject, binary};

/// Enough files for an index run to be killed in the middle of.
fn large() -> TestProject {
    let project = TestProject::new(SHOP);
    for number in 0..400 {
        let task = |line| format!("def task_{number}_{line}(value):\n    return value + {line}\n\n");
        let text = (0..40).map(task).collect::<Vec<_>>().concat();
        project.write(&format!("jobs/part{}/task_{number}.py", number % 7), text);
    }
    project
}

fn start(project: &TestProject, args: &[&str]) -> Child {
    Command::new(binary())
        .args(args)
        .arg("--project")
        .arg(project.root())
        .env("HOME", project.root())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts")
}

/// What the index says about everything, ids and times aside.
fn answers(project: &TestProject) -> Vec<String> {
    let stats = project.json(&["stats", "--json"]);
    let mut all = vec![format!("{} {} {}", stats["totalFiles"], stats["totalChunks"], stats["totalSymbols"])];
    for query in ["task_17_3", "total price of a cart", "value", "jobs part3", "submitOrder"] {
        let answer = project.json(&["search", "--json", "-n", "40", query]);
        all.extend(
            answer["results"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hit| format!("{} {} {} {}", hit["filePath"], hit["startLine"], hit["name"], hit["score"])),
        );
    }
    all
}

fn assert_sound(project: &TestProject) {
    let doctor = project.run(&["doctor"]);
    assert!(!doctor.contains("fault"), "{doctor}");
}

#[test]
fn two_index_runs_at_once_both_succeed() {
    let project = large();
    let mut runs = [start(&project, &["index"]), start(&project, &["index"]), start(&project, &["index", "--full"])];
    for run in &mut runs {
        assert!(run.wait().unwrap().success());
    }
    assert_sound(&project);
    let together = answers(&project);
    project.run(&["index", "--full"]);
    assert_eq!(answers(&project), together);
}

#[test]
fn a_killed_run_is_made_good_by_the_next() {
    let project = large();
    project.run(&["index"]);
    let expected = answers(&project);
    for bytes in [0_u64, 1, 4096, 65_536, 300_000, 1_000_000] {
        fs::remove_dir_all(project.path(".memory")).unwrap();
        let mut run = start(&project, &["index"]);
        kill_when_written(&mut run, &project.path(".memory"), bytes);
        project.run(&["index"]);
        assert_sound(&project);
        assert_eq!(answers(&project), expected, "after a kill at {bytes} bytes");
    }
}

/// Kills the process as soon as its stores have that many bytes, or lets it end.
fn kill_when_written(run: &mut Child, dir: &Path, bytes: u64) {
    let written = || -> u64 {
        fs::read_dir(dir).into_iter().flatten().flatten().filter_map(|e| e.metadata().ok()).map(|m| m.len()).sum()
    };
    while run.try_wait().unwrap().is_none() {
        if written() > bytes {
            run.kill().unwrap();
        }
        std::thread::yield_now();
    }
    run.wait().unwrap();
}

#[test]
fn damaged_stores_are_reported_and_built_again() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    let expected = answers(&project);
    for file in ["fts.db", "metadata.db"] {
        for damage in [garbage as fn(&Path), truncated, overwritten_middle, empty, missing] {
            damage(&project.path(".memory").join(file));
            let search = project.command(&["search", "cart"]).output().unwrap();
            let told = String::from_utf8_lossy(&search.stderr).into_owned();
            assert!(search.status.success() || told.contains("hint:"), "{file}: {told}");
            project.run(&["index"]);
            assert_sound(&project);
            assert_eq!(answers(&project), expected, "{file}");
        }
    }
}

fn garbage(path: &Path) {
    fs::write(path, "this is no database, ".repeat(1000)).unwrap();
}

fn truncated(path: &Path) {
    let length = fs::metadata(path).unwrap().len();
    fs::OpenOptions::new().write(true).open(path).unwrap().set_len(length / 2).unwrap();
}

/// The header stays valid.
fn overwritten_middle(path: &Path) {
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0xa5; usize::try_from(length - 4096).unwrap()]).unwrap();
}

fn empty(path: &Path) {
    fs::write(path, "").unwrap();
}

fn missing(path: &Path) {
    fs::remove_file(path).unwrap();
}

#[test]
fn a_file_in_the_place_of_the_store_folder_is_a_clear_error() {
    let project = TestProject::new(SHOP);
    project.write(".memory", "not a folder");
    let failed = project.command(&["index"]).assert().code(1);
    let stderr = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(stderr.contains("error: ") && stderr.contains(".memory"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_it_did() {
    let project = large();
    let mut run = start(&project, &["index"]);
    while !project.path(".memory/metadata.db").exists() {
        std::thread::yield_now();
    }
    let pid = run.id().to_string();
    Command::new("kill").args(["-INT", &pid]).status().unwrap();
    let status = run.wait().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    let second = project.json(&["index", "--json"]);
    let all = second["indexed"].as_u64().unwrap() + second["unchanged"].as_u64().unwrap();
    assert_eq!(Some(all), second["files"].as_u64(), "{second}");
    assert!(!status.success() || second["indexed"] == 0, "what was done is kept: {second}");
    assert_sound(&project);
    let expected = answers(&project);
    project.run(&["index", "--full"]);
    assert_eq!(answers(&project), expected);
}

/// Each of these once took gigabytes or minutes.
#[test]
fn deep_and_senseless_source_is_indexed_in_bounded_memory() {
    let project = TestProject::new(SHOP);
    let nested = |open: &str, close: &str| format!("{}z{}", open.repeat(20_000), close.repeat(20_000));
    for (name, open, close) in [
        ("classes.cs", "class A {", "}"),
        ("rules.css", "class A {", "}"),
        ("mixed.css", "function f(){", "}"),
        ("closing.sh", ")", ""),
        ("angles.sh", "<a>", "</a>"),
        ("calls.c", "f(", ")"),
        ("templates.cpp", "A<", ">"),
        ("arrays.js", "[", "]"),
        ("elements.tsx", "<A>", "</A>"),
        ("blocks.rs", "{", "}"),
        ("lists.py", "[", "]"),
        ("macros.c", "A_B ", ""),
    ] {
        project.write(&format!("odd/{name}"), nested(open, close));
    }
    let limit = format!(
        "ulimit -v 3000000; exec \"{}\" --project \"{}\" index --json",
        binary().display(),
        project.root().display()
    );
    let output = Command::new("sh").args(["-c", &limit]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["indexed"], 18, "{report}");
    assert_eq!(project.found("total_price").first().map(String::as_str), Some("src/cart.py"));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_in_the_place_of_a_store_is_refused_at_once() {
    for name in ["metadata.db", "fts.db", "index.lock"] {
        for make in [&["mkfifo"][..], &["mkdir"][..]] {
            let project = TestProject::new(SHOP);
            project.run(&["index"]);
            let path = project.path(".memory").join(name);
            fs::remove_file(&path).unwrap();
            assert!(Command::new(make[0]).arg(&path).status().unwrap().success());
            let failed = project.command(&["index"]).assert().code(1);
            let stderr = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
            assert!(stderr.contains("not a plain file") && stderr.contains("hint: "), "{name}: {stderr}");
            if name != "index.lock" {
                project.command(&["search", "cart"]).assert().code(1);
                project.command(&["doctor"]).assert().code(1);
            }
        }
    }
}
