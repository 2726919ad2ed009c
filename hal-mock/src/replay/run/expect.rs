//! Checks at one time: the backlight, LEDs, violations of the LCD's datasheet, and what
//! [`watch`](super::watch) has recorded up to then.

use super::Run;
use crate::Heap;
use crate::board::{LedReading, Violation};
use crate::replay::failure::FailureCause;
use trace::{Action, Comparison, Display, LedCheck, Place};
use virtual_time::{Instant, Nanos};

impl Run<'_> {
    pub(super) fn expect_backlight(&mut self, place: Place, at: Instant, on: bool) {
        if self.screen().is_backlit_at(at) != on {
            let cause = FailureCause::Backlight { expected: on, display: self.display };
            self.fail_with_text(place, at, cause);
        }
    }

    /// Checks an LED, or all LEDs of a chain.
    pub(super) fn expect_led(&mut self, place: Place, at: Instant, check: &LedCheck) {
        let numbers = match check.number {
            Some(number) => number..number.saturating_add(1),
            None => 0..check.led.count(),
        };
        let found = numbers.into_iter().find_map(|number| {
            let reading = self.board().led_at(at, check.led, number);
            let holds = reading.is_some_and(|reading| check.holds(reading.state));
            (!holds).then_some((number, reading))
        });
        let cause = match found {
            None => return,
            Some((number, Some(LedReading { state, since }))) => {
                FailureCause::Led { check: *check, number, state, since }
            }
            Some((_, None)) => FailureCause::NoLed { led: check.led },
        };
        self.fail_with_text(place, at, cause);
    }

    /// Checks a span or everything until now: `expect frames`, and budgets.
    pub(super) fn expect_all(&mut self, place: Place, at: Instant, action: &Action) {
        let failed = match action {
            Action::ExpectFrames { settled, .. } => {
                let display = self.display.map_or(0, Display::index);
                self.end_chain(at, display, *settled).err().map(FailureCause::from)
            }
            Action::ExpectBus { comparison, bytes, within } => {
                let sent = self.bytes_between(at.saturating_sub(*within), at);
                let (comparison, limit, within) = (*comparison, *bytes, *within);
                judge(
                    comparison.holds(sent, limit),
                    FailureCause::BusOverBudget { comparison, limit, within, sent },
                )
            }
            Action::ExpectFrameTime { comparison, limit, .. } => {
                self.frame_time(*comparison, *limit)
            }
            Action::ExpectNoViolations => self.no_violations(at),
            Action::ExpectNoHeap => no_heap(self.machine.heap()),
            _ => None,
        };
        if let Some(cause) = failed {
            self.fail(Some(place), at, cause);
        }
    }

    fn frame_time(&mut self, comparison: Comparison, limit: Nanos) -> Option<FailureCause> {
        let display = self.display;
        match self.take_longest_frame(display.map_or(0, Display::index)) {
            None => Some(FailureCause::NoFrame { comparison, limit, display }),
            Some((time, complete_at)) => judge(
                comparison.holds(time, limit),
                FailureCause::FrameTooLong { comparison, limit, display, complete_at, time },
            ),
        }
    }

    fn no_violations(&self, at: Instant) -> Option<FailureCause> {
        let (violations, dropped) = self.all_violations();
        let count = violations.iter().filter(|(_, violation)| violation.at <= at).count();
        let first = violations.first().map(|(_, first)| (first.at, first.rule));
        let recorded = count as u64 + dropped;
        judge(count == 0, FailureCause::Violations { count: recorded, first })
    }

    pub(super) fn violations(&mut self, ended_at: Instant) {
        let (violations, dropped) = self.all_violations();
        let displays = self.board().displays();
        for (number, violation) in violations {
            if violation.at > ended_at {
                continue;
            }
            let (rule, bytes, table) = (violation.rule, violation.bytes, violation.table);
            let display = displays.all().get(number).copied().filter(|_| number > 0);
            let cause = FailureCause::Violation { rule, bytes, table, display };
            self.fail(None, violation.at, cause);
        }
        self.failures_left_out += dropped;
    }

    /// Returns the violations on all displays in order of time, each with the number of its
    /// display, and how many were dropped.
    fn all_violations(&self) -> (Vec<(usize, Violation)>, u64) {
        let displays = (0..self.board().display_count()).map(|n| (n, self.board().at_display(n)));
        let mut all = Vec::new();
        let mut dropped = 0;
        for (number, board) in displays {
            all.extend(board.violations().into_iter().map(|violation| (number, violation)));
            dropped += board.dropped().violations;
        }
        all.sort_by_key(|(_, violation)| violation.at);
        (all, dropped)
    }
}

fn no_heap(heap: Heap) -> Option<FailureCause> {
    let holds = matches!(heap, Heap::Absent | Heap::Used { allocations: 0, .. });
    judge(holds, FailureCause::Heap(heap))
}

fn judge(holds: bool, otherwise: FailureCause) -> Option<FailureCause> {
    (!holds).then_some(otherwise)
}
