//! Fingers and typed lines on a board that cannot be stopped.
//!
//! A real board goes on while the replay looks at it, so it must know of a press before its moment
//! ([`VirtualBoard::inputs_from`](crate::VirtualBoard::inputs_from)). Between two lines that wait every moment is known: [`Run::plan`] tells
//! the board of all that is pressed and typed up to the next such line at once. The first of them comes at the
//! earliest possible moment if its own is over; the lines behind it keep their distances.
//!
//! The first `power on` is at the trace's 0, for which nothing waits: what is pressed while the firmware starts is known before. A
//! later one is over when its firmware has drawn, and what is pressed behind it comes then.
//!
//! A board whose clock stands still while it is looked at is told of nothing ahead.

use super::{Run, Stop};
use trace::{Action, BoardFault, Line, TAP_HOLD, When};
use virtual_time::Instant;

impl Run<'_> {
    /// Whether the board knows of the line that is carried out already.
    pub(super) fn is_planned(&self) -> bool {
        self.state.planned > 0
    }

    /// The earliest moment of a line: the trace's clock, or, if it does something to a board that cannot be stopped, what
    /// that permits.
    pub(super) fn earliest(&self, action: &Action) -> Instant {
        let clock = self.state.clock;
        let is_known = self.is_planned()
            || self.state.cut_is_planned && *action == Action::Fault(BoardFault::PowerCut);
        match self.board().inputs_from() {
            Some(from) if !is_known && acts(action) => clock.max(from),
            _ => clock,
        }
    }

    /// Tells the board of what is pressed and typed in `lines`, of which the first is about to be carried out, up to the
    /// first that waits or does something else to the board.
    pub(super) fn plan(&mut self, lines: &[Line]) {
        self.state.planned = self.state.planned.saturating_sub(1);
        if self.is_planned() || self.board().inputs_from().is_none() {
            return;
        }
        let Some(first) = lines.first() else { return };
        let starts = first.action == Action::PowerOn && self.board().now() == Instant::START;
        if !starts && !is_sent_ahead(&first.action) {
            return;
        }
        let earliest = self.earliest(&first.action);
        let mut at = self.state.clock;
        for (index, line) in lines.iter().enumerate() {
            let looks = !acts(&line.action) && line.action.longest_wait().is_none();
            let power_comes = starts && index == 0;
            if line.action == Action::End || !(looks || power_comes || is_sent_ahead(&line.action))
            {
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
            }
            if self.options.until.is_some_and(|until| until < at) {
                break;
            }
            match &line.action {
                Action::Press(button) => self.board().press(at, *button),
                Action::Release(button) => self.board().release(at, *button),
                Action::Tap { button, hold } => {
                    self.board().press(at, *button);
                    self.board().release(at.saturating_add(hold.unwrap_or(TAP_HOLD)), *button);
                }
                Action::Type(text) => self.board().type_line(at, text),
                _ => {}
            }
            self.state.planned = index + 1;
            if index == 0 {
                // The line itself finds this moment again.
                self.state.clock = match line.when {
                    When::After(span) => at.saturating_sub(span),
                    When::At(_) => self.state.clock,
                };
            }
        }
    }

    /// Runs to `at`, where the power goes. A board that cannot be stopped loses it at that very moment.
    pub(super) fn plan_power_off(&mut self, at: Instant) -> Result<(), Stop> {
        if self.board().inputs_from().is_some() && self.board().is_powered() {
            self.board().cut_power_at(at);
        }
        self.reach(at)
    }
}

/// Whether a line does something to the board.
fn acts(action: &Action) -> bool {
    is_sent_ahead(action) || action.is_input()
}

fn is_sent_ahead(action: &Action) -> bool {
    matches!(action, Action::Press(_) | Action::Release(_) | Action::Tap { .. } | Action::Type(_))
}
