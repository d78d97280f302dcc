//! Query matches -> raw facts of one file: definitions, references, imports, bindings, scopes, comments. Byte offsets only;
//! what belongs to what is worked out in `symbols`. Read [`Extraction`] first.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use tree_sitter::{Parser, Point, Range, Tree};

use super::captured::{Captured, node_text};
use super::directives;
use super::hazard;
use super::language::{LanguageConfig, LanguageEntry, Registry};
use super::macros;
use super::matcher::for_each_match;
use super::query::Grammar;
use super::tree::{Node, SyntaxTree};
use crate::model::{Binding, Import, Inheritance, Reference, Scope, Span, SymbolKind};

/// Scripts inside scripts inside templates: nothing real goes deeper.
const MAX_INJECTION_DEPTH: usize = 3;

/// A definition as one or more patterns matched it.
#[derive(Debug, Clone)]
pub(super) struct RawDefinition {
    pub(super) kind: SymbolKind,
    pub(super) span: Span,
    pub(super) name: String,
    pub(super) name_at: u32,
    /// Explicit owner (impl type, receiver, qualified declarator).
    pub(super) owner: Option<String>,
    pub(super) body: Option<Span>,
    /// Declared only, by a declarator.
    pub(super) prototype: bool,
    pub(super) returns: Option<String>,
    /// With their offsets.
    pub(super) bases: Vec<(u32, String)>,
    pub(super) docs: Vec<Span>,
    pub(super) decorators: Vec<Span>,
    pub(super) marked_export: bool,
    /// With its offset.
    pub(super) visibility: Option<(u32, String)>,
}

/// Everything the queries found in a file, embedded languages included.
#[derive(Debug, Default)]
pub(super) struct Extraction {
    pub(super) package: String,
    pub(super) definitions: Vec<RawDefinition>,
    pub(super) refs: Vec<Reference>,
    pub(super) imports: Vec<Import>,
    pub(super) import_spans: Vec<Span>,
    pub(super) binds: Vec<Binding>,
    pub(super) inherits: Vec<Inheritance>,
    pub(super) scopes: Vec<Scope>,
    pub(super) comments: Vec<Span>,
    pub(super) attached: Vec<Span>,
    pub(super) wrappers: Vec<Span>,
    /// Visibility words that stand for themselves (`public:`) and count for what follows in the same type, with their offsets.
    pub(super) marks: Vec<(u32, String)>,
    pub(super) skipped: Vec<Span>,
    /// Names given to `export default`.
    pub(super) default_exports: Vec<String>,
    pub(super) errors: u32,
    by_name: FxHashMap<u32, usize>,
}

/// Whether a file has had its share of time.
pub(super) type Enough<'a> = &'a dyn Fn() -> bool;

/// Why a file could not be taken apart by its grammar.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GaveUp {
    /// The queries of the language do not compile.
    Query(String),
    /// Parsing took more steps than its size allows.
    Effort,
}

struct Injection {
    /// `None` when it names a language that has no grammar.
    language: Option<&'static LanguageEntry>,
    /// The text itself says which language it is.
    named: bool,
    range: Range,
}

/// Parses `text` as `entry`'s language and everything embedded in it.
pub(super) fn extract(entry: &'static LanguageEntry, text: &str, enough: Enough<'_>) -> Result<Extraction, GaveUp> {
    let mut found = Extraction::default();
    let injections = extract_range((entry, None), text, enough, &mut found)?;
    let mut pending: Vec<(Injection, usize)> = injections.into_iter().map(|i| (i, 1)).collect();
    while let Some((injection, depth)) = pending.pop() {
        // A script that cannot be parsed leaves its host indexed.
        let Some(language) = injection.language else { continue };
        let Ok(inner) = extract_range((language, Some(injection.range)), text, enough, &mut found) else { continue };
        if depth < MAX_INJECTION_DEPTH {
            pending.extend(inner.into_iter().map(|i| (i, depth + 1)));
        }
    }
    Ok(found)
}

/// The syntax tree, or `None` when the parser needed more steps than a text of that length may.
pub(super) fn parse_tree(grammar: &Grammar, text: &str, range: Option<Range>, enough: Enough<'_>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&grammar.language).ok()?;
    if let Some(range) = range {
        parser.set_included_ranges(&[range]).ok()?;
    }
    // The callback runs every hundred parser operations. Real source needs about one call per 400 bytes; what needs ten times as many
    // is lost in error recovery, whose steps are slow.
    let mut left = if hazard::is_one_stretch(text) { 100 + text.len() / 100 } else { 1_000 + text.len() / 40 };
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 || enough() { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    };
    let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}

