//! Rules for two frames that differ and still count as equal.

use ili9341_model::frame::Region;

/// Differences that a comparison ignores. The default ignores none: every pixel must be equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Regions that are not compared, in the panel's columns and rows.
    pub ignored: Vec<Region>,
    /// Largest accepted difference of each channel of a pixel, in steps of RGB565 (red and blue
    /// have 32 steps, green has 64). 0 accepts only equal pixels.
    pub tolerance: u8,
    /// Number of pixels that may exceed `tolerance`.
    pub pixels_off: usize,
}

impl Rules {
    /// Returns whether every unequal pixel counts as different, wherever it is.
    pub fn is_exact(&self) -> bool {
        self.tolerance == 0 && self.ignored.is_empty()
    }

    /// Returns whether the pixel in column `x`, row `y` counts as different.
    pub fn differs(&self, x: usize, y: usize, is: u32, should: u32) -> bool {
        is != should
            && (self.tolerance == 0 || steps_between(is, should) > u32::from(self.tolerance))
            && !self.ignored.iter().any(|region| region.contains(x, y))
    }
}

/// Returns the largest difference of the three channels, in steps of RGB565.
fn steps_between(one: u32, other: u32) -> u32 {
    // The bits above red are zero, so red needs no mask.
    let steps = |rgb: u32| [rgb >> 19, rgb >> 10 & 0x3F, rgb >> 3 & 0x1F];
    let channels = steps(one).into_iter().zip(steps(other));
    channels.map(|(one, other)| one.abs_diff(other)).max().unwrap_or_default()
}
