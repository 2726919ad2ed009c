//! Replays the steps of a history one by one: [`Replay`] as an iterator, [`Cursor`] for a caller
//! that continues later and cannot borrow the history meanwhile.

use super::History;
use super::step::{State, Step};
use crate::game::outcome::MoveOutcome;
use crate::game::rules::Position;

/// A step with the positions before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Number of moves up to and including this step, dropped moves included; for a move, its
    /// number in the game.
    pub number: u32,
    pub step: Step,
    pub before: Position,
    pub after: Position,
    /// Outcome of the step if it is a move.
    pub outcome: Option<MoveOutcome>,
}

/// A position within the replay of a history.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    state: State,
    at: usize,
}

impl Cursor {
    /// Creates a cursor before the first stored step.
    pub const fn new(history: &History) -> Self {
        Self { state: history.base, at: 0 }
    }

    /// Returns the next step of `history`; `None` at its end, or if it is another history by now
    /// and its steps are illegal from here.
    pub fn next(&mut self, history: &History) -> Option<Replayed> {
        let step = history.at(self.at)?;
        let before = self.state.position;
        let outcome = self.state.take(history.setup, step).ok()?;
        self.at += 1;
        let Self { state: State { moves: number, position: after, .. }, .. } = *self;
        Some(Replayed { number, step, before, after, outcome })
    }
}

/// Iterator over the stored steps of a history, from the first to the last.
#[derive(Clone, Debug)]
pub struct Replay<'h> {
    history: &'h History,
    cursor: Cursor,
}

impl<'h> Replay<'h> {
    pub(super) const fn new(history: &'h History) -> Self {
        Self { history, cursor: Cursor::new(history) }
    }
}

impl History {
    /// Returns the stored steps, replayed from the base.
    pub fn replay(&self) -> Replay<'_> {
        Replay::new(self)
    }
}

impl Iterator for Replay<'_> {
    type Item = Replayed;

    fn next(&mut self) -> Option<Replayed> {
        self.cursor.next(self.history)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.history.len().saturating_sub(self.cursor.at)))
    }
}
