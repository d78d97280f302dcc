//! One chunk by its id, as results name it. It ranks nothing. Read [`Engine::read_chunk`] first.

use thiserror::Error;

use super::Engine;
use crate::model::{Lines, RelPath, Symbol, SymbolKind};
use crate::search::{Searcher, joined};

/// A chunk as it stands in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkText {
    /// `path#ordinal`.
    pub id: String,
    pub path: RelPath,
    pub lang: Box<str>,
    /// `None` for a stretch of a file that no definition owns; its name, owner, signature and doc are empty.
    pub kind: Option<SymbolKind>,
    pub name: Box<str>,
    pub owner: Box<str>,
    pub lines: Lines,
    pub signature: Box<str>,
    /// As written.
    pub doc: String,
    pub text: String,
}

/// An id that names no chunk of the index.
#[derive(Debug, Error)]
pub enum ChunkError {
    #[error("{0:?} is no chunk id; one is a path, `#` and a number")]
    NoId(String),
    #[error("the index holds no chunk {0:?}")]
    Unknown(String),
}

impl Engine {
    /// The chunk `path#ordinal`, with its text.
    ///
    /// # Errors
    /// [`ChunkError`]; the index cannot be read.
    pub fn read_chunk(&self, searcher: &Searcher, id: &str) -> anyhow::Result<ChunkText> {
        let (path, ordinal) = id.rsplit_once('#').ok_or_else(|| ChunkError::NoId(id.to_owned()))?;
        let ordinal: usize = ordinal.parse().map_err(|_| ChunkError::NoId(id.to_owned()))?;
        let unknown = || ChunkError::Unknown(id.to_owned());
        let code = searcher.code();
        let _state = code.snapshot()?;
        let row = code.file_at(&RelPath::new(path.trim_start_matches("./")))?.ok_or_else(unknown)?;
        let outline = code.outline(row.id)?;
        let chunk = outline.chunks.get(ordinal).ok_or_else(unknown)?;
        let symbol = chunk.symbol.and_then(|symbol| outline.symbols.get(symbol as usize));
        let text = code.text(row.id)?;
        let of = |field: fn(&Symbol) -> &Box<str>| symbol.map(field).cloned().unwrap_or_default();
        Ok(ChunkText {
            id: format!("{}#{ordinal}", row.path),
            path: row.path,
            lang: row.lang,
            kind: symbol.map(|symbol| symbol.kind),
            name: of(|symbol| &symbol.name),
            owner: of(|symbol| &symbol.owner),
            lines: chunk.lines,
            signature: of(|symbol| &symbol.signature),
            doc: symbol.map(|symbol| joined(&symbol.doc, &text)).unwrap_or_default(),
            text: joined(&chunk.spans, &text),
        })
    }
}
