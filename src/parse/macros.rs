//! C and C++ put macros where a grammar wants a specifier (`LIB_API int f();`, `LIB_BEGIN_NAMESPACE`), and what follows is then
//! misread, at worst to the end of the file. Such words are blanked before parsing; no byte moves, and nothing is expanded.
//! Read [`blanked`] first.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

/// Words that may stand before a macro in a declaration.
const SPECIFIERS: [&str; 9] =
    ["static", "inline", "extern", "virtual", "explicit", "friend", "constexpr", "typedef", "mutable"];
/// Words that only a declaration starts with.
const STARTERS: [&str; 32] = [
    "auto",
    "bool",
    "char",
    "class",
    "constexpr",
    "consteval",
    "constinit",
    "double",
    "enum",
    "explicit",
    "extern",
    "float",
    "friend",
    "inline",
    "int",
    "long",
    "namespace",
    "operator",
    "private",
    "protected",
    "public",
    "short",
    "signed",
    "static",
    "struct",
    "template",
    "typedef",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
];
const TAGS: [&str; 4] = ["class", "struct", "union", "enum"];
const QUALIFIERS: [&str; 2] = ["const", "volatile"];
/// How far arguments of a template are followed.
const MAX_ARGUMENTS: usize = 400;

/// What stands before a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A statement or a declaration may start here.
    Boundary,
    Specifier,
    /// `class` and its kin.
    Tag,
    Other,
}

/// Macros in a row have one answer: asked once, or a long row would be walked again from each of its words.
#[derive(Debug, Default)]
struct Run {
    /// End of the word after the last macro.
    end: usize,
    declares: bool,
}

/// `text` with white space in place of macros that stand as specifiers or alone between declarations.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut before = Before::Boundary;
    let mut types = FxHashSet::default();
    let mut run = Run::default();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = token_end(bytes, at);
        if is_word(byte) {
            let word = text.get(at..end).unwrap_or_default();
            if is_macro(word)
                && before != Before::Other
                && (stands_as_specifier(text, end, before, &mut run) || constructs(text, end, &types))
            {
                found.push(at..end);
            } else {
                if before == Before::Tag {
                    types.insert(word);
                }
                before = after_word(word);
            }
        } else if byte == b'#' || matches!(byte, b';' | b'{' | b'}' | b'>' | b':') {
            before = Before::Boundary;
        } else if !byte.is_ascii_whitespace() && !is_comment(bytes, at) {
            before = Before::Other;
        }
        at = end;
    }
    if found.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(without(text, &found)) }
}

fn without(text: &str, words: &[std::ops::Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for word in words {
        out.push_str(text.get(from..word.start).unwrap_or_default());
        out.extend(std::iter::repeat_n(' ', word.len()));
        from = word.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn after_word(word: &str) -> Before {
    if SPECIFIERS.contains(&word) {
        Before::Specifier
    } else if TAGS.contains(&word) {
        Before::Tag
    } else {
        Before::Other
    }
}

/// `LIB_API`: capitals and at least one `_` inside.
fn is_macro(word: &str) -> bool {
    let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    capital && word.contains('_') && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// Whether what follows a macro-like word at `at` is a declaration that needs no further type before it.
fn stands_as_specifier(text: &str, at: usize, before: Before, run: &mut Run) -> bool {
    let (next, end) = next_word(text, at);
    match before {
        Before::Other => false,
        Before::Tag => !next.is_empty() && opens_type(text, end),
        Before::Specifier => run.declares(text, next, end),
        Before::Boundary => run.declares(text, next, end) || (next.is_empty() && ends_here(text, at)),
    }
}

/// A constructor of a type that was named before.
fn constructs(text: &str, at: usize, types: &FxHashSet<&str>) -> bool {
    let (next, end) = next_word(text, at);
    types.contains(next) && text.as_bytes().get(end) == Some(&b'(')
}

/// After the name of a type: its body or its bases.
fn opens_type(text: &str, at: usize) -> bool {
    let at = skip_blank(text.as_bytes(), at);
    let rest = text.get(at..).unwrap_or_default();
    rest.starts_with('{') || (rest.starts_with(':') && !rest.starts_with("::")) || rest.starts_with("final")
}

impl Run {
    /// A type and a name follow, or a word that only a declaration starts with. Further macros are passed over.
    fn declares<'t>(&mut self, text: &'t str, mut word: &'t str, mut end: usize) -> bool {
        if end <= self.end {
            return self.declares;
        }
        while is_macro(word) || QUALIFIERS.contains(&word) {
            (word, end) = next_word(text, end);
        }
        let declares = !word.is_empty() && (STARTERS.contains(&word) || names_follow(text.as_bytes(), end));
        *self = Self { end, declares };
        declares
    }
}

/// After the first word of a type: the rest of it, then a name.
fn names_follow(bytes: &[u8], mut at: usize) -> bool {
    while bytes.get(at..at + 2) == Some(b"::") {
        at = word_end(bytes, at + 2);
    }
    if bytes.get(at) == Some(&b'<') {
        let arguments = bytes.get(at..bytes.len().min(at + MAX_ARGUMENTS)).unwrap_or_default();
        let Some(length) = arguments_length(arguments) else { return false };
        at += length;
    }
    bytes.get(skip_blank(bytes, at)).is_some_and(|&byte| is_word(byte) || matches!(byte, b'*' | b'&' | b'~'))
}

/// Length of `<…>` with its brackets.
fn arguments_length(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if depth == 1 => return Some(at + 1),
            b'>' => depth -= 1,
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// The file or a stretch before a directive ends.
fn ends_here(text: &str, at: usize) -> bool {
    let rest = text.get(skip_blank(text.as_bytes(), at)..).unwrap_or_default();
    rest.is_empty() || rest.starts_with('#')
}

/// The word that follows, empty when something else does, and its end.
fn next_word(text: &str, at: usize) -> (&str, usize) {
    let start = skip_blank(text.as_bytes(), at);
    let end = word_end(text.as_bytes(), start);
    (text.get(start..end).unwrap_or_default(), end)
}

fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) || is_comment(bytes, at) {
        at = token_end(bytes, at);
    }
    at
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_comment(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at..at + 2), Some(b"//" | b"/*"))
}

fn word_end(bytes: &[u8], at: usize) -> usize {
    at + bytes.iter().skip(at).take_while(|byte| is_word(**byte)).count()
}

/// End of the word, literal, comment, directive or single character at `at`; always beyond `at`.
fn token_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        [b'#', ..] | [b'/', b'/', ..] => line_end(bytes, at),
        [b'/', b'*', rest @ ..] => {
            at + 2 + rest.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 2)
        }
        [quote @ (b'"' | b'\''), ..] => literal_end(bytes, at, *quote),
        [byte, ..] if is_word(*byte) => word_end(bytes, at),
        _ => at + 1,
    }
}

