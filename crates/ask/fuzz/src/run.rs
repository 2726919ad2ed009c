//! Runs sessions on all cores.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hal_mock::setup::SetupError;
use host::jobs;
use trace::Buttons;

use super::finding::{Defect, Finding};
use super::judge::Judge;
use super::session::{Plan, session_on};

/// Selection of the sessions of a run.
#[derive(Clone, Debug)]
pub struct FuzzOptions {
    /// Seed and kinds of the sessions.
    pub plan: Plan,
    /// Buttons of the board.
    pub buttons: Buttons,
    /// Number of the first session.
    pub first: u64,
    /// Number of sessions; `None`: until `stop` returns true.
    pub count: Option<u64>,
    /// Number of threads, at least 1.
    pub jobs: usize,
}

/// Result of a run.
#[derive(Debug, Default)]
pub struct FuzzSummary {
    /// Number of sessions that were played to their end.
    pub played: u64,
    /// Number of sessions with a finding.
    pub failed: u64,
    /// Findings by what those of one defect have in common.
    pub defects: BTreeMap<Defect, DefectFound>,
}

/// The sessions in which a defect was found.
#[derive(Debug, Default)]
pub struct DefectFound {
    /// Number of sessions.
    pub count: u64,
    /// Findings of the first [`SAMPLES_MAX`] of them, by the number of the session.
    pub samples: BTreeMap<u64, Finding>,
}

/// Number of defects after which a run stops. Sessions with a known defect are counted, and the search continues.
pub const DEFECTS_MAX: usize = 10;
/// Greatest number of findings of one defect that are kept.
pub const SAMPLES_MAX: usize = 3;

impl FuzzSummary {
    fn add(&mut self, number: u64, finding: Finding) {
        self.failed += 1;
        let found = self.defects.entry(finding.defect()).or_default();
        found.count += 1;
        found.samples.insert(number, finding);
        if found.samples.len() > SAMPLES_MAX {
            found.samples.pop_last();
        }
    }
}

/// Plays sessions until all are played, `stop` returns true, or there are [`DEFECTS_MAX`]
/// defects. Calls `on_session` with the number and the finding of each finished session, from any
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
    // Sessions are independent, so the threads share numbers only.
    let work = |judge: &Judge<'_>| {
        while !over.load(Ordering::Relaxed) && !stop() && !judge.interrupt.is_set() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last {
                break;
            }
            let judged =
                judge.judge(&session_on(&options.plan, &options.buttons, judge.rules, number));
            // An unfinished session does not count, unless it has a finding.
            if judge.interrupt.is_set() && matches!(judged, Ok(None)) {
                break;
            }
            let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
            let Ok(so_far) = &mut *summary else { break };
            match judged {
                Ok(finding) => {
                    on_session(number, finding.as_ref());
                    so_far.played += 1;
                    if let Some(finding) = finding {
                        so_far.add(number, finding);
                    }
                    if so_far.defects.len() >= DEFECTS_MAX {
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
    // A reader is shared by reference; a machine stays on the thread that built it.
    let spawned = std::thread::scope(|scope| {
        jobs::spawn(scope, options.jobs.max(1), || || work(judge)).map(drop)
    });
    if spawned.is_err() {
        // Not even one thread could be spawned, so the sessions run on this one.
        work(judge);
    }
    summary.into_inner().unwrap_or_else(PoisonError::into_inner)
}
