//! Symbols -> chunks, the units of search: one per definition with its comments, a header per container, pieces of long ones,
//! and the rest of the file. Every byte that is not blank lands in exactly one chunk. Read [`chunks`] first.

use super::lines::LineIndex;
use crate::model::{Chunk, Lines, Span, Symbol, SymbolKind};

/// A definition of more lines than this is cut.
const LONG_LINES: u32 = 80;
/// Lines of a piece at most.
pub(super) const PIECE_LINES: u32 = 60;
/// A definition that may join its surroundings does so with fewer lines.
const SMALL_LINES: u32 = 5;
/// A gap of at most so many lines joins the stretch before it.
const TINY_GAP_LINES: u32 = 2;
/// Lines longer than this (bytes) on average are data; they count as more lines, so that pieces stay small.
const LONG_LINE_BYTES: u32 = 240;
/// Most chunks of one file: what follows is in the last one.
const MAX_CHUNKS: usize = 20_000;

/// All chunks of a file, by position. `joins` tells which symbols stay with their surroundings when small; `left_out` are spans
/// that stay out of the index.
pub(super) fn chunks(symbols: &[Symbol], joins: &[bool], lines: &LineIndex<'_>, left_out: &[Span]) -> Vec<Chunk> {
    let own: Vec<bool> = own_chunks(symbols, joins);
    let whole: Vec<Span> = symbols.iter().map(|symbol| lines.whole_lines(symbol.span)).collect();
    let mut made = Vec::new();
    for (at, symbol) in symbols.iter().enumerate().filter(|(at, _)| own.get(*at) == Some(&true)) {
        let spans = own_spans(at, &own, &whole, lines, left_out);
        made.extend(pieces(u32::try_from(at).ok(), symbol, &spans, lines));
    }
    made.extend(rest(symbols, &own, &whole, lines, left_out));
    made.sort_by_key(|chunk| (chunk.spans.first().copied(), chunk.piece));
    limit(&mut made, MAX_CHUNKS, lines);
    declare(&mut made, symbols, &own);
    made
}

/// Pieces of a text that has no symbols.
pub(super) fn windows(lines: &LineIndex<'_>) -> Vec<Chunk> {
    let whole = Span { start: 0, end: lines.len() };
    let mut made: Vec<Chunk> = cut(whole, PIECE_LINES, lines).into_iter().map(|span| stretch(span, lines)).collect();
    made.retain(|chunk| chunk.spans.iter().any(|span| !lines.is_blank(*span)));
    limit(&mut made, MAX_CHUNKS, lines);
    made
}

/// Constants, variables and types stay with their surroundings when small.
pub(super) fn is_value(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Type => true,
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Class
        | SymbolKind::Interface
        | SymbolKind::Struct
        | SymbolKind::Enum
        | SymbolKind::Trait
        | SymbolKind::Macro
        | SymbolKind::Module
        | SymbolKind::Section => false,
    }
}

/// At most `most` chunks: the last one has all text that is left.
fn limit(made: &mut Vec<Chunk>, most: usize, lines: &LineIndex<'_>) {
    if made.len() <= most {
        return;
    }
    let mut spans: Vec<Span> = made.drain(most.saturating_sub(1)..).flat_map(|chunk| chunk.spans).collect();
    spans.sort_unstable();
    let (start, end) = (spans.first().map_or(0, |span| span.start), spans.last().map_or(0, |span| span.end));
    let shown = lines.range(Span { start, end });
    made.push(Chunk { symbol: None, piece: 0, lines: shown, spans, declares: Vec::new() });
}

/// Which symbols have a chunk of their own: not what stands inside a function, and not what is small and joins its surroundings.
fn own_chunks(symbols: &[Symbol], joins: &[bool]) -> Vec<bool> {
    let mut own: Vec<bool> = Vec::with_capacity(symbols.len());
    let mut inside: Vec<bool> = Vec::with_capacity(symbols.len());
    for (at, symbol) in symbols.iter().enumerate() {
        let parent = symbol.parent.map(|p| p as usize);
        let within = parent.is_some_and(|p| {
            inside.get(p) == Some(&true) || symbols.get(p).is_some_and(|parent| parent.kind.is_callable())
        });
        let small = joins.get(at) == Some(&true) && symbol.lines.count() < SMALL_LINES;
        inside.push(within);
        own.push(!within && !small);
    }
    own
}

/// What a symbol owns: its lines without those of inner definitions that have chunks.
fn own_spans(at: usize, own: &[bool], whole: &[Span], lines: &LineIndex<'_>, left_out: &[Span]) -> Vec<Span> {
    let Some(&span) = whole.get(at) else { return Vec::new() };
    let after = whole.iter().zip(own).skip(at + 1).take_while(|(other, _)| other.start < span.end);
    let inner = after.filter(|(_, own)| **own).map(|(other, _)| *other);
    subtract(span, inner.chain(overlapping(left_out, span)), lines)
}

fn overlapping(spans: &[Span], within: Span) -> impl Iterator<Item = Span> {
    spans.iter().copied().filter(move |span| span.start < within.end && span.end > within.start)
}

/// `whole` minus `holes`; what is blank is dropped.
fn subtract(whole: Span, holes: impl Iterator<Item = Span>, lines: &LineIndex<'_>) -> Vec<Span> {
    let mut holes: Vec<Span> = holes.collect();
    holes.sort_unstable();
    let mut from = whole.start;
    let mut left = Vec::new();
    for hole in holes {
        left.push(Span { start: from, end: hole.start.max(from) });
        from = from.max(hole.end);
    }
    left.push(Span { start: from, end: whole.end.max(from) });
    left.retain(|span| !span.is_empty() && !lines.is_blank(*span));
    left
}

