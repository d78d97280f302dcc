//! What an initial value says of a variable: made by a call, another name, or nothing that helps. Which node kinds are which stands
//! in `language.toml`, because a query that spells out each form costs more to compile than to run. Read [`Values`] first.

use std::collections::BTreeMap;

use super::query::Role;
use super::tree::Node;
use serde::Deserialize;

/// Node kinds of values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Values {
    /// Looked through, to their last child (`await x`, `&x`, `x?`).
    pub(super) wrappers: Vec<String>,
    /// Looked through, to their first child (`x catch y`).
    pub(super) heads: Vec<String>,
    /// Calls and literals of a type -> field of what is called or made; empty for the first child.
    pub(super) ctors: BTreeMap<String, String>,
    /// Written in place of a type when the value decides (`auto`).
    pub(super) inferred: Vec<String>,
    /// Names and member accesses.
    pub(super) names: Vec<String>,
}

/// The telling part of a value and its role; `None` when it says nothing.
pub(super) fn telling_part<'t>(value: Node<'t>, values: &Values) -> Option<(Role, Node<'t>)> {
    let mut node = value;
    loop {
        let kind = node.kind();
        let is_one_of = |kinds: &[String]| kinds.iter().any(|listed| listed == kind);
        if is_one_of(&values.wrappers) {
            node = node.named_children().last()?;
        } else if is_one_of(&values.heads) {
            node = node.named_children().next()?;
        } else if let Some(field) = values.ctors.get(kind) {
            let made = if field.is_empty() { node.named_children().next() } else { node.child_by_field(field) };
            return made.map(|made| (Role::BindCtor, made));
        } else {
            return is_one_of(&values.names).then_some((Role::BindValue, node));
        }
    }
}
