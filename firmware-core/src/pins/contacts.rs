//! The interface to a board's thirteen contacts: their levels, and each change with its time.
//!
//! A step may take some milliseconds. A press that begins meanwhile still has its exact time,
//! because the board records it when it happens: with an interrupt on a chip, with the list of
//! edges on the virtual board. This module knows no pin and no bouncing.

use embedded_hal::digital::ErrorKind;

use crate::pins::debounce::Levels;
use crate::time::Instant;

/// The levels after an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Time of the edge, on the clock of [`Firmware::step`](crate::firmware::Firmware::step).
    pub at: Instant,
    /// Levels of all contacts directly after it.
    pub levels: Levels,
}

/// Thirteen buttons that connect to ground.
pub trait Contacts {
    /// Returns the current levels, and discards all earlier changes.
    ///
    /// # Errors
    /// A pin cannot be read.
    fn levels(&mut self) -> Result<Levels, ErrorKind>;

    /// Removes and returns the oldest change that was neither returned nor discarded. A board that
    /// had no room for all changes returns the newest levels as the last one.
    ///
    /// # Errors
    /// A pin cannot be read.
    fn take_change(&mut self) -> Result<Option<Change>, ErrorKind>;
}
