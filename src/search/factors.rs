//! Rules that multiply a score by what a path says of a file: that it is a test, an example, for another system, an older version, ...
//! It reads no file and knows no query beyond the words that lift a rule. Read [`FACTORS`] first: it is the one table.

use rustc_hash::FxHashSet;

use super::paths::{Neighbours, PathWords};
use crate::model::RelPath;
use crate::store::text::ChunkFlags;

/// A rule that multiplies the score of what it applies to.
pub(super) struct Factor {
    pub name: &'static str,
    pub value: f32,
    /// Stems of query words that name its subject: it does not apply then.
    pub lifted_by: &'static [&'static str],
    /// For a query of several words only.
    pub sentences: bool,
    applies: Subject,
}

enum Subject {
    Path(fn(&PathWords<'_>) -> bool),
    /// A path that also lifts the rule itself, where the query has one of its [`Traits::own_names`].
    Place(fn(&PathWords<'_>) -> bool),
    /// A chunk of a file that is itself not a test.
    Chunk(fn(ChunkFlags) -> bool),
}

/// Rules that apply to a file, and what it is beside them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Traits {
    /// By bit: indexes into [`FACTORS`].
    factors: u16,
    /// Words that name its system or version; they lift the rule that has it.
    own_names: Vec<Box<str>>,
}

const TEST_FILE: &str = "test file";

/// Each with its argument: a question about the code is seldom answered by what exercises it, repeats it, leads to it or replaces it.
pub(super) static FACTORS: [Factor; 15] = [
    // Tests use the words of what they exercise, often more of them than the code itself.
    Factor {
        name: TEST_FILE,
        value: 0.3,
        lifted_by: &["test", "spec", "unittest", "fixtur", "mock"],
        sentences: false,
        applies: Subject::Path(is_test),
    },
    // The same beside the code; less so, for the file is the right one.
    Factor {
        name: "test function",
        value: 0.5,
        lifted_by: &["test", "spec", "unittest", "fixtur", "mock"],
        sentences: false,
        applies: Subject::Chunk(|flags| flags.test),
    },
    // One text in many languages would fill the answer with its copies.
    Factor {
        name: "locale",
        value: 0.4,
        lifted_by: &["local", "i18n", "l10n", "translat", "languag"],
        sentences: false,
        applies: Subject::Path(|path| path.folder(LOCALES)),
    },
    // Examples call the code in question and do not explain it.
    Factor {
        name: "example",
        value: 0.4,
        lifted_by: &["exampl", "sampl", "demo", "tutori", "playground"],
        sentences: false,
        applies: Subject::Path(is_example),
    },
    // As examples; fewer of them take the words of a question.
    Factor {
        name: "benchmark",
        value: 0.5,
        lifted_by: &["benchmark", "bench", "perf"],
        sentences: false,
        applies: Subject::Path(|path| {
            path.any_word(&["bench", "benches", "benchmark", "benchmarks"]) || path.folder(&["perf"])
        }),
    },
    // What is kept for old callers repeats the names of what replaced it.
    Factor {
        name: "compatibility",
        value: 0.5,
        lifted_by: &["compat", "legaci", "polyfil", "deprec", "shim"],
        sentences: false,
        applies: Subject::Path(|path| {
            path.any_word(&["compat", "compatibility", "legacy", "polyfill", "polyfills", "deprecated"])
        }),
    },
    // Copies of other projects are seldom asked about.
    Factor {
        name: "vendored",
        value: 0.5,
        lifted_by: &["vendor", "parti"],
        sentences: false,
        applies: Subject::Path(|path| path.folder(VENDORED)),
    },
    // It repeats its source, which is what a person can change.
    Factor {
        name: "generated",
        value: 0.5,
        lifted_by: &["generat", "codegen"],
        sentences: false,
        applies: Subject::Path(is_generated),
    },
    // Prose has the very words of a question, the answer is sought in code.
    Factor {
        name: "documentation",
        value: 0.6,
        lifted_by: &["doc", "document", "readm", "guid", "changelog", "tutori"],
        sentences: false,
        applies: Subject::Path(|path| {
            path.folder(&["docs", "doc", "documentation", "website"]) || path.extension(DOCUMENTS)
        }),
    },
    // Settings name what the code does elsewhere.
    Factor {
        name: "configuration",
        value: 0.6,
        lifted_by: &["config", "configur", "ci", "workflow", "yaml", "toml", "packag", "depend", "build", "deploi"],
        sentences: false,
        applies: Subject::Path(is_configuration),
    },
    // It declares what is defined elsewhere, under the same names.
    Factor {
        name: "type stub",
        value: 0.7,
        lifted_by: &["type", "stub", "declar", "pyi"],
        sentences: false,
        applies: Subject::Path(|path| path.ends_with(&[".d.ts", ".d.mts", ".d.cts", ".pyi"])),
    },
    // It only leads to the definitions.
    Factor {
        name: "index file",
        value: 0.8,
        lifted_by: &["index", "barrel", "reexport", "init"],
        sentences: false,
        applies: Subject::Path(|path| path.index),
    },
    // Each system has its own copy of one function: that of the host is meant.
    Factor {
        name: "other platform",
        value: 0.8,
        lifted_by: &["platform"],
        sentences: false,
        applies: Subject::Place(|path| !path.foreign_names.is_empty()),
    },
    // The newest of several copies is meant.
    Factor {
        name: "older version",
        value: 0.8,
        lifted_by: &["legaci", "older", "deprec"],
        sentences: false,
        applies: Subject::Place(|path| path.old_version.is_some()),
    },
    // A sentence asks what a function does: its body says so. A name alone may ask for the interface.
    Factor {
        name: "header of a source",
        value: 0.85,
        lifted_by: &["header", "declar", "prototyp"],
        sentences: true,
        applies: Subject::Path(|path| path.has_implementation),
    },
];

const LOCALES: &[&str] = &["locale", "locales", "i18n", "l10n", "translation", "translations", "_locales"];
const DOCUMENTS: &[&str] = &["md", "mdx", "markdown", "rst", "adoc", "asciidoc", "txt", "org"];
const CONFIGURATIONS: &[&str] =
    &["yml", "yaml", "toml", "ini", "cfg", "conf", "json", "json5", "jsonc", "xml", "properties"];
const VENDORED: &[&str] = &[
    "vendor",
    "vendors",
    "vendored",
    "_vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "node_modules",
    "bower_components",
    "pods",
    "carthage",
];
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "testing",
    "testdata",
    "fixtures",
    "__fixtures__",
    "__mocks__",
    "__snapshots__",
    "e2e",
];
const EXAMPLE_FOLDERS: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "tutorial",
    "tutorials",
    "playground",
    "playgrounds",
    "cookbook",
    "showcase",
];
/// Rules for a file on the system `host`, as `std::env::consts::OS` calls it.
pub(super) fn traits(path: &RelPath, generated: bool, neighbours: &Neighbours, host: &str) -> Traits {
    let words = PathWords::new(path, generated, neighbours, host);
    let mut traits = Traits::default();
    for (bit, factor) in FACTORS.iter().enumerate() {
        if let Subject::Path(applies) | Subject::Place(applies) = factor.applies
            && applies(&words)
        {
            traits.factors |= 1 << bit;
        }
    }
    traits.own_names.extend(words.foreign_names.iter().map(|name| (*name).into()));
    traits.own_names.extend(words.old_version.map(str::to_lowercase).map(Into::into));
    traits
}

/// By bit: the rules that a query with these words (stems, and whole words in lower case) leaves in force.
pub(super) fn in_force(words: &FxHashSet<Box<str>>, sentence: bool) -> u16 {
    let mut bits = 0;
    for (bit, factor) in FACTORS.iter().enumerate() {
        let lifted = factor.lifted_by.iter().any(|word| words.contains(*word));
        if !lifted && (sentence || !factor.sentences) {
            bits |= 1 << bit;
        }
    }
    bits
}

impl Traits {
    /// The path is one of tests.
    pub(super) fn is_test(&self) -> bool {
        FACTORS.iter().position(|factor| factor.name == TEST_FILE).is_some_and(|at| self.factors >> at & 1 == 1)
    }

