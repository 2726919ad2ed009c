//! Questions and notices on a card, and the progress of a log.

use core::fmt::Write as _;

use embedded_graphics::geometry::Size;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::painter::{Align, Painter, Type, inset, split, strip};
use super::words::{self, Sentences, Text};
use crate::interface::page::{Notice, Question};
use crate::interface::screen::style::Style;
use crate::interface::screen::text::centred;
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;

/// Margin in pixels between a card and the edges of its area, and between its text and its rim.
const MARGIN: u32 = 10;
/// Height in pixels of the progress bar, rim included.
const BAR: u32 = 22;

/// Heights in pixels of the rows of a log's progress: the activity, the bar, the number, a hint.
pub(super) const LOGGING_HEIGHTS: [u32; 4] = [50, 36, 36, 60];

/// A question or a notice.
#[derive(PartialEq)]
pub(super) struct Card {
    sentences: Sentences,
    ink: Rgb565,
}

impl Card {
    pub(super) fn question(question: &Question, style: &Style) -> Self {
        Self { sentences: words::question(question, style), ink: theme::INK }
    }

    pub(super) fn notice(notice: &Notice, style: &Style) -> Self {
        let ink = match notice {
            Notice::CannotLoad(_)
            | Notice::CannotRead(_)
            | Notice::Lost(_)
            | Notice::NotDeleted(_)
            | Notice::LostNotDeleted
            | Notice::SaveFailed
            | Notice::TooLong
            | Notice::NoRoom { .. } => theme::INK_WARNING,
            _ => theme::INK,
        };
        Self { sentences: words::notice(notice, style), ink }
    }

    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        const DETAIL: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::MESSAGE_GROUND);
        let heading = Type { font: theme::TEXT_FONT, ink: self.ink, ..DETAIL };
        painter.fill(area, theme::GROUND)?;
        let card = inset(area, MARGIN, MARGIN);
        painter.card(card, theme::MESSAGE_GROUND, theme::KEY_RIM)?;
        let inside = inset(card, MARGIN, MARGIN);
        let above = heading.height(&self.sentences.heading, inside.size.width);
        let below = DETAIL.height(&self.sentences.detail, inside.size.width);
        let top = inside.size.height.saturating_sub(above + MARGIN + below) / 2;
        let upper = strip(inside, top, above);
        let lower = strip(inside, top + above + MARGIN, below);
        painter.block(&self.sentences.heading, heading, Align::Centre, upper)?;
        painter.block(&self.sentences.detail, DETAIL, Align::Centre, lower)
    }
}

/// A row of the page with the progress of a log.
#[derive(PartialEq)]
pub(super) enum Progress {
    Heading,
    Bar(u8),
    Number(u8),
}

impl Progress {
    pub(super) fn draw<D: TextTarget>(
        &self,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        const TYPE: Type = Type::new(theme::TEXT_FONT, theme::INK, theme::GROUND);
        painter.fill(area, theme::GROUND)?;
        match self {
            Self::Heading => painter.line(words::LOGGING, TYPE, Align::Centre, area),
            Self::Number(per_cent) => {
                let mut text = Text::new();
                let _ = write!(text, "{per_cent}%");
                painter.line(&text, TYPE, Align::Centre, area)
            }
            Self::Bar(per_cent) => {
                let width = area.size.width.saturating_sub(4 * MARGIN);
                let bar = centred(Size::new(width, BAR), &area);
                painter.card(bar, theme::HOLLOW, theme::KEY_RIM)?;
                let inside = inset(bar, 3, 3);
                let done = inside.size.width * u32::from(*per_cent) / 100;
                painter.fill(split(inside, done).0, theme::CURSOR_GROUND)
            }
        }
    }
}

/// Draws small text in the middle of `area`.
pub(super) fn draw_sentence<D: TextTarget>(
    text: &str,
    ink: Rgb565,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    let kind = Type::new(theme::LABEL_FONT, ink, theme::GROUND);
    painter.fill(area, theme::GROUND)?;
    let inside = inset(area, MARGIN, 0);
    let height = kind.height(text, inside.size.width);
    let block = strip(inside, inside.size.height.saturating_sub(height) / 2, height);
    painter.block(text, kind, Align::Centre, block)
}
