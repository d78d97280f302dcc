//! All queries of a language joined into one, so that a file is walked once. A pattern is anonymous to the rest of the room:
//! what a match means is said by its capture names alone. Read [`Role`] first.

use tree_sitter::Language;

use super::language::{LanguageEntry, grammar_language};
use super::pattern::{Pattern, Patterns, Test};
use crate::model::{BindingKind, ReferenceKind, SymbolKind};

/// Meaning of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Definition(SymbolKind),
    Name,
    Owner,
    Params,
    Return,
    Base,
    Body,
    Doc,
    Decorator,
    Export,
    Visibility,
    Call(ReferenceKind),
    Callee,
    Receiver,
    Args,
    Import,
    Reexport,
    ImportModule,
    ImportName,
    ImportAlias,
    ImportDefault,
    ImportNamespace,
    ImportWildcard,
    ExportDefault,
    Bind(BindingKind),
    /// The name stands somewhere inside.
    Declarator,
    BindName,
    BindType,
    BindCtor,
    BindValue,
    BindElement,
    BindGiven,
    Package,
    Local,
    Scope,
    ScopeClass,
    InjectionContent,
    InjectionLanguage,
    /// A comment node (from `comment_kinds`).
    Comment,
    /// An attribute before a definition (from `attached_kinds`).
    Attached,
    /// A node that belongs whole to the definition inside (from `wrapper_kinds`).
    Wrapper,
    /// A node that is left out (from `skip_kinds`).
    Skipped,
    /// `@_…`: used by predicates only.
    Private,
}

/// A compiled language.
pub(super) struct Grammar {
    pub(super) language: Language,
    /// Meaning of each capture index.
    pub(super) roles: Vec<Role>,
    patterns: Vec<Pattern>,
    /// Patterns by the kind of their root; the last row is of error nodes.
    by_kind: Vec<Vec<u16>>,
}

impl Grammar {
    /// Joins and compiles the queries; the error names the language and the place.
    pub(super) fn compile(entry: &LanguageEntry) -> Result<Self, String> {
        let key = entry.config.grammar.as_deref().unwrap_or_default();
        let language = grammar_language(key).ok_or_else(|| format!("no grammar is called {key:?}"))?;
        let source = join(entry);
        Self::read(language, &source).map_err(|(line, error)| place(entry, &source, line, &error))
    }

    /// Compiles query text; the error comes with its line.
    pub(super) fn read(language: Language, source: &str) -> Result<Self, (usize, String)> {
        let Patterns { patterns, captures } = Patterns::read(&language, source)?;
        let mut by_kind: Vec<Vec<u16>> = vec![Vec::new(); language.node_kind_count() + 1];
        for (at, pattern) in patterns.iter().enumerate() {
            for kind in root_kinds(pattern) {
                let row = usize::from(kind).min(by_kind.len() - 1);
                if let Some(row) = by_kind.get_mut(row) {
                    row.extend(u16::try_from(at));
                }
            }
        }
        let roles = captures.iter().map(|name| role(name)).collect();
        Ok(Self { language, roles, patterns, by_kind })
    }

    /// Patterns that may start at a node of that kind.
    pub(super) fn rooted_at(&self, kind: u16) -> impl Iterator<Item = &Pattern> {
        let row = usize::from(kind).min(self.by_kind.len() - 1);
        self.by_kind.get(row).into_iter().flatten().filter_map(|at| self.patterns.get(usize::from(*at)))
    }
}

