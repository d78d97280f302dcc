//! One order from all evidence. What counts, how much and why is the table [`SIGNALS`] and, for paths, `factors::FACTORS`; a new signal is
//! a function and a row. It reads no store. Read [`SIGNALS`] first, then [`Ranking::order`].

use super::Signal;
use super::factors::{self, Factor};
use super::filename::FileName;
use super::query::Query;
use super::view::View;
use crate::store::tokens::Stemmer;

/// Share of what the file as a whole says, for queries of at most [`CARD_STEMS`] stems. A long text finds its function by itself.
const CARD: f32 = 0.6;
const CARD_STEMS: f32 = 6.0;
const COHERENCE: f32 = 0.3;
const NAME: f32 = 0.3;
const NAME_STEMS: f32 = 12.0;
const PHRASE: f32 = 1.0;

/// A chunk with everything that speaks for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    /// Dense indexes.
    pub chunk: u32,
    pub file: u32,
    /// From 0 to 1, of the best in the index: the chunk's words, its file's card, its file's other chunks.
    pub words: f32,
    pub card: f32,
    pub coherence: f32,
    pub definition: f32,
    /// Share of the quoted phrases.
    pub phrase: f32,
    /// What its calls to and from good answers are worth.
    pub calls: f32,
    /// What it is worth as a main definition of the part of the project that is asked for.
    pub bundle: f32,
    /// What the prompt itself, beside its words, multiplies the score by, and why.
    pub situation: Option<Signal>,
    pub score: f32,
    pub name: FileName,
    /// Best of its file: the file's evidence counts for this one only.
    pub leads: bool,
}

/// A row: something that is added to the score.
pub(super) struct Row {
    pub name: &'static str,
    stage: Stage,
    reach: Reach,
    value: fn(&Candidate, &Weights) -> f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Scaled so that the best candidate has 1.
    Evidence,
    /// Added to the scaled evidence.
    Boost,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Every chunk. A second chunk of a file stands on these alone.
    Chunk,
    /// The best chunk of a file.
    File,
}

/// Weights that depend on the query.
#[derive(Debug, Clone, Copy)]
struct Weights {
    card: f32,
    name: f32,
}

/// Order of application: evidence, scaling, boosts, then the path factors.
pub(super) static SIGNALS: [Row; 9] = [
    // The words of the query in the chunk.
    Row { name: "words", stage: Stage::Evidence, reach: Reach::Chunk, value: |chunk, _| chunk.words },
    // A file whose names, signatures and docs speak of the matter is its home, whichever chunk repeats the words most.
    Row {
        name: "file card",
        stage: Stage::Evidence,
        reach: Reach::File,
        value: |chunk, weights| weights.card * chunk.card,
    },
    // Several good chunks make a file the place, one may be chance.
    Row {
        name: "coherence",
        stage: Stage::Evidence,
        reach: Reach::File,
        value: |chunk, weights| weights.card * COHERENCE * chunk.coherence,
    },
    // Who says a word of a file's name or folder may mean the file.
    Row {
        name: "file name",
        stage: Stage::Boost,
        reach: Reach::File,
        value: |chunk, weights| weights.name * chunk.name.share,
    },
    // Who says all words of its name does.
    Row {
        name: "whole file name",
        stage: Stage::Boost,
        reach: Reach::File,
        value: |chunk, weights| weights.name * chunk.name.cover,
    },
    // Who names a definition wants it.
    Row { name: "definition", stage: Stage::Boost, reach: Reach::Chunk, value: |chunk, _| chunk.definition },
    // Who quotes wants these very words.
    Row { name: "phrase", stage: Stage::Boost, reach: Reach::Chunk, value: |chunk, _| PHRASE * chunk.phrase },
    // What the best answers call, and who calls them, belongs to the answer.
    Row { name: "calls", stage: Stage::Boost, reach: Reach::Chunk, value: |chunk, _| chunk.calls },
    // Who asks for a part of the project wants its main types.
    Row { name: "bundle", stage: Stage::Boost, reach: Reach::Chunk, value: |chunk, _| chunk.bundle },
];

/// How the candidates of one query are judged.
pub(super) struct Ranking<'a> {
    query: &'a Query,
    view: &'a View,
    weights: Weights,
    /// Path factors that the query does not lift.
    in_force: u16,
    /// Functions are asked for: files count for nothing.
    functions: bool,
    /// Evidence of the best candidate.
    scale: f32,
}

