//! Questions about what the code says: search, chunks, context, counts. Read [`search`] first.

use serde_json::Value;

use super::desk::Shelf;
use super::indexing::encode;
use super::input::{SearchAction, SearchCode, SearchContext, bounded};
use super::output::{Assembled, CodePiece, Found, Staleness, Statistics};
use super::paths::{glob_inside, inside};
use super::refusal::{Answer, Refusal};
use crate::engine::{ChunkError, ChunkText, ContextAnswer, Freshness, FreshnessLevel, Hit, SearchQuery, Stats};
use crate::model::{Budget, Packed, Prompt, SymbolKind};

/// Characters of code on one page of results.
const PAGE_CHARS: usize = 40_000;
const MOST_OFFSET: u64 = 5_000;
/// Files that a client may say are open, and characters of the path of one.
const MOST_ACTIVE: usize = 100;
const MOST_ACTIVE_CHARS: usize = 1_024;

pub(super) fn search(shelf: &mut Shelf, input: SearchCode) -> Answer<Value> {
    if input.action == Some(SearchAction::ReadChunk) {
        return chunk(shelf, input.chunk_id.as_deref());
    }
    let offset = bounded("offset", input.offset, 0..=MOST_OFFSET, 0)?;
    let limit = bounded("limit", input.limit, 1..=500, 20)?;
    let query = query(shelf, input, offset + limit + 1)?;
    shelf.searcher()?;
    let engine = shelf.engine.clone();
    let answer = engine.search_with(shelf.searcher()?, &query).map_err(|error| shelf.refusal(error))?;
    if answer.results.hits.is_empty() {
        refuse_empty(shelf, &answer.freshness)?;
    }
    let mut hits: Vec<Hit> = answer.results.hits.into_iter().skip(offset).collect();
    let shown = page(&hits, limit);
    let next_offset = (hits.len() > shown).then_some(offset + shown);
    hits.truncate(shown);
    let results: Vec<CodePiece> = hits.into_iter().map(CodePiece::from).collect();
    let staleness = Some(Staleness::from(&answer.freshness));
    encode(&Found { count: results.len(), results, next_offset, staleness })
}

pub(super) fn context(shelf: &mut Shelf, input: SearchContext) -> Answer<Value> {
    let answer = context_of(shelf, input.query, input.token_budget, input.active_files)?;
    let with_text = answer.context.blocks.iter().filter(|block| block.packed != Packed::Pointer);
    encode(&Assembled {
        route: answer.context.route.as_str(),
        token_count: answer.context.tokens,
        chunks_included: with_text.count(),
        chunks_left_out: answer.context.left_out.len(),
        context: answer.context.text,
        staleness: Staleness::from(&answer.freshness),
    })
}

/// What is put together for a prompt, within `tokens`.
pub(super) fn context_of(
    shelf: &mut Shelf,
    query: String,
    tokens: Option<u64>,
    active_files: Option<Vec<String>>,
) -> Answer<ContextAnswer> {
    let tokens = match tokens {
        None => None,
        Some(_) => Some(bounded("tokenBudget", tokens, 100..=100_000, 0)? as u32),
    };
    let prompt = Prompt {
        text: asked(query)?,
        session: None,
        active_files: active(shelf, active_files)?,
        budget: Budget { tokens, ..Budget::default() },
    };
    let engine = shelf.engine.clone();
    let answer = engine.context_with(shelf.searcher()?, &prompt).map_err(|error| shelf.refusal(error))?;
    if answer.context.blocks.is_empty() {
        refuse_empty(shelf, &answer.freshness)?;
    }
    Ok(answer)
}

pub(super) fn statistics(shelf: &Shelf) -> Answer<Value> {
    let stats = shelf.engine.stats().map_err(|error| shelf.refusal(error))?;
    if stats.files == 0 {
        refuse_empty(shelf, &stats.freshness)?;
    }
    encode(&statistics_of(shelf, stats))
}

