//! Chunks that define what the query names. It looks names up and judges how well they fit; how that weighs against words is a matter of
//! `rank`. Read [`definitions`].

use super::query::{Name, Query, Role};
use super::view::View;
use crate::model::{Chunk, FileId, Import};
use crate::store::StoreError;
use crate::store::code::{CodeReader, Definition, lookup_name};
use crate::store::names::effective_name;
use crate::store::text::{ChunkField, FileField, TextReader};

const SYMBOL: f32 = 2.0;
const IDENTIFIER: f32 = 0.5;
const CAPITALISED: f32 = 0.3;
const PLAIN: f32 = 0.1;
/// For a symbol that is spelled so nowhere but where it is exported under this name.
const REEXPORT: f32 = 1.2;
/// Of a qualified name whose other parts are not found with the definition.
const UNQUALIFIED: f32 = 0.5;
/// Of a symbol query that is written with capitals and spelled otherwise where it is defined.
const OTHER_CASE: f32 = 0.5;
/// For a file that goes by the name of the definition.
const OWN_FILE: f32 = 1.5;
/// Files that export the name, of those that are looked at.
const MAX_REEXPORTS: usize = 32;
/// Definitions that become candidates whatever their words.
const MAX_CANDIDATES: usize = 300;

/// A chunk that defines a name of the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    /// Dense index.
    pub chunk: u32,
    pub value: f32,
    /// It is a candidate whatever its words.
    candidate: bool,
}

/// By chunk, the best name of each.
pub(super) fn definitions(
    query: &Query,
    view: &View,
    code: &CodeReader,
    text: &TextReader,
) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::new();
    for name in &query.names {
        let at = code.definitions(&name.text)?;
        let chunks: Vec<Option<u32>> =
            at.iter().map(|definition| view.dense(definition.file, definition.chunk)).collect();
        let qualified = qualified(name, (&at, &chunks), view, text)?;
        for ((definition, chunk), qualified) in at.iter().zip(chunks).zip(qualified) {
            let Some(chunk) = chunk else { continue };
            let value = value(name, definition, view, chunk) * if qualified { 1.0 } else { UNQUALIFIED };
            if value > 0.0 {
                found.push(Found { chunk, value, candidate: name.role != Role::Plain });
            }
        }
        if name.role == Role::Symbol && !at.iter().any(|definition| same_case(&definition.name, &name.text)) {
            found.extend(reexports(name, view, code)?);
        }
    }
    found.sort_unstable_by(|left, right| left.chunk.cmp(&right.chunk).then(right.value.total_cmp(&left.value)));
    found.dedup_by(|next, kept| {
        let same = next.chunk == kept.chunk;
        kept.candidate |= same && next.candidate;
        same
    });
    Ok(found)
}

/// Dense indexes of those that are candidates by their name alone: of too many, the best.
pub(super) fn candidates(found: &[Found], view: &View, scores: &[f32]) -> Vec<u32> {
    let score = |chunk: u32| scores.get(chunk as usize).copied().unwrap_or_default();
    let path = |chunk: u32| view.path(view.file_of.get(chunk as usize).copied().unwrap_or_default());
    let mut best: Vec<&Found> = found.iter().filter(|found| found.candidate).collect();
    if best.len() > MAX_CANDIDATES {
        best.select_nth_unstable_by(MAX_CANDIDATES, |left, right| {
            let by_value = right.value.total_cmp(&left.value);
            let by_score = || score(right.chunk).total_cmp(&score(left.chunk));
            by_value
                .then_with(by_score)
                .then_with(|| (path(left.chunk), left.chunk).cmp(&(path(right.chunk), right.chunk)))
        });
        best.truncate(MAX_CANDIDATES);
    }
    best.into_iter().map(|found| found.chunk).collect()
}

