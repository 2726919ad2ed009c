//! The steps of a history replayed one by one: [`Replay`] as an iterator, [`Cursor`] for a
//! caller that continues later and cannot borrow the history meanwhile.

use super::History;
use super::step::{State, Step};
use crate::game::outcome::MoveOutcome;
use crate::game::rules::Position;

/// A step, with the game around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// How many moves were made so far, this one and those that went included: its number
    /// if it is a move.
    pub number: u32,
    /// What happened.
    pub step: Step,
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
    /// What it did if it is a move.
    pub outcome: Option<MoveOutcome>,
}

/// How far a history has been replayed.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    state: State,
    at: usize,
}

impl Cursor {
    /// Before the first step that is kept.
    pub const fn new(history: &History) -> Self {
        Self { state: history.base, at: 0 }
    }

    /// The next step of `history`; `None` at its end, or if it is another history by now and
    /// its steps make no sense from here.
    pub fn next(&mut self, history: &History) -> Option<Replayed> {
        let step = history.at(self.at)?;
        let before = self.state.position;
        let outcome = self.state.take(history.setup, step).ok()?;
        self.at += 1;
        let Self { state: State { moves: number, position: after, .. }, .. } = *self;
        Some(Replayed { number, step, before, after, outcome })
    }
}

/// The steps of a history that are kept, from the first to the last.
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
    /// The steps that are kept, replayed from the base.
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
