//! The list of saved games or logs.

use embedded_graphics::geometry::Point;
use embedded_graphics::primitives::Rectangle;

use super::menu::{draw_aside, row_type};
use super::painter::{Align, Painter, Towards, Type, inset, split, strip};
use super::words;
use crate::interface::page::{FileContent, FileRow, List, ListRow};
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;
use crate::storage::name::NAME_CHARACTERS;

/// Height of a row in pixels.
pub(super) const ROW: u32 = 23;
/// Height in pixels of a row of a log.
pub(super) const LOG_ROW: u32 = LINE + 2;
/// Width in pixels of the box next to the rows.
pub(super) const ASIDE: u32 = 92;

/// Width in pixels of the area of the cursor's arrow.
const ARROW: u32 = 12;
/// Gap in pixels between the longest name and the title of its system.
const GAP: u32 = 8;
/// Margin in pixels between the cursor's bar and the edges of the rows.
const MARGIN: u32 = 4;
const LINE: u32 = theme::LABEL_FONT.character_size.height;

/// A row: a file, a new name, or nothing.
#[derive(PartialEq)]
pub(super) struct File {
    pub(super) row: Option<ListRow>,
    pub(super) cursor: bool,
}

impl File {
    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        painter.fill(area, theme::GROUND)?;
        let Some(row) = self.row else { return Ok(()) };
        let damaged = row.is_damaged();
        let bar = inset(area, MARGIN, 1);
        let kind = row_type(self.cursor, damaged);
        let (arrow, text) = split(bar, ARROW);
        if self.cursor {
            painter.fill(bar, kind.ground)?;
            painter.arrow(Towards::Right, arrow.center(), theme::CURSOR_INK)?;
        }
        let name = words::row_name(row);
        let content = match row {
            ListRow::NewName => return painter.line(&name, kind, Align::Left, text),
            ListRow::File(FileRow { content, .. }) => content,
            ListRow::Lost(_) => FileContent::Damaged,
        };
        let longest = NAME_CHARACTERS as u32 * kind.font.character_size.width;
        let (left, right) = split(text, longest + GAP);
        painter.line(&name, kind, Align::Left, left)?;
        let ink = if damaged && !self.cursor { theme::INK_WARNING } else { kind.ink };
        painter.line(&words::content(content), Type { ink, ..kind }, Align::Left, right)
    }
}

/// The box next to the rows.
#[derive(PartialEq)]
pub(super) struct Aside {
    pub(super) above: bool,
    pub(super) below: bool,
    pub(super) list: List,
    /// Row under the cursor.
    pub(super) chosen: Option<ListRow>,
}

impl Aside {
    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        const TYPE: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::MESSAGE_GROUND);
        const WARNING: Type = Type { ink: theme::INK_WARNING, ..TYPE };
        let inside = draw_aside(area, painter)?;
        let below = inside.size.height.saturating_sub(LINE);
        for (there, towards, row) in [
            (self.above, Towards::Up, strip(inside, 0, LINE)),
            (self.below, Towards::Down, strip(inside, below, LINE)),
        ] {
            if there {
                let (arrow, text) = split(row, 2 * ARROW);
                painter.arrow(towards, arrow.center() + Point::new(0, 1), TYPE.ink)?;
                painter.line(words::MORE, TYPE, Align::Left, text)?;
            }
        }
        let text = words::files_hint(self.list, self.chosen);
        let warns = self.chosen.is_some_and(ListRow::is_damaged);
        let kind = if warns { WARNING } else { TYPE };
        let height = kind.height(text, inside.size.width);
        let middle = strip(inside, inside.size.height.saturating_sub(height) / 2, height);
        painter.block(text, kind, Align::Left, middle)
    }
}

/// Draws a row of a log.
pub(super) fn draw_log_row<D: TextTarget>(
    text: &str,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    const TYPE: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::GROUND);
    painter.fill(area, theme::GROUND)?;
    painter.line(text, TYPE, Align::Left, inset(area, 2 * MARGIN, 0))
}
