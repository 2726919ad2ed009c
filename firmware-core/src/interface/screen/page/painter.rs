//! Drawing primitives of pages: text on flat background, cards, arrows, a tick. This module knows
//! no page.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use crate::interface::screen::font::Font;
use crate::interface::screen::text::{Line, pitch};
use crate::pins::present::{TextTarget, overlap};

/// Appearance of text: the font, the colour of the letters and of the background.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Type {
    pub(super) font: &'static Font,
    pub(super) ink: Rgb565,
    pub(super) ground: Rgb565,
}

impl Type {
    pub(super) const fn new(font: &'static Font, ink: Rgb565, ground: Rgb565) -> Self {
        Self { font, ink, ground }
    }

    /// Returns the number of characters that fit next to each other in `width` pixels.
    pub(super) const fn columns(&self, width: u32) -> usize {
        ((width + self.font.character_spacing) / pitch(self.font)) as usize
    }

    /// Returns the width of `text` in one line, in pixels.
    pub(super) fn width(&self, text: &str) -> u32 {
        self.line(text).size().width
    }

    /// Returns the height of `text` in pixels when it is broken into lines of `width` pixels.
    pub(super) fn height(&self, text: &str, width: u32) -> u32 {
        wrap(text, self.columns(width)).count() as u32 * self.font.character_size.height
    }

    const fn line<'a>(&self, text: &'a str) -> Line<'a> {
        Line { text, font: self.font, ink: self.ink, ground: self.ground }
    }
}

/// Alignment of lines in their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// Direction of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    Left,
    Right,
    Up,
    Down,
}

/// Number of rows of an arrow from its base to its tip; every row is two pixels narrower.
const ARROW: i32 = 5;

/// A target with drawing primitives.
pub(super) struct Painter<'a, D>(pub(super) &'a mut D);

impl<D: TextTarget> Painter<'_, D> {
    /// Returns whether any part of `area` would be drawn. A target is usually a small part of the
    /// panel.
    pub(super) fn sees(&self, area: &Rectangle) -> bool {
        overlap(area, &self.0.bounding_box()).is_some()
    }

    pub(super) fn fill(&mut self, area: Rectangle, colour: Rgb565) -> Result<(), D::Error> {
        self.0.fill_solid(&area, colour)
    }

    /// Draws a flat card with a rim and rounded corners; the pixels around it do not change.
    pub(super) fn card(
        &mut self,
        area: Rectangle,
        ground: Rgb565,
        rim: Rgb565,
    ) -> Result<(), D::Error> {
        // The corner pixels are left out.
        self.fill(inset(area, 1, 0), rim)?;
        self.fill(inset(area, 0, 1), rim)?;
        self.fill(inset(area, 1, 1), ground)
    }

    /// Draws one line in `area`, vertically centred.
    pub(super) fn line(
        &mut self,
        text: &str,
        kind: Type,
        align: Align,
        area: Rectangle,
    ) -> Result<(), D::Error> {
        if !self.sees(&area) {
            return Ok(());
        }
        let line = kind.line(text);
        let middle = line.centred_in(&area);
        let free = area.size.saturating_sub(line.size()).width as i32;
        let x = match align {
            Align::Left => area.top_left.x,
            Align::Centre => middle.top_left.x,
            Align::Right => area.top_left.x + free,
        };
        line.draw(Point::new(x, middle.top_left.y), self.0)
    }

    /// Draws text broken into lines, from the top of `area`.
    pub(super) fn block(
        &mut self,
        text: &str,
        kind: Type,
        align: Align,
        area: Rectangle,
    ) -> Result<(), D::Error> {
        if !self.sees(&area) {
            return Ok(());
        }
        let mut row = area;
        row.size.height = kind.font.character_size.height;
        let most = kind.columns(area.size.width);
        let columns = match align {
            Align::Left | Align::Right => most,
            Align::Centre => balanced(text, most),
        };
        for line in wrap(text, columns) {
            self.line(line, kind, align, row)?;
            row.top_left.y += row.size.height as i32;
        }
        Ok(())
    }

    /// Draws a triangle around `centre`.
    pub(super) fn arrow(
        &mut self,
        towards: Towards,
        centre: Point,
        colour: Rgb565,
    ) -> Result<(), D::Error> {
        for step in 0..ARROW {
            // Counted from the base; the tip is the last step.
            let (along, half) = (step - ARROW / 2, ARROW - 1 - step);
            let width = 2 * half as u32 + 1;
            let (offset, size) = match towards {
                Towards::Down => (Point::new(-half, along), Size::new(width, 1)),
                Towards::Up => (Point::new(-half, -along), Size::new(width, 1)),
                Towards::Right => (Point::new(along, -half), Size::new(1, width)),
                Towards::Left => (Point::new(-along, -half), Size::new(1, width)),
            };
            self.fill(Rectangle::new(centre + offset, size), colour)?;
        }
        Ok(())
    }

    /// Draws a check mark around `centre`, ten pixels wide.
    pub(super) fn tick(&mut self, centre: Point, colour: Rgb565) -> Result<(), D::Error> {
        /// Top of the stroke in each column: it falls three times and then rises.
        const TOPS: [i32; 10] = [0, 1, 2, 3, 2, 1, 0, -1, -2, -3];
        for (x, top) in (-5..).zip(TOPS) {
            let stroke = Rectangle::new(centre + Point::new(x, top - 1), Size::new(1, 3));
            self.fill(stroke, colour)?;
        }
        Ok(())
    }
}

