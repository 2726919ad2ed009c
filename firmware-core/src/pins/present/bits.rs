//! A small part of a screen that has only two colours, with one bit per pixel: for drawing, and for
//! comparing 32 pixels at a time.
//!
//! Most of what is compared is text, and most of its pixels do not change. The bits mark the pixels
//! that have ink; they become colours only when they are sent.

use core::convert::Infallible;
use core::ops::Range;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Size};
use embedded_graphics::pixelcolor::{IntoStorage as _, Rgb565};
use embedded_graphics::primitives::Rectangle;

use super::overlap::{contains, overlap};
use super::text_target::{Inks, TextTarget};
use super::tile::{Stored, TILE_PIXELS, send_pixels};

/// Number of words for the tiles of the status message and of the digits of a store.
pub(super) const BITS_WORDS: usize = 96;

/// Number of pixels in a word; the leftmost is the highest bit.
pub(super) const WORD: u32 = u32::BITS;

/// Part `area` of a screen in which every pixel is [`Inks::ink`] or [`Inks::ground`]; drawing
/// outside is clipped.
pub(super) struct Bits<'a> {
    area: Rectangle,
    inks: Inks,
    /// Number of words in a row. Bits after the end of a row are never set.
    width: usize,
    words: &'a mut [u32],
}

impl<'a> Bits<'a> {
    /// Returns whether the words are enough for `area`.
    pub(super) const fn fit(area: &Rectangle) -> bool {
        area.size.width.div_ceil(WORD) * area.size.height <= BITS_WORDS as u32
    }

    /// Creates a part `area`, which must [`fit`](Self::fit): all background.
    pub(super) fn new(area: Rectangle, inks: Inks, memory: &'a mut [u32; BITS_WORDS]) -> Self {
        let width = area.size.width.div_ceil(WORD) as usize;
        let words = &mut memory[..width * area.size.height as usize];
        words.fill(0);
        Self { area, inks, width, words }
    }

    /// Returns, for each row from the top, words in which the bits of changed pixels are set,
    /// compared with `before` on the same background.
    pub(super) fn changes(&self, before: &Self) -> impl Iterator<Item = impl Iterator<Item = u32>> {
        let recoloured = if before.inks.ink == self.inks.ink { 0 } else { u32::MAX };
        let rows = before.words.chunks(self.width).zip(self.words.chunks(self.width));
        rows.map(move |(old, new)| {
            old.iter().zip(new).map(move |(old, new)| old ^ new | old & new & recoloured)
        })
    }

    /// Sends the pixels of `part`, which must be inside; `pixels` is the buffer in which they are
    /// decoded.
    pub(super) fn send<D: DrawTarget<Color = Rgb565>>(
        &self,
        part: &Rectangle,
        pixels: &mut [Stored; TILE_PIXELS],
        target: &mut D,
    ) -> Result<(), D::Error> {
        let Size { width, height } = part.size;
        let offset = part.top_left - self.area.top_left;
        let (left, top) = (offset.x as u32, offset.y as usize);
        let pixels = &mut pixels[..(width * height) as usize];
        let rows = self.words[top * self.width..].chunks(self.width);
        for (place, row) in pixels.chunks_mut(width as usize).zip(rows) {
            self.decode(row, left, place);
        }
        send_pixels(part, pixels, target)
    }

    /// Fills `place` with the pixels of a row, beginning at column `left`.
    fn decode(&self, row: &[u32], left: u32, mut place: &mut [Stored]) {
        let [ink, ground] = [self.inks.ink, self.inks.ground].map(|colour| colour.into_storage());
        let mut skipped = left % WORD;
        for word in &row[(left / WORD) as usize..] {
            let here = place.len().min((WORD - skipped) as usize);
            let (pixels, rest) = place.split_at_mut(here);
            let mut bits = word << skipped;
            for pixel in pixels {
                *pixel = if bits >> (WORD - 1) != 0 { ink } else { ground };
                bits <<= 1;
            }
            if rest.is_empty() {
                return;
            }
            (place, skipped) = (rest, 0);
        }
    }

    /// Returns all ones for a colour other than the background's, otherwise all zeros.
    fn bits_of(&self, colour: Rgb565) -> u32 {
        debug_assert!(colour == self.inks.ink || colour == self.inks.ground, "a third colour");
        if colour == self.inks.ground { 0 } else { u32::MAX }
    }

