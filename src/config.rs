//! Settings: the only reader of the environment and of `.memory/config.json`. Never fails: what is wrong becomes a
//! [`ConfigWarning`] and the default of that one setting counts. Read [`Config`] first.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::project::read_plain;

/// Settings that this version uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Bytes. Larger files are indexed only if they are source code.
    pub max_file_size: u64,
    /// Further file extensions: lower case with the dot, to the name of a language. A bare list means plain text.
    pub extensions: BTreeMap<String, String>,
    /// Lines of gitignore syntax, on top of the built-in rules.
    pub ignore_patterns: Vec<String>,
    /// Tokens of a context; `None` is decided by the size of the project.
    pub context_budget: Option<u32>,
    /// Blocks of code in a context; likewise.
    pub max_context_chunks: Option<u32>,
    /// What calls join to good answers comes with them.
    pub graph_expansion: bool,
    /// Parts of the project that its folders do not show.
    pub concept_bundles: Vec<ConceptBundle>,
    /// Where the daemon listens; the next free port is taken when it is in use.
    pub port: u16,
    /// Milliseconds without a change after which what has changed is indexed.
    pub debounce_ms: u64,
    /// A hook that finds no daemon starts one.
    pub hook_autostart: bool,
    /// Tokens of what is said at the start of a session.
    pub session_budget: u32,
    /// Requests that the daemon answers in ten seconds.
    pub rate_limit: u32,
}

/// A part of the project: who says one of the words is shown the symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConceptBundle {
    /// In lower case.
    pub words: Vec<String>,
    pub symbols: Vec<String>,
    pub max_chunks: usize,
}

/// Settings with what was wrong about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    pub config: Config,
    pub warnings: Vec<ConfigWarning>,
}

/// Something about the settings that their owner should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigWarning {
    pub severity: Severity,
    /// As written in the file, or the name of the environment variable; empty for the file as a whole.
    pub key: String,
    /// 1-based, in `config.json`; `None` for the environment.
    pub line: Option<usize>,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Right, but without effect in this version.
    Note,
    /// Wrong; the default counts.
    Warning,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    MaxFileSize,
    Extensions,
    IgnorePatterns,
    ContextBudget,
    MaxContextChunks,
    GraphExpansion,
    ConceptBundles,
    Port,
    DebounceMs,
    HookAutostart,
    SessionBudget,
    RateLimit,
}

/// Bytes read of `config.json`.
const FILE_LIMIT: u64 = 1 << 20;

const DEFAULT_MAX_FILE_SIZE: u64 = 102_400;

/// Language of extensions that are given without one.
const PLAIN_TEXT: &str = "text";

const FIELDS: [(&str, Field); 12] = [
    ("maxFileSize", Field::MaxFileSize),
    ("extensions", Field::Extensions),
    ("ignorePatterns", Field::IgnorePatterns),
    ("contextBudget", Field::ContextBudget),
    ("maxContextChunks", Field::MaxContextChunks),
    ("graphExpansion", Field::GraphExpansion),
    ("conceptBundles", Field::ConceptBundles),
    ("port", Field::Port),
    ("debounceMs", Field::DebounceMs),
    ("hookAutostart", Field::HookAutostart),
    ("sessionBudget", Field::SessionBudget),
    ("rateLimit", Field::RateLimit),
];

/// Symbols of a concept bundle that are shown, where it says nothing of it.
const DEFAULT_BUNDLE_CHUNKS: usize = 12;

/// Milliseconds.
const LONGEST_DEBOUNCE: u64 = 60_000;

/// Settings of other versions, accepted so that one file serves all of them.
const WITHOUT_EFFECT: [&str; 16] = [
    "embeddingProvider",
    "embeddingModel",
    "embeddingDimensions",
    "ollamaUrl",
    "searchWeights",
    "batchSize",
    "rrfK",
    "graphDiscountFactor",
    "siblingExpansion",
    "siblingDiscountFactor",
    "reranking",
    "rerankingModel",
    "rerankTopK",
    "implementationPaths",
    "factExtractors",
    "$schema",
];

impl Default for Config {
    fn default() -> Self {
        Self {
            max_file_size: DEFAULT_MAX_FILE_SIZE,
            extensions: BTreeMap::new(),
            ignore_patterns: Vec::new(),
            context_budget: None,
            max_context_chunks: None,
            graph_expansion: true,
            concept_bundles: Vec::new(),
            port: 37_222,
            debounce_ms: 2_000,
            hook_autostart: true,
            session_budget: 2_000,
            rate_limit: 100,
        }
    }
}

impl fmt::Display for ConfigWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "config.json line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "`{}` ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

