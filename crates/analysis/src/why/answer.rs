//! What is known of a pixel, as data.

use hal_mock::Nanos;
use hal_mock::lcd::PixelWrite;

use super::element::DrawnElement;

/// What is known of a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The pixel, from the panel's left and top edge.
    pub pixel: (usize, usize),
    /// The moment that was asked about.
    pub at: Nanos,
    /// The colour that a person saw then, `0x00RRGGBB`, eight bits a colour.
    pub colour: u32,
    /// The frame that the last write belongs to was still being sent.
    pub unfinished: bool,
    /// Column and page of the memory's cell behind the pixel.
    pub cell: (usize, usize),
    /// When the power came that the board had then.
    pub powered_at: Nanos,
    /// The last writes since, the latest last; at most [`WRITES_KEPT`](hal_mock::lcd::WRITES_KEPT), at least one.
    pub writes: Vec<PixelWritten>,
    /// How many there were since.
    pub count: u64,
    /// What can be read at that place of the LCD.
    pub text: Option<String>,
    /// On `pico`: the function that sent the last write, and who called it.
    pub functions: Vec<String>,
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelWritten {
    /// What came over the wire.
    pub write: PixelWrite,
    /// On `native`: what the firmware drew.
    pub drawn: Option<DrawnElement>,
}
