//! Texts by number: each once, in one piece of memory, without an allocation per text. Numbers count up from zero in order of
//! appearance and nothing is ever taken out. Read [`Interner`] first.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A set of texts.
#[derive(Debug, Default)]
pub(super) struct Interner {
    texts: String,
    /// By number: where its text ends.
    ends: Vec<u32>,
    /// Open addressing, a power of two of them: upper half of the hash and one more than the number; 0 is free.
    slots: Vec<(u32, u32)>,
}

impl Interner {
    /// Number of `text`, a new one where it has none.
    #[inline]
    pub(super) fn number(&mut self, text: &str) -> u32 {
        match self.find(text) {
            Ok(number) => number,
            Err(hash) => self.add(text, hash),
        }
    }

    /// Text of a number; of an unknown one, nothing.
    #[inline]
    pub(super) fn text(&self, number: u32) -> &str {
        let at = number as usize;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or_default();
        let end = self.ends.get(at).copied().unwrap_or_default();
        self.texts.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Number of `text`, or its hash where it has none.
    #[inline]
    fn find(&self, text: &str) -> Result<u32, u64> {
        let hash = hash(text);
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(&(upper, number)) = self.slots.get(at).filter(|(_, number)| *number != 0) {
            if upper == (hash >> 32) as u32 && self.text(number - 1) == text {
                return Ok(number - 1);
            }
            at = (at + 1) & mask;
        }
        Err(hash)
    }

    #[cold]
    fn add(&mut self, text: &str, hash: u64) -> u32 {
        // Half of the slots stay free: most of what is asked for and new is then known to be after two looks.
        if self.slots.len() <= 2 * self.ends.len() {
            self.grow();
        }
        self.texts.push_str(text);
        self.ends.push(count(self.texts.len()));
        let number = count(self.ends.len());
        self.occupy(hash, number);
        number - 1
    }

    fn grow(&mut self) {
        let wanted = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(wanted, (0, 0));
        for number in 0..count(self.ends.len()) {
            self.occupy(hash(self.text(number)), number + 1);
        }
    }

    fn occupy(&mut self, hash: u64, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = ((hash >> 32) as u32, number);
    }
}

#[inline]
fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Memory ends long before four gigabytes of distinct words do.
fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_their_numbers() {
        let mut interner = Interner::default();
        let texts: Vec<String> = (0..500).map(|number| format!("w{}", number * 7)).collect();
        for (number, text) in (0..).zip(&texts) {
            assert_eq!(interner.number(text), number);
        }
        for (number, text) in (0..).zip(&texts) {
            assert_eq!((interner.number(text), interner.text(number)), (number, text.as_str()));
        }
        assert_eq!((interner.number(""), interner.text(500), interner.text(501)), (500, "", ""));
    }
}
