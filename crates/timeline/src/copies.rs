//! Copies of a machine, so that a moment far behind can be reached without running all the way
//! again.
//!
//! One is made for each virtual second. There are at most [`COPIES_MAX`]: beyond that, the older half is thinned, so
//! that copies stand closer together the closer they are to the present.

use std::rc::Rc;

use hal_mock::{Instant, Machine, Nanos};

/// The time between two copies.
const EVERY: Nanos = Nanos::from_secs(1);

/// The most copies of one session.
pub(crate) const COPIES_MAX: usize = 96;

/// A machine as it was.
struct Copy {
    at: Instant,
    /// Deeds that had been done to it.
    next: usize,
    machine: Box<dyn Machine>,
}

/// Copies in order of time. A clone shares them.
#[derive(Clone, Default)]
pub(crate) struct Copies {
    kept: Vec<Rc<Copy>>,
    /// No copy is made before this moment.
    due: Instant,
    /// The machine cannot be copied.
    never: bool,
}

impl Copies {
    /// Copies `machine`, if it is time, right behind a step that moved its clock.
    pub(crate) fn offer(&mut self, machine: &dyn Machine, next: usize) {
        let at = machine.board().now();
        if self.never || at < self.due {
            return;
        }
        let Some(machine) = machine.fork() else {
            self.never = true;
            return;
        };
        self.due = at.saturating_add(EVERY);
        self.kept.push(Rc::new(Copy { at, next, machine }));
        if self.kept.len() > COPIES_MAX {
            self.thin();
        }
    }

    /// Drops every second copy of the older half.
    fn thin(&mut self) {
        let half = self.kept.len() / 2;
        let mut place = 0;
        self.kept.retain(|_| {
            place += 1;
            place > half || place % 2 == 1
        });
    }

    /// A copy of the last one by `at`, and how many deeds had been done to it.
    pub(crate) fn last_by(&self, at: Instant) -> Option<(Box<dyn Machine>, usize)> {
        let by_then = self.kept.partition_point(|copy| copy.at <= at);
        let copy = self.kept.get(by_then.checked_sub(1)?)?;
        Some((copy.machine.fork()?, copy.next))
    }

    /// When the last one by `at` was made.
    pub(crate) fn time_of_last_by(&self, at: Instant) -> Option<Instant> {
        self.kept.iter().rev().map(|copy| copy.at).find(|made| *made <= at)
    }

    /// Forgets those behind `at`, and those to which more than `deeds` deeds had been done.
    pub(crate) fn keep_before(&mut self, at: Instant, deeds: usize) {
        self.kept.retain(|copy| copy.at <= at && copy.next <= deeds);
        self.due = self.kept.last().map_or(Instant::START, |copy| copy.at.saturating_add(EVERY));
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}
