//! From the texts of a file's fields to a [`TextDoc`]: the hot loop over all source. Words met before in any file cost one hash
//! look-up; nothing is allocated per token. It decides neither what a chunk is nor which text belongs to which field.
//! Read [`TextDocBuilder`] first; its [`Scratch`] lives as long as the thread.

use rustc_hash::FxHashMap;

use super::super::interner::Interner;
use super::super::inverted::Entries;
use super::super::tokens::{self, Stemmer, Term};
use super::postings::{self, CHUNK_FIELDS, ChunkCounts, ChunkField, FILE_FIELDS, FileCounts, FileField};
use super::{ChunkFlags, ChunkLens, FTS_COLUMNS, FileFlags, FtsRows, Pairs, TextDoc};
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
    words: Interner,
    /// By number in `words`.
    expansions: Vec<Expansion>,
    /// Vocabulary numbers that the expansions point into.
    lists: Vec<u32>,
    texts: Interner,
    /// By number in `texts`: its vocabulary number.
    of_text: Vec<u32>,
    pairs: FxHashMap<(u32, u32), u32>,
    vocabulary: Vec<Spelling>,
    /// Memory for the word at hand.
    found_pairs: Vec<u32>,
    lower: String,
    /// By vocabulary number: the file (by count) that used it last, and its number there.
    local: Vec<(u32, u32)>,
    /// Tokens of the chunk at hand by column of `chunk_fts`.
    columns: [String; FTS_COLUMNS],
    files: u32,
}

/// What a vocabulary number stands for.
#[derive(Debug, Clone, Copy)]
enum Spelling {
    /// A number in [`Scratch::texts`].
    Text(u32),
    /// Two vocabulary numbers.
    Pair(u32, u32),
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
            pairs: Pairs::default(),
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
        // By number in this file: the place among its terms.
        let mut places = vec![0; self.locals.len()];
        for (local, place) in self.locals.iter().zip(&mut places) {
            if let Spelling::Text(text) = self.scratch.vocabulary[local.vocabulary as usize]
                && local.is_found()
            {
                *place = number(self.doc.terms.len());
                self.doc.terms.push(self.scratch.texts.text(text), |out| local.encode(&self.hits, out));
            }
        }
        // The parts of a word are terms wherever the word is.
        let place = |vocabulary: u32| places[self.scratch.local[vocabulary as usize].1 as usize];
        for local in &self.locals {
            if let Spelling::Pair(left, right) = self.scratch.vocabulary[local.vocabulary as usize] {
                let pairs = &mut self.doc.pairs;
                local.encode(&self.hits, &mut pairs.bytes);
                pairs.ends.push((place(left), place(right), number(pairs.bytes.len())));
            }
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
        if let Spelling::Text(text) = self.scratch.vocabulary[local.vocabulary as usize] {
            push_token(&mut self.scratch.columns[column], self.scratch.texts.text(text));
        }
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

impl Local {
    /// It stands in a field, not in `chunk_fts` alone.
    fn is_found(&self) -> bool {
        self.chunks > 0 || self.file != FileCounts::default()
    }

    fn encode(&self, hits: &[Hit], out: &mut Vec<u8>) {
        let mut at = self.first;
        let chunks = std::iter::from_fn(|| {
            let hit = hits.get(at as usize)?;
            at = hit.next;
            Some((hit.ordinal, hit.counts))
        });
        postings::encode(out, self.file, self.chunks, chunks);
    }
}

impl Expansion {
    fn terms(self) -> std::ops::Range<u32> {
        self.start..self.start + u32::from(self.parts) + u32::from(self.pairs)
    }
}

impl Scratch {
    fn next_file(&mut self) {
        if self.expansions.len() >= WORDS_KEPT {
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
        let number = self.words.number(word) as usize;
        if let Some(&known) = self.expansions.get(number) {
            return known;
        }
        let found = self.expand_new(word);
        self.expansions.push(found);
        found
    }

    fn expand_new(&mut self, word: &str) -> Expansion {
        let mut stemmer = std::mem::take(&mut self.stemmer);
        let start = number(self.lists.len());
        let mut pairs = std::mem::take(&mut self.found_pairs);
        pairs.clear();
        tokens::terms(word, &mut stemmer, |term| match term {
            Term::Part(stem) => {
                let number = self.intern(stem);
                self.lists.push(number);
            }
            // It comes after its second part.
            Term::Pair(_) => {
                if let [.., left, right] = self.lists[..] {
                    pairs.push(self.intern_pair(left, right));
                }
            }
        });
        self.stemmer = stemmer;
        let parts = self.lists.len() - start as usize;
        self.lists.extend(&pairs);
        let found = Expansion { start, parts: short(parts), pairs: short(pairs.len()), whole: NONE };
        self.found_pairs = pairs;
        // A shortcut for what nearly all words are.
        let identifier =
            if word.is_ascii() { parts > 1 || (parts == 1 && word.contains('_')) } else { tokens::is_identifier(word) };
        Expansion { whole: if identifier { self.intern_lower(word) } else { NONE }, ..found }
    }

    fn intern(&mut self, text: &str) -> u32 {
        let text = self.texts.number(text);
        if let Some(&known) = self.of_text.get(text as usize) {
            return known;
        }
        let fresh = self.add(Spelling::Text(text));
        self.of_text.push(fresh);
        fresh
    }

    fn intern_lower(&mut self, word: &str) -> u32 {
        if !word.is_ascii() {
            return self.intern(&word.to_lowercase());
        }
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        lower.push_str(word);
        lower.make_ascii_lowercase();
        let number = self.intern(&lower);
        self.lower = lower;
        number
    }

    fn intern_pair(&mut self, left: u32, right: u32) -> u32 {
        if let Some(&known) = self.pairs.get(&(left, right)) {
            return known;
        }
        let fresh = self.add(Spelling::Pair(left, right));
        self.pairs.insert((left, right), fresh);
        fresh
    }

    fn add(&mut self, spelling: Spelling) -> u32 {
        let fresh = number(self.vocabulary.len());
        self.vocabulary.push(spelling);
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
        for (text, bytes) in doc.terms.iter() {
            let (file, chunks) = postings::decode(bytes, 0).unwrap();
            writeln!(out, "{text} {file:?} {:?}", chunks.collect::<Vec<_>>()).unwrap();
        }
        let texts: Vec<&str> = doc.terms.iter().map(|(text, _)| text).collect();
        for (left, right, bytes) in doc.pairs.iter() {
            let (file, chunks) = postings::decode(bytes, 0).unwrap();
            writeln!(out, "{}+{} {file:?} {:?}", texts[left], texts[right], chunks.collect::<Vec<_>>()).unwrap();
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
                get [0, 0, 0] [(0, [1, 0, 0, 0, 2])]
                def [0, 0, 0] [(0, [0, 0, 0, 0, 1])]
                view+of [1, 0, 0] []
                get+view [0, 0, 0] [(0, [1, 0, 0, 0, 2])]
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
