//! The nouns every room shares. Values and constructors only: no disk, no SQL, no parsing.
//! Read [`ParsedFile`] first: it is what the parser makes of a file and what the index stores.

mod context;
mod dialect;
mod edge;
mod facts;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use context::{Block, Budget, Context, Fact, Lane, LeftOut, LeftOutBy, Packed, PackedBlock, Part, Prompt, Route};
pub use dialect::{Dialect, ModuleStyle, PackageScope};
pub use edge::{Edge, EdgeKind, Resolution, SymbolKey, Target, symbol_keys};
pub use facts::{
    Binding, BindingKind, BindingSource, Facts, Import, ImportKind, Inheritance, Reference, ReferenceKind, Scope,
};

/// Path relative to the project root, `/`-separated on every system; the only form that is stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RelPath(Box<str>);

impl RelPath {
    /// `path` with backslashes as separators on Windows turned into `/`.
    #[must_use]
    pub fn new(path: &str) -> Self {
        if cfg!(windows) { Self(path.replace('\\', "/").into()) } else { Self(path.into()) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Last component.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Folder part without a trailing slash; empty at the root.
    #[must_use]
    pub fn dir(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(dir, _)| dir)
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// xxHash64 of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContentHash(pub u64);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Name of a language as its folder under `grammars/` has it, or of a plain-text form (`markdown`, `text`, …).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lang(pub &'static str);

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Row number of a file in the code store. A changed file keeps its id; a deleted one frees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A file as it was read: the input of the parser.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub path: RelPath,
    pub lang: Lang,
    pub text: String,
    pub hash: ContentHash,
}

/// Half-open byte range in a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// Lines of a file, 1-based and inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lines {
    pub start: u32,
    pub end: u32,
}

impl Lines {
    #[must_use]
    pub const fn count(self) -> u32 {
        self.end.saturating_sub(self.start) + 1
    }
}

/// What a definition is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    Function,
    Method,
    Class,
    Interface,
    Struct,
    Enum,
    Trait,
    Type,
    Constant,
    Variable,
    Macro,
    Module,
    Section,
}

impl SymbolKind {
    pub const ALL: [Self; 13] = [
        Self::Function,
        Self::Method,
        Self::Class,
        Self::Interface,
        Self::Struct,
        Self::Enum,
        Self::Trait,
        Self::Type,
        Self::Constant,
        Self::Variable,
        Self::Macro,
        Self::Module,
        Self::Section,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Trait => "trait",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Macro => "macro",
            Self::Module => "module",
            Self::Section => "section",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Holds members of its own: its chunk is a header that leaves their bodies out.
    #[must_use]
    pub const fn is_container(self) -> bool {
        match self {
            Self::Class | Self::Interface | Self::Struct | Self::Enum | Self::Trait | Self::Module => true,
            Self::Function
            | Self::Method
            | Self::Type
            | Self::Constant
            | Self::Variable
            | Self::Macro
            | Self::Section => false,
        }
    }

    #[must_use]
    pub const fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Macro)
    }
}

/// A definition. `owner` is the qualified name of what it belongs to (`Outer.Inner`, an impl's type, a receiver), empty at top level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Symbol {
    pub kind: SymbolKind,
    pub name: Box<str>,
    pub owner: Box<str>,
    /// Definition that lexically encloses this one, as an index into [`ParsedFile::symbols`].
    pub parent: Option<u32>,
    pub span: Span,
    pub lines: Lines,
    /// Line of the declared name.
    pub name_line: u32,
    /// From the first line of the definition to the opening of its body, white space folded.
    pub signature: Box<str>,
    /// Comment before it or first string of its body, as written.
    pub doc: Vec<Span>,
    pub returns: Option<Box<str>>,
    pub bases: Vec<Box<str>>,
    /// Declared parameters, `self` among them where it is one; as far as the grammar shows them.
    pub params: u8,
    /// Has a body; a declaration without one is defined elsewhere, or by whoever implements it.
    pub body: bool,
    pub exported: bool,
    pub test: bool,
}

