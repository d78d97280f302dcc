//! Law 2: an index that was brought up to date equals one made from nothing, over random edits.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use reporecall::engine::{Engine, IndexRequest, SearchQuery, unwatched};
use reporecall::project::Project;
use tempfile::TempDir;

const NAMES: [&str; 6] = ["a.py", "pkg/b.py", "pkg/__init__.py", "web/c.ts", "core/d.rs", "notes.md"];
const TEXTS: [&str; 7] = [
    "def alpha(x):\n    return beta(x)\n",
    "class Gamma:\n    \"\"\"Holds gamma.\"\"\"\n    def alpha(self):\n        return 1\n",
    "export function beta(x: number) { return alpha(x); }\n",
    "fn delta() -> u32 { alpha() }\n#[test]\nfn checks() {}\n",
    "# Title\n\nalpha and beta\n\n## Second\n\ngamma\n",
    "# only a comment\n",
    "",
];

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    /// Whether Markdown is read as plain text by the project's settings.
    Configure(bool),
    Index,
    /// A run that is cancelled before its first file.
    Cancelled,
    Full,
}

fn edit() -> impl Strategy<Value = Edit> {
    let file = 0..NAMES.len();
    prop_oneof![
        4 => (file.clone(), 0..TEXTS.len()).prop_map(|(file, text)| Edit::Write(file, text)),
        1 => file.clone().prop_map(Edit::Remove),
        1 => (file.clone(), file).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => any::<bool>().prop_map(Edit::Configure),
        2 => Just(Edit::Index),
        1 => Just(Edit::Cancelled),
        1 => Just(Edit::Full),
    ]
}

/// A source tree, and a folder that holds the stores made of it.
struct Bench {
    source: TempDir,
    stores: TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { source: TempDir::new().unwrap(), stores: TempDir::new().unwrap() }
    }

    /// The engine as a new process has it, with the settings as they are now.
    fn engine(&self, store: &str) -> Engine {
        Engine::with_store_in(Project::at(self.source.path()).unwrap(), self.stores.path().join(store))
    }

    fn configure(&self, store: &str, plain: bool) {
        let dir = self.stores.path().join(store);
        fs::create_dir_all(&dir).unwrap();
        let settings = if plain { r#"{"extensions": {".md": "text"}}"# } else { "{}" };
        fs::write(dir.join("config.json"), settings).unwrap();
    }

    fn apply(&self, edit: &Edit) {
        let path = |file: &usize| self.source.path().join(NAMES[*file]);
        match edit {
            Edit::Write(file, text) => {
                fs::create_dir_all(path(file).parent().unwrap()).unwrap();
                fs::write(path(file), TEXTS[*text]).unwrap();
            }
            Edit::Remove(file) => drop(fs::remove_file(path(file))),
            Edit::Rename(from, to) => {
                fs::create_dir_all(path(to).parent().unwrap()).unwrap();
                drop(fs::rename(path(from), path(to)));
            }
            Edit::Configure(plain) => self.configure("kept", *plain),
            Edit::Index => index(&self.engine("kept"), false),
            Edit::Cancelled => {
                drop(self.engine("kept").index(IndexRequest::default(), &unwatched(&AtomicBool::new(true))));
            }
            Edit::Full => index(&self.engine("kept"), true),
        }
    }
}

fn index(engine: &Engine, full: bool) {
    engine.index(IndexRequest { full, ..IndexRequest::default() }, &unwatched(&AtomicBool::new(false))).unwrap();
}

/// Everything a user can see of an index: counts, and scores of many queries to the last bit.
fn view(engine: &Engine) -> BTreeMap<String, String> {
    let stats = engine.stats().unwrap();
    let counts =
        (stats.files, stats.chunks, stats.symbols, stats.lines, stats.source_bytes, stats.languages, stats.skipped);
    let mut view = BTreeMap::from([("counts".to_owned(), format!("{counts:?}"))]);
    for text in
        ["alpha", "beta gamma", "Gamma.alpha", "how does delta call alpha", "title", "holds", "pkg", "checks test"]
    {
        let query = SearchQuery { text: text.to_owned(), limit: 50, ..SearchQuery::default() };
        let found = engine.search(&query).unwrap();
        let hits = found.results.hits.iter();
        let lines: Vec<String> =
            hits.map(|h| format!("{} {:?} {:?} {} {}", h.path, h.lines, h.qualified(), h.score, h.text)).collect();
        view.insert(text.to_owned(), lines.join("\n"));
    }
    view
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn incremental_equals_full(edits in prop::collection::vec(edit(), 1..14)) {
        let bench = Bench::new();
        for edit in &edits {
            bench.apply(edit);
        }
        let plain = edits.iter().rev().find_map(|edit| if let Edit::Configure(plain) = edit { Some(*plain) } else { None });
        bench.configure("fresh", plain.unwrap_or(false));
        let (kept, fresh) = (bench.engine("kept"), bench.engine("fresh"));
        index(&kept, false);
        index(&fresh, false);
        prop_assert_eq!(view(&kept), view(&fresh));
    }
}
