//! Text to words, words to parts, parts to stems: the one reading of text that index and search share, so that both sides meet.
//! It knows no stop words and no weights: those belong to the question. No input makes it panic.
//! Read [`terms`] first: it is what a word becomes in the index.

use std::iter::Peekable;
use std::str::CharIndices;

use rust_stemmers::Algorithm;

use super::interner::Interner;

/// Letters, digits, `_` and `$` that a word has at most. The rest of a longer run (encoded data) is left out.
pub const WORD_CHARS: usize = 60;

/// Stems remembered before the memory is emptied.
const STEMS_KEPT: usize = 1 << 16;

/// What a word is searched by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term<'a> {
    /// Stem of one part of the word.
    Part(&'a str),
    /// `a+b`: stems of two neighbouring parts. Costs no field length.
    Pair(&'a str),
}

/// Words of a text; see [`words`].
#[derive(Debug, Clone)]
pub struct Words<'a> {
    text: &'a str,
    at: usize,
}

/// English stems with a memory of those already made.
pub struct Stemmer {
    porter: rust_stemmers::Stemmer,
    known: Interner,
    /// By number in `known`.
    stems: Vec<Box<str>>,
    unchanged: String,
    pair: String,
}

/// Runs of letters, digits, `_` and `$`, cut to [`WORD_CHARS`]. A run of a script without blanks goes on as a further word.
#[must_use]
pub const fn words(text: &str) -> Words<'_> {
    Words { text, at: 0 }
}

/// Splits a word at `_` and `$`, where its case changes (`HTTPServer`: http, server; `userIDs`: user, ids) and between digits
/// and letters, and hands on each part in lower case. A run of a script without blanks is handed on whole and as its pairs of
/// neighbouring characters.
pub fn parts(word: &str, mut emit: impl FnMut(&str)) {
    split(word, |part, _| emit(part));
}

/// [`parts`] that every text with this word inside has: not the whole of a run without blanks, which may be longer there.
pub(super) fn exact_parts(word: &str, mut emit: impl FnMut(&str)) {
    split(word, |part, script| {
        if script == Script::Spaced || part.chars().count() <= 2 {
            emit(part);
        }
    });
}

/// Everything a word is found by: its parts as stems, and each pair of neighbours.
pub fn terms(word: &str, stemmer: &mut Stemmer, mut emit: impl FnMut(Term<'_>)) {
    let mut pair = std::mem::take(&mut stemmer.pair);
    pair.clear();
    split(word, |part, script| {
        let stem = stemmer.stem(part);
        emit(Term::Part(stem));
        if script == Script::Unspaced {
            pair.clear();
            return;
        }
        if pair.is_empty() {
            pair.push_str(stem);
        } else {
            let left = pair.len();
            pair.push('+');
            pair.push_str(stem);
            emit(Term::Pair(&pair));
            pair.drain(..=left);
        }
    });
    stemmer.pair = pair;
}

/// Has `_`, a capital inside or a digit run beside letters: a name somebody made, not a word of a language.
#[must_use]
pub fn is_identifier(word: &str) -> bool {
    let mut parts = 0;
    split(word, |_, script| parts += usize::from(script == Script::Spaced));
    parts > 1 || (parts == 1 && word.contains('_'))
}

impl Stemmer {
    #[must_use]
    pub fn new() -> Self {
        Self {
            porter: rust_stemmers::Stemmer::create(Algorithm::English),
            known: Interner::default(),
            stems: Vec::new(),
            unchanged: String::new(),
            pair: String::new(),
        }
    }

    /// Stem of a part in lower case. Fewer than three letters, digits and other scripts stay as they are.
    pub fn stem<'a>(&'a mut self, part: &str) -> &'a str {
        if part.len() < 3 || !part.bytes().all(|byte| byte.is_ascii_lowercase()) {
            self.unchanged.clear();
            self.unchanged.push_str(part);
            return &self.unchanged;
        }
        if self.stems.len() >= STEMS_KEPT {
            (self.known, self.stems) = Default::default();
        }
        let number = self.known.number(part) as usize;
        if number == self.stems.len() {
            self.stems.push(self.porter.stem(part).into());
        }
        self.stems.get(number).map_or("", |stem| stem)
    }
}

