//! Chunks that hold what stands in quotes in the query, letter for letter but for case and white space. The index narrows down, the text
//! decides. Read [`holding`].

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::query::Query;
use super::view::View;
use crate::model::{Chunk, FileId};
use crate::store::StoreError;
use crate::store::code::{CodeReader, Outline};
use crate::store::text::TextReader;
use crate::store::tokens;

/// Chunks of one phrase that are read; where more have its words, it is no evidence.
const MAX_CHUNKS: usize = 64;

/// By dense index: chunks that hold phrases of the query, with the share of the phrases they hold.
pub(super) fn holding(
    query: &Query,
    view: &View,
    code: &CodeReader,
    text: &TextReader,
) -> Result<Vec<(u32, f32)>, StoreError> {
    let share = 1.0 / query.phrases.len().max(1) as f32;
    let mut found: Vec<(u32, f32)> = Vec::new();
    let mut read: FxHashMap<FileId, (Outline, String)> = FxHashMap::default();
    for phrase in &query.phrases {
        let words: Vec<&str> = tokens::words(phrase).collect();
        let wanted = folded(phrase);
        for (file, ordinal) in text.phrase(&words, MAX_CHUNKS)? {
            let Some(chunk) = view.dense(file, ordinal) else { continue };
            let (outline, text) = match read.entry(file) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => entry.insert((code.outline(file)?, code.text(file)?)),
            };
            if outline.chunks.get(usize::from(ordinal)).is_some_and(|chunk| holds(chunk, text, &wanted)) {
                found.push((chunk, share));
            }
        }
    }
    found.sort_unstable_by_key(|(chunk, _)| *chunk);
    found.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0.0 };
        same
    });
    Ok(found)
}

fn holds(chunk: &Chunk, text: &str, wanted: &str) -> bool {
    let mut texts = chunk.spans.iter().filter_map(|span| text.get(span.start as usize..span.end as usize));
    texts.any(|text| folded(text).contains(wanted))
}

/// In lower case, white space as single blanks.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}
