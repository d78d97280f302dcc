//! From what was asked to what is looked for: weighted terms, names, quoted phrases. Any text is a query; none is an error. It asks
//! no index, so it knows neither how rare a word is nor which names exist. Read [`Query`] first.

use rustc_hash::{FxHashMap, FxHashSet};

use super::stopwords::{is_soft, is_stop};
use crate::store::tokens::{self, Stemmer};

/// Bytes of a query that are read.
const MAX_BYTES: usize = 256 << 10;
/// Words of a query that are read. Issue texts have some hundred.
const MAX_WORDS: usize = 4_000;
const MAX_PHRASES: usize = 8;
/// Names that are looked up, and joined words that file names are compared with.
const MAX_NAMES: usize = 384;
/// A word of fewer letters is too common a name to be looked up where it stands in a sentence.
const PLAIN_NAME_LETTERS: usize = 4;

/// Words that a sentence or the title of an issue has.
const SUBJECT_WORDS: f32 = 16.0;

const WORD: f32 = 1.0;
const PART: f32 = 0.7;
const WORD_PAIR: f32 = 0.3;
const NAME_PAIR: f32 = 0.2;
/// A word at the very end weighs so much less than the first.
const POSITION: f32 = 0.1;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Query {
    /// One name and nothing else, qualified or not.
    pub symbol: bool,
    /// Distinct, in order of appearance.
    pub terms: Vec<Term>,
    /// Distinct stems, stop words aside; with those of soft words.
    pub stems: Vec<Box<str>>,
    /// How many of [`Query::stems`] are of words that have a meaning of their own; these stand first.
    pub content: usize,
    /// Stems of two neighbouring words written as one.
    pub joined: Vec<Box<str>>,
    /// Distinct, in order of appearance.
    pub names: Vec<Name>,
    /// Texts in double quotes, as written.
    pub phrases: Vec<Box<str>>,
    /// What it is about: the first words in lower case and the stems of their parts. Further on, a long text mentions many things.
    pub words: FxHashSet<Box<str>>,
}

/// A stem, or a pair `a+b`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    pub text: Box<str>,
    /// Of all its occurrences together: what a text comes back to is its subject.
    pub weight: f32,
    /// Longer words that start like it are looked for too.
    pub expands: bool,
}

/// A word that may be the name of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Name {
    /// As written; of a qualified name, the last part.
    pub text: Box<str>,
    pub role: Role,
    /// Stems of what stands before it in a qualified name.
    pub qualifier: Vec<Box<str>>,
}

/// How a name stands in the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// The whole query.
    Symbol,
    /// In a sentence, and nobody would write a word like this.
    Identifier,
    /// A capitalised word in a sentence.
    Capitalised,
    /// Any other word in a sentence.
    Plain,
}

impl Query {
    pub(super) fn parse(text: &str, stemmer: &mut Stemmer) -> Self {
        let text = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
        let groups = groups(text);
        let symbol = groups.len() == 1 && is_bare(text, &groups);
        let read = |left_out, stemmer: &mut Stemmer| {
            let query = Self { symbol, ..Self::default() };
            let mut parser = Parser { stemmer, query, known: FxHashMap::default() };
            parser.read(&groups, left_out);
            parser.query
        };
        let mut query = read(LeftOut::StopAndSoft, stemmer);
        if query.content == 0 {
            query = read(LeftOut::Stop, stemmer);
        }
        if query.content == 0 {
            query = read(LeftOut::Nothing, stemmer);
        }
        query.phrases = phrases(text);
        query
    }

    /// At most 1; falls as the query has more stems than `most`.
    pub(super) fn brevity(&self, most: f32) -> f32 {
        (most / self.stems.len().max(1) as f32).min(1.0)
    }
}

/// Two stems are one word with different endings (`parser`, `parsing`; `resolve`, `resolution`).
pub(super) fn akin(left: &str, right: &str) -> bool {
    const SHARED_LETTERS: usize = 4;
    const ENDING_LETTERS: usize = 3;
    let shared = left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count();
    left == right || (shared >= SHARED_LETTERS && shared + ENDING_LETTERS >= left.len().max(right.len()))
}

/// Words that are one qualified name, or a single word.
type Group<'a> = Vec<&'a str>;

/// Words that are no terms of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LeftOut {
    StopAndSoft,
    /// For a text that has nothing but these and soft words.
    Stop,
    Nothing,
}

