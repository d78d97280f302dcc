//! Evidence for every chunk and file of the index, and the candidates that ranking looks at closely: two BM25F over postings, summed in
//! dense arrays. It knows words and fields, not names, paths or what a query means. Read [`Evidence`] first.

use rustc_hash::FxHashMap;

use super::filter::Filter;
use super::query::Term;
use super::rank::Candidate;
use super::view::{CARD_DIR, SUMMED, View};
use crate::model::FileId;
use crate::store::StoreError;
use crate::store::text::{CHUNK_FIELDS, ChunkCounts, ChunkField, Chunks, FileCounts, FileField, TextReader};

const CHUNK_K1: f32 = 3.0;
const CARD_K1: f32 = 1.5;
/// Best chunks that become candidates, and best cards with their best chunks.
const TOP_CHUNKS: usize = 300;
const TOP_CARDS: usize = 50;
const CHUNKS_OF_CARD: usize = 3;
/// Where a filter takes most of the chunks away later, more of them are looked at.
const TOP_CHUNKS_FILTERED: usize = 3_000;
/// A term in so many chunks is remembered from query to query, up to a number of chunks of all such terms (eight bytes each).
const COMMON: usize = 256;
const MOST_REMEMBERED: usize = 1 << 20;
/// Best chunks that are picked out of all at once. A lower number picks more often, a higher one keeps more that are dropped later.
const POOL: usize = 2_048;
/// Most occurrences are this one.
const CODE_ONCE: ChunkCounts = {
    let mut counts = [0; CHUNK_FIELDS];
    counts[ChunkField::Code as usize] = 1;
    counts
};
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
    /// Of the term that was read last.
    hits: TermHits,
    /// By term, of the same commit: those whose postings take long to read.
    common: FxHashMap<Box<str>, TermHits>,
    /// Chunks in `common`.
    remembered: usize,
    commit: i64,
    /// Chunks that have any term, at least the [`TOP_CHUNKS`] best of them; and cards.
    any_chunk: Vec<Scored>,
    any_card: Vec<Scored>,
}

/// Where a term stands, with its saturated count: the same for every query.
#[derive(Debug, Default)]
struct TermHits {
    chunks: Vec<Scored>,
    cards: Vec<Scored>,
}

/// The lowest score that is one.
const LEAST: f32 = f32::from_bits(1);

/// Dense index of a chunk or a file, and its score.
type Scored = (u32, f32);

/// How telling a term is that `having` of `all` have.
pub(super) fn idf(all: usize, having: usize) -> f32 {
    let (all, having) = (all as f32, having as f32);
    (1.0 + (all - having + 0.5).max(0.0) / (having + 0.5)).ln()
}

impl Evidence {
    /// Scores everything by `terms`. `filter` is what [`Evidence::candidates`] will be asked with.
    pub(super) fn gather(
        &mut self,
        terms: &[Term],
        view: &View,
        reader: &TextReader,
        filter: &Filter,
    ) -> Result<(), StoreError> {
        if self.commit != view.commit {
            self.common.clear();
            (self.remembered, self.commit) = (0, view.commit);
        }
        reset(&mut self.chunks, view.chunks());
        reset(&mut self.cards, view.layout.files.len());
        for term in terms {
            self.add_term(term, view, reader)?;
        }
        self.survey(view, if filter.takes_all() { POOL } else { usize::MAX });
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
        if !self.common.contains_key(&term.text) {
            self.hits.read(&term.text, view, reader)?;
            self.remember(term);
        }
        let hits = self.common.get(&term.text).unwrap_or(&self.hits);
        let chunk_weight = term.weight * idf(view.chunks(), hits.chunks.len());
        for &(chunk, value) in &hits.chunks {
            self.chunks[chunk as usize] += chunk_weight * value;
        }
        let card_weight = term.weight * idf(view.layout.files.len(), hits.cards.len());
        for &(file, value) in &hits.cards {
            self.cards[file as usize] += card_weight * value;
        }
        Ok(())
    }

    /// Keeps what was read last, if it was much.
    fn remember(&mut self, term: &Term) {
        let found = self.hits.chunks.len();
        if found < COMMON {
            return;
        }
        self.remembered += found;
        if self.remembered > MOST_REMEMBERED {
            self.common.clear();
            self.remembered = found;
        }
        self.common.insert(term.text.clone(), std::mem::take(&mut self.hits));
    }

