//! Which files changed since they were indexed. An equal `stat` proves that a file is unchanged, unless its times are too close
//! to the moment of hashing for the clock to tell; then, and where only the times moved, the content decides.
//! Read [`changes`] first.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::path::Path;

use rayon::prelude::*;

use super::read::hash;
use super::{FoundFile, Walk};
use crate::model::{ContentHash, KnownFile, RelPath, Stat};

/// What a walk found, against what the index holds. Lists are sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// New, or of another content.
    pub changed: Vec<FoundFile>,
    /// Of the same content: only the stored stat and the time of hashing must be renewed.
    pub touched: Vec<(RelPath, Stat, ContentHash)>,
    pub removed: Vec<RelPath>,
    pub unchanged: usize,
}

/// Files that one thread looks at faster than two.
const FEW_FILES: usize = 256;

enum State {
    Changed,
    Touched(ContentHash),
    Unchanged,
}

/// Nanoseconds. File systems stamp with the time of the last timer tick.
const FINE_CLOCK: i64 = 20_000_000;

/// Nanoseconds. Some file systems keep whole seconds, FAT every other one.
const COARSE_CLOCK: i64 = 2_000_000_000;

/// Compares `walk` of `root` with the `known` files.
///
/// Whoever indexes the files of `changed` and `touched` must store a time of hashing that is not later than the moment before this call.
#[must_use]
pub fn changes<S: BuildHasher + Sync>(root: &Path, walk: &Walk, known: &HashMap<RelPath, KnownFile, S>) -> Changes {
    let state_of = |file: &FoundFile| state(root, file, known.get(&file.path));
    // Handing a few files to the thread pool takes longer than looking at them.
    let states: Vec<State> = if walk.files.len() <= FEW_FILES {
        walk.files.iter().map(state_of).collect()
    } else {
        walk.files.par_iter().with_min_len(FEW_FILES).map(state_of).collect()
    };
    let mut changes = Changes::default();
    for (file, state) in walk.files.iter().zip(states) {
        match state {
            State::Changed => changes.changed.push(file.clone()),
            State::Touched(hash) => changes.touched.push((file.path.clone(), file.stat, hash)),
            State::Unchanged => changes.unchanged += 1,
        }
    }
    changes.removed = removed(walk, known);
    changes
}

fn state(root: &Path, file: &FoundFile, known: Option<&KnownFile>) -> State {
    let Some(known) = known else { return State::Changed };
    if file.stat == known.stat && is_settled(known) {
        return State::Unchanged;
    }
    if file.stat.size != known.stat.size {
        return State::Changed;
    }
    match hash(root, &file.path) {
        Ok(hash) if hash == known.hash => State::Touched(hash),
        // Whoever reads it next learns why it cannot be read.
        Ok(_) | Err(_) => State::Changed,
    }
}

/// A change after the hashing would have got other times.
fn is_settled(known: &KnownFile) -> bool {
    [known.stat.mtime_ns, known.stat.ctime_ns]
        .into_iter()
        .all(|time| time.saturating_add(granularity(time)) < known.hashed_at_ns)
}

/// How far apart two changes must be to get times that differ from `time`.
const fn granularity(time: i64) -> i64 {
    if time % 1_000_000_000 == 0 { COARSE_CLOCK } else { FINE_CLOCK }
}

