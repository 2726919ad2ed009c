//! The bar that fills while RESET is held. It draws its whole rectangle and knows no page and no
//! message.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::theme;
use crate::interface::message::BAR_STEPS;
use crate::pins::present::TextTarget;

/// Width of a step in pixels.
const STEP: u32 = 5;
/// Width of the rim, and of the gap inside it.
const RIM: u32 = 1;

/// Size of the bar in pixels.
pub(super) const BAR: Size = Size::new(STEP * BAR_STEPS as u32 + 4 * RIM, 12);

/// Draws the bar in the rectangle `area`, with `steps` steps full.
pub(super) fn draw<D: TextTarget>(
    steps: u8,
    area: Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    target.fill_solid(&area, theme::KEY_RIM)?;
    target.fill_solid(&within(area, RIM), theme::HOLLOW)?;
    target.fill_solid(&full(0, steps, area), theme::INK)
}

/// Returns the part of the bar that changes between two numbers of steps.
pub(super) fn between(one: u8, two: u8, area: Rectangle) -> Rectangle {
    full(one.min(two), one.max(two), area)
}

fn full(from: u8, to: u8, area: Rectangle) -> Rectangle {
    let inside = within(area, 2 * RIM);
    let left = Point::new((u32::from(from) * STEP) as i32, 0);
    Rectangle::new(
        inside.top_left + left,
        Size::new(u32::from(to.saturating_sub(from)) * STEP, inside.size.height),
    )
}

fn within(area: Rectangle, margin: u32) -> Rectangle {
    Rectangle::new(
        area.top_left + Size::new_equal(margin),
        area.size.saturating_sub(Size::new_equal(2 * margin)),
    )
}
