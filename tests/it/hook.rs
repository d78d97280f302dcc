//! `reporecall hook` as an assistant calls it: through a daemon, without one, and in every fault that could be thought of.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener};

use serde_json::{Value, json};

use crate::project::{SHOP, TestProject};
use crate::serving::{Ends, PATIENCE, Serving, until};

const ALONE: &str = r#"{"hookAutostart": false, "port": 0, "debounceMs": 50}"#;

fn indexed() -> TestProject {
    let project = TestProject::new(SHOP);
    project.write(".memory/config.json", ALONE);
    project.run(&["index"]);
    project
}

/// Standard output of a hook; its exit code must be 0.
fn hook(project: &TestProject, args: &[&str], stdin: impl Into<Vec<u8>>) -> String {
    let mut command = project.command(&[&["hook"], args].concat());
    command.env_remove("CLAUDE_PROJECT_DIR").write_stdin(stdin);
    command.timeout(PATIENCE);
    String::from_utf8(command.assert().code(0).get_output().stdout.clone()).expect("UTF-8")
}

fn prompt(project: &TestProject) -> Value {
    let event = json!({"session_id": "s", "cwd": project.root(), "hook_event_name": "UserPromptSubmit", "prompt": "where is price_of"});
    serde_json::from_str(&hook(project, &["prompt"], event.to_string())).expect("JSON")
}

fn has_context(answer: &Value) -> bool {
    answer["hookSpecificOutput"]["additionalContext"].as_str().is_some_and(|text| text.contains("src/prices.py"))
}

fn log(project: &TestProject) -> String {
    fs::read_to_string(project.path(".memory/logs/hook.log")).unwrap_or_default()
}

/// Takes the place of a daemon: its lock, and a record that leads to `port`.
fn impostor(project: &TestProject, port: u16) -> fs::File {
    let lock = fs::File::create(project.path(".memory/daemon.lock")).unwrap();
    lock.lock().unwrap();
    let record = json!({"pid": 1, "port": port, "token": "ab".repeat(32), "version": "0", "started_at": 0});
    project.write(".memory/daemon.json", record.to_string());
    lock
}

