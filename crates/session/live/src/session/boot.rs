//! The start of the firmware, which blocks: movements of buttons within it.
//!
//! The board gets the movements that are known before the power-on, as in a replay. A movement that
//! is made later, while the wall clock has not reached the end of the start, goes back to before
//! the power-on and starts the firmware again, now with it.

use std::io;
use std::time::Duration;

use hal_mock::Machine as _;
use timeline::may_be_starting;
use trace::Action;
use virtual_time::{Instant, Nanos};

use super::Session;
use crate::input_log::InputLog;

/// A power-on after which the firmware has not run since it has started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boot {
    /// Time of the power-on.
    pub(super) at: Instant,
    /// Time at which the firmware had started.
    pub(super) started: Instant,
}

impl Session {
    /// Switches the power on at `at`, which is recorded. The board gets the scheduled movements
    /// within the start of the firmware before. Those that the firmware has then run up to are
    /// recorded.
    pub(super) fn start_firmware(&mut self, at: Instant) {
        if !self.is_real() {
            let waiting = self.schedule.waiting();
            let within = waiting
                .take_while(|(when, event)| event.is_movement() && may_be_starting(at, *when));
            self.next.given = within.map(|(when, event)| self.give_to_board(*when, event)).count();
        }
        self.broken = self.machine.power_on().err();
        let started = self.machine.board().now();
        self.boot = Some(Boot { at, started });
        while self.next.given > 0
            && let Some((when, event)) = self.schedule.next()
            && when <= started
        {
            self.record_next(when, &event);
            self.next_done();
        }
    }

    /// Returns the time of a movement that is made at `wall`: within the start of the firmware, as
    /// long as that lasts.
    pub(super) fn time_of_movement(&self, wall: Duration) -> Instant {
        let at = self.pacer.target(wall);
        let may_start_again = self.memory.is_some()
            && self.past.is_none()
            && self.broken.is_none()
            && !self.input_log_is_cut
            && !self.is_real();
        let is_within =
            |boot: Boot| (boot.at..boot.started).contains(&at) && may_be_starting(boot.at, at);
        match self.boot.filter(|boot| may_start_again && is_within(*boot)) {
            Some(_) => at,
            None => self.now(wall),
        }
    }

    /// Starts the firmware again if a scheduled movement is within its start.
    pub(super) fn start_again(&mut self, wall: Duration) {
        let Some(boot) = self.boot else { return };
        let Some((first, _)) = self.schedule.next().filter(|(at, _)| *at <= boot.started) else {
            return;
        };
        if !may_be_starting(boot.at, first) {
            // A replay would give it too late as well.
            self.schedule.delay_until(boot.started.saturating_add(Nanos(1)));
            return;
        }
        let mut course = self.input_log_so_far();
        let recorded = course.events.len();
        let waiting = self.schedule.waiting();
        course.events.extend(waiting.map(|(at, event)| (*at, event.action())));
        course.end = boot.at;
        let begun = course.events[..recorded]
            .iter()
            .rposition(|(_, action)| *action == Action::PowerOn)
            .unwrap_or_default();
        let same = InputLog { events: course.events[..begun].to_vec(), end: boot.at };
        let pacer = self.pacer;
        if let Err(error) = self.go_back(&same, &course, wall) {
            // The recording ends here: its file has the inputs before.
            self.recording_error = Some(io::Error::other(error));
            return;
        }
        self.pacer = pacer;
        for number in recorded..self.input_log.events.len() {
            let (at, action) = self.input_log.events[number].clone();
            self.write_line(at, action);
        }
    }
}
