//! The target for drawing elements: one type for both kinds of memory, so that the code of the
//! screens is in flash only once.

use core::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::bits::Bits;
use super::picture::Picture;
use super::text_target::{Inks, TextTarget};
use super::tile::Tile;

/// A part of a screen in memory.
pub(super) enum Surface<'s, 'm> {
    /// Memory for any colours.
    Tile(&'s mut Tile<'m>),
    /// Memory for two colours.
    Bits(&'s mut Bits<'m>),
}

impl Surface<'_, '_> {
    /// Draws the part of `element` that is inside this surface.
    pub(super) fn draw<V: Picture>(mut self, view: &V, element: V::Element, panel: Size) {
        // Drawing into memory never fails.
        let _ = view.draw(element, panel, &mut self);
    }
}

impl Dimensions for Surface<'_, '_> {
    fn bounding_box(&self) -> Rectangle {
        match self {
            Self::Tile(tile) => tile.bounding_box(),
            Self::Bits(bits) => bits.bounding_box(),
        }
    }
}

impl DrawTarget for Surface<'_, '_> {
    type Color = Rgb565;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        match self {
            Self::Tile(tile) => tile.draw_iter(pixels),
            Self::Bits(bits) => bits.draw_iter(pixels),
        }
    }

    fn fill_contiguous<I: IntoIterator<Item = Rgb565>>(
        &mut self,
        area: &Rectangle,
        colours: I,
    ) -> Result<(), Infallible> {
        match self {
            Self::Tile(tile) => tile.fill_contiguous(area, colours),
            Self::Bits(bits) => bits.fill_contiguous(area, colours),
        }
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), Infallible> {
        match self {
            Self::Tile(tile) => tile.fill_solid(area, colour),
            Self::Bits(bits) => bits.fill_solid(area, colour),
        }
    }
}

impl TextTarget for Surface<'_, '_> {
    fn fill_rows(
        &mut self,
        area: &Rectangle,
        rows: impl Iterator<Item = u32>,
        inks: Inks,
    ) -> Result<(), Infallible> {
        match self {
            Self::Tile(tile) => tile.fill_rows(area, rows, inks),
            Self::Bits(bits) => bits.fill_rows(area, rows, inks),
        }
    }

    fn fill_some<'a>(
        &mut self,
        area: &Rectangle,
        rows: impl Iterator<Item = &'a [Option<Rgb565>]>,
    ) -> Result<(), Infallible> {
        match self {
            Self::Tile(tile) => tile.fill_some(area, rows),
            Self::Bits(bits) => bits.fill_some(area, rows),
        }
    }
}
