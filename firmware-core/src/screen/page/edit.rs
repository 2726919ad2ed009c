//! What the keys do while the board is edited: a line for each.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::Part;
use super::pen::{Align, Pen, Type, inset, split, strip};
use super::words::{self, Cap, Text};
use crate::page::Page;
use crate::rules::Player;
use crate::screen::style::Style;
use crate::screen::theme;

/// The rows: a heading, and one for each key.
pub(super) const HEIGHTS: [u32; 6] = [34, 30, 30, 30, 30, 30];

const MARGIN: u32 = 10;
/// The width of the names of the keys.
const NAMES: u32 = 100;

/// The `nth` row.
pub(super) fn part(nth: usize, page: &Page, turn: Player, holding: bool, style: &Style) -> Part {
    let Some(nth) = nth.checked_sub(1) else {
        let mut text = Text::new();
        let _ = text.push_str(words::edit_heading(holding));
        return Part::Sentence { text, ink: theme::INK };
    };
    match page.keys().into_iter().flatten().nth(nth) {
        Some(key) => Part::EditKey {
            cap: words::cap(page, key),
            text: words::edit_explanation(key, turn, holding, style),
        },
        None => Part::Ground,
    }
}

/// A key's words, and what it does.
pub(super) fn draw<D: DrawTarget<Color = Rgb565>>(
    cap: Cap,
    text: &str,
    area: Rectangle,
    pen: &mut Pen<'_, D>,
) -> Result<(), D::Error> {
    const NAME: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::GROUND);
    const TEXT: Type = Type { font: theme::LIST_FONT, ..NAME };
    pen.fill(area, theme::GROUND)?;
    let (left, right) = split(inset(area, MARGIN, 0), NAMES);
    let mut name = Text::new();
    for (nth, word) in cap.lines.into_iter().filter(|word| !word.is_empty()).enumerate() {
        let _ = name.push_str(if nth == 0 { "" } else { " " });
        let _ = name.push_str(word);
    }
    pen.line(&name, NAME, Align::Left, left)?;
    let height = TEXT.height(text, right.size.width);
    let block = strip(right, right.size.height.saturating_sub(height) / 2, height);
    pen.block(text, TEXT, Align::Left, block)
}
