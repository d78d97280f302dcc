//! Runs that change the index: their progress is told, they can be called off, and they end with their client. Questions go on meanwhile.
//! Read [`Run::index`] first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::watch;

use super::output::{Cleared, Failure, IndexRun};
use super::paths::inside;
use super::refusal::{Answer, Refusal};
use crate::engine::{Engine, IndexReport, IndexRequest, Phase, Progress, Watch, unwatched};
use crate::model::RelPath;

/// A run, and who hears of it.
pub(super) struct Run {
    pub engine: Arc<Engine>,
    pub indexing: Arc<AtomicBool>,
    pub context: RequestContext<RoleServer>,
}

/// Called off when it is dropped: the client has gone, or does not want the answer any more.
struct CalledOff(Arc<AtomicBool>);

impl Drop for CalledOff {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Says that a run is at work.
struct AtWork(Arc<AtomicBool>);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Time between two messages about progress.
const PACE: Duration = Duration::from_millis(100);

/// Paths of one request at most.
const MOST_PATHS: usize = 1_000;

impl Run {
    /// Brings the index up to date. `paths` must lie inside the project.
    pub(super) async fn index(self, paths: Vec<String>, full: bool) -> Answer<Value> {
        let paths = checked(&self.engine, &paths)?;
        refuse_home(&self.engine)?;
        let (told, hears) = watch::channel(Progress { phase: Phase::Scan, done: 0, total: 0 });
        let cancel = Arc::new(AtomicBool::new(false));
        let called_off = CalledOff(cancel.clone());
        let engine = self.engine.clone();
        let at_work = AtWork(self.indexing.clone());
        self.indexing.store(true, Ordering::Relaxed);
        let work = move || {
            let _at_work = at_work;
            let progress = |progress: Progress| {
                told.send_replace(progress);
            };
            index(&engine, &paths, full, &Watch { progress: &progress, waiting: &|| (), cancel: &cancel })
        };
        let mut working = tokio::task::spawn_blocking(work);
        let answer = tokio::select! {
            answer = &mut working => answer,
            () = self.tell(hears) => working.await,
            () = self.context.ct.cancelled() => {
                drop(called_off);
                working.await
            }
        };
        answer
            .map_err(|_| Refusal::new("indexing broke off; the server's log says why", "call index_codebase again"))?
    }

    pub(super) async fn clear(self) -> Answer<Value> {
        let engine = self.engine.clone();
        let cancel = Arc::new(AtomicBool::new(false));
        let called_off = CalledOff(cancel.clone());
        let cleared = tokio::task::spawn_blocking(move || engine.clear_index(&unwatched(&cancel))).await;
        drop(called_off);
        cleared.map_err(|_| Refusal::new("clearing broke off", "call clear_index again"))?.map_err(Refusal::from)?;
        let message = "the code index is empty; memory was not touched; call index_codebase to build it again";
        encode(&Cleared { cleared: true, message: message.to_owned() })
    }

    /// Sends what changed, no more often than [`PACE`]; ends with the run.
    async fn tell(&self, mut hears: watch::Receiver<Progress>) {
        let Some(token) = self.context.meta.get_progress_token() else {
            return std::future::pending().await;
        };
        let mut last = -1.0;
        while hears.changed().await.is_ok() {
            let progress = *hears.borrow_and_update();
            let percent = percent(progress);
            if percent > last {
                last = percent;
                let message = message(progress);
                let param =
                    ProgressNotificationParam::new(token.clone(), percent).with_total(100.0).with_message(message);
                if let Err(error) = self.context.peer.notify_progress(param).await {
                    tracing::debug!(%error, "progress is not heard");
                }
            }
            tokio::time::sleep(PACE).await;
        }
    }
}

pub(super) fn encode<T: serde::Serialize>(output: &T) -> Answer<Value> {
    let failed =
        |error: serde_json::Error| Refusal { message: format!("cannot write the answer: {error}"), hint: None };
    serde_json::to_value(output).map_err(failed)
}

fn checked(engine: &Engine, paths: &[String]) -> Answer<Vec<RelPath>> {
    if paths.len() > MOST_PATHS {
        return Err(Refusal::new(format!("{} paths are too many", paths.len()), "name at most 1000, or none for all"));
    }
    paths.iter().map(|path| inside(&engine.project().root, path)).collect()
}

/// Nobody means to have everything they own indexed.
fn refuse_home(engine: &Engine) -> Answer<()> {
    let root = &engine.project().root;
    let too_wide = root.parent().is_none() || engine.project().is_home();
    if too_wide {
        let hint = "start `reporecall mcp` in a project's folder, or with --project";
        return Err(Refusal::new(format!("{} is no project but the folder of all of them", root.display()), hint));
    }
    Ok(())
}

fn index(engine: &Engine, paths: &[RelPath], full: bool, watch: &Watch<'_>) -> Answer<Value> {
    let begun = Instant::now();
    let report = engine.index(IndexRequest { full, ..IndexRequest::default() }, watch).map_err(Refusal::from)?;
    let edges = engine.edge_count().map_err(Refusal::from)?;
    let not_indexed = engine.not_indexed(paths).map_err(Refusal::from)?;
    let not_indexed = not_indexed.iter().map(ToString::to_string).collect();
    encode(&indexed(report, edges, not_indexed, begun.elapsed()))
}

fn indexed(report: IndexReport, edges: u64, not_indexed: Vec<String>, took: Duration) -> IndexRun {
    /// Failures that are named.
    const NAMED: usize = 20;
    let failure = |(path, reason): (RelPath, String)| Failure { file_path: path.to_string(), reason };
    IndexRun {
        files_processed: report.indexed,
        files_unchanged: report.unchanged,
        files_removed: report.removed,
        files: report.files,
        chunks_created: report.chunks,
        edges,
        skipped: report.skipped.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect(),
        failures: report.failures.into_iter().take(NAMED).map(failure).collect(),
        ms: took.as_millis() as u64,
        not_indexed,
    }
}

/// Of the whole run: each phase has its share, so that it never goes back.
fn percent(progress: Progress) -> f64 {
    let (from, to) = match progress.phase {
        Phase::Scan => (0.0, 2.0),
        Phase::Index => (2.0, 80.0),
        Phase::Link => (80.0, 98.0),
        Phase::Commit => (98.0, 99.0),
    };
    let part = if progress.total == 0 { 0.0 } else { progress.done as f64 / progress.total as f64 };
    (from + (to - from) * part.min(1.0)).round()
}

fn message(progress: Progress) -> String {
    let phase = progress.phase.as_str();
    if progress.total == 0 {
        phase.to_owned()
    } else {
        format!("{phase}: {} of {} files", progress.done, progress.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_never_goes_back() {
        let at = |phase, done, total| percent(Progress { phase, done, total });
        let run = [
            at(Phase::Scan, 0, 0),
            at(Phase::Index, 0, 10),
            at(Phase::Index, 10, 10),
            at(Phase::Link, 0, 3),
            at(Phase::Link, 3, 3),
            at(Phase::Commit, 0, 0),
        ];
        assert!(run.is_sorted(), "{run:?}");
        assert_eq!(message(Progress { phase: Phase::Index, done: 1, total: 2 }), "indexing: 1 of 2 files");
    }
}
