//! One line a fault, in `.memory/logs/hook.log`. It holds no prompt, and cannot fail: a full disk keeps no hook from answering.
//! Read [`line`] first.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use super::event::Event;
use crate::engine::{Fault, unix_time};
use crate::project::Project;

/// Bytes; a longer log begins anew and the old one is kept once.
const LONGEST_LOG: u64 = 256 << 10;

pub(super) fn line(root: Option<PathBuf>, event: Option<Event>, took: Duration, error: &anyhow::Error) {
    let project = super::project_of(root, None).ok().filter(|project| project.memory_dir.is_dir());
    if let Some(project) = project {
        let event = event.map_or("?", Event::route);
        let message = Fault::of(error).message.replace(['\n', '\r'], " ");
        let line = format!("{} {event} {} ms: {message}\n", unix_time(), took.as_millis());
        // Nobody is there to be told.
        drop(append(&project, &line));
    }
}

fn append(project: &Project, line: &str) -> std::io::Result<()> {
    let path = project.daemon().logs()?.join("hook.log");
    match fs::symlink_metadata(&path) {
        Ok(meta) if !meta.is_file() => return Err(std::io::ErrorKind::InvalidInput.into()),
        Ok(meta) if meta.len() > LONGEST_LOG => fs::rename(&path, path.with_extension("log.1"))?,
        Ok(_) | Err(_) => {}
    }
    OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())
}
