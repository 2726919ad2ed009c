//! The cell of a hollow: a gap, a rim, and the inside with the stones. This module knows no layout
//! and no colour.

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;

/// Width in pixels of the gap between the edge of a hollow's cell and its rim.
const GAP: u32 = 1;
/// Thickness of a rim in pixels.
const RIM: u32 = 2;

/// Returns the part of a hollow's cell that contains the stones.
pub fn inside(hollow: Rectangle) -> Rectangle {
    shrink(hollow, GAP + RIM)
}

/// A side of a hollow's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellSide {
    Top,
    Left,
    Right,
    Bottom,
}

impl CellSide {
    /// All sides, from the top.
    pub const ALL: [Self; 4] = [Self::Top, Self::Left, Self::Right, Self::Bottom];

    /// Returns the strip of a hollow's cell between this side and [`inside`].
    pub fn strip(self, hollow: Rectangle) -> Rectangle {
        self.of(hollow, GAP + RIM, 0)
    }

    /// Returns this side of the rim of a hollow, without the corner pixels.
    pub fn rim(self, hollow: Rectangle) -> Rectangle {
        self.of(shrink(hollow, GAP), RIM, 1)
    }

    /// Returns a line one pixel wide in the middle of [`Self::strip`].
    pub fn thin_rim(self, hollow: Rectangle) -> Rectangle {
        self.of(shrink(hollow, (GAP + RIM) / 2), 1, 0)
    }

    /// Returns the strip of width `thick` along this side of `area`. The top and the bottom strip
    /// leave out `notch` pixels at both ends.
    fn of(self, area: Rectangle, thick: u32, notch: u32) -> Rectangle {
        let wide = Size::new(area.size.width.saturating_sub(2 * notch), thick);
        let high = Size::new(thick, area.size.height.saturating_sub(2 * thick));
        let (offset, size) = match self {
            Self::Top => (Size::new(notch, 0), wide),
            Self::Left => (Size::new(0, thick), high),
            Self::Right => (Size::new(area.size.width.saturating_sub(thick), thick), high),
            Self::Bottom => (Size::new(notch, area.size.height.saturating_sub(thick)), wide),
        };
        Rectangle::new(area.top_left + offset, size)
    }
}

fn shrink(area: Rectangle, margin: u32) -> Rectangle {
    Rectangle::new(
        area.top_left + Size::new_equal(margin),
        area.size.saturating_sub(Size::new_equal(2 * margin)),
    )
}
