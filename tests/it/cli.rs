//! The command line as a user meets it: init, index, search, stats, doctor; exit codes, hints and JSON.

use std::fs;

use crate::project::{SHOP, TestProject, binary};

#[test]
fn a_new_project_is_prepared_indexed_and_searched() {
    let project = TestProject::new(SHOP);
    project.run(&["init", "--client", "none"]);
    let report = project.json(&["index", "--json"]);
    assert_eq!(report["indexed"], 6, "{report}");
    assert_eq!(project.found("total_price").first().map(String::as_str), Some("src/cart.py"));
    assert_eq!(project.found("book a payment").first().map(String::as_str), Some("core/ledger.rs"));
    assert_eq!(project.found("submitOrder").first().map(String::as_str), Some("web/checkout.ts"));
}

#[test]
fn init_twice_changes_nothing_and_a_dry_run_writes_nothing() {
    let project = TestProject::new(SHOP);
    fs::create_dir_all(project.path(".git/info")).unwrap();
    fs::write(project.path(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::create_dir_all(project.path(".git/objects")).unwrap();
    fs::create_dir_all(project.path(".git/refs")).unwrap();
    let planned = project.run(&["init", "--dry-run"]);
    assert!(planned.contains("created"), "{planned}");
    assert!(!project.path(".memory").exists() && !project.path(".memoryignore").exists());
    project.run(&["init"]);
    let exclude = fs::read_to_string(project.path(".git/info/exclude")).unwrap();
    assert!(exclude.lines().any(|line| line == "/.memory/"), "{exclude}");
    let again = project.run(&["init"]);
    assert!(!again.contains("created") && !again.contains("changed"), "{again}");
    assert_eq!(fs::read_to_string(project.path(".git/info/exclude")).unwrap(), exclude);
}

#[test]
fn a_search_without_an_index_says_what_to_do_and_exits_with_3() {
    let project = TestProject::new(SHOP);
    let failed = project.command(&["search", "cart"]).assert().code(3);
    let stderr = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(stderr.contains("hint: run `reporecall index` first"), "{stderr}");
    let failed = project.command(&["search", "cart", "--json"]).assert().code(3);
    let error: serde_json::Value = serde_json::from_slice(&failed.get_output().stdout).expect("JSON");
    assert_eq!(error["error"]["code"], "no_index");
    assert!(!project.path(".memory").exists(), "a question must not create anything");
}

#[test]
fn wrong_usage_exits_with_2() {
    let project = TestProject::new(SHOP);
    project.command(&["index", "--no-such-flag"]).assert().code(2);
    project.command(&["search"]).assert().code(2);
    project.run(&["index"]);
    let complaint = |args: &[&str]| {
        let failed = project.command(args).assert().code(2);
        String::from_utf8_lossy(&failed.get_output().stderr).into_owned()
    };
    assert!(complaint(&["search", "--kind", "gadget", "cart"]).contains("function"));
    assert!(complaint(&["benchmark", "--queries", "q", "--corpora", "c", "--kind", "gadget"]).contains("function"));
    assert!(complaint(&["search", "--path", "[", "cart"]).contains("path pattern"));
    assert!(complaint(&["search", "--lang", "klingon", "cart"]).contains("python"));
    let everything = project.json(&["search", "--json", "cart"])["results"].clone();
    assert_eq!(project.json(&["search", "--json", "--path", ".", "cart"])["results"], everything);
    project.run(&["search", "--lang", "Markdown", "cart"]);
}

#[test]
fn results_of_changed_files_are_called_stale() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    assert_eq!(project.json(&["search", "--json", "price_of"])["staleness"]["level"], "fresh");
    project.write("src/prices.py", "def price_of(item):\n    return 2\n");
    let answer = project.json(&["search", "--json", "price_of"]);
    assert_eq!(answer["staleness"]["level"], "stale");
    assert_eq!(answer["staleness"]["dirtyFiles"][0], "src/prices.py");
    assert!(project.run(&["search", "price_of"]).contains("stale"));
    project.run(&["index"]);
    assert_eq!(project.json(&["stats", "--json"])["staleness"]["level"], "fresh");
}

#[test]
fn filters_narrow_the_results() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    let kinds = |args: &[&str]| -> Vec<String> {
        let answer = project.json(args);
        answer["results"].as_array().unwrap().iter().map(|hit| format!("{} {}", hit["language"], hit["kind"])).collect()
    };
    let rust = kinds(&["search", "--json", "--lang", "rust", "payment"]);
    assert!(!rust.is_empty() && rust.iter().all(|hit| hit.starts_with("\"rust\"")), "{rust:?}");
    let classes = kinds(&["search", "--json", "--kind", "class", "cart"]);
    assert_eq!(classes, ["\"python\" \"class\""]);
    let below = project.json(&["search", "--json", "--path", "web/**", "cart"]);
    assert!(below["results"].as_array().unwrap().iter().all(|hit| hit["filePath"] == "web/checkout.ts"), "{below}");
}

