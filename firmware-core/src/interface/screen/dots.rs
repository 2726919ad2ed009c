//! The dots that change next to the triangle while the computer thinks and the message of the last
//! move is shown. This module knows neither view nor layout.

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;

use super::theme;
use crate::pins::present::TextTarget;

/// Size of three dots in a row, in pixels.
pub(super) const DOTS: Size = Size::new(2 * PITCH + DOT, DOT);
/// Width and height of a dot in pixels.
const DOT: u32 = 4;
/// Distance from one dot to the next in pixels.
const PITCH: u32 = 6;

/// Draws `count` dots, at most three, from the left of `area`. The background must be drawn
/// already.
pub(super) fn draw_dots<D: TextTarget>(
    count: u8,
    area: Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    for nth in 0..u32::from(count) {
        let left = area.top_left + Size::new(nth * PITCH, 0);
        target.fill_solid(&Rectangle::new(left, Size::new_equal(DOT)), theme::INK)?;
    }
    Ok(())
}
