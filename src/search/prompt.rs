//! A prompt as it is pasted -> what is said in it, and what is only shown: code, logs, traces. What is shown is set apart and read for
//! names; nothing is thrown away. It knows no index. Read [`Sanitized`] first.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// Bytes of what is said that are read further; more is a pasted text.
const MAX_WORDS: usize = 1_200;
/// Bytes of a prompt that are read at all.
const MAX_BYTES: usize = 256 << 10;
/// Bytes of a line that may be a frame.
const MAX_LINE: usize = 2_000;
const MAX_FRAMES: usize = 64;
const MAX_MENTIONS: usize = 64;
const MAX_QUESTIONS: usize = 3;
/// A line with more letters than this share is language.
const LANGUAGE: f32 = 0.72;

/// A prompt, taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sanitized {
    /// What is said, inline code in its place.
    pub words: String,
    /// What is asked, when it is more than one question; else empty.
    pub questions: Vec<String>,
    /// Places that a trace or a log names, as they stand: in most traces the last is the innermost.
    pub frames: Vec<Frame>,
    /// Words in backticks and paths, each once, in order.
    pub mentions: Vec<Mention>,
    /// Code and logs, for the names in them.
    pub shown: String,
}

/// A place that a trace or a compiler names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// As written; may lie on another machine.
    pub path: String,
    pub line: u32,
    /// Name of the function; empty where the trace has none.
    pub function: String,
    /// The trace has the innermost first.
    pub innermost_first: bool,
}

/// Something named on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mention {
    Code(String),
    Path(String),
}

/// Takes a prompt apart. Any text is a prompt.
#[must_use]
pub fn sanitize(text: &str) -> Sanitized {
    let text = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
    let text = &*uncoloured(text);
    let mut sanitized = Sanitized { frames: frames(text), ..Sanitized::default() };
    let (said, shown) = divide(text);
    sanitized.mentions = mentions(&said);
    sanitized.shown = shown;
    let end = said.floor_char_boundary(MAX_WORDS);
    sanitized.shown.push_str(said.get(end..).unwrap_or_default());
    let words = said.get(..end).unwrap_or_default().trim().to_owned();
    Sanitized { questions: questions(&words), words, ..sanitized }
}

impl Mention {
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Code(text) | Self::Path(text) => text,
        }
    }
}

/// Without the escapes by which a terminal shows colours.
fn uncoloured(text: &str) -> Cow<'_, str> {
    static ESCAPES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\x1b\[[0-9;]*[A-Za-z]"));
    if text.contains('\u{1b}') { ESCAPES.replace_all(text, "") } else { Cow::Borrowed(text) }
}

/// What is said, and what is only shown: fenced or indented code, traces, logs, markup that clients put in.
fn divide(text: &str) -> (String, String) {
    let (mut said, mut shown) = (String::new(), String::new());
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        let to = match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                continue;
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                continue;
            }
            (Some(_), _) => &mut shown,
            (None, None) if is_shown(line) => &mut shown,
            (None, None) => &mut said,
        };
        to.push_str(line);
        to.push('\n');
    }
    if said.trim().is_empty() {
        // Nothing but a pasted text: its last line says most.
        said.extend(shown.lines().rev().find(|line| !line.trim().is_empty()).map(str::trim));
    }
    (said, shown)
}

/// Nobody says a line like this.
fn is_shown(line: &str) -> bool {
    let trimmed = line.trim();
    let indented = line.starts_with("    ") || line.starts_with('\t');
    let letters = trimmed.chars().filter(|char| char.is_alphabetic() || char.is_whitespace()).count();
    let coded = trimmed.len() > 12 && (letters as f32) < LANGUAGE * trimmed.chars().count() as f32;
    let log = || trimmed.starts_with(|char: char| char.is_ascii_digit() || "[EWIDTF".contains(char));
    (log() && LOG_LINE.is_match(trimmed)) || frame(line).is_some() || (coded && (indented || ends_as_code(trimmed)))
}

fn ends_as_code(line: &str) -> bool {
    line.ends_with(['{', '}', ';', ')', ']', ',', '>'])
}

static LOG_LINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:\[)?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b[\]:]|Traceback \(most recent call last\))",
    )
});

