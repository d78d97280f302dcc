//! Definitions of source without a grammar, by the lines that begin them: a defining word and a name, near the margin. It sees no
//! structure but indentation. Read [`RULES`] first.

use std::sync::OnceLock;

use regex::Regex;

use super::super::lines::LineIndex;
use super::{Head, numbered};
use crate::model::{Span, SymbolKind};

/// A line that begins a definition stands at most so far in.
const MAX_COLUMN: usize = 8;
/// Longer lines are data.
const MAX_LINE: usize = 400;
/// Lines before a definition that are searched for the start of a quoted block.
const MAX_BLOCK: usize = 200;

/// What the text after the white space of a line must look like; the group is the name.
const RULES: &[(&str, SymbolKind)] = &[
    (r"(?:defmodule|module|namespace|package|library|service)\s+([A-Z][\w.:']*)", SymbolKind::Module),
    (
        r"(?:defp?|defmacrop?|defdelegate|defguardp?|defn-?|defun|defmethod|defgeneric)\s+\(?([\w.!?*+<>=/-]+)",
        SymbolKind::Function,
    ),
    (r"(?:function|func|fun|sub|proc|method|subroutine|rpc|macro|template)!?\s+([\w.:!?']+)", SymbolKind::Function),
    (
        r"(?:(?:abstract|final|sealed|base|public|export)\s+)*(?:class|@interface|@implementation|mixin|extension|contract)\s+([A-Z]\w*)",
        SymbolKind::Class,
    ),
    (r"(?:struct|message|record|table|input)\s+(\w+)", SymbolKind::Struct),
    (r"(?:interface|defprotocol|protocol|trait)\s+([\w.]+)", SymbolKind::Interface),
    (r"enum\s+(\w+)", SymbolKind::Enum),
    (r"(?:newtype|data|type(?:\s+(?:alias|family|instance))?|typedef)\s+([A-Z]\w*)", SymbolKind::Type),
    (r"(?:class|instance)\s+(?:.*=>\s*)?([A-Z]\w*)", SymbolKind::Class),
    (r"(?:let\s+rec|let|val)\s+([a-z_][\w']*)\s+[^=]*=", SymbolKind::Function),
    (
        r"(?i)create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index|trigger|type)\s+(?:if\s+not\s+exists\s+)?([\w.]+)",
        SymbolKind::Type,
    ),
    (r"(?:pattern\s+)?([a-z_][\w']*|\([^\w\s()]+\))(?:\s*,\s*[a-z_][\w']*)*\s*::\s", SymbolKind::Function),
];

/// Heads by line, and the comment lines (with quoted blocks before definitions).
pub(super) fn heads(comment: &str, lines: &LineIndex<'_>) -> (Vec<Head>, Vec<Span>) {
    let texts: Vec<&str> = numbered(lines).map(|(_, text)| text).collect();
    let mut heads: Vec<Head> = Vec::new();
    let mut blocks: Vec<(usize, usize)> = Vec::new();
    for (at, text) in texts.iter().enumerate().filter(|(_, text)| text.len() < MAX_LINE) {
        let Some((name, kind, column)) = definition(text) else { continue };
        // Equations of one function, and a definition under its own signature, are one.
        if heads.last().is_some_and(|last| last.name == name && last.column == column) {
            continue;
        }
        let floor = heads.last().map_or(0, |last| last.line as usize);
        let first = lead_in(&texts, at, floor, comment);
        if first < at {
            blocks.push((first, at));
        }
        let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
        heads.push(Head { line: number(at), first: number(first), column, name: name.to_owned(), kind });
    }
    (heads, docs(&texts, &blocks, comment, lines))
}

fn definition(text: &str) -> Option<(&str, SymbolKind, usize)> {
    static COMPILED: OnceLock<Vec<(Regex, SymbolKind)>> = OnceLock::new();
    let rules = COMPILED.get_or_init(|| {
        let compile =
            |(rule, kind): &(&str, SymbolKind)| Regex::new(&format!("^(?:{rule})")).ok().map(|rule| (rule, *kind));
        RULES.iter().filter_map(compile).collect()
    });
    let trimmed = text.trim_start();
    let column = text.len() - trimmed.len();
    if column > MAX_COLUMN {
        return None;
    }
    rules.iter().find_map(|(rule, kind)| Some((rule.captures(trimmed)?.get(1)?.as_str(), *kind, column)))
}

/// First of the lines right above `at` that belong to it: comments, attributes, quoted blocks.
fn lead_in(texts: &[&str], at: usize, floor: usize, comment: &str) -> usize {
    let mut first = at;
    while first > floor {
        let Some(above) = texts.get(first - 1).map(|text| text.trim()) else { break };
        let one_line_doc = above.ends_with("\"\"\"") && !opens_or_closes(above);
        if above.starts_with(comment) || above.starts_with('@') || one_line_doc {
            first -= 1;
        } else if above.ends_with("\"\"\"") {
            let searched = texts.get(floor.max((first - 1).saturating_sub(MAX_BLOCK))..first - 1).unwrap_or_default();
            let Some(up) = searched.iter().rev().position(|text| opens_or_closes(text)) else { break };
            first -= up + 2;
        } else {
            break;
        }
    }
    first
}

/// A quoted block begins or ends in the line, and not both.
fn opens_or_closes(line: &str) -> bool {
    line.matches("\"\"\"").count() % 2 == 1
}

/// Comment lines anywhere, and all lines that lead in a definition.
fn docs(texts: &[&str], blocks: &[(usize, usize)], comment: &str, lines: &LineIndex<'_>) -> Vec<Span> {
    let mut in_block = vec![false; texts.len()];
    for (from, to) in blocks {
        if let Some(block) = in_block.get_mut(*from..*to) {
            block.fill(true);
        }
    }
    let doc = texts
        .iter()
        .zip(in_block)
        .enumerate()
        .filter(|(_, (text, block))| *block || text.trim_start().starts_with(comment));
    let line = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    doc.map(|(at, _)| Span { start: lines.start_of(line(at)), end: lines.end_of(line(at)) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_line_is_a_whole_block() {
        let texts =
            ["\"\"\"one\"\"\"", "type A {", "}", "\"\"\"", "two", "\"\"\"", "\"\"\"three\"\"\"", "type B {", "}"];
        assert_eq!(lead_in(&texts, 1, 0, "#"), 0);
        assert_eq!(lead_in(&texts, 7, 2, "#"), 3);
        let far = ["\"\"\"one\"\"\"", "scalar A", "\"\"\"two\"\"\"", "type B {"];
        assert_eq!(lead_in(&far, 3, 0, "#"), 2);
    }
}
