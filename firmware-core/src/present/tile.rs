//! A small piece of a screen in memory, to draw on.

use core::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::ByteBudget;
use crate::lcd::PANEL;

/// Pixels of the largest tile: five rows of the panel, or a whole cup.
pub(super) const TILE_PIXELS: usize = 1_600;

const _: () = assert!(TILE_PIXELS >= PANEL.width as usize, "a tile holds at least one row");

/// `area` of a screen; what is drawn outside is cut off.
pub(super) struct Tile<'a> {
    area: Rectangle,
    width: usize,
    pixels: &'a mut [Rgb565],
}

impl<'a> Tile<'a> {
    /// A tile of `area`, with whatever is in `memory`: every element draws its ground.
    pub(super) fn new(area: Rectangle, memory: &'a mut [Rgb565; TILE_PIXELS]) -> Self {
        let width = area.size.width as usize;
        let pixels = &mut memory[..width * area.size.height as usize];
        Self { area, width, pixels }
    }

    /// The rows from the top.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Rgb565]> {
        self.pixels.chunks_exact(self.width)
    }

    /// Where the tile lies on the screen.
    pub(super) fn top_left(&self) -> Point {
        self.area.top_left
    }

    /// Sends the pixels of `part`, which lies inside the tile.
    pub(super) fn send<D: DrawTarget<Color = Rgb565>>(
        &self,
        part: &Rectangle,
        target: &mut D,
        budget: &mut ByteBudget,
    ) -> Result<(), D::Error> {
        let offset = part.top_left - self.area.top_left;
        let (left, top) = (offset.x as usize, offset.y as usize);
        let columns = left..left + part.size.width as usize;
        let colours = self
            .rows()
            .skip(top)
            .take(part.size.height as usize)
            .flat_map(|row| row[columns.clone()].iter().copied());
        budget.spend(part.size.width * part.size.height);
        target.fill_contiguous(part, colours)
    }

    /// The index of a point that lies inside.
    fn index(&self, point: Point) -> Option<usize> {
        let offset = point - self.area.top_left;
        let (x, y) = (offset.x as u32, offset.y as u32);
        // A negative offset is a huge unsigned one.
        (x < self.area.size.width && y < self.area.size.height)
            .then_some(y as usize * self.width + x as usize)
    }
}

impl Dimensions for Tile<'_> {
    fn bounding_box(&self) -> Rectangle {
        self.area
    }
}

impl DrawTarget for Tile<'_> {
    type Color = Rgb565;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        for Pixel(point, colour) in pixels {
            if let Some(index) = self.index(point) {
                self.pixels[index] = colour;
            }
        }
        Ok(())
    }

    fn fill_contiguous<I: IntoIterator<Item = Rgb565>>(
        &mut self,
        area: &Rectangle,
        colours: I,
    ) -> Result<(), Infallible> {
        let mut colours = colours.into_iter();
        for y in area.rows() {
            for x in area.columns() {
                let Some(colour) = colours.next() else { return Ok(()) };
                if let Some(index) = self.index(Point::new(x, y)) {
                    self.pixels[index] = colour;
                }
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), Infallible> {
        let visible = area.intersection(&self.area);
        if visible.is_zero_sized() {
            return Ok(());
        }
        let offset = visible.top_left - self.area.top_left;
        let columns = offset.x as usize..offset.x as usize + visible.size.width as usize;
        let rows = offset.y as usize..offset.y as usize + visible.size.height as usize;
        for row in rows {
            self.pixels[row * self.width..][columns.clone()].fill(colour);
        }
        Ok(())
    }
}
