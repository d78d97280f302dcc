//! Law 2 for the call graph: edges and imports of an index that followed random edits are those of an index made from nothing.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use reporecall::engine::{EdgeFilter, Engine, IndexRequest, unwatched};
use reporecall::project::Project;
use reporecall::store::StorePaths;
use reporecall::store::code::CodeReader;
use tempfile::TempDir;

const FILES: [&str; 19] = [
    "a.py",
    "pkg/__init__.py",
    "pkg/b.py",
    "pkg/c.py",
    "web/x.ts",
    "web/y.ts",
    "web/index.ts",
    "jvm/A.java",
    "go/m.go",
    "go/a.go",
    "rs/Cargo.toml",
    "rs/src/lib.rs",
    "rs/src/inner.rs",
    "c/a.h",
    "c/a.cpp",
    "c/b.cpp",
    "cs/A.cs",
    "cs/B.cs",
    "tsconfig.json",
];

/// What files are put together from: each line of pieces is one that the other lines can refer to.
const PYTHON: [&str; 14] = [
    "from pkg import *",
    "from pkg.b import Base as Other, make",
    "import pkg.b",
    "from .c import helper",
    "from a import Base",
    "class Base:\n    part: Base\n    def run(self):\n        return self.step()",
    "class Base(Other):\n    def step(self):\n        super().run()",
    "class Leaf(Base):\n    def step(self):\n        self.part.run()",
    "def make() -> Base:\n    return Base()",
    "def make():\n    return Leaf()",
    "def helper(x):\n    make().run()\n    x.step()",
    "def run():\n    pkg.b.make()\n    helper(make)",
    "thing = make()\nthing.run()",
    "def use(thing: Base):\n    thing.step()\n    thing.part.run()",
];
const SCRIPT: [&str; 11] = [
    "import { Base, make as made } from \"./y\";",
    "import * as all from \"./index\";",
    "export * from \"./x\";",
    "export { made as make } from \"./y\";",
    "import make from \"./x\";",
    "export default function make(): Base { return new Base(); }",
    "export class Base { run() { return this.step(); } step() {} }",
    "export class Leaf extends Base { step() { super.run(); } }",
    "export const made = () => make().run();",
    "function use(thing: Base) { thing.step(); all.make(); made(); }",
    "interface Base { step(): void }",
];
const JAVA: [&str; 3] = [
    "class A extends B { void run() { step(); } }",
    "class B { void step() { new A().run(); } }",
    "interface B { void step(); }",
];
const GO: [&str; 4] = [
    "package m",
    "type T struct { U }",
    "type U struct{}\nfunc (u *U) Step() {}",
    "func run(t *T) { t.Step(); make2().Step() }\nfunc make2() *T { return nil }",
];

const RUST: [&str; 11] = [
    "mod inner;",
    "pub use inner::*;",
    "pub use crate::inner::Part;",
    "use crate::Shape;",
    "pub struct Part;\nimpl Part { pub fn new() -> Self { Part } pub fn go(&self) { self.step(); } }",
    "pub trait Shape { fn step(&self) { } }",
    "impl Shape for Part { fn step(&self) { Part::new().go(); } }",
    "pub struct Holder<T> { part: Part, other: T }\nimpl<T: Shape> Holder<T> { fn run(&self) { self.part.go(); self.other.step(); } }",
    "pub fn make() -> Part { Part::new() }",
    "fn run() { make().go(); }\nmod nested { use super::*; fn deep() { make().step(); } }",
    "mod sub { pub struct Part; }\nimpl Shape for sub::Part {}",
];
const C: [&str; 6] = [
    "#include \"a.h\"",
    "struct Box { int get(); int get(int a); };",
    "int Box::get() { return 1; }",
    "int Box::get(int a) { return a; }",
    "int run(Box *box) { return box->get() + box->get(2) + free_one(); }",
    "int free_one() { return 1; }",
];
const SHARP: [&str; 6] = [
    "namespace N;",
    "partial class A { void Run(A a) { a.Step(); a.Added(); } }",
    "partial class A { void Step() { } }",
    "static class More { public static void Added(this A a) { } }",
    "static class More { public static void Added(A a) { } }",
    "class Box<T> where T : A { T part; void Go() { part.Step(); } }",
];
const CONFIG: [&str; 2] =
    ["{ \"compilerOptions\": { \"paths\": { \"./x\": [\"web/y\"] } } }", "{ \"extends\": \"./base.json\" }"];
const CRATE: [&str; 2] = ["[package]\nname = \"one\"", "[package]\nname = \"two\"\n[lib]\npath = \"src/inner.rs\""];

#[derive(Debug, Clone)]
enum Edit {
    Write(usize, Vec<usize>),
    Remove(usize),
    Rename(usize, usize),
    Index,
}

