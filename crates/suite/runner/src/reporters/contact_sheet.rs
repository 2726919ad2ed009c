//! The contact sheet: screens side by side on one picture, each with its name below.
//!
//! This module does not know traces. The caption's letters are embedded-graphics' own, not the
//! firmware's.

use core::convert::Infallible;
use std::io::{self, Cursor, Write};
use std::path::Path;

use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_6X10};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::pixelcolor::raw::{RawData, RawU24};
use embedded_graphics::text::{Baseline, Text};
use embedded_graphics::{Drawable, Pixel, draw_target::DrawTarget};
use host::{
    Exit,
    output_files::{OutputError, OutputFile},
};
use ili9341_model::Frame;
use reading::golden;

use super::output_file;

use crate::report::SheetPicture;
use escape::terminal::TextWriter;

/// Gap between two screens and around them, in pixels.
const GAP: usize = 8;
/// Height of a caption's line, in pixels. A caption has two lines.
const LINE: usize = 12;
const CAPTION: usize = 2 * LINE + 2;
/// Maximum width in pixels; also the maximum height, unless the smallest screens need more.
const SIDE_MAX: usize = 4096;
/// Maximum factor by which the screens are reduced.
const SHRINK_MAX: usize = 8;
/// Background colour of the sheet, `0x00RRGGBB`.
const GROUND: u32 = 0x0020_2428;
const INK: Rgb888 = Rgb888::new(0xE8, 0xE8, 0xE0);
const PALE_INK: Rgb888 = Rgb888::new(0xA0, 0xA8, 0xB0);

/// Program that a sheet names as its maker, which distinguishes a sheet from any other picture.
const MAKER: &str = "nudge replay --contact-sheet";

/// Opens the file of a contact sheet. An earlier sheet is replaced.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn open(path: &Path, force: bool) -> Result<OutputFile, OutputError> {
    let is_sheet = |head: &[u8]| {
        head.starts_with(b"\x89PNG\r\n")
            && head.windows(MAKER.len()).any(|text| text == MAKER.as_bytes())
    };
    output_file::open(path, is_sheet, force)
}

/// Arranges `pictures` in a grid and writes them into `file`.
///
/// # Errors
/// If `out` or `err` cannot be written.
pub(crate) fn write(
    file: OutputFile,
    pictures: Vec<SheetPicture>,
    out: &mut TextWriter<'_>,
    err: &mut TextWriter<'_>,
) -> io::Result<Exit> {
    if pictures.is_empty() {
        let path = file.path().display();
        writeln!(err, "nudge: {path}: not written, because no trace got as far as a screen")?;
        return Ok(Exit::Usage);
    }
    let png = golden::encode_png_by(&lay_out(&pictures), MAKER);
    match output_file::finish(file, |out| out.write_all(&png)) {
        Ok(path) => {
            writeln!(out, "wrote {}", path.display())?;
            Ok(Exit::Passed)
        }
        Err(error) => {
            writeln!(err, "nudge: {error}")?;
            Ok(Exit::Usage)
        }
    }
}

/// The positions of the screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Grid {
    columns: usize,
    rows: usize,
    /// Factor by which the screens are reduced.
    shrink: usize,
    /// Size of a cell, including gap and caption.
    cell: (usize, usize),
}

impl Grid {
    /// Returns the grid for `count` screens of at most `width` × `height`, about as wide as it is
    /// high.
    fn new(count: usize, width: usize, height: usize) -> Self {
        let mut grid = Self::shrunk(count, width, height, 1);
        while grid.shrink < SHRINK_MAX && grid.size().0.max(grid.size().1) > SIDE_MAX {
            grid = Self::shrunk(count, width, height, grid.shrink + 1);
        }
        grid
    }

    fn shrunk(count: usize, width: usize, height: usize, shrink: usize) -> Self {
        let cell = (width.div_ceil(shrink) + GAP, height.div_ceil(shrink) + CAPTION + GAP);
        let widest = (SIDE_MAX.saturating_sub(GAP) / cell.0).max(1);
        // Finds the smallest number of columns with which the sheet is not higher than it is wide.
        let columns = (1..widest)
            .find(|columns| columns * cell.0 >= count.div_ceil(*columns) * cell.1)
            .unwrap_or(widest)
            .min(count.max(1));
        Self { columns, rows: count.div_ceil(columns), shrink, cell }
    }

    fn size(self) -> (usize, usize) {
        (self.columns * self.cell.0 + GAP, self.rows * self.cell.1 + GAP)
    }

    fn place(self, index: usize) -> (usize, usize) {
        let (column, row) = (index % self.columns, index / self.columns);
        (column * self.cell.0 + GAP, row * self.cell.1 + GAP)
    }
}

