//! Types as they are written -> values: by name, through aliases, out of containers that hold types of the project.
//! Read [`Resolver::typed`] first.

use super::code::Place;
use super::names::Want;
use super::resolve::{Resolver, Spot};
use super::value::{Found, Value};
use super::written::{Written, expression, written};
use crate::model::{Dialect, Resolution, SymbolKind};

impl Resolver<'_> {
    /// The value of a type's text: an object of it.
    pub(super) fn typed(&self, spot: &Spot, text: &str) -> Value {
        self.type_value(spot, &written(text))
    }

    pub(super) fn type_value(&self, spot: &Spot, written: &Written) -> Value {
        self.deeper(|| self.type_step(spot, written)).unwrap_or(Value::Unknown)
    }

    fn type_step(&self, spot: &Spot, written: &Written) -> Value {
        match written {
            Written::Named { path, args } => self.named_type(spot, path, args),
            Written::Any(all) => {
                let values = || all.iter().map(|one| self.type_value(spot, one));
                let known = values().find(|value| matches!(value, Value::Instance(..)));
                known
                    .or_else(|| values().find(|value| matches!(value, Value::Outside(args) if !args.is_empty())))
                    .or_else(|| values().next())
                    .unwrap_or(Value::Unknown)
            }
            Written::Container(all) => Value::Outside(all.iter().map(|one| self.type_value(spot, one)).collect()),
            Written::Tuple(all) => Value::Several(all.iter().map(|one| self.type_value(spot, one)).collect()),
            Written::TypeOf(name) => self.infer(spot, &expression(name)),
            Written::Unknown => Value::Unknown,
        }
    }

    fn named_type(&self, spot: &Spot, path: &[String], args: &[Written]) -> Value {
        let values = || args.iter().map(|one| self.type_value(spot, one)).collect::<Vec<_>>();
        if is_own(path) {
            return self.own_type(spot).map_or(Value::Unknown, |class| Value::Instance(class, Vec::new()));
        }
        let dialect = spot.unit.dialect;
        let Some((first, rest)) = path.split_first() else { return Value::Unknown };
        let own =
            dialect.self_names.iter().any(|own| own == first && first == "Self").then(|| self.own_type(spot)).flatten();
        let named = own.map(|class| Found::symbol(class, Resolution::SelfMember));
        let mut found = match named
            .or_else(|| self.bare(spot, first, Want::Type))
            .or_else(|| self.bare(spot, first, Want::Value))
        {
            Some(found) => found.value,
            None => self.first_of_path(spot, first),
        };
        for part in rest {
            let member =
                self.member(spot, &found, part, Want::Type).or_else(|| self.member(spot, &found, part, Want::Value));
            let Some(member) = member else {
                let names: Vec<&str> = path.iter().map(String::as_str).collect();
                return match self.by_path(spot, &names, Want::Type).map(|found| found.value) {
                    Some(Value::Symbol(place)) => Value::Instance(place, values()),
                    _ => container(dialect, path, values()),
                };
            };
            found = member.value;
        }
        match found {
            Value::Symbol(place) => match self.symbol(place).map(|symbol| symbol.kind) {
                Some(SymbolKind::Type) => self.alias(place).unwrap_or(Value::Instance(place, values())),
                Some(kind) if kind.is_container() => Value::Instance(place, values()),
                Some(_) => self.content(Value::Symbol(place)),
                None => Value::Unknown,
            },
            // The bound of a type parameter.
            Value::Instance(place, args) => Value::Instance(place, args),
            Value::Outside(_) | Value::Unknown | Value::Several(_) | Value::Package(_) | Value::Module(_) => {
                container(dialect, path, values())
            }
        }
    }

    /// What a type alias stands for: the type behind the `=` of its signature.
    pub(super) fn alias(&self, place: Place) -> Option<Value> {
        let symbol = self.symbol(place)?;
        if symbol.kind != SymbolKind::Type {
            return None;
        }
        // An associated type is known by its bound, which is no other one of them.
        let (target, from) = match symbol.signature.split_once('=') {
            Some((_, target)) => (target, symbol.parent),
            None => (symbol.signature.split_once(": ")?.1, None),
        };
        let spot = Spot::outside(place.file, &symbol.unit, from);
        let value = self.typed(&spot, target.trim().trim_end_matches(';'));
        let known = !matches!(value, Value::Unknown) && value.object() != Some(place);
        known.then_some(value)
    }
}

/// Words for the type around, in place of a type.
pub(super) fn is_own(path: &[String]) -> bool {
    matches!(path, [name] if matches!(name.as_str(), "Self" | "self" | "static" | "this" | "$this"))
}

/// A type of outside: what it holds can still be of the project.
fn container(dialect: &Dialect, path: &[String], args: Vec<Value>) -> Value {
    let name = path.last().map_or("", String::as_str);
    let transparent = dialect.transparent.iter().any(|listed| listed == name);
    match args.first() {
        Some(first) if transparent => first.clone(),
        _ => Value::Outside(args),
    }
}
