//! Glyphs without a margin: ink in the corner of a cell, ink that goes on in the next one, and
//! ink of other widths than the font's.

use embedded_graphics::image::ImageRaw;
use embedded_graphics::mono_font::DecorationDimensions;
use embedded_graphics::mono_font::mapping::StrGlyphMapping;

use super::*;

/// `T`, `L` and a block of four by four pixels.
const ROWS: [u8; 8] = [
    0b1111_1100,
    0b1111_0000,
    0b0110_1000,
    0b1111_0000,
    0b0110_1000,
    0b1111_0000,
    0b0110_1111,
    0b1111_0000,
];

/// Draws `text` in these glyphs, magnified by `scale`, and hands on the panel and a reader of them.
fn drawn(scale: usize, (x, y): (i32, i32), text: &str) -> (Panel, Reader) {
    let mapping = StrGlyphMapping::new("TLB", 0);
    let font = MonoFont {
        image: ImageRaw::new(&ROWS, 16),
        glyph_mapping: &mapping,
        character_size: Size::new(4, 4),
        character_spacing: 0,
        baseline: 3,
        underline: DecorationDimensions::default_underline(4),
        strikethrough: DecorationDimensions::default_strikethrough(4),
    };
    let mut panel = Panel { scale, ..Panel::new(GROUND) };
    panel.text(&font, x, y, text);
    (panel, Reader::new(vec![Font::from_mono("4x4", &font, scale as u32, "TLB")]))
}

#[test]
fn ink_in_the_very_corner_is_read_wherever_it_stands() {
    for (x, y) in [(0, 0), (0, 9), (3, 5), (16, 17), (300, 236)] {
        for text in ["T", "L", "TLLT"] {
            let (mut panel, reader) = drawn(1, (x, y), text);
            // Another colour at the top left, and the ink's in front of each row.
            let ink = panel.colours()[1];
            if (x, y) != (0, 0) {
                panel.frame.pixels_mut()[..3].fill(7);
                panel.frame.pixels_mut()[(y as usize).max(1) * 320 - 1] = ink;
            }
            let screen = reader.read(&panel.frame);
            assert_eq!(texts(&screen), [text], "{x} {y}");
            assert_eq!((screen.lines[0].x, screen.lines[0].y), (x as usize, y as usize));
        }
    }
}

#[test]
fn a_glyph_that_is_all_ink_is_never_read() {
    let (panel, reader) = drawn(1, (8, 8), "B");
    assert_eq!(['T', 'L', 'B'].map(|letter| reader.reads(letter)), [true, true, false]);
    assert!(reader.read(&panel.frame).lines.is_empty());
}

#[test]
fn ink_that_goes_on_behind_the_cell_by_part_of_a_font_pixel_is_read() {
    // The upper row of `T` is ink up to the cell's edge; so are some pixels behind it.
    for behind in 0..4 {
        let (mut panel, reader) = drawn(2, (10, 10), "T");
        let ink = panel.colours()[1];
        panel.frame.pixels_mut()[20 * 320 + 28..][..behind].fill(ink);
        assert_eq!(texts(&reader.read(&panel.frame)), ["T"], "{behind}");
    }
}

#[test]
fn a_magnified_glyph_has_each_of_its_pixels_magnified() {
    // Within the cell at column 20, row 20, of 8 by 8 pixels.
    for at in 0..64 {
        let (mut panel, reader) = drawn(2, (10, 10), "L");
        let [ground, ink] = panel.colours();
        let place = (20 + at / 8) * 320 + 20 + at % 8;
        let pixel = &mut panel.frame.pixels_mut()[place];
        *pixel = if *pixel == ink { ground } else { ink };
        assert!(reader.read(&panel.frame).lines.is_empty(), "{at}");
    }
}
