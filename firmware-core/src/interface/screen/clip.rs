//! A part of a target: clips everything drawn outside it. It knows no element.
//!
//! embedded-graphics' own `Clipped` also forwards calls for parts outside the area, as empty
//! rectangles. Here most marks of an element are outside the current tile, so these calls would be
//! frequent.

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::Dimensions;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::{PointsIter as _, Rectangle};

use crate::pins::present::{Inks, TextTarget, overlap};

/// Part `area` of `target`.
pub(super) struct Clip<'a, D> {
    target: &'a mut D,
    area: Rectangle,
}

impl<'a, D: DrawTarget<Color = Rgb565>> Clip<'a, D> {
    /// Creates the intersection of `target` and `area`; if it is empty, nothing can be drawn.
    pub(super) fn new(target: &'a mut D, area: &Rectangle) -> Self {
        let area = overlap(area, &target.bounding_box()).unwrap_or_default();
        Self { target, area }
    }
}

impl<D: DrawTarget> Dimensions for Clip<'_, D> {
    fn bounding_box(&self) -> Rectangle {
        self.area
    }
}

impl<D: DrawTarget<Color = Rgb565>> DrawTarget for Clip<'_, D> {
    type Color = Rgb565;
    type Error = D::Error;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), D::Error> {
        let Self { target, area } = self;
        target.draw_iter(pixels.into_iter().filter(|Pixel(point, _)| area.contains(*point)))
    }

    fn fill_contiguous<I: IntoIterator<Item = Rgb565>>(
        &mut self,
        area: &Rectangle,
        colours: I,
    ) -> Result<(), D::Error> {
        match overlap(area, &self.area) {
            None => Ok(()),
            Some(part) if part == *area => self.target.fill_contiguous(area, colours),
            Some(_) => {
                let pixels = area.points().zip(colours);
                self.draw_iter(pixels.map(|(point, colour)| Pixel(point, colour)))
            }
        }
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), D::Error> {
        match overlap(area, &self.area) {
            Some(part) => self.target.fill_solid(&part, colour),
            None => Ok(()),
        }
    }
}

impl<D: TextTarget> TextTarget for Clip<'_, D> {
    fn fill_rows(
        &mut self,
        area: &Rectangle,
        rows: impl Iterator<Item = u32>,
        inks: Inks,
    ) -> Result<(), D::Error> {
        // A line of text draws no letter beyond its target's area.
        debug_assert_eq!(overlap(area, &self.area), Some(*area));
        self.target.fill_rows(area, rows, inks)
    }

    fn fill_some<'a>(
        &mut self,
        area: &Rectangle,
        rows: impl Iterator<Item = &'a [Option<Rgb565>]>,
    ) -> Result<(), D::Error> {
        // A heap draws no part of a stone beyond its target's area either.
        debug_assert_eq!(overlap(area, &self.area), Some(*area));
        self.target.fill_some(area, rows)
    }
}