    /// Returns the rows of the part `area`, which must be inside, and its columns.
    fn part(&mut self, area: &Rectangle) -> (impl Iterator<Item = &mut [u32]>, Range<u32>) {
        let offset = area.top_left - self.area.top_left;
        let (left, top) = (offset.x as u32, offset.y as usize);
        let rows = top * self.width..(top + area.size.height as usize) * self.width;
        (self.words[rows].chunks_mut(self.width), left..left + area.size.width)
    }
}

impl Dimensions for Bits<'_> {
    fn bounding_box(&self) -> Rectangle {
        self.area
    }
}

impl DrawTarget for Bits<'_> {
    type Color = Rgb565;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        for Pixel(point, colour) in pixels {
            self.fill_solid(&Rectangle::new(point, Size::new_equal(1)), colour)?;
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, colour: Rgb565) -> Result<(), Infallible> {
        let Some(visible) = overlap(area, &self.area) else { return Ok(()) };
        let bits = self.bits_of(colour);
        let (rows, Range { start, end }) = self.part(&visible);
        let (first, last) = ((start / WORD) as usize, ((end - 1) / WORD) as usize);
        // Masks from the first column, and up to the last one.
        let (from, to) = (u32::MAX >> (start % WORD), !(u32::MAX >> ((end - 1) % WORD) >> 1));
        for row in rows {
            match &mut row[first..=last] {
                [word] => put(word, bits, from & to),
                [first, middle @ .., last] => {
                    put(first, bits, from);
                    middle.fill(bits);
                    put(last, bits, to);
                }
                [] => {}
            }
        }
        Ok(())
    }
}

impl TextTarget for Bits<'_> {
    fn fill_rows(
        &mut self,
        area: &Rectangle,
        bits: impl Iterator<Item = u32>,
        Inks { ink, ground }: Inks,
    ) -> Result<(), Infallible> {
        if !contains(&self.area, area) {
            return Ok(());
        }
        let (ink, ground) = (self.bits_of(ink), self.bits_of(ground));
        let offset = area.top_left - self.area.top_left;
        let (left, top) = (offset.x as u32, offset.y as usize);
        let (word, shift) = ((left / WORD) as usize, left % WORD);
        let mask = !u32::MAX.checked_shr(area.size.width).unwrap_or(0);
        // The bits that belong to the following word.
        let back = (WORD - shift) % WORD;
        let (here, behind) = (mask >> shift, if back == 0 { 0 } else { mask << back });
        let end = (top + area.size.height as usize) * self.width;
        let mut rows = self.words[top * self.width + word..end].chunks_mut(self.width);
        for bits in bits {
            let Some(row) = rows.next() else { break };
            let bits = bits & (ink ^ ground) ^ ground;
            match row {
                [first, second, ..] if behind != 0 => {
                    put(first, bits >> shift, here);
                    put(second, bits << back, behind);
                }
                [word, ..] => put(word, bits >> shift, here),
                [] => {}
            }
        }
        Ok(())
    }
}

