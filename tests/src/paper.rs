//! Draws a view as the panel would show it, the whole view or only its changes. This module knows
//! no bus and no presenter, only the interface of a screen.

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, OriginDimensions, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;
use firmware_core::screen::{Damage, View};
use ili9341_model::Frame;

use crate::glance::seen;

/// A colour that no screen uses.
pub const NEVER_DRAWN: u32 = 0x00FF_00FF;

/// A frame to draw on.
#[derive(Clone)]
pub struct Paper(pub Frame);

impl Paper {
    /// Draws everything that `view` shows on a panel of `size`.
    ///
    /// # Panics
    /// If the view omits a pixel.
    #[track_caller]
    pub fn drawn(view: &View, size: Size) -> Self {
        let mut paper = Self(Frame::filled(size.width as usize, size.height as usize, NEVER_DRAWN));
        paper.draw(view, &damage(view, None, size));
        assert!(!paper.0.pixels().contains(&NEVER_DRAWN), "a pixel is left out on {size}");
        paper
    }

    /// Draws `parts` of `view`.
    pub fn draw(&mut self, view: &View, parts: &[Damage]) {
        let size = self.size();
        for part in parts {
            match *part {
                Damage::Fill(area, colour) => self.fill_solid(&area, colour),
                Damage::Redraw(area, element) | Damage::Replace(area, element) => {
                    view.draw(element, size, &mut Part { paper: self, area })
                }
            }
            .unwrap_or_else(|never| match never {});
        }
    }
}

/// Returns the parts to draw so that a panel that shows `shown` shows `view`.
pub fn damage(view: &View, shown: Option<&View>, size: Size) -> Vec<Damage> {
    let mut parts = Vec::new();
    view.damage(shown, size, |part| parts.push(part));
    parts
}

/// Returns the area of a part.
pub fn area(part: &Damage) -> Rectangle {
    part.area()
}

impl OriginDimensions for Paper {
    fn size(&self) -> Size {
        Size::new(self.0.width() as u32, self.0.height() as u32)
    }
}

impl DrawTarget for Paper {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        let width = self.0.width();
        for Pixel(point, colour) in pixels {
            self.0.pixels_mut()[point.y as usize * width + point.x as usize] = seen(colour);
        }
        Ok(())
    }
}

/// A rectangle of the frame; pixels outside of it are clipped.
struct Part<'a> {
    paper: &'a mut Paper,
    area: Rectangle,
}

impl Dimensions for Part<'_> {
    fn bounding_box(&self) -> Rectangle {
        self.area
    }
}

impl DrawTarget for Part<'_> {
    type Color = Rgb565;
    type Error = core::convert::Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Self::Error> {
        let area = self.area;
        self.paper.draw_iter(pixels.into_iter().filter(move |pixel| area.contains(pixel.0)))
    }
}