struct Parser<'s> {
    stemmer: &'s mut Stemmer,
    query: Query,
    /// Term -> its place in the query.
    known: FxHashMap<Box<str>, usize>,
}

/// The part before the one at hand, stop words aside.
struct Previous {
    stem: Box<str>,
    part: String,
}

impl Parser<'_> {
    fn read(&mut self, groups: &[Group<'_>], left_out: LeftOut) {
        let words = groups.iter().map(Vec::len).sum::<usize>().max(1) as f32;
        let mut soft_stems = Vec::new();
        let (mut position, mut previous) = (0.0, None);
        for (at, group) in groups.iter().enumerate() {
            let named = self.query.symbol || is_name(group);
            for word in group {
                let lower = word.to_lowercase();
                let weight = 1.0 - POSITION * position / words;
                position += 1.0;
                if position <= SUBJECT_WORDS {
                    self.remember_word(word, &lower);
                }
                if left_out != LeftOut::Nothing && !named && is_stop(&lower) {
                    continue;
                }
                let soft = left_out == LeftOut::StopAndSoft && !named && is_soft(&lower);
                if soft {
                    tokens::parts(word, |part| soft_stems.push(Box::from(self.stemmer.stem(part))));
                } else {
                    self.add_word(word, if named { PART } else { WORD } * weight);
                }
                self.add_neighbours(word, weight, &mut previous);
            }
            self.add_names(group, named, at > 0);
        }
        self.query.content = self.query.stems.len();
        for stem in soft_stems {
            if !self.known.contains_key(&stem) {
                self.known.insert(stem.clone(), usize::MAX);
                self.query.stems.push(stem);
            }
        }
    }

    fn remember_word(&mut self, word: &str, lower: &str) {
        tokens::parts(word, |part| {
            let stem = self.stemmer.stem(part);
            if !self.query.words.contains(stem) {
                self.query.words.insert(stem.into());
            }
        });
        self.query.words.insert(lower.into());
    }

    fn add_word(&mut self, word: &str, weight: f32) {
        let mut found: Vec<(Box<str>, bool)> = Vec::new();
        tokens::terms(word, self.stemmer, |term| match term {
            tokens::Term::Part(stem) => found.push((stem.into(), true)),
            tokens::Term::Pair(pair) => found.push((pair.into(), false)),
        });
        for (text, is_stem) in found {
            if is_stem {
                if !self.known.contains_key(&text) {
                    self.query.stems.push(text.clone());
                }
                self.add_term(text, weight, true);
            } else {
                self.add_term(text, weight / PART * NAME_PAIR, false);
            }
        }
    }

    /// What the word makes with the one before it: a pair, and one word; its own parts make one word too.
    fn add_neighbours(&mut self, word: &str, weight: f32, previous: &mut Option<Previous>) {
        let mut parts: Vec<String> = Vec::new();
        tokens::parts(word, |part| parts.push(part.to_owned()));
        let mut before = previous.take();
        for (at, part) in parts.into_iter().enumerate() {
            let stem: Box<str> = self.stemmer.stem(&part).into();
            if let Some(before) = before {
                if at == 0 {
                    self.add_term(format!("{}+{stem}", before.stem).into(), WORD_PAIR * weight, false);
                }
                let joined = self.stemmer.stem(&(before.part + &part)).into();
                push_distinct(&mut self.query.joined, joined, MAX_NAMES);
            }
            before = Some(Previous { stem, part });
        }
        *previous = before;
    }

    fn add_term(&mut self, text: Box<str>, weight: f32, expands: bool) {
        if let Some(term) = self.known.get(&text).and_then(|&at| self.query.terms.get_mut(at)) {
            term.weight += weight;
            return;
        }
        self.known.insert(text.clone(), self.query.terms.len());
        self.query.terms.push(Term { text, weight, expands });
    }

    fn add_names(&mut self, group: &Group<'_>, named: bool, inside: bool) {
        let Some((&last, before)) = group.split_last() else { return };
        let lower = last.to_lowercase();
        let role = if self.query.symbol {
            Role::Symbol
        } else if named {
            Role::Identifier
        } else if is_stop(&lower) || is_soft(&lower) {
            return;
        } else if inside && last.starts_with(char::is_uppercase) {
            Role::Capitalised
        } else {
            Role::Plain
        };
        let mut qualifier = Vec::new();
        for word in before {
            tokens::parts(word, |part| qualifier.push(self.stemmer.stem(part).into()));
        }
        self.add_name(Name { text: last.into(), role, qualifier });
        if role == Role::Capitalised {
            self.add_name(Name { text: last.into(), role: Role::Plain, qualifier: Vec::new() });
        }
    }

    fn add_name(&mut self, name: Name) {
        let long_enough = name.role != Role::Plain || name.text.chars().count() >= PLAIN_NAME_LETTERS;
        if long_enough {
            push_distinct(&mut self.query.names, name, MAX_NAMES);
        }
    }
}