    /// Looks at all scores once: which there are, the highest, and how far the chunks of each file agree. Of more than `pool`
    /// chunks the best are enough.
    fn survey(&mut self, view: &View, mut pool: usize) {
        (self.max_chunk, self.max_card, self.max_coherence) = (0.0, 0.0, 0.0);
        self.any_chunk.clear();
        self.any_card.clear();
        self.coherence.clear();
        let mut least = LEAST;
        for ((index, file), &card) in (0u32..).zip(&view.files).zip(&self.cards) {
            let mut best = [0.0f32; COHERENT];
            let chunks = self.chunks.get(file.first as usize..(file.first + file.chunks) as usize).unwrap_or_default();
            for (chunk, &score) in (file.first..).zip(chunks) {
                if score > best[COHERENT - 1] {
                    insert(&mut best, score);
                }
                if score >= least {
                    self.any_chunk.push((chunk, score));
                }
            }
            if self.any_chunk.len() > pool {
                least = keep_from(&mut self.any_chunk, TOP_CHUNKS);
                pool = pool.max(2 * self.any_chunk.len());
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

/// What occurrences of that worth are to a chunk: more of them count less and less.
pub(super) fn saturated(worth: f32) -> f32 {
    worth / (CHUNK_K1 + worth)
}

impl TermHits {
    /// Reads the postings of a term.
    fn read(&mut self, term: &str, view: &View, reader: &TextReader) -> Result<(), StoreError> {
        self.chunks.clear();
        self.cards.clear();
        reader.postings(term, |file, counts, chunks| self.add_file(view, file, counts, chunks))?;
        Ok(())
    }

    /// Notes the term's occurrences in one file. A file that has changed since `view` was loaded may have other chunks; what is out of
    /// bounds is left out.
    #[inline]
    fn add_file(&mut self, view: &View, file: FileId, counts: FileCounts, chunks: &mut Chunks<'_>) {
        let Some(position) = view.layout.position(file) else { return };
        let Some(of_file) = view.files.get(position) else { return };
        let path = of_file.path[0] * f32::from(counts[FileField::Stem as usize])
            + of_file.path[1] * f32::from(counts[FileField::Dir as usize]);
        let mut summed = [0u32; SUMMED.len()];
        let mut next = 0;
        chunks.each(|ordinal, counts| {
            let ordinal = u32::from(ordinal);
            if ordinal >= of_file.chunks {
                return;
            }
            let chunk = of_file.first + ordinal;
            if path > 0.0 {
                self.add_rest(of_file.first, next..ordinal, path);
                next = ordinal + 1;
            } else if counts == CODE_ONCE {
                self.chunks.push((chunk, view.code_once[chunk as usize]));
                return;
            }
            let worth = view.chunk_worth[chunk as usize];
            let value = worth.iter().zip(counts).fold(path, |sum, (worth, count)| sum + worth * f32::from(count));
            self.chunks.push((chunk, saturated(value)));
            for (sum, field) in summed.iter_mut().zip(SUMMED) {
                *sum += u32::from(counts[field as usize]);
            }
        });
        if path > 0.0 {
            self.add_rest(of_file.first, next..of_file.chunks, path);
        }
        let card = card_value(of_file.card, summed, counts);
        if card > 0.0 {
            self.cards.push((position as u32, card / (CARD_K1 + card)));
        }
    }

    /// Chunks that have the term only in the path of their file.
    fn add_rest(&mut self, first: u32, ordinals: std::ops::Range<u32>, path: f32) {
        let value = saturated(path);
        self.chunks.extend(ordinals.map(|ordinal| (first + ordinal, value)));
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
    for slot in best {
        if carried > *slot {
            std::mem::swap(&mut carried, slot);
        }
    }
}

/// Keeps the `most` items of highest score and those that equal the last of them; its score.
fn keep_from(items: &mut Vec<Scored>, most: usize) -> f32 {
    let (_, &mut (_, least), _) = items.select_nth_unstable_by(most - 1, |left, right| right.1.total_cmp(&left.1));
    items.retain(|(_, score)| *score >= least);
    least
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
