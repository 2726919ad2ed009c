//! Reduces a failing trace to the smallest one that still fails in the same way.
//!
//! [`shrink`] takes the trace and a predicate: does this candidate still fail? Every candidate is
//! first read back by the trace's own parser, so only candidates that a file can contain are tried.
//! These steps repeat until none helps or the runs are used up:
//!
//! 1. Presses and releases become taps.
//! 2. Lines are removed, in halves, quarters and so on down to one, then in pairs that need each
//!    other (a press and its release, a `power off` and its `power on`).
//! 3. Header keys are removed.
//! 4. Times become shorter and rounder.
//!
//! The time of a removed line is added to the next line, so the remaining lines keep their times.
//! The result is 1-minimal: without any one of its lines it does not fail, or is not a valid trace.
//!
//! Each line of a [`Candidate`] records the line of the original that it comes from, so the
//! predicate can ask whether the same line fails. Comments stay with the lines that they belong to,
//! and the comments of the head stay.
//!
//! This module does not know what a failure is, nor firmware or clocks.

mod times;

use trace::{Action, BOARD_KEY, BoardFault, Button, Line, Trace, When};
use virtual_time::{Instant, Nanos};

/// A trace that may become the smallest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub trace: Trace,
    /// For each line of the trace, the index of the original line that it comes from. A tap comes
    /// from its press.
    pub origins: Vec<usize>,
}

impl Candidate {
    /// Returns the unchanged original.
    pub fn whole(original: &Trace) -> Self {
        Self { trace: original.clone(), origins: (0..original.lines.len()).collect() }
    }

    /// Removes lines. The line after them retains its time.
    fn take_out(&mut self, lines: core::ops::Range<usize>) {
        let spans = self.trace.lines[lines.clone()].iter().map(|line| match line.when {
            When::After(span) => Some(span),
            When::At(_) => None,
        });
        let taken = spans.sum_of();
        if let (Some(taken), Some(line)) = (taken, self.trace.lines.get_mut(lines.end))
            && let When::After(span) = &mut line.when
        {
            *span = span.saturating_add(taken);
        }
        self.trace.lines.drain(lines.clone());
        self.origins.drain(lines);
    }

    /// Removes the header key at `index`. The comment lines above it belong to the head and stay.
    fn take_out_key(&mut self, index: usize) {
        let mut above = self.trace.header.remove(index).above;
        let next = match self.trace.header.get_mut(index) {
            Some(next) => Some(&mut next.above),
            None => self.trace.lines.first_mut().map(|line| &mut line.above),
        };
        if let Some(next) = next {
            above.append(next);
            *next = above;
        }
    }

    /// Replaces the press at `press` with a tap and removes its `release`. The tap has the comments
    /// of both.
    fn make_tap(&mut self, press: usize, release: usize, tap: Action) {
        let Line { above, comment, .. } = self.trace.lines[release].clone();
        let line = &mut self.trace.lines[press];
        line.action = tap;
        line.above.extend(above);
        line.comment = match (line.comment.take(), comment) {
            (Some(one), Some(other)) => Some(format!("{one}; {other}")),
            (one, other) => one.or(other),
        };
        self.take_out(release..release + 1);
    }
}

/// Search for the smallest candidate, with a limited number of runs.
struct Search<'a> {
    best: Candidate,
    fails: &'a mut dyn FnMut(&Candidate) -> bool,
    runs: u32,
    runs_max: u32,
}

/// The result of [`shrink`].
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// Smallest trace that fails.
    pub small: Candidate,
    /// Number of candidates that were run.
    pub runs: u32,
    /// Whether no further line can be removed; false if the runs were used up before.
    pub minimal: bool,
}

/// Returns the smallest trace for which `fails` is still true; it must be true for `original`.
/// Calls `fails` at most `runs_max` times.
pub fn shrink(
    original: &Trace,
    runs_max: u32,
    fails: &mut dyn FnMut(&Candidate) -> bool,
) -> Shrunk {
    let mut search = Search { best: Candidate::whole(original), fails, runs: 0, runs_max };
    search.make_times_relative();
    loop {
        let before = search.best.clone();
        search.make_taps();
        search.leave_out_lines();
        search.leave_out_keys();
        search.shorten();
        if search.best == before || search.is_used_up() {
            break;
        }
    }
    let minimal = !search.is_used_up();
    Shrunk { small: search.best, runs: search.runs, minimal }
}