fn push_distinct<T: PartialEq>(list: &mut Vec<T>, item: T, most: usize) {
    if list.len() < most && !list.contains(&item) {
        list.push(item);
    }
}

/// The words of a text; those joined as a qualified name (`a.b`, `a::b`, `a->b`, `a#b`) stand together.
fn groups(text: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut end = 0;
    for word in tokens::words(text).take(MAX_WORDS) {
        let start = word.as_ptr().addr() - text.as_ptr().addr();
        let between = text.get(end..start).unwrap_or_default();
        end = start + word.len();
        let joins = matches!(between, "." | "::" | "->" | "#") && starts_name(word);
        match groups.last_mut() {
            Some(group) if joins && group.iter().all(|word| starts_name(word)) => group.push(word),
            _ => groups.push(vec![word]),
        }
    }
    groups
}

fn starts_name(word: &str) -> bool {
    word.starts_with(|char: char| char.is_alphabetic() || char == '_' || char == '$')
}

fn is_name(group: &Group<'_>) -> bool {
    group.len() > 1 || group.first().is_some_and(|word| tokens::is_identifier(word))
}

/// There is nothing but the one name in the text, at most with signs around it.
fn is_bare(text: &str, groups: &[Group<'_>]) -> bool {
    !text.trim().contains(char::is_whitespace) && groups.iter().flatten().next().is_some_and(|word| starts_name(word))
}

/// What stands between double quotes and holds a word.
fn phrases(text: &str) -> Vec<Box<str>> {
    let mut found: Vec<Box<str>> = Vec::new();
    let mut pieces = text.split(['"', '\u{201c}', '\u{201d}']);
    pieces.next();
    while let (Some(quoted), Some(_)) = (pieces.next(), pieces.next()) {
        if tokens::words(quoted).next().is_some() {
            push_distinct(&mut found, quoted.trim().into(), MAX_PHRASES);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let query = Query::parse(text, &mut Stemmer::new());
        let terms: Vec<String> = query.terms.iter().map(|term| format!("{} {:.2}", term.text, term.weight)).collect();
        let names: Vec<String> =
            query.names.iter().map(|name| format!("{:?} {} {:?}", name.role, name.text, name.qualifier)).collect();
        expected.assert_eq(&format!(
            "symbol: {}\nterms: {}\nstems: {} ({} of content)\njoined: {}\nnames: {}\nphrases: {:?}\n",
            query.symbol,
            terms.join(", "),
            query.stems.join(" "),
            query.content,
            query.joined.join(" "),
            names.join(", "),
            query.phrases
        ));
    }

    #[test]
    fn a_sentence_loses_stop_and_soft_words_and_gains_pairs() {
        check(
            "how the web socket handles Frames",
            &expect![[r#"
                symbol: false
                terms: web 0.97, socket 0.95, web+socket 0.28, socket+handl 0.28, frame 0.92, handl+frame 0.28
                stems: web socket frame handl (3 of content)
                joined: websocket sockethandl handlesfram
                names: Plain socket [], Capitalised Frames [], Plain Frames []
                phrases: []
            "#]],
        );
    }

    #[test]
    fn identifiers_are_split_and_looked_up() {
        check(
            "why does JsonReader.next_token skip path_rewrite",
            &expect![[r#"
                symbol: false
                terms: json 0.68, reader 0.68, json+reader 0.19, next 0.66, token 0.66, next+token 0.19, reader+next 0.28, skip 0.93, token+skip 0.28, path 0.64, rewrit 0.64, path+rewrit 0.18, skip+path 0.28
                stems: json reader next token skip path rewrit (7 of content)
                joined: jsonread readernext nexttoken tokenskip skippath pathrewrit
                names: Identifier next_token ["json", "reader"], Plain skip [], Identifier path_rewrite []
                phrases: []
            "#]],
        );
    }

    #[test]
    fn one_name_is_a_symbol_query() {
        check(
            "Outer::Inner::getValue()",
            &expect![[r#"
                symbol: true
                terms: outer 0.70, inner 0.68, outer+inner 0.29, get 0.65, valu 0.65, get+valu 0.19, inner+get 0.28
                stems: outer inner get valu (4 of content)
                joined: outerinn innerget getvalu
                names: Symbol getValue ["outer", "inner"]
                phrases: []
            "#]],
        );
        for (text, symbol) in [
            ("Router", true),
            ("`with`", true),
            ("$scope", true),
            ("#app", true),
            ("a.b", true),
            ("数据库", true),
            ("web-socket", false),
            ("3.8", false),
            ("a b", false),
            ("Router middleware", false),
            ("src/a.rs", false),
            ("", false),
        ] {
            assert_eq!(Query::parse(text, &mut Stemmer::new()).symbol, symbol, "{text}");
        }
    }

    #[test]
    fn a_question_of_nothing_but_stop_words_is_asked_as_it_stands() {
        check(
            "what is it",
            &expect![[r#"
                symbol: false
                terms: what 1.00, is 0.97, what+is 0.29, it 0.93, is+it 0.28
                stems: what is it (3 of content)
                joined: whati isit
                names: 
                phrases: []
            "#]],
        );
    }

    #[test]
    fn a_question_of_nothing_but_soft_words_keeps_them() {
        for (text, stems) in [
            ("call handling", "call handl"),
            ("handling the call of process", "handl call process"),
            ("how does the system handle calls", "system handl call"),
        ] {
            let query = Query::parse(text, &mut Stemmer::new());
            let of_terms: Vec<&str> = query.terms.iter().filter(|term| term.expands).map(|term| &*term.text).collect();
            assert_eq!((of_terms.join(" "), query.content), (stems.to_owned(), of_terms.len()), "{text}");
        }
    }

    #[test]
    fn a_repeated_word_weighs_more() {
        check(
            "timeout of the proxy: the timeout",
            &expect![[r#"
                symbol: false
                terms: timeout 1.92, proxi 0.95, timeout+proxi 0.28, proxi+timeout 0.28
                stems: timeout proxi (2 of content)
                joined: timeoutproxi proxytimeout
                names: Plain timeout [], Plain proxy []
                phrases: []
            "#]],
        );
    }

    #[test]
    fn only_the_beginning_of_a_long_text_says_what_it_is_about() {
        let about = |text: &str, word: &str| Query::parse(text, &mut Stemmer::new()).words.contains(word);
        assert!(about("tests of the parser", "test"));
        assert!(!about(&format!("{} tests", "parser ".repeat(40)), "test"));
    }

    #[test]
    fn quoted_phrases_are_kept_as_written() {
        check(
            "where is \"Connection reset\" raised, or \"->\" or \"open",
            &expect![[r#"
                symbol: false
                terms: connect 0.98, reset 0.96, connect+reset 0.29, rais 0.95, reset+rais 0.28, open 0.91, rais+open 0.27
                stems: connect reset rais open (4 of content)
                joined: connectionreset resetrais raisedopen
                names: Capitalised Connection [], Plain Connection [], Plain reset [], Plain raised [], Plain open []
                phrases: ["Connection reset"]
            "#]],
        );
    }

    #[test]
    fn long_queries_are_read_to_a_limit() {
        let long = "alpha beta_gamma \"x y\" ".repeat(20_000);
        let query = Query::parse(&long, &mut Stemmer::new());
        assert_eq!(query.terms.len(), 10);
        let distinct: Vec<String> = (0..60_000).map(|number| format!("w{number}x")).collect();
        assert!(Query::parse(&distinct.join(" "), &mut Stemmer::new()).stems.len() <= MAX_WORDS + 2);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,60}|[a-zA-Z0-9_$.:#\"* -]{0,60}|(?s).{0,40}") {
            let query = Query::parse(&text, &mut Stemmer::new());
            prop_assert!(query.content <= query.stems.len());
            prop_assert!(query.terms.iter().all(|term| term.weight > 0.0));
        }
    }
}
