//! The layout of a board's screen, computed from the panel's size.
//!
//! ```text
//! Table::StoresAtTheEnds                      Table::StoresInTheMiddle
//! ┌──────┬─────────────────────────────┬──────┐┌──────┬─────────────────────────────┬──────┐
//! │ label│ label  ×6                   │ rim  ││      │ label  ×6                   │ label│
//! │ count│ rail                        │  and ││ blank│ rail                        │ blank│
//! │ rim  │ hollow ×6                   │hollow││      │ hollow ×6, in it            │      │
//! │  and │ count  ×6                   │      ││      │        stones, dash and     │ count│
//! │hollow│ dash   ×6                   │      ││      │        count                │ dash │
//! │      ├────────┬─────────┬──────────┤      │├──────┴───┬─────────────────────┬───┴──────┤
//! │      │triangle│ message │ triangle │      ││ rim and  │ arrow triangle arrow│  rim and │
//! │      │        │         │          │      ││  hollow  │ message             │   hollow │
//! │      ├────────┴─────────┴──────────┤      │├──────┬───┴─────────────────────┴───┬──────┤
//! │      │ dash   ×6                   │      ││ dash │ hollow ×6, in it            │      │
//! │      │ count  ×6                   │      ││ count│        count, dash and      │      │
//! │      │ hollow ×6                   │      ││      │        stones               │ blank│
//! │      │ rail                        │ count││ blank│ rail                        │      │
//! │      │ label  ×6                   │ label││ label│ label  ×6                   │      │
//! └──────┴─────────────────────────────┴──────┘└──────┴─────────────────────────────┴──────┘
//! ```
//!
//! `label` is one line of the label's font, `rail` a line of the mover's colour, `count` the stones
//! in digits. While the computer thinks under the message of a move, dots change in the triangle's
//! part. With stores at the ends, a store's dash is inside its hollow, next to the digits, where
//! there is never a stone; the dash of a cup without digits is in their place. With stores between
//! the rows, a cup's digits and dash are inside its own rim: anywhere else they could be mistaken
//! for the store's. The cup columns line up with the NUDGE buttons above and below. The rectangles
//! cover the panel without gaps and without overlapping.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::dots::DOTS;
use super::hollow::inside;
use super::theme::{LABEL_FONT, STORE_FONT, TEXT_FONT};
use crate::game::places::{CUPS_A_SIDE, Cup, Player};
use crate::pins::lcd::PANEL;

/// Height in pixels of the coloured line next to the row of the player to move.
const RAIL: u32 = 3;
/// Height in pixels of the strip with the dash of a cup.
const CUP_DASH: u32 = 6;
/// Height in pixels of the strip with the dash of a store.
const STORE_DASH: u32 = 8;

/// Position of the two stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The bottom player's store is to the right of the cups, the top player's to the left.
    StoresAtTheEnds,
    /// Both stores are between the rows: the bottom player's on the left, the top player's on the
    /// right, each next to a score of two digits; a triangle points at the player to move (manual,
    /// Starting a Game).
    StoresInTheMiddle,
}

/// An end of the middle of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Both sides, left to right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}

/// Heights of the rows and widths of the columns, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    table: Table,
    panel: Size,
    /// Width of the columns to the left and the right of the cups.
    end_width: u32,
    label_height: u32,
    /// Height of a cup's hollow, without its digits where those are inside.
    hollow_height: u32,
    count_height: u32,
    store_count_height: u32,
}

const _: () = assert!(
    PANEL.width >= Layout::SMALLEST.width && PANEL.height >= Layout::SMALLEST.height,
    "the panel has room for everything"
);

impl Layout {
    /// Size of the smallest panel with enough room.
    pub const SMALLEST: Size = Size::new(320, 240);

    /// Creates the layout with the stores at the ends for a panel of `size`.
    pub const fn new(size: Size) -> Self {
        Self::of(Table::StoresAtTheEnds, size)
    }

