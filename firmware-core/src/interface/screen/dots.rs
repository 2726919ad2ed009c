//! The dots that run beside the triangle while the computer thinks and the message of the last
//! move stands. It knows neither view nor layout.

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;

use super::theme;
use crate::pins::present::TextTarget;

/// Three dots in a row.
pub(super) const DOTS: Size = Size::new(2 * PITCH + DOT, DOT);
/// Width and height of a dot.
const DOT: u32 = 4;
/// From one dot to the next.
const PITCH: u32 = 6;

/// Draws `count` dots, at most three, in `area` from its left. Its ground is there already.
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
