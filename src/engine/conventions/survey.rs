//! What the files of one language are counted for. One file at a time goes in; shares come out when all have. Read [`Survey`] first.

use std::collections::BTreeSet;

use super::modules::OwnModules;
use super::naming::{Case, Named, naming};
use super::paths;
use super::tally::{Counts, lengths};
use super::testing::TestSurvey;
use super::words::{Sign, Words};
use super::{Documented, ErrorType, Habit, LanguageConventions, errors, modules};
use crate::model::{Dialect, Import, Span, Symbol, SymbolKind};
use crate::store::code::{FileRow, Outline};

/// A file of source, read whole.
pub(super) struct SourceText<'f> {
    pub row: &'f FileRow,
    pub outline: &'f Outline,
    pub text: &'f str,
}

/// Sums over the files of a language.
pub(super) struct Survey {
    language: String,
    words: &'static Words,
    dialect: &'static Dialect,
    names: Counts<(Named, Case)>,
    functions: Documentation,
    types: Documentation,
    doc_forms: Counts<&'static str>,
    doc_tags: Counts<&'static str>,
    /// Definitions of functions and types in source files.
    definitions: u64,
    function_lines: Vec<u32>,
    file_lines: Vec<u32>,
    habits: Counts<&'static str>,
    raised: Counts<String>,
    /// Errors that functions say they return.
    returned: Counts<String>,
    error_types: Vec<ErrorType>,
    modules: Counts<String>,
    pub tests: TestSurvey,
}

#[derive(Default)]
struct Documentation {
    public: u64,
    documented: u64,
}

/// Definitions that a language needs to be told of.
const LEAST_DEFINITIONS: u64 = 10;
/// Public definitions, functions or files that a statement about them needs.
const LEAST_VALUES: usize = 5;
/// Lines or functions that make a habit.
const LEAST_HABIT: u64 = 3;
/// Documented functions that say what documentation holds, and the share of them that must hold it, in percent.
const LEAST_DOCS: u64 = 10;
const LEAST_TAG_SHARE: u64 = 10;
/// Rows of a list.
const MOST_NAMED: usize = 5;
const MOST_MODULES: usize = 8;

/// How documentation begins, longer ones first.
const DOC_FORMS: [&str; 12] = ["\"\"\"", "'''", "\"", "'", "///", "//!", "/**", "/*", "//", "#", "---", "--"];
/// What the documentation of functions holds, and what it is called.
const DOC_TAGS: [(&str, &str); 12] = [
    ("@param", "@param"),
    ("@return", "@return"),
    ("@throws", "@throws"),
    (":param", ":param:"),
    (":return", ":return:"),
    ("Args:", "Args:"),
    ("Parameters\n", "Parameters with an underline"),
    ("Returns:", "Returns:"),
    ("<summary>", "<summary>"),
    ("# Errors", "# Errors"),
    ("# Examples", "# Examples"),
    ("- Parameter", "- Parameters:"),
];

/// A definition of something that only a function sees.
pub(super) fn is_inside_function(symbols: &[Symbol], symbol: &Symbol) -> bool {
    let mut parent = symbol.parent;
    while let Some(outer) = parent.and_then(|at| symbols.get(at as usize)) {
        if outer.kind.is_callable() {
            return true;
        }
        parent = outer.parent;
    }
    false
}

impl Survey {
    pub(super) fn new(language: &str, words: &'static Words, dialect: &'static Dialect) -> Self {
        Self {
            language: language.to_owned(),
            words,
            dialect,
            names: Counts::default(),
            functions: Documentation::default(),
            types: Documentation::default(),
            doc_forms: Counts::default(),
            doc_tags: Counts::default(),
            definitions: 0,
            function_lines: Vec::new(),
            file_lines: Vec::new(),
            habits: Counts::default(),
            raised: Counts::default(),
            returned: Counts::default(),
            error_types: Vec::new(),
            modules: Counts::default(),
            tests: TestSurvey::default(),
        }
    }

