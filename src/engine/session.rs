//! What an assistant's session was given, so that it is not given again: one small file a session under `.memory/sessions/`. Losing one
//! costs a repetition and nothing else, so no fault here is an error of the answer. Read [`Session`] first.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::{Block, Context, Packed};
use crate::project::{read_plain, write_private};

/// Bytes of a record; what is larger was written by nobody here.
const MOST_BYTES: u64 = 1 << 20;
/// Records that are kept; the oldest go first.
const MOST_SESSIONS: usize = 64;
/// Blocks of a session that are remembered.
const MOST_BLOCKS: usize = 2_000;
/// Seeds of the last prompt.
const MOST_SEEDS: usize = 3;

/// A session's record.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Session {
    /// Hash of the text by chunk: a chunk that has changed since is given again.
    given: BTreeMap<String, u64>,
    /// Chunks the last prompt was about.
    pub seeds: Vec<String>,
}

impl Session {
    /// Empty when there is none, or none that can be read.
    pub(super) fn load(memory_dir: &Path, id: &str) -> Self {
        let read = read_plain(&path(memory_dir, id), MOST_BYTES);
        read.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    pub(super) fn has(&self, block: &Block) -> bool {
        self.given.get(&block.chunk_id) == Some(&block.hash)
    }

    /// Remembers what is shown whole, and what the prompt was about.
    pub(super) fn add(&mut self, context: &Context, seeds: impl Iterator<Item = String>) {
        for packed in context.blocks.iter().filter(|packed| packed.packed == Packed::Whole) {
            if self.given.len() < MOST_BLOCKS {
                self.given.insert(packed.block.chunk_id.clone(), packed.block.hash);
            }
        }
        let seeds: Vec<String> = seeds.take(MOST_SEEDS).collect();
        if !seeds.is_empty() {
            self.seeds = seeds;
        }
    }

    pub(super) fn save(&self, memory_dir: &Path, id: &str) -> io::Result<()> {
        let path = path(memory_dir, id);
        let dir = folder(memory_dir);
        if !path.exists() {
            fs::create_dir_all(&dir)?;
            forget_oldest(&dir)?;
        }
        write_private(&path, &serde_json::to_vec(self)?)
    }
}

/// Forgets a session.
pub(super) fn forget(memory_dir: &Path, id: &str) -> io::Result<()> {
    match fs::remove_file(path(memory_dir, id)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn folder(memory_dir: &Path) -> PathBuf {
    memory_dir.join("sessions")
}

/// The id comes from outside: its hash is the name.
fn path(memory_dir: &Path, id: &str) -> PathBuf {
    folder(memory_dir).join(format!("{:016x}.json", xxhash_rust::xxh64::xxh64(id.as_bytes(), 0)))
}

fn forget_oldest(dir: &Path) -> io::Result<()> {
    let age = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
    };
    let mut known: Vec<_> = fs::read_dir(dir)?.filter_map(age).collect();
    known.sort();
    let over = (known.len() + 1).saturating_sub(MOST_SESSIONS);
    // Another process may have been faster.
    known.into_iter().take(over).for_each(|(_, path)| drop(fs::remove_file(path)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Lines, PackedBlock, Part, RelPath, Route};

    fn context(chunk_id: &str, hash: u64, packed: Packed) -> Context {
        let block = Block {
            chunk_id: chunk_id.to_owned(),
            path: RelPath::new("a.rs"),
            lang: "rust".into(),
            lines: Lines { start: 1, end: 1 },
            kind: None,
            name: String::new(),
            signature: "".into(),
            frame: "".into(),
            text: String::new(),
            tokens: 0,
            marks: Vec::new(),
            part: Part::Match,
            score: 1.0,
            because: String::new(),
            hash,
        };
        let blocks = vec![PackedBlock { block, packed, tokens: 0 }];
        Context { route: Route::Lookup, blocks, left_out: Vec::new(), text: String::new(), tokens: 0 }
    }

    #[test]
    fn what_was_shown_whole_and_is_unchanged_was_given() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = Session::default();
        session.add(&context("a#1", 7, Packed::Whole), ["a#1".to_owned()].into_iter());
        session.add(&context("a#2", 7, Packed::Lines), std::iter::empty());
        session.save(dir.path(), "../../x").unwrap();
        let loaded = Session::load(dir.path(), "../../x");
        assert_eq!(loaded, session);
        assert_eq!(loaded.seeds, ["a#1"]);
        let has = |id: &str, hash| loaded.has(&context(id, hash, Packed::Whole).blocks[0].block);
        assert!(has("a#1", 7) && !has("a#1", 8) && !has("a#2", 7));
        forget(dir.path(), "../../x").unwrap();
        assert_eq!(Session::load(dir.path(), "../../x"), Session::default());
        forget(dir.path(), "never seen").unwrap();
    }

    #[test]
    fn a_damaged_record_is_an_empty_one() {
        let dir = tempfile::tempdir().unwrap();
        Session::default().save(dir.path(), "s").unwrap();
        fs::write(path(dir.path(), "s"), b"{\"given\": [").unwrap();
        assert_eq!(Session::load(dir.path(), "s"), Session::default());
    }

    #[test]
    fn only_so_many_sessions_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        for id in 0..MOST_SESSIONS + 5 {
            Session::default().save(dir.path(), &id.to_string()).unwrap();
        }
        assert_eq!(fs::read_dir(folder(dir.path())).unwrap().count(), MOST_SESSIONS);
    }
}
