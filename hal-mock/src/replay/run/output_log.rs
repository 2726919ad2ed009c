//! Console lines and tones since the last input, or since what satisfied the last expectation of
//! their kind.
//!
//! A satisfied expectation consumes its line or tone and everything before it, so that two equal
//! expectations need two lines, or two tones. Negative expectations consume nothing.

use std::ops::Range;

use super::{Run, Stop};
use crate::board::{CONSOLE_BYTES_MAX, ConsoleLine, Tone};
use crate::log::Log;
use crate::replay::failure::{FailureCause, ToneFound};
use crate::replay::limits::{
    CONSOLE_LINES_COMPARED, CONSOLE_LINES_REPORTED, TONE_GRACE, tone_tolerance,
};
use crate::replay::nearest::{NearestText, nearest};
use crate::replay::since::Since;
use trace::{Line, Place};
use virtual_time::{Instant, Nanos};

/// State of the inputs and of the satisfied expectations.
#[derive(Clone)]
pub(super) struct OutputLog {
    /// Time at which the last input took effect.
    input_at: Instant,
    input: Since,
    console: Log<ConsoleLine>,
    lines: Consumed,
    tones: Consumed,
}

/// Part of a history that has been consumed, and by which line, if that was after the last input.
#[derive(Clone, Default)]
struct Consumed {
    count: usize,
    by: Option<u32>,
}

impl OutputLog {
    pub(super) fn new() -> Self {
        Self {
            input_at: Instant::START,
            input: Since::Input { action: "power on".to_owned(), line: 1 },
            console: Log::with_limit(CONSOLE_BYTES_MAX),
            lines: Consumed::default(),
            tones: Consumed::default(),
        }
    }

    /// Returns the log without the console's lines, which are read off the board again.
    pub(super) fn without_console(&self) -> Self {
        let Self { input_at, input, console: _, lines, tones } = self;
        let (input, lines, tones) = (input.clone(), lines.clone(), tones.clone());
        let console = Log::with_limit(CONSOLE_BYTES_MAX);
        Self { input_at: *input_at, input, console, lines, tones }
    }

    /// Records that the input `line` takes effect at `at`.
    pub(super) fn input(&mut self, line: &Line, at: Instant) {
        self.input_at = self.input_at.max(at);
        self.input = Since::Input { action: line.action.noun(), line: line.place.line };
        (self.lines.by, self.tones.by) = (None, None);
    }

    fn since(&self, consumed: &Consumed) -> Since {
        consumed.by.map_or_else(|| self.input.clone(), |line| Since::Met { line })
    }

    /// Returns the lines that count for an expectation at `at`.
    fn window(&self, at: Instant) -> Range<usize> {
        let from = self.console.partition_point(|line| line.at <= self.input_at);
        let from = from.max(self.lines.count);
        from..self.console.partition_point(|line| line.at <= at).max(from)
    }

    /// Returns whether lines that would count for an expectation are not stored.
    fn has_gap(&self) -> bool {
        // The line before the window is stored, or consumed, or there is none.
        let first = self.console.first();
        let is_after_input = |line: &ConsoleLine| line.at > self.input_at;
        first > self.lines.count && self.console.get(first).is_none_or(is_after_input)
    }

    /// Returns the lines with indices in `window`.
    fn lines_in(&self, window: Range<usize>) -> Vec<ConsoleLine> {
        self.console.range(window).cloned().collect()
    }

    /// Finds the first line up to `at` with `text`, consumes it for the line at `place`, and
    /// returns its time.
    fn take_line(&mut self, at: Instant, text: &str, place: Place) -> Option<Instant> {
        let (found, said_at) = self.find_line(at, text)?;
        self.lines = Consumed { count: found + 1, by: Some(place.line) };
        Some(said_at)
    }

    /// Returns the index and the time of the first line up to `at` with `text`.
    fn find_line(&self, at: Instant, text: &str) -> Option<(usize, Instant)> {
        let window = self.window(at);
        let mut lines = (window.start..).zip(self.console.range(window));
        lines.find(|(_, line)| line.text.contains(text)).map(|(nth, line)| (nth, line.at))
    }
}