/// The chunk of a definition, or its pieces when it is long.
fn pieces(symbol: Option<u32>, of: &Symbol, spans: &[Span], lines: &LineIndex<'_>) -> Vec<Chunk> {
    let total: u32 = spans.iter().map(|span| weight(*span, lines)).sum();
    if total <= LONG_LINES {
        return match spans.first() {
            Some(first) => vec![Chunk {
                symbol,
                piece: 0,
                lines: if of.kind.is_container() { lines.range(*first) } else { of.lines },
                spans: spans.to_vec(),
                declares: Vec::new(),
            }],
            None => Vec::new(),
        };
    }
    let parts = total.div_ceil(PIECE_LINES);
    let size = total.div_ceil(parts);
    let cuts = spans.iter().flat_map(|span| cut(*span, size, lines));
    cuts.enumerate()
        .map(|(piece, span)| Chunk {
            symbol,
            piece: u16::try_from(piece).unwrap_or(u16::MAX),
            lines: lines.range(span),
            spans: vec![span],
            declares: Vec::new(),
        })
        .collect()
}

/// Lines of a span, more where they are very long.
fn weight(span: Span, lines: &LineIndex<'_>) -> u32 {
    lines.range(span).count().max((span.end - span.start) / LONG_LINE_BYTES)
}

/// `span` in parts of at most `size` lines, at line starts; a part of very long lines ends earlier.
fn cut(span: Span, size: u32, lines: &LineIndex<'_>) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = span.start;
    let mut line = lines.line(start);
    let mut taken = 0;
    while start < span.end {
        let end = lines.end_of(line).min(span.end);
        taken += 1;
        let full = taken >= size || end - start >= size * LONG_LINE_BYTES;
        if full || end >= span.end {
            parts.push(Span { start, end });
            start = end;
            taken = 0;
        }
        line += 1;
    }
    parts
}

/// Stretches of the file that no definition owns.
fn rest(symbols: &[Symbol], own: &[bool], whole: &[Span], lines: &LineIndex<'_>, left_out: &[Span]) -> Vec<Chunk> {
    let file = Span { start: 0, end: lines.len() };
    let owned = symbols.iter().zip(own).zip(whole).filter(|((_, own), _)| **own).map(|(_, span)| *span);
    let gaps = subtract(file, owned.chain(left_out.iter().copied()), lines);
    let mut made: Vec<Chunk> = Vec::new();
    for span in gaps.into_iter().flat_map(|gap| cut(gap, PIECE_LINES, lines)) {
        match made.last_mut() {
            Some(last) if lines.range(span).count() <= TINY_GAP_LINES => last.spans.push(span),
            _ => made.push(stretch(span, lines)),
        }
    }
    made
}

fn stretch(span: Span, lines: &LineIndex<'_>) -> Chunk {
    let text = lines.slice(span);
    let lead = u32::try_from(text.len() - text.trim_start().len()).unwrap_or(0);
    let trail = u32::try_from(text.len() - text.trim_end().len()).unwrap_or(0);
    let trimmed = Span { start: span.start + lead, end: span.end - trail.min(span.end - span.start - lead) };
    let shown: Lines = lines.range(if trimmed.is_empty() { span } else { trimmed });
    Chunk { symbol: None, piece: 0, lines: shown, spans: vec![span], declares: Vec::new() }
}

/// Gives each symbol without a chunk to the chunk it stands in.
fn declare(chunks: &mut [Chunk], symbols: &[Symbol], own: &[bool]) {
    let mut spans: Vec<(Span, usize)> =
        chunks.iter().enumerate().flat_map(|(at, chunk)| chunk.spans.iter().map(move |span| (*span, at))).collect();
    spans.sort_unstable();
    for symbol in symbols.iter().zip(own).filter(|(_, own)| !**own).map(|(symbol, _)| symbol) {
        let name_at = symbol.span.end.saturating_sub(1);
        let holder = spans.partition_point(|(span, _)| span.start <= name_at).checked_sub(1);
        let Some(&(span, chunk)) = holder.and_then(|h| spans.get(h)) else { continue };
        let top = is_top(symbol, symbols);
        if span.start <= name_at
            && name_at < span.end
            && let Some(chunk) = chunks.get_mut(chunk)
        {
            chunk.declares.push((symbol.name.clone(), top));
        }
    }
}

/// At top level of the file, namespaces aside.
fn is_top(symbol: &Symbol, symbols: &[Symbol]) -> bool {
    let mut parent = symbol.parent;
    while let Some(outer) = parent.and_then(|p| symbols.get(p as usize)) {
        if outer.kind != SymbolKind::Module {
            return false;
        }
        parent = outer.parent;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_beyond_the_last_chunk_is_in_it() {
        let text = "a line\n".repeat(PIECE_LINES as usize * 5);
        let lines = LineIndex::new(&text);
        let all = windows(&lines);
        let mut few = all.clone();
        limit(&mut few, 2, &lines);
        assert_eq!((all.len(), few.len()), (5, 2));
        assert_eq!(few.first(), all.first());
        let last = few.last().unwrap();
        assert_eq!(last.spans, all.iter().skip(1).flat_map(|chunk| chunk.spans.clone()).collect::<Vec<_>>());
        assert_eq!((last.lines.start, last.lines.end), (61, 300));
    }
}
