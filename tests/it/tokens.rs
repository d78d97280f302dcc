//! Rust source as a flat list of tokens with lines: enough to check the house rules, without a syntax tree.
//! Comments and the contents of strings are gone, so that nothing written in them can look like code.
//! Read [`Token`] first.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Mark(char),
    Open(char),
    Close(char),
    Literal,
}

#[derive(Debug)]
pub(crate) struct Tokens(Vec<(Token, usize)>);

impl Tokens {
    /// Tokens of `text`.
    ///
    /// # Panics
    /// When `text` is not Rust: such a file would not have compiled.
    pub(crate) fn of(text: &str) -> Self {
        let stream: TokenStream = text.parse().expect("a source file that compiles");
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        Self(tokens)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn line(&self, at: usize) -> usize {
        self.0[at].1
    }

    pub(crate) fn word(&self, at: usize) -> Option<&str> {
        match self.0.get(at) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn is_word(&self, at: usize, word: &str) -> bool {
        self.word(at) == Some(word)
    }

    pub(crate) fn is_mark(&self, at: usize, mark: char) -> bool {
        self.is(at, &Token::Mark(mark))
    }

    pub(crate) fn is_open(&self, at: usize, bracket: char) -> bool {
        self.is(at, &Token::Open(bracket))
    }

    /// `::` at `at`.
    pub(crate) fn is_path(&self, at: usize) -> bool {
        self.is_mark(at, ':') && self.is_mark(at + 1, ':')
    }

    /// `::` ends right before `at`.
    pub(crate) fn follows_path(&self, at: usize) -> bool {
        at >= 2 && self.is_path(at - 2)
    }

    /// Position of the bracket that closes the one at `open`.
    pub(crate) fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for (at, (token, _)) in self.0.iter().enumerate().skip(open) {
            match token {
                Token::Open(_) => depth += 1,
                Token::Close(_) => depth -= 1,
                Token::Word(_) | Token::Mark(_) | Token::Literal => {}
            }
            if depth == 0 {
                return at;
            }
        }
        panic!("invariant: the lexer balances brackets")
    }

    /// First names after a `::` that ends before `at`, each with its position: one name, or those of a `{…}` list.
    pub(crate) fn heads(&self, at: usize) -> Vec<(usize, &str)> {
        if !self.is_open(at, '{') {
            return self.word(at).map(|word| (at, word)).into_iter().collect();
        }
        let close = self.closing(at);
        let mut heads = Vec::new();
        let mut next = at + 1;
        while next < close {
            heads.extend(self.word(next).map(|word| (next, word)));
            while next < close && !self.is_mark(next, ',') {
                next = if matches!(self.0[next].0, Token::Open(_)) { self.closing(next) + 1 } else { next + 1 };
            }
            next += 1;
        }
        heads
    }

    fn is(&self, at: usize, token: &Token) -> bool {
        self.0.get(at).is_some_and(|(found, _)| found == token)
    }
}

fn flatten(stream: TokenStream, out: &mut Vec<(Token, usize)>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Ident(word) => out.push((Token::Word(word.to_string()), line)),
            TokenTree::Punct(mark) => out.push((Token::Mark(mark.as_char()), line)),
            TokenTree::Literal(_) => out.push((Token::Literal, line)),
            TokenTree::Group(group) => {
                let (open, close) = brackets(group.delimiter());
                let end = group.span_close().end().line;
                out.push((Token::Open(open), line));
                flatten(group.stream(), out);
                out.push((Token::Close(close), end));
            }
        }
    }
}

fn brackets(delimiter: Delimiter) -> (char, char) {
    match delimiter {
        Delimiter::Parenthesis => ('(', ')'),
        Delimiter::Brace => ('{', '}'),
        Delimiter::Bracket => ('[', ']'),
        Delimiter::None => (' ', ' '),
    }
}
