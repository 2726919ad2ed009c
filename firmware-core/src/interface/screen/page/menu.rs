//! Menus: a tab for each, the entries of the open one, and a sentence that explains the entry under
//! the cursor: next to the entries or, if these need two columns, below.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::painter::{Align, Painter, Towards, Type, inset, split, strip};
use super::words;
use crate::interface::menu::{Entries, Entry as Choice, Menu};
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;

/// Width in pixels of the box next to the entries.
pub(super) const ASIDE: u32 = 158;

/// Maximum number of entries in one column next to the box.
const MOST_IN_A_COLUMN: usize = 10;
/// Height in pixels of an entry where there is room.
const HIGHEST: u32 = 26;
/// Height in pixels of an entry in two columns.
const TIGHT: u32 = 17;
/// Height in pixels of the line between groups of entries.
const DIVIDER: u32 = 1;
/// Size in pixels of the area of the tick.
const TICK: u32 = 14;
/// Size in pixels of the area of the cursor's arrow.
const ARROW: u32 = 11;
/// Margin in pixels between the cursor's bar and the edges of the rows.
const MARGIN: u32 = 4;
/// The same in two columns: 13 characters fit next to arrow and tick.
const NARROW_MARGIN: u32 = 2;
/// Margin in pixels between a state and the edge of the box below two columns: the state is outside
/// the cells of the sentence next to it.
const STATE_MARGIN: u32 = 3;

/// Draws the title of a page that is not a menu, and its position among others.
pub(super) fn draw_title<D: TextTarget>(
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

/// Draws a tab: the open one merges into the page below it.
pub(super) fn draw_tab<D: TextTarget>(
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
    tight: bool,
    cursor: bool,
    checked: bool,
    dim: bool,
    divided: bool,
}

impl Entry {
    /// Returns the `nth` entry of `menu`; `cursor` is the index of the one that OK chooses.
    pub(super) fn of(
        menu: Menu,
        nth: usize,
        cursor: usize,
        checked: Entries,
        dim: Entries,
    ) -> Option<Self> {
        Some(Self {
            choice: menu.entry(nth)?,
            tight: has_two_columns(menu),
            cursor: nth == cursor,
            checked: checked.contains(nth),
            dim: dim.contains(nth),
            divided: is_divided(menu, nth),
        })
    }

    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        painter.fill(area, theme::GROUND)?;
        let mut row =
            if self.tight { inset(area, NARROW_MARGIN, 0) } else { inset(area, MARGIN, 1) };
        if self.divided {
            painter.fill(strip(row, 0, DIVIDER), theme::RIM)?;
            row = strip(row, DIVIDER, row.size.height.saturating_sub(DIVIDER));
        }
        let kind = row_type(self.cursor, self.dim);
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

/// Returns the type of a row of a list: under the cursor or not, available or not.
pub(super) const fn row_type(cursor: bool, dim: bool) -> Type {
    let font = theme::LABEL_FONT;
    match (cursor, dim) {
        (true, false) => Type::new(font, theme::CURSOR_INK, theme::CURSOR_GROUND),
        (true, true) => Type::new(font, theme::CURSOR_INK_OFF, theme::CURSOR_GROUND),
        (false, false) => Type::new(font, theme::INK, theme::GROUND),
        (false, true) => Type::new(font, theme::INK_OFF, theme::GROUND),
    }
}

/// Explanation of the entry under the cursor.
#[derive(PartialEq)]
pub(super) struct Explanation {
    choice: Choice,
    below: bool,
    checked: bool,
    dim: bool,
}

impl Explanation {
    pub(super) fn of(menu: Menu, cursor: usize, checked: Entries, dim: Entries) -> Option<Self> {
        Some(Self {
            choice: menu.entry(cursor)?,
            below: has_two_columns(menu),
            checked: checked.contains(cursor),
            dim: dim.contains(cursor),
        })
    }

    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        const TYPE: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::MESSAGE_GROUND);
        const WHY: Type = Type { ink: theme::INK_WARNING, ..TYPE };
        let line = TYPE.font.character_size.height;
        let inside = if self.below {
            let card = draw_foot(area, painter)?;
            strip(card, card.size.height.saturating_sub(2 * line) / 2, 2 * line)
        } else {
            draw_aside(area, painter)?
        };
        painter.block(words::explanation(self.choice), TYPE, Align::Left, inside)?;
        let foot = |lines: u32| {
            let height = lines * line;
            strip(inside, inside.size.height.saturating_sub(height), height)
        };
        // Below the columns, the state is at the right end of the last line of the sentence.
        let right = |width: u32| {
            let line = split(foot(1), inside.size.width - STATE_MARGIN).0;
            split(line, line.size.width.saturating_sub(width)).1
        };
        if self.dim {
            let why = words::why_dim(self.choice);
            if self.below {
                return painter.line(why, WHY, Align::Left, right(WHY.width(why)));
            }
            let lines = WHY.height(why, inside.size.width) / line;
            painter.block(why, WHY, Align::Left, foot(lines))
        } else if self.checked {
            let state = words::checked(self.choice);
            let area = if self.below { right(TICK + TYPE.width(state)) } else { foot(1) };
            let (tick, text) = split(area, TICK);
            painter.tick(tick.center() - Point::new(2, 0), TYPE.ink)?;
            painter.line(state, TYPE, Align::Left, text)
        } else {
            Ok(())
        }
    }
}

