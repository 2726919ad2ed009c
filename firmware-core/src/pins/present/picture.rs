//! The interface of a picture to the presenter: its changed parts, and a way to draw one.

use embedded_graphics::geometry::Size;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::text_target::{Inks, TextTarget};

/// A region that must be drawn again, in a picture made of elements `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage<E> {
    /// Every pixel of the rectangle changes to this colour.
    Fill(Rectangle, Rgb565),
    /// Some pixels of this part of an element change.
    Redraw(Rectangle, E),
    /// All or nearly all pixels of this part of an element change, so all are sent without a
    /// comparison with the old state.
    Replace(Rectangle, E),
}

impl<E> Damage<E> {
    /// Returns the damaged rectangle.
    pub const fn area(&self) -> Rectangle {
        let (Self::Fill(area, _) | Self::Redraw(area, _) | Self::Replace(area, _)) = self;
        *area
    }
}

/// A picture made of elements, each of which owns its rectangles.
pub trait Picture: Copy + PartialEq {
    /// A part of the picture that can be drawn alone.
    type Element: Copy;

    /// Reports what must be drawn so that a panel of `size` that shows `shown` shows `self`;
    /// everything if `shown` is unknown. The rectangles do not overlap.
    fn damage(&self, shown: Option<&Self>, size: Size, report: impl FnMut(Damage<Self::Element>));

    /// Returns the two colours of `element`, if it is known to have no others.
    fn inks(&self, _: Self::Element) -> Option<Inks> {
        None
    }

    /// Draws `element` of a panel of `size`; `target` may be a part of the panel.
    ///
    /// # Errors
    /// Errors of the target.
    fn draw<D: TextTarget>(
        &self,
        element: Self::Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error>;
}
