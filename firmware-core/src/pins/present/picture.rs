//! What a presenter needs of a picture: the parts that have changed, and a way to draw one.

use embedded_graphics::geometry::Size;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::text_target::{Inks, TextTarget};

/// What has to be drawn again, of a picture made of elements `E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage<E> {
    /// Every pixel of the rectangle changes to this colour.
    Fill(Rectangle, Rgb565),
    /// Some pixels of this part of an element change.
    Redraw(Rectangle, E),
    /// All pixels of this part of an element change, or so many that all are sent: it is not compared with what was.
    Replace(Rectangle, E),
}

impl<E> Damage<E> {
    /// Where it lies.
    pub const fn area(&self) -> Rectangle {
        let (Self::Fill(area, _) | Self::Redraw(area, _) | Self::Replace(area, _)) = self;
        *area
    }
}

/// A picture made of elements, each of which owns its rectangles.
pub trait Picture: Copy + PartialEq {
    /// A part of the picture that can be drawn alone.
    type Element: Copy;

    /// Reports what has to be drawn for a panel of `size` that shows `shown` to show `self`:
    /// everything if that is unknown. The rectangles do not overlap.
    fn damage(&self, shown: Option<&Self>, size: Size, report: impl FnMut(Damage<Self::Element>));

    /// The two colours of `element`, if it is known to have no other.
    fn inks(&self, _: Self::Element) -> Option<Inks> {
        None
    }

    /// Draws `element` on a panel of `size`, of which `target` may be a part.
    ///
    /// # Errors
    /// Those of the target.
    fn draw<D: TextTarget>(
        &self,
        element: Self::Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error>;
}