/// Settings from `file`, which need not exist, and from `REPORECALL_<FIELD>` variables, which win
/// (`REPORECALL_MAX_FILE_SIZE`; lists as JSON or separated by commas).
#[must_use]
pub fn load(file: &Path) -> Loaded {
    let mut loaded = match read_plain(file, FILE_LIMIT) {
        Ok(text) => from_json(&text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Loaded::default(),
        Err(error) => Loaded::default().warn("", None, format!("config.json cannot be read: {error}")),
    };
    override_from(&mut loaded, &variable);
    loaded
}

/// Folders that programs are started from by name.
#[must_use]
pub fn program_dirs() -> Vec<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    let path = std::env::var_os("PATH");
    path.map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}

/// Filter of the log, in the syntax of `RUST_LOG`: from `REPORECALL_LOG`, else `RUST_LOG`, else warnings only.
#[must_use]
pub fn log_filter() -> String {
    variable("REPORECALL_LOG").or_else(|| variable("RUST_LOG")).unwrap_or_else(|| "warn".to_owned())
}

/// Folder for what can be fetched or made again: `REPORECALL_CACHE`, else `reporecall` in the user's cache folder. `None` where it is
/// turned off (`none`) or the user has no home.
#[must_use]
pub fn cache_dir() -> Option<PathBuf> {
    cache_from(&variable)
}

/// The project's folder as the assistant that calls a hook names it.
#[must_use]
pub fn client_project_dir() -> Option<PathBuf> {
    ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"]
        .iter()
        .find_map(|name| variable(name))
        .map(PathBuf::from)
}

/// The user wants no colours (`NO_COLOR`, set to anything).
#[must_use]
pub fn no_color() -> bool {
    variable("NO_COLOR").is_some_and(|value| !value.is_empty())
}

impl Loaded {
    fn warn(mut self, key: &str, line: Option<usize>, message: String) -> Self {
        self.push(Severity::Warning, key, line, message);
        self
    }

    fn push(&mut self, severity: Severity, key: &str, line: Option<usize>, message: String) {
        self.warnings.push(ConfigWarning { severity, key: key.to_owned(), line, message });
    }

    fn key(&mut self, key: &str, value: &Value, line: Option<usize>) {
        let known = FIELDS.iter().find(|(name, _)| *name == key);
        if let Some((_, field)) = known {
            self.set(*field, value, (key, line));
        } else if WITHOUT_EFFECT.contains(&key) {
            self.push(Severity::Note, key, line, "is known but has no effect in this version".to_owned());
        } else {
            self.push(Severity::Warning, key, line, "is not a setting".to_owned());
        }
    }

    fn set(&mut self, field: Field, value: &Value, (key, line): (&str, Option<usize>)) {
        if self.config.set(field, value).is_none() {
            let message = format!("must be {}; the default is used", field.expected());
            self.push(Severity::Warning, key, line, message);
        }
    }
}

impl Config {
    /// `None` where `value` is not of the field's type; nothing has changed then.
    fn set(&mut self, field: Field, value: &Value) -> Option<()> {
        match field {
            Field::MaxFileSize => self.max_file_size = value.as_u64().filter(|size| *size > 0)?,
            Field::Extensions => self.extensions = extensions(value)?,
            Field::IgnorePatterns => self.ignore_patterns = strings(value)?,
            Field::ContextBudget => self.context_budget = Some(number(value)?).filter(|number| *number > 0),
            Field::MaxContextChunks => self.max_context_chunks = Some(number(value)?).filter(|number| *number > 0),
            Field::GraphExpansion => self.graph_expansion = value.as_bool()?,
            Field::ConceptBundles => self.concept_bundles = bundles(value)?,
            Field::Port => self.port = u16::try_from(value.as_u64()?).ok()?,
            Field::DebounceMs => self.debounce_ms = value.as_u64().filter(|ms| *ms <= LONGEST_DEBOUNCE)?,
            Field::HookAutostart => self.hook_autostart = value.as_bool()?,
            Field::SessionBudget => self.session_budget = u32::try_from(value.as_u64()?).ok()?,
            Field::RateLimit => self.rate_limit = u32::try_from(value.as_u64()?).ok().filter(|limit| *limit > 0)?,
        }
        Some(())
    }
}

