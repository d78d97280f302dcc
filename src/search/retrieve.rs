//! Evidence for every chunk and file of the index, and the candidates that ranking looks at closely: two BM25F over postings, summed in
//! dense arrays. It knows words and fields, not names, paths or what a query means. Read [`Evidence`] first.

use super::filter::Filter;
use super::query::Term;
use super::rank::Candidate;
use super::view::{CARD_DIR, SUMMED, View};
use crate::model::FileId;
use crate::store::StoreError;
use crate::store::text::{ChunkCounts, FileCounts, FileField, TextReader};

const CHUNK_K1: f32 = 3.0;
const CARD_K1: f32 = 1.5;
/// Best chunks that become candidates, and best cards with their best chunks.
const TOP_CHUNKS: usize = 300;
const TOP_CARDS: usize = 50;
const CHUNKS_OF_CARD: usize = 3;
/// Where a filter takes most of the chunks away later, more of them are looked at.
const TOP_CHUNKS_FILTERED: usize = 3_000;
/// Chunks of a file that speak for its coherence: the second to the last of its best ones.
const COHERENT: usize = 5;

/// Scores of one query; kept between queries for its memory.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// By dense chunk index.
    pub chunks: Vec<f32>,
    /// By file.
    pub cards: Vec<f32>,
    pub coherence: Vec<f32>,
    pub max_chunk: f32,
    pub max_card: f32,
    pub max_coherence: f32,
    /// Chunks and cards of the term at hand with its saturated count in them.
    chunk_hits: Vec<Scored>,
    card_hits: Vec<Scored>,
    /// Chunks and cards that have any term.
    any_chunk: Vec<Scored>,
    any_card: Vec<Scored>,
}

/// Dense index of a chunk or a file, and its score.
type Scored = (u32, f32);

/// How telling a term is that `having` of `all` have.
pub(super) fn idf(all: usize, having: usize) -> f32 {
    let (all, having) = (all as f32, having as f32);
    (1.0 + (all - having + 0.5).max(0.0) / (having + 0.5)).ln()
}

impl Evidence {
    /// Scores everything by `terms`.
    pub(super) fn gather(&mut self, terms: &[Term], view: &View, reader: &TextReader) -> Result<(), StoreError> {
        reset(&mut self.chunks, view.chunks());
        reset(&mut self.cards, view.layout.files.len());
        for term in terms {
            self.add_term(term, view, reader)?;
        }
        self.survey(view);
        Ok(())
    }

    /// Dense indexes of the chunks to rank: the best ones, and the best ones of the best cards.
    pub(super) fn candidates(&mut self, view: &View, filter: &Filter) -> Vec<u32> {
        if !filter.takes_all() {
            self.any_chunk.retain(|(chunk, _)| filter.takes(view, *chunk));
            self.any_card.retain(|(file, _)| filter.takes_file(*file));
        }
        let most = if filter.is_narrow() { TOP_CHUNKS_FILTERED } else { TOP_CHUNKS };
        keep_best(&mut self.any_chunk, most, |chunk| (view.path(view.file_of[chunk as usize]), chunk));
        keep_best(&mut self.any_card, TOP_CARDS, |file| (view.path(file), 0));
        let mut found: Vec<u32> = self.any_chunk.iter().map(|(chunk, _)| *chunk).collect();
        let mut of_file: Vec<Scored> = Vec::new();
        for &(file, _) in &self.any_card {
            let chunks =
                view.chunks_of(file).map(|chunk| (chunk as u32, self.chunks.get(chunk).copied().unwrap_or_default()));
            of_file.clear();
            of_file.extend(chunks.filter(|(chunk, _)| filter.takes(view, *chunk)));
            keep_best(&mut of_file, CHUNKS_OF_CARD, |chunk| ("", chunk));
            found.extend(of_file.iter().map(|(chunk, _)| *chunk));
        }
        found
    }

    /// What the words say of a chunk, each part from 0 to 1.
    pub(super) fn candidate(&self, view: &View, chunk: u32) -> Candidate {
        let file = view.file_of.get(chunk as usize).copied().unwrap_or_default();
        let of = |scores: &[f32], at: u32, max: f32| {
            if max > 0.0 { scores.get(at as usize).map_or(0.0, |score| score / max) } else { 0.0 }
        };
        Candidate {
            chunk,
            file,
            words: of(&self.chunks, chunk, self.max_chunk),
            card: of(&self.cards, file, self.max_card),
            coherence: of(&self.coherence, file, self.max_coherence),
            ..Candidate::default()
        }
    }

    fn add_term(&mut self, term: &Term, view: &View, reader: &TextReader) -> Result<(), StoreError> {
        self.chunk_hits.clear();
        self.card_hits.clear();
        reader.postings(&term.text, &mut |file, counts, chunks| self.add_file(view, file, counts, chunks))?;
        let chunk_weight = term.weight * idf(view.chunks(), self.chunk_hits.len());
        for &(chunk, value) in &self.chunk_hits {
            self.chunks[chunk as usize] += chunk_weight * value;
        }
        let card_weight = term.weight * idf(view.layout.files.len(), self.card_hits.len());
        for &(file, value) in &self.card_hits {
            self.cards[file as usize] += card_weight * value;
        }
        Ok(())
    }

