//! Menus: a tab for each, the entries of the open one, and beside them in a sentence what the
//! entry under the cursor does.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::painter::{Align, Painter, Towards, Type, inset, split, strip};
use super::words;
use crate::interface::menu::{Entries, Entry as Choice, Menu};
use crate::interface::screen::font::Font;
use crate::interface::screen::theme;

/// Width of the box beside the entries.
pub(super) const ASIDE: u32 = 158;

/// Height of an entry where there is room.
const HIGHEST: u32 = 26;
/// The line between groups of entries.
const DIVIDER: u32 = 1;
/// What the tick stands in.
const TICK: u32 = 16;
/// What the cursor's arrow stands in.
const ARROW: u32 = 12;
/// From the cursor's bar to the edges of the rows.
const MARGIN: u32 = 4;

/// The title of a page that is no menu, and its place among others.
pub(super) fn draw_title<D: DrawTarget<Color = Rgb565>>(
    text: &str,
    place: &str,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    const TYPE: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::MESSAGE_GROUND);
    painter.fill(area, theme::MESSAGE_GROUND)?;
    painter.line(text, TYPE, Align::Left, inset(area, 2 * MARGIN, 0))?;
    painter.line(place, TYPE, Align::Right, inset(area, 2 * MARGIN, 0))?;
    painter.fill(last_row(area), theme::RIM)
}

/// A tab: the open one goes over into the page below it.
pub(super) fn draw_tab<D: DrawTarget<Color = Rgb565>>(
    name: &str,
    open: bool,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    const OPEN: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::GROUND);
    const SHUT: Type = Type::new(theme::LABEL_FONT, theme::INK_DIM, theme::MESSAGE_GROUND);
    let kind = if open { OPEN } else { SHUT };
    painter.fill(area, kind.ground)?;
    painter.line(name, kind, Align::Centre, area)?;
    if open {
        let (left, rest) = split(area, 1);
        painter.fill(left, theme::RIM)?;
        painter.fill(split(rest, rest.size.width - 1).1, theme::RIM)?;
        painter.fill(strip(area, 0, 2), theme::INK)
    } else {
        painter.fill(last_row(area), theme::RIM)
    }
}

/// An entry of a menu.
#[derive(PartialEq)]
pub(super) struct Entry {
    choice: Choice,
    large: bool,
    cursor: bool,
    checked: bool,
    dim: bool,
    divided: bool,
}

impl Entry {
    /// The `nth` of `menu`, where `cursor` is the number of the one that OK chooses.
    pub(super) fn of(
        menu: Menu,
        nth: usize,
        cursor: usize,
        checked: Entries,
        dim: Entries,
    ) -> Option<Self> {
        Some(Self {
            choice: menu.entry(nth)?,
            large: is_large(menu),
            cursor: nth == cursor,
            checked: checked.contains(nth),
            dim: dim.contains(nth),
            divided: begins_group(menu, nth),
        })
    }

    pub(super) fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        painter.fill(area, theme::GROUND)?;
        let mut row = inset(area, MARGIN, if self.large { 1 } else { 0 });
        if self.divided {
            painter.fill(strip(row, 0, DIVIDER), theme::RIM)?;
            row = strip(row, DIVIDER, row.size.height.saturating_sub(DIVIDER));
        }
        let kind = Type {
            font: if self.large { theme::LABEL_FONT } else { theme::LIST_FONT },
            ..row_type(self.cursor, self.dim)
        };
        let (arrow, rest) = split(row, ARROW);
        if self.cursor {
            painter.fill(row, kind.ground)?;
            painter.arrow(Towards::Right, arrow.center(), theme::CURSOR_INK)?;
        }
        let (tick, text) = split(rest, TICK);
        if self.checked {
            painter.tick(tick.center() - Point::new(2, 0), kind.ink)?;
        }
        painter.line(words::entry(self.choice), kind, Align::Left, text)
    }
}

/// How a row of a list stands: under the cursor or not, to be chosen or not.
pub(super) const fn row_type(cursor: bool, dim: bool) -> Type {
    let font: &'static Font = theme::LABEL_FONT;
    match (cursor, dim) {
        (true, false) => Type::new(font, theme::CURSOR_INK, theme::CURSOR_GROUND),
        (true, true) => Type::new(font, theme::CURSOR_INK_DIM, theme::CURSOR_GROUND),
        (false, false) => Type::new(font, theme::INK, theme::GROUND),
        (false, true) => Type::new(font, theme::INK_DIM, theme::GROUND),
    }
}

/// What the entry under the cursor does.
#[derive(PartialEq)]
pub(super) struct Explanation {
    choice: Choice,
    checked: bool,
    dim: bool,
}

impl Explanation {
    pub(super) fn of(menu: Menu, cursor: usize, checked: Entries, dim: Entries) -> Option<Self> {
        Some(Self {
            choice: menu.entry(cursor)?,
            checked: checked.contains(cursor),
            dim: dim.contains(cursor),
        })
    }

    pub(super) fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        const TYPE: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::MESSAGE_GROUND);
        const WHY: Type = Type { ink: theme::INK_WARNING, ..TYPE };
        let inside = draw_aside(area, painter)?;
        painter.block(words::explanation(self.choice), TYPE, Align::Left, inside)?;
        if self.dim {
            let why = words::why_dim(self.choice);
            let height = WHY.height(why, inside.size.width);
            let foot = strip(inside, inside.size.height.saturating_sub(height), height);
            painter.block(why, WHY, Align::Left, foot)
        } else if self.checked {
            let height = TYPE.font.character_size.height;
            let foot = strip(inside, inside.size.height.saturating_sub(height), height);
            let (tick, text) = split(foot, TICK);
            painter.tick(tick.center() - Point::new(2, 0), TYPE.ink)?;
            painter.line(words::checked(self.choice), TYPE, Align::Left, text)
        } else {
            Ok(())
        }
    }
}

/// The empty box beside the rows; the rectangle inside.
pub(super) fn draw_aside<D: DrawTarget<Color = Rgb565>>(
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<Rectangle, D::Error> {
    painter.fill(area, theme::GROUND)?;
    let (_, card) = split(inset(area, 0, 2 * MARGIN), MARGIN);
    let card = split(card, card.size.width - 2 * MARGIN).0;
    painter.card(card, theme::MESSAGE_GROUND, theme::RIM)?;
    Ok(inset(card, 2 * MARGIN, 2 * MARGIN))
}

/// How far the `nth` entry is below the top of a body of `height`.
pub(super) fn row_top(menu: Menu, nth: usize, height: u32) -> u32 {
    let dividers = |nth| (0..nth).filter(|nth| begins_group(menu, *nth)).count() as u32 * DIVIDER;
    let entries = menu.len().max(1);
    let each = height.saturating_sub(dividers(entries)) / entries as u32;
    nth as u32 * each.min(HIGHEST) + dividers(nth)
}

/// Whether the entries of `menu` have room for the larger letters on every panel.
const fn is_large(menu: Menu) -> bool {
    !matches!(menu, Menu::Options)
}

/// Whether the `nth` entry is the first of those that belong together: one of players, of
/// stones or of levels is chosen.
fn begins_group(menu: Menu, nth: usize) -> bool {
    use Choice::{Advanced, Bidirectional, SoundOff, ThreeStones};
    matches!(menu.entry(nth), Some(Bidirectional | ThreeStones | Advanced | SoundOff))
}

fn last_row(area: Rectangle) -> Rectangle {
    let above = area.size.height.saturating_sub(1);
    Rectangle::new(area.top_left + Size::new(0, above), Size::new(area.size.width, 1))
}
