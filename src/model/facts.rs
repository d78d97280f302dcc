//! What a file says that resolving calls needs, as it is written: references, imports, bindings, scopes. Values only.
//! Read [`Facts`] first.

use serde::{Deserialize, Serialize};

use super::Span;

/// How a name is used at a call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceKind {
    Call,
    New,
    Macro,
    Decorator,
    Callback,
}

impl ReferenceKind {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::New => "new",
            Self::Macro => "macro",
            Self::Decorator => "decorator",
            Self::Callback => "callback",
        }
    }
}

/// One call expression, not yet resolved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reference {
    /// Byte offset of the called name.
    pub at: u32,
    pub line: u32,
    pub kind: ReferenceKind,
    pub callee: Box<str>,
    /// Receiver expression as written (`self.client`, `pkg`), `None` for a bare name.
    pub receiver: Option<Box<str>>,
    /// Enclosing definition, as an index into [`ParsedFile::symbols`]; `None` is top-level code.
    pub from: Option<u32>,
    /// Number of arguments where the grammar shows them.
    pub args: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImportKind {
    /// The module itself (`import a.b`, `require "x"`, `#include`).
    Module,
    /// One name of the module.
    Named,
    Default,
    /// All names under one (`* as ns`).
    Namespace,
    /// All names (`from x import *`, `use x::*`).
    Wildcard,
}

impl ImportKind {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Named => "named",
            Self::Default => "default",
            Self::Namespace => "namespace",
            Self::Wildcard => "wildcard",
        }
    }
}

/// One imported or re-exported name, not yet resolved to a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Import {
    pub at: u32,
    pub line: u32,
    pub kind: ImportKind,
    /// Module as written, without quotes.
    pub module: Box<str>,
    /// Name in the module; empty for [`ImportKind::Module`], [`ImportKind::Namespace`] and [`ImportKind::Wildcard`].
    pub name: Box<str>,
    /// Name it has in this file where that differs.
    pub alias: Option<Box<str>>,
    pub reexport: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BindingKind {
    Param,
    Local,
    Field,
    /// What a function returns where that is written down as an expression; it has no name.
    Return,
}

/// What a variable is known to be from its declaration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BindingSource {
    /// Declared type as written.
    Type(Box<str>),
    /// Called to make it (`Foo(…)`, `new Foo`, `make_foo()`).
    Ctor(Box<str>),
    /// Any other expression it was given.
    Value(Box<str>),
    /// Iterated over.
    Element(Box<str>),
    /// Called with a function of which it is the first parameter.
    Given(Box<str>),
    /// Declared without either: it shadows outer names.
    Unknown,
}

/// A variable, parameter or field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Binding {
    pub at: u32,
    pub kind: BindingKind,
    pub name: Box<str>,
    pub source: BindingSource,
    /// Enclosing definition, as an index into [`ParsedFile::symbols`].
    pub within: Option<u32>,
}

/// `sub` names `base` as a base, outside the definition itself (`impl Trait for Type`, extension conformance).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Inheritance {
    pub sub: Box<str>,
    pub base: Box<str>,
}

/// A lexical scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Scope {
    pub span: Span,
    /// A class body: its names are members, not variables of the code inside.
    pub class: bool,
}

/// Facts that resolution needs, stored raw with the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Package or namespace that the file declares, as written; empty where the language has none.
    pub package: Box<str>,
    pub refs: Vec<Reference>,
    pub imports: Vec<Import>,
    pub binds: Vec<Binding>,
    pub inherits: Vec<Inheritance>,
    pub scopes: Vec<Scope>,
}
