//! Raw definitions -> symbols: nesting, owners, attached comments, signatures, exported and test marks; and which symbol each
//! fact stands in. Read [`assemble`] first.

use rustc_hash::FxHashSet;

use super::chunk;
use super::extract::{Extraction, RawDefinition};
use super::language::{DocPlace, ExportRule, LanguageConfig};
use super::lines::LineIndex;
use super::written::truncate;
use crate::model::{Binding, BindingKind, BindingSource, Facts, Reference, ReferenceKind, Span, Symbol, SymbolKind};

/// Longest signature that is kept, in bytes.
const MAX_SIGNATURE: usize = 400;
/// Definitions nested deeper are left to the one around them: a qualified name holds the names of all owners, so depth costs its square.
const MAX_NESTING: u32 = 48;
/// A signature ends after so many lines where the grammar shows no body.
const MAX_SIGNATURE_LINES: u32 = 8;

/// Symbols by position, parents before children, and the facts with their enclosing symbols.
pub(super) struct Assembled {
    pub(super) symbols: Vec<Symbol>,
    /// Which symbols stay with their surroundings when small: values, sections, modules and members without a body.
    pub(super) joins: Vec<bool>,
    pub(super) facts: Facts,
    /// Comments and docstrings, sorted and disjoint.
    pub(super) docs: Vec<Span>,
    pub(super) import_spans: Vec<Span>,
}

pub(super) fn assemble(mut found: Extraction, config: &LanguageConfig, lines: &LineIndex<'_>) -> Assembled {
    widen(&mut found.definitions, std::mem::take(&mut found.wrappers));
    fold_overloads(&mut found.definitions, lines);
    let mut attached = std::mem::take(&mut found.comments);
    let mut docs = attached.clone();
    attached.append(&mut found.attached.clone());
    attached.sort_unstable();
    let defaults = &found.default_exports;
    found.marks.sort_unstable();
    let marks = &found.marks;
    let mut builder = Builder {
        config,
        lines,
        attached: &attached,
        defaults,
        marks,
        symbols: Vec::new(),
        joins: Vec::new(),
        depths: Vec::new(),
        bodies: Vec::new(),
        locals: Vec::new(),
    };
    for definition in &found.definitions {
        builder.push(definition);
    }
    let Builder { mut symbols, joins, locals, bodies, .. } = builder;
    found.binds.extend(locals);
    mark_tests(&mut symbols);
    docs.extend(symbols.iter().flat_map(|symbol| symbol.doc.iter().copied()));
    let mut facts = Facts {
        package: found.package.into(),
        refs: found.refs,
        imports: found.imports,
        binds: found.binds,
        inherits: found.inherits,
        scopes: found.scopes,
    };
    place_facts(&mut facts, &symbols);
    count_params(&facts.binds, &bodies, &mut symbols);
    Assembled { symbols, joins, facts, docs: disjoint(docs), import_spans: disjoint(found.import_spans) }
}

