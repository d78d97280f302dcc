//! Progress of an index run: a bar with rate and time left on a terminal, plain lines elsewhere, nothing when quiet.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::{Phase, Progress, Watch};

/// How progress is shown.
pub(super) enum Display {
    Bar(ProgressBar),
    /// A line at the start of each phase.
    Lines(Mutex<Option<Phase>>),
    Quiet,
}

impl Display {
    pub(super) fn new(quiet: bool) -> Self {
        if quiet {
            Self::Quiet
        } else if std::io::stderr().is_terminal() {
            Self::Bar(bar())
        } else {
            Self::Lines(Mutex::new(None))
        }
    }

    pub(super) fn show(&self, progress: Progress) {
        match self {
            Self::Bar(bar) => {
                bar.set_message(progress.phase.as_str());
                bar.set_length(progress.total);
                bar.set_position(progress.done);
            }
            Self::Lines(last) => {
                let Ok(mut last) = last.lock() else { return };
                if *last != Some(progress.phase) {
                    *last = Some(progress.phase);
                    say(progress.phase.as_str());
                }
            }
            Self::Quiet => {}
        }
    }

    pub(super) fn waiting(&self) {
        let message = "another process is indexing; waiting for it";
        match self {
            Self::Bar(bar) => bar.println(message),
            Self::Lines(_) => say(message),
            Self::Quiet => {}
        }
    }

    pub(super) fn done(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Runs `work` with progress shown and Ctrl-C turned into cancellation.
pub(super) fn watched<T>(quiet: bool, work: impl FnOnce(&Watch<'_>) -> T) -> anyhow::Result<T> {
    let cancel = std::sync::Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The second signal ends the process at once: what is committed stays.
        signal_hook::flag::register_conditional_shutdown(signal, 130, cancel.clone())?;
        signal_hook::flag::register(signal, cancel.clone())?;
    }
    let display = Display::new(quiet);
    let result = {
        let progress = |progress: Progress| display.show(progress);
        let waiting = || display.waiting();
        work(&Watch { progress: &progress, waiting: &waiting, cancel: &cancel })
    };
    display.done();
    Ok(result)
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:9} [{bar:30}] {pos}/{len} files, {per_sec}, {eta} left");
    let bar = ProgressBar::new(0);
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

fn say(message: &str) {
    // A closed standard error must not end the work.
    drop(writeln!(std::io::stderr(), "{message}"));
}
