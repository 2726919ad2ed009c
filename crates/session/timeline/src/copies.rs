//! Copies of a machine: an earlier time is reached from the last copy before it, without a run from the beginning.
//!
//! One is made for each span of virtual time that the owner names, up to a limit. Beyond the limit one is dropped for each
//! that is made, so that copies are the closer together the closer they are to the present. What is copied is a machine, or
//! a replay with its machine.

use std::rc::Rc;

use hal_mock::{Machine, replay::Ongoing};
use virtual_time::{Instant, Nanos};

/// Maximum number of copies of a [`Session`](crate::Session).
pub const COPIES_MAX: usize = 96;

/// A value that can be copied in the middle of its run.
pub trait Fork: Sized {
    /// Returns the virtual time that it has reached.
    fn now(&self) -> Instant;

    /// Returns a copy that continues exactly as this one would; `None` if there can be none.
    fn fork(&self) -> Option<Self>;
}

impl Fork for Box<dyn Machine> {
    fn now(&self) -> Instant {
        self.board().now()
    }

    fn fork(&self) -> Option<Self> {
        self.as_ref().fork()
    }
}

impl Fork for Ongoing {
    fn now(&self) -> Instant {
        self.clock()
    }

    fn fork(&self) -> Option<Self> {
        self.fork()
    }
}

/// A machine as it was.
struct Copy<T> {
    at: Instant,
    /// Inputs that had been given to it.
    next: usize,
    machine: T,
}

/// Copies in order of time. A clone shares them.
pub struct Copies<T = Box<dyn Machine>> {
    kept: Vec<Rc<Copy<T>>>,
    /// Limit of their number.
    most: usize,
    /// The time between two.
    every: Nanos,
    /// No copy is made before this time.
    due: Instant,
    /// The machine cannot be copied.
    never: bool,
}

impl<T> Clone for Copies<T> {
    fn clone(&self) -> Self {
        Self { kept: self.kept.clone(), ..*self }
    }
}

impl<T: Fork> Copies<T> {
    /// None yet; one is to be made for each span of `every`, at most `most`.
    pub fn new(every: Nanos, most: usize) -> Self {
        Self { kept: Vec::new(), most, every, due: Instant::START, never: false }
    }

    /// Copies `machine`, if it is time, right after its clock has moved. `next` inputs have been given to it.
    pub fn offer(&mut self, machine: &T, next: usize) {
        let at = machine.now();
        if self.never || at < self.due {
            return;
        }
        let Some(machine) = machine.fork() else {
            self.never = true;
            return;
        };
        self.due = at.saturating_add(self.every);
        self.kept.push(Rc::new(Copy { at, next, machine }));
        if self.kept.len() > self.most {
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

    /// Returns a copy of the last one by `at`, and how many inputs had been given to it.
    pub fn last_by(&self, at: Instant) -> Option<(T, usize)> {
        let by_then = self.kept.partition_point(|copy| copy.at <= at);
        let copy = self.kept.get(by_then.checked_sub(1)?)?;
        Some((copy.machine.fork()?, copy.next))
    }

    /// Returns when the last one by `at` was made.
    pub(crate) fn time_of_last_by(&self, at: Instant) -> Option<Instant> {
        self.kept.iter().rev().map(|copy| copy.at).find(|made| *made <= at)
    }

    /// Drops those after `at`, and those to which more than `inputs` inputs had been given.
    pub fn keep_before(&mut self, at: Instant, inputs: usize) {
        self.kept.retain(|copy| copy.at <= at && copy.next <= inputs);
        let due = |copy: &Rc<Copy<T>>| copy.at.saturating_add(self.every);
        self.due = self.kept.last().map_or(Instant::START, due);
    }

    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }
}

/// Copies of this age are twice as far apart as the newest ones.
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
