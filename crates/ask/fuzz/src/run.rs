//! Sessions on all cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hal_mock::setup::SetupError;
use host::jobs;

use super::finding::Finding;
use super::judge::Judge;
use super::session::{Plan, session};

/// How many sessions, and which.
#[derive(Clone, Copy, Debug)]
pub struct FuzzOptions {
    /// What they are drawn from.
    pub plan: Plan,
    /// The first session's number.
    pub first: u64,
    /// How many; `None`: until `stop` says so.
    pub count: Option<u64>,
    /// Threads; at least 1.
    pub jobs: usize,
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct FuzzSummary {
    /// Sessions that were played to their end.
    pub played: u64,
    /// Those in which something was wrong, by their numbers.
    pub found: BTreeMap<u64, Finding>,
}

/// A run stops after this number of findings: more are most likely the same defect.
pub const FINDINGS_MAX: usize = 10;

/// Plays sessions until they are done, `stop` says so, or [`FINDINGS_MAX`] findings have come.
/// `on_session` is called with the number and the finding of each session that is over, from any
/// thread.
///
/// # Errors
/// If no machine can be built.
pub fn run(
    options: &FuzzOptions,
    judge: &Judge<'_>,
    stop: &(dyn Fn() -> bool + Sync),
    on_session: &(dyn Fn(u64, Option<&Finding>) + Sync),
) -> Result<FuzzSummary, SetupError> {
    let next = AtomicU64::new(options.first);
    let last = options.count.map_or(u64::MAX, |count| options.first.saturating_add(count));
    let over = AtomicBool::new(false);
    let summary = Mutex::new(Ok(FuzzSummary::default()));
    // Every session is judged for itself, so the threads share numbers only.
    let work = |judge: &Judge<'_>| {
        while !over.load(Ordering::Relaxed) && !stop() && !judge.interrupt.is_set() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last {
                break;
            }
            let judged = judge.judge(&session(&options.plan, number));
            // A session that was not over counts for nothing; a finding is one.
            if judge.interrupt.is_set() && matches!(judged, Ok(None)) {
                break;
            }
            let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(so_far) = &mut *summary else { break };
            match judged {
                Ok(finding) => {
                    on_session(number, finding.as_ref());
                    so_far.played += 1;
                    so_far.found.extend(finding.map(|finding| (number, finding)));
                    if so_far.found.len() >= FINDINGS_MAX {
                        over.store(true, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    *summary = Err(error);
                    over.store(true, Ordering::Relaxed);
                }
            }
        }
    };
    // A reader is shared by reference; a machine lives on the thread that built it.
    let spawned = std::thread::scope(|scope| {
        jobs::spawn(scope, options.jobs.max(1), || || work(judge)).map(drop)
    });
    if spawned.is_err() {
        // Not even one thread: the sessions run on this one.
        work(judge);
    }
    summary.into_inner().unwrap_or_else(PoisonError::into_inner)
}
