//! What the daemon counts of itself, as JSON and as Prometheus text. Holds no prompt and no path. Read [`Metrics`] first.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Counters since the start.
#[derive(Debug)]
pub(super) struct Metrics {
    started: Instant,
    routes: Mutex<BTreeMap<&'static str, Route>>,
    pub(super) connections: AtomicUsize,
}

#[derive(Debug, Default)]
struct Route {
    count: u64,
    errors: u64,
    total: Duration,
    max: Duration,
    /// The latest; percentiles are of these.
    recent: VecDeque<Duration>,
}

const MOST_RECENT: usize = 1_024;

impl Metrics {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), routes: Mutex::default(), connections: AtomicUsize::new(0) }
    }

    pub(super) fn note(&self, route: &'static str, took: Duration, failed: bool) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let route = routes.entry(route).or_default();
        route.count += 1;
        route.errors += u64::from(failed);
        route.total += took;
        route.max = route.max.max(took);
        if route.recent.len() == MOST_RECENT {
            route.recent.pop_front();
        }
        route.recent.push_back(took);
    }

    pub(super) fn json(&self) -> Value {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = |of: fn(&Route) -> u64| routes.values().map(of).sum::<u64>();
        let latency: BTreeMap<&str, Value> = routes.iter().map(|(name, route)| (*name, route.json())).collect();
        json!({
            "uptime": self.started.elapsed().as_secs(),
            "requests": sum(|route| route.count),
            "errors": sum(|route| route.errors),
            "latency": latency,
            "connections": self.connections.load(Ordering::Relaxed),
            "rss": rss(),
        })
    }

    pub(super) fn prometheus(&self) -> String {
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        let mut line = |name: &str, label: &str, value: f64| {
            writeln!(text, "reporecall_{name}{label} {value}").unwrap_or_default();
        };
        line("uptime_seconds", "", self.started.elapsed().as_secs_f64());
        line("connections", "", self.connections.load(Ordering::Relaxed) as f64);
        if let Some(rss) = rss() {
            line("resident_memory_bytes", "", rss as f64);
        }
        for (name, route) in routes.iter() {
            let label = format!("{{route=\"{name}\"}}");
            line("requests_total", &label, route.count as f64);
            line("errors_total", &label, route.errors as f64);
            line("latency_seconds_sum", &label, route.total.as_secs_f64());
            line("latency_seconds_count", &label, route.count as f64);
            for (share, of) in [("0.5", 50), ("0.95", 95)] {
                let label = format!("{{route=\"{name}\",quantile=\"{share}\"}}");
                line("latency_seconds", &label, route.percentile(of).as_secs_f64());
            }
        }
        text
    }
}

impl Route {
    fn json(&self) -> Value {
        let average = self.total / u32::try_from(self.count.max(1)).unwrap_or(u32::MAX);
        json!({
            "avg": ms(average),
            "p50": ms(self.percentile(50)),
            "p95": ms(self.percentile(95)),
            "max": ms(self.max),
            "count": self.count,
        })
    }

    fn percentile(&self, percent: usize) -> Duration {
        let mut sorted: Vec<Duration> = self.recent.iter().copied().collect();
        sorted.sort_unstable();
        sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

/// Milliseconds with two digits.
fn ms(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e5).round() / 100.0
}

/// Bytes of memory in use, where the system tells.
fn rss() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Metrics;

    #[test]
    fn latencies_are_told_per_route() {
        let metrics = Metrics::new();
        for n in 1..=100 {
            metrics.note("/a", Duration::from_millis(n), n == 7);
        }
        let json = metrics.json();
        assert_eq!((json["requests"].as_u64(), json["errors"].as_u64()), (Some(100), Some(1)));
        let a = &json["latency"]["/a"];
        assert_eq!((a["avg"].as_f64(), a["p50"].as_f64(), a["p95"].as_f64()), (Some(50.5), Some(51.0), Some(96.0)));
        assert_eq!((a["max"].as_f64(), a["count"].as_u64()), (Some(100.0), Some(100)));
        let text = metrics.prometheus();
        assert!(text.contains("reporecall_requests_total{route=\"/a\"} 100\n"), "{text}");
        assert!(text.contains("reporecall_latency_seconds{route=\"/a\",quantile=\"0.95\"} 0.096\n"), "{text}");
    }
}
