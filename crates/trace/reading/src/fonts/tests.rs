//! Fonts from files, read back by the reader.

use std::fmt::Write as _;
use std::path::Path;

use ili9341_model::Frame;
use ili9341_model::frame::Region;
use proptest::prelude::*;

use super::*;
use crate::golden::encode_png;
use crate::text::Reader;

const INK: u32 = 0x00FF_D040;
const GROUND: u32 = 0x0010_2030;

/// Returns a frame of 128x64 pixels with `text` at `x`, `y`.
fn drawn(font: &Glyphs, text: &str, (x, y): (usize, usize), scale: usize) -> Frame {
    let mut pixels = vec![GROUND; 128 * 64];
    for (place, letter) in text.chars().enumerate() {
        let Some((_, rows)) = font.all.iter().find(|(known, _)| *known == letter) else { continue };
        for (row, bits) in rows.iter().enumerate() {
            for column in (0..font.columns as usize).filter(|column| bits >> column & 1 != 0) {
                let left = x + (place * font.columns as usize + column) * scale;
                for at in (0..scale).map(|line| (y + row * scale + line) * 128 + left) {
                    pixels[at..at + scale].fill(INK);
                }
            }
        }
    }
    Frame::from_pixels(128, 64, pixels)
}

fn read(font: &Glyphs, frame: &Frame) -> String {
    Reader::new(font.fonts().into()).read(frame).to_string()
}

fn of(name: &str, bytes: &[u8]) -> Result<Glyphs, FontError> {
    load(Path::new(name), bytes, None)
}

fn fault(name: &str, bytes: &[u8]) -> String {
    of(name, bytes).unwrap_err().to_string()
}

#[test]
fn each_built_in_font_is_read_at_both_sizes() {
    for name in names() {
        let font = built_in(name).unwrap();
        assert_eq!(read(&font, &drawn(&font, "Ab9?", (3, 5), 1)), "Ab9?", "{name}");
        assert_eq!(read(&font, &drawn(&font, "Ab9?", (3, 5), 2)), "Ab9?", "{name}");
    }
    assert_eq!(built_in("6x11"), None);
}

#[test]
fn a_bdf_font_has_its_glyphs_on_the_baseline() {
    let text = "STARTFONT 2.1\nFONT x\nSIZE 8 75 75\nFONTBOUNDINGBOX 6 8 0 -2\nCHARS 2\n\
                STARTCHAR g\nENCODING 103\nDWIDTH 6 0\nBBX 3 3 1 -2\nBITMAP\nE0\nA0\nE0\nENDCHAR\n\
                STARTCHAR hyphen\nENCODING 45\nDWIDTH 6 0\nBBX 2 1 0 2\nBITMAP\nC0\nENDCHAR\n\
                ENDFONT\n";
    let font = of("own.bdf", text.as_bytes()).unwrap();
    assert_eq!((font.columns, font.rows, font.name.as_str()), (6, 8, "own"));
    let g = vec![0, 0, 0, 0, 0, 0b1110, 0b1010, 0b1110];
    assert_eq!(font.all[0], ('g', g));
    assert_eq!(font.all[1].1, [0, 0, 0, 0b11, 0, 0, 0, 0]);

    // With another width for one of them the font is proportional, and the rows are those with ink.
    let wide = text.replace("ENCODING 45\nDWIDTH 6 0", "ENCODING 45\nDWIDTH 4 0");
    let font = of("own.bdf", wide.as_bytes()).unwrap();
    assert_eq!((font.columns, font.rows), (6, 5));
    assert_eq!(font.all[0], ('g', vec![0, 0, 0b111, 0b101, 0b111]));
    assert_eq!(font.all[1], ('-', vec![0b11, 0, 0, 0, 0]));
    assert_eq!(font.pens, [Pen { left: 1, advance: 6 }, Pen { left: 0, advance: 4 }]);
    assert!(font.clone().extend(&font).unwrap_err().to_string().contains("different widths"));
    let cut = text.replace("BBX 2 1 0 2", "BBX 2 1 5 2");
    assert!(fault("own.bdf", cut.as_bytes()).contains("line 20: '-' is drawn outside"));
}

