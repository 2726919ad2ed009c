//! Lines that run until a condition is satisfied: a text, a settled screen.

use super::{Run, Stop};
use crate::board::SETTLED_AFTER;
use crate::replay::failure::FailureCause;
use trace::{Display, Place};
use virtual_time::{Instant, Nanos};

/// Deadline of a line that waits.
#[derive(Clone, Copy)]
pub(super) struct Deadline {
    /// The last time that counts: the end of the line's span, or of the replay if that is earlier.
    pub(super) last: Instant,
    /// Whether the replay ends before the line's span.
    is_cut: bool,
}

impl Run<'_> {
    /// Returns the deadline of a line that waits from now on for at most `within`.
    pub(super) fn deadline(&self, within: Nanos) -> Deadline {
        let end = self.state.clock.saturating_add(within);
        let last = self.options.until.map_or(end, |until| until.min(end));
        Deadline { last, is_cut: last < end }
    }

    /// Moves the clock to a deadline by which the condition was not satisfied. That is no failure
    /// if the replay ends there.
    pub(super) fn give_up(&mut self, deadline: Deadline) -> Result<(), Stop> {
        self.state.clock = deadline.last;
        if deadline.is_cut { Err(Stop::Done) } else { Ok(()) }
    }

    pub(super) fn wait_text(
        &mut self,
        place: Place,
        text: &str,
        display: Option<Display>,
        within: Nanos,
    ) -> Result<(), Stop> {
        let deadline = self.deadline(within);
        let last = deadline.last;
        while !self.shows(self.state.clock, text) {
            match self.next_frame(self.state.clock, last)? {
                Some(complete) => self.state.clock = complete,
                None => {
                    self.give_up(deadline)?;
                    let near = self.near_text(last, text);
                    let text = text.to_owned();
                    let cause = FailureCause::WaitedForText { text, display, within, near };
                    self.fail_with_text(place, last, cause);
                    return Err(Stop::Failed);
                }
            }
        }
        Ok(())
    }

    /// Runs until a frame of the line's display is complete, and returns its time in (`from`,
    /// `last`]; `None` if no frame was completed.
    fn next_frame(&mut self, from: Instant, last: Instant) -> Result<Option<Instant>, Stop> {
        let board = self.screen();
        let seen = board.frame_count_at(from);
        loop {
            let now = board.now();
            let known = now.min(last);
            if board.frame_count_at(known) > seen {
                return Ok(Some(board.first_frame_between(from, known, seen)));
            }
            if now >= last {
                return Ok(None);
            }
            // Do not run past the time at which the frame in progress may be complete: the next
            // frame may begin after it.
            let due = board.frame_due();
            self.drive(due.map_or(last, |due| due.min(last)))?;
        }
    }

    /// Runs until `display` is settled, or all displays if the line names none.
    pub(super) fn settle(
        &mut self,
        place: Place,
        display: Option<Display>,
        within: Nanos,
    ) -> Result<(), Stop> {
        let deadline = self.deadline(within);
        let last = deadline.last;
        loop {
            let change = match display {
                Some(_) => self.screen().last_change(),
                None => self.board().last_change_of_all(),
            };
            let quiet_since = change.max(self.state.last_input);
            let met = self.state.clock.max(quiet_since.saturating_add(SETTLED_AFTER));
            // The firmware may wake in the exact nanosecond in which the screen is settled; so stop
            // one before, to check that nothing changed until then.
            let just_before = met.saturating_sub(Nanos(1));
            if met <= last && self.board().now() >= just_before {
                self.state.clock = met;
                return Ok(());
            }
            if self.board().now() >= last {
                self.give_up(deadline)?;
                let cause =
                    FailureCause::NotSettled { display, within, last_change: change.min(last) };
                self.fail_with_text(place, last, cause);
                return Err(Stop::Failed);
            }
            self.drive(just_before.min(last))?;
        }
    }
}