fn root_kinds(pattern: &Pattern) -> Vec<u16> {
    let of = |test: &Test| match test {
        Test::Kinds(kinds) => kinds.clone(),
        Test::Any | Test::Named | Test::Choice(_) => Vec::new(),
    };
    let mut kinds = match &pattern.root.test {
        Test::Choice(choices) => choices.iter().flat_map(|choice| of(&choice.test)).collect(),
        single @ (Test::Any | Test::Named | Test::Kinds(_)) => of(single),
    };
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

fn join(entry: &LanguageEntry) -> String {
    let mut source = String::new();
    for files in &entry.files {
        for part in [files.definitions, files.calls, files.imports, files.types, files.scopes, files.injections] {
            source.push_str(part);
            source.push('\n');
        }
    }
    let generated = [
        (&entry.config.comment_kinds, "_comment"),
        (&entry.config.attached_kinds, "_attached"),
        (&entry.config.wrapper_kinds, "_wrapper"),
        (&entry.config.skip_kinds, "_skipped"),
    ];
    for (kinds, capture) in generated {
        for kind in kinds {
            source.extend(["(", kind.as_str(), ") @", capture, "\n"]);
        }
    }
    source
}

fn place(entry: &LanguageEntry, source: &str, line: usize, error: &str) -> String {
    let text = source.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    format!("queries of {}: {error} in `{text}`", entry.lang)
}

fn role(capture: &str) -> Role {
    if let Some(kind) = capture.strip_prefix("definition.").and_then(SymbolKind::parse) {
        return Role::Definition(kind);
    }
    match capture {
        "name" => Role::Name,
        "owner" => Role::Owner,
        "params" => Role::Params,
        "return" => Role::Return,
        "base" => Role::Base,
        "body" => Role::Body,
        "doc" => Role::Doc,
        "decorator" => Role::Decorator,
        "export" => Role::Export,
        "visibility" => Role::Visibility,
        "call" => Role::Call(ReferenceKind::Call),
        "call.new" => Role::Call(ReferenceKind::New),
        "call.macro" => Role::Call(ReferenceKind::Macro),
        "call.decorator" => Role::Call(ReferenceKind::Decorator),
        "call.callback" => Role::Call(ReferenceKind::Callback),
        "callee" => Role::Callee,
        "receiver" => Role::Receiver,
        "args" => Role::Args,
        "import" => Role::Import,
        "reexport" => Role::Reexport,
        "import.module" => Role::ImportModule,
        "import.name" => Role::ImportName,
        "import.alias" => Role::ImportAlias,
        "import.default" => Role::ImportDefault,
        "import.namespace" => Role::ImportNamespace,
        "import.wildcard" => Role::ImportWildcard,
        "export.default" => Role::ExportDefault,
        "bind.param" => Role::Bind(BindingKind::Param),
        "bind.local" => Role::Bind(BindingKind::Local),
        "bind.return" => Role::Bind(BindingKind::Return),
        "bind.field" => Role::Bind(BindingKind::Field),
        "declarator" => Role::Declarator,
        "var" | "field" => Role::BindName,
        "type" => Role::BindType,
        "ctor" => Role::BindCtor,
        "value" => Role::BindValue,
        "element" => Role::BindElement,
        "given" => Role::BindGiven,
        "package" => Role::Package,
        "local" => Role::Local,
        "scope" => Role::Scope,
        "scope.class" => Role::ScopeClass,
        "injection.content" => Role::InjectionContent,
        "injection.language" => Role::InjectionLanguage,
        "_comment" => Role::Comment,
        "_attached" => Role::Attached,
        "_wrapper" => Role::Wrapper,
        "_skipped" => Role::Skipped,
        _ => Role::Private,
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::Registry;
    use super::*;

    #[test]
    fn queries_of_all_languages_compile_here_and_are_possible_by_tree_sitters_own_compiler() {
        let mut faults = Vec::new();
        for entry in &Registry::get().languages {
            let own = entry.grammar().map_err(str::to_owned);
            let possible =
                |grammar: &Grammar| tree_sitter::Query::new(&grammar.language, &join(entry)).map_err(|e| e.to_string());
            faults.extend(
                own.and_then(|grammar| possible(grammar).map(drop))
                    .err()
                    .map(|fault| format!("{}: {fault}", entry.lang)),
            );
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }
}
