//! The explanation of the keys while the board is edited: a line for each key.

use embedded_graphics::primitives::Rectangle;

use super::painter::{Align, Painter, Type, inset, split};
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;

/// Heights in pixels of the rows: a heading, and one for each key and for RESET.
pub(super) const HEIGHTS: [u32; 7] = [28, 26, 26, 26, 26, 26, 26];

const MARGIN: u32 = 10;
/// Gap in pixels between a key and its explanation.
const GAP: u32 = 8;
/// Width of a key in pixels.
const KEY: u32 = 72;

/// Draws a key's words and its explanation.
pub(super) fn draw<D: TextTarget>(
    name: &str,
    text: &str,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    const NAME: Type = Type::new(theme::KEY_FONT, theme::INK, theme::KEY_GROUND);
    const TEXT: Type = Type::new(theme::LIST_FONT, theme::INK, theme::GROUND);
    painter.fill(area, theme::GROUND)?;
    let (left, right) = split(inset(area, MARGIN, 0), KEY);
    let key = inset(left, 0, 2);
    painter.card(key, NAME.ground, theme::KEY_RIM)?;
    painter.line(name, NAME, Align::Centre, key)?;
    painter.line(text, TEXT, Align::Left, split(right, GAP).1)
}
