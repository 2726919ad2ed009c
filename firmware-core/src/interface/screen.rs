//! The screens of the LCD: draw a [`View`] as pixels. Each screen has one file in `screen/`.
//!
//! A screen is divided into elements. Each owns its rectangle, background included, so it can be
//! drawn alone, and the difference between two views is a list of elements; from one screen to
//! another it is everything at once ([`Element::Whole`]). Screens draw on any `DrawTarget`; they
//! know no rule, no time and no pin.

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

use crate::pins::present::{Inks, Picture, PixelTarget, TextTarget, overlap};
use clip::Clip;
use element::whole;
pub use element::{BoardElement, Damage, Element, PageElement};
pub use page::PageView;
pub use rows::BoardView;

/// The views that the LCD can show.
#[allow(clippy::large_enum_variant, reason = "there is no heap; most of a page is a log's text")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The game is shown.
    Board(BoardView),
    /// A menu, a question, a list or another page is shown.
    Page(PageView),
    /// The board is switched off: the panel is blank.
    Off,
}

impl View {
    /// Reports what must be drawn on a panel of `size` that shows `shown` so that it shows `self`;
    /// everything if `shown` is unknown. The rectangles do not overlap.
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

    /// Draws `element` of a panel of `size`; `target` may be any kind of target and a part of the
    /// panel.
    ///
    /// # Errors
    /// Errors of the target.
    pub fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        element: Element,
        size: Size,
        target: &mut D,
    ) -> Result<(), D::Error> {
        Picture::draw(self, element, size, &mut PixelTarget(target))
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
            // Damage names a screen's elements only if both views are of that screen.
            _ => Ok(()),
        }
    }

    /// Draws every element that the target's area touches, each within its own rectangle.
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
            // Clipped to its own bounding box, with no effect: this way flash has code for only one
            // kind of target.
            part => {
                let area = target.bounding_box();
                self.draw_part(part, size, &mut Clip::new(target, &area))
            }
        }
    }
}

#[cfg(test)]
mod tests;
