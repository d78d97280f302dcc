//! The house rules that no lint knows: who may import whom, sizes, names, what no file may say. ARCHITECTURE.md holds the
//! import table; this file reads it from there, so that the two cannot differ. Nothing here looks at what the code does.
//! Each rule is a function from a [`Source`] to its faults, tested on a bad example beside it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::tokens::Tokens;

/// Files of more than [`MAX_FILE_LINES`] lines, each with the reason why cutting it would make it worse.
const LONG_FILES: [(&str, &str); 0] = [];
const MAX_FILE_LINES: usize = 500;
const MAX_FUNCTION_LINES: usize = 80;
/// Over all functions: half of them, and nine in ten, stay within these.
const MEDIAN_FUNCTION_LINES: usize = 8;
const P90_FUNCTION_LINES: usize = 30;

const VAGUE_MODULES: [&str; 8] = ["utils", "util", "common", "core", "types", "helpers", "manager", "service"];

/// Crates that only these rooms may name.
const OWNED_CRATES: [(&str, &[&str]); 9] = [
    ("rusqlite", &["store"]),
    ("tree_sitter", &["parse"]),
    ("ignore", &["scan"]),
    ("clap", &["cli"]),
    ("indicatif", &["cli"]),
    ("rmcp", &["mcp"]),
    ("tokio", &["daemon", "mcp"]),
    ("axum", &["daemon"]),
    ("notify", &["scan"]),
];
/// Rooms whose functions give the same answer for the same arguments, and the parts of `std` that would end that.
const PURE_ROOMS: [&str; 3] = ["model", "parse", "graph"];
const IMPURE: [&str; 6] = ["env", "fs", "net", "process", "thread", "time"];

/// Written in pieces, so that this file does not hold them.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/tm", "p/wt"), concat!("/tm", "p/lab")];
const REGISTRY_HOSTS: [&str; 8] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("python", "hosted"),
    concat!("npmjs", "."),
    concat!("debian", ".org"),
    concat!("golang", ".org"),
    concat!("maven", ".org"),
    concat!("rubygems", ".org"),
];

type Arrows = BTreeMap<String, Vec<String>>;

struct Source {
    /// Relative to the root, `/`-separated.
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    fn is_rust(&self) -> bool {
        Path::new(&self.path).extension().is_some_and(|end| end == "rs")
    }

    fn in_src(&self) -> bool {
        self.is_rust() && self.path.starts_with("src/")
    }

    /// Module path below `src`: `src/parse/mod.rs` is `parse`, `src/lib.rs` is empty.
    fn modules(&self) -> Vec<&str> {
        let path = self.path.trim_start_matches("src/").trim_end_matches(".rs");
        path.split('/').filter(|part| !matches!(*part, "mod" | "lib")).collect()
    }

