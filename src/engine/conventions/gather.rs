//! Reads every file of the index once and gives it to the survey of its language; then finds what the calls mean. Read
//! [`conventions`] first.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::modules::OwnModules;
use super::paths::{self, Role};
use super::survey::{SourceText, Survey, is_inside_function};
use super::{Conventions, TopCall, words};
use crate::engine::HIGH_CONFIDENCE;
use crate::model::{Edge, EdgeKind, FileId, Import, Symbol, SymbolKind, Target, symbol_keys};
use crate::parse;
use crate::store::StoreError;
use crate::store::code::{CodeReader, FileRow};

/// Calls that a definition needs to be told.
const LEAST_CALLS: u64 = 3;
const MOST_CALLS: usize = 8;
/// Definitions that several files call, from which on others are not told.
const LEAST_SHARED: usize = 3;
/// Languages with less than this share of all definitions are a by-product, in percent.
const LEAST_SHARE: u64 = 2;

#[derive(Default)]
struct Calls {
    by_target: FxHashMap<Target, Called>,
}

#[derive(Default, Clone, Copy)]
struct Called {
    calls: u64,
    files: u64,
    last: Option<FileId>,
}

struct Gathering<'r> {
    reader: &'r CodeReader,
    surveys: BTreeMap<&'static str, Survey>,
    own: OwnModules,
    /// Imports of each file from outside the project.
    imports: Vec<(&'static str, Vec<Import>)>,
    calls: Calls,
}

/// Counts everything.
pub(super) fn conventions(reader: &CodeReader) -> Result<Conventions, StoreError> {
    let mut files: Vec<(FileRow, &'static str)> = reader.files()?.into_iter().filter_map(written_by_hand).collect();
    files.sort_by(|left, right| left.0.path.cmp(&right.0.path));
    let mut gathering = Gathering {
        reader,
        surveys: BTreeMap::new(),
        own: OwnModules::default(),
        imports: Vec::new(),
        calls: Calls::default(),
    };
    let mut sources = BTreeMap::new();
    for (row, language) in &files {
        match paths::role(row.path.as_str()) {
            Role::Source => {
                gathering.source(row, language)?;
                sources.insert(row.id, (row, *language));
            }
            Role::Test => gathering.test(row, language)?,
            Role::Aside => {}
        }
    }
    gathering.finish(&sources)
}

impl Gathering<'_> {
    fn source(&mut self, row: &FileRow, language: &'static str) -> Result<(), StoreError> {
        let (outline, text) = (self.reader.outline(row.id)?, self.reader.text(row.id)?);
        self.survey(row, language).add(&SourceText { row, outline: &outline, text: &text });
        let mut facts = self.reader.facts(row.id)?;
        self.own.files.insert(row.path.file_name().to_owned());
        self.own.packages.extend((!facts.package.is_empty()).then(|| facts.package.to_string()));
        let modules = outline.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Module);
        self.own.packages.extend(modules.map(Symbol::qualified));
        let outside: Vec<u32> =
            self.reader.import_links(row.id)?.iter().filter(|link| link.to.is_none()).map(|link| link.import).collect();
        let imports = std::mem::take(&mut facts.imports).into_iter().zip(0..);
        let outside = imports.filter(|(_, at)| outside.contains(at)).map(|(import, _)| import).collect();
        self.imports.push((language, outside));
        self.calls.add(row.id, &self.reader.edges(row.id)?, &outline.symbols);
        Ok(())
    }

    fn test(&mut self, row: &FileRow, language: &'static str) -> Result<(), StoreError> {
        let (symbols, facts) = (self.reader.symbols(row.id)?, self.reader.facts(row.id)?);
        self.survey(row, language).tests.add(&row.path, &symbols, &facts, words::of(language));
        Ok(())
    }

    fn survey(&mut self, row: &FileRow, language: &'static str) -> &mut Survey {
        let new = || Survey::new(language, words::of(language), parse::dialect(&row.lang));
        self.surveys.entry(language).or_insert_with(new)
    }

    fn finish(mut self, sources: &BTreeMap<FileId, (&FileRow, &'static str)>) -> Result<Conventions, StoreError> {
        for (language, outside) in &self.imports {
            if let Some(survey) = self.surveys.get_mut(language) {
                survey.add_imports(outside, &self.own);
            }
        }
        let all: u64 = self.surveys.values().map(Survey::definitions).sum();
        let enough = |survey: &Survey| survey.definitions() * 100 >= all * LEAST_SHARE;
        let mut languages = Vec::new();
        for (language, survey) in self.surveys {
            if let Some(mut conventions) = enough(&survey).then(|| survey.finish()).flatten() {
                let is_own = |target: Target| sources.get(&target.file).filter(|of| of.1 == language).map(|of| of.0);
                conventions.calls = self.calls.top(self.reader, is_own)?;
                languages.push(conventions);
            }
        }
        languages.sort_by(|left, right| {
            right.definitions.cmp(&left.definitions).then_with(|| left.language.cmp(&right.language))
        });
        Ok(Conventions { languages })
    }
}

