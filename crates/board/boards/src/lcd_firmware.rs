//! The firmware of the LCD board, as an application passes it to the machines.
//!
//! The board `native` runs it, and the boards that are flashed with it are set up with its settings. This
//! crate knows no firmware: an application implements [`LcdFirmware`].

use core::fmt;
use std::error::Error;

use hal_mock::flash::FlashChip;
use hal_mock::{BoardConfig, Machine};
use host::heap::HeapMeter;
use trace::{HeaderEntry, Trace};

use crate::header::HeaderError;

/// The firmware of the LCD board.
pub trait LcdFirmware: fmt::Debug + Send + Sync {
    /// Returns the hash of the firmware's sources.
    fn sources(&self) -> &'static str;

    /// Returns the names of the settings, which are keys of a header.
    fn settings(&self) -> &'static [&'static str];

    /// Builds the board `native`, with its power off. `meter` counts the firmware's heap allocations.
    fn machine(&self, config: BoardConfig, meter: Option<HeapMeter>) -> Box<dyn Machine>;

    /// Returns the board that the header of `trace` describes. `flash` is the content of its flash
    /// unless the header names a file; settings of the header are written over it.
    ///
    /// # Errors
    /// If a key or a value is unknown or contradicts another; with its place in the trace.
    fn board(&self, trace: &Trace, flash: Option<Vec<u8>>) -> Result<BoardConfig, HeaderError>;

    /// Returns the console lines that turn any board into the one that the header of `trace` describes.
    /// They must be typed one by one, each after the answer to the previous one. After the last one the
    /// board must be switched off and on.
    ///
    /// # Errors
    /// If the header is wrong, or requests something that no command does.
    fn console_lines(&self, trace: &Trace) -> Result<Vec<String>, ConsoleLinesError>;

    /// Stores a seed in the flash, which then is the only source of random numbers.
    ///
    /// # Errors
    /// If the flash cannot be written.
    fn store_seed(
        &self,
        flash: &mut FlashChip,
        seed: u64,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;

    /// Returns the header of a session on a board with this flash, which the session will save; `None`:
    /// a factory-new flash. The session has the settings in the flash.
    fn session_header(&self, image: Option<&[u8]>) -> Vec<HeaderEntry>;

    /// Returns the header that gives a factory-new board the content of `image`; `None` if no header
    /// can.
    fn header_of_flash(&self, image: &[u8]) -> Option<Vec<HeaderEntry>>;
}

/// Reason why a board cannot be set up over the console as a trace's header describes.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleLinesError {
    /// The header itself is wrong.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// No command gives the board the flash that the header names.
    #[error(transparent)]
    Flash(Box<dyn Error + Send + Sync>),
}