    /// Notes the term's occurrences in one file. A file that has changed since `view` was loaded may have other chunks; what is out of
    /// bounds is left out.
    #[inline]
    fn add_file(&mut self, view: &View, file: FileId, counts: FileCounts, chunks: &[(u16, ChunkCounts)]) {
        let Some(position) = view.layout.position(file) else { return };
        let Some(layout) = view.layout.files.get(position) else { return };
        let of_path = view.path_worth[position];
        let path = of_path[0] * f32::from(counts[FileField::Stem as usize])
            + of_path[1] * f32::from(counts[FileField::Dir as usize]);
        let mut summed = [0u32; SUMMED.len()];
        let mut next = 0;
        for &(ordinal, counts) in chunks {
            let ordinal = u32::from(ordinal);
            if ordinal >= layout.chunks {
                break;
            }
            if path > 0.0 {
                self.add_rest(layout.first, next..ordinal, path);
            }
            next = ordinal + 1;
            let chunk = layout.first + ordinal;
            let worth = view.chunk_worth[chunk as usize];
            let value = worth.iter().zip(counts).fold(path, |sum, (worth, count)| sum + worth * f32::from(count));
            self.chunk_hits.push((chunk, value / (CHUNK_K1 + value)));
            for (sum, field) in summed.iter_mut().zip(SUMMED) {
                *sum += u32::from(counts[field as usize]);
            }
        }
        if path > 0.0 {
            self.add_rest(layout.first, next..layout.chunks, path);
        }
        let card = card_value(view.card_worth[position], summed, counts);
        if card > 0.0 {
            self.card_hits.push((position as u32, card / (CARD_K1 + card)));
        }
    }

    /// Chunks that have the term only in the path of their file.
    fn add_rest(&mut self, first: u32, ordinals: std::ops::Range<u32>, path: f32) {
        let value = path / (CHUNK_K1 + path);
        self.chunk_hits.extend(ordinals.map(|ordinal| (first + ordinal, value)));
    }

    /// Looks at all scores once: which there are, the highest, and how far the chunks of each file agree.
    fn survey(&mut self, view: &View) {
        (self.max_chunk, self.max_card, self.max_coherence) = (0.0, 0.0, 0.0);
        self.any_chunk.clear();
        self.any_card.clear();
        self.coherence.clear();
        for ((index, file), &card) in (0u32..).zip(&view.layout.files).zip(&self.cards) {
            let mut best = [0.0f32; COHERENT];
            let chunks = self.chunks.get(file.first as usize..(file.first + file.chunks) as usize).unwrap_or_default();
            for (chunk, &score) in (file.first..).zip(chunks) {
                if score > 0.0 {
                    self.any_chunk.push((chunk, score));
                    insert(&mut best, score);
                }
            }
            let [first, rest @ ..] = best;
            let coherence = rest.iter().sum();
            self.coherence.push(coherence);
            if card > 0.0 {
                self.any_card.push((index, card));
            }
            self.max_chunk = self.max_chunk.max(first);
            self.max_card = self.max_card.max(card);
            self.max_coherence = self.max_coherence.max(coherence);
        }
    }
}

fn card_value(worth: [f32; 4], summed: [u32; 3], counts: FileCounts) -> f32 {
    let [name, signature, doc, imports] = worth;
    name * summed[0] as f32
        + signature * summed[1] as f32
        + doc * summed[2] as f32
        + imports * f32::from(counts[FileField::Imports as usize])
        + CARD_DIR * f32::from(counts[FileField::Dir as usize])
}

/// Puts `score` into the descending list, whose last one falls out.
#[inline]
fn insert(best: &mut [f32; COHERENT], score: f32) {
    let mut carried = score;
    if carried <= best[COHERENT - 1] {
        return;
    }
    for slot in best {
        if carried > *slot {
            std::mem::swap(&mut carried, slot);
        }
    }
}

/// Keeps the `most` items of highest score; of equal ones those that come first by `place`.
fn keep_best<'v>(items: &mut Vec<Scored>, most: usize, place: impl Fn(u32) -> (&'v str, u32)) {
    if items.len() <= most {
        return;
    }
    let (_, &mut (_, cut), _) = items.select_nth_unstable_by(most, |left, right| right.1.total_cmp(&left.1));
    let mut at_cut: Vec<Scored> = items.iter().filter(|(_, score)| score.total_cmp(&cut).is_eq()).copied().collect();
    items.truncate(most);
    items.retain(|(_, score)| *score > cut);
    at_cut.sort_unstable_by(|left, right| place(left.0).cmp(&place(right.0)));
    let room = most - items.len();
    items.extend(at_cut.into_iter().take(room));
}

fn reset(scores: &mut Vec<f32>, len: usize) {
    scores.clear();
    scores.resize(len, 0.0);
}
