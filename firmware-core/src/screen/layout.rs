//! Where everything of a board's screen stands, computed from the panel's size.
//!
//! ```text
//! ┌──────┬─────────────────────────────┬──────┐   label   one line of LABEL_FONT
//! │ label│ label  ×6                   │ rim  │   rail    a line of the mover's colour
//! │ count│ rail                        │  and │   hollow  rim and stones of a cup
//! │ rim  │ hollow ×6                   │hollow│   count   stones in digits
//! │  and │ count  ×6                   │      │   message the status box
//! │hollow│ message                     │      │
//! │      │ count  ×6                   │      │   The cup columns line up with the
//! │      │ hollow ×6                   │      │   NUDGE buttons above and below.
//! │      │ rail                        │ count│
//! │      │ label  ×6                   │ label│
//! └──────┴─────────────────────────────┴──────┘
//! ```
//!
//! The rectangles cover the panel without a gap and without overlapping.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::rows::Side;
use super::theme::{LABEL_FONT, STORE_FONT, TEXT_FONT};
use crate::lcd::PANEL;
use crate::rules::{CUPS_A_SIDE, Cup, Player};

/// Height of the coloured line beside the row of the player to move.
const RAIL: u32 = 3;
/// From the edge of a hollow's cell to its rim.
const GAP: u32 = 1;
/// How thick a rim is.
const RIM: u32 = 2;

/// The heights of the rows and the widths of the columns, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    panel: Size,
    store_width: u32,
    label_height: u32,
    hollow_height: u32,
    count_height: u32,
    store_count_height: u32,
}

const _: () = assert!(
    PANEL.width >= Layout::SMALLEST.width && PANEL.height >= Layout::SMALLEST.height,
    "the panel has room for everything"
);

impl Layout {
    /// The smallest panel on which everything has room.
    pub const SMALLEST: Size = Size::new(320, 240);

    /// The layout for a panel of `size`; what [`Layout::SMALLEST`] needs is assumed to be there.
    pub const fn new(size: Size) -> Self {
        // Eight equal columns; what does not divide goes to the stores.
        let column = size.width / (CUPS_A_SIDE as u32 + 2);
        let store_width = (size.width - CUPS_A_SIDE as u32 * column) / 2;
        let label_height = LABEL_FONT.character_size.height;
        let count_height = TEXT_FONT.character_size.height;
        let message_least =
            2 * TEXT_FONT.character_size.height + TEXT_FONT.character_size.height / 2;
        let side = size.height.saturating_sub(message_least) / 2;
        let hollow_height = side.saturating_sub(label_height + RAIL + count_height);
        Self {
            panel: size,
            store_width,
            label_height,
            hollow_height,
            count_height,
            store_count_height: STORE_FONT.character_size.height + 2,
        }
    }

    /// The middle of the column of the `nth` NUDGE button (0 to 5, left to right), in
    /// pixels from the panel's left edge.
    pub const fn button_column(&self, nth: usize) -> u32 {
        let column = self.column_width();
        self.store_width + nth as u32 * column + column / 2
    }

    /// The strip beside the button of `cup`.
    pub fn cup_label(&self, cup: Cup) -> Rectangle {
        self.cup_row(cup, 0, self.label_height)
    }

    /// The line that says whose turn it is.
    pub fn rail(&self, player: Player) -> Rectangle {
        self.row(player, self.label_height, RAIL)
    }

    /// Rim and stones of `cup`.
    pub fn cup_hollow(&self, cup: Cup) -> Rectangle {
        self.cup_row(cup, self.label_height + RAIL, self.hollow_height)
    }

    /// The digits of `cup`.
    pub fn cup_count(&self, cup: Cup) -> Rectangle {
        self.cup_row(cup, self.label_height + RAIL + self.hollow_height, self.count_height)
    }

    /// The name above or below the store of `player`.
    pub fn store_label(&self, player: Player) -> Rectangle {
        self.store_row(player, 0, self.label_height)
    }

    /// The digits of the store of `player`.
    pub fn store_count(&self, player: Player) -> Rectangle {
        self.store_row(player, self.label_height, self.store_count_height)
    }

    /// Rim and stones of the store of `player`.
    pub fn store_hollow(&self, player: Player) -> Rectangle {
        let above = self.label_height + self.store_count_height;
        self.store_row(player, above, self.panel.height - above)
    }