#[test]
fn without_a_daemon_the_index_is_asked() {
    let project = indexed();
    let answer = prompt(&project);
    assert!(has_context(&answer), "{answer}");
    assert_eq!(answer.as_object().unwrap().len(), 1, "nothing but what the client knows: {answer}");
    let start = hook(&project, &["session-start"], r#"{"source":"startup"}"#);
    assert!(start.contains("SessionStart") && start.contains("6 files"), "{start}");
    assert_eq!(log(&project), "");
}

#[test]
fn with_a_daemon_the_daemon_is_asked() {
    let project = indexed();
    let daemon = Serving::start(&project, &[]);
    daemon.settled();
    assert!(has_context(&prompt(&project)));
    let metrics = daemon.get("/metrics").json();
    assert_eq!(metrics["latency"]["/hooks/prompt-context"]["count"], 1, "{metrics}");
}

#[test]
fn clients_get_their_own_shapes() {
    let project = indexed();
    let said = |client: &str, event: &str, body: &str| hook(&project, &[event, "--client", client], body);
    assert!(said("gemini", "BeforeAgent", r#"{"prompt":"price_of"}"#).contains("BeforeAgent"));
    assert!(said("codex", "UserPromptSubmit", r#"{"prompt":"price_of"}"#).contains("UserPromptSubmit"));
    assert_eq!(said("cursor", "beforeSubmitPrompt", r#"{"prompt":"price_of"}"#).trim(), r#"{"continue":true}"#);
    assert!(said("cursor", "sessionStart", "{}").contains("additional_context"));
}

#[test]
fn events_without_a_question_are_answered_with_nothing() {
    let project = indexed();
    for event in ["stop", "SubagentStop", "pre-compact", "post-tool-use", "pre-tool-use", "session-end"] {
        assert_eq!(hook(&project, &[event], r#"{"session_id":"s","prompt":"price_of"}"#), "{}\n", "{event}");
    }
}

#[test]
fn bad_input_and_bad_arguments_are_answered_with_nothing() {
    let project = indexed();
    let huge = format!("{{\"prompt\":\"{}\"}}", "x".repeat(9 << 20));
    for body in ["", "nonsense", "{\"prompt\":", "[]", "{\"prompt\":7}", "\0", huge.as_str()] {
        assert_eq!(hook(&project, &["prompt"], body), "{}\n");
    }
    assert_eq!(hook(&project, &["prompt"], vec![0xff; 100]), "{}\n");
    for args in [&["no-such-event"] as &[&str], &[], &["prompt", "--nonsense"], &["prompt", "--client", "nobody"]] {
        assert_eq!(hook(&project, args, "{}"), "{}\n", "{args:?}");
    }
    let five_mb = json!({"prompt": format!("price_of {}", "x ".repeat(5 << 19))}).to_string();
    let answer: Value = serde_json::from_str(&hook(&project, &["prompt"], five_mb)).unwrap();
    assert!(answer.is_object());
}

#[test]
fn a_project_without_an_index_or_a_folder_is_answered_with_nothing() {
    let project = TestProject::new(SHOP);
    assert_eq!(prompt(&project), json!({}));
    assert!(!project.path(".memory").exists(), "a question makes no files");
    project.write(".memory/config.json", ALONE);
    assert_eq!(prompt(&project), json!({}));
    assert_eq!(log(&project).lines().count(), 1);
    fs::remove_dir_all(project.path(".memory")).unwrap();
    project.write(".memory", "a file");
    assert_eq!(prompt(&project), json!({}));
}

#[test]
fn a_damaged_index_is_answered_with_nothing() {
    let project = indexed();
    for file in ["fts.db", "metadata.db"] {
        let path = project.path(".memory").join(file);
        let good = fs::read(&path).unwrap();
        for bad in [vec![7; 9000], good.get(..good.len() / 2).unwrap().to_vec(), Vec::new()] {
            fs::write(&path, bad).unwrap();
            assert!(prompt(&project).is_object());
        }
        fs::write(&path, good).unwrap();
    }
}

#[test]
fn a_hung_daemon_does_not_keep_the_prompt() {
    let project = indexed();
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let _lock = impostor(&project, silent.local_addr().unwrap().port());
    assert!(has_context(&prompt(&project)), "it is answered without the daemon");
    assert_eq!(log(&project).lines().count(), 1, "{}", log(&project));
}

#[test]
fn a_stolen_port_gets_no_trust() {
    let project = indexed();
    let answers = [
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}",
        "SSH-2.0-thief\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull",
    ];
    for answer in answers {
        let thief = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let _lock = impostor(&project, thief.local_addr().unwrap().port());
        let thread = std::thread::spawn(move || {
            let (mut stream, _) = thief.accept().unwrap();
            drop(stream.read(&mut [0; 4096]));
            drop(stream.write_all(answer.as_bytes()));
        });
        assert!(has_context(&prompt(&project)), "{answer}");
        thread.join().unwrap();
    }
}

#[test]
fn a_dead_daemons_port_is_not_even_called() {
    let project = indexed();
    let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    other.set_nonblocking(true).unwrap();
    drop(impostor(&project, other.local_addr().unwrap().port()));
    assert!(has_context(&prompt(&project)));
    assert!(other.accept().is_err(), "the prompt went to whoever has the port now");
}

#[test]
fn a_wrong_token_is_answered_without_the_daemon() {
    let project = indexed();
    let daemon = Serving::start(&project, &[]);
    daemon.settled();
    let record = json!({"pid": 1, "port": daemon.port, "token": "ab".repeat(32), "version": "0", "started_at": 0});
    project.write(".memory/daemon.json", record.to_string());
    assert!(has_context(&prompt(&project)));
    assert!(log(&project).contains("401"), "{}", log(&project));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_no_hindrance() {
    use std::os::unix::fs::symlink;
    let project = indexed();
    // A log that leads to a full disk.
    fs::create_dir(project.path(".memory/logs")).unwrap();
    symlink("/dev/full", project.path(".memory/logs/hook.log")).unwrap();
    assert_eq!(hook(&project, &["prompt"], "nonsense"), "{}\n");
    assert!(has_context(&prompt(&project)));
}

#[test]
fn the_first_prompt_starts_a_daemon_and_does_not_wait_for_it() {
    let project = indexed();
    project.write(".memory/config.json", r#"{"port": 0}"#);
    let _ends = Ends(&project);
    assert!(has_context(&prompt(&project)));
    let daemon = until("a daemon", || project.json(&["stats", "--json"])["daemon"]["pid"].as_u64());
    assert!(has_context(&prompt(&project)));
    assert_eq!(project.json(&["stats", "--json"])["daemon"]["pid"].as_u64(), Some(daemon), "one is enough");
}

#[test]
fn a_part_of_the_project_can_be_refreshed() {
    let project = indexed();
    project.write("src/one.py", "def first_thing():\n    return 1\n");
    project.write("web/two.ts", "export function second_thing() { return 2; }\n");
    let mut command = project.command(&["refresh", "src/one.py", "--json"]);
    let output = command.current_dir(project.root()).assert().success().get_output().stdout.clone();
    let report: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((report["indexed"].as_u64(), report["files"].as_u64()), (Some(1), Some(7)), "{report}");
    assert!(project.found("first_thing").contains(&"src/one.py".to_owned()));
    assert!(!project.found("second_thing").contains(&"web/two.ts".to_owned()));
    project.run(&["refresh"]);
    assert!(project.found("second_thing").contains(&"web/two.ts".to_owned()));
    project.command(&["refresh", "/etc/passwd"]).assert().code(2);
    project.command(&["refresh", "../outside"]).current_dir(project.root()).assert().code(2);
}
