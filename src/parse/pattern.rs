//! Query text -> patterns, in the query language of tree-sitter as far as the grammars here use it: nodes, fields, `!field`,
//! alternations, quantifiers, anchors, captures and the usual predicates. What it does not know is an error, never skipped.
//! Our own because tree-sitter's compiler takes up to a second for one language, at every start. Read [`Pattern`] first.

use regex::bytes::Regex;
use tree_sitter::Language;

/// One top-level form of a query.
pub(super) struct Pattern {
    pub(super) root: Step,
    pub(super) predicates: Vec<Predicate>,
    /// `#set!` pairs.
    pub(super) settings: Vec<(String, String)>,
}

/// A node that has to be there, with what has to be inside it.
#[derive(Default)]
pub(super) struct Step {
    pub(super) test: Test,
    /// Field it must have in its parent, 0 for any.
    pub(super) field: u16,
    /// Indexes into [`Patterns::captures`].
    pub(super) captures: Vec<u16>,
    pub(super) repeat: Repeat,
    /// Nothing solid between it and the step before (or the first child).
    pub(super) anchored: bool,
    pub(super) children: Vec<Self>,
    /// The last child step is the last solid child.
    pub(super) closed: bool,
    /// Fields that no child may have.
    pub(super) absent: Vec<u16>,
    /// No capture in it or below: one way to match it is enough.
    pub(super) silent: bool,
}

#[derive(Default)]
pub(super) enum Test {
    /// `_`
    #[default]
    Any,
    /// `(_)`
    Named,
    /// One of these kinds; more than one for a supertype.
    Kinds(Vec<u16>),
    Choice(Vec<Step>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Repeat {
    #[default]
    Once,
    /// `?`
    Optional,
    /// `*`
    Any,
    /// `+`
    Some,
}

/// `holds` is false for the `not-` forms. A capture that is missing fulfils everything.
pub(super) struct Predicate {
    pub(super) capture: u16,
    pub(super) check: Check,
    pub(super) holds: bool,
}

pub(super) enum Check {
    Words(Vec<String>),
    Same(u16),
    Regex(Regex),
}

/// All patterns of a language and the names of their captures.
#[derive(Default)]
pub(super) struct Patterns {
    pub(super) patterns: Vec<Pattern>,
    pub(super) captures: Vec<String>,
}

impl Patterns {
    /// Reads query text.
    ///
    /// # Errors
    /// The line, from 1, and what is wrong there.
    pub(super) fn read(language: &Language, source: &str) -> Result<Self, (usize, String)> {
        let tokens = tokens(source)?;
        let mut reader = Reader { language, tokens, at: 0, captures: Vec::new(), pending: Pending::default() };
        let mut patterns = Vec::new();
        while reader.peek().is_some() {
            let read = reader.pattern().map_err(|error| (reader.line(), error))?;
            patterns.push(read);
        }
        Ok(Self { patterns, captures: reader.captures })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    OpenChoice,
    CloseChoice,
    Anchor,
    Quantifier(Repeat),
    /// Node kind, field, `_`.
    Word(String),
    Colon,
    Absent(String),
    Text(String),
    Capture(String),
    Predicate(String),
}

/// Tokens with their lines.
fn tokens(source: &str) -> Result<Vec<(Token, usize)>, (usize, String)> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        let token = match c {
            '\n' => {
                line += 1;
                continue;
            }
            c if c.is_whitespace() => continue,
            ';' => {
                while rest.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            '(' => Token::Open,
            ')' => Token::Close,
            '[' => Token::OpenChoice,
            ']' => Token::CloseChoice,
            '.' => Token::Anchor,
            '?' => Token::Quantifier(Repeat::Optional),
            '*' => Token::Quantifier(Repeat::Any),
            '+' => Token::Quantifier(Repeat::Some),
            ':' => Token::Colon,
            '!' => Token::Absent(word(&mut rest, is_name)),
            '@' => Token::Capture(word(&mut rest, |c| is_name(c) || c == '.')),
            '#' => Token::Predicate(word(&mut rest, |c| is_name(c) || matches!(c, '-' | '?' | '!'))),
            '"' => Token::Text(quoted(&mut rest).ok_or((line, "a string without an end".to_owned()))?),
            c if is_name(c) => Token::Word(format!("{c}{}", word(&mut rest, |c| is_name(c) || matches!(c, '.' | '-')))),
            other => return Err((line, format!("{other:?} means nothing here"))),
        };
        found.push((token, line));
    }
    Ok(found)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, belongs: impl Fn(char) -> bool) -> String {
    let mut word = String::new();
    while let Some(c) = rest.next_if(|c| belongs(*c)) {
        word.push(c);
    }
    word
}

/// A string after its opening quote, escapes resolved.
fn quoted(rest: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => text.push(match rest.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                other => other,
            }),
            c => text.push(c),
        }
    }
}

