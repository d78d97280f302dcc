//! Checks a project and its index and says what to do about each fault. Mends only when asked. Read [`Finding`] first.

mod connections;
mod machine;

use super::{Engine, Fault, FreshnessLevel, IndexRequest, Stats, Watch, fault};
use crate::config::Severity;
use crate::parse;
use crate::store;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Ok,
    Warning,
    Fault,
}

impl Level {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
        }
    }
}

/// One line of the examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub level: Level,
    /// What was looked at; one word.
    pub check: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { level: Level::Ok, check, message: message.into(), hint: None }
    }

    fn bad(level: Level, check: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self { level, check, message: message.into(), hint: Some(hint.to_owned()) }
    }
}

impl Engine {
    /// Looks at everything; with `fix`, a damaged, missing or stale index is built again first.
    #[must_use]
    pub fn doctor(&self, fix: Option<&Watch<'_>>) -> Vec<Finding> {
        let mut findings = vec![self.check_git()];
        findings.extend(self.check_config());
        findings.push(self.check_daemon());
        let index = self.check_index();
        let needs_work = index.findings.iter().any(|finding| finding.level > Level::Ok);
        match fix {
            Some(watch) if needs_work => findings.extend(self.fix_index(index.damaged, watch)),
            Some(_) | None => findings.extend(index.findings),
        }
        findings.extend(connections::check(self));
        findings.extend(machine::check(self));
        findings
    }

    /// A writer sees damage only where it happens to read; damage that the check saw calls for a rebuild.
    fn fix_index(&self, full: bool, watch: &Watch<'_>) -> Vec<Finding> {
        match self.index(IndexRequest { full, ..IndexRequest::default() }, watch) {
            Ok(report) => {
                let mut findings = vec![Finding::ok(
                    "fix",
                    format!("index brought up to date: {} done", counted(report.indexed, "file", "files")),
                )];
                findings.extend(self.check_index().findings);
                findings
            }
            Err(error) => vec![fault_finding("fix", &Fault::of(&error))],
        }
    }

    fn check_git(&self) -> Finding {
        match &self.project.git {
            Some(git) => Finding::ok("git", format!("branch {}", git.branch)),
            None => Finding::bad(
                Level::Warning,
                "git",
                "the project is not in a git repository",
                "run `git init`: branches and commits make answers more exact",
            ),
        }
    }

    fn check_daemon(&self) -> Finding {
        const RESTART: &str = "run `reporecall serve --stop`; the next hook starts it again";
        let files = self.project.daemon();
        match files.running() {
            Some(daemon) if daemon.version != env!("CARGO_PKG_VERSION") => {
                let message = format!("process {} is of version {}", daemon.pid, daemon.version);
                Finding::bad(Level::Warning, "daemon", message, RESTART)
            }
            Some(daemon) => Finding::ok("daemon", format!("process {} on port {}", daemon.pid, daemon.port)),
            None if files.is_claimed() => {
                Finding::bad(Level::Warning, "daemon", "it is starting or ending, or its record is missing", RESTART)
            }
            None => Finding::ok("daemon", "none runs"),
        }
    }

    fn check_config(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self
            .warnings
            .iter()
            .map(|warning| match warning.severity {
                Severity::Note => Finding::ok("config", warning.to_string()),
                Severity::Warning => {
                    Finding::bad(Level::Warning, "config", warning.to_string(), "correct .memory/config.json")
                }
            })
            .collect();
        for (extension, language) in &self.config.extensions {
            if parse::named(language).is_none() {
                let message = format!("extensions: {extension} names the unknown language {language:?}");
                findings.push(Finding::bad(
                    Level::Warning,
                    "config",
                    message,
                    "use a language that `reporecall stats` lists",
                ));
            }
        }
        if findings.is_empty() {
            findings.push(Finding::ok("config", "no complaints"));
        }
        findings
    }

    fn check_index(&self) -> IndexCheck {
        let problems = match store::check(&self.paths) {
            Ok(integrity) => integrity.damage,
            Err(error) => return IndexCheck::failed(&error.into()),
        };
        if !problems.is_empty() {
            let finding = |problem: String| Finding::bad(Level::Fault, "index", problem, fault::REBUILD);
            return IndexCheck { findings: problems.into_iter().map(finding).collect(), damaged: true };
        }
        match self.stats() {
            Ok(stats) => IndexCheck { findings: findings_of(&stats), damaged: false },
            Err(error) => IndexCheck::failed(&error),
        }
    }
}

/// What was found about the index, and whether only a rebuild cures it.
struct IndexCheck {
    findings: Vec<Finding>,
    damaged: bool,
}

impl IndexCheck {
    fn failed(error: &anyhow::Error) -> Self {
        Self { findings: vec![fault_finding("index", &Fault::of(error))], damaged: fault::is_damage(error) }
    }
}

fn fault_finding(check: &'static str, fault: &Fault) -> Finding {
    Finding { level: Level::Fault, check, message: fault.message.clone(), hint: fault.hint.clone() }
}

fn findings_of(stats: &Stats) -> Vec<Finding> {
    let mut findings = vec![Finding::ok(
        "index",
        format!("{}, {}, sound", counted(stats.files, "file", "files"), counted(stats.chunks, "chunk", "chunks")),
    )];
    findings.push(match stats.freshness.level {
        FreshnessLevel::Fresh => Finding::ok("fresh", "agrees with the files on disk"),
        FreshnessLevel::Stale if stats.freshness.partial => {
            Finding::bad(Level::Warning, "fresh", "the last run did not finish", "run `reporecall index`")
        }
        FreshnessLevel::Stale | FreshnessLevel::Empty => {
            let dirty = stats.freshness.dirty_files.len() as u64;
            let message = format!("{} from the index", counted(dirty, "file differs", "files differ"));
            Finding::bad(Level::Warning, "fresh", message, "run `reporecall index`")
        }
    });
    let errors = stats.files_with_errors;
    findings.push(Finding::ok(
        "parser",
        if errors == 0 {
            "the grammars know the syntax of every file".to_owned()
        } else {
            let holding = counted(errors, "file holds", "files hold");
            format!("{holding} syntax the grammars do not know; the rest is indexed")
        },
    ));
    if stats.files_given_up > 0 {
        let given_up = counted(stats.files_given_up, "file was", "files were");
        let message = format!("{given_up} too costly to parse; indexed as plain text");
        findings.push(Finding::bad(Level::Warning, "parser", message, "split them, or list them in .memoryignore"));
    }
    for skip in &stats.largest_skipped {
        findings.push(Finding::ok("skipped", format!("{} ({}, {} bytes)", skip.path, skip.reason.as_str(), skip.size)));
    }
    findings
}

/// `1 file`, `2 files`.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
