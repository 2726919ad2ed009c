//! What is looked at in one moment: tones, console lines, broken rules of the LCD's datasheet,
//! and what [`watch`](super::watch) has noted up to then.

use super::Run;
use crate::replay::outcome::TONE_HEARD_FOR;
use crate::trace::{Action, Comparison, Place, bytes_spoken, spoken};
use crate::{Heap, Nanos};

impl Run<'_> {
    pub(super) fn expect_tone(&mut self, place: Place, at: Nanos, hertz: u32) {
        let tones = self.board().tones_from(self.tones_over);
        let heard_from = at - TONE_HEARD_FOR;
        let mut heard = Vec::new();
        let mut over = 0;
        for (index, tone) in tones.iter().enumerate().take_while(|(_, tone)| tone.at <= at) {
            let until = tones.get(index + 1).map_or(Nanos::MAX, |next| next.at);
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
        let heard: Vec<String> = heard.iter().map(|hz| format!("{hz} Hz")).collect();
        let heard = if heard.is_empty() { "nothing".to_owned() } else { heard.join(", ") };
        let mut message = format!(
            "expected a tone of {hertz} Hz, then or within the {} before; heard was {heard}",
            spoken(TONE_HEARD_FOR)
        );
        if self.board().dropped().tones > 0 {
            message += "; the board has heard more tones than it keeps";
        }
        self.fail_with_text(place, at, message);
    }

    pub(super) fn expect_console(&mut self, place: Place, at: Nanos, text: &str) {
        let new = self.board().console_lines_from(self.console.len());
        self.console.extend(new);
        let by_then = self.console.partition_point(|line| line.at <= at);
        let lines = &self.console[..by_then];
        // The newest first: a trace mostly asks for what has just been said.
        if lines.iter().rev().any(|line| line.text.contains(text)) {
            return;
        }
        let mut message = format!("expected a console line with {text:?}; ");
        message += &match lines.last() {
            None => "there was none by then".to_owned(),
            Some(last) => format!("of {by_then} by then the last was {:?}", last.text),
        };
        if self.board().dropped().console_bytes > 0 {
            message += "; the board has received more than it keeps";
        }
        self.fail_with_text(place, at, message);
    }

    /// A look back over a span, or over all that was: `expect frames`, and budgets.
    pub(super) fn expect_all(&mut self, place: Place, at: Nanos, action: &Action) {
        let judged = match action {
            Action::ExpectFrames { settled, .. } => self.end_chain(at, *settled),
            Action::ExpectBus { comparison, bytes, within } => {
                let sent = self.bytes_between(at - *within, at);
                judge(comparison.holds(sent, *bytes), || {
                    format!(
                        "expected {} {} on the LCD's bus within {}; there were {}",
                        comparison.spoken(),
                        bytes_spoken(*bytes),
                        spoken(*within),
                        bytes_spoken(sent)
                    )
                })
            }
            Action::ExpectFrameTime { comparison, limit } => self.frame_time(*comparison, *limit),
            Action::ExpectNoViolations => self.no_violations(at),
            Action::ExpectNoHeap => no_heap(self.machine.heap()),
            _ => Ok(()),
        };
        if let Err(message) = judged {
            self.fail(Some(place), at, message);
        }
    }

    fn frame_time(&mut self, comparison: Comparison, limit: Nanos) -> Result<(), String> {
        let expected = format!("expected {} {} for a frame", comparison.spoken(), spoken(limit));
        match self.take_longest_frame() {
            None => Err(format!("{expected}; no frame was complete since the last such line")),
            Some((time, at)) => judge(comparison.holds(time, limit), || {
                format!(
                    "{expected}; the one that was complete at {} took {}",
                    spoken(at),
                    spoken(time)
                )
            }),
        }
    }

    fn no_violations(&self, at: Nanos) -> Result<(), String> {
        let violations = self.board().violations();
        let count = violations.iter().filter(|violation| violation.at <= at).count();
        judge(count == 0, || {
            let first = violations.first().map(|first| {
                format!(
                    "; the first is at {}: {} (section {})",
                    spoken(first.at),
                    first.rule,
                    first.rule.section()
                )
            });
            let count = count as u64 + self.board().dropped().violations;
            format!(
                "expected no violations of the LCD's datasheet; there were {count}{}",
                first.unwrap_or_default()
            )
        })
    }

    pub(super) fn violations(&mut self, ended_at: Nanos) {
        for violation in self.board().violations() {
            if violation.at > ended_at {
                continue;
            }
            let bytes: Vec<String> =
                violation.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            let message = format!(
                "the LCD's datasheet is not obeyed (section {}): {}; bytes {}",
                violation.rule.section(),
                violation.rule,
                bytes.join(" ")
            );
            self.fail(None, violation.at, message);
        }
        self.failures_left_out += self.board().dropped().violations;
    }
}

fn no_heap(heap: Heap) -> Result<(), String> {
    let expected = "expected firmware without a heap";
    match heap {
        Heap::Absent | Heap::Used { allocations: 0, .. } => Ok(()),
        Heap::Used { allocations, bytes } => Err(format!(
            "{expected}; it has taken memory {allocations} times, {} in all",
            bytes_spoken(bytes)
        )),
        Heap::Present { symbol } => {
            Err(format!("{expected}; its program has an allocator in it: {symbol}"))
        }
        Heap::Unknown(why) => Err(format!("{expected}, but this board cannot tell: {why}")),
    }
}

fn judge(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
