//! What the LCD shows: a [`View`] in, pixels out. One file a screen below this one.
//!
//! A screen is divided into elements, each the owner of its rectangle: ground and all.
//! So an element can be drawn alone, and what changed between two views is a list of
//! elements. Screens draw on any `DrawTarget`; they know no rule, no time and no pin.

pub mod board;
pub mod family;
pub mod layout;
pub mod rows;
mod status;
pub mod stones;
pub mod style;
pub mod text;
pub mod theme;
pub mod top_bottom;
pub mod wari;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::Size;
use embedded_graphics::primitives::Rectangle;

pub use rows::BoardView;

/// Everything that the LCD can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The game.
    Board(BoardView),
}

/// A part of a screen that owns its rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Of the board's screen.
    Board(rows::Element),
}

/// What has to be drawn again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Every pixel of the rectangle changes to this colour.
    Fill(Rectangle, Rgb565),
    /// Some pixels of this part of an element change.
    Redraw(Rectangle, Element),
}

impl View {
    /// Reports what has to be drawn for a panel of `size` that shows `shown` to show
    /// `self`: everything if that is unknown or another screen. The rectangles do not overlap.
    pub fn damage(&self, shown: Option<&Self>, size: Size, report: impl FnMut(Damage)) {
        match (self, shown) {
            (Self::Board(next), shown) => {
                let shown = shown.map(|Self::Board(shown)| shown);
                next.damage(shown, size, report);
            }
        }
    }

    /// Draws `element` on a panel of `size`, of which `target` may be a part.
    ///
    /// # Errors
    /// Those of the target.
    pub fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let (Self::Board(view), Element::Board(element)) = (self, element);
        view.draw(element, size, target)
    }
}
