//! The board's silk-screen lettering: a stroke font, as plotters and PCB tools have, so it
//! is sharp at every scale. Capital letters only; small ones are written as capitals.
//!
//! A glyph is a few lines on a grid of half units: x from 0 (left), y from 0 (cap height)
//! to 12 (baseline), each point two digits in base 36. Bends of 60° or less are rounded
//! when drawn, so an eight-cornered O comes out round.

use super::painter::{Paint, Painter, Point};

/// Height of a capital, in units, measured between stroke centres.
pub(super) const CAP_HEIGHT: f32 = 6.0;
/// Distance from line to line, in units.
pub(super) const LINE_HEIGHT: f32 = 11.0;
/// Distance between two glyphs, in half units.
pub(super) const SPACING: u32 = 4;
/// Width of a stroke in units: a little more than a pixel at scale 1.
pub(super) const STROKE: f32 = 1.25;

/// Letter, width in half units, and lines of each glyph.
pub(super) const GLYPHS: &[(char, u32, &str)] = &[
    (' ', 3, ""),
    ('A', 8, "0c033050838c 0787"),
    ('B', 8, "06006082846606 66888a6c0c06"),
    ('C', 8, "826020020a2c6c8a"),
    ('D', 8, "06005083895c0c06"),
    ('E', 8, "80000c8c 0666"),
    ('F', 8, "80000c 0666"),
    ('G', 8, "826020020a2c6c8a8757"),
    ('H', 8, "000c 808c 0686"),
    ('I', 4, "0040 202c 0c4c"),
    ('J', 8, "808a6c2c0a09"),
    ('K', 8, "000c 8008 358c"),
    ('L', 8, "000c8c"),
    ('M', 8, "0c0045808c"),
    ('N', 8, "0c008c80"),
    ('O', 8, "06022060828a6c2c0a06"),
    ('P', 8, "0c006082856707"),
    ('Q', 8, "06022060828a6c2c0a06 598c"),
    ('R', 8, "0c006082856707 478c"),
    ('S', 8, "82602002042666888a6c2c0a"),
    ('T', 8, "0080 404c"),
    ('U', 8, "000a2c6c8a80"),
    ('V', 8, "004c80"),
    ('W', 8, "002c446c80"),
    ('X', 8, "008c 800c"),
    ('Y', 8, "004680 464c"),
    ('Z', 8, "00800c8c"),
    ('0', 8, "06022060828a6c2c0a06 2963"),
    ('1', 6, "0230 303c 0c6c"),
    ('2', 8, "0220608284 840c8c"),
    ('3', 8, "022060828466 66888a6c2c0a 3666"),
    ('4', 8, "6c600888"),
    ('5', 8, "80000565878a6c2c0a"),
    ('6', 8, "7040040a2c6c8a87652507"),
    ('7', 8, "00803c"),
    ('8', 8, "2604022060828466 2666888a6c2c0a0826"),
    ('9', 8, "1c4c888260200205276785"),
    ('.', 1, "0b1b1c0c0b"),
    (',', 2, "1c0e"),
    (':', 1, "0303 0a0a"),
    (';', 2, "1414 1b0d"),
    ('-', 6, "0666"),
    ('+', 8, "0686 424a"),
    ('=', 8, "0484 0888"),
    ('_', 8, "0c8c"),
    ('/', 6, "0c60"),
    ('\\', 6, "006c"),
    ('|', 1, "000e"),
    ('[', 3, "30000c3c"),
    (']', 3, "00303c0c"),
    ('(', 3, "3003093c"),
    (')', 3, "0033390c"),
    ('<', 6, "61066b"),
    ('>', 6, "01660b"),
    ('\'', 1, "0003"),
    ('`', 2, "0022"),
    ('"', 4, "0003 4043"),
    ('#', 8, "212b 616b 0484 0888"),
    ('*', 8, "424a 0488 0884"),
    ('!', 1, "0008 0c0c"),
    ('?', 8, "022060828447 4748 4c4c"),
    ('%', 8, "0c80 0030330300 59898c5c59"),
    ('~', 8, "07256785"),
    ('^', 8, "044084"),
    ('×', 6, "0369 0963"),
    ('·', 1, "0606"),
];

/// Replacement for a letter that is not in the font: an empty box.
const UNKNOWN: (char, u32, &str) = ('\u{FFFD}', 8, "00808c0c00");

/// Returns whether the font has every letter of `text`.
pub(super) fn can_write(text: &str) -> bool {
    text.chars().all(|letter| glyph(letter) != UNKNOWN)
}

fn glyph(letter: char) -> (char, u32, &'static str) {
    let capital = letter.to_ascii_uppercase();
    GLYPHS.iter().copied().find(|(known, ..)| *known == capital).unwrap_or(UNKNOWN)
}