impl Default for Stemmer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Stemmer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stemmer").field("known", &self.stems.len()).finish_non_exhaustive()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        loop {
            match KIND[usize::from(*bytes.get(self.at)?)] {
                Kind::Separator => self.at += 1,
                Kind::Word => return Some(self.run()),
                Kind::Wide => match self.wide_char() {
                    Ok(_) => return Some(self.run()),
                    Err(len) => self.at += len,
                },
            }
        }
    }
}

impl<'a> Words<'a> {
    /// The word that starts here; moves behind its run.
    fn run(&mut self) -> &'a str {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        let mut at = start;
        let mut next = Kind::Word;
        while next == Kind::Word && at - start < WORD_CHARS {
            at += 1;
            next = bytes.get(at).map_or(Kind::Separator, |byte| KIND[usize::from(*byte)]);
        }
        if next != Kind::Separator || KIND[usize::from(bytes[start])] == Kind::Wide {
            return self.long_run(start);
        }
        self.at = at;
        self.text.get(start..at).unwrap_or_default()
    }

    /// A word that is not short and all ASCII.
    fn long_run(&mut self, start: usize) -> &'a str {
        let mut chars = 0;
        while let Ok(len) = self.word_char() {
            if chars == WORD_CHARS {
                return self.cut(start);
            }
            self.at += len;
            chars += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn cut(&mut self, start: usize) -> &'a str {
        let word = self.text.get(start..self.at).unwrap_or_default();
        if word.chars().next_back().is_some_and(is_unspaced) {
            return word;
        }
        while let Ok(len) = self.word_char() {
            self.at += len;
        }
        word
    }

    /// Length of the character here: `Ok` of one that belongs to a word.
    fn word_char(&self) -> Result<usize, usize> {
        match self.text.as_bytes().get(self.at).map(|byte| KIND[usize::from(*byte)]) {
            None => Err(0),
            Some(Kind::Word) => Ok(1),
            Some(Kind::Separator) => Err(1),
            Some(Kind::Wide) => self.wide_char(),
        }
    }

    fn wide_char(&self) -> Result<usize, usize> {
        let Some(char) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else { return Err(1) };
        if char.is_alphanumeric() { Ok(char.len_utf8()) } else { Err(char.len_utf8()) }
    }
}

/// What a byte of a text can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Separator,
    Word,
    /// Part of a character beyond ASCII.
    Wide,
}

static KIND: [Kind; 256] = {
    let mut table = [Kind::Separator; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        if ascii.is_ascii_alphanumeric() || ascii == b'_' || ascii == b'$' {
            table[byte] = Kind::Word;
        } else if !ascii.is_ascii() {
            table[byte] = Kind::Wide;
        }
        byte += 1;
    }
    table
};

/// Whether words of a script stand apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Spaced,
    Unspaced,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Unspaced,
    Separator,
}

impl Class {
    fn of(char: char) -> Self {
        match char {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            '_' | '$' => Self::Separator,
            _ if char.is_ascii() => Self::Separator,
            _ if is_unspaced(char) => Self::Unspaced,
            _ if char.is_uppercase() => Self::Upper,
            _ if char.is_numeric() => Self::Digit,
            _ if char.is_alphanumeric() => Self::Lower,
            _ => Self::Separator,
        }
    }
}

/// Chinese, Japanese, Korean and the scripts of South-East Asia that put no blanks between words.
fn is_unspaced(char: char) -> bool {
    matches!(u32::from(char),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0xff66..=0xff9f
        | 0x2_0000..=0x3_ffff)
}

fn split(word: &str, mut emit: impl FnMut(&str, Script)) {
    let mut lower = String::with_capacity(word.len());
    let mut chars = word.char_indices().peekable();
    let (mut start, mut last_upper, mut previous) = (0, 0, Class::Separator);
    while let Some((at, char)) = chars.next() {
        let class = Class::of(char);
        let end = match (previous, class) {
            (Class::Upper, Class::Lower) if last_upper > start && !is_plural(char, &mut chars) => Some(last_upper),
            (Class::Separator, _) | (Class::Upper, Class::Lower) => None,
            (before, now) if before == now => None,
            _ => Some(at),
        };
        if let Some(end) = end {
            hand_on(word.get(start..end).unwrap_or_default(), &mut lower, &mut emit);
            start = end;
        }
        if previous == Class::Separator || class == Class::Separator {
            start = at;
        }
        if class == Class::Upper {
            last_upper = at;
        }
        previous = class;
    }
    if previous != Class::Separator {
        hand_on(word.get(start..).unwrap_or_default(), &mut lower, &mut emit);
    }
}

