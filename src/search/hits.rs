//! From ranked candidates to answers with their text. It changes no order; it leaves out what the filter does not take, further pieces of
//! a definition that is already there, and files that have changed since their words were read. Read [`Hit`] first.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{File, Graph};
use super::filter::Filter;
use super::rank::{Candidate, Ranking};
use super::view::View;
use crate::model::{Chunk, Lines, RelPath, Span, Symbol, SymbolKind};
use crate::store::StoreError;
use crate::store::code::CodeReader;
use crate::store::text::FileLayout;
use crate::store::tokens::Stemmer;

/// Bytes of text and number of outlines that are kept from query to query.
const MAX_BYTES: usize = 16 << 20;
const MAX_FILES: usize = 1_024;

/// A chunk that answers the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// `path#ordinal`: place of the chunk in the index.
    pub chunk_id: String,
    pub path: RelPath,
    pub lang: Box<str>,
    /// `None` for a stretch of a file that no definition owns; its name, owner, signature and doc are empty.
    pub kind: Option<SymbolKind>,
    pub name: Box<str>,
    pub owner: Box<str>,
    /// Lines of the chunk: of a long definition, the piece that was found.
    pub lines: Lines,
    /// Lines of the whole definition.
    pub definition: Option<Lines>,
    pub score: f32,
    pub signature: Box<str>,
    /// Signature of the type it belongs to; empty at top level.
    pub frame: Box<str>,
    /// Line of the declared name.
    pub name_line: Option<u32>,
    /// Of a type: line and signature of the functions that belong to it, by line.
    pub members: Vec<(u32, Box<str>)>,
    /// Of the text.
    pub tokens: u32,
    /// Comment or docstring of the definition, as written.
    pub doc: String,
    pub text: String,
    pub because: Vec<Signal>,
}

/// One reason for a score: what it added or, for a path factor, what it multiplied by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signal {
    pub name: &'static str,
    pub value: f32,
}

/// Hits in order, and how many better ones were left out because their file is about to be indexed again.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub hits: Vec<Hit>,
    pub stale: usize,
}

/// Files that were read for hits, kept for the next queries until the index changes.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Commits of the words and of the files.
    commits: (i64, i64),
    /// By index of the file; `None` when its words were of another text than the one that is there.
    files: FxHashMap<u32, Option<Content>>,
    /// Of all texts.
    bytes: usize,
}

impl Hit {
    /// `Owner.name`, or `name` at top level.
    #[must_use]
    pub fn qualified(&self) -> String {
        if self.owner.is_empty() { self.name.to_string() } else { format!("{}.{}", self.owner, self.name) }
    }
}

