//! What each assistant reads, and what stands in it of ours. One row a file; it reads and writes none. Read [`ConfigFile`] first.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::block_text::{remove_section, remove_table, set_section, set_table};
use super::json_text;
use super::json_tree::BrokenJson;
use crate::project::Project;

/// An assistant that can be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Client {
    Claude,
    Cursor,
    Vscode,
    Codex,
    Windsurf,
    Gemini,
    Opencode,
}

/// A file of an assistant that holds something of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::engine) enum ConfigFile {
    ClaudeSettings,
    ClaudeMcp,
    ClaudeMd,
    Cursor,
    Vscode,
    Codex,
    Windsurf,
    Gemini,
    Opencode,
}

/// Why a file cannot be changed.
#[derive(Debug, thiserror::Error)]
pub(in crate::engine) enum BrokenConfig {
    #[error(transparent)]
    Json(#[from] BrokenJson),
    #[error("{0}")]
    Toml(String),
}

type Edited = Result<String, BrokenConfig>;

/// Events of Claude Code, and what is run for each. Commands, not http: port and token change with each start of the daemon, and a session's
/// start is never sent over http.
pub(in crate::engine) const HOOKS: [(&str, &str); 2] = [
    (
        "SessionStart",
        r#"{
  "hooks": [
    {
      "type": "command",
      "command": "reporecall",
      "args": [
        "hook",
        "session-start"
      ],
      "timeout": 10
    }
  ]
}"#,
    ),
    (
        "UserPromptSubmit",
        r#"{
  "hooks": [
    {
      "type": "command",
      "command": "reporecall",
      "args": [
        "hook",
        "prompt"
      ],
      "timeout": 10
    }
  ]
}"#,
    ),
];

/// Started in the project's folder.
const SERVER: &str = r#"{
  "command": "reporecall",
  "args": [
    "mcp"
  ]
}"#;

/// Started anywhere, by an editor that fills in its folder.
const EDITOR_SERVER: &str = r#"{
  "type": "stdio",
  "command": "reporecall",
  "args": [
    "mcp",
    "--project",
    "${workspaceFolder}"
  ]
}"#;

const OPENCODE_SERVER: &str = r#"{
  "type": "local",
  "command": [
    "reporecall",
    "mcp"
  ],
  "enabled": true
}"#;

const CODEX_SERVER: &str = "command = \"reporecall\"\nargs = [\"mcp\"]\n";

const MARKERS: (&str, &str) = ("<!-- reporecall -->", "<!-- /reporecall -->");

const CLAUDE_MD: &str = "## Code index

This project has a local code index (`reporecall`, MCP server of that name). Before reading many files to find something, ask it:
`search_code` for where something is done, `find_callers` before a definition is changed or removed, `build_stack_tree` to follow a flow.
When an answer calls itself stale, call `index_codebase`.
";

impl Client {
    pub const ALL: [Self; 7] =
        [Self::Claude, Self::Cursor, Self::Vscode, Self::Codex, Self::Windsurf, Self::Gemini, Self::Opencode];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Cursor => "cursor",
            Self::Vscode => "vscode",
            Self::Codex => "codex",
            Self::Windsurf => "windsurf",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
        }
    }

    /// What the user has to do, or should know, beside.
    #[must_use]
    pub const fn note(self) -> Option<&'static str> {
        match self {
            Self::Claude => Some("Claude Code asks once whether the project's MCP server may be used"),
            Self::Codex => Some("Codex reads the project's file only when the project is trusted"),
            Self::Windsurf => Some(
                "Windsurf has one file for all projects: its server answers for this project until `init` runs in another",
            ),
            Self::Cursor | Self::Vscode | Self::Gemini | Self::Opencode => None,
        }
    }

    pub(in crate::engine) const fn files(self) -> &'static [ConfigFile] {
        match self {
            Self::Claude => &[ConfigFile::ClaudeSettings, ConfigFile::ClaudeMcp],
            Self::Cursor => &[ConfigFile::Cursor],
            Self::Vscode => &[ConfigFile::Vscode],
            Self::Codex => &[ConfigFile::Codex],
            Self::Windsurf => &[ConfigFile::Windsurf],
            Self::Gemini => &[ConfigFile::Gemini],
            Self::Opencode => &[ConfigFile::Opencode],
        }
    }
}