fn lay_out(pictures: &[SheetPicture]) -> Frame {
    // This program encoded the pictures, so decoding cannot fail.
    let decode = |picture: &SheetPicture| {
        golden::decode_png(Cursor::new(&picture.png)).unwrap_or_else(|_| Frame::filled(1, 1, 0))
    };
    let sizes = pictures.iter().map(|picture| {
        let frame = decode(picture);
        (frame.width(), frame.height())
    });
    let (width, height) = sizes.fold((1, 1), |most, size| (most.0.max(size.0), most.1.max(size.1)));
    let grid = Grid::new(pictures.len(), width, height);
    let (sheet_width, sheet_height) = grid.size();
    let mut sheet = ContactSheet(Frame::filled(sheet_width, sheet_height, GROUND));
    for (index, picture) in pictures.iter().enumerate() {
        let (left, top) = grid.place(index);
        let room = grid.cell.0 - GAP;
        sheet.caption(left, top, room, INK, &picture.title);
        sheet.caption(left, top + LINE, room, PALE_INK, &picture.name);
        sheet.paste(left, top + CAPTION, &shrunk(&decode(picture), grid.shrink));
    }
    sheet.0
}

/// Reduces a frame. Each pixel is the average of a square of `by` × `by` pixels.
fn shrunk(frame: &Frame, by: usize) -> Frame {
    if by == 1 {
        return frame.clone();
    }
    let (width, height) = (frame.width().div_ceil(by), frame.height().div_ceil(by));
    let average = |x: usize, y: usize| {
        let mut sums = [0_u32; 4];
        let mut count = 0;
        for at in (0..by * by).map(|at| (x * by + at % by, y * by + at / by)) {
            let Some(pixel) = frame.pixel(at.0, at.1) else { continue };
            for (sum, channel) in sums.iter_mut().zip(pixel.to_be_bytes()) {
                *sum += u32::from(channel);
            }
            count += 1;
        }
        u32::from_be_bytes(sums.map(|sum| (sum / count.max(1)) as u8))
    };
    let pixels = (0..width * height).map(|at| average(at % width, at / width)).collect();
    Frame::from_pixels(width, height, pixels)
}

/// The picture under construction; embedded-graphics draws on it.
struct ContactSheet(Frame);

impl ContactSheet {
    fn paste(&mut self, left: usize, top: usize, frame: &Frame) {
        let width = self.0.width();
        for (y, row) in frame.pixels().chunks_exact(frame.width()).enumerate() {
            let start = (top + y) * width + left;
            self.0.pixels_mut()[start..start + row.len()].copy_from_slice(row);
        }
    }

    /// Draws `text`, or only its end if there is too little room, because paths differ at their
    /// ends.
    fn caption(&mut self, left: usize, top: usize, room: usize, ink: Rgb888, text: &str) {
        let letters: Vec<char> = text
            .chars()
            .map(|letter| if (' '..='~').contains(&letter) { letter } else { '?' })
            .collect();
        let fits = room / FONT_6X10.character_size.width as usize;
        let shown: String = if letters.len() <= fits {
            letters.into_iter().collect()
        } else {
            let dots = fits.min(2);
            let end = letters[letters.len() - (fits - dots)..].iter();
            ".".repeat(dots).chars().chain(end.copied()).collect()
        };
        let place = Point::new(left as i32, top as i32);
        let style = MonoTextStyle::new(&FONT_6X10, ink);
        let Ok(_) = Text::with_baseline(&shown, place, style, Baseline::Top).draw(self);
    }
}

impl OriginDimensions for ContactSheet {
    fn size(&self) -> Size {
        Size::new(self.0.width() as u32, self.0.height() as u32)
    }
}

impl DrawTarget for ContactSheet {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Rgb888>>,
    {
        let width = self.0.width();
        for Pixel(point, colour) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y)) else {
                continue;
            };
            if self.0.pixel(x, y).is_some() {
                self.0.pixels_mut()[y * width + x] = RawU24::from(colour).into_inner();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_screens_have_full_size_on_a_square_sheet() {
        let grid = Grid::new(4, 320, 240);
        assert_eq!((grid.columns, grid.rows, grid.shrink), (2, 2, 1));
        assert_eq!(grid.size(), (2 * 328 + 8, 2 * 274 + 8));
        assert_eq!(grid.place(3), (336, 282));
    }

    #[test]
    fn many_screens_are_reduced_and_none_is_left_out() {
        for count in [1, 2, 3, 5, 17, 100, 1_000, 5_000] {
            let grid = Grid::new(count, 320, 240);
            assert!(grid.columns * grid.rows >= count);
            assert!(grid.columns * (grid.rows - 1) < count, "no empty row");
            assert!(grid.size().0 <= SIDE_MAX, "{grid:?}");
        }
        assert!(Grid::new(1_000, 320, 240).size().1 <= SIDE_MAX);
        assert!(Grid::new(1, 5_000, 1).columns == 1);
    }

    #[test]
    fn the_sheet_shows_every_screen_with_its_name() {
        let colours = [0x00FF_0000, 0x0000_FF00, 0x0000_00FF];
        let pictures = colours.map(|colour| SheetPicture {
            title: "traces/a very long name that does not fit above the screen.trace".into(),
            name: "end – ü".into(),
            png: golden::encode_png(&Frame::filled(320, 240, colour)),
        });
        let sheet = lay_out(&pictures);
        for colour in colours {
            let count = sheet.pixels().iter().filter(|pixel| **pixel == colour).count();
            assert_eq!(count, 320 * 240);
        }
    }

    #[test]
    fn a_shrunk_screen_is_the_average_of_its_pixels() {
        let frame = Frame::from_pixels(3, 2, vec![0, 0x10, 0x20, 0x20, 0x30, 0x40]);
        assert_eq!(shrunk(&frame, 2).pixels(), [0x18, 0x30]);
    }
}
