//! A picture as a viewer in front of the panel sees it: upright, after orientation, scrolling,
//! inversion, colour order and backlight. The module does not know how it was drawn.

/// A rectangle of pixels of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Region {
    /// The whole panel as the module is mounted: landscape, 320×240.
    pub const PANEL: Self = Self { x: 0, y: 0, width: 320, height: 240 };

    /// Parses `0,0,320,40`; `None` unless the text is four numbers below 65,536.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(',').map(|number| {
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse().ok().filter(|_| digits)
        });
        let mut next = || numbers.next().flatten();
        let region = Self { x: next()?, y: next()?, width: next()?, height: next()? };
        numbers.next().is_none().then_some(region)
    }

    /// Returns the leftmost column and the topmost row.
    pub const fn corner(self) -> (usize, usize) {
        (self.x as usize, self.y as usize)
    }

    /// Returns the number of pixels.
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns whether the pixel in column `x`, row `y` is inside the region.
    pub const fn contains(self, x: usize, y: usize) -> bool {
        let (left, top) = self.corner();
        x >= left && x < left + self.width as usize && y >= top && y < top + self.height as usize
    }

    /// Returns whether all of `other` is inside the region.
    pub const fn holds(self, other: Self) -> bool {
        let (right, bottom) =
            (other.x as usize + other.width as usize, other.y as usize + other.height as usize);
        other.x >= self.x
            && other.y >= self.y
            && right <= self.x as usize + self.width as usize
            && bottom <= self.y as usize + self.height as usize
    }

    /// Returns whether the regions share a pixel.
    pub fn meets(self, other: Self) -> bool {
        let meet = |one: u16, length: u16, other: u16, other_length: u16| {
            (one as u32) < other as u32 + other_length as u32
                && (other as u32) < one as u32 + length as u32
        };
        meet(self.x, self.width, other.x, other.width)
            && meet(self.y, self.height, other.y, other.height)
    }
}

/// Writes `0,0,320,40` (column, row, width, height), which [`Region::parse`] reads.
impl core::fmt::Display for Region {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "{},{},{},{}", self.x, self.y, self.width, self.height)
    }
}

/// A picture of `width` × `height` pixels, row by row from the top left, each `0x00RRGGBB`.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
}

impl Frame {
    /// Creates a frame in one colour (`0x00RRGGBB`).
    pub fn filled(width: usize, height: usize, rgb: u32) -> Self {
        Self { width, height, pixels: vec![rgb; width * height] }
    }

    /// Creates a frame from `pixels`.
    ///
    /// # Panics
    /// If there are not exactly `width * height` of them.
    pub fn from_pixels(width: usize, height: usize, pixels: Vec<u32>) -> Self {
        assert_eq!(pixels.len(), width * height, "a frame of {width}x{height}");
        Self { width, height, pixels }
    }

    /// Returns the number of pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the region of all pixels. A frame of a panel has fewer than 65,536 rows and columns.
    pub fn whole(&self) -> Region {
        let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
        Region { x: 0, y: 0, width: side(self.width), height: side(self.height) }
    }

    /// Returns all pixels, row by row.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// Returns all pixels, row by row, for writing.
    pub fn pixels_mut(&mut self) -> &mut [u32] {
        &mut self.pixels
    }

    /// Returns the part of the frame inside `region`, as a frame of its own.
    pub fn part(&self, region: Region) -> Self {
        let (left, top) = region.corner();
        let (left, top) = (left.min(self.width), top.min(self.height));
        let right = (left + usize::from(region.width)).min(self.width);
        let bottom = (top + usize::from(region.height)).min(self.height);
        let (width, height) = (right - left, bottom - top);
        let mut pixels = Vec::with_capacity(width * height);
        for y in top..bottom {
            pixels.extend_from_slice(&self.pixels[y * self.width..][left..right]);
        }
        Self { width, height, pixels }
    }

    /// Returns the pixel in column `x`, row `y`; `None` outside.
    pub fn pixel(&self, x: usize, y: usize) -> Option<u32> {
        (x < self.width && y < self.height).then(|| self.pixels[y * self.width + x])
    }
}

impl core::fmt::Debug for Frame {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "Frame({}x{})", self.width, self.height)
    }
}