/// Returns a PSF of version 2 with these glyphs of 8x8 pixels and their characters.
fn psf2(glyphs: &[([u8; 8], &str)]) -> Vec<u8> {
    let mut bytes = vec![0x72, 0xB5, 0x4A, 0x86];
    for word in [0_u32, 32, 1, glyphs.len() as u32, 8, 8, 8] {
        bytes.extend(word.to_le_bytes());
    }
    glyphs.iter().for_each(|(rows, _)| bytes.extend(rows));
    for (_, letters) in glyphs {
        bytes.extend(letters.as_bytes());
        bytes.push(0xFF);
    }
    bytes
}

const T: [u8; 8] = [0xFE, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0];

#[test]
fn psf_fonts_have_their_tables_of_characters() {
    let font = of("own.psf", &psf2(&[(T, "Tτ"), ([0; 8], "\u{FE}")])).unwrap();
    assert_eq!(font.all[0].1[..2], [0b0111_1111, 0b0000_1000]);
    assert_eq!(font.all[1].0, 'τ');
    assert_eq!(read(&font, &drawn(&font, "TTT", (8, 8), 2)), "TTT");

    let mut old = vec![0x36, 0x04, 0, 8];
    old.extend(vec![0; 256 * 8]);
    old[4 + 8 * usize::from(b'T')..][..8].copy_from_slice(&T);
    let font = of("own.psf", &old).unwrap();
    assert_eq!(read(&font, &drawn(&font, "T T", (8, 8), 1)), "T T");
    assert!(fault("own.psf", &old[..900]).ends_with("it ends within the glyphs"));
}

#[test]
fn a_header_of_gfx_fonts_is_read_without_its_casts_and_comments() {
    let text = "#include <Adafruit_GFX.h>\n\
        const uint8_t OwnBitmaps[] PROGMEM = {\n  0xF8, // 'A' { not a brace\n  0x9E };\n\
        /* GFXglyph = { 1 } */\n\
        const GFXglyph OwnGlyphs[] PROGMEM = {\n  {0, 3, 2, 5, 1, -3},  // 0x41 'A'\n\
          {1, 1, 3, 5, 0, -2} }; // 0x42\n\
        const GFXfont Own PROGMEM = {(uint8_t *)OwnBitmaps, (GFXglyph *)OwnGlyphs, 0x41, 0x42, 8};\n";
    let font = of("Own.h", text.as_bytes()).unwrap();
    assert_eq!((font.columns, font.rows), (5, 4));
    assert_eq!(font.all[0], ('A', vec![0b1110, 0b0110, 0, 0]));
    assert_eq!(font.all[1], ('B', vec![0, 0b1, 0, 0]));

    let wide = text.replace("{1, 1, 3, 5, 0, -2}", "{1, 1, 3, 4, 0, -2}");
    let font = of("Own.h", wide.as_bytes()).unwrap();
    assert_eq!((font.columns, font.rows), (5, 2));
    assert_eq!(font.all[0], ('A', vec![0b111, 0b011]));
    assert_eq!(font.all[1], ('B', vec![0, 0b1]));
    assert_eq!(font.pens, [Pen { left: 1, advance: 5 }, Pen { left: 0, advance: 4 }]);
    let short = text.replace("{1, 1, 3, 5, 0, -2}", "{1, 5, 5, 5, 0, -2}");
    assert!(fault("Own.h", short.as_bytes()).contains("bits of the last glyphs"));
    assert!(fault("Own.h", b"int x;").contains("an array of uint8_t is missing"));
}

