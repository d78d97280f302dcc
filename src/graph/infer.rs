//! What an expression is: receiver types from annotations, constructors, fields, return types and chains of them. What is not
//! written down stays unknown. Read [`Resolver::infer`] first.

use super::code::{Place, Unit};
use super::names::Want;
use super::resolve::{Resolver, Spot};
use super::scopes::Declared;
use super::typed::is_own;
use super::value::{Found, Value};
use super::written::{Expr, Written, callback_parameter, expression, written};
use crate::model::{Binding, BindingKind, BindingSource, Symbol, SymbolKind};

impl Resolver<'_> {
    /// The value of an expression as seen from a place.
    pub(super) fn infer(&self, spot: &Spot, expr: &Expr) -> Value {
        self.deeper(|| self.infer_step(spot, expr)).unwrap_or(Value::Unknown)
    }

    fn infer_step(&self, spot: &Spot, expr: &Expr) -> Value {
        match expr {
            Expr::Name(name) => self.name_value(spot, name),
            Expr::Scope(name) => self.scope_value(spot, name),
            Expr::Member(object, name) => {
                let object = self.infer(spot, object);
                if let Value::Outside(args) = &object {
                    return outside_member(spot, args, name).unwrap_or(Value::Outside(Vec::new()));
                }
                let path = || self.by_path(spot, &expr.path()?, Want::Type);
                let found = self.member(spot, &object, name, Want::Value).or_else(path);
                self.member_value(spot, object, found, name)
            }
            Expr::Call(callee) => {
                let own = matches!(&**callee, Expr::Name(name) if is_own_type(spot, name));
                let own = own.then(|| self.own_type(spot).map_or(Value::Unknown, Value::Symbol));
                own.unwrap_or_else(|| self.called(spot, callee))
            }
            Expr::New(made) | Expr::Cast(made) => self.type_value(spot, made),
            Expr::Index(object) => self.element(self.infer(spot, object)),
            Expr::Inner(object) => inner(self.infer(spot, object)),
            Expr::Literal => Value::Outside(Vec::new()),
            Expr::Unknown => Value::Unknown,
        }
    }

    fn name_value(&self, spot: &Spot, name: &str) -> Value {
        let dialect = spot.unit.dialect;
        if dialect.self_names.iter().any(|own| own == name) {
            if let Some(value) = self.declared_self(spot, name) {
                return value;
            }
            return self.own_type(spot).map_or(Value::Unknown, |class| Value::Instance(class, Vec::new()));
        }
        if dialect.super_names.iter().any(|base| base == name) {
            return self.base_type(spot);
        }
        match self.bare(spot, name, Want::Value) {
            Some(found) if self.is_plain_call(spot, &found) => self.result(found, None),
            Some(found) => self.content(found.value),
            None => self.first_of_path(spot, name),
        }
    }

    fn member_value(&self, spot: &Spot, object: Value, found: Option<Found>, name: &str) -> Value {
        match (found, object) {
            (Some(found), object) if self.is_plain_call(spot, &found) => self.result(found, Some(&object)),
            (Some(found), _) => self.content(found.value),
            (None, Value::Instance(class, _))
                if spot.unit.dialect.class_members.iter().any(|listed| listed == name) =>
            {
                Value::Symbol(class)
            }
            (None, _) => Value::Unknown,
        }
    }

    /// A method's name alone calls it where attributes are methods as well.
    fn is_plain_call(&self, spot: &Spot, found: &Found) -> bool {
        let Value::Symbol(place) = found.value else { return false };
        spot.unit.dialect.attributes_are_methods && self.symbol(place).is_some_and(|symbol| symbol.kind.is_callable())
    }

    /// A name before `::`.
    fn scope_value(&self, spot: &Spot, name: &str) -> Value {
        let root = matches!(name, "crate" | "self" | "super").then(|| self.path_root(spot, name)).flatten();
        let typed = || self.bare(spot, name, Want::Type).map(|found| found.value);
        let own = || spot.unit.dialect.self_names.iter().chain(&spot.unit.dialect.super_names).any(|own| own == name);
        match root {
            Some(value) => value,
            None if own() => self.name_value(spot, name),
            None => typed().or_else(|| self.path_root(spot, name)).unwrap_or_else(|| self.name_value(spot, name)),
        }
    }

    /// A type that the parameter `this` is given.
    fn declared_self(&self, spot: &Spot, name: &str) -> Option<Value> {
        let Declared::Bind(bind) = self.scopes().find(self.own(), name, spot.at?, Want::Value)? else { return None };
        let bind = spot.unit.facts.binds.get(bind as usize)?;
        matches!(bind.source, BindingSource::Type(_)).then(|| self.bound(spot, bind))
    }

    /// The first part of a path that begins with a module or package instead of a name of the file.
    pub(super) fn first_of_path(&self, spot: &Spot, name: &str) -> Value {
        self.path_root(spot, name).unwrap_or(Value::Unknown)
    }

    /// The type around a place, past functions inside its methods.
    pub(super) fn own_type(&self, spot: &Spot) -> Option<Place> {
        let kind = |place: &Place| self.symbol(*place).map(|symbol| symbol.kind);
        self.enclosing(spot)
            .into_iter()
            .find(|place| spot.unit.dialect.mixins || kind(place) != Some(SymbolKind::Module))
    }

    /// What `super` is: the first base, in which the others are looked up as well.
    fn base_type(&self, spot: &Spot) -> Value {
        let Some(own) = self.own_type(spot) else { return Value::Unknown };
        let Some(symbol) = self.symbol(own) else { return Value::Unknown };
        match self.bases(own, &symbol.unit, &symbol).first() {
            Some(base) => base.clone(),
            None if symbol.bases.is_empty() => Value::Unknown,
            None => Value::Outside(Vec::new()),
        }
    }

    /// What a constant or field holds, instead of its definition.
    pub(super) fn content(&self, value: Value) -> Value {
        let Value::Symbol(place) = value else { return value };
        let Some(symbol) = self.symbol(place) else { return value };
        if !matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable) {
            return value;
        }
        if let Some(known) = self.contents.borrow().get(&place) {
            return known.clone();
        }
        self.contents.borrow_mut().insert(place, Value::Unknown);
        let spot = Spot::outside(place.file, &symbol.unit, Some(place.symbol));
        let held = self.held_by(&spot, place).unwrap_or(value);
        self.contents.borrow_mut().insert(place, held.clone());
        held
    }

    /// What the binding of a constant, variable or field says it holds.
    pub(super) fn held_by(&self, spot: &Spot, place: Place) -> Option<Value> {
        let unit = &spot.unit;
        let symbol = unit.symbol(place.symbol)?;
        if let Some(returns) = &symbol.returns {
            return Some(self.deeper(|| self.typed(spot, returns)).unwrap_or(Value::Unknown));
        }
        let enum_constant = symbol.kind == SymbolKind::Constant
            && symbol
                .parent
                .and_then(|parent| unit.symbol(parent))
                .is_some_and(|parent| parent.kind == SymbolKind::Enum);
        if enum_constant {
            return symbol.parent.map(|parent| Value::Instance(Place { file: place.file, symbol: parent }, Vec::new()));
        }
        let here = |bind: &&Binding| {
            bind.kind != BindingKind::Param
                && (bind.within == Some(place.symbol) || bind.within == symbol.parent)
                && symbol.span.start <= bind.at
                && bind.at < symbol.span.end
                || bind.kind == BindingKind::Field && assigned_to(unit, bind, symbol)
        };
        let attribute = if unit.dialect.attributes_are_methods { format!("@{}", symbol.name) } else { String::new() };
        let assigned = unit.binds_named(&attribute).filter(|bind| assigned_to(unit, bind, symbol));
        let binds = unit.binds_named(&symbol.name).filter(here).chain(assigned);
        let bind = binds.max_by_key(|bind| weight(&bind.source))?;
        if bind.source == BindingSource::Unknown {
            return None;
        }
        let spot = Spot { from: bind.within, ..spot.clone() };
        self.deeper(|| self.bound(&spot, bind))
    }

    /// What a binding holds.
    pub(super) fn bound(&self, spot: &Spot, bind: &Binding) -> Value {
        let value = self.deeper(|| match &bind.source {
            BindingSource::Type(text) => self.typed(spot, text),
            BindingSource::Ctor(text) => match self.made_of(spot, text) {
                Some(made) => made,
                None => first(self.called(&before(spot, bind), &expression(text))),
            },
            BindingSource::Value(text) => self.infer(&before(spot, bind), &expression(text)),
            BindingSource::Element(text) => self.element(self.infer(&before(spot, bind), &expression(text))),
            BindingSource::Given(text) => self.given(&before(spot, bind), text),
            BindingSource::Unknown => Value::Unknown,
        });
        value.unwrap_or(Value::Unknown)
    }

    /// What a function of outside makes of the type that it is given (`make_unique<T>()`).
    fn made_of(&self, spot: &Spot, text: &str) -> Option<Value> {
        let Written::Named { path, args } = written(text) else { return None };
        let listed = path.last().is_some_and(|name| spot.unit.dialect.transparent.iter().any(|listed| listed == name));
        let made = args.first().filter(|_| listed)?;
        Some(self.type_value(spot, made))
    }

    /// The first parameter of the one function that a function takes, by its signature.
    fn given(&self, spot: &Spot, callee: &str) -> Value {
        let found = match expression(callee) {
            Expr::Name(name) => self.bare(spot, &name, Want::Call),
            Expr::Member(object, name) => {
                let object = self.infer(spot, &object);
                self.member(spot, &object, &name, Want::Call)
            }
            Expr::Scope(_)
            | Expr::Call(_)
            | Expr::New(_)
            | Expr::Cast(_)
            | Expr::Index(_)
            | Expr::Inner(_)
            | Expr::Literal
            | Expr::Unknown => None,
        };
        let Some(place) = found.and_then(|found| found.value.symbol()) else { return Value::Unknown };
        let Some(symbol) = self.symbol(place) else { return Value::Unknown };
        let spot = Spot::outside(place.file, &symbol.unit, Some(place.symbol));
        callback_parameter(&symbol.signature).map_or(Value::Unknown, |written| self.type_value(&spot, &written))
    }

    /// What a call gives.
    fn called(&self, spot: &Spot, callee: &Expr) -> Value {
        let found = match callee {
            Expr::Name(name) => {
                let dialect = spot.unit.dialect;
                if dialect.super_names.iter().any(|base| base == name) {
                    return self.base_type(spot);
                }
                let found = self.bare(spot, name, Want::Call);
                if found.is_none() && dialect.constructors.iter().any(|constructor| constructor == name) {
                    return self.own_type(spot).map_or(Value::Unknown, |class| Value::Instance(class, Vec::new()));
                }
                found
            }
            Expr::Member(object, name) => {
                let object = self.infer(spot, object);
                if let Value::Outside(args) = &object {
                    return outside_member(spot, args, name).unwrap_or_else(|| Value::Outside(args.clone()));
                }
                let found =
                    self.member(spot, &object, name, Want::Call).or_else(|| self.extension(spot, &object, name));
                if found.is_none() && spot.unit.dialect.constructors.iter().any(|constructor| constructor == name) {
                    return instance(object);
                }
                return found.map_or(Value::Unknown, |found| self.result(found, Some(&object)));
            }
            Expr::New(made) | Expr::Cast(made) => return self.type_value(spot, made),
            Expr::Scope(_) | Expr::Call(_) | Expr::Index(_) | Expr::Inner(_) | Expr::Literal | Expr::Unknown => {
                return self.infer(spot, callee);
            }
        };
        found.map_or(Value::Unknown, |found| self.result(found, None))
    }

    /// What calling a definition gives: an object of a class, else what the function says it returns.
    fn result(&self, found: Found, receiver: Option<&Value>) -> Value {
        let place = match found.value {
            Value::Symbol(place) => place,
            Value::Outside(args) => return Value::Outside(args),
            Value::Package(_) => return Value::Outside(Vec::new()),
            Value::Instance(..) | Value::Module(_) | Value::Several(_) | Value::Unknown => return Value::Unknown,
        };
        let Some(symbol) = self.symbol(place) else { return Value::Unknown };
        let unit = &symbol.unit;
        match symbol.kind {
            SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Type => self.alias(place).unwrap_or(Value::Instance(place, Vec::new())),
            SymbolKind::Constant | SymbolKind::Variable => {
                let held = self.content(Value::Symbol(place));
                let itself = held.symbol() == Some(place);
                let called = || self.deeper(|| self.result(Found::new(held, found.step), receiver));
                if itself { Value::Unknown } else { called().unwrap_or(Value::Unknown) }
            }
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro => {
                let constructor = unit.dialect.constructors.iter().any(|name| **name == *symbol.name);
                match (&symbol.returns, receiver) {
                    (Some(returns), receiver) => self.returned(place, unit, returns, receiver),
                    (None, Some(receiver)) if constructor => instance(receiver.clone()),
                    (None, receiver) => self.given_back(place, unit, receiver),
                }
            }
            SymbolKind::Module | SymbolKind::Section => Value::Unknown,
        }
    }

    /// What a function without a declared type returns, if all its returns that are written down agree.
    fn given_back(&self, place: Place, unit: &std::sync::Arc<Unit>, receiver: Option<&Value>) -> Value {
        let mut returns =
            unit.binds_named("").filter(|bind| bind.kind == BindingKind::Return && bind.within == Some(place.symbol));
        let Some(only) = returns.next() else { return Value::Unknown };
        if returns.any(|other| other.source != only.source) {
            return Value::Unknown;
        }
        let own = match &only.source {
            BindingSource::Value(text) | BindingSource::Ctor(text) => {
                unit.dialect.self_names.iter().any(|own| **own == **text)
            }
            BindingSource::Type(_) | BindingSource::Element(_) | BindingSource::Given(_) | BindingSource::Unknown => {
                false
            }
        };
        match receiver {
            Some(Value::Instance(..)) if own => receiver.cloned().unwrap_or(Value::Unknown),
            Some(Value::Symbol(class)) if own => Value::Instance(*class, Vec::new()),
            _ => {
                let spot = Spot::outside(place.file, unit, Some(place.symbol));
                self.deeper(|| self.bound(&spot, only)).unwrap_or(Value::Unknown)
            }
        }
    }

    fn returned(&self, place: Place, unit: &std::sync::Arc<Unit>, returns: &str, receiver: Option<&Value>) -> Value {
        let spot = Spot::outside(place.file, unit, Some(place.symbol));
        let is_own = |written: &Written| matches!(written, Written::Named { path, .. } if is_own(path));
        let replaced = |written: &Written| match receiver {
            Some(Value::Instance(class, args)) => Value::Instance(*class, args.clone()),
            Some(Value::Symbol(class)) => Value::Instance(*class, Vec::new()),
            _ => self.type_value(&spot, written),
        };
        let parsed = written(returns);
        match &parsed {
            written if is_own(written) => replaced(written),
            // `Result<Self, E>` and its like.
            Written::Named { args, .. } if args.first().is_some_and(is_own) => {
                let mut value = self.type_value(&spot, &parsed);
                if let (Value::Outside(values), Some(written)) = (&mut value, args.first())
                    && let Some(first) = values.first_mut()
                {
                    *first = replaced(written);
                }
                value
            }
            Written::Named { .. }
            | Written::Any(_)
            | Written::Container(_)
            | Written::Tuple(_)
            | Written::TypeOf(_)
            | Written::Unknown => self.type_value(&spot, &parsed),
        }
    }

    /// What iterating over a value gives: the last argument of its type, which is the value of a map, or what it says it iterates over.
    fn element(&self, value: Value) -> Value {
        match value {
            Value::Instance(class, args) => {
                let item = self.class_member(class, "Item").and_then(|found| self.alias(found.value.symbol()?));
                item.or_else(|| args.last().cloned()).unwrap_or(Value::Unknown)
            }
            Value::Outside(args) => args.last().cloned().unwrap_or(Value::Unknown),
            Value::Symbol(_) | Value::Module(_) | Value::Several(_) | Value::Package(_) | Value::Unknown => {
                Value::Unknown
            }
        }
    }
}

