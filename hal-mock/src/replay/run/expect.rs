//! Checks at one time: the backlight, LEDs, violations of the LCD's datasheet, and what
//! [`watch`](super::watch) has recorded up to then.

use super::Run;
use crate::Heap;
use crate::board::LedReading;
use crate::replay::failure::FailureCause;
use trace::{Action, Comparison, LedCheck, Place};
use virtual_time::{Instant, Nanos};

impl Run<'_> {
    pub(super) fn expect_backlight(&mut self, place: Place, at: Instant, on: bool) {
        if self.board().is_backlit_at(at) != on {
            self.fail_with_text(place, at, FailureCause::Backlight { expected: on });
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
                self.end_chain(at, *settled).err().map(FailureCause::from)
            }
            Action::ExpectBus { comparison, bytes, within } => {
                let sent = self.bytes_between(at.saturating_sub(*within), at);
                let (comparison, limit, within) = (*comparison, *bytes, *within);
                judge(
                    comparison.holds(sent, limit),
                    FailureCause::BusOverBudget { comparison, limit, within, sent },
                )
            }
            Action::ExpectFrameTime { comparison, limit } => self.frame_time(*comparison, *limit),
            Action::ExpectNoViolations => self.no_violations(at),
            Action::ExpectNoHeap => no_heap(self.machine.heap()),
            _ => None,
        };
        if let Some(cause) = failed {
            self.fail(Some(place), at, cause);
        }
    }

    fn frame_time(&mut self, comparison: Comparison, limit: Nanos) -> Option<FailureCause> {
        match self.take_longest_frame() {
            None => Some(FailureCause::NoFrame { comparison, limit }),
            Some((time, complete_at)) => judge(
                comparison.holds(time, limit),
                FailureCause::FrameTooLong { comparison, limit, complete_at, time },
            ),
        }
    }

    fn no_violations(&self, at: Instant) -> Option<FailureCause> {
        let violations = self.board().violations();
        let count = violations.iter().filter(|violation| violation.at <= at).count();
        let first = violations.first().map(|first| (first.at, first.rule));
        let recorded = count as u64 + self.board().dropped().violations;
        judge(count == 0, FailureCause::Violations { count: recorded, first })
    }

    pub(super) fn violations(&mut self, ended_at: Instant) {
        for violation in self.board().violations() {
            if violation.at > ended_at {
                continue;
            }
            let (rule, bytes, table) = (violation.rule, violation.bytes, violation.table);
            self.fail(None, violation.at, FailureCause::Violation { rule, bytes, table });
        }
        self.failures_left_out += self.board().dropped().violations;
    }
}

fn no_heap(heap: Heap) -> Option<FailureCause> {
    let holds = matches!(heap, Heap::Absent | Heap::Used { allocations: 0, .. });
    judge(holds, FailureCause::Heap(heap))
}

fn judge(holds: bool, otherwise: FailureCause) -> Option<FailureCause> {
    (!holds).then_some(otherwise)
}
