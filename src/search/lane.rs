//! A prompt -> the code lane: what kind of question it is, what it is about, what is found by its words and what calls join to that, as
//! blocks in order. It packs nothing. Read [`Searcher::answer`] first.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bundles::{Bundles, NamedBundle};
use super::calls::{Cache, Graph};
use super::filter::Filter;
use super::flow::Joined;
use super::hits::{self, Hit};
use super::intent::{self, Intent};
use super::joins::{self, Joins};
use super::marks::Marker;
use super::prompt::{Sanitized, sanitize};
use super::query::Query;
use super::rank::Candidate;
use super::seed::{Clues, Scores, Seed, SeedReason, VIABLE, seeds};
use super::shorten::shorten;
use super::told;
use super::view::View;
use super::{Scratch, SearchError, Searcher, Signal};
use crate::graph::Place;
use crate::model::{Block, Fact, FileId, Lane, Part, RelPath, Route};
use crate::store::StoreError;

/// Answers of a search that seeds and joins are looked for in.
const MOST_BEST: usize = 16;
/// Blocks that are only named, beside those that may be shown.
const NAMED: usize = 4;
/// What is further below the best than this share is left out: less so when the question is broad.
const FLOOR: f32 = 0.25;
const BROAD_FLOOR: f32 = 0.2;
const FLOOR_TOP: f32 = 1.2;
/// Files whose calls are kept from prompt to prompt.
const MOST_CACHED: usize = 512;
/// Share of the prompt's words that one of the best answers must have, and how many of these are looked at.
const LEAST_SHARE: f32 = 0.34;
const MOST_COMPARED: usize = 5;
/// Functions of a trace that are searched for.
const MOST_FRAMES: usize = 8;
/// Bytes of what is only shown that are searched for when nothing is said.
const MOST_SHOWN: usize = 1_200;
/// Words of a prompt that is about what the last one was about, its seeds that are taken up, and how sure that is.
const MOST_BACK_WORDS: usize = 12;
const MOST_BACK_STEMS: usize = 2;
const MOST_EARLIER: usize = 3;
const EARLIER: f32 = 0.7;
/// What the score is multiplied by: in an open file, and where no function or type is defined.
const ACTIVE: f32 = 1.5;
const BARE: f32 = 0.7;

/// A prompt and what went before.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub text: &'a str,
    /// Files the user has open.
    pub active_files: &'a [String],
    /// Chunks the last prompt of the session was about, for one that says "that".
    pub before: &'a [String],
    /// Whether calls join to what was found.
    pub expand: bool,
    /// Blocks that may be shown; a few more are only named.
    pub most: usize,
    /// Parts of the project that its settings describe.
    pub bundles: &'a [NamedBundle],
}

/// What the code has to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub route: Route,
    pub lane: Lane,
    pub trace: Trace,
    /// See [`super::SearchResults::stale`].
    pub stale: usize,
}

/// How the answer came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    pub prompt: Sanitized,
    pub intent: Intent,
    /// The surest first.
    pub seeds: Vec<FoundSeed>,
    /// What was searched for, one for each question.
    pub searched: Vec<String>,
    /// By rank: what made the score of each block.
    pub because: Vec<(String, Vec<Signal>)>,
}

/// A seed as it is told.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSeed {
    pub chunk_id: String,
    pub name: String,
    pub kind: Option<crate::model::SymbolKind>,
    pub path: RelPath,
    pub line: u32,
    pub confidence: f32,
    pub reason: SeedReason,
}

/// One question with everything found for it.
struct Found {
    route: Route,
    hits: Vec<Hit>,
    joined: FxHashMap<String, Joined>,
    seeds: Vec<FoundSeed>,
    facts: Vec<Fact>,
    marker: Marker,
    stale: usize,
}

impl Searcher {
    /// The code that answers a prompt.
    ///
    /// # Errors
    /// What the store says. No text is an error.
    pub fn answer(&self, question: &Question<'_>) -> Result<Answer, SearchError> {
        let prompt = sanitize(question.text);
        let intent = intent::classify(&prompt);
        let mut trace = Trace { prompt, intent, seeds: Vec::new(), searched: Vec::new(), because: Vec::new() };
        if intent.route == Route::Skip {
            return Ok(Answer { route: Route::Skip, lane: Lane::default(), trace, stale: 0 });
        }
        let (_text, _code) = (self.text.snapshot()?, self.code.snapshot()?);
        self.refresh()?;
        let view = &*self.view.borrow();
        let scratch = &mut *self.scratch.borrow_mut();
        scratch.renew_calls(view, self.code.commit()?);
        let mut found = Vec::new();
        for part in parts(&trace.prompt) {
            if intent::classify(&part).route == Route::Skip {
                continue;
            }
            trace.searched.push(searched(&part));
            found.push(self.found(question, &part, view, scratch)?);
        }
        Ok(merged(found, trace))
    }

