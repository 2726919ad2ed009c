//! The page on which a name is entered: the name and all letters, one of which is selected. The two
//! arrows at the top show that the top row of NUDGE buttons moves up and down among the rows of
//! letters.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::painter::{Align, Painter, Towards, Type, inset, split, strip};
use super::words;
use crate::interface::screen::text::centred;
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;
pub(super) use crate::storage::name::LETTER_COLUMNS as COLUMNS;
use crate::storage::name::{LETTERS, NAME_CHARACTERS, Name};

/// Heights in pixels of the rows: what is named, the name, three rows of letters, what to do next.
pub(super) const HEIGHTS: [u32; 6] = [20, 46, 27, 27, 27, 22];

const _: () = assert!(LETTERS.len() <= 3 * COLUMNS, "three rows hold all letters");
/// Width in pixels of a letter's cell.
const CELL: u32 = 24;
/// Thickness in pixels of the line below a letter of the name.
const SLOT: u32 = 4;
/// Size in pixels of the area of an arrow.
const ARROW: u32 = 20;

/// Draws the name so far, with a thick line at the position of the next letter.
pub(super) fn draw_name<D: TextTarget>(
    name: &Name,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    const TYPE: Type = Type::new(theme::STORE_FONT, theme::INK, theme::HOLLOW);
    painter.fill(area, theme::GROUND)?;
    let cell = TYPE.font.character_size;
    let text = Size::new(cell.width * NAME_CHARACTERS as u32, cell.height);
    let field = centred(text + Size::new(2 * SLOT + 8, 2 * SLOT + 4), &area);
    painter.card(field, theme::HOLLOW, theme::KEY_RIM)?;
    let inside = centred(text, &strip(field, 2, text.height));
    painter.line(name.as_str(), TYPE, Align::Left, inside)?;
    for nth in 0..NAME_CHARACTERS {
        let below = inside.top_left + Point::new((nth as u32 * cell.width) as i32 + 1, 0);
        let slot =
            Rectangle::new(below + Size::new(0, cell.height + 1), Size::new(cell.width - 2, SLOT));
        if nth == name.len() {
            painter.fill(slot, theme::CURSOR_GROUND)?;
        } else if nth > name.len() {
            painter.fill(strip(slot, SLOT - 2, 1), theme::RIM)?;
        }
    }
    Ok(())
}

/// Draws a row of the letters, with the selected one.
pub(super) fn draw_row<D: TextTarget>(
    row: u8,
    chosen: Option<u8>,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    painter.fill(area, theme::GROUND)?;
    let letters = LETTERS.chunks(COLUMNS).nth(row.into()).unwrap_or_default();
    let mut rest = centred(Size::new(COLUMNS as u32 * CELL, area.size.height), &area);
    for (nth, letter) in (0u8..).zip(letters) {
        let cell;
        (cell, rest) = split(rest, CELL);
        let mut kind = Type::new(theme::TEXT_FONT, theme::INK, theme::GROUND);
        if chosen == Some(nth) {
            kind = Type::new(theme::TEXT_FONT, theme::CURSOR_INK, theme::CURSOR_GROUND);
            painter.card(inset(cell, 0, 1), kind.ground, kind.ground)?;
        }
        let text = [*letter];
        painter.line(core::str::from_utf8(&text).unwrap_or_default(), kind, Align::Centre, cell)?;
    }
    Ok(())
}

/// Draws the action of the buttons above this half of the panel.
pub(super) fn draw_arrow<D: TextTarget>(
    down: bool,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    const TYPE: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::KEY_GROUND);
    painter.fill(area, theme::GROUND)?;
    let key = inset(area, 2, 1);
    painter.card(key, TYPE.ground, theme::KEY_RIM)?;
    let (word, towards) = (words::arrow(down), if down { Towards::Down } else { Towards::Up });
    let text = word.len() as u32 * TYPE.font.character_size.width;
    let both = centred(Size::new(ARROW + text, key.size.height), &key);
    let (arrow, word_area) = split(both, ARROW);
    painter.arrow(towards, arrow.center(), TYPE.ink)?;
    painter.line(word, TYPE, Align::Left, word_area)
}
