//! What may differ between two frames that still count as equal.

use ili9341_model::frame::Region;

/// What is left out of a comparison. By default nothing: every pixel must be equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Pixels in these are not compared; in the panel's columns and rows.
    pub ignored: Vec<Region>,
    /// How far each channel of a pixel may be off, in steps of RGB565 (red and blue have 32
    /// of them, green has 64). 0 wants equal pixels.
    pub tolerance: u8,
    /// So many pixels may be further off than that.
    pub pixels_off: usize,
}

impl Rules {
    /// Whether a pixel that is another counts as one wherever it is.
    pub fn is_exact(&self) -> bool {
        self.tolerance == 0 && self.ignored.is_empty()
    }

    /// Whether the pixel in column `x`, row `y` counts as another.
    pub fn differs(&self, x: usize, y: usize, is: u32, should: u32) -> bool {
        is != should
            && (self.tolerance == 0 || steps_between(is, should) > u32::from(self.tolerance))
            && !self.ignored.iter().any(|region| region.contains(x, y))
    }
}

/// The steps of RGB565 by which the channel that differs most does.
fn steps_between(one: u32, other: u32) -> u32 {
    // Above red there is nothing.
    let steps = |rgb: u32| [rgb >> 19, rgb >> 10 & 0x3F, rgb >> 3 & 0x1F];
    let channels = steps(one).into_iter().zip(steps(other));
    channels.map(|(one, other)| one.abs_diff(other)).max().unwrap_or_default()
}