    /// Everything that is found for one question.
    fn found(
        &self,
        question: &Question<'_>,
        prompt: &Sanitized,
        view: &View,
        scratch: &mut Scratch,
    ) -> Result<Found, SearchError> {
        let intent = intent::classify(prompt);
        let filter = Filter::default();
        let part = intent.structure.then(|| intent::part_asked(&prompt.words));
        let whole = part.as_ref().is_some_and(String::is_empty);
        let text = part.filter(|part| !part.is_empty()).unwrap_or_else(|| searched(prompt));
        let asked = Query::parse(&text, &mut scratch.stemmer);
        let (mut candidates, mut ranking) = self.ranked(&asked, view, (&filter, false), scratch)?;
        if whole {
            candidates.clear();
        }
        let scores: Scores = candidates.iter().map(|found| (found.chunk, (found.score, found.definition))).collect();
        let best: Vec<u32> = candidates.iter().take(MOST_BEST).map(|found| found.chunk).collect();
        let Scratch { evidence, contents, stemmer, calls, bundles, .. } = scratch;
        let graph = Graph::new(&self.code, calls);
        let near: FxHashSet<FileId> = best.iter().filter_map(|chunk| view.file_id(*chunk)).collect();
        let joins = Joins { graph, view, near: &near };
        let clues = Clues { prompt, query: &asked, view, graph, scores: &scores, best: &best };
        let mut seeds = if whole { Vec::new() } else { seeds(&clues, stemmer)? };
        if !whole && asked.content <= MOST_BACK_STEMS && refers_back(prompt, &seeds) {
            seeds.splice(0..0, earlier(graph, view, question.before)?);
        }
        let mains = bundles.asked((&asked, intent, whole), question.bundles, (view, graph), stemmer)?;
        let flow = if intent.route == Route::Flow { joins.followed(&mut seeds)? } else { Vec::new() };
        keep_surest(&mut seeds);
        let viable = seeds.first().filter(|seed| seed.confidence >= VIABLE);
        let route = route(intent, viable, !flow.is_empty(), intent.structure && !mains.is_empty());
        let mut joined = self.joined(question, (intent, &seeds), &candidates, joins)?;
        let active = active_files(view, question.active_files);
        for found in &mut candidates {
            found.situation = situation(view, found, &active);
        }
        let candidate = |chunk| {
            let found = evidence.candidate(view, chunk);
            Candidate { situation: situation(view, &found, &active), ..found }
        };
        // What is joined to good answers stands beside the flow and is no step of it.
        for joined in joined.iter_mut().filter(|_| !flow.is_empty()) {
            joined.part = Part::Related;
        }
        joined.extend(flow.iter().cloned());
        joins::weigh(&mut candidates, (&joined, &seeds, &mains), &scores, &candidate);
        ranking.order(&mut candidates, stemmer);
        floor(&mut candidates, route);
        let ranked = (candidates.as_slice(), &ranking);
        let collected =
            hits::collect(ranked, (question.most + NAMED, question.most), &filter, (view, graph), (contents, stemmer))?;
        let marker = Marker::new(&asked);
        let mut hits = collected.hits;
        if !seeds.iter().any(|seed| seed.confidence >= VIABLE) && mains.is_empty() && !is_about(&hits, &marker) {
            hits.clear();
        }
        // Of several joins to a chunk a step of the flow is told, else the strongest.
        joined.sort_by(|left, right| {
            (left.part != Part::Related).cmp(&(right.part != Part::Related)).then(left.weight.total_cmp(&right.weight))
        });
        let mut found = Found {
            route,
            facts: told::facts(graph, &seeds, view)?,
            seeds: seeds
                .iter()
                .filter_map(|seed| found_seed(graph, view, seed).transpose())
                .collect::<Result<_, _>>()?,
            marker,
            hits,
            stale: collected.stale,
            joined: joined.iter().map(|joined| (chunk_id(view, joined.chunk), joined.clone())).collect(),
        };
        let of_flow = told::of_flow(graph, route, &flow)?;
        found.facts.extend(of_flow);
        Ok(found)
    }

    /// What calls, kinship and mentions join to seeds and good answers.
    fn joined(
        &self,
        question: &Question<'_>,
        (intent, seeds): (Intent, &[Seed]),
        candidates: &[Candidate],
        joins: Joins<'_>,
    ) -> Result<Vec<Joined>, StoreError> {
        let mut joined = Vec::new();
        let viable = seeds.first().filter(|seed| seed.confidence >= VIABLE);
        if let (Some(relation), Some(seed)) = (intent.relation, viable) {
            joined.extend(joins.related(seed, relation)?);
        }
        if question.expand {
            joined.extend(joins.beside(seeds, candidates)?);
            joined.extend(joins.mentioning(seeds, &self.text)?);
        }
        Ok(joined)
    }
}