impl Run<'_> {
    /// Reads the lines of the console up to the board's clock.
    fn listen(&mut self) {
        let Self { machine, state, .. } = self;
        machine.board().with_console(|lines| state.heard.console.catch_up(lines));
    }

    pub(super) fn expect_console(&mut self, place: Place, at: Instant, text: &str) {
        self.listen();
        if self.state.heard.take_line(at, text, place).is_some() {
            return;
        }
        let heard = &self.state.heard;
        let window = heard.window(at);
        let before = heard.console.range(..window.start).rev();
        let before = before.filter(|line| line.text.contains(text)).map(|line| line.at).next();
        let lines = heard.lines_in(window);
        let cause = FailureCause::ConsoleLineMissing {
            text: text.to_owned(),
            since: heard.since(&heard.lines),
            lines: lines.len(),
            last: last_lines(&lines),
            first: first_line(text, &lines),
            near: nearest_line(text, &lines),
            before,
            history_full: heard.has_gap(),
        };
        self.fail_with_text(place, at, cause);
    }

    pub(super) fn expect_no_console(&mut self, place: Place, at: Instant, text: &str) {
        self.listen();
        let heard = &self.state.heard;
        let found = heard.find_line(at, text).and_then(|(nth, _)| heard.console.get(nth));
        let line = found.cloned();
        if line.is_none() && !heard.has_gap() {
            return;
        }
        let since = heard.since(&heard.lines);
        let cause = FailureCause::ConsoleLineShown { text: text.to_owned(), since, line };
        self.fail_with_text(place, at, cause);
    }

    pub(super) fn wait_console(
        &mut self,
        place: Place,
        text: &str,
        within: Nanos,
    ) -> Result<(), Stop> {
        let deadline = self.deadline(within);
        let last = deadline.last;
        loop {
            self.listen();
            if let Some(said_at) = self.state.heard.take_line(last, text, place) {
                self.state.clock = self.state.clock.max(said_at);
                return Ok(());
            }
            if self.board().now() >= last {
                self.give_up(deadline)?;
                let heard = &self.state.heard;
                let lines = heard.lines_in(heard.window(last));
                let cause = FailureCause::WaitedForConsole {
                    text: text.to_owned(),
                    within,
                    since: heard.since(&heard.lines),
                    lines: lines.len(),
                    last: last_lines(&lines),
                    first: first_line(text, &lines),
                    near: nearest_line(text, &lines),
                    history_full: heard.has_gap(),
                };
                self.fail_with_text(place, last, cause);
                return Err(Stop::Failed);
            }
            // Do not run past the time at which the line may be complete: the next trace line
            // begins there.
            let due = self.board().console_line_due();
            self.drive(due.map_or(last, |due| due.min(last)))?;
        }
    }

    pub(super) fn expect_tone(
        &mut self,
        place: Place,
        at: Instant,
        hertz: u32,
        lasted: Option<Nanos>,
    ) {
        let (from, first) = (self.state.heard.input_at, self.state.heard.tones.count);
        let heard_from = at.saturating_sub(TONE_GRACE);
        let (found, heard, before, history_full) = self.board().with_tones(|tones| {
            let end = tones.partition_point(|tone| tone.at <= at);
            let begin = first.max(tones.partition_point(|tone| tone.at < from));
            // A change that counts is not stored, unless the oldest stored one came before the
            // input.
            let has_gap = first < tones.first()
                && tones.get(tones.first()).is_none_or(|oldest| oldest.at >= from);
            let tones: Vec<Tone> = tones.range(begin..end).copied().collect();
            let sounding = last_sounding(&tones, hertz);
            let heard = tones.iter().enumerate().filter_map(|(nth, tone)| {
                let over = tones.get(nth + 1).is_some_and(|next| next.at <= heard_from);
                tone.hz.filter(|_| !over)
            });
            (sounding, heard.collect::<Vec<u32>>(), begin, has_gap)
        });
        let met = found.as_ref().is_some_and(|sounding| match (lasted, sounding.until) {
            (None, until) => until.is_none_or(|until| until > heard_from),
            (Some(_), None) => false,
            (Some(lasted), Some(until)) => {
                let is = until.saturating_since(sounding.from);
                // The first stored tone may have begun earlier.
                let is_whole = !history_full || sounding.begin > 0;
                is_whole && is.0.abs_diff(lasted.0) <= tone_tolerance(lasted).0
            }
        });
        if let (true, Some(sounding)) = (met, &found) {
            let count = before + sounding.behind;
            self.state.heard.tones = Consumed { count, by: Some(place.line) };
            return;
        }
        let since = self.state.heard.since(&self.state.heard.tones);
        let cause = match lasted {
            None => FailureCause::ToneMissing { hertz, since, heard, history_full },
            Some(lasted) => {
                let found = match found {
                    None => ToneFound::Nothing,
                    Some(Sounding { from, until: None, .. }) => {
                        ToneFound::Sounds(at.saturating_since(from))
                    }
                    Some(Sounding { from, until: Some(until), .. }) => {
                        ToneFound::Lasted(until.saturating_since(from))
                    }
                };
                FailureCause::ToneLength { hertz, lasted, since, found, history_full }
            }
        };
        self.fail_with_text(place, at, cause);
    }

    pub(super) fn expect_no_tone(&mut self, place: Place, at: Instant, silent_for: Option<Nanos>) {
        let from = at.saturating_sub(silent_for.unwrap_or_default());
        // Finds the last tone that sounded at or after `from`: it ended later than that, or still
        // sounds.
        let (heard, has_gap) = self.board().with_tones(|tones| {
            let end = tones.partition_point(|tone| tone.at <= at);
            let mut later = Instant::NEVER;
            for tone in tones.range(..end).rev() {
                if later <= from {
                    return (None, false);
                }
                if let Some(hz) = tone.hz {
                    return (Some((hz, (later < Instant::NEVER).then_some(later))), false);
                }
                later = tone.at;
            }
            // The tone before the oldest stored change may have sounded.
            (None, tones.first() > 0 && later > from)
        });
        if heard.is_none() && !has_gap {
            return;
        }
        self.fail_with_text(place, at, FailureCause::UnexpectedTone { silent_for, heard });
    }
}

