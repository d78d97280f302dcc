//! Which language a file is written in, by name, extension and first line. Content is never guessed at further than `#!` and the
//! line starts by which a language claims an extension that it shares (`.h`).

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::language::Registry;
use super::plain;
use crate::model::{Dialect, Lang, ModuleStyle, RelPath};

/// Extensions that a project adds: extension without dot -> language.
pub type Extensions = FxHashMap<String, Lang>;

/// The language of a file, `None` when neither a grammar nor a plain form is known. `head` is the start of its content.
#[must_use]
pub fn detect(path: &RelPath, head: &[u8], extra: &Extensions) -> Option<Lang> {
    let Some(lang) = by_path(path, extra) else { return by_shebang(head) };
    let extension =
        path.file_name().rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default();
    if extra.contains_key(&extension) { Some(lang) } else { claimant(&extension, head).or(Some(lang)) }
}

/// The same by path alone.
#[must_use]
pub fn by_path(path: &RelPath, extra: &Extensions) -> Option<Lang> {
    let table = table();
    let name = path.file_name();
    if let Some(lang) = table.filenames.get(name) {
        return Some(*lang);
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase())?;
    extra.get(&extension).or_else(|| table.extensions.get(extension.as_str())).copied()
}

/// Language of that name, grammar or plain.
#[must_use]
pub fn named(name: &str) -> Option<Lang> {
    Registry::get()
        .find(name)
        .map(|entry| entry.lang)
        .or_else(|| plain::FORMS.iter().find(|f| f.lang.0 == name).map(|f| f.lang))
}

/// A programming language, with a grammar or without (and so indexed whatever its size).
#[must_use]
pub fn is_source(lang: Lang) -> bool {
    Registry::get().find(lang.0).is_some() || plain::has_definitions(lang)
}

/// Names of files that make their folder a package, even when nothing is in them (`__init__.py`).
#[must_use]
pub fn package_files() -> Vec<String> {
    let named = Registry::get().languages.iter().map(|entry| &entry.config.graph);
    let dotted = named.filter(|dialect| dialect.modules == ModuleStyle::Dotted);
    let names = dotted.flat_map(|dialect| {
        let files = |index: &String| {
            dialect.module_extensions.iter().map(|extension| format!("{index}.{extension}")).collect::<Vec<_>>()
        };
        dialect.module_index.iter().flat_map(files)
    });
    names.collect()
}

/// What the call graph must know of a language; the default for one without a grammar.
#[must_use]
pub fn dialect(name: &str) -> &'static Dialect {
    static NONE: OnceLock<Dialect> = OnceLock::new();
    Registry::get().find(name).map_or_else(|| NONE.get_or_init(Dialect::default), |entry| &entry.config.graph)
}

/// Names of all languages with a grammar, sorted.
#[must_use]
pub fn languages() -> Vec<Lang> {
    Registry::get().languages.iter().map(|entry| entry.lang).collect()
}

/// Language of an embedded script by its tag's `lang` word or a language name.
pub(super) fn embedded(name: &str) -> Option<Lang> {
    let name = name.rsplit('/').next().unwrap_or(name);
    Registry::get().find(name).map(|entry| entry.lang).or_else(|| table().extensions.get(name).copied())
}

struct Table {
    extensions: FxHashMap<&'static str, Lang>,
    filenames: FxHashMap<&'static str, Lang>,
    shebangs: FxHashMap<&'static str, Lang>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table =
            Table { extensions: FxHashMap::default(), filenames: FxHashMap::default(), shebangs: FxHashMap::default() };
        for form in plain::FORMS {
            table.extensions.extend(form.extensions.iter().map(|e| (*e, form.lang)));
            table.filenames.extend(form.filenames.iter().map(|n| (*n, form.lang)));
        }
        for entry in &Registry::get().languages {
            table.extensions.extend(entry.config.extensions.iter().map(|e| (e.as_str(), entry.lang)));
            table.filenames.extend(entry.config.filenames.iter().map(|n| (n.as_str(), entry.lang)));
            table.shebangs.extend(entry.config.shebangs.iter().map(|s| (s.as_str(), entry.lang)));
        }
        table
    })
}

/// The language that claims files of that extension for what their lines start with.
fn claimant(extension: &str, head: &[u8]) -> Option<Lang> {
    let mut sharing =
        Registry::get().languages.iter().filter(|entry| entry.config.claims.extensions.iter().any(|e| e == extension));
    let claims = |starts: &[String]| {
        head.split(|byte| *byte == b'\n').any(|line| starts.iter().any(|start| line.starts_with(start.as_bytes())))
    };
    sharing.find(|entry| claims(&entry.config.claims.line_starts)).map(|entry| entry.lang)
}

fn by_shebang(head: &[u8]) -> Option<Lang> {
    let line = head.split(|b| *b == b'\n').next()?.strip_prefix(b"#!")?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let first = words.next()?;
    let program =
        if first == "env" { words.find(|word| !word.starts_with('-') && !word.contains('='))? } else { first };
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let shebangs = &table().shebangs;
    shebangs.get(program).or_else(|| shebangs.get(bare)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lang(path: &str, head: &str, extra: &Extensions) -> Option<&'static str> {
        detect(&RelPath::new(path), head.as_bytes(), extra).map(|lang| lang.0)
    }

    #[test]
    fn a_header_is_read_as_cpp_when_a_line_starts_like_cpp() {
        let none = Extensions::default();
        assert_eq!(lang("a.h", "struct a { int class; };\n", &none), Some("c"));
        assert_eq!(lang("a.h", "#pragma once\nnamespace a {\n}\n", &none), Some("cpp"));
        assert_eq!(lang("a.c", "namespace a {\n", &none), Some("c"));
    }

    #[test]
    fn the_projects_own_extensions_are_not_claimed() {
        let extra: Extensions = [("h".to_owned(), Lang("c"))].into_iter().collect();
        assert_eq!(lang("a.h", "class A;\n", &extra), Some("c"));
    }
}