    /// Counts a file that is neither a test nor stands aside.
    pub(super) fn add(&mut self, file: &SourceText<'_>) {
        self.file_lines.push(file.row.lines);
        self.name(paths::stem(file.row.path.as_str()), Named::Files);
        let symbols = &file.outline.symbols;
        self.tests.inline += u64::from(symbols.iter().any(|symbol| symbol.test));
        for symbol in symbols.iter().filter(|symbol| !symbol.test) {
            self.add_name(symbol);
            self.add_length(symbol);
            self.add_signs(symbol);
            if symbol.exported && !is_inside_function(symbols, symbol) {
                self.add_documentation(symbol, file.text);
            }
            if is_type(symbol) && is_error(symbol) {
                let (path, line) = (file.row.path.clone(), symbol.name_line);
                self.error_types.push(ErrorType { name: symbol.name.to_string(), path, line });
            }
        }
        let (habits, raises) = (&mut self.habits, &mut self.raised);
        errors::scan(file.text, &left_out(file.outline), self.words, |what, name| {
            habits.add(what);
            if let Some(name) = name {
                raises.add(name.to_owned());
            }
        });
    }

    /// Counts the modules from outside the project; each once a file.
    pub(super) fn add_imports(&mut self, outside: &[Import], own: &OwnModules) {
        let modules: BTreeSet<String> = outside
            .iter()
            .filter_map(|import| modules::outside(import, self.dialect.modules, own))
            .filter(|module| !self.words.quiet_modules.contains(&module.as_str()))
            .collect();
        self.modules.extend(modules);
    }

    /// Definitions in source files.
    pub(super) const fn definitions(&self) -> u64 {
        self.definitions
    }

    /// What was counted; `None` with too few definitions. Calls are added by who knows all files.
    pub(super) fn finish(mut self) -> Option<LanguageConventions> {
        if self.definitions < LEAST_DEFINITIONS {
            return None;
        }
        let files = self.file_lines.len() as u64;
        let habits = self.habits();
        let error_types = self.error_types();
        let documentation = [(Named::Functions, &self.functions), (Named::Types, &self.types)];
        let documentation = documentation.into_iter().filter(|(_, docs)| docs.public >= LEAST_VALUES as u64);
        let documented = self.functions.documented + self.types.documented;
        let tags = self.doc_tags.top(3, LEAST_HABIT.max(self.functions.documented * LEAST_TAG_SHARE / 100));
        Some(LanguageConventions {
            files,
            definitions: self.definitions,
            naming: Named::ALL.into_iter().filter_map(|named| naming(named, &self.names)).collect(),
            constants_are: self.words.constants.to_owned(),
            documentation: documentation
                .map(|(of, docs)| Documented { of, public: docs.public, documented: docs.documented })
                .collect(),
            documented,
            doc_forms: if documented >= LEAST_VALUES as u64 { self.doc_forms.top(2, 1) } else { Vec::new() },
            doc_tags: if self.functions.documented >= LEAST_DOCS { tags } else { Vec::new() },
            function_lines: lengths(std::mem::take(&mut self.function_lines), LEAST_VALUES),
            file_lines: lengths(std::mem::take(&mut self.file_lines), LEAST_VALUES),
            tests: self.tests.finish(files, self.words),
            errors: habits,
            raised: self.raised.top(MOST_NAMED, LEAST_HABIT),
            error_types,
            modules: self.modules.top(MOST_MODULES, 2),
            calls: Vec::new(),
            language: self.language,
        })
    }

    fn name(&mut self, name: &str, named: Named) {
        let case = Case::of(name, named).map(|case| match case {
            Case::Camel | Case::Pascal if self.words.mixed_caps && named != Named::Files => Case::MixedCaps,
            Case::Camel
            | Case::Pascal
            | Case::Snake
            | Case::Screaming
            | Case::Kebab
            | Case::MixedCaps
            | Case::Other => case,
        });
        if let Some(case) = case {
            self.names.add((named, case));
        }
    }

    fn add_name(&mut self, symbol: &Symbol) {
        let name = &*symbol.name;
        if is_function(symbol.kind) {
            let class = symbol.owner.rsplit('.').next().unwrap_or_default();
            let given = name == class || self.dialect.constructors.iter().any(|constructor| constructor == name);
            let called_by_language = name.starts_with("__") && name.ends_with("__");
            if !given && !called_by_language {
                self.name(name, Named::Functions);
            }
            self.definitions += 1;
        } else if is_type(symbol) {
            self.name(name, Named::Types);
            self.definitions += 1;
        } else if symbol.kind == SymbolKind::Constant {
            self.name(name, Named::Constants);
        }
    }

