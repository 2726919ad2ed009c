//! Text in proportional fonts: glyphs of different widths, with ink outside of their cells, and
//! glyphs that look the same.

use super::*;
use crate::text::{Shape, glyph_rows};
use ili9341_model::Tiles;

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// How the test fonts are made of the cells of a monospaced one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    /// Each glyph is as wide as its ink, and a column is between two glyphs.
    Tight,
    /// Some glyphs have a blank column at their left side.
    Uneven,
    /// Upper rows are moved to the right, out of the cell.
    Italic,
}

const STYLES: [Style; 3] = [Style::Tight, Style::Uneven, Style::Italic];

fn shapes(font: &MonoFont<'_>, style: Style, characters: &str) -> Vec<Shape> {
    let shape = |character: char| {
        let mut rows = glyph_rows(font, character);
        let all = rows.iter().fold(0, |all, row| all | row);
        rows.iter_mut().for_each(|row| *row >>= all.trailing_zeros() % 64);
        let width = (64 - all.leading_zeros()).saturating_sub(all.trailing_zeros() % 64);
        let left = i32::from(style == Style::Uneven && u32::from(character) % 3 == 0);
        if style == Style::Italic {
            let height = rows.len();
            rows.iter_mut().enumerate().for_each(|(nth, row)| *row <<= (height - nth) / 4);
        }
        Shape { character, rows, left, advance: width + 1 + left as u32 }
    };
    let space = Shape { character: ' ', rows: vec![], left: 0, advance: 4 };
    characters.chars().map(shape).chain([space]).collect()
}

fn font_of(shapes: &[Shape], scale: usize) -> Font {
    Font::from_shapes("own", scale as u32, shapes)
}

/// Returns the reader of a font at both sizes.
fn reader_of(shapes: &[Shape]) -> Reader {
    Reader::new(vec![font_of(shapes, 1), font_of(shapes, 2)])
}

/// Draws the ink of `text` with the pen at `x` and the font's topmost row at `y`; returns where the
/// pen ends.
fn put(
    frame: &mut Frame,
    shapes: &[Shape],
    (mut x, y): (i32, i32),
    scale: i32,
    ink: u32,
    text: &str,
) -> i32 {
    let (width, height) = (frame.width() as i32, frame.height() as i32);
    for letter in text.chars() {
        let shape = shapes.iter().find(|shape| shape.character == letter).unwrap();
        for (row, bits) in (0..).zip(&shape.rows) {
            for column in (0..64).filter(|column| bits >> column & 1 == 1) {
                let (left, top) = (x + (shape.left + column) * scale, y + row * scale);
                for at in 0..scale * scale {
                    let (x, y) = (left + at % scale, top + at / scale);
                    if (0..width).contains(&x) && (0..height).contains(&y) {
                        frame.pixels_mut()[(y * width + x) as usize] = ink;
                    }
                }
            }
        }
        x += shape.advance as i32 * scale;
    }
    x
}

fn blank() -> Frame {
    Frame::filled(320, 240, 0x0010_2030)
}

const YELLOW: u32 = 0x00FF_D040;

