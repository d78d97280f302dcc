//! References of a file -> edges. What decides on each is the order of [`Resolver::reference`]; the steps themselves are in
//! `names`, `members` and `infer`. Read [`resolve`] first.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::code::{Code, Definition, Head, Named, Place, Unit};
use super::confidence;
use super::lens::Lens;
use super::modules::{self, Layout, Module};
use super::names::{Asked, Want};
use super::scopes::Scopes;
use super::value::{Found, Value};
use super::written::expression;
use crate::model::{
    Binding, BindingSource, Dialect, Edge, EdgeKind, FileId, ImportKind, ModuleStyle, PackageScope, Reference,
    ReferenceKind, Resolution, Symbol, SymbolKind, Target,
};

/// Nested questions (a receiver's type by a field by a return type, …) that one reference may ask.
const MOST_DEPTH: u8 = 20;

/// Questions that one reference may ask in all.
const MOST_STEPS: u32 = 4_000;

/// Overloads that one call can lead to.
const MOST_OVERLOADS: usize = 16;

/// Definitions of a name beyond which it says nothing.
const MOST_CANDIDATES: usize = 8;

/// What an import leads to: a file, or nothing in the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportTarget {
    /// Index into the file's imports.
    pub import: u32,
    pub to: Option<FileId>,
}

/// What became of a file's references.
#[derive(Debug, Default)]
pub struct Resolved {
    /// By reference; bases of types after them.
    pub edges: Vec<Edge>,
    /// Name of the target of each edge; empty where it leads to nothing.
    pub names: Vec<Box<str>>,
    pub imports: Vec<ImportTarget>,
    /// Keys of all that was looked up in other files, sorted.
    pub watched: Vec<u32>,
}

/// Resolves the references, bases and imports of a file. `unit` is the whole file, not as seen from outside.
pub fn resolve(code: &dyn Code, layout: &Layout, file: FileId, unit: &Arc<Unit>) -> Resolved {
    let resolver = Resolver::new(code, layout, file, unit);
    let mut resolved = Resolved::default();
    for (reference, at) in unit.facts.refs.iter().zip(0..) {
        for (edge, name) in resolver.reference(file, reference, at) {
            resolved.edges.push(edge);
            resolved.names.push(name);
        }
    }
    for (symbol, at) in unit.symbols.iter().zip(0..) {
        resolver.inherits(file, symbol, at, &mut resolved);
    }
    resolved.imports = resolver.imports(file);
    resolver.lens.note_manifests(layout.asked());
    resolved.watched = resolver.lens.into_seen();
    resolved
}

/// Where in the code a name is seen from.
#[derive(Clone)]
pub(super) struct Spot {
    pub(super) file: FileId,
    pub(super) unit: Arc<Unit>,
    /// Byte in the file in work; `None` in any other file, whose scopes are not known.
    pub(super) at: Option<u32>,
    /// Enclosing symbol.
    pub(super) from: Option<u32>,
}

impl Spot {
    pub(super) fn outside(file: FileId, unit: &Arc<Unit>, from: Option<u32>) -> Self {
        Self { file, unit: Arc::clone(unit), at: None, from }
    }
}

/// Answers by question.
type Known<Q, A> = RefCell<FxHashMap<Q, A>>;

/// One file's references and the code they are resolved in.
pub(super) struct Resolver<'a> {
    pub(super) lens: Lens<'a>,
    pub(super) layout: &'a Layout,
    unit: &'a Arc<Unit>,
    scopes: OnceCell<Scopes<'a>>,
    depth: Cell<u8>,
    steps: Cell<u32>,
    /// Answers that stand for the whole file; what is being asked counts as unknown meanwhile.
    pub(super) members: Known<(Place, String), Option<Found>>,
    pub(super) bases: Known<Place, Arc<[Value]>>,
    pub(super) ancestors: Known<Place, Arc<[Value]>>,
    pub(super) exports: Known<(FileId, String, String, Want), Option<Found>>,
    pub(super) modules: Known<(String, String), Module>,
    pub(super) contents: Known<Place, Value>,
    pub(super) names: Known<(FileId, Option<u32>, String, Want), Option<Found>>,
    pub(super) includes: Known<FileId, Arc<[(String, FileId)]>>,
}