impl ConfigFile {
    pub(in crate::engine) const ALL: [Self; 9] = [
        Self::ClaudeSettings,
        Self::ClaudeMcp,
        Self::ClaudeMd,
        Self::Cursor,
        Self::Vscode,
        Self::Codex,
        Self::Windsurf,
        Self::Gemini,
        Self::Opencode,
    ];

    /// `None` where the user has no home folder.
    pub(in crate::engine) fn path(self, project: &Project) -> Option<PathBuf> {
        let below = |path: &str| Some(project.root.join(path));
        match self {
            Self::ClaudeSettings => below(".claude/settings.json"),
            Self::ClaudeMcp => below(".mcp.json"),
            Self::ClaudeMd => below("CLAUDE.md"),
            Self::Cursor => below(".cursor/mcp.json"),
            Self::Vscode => below(".vscode/mcp.json"),
            Self::Codex => below(".codex/config.toml"),
            Self::Windsurf => Some(Project::home()?.join(".codeium/windsurf/mcp_config.json")),
            Self::Gemini => below(".gemini/settings.json"),
            Self::Opencode => Some(opencode(&project.root)),
        }
    }

    /// It belongs to the user, not to the project.
    pub(in crate::engine) const fn is_users(self) -> bool {
        matches!(self, Self::Windsurf)
    }

    /// `text` with what is ours in it, once.
    pub(in crate::engine) fn with(self, text: &str, root: &Path) -> Edited {
        let edited = match self {
            Self::ClaudeSettings => with_hooks(text)?,
            Self::ClaudeMcp | Self::Gemini => json_text::set(text, &["mcpServers", "reporecall"], SERVER)?,
            Self::Cursor => json_text::set(text, &["mcpServers", "reporecall"], EDITOR_SERVER)?,
            Self::Windsurf => json_text::set(text, &["mcpServers", "reporecall"], &rooted_server(root))?,
            Self::Vscode => json_text::set(text, &["servers", "reporecall"], EDITOR_SERVER)?,
            Self::Opencode => json_text::set(text, opencode_path(text)?, OPENCODE_SERVER)?,
            Self::Codex => return with_table(text),
            Self::ClaudeMd => set_section(text, MARKERS, CLAUDE_MD),
        };
        Ok(edited)
    }

    /// `text` without what is ours in it.
    pub(in crate::engine) fn without(self, text: &str) -> Edited {
        let edited = match self {
            Self::ClaudeSettings => without_hooks(text)?,
            Self::ClaudeMcp | Self::Cursor | Self::Windsurf | Self::Gemini => {
                json_text::remove(text, &["mcpServers", "reporecall"])?
            }
            Self::Vscode => json_text::remove(text, &["servers", "reporecall"])?,
            Self::Opencode => {
                let text = json_text::remove(text, &["mcp", "servers", "reporecall"])?;
                json_text::remove(&text, &["mcp", "reporecall"])?
            }
            Self::Codex => {
                parsed_toml(text)?;
                remove_table(text, "mcp_servers.reporecall")
            }
            Self::ClaudeMd => remove_section(text, MARKERS),
        };
        Ok(edited)
    }

    /// Whether anything of ours stands in it.
    pub(in crate::engine) fn holds(self, text: &str) -> Result<bool, BrokenConfig> {
        Ok(self.without(text)? != text)
    }

    /// Nothing is left that anybody would miss.
    pub(in crate::engine) fn is_blank(self, text: &str) -> bool {
        let blank_json = || json_text::read(text).is_ok_and(|value| value == serde_json::json!({}));
        text.trim().is_empty() || (self != Self::ClaudeMd && self != Self::Codex && blank_json())
    }
}

