//! What a name or an expression stands for while references are resolved. Data only. Read [`Value`] first.

use super::code::Place;
use super::modules::Module;
use crate::model::Resolution;

/// What is known of an expression without running it.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// An object of a type of the project, with the type's arguments.
    Instance(Place, Vec<Value>),
    /// A definition itself: a class, a function, a constant.
    Symbol(Place),
    Module(Module),
    /// Several results of one call.
    Several(Vec<Value>),
    /// A package or namespace by its dotted name.
    Package(String),
    /// Something defined outside the project, with the arguments of its type.
    Outside(Vec<Value>),
    Unknown,
}

impl Value {
    /// The definition that the value is.
    pub(super) const fn symbol(&self) -> Option<Place> {
        match self {
            Self::Symbol(place) => Some(*place),
            Self::Instance(..)
            | Self::Module(_)
            | Self::Several(_)
            | Self::Package(_)
            | Self::Outside(_)
            | Self::Unknown => None,
        }
    }

    /// The type that the value is, or is an object of.
    pub(super) const fn class(&self) -> Option<Place> {
        match self {
            Self::Symbol(place) | Self::Instance(place, _) => Some(*place),
            Self::Module(_) | Self::Several(_) | Self::Package(_) | Self::Outside(_) | Self::Unknown => None,
        }
    }

    /// The type that the value is an object of.
    pub(super) const fn object(&self) -> Option<Place> {
        match self {
            Self::Instance(place, _) => Some(*place),
            Self::Symbol(_)
            | Self::Module(_)
            | Self::Several(_)
            | Self::Package(_)
            | Self::Outside(_)
            | Self::Unknown => None,
        }
    }
}

/// A value and the step of the ladder that gave it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) value: Value,
    pub(super) step: Resolution,
}

impl Found {
    pub(super) const fn new(value: Value, step: Resolution) -> Self {
        Self { value, step }
    }

    pub(super) const fn outside() -> Self {
        Self { value: Value::Outside(Vec::new()), step: Resolution::External }
    }

    pub(super) const fn symbol(place: Place, step: Resolution) -> Self {
        Self { value: Value::Symbol(place), step }
    }

    /// The same from further away: an import of what the module has by an import itself.
    pub(super) fn through(self, step: Resolution) -> Self {
        let step = if self.step == Resolution::External || matches!(self.value, Value::Outside(_)) {
            Resolution::External
        } else {
            step
        };
        Self { step, ..self }
    }
}
