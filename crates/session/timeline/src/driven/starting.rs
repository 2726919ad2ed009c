//! Movements of buttons within the start of the firmware, which blocks, and a power-off: the board
//! has them before the power-on, as in a replay of the session's trace.

use hal_mock::replay::{Goldens, Ongoing};
use trace::{Action, Line, When};
use virtual_time::{Instant, Nanos};

use super::{DrivenBoard, StopReason};
use crate::observed::{ObservedMachine, may_be_starting};

const MILLISECOND: u64 = 1_000_000;

impl DrivenBoard {
    /// Returns the place of the last power-on of the first `lines` lines if `at` is within the
    /// start of its firmware.
    pub(super) fn power_on_within(&self, lines: usize, at: Instant) -> Option<usize> {
        let (begun, power_on) = self.lines.power_on(lines)?;
        let can_stop = self.board().inputs_from().is_none();
        (can_stop && may_be_starting(power_on, at)).then_some(begun)
    }

    /// Returns the place of the last power-on among the lines, and the time of a movement or a
    /// power-off, if it is within the start of the firmware, which has not run since.
    pub(super) fn within_start(&self, action: &Action) -> Option<(usize, Instant)> {
        let is_known_before = matches!(
            action,
            Action::Press(_)
                | Action::Release(_)
                | Action::Tap { .. }
                | Action::Move { .. }
                | Action::PowerOff
        );
        if !is_known_before || self.board().now() != self.started {
            return None;
        }
        let line = self.lines.clock();
        let after = self.clock().saturating_since(line).0.next_multiple_of(MILLISECOND);
        let at = line.saturating_add(Nanos(after));
        let begun = self.power_on_within(usize::MAX, at).filter(|_| at < self.started)?;
        Some((begun, at))
    }

    /// Executes `line`, a movement at `at` within the start of the firmware: goes back to before
    /// the power-on, line `begun`, and starts the firmware again with it.
    pub(super) fn execute_within_start(
        &mut self,
        begun: usize,
        at: Instant,
        line: Line,
        goldens: &mut dyn Goldens,
    ) -> Result<(), StopReason> {
        let mut lines = self.lines.absolute(begun, usize::MAX);
        lines.push(Line::new(When::At(at), line.action.clone()));
        match self.start_again(begun, &lines, goldens) {
            Ok(again) => (self.ongoing, self.started) = again,
            Err(reason) => {
                self.lines.push(line, at, Err(reason.clone()));
                return Err(self.stop(reason));
            }
        }
        self.complete(line, at, goldens)
    }

    /// Returns the replay after `lines`, of which the first is line `begun` of the board and
    /// switches the power on, and the time at which the firmware had started.
    pub(super) fn start_again(
        &mut self,
        begun: usize,
        lines: &[Line],
        goldens: &mut dyn Goldens,
    ) -> Result<(Ongoing<ObservedMachine>, Instant), StopReason> {
        let before = self.lines.first(begun);
        let at = self.lines.all().get(begun).map_or(Instant::START, |line| line.over);
        let mut ongoing = self.resumed(before.last_state()?, at, at)?;
        let started = ongoing.execute_known(lines, &self.setup.reader, goldens)?;
        Ok((ongoing, started))
    }
}