/// The `s` of `IDs` and `URLsFound` ends an acronym, it does not start a part.
fn is_plural(char: char, rest: &mut Peekable<CharIndices<'_>>) -> bool {
    char == 's' && rest.peek().is_none_or(|&(_, next)| Class::of(next) != Class::Lower)
}

fn hand_on(part: &str, lower: &mut String, emit: &mut impl FnMut(&str, Script)) {
    lower.clear();
    if part.is_ascii() {
        lower.push_str(part);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(part.chars().flat_map(char::to_lowercase));
    }
    let unspaced = lower.chars().next().is_some_and(is_unspaced);
    emit(lower, if unspaced { Script::Unspaced } else { Script::Spaced });
    if unspaced {
        bigrams(lower, emit);
    }
}

fn bigrams(run: &str, emit: &mut impl FnMut(&str, Script)) {
    let ends = || run.char_indices().map(|(at, _)| at).skip(2).chain([run.len()]);
    if run.chars().count() > 2 {
        for ((start, _), end) in run.char_indices().zip(ends()) {
            emit(run.get(start..end).unwrap_or_default(), Script::Unspaced);
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let mut stemmer = Stemmer::new();
        let mut out = String::new();
        for word in words(text) {
            out.push_str(word);
            out.push(if is_identifier(word) { '!' } else { ':' });
            terms(word, &mut stemmer, |term| match term {
                Term::Part(text) | Term::Pair(text) => {
                    out.push(' ');
                    out.push_str(text);
                }
            });
            out.push('\n');
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn identifiers_split_at_case_digits_and_underscores() {
        check(
            "HTTPServer getURLs_for $scope __init__ utf8Decoder IDs HTTP x",
            &expect![[r"
                HTTPServer! http server http+server
                getURLs_for! get url get+url for url+for
                $scope: scope
                __init__! init
                utf8Decoder! utf 8 utf+8 decod 8+decod
                IDs: id
                HTTP: http
                x: x
            "]],
        );
    }

    #[test]
    fn words_of_a_sentence_are_stemmed() {
        check(
            "Serialises the connections, naïvely: Größe ПРИВЕТ!",
            &expect![[r"
                Serialises: serialis
                the: the
                connections: connect
                naïvely: naïvely
                Größe: größe
                ПРИВЕТ: привет
            "]],
        );
    }

    #[test]
    fn scripts_without_blanks_are_found_by_neighbours() {
        check(
            "数据库连接 get数据 カタカナ 用",
            &expect![[r"
                数据库连接: 数据库连接 数据 据库 库连 连接
                get数据: get 数据
                カタカナ: カタカナ カタ タカ カナ
                用: 用
            "]],
        );
    }

    #[test]
    fn long_runs_are_cut_but_text_without_blanks_goes_on() {
        let blob = "a".repeat(200);
        assert_eq!(words(&blob).map(str::len).collect::<Vec<_>>(), [WORD_CHARS]);
        let text = "数".repeat(130);
        assert_eq!(words(&text).map(|word| word.chars().count()).collect::<Vec<_>>(), [60, 60, 10]);
    }

    proptest! {
        #[test]
        fn no_text_panics_or_yields_separators(text in "\\PC{0,80}|[a-zA-Z0-9_$ ]{0,80}|(?s).{0,40}") {
            let mut stemmer = Stemmer::new();
            for word in words(&text) {
                prop_assert!(word.chars().count() <= WORD_CHARS);
                terms(word, &mut stemmer, |term| {
                    let (Term::Part(text) | Term::Pair(text)) = term;
                    assert!(!text.is_empty() && !text.contains(['_', '$', ' ', '\0']));
                });
                // An underscore beside a letter is always a name.
                prop_assert!(is_identifier(word) || !word.contains("_a"));
            }
        }
    }
}