    fn add_length(&mut self, symbol: &Symbol) {
        if symbol.kind.is_callable() && symbol.body {
            self.function_lines.push(symbol.lines.end.saturating_sub(symbol.name_line) + 1);
        }
    }

    fn add_signs(&mut self, symbol: &Symbol) {
        if !symbol.kind.is_callable() || !symbol.body {
            return;
        }
        let declared = symbol.returns.as_deref().unwrap_or_default();
        let names = declared.split(|c: char| !c.is_alphanumeric() && c != '_');
        self.returned.extend(names.filter(|name| errors::is_error(name)).map(str::to_owned));
        for habit in self.words.habits {
            if let Sign::Signature(any) = habit.sign
                && any.iter().any(|part| {
                    declared.contains(part)
                        || (part.starts_with(' ') || *part == "noexcept") && symbol.signature.contains(part)
                })
            {
                self.habits.add(habit.what);
            }
        }
    }

    fn add_documentation(&mut self, symbol: &Symbol, text: &str) {
        let docs = if is_function(symbol.kind) {
            &mut self.functions
        } else if is_type(symbol) {
            &mut self.types
        } else {
            return;
        };
        docs.public += 1;
        let span = |of: &Span| text.get(of.start as usize..of.end as usize).unwrap_or_default();
        let is_doc =
            |text: &&str| self.words.docs.is_empty() || self.words.docs.iter().any(|mark| bare(text).starts_with(mark));
        let Some(first) = symbol.doc.iter().map(span).find(is_doc) else { return };
        docs.documented += 1;
        if let Some(form) = DOC_FORMS.iter().find(|form| bare(first).starts_with(**form)) {
            self.doc_forms.add(form);
        }
        let written: String = symbol.doc.iter().map(span).collect();
        if symbol.kind.is_callable() {
            for (_, tag) in DOC_TAGS.iter().filter(|(mark, _)| written.contains(mark)) {
                self.doc_tags.add(tag);
            }
        }
    }

    /// In the order of the table, the number of functions beside those that are about functions.
    fn habits(&self) -> Vec<Habit> {
        let functions = self.function_lines.len() as u64;
        let counted = self.words.habits.iter().map(|habit| (habit, self.habits.get(&habit.what)));
        let often = counted.filter(|(_, count)| *count >= LEAST_HABIT);
        let told = often.map(|(habit, count)| Habit {
            what: habit.what.to_owned(),
            count,
            of: matches!(habit.sign, Sign::Signature(_)).then_some(functions),
        });
        told.collect()
    }

    /// Those that are raised or returned most, then by name.
    fn error_types(&mut self) -> Vec<ErrorType> {
        let mut types = std::mem::take(&mut self.error_types);
        types.sort_by(|left, right| {
            let uses = |of: &ErrorType| std::cmp::Reverse(self.raised.get(&of.name) + self.returned.get(&of.name));
            uses(left).cmp(&uses(right)).then_with(|| (&left.name, &left.path).cmp(&(&right.name, &right.path)))
        });
        types.dedup_by(|left, right| left.name == right.name);
        types.truncate(MOST_NAMED);
        types
    }
}

const fn is_function(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Function | SymbolKind::Method)
}

/// A member that names a type (`type Error = …`) is no type of its own.
fn is_type(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Class | SymbolKind::Interface | SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Trait => true,
        SymbolKind::Type => symbol.owner.is_empty(),
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Macro
        | SymbolKind::Module
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Section => false,
    }
}

fn is_error(symbol: &Symbol) -> bool {
    errors::is_error(&symbol.name) || symbol.bases.iter().any(|base| errors::is_error(base))
}

/// Without the letters before a string.
fn bare(text: &str) -> &str {
    text.trim_start_matches(char::is_alphabetic)
}

/// Comments and tests, sorted.
fn left_out(outline: &Outline) -> Vec<Span> {
    let tests = outline.symbols.iter().filter(|symbol| symbol.test).map(|symbol| symbol.span);
    let mut spans: Vec<Span> = outline.docs.iter().copied().chain(tests).collect();
    spans.sort_unstable();
    spans
}
