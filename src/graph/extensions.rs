//! Functions that stand outside of a type and are called like its members: C#'s `this` parameters, and what is imported by name to be
//! called on something from outside. Those that name their type as owner are members (`members`). Read [`Resolver::extension`] first.

use std::iter;

use super::code::{Definition, Place};
use super::names::dotted;
use super::resolve::{Resolver, Spot};
use super::value::{Found, Value};
use crate::model::{Resolution, SymbolKind};

impl Resolver<'_> {
    /// A function that is called on a value which has no such member.
    pub(super) fn extension(&self, spot: &Spot, value: &Value, name: &str) -> Option<Found> {
        match value {
            Value::Instance(class, _) => self.marked_extension(spot, *class, name),
            Value::Outside(_) | Value::Unknown => self.imported_extension(spot, name),
            Value::Symbol(_) | Value::Module(_) | Value::Several(_) | Value::Package(_) => None,
        }
    }

    /// Whether some function of that name is called on things from outside.
    pub(super) fn may_be_extension(&self, spot: &Spot, name: &str) -> bool {
        let added = |place: &Place| {
            self.symbol(*place)
                .is_some_and(|symbol| is_marked(&symbol) || is_loose(&symbol) && !self.has_owner(*place, &symbol))
        };
        spot.unit.dialect.has_extensions() && self.candidates(&spot.unit, name).iter().any(added)
    }

    /// A function whose first parameter is marked as what it is called on: that of the nearest type counts.
    fn marked_extension(&self, spot: &Spot, class: Place, name: &str) -> Option<Found> {
        if spot.unit.dialect.extension_mark.is_empty() {
            return None;
        }
        let receivers: Vec<(Place, Place)> = self
            .candidates(&spot.unit, name)
            .into_iter()
            .filter_map(|place| Some((place, self.marked_receiver(&self.symbol(place)?, place)?)))
            .collect();
        let of = |class: &Place| receivers.iter().find(|(_, receiver)| receiver == class).map(|(place, _)| *place);
        let bases = self.ancestors(class);
        let mut types = iter::once(class).chain(bases.iter().filter_map(Value::class));
        types.find_map(|class| of(&class)).map(|place| Found::symbol(place, Resolution::ReceiverType))
    }

    /// Type of the first parameter, where that is what the function is called on.
    fn marked_receiver(&self, symbol: &Definition, place: Place) -> Option<Place> {
        let mark = &symbol.unit.dialect.extension_mark;
        let (_, params) = symbol.signature.split_once(mark.as_str()).filter(|_| !mark.is_empty())?;
        let (written, _name) = params.split([',', ')']).next()?.rsplit_once(' ')?;
        let spot = Spot::outside(place.file, &symbol.unit, Some(place.symbol));
        self.deeper(|| self.typed(&spot, written))?.object()
    }

    /// A function for a type from outside that the file imports by name.
    fn imported_extension(&self, spot: &Spot, name: &str) -> Option<Found> {
        let import = spot.unit.imports_named(name).find(|import| !import.name.is_empty())?;
        let package = dotted(&import.module);
        let all: Vec<Place> = self.candidates(&spot.unit, &import.name);
        let mut fitting = all.into_iter().filter(|place| {
            self.symbol(*place).is_some_and(|symbol| is_loose(&symbol) && dotted(&symbol.unit.facts.package) == package)
        });
        let only = fitting.next().filter(|_| fitting.next().is_none())?;
        Some(Found::symbol(only, Resolution::Import))
    }

    /// Whether the type that a member names as its owner is in the project.
    fn has_owner(&self, place: Place, symbol: &Definition) -> bool {
        let spot = Spot::outside(place.file, &symbol.unit, symbol.parent);
        self.deeper(|| self.type_path(&spot, &dotted(&symbol.owner))).flatten().is_some()
    }
}

fn is_marked(symbol: &Definition) -> bool {
    let mark = &symbol.unit.dialect.extension_mark;
    !mark.is_empty() && symbol.signature.contains(mark.as_str())
}

/// A method that stands outside of its type.
fn is_loose(symbol: &Definition) -> bool {
    symbol.kind == SymbolKind::Method && symbol.parent.is_none() && !symbol.owner.is_empty()
}
