//! Time per query inside one process. Read [`latency`] first.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::engine::{Engine, SearchQuery};

/// Milliseconds.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Latency {
    pub count: usize,
    pub avg_ms: f64,
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub max_ms: f64,
}

impl Latency {
    /// Of a set of measured times.
    #[must_use]
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let total: Duration = times.iter().sum();
        let parts = u32::try_from(times.len()).unwrap_or(u32::MAX).max(1);
        Self {
            count: times.len(),
            avg_ms: ms(total / parts),
            p50_ms: ms(percentile(&times, 50)),
            p95_ms: ms(percentile(&times, 95)),
            max_ms: ms(times.last().copied().unwrap_or_default()),
        }
    }
}

/// Nearest-rank percentile of sorted times; zero for none.
#[must_use]
pub fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

/// Asks up to `count` queries made from the documentation and names in the index, each for the first time; as many others warm up.
///
/// # Errors
/// There is no index, or a query fails.
pub fn latency(engine: &Engine, count: usize) -> anyhow::Result<Latency> {
    let searcher = engine.searcher()?;
    let mut seen = BTreeSet::new();
    let mut samples = engine.sample_queries(count.saturating_mul(2))?;
    samples.retain(|text| seen.insert(text.clone()));
    let ask = |text: &String| {
        let query = SearchQuery { text: text.clone(), limit: 10, ..SearchQuery::default() };
        let started = Instant::now();
        engine.search_with(&searcher, &query).map(|_| started.elapsed())
    };
    let (warm_up, timed) = samples.split_at(samples.len() / 2);
    warm_up.iter().try_for_each(|text| ask(text).map(drop))?;
    Ok(Latency::of(timed.iter().map(ask).collect::<anyhow::Result<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_nearest_rank() {
        let times: Vec<Duration> = (1..=20).map(Duration::from_millis).collect();
        assert_eq!(percentile(&times, 50), Duration::from_millis(10));
        assert_eq!(percentile(&times, 95), Duration::from_millis(19));
        assert_eq!(percentile(&[], 95), Duration::ZERO);
    }
}
