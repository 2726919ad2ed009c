//! The elements of the screens. Each owns its rectangles, background included.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::hollow::CellSide;
use super::layout::Side;
use crate::game::places::Player;
use crate::pins::present;

/// A region that must be drawn again.
pub type Damage = present::Damage<Element>;

/// A part of a screen that owns its rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Every part of the screen; used when the previous screen was a different one.
    Whole,
    /// A part of the board's screen.
    Board(BoardElement),
    /// A part of a page.
    Page(PageElement),
}

/// The parts of the board's screen. A place is a cup or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardElement {
    /// The name of a cup next to its button, or of a store's owner.
    Label(u8),
    /// One side of the rim of a place.
    Rim(u8, CellSide),
    /// The stones of a place.
    Stones(u8),
    /// The digits of a place.
    Count(u8),
    /// The strip that contains the dash of a place.
    Dash(u8),
    /// The line next to a player's cups.
    Rail(Player),
    /// The status message box.
    Message,
    /// A triangle that points at the row of the player to move: the one in the middle or at the
    /// left end of the message, or the one at its right end.
    Triangle(Side),
    /// An arrow in the direction of sowing, next to the triangle in the middle.
    Arrow(Side),
    /// Area without content.
    Blank,
}

/// The parts of a page's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageElement {
    /// The title or, in a menu, the tab of one menu, from the left.
    Title(u8),
    /// A row of the body, from the top.
    Row(u8),
    /// Area below the rows.
    Rest,
    /// The box next to the rows.
    Aside,
    /// A soft key, from the left.
    Key(u8),
    /// Area left of the keys.
    Left,
    /// Area right of the keys.
    Right,
}

/// Returns the damage of the whole screen, for when another screen is shown.
pub(super) const fn whole(size: Size) -> Damage {
    Damage::Redraw(Rectangle::new(Point::zero(), size), Element::Whole)
}
