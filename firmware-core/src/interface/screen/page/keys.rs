//! The soft keys as caps, and the action of RESET.

use embedded_graphics::geometry::Point;
use embedded_graphics::primitives::Rectangle;

use super::painter::{Align, Painter, Towards, Type, inset, split, strip};
use super::words::{Cap, Picture, RESET};
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;

const CAP_TYPE: Type = Type::new(theme::KEY_FONT, theme::INK, theme::KEY_GROUND);
/// Type of a word of at most three letters, alone.
const WORD_TYPE: Type = Type { font: theme::LABEL_FONT, ..CAP_TYPE };
const HINT_TYPE: Type = Type::new(theme::KEY_FONT, theme::INK, theme::GROUND);
/// Height in pixels of a line on a cap.
const LINE: u32 = theme::KEY_FONT.character_size.height;
/// Height in pixels of the keys: two lines, a pixel around them, the rim, and a pixel of
/// background.
pub(super) const HEIGHT: u32 = 2 * LINE + 6;

/// Draws a key, or the background where there is none.
pub(super) fn draw<D: TextTarget>(
    cap: Option<Cap>,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    painter.fill(area, theme::GROUND)?;
    let Some(cap) = cap else { return Ok(()) };
    let key = inset(area, 1, 1);
    painter.card(key, theme::KEY_GROUND, theme::KEY_RIM)?;
    // The last column of a cell has no ink: five cells are as wide as the key without its rim.
    let inside = split(inset(key, 1, 1), 1).1;
    let [upper, lower] = [strip(inside, 1, LINE), strip(inside, 1 + LINE, LINE)];
    match (cap.picture, cap.lines) {
        (Some(picture), [word, _]) => {
            // The letters are a pixel higher in their cells than an arrow in the middle.
            painter.arrow(towards(picture), upper.center() + Point::new(0, 1), theme::INK)?;
            painter.line(word, CAP_TYPE, Align::Centre, lower)
        }
        (None, [word, ""]) if WORD_TYPE.width(word) <= inside.size.width => {
            painter.line(word, WORD_TYPE, Align::Centre, inside)
        }
        (None, [word, ""]) => painter.line(word, CAP_TYPE, Align::Centre, inside),
        (None, [first, second]) => {
            painter.line(first, CAP_TYPE, Align::Centre, upper)?;
            painter.line(second, CAP_TYPE, Align::Centre, lower)
        }
    }
}

/// Draws the action of RESET, in the corner of every page.
pub(super) fn draw_reset<D: TextTarget>(
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    painter.fill(area, theme::GROUND)?;
    let inside = inset(area, 1, 3);
    let [upper, lower] = RESET;
    painter.line(upper, HINT_TYPE, Align::Centre, strip(inside, 0, LINE))?;
    painter.line(lower, HINT_TYPE, Align::Centre, strip(inside, LINE, LINE))
}

const fn towards(picture: Picture) -> Towards {
    match picture {
        Picture::Left => Towards::Left,
        Picture::Right => Towards::Right,
        Picture::Up => Towards::Up,
        Picture::Down => Towards::Down,
    }
}
