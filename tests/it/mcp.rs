//! The MCP server as a client meets it: a process, lines of JSON-RPC on its standard streams, and nothing else there.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use expect_test::expect_file;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::project::{SHOP, TestProject, binary};

/// A client that has introduced itself.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last_id: u64,
    /// Messages of the server that were not waited for.
    heard: Vec<Value>,
}

impl Session {
    fn start(project: &TestProject) -> Self {
        Self::with(project, &[])
    }

    fn with(project: &TestProject, args: &[&str]) -> Self {
        let mut command = Command::new(binary());
        command.args(["mcp", "--project"]).arg(project.root()).args(args).env("HOME", project.path("home"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut session = Self { child, input, output, last_id: 0, heard: Vec::new() };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = session.request("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "reporecall", "{answer}");
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("an open session");
        writeln!(input, "{message}").expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method });
        message["params"] = params;
        self.send(&message);
        self.last_id
    }

    /// The next message. Every line must be one.
    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("UTF-8");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }

    fn answer(&mut self, id: u64) -> Value {
        if let Some(at) = self.heard.iter().position(|message| message["id"] == id) {
            return self.heard.remove(at);
        }
        loop {
            let message = self.hear();
            if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    fn result(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        let answer = self.request("tools/call", params);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// What a tool gives; the text says the same.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.result(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        let structured = result["structuredContent"].clone();
        let text = result["content"][0]["text"].as_str().expect("text");
        assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), structured, "{tool}");
        structured
    }

    /// Why a tool gives nothing.
    fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert!(result["structuredContent"].is_null(), "{result}");
        let text = result["content"][0]["text"].as_str().expect("text").to_owned();
        assert!(text.contains("\nhint: "), "{text}");
        text
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.input = None;
        let status = self.child.wait().expect("the server ends with its client");
        if !std::thread::panicking() {
            assert!(status.success(), "{status}");
        }
    }
}

fn indexed() -> TestProject {
    let project = TestProject::new(SHOP);
    project.run(&["index"]);
    project
}

#[test]
fn the_list_of_tools_matches_its_golden() {
    let project = TestProject::new(SHOP);
    let tools = Session::start(&project).request("tools/list", json!({}))["result"]["tools"].clone();
    let text = serde_json::to_string_pretty(&tools).expect("JSON") + "\n";
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mcp/tools.json")].assert_eq(&text);
    for tool in tools.as_array().expect("tools") {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        for hint in ["title", "readOnlyHint", "destructiveHint", "idempotentHint"] {
            assert!(!tool["annotations"][hint].is_null(), "{hint} of {tool}");
        }
    }
    assert!(!project.path(".memory").exists(), "a list creates nothing");
}

#[test]
fn the_readme_names_every_tool_and_no_other() {
    let tools = Session::start(&TestProject::new(SHOP)).request("tools/list", json!({}))["result"]["tools"].clone();
    let listed: Vec<&str> = tools.as_array().expect("tools").iter().filter_map(|tool| tool["name"].as_str()).collect();
    let readme = include_str!("../../README.md");
    let rows = readme.lines().skip_while(|line| !line.starts_with("| tool |")).skip(2);
    let named: Vec<&str> = rows.map_while(|row| row.strip_prefix("| `")?.split('`').next()).collect();
    assert_eq!(named, listed);
}

#[test]
fn without_an_index_a_tool_says_how_to_get_one_and_that_works() {
    let project = TestProject::new(SHOP);
    let mut session = Session::start(&project);
    for (tool, arguments) in [
        ("search_code", json!({ "query": "cart" })),
        ("search_context", json!({ "query": "cart" })),
        ("find_callers", json!({ "functionName": "price_of" })),
        ("get_symbol", json!({ "name": "Cart" })),
        ("get_stats", json!({})),
    ] {
        assert!(session.refused(tool, arguments).contains("call index_codebase"), "{tool}");
    }
    assert!(!project.path(".memory").exists(), "a question creates nothing");
    let report = session.call("index_codebase", json!({}));
    assert_eq!(report["filesProcessed"], 6, "{report}");
    let found = session.call("search_code", json!({ "query": "total_price" }));
    assert_eq!(found["results"][0]["filePath"], "src/cart.py", "{found}");
}