/// A hook of ours, of this version or an older one: it runs the program, or sends the event to the daemon.
pub(in crate::engine) fn is_our_hook(hook: &Value) -> bool {
    let text = |key: &str| hook.get(key).and_then(Value::as_str).unwrap_or_default();
    let args = hook.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let words: Vec<&str> = text("command").split([' ', '\t', '\n', '"', '\'', ';', '&', '|']).chain(args).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let runs = words.windows(2).any(|pair| is_program(pair[0]) && ["hook", "serve", "mcp"].contains(&pair[1]));
    let is_daemon = |url: &str| {
        ["//127.0.0.1", "//localhost", "//[::1]"].iter().any(|host| url.contains(host))
            && ["/hooks/session-start", "/hooks/prompt-context", "/hooks/pre-tool-use", "/hooks/stop"]
                .iter()
                .any(|route| url.contains(route))
    };
    runs || is_daemon(text("command")) || is_daemon(text("url"))
}

/// Hooks of ours that are run for an event, in these settings.
pub(in crate::engine) fn our_hooks(settings: &Value, event: &str) -> usize {
    let groups = settings["hooks"][event].as_array();
    let hooks = groups.into_iter().flatten().filter_map(|group| group["hooks"].as_array()).flatten();
    hooks.filter(|hook| is_our_hook(hook)).count()
}

fn is_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "reporecall" | "reporecall.exe")
}

fn with_hooks(text: &str) -> Result<String, BrokenJson> {
    let settings = json_text::read(text)?;
    let wanted = HOOKS.iter().map(|(event, group)| Ok((*event, json_text::read(group)?)));
    let wanted: Vec<(&str, Value)> = wanted.collect::<Result<_, BrokenJson>>()?;
    let in_place = |(event, group): &(&str, Value)| {
        our_hooks(&settings, event) == 1 && settings["hooks"][*event].as_array().is_some_and(|all| all.contains(group))
    };
    let others = others(&settings);
    if others.is_empty() && wanted.iter().all(in_place) {
        return Ok(text.to_owned());
    }
    let mut text = without_hooks(text)?;
    for (event, group) in HOOKS {
        text = json_text::push(&text, &["hooks", event], group)?;
    }
    Ok(text)
}

/// Events of older versions that hold a hook of ours.
fn others(settings: &Value) -> Vec<&String> {
    let events = settings["hooks"].as_object().into_iter().flatten().map(|(event, _)| event);
    events.filter(|event| !HOOKS.iter().any(|(name, _)| name == event) && our_hooks(settings, event) > 0).collect()
}

/// A group that held nothing but hooks of ours goes with them.
fn without_hooks(text: &str) -> Result<String, BrokenJson> {
    let settings = json_text::read(text)?;
    let events = settings["hooks"].as_object().into_iter().flatten().map(|(event, _)| event);
    let mut text = text.to_owned();
    for event in events {
        let path = ["hooks", event.as_str()];
        text = json_text::remove_items(&text, &path, |group| {
            let hooks = group["hooks"].as_array();
            hooks.is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(is_our_hook))
        })?;
        text = json_text::remove_items_within(&text, &path, "hooks", is_our_hook)?;
    }
    Ok(text)
}

fn rooted_server(root: &Path) -> String {
    let root = Value::from(root.display().to_string());
    format!("{{\n  \"command\": \"reporecall\",\n  \"args\": [\n    \"mcp\",\n    \"--project\",\n    {root}\n  ]\n}}")
}

/// The file that is there, or the one that is looked for first.
fn opencode(root: &Path) -> PathBuf {
    let names = ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"];
    let there = names.iter().map(|name| root.join(name)).find(|path| path.is_file());
    there.unwrap_or_else(|| root.join("opencode.json"))
}

/// The second version keeps servers one level deeper; it reads the form of the first one, too.
fn opencode_path(text: &str) -> Result<&'static [&'static str], BrokenJson> {
    let second =
        json_text::read(text)?["mcp"]["servers"].as_object().is_some_and(|servers| !servers.contains_key("type"));
    Ok(if second { &["mcp", "servers", "reporecall"] } else { &["mcp", "reporecall"] })
}

fn with_table(text: &str) -> Edited {
    parsed_toml(text)?;
    let edited = set_table(text, "mcp_servers.reporecall", CODEX_SERVER);
    // Servers in one inline table, or ours with dots in its keys, are not ours to rewrite.
    parsed_toml(&edited).map_err(|_| {
        BrokenConfig::Toml(
            "mcp_servers is written in a way that is not changed here; add the server by hand".to_owned(),
        )
    })?;
    Ok(edited)
}

