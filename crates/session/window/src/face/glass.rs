//! The glass of a display: the colours of its pixels and the space between them.
//!
//! Only the window shows them. Frames, traces and golden pictures have the colours of the controller.

use board_file::parts::Display;
use ili9341_model::Frame;

/// Smallest number of window pixels for each of the panel's with which a gap is drawn.
const SCALE_MIN: u32 = 3;

/// The glass of a display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glass {
    /// Colour of black pixels, 0xRRGGBB.
    pub unlit: u32,
    /// Colour of all other pixels; white: their own colours.
    pub lit: u32,
    /// Space between two pixels in percent of their distance.
    pub gap_percent: u32,
}

impl Default for Glass {
    fn default() -> Self {
        Self { unlit: 0, lit: 0xFF_FFFF, gap_percent: 0 }
    }
}

impl From<&Display> for Glass {
    fn from(display: &Display) -> Self {
        // The board file has at most 50 %.
        let gap_percent = display.gap.0 as u32;
        Self { unlit: display.unlit.rgb(), lit: display.lit.rgb(), gap_percent }
    }
}

impl Glass {
    /// Returns the frame in the colours of the glass; `None` if they are its own.
    pub fn coloured(&self, frame: &Frame) -> Option<Frame> {
        let Self { unlit, lit, gap_percent: _ } = *self;
        let own = Self::default();
        if (unlit, lit) == (own.unlit, own.lit) {
            return None;
        }
        let colour = |rgb: &u32| match *rgb {
            0 => unlit,
            rgb if lit == own.lit => rgb,
            _ => lit,
        };
        let pixels = frame.pixels().iter().map(colour);
        Some(Frame::from_pixels(frame.width(), frame.height(), pixels.collect()))
    }

    /// Returns the width of the space between two pixels in window pixels, of which each pixel of the
    /// panel covers `scale`.
    pub fn gap(&self, scale: u32) -> u32 {
        if self.gap_percent == 0 || scale < SCALE_MIN {
            return 0;
        }
        ((scale * self.gap_percent + 50) / 100).clamp(1, scale / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_is_unlit_and_every_other_colour_is_lit() {
        let frame = Frame::from_pixels(3, 1, [0, 0xFF_FFFF, 0x00_8000].into());
        assert_eq!(Glass::default().coloured(&frame), None);
        let oled = Glass { unlit: 0x00_1428, lit: 0x00_D2FF, gap_percent: 0 };
        let coloured = oled.coloured(&frame).unwrap();
        assert_eq!(coloured.pixels(), [0x00_1428, 0x00_D2FF, 0x00_D2FF]);
        let grey = Glass { unlit: 0x14_1414, ..Glass::default() };
        assert_eq!(grey.coloured(&frame).unwrap().pixels(), [0x14_1414, 0xFF_FFFF, 0x00_8000]);
    }

    #[test]
    fn a_gap_is_at_least_a_pixel_and_at_most_half_of_the_distance() {
        let gap = |gap_percent, scale| Glass { gap_percent, ..Glass::default() }.gap(scale);
        assert_eq!((gap(0, 8), gap(25, 2)), (0, 0));
        assert_eq!((gap(25, 4), gap(25, 8), gap(1, 3)), (1, 2, 1));
        assert_eq!((gap(50, 3), gap(50, 8)), (1, 4));
    }
}
