//! What an assistant asks for and what is put before it: a prompt, lanes of blocks, the assembled context. Read [`Context`] first.

use super::{Lines, RelPath, SymbolKind};

/// A prompt, and who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// As the user wrote it: words, code, logs, anything.
    pub text: String,
    /// The assistant's; what it was given in it is not given again.
    pub session: Option<String>,
    /// Files the user has open, by path from the project root.
    pub active_files: Vec<String>,
    pub budget: Budget,
}

/// How much may be put before the assistant. `None` is decided by the size of the project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    pub tokens: Option<u32>,
    /// Blocks of code.
    pub blocks: Option<u32>,
    /// Characters of the whole text: what clients put a limit on.
    pub chars: Option<u32>,
}

impl Budget {
    /// Of an answer to a hook: over 10,000 characters a client shows the head of it only.
    pub const HOOK: Self = Self { tokens: None, blocks: None, chars: Some(9_500) };
}

/// How a prompt is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Route {
    /// Nothing of the project is asked for.
    Skip,
    /// Names or words are looked up.
    Lookup,
    /// What leads to a definition and where it leads.
    Flow,
    /// A broad search: the question is wide, or there was nothing to follow.
    Broad,
}

impl Route {
    pub const ALL: [Self; 4] = [Self::Skip, Self::Lookup, Self::Flow, Self::Broad];

    /// Its name in results and protocols.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Lookup => "R0",
            Self::Flow => "R1",
            Self::Broad => "R2",
        }
    }
}

/// Why a block is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Leads to the seed, so many calls away.
    Caller(u8),
    /// What the prompt is about.
    Seed,
    /// The seed leads to it, so many calls away.
    Callee(u8),
    /// Found by its words.
    Match,
    /// Joined by calls or by its place to something that was found.
    Related,
}

/// A piece of code that may be put before the assistant.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// `path#ordinal`: place of the chunk in the index.
    pub chunk_id: String,
    pub path: RelPath,
    pub lang: Box<str>,
    pub lines: Lines,
    /// `None` for a stretch of a file that no definition owns.
    pub kind: Option<SymbolKind>,
    /// `Owner.name`, or `name` at top level; empty with no kind.
    pub name: String,
    pub signature: Box<str>,
    /// Signature of what it belongs to; empty at top level.
    pub frame: Box<str>,
    /// With its documentation, as it stands in the file.
    pub text: String,
    /// Of the whole text.
    pub tokens: u32,
    /// Lines of the text, from 0, that speak of the matter: what stays when there is no room for all.
    pub marks: Vec<u32>,
    pub part: Part,
    pub score: f32,
    /// What joins it to the others, as a short clause: `calls parse at line 12`.
    pub because: String,
    /// Of the text.
    pub hash: u64,
}

/// A statement about the code that holds by construction, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    pub text: String,
    pub path: RelPath,
    /// 1-based.
    pub line: u32,
}

/// What one room has to say to a prompt; blocks by rank, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lane {
    pub title: String,
    pub facts: Vec<Fact>,
    pub blocks: Vec<Block>,
}

/// How much of a block was put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packed {
    Whole,
    /// Its signature and the lines that matter.
    Lines,
    /// A line that names it: the assistant has it already, or there is no room for more.
    Pointer,
}

/// A block in the context.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedBlock {
    pub block: Block,
    pub packed: Packed,
    /// As it is put in, heading included.
    pub tokens: u32,
}

/// Why a block was not put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOutBy {
    Tokens,
    Blocks,
    Chars,
    /// Another block holds it.
    Duplicate,
}

impl LeftOutBy {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tokens => "token budget",
            Self::Blocks => "block limit",
            Self::Chars => "character limit",
            Self::Duplicate => "duplicate",
        }
    }
}

/// A block that was not put in.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    pub chunk_id: String,
    pub lines: Lines,
    pub name: String,
    pub score: f32,
    pub by: LeftOutBy,
}

/// What is put before the assistant.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    pub route: Route,
    /// By rank, best first; the text has its own order.
    pub blocks: Vec<PackedBlock>,
    pub left_out: Vec<LeftOut>,
    /// Markdown; empty when there is nothing to say.
    pub text: String,
    /// Of the text.
    pub tokens: u32,
}
