//! A parsed file -> its document in the text store: which bytes go into which field. No ranking, no SQL. Read [`document`] first.

use crate::model::{Chunk, ParsedFile, SourceFile, Span, Symbol, SymbolKind};
use crate::store::names::effective_name;
use crate::store::text::{ChunkField, ChunkFlags, FileField, FileFlags, Scratch, TextDoc, TextDocBuilder};

/// The searchable form of a file. With `strip_docs`, comments and docstrings stay out.
pub(super) fn document(source: &SourceFile, parsed: &ParsedFile, strip_docs: bool, scratch: &mut Scratch) -> TextDoc {
    let flags = FileFlags { generated: parsed.generated };
    let mut builder = TextDocBuilder::new(parsed.path.clone(), parsed.hash, flags, scratch);
    let name = effective_name(&parsed.path);
    builder.file_field(FileField::Stem, name.stem);
    for folder in &name.folders {
        builder.file_field(FileField::Dir, folder);
    }
    for import in &parsed.import_spans {
        builder.file_field(FileField::Imports, slice(&source.text, *import));
    }
    let fields = Fields { text: &source.text, docs: &parsed.docs, imports: &parsed.import_spans, strip_docs };
    for chunk in &parsed.chunks {
        let symbol = chunk.symbol.and_then(|at| parsed.symbols.get(at as usize));
        builder.chunk(flags_of(chunk, symbol));
        fields.fill(chunk, symbol, &mut builder);
    }
    builder.finish()
}

fn flags_of(chunk: &Chunk, symbol: Option<&Symbol>) -> ChunkFlags {
    let is = |of: fn(&Symbol) -> bool| symbol.is_some_and(of);
    ChunkFlags {
        test: is(|s| s.test),
        named: chunk.piece == 0 && is(|s| s.kind != SymbolKind::Section),
        callable: is(|s| s.kind.is_callable()),
        container: is(|s| s.kind.is_container()),
    }
}

struct Fields<'a> {
    text: &'a str,
    docs: &'a [Span],
    imports: &'a [Span],
    strip_docs: bool,
}

impl Fields<'_> {
    fn fill(&self, chunk: &Chunk, symbol: Option<&Symbol>, builder: &mut TextDocBuilder<'_>) {
        if let Some(symbol) = symbol.filter(|_| chunk.piece == 0) {
            builder.field(ChunkField::Name, &symbol.name);
            builder.field(ChunkField::Signature, &symbol.signature);
        }
        if let Some(symbol) = symbol {
            builder.field(ChunkField::Owner, &symbol.owner);
        }
        for span in &chunk.spans {
            self.split(*span, builder);
        }
    }

    /// Comments go to the documentation, imports to the file, the rest is code.
    fn split(&self, span: Span, builder: &mut TextDocBuilder<'_>) {
        let mut from = span.start;
        let docs = overlapping(self.docs, span).map(|doc| (doc, true));
        let mut holes: Vec<(Span, bool)> =
            docs.chain(overlapping(self.imports, span).map(|import| (import, false))).collect();
        holes.sort_unstable();
        for (hole, is_doc) in holes {
            let (start, end) = (hole.start.clamp(from, span.end), hole.end.clamp(from, span.end));
            builder.field(ChunkField::Code, slice(self.text, Span { start: from, end: start }));
            if is_doc && !self.strip_docs {
                builder.field(ChunkField::Doc, slice(self.text, Span { start, end }));
            }
            from = end;
        }
        builder.field(ChunkField::Code, slice(self.text, Span { start: from, end: span.end }));
    }
}

/// Spans are sorted and disjoint.
fn overlapping(spans: &[Span], within: Span) -> impl Iterator<Item = Span> {
    let first = spans.partition_point(|span| span.end <= within.start);
    spans.iter().skip(first).copied().take_while(move |span| span.start < within.end)
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}
