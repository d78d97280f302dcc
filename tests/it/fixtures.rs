//! Goldens of the parser: every folder `grammars/<language>/fixtures/<case>/` holds sources and `expected.txt`, what the parser makes
//! of them. `UPDATE_EXPECT=1` writes the goldens anew; the diff is then read by a person.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use reporecall::model::{
    Binding, BindingSource, Chunk, ContentHash, ParsedFile, Reference, RelPath, SourceFile, Span, Symbol,
};
use reporecall::parse;

pub(crate) const GOLDEN: &str = "expected.txt";

#[test]
fn fixtures_of_every_language_match_their_goldens() {
    let mut failures = Vec::new();
    for case in cases() {
        let golden = expect_test::expect_file![case.join(GOLDEN)];
        let actual = render_case(&case);
        let matched = std::panic::catch_unwind(|| golden.assert_eq(&actual));
        if matched.is_err() {
            failures.push(case.display().to_string());
        }
    }
    assert!(failures.is_empty(), "goldens differ (UPDATE_EXPECT=1 rewrites them): {failures:#?}");
}

#[test]
fn every_grammar_has_three_fixtures_of_which_one_is_broken() {
    let root = grammars();
    for lang in parse::languages() {
        let fixtures = root.join(lang.0).join("fixtures");
        let found = folders(&fixtures);
        assert!(found.len() >= 3, "{lang}: {} fixtures in {}", found.len(), fixtures.display());
        assert!(found.iter().any(|case| case.ends_with("broken")), "{lang}: no fixture called `broken`");
        assert!(found.iter().any(|case| case.ends_with("modern")), "{lang}: no fixture called `modern`");
    }
}

pub(crate) fn grammars() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars")
}

fn cases() -> Vec<PathBuf> {
    folders(&grammars()).iter().flat_map(|language| folders(&language.join("fixtures"))).collect()
}

pub(crate) fn folders(path: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

pub(crate) fn sources(case: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![case.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).expect("a fixture folder can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.file_name().is_some_and(|name| name != GOLDEN) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn render_case(case: &Path) -> String {
    let mut out = String::new();
    for path in sources(case) {
        let relative = path.strip_prefix(case).expect("inside the case").to_str().expect("plain names");
        let text = fs::read_to_string(&path).expect("fixtures are UTF-8");
        let path = RelPath::new(relative);
        let lang = parse::detect(&path, text.as_bytes(), &parse::Extensions::default()).expect("a known language");
        let parsed = parse::parse(&SourceFile { path, lang, text: text.clone(), hash: ContentHash(0) });
        render(&parsed, &text, &mut out);
    }
    out
}

fn render(file: &ParsedFile, text: &str, out: &mut String) {
    writeln!(
        out,
        "== {} ({}) {} errors{}",
        file.path,
        file.lang,
        file.problems.errors,
        mark(file.generated, " generated")
    )
    .unwrap();
    for chunk in &file.chunks {
        writeln!(out, "chunk {}", chunk_line(chunk, file, text)).unwrap();
    }
    for symbol in &file.symbols {
        writeln!(out, "symbol {}", symbol_line(symbol, text)).unwrap();
    }
    for reference in &file.facts.refs {
        writeln!(out, "ref {}", reference_line(reference, file)).unwrap();
    }
    for import in &file.facts.imports {
        let alias = import.alias.as_deref().map(|alias| format!(" as {alias}")).unwrap_or_default();
        let name = if import.name.is_empty() { String::new() } else { format!(" {}", import.name) };
        let reexport = mark(import.reexport, " reexport");
        writeln!(out, "import {} `{}`{name}{alias}{reexport} @{}", import.kind.as_str(), import.module, import.line)
            .unwrap();
    }
    for bind in &file.facts.binds {
        writeln!(out, "bind {}", bind_line(bind, file)).unwrap();
    }
    for inherits in &file.facts.inherits {
        writeln!(out, "inherits {} <- {}", inherits.base, inherits.sub).unwrap();
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).expect("spans lie on character boundaries")
}

fn mark(on: bool, word: &'static str) -> &'static str {
    if on { word } else { "" }
}

fn chunk_line(chunk: &Chunk, file: &ParsedFile, text: &str) -> String {
    let of = chunk.symbol.and_then(|s| file.symbols.get(s as usize));
    let name = of.map_or("(rest)".to_owned(), |s| format!("{} {}", s.kind.as_str(), s.qualified()));
    let piece = if chunk.piece > 0 { format!(" piece {}", chunk.piece) } else { String::new() };
    let declares: Vec<String> = chunk.declares.iter().map(|(name, top)| format!("{}{name}", mark(*top, "^"))).collect();
    let declares = if declares.is_empty() { String::new() } else { format!(" declares {}", declares.join(",")) };
    let bytes: usize = chunk.spans.iter().map(|s| slice(text, *s).trim().len()).sum();
    format!("{name}{piece} {}-{} {bytes}b{declares}", chunk.lines.start, chunk.lines.end)
}

fn symbol_line(symbol: &Symbol, text: &str) -> String {
    let mut line =
        format!("{} {} {}-{}", symbol.kind.as_str(), symbol.qualified(), symbol.lines.start, symbol.lines.end);
    line += mark(symbol.exported, " exported");
    line += mark(symbol.test, " test");
    if let Some(returns) = &symbol.returns {
        write!(line, " -> {returns}").unwrap();
    }
    if !symbol.bases.is_empty() {
        write!(line, " bases {}", symbol.bases.join(", ")).unwrap();
    }
    write!(line, " | {}", symbol.signature).unwrap();
    for doc in &symbol.doc {
        write!(line, " | doc {:?}", slice(text, *doc)).unwrap();
    }
    line
}

fn place(at: Option<u32>, file: &ParsedFile) -> String {
    at.and_then(|at| file.symbols.get(at as usize)).map_or("<module>".to_owned(), Symbol::qualified)
}

fn reference_line(reference: &Reference, file: &ParsedFile) -> String {
    let receiver = reference.receiver.as_deref().map(|r| format!("{r} . ")).unwrap_or_default();
    let args = reference.args.map(|n| format!("/{n}")).unwrap_or_default();
    let from = place(reference.from, file);
    format!("{} {receiver}{}{args} @{} in {from}", reference.kind.as_str(), reference.callee, reference.line)
}

fn bind_line(bind: &Binding, file: &ParsedFile) -> String {
    let source = match &bind.source {
        BindingSource::Type(text) => format!(": {text}"),
        BindingSource::Ctor(text) => format!(" = {text}(…)"),
        BindingSource::Value(text) => format!(" = {text}"),
        BindingSource::Element(text) => format!(" in {text}"),
        BindingSource::Given(text) => format!(" given by {text}"),
        BindingSource::Unknown => String::new(),
    };
    let kind = format!("{:?}", bind.kind).to_lowercase();
    format!("{kind} {}{source} in {}", bind.name, place(bind.within, file))
}