    /// It is a test, an example or the like: what stands beside the code.
    pub(super) fn is_aside(&self) -> bool {
        const ASIDE: f32 = 0.6;
        FACTORS.iter().enumerate().any(|(at, factor)| self.factors >> at & 1 == 1 && factor.value <= ASIDE)
    }

    pub(super) const NONE: Self = Self { factors: 0, own_names: Vec::new() };

    /// Rules that apply to a chunk of this file for a query of these words; `in_force` is what [`in_force`] said of them.
    pub(super) fn factors(
        &self,
        flags: ChunkFlags,
        in_force: u16,
        words: &FxHashSet<Box<str>>,
    ) -> impl Iterator<Item = &'static Factor> {
        let named = self.own_names.iter().any(|name| words.contains(name));
        let in_test = self.factors & 1 != 0;
        FACTORS.iter().enumerate().filter(move |(bit, _)| in_force & 1 << bit != 0).filter_map(move |(bit, factor)| {
            let of_file = self.factors & 1 << bit != 0;
            let applies = match factor.applies {
                Subject::Path(_) => of_file,
                Subject::Place(_) => of_file && !named,
                Subject::Chunk(applies) => !in_test && applies(flags),
            };
            applies.then_some(factor)
        })
    }
}

fn is_test(path: &PathWords<'_>) -> bool {
    let tests = &["test", "tests"];
    let spec_file =
        path.name_words.len() > 1 && path.name_words.last().is_some_and(|last| last == "spec" || last == "specs");
    let camel_spec = path.extension(&["hs", "scala", "groovy", "js", "ts", "php"]);
    let (_, file) = path.path.rsplit_once('/').unwrap_or(("", path.path));
    path.folder(TEST_FOLDERS)
        || path.folder_edge(tests)
        || path.name_edge(tests)
        || path.name_words == ["conftest"]
        || (spec_file && (camel_spec || [".spec.", "_spec.", "-spec."].iter().any(|mark| file.contains(mark))))
}

