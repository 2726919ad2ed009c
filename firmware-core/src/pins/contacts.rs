//! What a board tells of its thirteen contacts: their levels, and each change of these with its moment.
//!
//! A step may take some milliseconds. A press that begins meanwhile still has its own date, because
//! the board notes it when it happens: an interrupt on a chip, the list of edges on the virtual board.
//! This module knows no pin and no bounce.

use embedded_hal::digital::ErrorKind;

use crate::pins::debounce::Levels;
use crate::time::Instant;

/// The levels from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The moment of the edge, on the clock of [`Firmware::step`](crate::firmware::Firmware::step).
    pub at: Instant,
    /// All contacts, right after it.
    pub levels: Levels,
}

/// Thirteen buttons to ground.
pub trait Contacts {
    /// The levels now. What has changed before is forgotten.
    ///
    /// # Errors
    /// If a pin cannot be read.
    fn levels(&mut self) -> Result<Levels, ErrorKind>;

    /// The oldest change that has not been taken or forgotten. A board that had no room for all
    /// of them hands over the newest levels as the last one.
    ///
    /// # Errors
    /// If a pin cannot be read.
    fn take_change(&mut self) -> Result<Option<Change>, ErrorKind>;
}
