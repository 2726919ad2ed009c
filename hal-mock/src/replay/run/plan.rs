//! Inputs that the board gets in advance: on a board that cannot be stopped, and while firmware
//! starts, which blocks.
//!
//! A real board keeps running while the replay observes it, so it must get a press before the time
//! of the press ([`VirtualBoard::inputs_from`](crate::VirtualBoard::inputs_from)). Between two
//! lines that wait all times are known: [`Run::plan`] sends the board all presses and typed lines
//! up to the next such line at once. The first of them comes at the earliest possible time if its
//! own has passed; the lines after it keep their distances.
//!
//! The first `power on` is at time 0 of the trace, before the board runs: presses during the
//! firmware's start are sent before it. A later `power on` ends when its firmware has drawn, and
//! presses after it come then.
//!
//! A board whose clock stops while it is observed gets nothing in advance, except before a `power
//! on`: its firmware blocks for 265 ms, and what happens meanwhile must come at its time. That is
//! each movement of a contact or control in the next 500 ms, up to the next line that waits or acts
//! on the board in another way, and a power-off or power cut at the end of these lines.

use super::{Release, Run, Stop};
use trace::{Action, BoardFault, Line, TAP_HOLD, When};
use virtual_time::{Instant, Nanos};

/// Time after a power-on in which the firmware may still be starting.
pub const STARTS_WITHIN: Nanos = Nanos::from_millis(500);

impl Run<'_> {
    /// Returns whether the board already knows of the current line.
    pub(super) fn is_planned(&self) -> bool {
        self.state.planned > 0
    }

    /// Returns the earliest time of a line: the trace's clock, or, for an input to a board that
    /// cannot be stopped, the earliest time that the board permits.
    pub(super) fn earliest(&self, action: &Action) -> Instant {
        let clock = self.state.clock;
        let is_known = self.is_planned()
            || self.state.cut_is_planned && *action == Action::Fault(BoardFault::PowerCut);
        match self.board().inputs_from() {
            Some(from) if !is_known && acts(action) => clock.max(from),
            _ => clock,
        }
    }

    /// Sends the board the presses and typed texts in `lines`, of which the first is about to be
    /// executed, up to the first line that waits or acts on the board in another way.
    pub(super) fn plan(&mut self, lines: &[Line]) {
        self.state.planned = self.state.planned.saturating_sub(1);
        let Some(first) = lines.first() else { return };
        let can_stop = self.board().inputs_from().is_none();
        let starts = first.action == Action::PowerOn
            && match can_stop {
                true => !self.board().is_powered(),
                false => self.board().now() == Instant::START,
            };
        if self.is_planned() || !starts && (can_stop || !is_sent_ahead(&first.action)) {
            return;
        }
        let earliest = self.earliest(&first.action);
        let mut at = self.state.clock;
        let mut starts_at = at;
        for (index, line) in lines.iter().enumerate() {
            let observes = !acts(&line.action) && line.action.longest_wait().is_none();
            let power_comes = starts && index == 0;
            let power_goes = can_stop
                && !power_comes
                && matches!(line.action, Action::PowerOff | Action::Fault(BoardFault::PowerCut));
            // Bytes that are typed before the firmware has started are lost on every board.
            let is_sent = is_sent_ahead(&line.action)
                && !(can_stop && matches!(line.action, Action::Type(_)));
            if line.action == Action::End || !(observes || power_comes || power_goes || is_sent) {
                break;
            }
            at = match line.when {
                When::After(span) => at.saturating_add(span),
                When::At(at) => at,
            };
            if index == 0 {
                if matches!(line.when, When::At(at) if at < earliest) {
                    return;
                }
                at = at.max(earliest);
                starts_at = at;
            }
            let has_started = can_stop && at >= starts_at.saturating_add(STARTS_WITHIN);
            if has_started || self.options.until.is_some_and(|until| until < at) {
                break;
            }
            if power_goes {
                self.board().cut_power_at(at);
                self.state.cut_is_planned = line.action != Action::PowerOff;
                break;
            }
            match &line.action {
                Action::Press(button) => self.board().press(at, *button),
                Action::Release(button) => self.board().release(at, *button),
                Action::Tap { button, hold } => {
                    self.board().press(at, *button);
                    self.board().release(at.saturating_add(hold.unwrap_or(TAP_HOLD)), *button);
                }
                Action::Move { control, movement } => {
                    self.board().move_control(at, *control, *movement);
                }
                Action::Type(text) => self.board().type_line(at, text),
                Action::TypeBytes(bytes) => self.board().type_bytes(at, bytes),
                _ => {}
            }
            self.state.planned = index + 1;
            if index == 0 {
                // Executing the line computes the same time again.
                self.state.clock = match line.when {
                    When::After(span) => at.saturating_sub(span),
                    When::At(_) => self.state.clock,
                };
            }
        }
    }

    /// Reports all pending releases to the board, whose firmware is about to block.
    pub(super) fn plan_releases(&mut self) {
        let board = self.machine.board().clone();
        let pending = |release: &&mut Release| !release.planned && !release.given;
        for release in self.state.releases.iter_mut().filter(pending) {
            board.release(release.at, release.button);
            release.planned = true;
        }
    }

    /// Runs to `at`, where the power is switched off. A board that cannot be stopped loses it at
    /// that exact time.
    pub(super) fn plan_power_off(&mut self, at: Instant) -> Result<(), Stop> {
        if self.board().inputs_from().is_some() && self.board().is_powered() {
            self.board().cut_power_at(at);
        }
        self.reach(at)
    }
}

/// Returns whether an action acts on the board.
pub(super) fn acts(action: &Action) -> bool {
    is_sent_ahead(action) || action.is_input()
}

fn is_sent_ahead(action: &Action) -> bool {
    matches!(
        action,
        Action::Press(_)
            | Action::Release(_)
            | Action::Tap { .. }
            | Action::Move { .. }
            | Action::Type(_)
            | Action::TypeBytes(_)
    )
}
