//! Copies of a machine: an earlier time is reached from the last copy before it, without a run from
//! the beginning.
//!
//! One copy is made for each span of virtual time that the owner names, up to a limit. Beyond the
//! limit one is dropped for each that is made, so that the intervals are shorter near the present.

use std::rc::Rc;

use hal_mock::Machine;
use virtual_time::{Instant, Nanos};

/// Virtual time between two copies of a board under way. Beyond the maximum number of copies they
/// are further apart the older they are; one takes about 0.4 MB of memory on `native`, 0.6 MB on
/// `pico`.
pub const COPIED_EVERY: Nanos = Nanos::from_secs(5);
/// Maximum number of copies of a [`Session`](crate::Session).
pub const COPIES_MAX: usize = 96;

/// A copy of a machine.
struct Copy {
    at: Instant,
    /// Number of inputs that had been given to it.
    next: usize,
    machine: Box<dyn Machine>,
}

/// Copies in order of time. A clone shares them.
#[derive(Clone)]
pub struct Copies {
    stored: Vec<Rc<Copy>>,
    /// Maximum number of copies.
    most: usize,
    /// Time between two copies.
    every: Nanos,
    /// Time before which no copy is made.
    due: Instant,
    /// Whether the machine cannot be copied.
    never: bool,
}

impl Copies {
    /// Begins without a copy; one is made for each span of `every`, and at most `most` are stored.
    pub fn new(every: Nanos, most: usize) -> Self {
        Self { stored: Vec::new(), most, every, due: Instant::START, never: false }
    }

    /// Copies `machine`, if a copy is due, right after its clock has moved. `next` inputs have been
    /// given to it.
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
        self.stored.push(Rc::new(Copy { at, next, machine }));
        if self.stored.len() > self.most {
            self.thin();
        }
    }

    /// Copies `machine`, whose power is about to be switched on: a movement within the start of its
    /// firmware starts it again. `next` inputs have been given to it.
    pub(crate) fn add_before_start(&mut self, machine: &dyn Machine, next: usize) {
        let at = machine.board().now();
        if self.never || at == Instant::START {
            return;
        }
        if let Some(machine) = machine.fork() {
            self.stored.push(Rc::new(Copy { at, next, machine }));
            if self.stored.len() > self.most {
                self.thin();
            }
        }
    }

    /// Removes the copy whose removal leaves the shortest gap for its age.
    fn thin(&mut self) {
        let times: Vec<Instant> = self.stored.iter().map(|copy| copy.at).collect();
        if let Some(place) = removable(&times) {
            self.stored.remove(place);
        }
    }

    /// Returns a copy of the last copy by `at`, and the number of inputs that had been given to it.
    pub(crate) fn last_by(&self, at: Instant) -> Option<(Box<dyn Machine>, usize)> {
        let by_then = self.stored.partition_point(|copy| copy.at <= at);
        let copy = self.stored.get(by_then.checked_sub(1)?)?;
        Some((copy.machine.fork()?, copy.next))
    }

    /// Returns the time of the last copy by `at`.
    pub(crate) fn time_of_last_by(&self, at: Instant) -> Option<Instant> {
        self.stored.iter().rev().map(|copy| copy.at).find(|made| *made <= at)
    }

    /// Removes the copies after `at`, and those to which more than `inputs` inputs had been given.
    pub(crate) fn keep_before(&mut self, at: Instant, inputs: usize) {
        self.stored.retain(|copy| copy.at <= at && copy.next <= inputs);
        let due = |copy: &Rc<Copy>| copy.at.saturating_add(self.every);
        self.due = self.stored.last().map_or(Instant::START, due);
    }

    pub(crate) fn len(&self) -> usize {
        self.stored.len()
    }
}

/// Age of the copies that are twice as far apart as the newest ones.
const AGE: Nanos = Nanos::from_secs(60);

/// Returns the index of the time, neither the first nor the last, whose removal leaves the gap that
/// is shortest for its age.
fn removable(times: &[Instant]) -> Option<usize> {
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
    fn intervals_of_copies_are_shorter_near_the_present() {
        let mut times: Vec<Instant> = Vec::new();
        for second in 1..=3_600 {
            times.push(Instant::from_secs(second));
            if times.len() > COPIES_MAX {
                times.remove(removable(&times).unwrap());
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
