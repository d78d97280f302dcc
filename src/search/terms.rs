//! Which terms of a query are worth asking the index for: longer words of its vocabulary are added, and of many terms the telling ones
//! are kept. Read [`choose`].

use super::query::{Query, Term};
use super::retrieve::idf;
use crate::store::StoreError;
use crate::store::text::TextReader;

/// Terms of a query that are scored.
const MAX_TERMS: usize = 128;
/// Distinct terms of a long query whose rarity is looked up.
const MAX_WEIGHED: usize = 1_500;
/// Longer words that start with a word of the query: how long it must be, how much longer they may be, how many are kept.
const EXPAND_LETTERS: usize = 4;
const EXPAND_LONGER: usize = 6;
const EXPAND_KEEP: usize = 4;
const EXPANDED: f32 = 0.15;

/// Terms to score, in the order of the query. `chunks` is the number of chunks in the index.
pub(super) fn choose(query: &Query, reader: &TextReader, chunks: usize) -> Result<Vec<Term>, StoreError> {
    let mut terms = query.terms.clone();
    if terms.len() > MAX_TERMS {
        return telling(terms, reader, chunks);
    }
    let known = |terms: &[Term], text: &str| terms.iter().any(|term| &*term.text == text);
    for term in query.terms.iter().filter(|term| term.expands && term.text.chars().count() >= EXPAND_LETTERS) {
        if terms.len() >= MAX_TERMS {
            break;
        }
        for text in reader.expand(&term.text, EXPAND_LONGER, EXPAND_KEEP)? {
            if !known(&terms, &text) {
                terms.push(Term { text: text.into(), weight: EXPANDED, expands: false });
            }
        }
    }
    terms.truncate(MAX_TERMS);
    Ok(terms)
}

/// The terms with the most weight x rarity. Expansions weigh too little to be among them.
fn telling(mut terms: Vec<Term>, reader: &TextReader, chunks: usize) -> Result<Vec<Term>, StoreError> {
    terms.truncate(MAX_WEIGHED);
    let mut weighed = Vec::with_capacity(terms.len());
    for (at, term) in terms.iter().enumerate() {
        let found = reader.df(&term.text)?;
        let worth = if found.files == 0 { 0.0 } else { term.weight * idf(chunks, found.chunks as usize) };
        weighed.push((worth, at));
    }
    weighed.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    weighed.truncate(MAX_TERMS);
    weighed.sort_unstable_by_key(|(_, at)| *at);
    Ok(weighed.into_iter().filter_map(|(_, at)| terms.get(at).cloned()).collect())
}
