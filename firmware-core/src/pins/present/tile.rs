//! A small part of a screen in memory, for drawing.

use core::convert::Infallible;
use core::ops::Range;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::raw::RawU16;
use embedded_graphics::pixelcolor::{IntoStorage as _, Rgb565};
use embedded_graphics::primitives::{PointsIter as _, Rectangle};

use super::overlap::{contains, overlap};
use super::text_target::{Inks, TextTarget};
use crate::pins::lcd::PANEL;

/// Number of pixels of the largest tile: five rows of the panel, or a whole cup.
pub(super) const TILE_PIXELS: usize = 1_600;

const _: () = assert!(TILE_PIXELS >= PANEL.width as usize, "a tile holds at least one row");

/// Width in pixels from which rectangles are filled by rows: in a rim, many rows have one or two
/// pixels.
const NARROW: usize = 4;

/// A pixel as it is stored: whole rows of these are compared and filled at once.
pub(super) type Stored = u16;

/// Part `area` of a screen; drawing outside is clipped.
pub(super) struct Tile<'a> {
    area: Rectangle,
    width: usize,
    pixels: &'a mut [Stored],
}

impl<'a> Tile<'a> {
    /// Creates a tile of `area` with the previous content of `memory`: every element draws its
    /// background.
    pub(super) fn new(area: Rectangle, memory: &'a mut [Stored; TILE_PIXELS]) -> Self {
        let width = area.size.width as usize;
        let pixels = &mut memory[..width * area.size.height as usize];
        Self { area, width, pixels }
    }

    /// Returns the rows from the top.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[Stored]> {
        self.pixels.chunks_exact(self.width)
    }

    /// Sends the pixels of `part`, which must be inside the tile. If they are not contiguous, they
    /// are first copied to `packed`: one run of pixels converts to bytes faster than several rows.
    pub(super) fn send<D: DrawTarget<Color = Rgb565>>(
        &self,
        part: &Rectangle,
        packed: &mut [Stored; TILE_PIXELS],
        target: &mut D,
    ) -> Result<(), D::Error> {
        let (columns, rows) = self.columns_and_rows(part);
        let rows = &self.pixels[rows.start * self.width..rows.end * self.width];
        let pixels = if columns.len() == self.width {
            rows
        } else {
            let pixels = &mut packed[..columns.len() * part.size.height as usize];
            let places = pixels.chunks_exact_mut(columns.len());
            for (place, row) in places.zip(rows.chunks_exact(self.width)) {
                place.copy_from_slice(&row[columns.clone()]);
            }
            pixels
        };
        send_pixels(part, pixels, target)
    }

    /// Returns the columns and rows of `area`, which must be inside.
    fn columns_and_rows(&self, area: &Rectangle) -> (Range<usize>, Range<usize>) {
        let offset = area.top_left - self.area.top_left;
        let (left, top) = (offset.x as usize, offset.y as usize);
        let Size { width, height } = area.size;
        (left..left + width as usize, top..top + height as usize)
    }

    /// Returns the rows of the part `area` and its columns; `None` if it is not inside.
    #[inline]
    fn part(
        &mut self,
        area: &Rectangle,
    ) -> Option<(impl Iterator<Item = &mut [Stored]>, Range<usize>)> {
        if !contains(&self.area, area) {
            return None;
        }
        let (columns, rows) = self.columns_and_rows(area);
        let rows = &mut self.pixels[rows.start * self.width..rows.end * self.width];
        Some((rows.chunks_mut(self.width), columns))
    }

    /// Returns the index of a point; `None` if it is outside.
    fn index(&self, point: Point) -> Option<usize> {
        let offset = point - self.area.top_left;
        let (x, y) = (offset.x as u32, offset.y as u32);
        // A negative offset becomes a huge unsigned one.
        (x < self.area.size.width && y < self.area.size.height)
            .then_some(y as usize * self.width + x as usize)
    }
}

/// Fills `pixels` with one colour, four at a time: a Cortex-M0+ takes longer to count pixels than
/// to write them.
fn fill(pixels: &mut [Stored], colour: Stored) {
    let (fours, rest) = pixels.as_chunks_mut();
    for [one, two, three, four] in fours {
        (*one, *two, *three, *four) = (colour, colour, colour, colour);
    }
    rest.fill(colour);
}