/// End of the line, continued lines included.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while let Some(length) = bytes.get(end..).and_then(|rest| rest.iter().position(|byte| *byte == b'\n')) {
        end += length + 1;
        let line = bytes.get(at..end - 1).unwrap_or_default();
        if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
            return end;
        }
    }
    bytes.len()
}

/// End of a string or character; an unclosed one ends with its line.
fn literal_end(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'\n' => return end,
            _ if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that were blanked.
    fn gone(text: &str) -> Vec<&str> {
        let out = blanked(text);
        assert_eq!(out.len(), text.len());
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        words.filter(|word| !out.contains(*word)).collect()
    }

    #[test]
    fn macros_in_place_of_specifiers_are_blanked() {
        assert_eq!(gone("LIB_API int f(void);"), ["LIB_API"]);
        assert_eq!(
            gone("LIB_BEGIN_NAMESPACE\nnamespace a {}\nLIB_END_NAMESPACE\n#endif\n"),
            ["LIB_BEGIN_NAMESPACE", "LIB_END_NAMESPACE"]
        );
        assert_eq!(gone("template <class T> LIB_CONSTEXPR LIB_INLINE auto f() -> T;"), ["LIB_CONSTEXPR", "LIB_INLINE"]);
        assert_eq!(gone("class LIB_EXPORT Thing final : Base {};"), ["LIB_EXPORT"]);
        assert_eq!(gone("struct Thing { LIB_CONSTEXPR Thing(int x) : x(x) {} };"), ["LIB_CONSTEXPR"]);
        assert_eq!(gone("static LIB_INLINE const std::vector<int>& f();"), ["LIB_INLINE"]);
    }

    #[test]
    fn constants_types_and_calls_stay() {
        let kept = [
            "enum { LIB_A, LIB_B };",
            "enum {\n  LIB_A\n};",
            "LIB_T x = LIB_A;",
            "static LIB_T const x = 1;",
            "LIB_PTR f(int x) { return LIB_A | LIB_B; }",
            "switch (x) { case LIB_A: LIB_CALL(x); }",
            "struct LIB_T x;",
            "#define LIB_A int x\n",
            "#define LIB_B \\\n  LIB_C int x\n",
            "f(LIB_A,\n  LIB_B\n  );",
            "const char *s = \"; LIB_A int x\"; // LIB_B int",
        ];
        for text in kept {
            assert_eq!(gone(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_row_of_any_length_is_walked_once() {
        let row = "A_B ".repeat(500_000);
        assert!(!blanked(&format!("{row}int x;")).contains("A_B"));
        let kept = format!("{row}= 1;");
        assert_eq!(blanked(&kept), kept);
        assert_eq!(gone("LIB_A LIB_B int x; LIB_C = 1; LIB_D int y;"), ["LIB_A", "LIB_B", "LIB_D"]);
    }

    #[test]
    fn any_bytes_are_taken() {
        for text in ["", "LIB_A", "LIB_A <", "LIB_A x<", "\"", "'\\", "/*", "#\\\n", "LIB_A é::", "A_B a::<"] {
            assert_eq!(blanked(text).len(), text.len(), "{text}");
        }
    }
}
