//! The switch that selects the active mutant of a build. The rewritten sources call [`on`] and
//! similar functions at each place with mutants; the judge, or the environment of a test program,
//! selects the active mutant.
//!
//! | variable | meaning |
//! |---|---|
//! | `NUDGE_MUTANT` | the number of the active mutant; without it, none is active |
//! | `NUDGE_MUTANT_RECORD` | a file to which the number of each reached mutant is written, one per line |
//! | `NUDGE_MUTANT_STEPS` | how often a process may read the switch before it panics, to end endless loops |
//!
//! A mutant counts as reached only where it makes a difference: a comparison whose mutant has the
//! same result does not reach it.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Limit of the numbers of mutants.
pub const MUTANTS_MAX: usize = 1 << 14;

/// Values of [`ACTIVE`] that are not mutants.
const NONE: u32 = u32::MAX - 2;
const RECORDS: u32 = u32::MAX - 1;
const UNREAD: u32 = u32::MAX;

static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
/// Threads that read the switch at once may lose a step, which is precise enough for a limit.
static STEPS: AtomicU64 = AtomicU64::new(0);
static STEPS_MAX: AtomicU64 = AtomicU64::new(u64::MAX);
static REACHED: [AtomicBool; MUTANTS_MAX] = [const { AtomicBool::new(false) }; MUTANTS_MAX];
static FILE: Mutex<Option<File>> = Mutex::new(None);

/// Returns whether mutant `id` is active.
///
/// # Panics
/// If the process reads the switch more often than allowed.
#[inline]
pub fn on(id: u32) -> bool {
    let active = asked();
    if active == RECORDS {
        reach(id);
    }
    active == id
}

/// Returns `original`, or the value of the active mutant.
///
/// # Panics
/// As [`on`].
#[inline]
pub fn choose<T: PartialEq + Copy, const N: usize>(original: T, mutants: [(u32, T); N]) -> T {
    let active = asked();
    let mut value = original;
    for (id, mutated) in mutants {
        if active == RECORDS && mutated != original {
            reach(id);
        }
        if active == id {
            value = mutated;
        }
    }
    value
}

/// Returns the value of the active mutant if it is one of these; the original is not evaluated
/// then.
///
/// # Panics
/// As [`on`].
#[inline]
pub fn forced<const N: usize>(mutants: [(u32, bool); N]) -> Option<bool> {
    let active = asked();
    mutants.into_iter().find(|(id, _)| *id == active).map(|(_, value)| value)
}

/// Counts one step; returns the active mutant.
#[inline]
fn asked() -> u32 {
    let steps = STEPS.load(Relaxed) + 1;
    STEPS.store(steps, Relaxed);
    let active = ACTIVE.load(Relaxed);
    if active == UNREAD || steps > STEPS_MAX.load(Relaxed) { rarely() } else { active }
}

#[cold]
fn rarely() -> u32 {
    if ACTIVE.load(Relaxed) == UNREAD {
        let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        let mut active = number("NUDGE_MUTANT").map_or(NONE, |id| id as u32);
        if let Some(path) = env::var_os("NUDGE_MUTANT_RECORD") {
            let file = OpenOptions::new().create(true).append(true).open(path);
            *FILE.lock().unwrap() = Some(file.expect("NUDGE_MUTANT_RECORD names a file"));
            active = RECORDS;
        }
        STEPS_MAX.store(number("NUDGE_MUTANT_STEPS").unwrap_or(u64::MAX), Relaxed);
        ACTIVE.store(active, Relaxed);
    }
    let (steps, most) = (STEPS.load(Relaxed), STEPS_MAX.load(Relaxed));
    assert!(steps <= most, "mutant: more than {most} steps");
    ACTIVE.load(Relaxed)
}

#[inline]
fn reach(id: u32) {
    if !REACHED[id as usize].load(Relaxed) {
        reach_first(id);
    }
}

#[cold]
fn reach_first(id: u32) {
    let was = REACHED[id as usize].swap(true, Relaxed);
    if !was && let Some(file) = FILE.lock().unwrap().as_mut() {
        // A single write, because the programs of one test may share the file.
        let _ = file.write_all(format!("{id}\n").as_bytes());
    }
}

/// Activates mutant `id`, or none, and allows at most `steps_max` steps from now on.
pub fn switch(id: Option<u32>, steps_max: u64) {
    STEPS.store(0, Relaxed);
    STEPS_MAX.store(steps_max, Relaxed);
    ACTIVE.store(id.unwrap_or(NONE), Relaxed);
}

/// Runs `work` without a mutant; returns the mutants that it reached, and its steps.
pub fn recorded(work: impl FnOnce()) -> (Vec<u32>, u64) {
    REACHED.iter().for_each(|reached| reached.store(false, Relaxed));
    switch(Some(RECORDS), u64::MAX);
    work();
    let steps = STEPS.load(Relaxed);
    switch(None, u64::MAX);
    let reached = (0..MUTANTS_MAX as u32).filter(|id| REACHED[*id as usize].load(Relaxed));
    (reached.collect(), steps)
}

/// Returns whether the process has exceeded its steps since [`switch`].
pub fn is_over() -> bool {
    STEPS.load(Relaxed) > STEPS_MAX.load(Relaxed)
}