/// Returns the width of `text` in units, between the outermost stroke centres.
pub(super) fn width(text: &str) -> f32 {
    let halves: u32 = text.chars().map(|letter| glyph(letter).1 + SPACING).sum();
    halves.saturating_sub(SPACING) as f32 / 2.0
}

/// Returns `text` if it is at most `limit` units wide, otherwise the longest beginning of it that
/// fits with `..` appended.
pub(super) fn fitted(text: &str, limit: f32) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let mut kept: String = text.to_owned();
    while kept.pop().is_some() {
        let shortened = format!("{}..", kept.trim_end());
        if width(&shortened) <= limit {
            return shortened;
        }
    }
    String::new()
}

/// Returns `text` and the size of its letters, of which a unit is `unit` pixels wide, that fit into
/// `limit` pixels: the full size, or a smaller one, or the beginning of the text in that one.
pub(super) fn shrunk(text: &str, limit: f32, unit: f32) -> (String, f32) {
    // The strokes of the outermost letters are half a unit wider than their centres.
    let fits = |size: f32| (width(text) + 1.0) * size <= limit;
    match [unit, SMALL * unit].into_iter().find(|size| fits(*size)) {
        Some(size) => (text.to_owned(), size),
        None => (fitted(text, limit / (SMALL * unit) - 1.0), SMALL * unit),
    }
}

/// Size of small letters, as a share of the usual size.
const SMALL: f32 = 0.75;

/// Horizontal position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Center,
}

/// Writes `text` with the top of its capitals at `at.1`, drawn with `unit` pixels a unit. If
/// `unit` is a whole number, stroke centres are pixel centres.
pub(super) fn write(
    painter: &mut Painter<'_>,
    at: Point,
    align: Align,
    text: &str,
    unit: f32,
    paint: Paint,
) {
    let left = match align {
        Align::Left => at.0,
        Align::Center => (at.0 - (width(text) + 1.0) * unit / 2.0).round(),
    };
    let mut pen = left + unit / 2.0;
    let top = at.1 + unit / 2.0;
    for letter in text.chars() {
        let (_, wide, lines) = glyph(letter);
        for line in lines.split(' ') {
            let points: Vec<Point> =
                pairs(line).map(|(x, y)| (pen + x * unit / 2.0, top + y * unit / 2.0)).collect();
            painter.stroke(&rounded(&rounded(&points)), STROKE * unit, paint);
        }
        pen += (wide + SPACING) as f32 * unit / 2.0;
    }
}

fn pairs(line: &str) -> impl Iterator<Item = (f32, f32)> {
    let digit = |byte: u8| char::from(byte).to_digit(36).unwrap_or(0) as f32;
    line.as_bytes().chunks_exact(2).map(move |pair| (digit(pair[0]), digit(pair[1])))
}

/// Cuts each gentle bend at a quarter of the segments on both sides of it (Chaikin). Sharp corners
/// stay.
fn rounded(points: &[Point]) -> Vec<Point> {
    let between =
        |a: Point, b: Point, share: f32| (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
    let mut smooth = Vec::with_capacity(points.len() * 2);
    for (at, &point) in points.iter().enumerate() {
        let (Some(&before), Some(&after)) =
            (at.checked_sub(1).and_then(|before| points.get(before)), points.get(at + 1))
        else {
            smooth.push(point);
            continue;
        };
        let (ax, ay) = (point.0 - before.0, point.1 - before.1);
        let (bx, by) = (after.0 - point.0, after.1 - point.1);
        let cosine = (ax * bx + ay * by) / (ax.hypot(ay) * bx.hypot(by)).max(f32::EPSILON);
        if cosine >= 0.49 {
            smooth.extend([between(point, before, 0.25), between(point, after, 0.25)]);
        } else {
            smooth.push(point);
        }
    }
    smooth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_glyph_is_made_of_points_on_the_grid() {
        for &(letter, wide, lines) in GLYPHS {
            for line in lines.split(' ').filter(|line| !line.is_empty()) {
                assert!(line.len() >= 4 && line.len() % 2 == 0, "{letter}: {line}");
                for (x, y) in pairs(line) {
                    assert!(x <= wide as f32 && y <= 14.0, "{letter}: {x},{y}");
                }
            }
        }
    }

    #[test]
    fn a_text_that_is_too_wide_ends_in_two_points() {
        assert_eq!(fitted("WIN.TRACE", 100.0), "WIN.TRACE");
        let cut = fitted("a-very-long-name.trace", 60.0);
        assert!(cut.ends_with("..") && width(&cut) <= 60.0, "{cut}");
        assert_eq!(fitted("WIDE", 0.0), "");
    }

    #[test]
    fn every_key_and_name_can_be_written() {
        for key in live::keymap::Key::all() {
            assert!(can_write(key.name()), "{key}");
        }
        assert!(!can_write("é"));
    }
}