fn extract_range(
    (entry, range): (&'static LanguageEntry, Option<Range>),
    text: &str,
    enough: Enough<'_>,
    found: &mut Extraction,
) -> Result<Vec<Injection>, GaveUp> {
    let grammar = entry.grammar().map_err(|error| GaveUp::Query(error.to_owned()))?;
    if hazard::is_fatal(entry.config.grammar.as_deref(), text) {
        return Err(GaveUp::Effort);
    }
    let readable = readable(&entry.config, text);
    let tree = SyntaxTree::new(&parse_tree(grammar, &readable, range, enough).ok_or(GaveUp::Effort)?);
    found.errors += tree.errors;
    let mut injections = Vec::new();
    // Offsets of names are unique within a file, so patterns of two languages never meet.
    for_each_match(grammar, &tree, text, |pattern, captures| {
        let mut captured = Captured::of(captures, &grammar.roles);
        captured.given_name =
            pattern.settings.iter().find(|(key, _)| key == "bind.name").map(|(_, name)| name.as_str());
        match captured.injection_content {
            Some(content) => injections.push(injection(entry, &pattern.settings, &captured, content, text)),
            None => captured.record(&entry.config, text, found),
        }
    });
    // A script that names its language matches the pattern of those that do not as well.
    injections.sort_by_key(|injection| (injection.range.start_byte, !injection.named));
    injections.dedup_by_key(|injection| injection.range.start_byte);
    Ok(injections)
}

/// `text` as the grammar can read it, byte for byte at the same places.
fn readable<'t>(config: &LanguageConfig, text: &'t str) -> Cow<'t, str> {
    if config.macro_words {
        macros::blanked(text)
    } else if config.directives.is_empty() {
        Cow::Borrowed(text)
    } else {
        directives::blanked(text, &config.directives)
    }
}

fn injection(
    entry: &LanguageEntry,
    settings: &[(String, String)],
    captured: &Captured<'_>,
    content: Node<'_>,
    text: &str,
) -> Injection {
    let set = settings.iter().find(|(key, _)| key == "injection.language");
    let named = captured.injection_language.map(|node| node_text(node, text).trim_matches(['"', '\'']).to_lowercase());
    let written = named.is_some();
    let name = named.or_else(|| set.map(|(_, language)| language.clone())).or_else(|| entry.config.embedded.clone());
    let language =
        name.and_then(|name| super::detect::embedded(&name)).and_then(|language| Registry::get().find(language.0));
    Injection { language, named: written, range: range_of(content, text) }
}

fn range_of(node: Node<'_>, text: &str) -> Range {
    let bytes = node.byte_range();
    let inside = text.get(bytes.clone()).unwrap_or_default();
    let column = |at: usize| text.get(..at).map_or(0, |before| at - before.rfind('\n').map_or(0, |line| line + 1));
    Range {
        start_byte: bytes.start,
        end_byte: bytes.end,
        start_point: Point { row: node.row(), column: column(bytes.start) },
        end_point: Point { row: node.row() + inside.matches('\n').count(), column: column(bytes.end) },
    }
}

impl Extraction {
    /// Two patterns may match one definition (once bare, once with its export or decorators): the larger node and the more telling kind count.
    /// Parts of a package that is declared in several steps are joined.
    pub(super) fn add_package(&mut self, part: &str) {
        if !self.package.is_empty() {
            self.package.push('.');
        }
        self.package.push_str(part);
    }

    pub(super) fn define(&mut self, new: RawDefinition) {
        if new.name.is_empty() {
            return;
        }
        let Some(&at) = self.by_name.get(&new.name_at) else {
            self.by_name.insert(new.name_at, self.definitions.len());
            self.definitions.push(new);
            return;
        };
        if let Some(old) = self.definitions.get_mut(at) {
            merge(old, new);
        }
    }
}

fn merge(old: &mut RawDefinition, new: RawDefinition) {
    if telling(new.kind) > telling(old.kind) {
        old.kind = new.kind;
    }
    old.span = Span { start: old.span.start.min(new.span.start), end: old.span.end.max(new.span.end) };
    old.owner = old.owner.take().or(new.owner);
    old.body = old.body.or(new.body);
    old.prototype &= new.prototype;
    old.returns = old.returns.take().or(new.returns);
    // Of several marks the one nearest to the name counts.
    old.visibility = old.visibility.take().max(new.visibility);
    old.marked_export |= new.marked_export;
    for (into, from) in [(&mut old.docs, new.docs), (&mut old.decorators, new.decorators)] {
        into.extend(from);
        into.sort_unstable();
        into.dedup();
    }
    for base in new.bases {
        if !old.bases.contains(&base) {
            old.bases.push(base);
        }
    }
}

/// Order in which kinds win where patterns disagree.
fn telling(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Method => 6,
        SymbolKind::Function | SymbolKind::Macro => 5,
        SymbolKind::Interface | SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Trait | SymbolKind::Module => 4,
        SymbolKind::Class => 3,
        SymbolKind::Type | SymbolKind::Section => 2,
        SymbolKind::Constant => 1,
        SymbolKind::Variable => 0,
    }
}
