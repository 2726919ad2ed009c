//! The random sessions of a firmware, and the invariants that hold in them.

use hal_mock::board::{ConsoleLine, VirtualBoard};
use hal_mock::replay::Event;
use reading::text::Reader;
use trace::{Button, Buttons, HeaderEntry, Line};
use virtual_time::{Instant, Random};

/// Rules of random sessions: the settings of a firmware, and the invariants that hold in it.
pub trait SessionRules: Sync {
    /// Returns whether these are the buttons of the board that the firmware runs on.
    fn has_buttons(&self, buttons: &Buttons) -> bool;

    /// Returns the header of a random session: any valid settings.
    fn header(&self, random: &mut Random) -> Vec<HeaderEntry>;

    /// Returns the button that is always answered. A session waits for its answer, and has presses of
    /// it that are independent of those of the other buttons.
    fn answered_button(&self) -> Option<Button>;

    /// Returns the observer of one replay. `reader` reads the LCD.
    fn invariants<'a>(&self, reader: &'a Reader) -> Box<dyn Invariants + 'a>;
}

/// Observes one replay, and judges it afterwards.
pub trait Invariants {
    /// Observes the board at the time of `line`, before the line has an effect.
    fn look(&mut self, line: &Line, at: Instant, board: &VirtualBoard);

    /// Returns the broken invariants, each once, with the times at which they were broken first.
    fn broken(&mut self, replay: &ObservedReplay<'_>) -> Vec<(Instant, BrokenInvariant)>;
}

/// The record of a replay. Everything is in the order of time.
#[derive(Clone, Copy, Debug)]
pub struct ObservedReplay<'a> {
    /// Presses, releases, power changes and faults.
    pub events: &'a [(Instant, Event)],
    /// Times of the visible changes.
    pub changes: &'a [Instant],
    /// Lines of the console.
    pub lines: &'a [ConsoleLine],
    pub ended_at: Instant,
}

/// An invariant of the firmware that a replay broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenInvariant {
    /// Sentence that states the failure: `RESET was not answered`.
    pub kind: &'static str,
    /// State by which two failures of this kind are the same.
    pub evidence: String,
    /// The expected and the actual state, as a sentence without a full stop.
    pub message: String,
}