#[test]
fn code_is_found_read_and_paged() {
    let project = indexed();
    let mut session = Session::start(&project);
    let first = session.call("search_code", json!({ "query": "cart price", "limit": 1 }));
    let second =
        session.call("search_code", json!({ "query": "cart price", "limit": 1, "offset": first["nextOffset"] }));
    assert_eq!((&first["count"], &second["count"]), (&json!(1), &json!(1)));
    assert_ne!(first["results"][0]["chunkId"], second["results"][0]["chunkId"]);
    let id = &first["results"][0]["chunkId"];
    let read = session.call("search_code", json!({ "action": "read_chunk", "chunkId": id }));
    assert_eq!(read["results"][0]["content"], first["results"][0]["content"]);
    let symbol = session.call("get_symbol", json!({ "chunkId": id }));
    assert_eq!(symbol["matches"][0]["content"], first["results"][0]["content"]);
    let rust = session
        .call("search_code", json!({ "query": "payment", "language": "rust", "kind": "function", "path": "core" }));
    assert_eq!(rust["results"][0]["name"], "book_payment", "{rust}");
    assert!(session.refused("search_code", json!({ "query": "x", "kind": "gadget" })).contains("kinds are function"));
    assert!(
        session
            .refused("search_code", json!({ "action": "read_chunk", "chunkId": "src/cart.py#99" }))
            .contains("chunkId")
    );
}

#[test]
fn calls_trees_imports_and_definitions_are_told() {
    let project = indexed();
    let mut session = Session::start(&project);
    let callers = session.call("find_callers", json!({ "functionName": "price_of" }));
    assert_eq!(callers["results"][0]["callerName"], "Cart.total_price", "{callers}");
    let callees = session.call("find_callees", json!({ "functionName": "src/cart.py:Cart.total_price" }));
    assert_eq!(callees["results"][0]["targetFilePath"], "src/prices.py", "{callees}");
    let tree = session.call("build_stack_tree", json!({ "seed": "price_of", "direction": "up" }));
    assert_eq!(tree["upTree"][0]["name"], "Cart.total_price", "{tree}");
    assert_eq!(tree["edges"][0]["to"], "price_of", "{tree}");
    assert_eq!(tree["downTree"], json!([]), "{tree}");
    let imports = session.call("get_imports", json!({ "filePath": "src/cart.py" }));
    assert_eq!(imports["imports"][0]["resolvedPath"], "src/prices.py", "{imports}");
    assert_eq!(imports["importedBy"], json!(["tests/test_cart.py"]));
    let symbol = session.call("get_symbol", json!({ "name": "Cart.add_item" }));
    assert!(symbol["matches"][0]["content"].as_str().expect("text").contains("self.items.append"), "{symbol}");
    assert!(session.refused("find_callers", json!({ "functionName": "price_off" })).contains("price_of"));
}

#[test]
fn context_and_statistics_are_told() {
    let project = indexed();
    let mut session = Session::start(&project);
    let context = session.call("search_context", json!({ "query": "how is the total price made", "tokenBudget": 500 }));
    assert!(context["context"].as_str().expect("text").contains("total_price"), "{context}");
    assert!(context["tokenCount"].as_u64().expect("a number") <= 500, "{context}");
    let stats = session.call("get_stats", json!({}));
    assert_eq!((&stats["totalFiles"], &stats["staleness"]["level"]), (&json!(6), &json!("fresh")), "{stats}");
    assert_eq!(stats["latency"]["count"], 1, "{stats}");
}

#[test]
fn a_flow_is_explained_from_a_name_or_a_question() {
    let project = indexed();
    let mut session = Session::start(&project);
    let flow = session.call("explain_flow", json!({ "query": "price_of", "direction": "up" }));
    assert_eq!(flow["seed"][0]["name"], "price_of", "{flow}");
    assert_eq!(flow["tree"]["upTree"][0]["name"], "Cart.total_price", "{flow}");
    assert!(flow["flowContext"].as_str().expect("text").contains("def price_of"), "{flow}");
    let seeds = session.call("resolve_seed", json!({ "query": "who calls price_of" }));
    assert_eq!(seeds["bestSeed"]["filePath"], "src/prices.py", "{seeds}");
    let tree = session.call("build_stack_tree", json!({ "seed": "who calls price_of" }));
    assert_eq!(tree["seed"][0]["name"], "price_of", "{tree}");
    let callers = session.call("explain_flow", json!({ "query": "price_of", "action": "find_callers" }));
    assert_eq!(callers["results"][0]["callerName"], "Cart.total_price", "{callers}");
}

