//! `init` and `uninstall` for every client: what is written, that it is written once, that others' words are kept and given back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use expect_test::expect_file;

use crate::project::{SHOP, TestProject};

const CLIENTS: [&str; 7] = ["claude", "cursor", "vscode", "codex", "windsurf", "gemini", "opencode"];

/// What others may have written, with comments where the format has them.
const FOREIGN: [(&str, &str); 8] = [
    (
        ".claude/settings.json",
        "{\n  \"model\": \"m\",\n  \"hooks\": {\n    \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"./mine.sh\" } ] } ]\n  }\n}\n",
    ),
    (".mcp.json", "{\"mcpServers\":{\"other\":{\"command\":\"x\"}}}"),
    ("CLAUDE.md", "# House rules\n\nBe brief.\n"),
    (
        ".cursor/mcp.json",
        "{\n\t// ours\n\t\"mcpServers\": {\n\t\t\"other\": { \"url\": \"http://localhost:1\" },\n\t},\n}\n",
    ),
    (".vscode/mcp.json", "{\r\n    \"inputs\": [],\r\n    \"servers\": {}\r\n}\r\n"),
    (".codex/config.toml", "# ours\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\"\n"),
    (".gemini/settings.json", "{}\n"),
    (
        "opencode.json",
        "{\n  \"$schema\": \"s\",\n  \"mcp\": { \"other\": { \"type\": \"local\", \"command\": [\"x\"] } }\n}",
    ),
];

fn git(project: &TestProject) {
    project.write(".git/HEAD", "ref: refs/heads/main\n");
    project.write(".git/info/exclude", "# git's own\n");
    for folder in [".git/objects", ".git/refs"] {
        fs::create_dir_all(project.path(folder)).expect("a folder");
    }
}

/// All files of a project but what is indexed.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, dir: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in dir.read_dir().expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).expect("inside").to_string_lossy().into_owned();
                found.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(root, root, &mut found);
    found
}

#[test]
fn what_each_client_gets_matches_its_golden() {
    for client in CLIENTS {
        let project = TestProject::new(SHOP);
        let before = files(project.root());
        project.run(&["init", "--client", client, "--claude-md"]);
        let root = fs::canonicalize(project.root()).expect("a folder").display().to_string();
        let mut text = String::new();
        for (name, bytes) in files(project.root()) {
            if !before.contains_key(&name)
                && !name.starts_with(".memory")
                && (client == "claude" || name != "CLAUDE.md")
            {
                text.extend(["//- ", &name, "\n", &String::from_utf8(bytes).expect("UTF-8")]);
            }
        }
        let golden = format!("{}/tests/data/init/{client}.txt", env!("CARGO_MANIFEST_DIR"));
        expect_file![golden].assert_eq(&text.replace(&root, "<root>"));
        assert!(client == "windsurf" || !text.contains(&root), "{client} names a path of this machine");
    }
}

#[test]
fn init_twice_is_init_once_and_uninstall_gives_everything_back_to_the_byte() {
    let all = CLIENTS.join(",");
    for foreign in [&[][..], &FOREIGN] {
        let project = TestProject::new(SHOP);
        git(&project);
        for (path, text) in foreign {
            project.write(path, text);
        }
        let before = files(project.root());
        project.run(&["init", "--client", &all, "--claude-md"]);
        let once = files(project.root());
        let again = project.run(&["init", "--client", &all, "--claude-md"]);
        assert!(!again.contains("created") && !again.contains("changed"), "{again}");
        assert_eq!(files(project.root()), once);
        let planned = project.run(&["uninstall", "--dry-run"]);
        assert!(planned.contains("nothing is written") && files(project.root()) == once, "{planned}");
        project.run(&["uninstall"]);
        let after = files(project.root());
        let differing: Vec<&String> =
            before.iter().filter(|(name, text)| after.get(*name) != Some(text)).map(|(name, _)| name).collect();
        assert_eq!((differing, after.len()), (Vec::new(), before.len()), "{:?}", after.keys());
    }
}

#[test]
fn what_was_edited_since_is_kept_by_uninstall() {
    let project = TestProject::new(SHOP);
    project.write(".mcp.json", "{\n  \"mcpServers\": {\n    \"one\": {}\n  }\n}\n");
    project.run(&["init"]);
    let text = fs::read_to_string(project.path(".mcp.json")).expect("a file").replace("\"one\"", "\"two\"");
    project.write(".mcp.json", text);
    project.run(&["uninstall"]);
    assert_eq!(
        fs::read_to_string(project.path(".mcp.json")).expect("a file"),
        "{\n  \"mcpServers\": {\n    \"two\": {}\n  }\n}\n"
    );
}