#[test]
fn a_sheet_is_divided_into_glyphs() {
    let font = built_in("6x10").unwrap();
    let sheet = drawn(&font, "ABC  D", (0, 0), 1);
    let mut pixels = Vec::new();
    (0..10).for_each(|y| pixels.extend(&sheet.pixels()[128 * y..][..36]));
    let png = encode_png(&Frame::from_pixels(36, 10, pixels));
    let size = |columns| Some(Sheet { columns, rows: 10, first: 65 });
    let loaded = load(Path::new("own.png"), &png, size(6)).unwrap();
    let letters: String = loaded.all.iter().map(|(letter, _)| *letter).collect();
    assert_eq!(letters, "ABCF");
    assert_eq!(loaded.all[1].1, font.all.iter().find(|(letter, _)| *letter == 'B').unwrap().1);
    let error = load(Path::new("own.png"), &png, size(7)).unwrap_err();
    assert!(error.to_string().contains("36x10 px cannot be divided into glyphs of 7x10 px"));
    assert!(load(Path::new("own.png"), &png, None).unwrap_err().to_string().contains("`size = "));
}

#[test]
fn a_font_is_learned_of_a_text_and_reads_others() {
    let font = built_in("9x15").unwrap();
    let text = "START TRAP";
    let frame = drawn(&font, text, (4, 20), 1);
    let learned =
        learn("own", &frame, Region { x: 4, y: 20, width: 90, height: 15 }, text).unwrap();
    assert_eq!((learned.columns, learned.rows), (9, 15));
    assert_eq!(read(&learned, &drawn(&font, "PART", (40, 2), 1)), "PART");
    let stored = of("own.bdf", learned.to_bdf().as_bytes()).unwrap();
    assert_eq!(stored.all, learned.all);
    // Doubled pixels are stored once.
    let small = built_in("5x7").unwrap();
    let frame = drawn(&small, text, (0, 0), 2);
    let learned =
        learn("own", &frame, Region { x: 0, y: 0, width: 100, height: 14 }, text).unwrap();
    assert_eq!((learned.columns, learned.rows), (5, 7));
    assert_eq!(read(&learned, &drawn(&small, "STRAP", (1, 30), 2)), "STRAP");
}

#[test]
fn a_region_that_contradicts_the_text_is_refused() {
    let font = built_in("6x10").unwrap();
    let frame = drawn(&font, "NOON AT", (6, 6), 1);
    let of = |x, width, text: &str| {
        let region = Region { x, y: 6, width, height: 10 };
        learn("own", &frame, region, text).unwrap_err().to_string()
    };
    assert_eq!(
        of(6, 45, "NOON AT"),
        "a region of 45 px cannot be divided into 7 characters; with 42 px each has 6 px"
    );
    // 5 px to the right no region within reach is right.
    let error = of(11, 24, "NOON");
    assert!(error.contains("the 2. and the 3. character, both 'O', look different"), "{error}");
    assert!(of(6, 42, "NOONSAT").contains("the 5. character is 'S', but its cell is empty"));
    assert!(of(6, 42, "NO N AT").contains("the 3. character is ' ', but its cell is not empty"));
    assert!(of(100, 42, "NOON AT").contains("not on the panel of 128x64 px"));
    assert!(of(6, 42, "   ").contains("no letter"));
    assert!(of(60, 42, "NOON AT").contains("the region has 1 colours"));
    let region = Region { x: 6, y: 6, width: 12, height: 10 };
    let other = learn("b", &frame, region, "ON");
    let mut own = learn("a", &frame, Region { x: 6, y: 6, width: 24, height: 10 }, "NOON").unwrap();
    assert!(own.extend(&other.unwrap()).unwrap_err().to_string().contains("another glyph for 'N'"));
}

/// Returns the result of learning "HAND" at a region beside the right one.
fn learned_beside(font: &Glyphs, scale: usize, (dx, dy): (i16, i16)) -> Result<Glyphs, LearnError> {
    let frame = drawn(font, "HAND", (20, 20), scale);
    let size = |pixels: u32| pixels as u16 * scale as u16;
    let (x, y) = ((20 + dx) as u16, (20 + dy) as u16);
    learn(
        "own",
        &frame,
        Region { x, y, width: 4 * size(font.columns), height: size(font.rows) },
        "HAND",
    )
}

