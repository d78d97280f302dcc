//! A parsed file in its stored form: made by whoever parsed it, on its own thread, so that the writer only inserts. Positions
//! become differences first, which postcard writes in a byte or two. Read [`PackedFile`] first.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use super::super::inverted::Entries;
use super::super::varint;
use super::{CodeFile, names};
use crate::model::{
    Binding, Chunk, ContentHash, Facts, Import, Inheritance, Lines, Problems, ReferenceKind, RelPath, Span, Stat,
    Symbol,
};

const LEVEL: i32 = 3;

/// Bytes that one blob unpacks to at most; more is damage.
const MOST_BYTES: usize = 1 << 28;

thread_local! {
    /// Making one takes as long as unpacking a small blob.
    static UNPACKER: RefCell<Decompressor<'static>> = RefCell::default();
}

/// [`Facts`] as far as [`unpack_outer_facts`] reads them.
type OuterFacts<'b> = (Box<str>, Vec<Passed<'b>>, Vec<Import>, Vec<Binding>, Vec<Inheritance>);

/// A reference of which nothing is wanted; text as bytes has the same form.
type Passed<'b> = (u32, u32, ReferenceKind, &'b [u8], Option<&'b [u8]>, Option<u32>, Option<u8>);

/// Symbols, chunks and spans of a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    pub symbols: Vec<Symbol>,
    pub chunks: Vec<Chunk>,
    /// Comments and docstrings.
    pub docs: Vec<Span>,
    /// Import statements.
    pub import_spans: Vec<Span>,
}

/// A [`CodeFile`] ready to be inserted.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct PackedFile {
    pub path: RelPath,
    pub lang: &'static str,
    pub hash: ContentHash,
    pub stat: Stat,
    pub hashed_at_ns: i64,
    pub lines: u32,
    pub chunks: usize,
    pub symbols: usize,
    pub problems: Problems,
    pub generated: bool,
    pub text: Vec<u8>,
    pub outline: Vec<u8>,
    pub facts: Vec<u8>,
    pub names: Entries,
}

/// Compresses; kept from file to file.
pub struct Packer {
    zstd: Compressor<'static>,
    plain: Vec<u8>,
}

impl Packer {
    #[must_use]
    pub fn new() -> Self {
        let mut zstd = Compressor::new(LEVEL).unwrap_or_default();
        // Every blob has its length in front of it.
        if zstd.set_parameter(CParameter::ContentSizeFlag(false)).is_err() {
            tracing::debug!("blobs carry their length twice");
        }
        Self { zstd, plain: Vec::new() }
    }

    pub(in crate::store) fn pack(&mut self, file: CodeFile) -> PackedFile {
        let CodeFile { source, stat, hashed_at_ns, parsed } = file;
        let names = names::of_file(&parsed.symbols, &parsed.chunks, &parsed.facts);
        let (symbols, chunks) = (parsed.symbols.len(), parsed.chunks.len());
        let outline = Outline {
            symbols: parsed.symbols,
            chunks: parsed.chunks,
            docs: parsed.docs,
            import_spans: parsed.import_spans,
        };
        PackedFile {
            path: source.path,
            lang: source.lang.0,
            hash: source.hash,
            stat,
            hashed_at_ns,
            lines: parsed.line_count,
            chunks,
            symbols,
            problems: parsed.problems,
            generated: parsed.generated,
            text: self.compress(source.text.as_bytes()),
            outline: self.outline(outline),
            facts: self.facts(parsed.facts),
            names,
        }
    }

    fn outline(&mut self, mut outline: Outline) -> Vec<u8> {
        outline.shift(Step::subtract);
        self.postcard(&outline)
    }

    fn facts(&mut self, mut facts: Facts) -> Vec<u8> {
        shift_facts(&mut facts, Step::subtract);
        self.postcard(&facts)
    }

    fn postcard(&mut self, value: &impl Serialize) -> Vec<u8> {
        let mut plain = std::mem::take(&mut self.plain);
        plain.clear();
        // Writing these shapes to memory has no way to fail; were there one, the blob would be read as damaged.
        let plain = postcard::to_extend(value, plain).unwrap_or_default();
        let packed = self.compress(&plain);
        self.plain = plain;
        packed
    }

