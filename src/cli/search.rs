//! `reporecall search`.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::args::SearchArgs;
use super::context;
use super::output::{counted, dim, json, out, plain, strong};
use crate::engine::{Engine, Freshness, FreshnessLevel, Hit, SearchAnswer, SearchQuery, Signal};
use crate::model::SymbolKind;

#[derive(Serialize)]
struct AnswerJson<'a> {
    query: &'a str,
    results: Vec<HitJson<'a>>,
    staleness: FreshnessJson<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HitJson<'a> {
    chunk_id: &'a str,
    /// This and the like are empty for a stretch of a file that no definition owns.
    name: &'a str,
    qualified_name: String,
    file_path: &'a str,
    kind: Option<&'static str>,
    start_line: u32,
    end_line: u32,
    score: f32,
    signature: &'a str,
    docstring: &'a str,
    parent_name: &'a str,
    language: &'a str,
    content: &'a str,
    because: Vec<SignalJson>,
}

/// What a reason added to the score or, for a path factor, multiplied it by.
#[derive(Serialize)]
pub(super) struct SignalJson {
    signal: &'static str,
    value: f32,
}

/// How the index agrees with the source.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FreshnessJson<'a> {
    level: &'static str,
    indexed_commit: Option<&'a str>,
    current_commit: Option<&'a str>,
    dirty_files: &'a [String],
    hidden_results: usize,
    last_indexed_at: Option<i64>,
    partial: bool,
}

impl<'a> From<&'a Freshness> for FreshnessJson<'a> {
    fn from(freshness: &'a Freshness) -> Self {
        Self {
            level: freshness.level.as_str(),
            indexed_commit: freshness.indexed_commit.as_deref(),
            current_commit: freshness.current_commit.as_deref(),
            dirty_files: &freshness.dirty_files,
            hidden_results: freshness.hidden_results,
            last_indexed_at: freshness.last_indexed_at,
            partial: freshness.partial,
        }
    }
}

pub(super) fn run(engine: &Engine, args: &SearchArgs) -> anyhow::Result<ExitCode> {
    if let Some(budget) = &args.budget {
        return context::run(engine, args, budget);
    }
    let text = args.query.join(" ");
    let query = SearchQuery {
        text: text.clone(),
        limit: usize::from(args.limit),
        kind: args.kind,
        lang: args.lang.clone(),
        path: args.path.clone(),
        ..SearchQuery::default()
    };
    let answer = engine.search(&query)?;
    if args.json {
        json(&as_json(&text, &answer))?;
    } else {
        print(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn stale_line(freshness: &Freshness) -> String {
    if freshness.hidden_results > 0 {
        let results = counted(freshness.hidden_results as u64, "result");
        return format!("stale: {results} left out: the files are being indexed again; run `reporecall index`");
    }
    if freshness.dirty_files.is_empty() {
        return "stale: the index is incomplete: a run is at work or did not finish; run `reporecall index`".to_owned();
    }
    let shown: Vec<&str> = freshness.dirty_files.iter().take(3).map(String::as_str).collect();
    let more = freshness.dirty_files.len().saturating_sub(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("stale: changed since they were indexed: {}{more}; run `reporecall index`", plain(&shown.join(", ")))
}

pub(super) fn signals(because: &[Signal]) -> Vec<SignalJson> {
    because.iter().map(|reason| SignalJson { signal: reason.name, value: reason.value }).collect()
}

fn as_json<'a>(query: &'a str, answer: &'a SearchAnswer) -> AnswerJson<'a> {
    AnswerJson {
        query,
        results: answer.results.hits.iter().map(hit_json).collect(),
        staleness: FreshnessJson::from(&answer.freshness),
    }
}

fn hit_json(hit: &Hit) -> HitJson<'_> {
    HitJson {
        chunk_id: &hit.chunk_id,
        name: &hit.name,
        qualified_name: hit.qualified(),
        file_path: hit.path.as_str(),
        kind: hit.kind.map(SymbolKind::as_str),
        start_line: hit.lines.start,
        end_line: hit.lines.end,
        score: hit.score,
        signature: &hit.signature,
        docstring: &hit.doc,
        parent_name: &hit.owner,
        language: &hit.lang,
        content: &hit.text,
        because: signals(&hit.because),
    }
}

fn print(answer: &SearchAnswer) -> anyhow::Result<()> {
    let mut out = out();
    if answer.results.hits.is_empty() {
        writeln!(out, "nothing found; try fewer or other words, or `reporecall stats` for what is indexed")?;
    }
    for (rank, hit) in answer.results.hits.iter().enumerate() {
        let place = format!("{}:{}-{}", hit.path, hit.lines.start, hit.lines.end);
        let what = hit.kind.map(|kind| format!("  {} {}", kind.as_str(), hit.qualified()));
        writeln!(
            out,
            "{:>2}. {}{}  {}",
            rank + 1,
            strong(&plain(&place)),
            plain(&what.unwrap_or_default()),
            dim(&format!("{:.3}", hit.score))
        )?;
        if let Some(line) = summary(hit) {
            writeln!(out, "    {}", plain(&line))?;
        }
    }
    if answer.freshness.level != FreshnessLevel::Fresh {
        writeln!(out, "{}", stale_line(&answer.freshness))?;
    }
    Ok(())
}

/// The signature, or the first line with text.
fn summary(hit: &Hit) -> Option<String> {
    let signature = Some(&*hit.signature).filter(|signature| !signature.is_empty());
    let line = signature.or_else(|| hit.text.lines().map(str::trim).find(|line| !line.is_empty()));
    line.map(|line| line.chars().take(140).collect())
}
