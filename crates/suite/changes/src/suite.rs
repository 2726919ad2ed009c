//! Compares many traces on both sides, on all cores. The differences are collected in the order of
//! the traces.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::time::Duration;

use host::{child::ChildError, jobs};
use reading::text::Reader;

use crate::compare::{DifferenceCache, TraceChange, compare};
use crate::sides::{How, Side, SideError};
use crate::stream::NotObserved;
use crate::summary::{Collector, Summary};

/// Maximum number of traces that may be started beyond the last one collected.
const AHEAD_MAX: usize = 64;
/// Interval at which a waiting thread checks for an interruption, which may leave a gap before its
/// trace.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

enum Compared {
    Change(Box<TraceChange>),
    Cannot { side: usize, message: String },
}

/// Compares the traces at `paths`. Calls `progress` with the number of finished traces.
///
/// # Errors
/// If a side cannot replay any trace. An interruption is not an error: the results so far are
/// returned.
pub fn run(
    paths: &[PathBuf],
    sides: [Side<'_>; 2],
    reader: &Reader,
    how: &How,
    wanted_jobs: Option<NonZero<usize>>,
    mut progress: impl FnMut(usize),
) -> Result<Summary, SideError> {
    let collector = Mutex::new(Collector::new(sides.map(|side| side.firmware().to_owned())));
    let known = DifferenceCache::default();
    let (next, done) = (AtomicUsize::new(0), (Mutex::new(0_usize), Condvar::new()));
    let cores = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let wanted = wanted_jobs.unwrap_or(cores).get().min(paths.len());
    let stop = || next.store(paths.len(), Ordering::Relaxed);
    let lock = || collector.lock().unwrap_or_else(PoisonError::into_inner);
    let one = |path: &PathBuf| -> Result<Compared, SideError> {
        let mut seen = Vec::new();
        for (side, board) in sides.iter().enumerate() {
            match board.observe(path, reader, how)? {
                Ok(observation) => seen.push(observation),
                Err(NotObserved(message)) => return Ok(Compared::Cannot { side, message }),
            }
        }
        let wants = |what: &_| lock().wants(what);
        let change = compare(path, [&seen[0], &seen[1]], reader, &known, wants);
        Ok(Compared::Change(Box::new(change)))
    };
    let mut failed = None;
    let mut collected = 0;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let spawned = jobs::spawn(scope, wanted, || {
            let sender = sender.clone();
            let (next, done, one, how) = (&next, &done, &one, how);
            move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { break };
                    // A result that is ahead of its turn is stored in memory.
                    let mut behind = done.0.lock().unwrap_or_else(PoisonError::into_inner);
                    while index >= *behind + AHEAD_MAX && !how.interrupt.is_set() {
                        let waited = done.1.wait_timeout(behind, POLL_INTERVAL);
                        behind = waited.unwrap_or_else(PoisonError::into_inner).0;
                    }
                    drop(behind);
                    if how.interrupt.is_set() {
                        break;
                    }
                    let compared = one(path);
                    if how.interrupt.is_set() || sender.send((index, compared)).is_err() {
                        break;
                    }
                }
            }
        });
        drop(sender);
        if spawned.is_err() {
            return;
        }
        let mut early = BTreeMap::new();
        for (index, compared) in receiver {
            early.insert(index, compared);
            while let Some(compared) = early.remove(&collected) {
                let path = || paths[collected].display().to_string();
                match compared {
                    Ok(Compared::Change(change)) => lock().add(*change),
                    Ok(Compared::Cannot { side, message }) => lock().cannot(path(), side, message),
                    Err(error) => {
                        stop();
                        failed.get_or_insert(error);
                    }
                }
                collected += 1;
                *done.0.lock().unwrap_or_else(PoisonError::into_inner) = collected;
                done.1.notify_all();
                progress(collected);
            }
        }
    });
    match failed {
        Some(SideError::Child { source: ChildError::Interrupted, .. }) | None => {}
        Some(error) => return Err(error),
    }
    let collector = collector.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(collector.finish((paths.len() - collected) as u64))
}