/// Returns `area` without `columns` columns and `rows` rows at each side.
pub(super) fn inset(area: Rectangle, columns: u32, rows: u32) -> Rectangle {
    let margin = Size::new(columns, rows);
    Rectangle::new(area.top_left + margin, area.size.saturating_sub(margin * 2))
}

/// Splits `area` at column `x`, counted from its left edge.
pub(super) fn split(area: Rectangle, x: u32) -> (Rectangle, Rectangle) {
    let x = x.min(area.size.width);
    let left = Rectangle::new(area.top_left, Size::new(x, area.size.height));
    let right = Rectangle::new(
        area.top_left + Size::new(x, 0),
        Size::new(area.size.width - x, area.size.height),
    );
    (left, right)
}

/// Returns a strip of `height` rows, the full width of `area`, `from` rows below its top.
pub(super) fn strip(area: Rectangle, from: u32, height: u32) -> Rectangle {
    Rectangle::new(area.top_left + Size::new(0, from), Size::new(area.size.width, height))
}

/// Returns the fewest columns, at most `most`, in which `text` has no more lines than in `most`: a
/// last line of one short word below longer ones looks wrong.
fn balanced(text: &str, most: usize) -> usize {
    let lines = wrap(text, most).count();
    let longest = text.split(' ').map(str::len).max().unwrap_or(0);
    let fits = |columns: &usize| *columns >= longest && wrap(text, *columns).count() == lines;
    (1..most).rev().take_while(fits).last().unwrap_or(most)
}

/// Breaks `text` between words into lines of at most `columns` characters; a longer word is cut.
pub(super) fn wrap(text: &str, columns: usize) -> impl Iterator<Item = &str> {
    let columns = columns.max(1);
    let mut rest = text.trim();
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = match rest.as_bytes().get(..=columns) {
            Some(start) => start.iter().rposition(|byte| *byte == b' ').unwrap_or(columns),
            None => rest.len(),
        };
        // The words are ASCII; anything else ends the text.
        let (line, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after.trim_start();
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    #[track_caller]
    fn check(text: &str, columns: usize, lines: &[&str]) {
        assert_eq!(wrap(text, columns).collect::<Vec<_>>(), lines);
    }

    #[test]
    fn lines_break_between_words_within_their_width() {
        check("", 5, &[]);
        check("one two", 7, &["one two"]);
        check("one two", 6, &["one", "two"]);
        check("one two", 3, &["one", "two"]);
        check("one two three", 7, &["one two", "three"]);
        check(" one  two ", 3, &["one", "two"]);
    }

    #[test]
    fn lines_in_the_middle_are_about_equally_long() {
        for (text, most, columns) in [
            ("one two three four", 13, 10),
            ("one two", 7, 7),
            ("one two", 20, 7),
            ("seventeen of", 11, 9),
            ("seventeen", 5, 5),
            ("", 5, 1),
        ] {
            assert_eq!(balanced(text, most), columns, "{text:?} in {most}");
        }
    }

    #[test]
    fn a_word_that_is_longer_than_a_line_is_cut() {
        check("seventeen of", 5, &["seven", "teen", "of"]);
        check("ab", 0, &["a", "b"]);
    }
}