/// Copies the bits in `mask` from `bits` into `word`.
fn put(word: &mut u32, bits: u32, mask: u32) {
    *word = *word & !mask | bits & mask;
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use embedded_graphics::geometry::{OriginDimensions, Point};

    use super::*;
    use crate::game::random::Random;
    use crate::pins::present::tile::Tile;

    const INKS: Inks = Inks { ink: Rgb565::new(31, 63, 31), ground: Rgb565::new(1, 2, 3) };
    /// The inks of a line whose background is the ink's colour.
    const TURNED: Inks = Inks { ink: INKS.ground, ground: INKS.ink };

    /// Records the colours that are sent.
    #[derive(Default, PartialEq)]
    struct Sent(Vec<Rgb565>);

    impl OriginDimensions for Sent {
        fn size(&self) -> Size {
            Size::new(u32::MAX, u32::MAX)
        }
    }

    impl DrawTarget for Sent {
        type Color = Rgb565;
        type Error = Infallible;

        fn draw_iter<I: IntoIterator<Item = Pixel<Rgb565>>>(
            &mut self,
            _: I,
        ) -> Result<(), Infallible> {
            panic!("single pixels cost a window each");
        }

        fn fill_contiguous<I: IntoIterator<Item = Rgb565>>(
            &mut self,
            _: &Rectangle,
            colours: I,
        ) -> Result<(), Infallible> {
            self.0.extend(colours);
            Ok(())
        }
    }

    fn number(random: &mut Random, most: u32) -> u32 {
        random.number() as u32 % most
    }

    /// Returns a rectangle of at most `most` that touches `area`, or nearly touches it.
    fn near(area: &Rectangle, most: Size, random: &mut Random) -> Rectangle {
        let size = Size::new(1 + number(random, most.width), 1 + number(random, most.height));
        let reach = area.size + size;
        let offset = Size::new(number(random, reach.width), number(random, reach.height));
        Rectangle::new(area.top_left + offset - size, size)
    }

    /// Draws the same on both.
    fn draw(bits: &mut Bits<'_>, tile: &mut Tile<'_>, random: &mut Random) {
        let inks = if random.heads() { INKS } else { TURNED };
        let area = bits.area;
        match number(random, 3) {
            0 => {
                let part = near(&area, area.size, random);
                let _ = bits.fill_solid(&part, inks.ink);
                let _ = tile.fill_solid(&part, inks.ink);
            }
            1 => {
                let point = near(&area, Size::new_equal(1), random).top_left;
                let _ = bits.draw_iter([Pixel(point, inks.ink)]);
                let _ = tile.draw_iter([Pixel(point, inks.ink)]);
            }
            _ => {
                let part = near(&area, Size::new(32, 6), random);
                let rows: Vec<u32> = (0..6).map(|_| random.number() as u32).collect();
                let _ = bits.fill_rows(&part, rows.iter().copied(), inks);
                let _ = tile.fill_rows(&part, rows.iter().copied(), inks);
            }
        }
    }

    #[test]
    fn drawing_on_bits_gives_the_same_pixels_as_on_a_tile() {
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let size = Size::new(1 + number(&mut random, 130), 1 + number(&mut random, 12));
            let area = Rectangle::new(Point::new(10, 20), size);
            assert!(Bits::fit(&area));
            // The previous content does not matter.
            let (mut words, mut pixels) = ([u32::MAX; BITS_WORDS], [0; TILE_PIXELS]);
            let mut bits = Bits::new(area, INKS, &mut words);
            let mut tile = Tile::new(area, &mut pixels);
            let _ = tile.fill_solid(&area, INKS.ground);
            for _ in 0..8 {
                draw(&mut bits, &mut tile, &mut random);
            }
            let part = near(&area, size, &mut random).intersection(&area);
            for part in [area, part].into_iter().filter(|part| !part.is_zero_sized()) {
                let (mut from_bits, mut from_tile) = (Sent::default(), Sent::default());
                let mut memory = [0; TILE_PIXELS];
                let _ = bits.send(&part, &mut memory, &mut from_bits);
                let _ = tile.send(&part, &mut memory, &mut from_tile);
                assert!(from_bits == from_tile, "seed {seed}: {part:?} of {size:?}");
            }
        }
    }

    /// Letters of one ink become letters of another: pixels that have ink now or had it before
    /// change.
    #[test]
    fn bits_change_exactly_where_the_colour_changes() {
        const OTHER: Inks = Inks { ink: Rgb565::new(9, 9, 9), ..INKS };
        let area = Rectangle::new(Point::zero(), Size::new(40, 1));
        let row = Rectangle::new(Point::zero(), Size::new(32, 1));
        for (new_inks, expected) in [(INKS, 0b0110 << 28), (OTHER, 0b0111 << 28)] {
            let (mut old, mut new) = ([0; BITS_WORDS], [0; BITS_WORDS]);
            let mut before = Bits::new(area, INKS, &mut old);
            let _ = before.fill_rows(&row, [0b0011 << 28].into_iter(), INKS);
            let mut after = Bits::new(area, new_inks, &mut new);
            let _ = after.fill_rows(&row, [0b0101 << 28].into_iter(), new_inks);
            let changes: Vec<Vec<u32>> = after.changes(&before).map(Iterator::collect).collect();
            assert_eq!(changes, [[expected, 0]]);
        }
    }

    #[test]
    fn not_every_tile_fits() {
        for (width, height, fits) in
            [(32, 96, true), (32, 97, false), (33, 48, true), (33, 49, false)]
        {
            let area = Rectangle::new(Point::zero(), Size::new(width, height));
            assert_eq!(Bits::fit(&area), fits, "{width} x {height}");
        }
    }
}