    /// Creates the layout of `table` for a panel of `size`, which must be at least
    /// [`Layout::SMALLEST`].
    pub const fn of(table: Table, size: Size) -> Self {
        // Eight equal columns; the remainder goes to the ends.
        let column = size.width / (CUPS_A_SIDE as u32 + 2);
        let end_width = (size.width - CUPS_A_SIDE as u32 * column) / 2;
        let label_height = LABEL_FONT.character_size.height;
        let count_height = TEXT_FONT.character_size.height;
        // Two lines of the message, and in one table a row of arrows above them.
        let lines = match table {
            Table::StoresAtTheEnds => 2,
            Table::StoresInTheMiddle => 3,
        };
        let side = size.height.saturating_sub(lines * TEXT_FONT.character_size.height) / 2;
        let hollow_height = side.saturating_sub(label_height + RAIL + count_height + CUP_DASH);
        Self {
            table,
            panel: size,
            end_width,
            label_height,
            hollow_height,
            count_height,
            store_count_height: STORE_FONT.character_size.height + 2,
        }
    }

    /// Returns the centre of the column of the `nth` NUDGE button (0 to 5, left to right), in
    /// pixels from the panel's left edge.
    pub const fn button_column(&self, nth: usize) -> u32 {
        let column = self.column_width();
        self.end_width + nth as u32 * column + column / 2
    }

    /// Returns the strip next to the button of `cup`.
    pub fn cup_label(&self, cup: Cup) -> Rectangle {
        self.cup_row(cup, 0, self.label_height)
    }

    /// Returns the line that marks the player to move.
    pub fn rail(&self, player: Player) -> Rectangle {
        self.row(player, self.label_height, RAIL)
    }

    /// Returns the rim and stones of `cup`.
    pub fn cup_hollow(&self, cup: Cup) -> Rectangle {
        let inner = match self.table {
            Table::StoresAtTheEnds => 0,
            Table::StoresInTheMiddle => self.count_height + CUP_DASH,
        };
        self.cup_row(cup, self.label_height + RAIL, self.hollow_height + inner)
    }

    /// Returns the part of the inside of a cup's hollow that only stones use.
    pub fn cup_stones(&self, cup: Cup) -> Rectangle {
        let inside = inside(self.cup_hollow(cup));
        let beside = match self.table {
            Table::StoresAtTheEnds => 0,
            Table::StoresInTheMiddle => CUP_DASH + self.count_height,
        };
        self.part_of_cup(cup, 0, inside.size.height.saturating_sub(beside))
    }

    /// Returns the digits of `cup`: beyond its hollow, or inside it.
    pub fn cup_count(&self, cup: Cup) -> Rectangle {
        match self.table {
            Table::StoresAtTheEnds => {
                let from = self.label_height + RAIL + self.hollow_height;
                self.cup_row(cup, from, self.count_height)
            }
            Table::StoresInTheMiddle => {
                let from = self.cup_stones(cup).size.height + CUP_DASH;
                self.part_of_cup(cup, from, self.count_height)
            }
        }
    }

    /// Returns the strip with the dash of `cup`: beyond its digits, or inside its hollow between
    /// them and the stones.
    pub fn cup_dash(&self, cup: Cup) -> Rectangle {
        match self.table {
            Table::StoresAtTheEnds => {
                let from = self.label_height + RAIL + self.hollow_height + self.count_height;
                self.cup_row(cup, from, CUP_DASH)
            }
            Table::StoresInTheMiddle => {
                self.part_of_cup(cup, self.cup_stones(cup).size.height, CUP_DASH)
            }
        }
    }

    /// Returns the strip with the dash of `cup` where no digits are shown: the part of theirs next
    /// to the hollow. With stores between the rows it is that of [`cup_dash`](Self::cup_dash).
    pub fn cup_dash_without_digits(&self, cup: Cup) -> Rectangle {
        match self.table {
            Table::StoresAtTheEnds => {
                self.cup_row(cup, self.label_height + RAIL + self.hollow_height, CUP_DASH)
            }
            Table::StoresInTheMiddle => self.cup_dash(cup),
        }
    }

    /// Returns a strip of the inside of the hollow of `cup`, `from` pixels from its end at the
    /// button.
    fn part_of_cup(&self, cup: Cup, from: u32, height: u32) -> Rectangle {
        let inside = inside(self.cup_hollow(cup));
        let above = match cup.owner() {
            Player::Top => from,
            Player::Bottom => inside.size.height.saturating_sub(from + height),
        };
        Rectangle::new(
            inside.top_left + Size::new(0, above),
            Size::new(inside.size.width, height.min(inside.size.height)),
        )
    }

    /// Returns the label with the owner of the store of `player`.
    pub fn store_label(&self, player: Player) -> Rectangle {
        self.end(player, 0, self.label_height)
    }

