//! Targets on which letters and stones are drawn a row at a time: embedded-graphics' own way
//! computes the position or the colour of each pixel, and letters and stones are most of what is
//! drawn.

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::Dimensions;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::{PointsIter as _, Rectangle};

/// The colours of text and its background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inks {
    /// Colour of set bits.
    pub ink: Rgb565,
    /// Colour of clear bits.
    pub ground: Rgb565,
}

/// A target of one-bit pixels.
pub trait TextTarget: DrawTarget<Color = Rgb565> {
    /// Fills `area`, at most 32 pixels wide, from `rows`. The highest bit of each row is the
    /// leftmost pixel.
    ///
    /// # Errors
    /// Errors of the target.
    fn fill_rows(
        &mut self,
        area: &Rectangle,
        rows: impl Iterator<Item = u32>,
        Inks { ink, ground }: Inks,
    ) -> Result<(), Self::Error> {
        let width = area.size.width;
        let bits = rows.flat_map(|row| (0..width).map(move |column| row << column >> 31 != 0));
        self.fill_contiguous(area, bits.map(|bit| if bit { ink } else { ground }))
    }

    /// Fills `area` from `rows` with as many pixels as it is wide. Pixels without a colour do not
    /// change.
    ///
    /// # Errors
    /// Errors of the target.
    fn fill_some<'a>(
        &mut self,
        area: &Rectangle,
        rows: impl Iterator<Item = &'a [Option<Rgb565>]>,
    ) -> Result<(), Self::Error> {
        let pixels = area.points().zip(rows.flatten());
        self.draw_iter(pixels.filter_map(|(point, colour)| Some(Pixel(point, (*colour)?))))
    }
}

/// Adapter for any other target: letters are drawn on it pixel by pixel.
pub struct PixelTarget<'a, D>(pub &'a mut D);

impl<D: Dimensions> Dimensions for PixelTarget<'_, D> {
    fn bounding_box(&self) -> Rectangle {
        self.0.bounding_box()
    }
}

impl<D: DrawTarget> DrawTarget for PixelTarget<'_, D> {
    type Color = D::Color;
    type Error = D::Error;

    fn draw_iter<I: IntoIterator<Item = Pixel<D::Color>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), D::Error> {
        self.0.draw_iter(pixels)
    }

    fn fill_contiguous<I: IntoIterator<Item = D::Color>>(
        &mut self,
        area: &Rectangle,
        colours: I,
    ) -> Result<(), D::Error> {
        self.0.fill_contiguous(area, colours)
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: D::Color) -> Result<(), D::Error> {
        self.0.fill_solid(area, colour)
    }
}

impl<D: DrawTarget<Color = Rgb565>> TextTarget for PixelTarget<'_, D> {}
