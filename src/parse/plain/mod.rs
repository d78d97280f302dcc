//! Files without a grammar: documents by section, source by the lines that begin a definition, everything else by windows.
//! Read [`FORMS`] for what is known and [`parse`] for how it is cut.

mod outline;

use super::chunk;
use super::lines::LineIndex;
use super::written::truncate;
use crate::model::{Chunk, Lang, Span, Symbol, SymbolKind};

/// What a text without a grammar is made of.
#[derive(Debug, Default)]
pub(super) struct Plain {
    pub(super) symbols: Vec<Symbol>,
    pub(super) chunks: Vec<Chunk>,
    /// Comments, sorted and disjoint.
    pub(super) docs: Vec<Span>,
}

/// Longest signature and title that are kept, in bytes.
const MAX_SIGNATURE: usize = 200;
const MAX_TITLE: usize = 120;

/// How a plain text is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// `#` headings outside code fences.
    Markdown,
    /// Underlined titles.
    Underlined,
    /// Definitions by their first line; the word that begins a line comment.
    Outline(&'static str),
    /// Windows of equal size.
    Windows,
}

/// One row a form of text.
pub(super) struct Form {
    pub(super) lang: Lang,
    pub(super) cut: Cut,
    pub(super) extensions: &'static [&'static str],
    pub(super) filenames: &'static [&'static str],
}

/// Every text that is indexed without a grammar.
pub(super) const FORMS: &[Form] = &[
    form("markdown", Cut::Markdown, &["md", "mdx", "markdown"], &[]),
    form("restructuredtext", Cut::Underlined, &["rst"], &[]),
    form("asciidoc", Cut::Windows, &["adoc", "asciidoc"], &[]),
    form(
        "text",
        Cut::Underlined,
        &["txt"],
        &[
            "go.mod",
            "go.work",
            "README",
            "CHANGELOG",
            "CONTRIBUTING",
            "AUTHORS",
            "NEWS",
            "INSTALL",
            "TODO",
            "LICENSE",
            "COPYING",
            "NOTICE",
        ],
    ),
    form("json", Cut::Windows, &["json", "jsonc", "json5", "webmanifest"], &[".babelrc", ".eslintrc", ".prettierrc"]),
    form("yaml", Cut::Windows, &["yaml", "yml"], &[".clang-format"]),
    form("sql", Cut::Outline("--"), &["sql"], &[]),
    form("make", Cut::Windows, &["mk", "mak"], &["Makefile", "makefile", "GNUmakefile", "justfile", "Justfile"]),
    form("cmake", Cut::Windows, &["cmake"], &["CMakeLists.txt"]),
    form("containerfile", Cut::Windows, &["dockerfile"], &["Dockerfile", "Containerfile"]),
    form("gradle", Cut::Windows, &["gradle"], &[]),
    form("ini", Cut::Windows, &["ini", "cfg", "conf", "properties", "editorconfig"], &[".editorconfig", ".gitmodules"]),
    form("xml", Cut::Windows, &["xml", "csproj", "props", "targets", "xaml", "plist"], &[]),
    form("proto", Cut::Outline("//"), &["proto"], &[]),
    form("graphql", Cut::Outline("#"), &["graphql", "gql"], &[]),
    form("hcl", Cut::Windows, &["tf", "hcl", "tfvars"], &[]),
    form("nix", Cut::Windows, &["nix"], &[]),
    form("elixir", Cut::Outline("#"), &["ex", "exs"], &[]),
    form("erlang", Cut::Outline("%"), &["erl", "hrl"], &[]),
    form("haskell", Cut::Outline("--"), &["hs", "lhs"], &[]),
    form("ocaml", Cut::Outline("(*"), &["ml", "mli"], &[]),
    form("fsharp", Cut::Outline("//"), &["fs", "fsx", "fsi"], &[]),
    form("clojure", Cut::Outline(";"), &["clj", "cljs", "cljc", "edn"], &[]),
    form("lisp", Cut::Outline(";"), &["lisp", "el", "scm", "rkt"], &[]),
    form("dart", Cut::Outline("//"), &["dart"], &[]),
    form("groovy", Cut::Outline("//"), &["groovy"], &["Jenkinsfile"]),
    form("perl", Cut::Outline("#"), &["pl", "pm", "t"], &[]),
    form("r", Cut::Outline("#"), &["r"], &[]),
    form("julia", Cut::Outline("#"), &["jl"], &[]),
    form("objective-c", Cut::Outline("//"), &["m", "mm"], &[]),
    form("powershell", Cut::Outline("#"), &["ps1", "psm1"], &[]),
    form("elm", Cut::Outline("--"), &["elm"], &[]),
    form("nim", Cut::Outline("#"), &["nim"], &[]),
    form("vim", Cut::Outline("\""), &["vim"], &[]),
    form("fortran", Cut::Outline("!"), &["f90", "f95", "f"], &[]),
    form("solidity", Cut::Outline("//"), &["sol"], &[]),
    form("assembly", Cut::Windows, &["s", "asm"], &[]),
    form(
        "template",
        Cut::Windows,
        &["ejs", "hbs", "erb", "j2", "jinja", "tmpl", "twig", "pug", "haml", "eex", "heex", "leex"],
        &[],
    ),
    form("stylesheet", Cut::Windows, &["scss", "sass", "less", "styl"], &[]),
    form("batch", Cut::Windows, &["bat", "cmd"], &[]),
];

