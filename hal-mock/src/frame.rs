//! A picture as a person in front of the panel sees it: upright, after orientation,
//! scrolling, inversion, colour order and backlight. It knows nothing of how it got there.

/// `width` × `height` pixels, row by row from the top left, each `0x00RRGGBB`.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
}

impl Frame {
    /// A frame in one colour (`0x00RRGGBB`).
    pub fn filled(width: usize, height: usize, rgb: u32) -> Self {
        Self { width, height, pixels: vec![rgb; width * height] }
    }

    /// Takes `pixels` as they are.
    ///
    /// # Panics
    /// If there are not exactly `width * height` of them.
    pub fn from_pixels(width: usize, height: usize, pixels: Vec<u32>) -> Self {
        assert_eq!(pixels.len(), width * height, "a frame of {width}x{height}");
        Self { width, height, pixels }
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row by row.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// All pixels, row by row, to write.
    pub fn pixels_mut(&mut self) -> &mut [u32] {
        &mut self.pixels
    }

    /// The pixel in column `x`, row `y`; `None` outside.
    pub fn pixel(&self, x: usize, y: usize) -> Option<u32> {
        (x < self.width && y < self.height).then(|| self.pixels[y * self.width + x])
    }
}

impl core::fmt::Debug for Frame {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "Frame({}x{})", self.width, self.height)
    }
}