#[test]
fn edits_are_called_stale_until_they_are_indexed() {
    let project = indexed();
    let mut session = Session::start(&project);
    project.write("src/prices.py", "def price_of(item):\n    return 2\n\ndef brandnew():\n    pass\n");
    let answer = session.call("search_code", json!({ "query": "price_of" }));
    assert_eq!(answer["staleness"]["dirtyFiles"], json!(["src/prices.py"]), "{answer}");
    let report = session.call("refresh_context", json!({ "paths": ["src/prices.py", "nowhere.py"] }));
    assert_eq!((&report["filesProcessed"], &report["notIndexed"]), (&json!(1), &json!(["nowhere.py"])), "{report}");
    let answer = session.call("search_code", json!({ "query": "brandnew" }));
    assert_eq!(answer["results"][0]["name"], "brandnew", "{answer}");
}

#[test]
fn a_cleared_index_is_gone_for_every_server_and_comes_back() {
    let project = indexed();
    let (mut one, mut other) = (Session::start(&project), Session::start(&project));
    project.write(".memory/memory.db", "not code");
    other.call("search_code", json!({ "query": "cart" }));
    assert!(one.refused("clear_index", json!({ "confirm": false })).contains("confirm: true"));
    assert_eq!(one.call("clear_index", json!({ "confirm": true }))["cleared"], true);
    assert!(other.refused("search_code", json!({ "query": "cart" })).contains("call index_codebase"));
    one.call("index_codebase", json!({ "full": true }));
    assert_ne!(other.call("search_code", json!({ "query": "cart" }))["count"], 0);
    assert_eq!(std::fs::read_to_string(project.path(".memory/memory.db")).expect("kept"), "not code");
}

#[test]
fn progress_is_told_to_those_who_ask_and_never_goes_back() {
    let project = TestProject::new(SHOP);
    let mut session = Session::start(&project);
    let params = json!({ "name": "index_codebase", "arguments": {}, "_meta": { "progressToken": "p1" } });
    let answer = session.request("tools/call", params);
    assert_ne!(answer["result"]["isError"], true, "{answer}");
    let told: Vec<f64> = session.heard.iter().filter_map(|message| message["params"]["progress"].as_f64()).collect();
    assert!(!told.is_empty() && told.is_sorted(), "{:?}", session.heard);
    assert!(session.heard.iter().all(|message| message["params"]["progressToken"] == "p1"), "{:?}", session.heard);
}

#[test]
fn a_run_that_is_cancelled_ends_and_the_next_one_goes_on() {
    let project = TestProject::new(SHOP);
    for number in 0..400 {
        project.write(
            &format!("many/file_{number}.py"),
            format!("def made_{number}():\n    return {number}\n").repeat(20),
        );
    }
    let mut session = Session::start(&project);
    let id = session.ask("tools/call", json!({ "name": "index_codebase", "arguments": {} }));
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
    let report = session.call("index_codebase", json!({}));
    assert_eq!(report["files"], 406, "{report}");
}

#[test]
fn servers_and_runs_on_one_project_do_not_disturb_each_other() {
    let project = indexed();
    let mut sessions: Vec<Session> = (0..4).map(|_| Session::start(&project)).collect();
    for round in 0..5 {
        project.write("src/extra.py", format!("def extra_{round}():\n    return {round}\n"));
        let asked: Vec<u64> = sessions
            .iter_mut()
            .map(|session| session.ask("tools/call", json!({ "name": "index_codebase", "arguments": {} })))
            .collect();
        for (session, id) in sessions.iter_mut().zip(asked) {
            session.call("search_code", json!({ "query": "price_of" }));
            assert_ne!(session.answer(id)["result"]["isError"], true);
            let found = session.call("search_code", json!({ "query": format!("extra_{round}") }));
            assert_eq!(found["results"][0]["name"], format!("extra_{round}"), "{found}");
        }
    }
}