/// Sends `pixels` to `area`, row by row.
pub(super) fn send_pixels<D: DrawTarget<Color = Rgb565>>(
    area: &Rectangle,
    pixels: &[Stored],
    target: &mut D,
) -> Result<(), D::Error> {
    target.fill_contiguous(area, pixels.iter().map(|stored| Rgb565::from(RawU16::new(*stored))))
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
                self.pixels[index] = colour.into_storage();
            }
        }
        Ok(())
    }

    fn fill_contiguous<I: IntoIterator<Item = Rgb565>>(
        &mut self,
        area: &Rectangle,
        colours: I,
    ) -> Result<(), Infallible> {
        let Some((rows, columns)) = self.part(area) else {
            let pixels = area.points().zip(colours);
            return self.draw_iter(pixels.map(|(point, colour)| Pixel(point, colour)));
        };
        // All of it is inside: whole rows need no further check.
        let mut colours = colours.into_iter();
        for row in rows {
            for (pixel, colour) in row[columns.clone()].iter_mut().zip(&mut colours) {
                *pixel = colour.into_storage();
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), Infallible> {
        let Some(visible) = overlap(area, &self.area) else { return Ok(()) };
        let (columns, rows) = self.columns_and_rows(&visible);
        let rows = &mut self.pixels[rows.start * self.width..rows.end * self.width];
        let colour = colour.into_storage();
        if columns.len() == self.width {
            fill(rows, colour);
        } else if columns.len() < NARROW {
            for mut at in columns {
                while let Some(pixel) = rows.get_mut(at) {
                    *pixel = colour;
                    at += self.width;
                }
            }
        } else {
            for row in rows.chunks_mut(self.width) {
                fill(&mut row[columns.clone()], colour);
            }
        }
        Ok(())
    }
}

impl TextTarget for Tile<'_> {
    fn fill_rows(
        &mut self,
        area: &Rectangle,
        bits: impl Iterator<Item = u32>,
        Inks { ink, ground }: Inks,
    ) -> Result<(), Infallible> {
        let Some((mut rows, columns)) = self.part(area) else { return Ok(()) };
        let [ink, ground] = [ink, ground].map(|colour| colour.into_storage());
        for mut bits in bits {
            let Some(row) = rows.next() else { break };
            for pixel in &mut row[columns.clone()] {
                *pixel = if bits >> 31 != 0 { ink } else { ground };
                bits <<= 1;
            }
        }
        Ok(())
    }

    fn fill_some<'a>(
        &mut self,
        area: &Rectangle,
        rows: impl Iterator<Item = &'a [Option<Rgb565>]>,
    ) -> Result<(), Infallible> {
        let Some((places, columns)) = self.part(area) else { return Ok(()) };
        for (place, row) in places.zip(rows) {
            for (pixel, colour) in place[columns.clone()].iter_mut().zip(row) {
                if let Some(colour) = colour {
                    *pixel = colour.into_storage();
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rectangle = Rectangle::new(Point::new(10, 20), Size::new(4, 3));
    const INK: Rgb565 = Rgb565::new(31, 63, 31);

    /// Checks that drawing changes the part of the tile that is inside, and no other pixels.
    #[track_caller]
    fn check(area: Rectangle, draw: impl FnOnce(&mut Tile<'_>)) {
        let mut memory = [0; TILE_PIXELS];
        let mut tile = Tile::new(AREA, &mut memory);
        draw(&mut tile);
        for (point, stored) in AREA.points().zip(tile.pixels.iter()) {
            assert_eq!(*stored != 0, area.contains(point), "{point} of {area:?}");
        }
    }

    /// The caller must pass only the part of a sprite or a letter that is inside.
    #[test]
    fn rows_that_are_not_inside_are_not_drawn() {
        let some: [Option<Rgb565>; 2] = [Some(INK), None];
        for (x, y) in (7..16).flat_map(|x| (18..25).map(move |y| (x, y))) {
            let area = Rectangle::new(Point::new(x, y), Size::new(2, 2));
            let left = Rectangle::new(area.top_left, Size::new(1, 2));
            let drawn = if contains(&AREA, &area) { left } else { Rectangle::zero() };
            check(drawn, |tile| {
                let _ = tile.fill_some(&area, [&some[..]; 2].into_iter());
            });
            check(drawn, |tile| {
                let inks = Inks { ink: INK, ground: Rgb565::new(0, 0, 0) };
                let _ = tile.fill_rows(&area, [1 << 31; 3].into_iter(), inks);
            });
        }
    }

    #[test]
    fn drawing_outside_is_clipped() {
        for (x, y) in (7..16).flat_map(|x| (18..25).map(move |y| (x, y))) {
            for size in [Size::new(1, 1), Size::new(2, 2), Size::new(6, 1)] {
                let area = Rectangle::new(Point::new(x, y), size);
                check(area, |tile| {
                    let pixels = area.points().map(|point| Pixel(point, INK));
                    let _ = tile.draw_iter(pixels);
                });
                check(area, |tile| {
                    let _ = tile.fill_contiguous(&area, core::iter::repeat(INK));
                });
                check(area, |tile| {
                    let _ = tile.fill_solid(&area, INK);
                });
            }
        }
    }
}