impl<'a> Resolver<'a> {
    fn new(code: &'a dyn Code, layout: &'a Layout, file: FileId, unit: &'a Arc<Unit>) -> Self {
        Self {
            lens: Lens::new(code, file),
            layout,
            unit,
            scopes: OnceCell::new(),
            depth: Cell::new(0),
            steps: Cell::new(0),
            members: RefCell::default(),
            bases: RefCell::default(),
            ancestors: RefCell::default(),
            exports: RefCell::default(),
            modules: RefCell::default(),
            contents: RefCell::default(),
            names: RefCell::default(),
            includes: RefCell::default(),
        }
    }

    pub(super) fn own(&self) -> &'a Unit {
        self.unit
    }

    pub(super) fn scopes(&self) -> &Scopes<'a> {
        self.scopes.get_or_init(|| Scopes::new(self.unit))
    }

    /// Asks a nested question, unless there were too many: then the answer is not known.
    pub(super) fn deeper<T>(&self, ask: impl FnOnce() -> T) -> Option<T> {
        let (depth, steps) = (self.depth.get(), self.steps.get());
        if depth >= MOST_DEPTH || steps >= MOST_STEPS {
            return None;
        }
        self.depth.set(depth + 1);
        self.steps.set(steps + 1);
        let answer = ask();
        self.depth.set(depth);
        Some(answer)
    }

    /// The edges of one reference: none where a passed name is no function, several where a name is overloaded.
    fn reference(&self, file: FileId, reference: &Reference, at: u32) -> Vec<(Edge, Box<str>)> {
        self.steps.set(0);
        let spot = Spot { file, unit: Arc::clone(self.unit), at: Some(reference.at), from: reference.from };
        let found = match &reference.receiver {
            None => self.unqualified(&spot, reference),
            Some(receiver) => self.qualified(&spot, receiver, reference),
        };
        let targets = found.as_ref().map(|found| self.targets(found, reference)).unwrap_or_default();
        let passed = reference.kind == ReferenceKind::Callback;
        // An imported name that no file defines comes from outside.
        let outside = |found: &Found| {
            found.step == Resolution::External || matches!(found.value, Value::Outside(_) | Value::Package(_))
        };
        match found {
            _ if passed && targets.is_empty() => Vec::new(),
            Some(found) if !targets.is_empty() => {
                let count = targets.len();
                let edges = targets.into_iter().map(|place| {
                    let (to, name) = self.keyed(place).unzip();
                    (edge((reference, at), found.step, count, to), name.unwrap_or_default())
                });
                edges.collect()
            }
            Some(found) if outside(&found) => vec![nowhere((reference, at), Resolution::External, 0)],
            Some(_) => vec![nowhere((reference, at), Resolution::Ambiguous, 0)],
            None => vec![self.by_name(&spot, reference, at)],
        }
    }

    /// A call without a receiver.
    fn unqualified(&self, spot: &Spot, reference: &Reference) -> Option<Found> {
        let name = &*reference.callee;
        let dialect = spot.unit.dialect;
        if reference.kind == ReferenceKind::Macro {
            return self.macro_named(spot, name);
        }
        if dialect.super_names.iter().any(|base| base == name) || dialect.self_names.iter().any(|own| own == name) {
            let value = self.infer(spot, &super::written::Expr::Name(name.to_owned()));
            if dialect.mixins && dialect.super_names.iter().any(|base| base == name) {
                return Some(self.overridden(spot).unwrap_or(Found::new(value, Resolution::Ambiguous)));
            }
            let own = dialect.self_names.iter().any(|own| own == name);
            // Where calling a class makes an object, `super()` only names the base.
            if !own && dialect.class_call_constructs {
                return Some(Found::outside());
            }
            let step = if own { Resolution::SelfMember } else { Resolution::Inherited };
            return Some(value.object().map_or(Found::new(value, step), |class| Found::symbol(class, step)));
        }
        let typed = reference.kind == ReferenceKind::New && !dialect.types_apart;
        let want = if typed { Want::Type } else { Want::Call };
        let found = self
            .bare(spot, name, want)
            .or_else(|| (want == Want::Type).then(|| self.bare(spot, name, Want::Value)).flatten());
        let own = || {
            dialect.constructors.iter().any(|constructor| constructor == name).then(|| self.own_type(spot)).flatten()
        };
        let found = found.or_else(|| own().map(|class| Found::symbol(class, Resolution::SelfMember)));
        found.or_else(|| self.path_root(spot, name).map(|value| Found::new(value, Resolution::Import)))
    }

    /// A call on something.
    fn qualified(&self, spot: &Spot, receiver: &str, reference: &Reference) -> Option<Found> {
        let name = &*reference.callee;
        let expr = expression(receiver);
        let value = self.infer(spot, &expr);
        let named = |names: &[String]| matches!(&expr, super::written::Expr::Name(own) | super::written::Expr::Scope(own) if names.contains(own));
        let (through_self, through_super) =
            (named(&spot.unit.dialect.self_names), named(&spot.unit.dialect.super_names));
        if let Value::Symbol(class) = &value
            && (reference.kind == ReferenceKind::New || name == "new")
            && spot.unit.dialect.constructors.iter().any(|constructor| constructor == name)
        {
            let made = self.class_member(*class, name).map(|found| found.through(Resolution::ReceiverType));
            return Some(made.unwrap_or(Found::symbol(*class, Resolution::ReceiverType)));
        }
        let path = || {
            let mut path = expr.path()?;
            path.push(name);
            self.by_path(spot, &path, Want::Call)
        };
        let added = || self.extension(spot, &value, name);
        let found = match self.member(spot, &value, name, Want::Call) {
            Some(found) if found.step == Resolution::External && matches!(value, Value::Outside(_)) => match added() {
                None if self.may_be_extension(spot, name) => return None,
                added => added.or(Some(found)),
            },
            None if matches!(value, Value::Unknown) => path().or_else(added),
            None => added(),
            found => found,
        };
        match (&value, found) {
            (Value::Instance(..), Some(found)) if through_self => Some(found),
            (Value::Instance(..), Some(found)) if through_super => Some(found.through(Resolution::Inherited)),
            (Value::Instance(..) | Value::Symbol(_), Some(found))
                if found.step == Resolution::SelfMember || found.step == Resolution::Inherited =>
            {
                Some(found.through(Resolution::ReceiverType))
            }
            (_, Some(found)) => Some(found),
            (Value::Instance(class, _) | Value::Symbol(class), None) if self.has_outside_base(*class) => {
                Some(Found::outside())
            }
            (Value::Instance(..) | Value::Symbol(_), None) => Some(Found::new(Value::Unknown, Resolution::Ambiguous)),
            (_, None) => None,
        }
    }

    fn macro_named(&self, spot: &Spot, name: &str) -> Option<Found> {
        let all = self.alike(&spot.unit, name).into_iter();
        let mut macros: Vec<Place> =
            all.filter(|named| named.kind == SymbolKind::Macro).map(|named| named.place).collect();
        macros.sort_by_key(|place| place.file != spot.file);
        macros.first().map_or(Some(Found::outside()), |place| {
            Some(Found::symbol(*place, if place.file == spot.file { Resolution::Local } else { Resolution::Package }))
        })
    }

    /// The definitions that a call can mean: one, or the overloads of one name that take as many arguments.
    fn targets(&self, found: &Found, reference: &Reference) -> Vec<Place> {
        let Value::Symbol(place) = found.value else { return Vec::new() };
        let Some(symbol) = self.symbol(place) else { return Vec::new() };
        let dialect = self.unit.dialect;
        let passed = reference.kind == ReferenceKind::Callback;
        match symbol.kind {
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => {
                let mut all: Vec<Place> =
                    overloads(place, &symbol, reference).into_iter().map(|place| self.definition_of(place)).collect();
                all.dedup();
                all
            }
            SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Type => vec![place],
            SymbolKind::Constant | SymbolKind::Variable => {
                let held = self.content(found.value.clone()).symbol().filter(|held| *held != place);
                let held = held.filter(|held| self.symbol(*held).is_some_and(|held| held.kind.is_callable()));
                let reached = !passed && dialect.calls_reach_variables && symbol.owner.is_empty();
                let itself = || (reached && Self::is_made(&symbol)).then(|| merged(place, &symbol));
                let attribute = is_attribute(symbol.unit.dialect, symbol.kind, !symbol.owner.is_empty());
                let itself = || attribute.then_some(place).or_else(itself);
                held.or_else(itself).into_iter().collect()
            }
            SymbolKind::Module | SymbolKind::Section => Vec::new(),
        }
    }

    /// A constant whose declaration says what made it; one taken out of something else may be anything.
    fn is_made(symbol: &Definition) -> bool {
        let own = |bind: &&Binding| symbol.span.start <= bind.at && bind.at < symbol.span.end;
        symbol.unit.binds_named(&symbol.name).filter(own).any(|bind| bind.source != BindingSource::Unknown)
    }

    /// An unknown receiver is not guessed; where one definition in the project has the name, that is said with low confidence.
    fn by_name(&self, spot: &Spot, reference: &Reference, at: u32) -> (Edge, Box<str>) {
        let named = self.lens.named(&reference.callee);
        if named.len() > MOST_CANDIDATES {
            return nowhere((reference, at), Resolution::Ambiguous, named.len());
        }
        let callable = |named: &Named| {
            named.kind.is_callable()
                || self
                    .lens
                    .head(named.place.file)
                    .is_some_and(|head| is_attribute(head.dialect, named.kind, named.owned))
        };
        let all: Vec<Named> = self.alike(&spot.unit, &reference.callee).into_iter().filter(callable).collect();
        match all.as_slice() {
            [] => nowhere((reference, at), Resolution::External, 0),
            [only] if reference.receiver.is_some() || self.may_be_linked(only) => {
                let to = self.target(only.place);
                let name = to.map(|_| reference.callee.clone()).unwrap_or_default();
                (edge((reference, at), Resolution::UniqueName, 1, to), name)
            }
            all => nowhere((reference, at), Resolution::Ambiguous, all.len()),
        }
    }

    /// A function that a file can call without an inclusion that says so (an includer's, a linked one).
    fn may_be_linked(&self, named: &Named) -> bool {
        let included = |head: Head<'_>| head.dialect.scope == PackageScope::Includes;
        !named.owned
            && self.lens.head(named.place.file).is_some_and(included)
            && self.symbol(named.place).is_some_and(|symbol| symbol.exported)
    }

    /// Edges from a type to its bases.
    fn inherits(&self, file: FileId, symbol: &Symbol, at: u32, resolved: &mut Resolved) {
        let told = || self.unit.facts.inherits.iter().any(|inherit| *inherit.sub == *symbol.name);
        if !symbol.kind.is_container() && symbol.bases.is_empty() && !told() {
            return;
        }
        self.steps.set(0);
        let class = Place { file, symbol: at };
        for base in self.bases(class, self.unit, symbol).iter() {
            let (Value::Instance(base, _) | Value::Symbol(base)) = base else { continue };
            let Some((target, name)) = self.keyed(*base) else { continue };
            resolved.edges.push(Edge {
                line: symbol.name_line,
                reference: at,
                from: Some(at),
                kind: EdgeKind::Inherit,
                resolution: if base.file == file { Resolution::Local } else { Resolution::Import },
                confidence: confidence::INHERIT,
                candidates: 1,
                to: Some(target),
            });
            resolved.names.push(name);
        }
    }

    fn keyed(&self, place: Place) -> Option<(Target, Box<str>)> {
        let unit = self.lens.unit(place.file)?;
        Some((self.target(place)?, unit.symbol(place.symbol)?.name.clone()))
    }

    fn target(&self, place: Place) -> Option<Target> {
        Some(Target { file: place.file, key: self.lens.key(place)? })
    }

    fn imports(&self, file: FileId) -> Vec<ImportTarget> {
        let own = |(_, import): &(u32, &crate::model::Import)| !(import.module.is_empty() && import.reexport);
        let all = (0_u32..).zip(&self.unit.facts.imports);
        all.filter(own).flat_map(|(at, import)| self.import_targets(file, at, import)).collect()
    }

    fn import_targets(&self, file: FileId, at: u32, import: &crate::model::Import) -> Vec<ImportTarget> {
        self.steps.set(0);
        let to = |to: Option<FileId>| ImportTarget { import: at, to };
        if self.unit.dialect.modules == ModuleStyle::ClassName {
            return match self.import(file, self.unit, import, Asked::new(Want::Value)).map(|found| found.value) {
                Some(Value::Symbol(place)) => vec![to(Some(place.file))],
                _ => vec![to(None)],
            };
        }
        let module = self.module(self.unit, &import.module, import.at);
        let inner = || {
            (import.kind == ImportKind::Named)
                .then(|| modules::submodule(self.layout, &self.lens, &module, self.unit, &import.name))
                .flatten()
        };
        match inner().unwrap_or(module) {
            Module::File { file, .. } => vec![to(Some(file))],
            Module::Folder(files) => files.into_iter().map(|file| to(Some(file))).collect(),
            Module::Namespace(_) | Module::External | Module::Missing => vec![to(None)],
        }
    }

    /// The first part of a path where it is a module and no name of the file (`crate`, `super`, a crate, a package).
    pub(super) fn path_root(&self, spot: &Spot, name: &str) -> Option<Value> {
        if spot.unit.dialect.modules != ModuleStyle::RustPath {
            return None;
        }
        let owner = nested_module(spot);
        let module = modules::find_within(self.layout, &self.lens, &spot.unit, &owner, name);
        match module {
            Module::External => Some(Value::Outside(Vec::new())),
            Module::Missing => None,
            Module::File { .. } | Module::Folder(_) | Module::Namespace(_) => Some(Value::Module(module)),
        }
    }
}

