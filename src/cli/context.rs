//! `reporecall search --budget`: the context an assistant would get.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::args::SearchArgs;
use super::output::{counted, dim, json, out, plain};
use super::search::{FreshnessJson, stale_line};
use crate::engine::{ContextAnswer, Engine, FreshnessLevel};
use crate::model::{Budget, LeftOut, Packed, PackedBlock, Prompt, SymbolKind};

/// A context as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ContextJson<'a> {
    query: &'a str,
    route: &'static str,
    tokens: u32,
    chunks: Vec<ChunkJson<'a>>,
    left_out: Vec<LeftOutJson<'a>>,
    context: &'a str,
    staleness: FreshnessJson<'a>,
}

/// A block of a context, best first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChunkJson<'a> {
    chunk_id: &'a str,
    file_path: &'a str,
    start_line: u32,
    end_line: u32,
    kind: Option<&'static str>,
    name: &'a str,
    score: f32,
    tokens: u32,
    packed: &'static str,
    because: &'a str,
}

/// A block that is not in it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeftOutJson<'a> {
    chunk_id: &'a str,
    name: &'a str,
    score: f32,
    reason: &'static str,
}

impl<'a> From<&'a PackedBlock> for ChunkJson<'a> {
    fn from(packed: &'a PackedBlock) -> Self {
        let block = &packed.block;
        Self {
            chunk_id: &block.chunk_id,
            file_path: block.path.as_str(),
            start_line: block.lines.start,
            end_line: block.lines.end,
            kind: block.kind.map(SymbolKind::as_str),
            name: &block.name,
            score: block.score,
            tokens: packed.tokens,
            packed: word(packed.packed),
            because: &block.because,
        }
    }
}

impl<'a> From<&'a LeftOut> for LeftOutJson<'a> {
    fn from(left: &'a LeftOut) -> Self {
        Self { chunk_id: &left.chunk_id, name: &left.name, score: left.score, reason: left.by.as_str() }
    }
}

/// `budget` is what follows the option: a number of tokens, or the first word of the query when it is none.
pub(super) fn run(engine: &Engine, args: &SearchArgs, budget: &str) -> anyhow::Result<ExitCode> {
    let tokens = budget.parse::<u32>().ok();
    let first = Some(budget).filter(|word| tokens.is_none() && !word.is_empty());
    let words: Vec<&str> = first.into_iter().chain(args.query.iter().map(String::as_str)).collect();
    let budget = Budget { tokens: tokens.filter(|tokens| *tokens > 0), blocks: args.max_chunks, chars: None };
    let prompt = Prompt { text: words.join(" "), budget, ..Prompt::default() };
    let answer = engine.context(&prompt)?;
    if args.json {
        json(&as_json(&prompt.text, &answer))?;
    } else {
        print(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How much of a block is there, in a word.
pub(super) const fn word(packed: Packed) -> &'static str {
    match packed {
        Packed::Whole => "whole",
        Packed::Lines => "lines",
        Packed::Pointer => "pointer",
    }
}

fn as_json<'a>(query: &'a str, answer: &'a ContextAnswer) -> ContextJson<'a> {
    ContextJson {
        query,
        route: answer.context.route.as_str(),
        tokens: answer.context.tokens,
        chunks: answer.context.blocks.iter().map(ChunkJson::from).collect(),
        left_out: answer.context.left_out.iter().map(LeftOutJson::from).collect(),
        context: &answer.context.text,
        staleness: FreshnessJson::from(&answer.freshness),
    }
}

fn print(answer: &ContextAnswer) -> anyhow::Result<()> {
    let mut out = out();
    let context = &answer.context;
    if context.text.is_empty() {
        writeln!(out, "nothing to say: {}; `reporecall explain` shows why", answer.trace.intent.reason)?;
    } else {
        for line in context.text.trim_end().lines() {
            writeln!(out, "{}", plain(line))?;
        }
    }
    let chunks = counted(context.blocks.len() as u64, "chunk");
    writeln!(out, "{}", dim(&format!("({chunks}, {} tokens)", context.tokens)))?;
    if answer.freshness.level != FreshnessLevel::Fresh {
        writeln!(out, "{}", stale_line(&answer.freshness))?;
    }
    Ok(())
}
