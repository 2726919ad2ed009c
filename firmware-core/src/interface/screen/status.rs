//! The text of the status message box: one or two lines, centred cell by cell.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::style::Style;
use super::text::Line;
use super::theme;
use super::words::Lines;
use crate::interface::message::Message;

/// A message in words, and the colour in which it stands.
#[derive(PartialEq, Eq)]
pub(super) struct Text {
    lines: Lines,
    ink: Rgb565,
}

impl Text {
    pub(super) fn of(message: Message, style: &Style) -> Self {
        let ink = match message {
            Message::Refused(..)
            | Message::Stuck(_)
            | Message::StorageDamaged(_)
            | Message::NotStored
            | Message::NotYetYours(..)
            | Message::PlayOn(_)
            | Message::DemoOver(_)
            | Message::EditNothing => theme::INK_WARNING,
            Message::Turn(_)
            | Message::FreeTurn(_)
            | Message::Captured(_)
            | Message::Over(_)
            | Message::Abandoned(_)
            | Message::Coin(_)
            | Message::Thinking(..)
            | Message::Helping(_)
            | Message::HoldToLeave
            | Message::PressAgain
            | Message::Counted
            | Message::Advice
            | Message::EditTake
            | Message::EditPut => theme::INK,
        };
        Self { lines: style.words.lines(message), ink }
    }

    /// The parts of the box `area` in which `after` may look different: single characters
    /// where the lines are equally long, else the lines whole.
    pub(super) fn damage(&self, after: &Self, area: &Rectangle, mut report: impl FnMut(Rectangle)) {
        let (old, new) = (self.rows(area), after.rows(area));
        if old != new || self.ink != after.ink {
            let both = old.iter().chain(&new).filter(|row| !row.is_zero_sized());
            report(both.copied().reduce(around_both).unwrap_or(*area));
            return;
        }
        let cell = theme::TEXT_FONT.character_size;
        for ((row, before), after) in new.iter().zip(&self.lines).zip(&after.lines) {
            let pairs = before.chars().zip(after.chars());
            for (column, _) in (0i32..).zip(pairs).filter(|(_, (before, after))| before != after) {
                let offset = Point::new(column * cell.width as i32, 0);
                report(Rectangle::new(row.top_left + offset, cell));
            }
        }
    }

    pub(super) fn draw<D: DrawTarget<Color = Rgb565>>(
        &self,
        area: Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        target.fill_solid(&area, theme::MESSAGE_GROUND)?;
        for (text, row) in self.lines.iter().zip(self.rows(&area)) {
            self.line(text).draw(row.top_left, target)?;
        }
        Ok(())
    }

    /// Where the cells of the lines stand in the box.
    fn rows(&self, area: &Rectangle) -> [Rectangle; 2] {
        let height = theme::TEXT_FONT.character_size.height;
        let count = if self.lines[1].is_empty() { 1 } else { 2 };
        let top = area.top_left + Size::new(0, area.size.height.saturating_sub(count * height) / 2);
        let row = |nth: u32| {
            Rectangle::new(top + Size::new(0, nth * height), Size::new(area.size.width, height))
        };
        [0, 1].map(|nth| self.line(&self.lines[nth]).centred_in(&row(nth as u32)))
    }

    fn line<'a>(&self, text: &'a str) -> Line<'a> {
        Line { text, font: theme::TEXT_FONT, ink: self.ink, ground: theme::MESSAGE_GROUND }
    }
}

/// The smallest rectangle around two that are not empty.
fn around_both(one: Rectangle, two: Rectangle) -> Rectangle {
    let end = |area: &Rectangle| area.top_left + area.size;
    let (start, end) =
        (one.top_left.component_min(two.top_left), end(&one).component_max(end(&two)));
    Rectangle::new(start, Size::new((end.x - start.x) as u32, (end.y - start.y) as u32))
}
