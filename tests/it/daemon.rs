//! The daemon as hooks and probes meet it: routes, refusals, limits, and how it lives and dies.

use std::fs;
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use serde_json::{Value, json};

use crate::project::{SHOP, TestProject};
use crate::serving::{Ends, Serving, spawn, until};

const QUICK: &str = r#"{"debounceMs": 50, "rateLimit": 100000, "port": 0}"#;

fn shop() -> TestProject {
    let project = TestProject::new(SHOP);
    project.write(".memory/config.json", QUICK);
    project
}

fn settled() -> (TestProject, Serving) {
    let project = shop();
    let daemon = Serving::start(&project, &[]);
    daemon.settled();
    (project, daemon)
}

#[test]
fn probes_need_no_token_and_tell_nothing_else() {
    let (_project, daemon) = settled();
    let anonymous = |path: &str| daemon.send(&format!("GET {path} HTTP/1.1\r\n{}\r\n", daemon.host()));
    assert_eq!(anonymous("/health").json(), json!({"status": "ok"}));
    let ready = anonymous("/ready").json();
    assert_eq!((ready["ready"].as_bool(), ready["files"].as_u64()), (Some(true), Some(6)), "{ready}");
    for path in ["/metrics", "/status"] {
        let refused = anonymous(path);
        assert_eq!((refused.status, refused.code().as_str()), (401, "UNAUTHORIZED"), "{path}");
    }
}

#[test]
fn answers_are_not_cached_not_guessed_at_and_shared_with_no_origin() {
    let (_project, daemon) = settled();
    for reply in [daemon.get("/health"), daemon.get("/nowhere"), daemon.post("/hooks/stop", "{}")] {
        assert!(reply.head.contains("x-content-type-options: nosniff"), "{}", reply.head);
        assert!(reply.head.contains("cache-control: no-store"), "{}", reply.head);
        assert!(!reply.head.contains("access-control-"), "{}", reply.head);
    }
}

#[test]
fn a_prompt_is_answered_with_code_and_its_freshness() {
    let (_project, daemon) = settled();
    let body =
        json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "where is price_of computed"});
    let answer = daemon.post("/hooks/prompt-context", &body.to_string()).json();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
    assert!(text.contains("src/prices.py"), "{text}");
    assert_eq!(answer["reporecall"]["staleness"]["level"], "fresh");
    assert!(answer["reporecall"]["staleness"]["root"].is_string());
    assert_eq!(answer["_debug"], Value::Null);
    let raw = daemon.post("/hooks/prompt-context", "where is price_of computed").json();
    assert!(raw["hookSpecificOutput"]["additionalContext"].is_string(), "a body that is no JSON is the query");
}