#[test]
fn what_no_tool_understands_is_answered_and_the_session_goes_on() {
    let project = indexed();
    let mut session = Session::start(&project);
    assert!(session.refused("find_callers", json!({})).contains("it takes functionName"));
    assert!(session.refused("search_code", json!({ "query": "x", "limit": 501 })).contains("from 1 to 500"));
    let unknown = session.request("tools/call", json!({ "name": "rm_rf", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    session.send(&json!("no request"));
    assert_ne!(session.call("search_code", json!({ "query": "cart" }))["count"], 0);
}

#[test]
fn toolsets_narrow_what_is_offered() {
    let project = indexed();
    let mut session = Session::with(&project, &["--toolsets", "memory,gaps"]);
    assert_eq!(session.request("tools/list", json!({}))["result"]["tools"], json!([]));
    let answer = session.request("tools/call", json!({ "name": "search_code", "arguments": { "query": "x" } }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[test]
fn the_folder_of_all_projects_is_not_indexed() {
    let project = TestProject::new(SHOP);
    std::fs::create_dir_all(project.path("home")).expect("a folder");
    let home = TestProject::new("//- a.py\nx = 1\n");
    let mut command = Command::new(binary());
    command.args(["mcp", "--project"]).arg(home.root()).env("HOME", home.root());
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut child = child;
    let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
    let mut session = Session { child, input, output, last_id: 0, heard: Vec::new() };
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    session.request("initialize", hello);
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert!(session.refused("index_codebase", json!({})).contains("no project"));
}

#[cfg(unix)]
#[test]
fn no_argument_leads_out_of_the_project() {
    let project = indexed();
    let outside = TestProject::new("//- secret.py\ndef topsecret():\n    return 42\n");
    std::os::unix::fs::symlink(outside.root(), project.path("link")).expect("a link");
    let absolute = outside.path("secret.py").display().to_string();
    let mut session = Session::start(&project);
    for path in ["../secret.py", "src/../../x", "/etc/passwd", "link/secret.py", &absolute] {
        for (tool, arguments) in [
            ("index_codebase", json!({ "paths": [path] })),
            ("refresh_context", json!({ "paths": [path] })),
            ("get_imports", json!({ "filePath": path })),
            ("find_callers", json!({ "functionName": format!("{path}:topsecret") })),
            ("find_callees", json!({ "functionName": format!("{path}:topsecret") })),
            ("build_stack_tree", json!({ "seed": format!("{path}:topsecret") })),
            ("explain_flow", json!({ "query": format!("{path}:topsecret") })),
            ("get_symbol", json!({ "name": format!("{path}:topsecret") })),
            ("search_code", json!({ "query": "x", "activeFiles": [path] })),
            ("search_context", json!({ "query": "x", "activeFiles": [path] })),
        ] {
            assert!(session.refused(tool, arguments).contains("outside the project"), "{tool} {path}");
        }
    }
    session.call("index_codebase", json!({}));
    let found = session.call("search_code", json!({ "query": "topsecret" }));
    assert!(!found.to_string().contains("return 42"), "{found}");
}

fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "\\PC{0,12}",
        "(\\.\\./){1,3}[a-z]{1,4}",
        Just("/etc/passwd".to_owned()),
        Just("a\0b".to_owned()),
        "src/cart\\.py(:|#)[a-z0-9]{0,3}"
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,4}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

#[test]
fn any_arguments_are_answered_and_show_nothing_from_outside() {
    let project = indexed();
    let mut session = Session::start(&project);
    let tools = session.request("tools/list", json!({}))["result"]["tools"].clone();
    let tools: Vec<(String, Vec<String>)> = tools
        .as_array()
        .expect("tools")
        .iter()
        .filter(|tool| tool["name"] != "clear_index")
        .map(|tool| {
            let names =
                tool["inputSchema"]["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
            (tool["name"].as_str().expect("a name").to_owned(), names.collect())
        })
        .collect();
    let call = (prop::sample::select(tools), prop::collection::vec(any_json(), 12), any::<u16>());
    let session = std::cell::RefCell::new(session);
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let ran = runner.run(&call, |((tool, names), values, chosen)| {
        let picked = names.iter().zip(&values).enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
        let arguments: Value = Value::Object(picked.map(|(_, (name, value))| (name.clone(), value.clone())).collect());
        let answer = session.borrow_mut().request("tools/call", json!({ "name": tool, "arguments": arguments }));
        prop_assert!(answer["error"].is_null(), "{tool} {arguments}: {answer}");
        prop_assert!(answer["result"]["content"][0]["text"].is_string());
        prop_assert!(!answer.to_string().contains("root:"), "{tool} {arguments}: {answer}");
        prop_assert!(!answer.to_string().contains("internal error"), "{tool} {arguments}: {answer}");
        Ok(())
    });
    ran.expect("every call is answered");
}
