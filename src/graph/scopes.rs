//! Which declaration a name means by its position: the innermost scope that declares it, with shadowing. One file only.
//! Read [`Scopes::find`] first.

use rustc_hash::FxHashMap;

use super::code::{Unit, local_name};
use super::names::{self, Want};
use crate::model::{BindingKind, BindingSource, Span, Symbol, SymbolKind};

/// What declares a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// Index into the symbols.
    Symbol(u32),
    /// Index into the bindings.
    Bind(u32),
    /// Index into the imports.
    Import(u32),
}

/// A scope by its position in [`Scopes::spans`]; `None` is the whole file.
type Id = Option<u32>;

/// The scopes of a file and what each declares.
pub(super) struct Scopes<'u> {
    /// By start, outer before inner.
    spans: Vec<Span>,
    parents: Vec<Id>,
    names: FxHashMap<(Id, &'u str), Vec<(u32, Declared)>>,
}

impl<'u> Scopes<'u> {
    pub(super) fn new(unit: &'u Unit) -> Self {
        let mut spans: Vec<Span> =
            unit.facts.scopes.iter().filter(|scope| !scope.class).map(|scope| scope.span).collect();
        spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        spans.dedup();
        let mut scopes = Self { parents: parents(&spans), spans, names: FxHashMap::default() };
        for (import, index) in unit.facts.imports.iter().zip(0..) {
            let name = local_name(import, unit.dialect.modules);
            let own = import.reexport && import.module.is_empty();
            if !name.is_empty() && !own {
                scopes.declare(scopes.at(import.at), name, import.at, Declared::Import(index));
            }
        }
        for (bind, index) in unit
            .facts
            .binds
            .iter()
            .zip(0..)
            .filter(|(bind, _)| matches!(bind.kind, BindingKind::Param | BindingKind::Local))
        {
            scopes.declare(scopes.at(bind.at), &bind.name, bind.at, Declared::Bind(index));
        }
        for (symbol, index) in unit.symbols.iter().zip(0..) {
            let within = symbol.parent.and_then(|parent| unit.symbol(parent));
            let scope = scopes.around(symbol.span);
            // Where a language has no scope for the body of a module, its members are no names of the file.
            let in_body = |module: &Symbol| {
                let body = scope.and_then(|scope| scopes.spans.get(scope as usize));
                module.kind == SymbolKind::Module && body.is_some_and(|body| module.span.contains(*body))
            };
            let inside =
                within.map_or(symbol.owner.is_empty(), |within| !within.kind.is_container() || in_body(within));
            let member = symbol.kind == SymbolKind::Method && !symbol.owner.is_empty();
            if inside && !member {
                scopes.declare(scope, &symbol.name, symbol.span.start, Declared::Symbol(index));
            }
        }
        scopes
    }

    /// What declares `name` as seen from the byte `at`: the innermost scope with one decides. Of several in a scope: an import, a
    /// function or a class; else the last binding before `at`, else the first one.
    pub(super) fn find(&self, unit: &Unit, name: &str, at: u32, want: Want) -> Option<Declared> {
        let mut scope = self.at(at);
        loop {
            let all = self.names.get(&(scope, name)).map(Vec::as_slice).unwrap_or_default();
            // What a variable is given at its own declaration means another one (`if let x = x`).
            let itself = |start: u32, declared: Declared| start == at && matches!(declared, Declared::Bind(_));
            let fitting =
                all.iter().filter(|(start, declared)| !itself(*start, *declared) && fits(unit, *declared, want));
            if let Some(declared) = chosen(unit, &fitting.copied().collect::<Vec<_>>(), at) {
                return Some(declared);
            }
            scope = self.parents.get(scope? as usize).copied().flatten();
        }
    }

    /// Whether a variable is given different things in its scope: which of them a call means is not known.
    pub(super) fn is_torn(&self, unit: &Unit, bind: u32) -> bool {
        let source = |index: u32| unit.facts.binds.get(index as usize);
        let Some(own) = source(bind) else { return false };
        let all = self.names.get(&(self.at(own.at), &*own.name)).map(Vec::as_slice).unwrap_or_default();
        all.iter().any(|(_, declared)| match declared {
            Declared::Bind(other) => {
                source(*other).is_some_and(|other| other.source != own.source && other.source != BindingSource::Unknown)
            }
            Declared::Symbol(_) | Declared::Import(_) => false,
        })
    }