/// Sorted spans with overlaps joined.
pub(super) fn disjoint(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

/// Innermost symbol whose span holds `at`.
pub(super) fn enclosing(symbols: &[Symbol], at: u32) -> Option<u32> {
    let mut candidate = symbols.partition_point(|s| s.span.start <= at).checked_sub(1);
    while let Some(symbol) = candidate.and_then(|c| symbols.get(c)) {
        if at < symbol.span.end {
            return candidate.and_then(|c| u32::try_from(c).ok());
        }
        candidate = symbol.parent.map(|p| p as usize);
    }
    None
}

/// Signatures right before the implementation of the same name are part of it.
fn fold_overloads(definitions: &mut Vec<RawDefinition>, lines: &LineIndex<'_>) {
    let mut folded: Vec<RawDefinition> = Vec::with_capacity(definitions.len());
    for mut definition in definitions.drain(..) {
        while definition.body.is_some()
            && let Some(signature) = folded.pop_if(|before| is_overload(before, &definition, lines))
        {
            definition.span.start = signature.span.start;
            definition.name_at = signature.name_at;
            definition.marked_export |= signature.marked_export;
        }
        folded.push(definition);
    }
    *definitions = folded;
}

fn is_overload(signature: &RawDefinition, of: &RawDefinition, lines: &LineIndex<'_>) -> bool {
    let alike = signature.body.is_none()
        && signature.kind.is_callable()
        && signature.kind == of.kind
        && signature.name == of.name;
    let between = Span { start: signature.span.end, end: of.span.start };
    alike && !between.is_empty() && lines.holds_no_code(between)
}

/// Gives each wrapper (a template head, `typedef`) to the outermost definition inside it.
fn widen(definitions: &mut [RawDefinition], mut wrappers: Vec<Span>) {
    definitions.sort_by_key(|d| (d.span.start, std::cmp::Reverse(d.span.end), d.name_at));
    wrappers.sort_unstable_by_key(|wrapper| std::cmp::Reverse(wrapper.start));
    for wrapper in wrappers {
        let first = definitions.partition_point(|definition| definition.span.start < wrapper.start);
        if let Some(definition) = definitions.get_mut(first).filter(|definition| wrapper.contains(definition.span)) {
            definition.span = wrapper;
        }
    }
}

fn place_facts(facts: &mut Facts, symbols: &[Symbol]) {
    for reference in &mut facts.refs {
        reference.from = enclosing(symbols, reference.at);
        // A decorator stands before its definition and is called by the code around it.
        if reference.kind == ReferenceKind::Decorator {
            reference.from =
                reference.from.and_then(|from| symbols.get(from as usize)).and_then(|decorated| decorated.parent);
        }
    }
    for bind in &mut facts.binds {
        bind.within = enclosing(symbols, bind.at);
    }
    drop_variables(facts);
    // Of two matches of one name the one that knows the receiver stays, and that most closely.
    let told = |reference: &Reference| {
        let receiver = reference.receiver.as_ref();
        (reference.at, reference.kind, receiver.is_none(), receiver.map_or(0, |receiver| receiver.len()))
    };
    facts.refs.sort_by(|a, b| told(a).cmp(&told(b)).then_with(|| a.receiver.cmp(&b.receiver)));
    facts.refs.dedup_by(|a, b| a.at == b.at && a.callee == b.callee);
    facts.imports.sort();
    facts.imports.dedup();
    facts.binds.sort();
    // A declaration that says more makes the bare one of the same place redundant; `Unknown` sorts last.
    facts.binds.dedup_by(|a, b| a.at == b.at && a.kind == b.kind && a.name == b.name);
    facts.inherits.sort();
    facts.inherits.dedup();
    facts.scopes.sort();
    facts.scopes.dedup_by(|a, b| a.span == b.span);
}

/// Those of functions without a name stand in the body of the one around them.
fn count_params(binds: &[Binding], bodies: &[Option<Span>], symbols: &mut [Symbol]) {
    for bind in binds.iter().filter(|bind| bind.kind == BindingKind::Param) {
        let own =
            |within: &u32| bodies.get(*within as usize).copied().flatten().is_none_or(|body| bind.at < body.start);
        let within = bind.within.filter(own).and_then(|within| symbols.get_mut(within as usize));
        if let Some(symbol) = within.filter(|symbol| symbol.kind.is_callable()) {
            symbol.params = symbol.params.saturating_add(1);
        }
    }
}

/// Where a call needs no argument list, a name alone is one only if it is no variable of the same function.
fn drop_variables(facts: &mut Facts) {
    let locals = facts.binds.iter().filter(|bind| matches!(bind.kind, BindingKind::Param | BindingKind::Local));
    let variables: FxHashSet<(Option<u32>, &str)> = locals.map(|bind| (bind.within, &*bind.name)).collect();
    facts.refs.retain(|reference| {
        let alone = reference.kind == ReferenceKind::Call && reference.receiver.is_none() && reference.args.is_none();
        !(alone && variables.contains(&(reference.from, &*reference.callee)))
    });
}

fn mark_tests(symbols: &mut [Symbol]) {
    for at in 0..symbols.len() {
        let inherited =
            symbols.get(at).and_then(|s| s.parent).and_then(|p| symbols.get(p as usize)).is_some_and(|p| p.test);
        if let Some(symbol) = symbols.get_mut(at) {
            symbol.test |= inherited;
        }
    }
}

struct Builder<'a> {
    config: &'a LanguageConfig,
    lines: &'a LineIndex<'a>,
    /// Comments and attributes, sorted.
    attached: &'a [Span],
    defaults: &'a [String],
    /// Visibility marks, sorted.
    marks: &'a [(u32, String)],
    symbols: Vec<Symbol>,
    joins: Vec<bool>,
    /// How deep each symbol is nested.
    depths: Vec<u32>,
    /// Body of each symbol.
    bodies: Vec<Option<Span>>,
    /// Variables that read as prototypes (`Type name(argument);` in a function).
    locals: Vec<Binding>,
}

