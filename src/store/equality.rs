//! A store that was changed step by step holds the same as one that was filled once.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::fixtures::{Content, update};
use super::linking::write_linked;
use super::{StorePaths, check};
use crate::model::RelPath;

const WORDS: [&str; 8] = ["get_item", "getItem", "Item", "_private", "render", "HTTPServer", "数据库", "x1"];

#[derive(Debug, Clone)]
enum Step {
    Put(u8, Vec<u8>),
    Remove(u8),
    /// The run ends after linking that many files, and another one begins.
    Reopen(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0..6u8, proptest::collection::vec(0..8u8, 0..5)).prop_map(|(path, words)| Step::Put(path, words)),
        2 => (0..6u8).prop_map(Step::Remove),
        1 => prop_oneof![0..3usize, Just(usize::MAX)].prop_map(Step::Reopen),
    ]
}

fn path(number: u8) -> String {
    format!("dir{}/file_{number}.py", number % 2)
}

fn words(numbers: &[u8]) -> Vec<&'static str> {
    numbers.iter().map(|number| WORDS[usize::from(*number)]).collect()
}

fn filled_once(files: &BTreeMap<String, Vec<&str>>) -> Content {
    let dir = tempfile::tempdir().unwrap();
    let paths = StorePaths::new(dir.path());
    write_linked(&paths, usize::MAX, |writer| {
        for (path, words) in files {
            writer.put(update(path, words)).unwrap();
        }
    });
    Content::read(&paths)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn step_by_step_equals_at_once(steps in proptest::collection::vec(step(), 1..24)) {
        let dir = tempfile::tempdir().unwrap();
        let paths = StorePaths::new(dir.path());
        let mut files = BTreeMap::new();
        for run in steps.split_inclusive(|step| matches!(step, Step::Reopen(_))) {
            let linked = if let Some(Step::Reopen(linked)) = run.last() { *linked } else { 0 };
            write_linked(&paths, linked, |writer| {
                for step in run {
                    match step {
                        Step::Put(file, numbers) => {
                            writer.put(update(&path(*file), &words(numbers))).unwrap();
                            files.insert(path(*file), words(numbers));
                        }
                        Step::Remove(file) => {
                            writer.remove(RelPath::new(&path(*file))).unwrap();
                            files.remove(&path(*file));
                        }
                        Step::Reopen(_) => {}
                    }
                }
            });
            Content::read(&paths).links.assert_sound();
            prop_assert_eq!(check(&paths).unwrap().damage, Vec::<String>::new());
        }
        write_linked(&paths, usize::MAX, |_| {});
        prop_assert_eq!(Content::read(&paths), filled_once(&files));
        let integrity = check(&paths).unwrap();
        prop_assert_eq!((integrity.files, integrity.pending, integrity.damage), (files.len(), 0, Vec::new()));
    }
}

#[test]
fn blocks_beyond_the_first_are_updated_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let paths = StorePaths::new(dir.path());
    let mut files: BTreeMap<String, Vec<&str>> =
        (0..1100).map(|number| (format!("f{number:04}.py"), vec!["render"])).collect();
    write_linked(&paths, usize::MAX, |writer| {
        for (path, words) in &files {
            writer.put(update(path, words)).unwrap();
        }
    });
    let changed =
        [("f0003.py", vec!["x1", "render"]), ("f0700.py", vec!["Item"]), ("f1099.py", vec![]), ("new.py", vec!["x1"])];
    let removed = ["f0511.py", "f0512.py", "f1098.py"];
    write_linked(&paths, usize::MAX, |writer| {
        for path in removed {
            writer.remove(RelPath::new(path)).unwrap();
        }
        for (path, words) in &changed {
            writer.put(update(path, words)).unwrap();
        }
    });
    files.retain(|path, _| !removed.contains(&path.as_str()));
    files.extend(changed.map(|(path, words)| (path.to_owned(), words)));
    assert_eq!(Content::read(&paths), filled_once(&files));
}
