//! Resolved references: which definition a call means, and how sure that is. Values only; how they are found is `graph`'s matter.
//! Read [`Edge`] first.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh64::xxh64;

use super::{FileId, Symbol};

/// A symbol by its qualified name and its place among the symbols of the same name in its file. Other changes of the file keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolKey(pub u32);

/// A definition that an edge leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Target {
    pub file: FileId,
    pub key: SymbolKey,
}

/// What leads from one symbol to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    Call,
    New,
    Macro,
    Decorator,
    /// A function passed by name.
    Callback,
    /// A class names its base, a type the interface that it implements.
    Inherit,
}

impl EdgeKind {
    pub const ALL: [Self; 6] = [Self::Call, Self::New, Self::Macro, Self::Decorator, Self::Callback, Self::Inherit];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::New => "new",
            Self::Macro => "macro",
            Self::Decorator => "decorator",
            Self::Callback => "callback",
            Self::Inherit => "inherit",
        }
    }
}

/// The step of the ladder that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// A definition in the same file, by lexical scope.
    Local,
    /// An imported name.
    Import,
    /// An imported name that the imported file has from another one.
    Reexport,
    /// A member of the enclosing class, through `self` or without a receiver.
    #[serde(rename = "self")]
    SelfMember,
    /// A member that the enclosing class has from a base.
    Inherited,
    /// A member of the receiver's type.
    ReceiverType,
    /// A definition in the same package, namespace or folder.
    Package,
    /// The receiver is unknown, and one definition in the project has the name.
    UniqueName,
    /// An implementer of the interface member that the call names.
    Dispatch,
    /// Known names, but not which of them: an edge to nothing.
    Ambiguous,
    /// Defined outside the project: an edge to nothing.
    External,
}

impl Resolution {
    pub const ALL: [Self; 11] = [
        Self::Local,
        Self::Import,
        Self::Reexport,
        Self::SelfMember,
        Self::Inherited,
        Self::ReceiverType,
        Self::Package,
        Self::UniqueName,
        Self::Dispatch,
        Self::Ambiguous,
        Self::External,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Import => "import",
            Self::Reexport => "reexport",
            Self::SelfMember => "self",
            Self::Inherited => "inherited",
            Self::ReceiverType => "receiver_type",
            Self::Package => "package",
            Self::UniqueName => "unique_name",
            Self::Dispatch => "dispatch",
            Self::Ambiguous => "ambiguous",
            Self::External => "external",
        }
    }
}

/// One resolved reference of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edge {
    /// Line of the called name.
    pub line: u32,
    /// Which of the file's references it is; of [`EdgeKind::Inherit`], which of its symbols names the base.
    pub reference: u32,
    /// Enclosing symbol in the file; `None` is top-level code.
    pub from: Option<u32>,
    pub kind: EdgeKind,
    pub resolution: Resolution,
    /// Share of such edges that are right, in percent.
    pub confidence: u8,
    /// Definitions that came into question.
    pub candidates: u16,
    pub to: Option<Target>,
}

/// Keys of a file's symbols, by position.
#[must_use]
pub fn symbol_keys(symbols: &[Symbol]) -> Vec<SymbolKey> {
    let mut seen = rustc_hash::FxHashMap::<u32, u32>::default();
    let mut key = |symbol: &Symbol| {
        let hash = xxh64(symbol.qualified().as_bytes(), 0) as u32;
        let nth = seen.entry(hash).or_insert(0);
        *nth += 1;
        SymbolKey(hash.wrapping_add(*nth - 1))
    };
    symbols.iter().map(&mut key).collect()
}
