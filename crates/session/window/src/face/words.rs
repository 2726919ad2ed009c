//! Bitmap text for the surroundings of the board, in any script that the fonts have. Other scripts
//! are transliterated. This module knows no board.

use embedded_graphics::geometry::{OriginDimensions, Point};
use embedded_graphics::image::GetPixel;
use embedded_graphics::mono_font::{
    MonoFont, iso_8859_1, iso_8859_2, iso_8859_5, iso_8859_7, iso_8859_9, iso_8859_13,
};
use embedded_graphics::pixelcolor::BinaryColor;
use ili9341_model::Frame;

use super::lettering;

/// Fonts of one size, one for each script.
type Scripts = [&'static MonoFont<'static>; 6];

const SMALL: Scripts = [
    &iso_8859_1::FONT_6X10,
    &iso_8859_2::FONT_6X10,
    &iso_8859_5::FONT_6X10,
    &iso_8859_7::FONT_6X10,
    &iso_8859_9::FONT_6X10,
    &iso_8859_13::FONT_6X10,
];
const MIDDLE: Scripts = [
    &iso_8859_1::FONT_9X15,
    &iso_8859_2::FONT_9X15,
    &iso_8859_5::FONT_9X15,
    &iso_8859_7::FONT_9X15,
    &iso_8859_9::FONT_9X15,
    &iso_8859_13::FONT_9X15,
];
const LARGE: Scripts = [
    &iso_8859_1::FONT_10X20,
    &iso_8859_2::FONT_10X20,
    &iso_8859_5::FONT_10X20,
    &iso_8859_7::FONT_10X20,
    &iso_8859_9::FONT_10X20,
    &iso_8859_13::FONT_10X20,
];

/// A size of letters. All letters of a size have the same width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Words {
    scripts: Scripts,
    scale: usize,
}

impl Words {
    /// Returns a readable size beside a board drawn with `unit` window pixels a unit.
    pub(super) fn beside(unit: f32) -> Self {
        match unit {
            unit if unit < 1.7 => Self { scripts: SMALL, scale: 1 },
            unit if unit < 2.6 => Self { scripts: MIDDLE, scale: 1 },
            unit => Self { scripts: LARGE, scale: ((unit / 2.6) as usize).max(1) },
        }
    }

    /// Returns the next smaller size, if there is one.
    pub(super) fn smaller(self) -> Option<Self> {
        match self {
            Self { scale: 2.., .. } => Some(Self { scale: self.scale - 1, ..self }),
            Self { scripts, .. } if scripts == LARGE => Some(Self { scripts: MIDDLE, scale: 1 }),
            Self { scripts, .. } if scripts == MIDDLE => Some(Self { scripts: SMALL, scale: 1 }),
            _ => None,
        }
    }

    /// Returns the width of a letter in pixels, including the space after it.
    pub(super) fn advance(self) -> usize {
        self.scripts[0].character_size.width as usize * self.scale
    }

    /// Returns the distance from line to line, in pixels.
    pub(super) fn line(self) -> usize {
        (self.scripts[0].character_size.height as usize + 1) * self.scale
    }

    /// Returns the number of letters that fit into `width` pixels.
    pub(super) fn letters(self, width: usize) -> usize {
        width / self.advance()
    }

    /// Writes `text` with its upper left corner at `x`, `y`. Text beyond `width` pixels is
    /// replaced by two points.
    pub(super) fn write(
        self,
        on: &mut Frame,
        (x, y): (usize, usize),
        width: usize,
        text: &str,
        rgb: u32,
    ) {
        let text = self.readable(text);
        let room = self.letters(width);
        let cut = text.chars().count() > room;
        let kept = if cut { room.saturating_sub(2) } else { room };
        let points = if cut { ".." } else { "" };
        for (at, letter) in text.chars().take(kept).chain(points.chars().take(room)).enumerate() {
            self.letter(on, (x + at * self.advance(), y), letter, rgb);
        }
    }

    /// Returns `text` in letters that the fonts have.
    pub(super) fn readable(self, text: &str) -> String {
        transliterated(text, |letter| self.script_of(letter).is_some())
    }

    fn script_of(self, letter: char) -> Option<&'static MonoFont<'static>> {
        let mut scripts = self.scripts.into_iter();
        scripts.find(|font| {
            letter == '?' || font.glyph_mapping.index(letter) != font.glyph_mapping.index('?')
        })
    }