    pub(super) fn compress(&mut self, plain: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        varint::put(&mut out, u32::try_from(plain.len()).unwrap_or(u32::MAX));
        out.append(&mut self.zstd.compress(plain).unwrap_or_default());
        out
    }
}

impl Default for Packer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packer").finish_non_exhaustive()
    }
}

pub(super) fn unpack_text(blob: &[u8]) -> Option<String> {
    String::from_utf8(decompress(blob)?).ok()
}

pub(super) fn unpack_outline(blob: &[u8]) -> Option<Outline> {
    let mut outline: Outline = postcard::from_bytes(&decompress(blob)?).ok()?;
    outline.shift(Step::add);
    Some(outline)
}

/// The symbols of an outline; the rest is not looked at.
pub(super) fn unpack_symbols(blob: &[u8]) -> Option<Vec<Symbol>> {
    let plain = decompress(blob)?;
    let (mut symbols, _): (Vec<Symbol>, _) = postcard::take_from_bytes(&plain).ok()?;
    shift_symbols(&mut symbols, Step::add);
    Some(symbols)
}

/// Facts without references and scopes, which are passed over.
pub(super) fn unpack_outer_facts(blob: &[u8]) -> Option<Facts> {
    let plain = decompress(blob)?;
    let ((package, _, imports, binds, inherits), _): (OuterFacts<'_>, _) = postcard::take_from_bytes(&plain).ok()?;
    let mut facts = Facts { package, imports, binds, inherits, ..Facts::default() };
    shift_facts(&mut facts, Step::add);
    Some(facts)
}

pub(super) fn unpack_facts(blob: &[u8]) -> Option<Facts> {
    let mut facts = postcard::from_bytes(&decompress(blob)?).ok()?;
    shift_facts(&mut facts, Step::add);
    Some(facts)
}

pub(super) fn decompress(blob: &[u8]) -> Option<Vec<u8>> {
    let mut at = 0;
    let len = varint::get(blob, &mut at)? as usize;
    if len > MOST_BYTES {
        return None;
    }
    let unpack = |zstd: &RefCell<Decompressor<'static>>| zstd.borrow_mut().decompress(blob.get(at..)?, len).ok();
    let plain = UNPACKER.with(unpack)?;
    (plain.len() == len).then_some(plain)
}

/// A running position. Numbers in order become small, any others survive (arithmetic wraps).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step(u32);

type Shift = fn(&mut Step, &mut u32);

impl Step {
    /// Zigzag difference to the position before.
    pub(super) fn difference(&mut self, value: u32) -> u32 {
        let difference = value.wrapping_sub(self.0).cast_signed();
        self.0 = value;
        (difference << 1 ^ difference >> 31).cast_unsigned()
    }

    /// The way back.
    pub(super) fn value(&mut self, difference: u32) -> u32 {
        self.0 = self.0.wrapping_add((difference >> 1) ^ (difference & 1).wrapping_neg());
        self.0
    }

    fn subtract(&mut self, value: &mut u32) {
        *value = self.difference(*value);
    }

    fn add(&mut self, value: &mut u32) {
        *value = self.value(*value);
    }
}

impl Outline {
    fn shift(&mut self, shift: Shift) {
        shift_symbols(&mut self.symbols, shift);
        let (mut at, mut line) = (Step::default(), Step::default());
        for chunk in &mut self.chunks {
            shift_lines(&mut chunk.lines, &mut line, shift);
            shift_spans(&mut chunk.spans, &mut at, shift);
        }
        shift_spans(&mut self.docs, &mut Step::default(), shift);
        shift_spans(&mut self.import_spans, &mut Step::default(), shift);
    }
}

fn shift_symbols(symbols: &mut [Symbol], shift: Shift) {
    let (mut at, mut line) = (Step::default(), Step::default());
    for symbol in symbols {
        shift_span(&mut symbol.span, &mut at, shift);
        shift_lines(&mut symbol.lines, &mut line, shift);
        shift(&mut line.clone(), &mut symbol.name_line);
        shift_spans(&mut symbol.doc, &mut at.clone(), shift);
    }
}

fn shift_facts(facts: &mut Facts, shift: Shift) {
    let (mut at, mut line) = (Step::default(), Step::default());
    for reference in &mut facts.refs {
        shift(&mut at, &mut reference.at);
        shift(&mut line, &mut reference.line);
    }
    (at, line) = Default::default();
    for import in &mut facts.imports {
        shift(&mut at, &mut import.at);
        shift(&mut line, &mut import.line);
    }
    at = Step::default();
    for bind in &mut facts.binds {
        shift(&mut at, &mut bind.at);
    }
    at = Step::default();
    for scope in &mut facts.scopes {
        shift_span(&mut scope.span, &mut at, shift);
    }
}

/// The end counts from the start, the next start from this one: spans nest.
fn shift_span(span: &mut Span, at: &mut Step, shift: Shift) {
    shift(at, &mut span.start);
    shift(&mut at.clone(), &mut span.end);
}

fn shift_lines(lines: &mut Lines, line: &mut Step, shift: Shift) {
    shift(line, &mut lines.start);
    shift(&mut line.clone(), &mut lines.end);
}

fn shift_spans(spans: &mut [Span], at: &mut Step, shift: Shift) {
    for span in spans {
        shift_span(span, at, shift);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{BindingKind, BindingSource, ImportKind, Reference, Scope, SymbolKind};

    fn symbol(span: Span) -> Symbol {
        let lines = Lines { start: span.end, end: span.start };
        Symbol {
            kind: SymbolKind::Function,
            name: "f".into(),
            owner: "".into(),
            parent: None,
            span,
            lines,
            name_line: span.end,
            signature: "def f()".into(),
            doc: vec![span, span],
            returns: None,
            params: 0,
            body: true,
            bases: vec!["B".into()],
            exported: true,
            test: false,
        }
    }

    fn reference(at: u32) -> Reference {
        let (callee, receiver) = ("größe".into(), at.is_multiple_of(2).then(|| "self".into()));
        Reference { at, line: at / 3, kind: ReferenceKind::New, callee, receiver, from: Some(at), args: None }
    }

    fn import(at: u32) -> Import {
        let (module, name, alias) = ("m".into(), "n".into(), Some("a".into()));
        Import { at, line: at / 3, kind: ImportKind::Named, module, name, alias, reexport: false }
    }

    fn bind(at: u32) -> Binding {
        Binding { at, kind: BindingKind::Field, name: "f".into(), source: BindingSource::Unknown, within: None }
    }

    proptest! {
        #[test]
        fn any_positions_come_back(spans in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..20)) {
            let spans: Vec<Span> = spans.into_iter().map(|(start, end)| Span { start, end }).collect();
            let outline = Outline { symbols: spans.iter().map(|span| symbol(*span)).collect(), docs: spans.clone(), ..Default::default() };
            let facts = Facts { scopes: spans.iter().map(|span| Scope { span: *span, class: true }).collect(), ..Default::default() };
            let mut packer = Packer::new();
            let packed = packer.outline(outline.clone());
            prop_assert_eq!(unpack_symbols(&packed), Some(outline.symbols.clone()));
            prop_assert_eq!(unpack_outline(&packed), Some(outline));
            prop_assert_eq!(unpack_facts(&packer.facts(facts.clone())), Some(facts));
        }

        #[test]
        fn outer_facts_are_all_but_references_and_scopes(ats in proptest::collection::vec(any::<u32>(), 0..9)) {
            let facts = Facts {
                package: "p".into(),
                refs: ats.iter().map(|at| reference(*at)).collect(),
                imports: ats.iter().map(|at| import(*at)).collect(),
                binds: ats.iter().map(|at| bind(*at)).collect(),
                inherits: vec![Inheritance { sub: "s".into(), base: "b".into() }],
                scopes: vec![Scope { span: Span { start: 1, end: 2 }, class: true }],
            };
            let packed = Packer::new().facts(facts.clone());
            prop_assert_eq!(unpack_outer_facts(&packed), Some(Facts { refs: vec![], scopes: vec![], ..facts }));
        }

        #[test]
        fn any_bytes_unpack_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            unpack_outline(&bytes);
            unpack_symbols(&bytes);
            unpack_outer_facts(&bytes);
            unpack_text(&bytes);
        }
    }
}
