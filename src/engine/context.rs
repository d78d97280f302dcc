//! What is put before the assistant for a prompt: route, lanes, packing. Read [`Engine::context_with`] first.

use super::session::{self, Session};
use super::{Engine, Freshness, FreshnessLevel};
use crate::context::{self, Assembly, Limits};
use crate::model::{Block, Context, Prompt};
use crate::search::{Answer, FoundSeed, NamedBundle, Question, Searcher, Trace};

/// A context, how it came about and how far to trust it.
#[derive(Debug)]
pub struct ContextAnswer {
    pub context: Context,
    pub trace: Trace,
    pub freshness: Freshness,
}

/// Definitions that a query may be about.
#[derive(Debug)]
pub struct SeedAnswer {
    /// The surest first.
    pub candidates: Vec<FoundSeed>,
    pub freshness: Freshness,
}

/// Changed files that are named.
const MOST_STALE: usize = 5;
/// Blocks with text, where nothing else is asked for, and at most.
const MOST_BLOCKS: u32 = 12;
const MOST_ASKED: u32 = 500;

impl Engine {
    /// The context of a prompt.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn context(&self, prompt: &Prompt) -> anyhow::Result<ContextAnswer> {
        self.context_with(&self.searcher()?, prompt)
    }

    /// The same from an opened index, for more than one prompt in this process.
    ///
    /// # Errors
    /// The index cannot be read.
    pub fn context_with(&self, searcher: &Searcher, prompt: &Prompt) -> anyhow::Result<ContextAnswer> {
        let mut session = prompt.session.as_ref().map(|id| (Session::load(&self.project.memory_dir, id), id));
        let before = session.as_ref().map(|(session, _)| session.seeds.clone()).unwrap_or_default();
        let answer = self.ask(searcher, prompt, &before)?;
        let freshness = self.freshness_of_lane(&answer, searcher.code())?;
        let given = |block: &Block| session.as_ref().is_some_and(|(session, _)| session.has(block));
        let context = context::assemble(&Assembly {
            route: answer.route,
            lanes: &[answer.lane],
            limits: self.limits(prompt, searcher)?,
            given: &given,
            notice: notice(&freshness),
        });
        if let Some((session, id)) = &mut session {
            session.add(&context, answer.trace.seeds.iter().map(|seed| seed.chunk_id.clone()));
            if let Err(error) = session.save(&self.project.memory_dir, id) {
                tracing::warn!(%error, "what the session was given cannot be remembered");
            }
        }
        Ok(ContextAnswer { context, trace: answer.trace, freshness })
    }

    /// What a query is about.
    ///
    /// # Errors
    /// There is no index or it cannot be read.
    pub fn resolve_seed(&self, query: &str) -> anyhow::Result<SeedAnswer> {
        let searcher = self.searcher()?;
        let answer = self.ask(&searcher, &Prompt { text: query.to_owned(), ..Prompt::default() }, &[])?;
        let freshness = self.freshness_of_lane(&answer, searcher.code())?;
        Ok(SeedAnswer { candidates: answer.trace.seeds, freshness })
    }

    /// What a session was given is given again: the assistant has forgotten it (a compaction, `/clear`).
    ///
    /// # Errors
    /// The record of the session cannot be removed.
    pub fn forget_session(&self, session: &str) -> anyhow::Result<()> {
        Ok(session::forget(&self.project.memory_dir, session)?)
    }

    fn ask(&self, searcher: &Searcher, prompt: &Prompt, before: &[String]) -> anyhow::Result<Answer> {
        let bundle = |bundle: &crate::config::ConceptBundle| NamedBundle {
            words: bundle.words.clone(),
            symbols: bundle.symbols.clone(),
            most: bundle.max_chunks,
        };
        let bundles: Vec<NamedBundle> = self.config.concept_bundles.iter().map(bundle).collect();
        let most = prompt.budget.blocks.or(self.config.max_context_chunks).unwrap_or(MOST_BLOCKS);
        let question = Question {
            most: most.min(MOST_ASKED) as usize,
            text: &prompt.text,
            active_files: &prompt.active_files,
            before,
            expand: self.config.graph_expansion,
            bundles: &bundles,
        };
        Ok(searcher.answer(&question)?)
    }

    /// Of the prompt, else of the settings, else by the size of the project.
    fn limits(&self, prompt: &Prompt, searcher: &Searcher) -> anyhow::Result<Limits> {
        let budget = prompt.budget;
        let tokens = match budget.tokens.or(self.config.context_budget) {
            Some(tokens) => tokens,
            None => context::auto_tokens(searcher.code().stats()?.chunks),
        };
        let blocks = budget.blocks.or(self.config.max_context_chunks).unwrap_or(MOST_BLOCKS);
        Ok(Limits { tokens, blocks, chars: budget.chars.unwrap_or(u32::MAX) })
    }
}

fn notice(freshness: &Freshness) -> String {
    match freshness.level {
        FreshnessLevel::Fresh => String::new(),
        FreshnessLevel::Stale | FreshnessLevel::Empty if freshness.dirty_files.is_empty() => {
            "> The index is being brought up to date: some of the code may be missing here.\n\n".to_owned()
        }
        FreshnessLevel::Stale | FreshnessLevel::Empty => {
            let shown: Vec<&str> = freshness.dirty_files.iter().take(MOST_STALE).map(String::as_str).collect();
            let more = freshness.dirty_files.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let files = format!("{}{more}", shown.join(", "));
            format!(
                "> Changed since they were indexed, so read them before relying on what is said of them: {files}\n\n"
            )
        }
    }
}
