//! Small files and whole contents of a store for the tests of this room. Read [`Content`] first: two stores that hold the same
//! are equal as contents, whatever their ids.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::code::{CodeFile, CodeReader, Outline, Packer};
use super::linking::{self, LinkContent};
use super::text::{
    ChunkField, ChunkFlags, ChunkLens, Corpus, FileField, FileFlags, Scratch, TextDoc, TextDocBuilder, TextReader,
};
use super::{Finish, Start, StorePaths, Update, WriteReport, Writer};
use crate::model::{
    Chunk, ContentHash, Facts, FileId, Import, ImportKind, Lang, Lines, ParsedFile, Problems, Reference, ReferenceKind,
    RelPath, SourceFile, Span, Stat, Symbol, SymbolKind,
};

type Places = BTreeMap<String, ([u8; 3], Vec<(u16, [u8; 5])>)>;

/// Everything a store says, by path.
#[derive(Debug, PartialEq)]
pub(super) struct Content {
    terms: BTreeMap<String, Places>,
    layout: BTreeMap<String, (ContentHash, FileFlags, [u16; 3], Vec<ChunkLens>)>,
    corpus: Corpus,
    phrases: BTreeMap<String, BTreeSet<(String, u16)>>,
    files: BTreeMap<String, (ContentHash, String, Outline, Facts)>,
    names: BTreeMap<String, BTreeSet<String>>,
    pub(super) links: LinkContent,
}

/// A store of two files, and its folder.
pub(super) fn store() -> (tempfile::TempDir, StorePaths) {
    let dir = tempfile::tempdir().unwrap();
    let paths = StorePaths::new(dir.path().join(".memory"));
    write(&paths, |writer| {
        writer.put(update("a.py", &["alpha", "beta"])).unwrap();
        writer.put(update("b.py", &["beta"])).unwrap();
    });
    (dir, paths)
}

/// Paths and hashes of the code store, by id.
pub(super) fn hashes(paths: &StorePaths) -> Vec<(String, ContentHash)> {
    let files = CodeReader::open(&paths.metadata()).unwrap().files().unwrap();
    files.into_iter().map(|file| (file.path.to_string(), file.hash)).collect()
}

/// A file made of its words: each word a function that calls the next, and the first one re-exported.
pub(super) fn update(path: &str, words: &[&str]) -> Update {
    update_exposing(path, words, &linking::exposed(path, words))
}

pub(super) fn update_exposing(path: &str, words: &[&str], exposed: &[(u32, u32)]) -> Update {
    Update::new(code_file(path, words), text_doc(path, words), exposed, &mut Packer::new())
}

pub(super) fn hash(words: &[&str]) -> ContentHash {
    ContentHash(xxhash_rust::xxh64::xxh64(words.join(" ").as_bytes(), 0))
}

/// Opens, applies and finishes.
pub(super) fn write(paths: &StorePaths, apply: impl FnOnce(&Writer)) -> WriteReport {
    let writer = Writer::open(paths, Start::AsIs, || panic!("nobody else writes"), &|| false).unwrap();
    apply(&writer);
    writer.finish(Finish::default()).unwrap()
}