impl<'a> Ranking<'a> {
    pub(super) fn new(query: &'a Query, view: &'a View, functions: bool) -> Self {
        let name = if query.symbol { 0.0 } else { NAME * query.brevity(NAME_STEMS) };
        let weights = Weights { card: CARD * query.brevity(CARD_STEMS), name };
        Self { query, view, weights, in_force: factors::in_force(&query.words, !query.symbol), functions, scale: 1.0 }
    }

    /// Scores and sorts: best first, equal ones by path and place in the file.
    pub(super) fn order(&mut self, candidates: &mut [Candidate], stemmer: &mut Stemmer) {
        let best =
            candidates.iter().map(|candidate| self.sum(candidate, Stage::Evidence, Reach::File)).fold(0.0, f32::max);
        self.scale = if best > 0.0 { best } else { 1.0 };
        candidates.sort_unstable_by_key(|candidate| candidate.chunk);
        for of_file in candidates.chunk_by_mut(|left, right| left.file == right.file) {
            self.score_file(of_file, stemmer);
        }
        candidates.sort_unstable_by(|left, right| {
            let place = |candidate: &Candidate| (self.view.path(candidate.file), candidate.chunk);
            right.score.total_cmp(&left.score).then_with(|| place(left).cmp(&place(right)))
        });
    }

    /// What made the score of a candidate: what was added, then by what it was multiplied. Their sum times the factors is the score.
    pub(super) fn because(&self, candidate: &Candidate, stemmer: &mut Stemmer) -> Vec<Signal> {
        let reach = if candidate.leads { Reach::File } else { Reach::Chunk };
        let rows = SIGNALS.iter().filter(|row| self.counts(row, reach));
        let added = rows.map(|row| {
            let scale = if row.stage == Stage::Evidence { self.scale } else { 1.0 };
            Signal { name: row.name, value: (row.value)(candidate, &self.weights) / scale }
        });
        let mut signals: Vec<Signal> = added.filter(|signal| signal.value != 0.0).collect();
        signals
            .extend(self.factors(candidate, stemmer).map(|factor| Signal { name: factor.name, value: factor.value }));
        signals.extend(candidate.situation);
        signals
    }

    /// Scores the candidates of one file: the best by all evidence, the others by their own.
    fn score_file(&self, of_file: &mut [Candidate], stemmer: &mut Stemmer) {
        let name = match of_file.first() {
            Some(first) if self.weights.name > 0.0 => FileName::of(self.view.facts(first.file, stemmer), self.query),
            Some(_) | None => FileName::default(),
        };
        let mut lead: Option<(usize, f32)> = None;
        for (at, candidate) in of_file.iter_mut().enumerate() {
            candidate.name = name;
            candidate.leads = false;
            let path: f32 = self.factors(candidate, stemmer).map(|factor| factor.value).product();
            let factor = path * candidate.situation.map_or(1.0, |situation| situation.value);
            candidate.score = factor * self.total(candidate, Reach::Chunk);
            let leading = factor * self.total(candidate, Reach::File);
            if lead.is_none_or(|(_, best)| leading > best) {
                lead = Some((at, leading));
            }
        }
        if let Some((at, score)) = lead
            && let Some(candidate) = of_file.get_mut(at)
        {
            candidate.score = score;
            candidate.leads = true;
        }
    }

    fn total(&self, candidate: &Candidate, reach: Reach) -> f32 {
        self.sum(candidate, Stage::Evidence, reach) / self.scale + self.sum(candidate, Stage::Boost, reach)
    }

    fn sum(&self, candidate: &Candidate, stage: Stage, reach: Reach) -> f32 {
        let rows = SIGNALS.iter().filter(|row| row.stage == stage && self.counts(row, reach));
        rows.map(|row| (row.value)(candidate, &self.weights)).sum()
    }

    fn counts(&self, row: &Row, reach: Reach) -> bool {
        row.reach == Reach::Chunk || (reach == Reach::File && !self.functions)
    }

    fn factors(&self, candidate: &Candidate, stemmer: &mut Stemmer) -> impl Iterator<Item = &'static Factor> {
        let flags = self.view.layout.chunk_flags.get(candidate.chunk as usize).copied().unwrap_or_default();
        self.view.facts(candidate.file, stemmer).traits.factors(flags, self.in_force, &self.query.words)
    }
}
