//! What an assistant says of an event, as several assistants write it. Reads leniently: what is not understood is not there.
//! Read [`Input::read`] first.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// What has happened. Names of all assistants for the same thing are one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    SessionStart,
    Prompt,
    PreToolUse,
    PostToolUse,
    Stop,
    SubagentStop,
    PreCompact,
    PostCompact,
    SessionEnd,
}

/// An event's facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    pub prompt: String,
    pub session: Option<String>,
    /// As they were given: absolute, or from the project root.
    pub active_files: Vec<String>,
    /// Why a session starts: `startup`, `resume`, `clear`, `compact`.
    pub source: Option<String>,
    pub cwd: Option<PathBuf>,
}

/// What cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    #[error("the body is not UTF-8")]
    NotText,
    #[error("the input is not a JSON object")]
    NotAnObject,
    #[error("`{0}` must be a string")]
    NotAString(&'static str),
    #[error("`activeFiles` must be a list of at most 100 strings of fewer than 1,024 characters")]
    ActiveFiles,
}

const MOST_FILES: usize = 100;
const LONGEST_FILE: usize = 1_024;

const NAMES: [(&str, Event); 23] = [
    ("sessionstart", Event::SessionStart),
    ("prompt", Event::Prompt),
    ("promptcontext", Event::Prompt),
    ("userpromptsubmit", Event::Prompt),
    ("beforesubmitprompt", Event::Prompt),
    ("beforeagent", Event::Prompt),
    ("pretooluse", Event::PreToolUse),
    ("beforetool", Event::PreToolUse),
    ("posttooluse", Event::PostToolUse),
    ("posttoolusefailure", Event::PostToolUse),
    ("posttoolbatch", Event::PostToolUse),
    ("aftertool", Event::PostToolUse),
    ("stop", Event::Stop),
    ("afteragent", Event::Stop),
    ("subagentstop", Event::SubagentStop),
    ("subagentstart", Event::SubagentStop),
    ("precompact", Event::PreCompact),
    ("precompress", Event::PreCompact),
    ("postcompact", Event::PostCompact),
    ("sessionend", Event::SessionEnd),
    ("notification", Event::PostToolUse),
    ("aftermodel", Event::PostToolUse),
    ("afterfileedit", Event::PostToolUse),
];

impl Event {
    /// By any name, in any spelling: `session-start`, `SessionStart`, `session_start`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let bare: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        NAMES.iter().find(|(known, _)| *known == bare).map(|(_, event)| *event)
    }

    /// Its place below `/hooks/`.
    #[must_use]
    pub const fn route(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::Prompt => "prompt-context",
            Self::PreToolUse => "pre-tool-use",
            Self::PostToolUse => "post-tool-use",
            Self::Stop => "stop",
            Self::SubagentStop => "subagent-stop",
            Self::PreCompact => "pre-compact",
            Self::PostCompact => "post-compact",
            Self::SessionEnd => "session-end",
        }
    }

    /// Something is said to it; the others are answered `{}`.
    #[must_use]
    pub const fn is_question(self) -> bool {
        matches!(self, Self::SessionStart | Self::Prompt)
    }

    /// The assistant no longer has what a session was given before it.
    #[must_use]
    pub fn forgets(self, input: &Input) -> bool {
        let anew = || matches!(input.source.as_deref(), Some("clear" | "compact"));
        self == Self::PreCompact || (self == Self::SessionStart && anew())
    }
}

impl Input {
    /// A JSON object, or the prompt itself where the body is no JSON.
    ///
    /// # Errors
    /// [`InputError`]: a field that is used is of the wrong kind.
    pub fn read_any(body: &[u8]) -> Result<Self, InputError> {
        let text = std::str::from_utf8(body).map_err(|_| InputError::NotText)?;
        match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => Self::of(&fields),
            Ok(Value::String(prompt)) => Ok(Self { prompt, ..Self::default() }),
            Ok(_) | Err(_) => Ok(Self { prompt: text.trim().to_owned(), ..Self::default() }),
        }
    }

    /// A JSON object and nothing else.
    ///
    /// # Errors
    /// See [`Input::read_any`], and [`InputError::NotAnObject`].
    pub fn read(body: &[u8]) -> Result<Self, InputError> {
        match serde_json::from_slice(body) {
            Ok(Value::Object(fields)) => Self::of(&fields),
            Ok(_) | Err(_) => Err(InputError::NotAnObject),
        }
    }

    fn of(fields: &Map<String, Value>) -> Result<Self, InputError> {
        let prompt = ["query", "prompt", "message"].iter().find_map(|key| Some((*key, present(fields, key)?)));
        let prompt = prompt.map(|(key, value)| value.as_str().map(str::to_owned).ok_or(InputError::NotAString(key)));
        let first = |keys: &[&str]| keys.iter().find_map(|key| fields.get(*key)?.as_str().map(str::to_owned));
        Ok(Self {
            prompt: prompt.transpose()?.unwrap_or_default(),
            session: first(&["session_id", "sessionId", "conversation_id"]),
            active_files: active_files(fields)?,
            source: first(&["source"]),
            cwd: first(&["cwd"]).or_else(|| workspace(fields)).map(PathBuf::from),
        })
    }
}

