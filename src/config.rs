//! Settings: the only reader of the environment and of `.memory/config.json`. Never fails: what is wrong becomes a
//! [`ConfigWarning`] and the default of that one setting counts. Read [`Config`] first.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

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
}

/// Bytes read of `config.json`.
const FILE_LIMIT: u64 = 1 << 20;

const DEFAULT_MAX_FILE_SIZE: u64 = 102_400;

/// Language of extensions that are given without one.
const PLAIN_TEXT: &str = "text";

const FIELDS: [(&str, Field); 3] =
    [("maxFileSize", Field::MaxFileSize), ("extensions", Field::Extensions), ("ignorePatterns", Field::IgnorePatterns)];

/// Settings of other versions, accepted so that one file serves all of them.
const WITHOUT_EFFECT: [&str; 23] = [
    "embeddingProvider",
    "embeddingModel",
    "embeddingDimensions",
    "ollamaUrl",
    "contextBudget",
    "maxContextChunks",
    "sessionBudget",
    "searchWeights",
    "batchSize",
    "port",
    "debounceMs",
    "rrfK",
    "graphExpansion",
    "graphDiscountFactor",
    "siblingExpansion",
    "siblingDiscountFactor",
    "reranking",
    "rerankingModel",
    "rerankTopK",
    "conceptBundles",
    "implementationPaths",
    "factExtractors",
    "$schema",
];

impl Default for Config {
    fn default() -> Self {
        Self { max_file_size: DEFAULT_MAX_FILE_SIZE, extensions: BTreeMap::new(), ignore_patterns: Vec::new() }
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

/// Filter of the log, in the syntax of `RUST_LOG`: from `REPORECALL_LOG`, else `RUST_LOG`, else warnings only.
#[must_use]
pub fn log_filter() -> String {
    variable("REPORECALL_LOG").or_else(|| variable("RUST_LOG")).unwrap_or_else(|| "warn".to_owned())
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
        }
    }

    /// What a variable holds: JSON, or a list separated by commas.
    fn value_of(self, text: &str) -> Value {
        let json = serde_json::from_str(text).ok();
        match self {
            Self::MaxFileSize => json.unwrap_or(Value::Null),
            Self::Extensions | Self::IgnorePatterns => {
                json.filter(|value: &Value| value.is_array() || value.is_object()).unwrap_or_else(|| comma_list(text))
            }
        }
    }
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
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use super::{Config, Loaded, Severity, WITHOUT_EFFECT, from_json, load, override_from};

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
        let Config { max_file_size, extensions, ignore_patterns } = &loaded.config;
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
    fn sizes_must_be_whole_and_positive() {
        for size in ["0", "-1", "1.5", "1e99", "null", "true"] {
            let loaded = from_json(&format!("{{\"maxFileSize\": {size}}}"));
            assert_eq!((loaded.config, loaded.warnings.len()), (Config::default(), 1), "{size}");
        }
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
}