impl Search<'_> {
    fn is_used_up(&self) -> bool {
        self.runs >= self.runs_max
    }

    /// Returns the lines of the smallest trace so far.
    fn lines(&self) -> &[Line] {
        &self.best.trace.lines
    }

    /// Accepts `candidate` if it is a valid trace and still fails.
    fn accept(&mut self, mut candidate: Candidate) -> bool {
        if self.is_used_up() {
            return false;
        }
        // The parser also sets the lines' places in the file.
        let Ok(parsed) =
            trace::parse_written("shrunk.trace", &candidate.trace.to_string(), &candidate.trace)
        else {
            return false;
        };
        let folder = candidate.trace.folder.take();
        candidate.trace = Trace { folder, ..parsed };
        self.runs += 1;
        let accepted = (self.fails)(&candidate);
        if accepted {
            self.best = candidate;
        }
        accepted
    }

    fn make_times_relative(&mut self) {
        let mut relative = self.best.clone();
        let mut last = self.lines().first().map(|line| match line.when {
            When::At(at) => at,
            When::After(span) => Instant::START.saturating_add(span),
        });
        for line in relative.trace.lines.iter_mut().skip(1) {
            let at = match (line.when, last) {
                (When::At(at), Some(last)) => {
                    line.when = When::After(at.saturating_since(last));
                    Some(at)
                }
                (When::At(at), None) => Some(at),
                (When::After(span), last) => last.map(|last| last.saturating_add(span)),
            };
            let waits = line.action.longest_wait().is_some();
            // The time at which a wait is satisfied is not known in advance.
            last = at.filter(|_| !waits);
        }
        self.accept(relative);
    }

    /// Replaces a press and its release with a tap that holds for the same time.
    fn make_taps(&mut self) {
        let mut index = 1;
        while index < self.lines().len() && !self.is_used_up() {
            if let Action::Press(button) = self.lines()[index].action
                && let Some(release) = self.partner(index)
            {
                let span = |line: &Line| match line.when {
                    When::After(span) => Some(span),
                    When::At(_) => None,
                };
                let spans = self.lines()[index + 1..=release].iter().map(span);
                let hold = spans.sum_of();
                if let Some(hold) = hold.filter(|hold| *hold > Nanos::ZERO) {
                    let mut candidate = self.best.clone();
                    let tap = Action::Tap { button, hold: Some(hold) };
                    candidate.make_tap(index, release, tap);
                    self.accept(candidate);
                }
            }
            index += 1;
        }
    }

    /// Removes lines, in blocks of decreasing size, then in pairs.
    fn leave_out_lines(&mut self) {
        let mut size = (self.lines().len() / 2).max(1);
        loop {
            let mut removed = false;
            let mut end = self.lines().len();
            // Works backwards from the end: late lines are the least likely to matter.
            while end > 1 && !self.is_used_up() {
                let begin = end.saturating_sub(size).max(1);
                let mut candidate = self.best.clone();
                candidate.take_out(begin..end);
                if self.accept(candidate) {
                    removed = true;
                } else if size == 1 {
                    removed |= self.leave_out_pair(begin);
                }
                end = begin.min(self.lines().len());
            }
            if self.is_used_up() || (size == 1 && !removed) {
                return;
            }
            if !removed || size > 1 {
                size = (size / 2).max(1);
            }
        }
    }

    /// Removes the line at `index` together with the line that reverses it.
    fn leave_out_pair(&mut self, index: usize) -> bool {
        let Some(partner) = self.partner(index) else { return false };
        let mut candidate = self.best.clone();
        candidate.take_out(partner..partner + 1);
        candidate.take_out(index..index + 1);
        self.accept(candidate)
    }

    /// Returns the first line after `index` that reverses the effect of the line at `index`.
    fn partner(&self, index: usize) -> Option<usize> {
        let takes_back: Box<dyn Fn(&Action) -> bool> = match self.lines().get(index)?.action {
            Action::Press(button) => Box::new(move |action| *action == Action::Release(button)),
            Action::PowerOff
            | Action::Fault(BoardFault::PowerCut | BoardFault::FlashCut { .. }) => {
                Box::new(|action| *action == Action::PowerOn)
            }
            Action::Fault(BoardFault::Stuck(button) | BoardFault::Bounce { button, .. }) => {
                Box::new(move |action| is_mended(action, button))
            }
            Action::Fault(BoardFault::UartLose { .. } | BoardFault::UartGarble { .. }) => {
                Box::new(|action| *action == Action::Fault(BoardFault::NoUartFault))
            }
            Action::Fault(BoardFault::NoiseStuck) => {
                Box::new(|action| *action == Action::Fault(BoardFault::NoNoiseFault))
            }
            Action::Fault(BoardFault::FlashStuck) => {
                Box::new(|action| *action == Action::Fault(BoardFault::NoFlashFault))
            }
            Action::Fault(BoardFault::SpiFlip { display, .. }) => {
                let mended = Action::Fault(BoardFault::NoSpiFault { display });
                Box::new(move |action| *action == mended)
            }
            _ => return None,
        };
        let behind = self.lines()[index + 1..].iter();
        behind.map(|line| &line.action).position(takes_back).map(|found| index + 1 + found)
    }

    fn leave_out_keys(&mut self) {
        for index in (0..self.best.trace.header.len()).rev() {
            // On another board the names of the buttons would be others.
            if self.best.trace.header[index].key == BOARD_KEY {
                continue;
            }
            let mut candidate = self.best.clone();
            candidate.take_out_key(index);
            self.accept(candidate);
        }
    }

    /// Makes the times shorter and rounder, one after another.
    fn shorten(&mut self) {
        for index in 1..self.lines().len() {
            while !self.is_used_up() {
                let shorter = times::shorter_lines(&self.lines()[index]);
                let helped = shorter.into_iter().any(|line| {
                    let mut candidate = self.best.clone();
                    candidate.trace.lines[index] = line;
                    self.accept(candidate)
                });
                if !helped {
                    break;
                }
            }
        }
    }
}

fn is_mended(action: &Action, button: Button) -> bool {
    *action == Action::Fault(BoardFault::NoContactFault(button))
}

/// Sum of spans, if all of them are known.
trait SumOf {
    fn sum_of(self) -> Option<Nanos>;
}

impl<T: Iterator<Item = Option<Nanos>>> SumOf for T {
    fn sum_of(mut self) -> Option<Nanos> {
        self.try_fold(Nanos::ZERO, |sum, span| sum.checked_add(span?))
    }
}

#[cfg(test)]
mod tests;
