//! Names and types as a source has them -> as the index has them: without quotes, pointers, generics and separators. Text only,
//! no grammar. Read [`bare_type`] first.

use std::borrow::Cow;

/// Longest receiver, type or value text that is kept, in bytes.
const MAX_TEXT: usize = 200;

/// `*Server[T]` -> `Server`, `a::b<T>` -> `a.b`: a type's name without pointers, generics and language separators.
pub(super) fn bare_type(written: &str) -> String {
    let mut trimmed = written;
    loop {
        let rest = trimmed.trim_start_matches(['*', '&', '(', ' ', ':']);
        let word = rest.split(' ').next().unwrap_or_default();
        let modifier = word.starts_with('\'') || matches!(word, "mut" | "dyn" | "const");
        trimmed = if modifier { rest.get(word.len()..).unwrap_or_default() } else { rest };
        if !modifier {
            break;
        }
    }
    let end = trimmed.find(['<', '[', '(', '{', ' ', '\n', ')', ',']).unwrap_or(trimmed.len());
    let bare = trimmed.get(..end).unwrap_or_default().trim_end_matches([':', '.', '*', '?', '&']);
    bare.replace("::", ".").replace(['\\', '#'], ".")
}

/// On one line and cut at [`MAX_TEXT`].
pub(super) fn shortened(full: &str) -> String {
    let mut end = full.len().min(MAX_TEXT);
    while !full.is_char_boundary(end) {
        end -= 1;
    }
    let kept = full.get(..end).unwrap_or_default();
    let folds = kept.bytes().any(|byte| byte == b'\n' || byte == b'\t');
    if folds { kept.split_whitespace().collect::<Vec<_>>().join(" ") } else { kept.to_owned() }
}

/// `a.b(x, y).c` -> `a.b().c`. Parentheses that follow no name hold an expression or a type, and stay.
pub(super) fn without_arguments(full: &str) -> Cow<'_, str> {
    if !full.contains(['(', '{']) {
        return Cow::Borrowed(full);
    }
    let (mut kept, mut depth, mut before) = (String::with_capacity(full.len()), 0_u32, ' ');
    let mut quote = None;
    for c in full.chars() {
        match (quote, c) {
            (Some(open), _) if depth > 0 => quote = (c != open || before == '\\').then_some(open),
            (_, '"' | '\'' | '`') if depth > 0 => quote = Some(c),
            (_, '{') if depth > 0 || before == ')' || before.is_alphanumeric() => depth += 1,
            (_, '}') if depth > 0 => {
                depth -= 1;
                kept.push_str(if depth == 0 { "{}" } else { "" });
            }
            (_, '(')
                if depth > 0
                    || before.is_alphanumeric()
                    || matches!(before, '_' | '>' | ')' | ']' | '$' | '?' | '!') =>
            {
                depth += 1;
            }
            (_, ')') if depth > 0 => {
                depth -= 1;
                kept.push_str(if depth == 0 { "()" } else { "" });
            }
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
        before = if c.is_whitespace() && depth == 0 { before } else { c };
    }
    Cow::Owned(kept)
}

/// A module as written, without the quotes or angle brackets around it.
pub(super) fn unquoted(text: &str) -> &str {
    let bare = bare_name(text);
    bare.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(bare).trim()
}

/// A name without the quotes around it; a quote at one end only is part of it (`target.'cfg(unix)'`).
pub(super) fn bare_name(text: &str) -> &str {
    let mut bare = text.trim();
    while let Some(inner) = ['"', '\'', '`'].into_iter().find_map(|quote| bare.strip_prefix(quote)?.strip_suffix(quote))
    {
        bare = inner.trim();
    }
    bare
}

/// `:name` -> `name`: what a symbol literal names.
pub(super) fn symbol_name(text: &str) -> &str {
    text.strip_prefix(':').filter(|rest| !rest.starts_with(':')).unwrap_or(text)
}

/// Cuts at a character boundary at or below `limit` bytes.
pub(super) fn truncate(text: &mut String, limit: usize) {
    if text.len() > limit {
        let mut end = limit;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_and_groups_stay() {
        assert_eq!(without_arguments("a.b(f(x), \")\").c"), "a.b().c");
        assert_eq!(without_arguments("((Foo) x).get(1)"), "((Foo) x).get()");
        assert_eq!(without_arguments("new Map<K, V>([1])"), "new Map<K, V>()");
        assert_eq!(without_arguments("new T(a) { f() { g(); } }.run()"), "new T() {}.run()");
        assert_eq!(without_arguments("xs.filter { it.ok(1) }.first"), "xs.filter {}.first");
        assert_eq!(without_arguments("a(b"), "a");
    }

    #[test]
    fn quotes_go_in_pairs_and_a_symbol_loses_its_colon() {
        assert_eq!(symbol_name(":name"), "name");
        assert_eq!(bare_name(symbol_name(":\"a b\"")), "a b");
        assert_eq!(bare_name("target.'cfg(unix)'"), "target.'cfg(unix)'");
        assert_eq!(bare_name("operator<=>"), "operator<=>");
        assert_eq!(unquoted("<stdio.h>"), "stdio.h");
        assert_eq!(unquoted("::path"), "::path");
    }

    #[test]
    fn a_type_loses_what_is_not_its_name() {
        assert_eq!(bare_type("*Server[T]"), "Server");
        assert_eq!(bare_type("&'a mut a::b<T>"), "a.b");
        assert_eq!(bare_type("App\\Model"), "App.Model");
    }
}