fn present<'v>(fields: &'v Map<String, Value>, key: &str) -> Option<&'v Value> {
    fields.get(key).filter(|value| !value.is_null())
}

fn active_files(fields: &Map<String, Value>) -> Result<Vec<String>, InputError> {
    let Some(list) = present(fields, "activeFiles").or_else(|| present(fields, "active_files")) else {
        return Ok(attachments(fields));
    };
    let file = |value: &Value| value.as_str().filter(|path| path.len() < LONGEST_FILE).map(str::to_owned);
    let files = list.as_array().filter(|files| files.len() <= MOST_FILES);
    files.and_then(|files| files.iter().map(file).collect()).ok_or(InputError::ActiveFiles)
}

/// Files that one assistant sends with a prompt; what is too much of them does not matter.
fn attachments(fields: &Map<String, Value>) -> Vec<String> {
    let list = fields.get("attachments").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let path =
        |item: &Value| ["file_path", "filePath"].iter().find_map(|key| item.get(key)?.as_str().map(str::to_owned));
    list.iter().filter_map(path).filter(|path| path.len() < LONGEST_FILE).take(MOST_FILES).collect()
}

fn workspace(fields: &Map<String, Value>) -> Option<String> {
    fields.get("workspace_roots")?.as_array()?.first()?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Event, Input, InputError, LONGEST_FILE, MOST_FILES};

    fn read(text: &str) -> Result<Input, InputError> {
        Input::read_any(text.as_bytes())
    }

    #[test]
    fn events_have_the_names_of_all_assistants() {
        for name in ["session-start", "SessionStart", "sessionStart", "session_start"] {
            assert_eq!(Event::parse(name), Some(Event::SessionStart), "{name}");
        }
        for name in ["prompt", "UserPromptSubmit", "beforeSubmitPrompt", "BeforeAgent", "prompt-context"] {
            assert_eq!(Event::parse(name), Some(Event::Prompt), "{name}");
        }
        assert_eq!(Event::parse("launch-missiles"), None);
        assert_eq!(Event::parse(""), None);
    }

    #[test]
    fn the_prompt_has_three_names_and_may_be_the_whole_body() {
        assert_eq!(read(r#"{"query":null,"prompt":"a","message":"b"}"#).unwrap().prompt, "a");
        assert_eq!(read(r#"{"message":"b"}"#).unwrap().prompt, "b");
        assert_eq!(read("how does it work?\n").unwrap().prompt, "how does it work?");
        assert_eq!(read("\"quoted\"").unwrap().prompt, "quoted");
        assert_eq!(read("42").unwrap().prompt, "42");
        assert_eq!(read(r#"{"query":7}"#), Err(InputError::NotAString("query")));
        assert_eq!(Input::read_any(b"\xff\xfe"), Err(InputError::NotText));
        assert_eq!(Input::read(b"how?"), Err(InputError::NotAnObject));
    }

    #[test]
    fn open_files_are_counted_and_measured() {
        let files = |files: &[String]| read(&serde_json::json!({ "activeFiles": files }).to_string());
        assert_eq!(files(&vec!["a".to_owned(); MOST_FILES]).unwrap().active_files.len(), MOST_FILES);
        assert_eq!(files(&vec!["a".to_owned(); MOST_FILES + 1]), Err(InputError::ActiveFiles));
        assert_eq!(files(&["a".repeat(LONGEST_FILE)]), Err(InputError::ActiveFiles));
        assert_eq!(read(r#"{"activeFiles":"a.rs"}"#), Err(InputError::ActiveFiles));
        let attached = read(r#"{"attachments":[{"type":"file","file_path":"/p/a.rs"},{"type":"rule"}]}"#).unwrap();
        assert_eq!(attached.active_files, ["/p/a.rs"]);
    }

    #[test]
    fn a_compaction_and_a_clear_forget_the_session() {
        let input = |source: &str| Input { source: Some(source.to_owned()), ..Input::default() };
        assert!(Event::SessionStart.forgets(&input("compact")) && Event::SessionStart.forgets(&input("clear")));
        assert!(Event::PreCompact.forgets(&Input::default()));
        assert!(!Event::SessionStart.forgets(&input("resume")) && !Event::Prompt.forgets(&input("clear")));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let (_any, _strict) = (Input::read_any(&bytes), Input::read(&bytes));
        }

        #[test]
        fn any_json_is_read_or_refused(key in "query|prompt|message|activeFiles|attachments|cwd|session_id|workspace_roots", value in json()) {
            let body = serde_json::json!({ key: value }).to_string();
            if let Ok(input) = Input::read(body.as_bytes()) {
                prop_assert!(input.active_files.len() <= MOST_FILES);
            }
        }

        #[test]
        fn any_name_is_an_event_or_none(name in ".*") {
            let _event = Event::parse(&name);
        }
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            ".{0,40}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
                proptest::collection::hash_map("file_path|a|b", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