#[test]
fn a_region_that_is_off_by_a_pixel_is_corrected() {
    // The capitals of this font fill columns 0 to 4 of 6.
    let font = built_in("6x10").unwrap();
    let (_, rows) = font.all.iter().find(|(letter, _)| *letter == 'H').unwrap();
    let above = rows.iter().take_while(|row| **row == 0).count() as i16;
    let below = rows.iter().rev().take_while(|row| **row == 0).count() as i16;
    assert!(learned_beside(&font, 1, (0, 0)).is_ok());
    let error = |scale, moved| learned_beside(&font, scale, moved).unwrap_err().to_string();
    assert_eq!(
        error(1, (1, 0)),
        "the region cuts glyphs; moved by 1 px to the left it cuts none: give the region 20,20,24,10"
    );
    assert!(error(1, (3, 0)).contains("moved by 3 px to the left it cuts none"));
    assert!(error(1, (-2, 0)).contains("moved by 1 px to the right it cuts none"));
    assert!(error(1, (0, above + 1)).contains("moved by 1 px up it cuts none"));
    let error_of_both = error(1, (2, -below - 1));
    assert!(error_of_both.contains("moved by 2 px to the left and 1 px down it cuts none"));
    // Half a font pixel beside, where nothing is cut, glyphs of twice their size cannot be halved.
    assert!(error(2, (-1, 0)).contains("moved by 1 px"));
    assert!(error(2, (0, 1)).contains("moved by 1 px"));
    // Blank rows and columns may be on either side.
    for moved in [(-1, 0), (0, above), (0, -below)] {
        let learned = learned_beside(&font, 1, moved).unwrap();
        assert_eq!(read(&learned, &drawn(&font, "DAN", (40, 9), 2)), "DAN", "{moved:?}");
    }
}

#[test]
fn a_region_that_is_too_low_for_its_glyphs_is_refused() {
    let font = built_in("6x10").unwrap();
    let frame = drawn(&font, "HAND", (20, 20), 1);
    let of = |y, height| {
        learn("own", &frame, Region { x: 20, y, width: 24, height }, "HAND")
            .unwrap_err()
            .to_string()
    };
    assert!(of(20, 6).contains("the glyphs continue below the region"), "{}", of(20, 6));
    assert!(of(24, 4).contains("the glyphs continue above the region"), "{}", of(24, 4));
}

