//! The label of a place, with the marks of the last move: brackets where it began, a plate behind
//! the letters where its last stone fell. Their shapes differ from each other, from the dash and
//! from every rim, so they need no other colour. This module knows neither view nor layout.

use embedded_graphics::geometry::Size;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::text::{Line, centred};
use super::theme::{self, LABEL_FONT};
use crate::pins::present::TextTarget;

/// Length of the longest label of a cup in characters: `#6`, `12`, `--`.
const CHARACTERS: u32 = 2;
/// Margin in pixels between the letters and each end of their plate: without it a letter merges
/// with the ground beside the plate.
const MARGIN: u32 = 2;
/// Width in pixels of the plate behind up to this many characters.
const PLATE: u32 = if CHARACTERS * LABEL_FONT.character_size.width + 2 * MARGIN > 24 {
    CHARACTERS * LABEL_FONT.character_size.width + 2 * MARGIN
} else {
    24
};
/// Size of a bracket in pixels.
const BRACKET: Size = Size::new(5, 14);
/// Thickness of its lines in pixels.
const LINE: u32 = 2;
/// Gap in pixels between a bracket and the plate.
const GAP: u32 = 2;

/// A label with its marks.
pub(super) struct Tag {
    /// Letters; may be empty.
    pub(super) text: &'static str,
    /// Colour of the letters and the marks.
    pub(super) ink: Rgb565,
    /// Whether the last move began here.
    pub(super) began: bool,
    /// Whether the last stone of the last move fell here.
    pub(super) ended: bool,
}

impl Tag {
    /// Returns the position of the letters of a label in its strip `area`, with the plate behind
    /// them.
    pub(super) fn plate(&self, area: &Rectangle) -> Rectangle {
        let width = self.line(theme::GROUND).size().width;
        centred(Size::new((width + 2 * MARGIN).max(PLATE), area.size.height), area)
    }

    /// Returns the positions of the brackets of a cup's label in its strip `area`.
    pub(super) fn brackets(area: &Rectangle) -> [Rectangle; 2] {
        let both = centred(Size::new(PLATE + 2 * (GAP + BRACKET.width), BRACKET.height), area);
        let right = both.size.width.saturating_sub(BRACKET.width);
        [0, right].map(|x| Rectangle::new(both.top_left + Size::new(x, 0), BRACKET))
    }

    /// Draws the strip `area`.
    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        target.fill_solid(&area, theme::GROUND)?;
        if self.began {
            self.draw_brackets(&area, target)?;
        }
        let mut line = self.line(theme::GROUND);
        if self.ended {
            target.fill_solid(&self.plate(&area), self.ink)?;
            (line.ink, line.ground) = (line.ground, line.ink);
        }
        line.draw(line.centred_in(&area).top_left, target)
    }

    fn draw_brackets<D: TextTarget>(
        &self,
        area: &Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        let [left, right] = Self::brackets(area);
        for (bracket, back) in [(left, 0), (right, BRACKET.width - LINE)] {
            let lines = [
                (back, 0, LINE, BRACKET.height),
                (0, 0, BRACKET.width, LINE),
                (0, BRACKET.height - LINE, BRACKET.width, LINE),
            ];
            for (x, y, width, height) in lines {
                let place = bracket.top_left + Size::new(x, y);
                target.fill_solid(&Rectangle::new(place, Size::new(width, height)), self.ink)?;
            }
        }
        Ok(())
    }

    fn line(&self, ground: Rgb565) -> Line<'static> {
        Line { text: self.text, font: LABEL_FONT, ink: self.ink, ground }
    }
}

#[cfg(test)]
mod tests {
    use embedded_graphics::geometry::Point;

    use super::*;
    use crate::game::systems::SYSTEMS;

    #[test]
    fn a_plate_has_a_margin_on_both_sides_of_every_label() {
        let strip = Rectangle::new(Point::new(40, 30), Size::new(60, 18));
        for system in SYSTEMS {
            let style = system.style();
            let labels = style.labels.iter().flatten().chain(&style.stores).chain(&["--"]);
            for text in labels {
                let tag = Tag { text, ink: theme::INK, began: false, ended: true };
                let letters = tag.line(theme::GROUND).centred_in(&strip);
                let plate = tag.plate(&strip);
                let left = letters.top_left.x - plate.top_left.x;
                let right = (plate.top_left + plate.size - letters.top_left - letters.size).x;
                assert!(left >= MARGIN as i32 && right >= MARGIN as i32, "{text}: {left}, {right}");
            }
        }
    }
}