/// How much a binding says.
pub(super) fn weight(source: &BindingSource) -> u8 {
    match source {
        BindingSource::Type(_) => 4,
        BindingSource::Ctor(_) => 3,
        BindingSource::Value(_) => 2,
        BindingSource::Element(_) | BindingSource::Given(_) => 1,
        BindingSource::Unknown => 0,
    }
}

/// A local's own declaration is not what its value means (`x = x.y()`).
fn before(spot: &Spot, bind: &Binding) -> Spot {
    Spot { at: spot.at.map(|_| bind.at), ..spot.clone() }
}

fn instance(value: Value) -> Value {
    value.symbol().map_or(value, |class| Value::Instance(class, Vec::new()))
}

/// What is inside an option, a result or a promise; of anything else the value itself.
fn inner(value: Value) -> Value {
    if let Value::Outside(args) = value { args.into_iter().next().unwrap_or(Value::Outside(Vec::new())) } else { value }
}

/// Of several results, the first is what the first name is bound to.
fn first(value: Value) -> Value {
    if let Value::Several(all) = value { all.into_iter().next().unwrap_or(Value::Unknown) } else { value }
}

/// `self.x = …` in a method of the type that declares the field.
fn assigned_to(unit: &Unit, bind: &Binding, field: &Symbol) -> bool {
    bind.within
        .and_then(|within| unit.symbol(within))
        .is_some_and(|holder| holder.owner == field.owner && !field.owner.is_empty())
}

/// What a member takes out of a thing from outside; `None` where the language does not say that it takes anything out.
fn outside_member(spot: &Spot, args: &[Value], name: &str) -> Option<Value> {
    let listed = |names: &[String]| names.iter().any(|method| method == name);
    if listed(&spot.unit.dialect.reshaping) {
        return Some(Value::Unknown);
    }
    listed(&spot.unit.dialect.unwrapping).then(|| args.first().cloned().unwrap_or(Value::Outside(Vec::new())))
}

/// A built-in function that gives the type around it (`@This()`).
fn is_own_type(spot: &Spot, name: &str) -> bool {
    spot.unit.dialect.self_names.iter().any(|own| own.strip_suffix("()") == Some(name))
}
