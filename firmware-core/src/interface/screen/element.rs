//! The elements that the screens are made of. Each owns its rectangles, ground and all.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::hollow::CellSide;
use super::layout::Side;
use crate::game::places::Player;
use crate::pins::present;

/// What has to be drawn again.
pub type Damage = present::Damage<Element>;

/// A part of a screen that owns its rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Every part of whichever screen it is: what stood there before is another screen's.
    Whole,
    /// Of the board's screen.
    Board(BoardElement),
    /// Of a page.
    Page(PageElement),
}

/// The parts of the board's screen. A place is a cup or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardElement {
    /// The name of a cup beside its button, or of a store's owner.
    Label(u8),
    /// A side of the rim of a place.
    Rim(u8, CellSide),
    /// The stones of a place.
    Stones(u8),
    /// The digits of a place.
    Count(u8),
    /// The strip in which the dash of a place lies.
    Dash(u8),
    /// The line beside a player's cups.
    Rail(Player),
    /// The status message box.
    Message,
    /// A triangle that points at the row of the player to move: the one in the middle or at
    /// the left end of the message, or the one at its right end.
    Triangle(Side),
    /// An arrow in the direction of sowing, beside the triangle in the middle.
    Arrow(Side),
    /// What belongs to nothing.
    Blank,
}

/// The parts of a page's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageElement {
    /// The title or, in a menu, the tab of one menu, from the left.
    Title(u8),
    /// A row of the body, from the top.
    Row(u8),
    /// What is left below the rows.
    Rest,
    /// The box beside the rows.
    Aside,
    /// A soft key, from the left.
    Key(u8),
    /// Left of the keys.
    Left,
    /// Right of the keys.
    Right,
}

/// Everything, when another screen is shown.
pub(super) const fn whole(size: Size) -> Damage {
    Damage::Redraw(Rectangle::new(Point::zero(), size), Element::Whole)
}
