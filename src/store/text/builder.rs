//! From the texts of a file's fields to a [`TextDoc`]: the hot loop over all source. Words met before in any file cost one hash
//! look-up; nothing is allocated per token. It decides neither what a chunk is nor which text belongs to which field.
//! Read [`TextDocBuilder`] first; its [`Scratch`] lives as long as the thread.

use rustc_hash::FxHashMap;

use super::super::inverted::Entries;
use super::super::tokens::{self, Stemmer, Term};
use super::postings::{self, CHUNK_FIELDS, ChunkCounts, ChunkField, FILE_FIELDS, FileCounts, FileField};
use super::{ChunkFlags, ChunkLens, FTS_COLUMNS, FileFlags, FtsRows, TextDoc};
use crate::model::{ContentHash, RelPath};

/// Distinct words a thread remembers before it starts afresh.
const WORDS_KEPT: usize = 1 << 16;

const FTS_NAME: usize = 0;
const FTS_PATH: usize = 1;
const FTS_SIGNATURE: usize = 2;
const FTS_BODY: usize = 3;

const NONE: u32 = u32::MAX;

/// What a thread remembers of words from file to file.
#[derive(Debug, Default)]
pub struct Scratch {
    stemmer: Stemmer,
    words: FxHashMap<Box<str>, Expansion>,
    /// Vocabulary numbers that the expansions point into.
    lists: Vec<u32>,
    vocabulary: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    /// By vocabulary number: the file (by count) that used it last, and its number there.
    local: Vec<(u32, u32)>,
    /// Tokens of the chunk at hand by column of `chunk_fts`.
    columns: [String; FTS_COLUMNS],
    files: u32,
}

/// Parts, then pairs, of a word: a stretch of [`Scratch::lists`].
#[derive(Debug, Clone, Copy)]
struct Expansion {
    start: u32,
    parts: u16,
    pairs: u16,
    /// The whole word in lower case where it is an identifier, else [`NONE`].
    whole: u32,
}

/// A term in the file being built.
#[derive(Debug, Clone, Copy)]
struct Local {
    vocabulary: u32,
    file: FileCounts,
    /// First and last of its [`Hit`]s, [`NONE`] without any.
    first: u32,
    last: u32,
    chunks: u32,
    /// One more than the chunk that last had it in `chunk_fts`.
    in_fts: u32,
}

/// A term in one chunk; the hits of a term are linked in order of the chunks.
#[derive(Debug, Clone, Copy)]
struct Hit {
    next: u32,
    ordinal: u16,
    counts: ChunkCounts,
}

/// Takes the fields of the file, then chunk after chunk with its fields. A field may be given in several texts. Give the
/// fields of a chunk in the order of [`ChunkField`], code last, so that exact search knows the best place of an identifier.
#[derive(Debug)]
pub struct TextDocBuilder<'s> {
    scratch: &'s mut Scratch,
    doc: TextDoc,
    locals: Vec<Local>,
    hits: Vec<Hit>,
    /// Ordinal of the chunk at hand.
    open: Option<u16>,
    /// Vocabulary numbers of identifiers in the path.
    path_names: Vec<u32>,
}

impl<'s> TextDocBuilder<'s> {
    #[must_use]
    pub fn new(path: RelPath, hash: ContentHash, flags: FileFlags, scratch: &'s mut Scratch) -> Self {
        scratch.next_file();
        let doc = TextDoc {
            path,
            hash,
            flags,
            file_lens: [0; FILE_FIELDS],
            chunks: Vec::new(),
            terms: Entries::default(),
            fts: FtsRows::default(),
        };
        Self { scratch, doc, locals: Vec::new(), hits: Vec::new(), open: None, path_names: Vec::new() }
    }

    pub fn file_field(&mut self, field: FileField, text: &str) {
        for word in tokens::words(text) {
            let found = self.scratch.expand(word);
            self.grow_file(field, found.parts);
            for number in found.terms() {
                let local = self.local(self.scratch.at(number));
                let count = &mut self.locals[local as usize].file[field as usize];
                *count = count.saturating_add(1);
            }
            if field != FileField::Imports && found.whole != NONE {
                self.path_names.push(found.whole);
            }
        }
    }

