//! The LCD in half blocks: a cell shows two pixels, one above the other. If there are fewer cells
//! than pixels, each shows the mean of the pixels it covers. This module knows no terminal.

use ili9341_model::Frame;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Color;

use super::colours::Depth;

/// Minimum difference in brightness from the background of a pixel that is drawn without colours.
const VISIBLE: u32 = 40;

/// Returns the size in cells of the largest picture of `width` × `height` pixels that fits into
/// `columns` × `rows`. Pixels are square, two a cell.
pub fn fitting(width: usize, height: usize, columns: u16, rows: u16) -> (u16, u16) {
    let (width, height) = (width.max(1) as u32, height.max(1) as u32);
    let (columns, rows) = (u32::from(columns), u32::from(rows));
    let wide = columns.min(2 * rows * width / height);
    // Half a cell is rounded up, so that the picture is not cut.
    let high = (wide * height).div_ceil(2 * width).min(rows);
    (wide as u16, high as u16)
}

/// Scales `frame` to `width` × `height` pixels, row by row (0xRRGGBB).
pub fn scaled(frame: &Frame, width: usize, height: usize) -> Vec<u32> {
    let across = spans(frame.width(), width);
    let down = spans(frame.height(), height);
    let mut pixels = Vec::with_capacity(width * height);
    for (top, bottom) in down {
        for &(left, right) in &across {
            pixels.push(mean(frame, left..right, top..bottom));
        }
    }
    pixels
}

/// Returns the range of the `from` pixels that each of the `to` pixels covers, at least one pixel
/// long.
fn spans(from: usize, to: usize) -> Vec<(usize, usize)> {
    let at = |nth: usize| nth * from / to.max(1);
    (0..to).map(|nth| (at(nth), at(nth + 1).max(at(nth) + 1).min(from))).collect()
}

fn mean(frame: &Frame, across: std::ops::Range<usize>, down: std::ops::Range<usize>) -> u32 {
    let mut sums = [0_u32; 3];
    let mut count = 0;
    for y in down {
        let row = &frame.pixels()[y * frame.width()..(y + 1) * frame.width()];
        for rgb in &row[across.clone()] {
            sums[0] += rgb >> 16 & 0xFF;
            sums[1] += rgb >> 8 & 0xFF;
            sums[2] += rgb & 0xFF;
            count += 1;
        }
    }
    let [red, green, blue] = sums.map(|sum| (sum + count / 2) / count.max(1));
    red << 16 | green << 8 | blue
}

/// Draws `frame` into the cells of `area`.
pub fn draw(buffer: &mut Buffer, area: Rect, frame: &Frame, depth: Depth) {
    let (width, height) = (usize::from(area.width), 2 * usize::from(area.height));
    let pixels = scaled(frame, width, height);
    let ground = (depth == Depth::None).then(|| brightness(commonest(&pixels)));
    for row in 0..area.height {
        for column in 0..area.width {
            let at = 2 * usize::from(row) * width + usize::from(column);
            let (upper, lower) = (pixels[at], pixels[at + width]);
            let Some(cell) = buffer.cell_mut((area.x + column, area.y + row)) else { continue };
            if let Some(ground) = ground {
                let drawn = |rgb| brightness(rgb).abs_diff(ground) >= VISIBLE;
                cell.set_symbol(match (drawn(upper), drawn(lower)) {
                    (false, false) => " ",
                    (true, false) => "▀",
                    (false, true) => "▄",
                    (true, true) => "█",
                });
                cell.set_fg(Color::Reset).set_bg(Color::Reset);
            } else {
                let (upper, lower) = (depth.colour(upper), depth.colour(lower));
                // A cell of one colour is a blank, in which no font can leave a seam.
                cell.set_symbol(if upper == lower { " " } else { "▀" });
                cell.set_fg(upper).set_bg(lower);
            }
        }
    }
}

fn brightness(rgb: u32) -> u32 {
    let [_, red, green, blue] = rgb.to_be_bytes().map(u32::from);
    (299 * red + 587 * green + 114 * blue) / 1_000
}

fn commonest(pixels: &[u32]) -> u32 {
    let mut sorted = pixels.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|one, other| one == other);
    runs.max_by_key(|run| run.len()).map_or(0, |run| run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_fits_and_keeps_its_shape() {
        assert_eq!(fitting(320, 240, 80, 18), (48, 18));
        assert_eq!(fitting(320, 240, 320, 500), (320, 120));
        assert_eq!(fitting(320, 240, 20, 100), (20, 8));
        assert_eq!(fitting(320, 240, 0, 18), (0, 0));
        assert_eq!(fitting(320, 240, 80, 0), (0, 0));
    }

    /// Draws `frame` into `columns` × `rows` cells and returns the symbol, upper colour and lower
    /// colour of each cell.
    fn drawn(frame: &Frame, columns: u16, rows: u16, depth: Depth) -> Vec<(String, Color, Color)> {
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        draw(&mut buffer, area, frame, depth);
        let cells = buffer.content().iter();
        cells.map(|cell| (cell.symbol().to_owned(), cell.fg, cell.bg)).collect()
    }

    #[test]
    fn a_cell_has_its_two_pixels_or_the_mean_of_more() {
        let frame = Frame::from_pixels(2, 2, vec![0xFF_0000, 0x00_FF00, 0x00_00FF, 0x00_FF00]);
        let (red, green, blue) =
            (Color::Rgb(255, 0, 0), Color::Rgb(0, 255, 0), Color::Rgb(0, 0, 255));
        let expected = [("▀".to_owned(), red, blue), (" ".to_owned(), green, green)];
        assert_eq!(drawn(&frame, 2, 1, Depth::True), expected);
        let (upper, lower) = (Color::Rgb(128, 128, 0), Color::Rgb(0, 128, 128));
        assert_eq!(drawn(&frame, 1, 1, Depth::True), [("▀".to_owned(), upper, lower)]);
        // The cells are larger than the LCD: each pixel is repeated.
        assert_eq!(
            drawn(&frame, 4, 2, Depth::True)[..2],
            [(" ".to_owned(), red, red), (" ".to_owned(), red, red)]
        );
    }

    #[test]
    fn without_colours_contrast_with_the_ground_is_drawn() {
        let mut frame = Frame::filled(4, 4, 0xFF_FFFF);
        frame.pixels_mut()[5] = 0x00_0000;
        let symbols: String =
            drawn(&frame, 4, 2, Depth::None).into_iter().map(|(symbol, ..)| symbol).collect();
        assert_eq!(symbols, " ▄      ");
    }
}
