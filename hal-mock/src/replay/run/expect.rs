//! What is looked at in one moment: tones, console lines, broken rules of the LCD's datasheet,
//! and what [`watch`](super::watch) has noted up to then.

use super::Run;
use crate::board::ConsoleLine;
use crate::replay::failure::FailureCause;
use crate::replay::limits::{CONSOLE_LINES_COMPARED, CONSOLE_LINES_TOLD, TONE_HEARD_FOR};
use crate::replay::nearest::{Near, nearest};
use crate::trace::{Action, Comparison, Place};
use crate::{Heap, Instant, Nanos};

impl Run<'_> {
    pub(super) fn expect_tone(&mut self, place: Place, at: Instant, hertz: u32) {
        let tones = self.board().tones_from(self.tones_over);
        let heard_from = at.saturating_sub(TONE_HEARD_FOR);
        let mut heard = Vec::new();
        let mut over = 0;
        for (index, tone) in tones.iter().enumerate().take_while(|(_, tone)| tone.at <= at) {
            let until = tones.get(index + 1).map_or(Instant::NEVER, |next| next.at);
            if until <= heard_from {
                over = index + 1;
            } else {
                heard.extend(tone.hz);
            }
        }
        self.tones_over += over;
        // Half a percent: less than a tenth of a semitone.
        let near = |hz: &u32| u64::from(hz.abs_diff(hertz)) * 200 <= u64::from(hertz);
        if heard.iter().any(near) {
            return;
        }
        let history_full = self.board().dropped().tones > 0;
        self.fail_with_text(place, at, FailureCause::ToneMissing { hertz, heard, history_full });
    }

    pub(super) fn expect_console(&mut self, place: Place, at: Instant, text: &str) {
        let new = self.board().console_lines_from(self.console.len());
        self.console.extend(new);
        let by_then = self.console.partition_point(|line| line.at <= at);
        let lines = &self.console[..by_then];
        // The newest first: a trace mostly asks for what has just been said.
        if lines.iter().rev().any(|line| line.text.contains(text)) {
            return;
        }
        let cause = FailureCause::ConsoleLineMissing {
            text: text.to_owned(),
            lines: by_then,
            last: last_lines(lines),
            near: nearest_line(text, lines),
            history_full: self.board().dropped().console_bytes > 0,
        };
        self.fail_with_text(place, at, cause);
    }

    /// A look back over a span, or over all that was: `expect frames`, and budgets.
    pub(super) fn expect_all(&mut self, place: Place, at: Instant, action: &Action) {
        let judged = match action {
            Action::ExpectFrames { settled, .. } => {
                self.end_chain(at, *settled).map_err(FailureCause::from)
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
            _ => Ok(()),
        };
        if let Err(cause) = judged {
            self.fail(Some(place), at, cause);
        }
    }

    fn frame_time(&mut self, comparison: Comparison, limit: Nanos) -> Result<(), FailureCause> {
        match self.take_longest_frame() {
            None => Err(FailureCause::NoFrame { comparison, limit }),
            Some((time, complete_at)) => judge(
                comparison.holds(time, limit),
                FailureCause::FrameTooLong { comparison, limit, complete_at, time },
            ),
        }
    }

    fn no_violations(&self, at: Instant) -> Result<(), FailureCause> {
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
            let (rule, bytes) = (violation.rule, violation.bytes);
            self.fail(None, violation.at, FailureCause::Violation { rule, bytes });
        }
        self.failures_left_out += self.board().dropped().violations;
    }
}

/// The last few of `lines`, oldest first.
fn last_lines(lines: &[ConsoleLine]) -> Vec<String> {
    let first = lines.len().saturating_sub(CONSOLE_LINES_TOLD);
    lines[first..].iter().map(|line| line.text.clone()).collect()
}

/// The line with a part that is nearest to `text`, the newest of those equally near.
fn nearest_line(text: &str, lines: &[ConsoleLine]) -> Option<Near> {
    let compared = || lines.iter().rev().take(CONSOLE_LINES_COMPARED);
    let (index, near) = nearest(text, compared().map(|line| line.text.as_str()))?;
    compared().nth(index).map(|line| Near { text: line.text.clone(), ..near })
}

fn no_heap(heap: Heap) -> Result<(), FailureCause> {
    let holds = matches!(heap, Heap::Absent | Heap::Used { allocations: 0, .. });
    judge(holds, FailureCause::Heap(heap))
}

fn judge(holds: bool, otherwise: FailureCause) -> Result<(), FailureCause> {
    if holds { Ok(()) } else { Err(otherwise) }
}