#[test]
fn stats_and_doctor_tell_what_was_left_out() {
    let project = TestProject::new(SHOP);
    project.write("photo.bin", [0u8, 159, 146, 150]);
    project.write("empty.py", "");
    project.run(&["index"]);
    let stats = project.json(&["stats", "--json"]);
    assert_eq!(stats["skipped"]["empty"], 1, "{stats}");
    assert_eq!(stats["languages"]["python"], 3, "{stats}");
    assert_eq!(stats["staleness"]["level"], "fresh", "{stats}");
    let doctor = project.json(&["doctor", "--json"]);
    assert_eq!(doctor["ok"], true, "{doctor}");
}

#[test]
fn a_single_bad_setting_is_named_and_the_rest_counts() {
    let project = TestProject::new(SHOP);
    project.write(".memory/config.json", "{\n  \"maxFileSize\": \"big\",\n  \"ignorePatterns\": [\"core/\"]\n}\n");
    project.run(&["index"]);
    assert!(!project.found("book_payment").contains(&"core/ledger.rs".to_owned()));
    let told = |args: &[&str]| {
        let output = project.command(args).assert().success().get_output().stderr.clone();
        String::from_utf8_lossy(&output).matches("warning: ").count()
    };
    assert_eq!((told(&["search", "--json", "cart"]), told(&["doctor"])), (1, 0));
    let doctor = project.run(&["doctor"]);
    assert!(doctor.contains("maxFileSize") && doctor.contains('2'), "{doctor}");
}

#[test]
fn completions_and_manual_are_printed() {
    let project = TestProject::new(SHOP);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(project.run(&["completions", shell]).contains("reporecall"));
    }
    let manual = project.run(&["man"]);
    assert!(manual.contains("reporecall\\-search") && manual.contains("reporecall\\-benchmark\\-latency"), "{manual}");
}

#[test]
fn odd_queries_are_answered() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    let long = "cart ".repeat(20_000);
    let odd = [
        "\"",
        "\"unclosed phrase",
        "-cart",
        "NEAR(a b)",
        "a:b:c",
        "*",
        "^cart",
        "(",
        "{}",
        "购物车",
        "'; DROP TABLE file;--",
        &long,
    ];
    for query in odd {
        project.command(&["search", "--json", "--", query]).assert().success();
    }
}

#[test]
fn large_source_is_indexed_with_or_without_a_grammar_and_large_text_is_counted() {
    let project = TestProject::new(SHOP);
    let filler = |line: &str| format!("{line}\n").repeat(8_000);
    project
        .write("core/Large.hs", format!("{}lateHaskell :: Int -> Int\nlateHaskell x = x\n", filler("-- filler text")));
    project.write("core/large.go", format!("package core\n{}func lateGo() {{}}\n", filler("// filler text")));
    project.write("large.txt", filler("filler text for a note"));
    let report = project.json(&["index", "--json"]);
    assert_eq!(report["skipped"]["too large"], 1, "{report}");
    assert_eq!(project.found("lateHaskell").first().map(String::as_str), Some("core/Large.hs"));
    assert_eq!(project.found("lateGo").first().map(String::as_str), Some("core/large.go"));
}

#[test]
fn doctor_mends_damage_wherever_it_is() {
    const PAGE: usize = 4096;
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    let pages = fs::read(project.path(".memory/fts.db")).unwrap().len() / PAGE;
    let mut seen = 0;
    for page in 1..pages {
        let mut bytes = fs::read(project.path(".memory/fts.db")).unwrap();
        let Some(range) = bytes.get_mut(page * PAGE..(page + 1) * PAGE) else { continue };
        range.fill(0x5a);
        project.write(".memory/fts.db", bytes);
        seen += usize::from(project.command(&["doctor"]).assert().get_output().status.code() == Some(1));
        project.run(&["doctor", "--fix"]);
        project.run(&["doctor"]);
    }
    assert!(seen > 1, "damage of {seen} pages was seen, of {pages}");
}