    /// Starts the next chunk. Those behind the 65,536th are left out.
    pub fn chunk(&mut self, flags: ChunkFlags) {
        self.end_chunk();
        self.open = u16::try_from(self.doc.chunks.len()).ok();
        if self.open.is_some() {
            self.doc.chunks.push(ChunkLens { lens: [0; CHUNK_FIELDS], flags });
        }
    }

    /// Text of the chunk started last; without one, nothing happens.
    pub fn field(&mut self, field: ChunkField, text: &str) {
        let Some(ordinal) = self.open else { return };
        let column = fts_column(field);
        for word in tokens::words(text) {
            let found = self.scratch.expand(word);
            let len = &mut self.doc.chunks[usize::from(ordinal)].lens[field as usize];
            *len = len.saturating_add(found.parts);
            for number in found.terms() {
                let local = self.local(self.scratch.at(number));
                self.hit(local, ordinal, field);
            }
            if found.whole != NONE {
                let local = self.local(found.whole);
                self.token(local, ordinal, column);
            }
        }
    }

    #[must_use]
    pub fn finish(mut self) -> TextDoc {
        self.end_chunk();
        let hits = &self.hits;
        for local in &self.locals {
            if local.chunks == 0 && local.file == FileCounts::default() {
                continue;
            }
            let mut at = local.first;
            let chunks = std::iter::from_fn(|| {
                let hit = hits.get(at as usize)?;
                at = hit.next;
                Some((hit.ordinal, hit.counts))
            });
            let text = &self.scratch.texts[local.vocabulary as usize];
            self.doc.terms.push(text, |out| postings::encode(out, local.file, local.chunks, chunks));
        }
        self.doc
    }

    fn grow_file(&mut self, field: FileField, parts: u16) {
        let len = &mut self.doc.file_lens[field as usize];
        *len = len.saturating_add(parts);
    }

    /// Number in this file of a vocabulary number.
    #[inline]
    fn local(&mut self, vocabulary: u32) -> u32 {
        let (file, local) = &mut self.scratch.local[vocabulary as usize];
        if *file != self.scratch.files {
            *file = self.scratch.files;
            *local = number(self.locals.len());
            let file = FileCounts::default();
            self.locals.push(Local { vocabulary, file, first: NONE, last: NONE, chunks: 0, in_fts: 0 });
        }
        *local
    }

    #[inline]
    fn hit(&mut self, local: u32, ordinal: u16, field: ChunkField) {
        let local = &mut self.locals[local as usize];
        if let Some(last) = self.hits.get_mut(local.last as usize).filter(|hit| hit.ordinal == ordinal) {
            let count = &mut last.counts[field as usize];
            *count = count.saturating_add(1);
            return;
        }
        let hit = number(self.hits.len());
        match self.hits.get_mut(local.last as usize) {
            Some(last) => last.next = hit,
            None => local.first = hit,
        }
        local.last = hit;
        local.chunks += 1;
        let mut counts = ChunkCounts::default();
        counts[field as usize] = 1;
        self.hits.push(Hit { next: NONE, ordinal, counts });
    }

    #[inline]
    fn token(&mut self, local: u32, ordinal: u16, column: usize) {
        let local = &mut self.locals[local as usize];
        let mark = u32::from(ordinal) + 1;
        if local.in_fts == mark {
            return;
        }
        local.in_fts = mark;
        push_token(&mut self.scratch.columns[column], &self.scratch.texts[local.vocabulary as usize]);
    }

    /// Closes the columns of the chunk at hand; every chunk is found by the identifiers of the path.
    fn end_chunk(&mut self) {
        let Some(ordinal) = self.open.take() else { return };
        let path_names = std::mem::take(&mut self.path_names);
        for &name in &path_names {
            let local = self.local(name);
            self.token(local, ordinal, FTS_PATH);
        }
        self.path_names = path_names;
        let rows = &mut self.doc.fts;
        let ends = std::array::from_fn(|column| {
            rows.texts.push_str(&self.scratch.columns[column]);
            self.scratch.columns[column].clear();
            rows.texts.len()
        });
        rows.ends.push(ends);
    }
}

impl Expansion {
    fn terms(self) -> std::ops::Range<u32> {
        self.start..self.start + u32::from(self.parts) + u32::from(self.pairs)
    }
}

impl Scratch {
    fn next_file(&mut self) {
        if self.words.len() >= WORDS_KEPT {
            *self = Self { stemmer: std::mem::take(&mut self.stemmer), ..Self::default() };
        }
        self.files += 1;
    }

