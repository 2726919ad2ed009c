//! Where two frames differ.

use core::fmt;

use thiserror::Error;

use ili9341_model::frame::Region;

/// Where two frames of one size differ. The rectangle includes its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Column and row of the first differing pixel, row by row from the top left.
    pub first: (usize, usize),
    /// How many pixels differ.
    pub count: usize,
    /// The leftmost differing column.
    pub left: usize,
    /// The topmost differing row.
    pub top: usize,
    /// The rightmost differing column.
    pub right: usize,
    /// The lowest differing row.
    pub bottom: usize,
    /// What was to be at `first`, `0x00RRGGBB`.
    pub expected: u32,
    /// What is at `first`, `0x00RRGGBB`.
    pub actual: u32,
    /// See [`Rules::tolerance`](crate::golden::Rules::tolerance).
    pub tolerance: u8,
    /// See [`Rules::pixels_off`](crate::golden::Rules::pixels_off).
    pub pixels_off: usize,
}

impl Difference {
    /// The smallest region around all pixels that differ.
    pub fn region(&self) -> Region {
        let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        Region {
            x: side(self.left),
            y: side(self.top),
            width: side(self.right - self.left + 1),
            height: side(self.bottom - self.top + 1),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.first;
        let (count, left, top) = (self.count, self.left, self.top);
        let (width, height) = (self.right - left + 1, self.bottom - top + 1);
        let (pixels, differ) = if count == 1 { ("pixel", "differs") } else { ("pixels", "differ") };
        write!(out, "{count} {pixels} {differ}")?;
        match self.tolerance {
            0 => {}
            1 => out.write_str(" by more than 1 step")?,
            steps => write!(out, " by more than {steps} steps")?,
        }
        if self.pixels_off > 0 {
            write!(out, " ({} may)", self.pixels_off)?;
        }
        write!(
            out,
            ", in the rectangle x={left} y={top} {width}x{height}; the \
             first is x={x} y={y}: #{:06x}, expected #{:06x}",
            self.actual, self.expected
        )
    }
}

/// Why a frame is not the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// Another size, as width and height.
    #[error(
        "the frame is {}x{}, the golden {}x{}", actual.0, actual.1, expected.0, expected.1
    )]
    Size {
        /// Of the frame.
        actual: (usize, usize),
        /// Of the golden.
        expected: (usize, usize),
    },
    /// The same size, other pixels.
    #[error("{0}")]
    Pixels(Difference),
}