#[test]
fn an_empty_file_that_gained_code_is_stale() {
    let project = TestProject::new(SHOP);
    project.write("empty.py", "");
    project.run(&["index"]);
    assert_eq!(project.json(&["stats", "--json"])["staleness"]["level"], "fresh");
    project.write("empty.py", "def late():\n    pass\n");
    let stats = project.json(&["stats", "--json"]);
    assert_eq!(stats["staleness"]["dirtyFiles"][0], "empty.py", "{stats}");
}

#[test]
fn a_touched_file_is_fresh_and_an_edit_right_after_indexing_is_not() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    let file = fs::File::options().write(true).open(project.path("src/prices.py")).unwrap();
    let past = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_007);
    file.set_times(fs::FileTimes::new().set_modified(past)).unwrap();
    let answer = project.json(&["search", "--json", "price_of"]);
    assert_eq!(answer["staleness"]["level"], "fresh", "{answer}");
    let text = fs::read_to_string(project.path("src/prices.py")).unwrap();
    project.write("src/prices.py", text.replace("cents", "CENTS"));
    let answer = project.json(&["search", "--json", "price_of"]);
    assert_eq!(answer["staleness"]["dirtyFiles"][0], "src/prices.py", "{answer}");
}

#[test]
fn results_of_files_that_are_being_indexed_again_are_counted() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    let parts = [".memory/metadata.db", ".memory/metadata.db-wal"].map(|part| project.path(part));
    let before: Vec<Vec<u8>> = parts.iter().map(|part| fs::read(part).unwrap_or_default()).collect();
    project.write("core/ledger.rs", "/// Books two payments.\npub fn book_payment() {}\n");
    project.run(&["index"]);
    // As a reader meets the stores between the two commits of a batch.
    fs::remove_file(project.path(".memory/metadata.db-shm")).ok();
    for (part, bytes) in parts.iter().zip(before) {
        fs::write(part, bytes).unwrap();
    }
    let answer = project.json(&["search", "--json", "book_payment"]);
    assert_eq!(answer["staleness"]["hiddenResults"], 1, "{answer}");
    assert_eq!(answer["staleness"]["level"], "stale", "{answer}");
    assert!(project.run(&["search", "book_payment"]).contains("1 result left out"));
}

#[test]
fn results_say_what_they_are_made_of() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    let answer = project.json(&["search", "--json", "total_price"]);
    let because = answer["results"][0]["because"].as_array().unwrap();
    assert!(because.iter().all(|reason| reason["signal"].is_string() && reason["value"].is_number()), "{because:?}");
    assert!(!because.is_empty());
}

#[cfg(unix)]
#[test]
fn a_path_cannot_drive_the_terminal() {
    let project = TestProject::new(SHOP);
    let missing = project.path("a\u{1b}[31m\nb");
    let failed = assert_cmd::Command::new(binary()).arg("index").arg("--project").arg(&missing).assert().code(1);
    let stderr = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(!stderr.contains('\u{1b}') && stderr.lines().count() == 2, "{stderr:?}");
    assert!(stderr.contains("hint: name an existing folder"), "{stderr:?}");
}

#[test]
fn a_search_without_results_says_when_files_are_not_indexed_yet() {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    project.write("src/refund.py", "def brandnew_refund():\n    pass\n");
    let answer = project.json(&["search", "--json", "brandnew_refund"]);
    assert_eq!(answer["staleness"]["dirtyFiles"][0], "src/refund.py", "{answer}");
    assert!(project.run(&["search", "brandnew_refund"]).contains("run `reporecall index`"));
}

#[test]
fn doctor_counts_one_and_none_as_people_do() {
    let project = TestProject::new("//- a.py\ndef one():\n    return 1\n");
    project.run(&["index"]);
    let sound = project.run(&["doctor"]);
    assert!(sound.contains("1 file, 1 chunk, sound") && sound.contains("the syntax of every file"), "{sound}");
    project.write("a.py", "def two(:\n");
    let changed = project.run(&["doctor"]);
    assert!(changed.contains("1 file differs from the index"), "{changed}");
}