fn value(name: &Name, definition: &Definition, view: &View, chunk: u32) -> f32 {
    let base = match name.role {
        Role::Symbol => SYMBOL,
        Role::Identifier => IDENTIFIER,
        Role::Capitalised if *definition.name == *name.text => CAPITALISED,
        Role::Capitalised => 0.0,
        Role::Plain => PLAIN,
    };
    let own_file = base > 0.0 && name.role != Role::Plain && {
        let file = view.file_of.get(chunk as usize).and_then(|file| view.layout.files.get(*file as usize));
        file.is_some_and(|file| same_name(effective_name(&file.path).stem, &definition.name))
    };
    let other_case = name.text.contains(char::is_uppercase) && !same_case(&definition.name, &name.text);
    let case = if other_case && name.role == Role::Symbol { OTHER_CASE } else { 1.0 };
    base * definition.strength.weight() * if own_file { OWN_FILE } else { 1.0 } * case
}

/// The same but for leading `_` and `$`.
fn same_case(left: &str, right: &str) -> bool {
    left.trim_start_matches(['_', '$']) == right.trim_start_matches(['_', '$'])
}

/// Letters and digits are the same, whatever the case, `_` and a plural `s`.
fn same_name(file: &str, name: &str) -> bool {
    let plain = |text: &str| {
        let mut letters: String =
            text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        if letters.ends_with('s') && letters.len() > 1 {
            letters.pop();
        }
        letters
    };
    let file = plain(file);
    !file.is_empty() && file == plain(&lookup_name(name))
}

/// For each definition and its chunk, which ascend: its owner, file name and folders hold all stems that stand before the name.
fn qualified(
    name: &Name,
    (definitions, chunks): (&[Definition], &[Option<u32>]),
    view: &View,
    text: &TextReader,
) -> Result<Vec<bool>, StoreError> {
    let mut all = vec![true; chunks.len()];
    let mut files: Vec<FileId> = definitions.iter().map(|definition| definition.file).collect();
    files.dedup();
    for stem in &name.qualifier {
        let mut having = vec![false; chunks.len()];
        let mut mark = |dense: std::ops::Range<u32>| {
            let first = chunks.partition_point(|chunk| chunk.is_none_or(|chunk| chunk < dense.start));
            let inside = chunks.iter().zip(&mut having).skip(first);
            inside
                .take_while(|(chunk, _)| chunk.is_some_and(|chunk| chunk < dense.end))
                .for_each(|(_, mark)| *mark = true);
        };
        text.postings_of(stem, &files, |file, of_file, of_chunks| {
            let Some(layout) = view.layout.position(file).and_then(|at| view.layout.files.get(at)) else { return };
            if of_file[FileField::Stem as usize] > 0 || of_file[FileField::Dir as usize] > 0 {
                mark(layout.first..layout.first + layout.chunks);
            }
            for (ordinal, counts) in of_chunks {
                if counts[ChunkField::Owner as usize] > 0 {
                    let chunk = layout.first + u32::from(ordinal);
                    mark(chunk..chunk + 1);
                }
            }
        })?;
        all.iter_mut().zip(having).for_each(|(all, having)| *all &= having);
    }
    Ok(all)
}

/// Where files export the name: the chunk with that statement.
fn reexports(name: &Name, view: &View, code: &CodeReader) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::new();
    let key = lookup_name(&name.text);
    let mut files = code.reexports(&name.text)?;
    // Ids say when a file was first indexed, and nothing of the file.
    files.sort_by_key(|file| view.layout.position(*file).map(|at| view.layout.files.get(at).map(|file| &file.path)));
    for file in files.into_iter().take(MAX_REEXPORTS) {
        let (facts, chunks) = (code.facts(file)?, code.chunks(file)?);
        let exports = facts.imports.iter().filter(|import| import.reexport);
        let of_name = |import: &&Import| lookup_name(import.alias.as_deref().unwrap_or(&import.name)) == key;
        let Some(import) = exports.into_iter().find(of_name) else { continue };
        let holds = |chunk: &Chunk| chunk.spans.iter().any(|span| span.start <= import.at && import.at < span.end);
        let ordinal = chunks.iter().position(holds).unwrap_or_default();
        let chunk = u16::try_from(ordinal).ok().and_then(|ordinal| view.dense(file, ordinal));
        found.extend(chunk.map(|chunk| Found { chunk, value: REEXPORT, candidate: true }));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_called_like_its_definition() {
        assert!(same_name("json_reader", "JsonReader"));
        assert!(same_name("routes", "Route"));
        assert!(same_name("app", "_App"));
        assert!(!same_name("json", "JsonReader"));
        assert!(!same_name("", "_"));
    }
}
