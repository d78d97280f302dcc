//! `reporecall hook`: answers an assistant's event through the daemon, or by itself where none answers in time. It fails open:
//! whatever happens, it prints the JSON of an empty answer within its deadline, leaves one line in a log, and never makes the assistant wait
//! or stop. Read [`run`] first.
//!
//! - `event`: what an assistant says; `answer`: what is said to it (the daemon uses both as well); `reply`: how a client reads it.
//! - `wire`: the daemon's HTTP; `start`: a daemon where there is none; `log`: the line.

mod answer;
mod event;
mod log;
mod reply;
mod start;
mod wire;

use std::io::Read;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::Value;

pub use self::answer::{Answer, answer, note};
pub use self::event::{Event, Input, InputError};
pub use self::reply::{Client, nothing, reply};
pub use self::start::start;
pub use self::wire::{WireError, ask};
use crate::config;
use crate::engine::Engine;
use crate::project::{self, Project};

/// A hook's command line.
#[derive(Debug, Clone, Default)]
pub struct Call {
    pub event: String,
    pub client: Client,
    /// The project, where it was named.
    pub project: Option<PathBuf>,
}

/// Arguments of a daemon that a hook starts: it ends by itself when nobody has asked for so many seconds.
pub const STARTED_BY_HOOK: [&str; 2] = ["--idle-exit", "1800"];

/// For everything. Clients wait for 30 seconds, but people do not.
const DEADLINE: Duration = Duration::from_secs(2);

/// For the daemon, so that there is time for an answer without it.
const DAEMON_DEADLINE: Duration = Duration::from_millis(700);

/// Bytes that are read of an event; a larger one is not answered.
const LARGEST_INPUT: u64 = 8 << 20;

/// Answers the event on `stdin`; the JSON to print.
#[must_use]
pub fn run(call: Call, stdin: impl Read + Send + 'static) -> String {
    let (event, client) = (Event::parse(&call.event), call.client);
    let started = Instant::now();
    let (sender, answers) = mpsc::channel();
    let named = call.project.clone();
    let work = move || {
        // Nobody listens any more after the deadline.
        drop(sender.send(work(&call, event, stdin, started + DEADLINE)));
    };
    let spawned = thread::Builder::new().name("hook".into()).spawn(work);
    let outcome = match spawned.map(|_| answers.recv_timeout(DEADLINE)) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(RecvTimeoutError::Timeout)) => Err(anyhow::anyhow!("no answer in time")),
        Ok(Err(RecvTimeoutError::Disconnected)) => Err(anyhow::anyhow!("the hook failed")),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(value) => value.to_string(),
        Err(error) => {
            log::line(named, event, started.elapsed(), &error);
            nothing(client, event).to_string()
        }
    }
}

fn work(call: &Call, event: Option<Event>, stdin: impl Read, deadline: Instant) -> anyhow::Result<Value> {
    let body = read(stdin)?;
    let event = event.with_context(|| format!("unknown event {:?}", call.event))?;
    if !event.is_question() && event != Event::PreCompact {
        return Ok(nothing(call.client, Some(event)));
    }
    let input = Input::read(&body)?;
    let project = project_of(call.project.clone(), input.cwd.clone())?;
    if !project.memory_dir.is_dir() {
        bail!("the project is not prepared; run `reporecall init` in it");
    }
    match by_daemon(&project, event, &input, deadline) {
        Ok(Some(text)) => return Ok(reply(call.client, event, &text)),
        Ok(None) => start_daemon(&project),
        // Once is enough to say it; the answer comes all the same.
        Err(error) => log::line(Some(project.root.clone()), Some(event), Duration::ZERO, &error.into()),
    }
    let engine = Engine::open(project);
    note(&engine, event, &input)?;
    if !event.is_question() {
        return Ok(nothing(call.client, Some(event)));
    }
    let answer = answer(&engine, &engine.searcher()?, event, (&input, None))?;
    Ok(reply(call.client, event, &answer.text))
}