#[test]
fn uninstall_keeps_an_index_and_what_is_remembered() {
    let project = TestProject::new(SHOP);
    project.run(&["init"]);
    project.run(&["index"]);
    let said = project.run(&["uninstall"]);
    assert!(said.contains("stays"), "{said}");
    assert_eq!(project.found("price_of").first().map(String::as_str), Some("src/prices.py"));
    assert!(!project.path(".mcp.json").exists() && !project.path(".claude").exists());
}

#[test]
fn a_file_that_cannot_be_read_stops_everything_before_anything_is_written() {
    let project = TestProject::new(SHOP);
    project.write(".mcp.json", "{ \"mcpServers\": { oops } }\n");
    let before = files(project.root());
    let failed = project.command(&["init"]).assert().code(1);
    let stderr = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(
        stderr.contains(".mcp.json") && stderr.contains("line 1") && stderr.contains("hint: correct the file"),
        "{stderr}"
    );
    assert_eq!(files(project.root()), before);
    let doctor = project.command(&["doctor"]).assert().code(1);
    let stdout = String::from_utf8_lossy(&doctor.get_output().stdout).into_owned();
    assert!(stdout.contains("fault   client   .mcp.json cannot be read"), "{stdout}");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_out_of_the_project() {
    let outside = TestProject::new("//- profile\nkeep me\n");
    for (link, target) in [(".mcp.json", "profile"), (".claude", ".")] {
        let project = TestProject::new(SHOP);
        std::os::unix::fs::symlink(outside.path(target), project.path(link)).expect("a link");
        let failed = project.command(&["init"]).assert().code(1);
        assert!(String::from_utf8_lossy(&failed.get_output().stderr).contains("leads out of the project"));
        assert_eq!(files(outside.root()).len(), 1);
        assert_eq!(fs::read_to_string(outside.path("profile")).expect("a file"), "keep me\n");
    }
}

#[test]
fn settings_are_kept_in_the_project() {
    let project = TestProject::new(SHOP);
    project.write(".memory/config.json", "{\n  \"maxFileSize\": 5000\n}\n");
    project.run(&["init", "--client", "none", "--port", "40000", "--embedding-provider", "keyword"]);
    let config: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(project.path(".memory/config.json")).expect("a file")).expect("JSON");
    let wanted = serde_json::json!({ "maxFileSize": 5000, "port": 40000, "embeddingProvider": "keyword" });
    assert_eq!(config, wanted);
    assert!(!project.path(".mcp.json").exists());
    project.command(&["init", "--embedding-provider", "ollama"]).assert().code(2);
    project.command(&["init", "--client", "emacs"]).assert().code(2);
    project.command(&["init", "--port", "80"]).assert().code(2);
}

#[test]
fn doctor_finds_what_would_run_twice_and_what_cannot_start() {
    let project = TestProject::new(SHOP);
    project.run(&["init"]);
    project.run(&["index"]);
    let told =
        |command: &mut assert_cmd::Command| String::from_utf8_lossy(&command.assert().get_output().stdout).into_owned();
    let missing = told(project.command(&["doctor"]).env("PATH", project.root()));
    assert!(missing.contains("fault   path"), "{missing}");
    project.write("bin/reporecall", "");
    let mut sound = project.command(&["doctor"]);
    let sound = told(sound.env("PATH", project.path("bin")));
    assert!(sound.contains("ok      path") && !sound.contains("fault"), "{sound}");
    project.write(".claude/settings.local.json", "{\"enabledPlugins\": {\"reporecall@reporecall\": true}}");
    let twice = told(project.command(&["doctor"]).env("PATH", project.path("bin")));
    assert!(
        twice.contains("SessionStart is answered more than once: by .claude/settings.json and by the plugin"),
        "{twice}"
    );
    assert!(twice.contains(".mcp.json and the plugin both bring the MCP server"), "{twice}");
    project.run(&["uninstall", "--client", "claude"]);
    let once = told(project.command(&["doctor"]).env("PATH", project.path("bin")));
    assert!(!once.contains("more than once") && !once.contains("both bring"), "{once}");
}

/// The plugin and `init` must bring the same, so that changing from one to the other changes nothing.
#[test]
fn the_plugin_brings_what_init_writes() {
    let read = |path: &Path| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
    };
    let project = TestProject::new(SHOP);
    project.run(&["init"]);
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin");
    assert_eq!(read(&plugin.join("hooks/hooks.json"))["hooks"], read(&project.path(".claude/settings.json"))["hooks"]);
    assert_eq!(read(&plugin.join(".mcp.json")), read(&project.path(".mcp.json")));
    let manifest = read(&plugin.join(".claude-plugin/plugin.json"));
    assert_eq!((&manifest["name"], &manifest["version"]), (&"reporecall".into(), &env!("CARGO_PKG_VERSION").into()));
}