/// Predicates and settings of the pattern that is being read: they may stand anywhere in it.
#[derive(Default)]
struct Pending {
    predicates: Vec<Predicate>,
    settings: Vec<(String, String)>,
}

struct Reader<'l> {
    language: &'l Language,
    tokens: Vec<(Token, usize)>,
    at: usize,
    captures: Vec<String>,
    pending: Pending,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    fn take(&mut self, token: &Token) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    fn line(&self) -> usize {
        let last = self.at.saturating_sub(1).min(self.tokens.len().saturating_sub(1));
        self.tokens.get(last).map_or(0, |(_, line)| *line)
    }

    fn pattern(&mut self) -> Result<Pattern, String> {
        self.pending = Pending::default();
        let root = self.step()?;
        let rooted = match &root.test {
            Test::Kinds(_) => true,
            Test::Choice(choices) => choices.iter().all(|choice| matches!(choice.test, Test::Kinds(_))),
            Test::Any | Test::Named => false,
        };
        if !rooted || root.field != 0 || root.repeat != Repeat::Once {
            return Err("a pattern has to start at one node of a known kind".to_owned());
        }
        let Pending { predicates, settings } = std::mem::take(&mut self.pending);
        Ok(Pattern { root, predicates, settings })
    }

    /// `field: primary @capture?`
    fn step(&mut self) -> Result<Step, String> {
        let field = self.field()?;
        let mut step = match self.next() {
            Some(Token::Open) => self.node()?,
            Some(Token::OpenChoice) => self.choice()?,
            Some(Token::Text(text)) => self.anonymous(&text)?,
            Some(Token::Word(word)) if word == "_" => Step::default(),
            other => return Err(format!("{other:?} where a node is expected")),
        };
        step.field = field;
        loop {
            match self.peek() {
                Some(Token::Capture(name)) => {
                    let name = name.clone();
                    step.captures.push(self.capture(&name));
                }
                Some(Token::Quantifier(repeat)) => step.repeat = *repeat,
                _ => break,
            }
            self.at += 1;
        }
        step.silent =
            step.captures.is_empty() && step.children.iter().all(|child| child.silent) && !step.test.captures();
        Ok(step)
    }

    fn field(&mut self) -> Result<u16, String> {
        let Some((Token::Word(name), Some((Token::Colon, _)))) =
            self.peek().map(|word| (word, self.tokens.get(self.at + 1)))
        else {
            return Ok(0);
        };
        let id = self.field_id(name)?;
        self.at += 2;
        Ok(id)
    }

    fn field_id(&self, name: &str) -> Result<u16, String> {
        let id = self.language.field_id_for_name(name);
        id.map(std::num::NonZeroU16::get).ok_or_else(|| format!("the grammar has no field {name:?}"))
    }

    /// After `(`: a node kind with what is inside it, or a group of one node and predicates.
    fn node(&mut self) -> Result<Step, String> {
        let mut step = match self.peek() {
            Some(Token::Open | Token::OpenChoice) => return self.group(),
            _ => Step { test: self.kind()?, ..Step::default() },
        };
        let mut anchored = false;
        while !self.take(&Token::Close) {
            if self.predicate()? {
                continue;
            }
            match self.peek() {
                Some(Token::Anchor) => {
                    anchored = true;
                    self.at += 1;
                }
                Some(Token::Absent(name)) => {
                    step.absent.push(self.field_id(name)?);
                    self.at += 1;
                }
                Some(_) => {
                    let child = Step { anchored: std::mem::take(&mut anchored), ..self.step()? };
                    step.children.push(child);
                }
                None => return Err("a node without an end".to_owned()),
            }
        }
        step.closed = anchored;
        Ok(step)
    }

    fn group(&mut self) -> Result<Step, String> {
        let step = self.step()?;
        while self.predicate()? {}
        if self.take(&Token::Close) { Ok(step) } else { Err("groups of several nodes are not supported".to_owned()) }
    }

    fn kind(&mut self) -> Result<Test, String> {
        let Some(Token::Word(name)) = self.next() else { return Err("a node without a kind".to_owned()) };
        if name == "_" {
            return Ok(Test::Named);
        }
        if name == "ERROR" {
            return Ok(Test::Kinds(vec![u16::MAX]));
        }
        let id = self.language.id_for_node_kind(&name, true);
        if id == 0 {
            return Err(format!("the grammar has no node {name:?}"));
        }
        Ok(Test::Kinds(self.concrete(id)))
    }

    /// A supertype stands for all its subtypes.
    fn concrete(&self, id: u16) -> Vec<u16> {
        if !self.language.node_kind_is_supertype(id) {
            return vec![id];
        }
        let subtypes = self.language.subtypes_for_supertype(id);
        let mut ids: Vec<u16> =
            subtypes.iter().filter(|subtype| **subtype != id).flat_map(|subtype| self.concrete(*subtype)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn anonymous(&self, text: &str) -> Result<Step, String> {
        match self.language.id_for_node_kind(text, false) {
            0 => Err(format!("the grammar has no token {text:?}")),
            id => Ok(Step { test: Test::Kinds(vec![id]), ..Step::default() }),
        }
    }

    fn choice(&mut self) -> Result<Step, String> {
        let mut choices = Vec::new();
        while !self.take(&Token::CloseChoice) {
            choices.push(self.step()?);
        }
        Ok(Step { test: Test::Choice(choices), ..Step::default() })
    }

    fn capture(&mut self, name: &str) -> u16 {
        let at = self.captures.iter().position(|known| known == name).unwrap_or_else(|| {
            self.captures.push(name.to_owned());
            self.captures.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    /// `(#…)`; `false` when something else stands here.
    fn predicate(&mut self) -> Result<bool, String> {
        let (Some(Token::Open), Some((Token::Predicate(name), _))) = (self.peek(), self.tokens.get(self.at + 1)) else {
            return Ok(false);
        };
        let name = name.clone();
        self.at += 2;
        let mut arguments = Vec::new();
        while !self.take(&Token::Close) {
            arguments.push(self.next().ok_or("a predicate without an end")?);
        }
        if name == "set!" {
            let setting = setting(&arguments).ok_or("#set! takes a key and a string")?;
            self.pending.settings.push(setting);
        } else {
            let predicate = self.check(&name, arguments)?;
            self.pending.predicates.push(predicate);
        }
        Ok(true)
    }

    fn check(&mut self, name: &str, arguments: Vec<Token>) -> Result<Predicate, String> {
        let holds = !name.starts_with("not-");
        let mut arguments = arguments.into_iter();
        let Some(Token::Capture(capture)) = arguments.next() else {
            return Err(format!("#{name} takes a capture first"));
        };
        let capture = self.capture(&capture);
        let operands: Vec<Token> = arguments.collect();
        let check = match (name.trim_start_matches("not-"), operands.as_slice()) {
            ("eq?", [Token::Capture(other)]) => Check::Same(self.capture(other)),
            ("eq?", [Token::Text(word)]) => Check::Words(vec![word.clone()]),
            ("any-of?", words) => {
                Check::Words(words.iter().map(text).collect::<Option<_>>().ok_or("#any-of? takes strings")?)
            }
            ("match?", [Token::Text(regex)]) => Check::Regex(Regex::new(regex).map_err(|error| error.to_string())?),
            _ => return Err(format!("#{name} is not known with these operands")),
        };
        Ok(Predicate { capture, check, holds })
    }
}

impl Test {
    fn captures(&self) -> bool {
        match self {
            Self::Choice(choices) => choices.iter().any(|choice| !choice.silent),
            Self::Any | Self::Named | Self::Kinds(_) => false,
        }
    }
}

fn setting(arguments: &[Token]) -> Option<(String, String)> {
    match arguments {
        [Token::Word(key), Token::Text(value) | Token::Word(value)] => Some((key.clone(), value.clone())),
        _ => None,
    }
}

fn text(token: &Token) -> Option<String> {
    if let Token::Text(text) = token { Some(text.clone()) } else { None }
}
