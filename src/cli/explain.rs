//! `reporecall explain`: how a prompt is answered, step by step.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::args::ExplainArgs;
use super::context::{ChunkJson, LeftOutJson, word};
use super::output::{dim, json, out, plain, strong};
use super::search::{FreshnessJson, SignalJson, signals, stale_line};
use crate::engine::{ContextAnswer, Engine, FoundSeed, FreshnessLevel, Relation, Signal};
use crate::model::{Budget, Prompt, SymbolKind};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExplainJson<'a> {
    query: &'a str,
    route: &'static str,
    wished_route: &'static str,
    rule: &'static str,
    structure: bool,
    relation: Option<&'static str>,
    sanitized: &'a str,
    questions: &'a [String],
    searched: &'a [String],
    mentions: Vec<&'a str>,
    frames: Vec<FrameJson<'a>>,
    seeds: Vec<SeedJson<'a>>,
    ranking: Vec<RankedJson<'a>>,
    packed: Vec<ChunkJson<'a>>,
    left_out: Vec<LeftOutJson<'a>>,
    tokens: u32,
    characters: usize,
    staleness: FreshnessJson<'a>,
}

#[derive(Serialize)]
struct FrameJson<'a> {
    path: &'a str,
    line: u32,
    function: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SeedJson<'a> {
    chunk_id: &'a str,
    name: &'a str,
    kind: Option<&'static str>,
    file_path: &'a str,
    line: u32,
    confidence: f32,
    reason: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RankedJson<'a> {
    chunk_id: &'a str,
    because: Vec<SignalJson>,
}

pub(super) fn run(engine: &Engine, args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let text = args.query.join(" ");
    let answer = engine.context(&Prompt { text: text.clone(), budget: Budget::HOOK, ..Prompt::default() })?;
    if args.json {
        json(&as_json(&text, &answer))?;
    } else {
        print(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json<'a>(query: &'a str, answer: &'a ContextAnswer) -> ExplainJson<'a> {
    let (context, trace) = (&answer.context, &answer.trace);
    let ranked = |(id, because): &'a (String, Vec<Signal>)| RankedJson { chunk_id: id, because: signals(because) };
    ExplainJson {
        query,
        route: context.route.as_str(),
        wished_route: trace.intent.route.as_str(),
        rule: trace.intent.reason,
        structure: trace.intent.structure,
        relation: trace.intent.relation.map(relation),
        sanitized: &trace.prompt.words,
        questions: &trace.prompt.questions,
        searched: &trace.searched,
        mentions: trace.prompt.mentions.iter().map(crate::engine::Mention::as_str).collect(),
        frames: trace
            .prompt
            .frames
            .iter()
            .map(|frame| FrameJson { path: &frame.path, line: frame.line, function: &frame.function })
            .collect(),
        seeds: trace.seeds.iter().map(seed_json).collect(),
        ranking: trace.because.iter().map(ranked).collect(),
        packed: context.blocks.iter().map(ChunkJson::from).collect(),
        left_out: context.left_out.iter().map(LeftOutJson::from).collect(),
        tokens: context.tokens,
        characters: context.text.chars().count(),
        staleness: FreshnessJson::from(&answer.freshness),
    }
}

fn seed_json(seed: &FoundSeed) -> SeedJson<'_> {
    SeedJson {
        chunk_id: &seed.chunk_id,
        name: &seed.name,
        kind: seed.kind.map(SymbolKind::as_str),
        file_path: seed.path.as_str(),
        line: seed.line,
        confidence: seed.confidence,
        reason: seed.reason.as_str(),
    }
}

const fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Callers => "callers",
        Relation::Callees => "callees",
    }
}

fn print(answer: &ContextAnswer) -> anyhow::Result<()> {
    let mut out = out();
    let (context, trace) = (&answer.context, &answer.trace);
    let wished = trace.intent.route.as_str();
    let turned = if wished == context.route.as_str() { String::new() } else { format!(", wished {wished}") };
    writeln!(out, "{} {} (rule: {}{turned})", strong("route"), context.route.as_str(), trace.intent.reason)?;
    for searched in &trace.searched {
        writeln!(out, "{} {}", strong("searched"), plain(searched))?;
    }
    for frame in &trace.prompt.frames {
        writeln!(out, "{} {}", strong("frame"), plain(&format!("{}:{} {}", frame.path, frame.line, frame.function)))?;
    }
    for seed in &trace.seeds {
        let place = plain(&format!("{} {}:{}", seed.name, seed.path, seed.line));
        writeln!(out, "{} {:.2} {place} ({})", strong("seed"), seed.confidence, seed.reason.as_str())?;
    }
    for (rank, packed) in context.blocks.iter().enumerate() {
        let block = &packed.block;
        let place = plain(&format!("{}:{}-{} {}", block.path, block.lines.start, block.lines.end, block.name));
        let how = format!("{} {} tokens", word(packed.packed), packed.tokens);
        writeln!(out, "{:>2}. {} {} {}", rank + 1, dim(&format!("{:.3}", block.score)), strong(&place), dim(&how))?;
        if !block.because.is_empty() {
            writeln!(out, "    {}", plain(&block.because))?;
        }
        if let Some((_, because)) = trace.because.iter().find(|(id, _)| *id == block.chunk_id) {
            writeln!(out, "    {}", dim(&reasons(because)))?;
        }
    }
    for left in &context.left_out {
        let place = plain(&format!("{} {}", left.chunk_id, left.name));
        writeln!(out, "{} {:.3} {place} ({})", strong("left out"), left.score, left.by.as_str())?;
    }
    writeln!(out, "{} tokens, {} characters", context.tokens, context.text.chars().count())?;
    if answer.freshness.level != FreshnessLevel::Fresh {
        writeln!(out, "{}", stale_line(&answer.freshness))?;
    }
    Ok(())
}

fn reasons(because: &[Signal]) -> String {
    let reasons = because.iter().map(|signal| format!("{} {:.3}", signal.name, signal.value));
    reasons.collect::<Vec<_>>().join(" · ")
}