impl Builder<'_> {
    fn push(&mut self, raw: &RawDefinition) {
        let parent = self.parent(raw);
        let depth = parent.and_then(|p| self.depths.get(p as usize)).map_or(0, |depth| depth + 1);
        if depth > MAX_NESTING {
            return;
        }
        if self.repeats(raw, parent) || self.is_local(raw, parent) {
            self.locals.extend(raw.prototype.then(|| local(raw)));
            return;
        }
        self.bodies.push(raw.body);
        self.depths.push(depth);
        let before = self.attached_before(raw.span.start);
        let start = before.first().map_or(raw.span.start, |first| first.start);
        let span = self.lines.trimmed(Span { start, end: raw.span.end });
        self.cut_before(&before, parent);
        let owner = self.owner(raw, parent);
        let kind = self.kind(raw, parent);
        self.joins.push(self.joins_surroundings(raw, kind, parent));
        self.symbols.push(Symbol {
            kind,
            name: raw.name.as_str().into(),
            owner: owner.into(),
            parent,
            span,
            lines: self.lines.range(span),
            name_line: self.lines.line(raw.name_at),
            signature: self.signature(raw).into(),
            doc: self.docs(raw, &before),
            returns: raw.returns.as_deref().map(Into::into),
            bases: in_order(&raw.bases),
            params: 0,
            body: raw.body.is_some(),
            exported: self.exported(raw, parent) && !self.internal(raw, parent),
            test: self.test(raw, kind, &before),
        });
    }

    /// Comments that lead in a definition are not part of the one before it, where a grammar has them at its end.
    fn cut_before(&mut self, leading: &[Span], parent: Option<u32>) {
        let (Some(first), Some(last)) = (leading.first(), leading.last()) else { return };
        let mut at = u32::try_from(self.symbols.len()).ok().and_then(|count| count.checked_sub(1));
        while at != parent
            && let Some(before) = at.and_then(|at| self.symbols.get_mut(at as usize))
        {
            if before.span.start < first.start && before.span.end > first.start && before.span.end <= last.end {
                before.span = self.lines.trimmed(Span { start: before.span.start, end: first.start });
                before.lines = self.lines.range(before.span);
            }
            at = before.parent;
        }
    }

    /// A variable inside a function is a binding, no symbol; so is what looks like a prototype there.
    fn is_local(&self, raw: &RawDefinition, parent: Option<u32>) -> bool {
        let value = matches!(raw.kind, SymbolKind::Variable | SymbolKind::Constant);
        (value || raw.prototype)
            && parent.and_then(|p| self.symbols.get(p as usize)).is_some_and(|p| p.kind.is_callable())
    }

    /// Innermost definition around it; two names declared by one statement are no parent of each other, and what stands behind
    /// the body of a definition (`struct tag { … } name;`) is beside it. A body may be known by its opening brace alone, and that of
    /// a section by its first element.
    fn parent(&self, raw: &RawDefinition) -> Option<u32> {
        let mut parent = enclosing(&self.symbols, raw.span.start);
        while let Some(outer) = parent.and_then(|p| self.symbols.get(p as usize)) {
            let body = parent.and_then(|p| self.bodies.get(p as usize)).copied().flatten();
            let known_in_part = |body: Span| outer.kind == SymbolKind::Section || body.end - body.start <= 1;
            if !same_statement(outer, raw) && body.is_none_or(|body| known_in_part(body) || raw.span.start < body.end) {
                break;
            }
            parent = outer.parent;
        }
        parent
    }

    /// `const f = memo(function f() {})` is one function with two names.
    fn repeats(&self, raw: &RawDefinition, parent: Option<u32>) -> bool {
        let outer = parent.and_then(|p| self.symbols.get(p as usize));
        raw.kind.is_callable() && outer.is_some_and(|outer| outer.kind.is_callable() && *outer.name == *raw.name)
    }

    fn joins_surroundings(&self, raw: &RawDefinition, kind: SymbolKind, parent: Option<u32>) -> bool {
        let in_type =
            || parent.and_then(|p| self.symbols.get(p as usize)).is_some_and(|p| p.kind != SymbolKind::Module);
        let declares = kind == SymbolKind::Module || (kind.is_callable() && in_type());
        chunk::is_value(kind) || kind == SymbolKind::Section || (declares && raw.body.is_none())
    }

    fn owner(&self, raw: &RawDefinition, parent: Option<u32>) -> String {
        let outer = parent.and_then(|p| self.symbols.get(p as usize)).map(Symbol::qualified).unwrap_or_default();
        match &raw.owner {
            Some(owner) if outer.is_empty() => owner.clone(),
            Some(owner) if outer == *owner || outer.ends_with(&format!(".{owner}")) => outer,
            Some(owner) => format!("{outer}.{owner}"),
            None => outer,
        }
    }

    /// A function that belongs to a type is a method.
    fn kind(&self, raw: &RawDefinition, parent: Option<u32>) -> SymbolKind {
        if raw.kind == SymbolKind::Variable && self.says_before_name(raw, &self.config.constant_words) {
            return SymbolKind::Constant;
        }
        if raw.kind != SymbolKind::Function {
            return raw.kind;
        }
        let parent = parent.and_then(|p| self.symbols.get(p as usize)).map(|p| p.kind);
        let in_type = parent.is_some_and(|kind| kind.is_container() && kind != SymbolKind::Module);
        if raw.owner.is_some() || in_type { SymbolKind::Method } else { SymbolKind::Function }
    }

    /// Comments and attributes that end right above `start`, with nothing between them but white space and no blank line.
    fn attached_before(&self, start: u32) -> Vec<Span> {
        let mut from = start;
        let mut spans = Vec::new();
        let end = self.attached.partition_point(|span| span.start < start);
        for span in self.attached.get(..end).unwrap_or_default().iter().rev() {
            if span.end > from || !self.lines.joined(*span, from) {
                break;
            }
            spans.push(*span);
            from = span.start;
        }
        spans.reverse();
        spans
    }

    fn docs(&self, raw: &RawDefinition, before: &[Span]) -> Vec<Span> {
        let mut docs = raw.docs.clone();
        if self.config.docstring != DocPlace::None {
            docs.extend(before.iter().copied().filter(|span| self.lines.is_comment(*span)));
        }
        if self.config.docstring == DocPlace::FirstStringInBody {
            docs.extend(raw.body.and_then(|body| self.lines.leading_string(body)));
        }
        docs.sort_unstable();
        docs.dedup();
        docs
    }

    fn signature(&self, raw: &RawDefinition) -> String {
        let first_line = self.lines.line(raw.name_at);
        // A module without a body (`namespace a;`) may hold all that follows.
        let whole_file = raw.kind == SymbolKind::Module && raw.body.is_none();
        let most = if whole_file { 1 } else { MAX_SIGNATURE_LINES };
        let limit = self.lines.end_of(first_line + most - 1);
        let start =
            raw.decorators.iter().filter(|d| d.end <= raw.name_at).map(|d| d.end).max().unwrap_or(raw.span.start);
        let body = raw.body.map_or(raw.span.end, |body| body.start.max(raw.name_at));
        let end = body.min(limit).min(raw.span.end).max(start);
        let mut folded = self.without_comments(Span { start, end }).split_whitespace().collect::<Vec<_>>().join(" ");
        truncate(&mut folded, MAX_SIGNATURE);
        folded.truncate(folded.trim_end_matches([' ', '{', '=', ':', ';', ',', '\\']).len());
        folded
    }

    /// Text of a span; a comment in it counts as white space.
    fn without_comments(&self, span: Span) -> String {
        let first = self.attached.partition_point(|inner| inner.start < span.start);
        let inner = self.attached.get(first..).unwrap_or_default().iter().take_while(|inner| inner.start < span.end);
        let mut kept = String::new();
        let mut from = span.start;
        for comment in inner.filter(|inner| self.lines.is_comment(**inner)) {
            kept.push_str(self.lines.slice(Span { start: from, end: comment.start.max(from) }));
            kept.push(' ');
            from = comment.end.min(span.end);
        }
        kept.push_str(self.lines.slice(Span { start: from, end: span.end }));
        kept
    }

    fn exported(&self, raw: &RawDefinition, parent: Option<u32>) -> bool {
        if raw.marked_export || self.defaults.contains(&raw.name) {
            return true;
        }
        let visibility =
            raw.visibility.as_ref().map(|(_, text)| text.as_str()).or_else(|| self.mark_before(raw.name_at, parent));
        let says = |words: &[String]| visibility.is_some_and(|v| words.iter().any(|w| mentions(v, w)));
        match self.config.exported {
            ExportRule::Marked => says(&self.config.public_words),
            ExportRule::UnlessPrivate => !says(&self.config.private_words),
            ExportRule::NotUnderscore => !raw.name.starts_with('_'),
            ExportRule::Capitalized => raw.name.starts_with(char::is_uppercase),
            ExportRule::Always => true,
        }
    }

    /// The last visibility mark before `at` that stands right inside `parent`.
    fn mark_before(&self, at: u32, parent: Option<u32>) -> Option<&str> {
        let from = self.symbols.get(parent? as usize).filter(|outer| outer.kind != SymbolKind::Module)?.span.start;
        let end = self.marks.partition_point(|(mark, _)| *mark < at);
        let inside = self.marks.get(..end)?.iter().rev().take_while(|(mark, _)| *mark >= from);
        inside.into_iter().find(|(mark, _)| enclosing(&self.symbols, *mark) == parent).map(|(_, text)| text.as_str())
    }

    fn internal(&self, raw: &RawDefinition, parent: Option<u32>) -> bool {
        let in_module =
            || parent.and_then(|p| self.symbols.get(p as usize)).is_none_or(|p| p.kind == SymbolKind::Module);
        self.says_before_name(raw, &self.config.internal_words) && in_module()
    }

    fn says_before_name(&self, raw: &RawDefinition, words: &[String]) -> bool {
        let head = || self.lines.slice(Span { start: raw.span.start, end: raw.name_at });
        words.iter().any(|word| mentions(head(), word))
    }

    fn test(&self, raw: &RawDefinition, kind: SymbolKind, before: &[Span]) -> bool {
        let prefixed = || self.config.test_prefixes.iter().any(|prefix| raw.name.starts_with(prefix.as_str()));
        if kind.is_callable() && prefixed() {
            return true;
        }
        if self.config.test_attributes.is_empty() {
            return false;
        }
        // Attributes stand before the definition or between its start and its name; comments do not count.
        let head = Span { start: raw.span.start, end: raw.name_at };
        let attributes = before.iter().copied().filter(|span| !self.lines.is_comment(*span)).chain([head]);
        let marks = |text: &str| self.config.test_attributes.iter().any(|attribute| text.contains(attribute.as_str()));
        attributes.into_iter().any(|span| marks(self.lines.slice(span)))
    }
}

fn local(raw: &RawDefinition) -> Binding {
    let source = raw.returns.as_deref().map_or(BindingSource::Unknown, |written| BindingSource::Type(written.into()));
    Binding { at: raw.name_at, kind: BindingKind::Local, name: raw.name.as_str().into(), source, within: None }
}

/// Bases as the source has them, by offset.
fn in_order(bases: &[(u32, String)]) -> Vec<Box<str>> {
    let mut sorted: Vec<&(u32, String)> = bases.iter().collect();
    sorted.sort_unstable();
    sorted.into_iter().map(|(_, base)| base.as_str().into()).collect()
}

/// One statement that declares several values.
fn same_statement(outer: &Symbol, raw: &RawDefinition) -> bool {
    let declares_values = !outer.kind.is_container() && !outer.kind.is_callable();
    declares_values && outer.kind == raw.kind && outer.span.end == raw.span.end
}

/// `text` holds `word` between other than word characters.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|part| part == word)
}
