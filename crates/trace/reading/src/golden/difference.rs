//! The difference between two frames.

use core::fmt;

use thiserror::Error;

use ili9341_model::frame::Region;

/// The difference between two frames of the same size. The rectangle includes its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Column and row of the first differing pixel, row by row from the top left.
    pub first: (usize, usize),
    /// Number of differing pixels.
    pub count: usize,
    pub left: usize,
    pub top: usize,
    pub right: usize,
    pub bottom: usize,
    /// Expected colour at `first`, `0x00RRGGBB`.
    pub expected: u32,
    /// Actual colour at `first`, `0x00RRGGBB`.
    pub actual: u32,
    /// See [`Rules::tolerance`](crate::golden::Rules::tolerance).
    pub tolerance: u8,
    /// See [`Rules::pixels_off`](crate::golden::Rules::pixels_off).
    pub pixels_off: usize,
}

impl Difference {
    /// Returns the smallest region around all differing pixels.
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

/// The reason why a frame is not the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Mismatch {
    /// The sizes differ; width and height.
    #[error(
        "the frame is {}x{}, the golden {}x{}", actual.0, actual.1, expected.0, expected.1
    )]
    Size {
        /// Size of the frame.
        actual: (usize, usize),
        /// Size of the golden.
        expected: (usize, usize),
    },
    /// The sizes are equal, but pixels differ.
    #[error("{0}")]
    Pixels(Difference),
}