impl Field {
    const fn expected(self) -> &'static str {
        match self {
            Self::MaxFileSize => "a whole number of bytes above 0",
            Self::Extensions => "a list like [\".foo\"] or an object like {\".foo\": \"python\"}",
            Self::IgnorePatterns => "a list of strings",
            Self::ContextBudget | Self::MaxContextChunks => "a whole number, 0 for automatic",
            Self::ConceptBundles => {
                "a list of objects like {\"pattern\": \"billing|invoice\", \"symbols\": [\"Invoice\"], \"maxChunks\": 8}"
            }
            Self::Port => "a number from 0 to 65535",
            Self::DebounceMs => "a number of milliseconds up to 60000",
            Self::GraphExpansion | Self::HookAutostart => "true or false",
            Self::SessionBudget => "a number of tokens",
            Self::RateLimit => "a whole number above 0",
        }
    }

    /// What a variable holds: JSON, or a list separated by commas.
    fn value_of(self, text: &str) -> Value {
        let json = serde_json::from_str(text).ok();
        match self {
            Self::MaxFileSize
            | Self::ContextBudget
            | Self::MaxContextChunks
            | Self::GraphExpansion
            | Self::ConceptBundles
            | Self::Port
            | Self::DebounceMs
            | Self::HookAutostart
            | Self::SessionBudget
            | Self::RateLimit => json.unwrap_or(Value::Null),
            Self::Extensions | Self::IgnorePatterns => {
                json.filter(|value: &Value| value.is_array() || value.is_object()).unwrap_or_else(|| comma_list(text))
            }
        }
    }
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

/// The pattern is a list of words between `|`; a `kind` is accepted and says nothing.
fn bundles(value: &Value) -> Option<Vec<ConceptBundle>> {
    let bundle = |value: &Value| {
        let words = value.get("pattern")?.as_str()?.split('|').map(|word| word.trim().to_lowercase());
        let max_chunks = match value.get("maxChunks") {
            Some(most) => usize::try_from(most.as_u64()?).ok()?,
            None => DEFAULT_BUNDLE_CHUNKS,
        };
        Some(ConceptBundle {
            words: words.filter(|word| !word.is_empty()).collect(),
            symbols: strings(value.get("symbols")?)?,
            max_chunks,
        })
    };
    value.as_array()?.iter().map(bundle).collect()
}

fn from_json(text: &str) -> Loaded {
    let loaded = Loaded::default();
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => {
            let lines = key_lines(text);
            object.iter().fold(loaded, |mut loaded, (key, value)| {
                loaded.key(key, value, lines.get(key).copied());
                loaded
            })
        }
        Ok(_) => loaded.warn("", Some(1), "the settings must be one JSON object; all defaults are used".to_owned()),
        Err(_) if text.trim().is_empty() => loaded,
        Err(error) => {
            let message = format!("column {}: not valid JSON ({error}); all defaults are used", error.column());
            loaded.warn("", Some(error.line()), message)
        }
    }
}

fn override_from(loaded: &mut Loaded, variable: &dyn Fn(&str) -> Option<String>) {
    for (key, field) in FIELDS {
        let names = [format!("REPORECALL_{}", snake(key)), format!("REPORECALL_{}", key.to_ascii_uppercase())];
        if let Some((name, text)) = names.into_iter().find_map(|name| variable(&name).map(|text| (name, text))) {
            loaded.set(field, &field.value_of(&text), (&name, None));
        }
    }
}

/// Value of an environment variable; an empty one counts as unset.
fn cache_from(variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    match variable("REPORECALL_CACHE").as_deref() {
        Some("none") => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => {
            let in_home = || variable("HOME").map(|home| Path::new(&home).join(".cache"));
            Some(variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(in_home)?.join("reporecall"))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn extensions(value: &Value) -> Option<BTreeMap<String, String>> {
    if let Value::Object(map) = value {
        return map.iter().map(|(key, lang)| Some((extension(key)?, lang.as_str()?.to_ascii_lowercase()))).collect();
    }
    let pair = |text: String| match text.split_once('=') {
        Some((key, lang)) => Some((extension(key)?, lang.trim().to_ascii_lowercase())),
        None => Some((extension(&text)?, PLAIN_TEXT.to_owned())),
    };
    strings(value)?.into_iter().map(pair).collect()
}

/// `Foo`, `.foo` and `*.foo` as `.foo`.
fn extension(text: &str) -> Option<String> {
    let bare = text.trim().trim_start_matches('*').trim_start_matches('.').to_lowercase();
    (!bare.is_empty() && !bare.contains(['/', '\\'])).then(|| format!(".{bare}"))
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn comma_list(text: &str) -> Value {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
}

/// `maxFileSize` as `MAX_FILE_SIZE`.
fn snake(key: &str) -> String {
    let mut name = String::new();
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

/// Line of each key of the outermost object of `text`, which is valid JSON.
fn key_lines(text: &str) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    let (mut depth, mut line, mut at) = (0_usize, 1_usize, 0_usize);
    let mut string = ("", line);
    while let Some(byte) = text.as_bytes().get(at) {
        let mut next = at + 1;
        match byte {
            b'\n' => line += 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                next = string_end(text.as_bytes(), next);
                string = (text.get(at..next).unwrap_or_default(), line);
            }
            b':' if depth == 1 => {
                lines.extend(serde_json::from_str(string.0).ok().map(|key: String| (key, string.1)));
            }
            _ => {}
        }
        at = next;
    }
    lines
}

/// Offset behind the quote that ends the string whose first character is at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests;
