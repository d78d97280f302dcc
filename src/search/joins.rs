//! What calls, kinship and mentions add to what was found by its words, and how much: the weights are constants here. It finds nothing by
//! words. Read [`Joins`] first.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bundles::Main;
use super::calls::Graph;
use super::flow::{self, Joined};
use super::intent::Relation;
use super::rank::Candidate;
use super::seed::{Scores, Seed, SeedReason, VIABLE};
use super::view::View;
use crate::graph::Place;
use crate::model::{FileId, Part};
use crate::store::StoreError;
use crate::store::text::TextReader;

/// What a full join is worth, beside evidence by words of which the best has 1: along the flow of a seed, to a definition that is named,
/// to one of the best answers, to a name that is mentioned, and when just this relation is asked for.
const FLOW: f32 = 0.6;
const NAMED: f32 = 0.8;
const BESIDE: f32 = 0.45;
const MENTION: f32 = 0.1;
const RELATION: f32 = 2.0;
/// Share of a join's worth that does not depend on the words of what is joined; of one that belongs there in any case.
const WORDLESS: f32 = 0.4;
const WORDLESS_SURE: f32 = 0.8;
/// Of a seed's confidence, what it is worth when the search alone speaks for it.
const DESCRIBED: f32 = 0.7;

/// Best answers whose callers and callees are looked at.
const EXPANDED: usize = 3;
/// Seeds that are tried for a flow.
const FOLLOWED: usize = 4;
/// Names whose mentions are looked up, and mentions of each: of more it is too common a name.
const MOST_MENTIONED: usize = 3;
const MOST_MENTIONS: usize = 200;

/// What one question is joined by.
#[derive(Clone, Copy)]
pub(super) struct Joins<'a> {
    pub graph: Graph<'a>,
    pub view: &'a View,
    /// Files of good answers: what lies elsewhere is not looked at from one that is only a good answer itself.
    pub near: &'a FxHashSet<FileId>,
}

impl Joins<'_> {
    /// The flow of the surest seed that has one, which then stands first.
    pub(super) fn followed(self, seeds: &mut [Seed]) -> Result<Vec<Joined>, StoreError> {
        for at in 0..seeds.len().min(FOLLOWED) {
            let Some(seed) = seeds.get(at).filter(|seed| seed.confidence >= VIABLE) else { break };
            let joined = flow::joined(self.graph, self.view, (seed.place, None), flow::FLOW)?;
            if joined.iter().any(|joined| joined.part != Part::Related) {
                if let Some(upto) = seeds.get_mut(..=at) {
                    upto.rotate_right(1);
                }
                return Ok(scaled(joined, FLOW).collect());
            }
        }
        Ok(Vec::new())
    }

    /// The callers or callees of a definition, when just these are asked for.
    pub(super) fn related(self, seed: &Seed, relation: Relation) -> Result<Vec<Joined>, StoreError> {
        let wanted = match relation {
            Relation::Callers => Part::Caller(1),
            Relation::Callees => Part::Callee(1),
        };
        let all = flow::joined(self.graph, self.view, (seed.place, None), flow::STEP)?;
        let asked = scaled(all, RELATION).filter(|joined| joined.part == wanted);
        Ok(asked.map(|joined| Joined { sure: true, ..joined }).collect())
    }

    /// What is joined to definitions that are named, and to the best answers by how good they are.
    pub(super) fn beside(self, seeds: &[Seed], candidates: &[Candidate]) -> Result<Vec<Joined>, StoreError> {
        let named = seeds.iter().filter(|seed| seed.reason.is_name() && seed.confidence >= VIABLE);
        let named = named.take(MOST_MENTIONED).map(|seed| (seed.place, NAMED * seed.confidence, None));
        let mut from: Vec<(Place, f32, Option<&FxHashSet<FileId>>)> = named.collect();
        let best = candidates.first().map_or(1.0, |candidate| candidate.score).max(f32::MIN_POSITIVE);
        for candidate in candidates.iter().take(EXPANDED) {
            let symbol = self.symbol(candidate)?;
            from.extend(symbol.map(|place| (place, BESIDE * candidate.score / best, Some(self.near))));
        }
        let mut all = Vec::new();
        for (place, worth, within) in from {
            all.extend(scaled(flow::joined(self.graph, self.view, (place, within), flow::BESIDE)?, worth));
        }
        Ok(all)
    }

    /// Chunks that hold the very name of a definition that the prompt names.
    pub(super) fn mentioning(self, seeds: &[Seed], text: &TextReader) -> Result<Vec<Joined>, StoreError> {
        let mut all = Vec::new();
        for seed in seeds.iter().filter(|seed| seed.reason.is_name()).take(MOST_MENTIONED) {
            let told = self.graph.symbol(seed.place, |_, symbol| (symbol.name.clone(), symbol.qualified()))?;
            let Some((name, qualified)) = told else { continue };
            for (file, ordinal) in text.phrase(&[&name], MOST_MENTIONS)? {
                let chunk = self.view.dense(file, ordinal).filter(|chunk| *chunk != seed.chunk);
                let because = format!("mentions {qualified}");
                let (weight, part) = (MENTION, Part::Related);
                all.extend(chunk.map(|chunk| Joined {
                    chunk,
                    place: None,
                    weight,
                    part,
                    because,
                    site: None,
                    sure: false,
                }));
            }
        }
        Ok(all)
    }

    fn symbol(self, candidate: &Candidate) -> Result<Option<Place>, StoreError> {
        let Some(layout) = self.view.layout.files.get(candidate.file as usize) else { return Ok(None) };
        let Some(file) = self.graph.file(layout.file)? else { return Ok(None) };
        let chunk = file.outline.chunks.get((candidate.chunk - layout.first) as usize);
        let symbol = chunk.and_then(|chunk| chunk.symbol);
        Ok(symbol.map(|symbol| Place { file: layout.file, symbol }))
    }
}

