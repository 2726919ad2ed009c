//! Movements of buttons within the start of the firmware, which blocks, and a power-off: the board
//! has them before the power-on, as in a replay of the session's trace.

use hal_mock::replay::{Ongoing, ReplaySettings, STARTS_WITHIN};
use timeline::ObservedMachine;
use trace::{Action, Line, When};
use virtual_time::{Instant, Nanos};

use super::{Session, no_past, why_stopped};
use crate::fault::{Fault, FaultKind};

const MILLISECOND: u64 = 1_000_000;

impl Session {
    /// Returns the place of the last power-on of the first `lines` lines if `at` is within the start
    /// of its firmware.
    pub(super) fn power_on_within(&self, lines: usize, at: Instant) -> Option<usize> {
        let (begun, power_on) = self.script.power_on(lines)?;
        let can_stop = self.board().inputs_from().is_none();
        (can_stop && at < power_on.saturating_add(STARTS_WITHIN)).then_some(begun)
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
        let can_stop = self.board().inputs_from().is_none();
        if !is_known_before || !can_stop || self.board().now() != self.started {
            return None;
        }
        let (begun, power_on) = self.script.power_on(usize::MAX)?;
        let line = self.script.clock();
        let after = self.clock().saturating_since(line).0.next_multiple_of(MILLISECOND);
        let at = line.saturating_add(Nanos(after));
        let is_within = at < self.started && at < power_on.saturating_add(STARTS_WITHIN);
        is_within.then_some((begun, at))
    }

    /// Executes a movement within the start of the firmware: goes back to before the power-on, and
    /// starts the firmware again with it.
    pub(super) fn execute_within_start(
        &mut self,
        begun: usize,
        at: Instant,
        action: Action,
    ) -> Result<Line, Fault> {
        let line = self.script.line(at, action);
        self.script.write(&line)?;
        let mut lines = self.script.known(begun, usize::MAX);
        lines.push(Line::new(When::At(at), line.action.clone()));
        let again = self.start_again(begun, &lines);
        let (ongoing, started) = match again {
            Ok(again) => again,
            Err(fault) => {
                self.script.push(line, at);
                self.stopped = Some(fault.message.clone());
                return Err(fault);
            }
        };
        (self.ongoing, self.started) = (ongoing, started);
        self.complete(&line, at)?;
        Ok(line)
    }

    /// Returns the replay after `lines`, of which the first is line `begun` of the session and
    /// switches the power on, and the time at which the firmware had started.
    pub(super) fn start_again(
        &mut self,
        begun: usize,
        lines: &[Line],
    ) -> Result<(Ongoing<ObservedMachine>, Instant), Fault> {
        let before = begun.checked_sub(1).and_then(|last| self.script.played().get(last));
        let before = before.and_then(|before| before.after.clone());
        let at = self.script.played().get(begun).map_or(Instant::START, |line| line.over);
        let (inputs, reached) = match &before {
            Some((inputs, point)) => (*inputs, at.max(point.machine_at())),
            None => (0, at),
        };
        let make = || self.maker.machine(&self.script.trace(at, false));
        let machine = self.ongoing.machine.back_to(reached, inputs, make).map_err(no_past)?;
        let settings = ReplaySettings::default();
        let mut ongoing = match &before {
            Some((_, point)) => Ongoing::resume(machine, settings, point, at),
            None => Ongoing::new(machine, settings),
        };
        let stopped = |stopped| Fault::new(FaultKind::Stopped, why_stopped(stopped));
        let started = ongoing.execute_known(lines, &self.reader, &mut self.goldens);
        Ok((ongoing, started.map_err(stopped)?))
    }
}
