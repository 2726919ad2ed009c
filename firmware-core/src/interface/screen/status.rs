//! The text of the status message box: one or two lines, centred cell by cell.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::bar::{self, BAR};
use super::font::Font;
use super::style::Style;
use super::text::{Line, centred};
use super::theme;
use super::words::Lines;
use crate::interface::message::Message;
use crate::pins::present::{Inks, TextTarget};

/// A message as text, and its colour.
#[derive(PartialEq, Eq)]
pub(super) struct Text {
    lines: Lines,
    ink: Rgb565,
    second: Second,
}

/// Content of the second line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Second {
    /// Text as large as the first line, or empty.
    Large,
    /// Text with more characters in smaller letters.
    Small,
    /// The bar of RESET, with this number of steps.
    Bar(u8),
}

impl Text {
    /// Returns the colour of `message`.
    const fn ink(message: Message) -> Rgb565 {
        match message {
            Message::Refused(..)
            | Message::Stuck(_)
            | Message::StorageDamaged(_)
            | Message::NotStored
            | Message::NoChord
            | Message::NotYetYours(..)
            | Message::PlayOn(_)
            | Message::DemoOver(_)
            | Message::EditNothing => theme::INK_WARNING,
            Message::Turn(_)
            | Message::TurnHint(_)
            | Message::Holding(_)
            | Message::Restarted
            | Message::FreeTurn(_)
            | Message::Captured(_)
            | Message::Over(_)
            | Message::Abandoned(_)
            | Message::Resigned(_)
            | Message::Coin(_)
            | Message::Resumed(_)
            | Message::Thinking(..)
            | Message::Helping(_)
            | Message::HoldToLeave
            | Message::PressAgain
            | Message::Counted
            | Message::Advice(_)
            | Message::EditTake
            | Message::EditPut => theme::INK,
        }
    }

    pub(super) fn of(message: Message, style: &Style) -> Self {
        let second = match message {
            Message::TurnHint(_) | Message::Restarted | Message::NoChord => Second::Small,
            Message::Holding(holding) => Second::Bar(holding.steps),
            _ => Second::Large,
        };
        Self { lines: style.words.lines(message), ink: Self::ink(message), second }
    }

    /// Returns the colours of the box with `message`; `None` if there are more than two, with the
    /// bar.
    pub(super) const fn inks(message: Message) -> Option<Inks> {
        match message {
            Message::Holding(_) => None,
            _ => Some(Inks { ink: Self::ink(message), ground: theme::MESSAGE_GROUND }),
        }
    }

    /// Reports the parts of the box `area` in which `after` may look different: single characters
    /// if the lines have the same length, otherwise the whole lines.
    pub(super) fn damage(&self, after: &Self, area: &Rectangle, mut report: impl FnMut(Rectangle)) {
        let (old, new) = (self.rows(area), after.rows(area));
        if let (Second::Bar(before), Second::Bar(after)) = (self.second, after.second)
            && old == new
        {
            // The line above it may differ too.
            report(bar::between(before, after, new[1]));
        }
        if old != new || self.ink != after.ink {
            let both = old.iter().chain(&new).filter(|row| !row.is_zero_sized());
            report(both.copied().reduce(around_both).unwrap_or(*area));
            return;
        }
        let fonts = self.fonts();
        for (((row, before), after), font) in
            new.iter().zip(&self.lines).zip(&after.lines).zip(fonts)
        {
            let cell = font.character_size;
            let pairs = before.chars().zip(after.chars());
            for (column, _) in (0i32..).zip(pairs).filter(|(_, (before, after))| before != after) {
                let offset = Point::new(column * cell.width as i32, 0);
                report(Rectangle::new(row.top_left + offset, cell));
            }
        }
    }

    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        target: &mut D,
    ) -> Result<(), D::Error> {
        target.fill_solid(&area, theme::MESSAGE_GROUND)?;
        let rows = self.rows(&area);
        for ((text, row), font) in self.lines.iter().zip(&rows).zip(self.fonts()) {
            self.line(text, font).draw(row.top_left, target)?;
        }
        match self.second {
            Second::Bar(steps) => bar::draw(steps, rows[1], target),
            Second::Large | Second::Small => Ok(()),
        }
    }

    /// Returns the positions of the cells of the lines, or of the bar, in the box.
    fn rows(&self, area: &Rectangle) -> [Rectangle; 2] {
        let [first, second] = self.fonts().map(|font| font.character_size.height);
        let second = match self.second {
            Second::Large if self.lines[1].is_empty() => 0,
            _ => second,
        };
        let top = area.size.height.saturating_sub(first + second) / 2;
        let row = |from: u32, height: u32| {
            let top_left = area.top_left + Size::new(0, from);
            Rectangle::new(top_left, Size::new(area.size.width, height))
        };
        let [upper, lower] = [row(top, first), row(top + first, second)];
        let [one, two] = [&self.lines[0], &self.lines[1]];
        let [large, small] = self.fonts();
        let lower = match self.second {
            Second::Bar(_) => centred(BAR, &lower),
            Second::Large | Second::Small => self.line(two, small).centred_in(&lower),
        };
        [self.line(one, large).centred_in(&upper), lower]
    }

    /// Returns the fonts of the two lines.
    const fn fonts(&self) -> [&'static Font; 2] {
        match self.second {
            Second::Large | Second::Bar(_) => [theme::TEXT_FONT; 2],
            Second::Small => [theme::TEXT_FONT, theme::LABEL_FONT],
        }
    }

    fn line<'a>(&self, text: &'a str, font: &'static Font) -> Line<'a> {
        Line { text, font, ink: self.ink, ground: theme::MESSAGE_GROUND }
    }
}

/// Returns the smallest rectangle around two that are not empty.
fn around_both(one: Rectangle, two: Rectangle) -> Rectangle {
    let end = |area: &Rectangle| area.top_left + area.size;
    let (start, end) =
        (one.top_left.component_min(two.top_left), end(&one).component_max(end(&two)));
    Rectangle::new(start, Size::new((end.x - start.x) as u32, (end.y - start.y) as u32))
}
