//! Glyphs without a margin: ink in the corner of a cell, ink that continues in the next one, and
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

/// Creates a font of cells of 4 by 4 pixels without spacing, whose glyphs are side by side in an
/// image of `columns` columns.
fn four_by_four<'a>(
    image: &'a [u8],
    columns: u32,
    mapping: &'a StrGlyphMapping<'a>,
) -> MonoFont<'a> {
    MonoFont {
        image: ImageRaw::new(image, columns),
        glyph_mapping: mapping,
        character_size: Size::new(4, 4),
        character_spacing: 0,
        baseline: 3,
        underline: DecorationDimensions::default_underline(4),
        strikethrough: DecorationDimensions::default_strikethrough(4),
    }
}

/// Draws `text` in these glyphs, magnified by `scale`, and returns the panel and a reader of them.
fn drawn(scale: usize, (x, y): (i32, i32), text: &str) -> (Panel, Reader) {
    let mapping = StrGlyphMapping::new("TLB", 0);
    let font = four_by_four(&ROWS, 16, &mapping);
    let mut panel = Panel { scale, ..Panel::new(GROUND) };
    panel.text(&font, x, y, text);
    (panel, Reader::new(vec![Font::from_mono("4x4", &font, scale as u32, "TLB")]))
}

#[test]
fn ink_in_the_corner_is_read_at_any_position() {
    for (x, y) in [(0, 0), (0, 9), (3, 5), (16, 17), (300, 236)] {
        for text in ["T", "L", "TLLT"] {
            let (mut panel, reader) = drawn(1, (x, y), text);
            // Another colour at the top left, and the ink's colour before each row.
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
fn the_background_of_ink_in_the_corner_is_in_its_cell() {
    // The upper row of `T` has ink up to the cell's edge.
    let (mut panel, reader) = drawn(1, (10, 10), "T");
    panel.frame.pixels_mut()[10 * 320 + 14] = 7;
    assert_eq!(texts(&reader.read(&panel.frame)), ["T"]);
}

#[test]
fn a_glyph_that_is_all_ink_is_never_read() {
    let (panel, reader) = drawn(1, (8, 8), "B");
    assert_eq!(['T', 'L', 'B'].map(|letter| reader.reads(letter)), [true, true, false]);
    assert!(reader.read(&panel.frame).lines.is_empty());
}

#[test]
fn a_glyph_whose_ink_continues_beyond_its_cell_is_not_read() {
    // The upper row of `T` has ink up to the cell's edge, continued by some pixels after it: less
    // than a font pixel is enough to make another shape of it.
    for beyond in 0..4 {
        let (mut panel, reader) = drawn(2, (10, 10), "T");
        let ink = panel.colours()[1];
        panel.frame.pixels_mut()[20 * 320 + 28..][..beyond].fill(ink);
        let expected: &[&str] = if beyond == 0 { &["T"] } else { &[] };
        assert_eq!(texts(&reader.read(&panel.frame)), expected, "{beyond}");
    }
}

/// Calls `run` with a font of cells of 4 by 4 pixels, in which `7` and `i` have a margin at the
/// left.
fn with_a_margin(spacing: u32, run: impl FnOnce(&MonoFont<'_>)) {
    const ROWS: [u8; 4] = [0b0111_0000, 0b0001_0100, 0b0001_0100, 0b0001_0100];
    let mapping = StrGlyphMapping::new("7i", 0);
    run(&MonoFont { character_spacing: spacing, ..four_by_four(&ROWS, 8, &mapping) });
}

/// Ink in the last row of a cell is read above anything but ink of the same colour: with that it
/// merges.
#[test]
fn ink_in_the_last_rows_of_a_cell_is_read_above_anything_else() {
    // `u` has ink only in the last row, `w` in the last two.
    let rows = [0b0000_0000, 0b0000_0000, 0b0000_0110, 0b0110_1001];
    let mapping = StrGlyphMapping::new("uw", 0);
    let font = four_by_four(&rows, 8, &mapping);
    let reader = Reader::new(vec![Font::from_mono("low", &font, 1, "uw")]);
    let places = [(0, 0), (21, 9), (16, 235), (308, 236)];
    // A letter beside another one is also read as its neighbour, so each is tested alone first.
    for ((x, y), text) in places.iter().flat_map(|at| ["u", "w", "uwu"].map(|text| (*at, text))) {
        let mut panel = Panel::new(GROUND);
        panel.text(&font, x, y, text);
        let [ground, ink] = panel.colours();
        let below = ((y + 4) * 320 + x) as usize;
        for pixels in [[ground; 12], [ink; 12], [7; 12]] {
            let row = panel.frame.pixels_mut().get_mut(below..below + 12);
            let merges = row.is_some() && pixels[0] == ink;
            if let Some(row) = row {
                row.copy_from_slice(&pixels);
            }
            let expected: &[&str] = if merges { &[] } else { &[text] };
            assert_eq!(texts(&reader.read(&panel.frame)), expected, "{x} {y} {pixels:?}");
        }
    }
}

/// A glyph is read beside and above anything but ink of its own colour: `7` has ink at the right
/// edge and in the last row of its cell, `i` in the last row.
#[test]
fn a_glyph_is_read_beside_and_above_anything_else_at_any_scale() {
    for scale in 1..4_usize {
        let last = ((320 / scale - 4) as i32, (240 / scale - 4) as i32);
        for ((x, y), letter) in [(0, 0), (16, 16), (21, 9), last]
            .into_iter()
            .flat_map(|place| ["7", "i"].map(|letter| (place, letter)))
        {
            with_a_margin(0, |font| {
                let reader = Reader::new(vec![Font::from_mono("m", font, scale as u32, "7i")]);
                let mut panel = Panel { scale, ..Panel::new(GROUND) };
                let [ground, ink] = panel.colours();
                let (right, bottom) = ((x as usize + 4) * scale, (y as usize + 4) * scale);
                for around in [ground, ink, 7] {
                    for (nth, pixel) in panel.frame.pixels_mut().iter_mut().enumerate() {
                        let is_behind = nth % 320 >= right || nth / 320 >= bottom;
                        *pixel = if is_behind { around } else { ground };
                    }
                    panel.text(font, x, y, letter);
                    let screen = reader.read(&panel.frame);
                    let merges = around == ink && (bottom < 240 || letter == "7" && right < 320);
                    let expected: &[&str] = if merges { &[] } else { &[letter] };
                    assert_eq!(texts(&screen), expected, "{scale} at {x} {y} in {around:06x}");
                }
            });
        }
    }
}

#[test]
fn a_glyph_has_only_background_above_its_ink() {
    for scale in 1..4_usize {
        with_a_margin(0, |font| {
            let reader = Reader::new(vec![Font::from_mono("m", font, scale as u32, "7i")]);
            let mut panel = Panel { scale, ..Panel::new(GROUND) };
            panel.text(font, 8, 8, "i");
            assert_eq!(texts(&reader.read(&panel.frame)), ["i"]);
            // A font pixel of another colour in the cell's upper right corner.
            for row in 8 * scale..9 * scale {
                panel.frame.pixels_mut()[row * 320 + 11 * scale..][..scale].fill(7);
            }
            assert!(reader.read(&panel.frame).lines.is_empty(), "{scale}");
        });
    }
}

#[test]
fn cells_are_spaced_as_their_font_defines() {
    with_a_margin(2, |font| {
        let reader = Reader::new(vec![Font::from_mono("wide", font, 1, "7i")]);
        let mut panel = Panel::new(GROUND);
        panel.text(font, 10, 10, "7i7");
        let screen = reader.read(&panel.frame);
        assert_eq!((texts(&screen), screen.lines[0].pitch), (vec!["7i7"], 6));
        assert_eq!(reader.fonts()[0].name(), "wide");
    });
}

#[test]
fn the_ink_of_a_glyph_grows_with_its_magnification() {
    with_a_margin(0, |font| {
        for scale in 1..4 {
            let font = Font::from_mono("m", font, scale, "7ii");
            let squares = (scale * scale) as usize;
            assert_eq!(
                ['7', 'i', 'x'].map(|letter| font.ink_of(letter)),
                [6 * squares, 3 * squares, 0]
            );
            assert_eq!(font.twins(), [], "a character is no twin of itself");
        }
    });
}

#[test]
fn a_font_without_glyphs_reads_nothing() {
    with_a_margin(0, |font| {
        for width in [0, 9] {
            let font = MonoFont { character_size: Size::new(width, 4), ..*font };
            assert!(!Font::from_mono("empty", &font, 1, "7i").reads('7'));
        }
    });
}

#[test]
fn a_picture_between_two_words_separates_lines() {
    with_a_margin(0, |font| {
        let reader = Reader::new(vec![Font::from_mono("m", font, 1, "7i")]);
        let mut panel = Panel::new(GROUND);
        panel.text(font, 10, 10, "7");
        panel.text(font, 18, 10, "i");
        assert_eq!(texts(&reader.read(&panel.frame)), ["7 i"]);
        panel.frame.pixels_mut()[11 * 320 + 16] = 7;
        assert_eq!(texts(&reader.read(&panel.frame)), ["7", "i"]);
    });
}

#[test]
fn a_stripe_in_a_cell_is_detected_in_any_row() {
    for row in 0..10 {
        for (cell, expected) in [(1, vec!["A", "B."]), (3, vec!["A B"])] {
            let mut panel = Panel::new(GROUND);
            panel.text(&ascii::FONT_6X10, 20, 20, "A B.");
            check(&panel, &["A B."]);
            for y in 20 + row..30 {
                panel.frame.pixels_mut()[y * 320 + 20 + 6 * cell] = 7;
            }
            check(&panel, &expected);
        }
    }
}

#[test]
fn two_lines_with_overlapping_cells_but_separate_ink_are_read() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 10, 10, "xxx");
    panel.text(&ascii::FONT_6X10, 10, 18, "zzz");
    assert_eq!(texts(&panel.read()), ["xxx", "zzz"]);
}

#[test]
fn the_font_with_the_larger_cell_wins_for_equal_ink() {
    // One glyph of three pixels, one column and one row away from the corner of its cell.
    let mapping = [StrGlyphMapping::new("a", 0), StrGlyphMapping::new("b", 0)];
    let rows: [u8; 10] = [0, 0b0100_0000, 0b0110_0000, 0, 0, 0, 0, 0, 0, 0];
    let image = ImageRaw::new(&rows, 8);
    for (larger, smaller) in [((6, 6), (3, 10)), ((4, 9), (5, 5))] {
        let font = |mapping, (width, height)| MonoFont {
            image,
            glyph_mapping: mapping,
            character_size: Size::new(width, height),
            character_spacing: 0,
            baseline: 3,
            underline: DecorationDimensions::default_underline(4),
            strikethrough: DecorationDimensions::default_strikethrough(4),
        };
        let (a, b) = (font(&mapping[0], larger), font(&mapping[1], smaller));
        let mut panel = Panel::new(GROUND);
        panel.text(&a, 20, 20, "a");
        let prepared = [Font::from_mono("a", &a, 1, "a"), Font::from_mono("b", &b, 1, "b")];
        for fonts in [prepared.to_vec(), prepared.iter().rev().cloned().collect()] {
            assert_eq!(texts(&Reader::new(fonts).read(&panel.frame)), ["a"], "{larger:?}");
        }
    }
}

#[test]
fn a_magnified_glyph_has_each_of_its_pixels_magnified() {
    // All pixels of the cell at column 20, row 20, of 8 by 8 pixels.
    for at in 0..64 {
        let (mut panel, reader) = drawn(2, (10, 10), "L");
        let [ground, ink] = panel.colours();
        let place = (20 + at / 8) * 320 + 20 + at % 8;
        let pixel = &mut panel.frame.pixels_mut()[place];
        *pixel = if *pixel == ink { ground } else { ink };
        assert!(reader.read(&panel.frame).lines.is_empty(), "{at}");
    }
}
