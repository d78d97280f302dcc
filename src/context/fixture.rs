//! Blocks for the tests of this room.

use crate::model::{Block, Lines, Part, RelPath, SymbolKind};

/// A function whose text begins at a line.
pub(super) fn block(path: &str, start: u32, text: &str) -> Block {
    let name: String = text.split("fn ").nth(1).unwrap_or(text).chars().take_while(|c| c.is_alphanumeric()).collect();
    Block {
        chunk_id: format!("{path}#{start}"),
        path: RelPath::new(path),
        lang: "rust".into(),
        lines: Lines { start, end: start + text.lines().count() as u32 - 1 },
        kind: Some(SymbolKind::Function),
        name,
        signature: text.lines().next().unwrap_or_default().into(),
        frame: "".into(),
        text: text.into(),
        tokens: text.len() as u32 / 4,
        marks: vec![0],
        part: Part::Match,
        score: 1.0,
        because: String::new(),
        hash: 0,
    }
}
