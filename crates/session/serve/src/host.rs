//! Who makes the boards.

use std::error::Error;

use hal_mock::{Machine, setup::SetupError};
use reading::text::Reader;
use serde_json::Value;
use trace::Trace;
use virtual_time::Instant;

/// What a host says that it cannot do: each has errors of its own.
pub type ProviderError = Box<dyn Error + Send + Sync>;

/// Knows boards by their names, and reads their LCDs.
pub trait BoardProvider {
    /// What makes machines of the board `name`, as `--board` names it.
    ///
    /// # Errors
    /// If there is no such board.
    fn board(&self, name: &str) -> Result<Box<dyn Maker>, ProviderError>;

    /// Reads text on the LCD.
    fn reader(&self) -> Reader;

    /// What this program is: its name's version.
    fn version(&self) -> String;
}

/// Makes machines of one board.
pub trait Maker {
    /// A fresh one (its clock at 0, its power off) for the header of `trace`.
    ///
    /// # Errors
    /// If the header is wrong.
    fn machine(&self, trace: &Trace) -> Result<Box<dyn Machine>, SetupError>;

    /// Where a pixel comes from.
    ///
    /// # Errors
    /// If that is not known.
    fn why(&self, pixel: &Pixel<'_>) -> Result<Value, ProviderError>;
}

/// A question about a pixel.
#[derive(Clone, Copy, Debug)]
pub struct Pixel<'a> {
    /// What was done to the board.
    pub trace: &'a Trace,
    /// From the left edge of the panel.
    pub x: usize,
    /// From its upper edge.
    pub y: usize,
    /// The moment.
    pub at: Instant,
}