/// Forms of a frame with the groups path, line and function, and whether the innermost stands first.
static FRAMES: LazyLock<[(Regex, bool); 8]> = LazyLock::new(|| {
    [
        // Python
        (pattern(r#"File "(?<path>[^"\n]+)", line (?<line>\d+)(?:, in (?<function>[^\s(]+))?"#), false),
        // JavaScript, with and without a function
        (
            pattern(
                r"^\s*at (?:async )?(?:(?<function>[\w$.<>\[\] ]+?) \()?(?:file://)?(?<path>[^\s():]+\.\w+):(?<line>\d+)(?::\d+)?\)?",
            ),
            true,
        ),
        // Java, Kotlin, Scala
        (pattern(r"^\s*at (?<function>[\w$.]+)\((?<path>[\w$]+\.\w+):(?<line>\d+)\)"), true),
        // C#
        (pattern(r"^\s*at (?<function>[\w.`<>]+)\([^)\n]*\) in (?<path>[^\n]+):line (?<line>\d+)"), true),
        // Rust panics and compiler errors
        (pattern(r"(?:panicked at|-->) (?:'[^'\n]*', )?(?<path>[^\s:']+\.\w+):(?<line>\d+)(?::\d+)?"), true),
        // Go
        (pattern(r"^\s+(?<path>[^\s:]+\.go):(?<line>\d+)(?: \+0x[0-9a-f]+)?"), true),
        // Ruby, PHP
        (pattern(r"(?:from )?(?<path>[^\s:]+\.(?:rb|php)):(?<line>\d+)(?::in [`'](?<function>[^'\n]+)')?"), true),
        // Compilers, linters, test runners
        (pattern(r"^\s*(?<path>[\w./\\@-]+\.\w+)[:(](?<line>\d+)(?:[:,]\d+)?\)?:? "), true),
    ]
});

fn frames(text: &str) -> Vec<Frame> {
    let mut found: Vec<Frame> = Vec::new();
    for frame in text.lines().filter_map(frame) {
        if found.len() < MAX_FRAMES && !found.contains(&frame) {
            found.push(frame);
        }
    }
    found
}

fn frame(line: &str) -> Option<Frame> {
    // Most prompts have no such line, and never pay for the patterns.
    let bytes = line.as_bytes();
    let numbered = bytes.windows(2).any(|pair| b":( ".contains(&pair[0]) && pair[1].is_ascii_digit());
    if line.len() > MAX_LINE || !numbered || !(line.contains('.') || line.contains("File \"")) {
        return None;
    }
    let (captured, first) = FRAMES.iter().find_map(|(pattern, first)| Some((pattern.captures(line)?, *first)))?;
    let group = |name| captured.name(name).map_or("", |group| group.as_str());
    Some(Frame {
        path: group("path").replace('\\', "/"),
        line: group("line").parse().unwrap_or_default(),
        function: group("function").trim().to_owned(),
        innermost_first: first,
    })
}

fn mentions(said: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut add = |mention: Mention| {
        if found.len() < MAX_MENTIONS && !found.contains(&mention) {
            found.push(mention);
        }
    };
    for (at, piece) in said.split('`').enumerate() {
        let code = piece.trim();
        if at % 2 == 1 && !code.is_empty() && !code.contains('\n') {
            add(if is_path(code) { Mention::Path(code.to_owned()) } else { Mention::Code(code.to_owned()) });
        }
    }
    for word in said.split(|char: char| char.is_whitespace() || "`\"'()[]{}<>,;".contains(char)) {
        let word = word.trim_end_matches(['.', ':', '?', '!']).trim_start_matches('@');
        if is_path(word) {
            add(Mention::Path(word.trim_start_matches("./").to_owned()));
        }
    }
    found
}

/// `src/a.rs`, `a.rs`, `a.rs:12` and `src/b/`, not `and/or` and not `3.5`. Whether there is such a file is not known here.
fn is_path(word: &str) -> bool {
    let word = word.split(':').next().unwrap_or_default();
    let plain = word.chars().all(|char| char.is_alphanumeric() || "_-./@+$".contains(char));
    let (folders, name) = word.rsplit_once('/').map_or(("", word), |(folders, name)| (folders, name));
    let extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        let letters = extension.chars().all(|char| char.is_ascii_lowercase() || char.is_ascii_digit());
        let first = extension.starts_with(|char: char| char.is_ascii_lowercase());
        !stem.is_empty() && extension.len() <= 5 && letters && first
    });
    plain
        && !word.starts_with("http")
        && (extension || folders.contains('/') || (name.is_empty() && !folders.is_empty()))
}