/// Reads candidates in order until `limit` hits are found; the first `texts` of them have their text.
pub(super) fn collect(
    (candidates, ranking): (&[Candidate], &Ranking<'_>),
    (limit, texts): (usize, usize),
    filter: &Filter,
    (view, graph): (&View, Graph<'_>),
    (contents, stemmer): (&mut Contents, &mut Stemmer),
) -> Result<Collected, StoreError> {
    let mut found = Collected::default();
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let code = graph.reader;
    contents.renew((view.commit, code.commit()?));
    for candidate in candidates {
        if found.hits.len() >= limit {
            break;
        }
        let Some(layout) = view.layout.files.get(candidate.file as usize) else { continue };
        let Some(content) = contents.get(candidate.file, layout, graph)? else {
            found.stale += 1;
            continue;
        };
        let ordinal = (candidate.chunk - layout.first) as usize;
        let Some((chunk, symbol)) = content.chunk(ordinal) else { continue };
        let wanted = filter.kind.is_none_or(|kind| symbol.is_some_and(|symbol| symbol.kind == kind));
        if wanted && chunk.symbol.is_none_or(|symbol| seen.insert((candidate.file, symbol))) {
            if found.hits.len() < texts {
                contents.read_text(candidate.file, code)?;
            }
            let because = ranking.because(candidate, stemmer);
            found.hits.extend(contents.hit(candidate, ordinal, because));
        }
    }
    Ok(found)
}

impl Contents {
    /// Forgets what was read at other commits, and everything when it has become much.
    fn renew(&mut self, commits: (i64, i64)) {
        if self.commits != commits || self.bytes > MAX_BYTES || self.files.len() > MAX_FILES {
            *self = Self { commits, ..Self::default() };
        }
    }

    fn get(&mut self, index: u32, layout: &FileLayout, graph: Graph<'_>) -> Result<Option<&Content>, StoreError> {
        match self.files.entry(index) {
            Entry::Occupied(entry) => Ok(entry.into_mut().as_ref()),
            Entry::Vacant(entry) => Ok(entry.insert(Content::read(layout, graph)?).as_ref()),
        }
    }

    fn read_text(&mut self, index: u32, code: &CodeReader) -> Result<(), StoreError> {
        if let Some(Some(content)) = self.files.get_mut(&index)
            && content.text.is_none()
        {
            let text = code.text(content.file.row.id)?;
            self.bytes += text.len();
            content.text = Some(text);
        }
        Ok(())
    }

    fn hit(&self, candidate: &Candidate, ordinal: usize, because: Vec<Signal>) -> Option<Hit> {
        let content = self.files.get(&candidate.file)?.as_ref()?;
        let text = content.text.as_deref().unwrap_or_default();
        let (chunk, symbol) = content.chunk(ordinal)?;
        let text_of_chunk = joined(&chunk.spans, text);
        let of = |field: fn(&Symbol) -> &Box<str>| symbol.map(field).cloned().unwrap_or_default();
        Some(Hit {
            chunk_id: format!("{}#{ordinal}", content.file.row.path),
            path: content.file.row.path.clone(),
            lang: content.file.row.lang.clone(),
            kind: symbol.map(|symbol| symbol.kind),
            name: of(|symbol| &symbol.name),
            owner: of(|symbol| &symbol.owner),
            lines: chunk.lines,
            definition: symbol.map(|symbol| symbol.lines),
            score: candidate.score,
            signature: of(|symbol| &symbol.signature),
            frame: symbol.map(|symbol| content.frame(symbol)).unwrap_or_default(),
            members: symbol.filter(|symbol| symbol.kind.is_container()).map(|s| content.members(s)).unwrap_or_default(),
            name_line: symbol.filter(|_| chunk.piece == 0).map(|symbol| symbol.name_line),
            tokens: (text_of_chunk.len() as u32).div_ceil(4),
            doc: symbol.map(|symbol| joined(&symbol.doc, text)).unwrap_or_default(),
            text: text_of_chunk,
            because,
        })
    }
}

/// A file of the index as it is read for its hits.
#[derive(Debug)]
struct Content {
    file: Arc<File>,
    /// Read for the first hit.
    text: Option<String>,
}

impl Content {
    /// `None` when the words were of another text than the one that is there now.
    fn read(layout: &FileLayout, graph: Graph<'_>) -> Result<Option<Self>, StoreError> {
        let file = graph.file(layout.file)?;
        let same = file.filter(|file| file.row.hash == layout.hash && file.row.path == layout.path);
        Ok(same.map(|file| Self { file, text: None }))
    }

    /// Signature of the type around a symbol.
    fn frame(&self, symbol: &Symbol) -> Box<str> {
        let around = symbol.parent.and_then(|parent| self.file.outline.symbols.get(parent as usize));
        around.filter(|around| around.kind.is_container()).map(|around| around.signature.clone()).unwrap_or_default()
    }

    fn members(&self, container: &Symbol) -> Vec<(u32, Box<str>)> {
        let owner = container.qualified();
        let own =
            self.file.outline.symbols.iter().filter(|symbol| symbol.kind.is_callable() && *symbol.owner == *owner);
        own.map(|symbol| (symbol.name_line, symbol.signature.clone())).collect()
    }

    fn chunk(&self, ordinal: usize) -> Option<(&Chunk, Option<&Symbol>)> {
        let chunk = self.file.outline.chunks.get(ordinal)?;
        Some((chunk, chunk.symbol.and_then(|symbol| self.file.outline.symbols.get(symbol as usize))))
    }
}

/// The spans' texts, each on lines of its own.
pub fn joined(spans: &[Span], text: &str) -> String {
    let mut out = String::new();
    for span in spans {
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(text.get(span.start as usize..span.end as usize).unwrap_or_default());
    }
    out
}