fn is_example(path: &PathWords<'_>) -> bool {
    path.folder(EXAMPLE_FOLDERS)
        || path.folder_edge(&["example", "examples", "samples", "demo", "demos"])
        || path.name_edge(&["example", "examples", "demo"])
}

/// A settings file, or anything in a hidden folder.
fn is_configuration(path: &PathWords<'_>) -> bool {
    path.extension(CONFIGURATIONS) || path.folders.iter().any(|folder| folder.len() > 1 && folder.starts_with('.'))
}

fn is_generated(path: &PathWords<'_>) -> bool {
    path.generated
        || path.folder(&["generated", "__generated__"])
        || path.name_edge(&["generated"])
        || path.ends_with(&[
            ".pb.go",
            "_pb2.py",
            "_pb2_grpc.py",
            ".pb.cc",
            ".pb.h",
            ".g.dart",
            ".g.cs",
            ".designer.cs",
            ".gen.go",
        ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, query: &[&str]) -> Vec<&'static str> {
        let all = ["api/v1/a.ts", "api/v2/a.ts", "lib/io.c", "lib/io.h"];
        let neighbours = Neighbours::of(all.into_iter());
        let words: FxHashSet<Box<str>> = query.iter().map(|word| (*word).into()).collect();
        let traits = traits(&RelPath::new(path), false, &neighbours, "linux");
        traits.factors(ChunkFlags::default(), in_force(&words, true), &words).map(|factor| factor.name).collect()
    }

    #[test]
    fn tests_are_known_by_folder_and_name() {
        for path in [
            "tests/app.py",
            "src/test/java/A.java",
            "pkg/router_test.go",
            "test_app.py",
            "src/a.test.ts",
            "src/a.spec.ts",
            "Sources/OrderTests/Total.swift",
            "Orders.Tests/Total.cs",
            "spec/a.rb",
            "lib/a_spec.rb",
            "src/ParserSpec.hs",
            "conftest.py",
            "src/RouterTest.php",
        ] {
            assert_eq!(names(path, &[]), ["test file"], "{path}");
        }
        for path in ["src/contest.py", "src/latest.rs", "src/PodSpec.java", "src/spec.rs", "src/attestation.c"] {
            assert_eq!(names(path, &[]), [""; 0], "{path}");
        }
    }

    #[test]
    fn each_rule_has_a_path() {
        for (path, name) in [
            ("src/locale/de.ts", "locale"),
            ("examples/hello.py", "example"),
            ("benches/parse.rs", "benchmark"),
            ("src/_compat.py", "compatibility"),
            ("third_party/zlib.c", "vendored"),
            ("api/user.pb.go", "generated"),
            ("docs/conf.py", "documentation"),
            ("src/guide.md", "documentation"),
            (".github/labeler.js", "configuration"),
            ("conf/app.yaml", "configuration"),
            ("src/shim.d.ts", "type stub"),
            ("src/net/mod.rs", "index file"),
            ("src/win/pipe.c", "other platform"),
            ("src/posix/darwin-clock.c", "other platform"),
            ("api/v1/a.ts", "older version"),
            ("lib/io.h", "header of a source"),
        ] {
            assert_eq!(names(path, &[]), [name], "{path}");
        }
        for path in ["src/posix/linux.c", "api/v2/a.ts", "lib/io.c", "include/io.h", "src/window.rs"] {
            assert_eq!(names(path, &[]), [""; 0], "{path}");
        }
    }

    #[test]
    fn a_query_that_names_the_subject_lifts_the_rule() {
        assert_eq!(names("tests/a.py", &["test"]), [""; 0]);
        assert_eq!(names("src/win/pipe.c", &["windows"]), [""; 0]);
        assert_eq!(names("src/win/pipe.c", &["darwin"]), ["other platform"]);
        assert_eq!(names("api/v1/a.ts", &["v1"]), [""; 0]);
        assert_eq!(names("api/v1/a.ts", &["v3"]), ["older version"]);
        assert_eq!(names("examples/a.py", &["exampl"]), [""; 0]);
    }

    #[test]
    fn functions_of_tests_count_outside_test_files_only() {
        let flags = ChunkFlags { test: true, ..ChunkFlags::default() };
        let words = FxHashSet::default();
        let of = |path| {
            let traits = traits(&RelPath::new(path), false, &Neighbours::default(), "linux");
            traits.factors(flags, in_force(&words, true), &words).map(|factor| factor.name).collect::<Vec<_>>()
        };
        assert_eq!(of("src/a.rs"), ["test function"]);
        assert_eq!(of("tests/a.rs"), ["test file"]);
    }

    #[test]
    fn lift_words_are_stems() {
        let mut stemmer = crate::store::tokens::Stemmer::new();
        for word in FACTORS.iter().flat_map(|factor| factor.lifted_by) {
            assert_eq!(stemmer.stem(word), *word);
        }
    }
}
