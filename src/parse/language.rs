//! What `grammars/<language>/language.toml` says, and the grammar table: the only place that names a grammar crate.
//! It refuses unknown keys, so that no key is written and never read. Read [`LanguageConfig`] first.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use tree_sitter::Language;

use super::query::Grammar;
use super::value::Values;
use crate::model::{Dialect, Lang};

/// The embedded files of one folder under `grammars/`.
pub(super) struct GrammarFiles {
    pub(super) name: &'static str,
    pub(super) toml: &'static str,
    pub(super) definitions: &'static str,
    pub(super) calls: &'static str,
    pub(super) imports: &'static str,
    pub(super) types: &'static str,
    pub(super) scopes: &'static str,
    pub(super) injections: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/grammar_files.rs"));

/// Where a definition's documentation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DocPlace {
    /// Comments directly before it.
    #[default]
    DocBefore,
    /// First string of the body, comments before it as well.
    FirstStringInBody,
    None,
}

/// When a definition counts as exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ExportRule {
    /// The query captured `@export` (or `@visibility` with a public word).
    #[default]
    Marked,
    /// Unless `@visibility` holds a private word.
    UnlessPrivate,
    /// Unless the name starts with `_`.
    NotUnderscore,
    /// When the name starts with a capital letter.
    Capitalized,
    Always,
}

/// Facts about a language that queries cannot say.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LanguageConfig {
    /// Key of the grammar table; absent in a folder that others inherit from.
    pub(super) grammar: Option<String>,
    /// Folder whose queries and lists come first.
    pub(super) inherits: Option<String>,
    pub(super) extensions: Vec<String>,
    pub(super) filenames: Vec<String>,
    /// Interpreter names in a `#!` line.
    pub(super) shebangs: Vec<String>,
    /// Node kinds of comments.
    pub(super) comment_kinds: Vec<String>,
    /// Node kinds before a definition that belong to it (attributes).
    pub(super) attached_kinds: Vec<String>,
    /// Node kinds that belong whole to the definition inside (template heads, `friend`).
    pub(super) wrapper_kinds: Vec<String>,
    pub(super) docstring: DocPlace,
    pub(super) exported: ExportRule,
    /// `@visibility` texts that mean exported.
    pub(super) public_words: Vec<String>,
    /// `@visibility` texts that mean not exported.
    pub(super) private_words: Vec<String>,
    /// Words before a name that mean not exported, outside of types (`static`).
    pub(super) internal_words: Vec<String>,
    /// Words before the name of a variable that make it a constant.
    pub(super) constant_words: Vec<String>,
    /// Prefixes of the names of test functions.
    pub(super) test_prefixes: Vec<String>,
    /// Words in an attribute, decorator or annotation before a test.
    pub(super) test_attributes: Vec<String>,
    /// Language of an injected script that names none; its `[graph]` is that of the page.
    pub(super) embedded: Option<String>,
    /// Joins the parts of a module path that one import pattern captured in several nodes.
    pub(super) module_separator: String,
    /// Node kinds left out of the index (inline data).
    pub(super) skip_kinds: Vec<String>,
    /// What an initial value says of a variable.
    pub(super) values: Values,
    /// Macros stand where the grammar wants a specifier: they are parsed as white space.
    pub(super) macro_words: bool,
    /// Words after a `#` at the start of a line; such lines are parsed as white space.
    pub(super) directives: Vec<String>,
    /// What the call graph must know.
    pub(super) graph: Dialect,
    /// Files of other languages' extensions that are this one's.
    pub(super) claims: Claims,
}

/// A file with one of `extensions` is of this language when a line of its head starts with one of `line_starts`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claims {
    pub(super) extensions: Vec<String>,
    pub(super) line_starts: Vec<String>,
}

