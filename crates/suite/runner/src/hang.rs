//! Firmware that does not return: a thread that replays marks each call of its machine, and another one
//! sees which call has been in progress for too long.
//!
//! A thread cannot be ended from outside. It is given up with its trace, and another one does its work.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use host::clock::Stopwatch;
use virtual_time::Instant;

/// Wall time after which a call counts as hanging, unless `--timeout` names another one.
pub(crate) const HUNG_AFTER: Duration = Duration::from_secs(60);

thread_local! {
    static OWN: CallMark = CallMark::default();
}

/// The call of a machine on one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallMark(Arc<Mark>);

#[derive(Debug, Default)]
struct Mark {
    /// Number of calls that have begun and ended: odd during a call.
    calls: AtomicU64,
    /// Time of the board before the call.
    at: AtomicU64,
}

impl CallMark {
    /// Returns the mark of this thread.
    pub(crate) fn of_thread() -> Self {
        OWN.with(Self::clone)
    }

    pub(crate) fn enter(&self, at: Instant) {
        self.0.at.store(at.0, Ordering::Relaxed);
        self.0.calls.fetch_add(1, Ordering::Release);
    }

    pub(crate) fn leave(&self) {
        self.0.calls.fetch_add(1, Ordering::Release);
    }
}

/// The replays in progress, by the number of their trace.
pub(crate) struct Replays {
    running: Mutex<BTreeMap<usize, Running>>,
    clock: Stopwatch,
}

struct Running {
    mark: CallMark,
    /// Number of calls at the last look, and the time of the first look that saw it.
    seen: (u64, Duration),
}

impl Default for Replays {
    fn default() -> Self {
        Self { running: Mutex::default(), clock: Stopwatch::start() }
    }
}

impl Replays {
    /// Notes that this thread begins to replay a trace.
    pub(crate) fn begin(&self, trace: usize) {
        let running = Running { mark: CallMark::of_thread(), seen: (0, Duration::ZERO) };
        self.running().insert(trace, running);
    }

    /// Notes that a replay has ended. Returns whether it was not given up before.
    pub(crate) fn end(&self, trace: usize) -> bool {
        self.running().remove(&trace).is_some()
    }

    /// Gives up the replays with a call that has been in progress for `limit`, as far as that was seen.
    /// Returns their traces, and the times of their boards before the call.
    pub(crate) fn give_up(&self, limit: Duration) -> Vec<(usize, Instant)> {
        let now = self.clock.elapsed();
        let mut hung = Vec::new();
        self.running().retain(|trace, Running { mark, seen }| {
            let calls = mark.0.calls.load(Ordering::Acquire);
            if calls.is_multiple_of(2) || seen.0 != calls {
                *seen = (calls, now);
                return true;
            }
            let hangs = now.saturating_sub(seen.1) >= limit;
            if hangs {
                hung.push((*trace, Instant(mark.0.at.load(Ordering::Relaxed))));
            }
            !hangs
        });
        hung
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<usize, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_in_progress_at_two_looks_hangs() {
        let replays = Replays::default();
        replays.begin(4);
        let mark = CallMark::of_thread();
        assert_eq!(replays.give_up(Duration::ZERO), []);
        mark.enter(Instant(7));
        assert_eq!(replays.give_up(Duration::ZERO), [], "it is seen for the first time");
        mark.leave();
        mark.enter(Instant(9));
        assert_eq!(replays.give_up(Duration::ZERO), [], "it is another call");
        assert_eq!(replays.give_up(Duration::from_secs(3_600)), []);
        assert_eq!(replays.give_up(Duration::ZERO), [(4, Instant(9))]);
        assert!(!replays.end(4), "it was given up");
        mark.leave();
        replays.begin(5);
        assert!(replays.end(5));
    }
}