/// Nothing was found because nothing is there.
pub(super) fn refuse_empty(shelf: &Shelf, freshness: &Freshness) -> Answer<()> {
    match freshness.level {
        FreshnessLevel::Empty => Err(shelf.no_index()),
        FreshnessLevel::Fresh | FreshnessLevel::Stale => Ok(()),
    }
}

pub(super) fn chunk_of(shelf: &mut Shelf, id: &str) -> Answer<ChunkText> {
    let engine = shelf.engine.clone();
    let read = engine.read_chunk(shelf.searcher()?, id);
    read.map_err(|error| match error.downcast_ref::<ChunkError>() {
        Some(error) => {
            Refusal::new(error.to_string(), "take chunkId from an answer of search_code; an edit may have moved it")
        }
        None => shelf.refusal(error),
    })
}

fn chunk(shelf: &mut Shelf, id: Option<&str>) -> Answer<Value> {
    let id = id.ok_or_else(|| Refusal::new("chunkId is missing", "take it from an answer of search_code"))?;
    let chunk = chunk_of(shelf, id)?;
    encode(&Found { results: vec![CodePiece::from(chunk)], count: 1, next_offset: None, staleness: None })
}

fn query(shelf: &Shelf, input: SearchCode, limit: usize) -> Answer<SearchQuery> {
    let active_files = active(shelf, input.active_files)?;
    let path = input.path.map(|glob| glob_inside(&shelf.engine.project().root, &glob)).transpose()?;
    Ok(SearchQuery {
        text: asked(input.query)?,
        limit,
        kind: input.kind.filter(|kind| !kind.is_empty()).map(|kind| kind_of(&kind)).transpose()?,
        lang: input.language.filter(|lang| !lang.is_empty()),
        path: path.filter(|glob| !glob.is_empty()),
        active_files,
        ..SearchQuery::default()
    })
}

fn asked(query: String) -> Answer<String> {
    if query.trim().is_empty() {
        return Err(Refusal::new("query is empty", "give a question in words, a name or an error message"));
    }
    Ok(query)
}

fn kind_of(kind: &str) -> Answer<SymbolKind> {
    SymbolKind::parse(&kind.to_lowercase()).ok_or_else(|| {
        let known: Vec<&str> = SymbolKind::ALL.iter().map(|kind| kind.as_str()).collect();
        Refusal::new(format!("{kind:?} is no kind of definition"), format!("kinds are {}", known.join(", ")))
    })
}

fn active(shelf: &Shelf, files: Option<Vec<String>>) -> Answer<Vec<String>> {
    let files = files.unwrap_or_default();
    if files.len() > MOST_ACTIVE || files.iter().any(|file| file.len() >= MOST_ACTIVE_CHARS) {
        return Err(Refusal::new("activeFiles are too many or too long", "name at most 100 files"));
    }
    let root = &shelf.engine.project().root;
    files.iter().map(|file| Ok(inside(root, file)?.to_string())).collect()
}

/// How many hits go on one page: at least one.
fn page(hits: &[Hit], limit: usize) -> usize {
    let mut chars = 0;
    let fits = |hit: &&Hit| {
        chars += hit.text.len() + hit.doc.len();
        chars <= PAGE_CHARS
    };
    hits.iter().take(limit).take_while(fits).count().max(1).min(hits.len())
}

fn statistics_of(shelf: &Shelf, stats: Stats) -> Statistics {
    let project = shelf.engine.project();
    Statistics {
        root: project.root.display().to_string(),
        branch: project.branch().to_owned(),
        total_files: stats.files,
        total_chunks: stats.chunks,
        total_symbols: stats.symbols,
        total_lines: stats.lines,
        languages: stats.languages,
        skipped: stats.skipped.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect(),
        bytes_on_disk: stats.disk.total(),
        last_indexed_at: stats.freshness.last_indexed_at,
        latency: shelf.latency.times(),
        staleness: Staleness::from(&stats.freshness),
    }
}