    fn letter(self, on: &mut Frame, (left, top): (usize, usize), letter: char, rgb: u32) {
        let Some(font) = self.script_of(letter) else { return };
        let index = font.glyph_mapping.index(letter);
        let size = font.character_size;
        let columns = (font.image.size().width / size.width).max(1) as usize;
        let (glyph_x, glyph_y) =
            (index % columns * size.width as usize, index / columns * size.height as usize);
        let (width, height) = (on.width(), on.height());
        for y in 0..size.height as usize * self.scale {
            for x in 0..size.width as usize * self.scale {
                let at = Point::new(
                    (glyph_x + x / self.scale) as i32,
                    (glyph_y + y / self.scale) as i32,
                );
                let (x, y) = (left + x, top + y);
                if x < width && y < height && font.image.pixel(at) == Some(BinaryColor::On) {
                    on.pixels_mut()[y * width + x] = rgb;
                }
            }
        }
    }
}

/// Returns `text` in letters that the board's lettering has.
pub(super) fn latin(text: &str) -> String {
    transliterated(text, |letter| lettering::can_write(letter.encode_utf8(&mut [0; 4])))
}

/// Replaces letters that cannot be written with their transliteration, or with their code point if
/// they have none.
fn transliterated(text: &str, can_write: impl Fn(char) -> bool) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match deunicode::deunicode_char(letter) {
            _ if letter.is_control() => written.push(' '),
            _ if can_write(letter) => written.push(letter),
            Some(letters) if !letters.is_empty() && letters.chars().all(&can_write) => {
                written.push_str(letters);
            }
            _ => written += &format!("U+{:04X}", u32::from(letter)),
        }
    }
    written
}

/// Breaks `text` into at most `most` lines of at most `letters` letters, at blanks where possible.
pub(super) fn wrapped(text: &str, letters: usize, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        while let Some(line) = lines.last_mut() {
            let used = line.chars().count();
            let gap = usize::from(used > 0);
            if used + gap + rest.len() <= letters || letters == 0 {
                line.extend(std::iter::repeat_n(' ', gap));
                line.extend(rest);
                break;
            }
            if used == 0 {
                line.extend(rest.drain(..letters));
            }
            lines.push(String::new());
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let kept: String = last.chars().take(letters.saturating_sub(2)).collect();
            *last = kept + "..";
        }
    }
    lines
}

/// Cuts `text` into at most `most` lines of at most `letters` letters. All blanks stay, because a
/// compiler aligns its lines with them.
pub(super) fn cut(text: &str, letters: usize, most: usize) -> Vec<String> {
    let text: Vec<char> = text.trim_end().chars().collect();
    text.chunks(letters.max(1)).take(most).map(|line| line.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_scripts_are_never_drawn_as_boxes() {
        let words = Words::beside(1.0);
        assert_eq!(words.readable("Игра é Ω ł"), "Игра é Ω ł");
        assert_eq!(words.readable("北京"), "Bei Jing ");
        assert_eq!(words.readable("\u{E000}"), "U+E000");
        assert_eq!(latin("Игра"), "Igra");
        assert_eq!(latin("Spiel-é"), "Spiel-e");
        let drawn = |text| {
            let mut frame = Frame::filled(40, 12, 0);
            words.write(&mut frame, (0, 0), 40, text, 0xFF_FFFF);
            frame
        };
        assert_ne!(drawn("Ж"), drawn("?"));
        assert_ne!(drawn("Ж"), drawn(" "));
        assert_eq!(drawn("1234567890"), drawn("1234.."));
    }

    #[test]
    fn a_text_is_broken_at_blanks_and_cut_after_its_last_line() {
        assert_eq!(wrapped("the firmware stopped", 12, 9), ["the firmware", "stopped"]);
        assert_eq!(wrapped("abcdefgh ij", 3, 9), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("one two three four", 5, 2), ["one", "two.."]);
        assert_eq!(wrapped("one", 0, 2), ["one"]);
    }

    #[test]
    fn a_compilers_line_keeps_its_blanks() {
        assert_eq!(cut("  |  ^^ here ", 20, 9), ["  |  ^^ here"]);
        assert_eq!(cut("  | abcdef", 5, 9), ["  | a", "bcdef"]);
        assert_eq!(cut("abcdef", 2, 2), ["ab", "cd"]);
        assert_eq!(cut("abc", 0, 2), ["a", "b"]);
        assert!(cut(" ", 5, 9).is_empty());
    }
}
