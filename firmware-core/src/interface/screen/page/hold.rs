//! The bar in place of a page's title while RESET is held, with the effect of holding it.

use embedded_graphics::primitives::Rectangle;

use super::menu;
use super::painter::{Painter, split};
use crate::interface::message::Holding;
use crate::interface::screen::bar::{self, BAR};
use crate::interface::screen::text::centred;
use crate::interface::screen::words;
use crate::pins::present::TextTarget;

pub(super) fn draw<D: TextTarget>(
    holding: Holding,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    menu::draw_title(words::hold(holding.does), "", area, painter)?;
    bar::draw(holding.steps, place(area), painter.0)
}

/// Returns the part of a title in `area` that changes from one bar to the next.
pub(super) fn changed(before: Holding, after: Holding, area: Rectangle) -> Rectangle {
    if before.does != after.does {
        return area;
    }
    bar::between(before.steps, after.steps, place(area))
}

/// Returns the position of the bar: in the right half.
fn place(area: Rectangle) -> Rectangle {
    centred(BAR, &split(area, area.size.width / 2).1)
}
