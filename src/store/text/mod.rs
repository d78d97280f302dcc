//! fts.db: everything ranking and exact search read of the text. It holds no source and no symbols (see `code`), only which
//! term stands how often in which field of which chunk. Read [`TextDoc`] first: it is what one file becomes.
//!
//! - `term(text, id)`: stems.
//! - `posting(key, files, chunks, data)`: own postings in blocks of 512 files (`inverted`, `postings`). An update rewrites only the
//!   rows of the terms the file had or has. `files` and `chunks` stand in front so that counts need no decoding.
//! - `pair(key, files, chunks, data)`: the same of neighbouring parts of an identifier, by the numbers of both stems. Most terms are
//!   pairs and most pairs stand in one file: with texts of their own they took as much time to write as all else.
//! - `block(id, data)`: the layout, 512 files a row (`layout`): path, hash, field lengths and flags of every chunk.
//! - `doc(file, terms, pairs)`: numbers of the file's terms, so that an update knows which rows to clean.
//! - `chunk_fts`: FTS5 without content and positions; rowid = `file << 16 | ordinal`. It holds identifiers whole, in lower case, which
//!   the postings do not: each once a chunk, in the first column that has it. It answers which chunks hold a name exactly and does
//!   not rank. Stems are in the postings already; here they took a quarter of the index and of the time to write it.
//! - `state`: exact sums of field lengths, counts, format, generation and commit number.

mod builder;
mod layout;
pub(in crate::store) mod postings;
mod read;
mod write;

pub use builder::{Scratch, TextDocBuilder};
pub use layout::{FileLayout, Layout};
pub use postings::{CHUNK_FIELDS, ChunkCounts, ChunkField, Chunks, FILE_FIELDS, FileCounts, FileField};
pub use read::{Corpus, Df, TextReader};
pub(in crate::store) use write::TextWriter;

use super::inverted::{Entries, RowTable};
use crate::model::{ContentHash, FileId, RelPath};

/// A file as the text index takes it; made by [`TextDocBuilder`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDoc {
    pub path: RelPath,
    pub hash: ContentHash,
    pub flags: FileFlags,
    /// Tokens per [`FileField`].
    pub file_lens: [u16; FILE_FIELDS],
    /// By ordinal.
    pub chunks: Vec<ChunkLens>,
    terms: Entries,
    pairs: Pairs,
    fts: FtsRows,
}

/// Neighbouring parts of identifiers with what is said of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Pairs {
    /// Two of the file's terms, by their place, and where the entry ends.
    ends: Vec<(u32, u32, u32)>,
    bytes: Vec<u8>,
}

impl Pairs {
    /// Places of both stems among the file's terms, and the entry.
    fn iter(&self) -> impl Iterator<Item = (usize, usize, &[u8])> {
        let mut start = 0;
        self.ends.iter().map(move |&(left, right, end)| {
            let entry = self.bytes.get(start..end as usize).unwrap_or_default();
            start = end as usize;
            (left as usize, right as usize, entry)
        })
    }
}

/// What goes into `chunk_fts`: the distinct identifiers of each column, divided by blanks, column after column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct FtsRows {
    texts: String,
    /// By ordinal: where each column ends.
    ends: Vec<[usize; FTS_COLUMNS]>,
}

const FTS_COLUMNS: usize = 4;

impl FtsRows {
    fn iter(&self) -> impl Iterator<Item = [&str; FTS_COLUMNS]> {
        let mut start = 0;
        self.ends.iter().map(move |ends| {
            ends.map(|end| {
                let column = self.texts.get(start..end).unwrap_or_default();
                start = end;
                column
            })
        })
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileFlags {
    pub generated: bool,
}

/// What ranking knows of a chunk beside its postings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkLens {
    /// Tokens per [`ChunkField`].
    pub lens: [u16; CHUNK_FIELDS],
    pub flags: ChunkFlags,
}

#[expect(clippy::struct_excessive_bools, reason = "they are independent, and stored as bits")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkFlags {
    pub test: bool,
    /// First or only piece of a definition.
    pub named: bool,
    pub callable: bool,
    pub container: bool,
}

impl ChunkFlags {
    fn to_byte(self) -> u8 {
        u8::from(self.test) | u8::from(self.named) << 1 | u8::from(self.callable) << 2 | u8::from(self.container) << 3
    }

    const fn from_byte(byte: u8) -> Self {
        Self { test: byte & 1 != 0, named: byte & 2 != 0, callable: byte & 4 != 0, container: byte & 8 != 0 }
    }
}

const POSTING: RowTable = RowTable {
    select: "SELECT data FROM posting WHERE key = ?1",
    replace: "INSERT OR REPLACE INTO posting (key, files, chunks, data) VALUES (?1, ?2, ?3, ?4)",
    delete: "DELETE FROM posting WHERE key = ?1",
    skip: postings::skip,
};

const PAIR: RowTable = RowTable {
    select: "SELECT data FROM pair WHERE key = ?1",
    replace: "INSERT OR REPLACE INTO pair (key, files, chunks, data) VALUES (?1, ?2, ?3, ?4)",
    delete: "DELETE FROM pair WHERE key = ?1",
    skip: postings::skip,
};

/// Number of two stems for `inverted`. There is none beyond eight million stems; such pairs are not searched for.
fn pair_number(left: u32, right: u32) -> Option<u64> {
    const BITS: u32 = 23;
    let fits = left >> BITS == 0 && right >> BITS == 0;
    fits.then(|| u64::from(left) << BITS | u64::from(right))
}

const fn fts_row(file: FileId, ordinal: u16) -> i64 {
    (file.0 as i64) << 16 | ordinal as i64
}