    /// The status message in the middle, between its arrows.
    pub fn message(&self) -> Rectangle {
        let arrow = self.arrow(Side::Left).size.width;
        let middle = self.middle();
        Rectangle::new(
            middle.top_left + Size::new(arrow, 0),
            middle.size.saturating_sub(Size::new(2 * arrow, 0)),
        )
    }

    /// The arrow at one end of the status message.
    pub fn arrow(&self, side: Side) -> Rectangle {
        let middle = self.middle();
        let size = Size::new(TEXT_FONT.character_size.height + 2, middle.size.height);
        let x = match side {
            Side::Left => 0,
            Side::Right => middle.size.width - size.width,
        };
        Rectangle::new(middle.top_left + Size::new(x, 0), size)
    }

    /// What is left between the two sides of the board.
    fn middle(&self) -> Rectangle {
        let above = self.label_height + RAIL + self.hollow_height + self.count_height;
        Rectangle::new(
            Point::new(self.store_width as i32, above as i32),
            Size::new(self.panel.width - 2 * self.store_width, self.panel.height - 2 * above),
        )
    }

    const fn column_width(&self) -> u32 {
        (self.panel.width - 2 * self.store_width) / CUPS_A_SIDE as u32
    }

    /// A full-width strip of `player`'s side, `from` pixels from his edge of the panel.
    fn row(&self, player: Player, from: u32, height: u32) -> Rectangle {
        let y = match player {
            Player::Top => from,
            Player::Bottom => self.panel.height - from - height,
        };
        Rectangle::new(
            Point::new(self.store_width as i32, y as i32),
            Size::new(self.panel.width - 2 * self.store_width, height),
        )
    }

    fn cup_row(&self, cup: Cup, from: u32, height: u32) -> Rectangle {
        let mut cell = self.row(cup.owner(), from, height);
        let column = match cup.owner() {
            Player::Bottom => cup.nth_of_owner(),
            Player::Top => CUPS_A_SIDE - 1 - cup.nth_of_owner(),
        };
        cell.top_left.x += (column as u32 * self.column_width()) as i32;
        cell.size.width = self.column_width();
        cell
    }

    /// The bottom player's store is the right column, counted from below; the top
    /// player's the left one, counted from above.
    fn store_row(&self, player: Player, from: u32, height: u32) -> Rectangle {
        let (x, y) = match player {
            Player::Top => (0, from),
            Player::Bottom => {
                (self.panel.width - self.store_width, self.panel.height - from - height)
            }
        };
        Rectangle::new(Point::new(x as i32, y as i32), Size::new(self.store_width, height))
    }
}

/// The part of a hollow's cell in which the stones lie.
pub fn inside(hollow: Rectangle) -> Rectangle {
    shrink(hollow, GAP + RIM)
}

/// The four strips of a hollow's cell around [`inside`].
pub fn around(hollow: Rectangle) -> [Rectangle; 4] {
    frame(hollow, GAP + RIM, 0)
}

/// The rim of a hollow: four strips that leave its corners out.
pub fn rim(hollow: Rectangle) -> [Rectangle; 4] {
    frame(shrink(hollow, GAP), RIM, 1)
}

fn shrink(area: Rectangle, margin: u32) -> Rectangle {
    Rectangle::new(
        area.top_left + Size::new_equal(margin),
        area.size.saturating_sub(Size::new_equal(2 * margin)),
    )
}

/// The strips of width `thick` along the edges of `area`: top, left, right, bottom. The top
/// and the bottom one leave out `notch` pixels at both ends.
fn frame(area: Rectangle, thick: u32, notch: u32) -> [Rectangle; 4] {
    let wide = Size::new(area.size.width.saturating_sub(2 * notch), thick);
    let high = Size::new(thick, area.size.height.saturating_sub(2 * thick));
    let below = area.size.height.saturating_sub(thick);
    let right = area.size.width.saturating_sub(thick);
    [
        Rectangle::new(area.top_left + Size::new(notch, 0), wide),
        Rectangle::new(area.top_left + Size::new(0, thick), high),
        Rectangle::new(area.top_left + Size::new(right, thick), high),
        Rectangle::new(area.top_left + Size::new(notch, below), wide),
    ]
}