/// Draws the empty box next to the rows. Returns the rectangle inside.
pub(super) fn draw_aside<D: TextTarget>(
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<Rectangle, D::Error> {
    painter.fill(area, theme::GROUND)?;
    let (_, card) = split(inset(area, 0, 2 * MARGIN), MARGIN);
    let card = split(card, card.size.width - 2 * MARGIN).0;
    painter.card(card, theme::MESSAGE_GROUND, theme::RIM)?;
    Ok(inset(card, 2 * MARGIN, 2 * MARGIN))
}

/// Draws the empty box below two columns of entries. Returns the rectangle inside.
fn draw_foot<D: TextTarget>(
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<Rectangle, D::Error> {
    painter.fill(area, theme::GROUND)?;
    let card = inset(area, MARGIN, NARROW_MARGIN);
    painter.card(card, theme::MESSAGE_GROUND, theme::RIM)?;
    Ok(inset(card, MARGIN + 2, 0))
}

/// Positions of the entries of a menu, of their explanation, and of the rest of `body`.
pub(super) struct Columns {
    menu: Menu,
    body: Rectangle,
    /// Entries with a line above them, cached: the position of an entry depends on all entries
    /// above it, and each tile needs every position.
    divided: Entries,
}

impl Columns {
    pub(super) fn new(menu: Menu, body: Rectangle) -> Self {
        let divided = (0..menu.len()).filter(|nth| is_divided(menu, *nth));
        Self { menu, body, divided: divided.fold(Entries::default(), Entries::with) }
    }

    /// Returns the rectangle of the `nth` entry.
    pub(super) fn row(&self, nth: usize) -> Rectangle {
        let (column, first) = if has_two_columns(self.menu) {
            let (left, right) = split(self.body, self.body.size.width / 2);
            let first = self.first_right();
            if nth < first { (left, 0) } else { (right, first) }
        } else {
            (self.entries(), 0)
        };
        let below = |nth| (self.top(nth) - self.top(first)).min(self.body.size.height);
        strip(column, below(nth), below(nth + 1) - below(nth))
    }

    /// Returns the area below the entries; with two columns, below the shorter one.
    pub(super) fn rest(&self) -> Rectangle {
        let (column, end) = if has_two_columns(self.menu) {
            let left = split(self.body, self.body.size.width / 2).0;
            (split_below(left, self.columns_height()).0, self.top(self.first_right()))
        } else {
            (self.entries(), self.top(self.menu.len()))
        };
        split_below(column, end).1
    }

    /// Returns the box with the explanation.
    pub(super) fn explanation(&self) -> Rectangle {
        if has_two_columns(self.menu) {
            split_below(self.body, self.columns_height()).1
        } else {
            split(self.body, self.entries().size.width).1
        }
    }

    /// Returns the area of a single column of entries.
    fn entries(&self) -> Rectangle {
        split(self.body, self.body.size.width.saturating_sub(ASIDE)).0
    }

    /// Returns the height of two columns, which is that of the right one: it is the longer one.
    fn columns_height(&self) -> u32 {
        self.top(self.menu.len()) - self.top(self.first_right())
    }

    /// Returns the height of all entries before the `nth`.
    fn top(&self, nth: usize) -> u32 {
        let dividers = |nth| self.divided.above(nth) * DIVIDER;
        let entries = self.menu.len().max(1);
        let each = if has_two_columns(self.menu) {
            TIGHT
        } else {
            let all = self.body.size.height.saturating_sub(dividers(entries));
            (all / entries as u32).min(HIGHEST)
        };
        nth as u32 * each + dividers(nth)
    }

    fn first_right(&self) -> usize {
        first_right(self.menu)
    }
}

/// Splits `area` after its first `height` rows.
fn split_below(area: Rectangle, height: u32) -> (Rectangle, Rectangle) {
    let height = height.min(area.size.height);
    (strip(area, 0, height), strip(area, height, area.size.height - height))
}

/// Returns whether the entries of `menu` need two columns.
const fn has_two_columns(menu: Menu) -> bool {
    menu.len() > MOST_IN_A_COLUMN
}

/// Returns the first entry of the right one of two columns: the last group that begins in the first
/// half.
fn first_right(menu: Menu) -> usize {
    (0..=menu.len() / 2).rfind(|nth| begins_group(menu, *nth)).unwrap_or(menu.len() / 2)
}

/// Returns whether there is a line between the `nth` entry and the one above it.
fn is_divided(menu: Menu, nth: usize) -> bool {
    begins_group(menu, nth) && !(has_two_columns(menu) && nth == first_right(menu))
}

/// Returns whether the `nth` entry begins a group: of the players, the stones or the levels,
/// exactly one is selected.
fn begins_group(menu: Menu, nth: usize) -> bool {
    use Choice::{Advanced, Bidirectional, SoundOff, ThreeStones};
    matches!(menu.entry(nth), Some(Bidirectional | ThreeStones | Advanced | SoundOff))
}

fn last_row(area: Rectangle) -> Rectangle {
    let above = area.size.height.saturating_sub(1);
    Rectangle::new(area.top_left + Size::new(0, above), Size::new(area.size.width, 1))
}
