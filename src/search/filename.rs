//! How far a query speaks of a file by its name. It compares stems of words only. Read [`FileName`].

use super::query::Query;
use super::view::FileFacts;

/// Of a word that the folder has and the name does not.
const FOLDER: f32 = 0.6;
/// Letters of the shorter word, where one starts like the other.
const PREFIX: usize = 3;
const FOLDER_PREFIX: usize = 4;
/// Letters that two words of the same root have in common at the front, and their share of the longer one.
const ROOT: usize = 5;
const ROOT_SHARE: f32 = 0.7;
/// Next to nothing unless every word of the name is in the query.
const COVER_POWER: i32 = 8;

/// Both from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct FileName {
    /// Share of the query's words that are in the name or the folder.
    pub share: f32,
    /// Share of the name's words that are in the query, sharpened.
    pub cover: f32,
}

impl FileName {
    pub(super) fn of(file: &FileFacts, query: &Query) -> Self {
        if file.is_project {
            return Self::default();
        }
        let content = query.stems.get(..query.content).unwrap_or_default();
        let matched: f32 = content.iter().map(|stem| in_path(file, stem)).sum();
        let hit = file.name.iter().filter(|word| in_query(query, word)).count();
        Self {
            share: matched / query.stems.len().max(1) as f32,
            cover: (hit as f32 / file.name.len().max(1) as f32).powi(COVER_POWER),
        }
    }
}

fn in_path(file: &FileFacts, stem: &str) -> f32 {
    if file.name.iter().any(|word| same_start(word, stem, PREFIX)) {
        1.0
    } else if file.folder.iter().any(|word| same_start(word, stem, FOLDER_PREFIX)) {
        FOLDER
    } else {
        0.0
    }
}

fn in_query(query: &Query, word: &str) -> bool {
    query.stems.iter().any(|stem| same_start(word, stem, PREFIX) || same_root(word, stem))
        || query.joined.iter().any(|joined| **joined == *word)
}

/// Equal, or one is the start of the other and has `letters` at least.
fn same_start(left: &str, right: &str, letters: usize) -> bool {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    left == right || (long.starts_with(short) && short.chars().count() >= letters)
}

fn same_root(left: &str, right: &str) -> bool {
    let common = left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count();
    common >= ROOT && common as f32 >= ROOT_SHARE * left.chars().count().max(right.chars().count()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tokens::Stemmer;

    fn check(text: &str, name: &[&str], folder: &str, (share, cover): (f32, f32)) {
        let query = Query::parse(text, &mut Stemmer::new());
        let name = name.iter().map(|word| (*word).into()).collect();
        let file = FileFacts { name, folder: vec![folder.into()], ..FileFacts::default() };
        let found = FileName::of(&file, &query);
        let near = |left: f32, right: f32| (left - right).abs() < 0.001;
        assert!(near(found.share, share) && near(found.cover, cover), "{text}: {found:?}");
    }

    #[test]
    fn a_name_is_covered_when_all_its_words_are_asked_for() {
        check("path rewrite rules", &["path", "rewrit"], "src", (2.0 / 3.0, 1.0));
        check("path rules", &["path", "rewrit"], "src", (0.5, 0.5f32.powi(8)));
        check("open a web socket", &["websocket"], "net", (1.0 / 3.0, 1.0));
        check("module resolution", &["resolv"], "src", (0.0, 1.0));
    }

    #[test]
    fn folder_words_count_less() {
        check("router middleware", &["chain"], "router", (0.3, 0.0));
    }
}
