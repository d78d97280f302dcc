//! The text of a JSON file -> its values and where they stand. Comments, trailing commas and a byte order mark are read over. It changes
//! nothing. Read [`Node`] first.

use serde_json::Value;
use thiserror::Error;

/// A text that is no JSON, not even with comments and trailing commas.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub(crate) struct BrokenJson {
    pub line: usize,
    pub what: &'static str,
}

pub(super) type Parsed<T> = Result<T, BrokenJson>;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar(Value),
}

#[derive(Debug)]
pub(super) struct Member {
    pub name: String,
    pub start: usize,
    pub value: Node,
}

/// Deeper nesting is refused: nobody writes it, and reading it takes the stack.
const MOST_DEPTH: usize = 100;

impl Node {
    pub(super) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, name| match &node.kind {
            Kind::Object(members) => {
                members.iter().rev().find(|member| member.name == *name).map(|member| &member.value)
            }
            Kind::Array(_) | Kind::Scalar(_) => None,
        })
    }

    pub(super) fn value(&self) -> Value {
        match &self.kind {
            Kind::Object(members) => {
                Value::Object(members.iter().map(|member| (member.name.clone(), member.value.value())).collect())
            }
            Kind::Array(items) => Value::Array(items.iter().map(Self::value).collect()),
            Kind::Scalar(value) => value.clone(),
        }
    }

    /// Where its last part ends, if it has parts.
    pub(super) fn last_part(&self) -> Option<usize> {
        match &self.kind {
            Kind::Object(members) => members.last().map(|member| member.value.end),
            Kind::Array(items) => items.last().map(|item| item.end),
            Kind::Scalar(_) => None,
        }
    }
}

pub(super) fn broken(text: &str, at: usize, what: &'static str) -> BrokenJson {
    BrokenJson { line: text.get(..at).unwrap_or(text).matches('\n').count() + 1, what }
}

/// `None` for a text without a value.
pub(super) fn parse(text: &str) -> Parsed<Option<Node>> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    reader.skip()?;
    if reader.peek().is_none() {
        return Ok(None);
    }
    let node = reader.node(0)?;
    reader.skip()?;
    match reader.peek() {
        None => Ok(Some(node)),
        Some(_) => Err(reader.broken("something follows the end")),
    }
}

/// Where the comma is that follows a value which ends at `end`.
pub(super) fn next_comma(text: &str, end: usize) -> Option<usize> {
    let mut reader = Reader { text, at: end };
    (reader.skip().is_ok() && reader.peek() == Some(b',')).then_some(reader.at)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn broken(&self, what: &'static str) -> BrokenJson {
        broken(self.text, self.at, what)
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Over white space and comments.
    fn skip(&mut self) -> Parsed<()> {
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            if self.rest().starts_with("//") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("/*") {
                self.at += self.rest().find("*/").ok_or_else(|| self.broken("a comment has no end"))? + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn node(&mut self, depth: usize) -> Parsed<Node> {
        if depth > MOST_DEPTH {
            return Err(self.broken("nested too deep"));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object(self.parts(b'}', |reader| reader.member(depth))?),
            Some(b'[') => Kind::Array(self.parts(b']', |reader| reader.node(depth + 1))?),
            Some(b'"') => Kind::Scalar(Value::from(self.string()?)),
            Some(_) | None => Kind::Scalar(self.word()?),
        };
        Ok(Node { start, end: self.at, kind })
    }

    /// From the opening bracket to behind the closing one.
    fn parts<T>(&mut self, close: u8, mut part: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            self.skip()?;
            if self.peek() == Some(close) {
                self.at += 1;
                return Ok(parts);
            }
            parts.push(part(self)?);
            self.skip()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {}
                Some(_) | None => return Err(self.broken("a comma or a closing bracket is missing")),
            }
        }
    }

    fn member(&mut self, depth: usize) -> Parsed<Member> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.broken("a key in double quotes was expected"));
        }
        let name = self.string()?;
        self.skip()?;
        if self.peek() != Some(b':') {
            return Err(self.broken("a colon is missing"));
        }
        self.at += 1;
        self.skip()?;
        Ok(Member { name, start, value: self.node(depth + 1)? })
    }

    fn string(&mut self) -> Parsed<String> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut at = start + 1;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    let text = self.text.get(start..=at).unwrap_or_default();
                    let string = serde_json::from_str(text).map_err(|_| self.broken("a text is not well formed"))?;
                    self.at = at + 1;
                    return Ok(string);
                }
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        Err(self.broken("a text has no end"))
    }

    fn word(&mut self) -> Parsed<Value> {
        let end = self.rest().find(|c: char| c.is_whitespace() || ",]}/".contains(c)).unwrap_or(self.rest().len());
        let word = self.rest().get(..end).unwrap_or_default();
        let value = serde_json::from_str(word).map_err(|_| self.broken("a value was expected"))?;
        self.at += end;
        Ok(value)
    }
}