/// Source whose definitions are looked for line by line.
pub(super) fn has_definitions(lang: Lang) -> bool {
    FORMS.iter().any(|form| form.lang == lang && matches!(form.cut, Cut::Outline(_)))
}

/// Takes a text without a grammar apart.
pub(super) fn parse(lang: Lang, lines: &LineIndex<'_>) -> Plain {
    let form = FORMS.iter().find(|form| form.lang == lang);
    let (heads, docs) = match form.map_or(Cut::Windows, |form| form.cut) {
        Cut::Markdown => (markdown_heads(lines), Vec::new()),
        Cut::Underlined => (underlined_heads(lines), Vec::new()),
        Cut::Outline(comment) => outline::heads(comment, lines),
        Cut::Windows => (Vec::new(), Vec::new()),
    };
    if heads.is_empty() {
        return Plain { symbols: Vec::new(), chunks: chunk::windows(lines), docs };
    }
    let symbols = symbols(&heads, &docs, lines);
    let joins: Vec<bool> = symbols.iter().map(|symbol| chunk::is_value(symbol.kind)).collect();
    let chunks = chunk::chunks(&symbols, &joins, lines, &[]);
    Plain { symbols, chunks, docs }
}

const fn form(
    lang: &'static str,
    cut: Cut,
    extensions: &'static [&'static str],
    filenames: &'static [&'static str],
) -> Form {
    Form { lang: Lang(lang), cut, extensions, filenames }
}

/// A head reaches to the next one that is no further in; those further in are inside.
fn symbols(heads: &[Head], docs: &[Span], lines: &LineIndex<'_>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::with_capacity(heads.len());
    let mut open: Vec<usize> = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        open.retain(|outer| {
            heads.get(*outer).is_some_and(|outer| outer.column < head.column && outer.kind.is_container())
        });
        let next = heads.iter().skip(at + 1).find(|next| next.column <= head.column || !head.kind.is_container());
        let end = next.map_or_else(|| lines.len(), |next| lines.start_of(next.first));
        let parent = open.last().copied();
        let owner = parent.and_then(|parent| symbols.get(parent)).map(Symbol::qualified).unwrap_or_default();
        let mut symbol = symbol(head, end, docs, lines);
        symbol.parent = parent.and_then(|parent| u32::try_from(parent).ok());
        (symbol.owner, symbol.name) = owned(owner, head);
        symbols.push(symbol);
        open.push(at);
    }
    symbols
}

/// Where a section or definition begins.
struct Head {
    /// Line of the name.
    line: u32,
    /// First line that belongs to it: its comments stand before it.
    first: u32,
    /// White space before it.
    column: usize,
    name: String,
    kind: SymbolKind,
}

