//! Information on a pixel, as data.

use ili9341_model::PixelWrite;
use insight::DrawnElement;
use rp2040_emulator::program::CodePlace;
use virtual_time::Instant;

/// Information on a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Position of the pixel, from the panel's left and top edge.
    pub pixel: (usize, usize),
    /// Name of the display, if the board has several.
    pub display: Option<&'static str>,
    /// Time of the query.
    pub at: Instant,
    /// Colour on the LCD at that time: `0x00RRGGBB`, eight bits per channel.
    pub colour: u32,
    /// Whether the frame of the last write was incomplete at that time.
    pub unfinished: bool,
    /// Column and page of the cell of the LCD's memory that the pixel shows.
    pub cell: (usize, usize),
    /// Last power-on before that time.
    pub powered_at: Instant,
    /// Last writes since power-on, at least one and at most
    /// [`WATCHED_WRITES_MAX`](ili9341_model::WATCHED_WRITES_MAX), the latest last.
    pub writes: Vec<PixelWritten>,
    /// Number of writes since power-on.
    pub count: u64,
    /// Line of text on the LCD that covers the pixel.
    pub text: Option<String>,
    /// On `pico`: the function that sent the last write, and its callers, each with its source
    /// lines.
    pub functions: Vec<CodePlace>,
}

/// One write to the pixel's cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelWritten {
    /// Bytes on the wire.
    pub write: PixelWrite,
    /// The element that the firmware drew, if its views are known.
    pub drawn: Option<DrawnElement>,
}
