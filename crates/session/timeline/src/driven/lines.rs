//! Lines that a driven board has executed. This module knows no machine.

use hal_mock::replay::ResumePoint;
use trace::{Action, Button, Line, TAP_HOLD, When};
use virtual_time::Instant;

use super::StopReason;
use crate::input::{Fingers, finger_of};

/// An executed line of the trace.
#[derive(Clone)]
pub struct ExecutedLine {
    pub line: Line,
    /// Time of the line, from which the next one counts.
    pub over: Instant,
    /// State after the line, or the reason why the board stopped in it.
    state: Result<ReplayState, StopReason>,
}

/// State of the replay between two lines.
#[derive(Clone)]
pub(super) struct ReplayState {
    /// Number of the board's inputs.
    pub(super) inputs: usize,
    pub(super) point: ResumePoint,
}

impl ExecutedLine {
    /// Returns when the line has no more effect: for a tap, when the button is up.
    pub(super) fn ends(&self) -> Instant {
        match &self.line.action {
            Action::Tap { hold, .. } => self.over.saturating_add(hold.unwrap_or(TAP_HOLD)),
            _ => self.over,
        }
    }
}

/// The executed lines, and what belongs to the next one.
#[derive(Default)]
pub(super) struct ExecutedLines {
    all: Vec<ExecutedLine>,
    /// A wait that was not satisfied: the last line of the trace, unless another one comes.
    unsatisfied: Option<Line>,
    /// Comments above the next line.
    comments: Vec<String>,
}

impl ExecutedLines {
    pub(super) fn all(&self) -> &[ExecutedLine] {
        &self.all
    }

    /// Returns the time from which the next line counts.
    pub(super) fn clock(&self) -> Instant {
        self.all.last().map(|last| last.over).unwrap_or_default()
    }

    /// Returns the line that executes `action` at `at`.
    pub(super) fn line(&self, at: Instant, action: Action) -> Line {
        let when = match self.all.is_empty() {
            true => When::At(at),
            false => When::After(at.saturating_since(self.clock())),
        };
        Line::new(when, action)
    }

    /// Adds `line`, which was executed.
    pub(super) fn push(
        &mut self,
        mut line: Line,
        over: Instant,
        state: Result<ReplayState, StopReason>,
    ) {
        self.unsatisfied = None;
        line.above = std::mem::take(&mut self.comments);
        self.all.push(ExecutedLine { line, over, state });
    }

    pub(super) fn comment(&mut self, text: String) {
        self.comments.push(text);
    }

    pub(super) fn set_unsatisfied(&mut self, wait: Line) {
        self.unsatisfied = Some(wait);
    }

    /// Returns the number of lines that were over by `at`.
    pub(super) fn over_by(&self, at: Instant) -> usize {
        self.all.iter().take_while(|line| line.over <= at).count()
    }

    /// Returns the first `count` lines.
    pub(super) fn first(&self, count: usize) -> Self {
        Self { all: self.all[..count].to_vec(), ..Self::default() }
    }

    /// Returns the state after the last line; `None` before the first one.
    ///
    /// # Errors
    /// If the board stopped in the line.
    pub(super) fn last_state(&self) -> Result<Option<&ReplayState>, StopReason> {
        self.all.last().map(|last| last.state.as_ref()).transpose().map_err(Clone::clone)
    }

    /// Returns the place and time of the last power-on of the first `count` lines.
    pub(super) fn power_on(&self, count: usize) -> Option<(usize, Instant)> {
        let lines = &self.all[..count.min(self.all.len())];
        let place = lines.iter().rposition(|line| line.line.action == Action::PowerOn)?;
        Some((place, self.all[place].over))
    }

    /// Returns the lines from `begun` up to `end` with absolute times.
    pub(super) fn absolute(&self, begun: usize, end: usize) -> Vec<Line> {
        let end = end.min(self.all.len());
        let absolute = |place: usize| {
            let Line { when, action, .. } = &self.all[place].line;
            let before = place.checked_sub(1).map(|before| self.all[before].over);
            let at = match when {
                When::At(at) => *at,
                When::After(span) => before.unwrap_or_default().saturating_add(*span),
            };
            Line::new(When::At(at), action.clone())
        };
        (begun..end).map(absolute).collect()
    }

    /// Returns all lines, and the last one of a trace that ends at `end`.
    pub(super) fn ended(&self, end: Instant, with_unsatisfied: bool) -> Vec<Line> {
        let lines = self.all.iter().map(|line| line.line.clone());
        let unsatisfied = self.unsatisfied.clone().filter(|_| with_unsatisfied);
        let last = unsatisfied.unwrap_or_else(|| self.line(end, Action::End));
        lines.chain([last]).collect()
    }

    /// Returns the buttons that are down.
    pub(super) fn down(&self) -> impl Iterator<Item = Button> {
        let executed = self.all.iter().filter(|line| line.state.is_ok());
        Fingers::after(executed.filter_map(|line| finger_of(&line.line.action))).down()
    }
}
