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

/// The four strips of a hollow's cell around [`inside`].
pub fn around(hollow: Rectangle) -> [Rectangle; 4] {
    frame(hollow, GAP + RIM, 0)
}

/// The rim of a hollow: four strips that leave its corners out.
pub fn rim(hollow: Rectangle) -> [Rectangle; 4] {
    frame(shrink(hollow, GAP), RIM, 1)
}

/// A line a pixel wide in the middle of [`around`].
pub fn thin_rim(hollow: Rectangle) -> [Rectangle; 4] {
    frame(shrink(hollow, (GAP + RIM) / 2), 1, 0)
}

fn shrink(area: Rectangle, margin: u32) -> Rectangle {
    Rectangle::new(
        area.top_left + Size::new_equal(margin),
        area.size.saturating_sub(Size::new_equal(2 * margin)),
    )
}

/// The strips of width `thick` along the edges of `area`: top, left, right, bottom. The top
/// and the bottom one leave out `notch` pixels at both ends.
fn frame(area: Rectangle, thick: u32, notch: u32) -> [Rectangle; 4] {
    let wide = Size::new(area.size.width.saturating_sub(2 * notch), thick);
    let high = Size::new(thick, area.size.height.saturating_sub(2 * thick));
    let below = area.size.height.saturating_sub(thick);
    let right = area.size.width.saturating_sub(thick);
    [
        Rectangle::new(area.top_left + Size::new(notch, 0), wide),
        Rectangle::new(area.top_left + Size::new(0, thick), high),
        Rectangle::new(area.top_left + Size::new(right, thick), high),
        Rectangle::new(area.top_left + Size::new(notch, below), wide),
    ]
}
