//! What is known of a pixel, as data.

use ili9341_model::PixelWrite;
use rp2040_emulator::program::CodePlace;
use virtual_time::Instant;

use super::element::DrawnElement;

/// What is known of a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The pixel, from the panel's left and top edge.
    pub pixel: (usize, usize),
    /// The moment of the question.
    pub at: Instant,
    /// The colour on the LCD at that moment: `0x00RRGGBB`, eight bits per colour.
    pub colour: u32,
    /// The frame of the last write was not complete at that moment.
    pub unfinished: bool,
    /// Column and page of the cell of the LCD's memory that the pixel shows.
    pub cell: (usize, usize),
    /// The last power-on before that moment.
    pub powered_at: Instant,
    /// The last writes since power-on, the latest last; at most [`WRITES_KEPT`](ili9341_model::WRITES_KEPT), at least one.
    pub writes: Vec<PixelWritten>,
    /// The number of writes since power-on.
    pub count: u64,
    /// The line of text on the LCD that covers the pixel.
    pub text: Option<String>,
    /// On `pico`: the function that sent the last write, and its callers, each with its lines of
    /// source.
    pub functions: Vec<CodePlace>,
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelWritten {
    /// The bytes on the wire.
    pub write: PixelWrite,
    /// On `native`: what the firmware drew.
    pub drawn: Option<DrawnElement>,
}