impl Scratch {
    /// Forgets what was read at other commits, and of the calls everything when it has become much.
    pub(super) fn renew_calls(&mut self, view: &View, commit: i64) {
        let commits = (view.commit, commit);
        if self.commits != commits {
            self.bundles = Bundles::default();
        }
        if self.commits != commits || self.calls.files() > MOST_CACHED {
            self.calls = Cache::with_paths(view.layout.files.iter().map(|file| (file.file, file.path.clone())));
        }
        self.commits = commits;
    }
}

/// What a file that the user has open multiplies the score by.
pub(super) fn active(candidate: &Candidate, files: &FxHashSet<u32>) -> Option<Signal> {
    files.contains(&candidate.file).then_some(Signal { name: "active file", value: ACTIVE })
}

/// Indexes of the files that the user has open.
pub(super) fn active_files(view: &View, paths: &[String]) -> FxHashSet<u32> {
    if paths.is_empty() {
        return FxHashSet::default();
    }
    let open = |path: &str| paths.iter().any(|open| open.trim_start_matches("./") == path);
    (0..).zip(&view.layout.files).filter(|(_, file)| open(file.path.as_str())).map(|(at, _)| at).collect()
}

/// Each question for itself, with what is shown beside them.
fn parts(prompt: &Sanitized) -> Vec<Sanitized> {
    if prompt.questions.is_empty() {
        return vec![prompt.clone()];
    }
    let part = |words: &String| Sanitized { words: words.clone(), questions: Vec::new(), ..prompt.clone() };
    prompt.questions.iter().map(part).collect()
}

/// What is searched for: what is said, and the functions of a trace; what is only shown when nothing else is there.
fn searched(prompt: &Sanitized) -> String {
    let mut text = intent::subject(&prompt.words);
    for frame in prompt.frames.iter().take(MOST_FRAMES).filter(|frame| !frame.function.is_empty()) {
        text.push(' ');
        text.push_str(&frame.function);
    }
    if text.trim().is_empty() {
        let end = prompt.shown.floor_char_boundary(MOST_SHOWN);
        text.push_str(prompt.shown.get(..end).unwrap_or_default());
    }
    text
}

/// A flow needs something to follow, or a part of the project that is asked for.
fn route(intent: Intent, viable: Option<&Seed>, has_flow: bool, has_bundle: bool) -> Route {
    match intent.route {
        Route::Flow if (viable.is_some() && has_flow) || has_bundle => Route::Flow,
        Route::Flow => Route::Broad,
        route @ (Route::Skip | Route::Lookup | Route::Broad) => route,
    }
}

/// One of the best has enough of the prompt's words: where none has, the project has nothing to say to it.
fn is_about(hits: &[Hit], marker: &Marker) -> bool {
    hits.iter().take(MOST_COMPARED).any(|hit| marker.share(hit) >= LEAST_SHARE)
}

/// It says "that" and names nothing.
fn refers_back(prompt: &Sanitized, seeds: &[Seed]) -> bool {
    const BACK: [&str; 9] = ["that", "it", "this", "them", "these", "those", "its", "there", "they"];
    let mut words = prompt.words.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    let short = prompt.words.split_whitespace().count() <= MOST_BACK_WORDS;
    short
        && words.any(|word| BACK.contains(&word.to_lowercase().as_str()))
        && !seeds.iter().any(|seed| seed.reason.is_exact())
}

/// What the last prompt of the session was about, where it still is.
fn earlier(graph: Graph<'_>, view: &View, chunk_ids: &[String]) -> Result<Vec<Seed>, StoreError> {
    let mut found = Vec::new();
    for id in chunk_ids.iter().take(MOST_EARLIER) {
        let Some((path, ordinal)) = id.rsplit_once('#') else { continue };
        let Some(layout) = view.layout.files.iter().find(|file| file.path.as_str() == path) else { continue };
        let Ok(ordinal) = ordinal.parse::<u16>() else { continue };
        let Some(chunk) = view.dense(layout.file, ordinal) else { continue };
        let file = graph.file(layout.file)?;
        let symbol = file.and_then(|file| file.outline.chunks.get(usize::from(ordinal))?.symbol);
        let place = symbol.map(|symbol| Place { file: layout.file, symbol });
        found.extend(place.map(|place| Seed { place, chunk, confidence: EARLIER, reason: SeedReason::Earlier }));
    }
    Ok(found)
}

/// What is only described is told by one definition; the others are no more than good answers.
fn keep_surest(seeds: &mut Vec<Seed>) {
    let mut first = true;
    seeds.retain(|seed| std::mem::take(&mut first) || seed.reason != SeedReason::Described);
}

