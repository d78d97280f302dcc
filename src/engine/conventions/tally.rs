//! Counting: how often, and in what order the most frequent are told. Read [`Counts`] first.

use std::collections::BTreeMap;

use super::{Count, Lengths};

/// How often each key was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counts<K>(BTreeMap<K, u64>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Clone> Counts<K> {
    pub(super) fn add(&mut self, key: K) {
        *self.0.entry(key).or_default() += 1;
    }

    pub(super) fn get(&self, key: &K) -> u64 {
        self.0.get(key).copied().unwrap_or_default()
    }

    /// Most frequent first, equals in the order of their keys.
    pub(super) fn sorted(&self) -> Vec<(K, u64)> {
        let mut all: Vec<(K, u64)> = self.0.iter().map(|(key, count)| (key.clone(), *count)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all
    }
}

impl<K: Ord> Extend<K> for Counts<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            *self.0.entry(key).or_default() += 1;
        }
    }
}

impl<K: Ord + Clone + ToString> Counts<K> {
    /// Up to `most` keys that were seen `least` times or more.
    pub(super) fn top(&self, most: usize, least: u64) -> Vec<Count> {
        let often = self.sorted().into_iter().filter(|(_, count)| *count >= least).take(most);
        often.map(|(key, count)| Count { what: key.to_string(), count }).collect()
    }
}

/// Median and ninth decile; `None` with fewer than `least` values.
pub(super) fn lengths(mut values: Vec<u32>, least: usize) -> Option<Lengths> {
    values.sort_unstable();
    let at = |tenths: usize| values.get((values.len() * tenths / 10).min(values.len().saturating_sub(1))).copied();
    let (median, p90) = (at(5)?, at(9)?);
    (values.len() >= least).then_some(Lengths { count: values.len() as u64, median, p90 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_come_first_and_rare_ones_not_at_all() {
        let mut counts = Counts::default();
        counts.extend(["b", "a", "c", "b", "a", "b"]);
        let top: Vec<String> = counts.top(5, 2).into_iter().map(|count| count.what).collect();
        assert_eq!(top, ["b", "a"]);
    }

    #[test]
    fn lengths_need_enough_values() {
        assert_eq!(lengths((1..=10).collect(), 5), Some(Lengths { count: 10, median: 6, p90: 10 }));
        assert_eq!(lengths(vec![3], 5), None);
        assert_eq!(lengths(Vec::new(), 0), None);
    }
}