/// Returns the text that is read of `text` at `place`.
fn read_back(shapes: &[Shape], place: (i32, i32), scale: i32, text: &str) -> String {
    let mut frame = blank();
    put(&mut frame, shapes, place, scale, YELLOW, text);
    reader_of(shapes).read(&frame).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    /// Words of letters and digits, drawn anywhere in any colours, are read back exactly.
    #[test]
    fn words_of_a_proportional_font_are_read_back(
        base in 0..FONTS.len(),
        style in prop::sample::select(STYLES.to_vec()),
        words in proptest::collection::vec("[A-Za-z0-9]{1,7}( {1,3}[A-Za-z0-9]{1,6}){0,2}", 1..5),
        place in (0..40_i32, 0..20_i32),
        scale in 1..3_i32,
        ground in 0..0x0100_0000_u32,
        ink in 0..0x0100_0000_u32,
    ) {
        prop_assume!(ink != ground);
        let shapes = shapes(FONTS[base].1, style, LETTERS);
        let mut frame = Frame::filled(320, 240, ground);
        let height = shapes[0].rows.len() as i32 + 1;
        for (row, text) in (0..).zip(&words) {
            put(&mut frame, &shapes, (place.0, place.1 + row * height * scale), scale, ink, text);
        }
        let screen = reader_of(&shapes).read(&frame);
        // Italic ink is up to five columns after the pen.
        let end = |text| pen_after(&shapes, text, scale) + place.0 + 5 * scale;
        prop_assume!(words.iter().all(|text| end(text) <= 320));
        prop_assert_eq!(texts(&screen), words.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert!(screen.contains(&words.join(" ")));
        prop_assert!(screen.lines.iter().all(|line| line.font == scale as usize - 1));
        for line in &screen.lines {
            prop_assert_eq!(screen.within(line.area()).to_string(), line.text.as_str());
        }
    }

    /// Any printable text is read as a text that is drawn with the same pixels and is not longer.
    #[test]
    fn what_is_read_is_drawn_alike(
        base in 0..FONTS.len(),
        style in prop::sample::select(STYLES.to_vec()),
        text in "[A-Za-z][!-~]{0,8}( [!-~]{1,5}){0,2}[A-Za-z]",
    ) {
        let shapes = shapes(FONTS[base].1, style, &printable());
        let mut frame = blank();
        put(&mut frame, &shapes, (20, 30), 1, YELLOW, &text);
        let screen = reader_of(&shapes).read(&frame);
        prop_assert_eq!(screen.lines.len(), 1, "{:?}", screen);
        let mut again = blank();
        let read = &screen.lines[0].text;
        let first = shapes.iter().find(|shape| read.starts_with(shape.character)).unwrap();
        let all = first.rows.iter().fold(0, |all, row| all | row);
        let pen = screen.lines[0].x as i32 - first.left - all.trailing_zeros() as i32;
        put(&mut again, &shapes, (pen, 30), 1, YELLOW, read);
        prop_assert!(again.pixels() == frame.pixels(), "{} is read as {}", text, read);
        prop_assert!(read.chars().count() <= text.chars().count());
    }

    /// Random dots of two colours have no words.
    #[test]
    fn noise_has_no_words(seed: u64, base in 0..FONTS.len(), style in prop::sample::select(STYLES.to_vec())) {
        let mut random = Random::new(seed);
        let mut frame = Frame::filled(160, 128, 0);
        frame.pixels_mut().iter_mut().for_each(|pixel| *pixel = random.below(2) as u32);
        let screen = reader_of(&shapes(FONTS[base].1, style, &printable())).read(&frame);
        prop_assert!(screen.lines.iter().all(|line| line.text.len() < 3), "{}", screen);
    }

    /// Reading only what has changed gives the same text as reading all.
    #[test]
    fn changed_text_is_read_again(
        style in prop::sample::select(STYLES.to_vec()),
        texts in proptest::collection::vec(
            ("[A-Za-z0-9 ]{1,9}", -4..300_i32, -4..236_i32, 1..3_i32, any::<bool>()), 1..9,
        ),
    ) {
        let shapes = shapes(FONTS[0].1, style, &printable());
        let reader = reader_of(&shapes);
        let (mut before, mut reading) = (blank(), reader.read_blank());
        for (text, x, y, scale, is_ink) in texts {
            let mut frame = before.clone();
            put(&mut frame, &shapes, (x, y), scale, if is_ink { YELLOW } else { 0x0010_2030 }, &text);
            let changed = Tiles::changed(&before, &frame).unwrap();
            reading = reader.read_again(reading, &frame, &changed);
            prop_assert_eq!(reading.screen(), &reader.read(&frame));
            before = frame;
        }
    }
}

fn pen_after(shapes: &[Shape], text: &str, scale: i32) -> i32 {
    let advance = |letter| shapes.iter().find(|shape| shape.character == letter).unwrap().advance;
    text.chars().map(|letter| advance(letter) as i32 * scale).sum()
}

/// Returns shapes whose ink is one bar of four rows: `width` columns, and the advance.
fn bars(all: &[(char, u64, u32)]) -> Vec<Shape> {
    let bar = |&(character, ink, advance): &(char, u64, u32)| Shape {
        character,
        rows: vec![ink; 4],
        left: 0,
        advance,
    };
    all.iter().map(bar).collect()
}

/// `o` is a ring; `I` and `l` are the same bar, and `I` is wider.
fn ring_and_bars() -> Vec<Shape> {
    let ring = |character| Shape {
        character,
        rows: vec![0b111, 0b101, 0b101, 0b111],
        left: 0,
        advance: 4,
    };
    let mut all = bars(&[('I', 1, 3), ('l', 1, 2), (' ', 0, 3)]);
    all.extend([ring('O'), ring('o')]);
    all.push(Shape { character: 'n', rows: vec![0, 0b111, 0b101, 0b101], left: 0, advance: 4 });
    all
}

#[test]
fn of_characters_that_look_alike_the_neighbours_decide() {
    let shapes = ring_and_bars();
    let read = |text| read_back(&shapes, (20, 20), 1, text);
    // The width of the bar decides where another character follows.
    assert_eq!(read("nIn"), "nIn");
    assert_eq!(read("nln"), "nln");
    // At the end, and for the rings, the case of the neighbours does.
    assert_eq!(read("nl"), "nl");
    assert_eq!(read("nl no"), "nl no");
    assert_eq!(read("no"), "no");
    assert_eq!(read("IOI"), "IOI");
    // Without a neighbour the first in the font is read.
    assert_eq!(read("o"), "O");
}

#[test]
fn one_character_is_read_instead_of_two_with_the_same_pixels() {
    let mut shapes = ring_and_bars();
    // Two bars, as `l` followed by `l`, and a bar that is no letter.
    shapes.extend(bars(&[('"', 0b101, 4)]));
    shapes.insert(0, Shape { character: '|', rows: vec![1; 4], left: 0, advance: 2 });
    assert_eq!(read_back(&shapes, (20, 20), 1, "nln"), "nln");
    assert_eq!(read_back(&shapes, (20, 20), 1, "nlln"), "n\"n");
    assert_eq!(read_back(&shapes, (20, 20), 1, "n\"n"), "n\"n");
}

#[test]
fn rectangles_alone_are_no_text() {
    let shapes = ring_and_bars();
    assert_eq!(read_back(&shapes, (20, 20), 1, "Ill"), "");
    assert_eq!(read_back(&shapes, (20, 20), 1, "Illn"), "Illn");
}

#[test]
fn a_space_has_its_width_and_four_split_a_line() {
    let shapes = ring_and_bars();
    for spaces in 1..4 {
        let text = format!("no{}on", " ".repeat(spaces));
        assert_eq!(read_back(&shapes, (20, 20), 2, &text), text);
    }
    assert_eq!(read_back(&shapes, (20, 20), 1, "no    on"), "no  on", "two lines side by side");
    // A gap that no number of spaces explains.
    let mut frame = blank();
    let x = put(&mut frame, &shapes, (20, 20), 1, YELLOW, "no");
    put(&mut frame, &shapes, (x + 4, 20), 1, YELLOW, "on");
    assert_eq!(texts(&reader_of(&shapes).read(&frame)), ["no", "on"]);
}

#[test]
fn glyphs_in_two_colours_are_two_lines() {
    let shapes = shapes(&ascii::FONT_9X15, Style::Tight, LETTERS);
    let mut frame = blank();
    let x = put(&mut frame, &shapes, (20, 20), 1, YELLOW, "Score");
    put(&mut frame, &shapes, (x, 20), 1, 0x00FF_FFFF, "120");
    let screen = reader_of(&shapes).read(&frame);
    assert_eq!(texts(&screen), ["Score", "120"]);
    assert!(screen.contains("Score 120"));
}

#[test]
fn a_glyph_that_touches_a_shape_is_not_read() {
    let shapes = shapes(&ascii::FONT_9X15, Style::Tight, LETTERS);
    let mut frame = blank();
    put(&mut frame, &shapes, (20, 20), 1, YELLOW, "Hold");
    // The stem of the `H` begins in row 3 of its cell.
    let top = (20..40).find(|y| frame.pixels()[y * 320 + 20] == YELLOW).unwrap();
    frame.pixels_mut()[top * 320 + 19] = YELLOW;
    assert_eq!(texts(&reader_of(&shapes).read(&frame)), ["old"]);
    frame.pixels_mut()[top * 320 + 19] = 7;
    assert_eq!(texts(&reader_of(&shapes).read(&frame)), ["Hold"], "another colour");
    // Another colour in a cell.
    frame.pixels_mut()[(top + 2) * 320 + 23] = 7;
    assert_eq!(texts(&reader_of(&shapes).read(&frame)), ["old"]);
}

#[test]
fn text_at_the_edges_of_the_frame_is_read() {
    let shapes = shapes(&ascii::FONT_6X13_BOLD, Style::Tight, LETTERS);
    let rows = shapes[0].rows.iter();
    let top = rows.clone().take_while(|row| **row == 0).count() as i32;
    let end = top + rows.skip(top as usize).take_while(|row| **row != 0).count() as i32;
    let width = pen_after(&shapes, "BOX", 1) - 1;
    for (x, y) in [(0, -top), (0, 240 - end), (320 - width, -top), (320 - width, 240 - end)] {
        assert_eq!(read_back(&shapes, (x, y), 1, "BOX"), "BOX", "{x},{y}");
    }
    assert_eq!(read_back(&shapes, (-1, 20), 1, "BOX"), "OX", "the B is cut");
}

#[test]
fn a_region_contains_the_characters_whose_ink_is_inside() {
    let shapes = shapes(&ascii::FONT_6X10, Style::Tight, LETTERS);
    let mut frame = blank();
    put(&mut frame, &shapes, (20, 20), 1, YELLOW, "Time left");
    let screen = reader_of(&shapes).read(&frame);
    let [line] = &screen.lines[..] else { panic!("{screen:?}") };
    assert_eq!(line.places.len(), line.text.chars().count());
    let columns = |start: usize, end: usize| {
        let (x, width) = (start as u16, (end - start) as u16);
        screen.within(Region { x, y: 0, width, height: 240 }).to_string()
    };
    let (first, last) = (line.places[0].start, line.places[8].end);
    assert_eq!(columns(first, last), "Time left");
    assert_eq!(columns(first + 1, last), "ime left");
    assert_eq!(columns(line.places[3].start + 1, last), "left", "without the space before it");
    assert_eq!(columns(first, line.places[5].start), "Time");
}