/// Name of the nested module around a place.
pub(super) fn nested_module(spot: &Spot) -> String {
    let mut next = spot.from;
    while let Some(symbol) = next.and_then(|at| spot.unit.symbol(at)) {
        if symbol.kind == SymbolKind::Module {
            return symbol.qualified();
        }
        next = symbol.parent;
    }
    String::new()
}

fn edge((reference, at): (&Reference, u32), step: Resolution, candidates: usize, to: Option<Target>) -> Edge {
    let kind = match reference.kind {
        ReferenceKind::Call => EdgeKind::Call,
        ReferenceKind::New => EdgeKind::New,
        ReferenceKind::Macro => EdgeKind::Macro,
        ReferenceKind::Decorator => EdgeKind::Decorator,
        ReferenceKind::Callback => EdgeKind::Callback,
    };
    Edge {
        line: reference.line,
        reference: at,
        from: reference.from,
        kind,
        resolution: step,
        confidence: confidence::of(step, kind, to.is_some()),
        candidates: candidates.min(usize::from(u16::MAX)) as u16,
        to,
    }
}

/// An edge without a target, and no name for it.
fn nowhere(reference: (&Reference, u32), step: Resolution, candidates: usize) -> (Edge, Box<str>) {
    (edge(reference, step, candidates, None), Box::default())
}

