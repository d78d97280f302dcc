//! Members of a type: its own, those written elsewhere for it (impl blocks, receivers, extensions), those of its bases.
//! Read [`Resolver::class_member`] first.

use std::sync::Arc;

use super::code::{Code, Definition, Named, Place, Unit};
use super::modules::Module;
use super::names::{Asked, Want, dotted, is_inner, preferred};
use super::resolve::{Resolver, Spot};
use super::value::{Found, Value};
use crate::model::{Binding, BindingKind, ModuleStyle, PackageScope, ReferenceKind, Resolution, Symbol, SymbolKind};

/// Longest chain of bases that is followed.
const MOST_BASES: usize = 24;

/// Bases of one type that are looked at.
const MOST_ANCESTORS: usize = 500;

impl Resolver<'_> {
    /// A member of a value.
    pub(super) fn member(&self, spot: &Spot, value: &Value, name: &str, want: Want) -> Option<Found> {
        match value {
            Value::Instance(class, _) => self.class_member(*class, name),
            Value::Symbol(place) => self.static_member(*place, name),
            Value::Module(module) => self.module_member(spot, module, name, want),
            Value::Package(package) => {
                let full = format!("{package}.{name}");
                let place = self.by_full_name(&spot.unit, &full, Want::Value);
                Some(place.map_or(Found::new(Value::Package(full), Resolution::Package), |place| {
                    Found::symbol(place, Resolution::Package)
                }))
            }
            Value::Several(_) | Value::Outside(_) => Some(Found::outside()),
            Value::Unknown => None,
        }
    }

    /// Of a module that cannot be found, nothing is known: it may be generated.
    fn module_member(&self, spot: &Spot, module: &Module, name: &str, want: Want) -> Option<Found> {
        let found = self.exported(module, &spot.unit, name, Asked::new(want));
        let inner = || {
            let module = super::modules::submodule(self.layout, &self.lens, module, &spot.unit, name)?;
            Some(Found::new(Value::Module(module), Resolution::Import))
        };
        let step =
            |found: Found| if found.step == Resolution::Local { found.through(Resolution::Import) } else { found };
        found.map(step).or_else(inner)
    }

    /// `Class.member`, or a member of what a constant holds.
    fn static_member(&self, place: Place, name: &str) -> Option<Found> {
        if let Some(found) = self.class_member(place, name) {
            return Some(found);
        }
        let symbol = self.symbol(place)?;
        if symbol.kind == SymbolKind::Type {
            let behind = self.deeper(|| self.alias(place))??;
            let spot = Spot::outside(place.file, &symbol.unit, symbol.parent);
            return self.deeper(|| self.member(&spot, &behind, name, Want::Value))?;
        }
        if symbol.kind.is_container() || symbol.kind.is_callable() {
            return None;
        }
        let spot = Spot::outside(place.file, &symbol.unit, Some(place.symbol));
        let held = self.held_by(&spot, place).filter(|held| held.symbol() != Some(place))?;
        self.deeper(|| self.member(&spot, &held, name, Want::Value))?
    }

    /// A member of a type by name: its own before those of its bases.
    pub(super) fn class_member(&self, class: Place, name: &str) -> Option<Found> {
        let key = (class, name.to_owned());
        if let Some(known) = self.members.borrow().get(&key) {
            return known.clone();
        }
        // While it is looked for it is not there: a type can name itself in its bases.
        self.members.borrow_mut().insert(key.clone(), None);
        let found = self.find_member(class, name);
        self.members.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_member(&self, class: Place, name: &str) -> Option<Found> {
        let unit = self.lens.look(class.file, name)?;
        let symbol = unit.symbol(class.symbol)?;
        if let Some(found) = self.own_member(class, &unit, symbol, name) {
            return Some(found);
        }
        let inherited = self.ancestors(class).iter().find_map(|base| match base {
            Value::Instance(base, _) | Value::Symbol(base) => {
                let unit = self.lens.look(base.file, name)?;
                self.own_member(*base, &unit, unit.symbol(base.symbol)?, name)
            }
            Value::Module(module) => self.exported(module, &unit, name, Asked::new(Want::Value)),
            Value::Several(_) | Value::Package(_) | Value::Outside(_) | Value::Unknown => None,
        });
        inherited.map(|found| found.through(Resolution::Inherited))
    }

    /// All bases of a type in the order in which members are looked up: from left to right and upwards, one that several share
    /// behind the last of them. Where a hierarchy can be linearized by C3, that is the same order in all but rare cases.
    pub(super) fn ancestors(&self, class: Place) -> Arc<[Value]> {
        if let Some(known) = self.ancestors.borrow().get(&class) {
            return Arc::clone(known);
        }
        let mut all = Vec::new();
        self.climb(class, &mut vec![class], &mut all);
        let mut order: Vec<Value> = Vec::with_capacity(all.len());
        for value in all.into_iter().rev() {
            let shared = |known: &Value| known.class().is_some() && known.class() == value.class();
            if !order.iter().any(shared) {
                order.push(value);
            }
        }
        order.reverse();
        let order: Arc<[Value]> = order.into();
        self.ancestors.borrow_mut().insert(class, Arc::clone(&order));
        order
    }

    /// `below` are the types on the way up: one that names itself among its bases is not climbed again.
    fn climb(&self, class: Place, below: &mut Vec<Place>, all: &mut Vec<Value>) {
        let Some(symbol) = self.symbol(class).filter(|_| below.len() < MOST_BASES && all.len() < MOST_ANCESTORS) else {
            return;
        };
        for base in self.bases(class, &symbol.unit, &symbol).iter() {
            all.push(base.clone());
            if let Some(base) = base.class().filter(|base| !below.contains(base)) {
                below.push(base);
                self.climb(base, below, all);
                below.pop();
            }
        }
    }

    fn own_member(&self, class: Place, unit: &Arc<Unit>, symbol: &Symbol, name: &str) -> Option<Found> {
        let full = symbol.qualified();
        let local = |member: &Symbol| {
            member.kind != SymbolKind::Method
                && member.parent.and_then(|at| unit.symbol(at)).is_some_and(|parent| {
                    parent.kind.is_callable() || member.kind == SymbolKind::Function && !parent.kind.is_container()
                })
        };
        let own = |at: &u32| unit.symbol(*at).is_some_and(|member| *member.owner == *full && !local(member));
        let here = preferred(unit, unit.symbols_named(name).filter(own), Want::Value);
        if let Some(symbol) = here {
            return Some(Found::symbol(Place { file: class.file, symbol }, Resolution::SelfMember));
        }
        if unit.dialect.open_types
            && let Some(place) = self.elsewhere(class, unit, symbol, name)
        {
            return Some(Found::symbol(place, Resolution::SelfMember));
        }
        let field = field(class, unit, name)?;
        let spot = Spot::outside(class.file, unit, field.within.or(Some(class.symbol)));
        Some(Found::new(self.deeper(|| self.bound(&spot, field))?, Resolution::SelfMember))
    }

    /// A member that another file adds to the type.
    fn elsewhere(&self, class: Place, unit: &Unit, symbol: &Symbol, name: &str) -> Option<Place> {
        let all = self.lens.named(name);
        let family = unit.head().family();
        let alike =
            |named: &&Named| self.lens.glance(named.place.file, name).is_some_and(|head| head.family() == family);
        let others = all.iter().filter(|named| named.place.file != class.file);
        others.filter(alike).filter(|named| named.owned).map(|named| named.place).find(|place| {
            let Some(member) = self.symbol(*place) else { return false };
            if member.owner.rsplit(['.', ':']).next() != Some(&*symbol.name) {
                return false;
            }
            let other = Arc::clone(&member.unit);
            let owner = dotted(&member.owner);
            // Another part of the same type.
            if symbol.kind != SymbolKind::Module && in_package(&other, &owner) == qualified(unit, symbol) {
                return true;
            }
            if unit.dialect.scope == PackageScope::Directory {
                return other.path.dir() == unit.path.dir();
            }
            // A namespace, and a class that may be opened again, is one thing by its name.
            let by_name = symbol.kind == SymbolKind::Module || unit.dialect.scope == PackageScope::Project;
            if by_name && unit.dialect.modules == ModuleStyle::Include && owner == dotted(&symbol.qualified()) {
                return !is_inner(&other, &member);
            }
            let spot = Spot::outside(place.file, &other, member.parent);
            self.deeper(|| self.type_path(&spot, &owner)).flatten() == Some(class)
        })
    }

    /// Types that a type names as its bases, in order.
    pub(super) fn bases(&self, class: Place, unit: &Arc<Unit>, symbol: &Symbol) -> Arc<[Value]> {
        if let Some(known) = self.bases.borrow().get(&class) {
            return Arc::clone(known);
        }
        self.bases.borrow_mut().insert(class, Arc::new([]));
        let found = self.find_bases(class, unit, symbol);
        self.bases.borrow_mut().insert(class, Arc::clone(&found));
        found
    }

    fn find_bases(&self, class: Place, unit: &Arc<Unit>, symbol: &Symbol) -> Arc<[Value]> {
        let spot = Spot::outside(class.file, unit, symbol.parent);
        let given = unit
            .facts
            .inherits
            .iter()
            .filter(|inherit| *inherit.sub == *symbol.name || dotted(&inherit.sub) == symbol.qualified());
        let written = symbol.bases.iter().chain(given.map(|inherit| &inherit.base));
        let mut found = Vec::new();
        for base in written {
            let place = match self.deeper(|| self.typed(&spot, base)).unwrap_or(Value::Unknown) {
                Value::Instance(place, _) | Value::Symbol(place) => place,
                Value::Outside(_) | Value::Unknown if !symbol.kind.is_container() => {
                    let value = self.infer(&spot, &super::written::expression(base));
                    found.extend(matches!(value, Value::Module(_) | Value::Symbol(_)).then_some(value));
                    continue;
                }
                Value::Module(_) | Value::Several(_) | Value::Package(_) | Value::Outside(_) | Value::Unknown => {
                    continue;
                }
            };
            let known = |value: &Value| matches!(value, Value::Instance(known, _) if *known == place);
            if place != class && !found.iter().any(known) {
                found.push(Value::Instance(place, Vec::new()));
            }
        }
        found.into()
    }

    /// Whether a type or one of its bases names a base that is not in the project: a member that is not found may be that one's.
    pub(super) fn has_outside_base(&self, class: Place) -> bool {
        let open = |class: Place| {
            self.symbol(class).is_none_or(|symbol| self.bases(class, &symbol.unit, &symbol).len() < symbol.bases.len())
        };
        open(class) || self.ancestors(class).iter().any(|base| base.class().is_none_or(open))
    }

    /// The method of a base, or of what is mixed in, that the method around a place overrides.
    pub(super) fn overridden(&self, spot: &Spot) -> Option<Found> {
        let around = |at: Option<u32>| at.and_then(|at| spot.unit.symbol(at));
        let mut callers = std::iter::successors(around(spot.from), |symbol| around(symbol.parent));
        let method = callers.find(|symbol| symbol.kind.is_callable())?;
        let own = self.own_type(spot)?;
        let class = self.symbol(own)?;
        // What is mixed in last is asked first.
        self.bases(own, &class.unit, &class).iter().rev().find_map(|base| match base {
            Value::Instance(base, _) | Value::Symbol(base) => {
                self.class_member(*base, &method.name).map(|found| found.through(Resolution::Inherited))
            }
            Value::Module(_) | Value::Several(_) | Value::Package(_) | Value::Outside(_) | Value::Unknown => None,
        })
    }

    /// Types and namespaces around a place, from the inside out.
    pub(super) fn enclosing(&self, spot: &Spot) -> Vec<Place> {
        let unit = &spot.unit;
        let mut found = self.anonymous(spot);
        let mut next = spot.from;
        while let Some((at, symbol)) = next.and_then(|at| Some((at, unit.symbol(at)?))) {
            if symbol.kind.is_container() {
                found.push(Place { file: spot.file, symbol: at });
            }
            found.extend(self.written_owner(spot, symbol));
            next = symbol.parent;
        }
        found
    }

    /// Bases of the classes without a name around a place (`new T() { … }`), from the inside out.
    fn anonymous(&self, spot: &Spot) -> Vec<Place> {
        let Some(at) = spot.at.filter(|_| spot.unit.dialect.implicit_self) else { return Vec::new() };
        let facts = &spot.unit.facts;
        let around =
            facts.scopes.iter().rev().filter(|scope| scope.class && scope.span.start < at && at < scope.span.end);
        let nameless = around.filter(|scope| {
            !spot.unit.symbols.iter().any(|symbol| symbol.kind.is_container() && symbol.span.end == scope.span.end)
        });
        let made = nameless.filter_map(|scope| {
            let before = facts.refs.partition_point(|reference| reference.at < scope.span.start);
            let reference =
                facts.refs.get(..before)?.iter().rev().find(|reference| reference.kind == ReferenceKind::New)?;
            let outer = Spot { at: Some(reference.at), ..spot.clone() };
            match self.bare(&outer, &reference.callee, Want::Type)?.value {
                Value::Symbol(place) | Value::Instance(place, _) => Some(place),
                Value::Module(_) | Value::Several(_) | Value::Package(_) | Value::Outside(_) | Value::Unknown => None,
            }
        });
        made.collect()
    }

    /// The type that a member names as its own where it does not stand inside it (impl blocks, receivers, prototypes).
    fn written_owner(&self, spot: &Spot, symbol: &Symbol) -> Option<Place> {
        let parent = symbol.parent.and_then(|parent| spot.unit.symbol(parent));
        let around = parent.map(Symbol::qualified).unwrap_or_default();
        if symbol.owner.is_empty() || *symbol.owner == *around {
            return parent
                .filter(|parent| *symbol.owner == *around && !parent.kind.is_container() && !parent.kind.is_callable())
                .and(symbol.parent)
                .map(|symbol| Place { file: spot.file, symbol });
        }
        let outer = Spot::outside(spot.file, &spot.unit, symbol.parent);
        self.deeper(|| self.type_path(&outer, &dotted(&symbol.owner)))?
    }

    /// The type that a dotted path names.
    pub(super) fn type_path(&self, spot: &Spot, path: &str) -> Option<Place> {
        let mut parts = path.split('.');
        let first = parts.next()?;
        let mut found = self.bare(spot, first, Want::Type).or_else(|| self.bare(spot, first, Want::Value))?.value;
        for part in parts {
            found = self
                .member(spot, &found, part, Want::Type)
                .or_else(|| self.member(spot, &found, part, Want::Value))?
                .value;
        }
        match found {
            Value::Symbol(place) | Value::Instance(place, _) => Some(place),
            Value::Module(_) | Value::Several(_) | Value::Package(_) | Value::Outside(_) | Value::Unknown => None,
        }
    }

    /// The definition at a place, with its file.
    pub(super) fn symbol(&self, place: Place) -> Option<Definition> {
        self.lens.definition(place)
    }
}

/// Package, owner and name, dotted.
pub(super) fn qualified(unit: &Unit, symbol: &Symbol) -> String {
    let inner = dotted(&symbol.qualified());
    if symbol.kind == SymbolKind::Module && inner == dotted(&unit.facts.package) {
        inner
    } else {
        in_package(unit, &inner)
    }
}

/// A dotted name in the package of a file.
fn in_package(unit: &Unit, inner: &str) -> String {
    let package = dotted(&unit.facts.package);
    if package.is_empty() { inner.to_owned() } else { format!("{package}.{inner}") }
}

/// A field that is only assigned (`self.x = …`), or a declared one without a symbol.
fn field<'u>(class: Place, unit: &'u Arc<Unit>, name: &'u str) -> Option<&'u Binding> {
    let owner = unit.symbol(class.symbol)?.qualified();
    let inside = |bind: &&Binding| {
        bind.kind == BindingKind::Field
            && bind.within.is_some_and(|within| {
                within == class.symbol || unit.symbol(within).is_some_and(|holder| *holder.owner == *owner)
            })
    };
    unit.binds_named(name).filter(inside).max_by_key(|bind| super::infer::weight(&bind.source))
}