    #[inline]
    fn at(&self, number: u32) -> u32 {
        self.lists[number as usize]
    }

    #[inline]
    fn expand(&mut self, word: &str) -> Expansion {
        if let Some(&known) = self.words.get(word) {
            return known;
        }
        let found = self.expand_new(word);
        self.words.insert(word.into(), found);
        found
    }

    fn expand_new(&mut self, word: &str) -> Expansion {
        let mut stemmer = std::mem::take(&mut self.stemmer);
        let start = number(self.lists.len());
        let mut pairs = Vec::new();
        tokens::terms(word, &mut stemmer, |term| match term {
            Term::Part(stem) => {
                let number = self.intern(stem);
                self.lists.push(number);
            }
            Term::Pair(pair) => pairs.push(self.intern(&super::stored_pair(pair))),
        });
        self.stemmer = stemmer;
        let parts = self.lists.len() - start as usize;
        self.lists.extend(&pairs);
        let whole = if tokens::is_identifier(word) { self.intern(&word.to_lowercase()) } else { NONE };
        Expansion { start, parts: short(parts), pairs: short(pairs.len()), whole }
    }

    fn intern(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.vocabulary.get(text) {
            return known;
        }
        let fresh = number(self.texts.len());
        self.texts.push(text.into());
        self.vocabulary.insert(text.into(), fresh);
        self.local.push((0, 0));
        fresh
    }
}

const fn fts_column(field: ChunkField) -> usize {
    match field {
        ChunkField::Name => FTS_NAME,
        ChunkField::Owner => FTS_PATH,
        ChunkField::Signature | ChunkField::Doc => FTS_SIGNATURE,
        ChunkField::Code => FTS_BODY,
    }
}

fn push_token(column: &mut String, token: &str) {
    if !column.is_empty() {
        column.push(' ');
    }
    column.push_str(token);
}

/// A count within one file or thread; [`NONE`] is never reached before memory is.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NONE)
}

/// A word of at most 60 characters has fewer parts than that.
fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    fn check(make: impl FnOnce(&mut TextDocBuilder<'_>), expected: &Expect) {
        let mut scratch = Scratch::default();
        let mut builder =
            TextDocBuilder::new(RelPath::new("a/b.py"), ContentHash(1), FileFlags::default(), &mut scratch);
        make(&mut builder);
        let doc = builder.finish();
        let mut out = format!("file {:?}\n", doc.file_lens);
        for (chunk, columns) in doc.chunks.iter().zip(doc.fts.iter()) {
            writeln!(out, "chunk {:?} {columns:?}", chunk.lens).unwrap();
        }
        let mut chunks = Vec::new();
        for (text, bytes) in doc.terms.iter() {
            let file = postings::decode(bytes, &mut 0, &mut chunks).unwrap();
            writeln!(out, "{text} {file:?} {chunks:?}").unwrap();
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn counts_and_lengths_per_field() {
        check(
            |builder| {
                builder.file_field(FileField::Stem, "views_of");
                builder.file_field(FileField::Imports, "views");
                builder.chunk(ChunkFlags::default());
                builder.field(ChunkField::Name, "get_view");
                builder.field(ChunkField::Doc, "Views of views.");
                builder.field(ChunkField::Code, "def get_view(): getView view");
                builder.chunk(ChunkFlags::default());
                builder.field(ChunkField::Code, "view");
            },
            &expect![[r#"
                file [2, 0, 1]
                chunk [2, 0, 0, 3, 6] ["get_view", "views_of", "", "getview"]
                chunk [0, 0, 0, 0, 1] ["", "views_of", "", ""]
                view [1, 0, 1] [(0, [1, 0, 0, 2, 3]), (1, [0, 0, 0, 0, 1])]
                of [1, 0, 0] [(0, [0, 0, 0, 1, 0])]
                +view+of [1, 0, 0] []
                get [0, 0, 0] [(0, [1, 0, 0, 0, 2])]
                +get+view [0, 0, 0] [(0, [1, 0, 0, 0, 2])]
                def [0, 0, 0] [(0, [0, 0, 0, 0, 1])]
            "#]],
        );
    }

    #[test]
    fn a_field_without_a_chunk_is_ignored() {
        check(
            |builder| builder.field(ChunkField::Code, "lost"),
            &expect![[r"
                file [0, 0, 0]
            "]],
        );
    }
}