    /// Returns the digits of the store of `player`.
    pub fn store_count(&self, player: Player) -> Rectangle {
        let from = match self.table {
            Table::StoresAtTheEnds => self.label_height,
            Table::StoresInTheMiddle => self.middle_store_count(),
        };
        self.end(player, from, self.store_count_height)
    }

    /// Returns the rim and stones of the store of `player`.
    pub fn store_hollow(&self, player: Player) -> Rectangle {
        match self.table {
            Table::StoresAtTheEnds => {
                let above = self.label_height + self.store_count_height;
                self.end(player, above, self.panel.height - above)
            }
            Table::StoresInTheMiddle => {
                let width = self.middle_store_width();
                let x = match player {
                    Player::Bottom => 0,
                    Player::Top => self.panel.width - width,
                };
                let y = self.side_height();
                let height = self.panel.height - 2 * y;
                Rectangle::new(Point::new(x as i32, y as i32), Size::new(width, height))
            }
        }
    }

    /// Returns the part of the inside of a store's hollow that only stones use.
    pub fn store_stones(&self, player: Player) -> Rectangle {
        let inside = inside(self.store_hollow(player));
        match self.table {
            Table::StoresAtTheEnds => {
                let below = match player {
                    Player::Top => STORE_DASH,
                    Player::Bottom => 0,
                };
                Rectangle::new(
                    inside.top_left + Size::new(0, below),
                    inside.size.saturating_sub(Size::new(0, STORE_DASH)),
                )
            }
            Table::StoresInTheMiddle => inside,
        }
    }

    /// Returns the strip with the dash of the store of `player`, next to its digits.
    pub fn store_dash(&self, player: Player) -> Rectangle {
        match self.table {
            Table::StoresAtTheEnds => {
                let inside = inside(self.store_hollow(player));
                let above = match player {
                    Player::Top => 0,
                    Player::Bottom => inside.size.height.saturating_sub(STORE_DASH),
                };
                Rectangle::new(
                    inside.top_left + Size::new(0, above),
                    Size::new(inside.size.width, STORE_DASH),
                )
            }
            Table::StoresInTheMiddle => {
                self.end(player, self.side_height() - STORE_DASH, STORE_DASH)
            }
        }
    }

    /// Returns the area of the status message.
    pub fn message(&self) -> Rectangle {
        let middle = self.middle();
        match self.table {
            Table::StoresAtTheEnds => Rectangle::new(
                middle.top_left + Size::new(Self::TRIANGLE_WIDTH, 0),
                middle.size.saturating_sub(Size::new(2 * Self::TRIANGLE_WIDTH, 0)),
            ),
            Table::StoresInTheMiddle => Rectangle::new(
                middle.top_left + Size::new(0, Self::ARROWS_HEIGHT),
                middle.size.saturating_sub(Size::new(0, Self::ARROWS_HEIGHT)),
            ),
        }
    }

    /// Returns the triangles that point at the row of the player to move: at both ends of the
    /// message, or one in the middle of the board.
    pub fn triangles(&self) -> [Option<Rectangle>; 2] {
        let middle = self.middle();
        let size = Size::new(Self::TRIANGLE_WIDTH, middle.size.height);
        let right = middle.size.width.saturating_sub(size.width);
        match self.table {
            Table::StoresAtTheEnds => {
                [0, right].map(|x| Some(Rectangle::new(middle.top_left + Size::new(x, 0), size)))
            }
            Table::StoresInTheMiddle => {
                let size = Size::new(Self::POINTER_WIDTH, Self::ARROWS_HEIGHT);
                let left = middle.size.width.saturating_sub(size.width) / 2;
                [Some(Rectangle::new(middle.top_left + Size::new(left, 0), size)), None]
            }
        }
    }

    /// Returns the area of the dots while the computer thinks under the message: in the part of a
    /// triangle, below it, or to its right in the middle of the board.
    pub fn dots(&self, side: Side) -> Option<Rectangle> {
        let area = self.triangles()[side as usize]?;
        let place = match self.table {
            Table::StoresAtTheEnds => Size::new(
                area.size.width.saturating_sub(DOTS.width) / 2,
                area.size.height.saturating_sub(2 * DOTS.height),
            ),
            Table::StoresInTheMiddle => Size::new(
                area.size.width.saturating_sub(DOTS.width + 1),
                area.size.height.saturating_sub(DOTS.height) / 2,
            ),
        };
        Some(Rectangle::new(area.top_left + place, DOTS))
    }