/// The questions in it when there is more than one; what stands between them goes with the one before.
fn questions(words: &str) -> Vec<String> {
    let mut asked: Vec<String> = Vec::new();
    for sentence in words.split_inclusive(['?', '？', '\n']) {
        let text = sentence.trim();
        let is_question = text.ends_with(['?', '？']) && text.split_whitespace().count() >= 2;
        match asked.last_mut() {
            Some(last) if !is_question => {
                last.push(' ');
                last.push_str(text);
            }
            Some(_) | None => asked.push(text.to_owned()),
        }
    }
    if asked.len() < 2 || asked.len() > MAX_QUESTIONS { Vec::new() } else { asked }
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this file compiles")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<String> {
        let shown = |frame: &Frame| format!("{}:{} {}", frame.path, frame.line, frame.function).trim().to_owned();
        sanitize(text).frames.iter().map(shown).collect()
    }

    #[test]
    fn frames_of_many_languages_are_read() {
        for (line, expected) in [
            ("  File \"/app/src/x.py\", line 12, in handle", "/app/src/x.py:12 handle"),
            ("    at Server.listen (/app/src/x.ts:12:5)", "/app/src/x.ts:12 Server.listen"),
            ("    at async run (file:///app/x.mjs:3:1)", "/app/x.mjs:3 run"),
            ("    at /app/src/x.js:12:5", "/app/src/x.js:12"),
            ("\tat com.acme.Api.get(Api.java:77)", "Api.java:77 com.acme.Api.get"),
            ("   at Acme.Api.Get(String id) in C:\\src\\Api.cs:line 7", "C:/src/Api.cs:7 Acme.Api.Get"),
            ("thread 'main' panicked at src/x.rs:10:5:", "src/x.rs:10"),
            ("  --> src/x.rs:10:5", "src/x.rs:10"),
            ("\t/go/src/x.go:42 +0x1d", "/go/src/x.go:42"),
            ("from lib/x.rb:3:in `call'", "lib/x.rb:3 call"),
            ("src/x.c:10:5: error: expected ';'", "src/x.c:10"),
        ] {
            assert_eq!(places(line), [expected], "{line}");
        }
        assert!(places("see version 3.5 at 12:30, ratio 1:2.").is_empty());
    }

    #[test]
    fn what_is_shown_is_set_apart_from_what_is_said() {
        let text = "Why does this fail?\n```py\nload_all(x)\n```\n2024-01-02 10:00:00 ERROR db down\n  File \"a.py\", line 3, in load\nIt worked before.";
        let sanitized = sanitize(text);
        assert_eq!(sanitized.words, "Why does this fail?\nIt worked before.");
        assert!(sanitized.shown.contains("load_all") && sanitized.shown.contains("db down"));
        assert_eq!(sanitized.frames.len(), 1);
    }

    #[test]
    fn a_prompt_that_is_only_a_log_is_asked_by_its_last_line() {
        let sanitized = sanitize("Traceback (most recent call last)\n  File \"a.py\", line 3, in load\n");
        assert_eq!(sanitized.words, "File \"a.py\", line 3, in load");
    }

    #[test]
    fn paths_and_backticked_words_are_mentions() {
        let of = |text: &str| sanitize(text).mentions.iter().map(|m| m.as_str().to_owned()).collect::<Vec<_>>();
        assert_eq!(of("fix `parse_line` in src/a/b.rs, please"), ["parse_line", "src/a/b.rs"]);
        assert_eq!(of("open ./main.go and lib/core/"), ["main.go", "lib/core/"]);
        assert!(of("either and/or 3.5 of http://example.com/a.html").is_empty());
    }

    #[test]
    fn more_than_one_question_is_taken_one_by_one() {
        let asked = |text: &str| sanitize(text).questions;
        assert_eq!(
            asked("How is it cached? And who calls flush? It leaks."),
            ["How is it cached?", "And who calls flush? It leaks."]
        );
        assert!(asked("How is it cached? It leaks.").is_empty());
    }
}