/// Returns the first of `lines` that begins with the first word of `text`, unless it is one of the
/// last that are reported anyway.
fn first_line(text: &str, lines: &[ConsoleLine]) -> Option<String> {
    let kind = text.split_whitespace().next()?;
    let is_of_kind = |line: &&ConsoleLine| line.text.split_whitespace().next() == Some(kind);
    let earlier = &lines[..lines.len().saturating_sub(CONSOLE_LINES_REPORTED)];
    earlier.iter().find(is_of_kind).map(|line| line.text.clone())
}

/// Returns the last few of `lines`, oldest first.
fn last_lines(lines: &[ConsoleLine]) -> Vec<String> {
    let first = lines.len().saturating_sub(CONSOLE_LINES_REPORTED);
    lines[first..].iter().map(|line| line.text.clone()).collect()
}

/// Returns the line with a part that is nearest to `text`; the newest of equally near ones.
fn nearest_line(text: &str, lines: &[ConsoleLine]) -> Option<Box<NearestText>> {
    let compared = || lines.iter().rev().take(CONSOLE_LINES_COMPARED);
    let (index, near) = nearest(text, compared().map(|line| line.text.as_str()))?;
    compared().nth(index).map(|line| Box::new(NearestText { text: line.text.clone(), ..near }))
}

/// A frequency that sounds without a break.
struct Sounding {
    from: Instant,
    /// Index of the change with which it began.
    begin: usize,
    /// Time at which it ended; `None` if it still sounds.
    until: Option<Instant>,
    /// Index of the first change after it.
    behind: usize,
}

/// Returns the last sounding of `hertz` that began with one of `tones`.
fn last_sounding(tones: &[Tone], hertz: u32) -> Option<Sounding> {
    // Half a percent is less than a tenth of a semitone.
    let near = |tone: &Tone| {
        tone.hz.is_some_and(|hz| u64::from(hz.abs_diff(hertz)) * 200 <= u64::from(hertz))
    };
    let last = tones.iter().rposition(near)?;
    let before = tones[..last].iter().rposition(|tone| !near(tone));
    let begin = before.map_or(0, |before| before + 1);
    let until = tones.get(last + 1).map(|next| next.at);
    Some(Sounding { from: tones[begin].at, begin, until, behind: last + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_five_lines_and_the_newest_nearest_are_reported() {
        let lines: Vec<ConsoleLine> = (1..=7)
            .map(|nth| ConsoleLine { at: Instant::START, text: format!("Move B{nth}") })
            .collect();
        assert_eq!(last_lines(&lines), ["Move B3", "Move B4", "Move B5", "Move B6", "Move B7"]);
        assert_eq!(last_lines(&lines[..2]), ["Move B1", "Move B2"]);
        assert_eq!(
            nearest_line("move b", &lines).map(|near| near.text.clone()),
            Some("Move B7".into())
        );
    }

    #[test]
    fn a_sounding_begins_after_another_frequency() {
        let tone = |millis, hz| Tone { at: Instant::from_millis(millis), hz };
        let tones = [tone(0, Some(440)), tone(10, Some(880)), tone(20, Some(881)), tone(30, None)];
        let found = last_sounding(&tones, 880).unwrap();
        assert_eq!(found.from, Instant::from_millis(10));
        assert_eq!((found.until, found.behind), (Some(Instant::from_millis(30)), 3));
        assert_eq!(last_sounding(&tones[2..], 880).unwrap().from, Instant::from_millis(20));
        assert!(last_sounding(&tones[3..], 880).is_none());
        assert!(last_sounding(&tones[..3], 880).unwrap().until.is_none());
    }

    /// A game that takes another course is another one from its first other line on.
    #[test]
    fn the_first_line_of_the_expected_kind_is_found_before_the_last_ones() {
        let line = |text: &str| ConsoleLine { at: Instant::START, text: text.to_owned() };
        let mut lines = vec![line("option sound=off"), line("position move=2")];
        lines.extend((3..8).map(|n| line(&format!("position move={n}"))));
        let first = |text: &str, lines: &[ConsoleLine]| first_line(text, lines);
        assert_eq!(first("position move=9", &lines), Some("position move=2".to_owned()));
        assert_eq!(first("refused", &lines), None);
        assert_eq!(first("position move=9", &lines[1..]), Some("position move=2".to_owned()));
        assert_eq!(first("position move=9", &lines[2..]), None, "it is among the last five");
    }
}