/// An attribute that is called like a method.
fn is_attribute(dialect: &Dialect, kind: SymbolKind, owned: bool) -> bool {
    dialect.attributes_are_methods && kind == SymbolKind::Variable && owned
}

/// Declarations of one name, a type and a value, are one thing where types are apart: the first of them stands for it.
fn merged(place: Place, symbol: &Definition) -> Place {
    let same = |at: &u32| {
        symbol.unit.symbol(*at).is_some_and(|other| other.owner == symbol.owner && other.parent == symbol.parent)
    };
    let first = symbol.unit.symbols_named(&symbol.name).find(same).filter(|_| symbol.unit.dialect.types_apart);
    Place { symbol: first.unwrap_or(place.symbol), ..place }
}

fn overloads(place: Place, symbol: &Definition, reference: &Reference) -> Vec<Place> {
    let alike = |at: &u32| {
        symbol.unit.symbol(*at).is_some_and(|other| {
            other.owner == symbol.owner && other.kind == symbol.kind && other.parent == symbol.parent
        })
    };
    let all: Vec<u32> = symbol.unit.symbols_named(&symbol.name).filter(alike).collect();
    if all.len() < 2 || symbol.unit.dialect.no_overloads {
        return vec![place];
    }
    let takes = |at: &&u32| {
        reference.args.is_none_or(|args| symbol.unit.symbol(**at).is_some_and(|other| other.params == args))
    };
    let fitting: Vec<u32> = all.iter().filter(takes).copied().collect();
    let chosen = if fitting.is_empty() { all } else { fitting };
    chosen.into_iter().take(MOST_OVERLOADS).map(|symbol| Place { file: place.file, symbol }).collect()
}