fn edit() -> impl Strategy<Value = Edit> {
    let file = 0..FILES.len();
    prop_oneof![
        6 => (file.clone(), prop::collection::vec(any::<usize>(), 0..7)).prop_map(|(file, parts)| Edit::Write(file, parts)),
        1 => file.clone().prop_map(Edit::Remove),
        1 => (file.clone(), file).prop_map(|(from, to)| Edit::Rename(from, to)),
        3 => Just(Edit::Index),
    ]
}

fn pieces(file: &str) -> &'static [&'static str] {
    match file.rsplit('.').next() {
        Some("py") => &PYTHON,
        Some("ts") => &SCRIPT,
        Some("java") => &JAVA,
        Some("rs") => &RUST,
        Some("h" | "cpp") => &C,
        Some("cs") => &SHARP,
        Some("json") => &CONFIG,
        Some("toml") => &CRATE,
        _ => &GO,
    }
}

struct Bench {
    source: TempDir,
    stores: TempDir,
}

impl Bench {
    fn apply(&self, edit: &Edit) {
        let path = |file: &usize| self.source.path().join(FILES[*file]);
        match edit {
            Edit::Write(file, parts) => {
                let all = pieces(FILES[*file]);
                let text: Vec<&str> = parts.iter().map(|part| all[part % all.len()]).collect();
                fs::create_dir_all(path(file).parent().unwrap()).unwrap();
                fs::write(path(file), text.join("\n\n") + "\n").unwrap();
            }
            Edit::Remove(file) => drop(fs::remove_file(path(file))),
            Edit::Rename(from, to) => {
                if path(from).exists() {
                    fs::create_dir_all(path(to).parent().unwrap()).unwrap();
                    fs::rename(path(from), path(to)).unwrap();
                }
            }
            Edit::Index => self.index("followed"),
        }
    }

    fn index(&self, store: &str) {
        let engine = Engine::with_store_in(Project::at(self.source.path()).unwrap(), self.stores.path().join(store));
        engine.index(IndexRequest::default(), &unwatched(&AtomicBool::new(false))).unwrap();
    }

    /// All that the graph holds, by paths and names instead of numbers.
    fn graph(&self, store: &str) -> BTreeSet<String> {
        let dir = self.stores.path().join(store);
        let engine = Engine::with_store_in(Project::at(self.source.path()).unwrap(), dir.clone());
        let mut found: BTreeSet<String> =
            engine.graph_dump().unwrap().edges.iter().map(|edge| format!("{edge:?}")).collect();
        let reader = CodeReader::open(&StorePaths::new(&dir).metadata()).unwrap();
        for row in reader.files().unwrap() {
            for link in reader.import_links(row.id).unwrap() {
                let to = link.to.and_then(|to| reader.file(to).unwrap()).map(|to| to.path);
                found.insert(format!("{} imports {} from {to:?}", row.path, link.import));
            }
        }
        found
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn links_that_followed_edits_are_those_of_a_new_index(edits in prop::collection::vec(edit(), 4..80)) {
        let bench = Bench { source: TempDir::new().unwrap(), stores: TempDir::new().unwrap() };
        for edit in &edits {
            bench.apply(edit);
        }
        bench.index("followed");
        bench.index("new");
        prop_assert_eq!(bench.graph("followed"), bench.graph("new"));
    }
}

/// The number of a file tells when it came, and must not decide between two definitions that are equally near.
#[test]
fn of_two_definitions_the_path_decides_and_not_which_came_first() {
    let bench = Bench { source: TempDir::new().unwrap(), stores: TempDir::new().unwrap() };
    let write = |path: &str, text: &str| {
        let path = bench.source.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("z/Base.java", "package p;\nclass Base { void go() {} }\n");
    write("m/User.java", "package p;\nclass User extends Base { void run() { go(); } }\n");
    bench.index("followed");
    write("a/Base.java", "package p;\nclass Base { void go() {} }\n");
    bench.index("followed");
    bench.index("new");
    let followed = bench.graph("followed");
    assert!(followed.iter().any(|edge| edge.contains("a/Base.java")), "{followed:#?}");
    assert_eq!(followed, bench.graph("new"));
}

/// Other paths may end like a whole one; the definition in the root must be askable all the same.
#[test]
fn a_whole_path_names_its_own_file_only() {
    let bench = Bench { source: TempDir::new().unwrap(), stores: TempDir::new().unwrap() };
    fs::create_dir_all(bench.source.path().join("deep")).unwrap();
    for path in ["main.py", "deep/main.py"] {
        fs::write(bench.source.path().join(path), "def run():\n    return 1\n").unwrap();
    }
    bench.index("store");
    let dir = bench.stores.path().join("store");
    let engine = Engine::with_store_in(Project::at(bench.source.path()).unwrap(), dir);
    let callers =
        |name| engine.find_callers(name, EdgeFilter { min_confidence: 70, dispatch: false, outside: false }, 5);
    assert!(callers("main.py:run").is_ok());
    assert!(callers("run").is_err());
}
