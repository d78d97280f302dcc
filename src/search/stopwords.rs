//! Words of a question that say nothing of the code. Two lists and two questions; no weights.

/// English words without a meaning of their own. What can be the name of a thing or an event (`before`, `after`, `all`) is not here.
const STOP: &[&str] = &[
    "a", "about", "also", "am", "an", "and", "are", "as", "at", "be", "because", "been", "being", "but", "by", "can",
    "could", "did", "do", "does", "doing", "done", "for", "from", "had", "has", "have", "having", "he", "her", "here",
    "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "me", "might", "must", "my", "no", "nor",
    "not", "of", "on", "or", "our", "shall", "she", "should", "so", "some", "such", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "too", "us", "very", "via", "was", "we", "were",
    "what", "when", "where", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "would", "you",
    "your",
];

/// Words that questions about code are made of. They count as words of the query but are looked for only beside a neighbour.
const SOFT: &[&str] = &[
    "across",
    "actually",
    "base",
    "based",
    "call",
    "called",
    "calling",
    "calls",
    "differ",
    "different",
    "handle",
    "handled",
    "handles",
    "handling",
    "implement",
    "implementation",
    "implemented",
    "implementing",
    "implements",
    "logic",
    "manage",
    "managed",
    "manages",
    "managing",
    "mechanism",
    "mechanisms",
    "process",
    "processed",
    "processes",
    "processing",
    "support",
    "supported",
    "supporting",
    "supports",
    "system",
    "systems",
];

/// `word` in lower case.
pub(super) fn is_stop(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

/// `word` in lower case.
pub(super) fn is_soft(word: &str) -> bool {
    SOFT.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(STOP.is_sorted() && SOFT.is_sorted());
    }
}
