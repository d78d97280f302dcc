//! Embeds `grammars/<language>/` into the binary and refuses a capture name that the parser does not know.
//! Nothing else is decided here: what a capture means stands in `src/parse/`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const QUERY_FILES: [&str; 6] = ["definitions", "calls", "imports", "types", "scopes", "injections"];

const CAPTURES: [&str; 48] = [
    "definition.function",
    "definition.method",
    "definition.class",
    "definition.interface",
    "definition.struct",
    "definition.enum",
    "definition.trait",
    "definition.type",
    "definition.constant",
    "definition.variable",
    "definition.macro",
    "definition.module",
    "definition.section",
    "name",
    "owner",
    "params",
    "return",
    "base",
    "body",
    "doc",
    "decorator",
    "export",
    "visibility",
    "call",
    "call.new",
    "call.macro",
    "call.decorator",
    "call.callback",
    "callee",
    "receiver",
    "args",
    "import",
    "reexport",
    "import.module",
    "import.name",
    "import.alias",
    "import.default",
    "import.namespace",
    "import.wildcard",
    "export.default",
    "bind.param",
    "bind.local",
    "bind.field",
    "bind.return",
    "scope",
    "scope.class",
    "injection.content",
    "injection.language",
];
/// Captures of a binding, the name of a variable that is declared without more, and a C declarator around the name.
const BIND_CAPTURES: [&str; 10] =
    ["var", "field", "type", "ctor", "value", "element", "given", "package", "local", "declarator"];

fn main() {
    let root = cargo_folder("CARGO_MANIFEST_DIR").join("grammars");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut out = String::from("pub(super) static FILES: &[GrammarFiles] = &[\n");
    for folder in folders(&root) {
        out.push_str(&entry(&folder));
    }
    out.push_str("];\n");
    let target = cargo_folder("OUT_DIR").join("grammar_files.rs");
    fs::write(target, out).expect("OUT_DIR can be written");
}

/// A folder that cargo names in a variable.
fn cargo_folder(variable: &str) -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "cargo speaks to a build script through the environment")]
    let value = env::var(variable);
    value.unwrap_or_else(|error| panic!("cargo sets {variable}: {error}")).into()
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).expect("grammars/ stands beside Cargo.toml");
    let found: BTreeSet<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| p.join("language.toml").exists()).collect();
    found.into_iter().collect()
}

fn entry(folder: &Path) -> String {
    let name = folder.file_name().and_then(|n| n.to_str()).expect("folder names under grammars/ are plain");
    let mut out = String::new();
    let toml = folder.join("language.toml");
    println!("cargo::rerun-if-changed={}", toml.display());
    write!(out, "    GrammarFiles {{ name: {name:?}, toml: {}", included(&toml)).expect("a string takes all");
    for query in QUERY_FILES {
        let path = folder.join(format!("{query}.scm"));
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
            check_captures(&path);
            write!(out, ", {query}: {}", included(&path)).expect("a string takes all");
        } else {
            write!(out, ", {query}: \"\"").expect("a string takes all");
        }
    }
    out.push_str(" },\n");
    out
}

/// Rust source that reads the file at build time.
fn included(path: &Path) -> String {
    format!("include_str!({:?})", path.to_str().expect("the checkout lies in a folder with a Unicode name"))
}

/// Private captures start with `_`; any other must be known.
fn check_captures(path: &Path) {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    for (number, line) in text.lines().enumerate() {
        for capture in captures(line) {
            let known = CAPTURES.contains(&capture) || BIND_CAPTURES.contains(&capture) || capture.starts_with('_');
            assert!(known, "{}:{}: unknown capture @{capture}", path.display(), number + 1);
        }
    }
}

/// Capture names of a query line; strings and the comment are skipped.
fn captures(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => break,
            '@' if !quoted => {
                let rest = line.get(at + 1..).unwrap_or_default();
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
                found.push(rest.get(..end).unwrap_or_default());
            }
            _ => {}
        }
    }
    found
}
