//! Boards by their names: the interface to the command.

use std::error::Error;
use std::path::Path;

use hal_mock::{Machine, setup::SetupError};
use reading::text::Reader;
use serde_json::Value;
use trace::{Display, Trace};
use virtual_time::Instant;

/// Error of a provider: each has its own kinds.
pub type ProviderError = Box<dyn Error + Send + Sync>;

/// Knows boards by their names, and reads their LCDs.
pub trait BoardProvider {
    /// Returns what builds machines of the board `name`, as `--board` names it.
    ///
    /// # Errors
    /// If there is no such board.
    fn board(&self, name: &str) -> Result<Box<dyn Maker>, ProviderError>;

    /// Returns a reader of text on the LCD.
    fn reader(&self) -> Reader;

    /// Returns the version of this program.
    fn version(&self) -> String;
}

/// Builds machines of one board.
pub trait Maker {
    /// Builds a fresh machine (its clock at 0, its power off) for the header of `trace`.
    ///
    /// # Errors
    /// If the header is wrong.
    fn machine(&self, trace: &Trace) -> Result<Box<dyn Machine>, SetupError>;

    /// Returns the path of the board file that describes the board, from the folder `from`, as a header
    /// names it; `None` for the LCD board.
    ///
    /// # Errors
    /// If no header can name the file.
    fn board_file(&self, _from: &Path) -> Result<Option<String>, ProviderError> {
        Ok(None)
    }

    /// Returns where a pixel comes from.
    ///
    /// # Errors
    /// If it is not known.
    fn why(&self, pixel: &Pixel<'_>) -> Result<Value, ProviderError>;
}

/// A question about a pixel.
#[derive(Clone, Copy, Debug)]
pub struct Pixel<'a> {
    /// Trace of the session.
    pub trace: &'a Trace,
    /// Column, from the left edge of the panel.
    pub x: usize,
    /// Row, from the upper edge.
    pub y: usize,
    /// The display; `None` = the first one.
    pub display: Option<Display>,
    /// Time of the question.
    pub at: Instant,
}
