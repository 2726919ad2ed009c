//! The cell of a hollow: a gap, a rim, and the inside in which the stones lie. It knows no
//! layout and no colour.

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;

/// From the edge of a hollow's cell to its rim.
const GAP: u32 = 1;
/// How thick a rim is.
const RIM: u32 = 2;

/// The part of a hollow's cell in which the stones lie.
pub fn inside(hollow: Rectangle) -> Rectangle {
    shrink(hollow, GAP + RIM)
}

/// A side of a hollow's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum CellSide {
    Top,
    Left,
    Right,
    Bottom,
}

impl CellSide {
    /// From the top.
    pub const ALL: [Self; 4] = [Self::Top, Self::Left, Self::Right, Self::Bottom];

    /// The strip of a hollow's cell on this side of [`inside`].
    pub fn strip(self, hollow: Rectangle) -> Rectangle {
        self.of(hollow, GAP + RIM, 0)
    }

    /// This side of the rim of a hollow: it leaves its corners out.
    pub fn rim(self, hollow: Rectangle) -> Rectangle {
        self.of(shrink(hollow, GAP), RIM, 1)
    }

    /// A line a pixel wide in the middle of [`Self::strip`].
    pub fn thin_rim(self, hollow: Rectangle) -> Rectangle {
        self.of(shrink(hollow, (GAP + RIM) / 2), 1, 0)
    }

    /// The strip of width `thick` along this side of `area`. The top and the bottom one leave out `notch` pixels at both
    /// ends.
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