/// Hands what joins, seeds and bundles are worth to the candidates, and makes candidates of what was none.
pub(super) fn weigh(
    candidates: &mut Vec<Candidate>,
    (joined, seeds, mains): (&[Joined], &[Seed], &[Main]),
    scores: &Scores,
    candidate: &dyn Fn(u32) -> Candidate,
) {
    let calls = worth(joined, seeds, scores);
    let mut bundle: FxHashMap<u32, f32> = FxHashMap::default();
    for (chunk, worth) in mains {
        let known = bundle.entry(*chunk).or_default();
        *known = known.max(*worth);
    }
    let mut new: Vec<u32> = calls.keys().chain(bundle.keys()).copied().collect();
    new.sort_unstable();
    new.dedup();
    let known: rustc_hash::FxHashSet<u32> = candidates.iter().map(|candidate| candidate.chunk).collect();
    candidates.extend(new.into_iter().filter(|chunk| !known.contains(chunk)).map(candidate));
    for candidate in candidates {
        candidate.calls = calls.get(&candidate.chunk).copied().unwrap_or_default();
        candidate.bundle = bundle.get(&candidate.chunk).copied().unwrap_or_default();
    }
}

/// By chunk the most that any join, or being a seed, is worth.
fn worth(joined: &[Joined], seeds: &[Seed], scores: &Scores) -> FxHashMap<u32, f32> {
    let best = scores.values().map(|(score, _)| *score).fold(f32::MIN_POSITIVE, f32::max);
    let mut worth: FxHashMap<u32, f32> = FxHashMap::default();
    let mut add = |chunk, value: f32| {
        let known = worth.entry(chunk).or_default();
        *known = known.max(value);
    };
    for joined in joined {
        let share = scores.get(&joined.chunk).map_or(0.0, |(score, _)| *score) / best;
        let wordless = if joined.sure { WORDLESS_SURE } else { WORDLESS };
        add(joined.chunk, joined.weight * (wordless + (1.0 - wordless) * share));
    }
    for seed in seeds.iter().filter(|seed| seed.confidence >= VIABLE) {
        let share = if seed.reason == SeedReason::Described { DESCRIBED } else { 1.0 };
        add(seed.chunk, seed.confidence * share);
    }
    worth
}

fn scaled(joined: Vec<Joined>, by: f32) -> impl Iterator<Item = Joined> {
    joined.into_iter().map(move |joined| Joined { weight: joined.weight * by, ..joined })
}
