//! metadata.db: which files are indexed, their text, symbols, chunks and facts, and where each name is defined and used. The file
//! hashes in it are the commit point of the whole index. It ranks nothing; postings are in `text`.
//! Read [`CodeFile`] first: it is what is written of one file.
//!
//! - `file`: one narrow row a file, so that finding what changed reads nothing else.
//! - `content(file, text, outline, facts)`: zstd; the outline (symbols, chunks, comment and import spans) and the facts in
//!   postcard with positions as differences (`pack`). Symbols are no rows of their own: whoever wants one wants its file's, a
//!   file's decode in some microseconds, and rows took three times the space and the time of writing.
//! - `word(text, id)` and `usage(key, files, definitions, data)`: the one table of names (`names`), in blocks of 512 files like the
//!   postings. Look-up form of a name -> files that define, re-export or mention it, with symbol, chunk and spelling. Three
//!   tables (definitions, re-exports, mentions) would hold half a million rows of ten bytes and more for 7,000 files; in
//!   blocks it is a fifth of the rows, most entries take two bytes.
//! - What leads from file to file is in tables of its own (`links`).
//! - `dir`, `skipped`, `meta`: written once at the end of a run. `state`: format, generation, commit number.

mod links;
mod names;
mod pack;
mod read;
mod write;

pub(in crate::store) use links::pack_exposed;
pub use links::{GraphStats, ImportLink, Incoming, Links, PackedLinks};
pub use names::{Definition, SpelledSymbol, Strength, SymbolRef, lookup_name};
pub(in crate::store) use pack::PackedFile;
pub use pack::{Outline, Packer};
pub use read::{CodeReader, CodeStats, FileRow, LangStats};
pub(in crate::store) use write::CodeWriter;

use super::inverted::RowTable;
use crate::model::{ParsedFile, SourceFile, Stat};

/// A file as the code store takes it.
#[derive(Debug, Clone)]
pub struct CodeFile {
    pub source: SourceFile,
    pub stat: Stat,
    /// Clock when the text was hashed, nanoseconds since 1970.
    pub hashed_at_ns: i64,
    pub parsed: ParsedFile,
}

const USAGE: RowTable = RowTable {
    select: "SELECT data FROM usage WHERE key = ?1",
    replace: "INSERT OR REPLACE INTO usage (key, files, definitions, data) VALUES (?1, ?2, ?3, ?4)",
    delete: "DELETE FROM usage WHERE key = ?1",
    skip: names::skip,
};
