//! What the LCD shows: a [`View`] in, pixels out. One file a screen below this one.
//!
//! A screen is divided into elements, each the owner of its rectangle: ground and all.
//! So an element can be drawn alone, and what changed between two views is a list of
//! elements; from one screen to another it is everything at once ([`Element::Whole`]).
//! Screens draw on any `DrawTarget`; they know no rule, no time and no pin.

mod bar;
pub mod board;
mod clip;
mod dots;
mod element;
pub mod family;
pub mod font;
pub mod hollow;
pub mod layout;
mod marks;
pub mod page;
pub mod rows;
mod status;
pub mod stones;
pub mod style;
mod styles;
mod tag;
pub mod text;
pub mod theme;
pub mod top_bottom;
pub mod wari;
pub mod words;

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::Point;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::Size;
use embedded_graphics::primitives::Rectangle;

use crate::pins::present::{Inks, Picture, Plain, TextTarget, overlap};
use clip::Clip;
use element::whole;
pub use element::{BoardElement, Damage, Element, PageElement};
pub use page::PageView;
pub use rows::BoardView;

/// Everything that the LCD can show.
#[allow(clippy::large_enum_variant, reason = "there is no heap; most of a page is a log's text")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The game.
    Board(BoardView),
    /// A menu, a question, a list.
    Page(PageView),
    /// Nothing: the board is switched off.
    Off,
}

impl View {
    /// Reports what has to be drawn for a panel of `size` that shows `shown` to show
    /// `self`: everything if that is unknown. The rectangles do not overlap.
    pub fn damage(&self, shown: Option<&Self>, size: Size, mut report: impl FnMut(Damage)) {
        match (self, shown) {
            (Self::Board(next), None) => next.damage(None, size, report),
            (Self::Board(next), Some(Self::Board(shown))) if next.is_laid_out_as(shown) => {
                next.damage(Some(shown), size, report);
            }
            (Self::Page(next), None) => next.damage(None, size, report),
            (Self::Page(next), Some(Self::Page(shown))) => next.damage(Some(shown), size, report),
            (Self::Off, Some(Self::Off)) => {}
            (Self::Off, _) => {
                report(Damage::Fill(Rectangle::new(Point::zero(), size), theme::OFF));
            }
            (Self::Board(_) | Self::Page(_), Some(_)) => report(whole(size)),
        }
    }

    /// Draws `element` on a panel of `size`, of which `target`, of any kind, may be a part.
    ///
    /// # Errors
    /// Those of the target.
    pub fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        Picture::draw(self, element, size, &mut Plain(target))
    }

    fn draw_part<D: TextTarget>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        match (self, element) {
            (Self::Board(view), Element::Board(element)) => view.draw(element, size, target),
            (Self::Page(view), Element::Page(element)) => view.draw(element, size, target),
            // Damage names a screen's elements only where both views are of that screen.
            _ => Ok(()),
        }
    }

    /// Draws every element that the target's area touches, each inside its own rectangle.
    fn draw_whole<D: TextTarget>(&self, size: Size, target: &mut D) -> Result<(), D::Error> {
        let visible = target.bounding_box();
        let mut drawn = Ok(());
        self.damage(None, size, |part| {
            let area = part.area();
            if drawn.is_err() || overlap(&area, &visible).is_none() {
                return;
            }
            let mut target = Clip::new(target, &area);
            drawn = match part {
                Damage::Fill(area, colour) => target.fill_solid(&area, colour),
                Damage::Redraw(_, element) | Damage::Replace(_, element) => {
                    self.draw_part(element, size, &mut target)
                }
            };
        });
        drawn
    }
}

impl Picture for View {
    type Element = Element;

    fn damage(&self, shown: Option<&Self>, size: Size, report: impl FnMut(Damage)) {
        self.damage(shown, size, report);
    }

    fn inks(&self, element: Element) -> Option<Inks> {
        match (self, element) {
            (Self::Board(view), Element::Board(element)) => view.inks(element),
            _ => None,
        }
    }

    fn draw<D: TextTarget>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        match element {
            Element::Whole => self.draw_whole(size, target),
            // Clipped to what it is anyway: in flash there is one kind of target to draw on.
            part => {
                let area = target.bounding_box();
                self.draw_part(part, size, &mut Clip::new(target, &area))
            }
        }
    }
}

#[cfg(test)]
mod tests;