/// What the score is multiplied by: an open file is likely what is meant; a stretch without a function or a type seldom explains anything.
fn situation(view: &View, candidate: &Candidate, files: &FxHashSet<u32>) -> Option<Signal> {
    let flags = view.layout.chunk_flags.get(candidate.chunk as usize).copied().unwrap_or_default();
    let bare = (!flags.callable && !flags.container).then_some(Signal { name: "no function or type", value: BARE });
    active(candidate, files).or(bare)
}

fn floor(candidates: &mut Vec<Candidate>, route: Route) {
    let share = if route == Route::Broad { BROAD_FLOOR } else { FLOOR };
    // What is named has a score that nothing else comes near: the others are measured by what words alone can reach.
    let least = candidates.first().map_or(0.0, |candidate| candidate.score.min(FLOOR_TOP) * share);
    candidates.retain(|candidate| candidate.score >= least);
}

fn chunk_id(view: &View, chunk: u32) -> String {
    let layout = view.file_of.get(chunk as usize).and_then(|file| view.layout.files.get(*file as usize));
    layout.map(|layout| format!("{}#{}", layout.path, chunk - layout.first)).unwrap_or_default()
}

fn found_seed(graph: Graph<'_>, view: &View, seed: &Seed) -> Result<Option<FoundSeed>, StoreError> {
    graph.symbol(seed.place, |file, symbol| FoundSeed {
        chunk_id: chunk_id(view, seed.chunk),
        name: symbol.qualified(),
        kind: Some(symbol.kind),
        path: file.row.path.clone(),
        line: symbol.name_line,
        confidence: seed.confidence,
        reason: seed.reason,
    })
}

/// Several questions take turns; what one has said the next does not say again.
fn merged(found: Vec<Found>, mut trace: Trace) -> Answer {
    let route = found.iter().map(|found| found.route).find(|route| *route != Route::Skip).unwrap_or(Route::Skip);
    let mut lane = Lane { title: title(route), ..Lane::default() };
    let deepest = found.iter().map(|found| found.hits.len()).max().unwrap_or_default();
    for rank in 0..deepest {
        for one in &found {
            let Some(hit) = one.hits.get(rank) else { continue };
            if lane.blocks.iter().all(|block| block.chunk_id != hit.chunk_id) {
                trace.because.push((hit.chunk_id.clone(), hit.because.clone()));
                lane.blocks.push(block(hit, one));
            }
        }
    }
    let mut stale = 0;
    for one in found {
        stale = one.stale.max(stale);
        for fact in one.facts {
            if !lane.facts.contains(&fact) {
                lane.facts.push(fact);
            }
        }
        for seed in one.seeds {
            if trace.seeds.iter().all(|known| known.chunk_id != seed.chunk_id) {
                trace.seeds.push(seed);
            }
        }
    }
    trace.seeds.sort_by(|left, right| right.confidence.total_cmp(&left.confidence));
    Answer { route, lane, trace, stale }
}

fn title(route: Route) -> String {
    match route {
        Route::Skip => "",
        Route::Lookup => "Code of this project that matches",
        Route::Flow => "How this runs in the project",
        Route::Broad => "Code of this project that may matter here",
    }
    .to_owned()
}

fn part_of(hit: &Hit, found: &Found) -> Part {
    let seed = found.seeds.first().is_some_and(|seed| seed.confidence >= VIABLE && seed.chunk_id == hit.chunk_id);
    match found.joined.get(&hit.chunk_id) {
        _ if seed => Part::Seed,
        Some(joined) if found.route == Route::Flow => joined.part,
        Some(_) => Part::Related,
        None => Part::Match,
    }
}

fn block(hit: &Hit, found: &Found) -> Block {
    let part = part_of(hit, found);
    let joined = found.joined.get(&hit.chunk_id);
    let short = shorten(hit);
    let share = short.text.len() as f32 / hit.text.len().max(1) as f32;
    let marks = found.marker.marks(hit, joined.and_then(|joined| joined.site));
    Block {
        chunk_id: hit.chunk_id.clone(),
        path: hit.path.clone(),
        lang: hit.lang.clone(),
        lines: hit.lines,
        kind: hit.kind,
        name: hit.qualified(),
        signature: hit.signature.clone(),
        frame: hit.frame.clone(),
        tokens: (hit.tokens as f32 * share).ceil() as u32,
        marks: marks.into_iter().filter_map(|mark| short.place(mark)).collect(),
        text: short.text,
        part,
        score: hit.score,
        because: joined.filter(|_| part != Part::Seed).map(|joined| joined.because.clone()).unwrap_or_default(),
        hash: xxhash_rust::xxh64::xxh64(hit.text.as_bytes(), 0),
    }
}