#[test]
fn a_session_begins_with_a_briefing() {
    let (_project, daemon) = settled();
    let answer = daemon.post("/hooks/session-start", r#"{"source":"startup"}"#).json();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "SessionStart");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a briefing");
    assert!(text.contains("6 files") && text.contains("search_code"), "{text}");
}

#[test]
fn other_events_are_answered_with_nothing() {
    let (_project, daemon) = settled();
    for event in
        ["stop", "subagent-stop", "pre-compact", "post-compact", "session-end", "pre-tool-use", "post-tool-use"]
    {
        let reply = daemon.post(&format!("/hooks/{event}"), r#"{"session_id":"s","prompt":"price_of"}"#);
        assert_eq!((reply.status, reply.body.as_str()), (200, "{}"), "{event}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_the_reason() {
    let (_project, daemon) = settled();
    assert_eq!(daemon.get("/nowhere").code(), "NOT_FOUND");
    assert_eq!(daemon.post("/hooks/launch", "{}").status, 404);
    assert_eq!(daemon.get("/hooks/stop").status, 405);
    assert_eq!(daemon.post("/health", "").status, 405);
    let many: Vec<String> = (0..101).map(|n| n.to_string()).collect();
    for body in
        [json!({"query": 7}), json!({"query": "x", "activeFiles": many}), json!({"query": "x", "activeFiles": [7]})]
    {
        let refused = daemon.post("/hooks/prompt-context", &body.to_string());
        assert_eq!((refused.status, refused.code().as_str()), (400, "BAD_REQUEST"), "{body}");
    }
}

#[test]
fn a_wrong_token_opens_nothing() {
    let (_project, daemon) = settled();
    let wrong = ["", "Bearer", "Bearer ", "Basic x", &"0".repeat(64), &format!("bearer {}", daemon.token)];
    let near = format!("Bearer {}", daemon.token.get(..63).expect("a token"));
    for token in wrong.into_iter().chain([near.as_str(), &format!("Bearer {}0", daemon.token)]) {
        for path in ["/hooks/prompt-context", "/stop"] {
            let head = format!("POST {path} HTTP/1.1\r\n{}Authorization: {token}\r\n", daemon.host());
            assert_eq!(daemon.send(&format!("{head}Content-Length: 2\r\n\r\n{{}}")).status, 401, "{token}");
        }
    }
    assert_eq!(daemon.get("/status").status, 200, "it still serves");
}

#[test]
fn a_web_page_reaches_nothing() {
    let (_project, daemon) = settled();
    let status =
        |line: &str, head: &str| daemon.send(&format!("{line} HTTP/1.1\r\n{head}{}\r\n", daemon.bearer())).status;
    let own = daemon.host();
    assert_eq!(status("OPTIONS /hooks/prompt-context", &own), 403);
    for host in ["Host: evil.example\r\n", "Host: evil.example:37222\r\n", "Host: 192.168.1.2\r\n", ""] {
        assert_eq!(status("GET /status", host), 403, "{host}");
        assert_eq!(status("GET /health", host), 403, "{host}");
    }
    assert_eq!(status("GET /status", "Host: 127.0.0.1\r\nHost: evil.example\r\n"), 403, "two hosts");
    for origin in ["Origin: https://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"] {
        assert_eq!(status("GET /health", &format!("{own}{origin}")), 403, "{origin}");
    }
    assert_eq!(status("GET /health", &format!("{own}Origin: http://localhost:3000\r\n")), 200);
}

#[test]
fn bodies_and_heads_have_a_size() {
    let (_project, daemon) = settled();
    let large = "x".repeat((1 << 20) + 1);
    let refused = daemon.post("/hooks/prompt-context", &large);
    assert_eq!((refused.status, refused.code().as_str()), (413, "TOO_LARGE"));
    let head = format!(
        "POST /hooks/prompt-context HTTP/1.1\r\n{}{}Transfer-Encoding: chunked\r\n\r\n",
        daemon.host(),
        daemon.bearer()
    );
    let chunked = daemon.send(&format!("{head}{:x}\r\n{large}\r\n0\r\n\r\n", large.len()));
    assert_eq!(chunked.status, 413, "without an announced length");
    let headers = "X: y\r\n".repeat(100);
    assert_eq!(daemon.send(&format!("GET /health HTTP/1.1\r\n{}{headers}\r\n", daemon.host())).status, 431);
    let long = format!("GET /health HTTP/1.1\r\n{}X: {}\r\n\r\n", daemon.host(), "y".repeat(64 << 10));
    assert_eq!(daemon.send(&long).status, 431);
}

#[test]
fn so_much_may_be_asked_and_no_more() {
    let project = TestProject::new(SHOP);
    project.write(".memory/config.json", r#"{"port": 0, "rateLimit": 20}"#);
    let daemon = Serving::start(&project, &[]);
    let refused = until("a refusal", || Some(daemon.post("/hooks/stop", "{}")).filter(|reply| reply.status != 200));
    assert_eq!((refused.status, refused.code().as_str()), (429, "RATE_LIMITED"));
    let wait = refused.json()["retryAfterMs"].as_u64().expect("a time");
    assert!((1..=10_000).contains(&wait), "{wait}");
    assert_eq!(
        daemon.send(&format!("GET /health HTTP/1.1\r\n{}\r\n", daemon.host())).status,
        200,
        "probes have their own"
    );
}

#[test]
fn whoever_lacks_the_token_cannot_use_up_the_requests_of_others() {
    let (_project, daemon) = settled();
    let head = format!("GET /status HTTP/1.1\r\n{}", daemon.host());
    let flood = (0..20_000).map(|_| daemon.send(&format!("{head}\r\n")).status).find(|status| *status != 401);
    assert_eq!(flood, Some(429));
    assert_eq!(daemon.get("/status").status, 200);
}

#[test]
fn metrics_come_as_json_and_as_text() {
    let (_project, daemon) = settled();
    daemon.post("/hooks/prompt-context", "price_of");
    let metrics = daemon.get("/metrics").json();
    assert_eq!(metrics["latency"]["/hooks/prompt-context"]["count"], 1, "{metrics}");
    for key in ["uptime", "requests", "errors", "connections", "rss"] {
        assert!(metrics[key].is_u64(), "{key}: {metrics}");
    }
    let text = daemon.send(&format!(
        "GET /metrics HTTP/1.1\r\n{}{}Accept: text/plain\r\n\r\n",
        daemon.host(),
        daemon.bearer()
    ));
    assert!(text.head.contains("content-type: text/plain"), "{}", text.head);
    assert!(text.body.contains("reporecall_requests_total{route=\"/hooks/prompt-context\"} 1"), "{}", text.body);
}

#[test]
fn the_log_holds_prompts_only_when_asked_to() {
    let secret = "the-zebra-of-the-prompt";
    let log = |args: &[&str]| {
        let project = shop();
        let daemon = Serving::start(&project, args);
        daemon.settled();
        let reply = daemon.post("/hooks/prompt-context", &json!({"prompt": format!("{secret} price_of")}).to_string());
        let log = fs::read_to_string(project.path(".memory/logs/daemon.log")).expect("a log");
        assert!(log.contains("listening") && !log.contains(&daemon.token), "{log}");
        (log.contains(secret), reply.json()["_debug"]["route"].is_string())
    };
    assert_eq!(log(&[]), (false, false));
    assert_eq!(log(&["--debug"]), (true, true));
}

#[test]
fn a_damaged_index_is_an_internal_error_that_tells_nothing_or_is_mended() {
    let (project, daemon) = settled();
    fs::write(project.path(".memory/fts.db"), [7; 9000]).unwrap();
    let reply = daemon.post("/hooks/prompt-context", "price_of");
    if reply.status == 500 {
        assert!(reply.json()["requestId"].is_string() && !reply.body.contains("fts.db"), "{}", reply.body);
    } else {
        assert_eq!(reply.status, 200);
    }
    assert_eq!(daemon.get("/health").status, 200);
}

#[test]
fn saves_renames_and_removals_are_searchable_without_an_index_run() {
    let (project, daemon) = settled();
    project.write("src/new.py", "def brand_new_function():\n    return 1\n");
    let found = |query: &str, path: &str| project.found(query).first().is_some_and(|first| first == path);
    until("the new file", || found("brand_new_function", "src/new.py").then_some(()));
    fs::rename(project.path("src/new.py"), project.path("src/moved.py")).unwrap();
    until("the moved file", || found("brand_new_function", "src/moved.py").then_some(()));
    fs::remove_file(project.path("src/moved.py")).unwrap();
    until("the removal", || (!found("brand_new_function", "src/moved.py")).then_some(()));
    daemon.settled();
}

#[test]
fn a_deleted_index_is_made_again() {
    let (project, daemon) = settled();
    until("a removal", || fs::remove_dir_all(project.path(".memory")).ok());
    until("the index", || project.path(".memory/metadata.db").exists().then_some(()));
    until("the record", || {
        let record: Value = serde_json::from_slice(&fs::read(project.path(".memory/daemon.json")).ok()?).ok()?;
        (record["token"] == daemon.token.as_str()).then_some(())
    });
    daemon.settled();
    assert!(!project.found("price_of").is_empty());
}

#[test]
fn a_project_has_one_daemon_and_a_taken_port_is_no_error() {
    let project = TestProject::new(SHOP);
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let first = Serving::start(&project, &["--port", &port]);
    assert_ne!(first.port.to_string(), port);
    let refused = project.command(&["serve", "--port", "0"]).assert().code(1);
    let stderr = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(stderr.contains(&first.pid().to_string()) && stderr.contains("--stop"), "{stderr}");
    project.command(&["serve", "--detach"]).assert().code(1);
    assert_eq!(first.get("/health").status, 200);
}

#[test]
fn two_daemons_that_start_at_once_become_one() {
    let project = shop();
    let _ends = Ends(&project);
    let mut starts: Vec<_> = (0..4).map(|_| spawn(&project, &[])).collect();
    until("one daemon", || {
        let alive = starts.iter_mut().filter_map(|start| start.try_wait().expect("a process")).count();
        (alive == 3).then_some(())
    });
    project.run(&["serve", "--stop"]);
    for mut start in starts {
        start.wait().unwrap();
    }
}

#[test]
fn a_stop_lets_the_answer_finish_and_leaves_no_trace() {
    let (project, mut daemon) = settled();
    let stopped = project.run(&["serve", "--stop"]);
    assert!(stopped.contains("ended"), "{stopped}");
    assert!(daemon.ended());
    for file in ["daemon.json", "daemon.token"] {
        assert!(!project.path(".memory").join(file).exists(), "{file}");
    }
    assert!(project.run(&["serve", "--stop"]).contains("no daemon"));
    let log = fs::read_to_string(project.path(".memory/logs/daemon.log")).unwrap();
    assert!(log.trim_end().ends_with("ended"), "{log}");
}

#[cfg(unix)]
#[test]
fn signals_end_it_in_order() {
    for signal in ["-TERM", "-INT"] {
        let (project, mut daemon) = settled();
        let killed = std::process::Command::new("kill").arg(signal).arg(daemon.pid().to_string()).status().unwrap();
        assert!(killed.success());
        assert!(daemon.ended(), "{signal}");
        assert!(!project.path(".memory/daemon.json").exists());
    }
}

#[test]
fn a_killed_daemon_stands_in_nobodys_way() {
    let (project, mut daemon) = settled();
    daemon.kill();
    assert!(project.path(".memory/daemon.json").exists(), "it could not tidy up");
    assert_eq!(project.json(&["stats", "--json"])["daemon"], Value::Null);
    let next = Serving::start(&project, &[]);
    assert_ne!(next.token, daemon.token);
    next.settled();
    assert_eq!(project.json(&["doctor", "--json"])["ok"], true);
}

#[test]
fn nobody_asks_and_it_ends() {
    let project = shop();
    let mut daemon = Serving::start(&project, &["--idle-exit", "1"]);
    assert!(daemon.ended());
}

#[test]
fn a_detached_daemon_says_where_it_listens() {
    let project = shop();
    project.run(&["index"]);
    let _ends = Ends(&project);
    let said = project.run(&["serve", "--detach", "--idle-exit", "60"]);
    let stats = project.json(&["stats", "--json"]);
    assert!(said.contains(&stats["daemon"]["port"].to_string()), "{said} {stats}");
}

#[cfg(unix)]
#[test]
fn its_files_are_for_this_user_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let (project, _daemon) = settled();
    let mode = |path: &str| fs::metadata(project.path(path)).unwrap().permissions().mode() & 0o777;
    for file in ["daemon.json", "daemon.token", "daemon.lock", "logs/daemon.log"] {
        assert_eq!(mode(&format!(".memory/{file}")), 0o600, "{file}");
    }
    assert_eq!(mode(".memory/logs"), 0o700);
}

#[cfg(target_os = "linux")]
#[test]
fn it_listens_on_loopback_only() {
    let (_project, daemon) = settled();
    let port = format!(":{:04X} ", daemon.port);
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let listening =
        tables.iter().flat_map(|table| table.lines()).filter(|line| line.contains(&port) && line.contains(" 0A "));
    let places: Vec<&str> = listening.filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert!(!places.is_empty() && places.iter().all(|place| place.starts_with("0100007F:")), "{places:?}");
}

#[test]
fn half_a_request_holds_up_no_other() {
    let (_project, daemon) = settled();
    let half: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, daemon.port)).unwrap();
            stream.write_all(b"POST /hooks/prompt-context HTTP/1.1\r\nHost: 127.0").unwrap();
            stream
        })
        .collect();
    assert_eq!(daemon.get("/health").status, 200);
    drop(half);
}