/// Owner and name: a name with dots (`Shop.Cart`) is that of its last part.
fn owned(owner: String, head: &Head) -> (Box<str>, Box<str>) {
    let parts = head.name.rsplit_once('.').filter(|(path, last)| !path.is_empty() && !last.is_empty());
    match parts.filter(|_| head.kind != SymbolKind::Section) {
        Some((path, last)) if owner.is_empty() => (path.into(), last.into()),
        Some((path, last)) => (format!("{owner}.{path}").into(), last.into()),
        None => (owner.into(), head.name.as_str().into()),
    }
}

fn symbol(head: &Head, end: u32, docs: &[Span], lines: &LineIndex<'_>) -> Symbol {
    let span = Span { start: lines.start_of(head.first), end };
    let name_at = lines.start_of(head.line);
    let mut signature = lines.slice(Span { start: name_at, end: lines.end_of(head.line).min(end) }).trim().to_owned();
    truncate(&mut signature, MAX_SIGNATURE);
    Symbol {
        kind: head.kind,
        name: Box::default(),
        owner: Box::default(),
        parent: None,
        span,
        lines: lines.range(span),
        name_line: head.line,
        signature: signature.into(),
        doc: docs.iter().copied().filter(|doc| doc.start >= span.start && doc.end <= name_at).collect(),
        returns: None,
        params: 0,
        body: true,
        bases: Vec::new(),
        exported: head.kind != SymbolKind::Section,
        test: false,
    }
}

fn numbered<'t>(lines: &'t LineIndex<'_>) -> impl Iterator<Item = (u32, &'t str)> {
    (1..=lines.count())
        .map(|line| (line, lines.slice(Span { start: lines.start_of(line), end: lines.end_of(line) }).trim_end()))
}

fn markdown_heads(lines: &LineIndex<'_>) -> Vec<Head> {
    let mut fence: Option<(char, usize)> = None;
    let mut heads = Vec::new();
    for (line, text) in numbered(lines) {
        fence = match fence {
            Some(open) if closes(text, open) => None,
            Some(open) => Some(open),
            None => opened(text),
        };
        let title = text.trim_start_matches('#');
        let level = text.len() - title.len();
        if fence.is_none() && (1..=6).contains(&level) && title.starts_with(' ') {
            heads.push(section(line, title.trim().trim_end_matches('#').trim()));
        }
    }
    heads
}

/// Sign and length of the fence that a line opens. Code within a line is no fence.
fn opened(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let info = line.trim_start_matches(sign);
    let length = line.len() - info.len();
    (length >= 3 && !(sign == '`' && info.contains('`'))).then_some((sign, length))
}

fn closes(line: &str, (sign, length): (char, usize)) -> bool {
    let line = line.trim();
    line.len() >= length && line.chars().all(|char| char == sign)
}

fn underlined_heads(lines: &LineIndex<'_>) -> Vec<Head> {
    let mut before: Option<(u32, &str)> = None;
    let mut heads = Vec::new();
    for (line, text) in numbered(lines) {
        let mark = text.chars().next();
        let rule = text.len() >= 3
            && mark.is_some_and(|c| "=-~^\"'`#*+:.".contains(c))
            && text.chars().all(|c| Some(c) == mark);
        if let (true, Some((title_line, title))) = (rule, before)
            && !title.trim().is_empty()
            && title.chars().count() <= text.len() + 1
            && !title.starts_with([' ', '\t'])
            && title.chars().any(char::is_alphanumeric)
        {
            heads.push(section(title_line, title.trim()));
        }
        before = Some((line, text));
    }
    heads
}

fn section(line: u32, name: &str) -> Head {
    let mut name = name.to_owned();
    truncate(&mut name, MAX_TITLE);
    Head { line, first: line, column: 0, name, kind: SymbolKind::Section }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_ends_with_its_own_sign_and_code_in_a_line_opens_none() {
        let text = "# a\n```x```\n# b\n~~~\n# no\n```\n# no\n~~~\n# c\n````md\n```\n# no\n```` \n# d\n";
        let names: Vec<String> = markdown_heads(&LineIndex::new(text)).into_iter().map(|head| head.name).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
    }
}
