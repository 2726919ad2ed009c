//! Movements within the start of the firmware, which blocks: as in a replay of the saved trace, the
//! board has them before the power-on, and each contact moves at its own time.

use virtual_time::{Instant, Nanos};

use super::Session;
use crate::input::{MachineInput, TimedInput};
use crate::observed::may_be_starting;
use crate::run::NoObserver;

impl Session {
    /// Returns the place of the last power-on among the inputs, if the present time is within the
    /// start of its firmware, which has not run since.
    pub(super) fn starting(&self) -> Option<usize> {
        let started = self.run.started().filter(|started| self.present < *started)?;
        let given = &self.done[..self.run.next()];
        let place = given.iter().rposition(TimedInput::is_power)?;
        let power_on = &given[place];
        let is_within = power_on.clock <= self.present && self.run.now() == started;
        (is_within && power_on.input == MachineInput::PowerOn).then_some(place)
    }

    /// Returns the time of a movement from `earliest` on, and the place of the power-on, if it is
    /// within the start of the firmware.
    pub(super) fn time_within_start(&self, earliest: Instant) -> Option<(Instant, usize)> {
        let power_on = self.starting()?;
        let unseen = self.present.saturating_add(Nanos(1));
        let at = self.whole_millisecond(earliest.max(unseen));
        let is_before_its_end = self.run.started().is_some_and(|started| at < started);
        let is_within = is_before_its_end && may_be_starting(self.done[power_on].clock, at);
        is_within.then_some((at, power_on))
    }

    /// Returns whether a given input is known at the present time. After a way back into the start
    /// of the firmware, the board has had later ones.
    pub(super) fn is_known(&self, done: &TimedInput) -> bool {
        let went_back = self.present < self.reached && self.starting().is_some();
        !went_back || done.at() <= self.present
    }

    /// Gives a movement at `at` to the board before the power-on, which is input `power_on`, and
    /// starts the firmware again. Later inputs are removed.
    pub(super) fn add_within_start(&mut self, at: Instant, power_on: usize, input: MachineInput) {
        let TimedInput { clock, idle, .. } = self.done[power_on];
        let went_back = self.present < self.reached;
        self.remove_later();
        let new = TimedInput { clock, idle, input, line: None };
        if went_back {
            self.remove_unseen(&new);
        }
        let is_power_on = |done: &TimedInput| done.input == MachineInput::PowerOn;
        let power_on = self.done.iter().rposition(is_power_on).unwrap_or_default();
        let is_earlier =
            |done: &TimedInput| done.clock < clock || done.is_power() || done.at() <= at;
        let place = self.done[..power_on].iter().rposition(is_earlier).map_or(0, |last| last + 1);
        self.done.insert(place, new);
        self.start_again(clock);
    }

    /// Removes the inputs after the present time, except the releases of the fingers that are down
    /// and that `new` does not lift.
    fn remove_unseen(&mut self, new: &TimedInput) {
        let present = self.present;
        let seen = self.done.iter().filter(|done| done.at() <= present);
        let mut down = crate::Fingers::after(seen.filter_map(TimedInput::finger));
        if let Some((button, false)) = new.finger() {
            down.lift(button);
        }
        self.done.retain(|done| match done.finger() {
            _ if done.at() <= present => true,
            Some((button, false)) => down.lift(button),
            _ => false,
        });
    }

    /// Runs the machine again from before `clock`, at which its power is switched on.
    fn start_again(&mut self, clock: Instant) {
        let before = clock.saturating_sub(Nanos(1));
        let earlier = self.done.partition_point(|done| done.clock < clock);
        self.copies.keep_before(before, earlier);
        self.history.keep_until(clock);
        self.frames.keep_before(before);
        let Some(run) = self.start(before) else { return };
        (self.run, self.listener, self.known) = (run, None, before);
        self.run.advance(&self.done[..earlier], before, &mut NoObserver, None);
        self.listen();
        self.go(self.present);
    }
}
