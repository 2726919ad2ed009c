//! The soft keys as caps, and what RESET does.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::Point;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::pen::{Align, Pen, Towards, Type, inset, strip};
use super::words::{Cap, Picture, RESET};
use crate::screen::theme;

const CAP_TYPE: Type = Type::new(theme::LIST_FONT, theme::INK, theme::KEY_GROUND);
const HINT_TYPE: Type = Type::new(theme::LIST_FONT, theme::INK_DIM, theme::GROUND);
const LINE: u32 = theme::LIST_FONT.character_size.height;

/// A key, or the ground where there is none.
pub(super) fn draw<D: DrawTarget<Color = Rgb565>>(
    cap: Option<Cap>,
    area: Rectangle,
    pen: &mut Pen<'_, D>,
) -> Result<(), D::Error> {
    pen.fill(area, theme::GROUND)?;
    let Some(cap) = cap else { return Ok(()) };
    let key = inset(area, 1, 1);
    pen.card(key, theme::KEY_GROUND, theme::KEY_RIM)?;
    let [upper, lower] = lines(key);
    match (cap.picture, cap.lines) {
        (Some(picture), [word, _]) => {
            // The letters stand a pixel higher in their cells than an arrow in the middle.
            pen.arrow(towards(picture), upper.center() + Point::new(0, 1), theme::INK)?;
            pen.line(word, CAP_TYPE, Align::Centre, lower)
        }
        (None, [word, ""]) => pen.line(word, CAP_TYPE, Align::Centre, key),
        (None, [first, second]) => {
            pen.line(first, CAP_TYPE, Align::Centre, upper)?;
            pen.line(second, CAP_TYPE, Align::Centre, lower)
        }
    }
}

/// What RESET does, in the corner of every page.
pub(super) fn draw_reset<D: DrawTarget<Color = Rgb565>>(
    area: Rectangle,
    pen: &mut Pen<'_, D>,
) -> Result<(), D::Error> {
    pen.fill(area, theme::GROUND)?;
    for (text, row) in RESET.into_iter().zip(lines(inset(area, 1, 1))) {
        pen.line(text, HINT_TYPE, Align::Centre, row)?;
    }
    Ok(())
}

/// Two lines inside a key's rim.
fn lines(key: Rectangle) -> [Rectangle; 2] {
    let inside = inset(key, 1, 1);
    [strip(inside, 0, LINE), strip(inside, LINE, LINE)]
}

const fn towards(picture: Picture) -> Towards {
    match picture {
        Picture::Left => Towards::Left,
        Picture::Right => Towards::Right,
        Picture::Up => Towards::Up,
        Picture::Down => Towards::Down,
    }
}