type GrammarRow = (&'static str, fn() -> Language);

/// One row a grammar: key in `language.toml` and its parser.
const GRAMMARS: &[GrammarRow] = &[
    ("bash", || tree_sitter_bash::LANGUAGE.into()),
    ("c", || tree_sitter_c::LANGUAGE.into()),
    ("c-sharp", || tree_sitter_c_sharp::LANGUAGE.into()),
    ("cpp", || tree_sitter_cpp::LANGUAGE.into()),
    ("css", || tree_sitter_css::LANGUAGE.into()),
    ("go", || tree_sitter_go::LANGUAGE.into()),
    ("html", || tree_sitter_html::LANGUAGE.into()),
    ("java", || tree_sitter_java::LANGUAGE.into()),
    ("javascript", || tree_sitter_javascript::LANGUAGE.into()),
    ("kotlin", || tree_sitter_kotlin_sg::LANGUAGE.into()),
    ("lua", || tree_sitter_lua::LANGUAGE.into()),
    ("php", || tree_sitter_php::LANGUAGE_PHP.into()),
    ("python", || tree_sitter_python::LANGUAGE.into()),
    ("ruby", || tree_sitter_ruby::LANGUAGE.into()),
    ("rust", || tree_sitter_rust::LANGUAGE.into()),
    ("scala", || tree_sitter_scala::LANGUAGE.into()),
    ("swift", || tree_sitter_swift::LANGUAGE.into()),
    ("toml", || tree_sitter_toml_ng::LANGUAGE.into()),
    ("typescript", || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
    ("tsx", || tree_sitter_typescript::LANGUAGE_TSX.into()),
    ("vue", || tree_sitter_vue_next::LANGUAGE.into()),
    ("zig", || tree_sitter_zig::LANGUAGE.into()),
];

/// Parser of that key.
pub(super) fn grammar_language(key: &str) -> Option<Language> {
    GRAMMARS.iter().find(|(name, _)| *name == key).map(|(_, language)| language())
}

/// A folder under `grammars/` with its configuration, its base merged in.
pub(super) struct LanguageEntry {
    pub(super) lang: Lang,
    pub(super) config: LanguageConfig,
    /// This folder's files after those of the base.
    pub(super) files: Vec<&'static GrammarFiles>,
    compiled: OnceLock<Result<Grammar, String>>,
}

impl LanguageEntry {
    /// The compiled queries; compiled at the first use of the language in this process.
    pub(super) fn grammar(&self) -> Result<&Grammar, &str> {
        self.compiled.get_or_init(|| Grammar::compile(self)).as_ref().map_err(String::as_str)
    }
}

/// All languages with a grammar, by folder name.
pub(super) struct Registry {
    pub(super) languages: Vec<LanguageEntry>,
    by_name: FxHashMap<&'static str, usize>,
}

impl Registry {
    pub(super) fn get() -> &'static Self {
        static REGISTRY: OnceLock<Registry> = OnceLock::new();
        REGISTRY.get_or_init(Self::load)
    }

    /// The language of that folder name; `None` for one without a grammar.
    pub(super) fn find(&self, name: &str) -> Option<&LanguageEntry> {
        self.by_name.get(name).and_then(|&at| self.languages.get(at))
    }

    fn load() -> Self {
        let languages: Vec<LanguageEntry> =
            FILES.iter().map(load_entry).filter(|entry| entry.config.grammar.is_some()).collect();
        let by_name = languages.iter().enumerate().map(|(at, entry)| (entry.lang.0, at)).collect();
        Self { languages, by_name }
    }
}

fn load_entry(files: &'static GrammarFiles) -> LanguageEntry {
    let mut config = read_config(files);
    let mut chain = vec![files];
    let mut base = config.inherits.clone();
    while let Some(parent) = base.as_deref().and_then(|name| FILES.iter().find(|f| f.name == name)) {
        let parent_config = read_config(parent);
        base.clone_from(&parent_config.inherits);
        inherit(&mut config, parent_config);
        chain.insert(0, parent);
    }
    // The scripts of a page are what calls.
    let script = config.embedded.as_deref().and_then(|name| FILES.iter().find(|f| f.name == name));
    if let Some(script) = script.filter(|_| config.graph == Dialect::default()) {
        config.graph = load_entry(script).config.graph;
    }
    LanguageEntry { lang: Lang(files.name), config, files: chain, compiled: OnceLock::new() }
}

/// Lists of the base come first; single values of the base count where the language has the default.
fn inherit(config: &mut LanguageConfig, base: LanguageConfig) {
    let lists = [
        (&mut config.comment_kinds, base.comment_kinds),
        (&mut config.attached_kinds, base.attached_kinds),
        (&mut config.wrapper_kinds, base.wrapper_kinds),
        (&mut config.public_words, base.public_words),
        (&mut config.private_words, base.private_words),
        (&mut config.internal_words, base.internal_words),
        (&mut config.constant_words, base.constant_words),
        (&mut config.test_prefixes, base.test_prefixes),
        (&mut config.test_attributes, base.test_attributes),
        (&mut config.skip_kinds, base.skip_kinds),
    ];
    for (own, inherited) in lists {
        let rest: Vec<String> = inherited.into_iter().filter(|entry| !own.contains(entry)).collect();
        own.splice(0..0, rest);
    }
    if config.module_separator.is_empty() {
        config.module_separator = base.module_separator;
    }
    if config.graph == Dialect::default() {
        config.graph = base.graph;
    }
    if config.values == Values::default() {
        config.values = base.values;
    }
    if config.docstring == DocPlace::default() {
        config.docstring = base.docstring;
    }
    if config.exported == ExportRule::default() {
        config.exported = base.exported;
    }
}

/// Embedded text: a fault here is one of the build, shown by the first test that parses.
fn read_config(files: &GrammarFiles) -> LanguageConfig {
    toml::from_str(files.toml).unwrap_or_else(|error| panic!("grammars/{}/language.toml: {error}", files.name))
}