    fn declare(&mut self, scope: Id, name: &'u str, at: u32, what: Declared) {
        self.names.entry((scope, name)).or_default().push((at, what));
    }

    /// The innermost scope around a byte.
    fn at(&self, at: u32) -> Id {
        self.around(Span { start: at, end: at })
    }

    /// The innermost scope that is larger than `span` and contains it.
    fn around(&self, span: Span) -> Id {
        let mut id =
            self.spans.partition_point(|scope| scope.start <= span.start).checked_sub(1).map(|last| last as u32);
        while let Some(scope) = id.and_then(|id| self.spans.get(id as usize)) {
            if scope.contains(span) && scope.end > span.end && *scope != span {
                return id;
            }
            id = self.parents.get(id? as usize).copied().flatten();
        }
        None
    }
}

/// Where types and values are apart, a declaration is of one or the other; an import can be both.
fn fits(unit: &Unit, declared: Declared, want: Want) -> bool {
    if !unit.dialect.types_apart {
        return true;
    }
    match declared {
        Declared::Import(_) => true,
        Declared::Symbol(symbol) => unit.symbol(symbol).is_some_and(|symbol| names::can_be(symbol.kind, true, want)),
        Declared::Bind(bind) => {
            want != Want::Type
                || unit.facts.binds.get(bind as usize).is_some_and(|bind| bind.kind == BindingKind::Param)
        }
    }
}

fn chosen(unit: &Unit, all: &[(u32, Declared)], at: u32) -> Option<Declared> {
    let definite = |declared: &Declared| match declared {
        Declared::Symbol(symbol) => {
            unit.symbol(*symbol).is_some_and(|symbol| symbol.kind.is_callable() || symbol.kind.is_container())
        }
        Declared::Import(_) => true,
        Declared::Bind(_) => false,
    };
    let single = |declared: &Declared| match declared {
        Declared::Symbol(symbol) => unit.symbol(*symbol).is_some_and(|symbol| names::is_single(unit, symbol)),
        Declared::Import(_) | Declared::Bind(_) => false,
    };
    let several = all.iter().any(|(_, declared)| definite(declared) && !single(declared));
    let mut definites = all.iter().filter(|(_, declared)| definite(declared) && !(several && single(declared)));
    if let Some(first) = definites.next() {
        // A later import or definition of the same name replaces the first one for what stands after it.
        return Some(definites.rfind(|(start, _)| *start <= at).unwrap_or(first).1);
    }
    let binds = || all.iter().filter(|(_, declared)| matches!(declared, Declared::Bind(_)));
    let told = |declared: &Declared| match declared {
        Declared::Bind(bind) => {
            unit.facts.binds.get(*bind as usize).is_some_and(|bind| bind.source != BindingSource::Unknown)
        }
        Declared::Symbol(_) | Declared::Import(_) => false,
    };
    // The same declaration can be captured twice, once without what it holds.
    let last_before = binds().filter(|(start, _)| *start < at).max_by_key(|(start, declared)| (*start, told(declared)));
    let first = binds().min_by_key(|(start, declared)| (*start, !told(declared)));
    let bind = last_before.or(first);
    let symbol = all.iter().find(|(_, declared)| matches!(declared, Declared::Symbol(_)));
    bind.filter(|(_, declared)| told(declared)).or(symbol).or(bind).map(|(_, declared)| *declared)
}

fn parents(spans: &[Span]) -> Vec<Id> {
    let mut open: Vec<u32> = Vec::new();
    let mut parents = Vec::with_capacity(spans.len());
    for (span, id) in spans.iter().zip(0_u32..) {
        while open.last().and_then(|last| spans.get(*last as usize)).is_some_and(|outer| !outer.contains(*span)) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(id);
    }
    parents
}
