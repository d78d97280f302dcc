//! Watching real folders: each test waits for a message, never for a time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossbeam_channel::Receiver;

use super::{WatchOptions, Watcher, watch};
use crate::scan::Scope;
use crate::scan::fixture::{add, folder};

const PATIENCE: Duration = Duration::from_secs(20);

fn options() -> WatchOptions {
    WatchOptions { quiet: Duration::from_millis(60), ..WatchOptions::default() }
}

/// A watcher that has seen a first change, so it is watching.
fn watching(root: &Path, options: WatchOptions) -> (Watcher, Receiver<Scope>) {
    let (watcher, changes) = watch(root.to_path_buf(), options);
    let mut n = 0;
    loop {
        n += 1;
        add(root, &[("first.rs", &n.to_string())]);
        if changes.recv_timeout(Duration::from_millis(300)).is_ok() {
            break;
        }
        assert!(n < 100, "nothing is watched");
    }
    while changes.recv_timeout(Duration::from_millis(200)).is_ok() {}
    (watcher, changes)
}

/// Paths of messages until all of `expected` came; everything counts as all.
fn wait_for(changes: &Receiver<Scope>, expected: &[&str]) {
    let mut seen = BTreeSet::new();
    while !expected.iter().all(|path| seen.contains(*path)) {
        match changes.recv_timeout(PATIENCE).expect("a message") {
            Scope::Everything => return,
            Scope::Only(paths) => seen.extend(paths),
        }
    }
}

fn real(root: &Path) -> PathBuf {
    fs::canonicalize(root).unwrap()
}

#[test]
fn saves_renames_and_removals_are_told_in_one_message() {
    let (_dir, root) = folder(&[("src/a.rs", "1"), ("src/b.rs", "1")]);
    let (_watcher, changes) = watching(&real(&root), options());
    add(&root, &[("src/a.rs", "2")]);
    fs::rename(root.join("src/b.rs"), root.join("src/c.rs")).unwrap();
    let Scope::Only(paths) = changes.recv_timeout(PATIENCE).unwrap() else { panic!("not everything") };
    assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["src/a.rs", "src/b.rs", "src/c.rs"]);
}

#[test]
fn folders_made_later_are_watched_and_ignored_ones_are_not() {
    let (_dir, root) = folder(&[("a.rs", "1"), (".gitignore", "out/\n"), ("out/x.rs", "1")]);
    let (_watcher, changes) = watching(&real(&root), options());
    add(&root, &[("out/x.rs", "2"), ("new/deep/b.rs", "1")]);
    wait_for(&changes, &["new"]);
    add(&root, &[("new/deep/b.rs", "2"), ("out/x.rs", "3")]);
    match changes.recv_timeout(PATIENCE).unwrap() {
        Scope::Only(paths) => assert!(paths.iter().all(|path| path.starts_with("new")), "{paths:?}"),
        Scope::Everything => panic!("not everything"),
    }
}

#[test]
fn a_moved_folder_is_told_under_its_new_name() {
    let (_dir, root) = folder(&[("old/a.rs", "1")]);
    let (_watcher, changes) = watching(&real(&root), options());
    fs::rename(root.join("old"), root.join("moved")).unwrap();
    wait_for(&changes, &["old", "moved"]);
    add(&root, &[("moved/a.rs", "2")]);
    wait_for(&changes, &["moved/a.rs"]);
}

#[test]
fn a_git_command_is_waited_for_and_is_one_message() {
    let (_dir, root) = folder(&[("a.rs", "1"), (".git/HEAD", "ref: refs/heads/main\n"), (".git/logs/HEAD", "")]);
    let root = real(&root);
    let (watcher, changes) = watching(&root, WatchOptions { git: Some(root.join(".git")), ..options() });
    add(&root, &[(".git/index.lock", "")]);
    for n in 0..300 {
        add(&root, &[(&format!("f{n}.rs"), "1")]);
    }
    assert!(changes.recv_timeout(Duration::from_millis(300)).is_err(), "told in the middle of a git command");
    assert!(watcher.state().pending);
    add(&root, &[(".git/HEAD", "ref: refs/heads/other\n")]);
    fs::remove_file(root.join(".git/index.lock")).unwrap();
    assert_eq!(changes.recv_timeout(PATIENCE).unwrap(), Scope::Everything);
    assert!(changes.recv_timeout(Duration::from_millis(300)).is_err(), "a second message");
}

#[test]
fn a_root_that_is_deleted_and_made_again_is_watched_again() {
    let (_dir, root) = folder(&[("p/a.rs", "1")]);
    let root = real(&root.join("p"));
    let (watcher, changes) = watching(&root, options());
    fs::rename(&root, root.with_file_name("gone")).unwrap();
    let started = std::time::Instant::now();
    while !watcher.state().root_gone {
        assert!(started.elapsed() < PATIENCE, "not noticed");
        std::thread::yield_now();
    }
    add(&root, &[("b.rs", "1")]);
    loop {
        if changes.recv_timeout(PATIENCE).unwrap() == Scope::Everything {
            break;
        }
    }
    add(&root, &[("c.rs", "1")]);
    wait_for(&changes, &["c.rs"]);
}

#[test]
fn without_events_everything_is_looked_at_from_time_to_time() {
    let (_dir, root) = folder(&[("a.rs", "1")]);
    let (watcher, changes) = watch(real(&root), WatchOptions { poll: true, ..options() });
    assert_eq!(changes.recv_timeout(PATIENCE).unwrap(), Scope::Everything);
    assert!(watcher.state().polling.is_some());
}