    fn fault(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

struct Function {
    name: String,
    line: usize,
    lines: usize,
}

// ---- the rules over the repository

#[test]
fn rooms_import_only_what_the_table_allows() {
    let arrows = import_table(&read("ARCHITECTURE.md"));
    assert!(arrows.len() > 10, "the import table of ARCHITECTURE.md was not found");
    holds(&src(), |source| bad_imports(source, &arrows));
}

#[test]
fn crates_stay_in_their_rooms() {
    holds(&src(), misplaced_crates);
}

#[test]
fn pure_rooms_know_no_disk_clock_or_environment() {
    holds(&src(), impurities);
}

#[test]
fn lints_are_never_allowed() {
    holds(&rust(), allows);
}

#[test]
fn modules_have_a_noun_of_their_own() {
    holds(&src(), vague_modules);
}

#[test]
fn files_say_what_they_are_for() {
    holds(&rust(), missing_opening);
}

#[test]
fn public_comes_first() {
    holds(&src(), late_public_items);
}

#[test]
fn tests_are_named_by_behaviour_and_run() {
    holds(&rust(), bad_tests);
}

#[test]
fn files_are_short_or_have_a_reason() {
    let files: Vec<Source> = everything().into_iter().filter(is_code).collect();
    holds(&files, |source| long_file(source, &LONG_FILES));
}

#[test]
fn reasons_for_long_files_are_still_needed() {
    for (path, reason) in LONG_FILES {
        assert!(!reason.is_empty(), "{path}: no reason given");
        assert!(read(path).lines().count() > MAX_FILE_LINES, "{path} is short now: remove its row");
    }
}

#[test]
fn functions_are_short() {
    holds(&rust(), long_functions);
}

#[test]
fn most_functions_are_very_short() {
    let lines = src().iter().flat_map(functions).map(|function| function.lines).collect();
    assert_eq!(distribution_fault(lines), None);
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    holds(&everything(), machine_words);
}

// ---- the rules

fn import_table(architecture: &str) -> Arrows {
    let rows = architecture.lines().skip_while(|line| !line.starts_with("| room | may import |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let mut arrows = Arrows::new();
    for row in rows {
        let mut cells = row.trim_matches('|').split('|');
        let (Some(rooms), Some(imports)) = (cells.next(), cells.next()) else { continue };
        for room in names(rooms) {
            arrows.insert(room, names(imports));
        }
    }
    arrows
}

fn bad_imports(source: &Source, arrows: &Arrows) -> Vec<String> {
    let modules = source.modules();
    let Some(room) = modules.first() else { return Vec::new() };
    let Some(allowed) = arrows.get(*room) else { return vec![source.fault(1, "a room without a row in the table")] };
    let bad = |name: &str| name != *room && !allowed.iter().any(|other| other == name);
    let found = crate_paths(source).into_iter().filter(|(_, name)| bad(name));
    found.map(|(line, name)| source.fault(line, &format!("`{room}` may not import `{name}`"))).collect()
}

/// First names of all paths that start at the crate's root, by `crate::`, by enough of `super::`, or by the crate's name.
fn crate_paths(source: &Source) -> Vec<(usize, String)> {
    let tokens = Tokens::of(&source.text);
    let depths = module_depths(&tokens, source.modules().len());
    let mut found = Vec::new();
    for (at, depth) in depths.into_iter().enumerate() {
        let rest = match tokens.word(at) {
            Some("crate" | "reporecall") if !tokens.follows_path(at) => Some(at + 1),
            Some("super") if !follows_super(&tokens, at) => climb(&tokens, at, depth),
            _ => None,
        };
        let Some(rest) = rest.filter(|rest| tokens.is_path(*rest)) else { continue };
        found.extend(tokens.heads(rest + 2).into_iter().map(|(at, name)| (tokens.line(at), name.to_owned())));
    }
    found
}

/// Position after `super::super` when that many steps lead from `depth` to the root.
fn climb(tokens: &Tokens, at: usize, depth: usize) -> Option<usize> {
    let steps = (0..=depth).take_while(|step| tokens.is_word(at + 3 * step, "super")).count();
    (steps == depth).then(|| at + 3 * steps - 2)
}

fn follows_super(tokens: &Tokens, at: usize) -> bool {
    at >= 3 && tokens.follows_path(at) && tokens.is_word(at - 3, "super")
}

/// How many modules stand around each token, `outer` of them by the file's place.
fn module_depths(tokens: &Tokens, outer: usize) -> Vec<usize> {
    let mut depths = vec![outer; tokens.len()];
    for at in 0..tokens.len() {
        if tokens.is_word(at, "mod") && tokens.is_open(at + 2, '{') {
            let close = tokens.closing(at + 2);
            depths[at + 2..close].iter_mut().for_each(|depth| *depth += 1);
        }
    }
    depths
}

fn misplaced_crates(source: &Source) -> Vec<String> {
    let tokens = Tokens::of(&source.text);
    let modules = source.modules();
    let mut faults = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens.is_path(at + 1) && !tokens.follows_path(*at)) {
        let Some(word) = tokens.word(at) else { continue };
        let owners = OWNED_CRATES.iter().find(|(name, _)| word == *name || is_grammar(name, word));
        if let Some((name, rooms)) = owners
            && !modules.first().is_some_and(|room| rooms.contains(room))
        {
            faults.push(source.fault(tokens.line(at), &format!("`{name}` belongs to {}", rooms.join(", "))));
        }
    }
    faults
}

fn is_grammar(owned: &str, word: &str) -> bool {
    owned == "tree_sitter" && word.starts_with("tree_sitter_")
}

fn impurities(source: &Source) -> Vec<String> {
    if !source.modules().first().is_some_and(|room| PURE_ROOMS.contains(room)) {
        return Vec::new();
    }
    let tokens = Tokens::of(&source.text);
    let paths = (0..tokens.len()).filter(|at| tokens.is_word(*at, "std") && tokens.is_path(at + 1));
    let heads = paths.flat_map(|at| tokens.heads(at + 3)).filter(|(_, name)| IMPURE.contains(name));
    heads.map(|(at, name)| source.fault(tokens.line(at), &format!("`std::{name}` in a pure room"))).collect()
}

fn allows(source: &Source) -> Vec<String> {
    let tokens = Tokens::of(&source.text);
    let crate_root = matches!(source.path.as_str(), "src/lib.rs" | "src/main.rs" | "tests/it/main.rs");
    let mut faults = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens.is_mark(*at, '#')) {
        let inner = tokens.is_mark(at + 1, '!');
        let open = at + 1 + usize::from(inner);
        if !tokens.is_open(open, '[') {
            continue;
        }
        let silences = |word: &str| word == "allow" || (word == "expect" && inner && crate_root);
        let named = (open..tokens.closing(open)).filter(|at| tokens.is_open(at + 1, '('));
        if named.filter_map(|at| tokens.word(at)).any(silences) {
            faults.push(
                source.fault(
                    tokens.line(at),
                    "a lint is silenced; fix it, or `#[expect(…, reason = \"…\")]` at the item",
                ),
            );
        }
    }
    faults
}

fn vague_modules(source: &Source) -> Vec<String> {
    let tokens = Tokens::of(&source.text);
    let inline = (1..tokens.len()).filter(|at| tokens.is_word(at - 1, "mod")).filter_map(|at| tokens.word(at));
    let vague = source.modules().into_iter().chain(inline).filter(|name| VAGUE_MODULES.contains(name));
    vague.map(|name| source.fault(1, &format!("`{name}` names no thing"))).collect()
}

fn missing_opening(source: &Source) -> Vec<String> {
    let opens = source.text.starts_with("//! ");
    if opens { Vec::new() } else { vec![source.fault(1, "opens without `//!`: what it is for, what it refuses to do")] }
}

/// Public free functions and types below the first private function of a file.
fn late_public_items(source: &Source) -> Vec<String> {
    let tokens = Tokens::of(&source.text);
    let mut faults = Vec::new();
    let mut private: Option<String> = None;
    let mut at = 0;
    while at < tokens.len() {
        let name = tokens.word(at + 1);
        match (tokens.word(at), name) {
            (Some("fn"), Some(name)) if is_public(&tokens, at) => {
                faults.extend(private.as_ref().map(|first| late(source, tokens.line(at), name, first)));
            }
            (Some("struct" | "enum" | "trait"), Some(name)) if is_public(&tokens, at) => {
                faults.extend(private.as_ref().map(|first| late(source, tokens.line(at), name, first)));
            }
            (Some("fn"), Some(name)) => private = private.or_else(|| Some(name.to_owned())),
            _ => {}
        }
        let skip = tokens.is_open(at, '{') || tokens.is_open(at, '(') || tokens.is_open(at, '[');
        at = if skip { tokens.closing(at) + 1 } else { at + 1 };
    }
    faults
}

fn late(source: &Source, line: usize, name: &str, first: &str) -> String {
    source.fault(line, &format!("public `{name}` stands below the private function `{first}`"))
}

/// `pub`, `pub(…)`, with `const`, `async` or `unsafe` between it and the item at `at`.
fn is_public(tokens: &Tokens, mut at: usize) -> bool {
    while at > 0 && matches!(tokens.word(at - 1), Some("const" | "async" | "unsafe")) {
        at -= 1;
    }
    let start = at.saturating_sub(16);
    (start..at).any(|from| {
        tokens.is_word(from, "pub")
            && (from + 1 == at || (tokens.is_open(from + 1, '(') && tokens.closing(from + 1) + 1 == at))
    })
}

fn bad_tests(source: &Source) -> Vec<String> {
    let tokens = Tokens::of(&source.text);
    let mut faults = Vec::new();
    for at in 1..tokens.len() {
        let Some(word) = tokens.word(at) else { continue };
        if word == "ignore" && tokens.is_open(at - 1, '[') && at >= 2 && tokens.is_mark(at - 2, '#') {
            faults.push(source.fault(tokens.line(at), "an ignored test is no test"));
        }
        if word.starts_with("test_") && tokens.is_word(at - 1, "fn") {
            faults.push(
                source.fault(tokens.line(at), &format!("`{word}`: the name says the behaviour, without `test_`")),
            );
        }
    }
    faults
}

fn long_file(source: &Source, reasons: &[(&str, &str)]) -> Vec<String> {
    let lines = source.text.lines().count();
    if lines <= MAX_FILE_LINES || reasons.iter().any(|(path, _)| *path == source.path) {
        return Vec::new();
    }
    vec![source.fault(lines, &format!("{lines} lines; cut it, or give a reason in LONG_FILES"))]
}

fn long_functions(source: &Source) -> Vec<String> {
    let long = functions(source).into_iter().filter(|function| function.lines > MAX_FUNCTION_LINES);
    long.map(|function| source.fault(function.line, &format!("`{}` has {} lines", function.name, function.lines)))
        .collect()
}

/// All functions with a body, from `fn` to the closing brace.
fn functions(source: &Source) -> Vec<Function> {
    let tokens = Tokens::of(&source.text);
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens.is_word(*at, "fn")) {
        let (Some(name), Some(open)) = (tokens.word(at + 1), body(&tokens, at)) else { continue };
        let line = tokens.line(at);
        found.push(Function { name: name.to_owned(), line, lines: tokens.line(tokens.closing(open)) - line + 1 });
    }
    found
}

fn body(tokens: &Tokens, function: usize) -> Option<usize> {
    let mut at = function;
    while at < tokens.len() && !tokens.is_mark(at, ';') {
        if tokens.is_open(at, '{') {
            return Some(at);
        }
        let skip = tokens.is_open(at, '(') || tokens.is_open(at, '[');
        at = if skip { tokens.closing(at) + 1 } else { at + 1 };
    }
    None
}

fn distribution_fault(mut lines: Vec<usize>) -> Option<String> {
    lines.sort_unstable();
    let at = |share: usize| lines.get(lines.len() * share / 100).copied().unwrap_or_default();
    let (median, p90) = (at(50), at(90));
    let good = median <= MEDIAN_FUNCTION_LINES && p90 <= P90_FUNCTION_LINES;
    (!good).then(|| format!("functions have a median of {median} lines and a 90th percentile of {p90}"))
}

fn machine_words(source: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        let paths = MACHINE_PATHS.iter().filter(|path| names_path(line, path));
        let hosts = REGISTRY_HOSTS.iter().filter(|host| line.contains(*host));
        faults.extend(paths.chain(hosts).map(|word| source.fault(number + 1, &format!("names `{word}`"))));
    }
    faults
}

