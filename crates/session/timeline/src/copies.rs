//! Copies of a machine, so that a moment far behind can be reached without running all the way
//! again.
//!
//! One is made for each span of virtual time that the [`Setup`](crate::Setup) names. There are at most
//! [`COPIES_MAX`]: beyond that, one is dropped for each that is made, so that copies stand closer together the
//! closer they are to the present.

use std::rc::Rc;

use hal_mock::Machine;
use virtual_time::{Instant, Nanos};

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
#[derive(Clone)]
pub(crate) struct Copies {
    kept: Vec<Rc<Copy>>,
    /// The time between two.
    every: Nanos,
    /// No copy is made before this moment.
    due: Instant,
    /// The machine cannot be copied.
    never: bool,
}

impl Copies {
    /// None yet; one is to be made for each span of `every`.
    pub(crate) fn new(every: Nanos) -> Self {
        Self { kept: Vec::new(), every, due: Instant::START, never: false }
    }

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
        self.due = at.saturating_add(self.every);
        self.kept.push(Rc::new(Copy { at, next, machine }));
        if self.kept.len() > COPIES_MAX {
            self.thin();
        }
    }

    /// Drops the copy that is missed least.
    fn thin(&mut self) {
        let times: Vec<Instant> = self.kept.iter().map(|copy| copy.at).collect();
        if let Some(place) = least_missed(&times) {
            self.kept.remove(place);
        }
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
        let due = |copy: &Rc<Copy>| copy.at.saturating_add(self.every);
        self.due = self.kept.last().map_or(Instant::START, due);
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}

/// Copies of this age stand twice as far apart as the newest ones.
const AGE: Nanos = Nanos::from_secs(60);

/// Which of `times`, without the first and the last, leaves the gap that is shortest for its age.
fn least_missed(times: &[Instant]) -> Option<usize> {
    let newest = *times.last()?;
    let gap = |place: usize| {
        let gap = times[place + 1].saturating_since(times[place - 1]);
        let age = newest.saturating_since(times[place]).saturating_add(AGE);
        gap.as_secs_f64() / age.as_secs_f64()
    };
    (1..times.len().saturating_sub(1)).min_by(|one, other| gap(*one).total_cmp(&gap(*other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stand_closer_the_closer_they_are_to_the_present() {
        let mut times: Vec<Instant> = Vec::new();
        for second in 1..=3_600 {
            times.push(Instant::from_secs(second));
            if times.len() > COPIES_MAX {
                times.remove(least_missed(&times).unwrap());
            }
        }
        let gaps: Vec<u64> = times
            .windows(2)
            .map(|pair| pair[1].saturating_since(pair[0]).0 / 1_000_000_000)
            .collect();
        let (older, newer) = gaps.split_at(gaps.len() / 2);
        let [older, newer] = [older, newer].map(|gaps| gaps.iter().copied().max().unwrap());
        assert_eq!((times.len(), times[0]), (COPIES_MAX, Instant::from_secs(1)));
        assert!(newer < older && older < 240, "{gaps:?}");
    }
}
