//! The thread that answers questions, one after another, from one open index: an open index can be handed to another thread, not shared.
//! It changes no index. Read [`Desk::ask`] first.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use rmcp::model::JsonObject;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::output::LatencyTimes;
use super::refusal::{Answer, Refusal};
use super::tool::Tool;
use crate::engine::{Engine, Searcher, StoreIdentity};

/// Where questions are put.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    questions: mpsc::UnboundedSender<Question>,
}

struct Question {
    tool: Tool,
    arguments: JsonObject,
    reply: oneshot::Sender<Answer<Value>>,
}

/// What answers are made from.
pub(super) struct Shelf {
    pub engine: Arc<Engine>,
    pub latency: Latency,
    /// A run of this server is changing the index.
    indexing: Arc<AtomicBool>,
    open: Option<(StoreIdentity, Searcher)>,
}

/// How long the last questions took.
#[derive(Debug, Default)]
pub(super) struct Latency {
    last: VecDeque<Duration>,
    count: u64,
}

impl Desk {
    /// Starts the thread. It opens nothing before the first question and ends with the last handle.
    pub(super) fn open(engine: Arc<Engine>, indexing: Arc<AtomicBool>) -> anyhow::Result<Self> {
        let (questions, mut asked) = mpsc::unbounded_channel::<Question>();
        let mut shelf = Shelf { engine, latency: Latency::default(), indexing, open: None };
        let work = move || {
            while let Some(question) = asked.blocking_recv() {
                shelf.take(question);
            }
        };
        thread::Builder::new().name("mcp-desk".to_owned()).spawn(work).context("cannot start a thread")?;
        Ok(Self { questions })
    }

    /// The answer of a tool. Nobody works on a question that is not waited for any more.
    pub(super) async fn ask(&self, tool: Tool, arguments: JsonObject) -> Answer<Value> {
        let gone = || Refusal::new("the server is stopping", "start it again");
        let (reply, answer) = oneshot::channel();
        self.questions.send(Question { tool, arguments, reply }).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

impl Shelf {
    /// The open index, opened again when other files have taken its place.
    pub(super) fn searcher(&mut self) -> Answer<&Searcher> {
        let stamp = self.engine.store_identity();
        if self.open.as_ref().is_none_or(|(opened, _)| *opened != stamp) {
            self.open = None;
            let searcher = self.engine.searcher().map_err(|error| self.refusal(error))?;
            self.open = Some((stamp, searcher));
        }
        match &self.open {
            Some((_, searcher)) => Ok(searcher),
            None => Err(self.no_index()),
        }
    }

    /// What went wrong, with regard to what this server is doing.
    pub(super) fn refusal(&self, error: anyhow::Error) -> Refusal {
        if Refusal::is_no_index(&error) { self.no_index() } else { error.into() }
    }

    pub(super) fn no_index(&self) -> Refusal {
        Refusal::no_index(self.indexing.load(Ordering::Relaxed))
    }

    fn take(&mut self, question: Question) {
        if question.reply.is_closed() {
            return;
        }
        let begun = Instant::now();
        // A fault in one answer must not take the others with it. What was open is not used again.
        let answer = catch_unwind(AssertUnwindSafe(|| question.tool.answer(self, question.arguments)));
        let answer = answer.unwrap_or_else(|_| {
            self.open = None;
            Err(Refusal::new("an internal error; it is in the server's log", "ask in another way, or use another tool"))
        });
        self.latency.add(begun.elapsed());
        // The client has gone or lost interest.
        drop(question.reply.send(answer));
    }
}

impl Latency {
    /// Times that are kept.
    const KEPT: usize = 512;

    pub(super) fn times(&self) -> LatencyTimes {
        let mut sorted: Vec<f64> = self.last.iter().map(|time| time.as_secs_f64() * 1_000.0).collect();
        sorted.sort_by(f64::total_cmp);
        let hundredths = |ms: f64| (ms * 100.0).round() / 100.0;
        let at = |percent: usize| sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)));
        let avg = sorted.iter().sum::<f64>() / sorted.len().max(1) as f64;
        LatencyTimes {
            avg: hundredths(avg),
            p50: hundredths(at(50).copied().unwrap_or_default()),
            p95: hundredths(at(95).copied().unwrap_or_default()),
            count: self.count,
        }
    }

    fn add(&mut self, time: Duration) {
        if self.last.len() == Self::KEPT {
            self.last.pop_front();
        }
        self.last.push_back(time);
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_last_questions() {
        let mut latency = Latency::default();
        assert_eq!(latency.times(), LatencyTimes::default());
        for ms in 1..=1_000 {
            latency.add(Duration::from_millis(ms));
        }
        let times = latency.times();
        assert_eq!((times.count, times.p50), (1_000, 745.0));
        assert!((times.p95 - 975.0).abs() < 0.1, "{times:?}");
    }
}
