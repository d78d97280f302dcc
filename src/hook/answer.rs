//! What is said to an event, the same by the daemon and without one. Read [`answer`] first.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use super::event::{Event, Input};
use crate::engine::{Engine, Freshness, Searcher};
use crate::model::{Budget, Context, Part, Prompt, Route};

/// What is put before the assistant.
#[derive(Debug)]
pub struct Answer {
    /// Empty when there is nothing to say.
    pub text: String,
    pub freshness: Freshness,
    /// For whoever looks for the reasons of an answer.
    pub debug: Value,
}

/// Bytes of a prompt that are looked at: a pasted log is still recognized by its head.
const LONGEST_PROMPT: usize = 64 << 10;

/// Says what the index has for the event; at most `blocks` pieces of code, where that is given.
///
/// # Errors
/// The index cannot be read.
pub fn answer(
    engine: &Engine,
    searcher: &Searcher,
    event: Event,
    asked: (&Input, Option<u32>),
) -> anyhow::Result<Answer> {
    let started = Instant::now();
    match event {
        Event::SessionStart => {
            let briefing = engine.briefing_with(searcher)?;
            Ok(Answer { text: briefing.text, freshness: briefing.freshness, debug: Value::Null })
        }
        Event::Prompt
        | Event::PreToolUse
        | Event::PostToolUse
        | Event::Stop
        | Event::SubagentStop
        | Event::PreCompact
        | Event::PostCompact
        | Event::SessionEnd => {
            let answer = engine.context_with(searcher, &prompt(engine, asked))?;
            let debug = debug(&answer.context, started);
            Ok(Answer { text: answer.context.text, freshness: answer.freshness, debug })
        }
    }
}

/// Does what an event asks for beside an answer.
///
/// # Errors
/// See [`Engine::forget_session`].
pub fn note(engine: &Engine, event: Event, input: &Input) -> anyhow::Result<()> {
    match &input.session {
        Some(session) if event.forgets(input) => engine.forget_session(session),
        Some(_) | None => Ok(()),
    }
}

fn prompt(engine: &Engine, (input, blocks): (&Input, Option<u32>)) -> Prompt {
    Prompt {
        text: head(&input.prompt, LONGEST_PROMPT).to_owned(),
        session: input.session.clone(),
        active_files: input.active_files.iter().filter_map(|path| inside(&engine.project().root, path)).collect(),
        budget: Budget { blocks, ..Budget::HOOK },
    }
}

/// `path` from the root; `None` for one that lies elsewhere.
fn inside(root: &Path, path: &str) -> Option<String> {
    let path = Path::new(path);
    let below = if path.is_absolute() { path.strip_prefix(root).ok()? } else { path };
    let plain = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    plain.then(|| below.to_string_lossy().replace('\\', "/"))
}

fn head(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

fn debug(context: &Context, started: Instant) -> Value {
    let seed = context.blocks.iter().find(|packed| packed.block.part == Part::Seed).map(|packed| &packed.block);
    let classification = match context.route {
        Route::Skip => "skip",
        Route::Lookup => "lookup",
        Route::Flow => "flow",
        Route::Broad => "broad",
    };
    json!({
        "route": context.route.as_str(),
        "tokensInjected": context.tokens,
        "chunksInjected": context.blocks.len(),
        "queryClassification": classification,
        "latencyMs": (started.elapsed().as_secs_f64() * 1e5).round() / 100.0,
        "seedCandidate": seed.map(|seed| &seed.name),
        "seedConfidence": seed.map(|seed| seed.score),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{head, inside};

    #[cfg(unix)]
    #[test]
    fn open_files_elsewhere_are_left_out() {
        let inside = |path: &str| inside(Path::new("/p"), path);
        assert_eq!(inside("/p/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(inside("src/a.rs").as_deref(), Some("src/a.rs"));
        for elsewhere in ["/etc/passwd", "../a.rs", "/p/../etc/passwd", "src/../../a"] {
            assert_eq!(inside(elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn long_prompts_are_cut_between_characters() {
        assert_eq!(head("aé", 2), "a");
        assert_eq!(head("aé", 3), "aé");
    }
}