/// What another program does to a database.
#[expect(clippy::disallowed_methods, reason = "a hand that is not ours")]
pub(super) fn tamper(path: &Path, sql: &str) {
    rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

impl Content {
    pub(super) fn read(paths: &StorePaths) -> Self {
        let text = TextReader::open(&paths.fts()).unwrap();
        let code = CodeReader::open(&paths.metadata()).unwrap();
        let layout = text.layout().unwrap();
        let path = |file: FileId| layout.files[layout.position(file).unwrap()].path.to_string();
        let pairs = "SELECT l.text || '+' || r.text FROM pair JOIN term l ON l.id = key >> 39 JOIN term r ON r.id = key >> 16 & 8388607";
        let terms = texts(&text, "SELECT text FROM term").into_iter().chain(texts(&text, pairs));
        let terms = terms.filter_map(|term| {
            let mut places = Places::new();
            let df = text.postings(&term, |file, counts, chunks| {
                places.insert(path(file), (counts, chunks.collect()));
            });
            assert_eq!(text.df(&term).unwrap(), df.unwrap());
            (!places.is_empty()).then_some((term, places))
        });
        let terms: BTreeMap<_, _> = terms.collect();
        let symbols = code.files().unwrap().into_iter().flat_map(|file| code.symbols(file.id).unwrap());
        let phrases = symbols.map(|symbol| {
            let found = text.phrase(&[&symbol.name], 1000).unwrap();
            (symbol.name.to_string(), found.into_iter().map(|(file, chunk)| (path(file), chunk)).collect())
        });
        Self {
            phrases: phrases.collect(),
            terms,
            layout: slots(&layout),
            corpus: text.corpus().unwrap(),
            files: files(&code),
            links: LinkContent::read(&code, &database_texts(code.database(), "SELECT text FROM word"), &path),
            names: names(&code, path),
        }
    }
}

fn slots(layout: &super::text::Layout) -> BTreeMap<String, (ContentHash, FileFlags, [u16; 3], Vec<ChunkLens>)> {
    let slot = |file: &super::text::FileLayout| {
        let chunks = (file.first as usize..).take(file.chunks as usize);
        let chunks = chunks.map(|at| ChunkLens { lens: layout.chunk_lens[at], flags: layout.chunk_flags[at] });
        (file.path.to_string(), (file.hash, file.flags, file.file_lens, chunks.collect()))
    };
    layout.files.iter().map(slot).collect()
}

fn files(code: &CodeReader) -> BTreeMap<String, (ContentHash, String, Outline, Facts)> {
    let content = |id| (code.text(id).unwrap(), code.outline(id).unwrap(), code.facts(id).unwrap());
    let rows = code.files().unwrap().into_iter().map(|row| {
        let (text, outline, facts) = content(row.id);
        (row.path.to_string(), (row.hash, text, outline, facts))
    });
    rows.collect()
}

fn names(code: &CodeReader, path: impl Fn(FileId) -> String) -> BTreeMap<String, BTreeSet<String>> {
    let mut names = BTreeMap::new();
    for word in database_texts(code.database(), "SELECT text FROM word") {
        let mut said = BTreeSet::new();
        for found in code.definitions(&word).unwrap() {
            said.insert(format!("{} {:?} {} {}", path(found.file), found.strength, found.chunk, found.name));
        }
        for found in code.find_symbols(&word).unwrap() {
            said.insert(format!("{} symbol {} {:?} {}", path(found.file), found.symbol, found.chunk, found.name));
        }
        said.extend(code.reexports(&word).unwrap().into_iter().map(|file| path(file) + " reexports"));
        said.extend(code.mentions(&word).unwrap().into_iter().map(|file| path(file) + " mentions"));
        if !said.is_empty() {
            names.insert(word, said);
        }
    }
    names
}

fn texts(text: &TextReader, sql: &str) -> BTreeSet<String> {
    database_texts(text.database(), sql)
}

fn database_texts(database: &super::database::Database, sql: &str) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let mut read = |row: &rusqlite::Row<'_>| {
        texts.insert(row.get(0)?);
        Ok(())
    };
    database.each(sql, (), &mut read).unwrap();
    texts
}

fn text_doc(path: &str, words: &[&str]) -> TextDoc {
    let mut scratch = Scratch::default();
    let flags = FileFlags { generated: words.len() == 1 };
    let mut builder = TextDocBuilder::new(RelPath::new(path), hash(words), flags, &mut scratch);
    builder.file_field(FileField::Stem, path);
    for (index, word) in words.iter().enumerate() {
        builder.chunk(ChunkFlags { test: index % 2 == 1, named: true, callable: true, container: false });
        builder.field(ChunkField::Name, word);
        builder.field(ChunkField::Code, &words.get(index..).unwrap_or_default().join(" "));
    }
    builder.finish()
}

fn code_file(path: &str, words: &[&str]) -> CodeFile {
    let (path, hash, lang, text) = (RelPath::new(path), hash(words), Lang("python"), words.join(" "));
    let numbered = || (0u32..).zip(words);
    let span = |index: u32| Span { start: index * 7, end: index * 7 + 5 };
    let lines = |index: u32| Lines { start: index + 1, end: index + 1 };
    let symbols = numbered().map(|(index, word)| Symbol {
        kind: SymbolKind::Function,
        name: (*word).into(),
        owner: "".into(),
        parent: None,
        span: span(index),
        lines: lines(index),
        name_line: index + 1,
        signature: format!("def {word}()").into(),
        doc: Vec::new(),
        returns: None,
        params: 0,
        body: true,
        bases: Vec::new(),
        exported: true,
        test: false,
    });
    let chunks = numbered().map(|(index, word)| Chunk {
        symbol: (index != 1).then_some(index),
        piece: 0,
        lines: lines(index),
        spans: vec![span(index)],
        declares: if index == 1 { vec![((*word).into(), false)] } else { Vec::new() },
    });
    let refs = numbered().skip(1).map(|(index, word)| Reference {
        at: index * 7,
        line: index,
        kind: ReferenceKind::Call,
        callee: (*word).into(),
        receiver: None,
        from: Some(index - 1),
        args: Some(0),
    });
    let imports = words.iter().take(1).map(|word| Import {
        at: 0,
        line: 1,
        kind: ImportKind::Named,
        module: "m".into(),
        name: (*word).into(),
        alias: None,
        reexport: true,
    });
    let facts = Facts { refs: refs.collect(), imports: imports.collect(), ..Facts::default() };
    let parsed = ParsedFile {
        path: path.clone(),
        lang,
        hash,
        line_count: u32::try_from(words.len()).unwrap(),
        symbols: symbols.collect(),
        chunks: chunks.collect(),
        facts,
        docs: Vec::new(),
        import_spans: Vec::new(),
        generated: false,
        problems: Problems::default(),
    };
    let stat = Stat { size: text.len() as u64, mtime_ns: 1, ctime_ns: 2, inode: u64::MAX };
    CodeFile { source: SourceFile { path, lang, text, hash }, stat, hashed_at_ns: 3, parsed }
}