#[test]
fn the_new_built_in_fonts_read_what_their_libraries_draw() {
    use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
    use embedded_graphics::pixelcolor::Rgb888;
    use embedded_graphics::prelude::*;
    use embedded_graphics::text::{Baseline, Text};

    use crate::text::tests::Panel;

    let fonts: [(&str, &MonoFont<'_>, &str); 10] = [
        ("vintage-6x8", &embedded_vintage_fonts::FONT_6X8, "ÄÖé±"),
        ("vintage-6x12", &embedded_vintage_fonts::FONT_6X12, ""),
        ("vintage-8x16", &embedded_vintage_fonts::FONT_8X16, "ÄÖé±"),
        ("profont-7", &profont::PROFONT_7_POINT, ""),
        ("profont-9", &profont::PROFONT_9_POINT, ""),
        ("profont-10", &profont::PROFONT_10_POINT, "ÄÖ"),
        ("profont-12", &profont::PROFONT_12_POINT, "ÄÖ"),
        ("profont-14", &profont::PROFONT_14_POINT, "ÄÖ"),
        ("ibm437-8x8", &ibm437::IBM437_8X8_REGULAR, "ÄéΩ½"),
        ("ibm437-8x8-bold", &ibm437::IBM437_8X8_BOLD, "ÄéΩ½"),
    ];
    let all: Vec<char> = ('!'..='~').collect();
    for (name, font, more) in fonts {
        let glyphs = built_in(name).unwrap();
        let mut rows: Vec<String> =
            all.chunks(12).map(|row| format!("A{}z", row.iter().collect::<String>())).collect();
        rows.push(format!("Ab{more}9?"));
        for scale in [1, 2] {
            let mut panel = Panel::new(Rgb888::new(8, 16, 24));
            panel.scale = scale;
            let style = MonoTextStyle::new(font, Rgb888::YELLOW);
            for (row, text) in (0..).zip(&rows) {
                let place = Point::new(1, row * font.character_size.height as i32);
                let Ok(_) = Text::with_baseline(text, place, style, Baseline::Top).draw(&mut panel);
            }
            // The panel has no room for all rows at twice the size of the largest fonts.
            let columns = font.character_size.width + font.character_spacing;
            let width = columns as usize * scale;
            let count = (240 / (font.character_size.height as usize * scale)).min(rows.len());
            let expected =
                rows[..count].iter().filter(|row| row.chars().count() * width + scale <= 320);
            let twins = twins(&glyphs);
            let as_read = |row: &String| -> String {
                row.chars().map(|letter| *twins.get(&letter).unwrap_or(&letter)).collect()
            };
            let expected: Vec<String> = expected.map(as_read).collect();
            assert!(!expected.is_empty());
            assert_eq!(read(&glyphs, &panel.frame), expected.join("\n"), "{name} x{scale}");
        }
    }
}

/// Returns the characters that look like an earlier one, with that one.
fn twins(glyphs: &Glyphs) -> std::collections::HashMap<char, char> {
    glyphs.fonts()[0].twins().iter().map(|(read, other)| (*other, *read)).collect()
}

/// Draws as the function `drawChar` of Adafruit GFX and the examples of font8x8 do.
#[test]
fn fonts_of_columns_and_rows_read_what_programs_draw() {
    let data = include_bytes!("../../fonts/adafruit-5x8.bin");
    let adafruit = |letter: u8, x: usize, y: usize| {
        x < 5 && data[2 + 5 * usize::from(letter) + x] >> y & 1 == 1
    };
    let square = |letter: u8, x: usize, y: usize| {
        font8x8::legacy::BASIC_LEGACY[usize::from(letter)][y] & 1 << x != 0
    };
    let text: Vec<u8> = b"Score: 4,207 @{Q}g".to_vec();
    for (name, width, is_ink) in [
        ("adafruit-5x7", 6, &adafruit as &dyn Fn(u8, usize, usize) -> bool),
        ("font8x8", 8, &square),
    ] {
        for scale in [1, 2] {
            let mut frame = Frame::filled(320, 40, GROUND);
            for (place, letter) in text.iter().enumerate() {
                for at in 0..width * 8 * scale * scale {
                    let (x, y) = (at % (width * scale), at / (width * scale));
                    if is_ink(*letter, x / scale, y / scale) {
                        frame.pixels_mut()[(y + 5) * 320 + 3 + place * width * scale + x] = INK;
                    }
                }
            }
            let found = read(&built_in(name).unwrap(), &frame);
            assert_eq!(found.as_bytes(), text, "{name} x{scale}");
        }
    }
}

proptest! {
    /// Bytes of any content end in a font or in an error.
    #[test]
    fn no_bytes_make_a_reader_panic(
        start in prop::sample::select(vec!["", "STARTFONT 2.1\nFONTBOUNDINGBOX 8 8 0 0\n", "\u{36}\u{4}"]),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        words in prop::collection::vec(
            prop::sample::select(vec![
                "BITMAP\n", "BBX 8 8 0 0\n", "FF\n", "BBX 4000 9 -90 70\n", "ENCODING 65\n", "DWIDTH 8 0\n",
                "uint8_t = {", "GFXglyph = {", "GFXfont = {", "0, ", "65, ", "-4, ", "}; ", "/*", "//", "*/",
            ]),
            0..40,
        ),
    ) {
        let mut text = start.to_owned();
        words.iter().for_each(|word| write!(text, "{word}").unwrap());
        let mut all = text.into_bytes();
        all.extend(&bytes);
        for name in ["a.bdf", "a.psf", "a.h", "a.png", "a"] {
            let _ = load(Path::new(name), &all, Some(Sheet { columns: 8, rows: 8, first: 0 }));
        }
        let mut psf = psf2(&[(T, "T")]);
        for (at, byte) in bytes.iter().take(40).enumerate() {
            if byte & 3 == 0 && at < psf.len() {
                psf[at] = *byte;
            }
        }
        let _ = load(Path::new("a.psf"), &psf, None);
    }
}