fn parsed_toml(text: &str) -> Result<toml::Table, BrokenConfig> {
    text.parse::<toml::Table>().map_err(|error| BrokenConfig::Toml(error.to_string().trim_end().to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ROOT: &str = "/home/user/shop";

    fn with(file: ConfigFile, text: &str) -> String {
        file.with(text, Path::new(ROOT)).unwrap()
    }

    #[test]
    fn every_file_is_written_once_and_given_back() {
        for file in ConfigFile::ALL {
            let first = with(file, "");
            assert_eq!(with(file, &first), first, "{file:?}");
            assert!(file.holds(&first).unwrap() && !file.holds("").unwrap(), "{file:?}");
            let left = file.without(&first).unwrap();
            assert!(file.is_blank(&left), "{file:?}: {left}");
            assert!(file.is_users() || !first.contains("/home/"), "{file:?} names a path of this machine");
        }
    }

    #[test]
    fn what_others_wrote_is_kept() {
        let settings = r#"{
  // ours
  "model": "m",
  "hooks": {
    "UserPromptSubmit": [
      { "hooks": [ { "type": "command", "command": "./mine.sh" } ] }
    ]
  }
}
"#;
        let with = with(ConfigFile::ClaudeSettings, settings);
        let value = json_text::read(&with).unwrap();
        assert_eq!(value["hooks"]["UserPromptSubmit"].as_array().unwrap().len(), 2, "{with}");
        assert_eq!(value["hooks"]["SessionStart"].as_array().unwrap().len(), 1, "{with}");
        assert!(with.contains("// ours"));
        assert_eq!(ConfigFile::ClaudeSettings.without(&with).unwrap(), settings);
    }

    #[test]
    fn hooks_of_older_versions_are_replaced() {
        let old = json!({"hooks": {
            "UserPromptSubmit": [{"hooks": [
                {"type": "command", "command": "curl -s http://127.0.0.1:37222/hooks/prompt-context -d @-"},
                {"type": "command", "command": "echo kept"},
            ]}],
            "Stop": [{"hooks": [{"type": "http", "url": "http://localhost:37222/hooks/stop"}]}],
            "SessionStart": [{"hooks": [{"type": "command", "command": "/usr/bin/reporecall hook session-start"}]}],
        }});
        let value = json_text::read(&with(ConfigFile::ClaudeSettings, &old.to_string())).unwrap();
        assert_eq!(value["hooks"]["Stop"], Value::Null);
        assert_eq!([our_hooks(&value, "UserPromptSubmit"), our_hooks(&value, "SessionStart")], [1, 1], "{value}");
        assert_eq!(
            value["hooks"]["UserPromptSubmit"][0]["hooks"],
            json!([{"type": "command", "command": "echo kept"}])
        );
    }

    #[test]
    fn a_hook_is_ours_by_what_it_runs() {
        let is_ours = |command: &str| is_our_hook(&json!({"type": "command", "command": command}));
        assert!(is_ours("reporecall hook prompt") && is_ours("\"C:\\bin\\reporecall.exe\" hook prompt"));
        assert!(
            !is_ours("echo reporecall") && !is_ours("my-reporecall hook") && !is_ours("http://example.org/hooks/stop")
        );
        assert!(is_our_hook(&json!({"command": "reporecall", "args": ["hook", "prompt"]})));
    }

    #[test]
    fn the_second_form_of_opencode_is_kept() {
        let second = r#"{"mcp": {"servers": {"x": {"type": "local", "command": ["x"]}}}}"#;
        let value = json_text::read(&with(ConfigFile::Opencode, second)).unwrap();
        assert_eq!(value["mcp"]["servers"]["reporecall"]["type"], "local", "{value}");
    }

    #[test]
    fn what_cannot_be_read_is_not_touched() {
        for file in ConfigFile::ALL.into_iter().filter(|file| *file != ConfigFile::ClaudeMd) {
            assert!(file.with("{ \"a\": = [", Path::new(ROOT)).is_err(), "{file:?}");
        }
        let inline = "mcp_servers = { x = { command = \"x\" } }\n";
        assert!(ConfigFile::Codex.with(inline, Path::new(ROOT)).is_err());
    }
}