impl Calls {
    fn add(&mut self, file: FileId, edges: &[Edge], symbols: &[Symbol]) {
        for edge in edges.iter().filter(|edge| edge.confidence >= HIGH_CONFIDENCE && is_call(edge.kind)) {
            let from = edge.from.and_then(|at| symbols.get(at as usize));
            if from.is_some_and(|from| from.test) {
                continue;
            }
            if let Some(to) = edge.to {
                let called = self.by_target.entry(to).or_default();
                called.calls += 1;
                called.files += u64::from(called.last != Some(file));
                called.last = Some(file);
            }
        }
    }

    /// Definitions in the files that `row` knows, by the number of files that call them.
    fn top<'f>(
        &self,
        reader: &CodeReader,
        row: impl Fn(Target) -> Option<&'f FileRow>,
    ) -> Result<Vec<TopCall>, StoreError> {
        let often = self.by_target.iter().filter(|(_, called)| called.calls >= LEAST_CALLS);
        let mut often: Vec<(&FileRow, Target, Called)> =
            often.filter_map(|(target, called)| Some((row(*target)?, *target, *called))).collect();
        let rank = |called: &Called| std::cmp::Reverse((called.files, called.calls));
        often.sort_by(|left, right| {
            let by_place = || left.0.path.cmp(&right.0.path).then(left.1.key.cmp(&right.1.key));
            rank(&left.2).cmp(&rank(&right.2)).then_with(by_place)
        });
        let mut top: Vec<TopCall> = Vec::new();
        for (row, target, called) in often {
            if top.len() == MOST_CALLS {
                break;
            }
            let symbols = reader.symbols(row.id)?;
            let at = symbol_keys(&symbols).iter().position(|key| *key == target.key);
            let symbol = at.and_then(|at| symbols.get(at)).filter(|symbol| !symbol.test);
            let Some(symbol) = symbol.filter(|symbol| !is_inside_function(&symbols, symbol)) else { continue };
            let (path, line, name) = (row.path.clone(), symbol.name_line, short_name(symbol));
            // Overloads and the variants of a macro are one thing to whoever calls it.
            if !top.iter().any(|before| before.name == name && before.path == path) {
                top.push(TopCall { name, path, line, calls: called.calls, files: called.files });
            }
        }
        let place = |call: &TopCall| (std::cmp::Reverse((call.files, call.calls)), call.path.clone(), call.line);
        top.sort_by_cached_key(place);
        // What one file calls is of interest where little is called by more.
        if top.iter().filter(|call| call.files > 1).count() >= LEAST_SHARED {
            top.retain(|call| call.files > 1);
        }
        Ok(top)
    }
}

/// The name with what it belongs to, without the namespaces around that: the path tells them.
fn short_name(symbol: &Symbol) -> String {
    match symbol.owner.rsplit('.').next().filter(|owner| !owner.is_empty() && symbol.kind.is_callable()) {
        Some(owner) => format!("{owner}.{}", symbol.name),
        None => symbol.name.to_string(),
    }
}

/// A file with a grammar that no generator wrote, with the language that it counts for.
fn written_by_hand(row: FileRow) -> Option<(FileRow, &'static str)> {
    let lang = parse::named(&row.lang).filter(|lang| parse::is_source(*lang))?;
    let language = words::of(lang.0).langs.first().copied().unwrap_or(lang.0);
    (!row.generated && !row.gave_up).then_some((row, language))
}

const fn is_call(kind: EdgeKind) -> bool {
    match kind {
        EdgeKind::Call | EdgeKind::New | EdgeKind::Macro | EdgeKind::Decorator => true,
        EdgeKind::Callback | EdgeKind::Inherit => false,
    }
}
