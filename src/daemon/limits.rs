//! How much may be asked. Read [`Limits`] first.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bounds of a daemon; tests have smaller ones.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// Bytes of a body.
    pub(super) body: usize,
    pub(super) hooks: Duration,
    pub(super) probes: Duration,
    /// For the head of a request.
    pub(super) head: Duration,
    /// Requests with the token in [`WINDOW`].
    pub(super) authenticated: usize,
    /// All others in [`WINDOW`].
    pub(super) anonymous: usize,
    pub(super) connections: usize,
    /// For requests that are being answered when the daemon ends.
    pub(super) drain: Duration,
}

/// Lets so many through in a time.
#[derive(Debug)]
pub(super) struct Gate {
    most: usize,
    passed: Mutex<VecDeque<Instant>>,
}

pub(super) const WINDOW: Duration = Duration::from_secs(10);

impl Limits {
    pub(super) const fn new(rate: u32) -> Self {
        Self {
            body: 1 << 20,
            hooks: Duration::from_secs(30),
            probes: Duration::from_secs(10),
            head: Duration::from_secs(10),
            authenticated: rate as usize,
            anonymous: 1_000,
            connections: 128,
            drain: Duration::from_secs(5),
        }
    }
}

impl Gate {
    pub(super) const fn new(most: usize) -> Self {
        Self { most, passed: Mutex::new(VecDeque::new()) }
    }

    /// Passes at `now`.
    ///
    /// # Errors
    /// There were too many; the time until the next may pass.
    pub(super) fn pass(&self, now: Instant) -> Result<(), Duration> {
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        while passed.front().is_some_and(|at| now.saturating_duration_since(*at) >= WINDOW) {
            passed.pop_front();
        }
        match passed.front() {
            Some(first) if passed.len() >= self.most => {
                Err(WINDOW.saturating_sub(now.saturating_duration_since(*first)))
            }
            Some(_) | None => {
                passed.push_back(now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Gate, WINDOW};

    #[test]
    fn a_gate_closes_until_the_first_one_is_old() {
        let gate = Gate::new(2);
        let start = Instant::now();
        let at = |ms: u64| gate.pass(start + Duration::from_millis(ms));
        assert_eq!((at(0), at(1_000)), (Ok(()), Ok(())));
        assert_eq!(at(4_000), Err(WINDOW.checked_sub(Duration::from_secs(4)).unwrap()));
        assert_eq!(at(9_999), Err(Duration::from_millis(1)));
        assert_eq!(at(10_000), Ok(()));
        assert!(at(10_500).is_err());
    }
}
