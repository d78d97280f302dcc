//! A small index from a text, for tests of this room. Files start with `//- path`; paragraphs are chunks; one whose first line is
//! `[test] fn|method|class|const [Owner.]name ...` is a definition, lines of `#` before it are its doc, `reexport name` lines are just that.

use super::{Hit, SearchQuery, Searcher};
use crate::model::{
    Chunk, ContentHash, Facts, Import, ImportKind, Lang, Lines, ParsedFile, Problems, RelPath, SourceFile, Span, Stat,
    Symbol, SymbolKind,
};
use crate::store::code::{CodeFile, Packer};
use crate::store::names::effective_name;
use crate::store::text::{ChunkField, ChunkFlags, FileField, FileFlags, Scratch, TextDocBuilder};
use crate::store::{Finish, Start, StorePaths, Update, Writer};

pub(super) struct Fixture {
    dir: tempfile::TempDir,
    pub searcher: Searcher,
}

impl Fixture {
    pub(super) fn new(files: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let paths = StorePaths::new(dir.path());
        Writer::open(&paths, Start::AsIs, || {}, &|| false).unwrap().finish(Finish::default()).unwrap();
        let fixture = Self { searcher: Searcher::open(&paths, "project", "linux").unwrap(), dir };
        fixture.write(files);
        fixture
    }

    /// Puts files into the index, in place of those of the same path.
    pub(super) fn write(&self, files: &str) {
        let writer = Writer::open(&StorePaths::new(self.dir.path()), Start::AsIs, || {}, &|| false).unwrap();
        for file in files.split("//- ").filter(|file| !file.trim().is_empty()) {
            let (path, text) = file.split_once('\n').unwrap();
            writer.put(update(path.trim(), text)).unwrap();
        }
        writer.finish(Finish::default()).unwrap();
    }

    pub(super) fn find(&self, text: &str) -> Vec<Hit> {
        self.ask(&SearchQuery { text: text.into(), limit: 10, ..SearchQuery::default() })
    }

    pub(super) fn ask(&self, query: &SearchQuery) -> Vec<Hit> {
        self.searcher.find(query).unwrap().hits
    }

    /// `path name` of each hit.
    pub(super) fn names(&self, text: &str) -> Vec<String> {
        self.find(text).iter().map(|hit| format!("{} {}", hit.path, hit.name)).collect()
    }

    pub(super) fn paths(&self, text: &str) -> Vec<String> {
        let mut paths: Vec<String> = self.find(text).iter().map(|hit| hit.path.to_string()).collect();
        paths.dedup();
        paths
    }
}

fn update(path: &str, text: &str) -> Update {
    let path = RelPath::new(path);
    let hash = ContentHash(text.bytes().fold(7, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte))));
    let mut scratch = Scratch::default();
    let mut doc = TextDocBuilder::new(path.clone(), hash, FileFlags::default(), &mut scratch);
    let name = effective_name(&path);
    doc.file_field(FileField::Stem, name.stem);
    doc.file_field(FileField::Dir, path.dir());
    let (mut symbols, mut chunks, mut facts) = (Vec::new(), Vec::new(), Facts::default());
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let start = (paragraph.as_ptr().addr() - text.as_ptr().addr()) as u32;
        let line = text.bytes().take(start as usize).filter(|byte| *byte == b'\n').count() as u32 + 1;
        let lines = Lines { start: line, end: line + paragraph.trim_end().matches('\n').count() as u32 };
        let span = Span { start, end: start + paragraph.len() as u32 };
        let docs: String = paragraph.lines().take_while(|line| line.starts_with('#')).collect();
        let first = paragraph.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
        let symbol = symbol(first, span, lines);
        facts.imports.extend(paragraph.lines().filter_map(reexport));
        doc.chunk(flags(symbol.as_ref()));
        if let Some(symbol) = &symbol {
            doc.field(ChunkField::Name, &symbol.name);
            doc.field(ChunkField::Owner, &symbol.owner);
            doc.field(ChunkField::Signature, first);
        }
        doc.field(ChunkField::Doc, &docs);
        doc.field(ChunkField::Code, paragraph.get(docs.len()..).unwrap_or_default());
        let at = symbol.is_some().then_some(symbols.len() as u32);
        symbols.extend(symbol);
        chunks.push(Chunk { symbol: at, piece: 0, lines, spans: vec![span], declares: Vec::new() });
    }
    let doc = doc.finish();
    let lang = Lang(if path.as_str().rsplit('.').next() == Some("py") { "python" } else { "rust" });
    let parsed = ParsedFile {
        path: path.clone(),
        lang,
        hash,
        line_count: text.lines().count() as u32,
        symbols,
        chunks,
        facts,
        docs: Vec::new(),
        import_spans: Vec::new(),
        generated: false,
        problems: Problems::default(),
    };
    let source = SourceFile { path, lang, text: text.into(), hash };
    Update::new(CodeFile { source, stat: Stat::default(), hashed_at_ns: 0, parsed }, doc, &[], &mut Packer::new())
}

fn symbol(line: &str, span: Span, lines: Lines) -> Option<Symbol> {
    let bare = line.strip_prefix("test ").unwrap_or(line);
    let (word, rest) = bare.split_once(' ')?;
    let kind = match word {
        "fn" => SymbolKind::Function,
        "method" => SymbolKind::Method,
        "class" => SymbolKind::Class,
        "const" => SymbolKind::Constant,
        _ => return None,
    };
    let qualified = rest.split([' ', '(']).next().unwrap_or_default();
    let (owner, name) = qualified.rsplit_once('.').unwrap_or(("", qualified));
    Some(Symbol {
        kind,
        name: name.into(),
        owner: owner.into(),
        parent: None,
        span,
        lines,
        name_line: lines.start,
        signature: line.into(),
        doc: Vec::new(),
        returns: None,
        params: 0,
        body: true,
        bases: Vec::new(),
        exported: true,
        test: bare.len() < line.len(),
    })
}

fn flags(symbol: Option<&Symbol>) -> ChunkFlags {
    symbol.map_or(ChunkFlags::default(), |symbol| ChunkFlags {
        test: symbol.test,
        named: true,
        callable: symbol.kind.is_callable(),
        container: symbol.kind.is_container(),
    })
}

fn reexport(line: &str) -> Option<Import> {
    let name = line.strip_prefix("reexport ")?;
    let (module, alias) = ("".into(), None);
    Some(Import { at: 0, line: 1, kind: ImportKind::Named, module, name: name.into(), alias, reexport: true })
}
