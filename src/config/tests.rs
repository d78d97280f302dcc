//! Tests of the settings.

use std::fmt::Write;
use std::path::PathBuf;

use expect_test::{Expect, expect};

use super::{Config, Loaded, Severity, WITHOUT_EFFECT, cache_from, from_json, load, override_from};

fn check(text: &str, expect: &Expect) {
    expect.assert_eq(&shown(&from_json(text)));
}

fn check_variables(text: &str, variables: &[(&str, &str)], expect: &Expect) {
    let mut loaded = from_json(text);
    let find = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    override_from(&mut loaded, &find);
    expect.assert_eq(&shown(&loaded));
}

fn shown(loaded: &Loaded) -> String {
    let Config { max_file_size, extensions, ignore_patterns, .. } = &loaded.config;
    let mut text = format!("{max_file_size} {extensions:?} {ignore_patterns:?}\n");
    for warning in &loaded.warnings {
        writeln!(text, "{:?} {warning}", warning.severity).unwrap();
    }
    text
}

#[test]
fn settings_are_read() {
    check(
        r#"{"maxFileSize": 5, "extensions": {".Foo": "Python", "bar": "go"}, "ignorePatterns": ["a/", "!b"]}"#,
        &expect![[r#"
            5 {".bar": "go", ".foo": "python"} ["a/", "!b"]
        "#]],
    );
    check(
        r#"{"extensions": [".tpl", "*.inc"]}"#,
        &expect![[r#"
            102400 {".inc": "text", ".tpl": "text"} []
        "#]],
    );
}

#[test]
fn settings_of_contexts_are_read() {
    let config = |text: &str| from_json(text).config;
    let set = config(
        r#"{"contextBudget": 900, "maxContextChunks": 0, "graphExpansion": false,
            "conceptBundles": [{"kind": "x", "pattern": "Billing| invoice", "symbols": ["Invoice"]}]}"#,
    );
    assert_eq!((set.context_budget, set.max_context_chunks, set.graph_expansion), (Some(900), None, false));
    assert_eq!(set.concept_bundles[0].words, ["billing", "invoice"]);
    assert_eq!(set.concept_bundles[0].max_chunks, super::DEFAULT_BUNDLE_CHUNKS);
    let wrong = from_json(r#"{"conceptBundles": [{"pattern": "a"}], "contextBudget": -1}"#);
    assert_eq!((wrong.config.concept_bundles.len(), wrong.warnings.len()), (0, 2));
}

#[test]
fn one_bad_key_leaves_the_rest_in_force() {
    check(
        "{\n \"a\": {\"maxFileSize\": [\"x:\\\"\"]},\n \"maxFileSize\": \"1 MB\",\n\n \"ignorePatterns\": [\"x\"],\n \"extensions\": [1]}",
        &expect![[r#"
            102400 {} ["x"]
            Warning config.json line 2: `a` is not a setting
            Warning config.json line 6: `extensions` must be a list like [".foo"] or an object like {".foo": "python"}; the default is used
            Warning config.json line 3: `maxFileSize` must be a whole number of bytes above 0; the default is used
        "#]],
    );
}

#[test]
fn numbers_must_be_whole_and_within_limits() {
    let sizes = ["0", "-1", "1.5", "1e99", "null", "true"].map(|size| ("maxFileSize", size));
    let others = [("port", "70000"), ("debounceMs", "60001"), ("hookAutostart", "1"), ("rateLimit", "0")];
    for (key, value) in sizes.into_iter().chain(others) {
        let loaded = from_json(&format!("{{\"{key}\": {value}}}"));
        assert_eq!((loaded.config, loaded.warnings.len()), (Config::default(), 1), "{key} {value}");
    }
}

#[test]
fn the_daemon_has_settings_with_limits() {
    let config =
        from_json(r#"{"port": 0, "debounceMs": 200, "hookAutostart": false, "sessionBudget": 9, "rateLimit": 7}"#);
    let Config { port, debounce_ms, hook_autostart, session_budget, rate_limit, .. } = config.config;
    assert_eq!((port, debounce_ms, hook_autostart, session_budget, rate_limit), (0, 200, false, 9, 7));
}

#[test]
fn settings_of_other_versions_are_notes() {
    for key in WITHOUT_EFFECT {
        let loaded = from_json(&format!("{{\"{key}\": 1}}"));
        assert_eq!(loaded.warnings.iter().map(|warning| warning.severity).collect::<Vec<_>>(), [Severity::Note]);
    }
}

#[test]
fn broken_files_name_line_and_column() {
    check(
        "{\n  \"maxFileSize\": 5,\n  // no\n}",
        &expect![[r"
            102400 {} []
            Warning config.json line 3: column 3: not valid JSON (key must be a string at line 3 column 3); all defaults are used
        "]],
    );
    check(
        "[1]",
        &expect![[r"
            102400 {} []
            Warning config.json line 1: the settings must be one JSON object; all defaults are used
        "]],
    );
    check(
        "\n",
        &expect![[r"
        102400 {} []
    "]],
    );
}

#[test]
fn the_cache_folder_can_be_moved_and_turned_off() {
    let cache = |set: &[(&str, &str)]| {
        let value = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        cache_from(&value)
    };
    let home = ("HOME", "/h");
    assert_eq!(cache(&[home]), Some(PathBuf::from("/h/.cache/reporecall")));
    assert_eq!(cache(&[home, ("XDG_CACHE_HOME", "/x")]), Some(PathBuf::from("/x/reporecall")));
    assert_eq!(cache(&[home, ("REPORECALL_CACHE", "/r")]), Some(PathBuf::from("/r")));
    assert_eq!(cache(&[home, ("REPORECALL_CACHE", "none")]), None);
    assert_eq!(cache(&[]), None);
}

#[test]
fn variables_win_over_the_file() {
    check_variables(
        r#"{"maxFileSize": 5, "ignorePatterns": ["a"]}"#,
        &[
            ("REPORECALL_MAX_FILE_SIZE", "7"),
            ("REPORECALL_IGNOREPATTERNS", "b/, *.c"),
            ("REPORECALL_EXTENSIONS", ".x=Go,y"),
        ],
        &expect![[r#"
            7 {".x": "go", ".y": "text"} ["b/", "*.c"]
        "#]],
    );
    check_variables(
        r#"{"maxFileSize": 5}"#,
        &[("REPORECALL_MAXFILESIZE", "big"), ("REPORECALL_IGNORE_PATTERNS", r#"["a,b"]"#)],
        &expect![[r#"
            5 {} ["a,b"]
            Warning `REPORECALL_MAXFILESIZE` must be a whole number of bytes above 0; the default is used
        "#]],
    );
}

#[test]
fn missing_file_is_no_warning_and_a_folder_in_its_place_is_one() {
    let dir = tempfile::tempdir().unwrap();
    assert!(load(&dir.path().join("config.json")).warnings.is_empty());
    assert_eq!(load(dir.path()).warnings.len(), 1);
}