impl Symbol {
    /// `Owner.name`, or `name` at top level.
    #[must_use]
    pub fn qualified(&self) -> String {
        if self.owner.is_empty() { self.name.to_string() } else { format!("{}.{}", self.owner, self.name) }
    }
}

/// The unit of search: a definition with its comments, the header of a container, a piece of a long definition, or a stretch of a file that no definition owns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// What it is a piece of, as an index into [`ParsedFile::symbols`].
    pub symbol: Option<u32>,
    /// Piece number of a long definition, from 0.
    pub piece: u16,
    pub lines: Lines,
    /// Text: more than one span where inner definitions have been left out.
    pub spans: Vec<Span>,
    /// Names declared inside it that have no chunk of their own, with a bit whether at top level.
    pub declares: Vec<(Box<str>, bool)>,
}

/// What went wrong in parsing; the rest of the file is indexed all the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problems {
    /// Syntax error nodes.
    pub errors: u32,
    /// The parser gave up (time or nesting); the file was cut into windows.
    pub gave_up: bool,
}

/// What the parser makes of a file.
#[derive(Debug, Clone)]
pub struct ParsedFile {
    pub path: RelPath,
    pub lang: Lang,
    pub hash: ContentHash,
    pub line_count: u32,
    /// By position; a parent stands before its children.
    pub symbols: Vec<Symbol>,
    pub chunks: Vec<Chunk>,
    pub facts: Facts,
    /// Comments and docstrings, sorted, disjoint.
    pub docs: Vec<Span>,
    /// Import statements, sorted, disjoint.
    pub import_spans: Vec<Span>,
    /// Made by a program, by what its head says.
    pub generated: bool,
    pub problems: Problems,
}

/// What the file system says of a file without reading it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stat {
    pub size: u64,
    pub mtime_ns: i64,
    pub ctime_ns: i64,
    pub inode: u64,
}

/// A file the index holds, as it was when it was hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile {
    pub id: FileId,
    pub hash: ContentHash,
    pub stat: Stat,
    /// Clock at the time of hashing, nanoseconds since 1970. A younger or equal mtime proves nothing.
    pub hashed_at_ns: i64,
}

/// Why a file is not in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SkipReason {
    /// Holds NUL bytes or an encoding that is not text.
    Binary,
    Empty,
    /// Over the size limit and of a kind that is not source.
    TooLarge,
    /// No language and no plain-text form is known for it.
    UnknownType,
    /// Minified, a source map or another product of a build.
    Minified,
    /// A lock file.
    LockFile,
    /// Translations, tables and other data.
    Data,
    /// May hold secrets (`.env`, private keys).
    Secret,
    /// A folder of dependencies, build products or caches, or a second work tree of the same repository. Counts as one.
    ExcludedFolder,
    /// A symbolic link to something inside the root, which is found under its own name.
    Symlink,
    /// A symbolic link that leaves the root, leads nowhere, or a loop.
    SymlinkOutside,
    /// Neither file nor folder (socket, pipe, device).
    SpecialFile,
    Unreadable,
    /// A name that is not valid Unicode.
    NonUnicodePath,
}

impl SkipReason {
    pub const ALL: [Self; 14] = [
        Self::Binary,
        Self::Empty,
        Self::TooLarge,
        Self::UnknownType,
        Self::Minified,
        Self::LockFile,
        Self::Data,
        Self::Secret,
        Self::ExcludedFolder,
        Self::Symlink,
        Self::SymlinkOutside,
        Self::SpecialFile,
        Self::Unreadable,
        Self::NonUnicodePath,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Empty => "empty",
            Self::TooLarge => "too large",
            Self::UnknownType => "unknown type",
            Self::Minified => "minified",
            Self::LockFile => "lock file",
            Self::Data => "data",
            Self::Secret => "secret",
            Self::ExcludedFolder => "excluded folder",
            Self::Symlink => "symlink",
            Self::SymlinkOutside => "symlink outside",
            Self::SpecialFile => "special file",
            Self::Unreadable => "unreadable",
            Self::NonUnicodePath => "non-Unicode path",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}

/// A file that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    pub path: RelPath,
    pub reason: SkipReason,
    pub size: u64,
}