/// `path` stands in `line` as a path from the root, not as the tail of a relative one.
fn names_path(line: &str, path: &str) -> bool {
    let is_root = |before: Option<char>| !before.is_some_and(|c| c.is_alphanumeric() || "_-.~*})$]>".contains(c));
    line.match_indices(path).any(|(at, _)| is_root(line.get(..at).and_then(|head| head.chars().next_back())))
}

// ---- the files

fn holds(sources: &[Source], rule: impl Fn(&Source) -> Vec<String>) {
    assert!(!sources.is_empty(), "nothing was checked");
    let faults: Vec<String> = sources.iter().flat_map(rule).collect();
    assert!(faults.is_empty(), "{}\n", faults.join("\n"));
}

fn src() -> Vec<Source> {
    everything().into_iter().filter(Source::in_src).collect()
}

/// Rust of this project: not the fixtures, which are data.
fn rust() -> Vec<Source> {
    let ours = |source: &Source| ["src/", "tests/it/", "build.rs"].iter().any(|start| source.path.starts_with(start));
    everything().into_iter().filter(|source| source.is_rust() && ours(source)).collect()
}

fn is_code(source: &Source) -> bool {
    let ours =
        ["src/", "tests/it/", "build.rs", "benchmark/", "scripts/"].iter().any(|start| source.path.starts_with(start));
    ours && matches!(Path::new(&source.path).extension().and_then(|end| end.to_str()), None | Some("rs" | "py" | "sh"))
}

/// All text files that git would take, without the lock file, whose sources are its own.
fn everything() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let walk = ignore::WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    let mut sources: Vec<Source> = walk.filter_map(Result::ok).filter_map(|entry| open(root, entry.path())).collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn open(root: &Path, path: &Path) -> Option<Source> {
    let text = std::fs::read_to_string(path).ok()?;
    let path = path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    (path != "Cargo.lock").then_some(Source { path, text })
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn names(cell: &str) -> Vec<String> {
    cell.split(',')
        .map(|name| name.trim().trim_matches('`').to_owned())
        .filter(|name| !name.is_empty() && name != "–")
        .collect()
}

mod examples;