    /// Returns the width and height in pixels of the square around a triangle.
    pub const fn triangle_size(&self) -> u32 {
        match self.table {
            Table::StoresAtTheEnds => 16,
            Table::StoresInTheMiddle => Self::ARROWS_HEIGHT,
        }
    }

    /// Returns the arrow in the direction of sowing, if the table has one: on both sides of the
    /// triangle.
    pub fn arrow(&self, side: Side) -> Option<Rectangle> {
        match self.table {
            Table::StoresAtTheEnds => None,
            Table::StoresInTheMiddle => {
                let middle = self.middle();
                let left = middle.size.width.saturating_sub(Self::POINTER_WIDTH) / 2;
                let (x, width) = match side {
                    Side::Left => (0, left),
                    Side::Right => {
                        let x = left + Self::POINTER_WIDTH;
                        (x, middle.size.width - x)
                    }
                };
                Some(Rectangle::new(
                    middle.top_left + Size::new(x, 0),
                    Size::new(width, Self::ARROWS_HEIGHT),
                ))
            }
        }
    }

    /// Returns the areas without content in the column with the digits of the store of `player`.
    pub fn blanks(&self, player: Player) -> [Option<Rectangle>; 2] {
        match self.table {
            Table::StoresAtTheEnds => [None; 2],
            Table::StoresInTheMiddle => {
                let (label, side) = (self.label_height, self.side_height());
                let beside_the_cups =
                    self.end(player, label, self.middle_store_count().saturating_sub(label));
                let beyond_the_store = self.end(player, self.panel.height - side, side);
                [Some(beside_the_cups), Some(beyond_the_store)]
            }
        }
    }

    const TRIANGLE_WIDTH: u32 = TEXT_FONT.character_size.height + 2;
    /// Width in pixels of the triangle in the middle of the board, with room for dots at its right.
    const POINTER_WIDTH: u32 = Self::TRIANGLE_WIDTH + 2 * (DOTS.width + 4);
    /// Height in pixels of the row with the triangle and the arrows between two stores.
    const ARROWS_HEIGHT: u32 = TEXT_FONT.character_size.height;

    /// Returns the area between the two sides of the board, without stores.
    fn middle(&self) -> Rectangle {
        let beside = match self.table {
            Table::StoresAtTheEnds => self.end_width,
            Table::StoresInTheMiddle => self.middle_store_width(),
        };
        let above = self.side_height();
        Rectangle::new(
            Point::new(beside as i32, above as i32),
            Size::new(self.panel.width - 2 * beside, self.panel.height - 2 * above),
        )
    }

    /// Returns the width of a store in the middle. It extends under the first cup and leaves room
    /// for 14 characters.
    const fn middle_store_width(&self) -> u32 {
        self.end_width + self.column_width() * 4 / 5
    }

    /// Returns the distance from a player's edge of the panel to the digits of his store in the
    /// middle.
    const fn middle_store_count(&self) -> u32 {
        self.side_height().saturating_sub(STORE_DASH + self.store_count_height)
    }

    /// Returns the height of all rows of one player.
    const fn side_height(&self) -> u32 {
        self.label_height + RAIL + self.hollow_height + self.count_height + CUP_DASH
    }

    const fn column_width(&self) -> u32 {
        (self.panel.width - 2 * self.end_width) / CUPS_A_SIDE as u32
    }

    /// Returns a strip of `player`'s side as wide as his cups, `from` pixels from his edge of the
    /// panel.
    fn row(&self, player: Player, from: u32, height: u32) -> Rectangle {
        let y = match player {
            Player::Top => from,
            Player::Bottom => self.panel.height - from - height,
        };
        Rectangle::new(
            Point::new(self.end_width as i32, y as i32),
            Size::new(self.panel.width - 2 * self.end_width, height),
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

    /// Returns a strip of the column next to the cups at whose end the store of `player` is, `from`
    /// pixels from his edge of the panel.
    fn end(&self, player: Player, from: u32, height: u32) -> Rectangle {
        let mut strip = self.row(player, from, height);
        strip.top_left.x = match (self.table, player) {
            (Table::StoresAtTheEnds, Player::Top) | (Table::StoresInTheMiddle, Player::Bottom) => 0,
            _ => (self.panel.width - self.end_width) as i32,
        };
        strip.size.width = self.end_width;
        strip
    }
}
