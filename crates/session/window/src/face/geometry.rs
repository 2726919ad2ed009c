//! Rectangles of window pixels, and the shape of the board.

use trace::{Point, TouchArea};

/// A rectangle of whole window pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Leftmost column.
    pub left: u32,
    /// Top row.
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

impl Rect {
    /// Returns the smallest rectangle that contains both this one and `other`.
    #[must_use]
    pub fn around(self, other: Self) -> Self {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        let right = (self.left + self.width).max(other.left + other.width);
        let bottom = (self.top + self.height).max(other.top + other.height);
        Self { left, top, width: right - left, height: bottom - top }
    }

    /// Returns whether the pixel `x`, `y` is in the rectangle.
    pub fn contains(&self, x: i32, y: i32) -> bool {
        let inside = |value: i32, from: u32, size: u32| {
            u32::try_from(value).is_ok_and(|value| (from..from + size).contains(&value))
        };
        inside(x, self.left, self.width) && inside(y, self.top, self.height)
    }

    /// Returns the pixel of a display with this picture at the pixel `x`, `y` of the window; of a
    /// point outside of it, the nearest.
    pub fn pixel(&self, x: i32, y: i32, area: TouchArea) -> Point {
        let at = |value: i32, from: u32, size: u32, pixels: u16| {
            let way = i64::from(value) - i64::from(from);
            let pixel = (way * i64::from(pixels)).div_euclid(i64::from(size.max(1)));
            // Between 0 and the last pixel.
            pixel.clamp(0, i64::from(pixels.saturating_sub(1))) as u16
        };
        Point {
            x: at(x, self.left, self.width, area.width),
            y: at(y, self.top, self.height, area.height),
        }
    }
}

/// Place of RESET, the status lines and the legend on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Below the LCD.
    #[default]
    Upright,
    /// To the right of the LCD, for a window that is wide.
    Wide,
}

impl Shape {
    pub const ALL: [Self; 2] = [Self::Upright, Self::Wide];
}
