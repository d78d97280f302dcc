//! Which lines of a block matter for a query: where its name stands, where the call is, where the words of the query are. Read [`Marker`].

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};

use super::hits::Hit;
use super::query::Query;

/// Lines of a block that are told at most.
const MOST: usize = 24;
/// Shorter stems are in every line.
const LEAST_LETTERS: usize = 3;
/// Lines of a signature.
const SIGNATURE_LINES: u32 = 8;

/// Finds the stems of a query in lines: a word holds its stem but for an ending, so this needs no stemming.
pub(super) struct Marker {
    words: Option<AhoCorasick>,
}

impl Marker {
    pub(super) fn new(query: &Query) -> Self {
        let stems = query.stems.iter().take(query.content).map(|stem| stem.trim_end_matches(['i', 'y', 'e']));
        let mut stems: Vec<&str> = stems.filter(|stem| stem.len() >= LEAST_LETTERS).collect();
        stems.sort_unstable();
        stems.dedup();
        let words = AhoCorasickBuilder::new().ascii_case_insensitive(true).build(&stems).ok();
        Self { words: words.filter(|_| !stems.is_empty()) }
    }

    /// Lines of the hit's text from 0, those that matter most first.
    pub(super) fn marks(&self, hit: &Hit, site: Option<u32>) -> Vec<u32> {
        let inside = |line: u32| line.checked_sub(hit.lines.start).filter(|_| line <= hit.lines.end);
        let head = hit.name_line.and_then(inside).unwrap_or_else(|| first_with_text(&hit.text));
        let mut marks = vec![head];
        let signature = (head + 1..).zip(hit.text.lines().skip(head as usize + 1)).take(SIGNATURE_LINES as usize);
        marks.extend(signature.take_while(|(_, line)| is_of(&hit.signature, line)).map(|(at, _)| at));
        marks.extend(site.and_then(inside));
        let mut worded: Vec<(usize, u32)> =
            (0..).zip(hit.text.lines()).map(|(at, line)| (self.distinct(line), at)).collect();
        worded.retain(|(count, _)| *count > 0);
        worded.sort_by_key(|(count, at)| (std::cmp::Reverse(*count), *at));
        marks.extend(worded.into_iter().map(|(_, at)| at));
        let mut seen = std::collections::BTreeSet::new();
        marks.retain(|mark| seen.insert(*mark));
        marks.truncate(MOST);
        marks
    }

    /// Share of the query's words that a hit has, in its text or its path.
    pub(super) fn share(&self, hit: &Hit) -> f32 {
        let Some(words) = &self.words else { return 1.0 };
        self.distinct(&format!("{} {}", hit.path, hit.text)) as f32 / words.patterns_len().max(1) as f32
    }

    fn distinct(&self, line: &str) -> usize {
        let Some(words) = &self.words else { return 0 };
        let mut found: Vec<usize> = words.find_overlapping_iter(line).map(|word| word.pattern().as_usize()).collect();
        found.sort_unstable();
        found.dedup();
        found.len()
    }
}

fn first_with_text(text: &str) -> u32 {
    text.lines().position(|line| line.chars().any(char::is_alphanumeric)).unwrap_or_default() as u32
}

/// The line stands in the signature, whose white space is folded.
fn is_of(signature: &str, line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && signature.contains(line.trim_end_matches(['{', ' ']))
}
