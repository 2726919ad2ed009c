//! Both players' total scores: the top player above the bottom one, as they sit at the board.

use core::fmt::Write as _;

use embedded_graphics::primitives::Rectangle;

use super::painter::{Align, Painter, Type, inset, split};
use super::words::Text;
use crate::game::places::Player;
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;

/// Heights in pixels of the rows: a heading, the top player's, the bottom player's, the lead.
pub(super) const HEIGHTS: [u32; 4] = [34, 58, 58, 34];

/// Width in pixels of the stripe of the player's colour.
const STRIPE: u32 = 6;
const MARGIN: u32 = 10;

/// Draws a player's row.
pub(super) fn draw<D: TextTarget>(
    player: Player,
    name: &str,
    total: u32,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    let named = Type::new(theme::TEXT_FONT, theme::player(player), theme::HOLLOW);
    let counted = Type { font: theme::STORE_FONT, ink: theme::INK, ..named };
    painter.fill(area, theme::GROUND)?;
    let card = inset(area, MARGIN, 3);
    painter.card(card, named.ground, theme::RIM)?;
    let (stripe, rest) = split(inset(card, 1, 1), STRIPE);
    painter.fill(stripe, theme::player(player))?;
    let inside = inset(rest, MARGIN, 0);
    painter.line(name, named, Align::Left, inside)?;
    let mut digits = Text::new();
    let _ = write!(digits, "{total}");
    painter.line(&digits, counted, Align::Right, inside)
}