fn removed<S: BuildHasher>(walk: &Walk, known: &HashMap<RelPath, KnownFile, S>) -> Vec<RelPath> {
    let gone = |path: &&RelPath| walk.files.binary_search_by(|file| file.path.cmp(path)).is_err();
    let mut removed: Vec<RelPath> = known.keys().filter(gone).cloned().collect();
    removed.sort_unstable();
    removed
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::fs::{self, File, FileTimes};
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::{COARSE_CLOCK, Changes, FINE_CLOCK, changes, granularity, is_settled};
    use crate::model::{ContentHash, FileId, KnownFile, RelPath, Stat};
    use crate::scan::fixture::{add, folder};
    use crate::scan::read::hash;
    use crate::scan::{ScanOptions, Walk, walk};

    const LATER: i64 = i64::MAX;

    fn walked(root: &Path) -> Walk {
        walk(root, &ScanOptions { max_file_size: 1000, ..ScanOptions::default() }, &|_| true).unwrap()
    }

    /// The index that a run at `hashed_at_ns` leaves behind.
    fn indexed(root: &Path, hashed_at_ns: i64) -> HashMap<RelPath, KnownFile> {
        let known = |file: &crate::scan::FoundFile| {
            let hash = hash(root, &file.path).unwrap();
            (file.path.clone(), KnownFile { id: FileId(0), hash, stat: file.stat, hashed_at_ns })
        };
        walked(root).files.iter().map(known).collect()
    }

    fn found(root: &Path, known: &HashMap<RelPath, KnownFile>) -> Changes {
        changes(root, &walked(root), known)
    }

    fn shown(changes: &Changes) -> String {
        let changed: Vec<&str> = changes.changed.iter().map(|file| file.path.as_str()).collect();
        let touched: Vec<&str> = changes.touched.iter().map(|(path, ..)| path.as_str()).collect();
        let removed: Vec<&str> = changes.removed.iter().map(RelPath::as_str).collect();
        format!("changed {changed:?} touched {touched:?} removed {removed:?} unchanged {}", changes.unchanged)
    }

    fn set_modified(path: &Path, time: SystemTime) {
        File::options().write(true).open(path).unwrap().set_times(FileTimes::new().set_modified(time)).unwrap();
    }

    #[test]
    fn edits_additions_and_removals_are_told_apart() {
        let (_dir, root) = folder(&[("a", "1"), ("b", "1"), ("c", "1"), ("d", "1")]);
        let known = indexed(&root, LATER);
        assert_eq!(shown(&found(&root, &known)), "changed [] touched [] removed [] unchanged 4");
        add(&root, &[("a", "22"), ("new", "1")]);
        fs::remove_file(root.join("b")).unwrap();
        fs::rename(root.join("c"), root.join("C")).unwrap();
        assert_eq!(
            shown(&found(&root, &known)),
            r#"changed ["C", "a", "new"] touched [] removed ["b", "c"] unchanged 1"#
        );
    }

    #[test]
    fn a_folder_in_place_of_a_file_and_the_other_way_round() {
        let (_dir, root) = folder(&[("a", "1"), ("b/x", "1")]);
        let known = indexed(&root, LATER);
        fs::remove_file(root.join("a")).unwrap();
        fs::remove_dir_all(root.join("b")).unwrap();
        add(&root, &[("a/y", "1"), ("b", "1")]);
        assert_eq!(shown(&found(&root, &known)), r#"changed ["a/y", "b"] touched [] removed ["a", "b/x"] unchanged 0"#);
    }

    #[test]
    fn a_touch_that_keeps_the_content_is_no_change() {
        let (_dir, root) = folder(&[("a", "1"), ("b", "1")]);
        let known = indexed(&root, LATER);
        set_modified(&root.join("a"), SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_007));
        let changes = found(&root, &known);
        assert_eq!(shown(&changes), r#"changed [] touched ["a"] removed [] unchanged 1"#);
        let (path, stat, hash) = changes.touched.into_iter().next().unwrap();
        let file = walked(&root).files.into_iter().next().unwrap();
        assert_eq!((&path, stat, hash), (&file.path, file.stat, known.get(&path).unwrap().hash));
    }

    #[cfg(unix)]
    #[test]
    fn an_edit_that_restores_size_and_modification_time_is_found() {
        let (_dir, root) = folder(&[("a", "1")]);
        let past = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_007);
        set_modified(&root.join("a"), past);
        let mut known = indexed(&root, LATER);
        // The clock may not have moved on since; another change time stands for what a later edit leaves.
        known.get_mut(&RelPath::new("a")).unwrap().stat.ctime_ns -= 1;
        fs::write(root.join("a"), "2").unwrap();
        set_modified(&root.join("a"), past);
        assert_eq!(shown(&found(&root, &known)), r#"changed ["a"] touched [] removed [] unchanged 0"#);
    }

    #[test]
    fn a_file_replaced_by_another_of_equal_times_is_found_by_its_number() {
        let (_dir, root) = folder(&[("a", "1")]);
        let mut known = indexed(&root, LATER);
        let file = known.get_mut(&RelPath::new("a")).unwrap();
        file.stat.inode += 1;
        file.hash = ContentHash(0);
        assert_eq!(shown(&found(&root, &known)), r#"changed ["a"] touched [] removed [] unchanged 0"#);
    }

    #[test]
    fn equal_times_prove_nothing_close_to_the_hashing() {
        let (_dir, root) = folder(&[("a", "1"), ("b", "1")]);
        let newest = walked(&root).files.iter().map(|file| file.stat.mtime_ns).max().unwrap();
        let mut known = indexed(&root, newest);
        known.get_mut(&RelPath::new("a")).unwrap().hash = ContentHash(0);
        assert_eq!(shown(&found(&root, &known)), r#"changed ["a"] touched ["b"] removed [] unchanged 0"#);
    }

    #[test]
    fn a_time_is_settled_once_the_clock_has_moved_on() {
        let settled = |mtime_ns: i64, ctime_ns: i64, hashed_at_ns: i64| {
            let stat = Stat { size: 1, mtime_ns, ctime_ns, inode: 1 };
            is_settled(&KnownFile { id: FileId(0), hash: ContentHash(0), stat, hashed_at_ns })
        };
        let (second, fine) = (7_000_000_000, 7_000_000_001);
        assert!(settled(fine, fine, fine + FINE_CLOCK + 1));
        assert!(!settled(fine, fine, fine + FINE_CLOCK));
        assert!(!settled(second, fine, second + COARSE_CLOCK));
        assert!(settled(second, fine, second + COARSE_CLOCK + 1));
        assert!(!settled(1, fine, fine), "the change time counts as well");
        assert!(!settled(i64::MAX, fine, i64::MAX), "times in the future");
        assert_eq!((granularity(-1_000_000_000), granularity(-1)), (COARSE_CLOCK, FINE_CLOCK));
    }

    #[test]
    fn unreadable_files_are_left_to_the_reader() {
        let (_dir, root) = folder(&[("a", "1")]);
        let (walk, mut known) = (walked(&root), indexed(&root, LATER));
        known.get_mut(&RelPath::new("a")).unwrap().stat.mtime_ns += 1;
        fs::remove_file(root.join("a")).unwrap();
        assert_eq!(shown(&changes(&root, &walk, &known)), r#"changed ["a"] touched [] removed [] unchanged 0"#);
    }
}