fn read(stdin: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    let mut stdin = stdin.take(LARGEST_INPUT + 1);
    stdin.read_to_end(&mut body).context("cannot read the event")?;
    if body.len() as u64 > LARGEST_INPUT {
        // Whoever writes it must not be left with a broken pipe.
        std::io::copy(&mut stdin.into_inner(), &mut std::io::sink()).context("cannot read the event")?;
        bail!("the event is larger than {LARGEST_INPUT} bytes");
    }
    Ok(body)
}

/// The project that was named, or that the client or the event names, or that the process was started in.
fn project_of(named: Option<PathBuf>, cwd: Option<PathBuf>) -> anyhow::Result<Project> {
    if let Some(root) = named {
        return Ok(Project::at(&root)?);
    }
    let start = config::client_project_dir().filter(|dir| dir.is_dir()).or(cwd).map_or_else(project::current_dir, Ok);
    Ok(Project::discover(&start?)?)
}

/// What the daemon says; `None` where none runs.
fn by_daemon(project: &Project, event: Event, input: &Input, deadline: Instant) -> Result<Option<String>, WireError> {
    let Some(daemon) = project.daemon().running() else { return Ok(None) };
    let path = format!("/hooks/{}", event.route());
    let body = serde_json::json!({
        "prompt": input.prompt.chars().take(200_000).collect::<String>(),
        "session_id": input.session,
        "activeFiles": input.active_files,
        "source": input.source,
    });
    let answer = ask(&daemon, &path, body.to_string().as_bytes(), deadline.min(Instant::now() + DAEMON_DEADLINE))?;
    let text = answer.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str);
    Ok(Some(text.unwrap_or_default().to_owned()))
}

fn start_daemon(project: &Project) {
    let wanted = config::load(&project.config_file()).config.hook_autostart && !project.daemon().is_claimed();
    if wanted && let Err(error) = start(&project.root, &STARTED_BY_HOOK) {
        log::line(Some(project.root.clone()), None, Duration::ZERO, &error.into());
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Cursor, Read};

    use super::{Call, Client, LARGEST_INPUT, run};

    fn call(event: &str, root: &std::path::Path) -> Call {
        Call { event: event.to_owned(), client: Client::Claude, project: Some(root.to_path_buf()) }
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("closed"))
        }
    }

    struct Panics;

    impl Read for Panics {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("a fault of ours")
        }
    }

    #[test]
    fn whatever_stands_on_standard_input_the_answer_is_an_empty_object() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".memory")).unwrap();
        std::fs::write(dir.path().join(".memory/config.json"), r#"{"hookAutostart": false}"#).unwrap();
        let answer = |event: &str, body: &str| run(call(event, dir.path()), Cursor::new(body.to_owned()));
        for body in ["", "not json", "[1]", "{\"prompt\": 7}", "{\"prompt\": \"cart\"", "{\"prompt\":\"cart\"}"] {
            assert_eq!(answer("prompt", body), "{}", "{body}");
        }
        assert_eq!(answer("no-such-event", "{}"), "{}");
        assert_eq!(run(call("prompt", dir.path()), Broken), "{}");
        assert_eq!(run(call("prompt", dir.path()), Panics), "{}");
        assert_eq!(run(call("prompt", dir.path()), io::repeat(b'x').take(LARGEST_INPUT * 2)), "{}");
        let log = std::fs::read_to_string(dir.path().join(".memory/logs/hook.log")).unwrap();
        assert_eq!(log.lines().count(), 10, "{log}");
    }

    #[test]
    fn a_project_that_was_never_prepared_gets_no_files() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(run(call("prompt", dir.path()), Cursor::new(r#"{"prompt":"x"}"#)), "{}");
        assert_eq!(run(call("prompt", &dir.path().join("none")), Cursor::new("{}")), "{}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
