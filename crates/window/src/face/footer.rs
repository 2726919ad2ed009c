//! What stands below the board: the strip of the session, and two lines that say what runs, or what has just
//! happened. It knows no window.

use std::sync::Arc;

use hal_mock::{Frame, Instant};

use super::colour::{self, Theme};
use super::layout::Rect;
use super::painter::{Area, Paint, Painter};
use super::words::{Words, wrapped};
use live::{Mark, Marks};

/// Lines of text.
const LINES: usize = 2;
/// The strip's height and the room around it, in units.
const STRIP: f32 = 14.0;
const MARGIN: f32 = 4.0;

/// What the footer shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FooterView {
    /// What runs: the board, the game, the seed, the program; the files.
    pub identity: [String; LINES],
    /// What has happened, or is wrong; it stands in the place of the identity.
    pub message: Option<String>,
    /// What happened when.
    pub marks: Arc<Marks>,
    /// The present moment.
    pub now: Instant,
    /// The moment that is shown, if it is past.
    pub looks_at: Option<Instant>,
    /// Light or dark.
    pub theme: Theme,
}

/// Draws the footer.
#[derive(Clone, Debug)]
pub struct Footer {
    unit: f32,
    picture: Frame,
    shown: Option<FooterView>,
}

impl Footer {
    /// As wide as that, beside a board of so many window pixels a unit.
    pub fn new(width: u32, unit: f32) -> Self {
        let picture = Frame::filled(width.max(1) as usize, Self::height(unit) as usize, 0);
        Self { unit, picture, shown: None }
    }

    /// How high a footer is, in window pixels.
    pub fn height(unit: f32) -> u32 {
        let unit = unit.max(0.5);
        ((STRIP + 2.0 * MARGIN) * unit) as u32 + (LINES * Words::beside(unit).line()) as u32
    }

    /// Where the strip is in it.
    pub fn strip(&self) -> Rect {
        let margin = (2.0 * MARGIN * self.unit) as u32;
        let width = (self.picture.width() as u32).saturating_sub(2 * margin).max(1);
        Rect { left: margin, top: 0, width, height: ((STRIP + MARGIN) * self.unit) as u32 }
    }

    /// The moment at the column `x` of a strip that ends at `now`; columns outside are its ends.
    pub fn moment(&self, x: i32, now: Instant) -> Instant {
        let strip = self.strip();
        let at = (i64::from(x) - i64::from(strip.left)).clamp(0, i64::from(strip.width)) as u128;
        Instant((u128::from(now.0) * at / u128::from(strip.width)) as u64)
    }

    /// The picture in window pixels.
    pub fn picture(&self) -> &Frame {
        &self.picture
    }

    /// Updates the picture to `view`; `true` if it changed.
    pub fn draw(&mut self, view: &FooterView) -> bool {
        if self.shown.as_ref() == Some(view) {
            return false;
        }
        self.shown = Some(view.clone());
        self.picture.pixels_mut().fill(view.theme.desk());
        self.draw_strip(view);
        let words = Words::beside(self.unit);
        let strip = self.strip();
        let (left, width) = (strip.left as usize, strip.width as usize);
        let letters = words.letters(width);
        let (lines, ink) = match &view.message {
            Some(message) => {
                (wrapped(&words.readable(message), letters, LINES), view.theme.active())
            }
            None => (view.identity.to_vec(), view.theme.dim()),
        };
        for (at, line) in lines.iter().enumerate() {
            let top = strip.height as usize + at * words.line();
            words.write(&mut self.picture, (left, top), width, line, ink);
        }
        true
    }

    fn draw_strip(&mut self, view: &FooterView) {
        let strip = self.strip();
        let (left, width) = (strip.left, strip.width);
        let height = STRIP * self.unit;
        let ground = Area { left: left as f32, top: 0.0, width: width as f32, height };
        let painter = &mut Painter::new(&mut self.picture);
        painter.round_box(ground, 2.0 * self.unit, Paint::flat(view.theme.sunken()));
        let at = |column: u32| {
            Instant((u128::from(view.now.0) * u128::from(column) / u128::from(width)) as u64)
        };
        let share = |share: f32| (height * share).round() as usize;
        // Each kind of mark has a height of its own, so that colour is not needed.
        let rows = [
            (Mark::Frame, share(0.62), share(0.92), view.theme.dim()),
            (Mark::Message, share(0.38), share(0.58), colour::RESET_LIGHT),
            (Mark::Press, share(0.08), share(0.34), view.theme.active()),
        ];
        let row_width = self.picture.width();
        for column in 0..width {
            let (from, until) = (at(column), at(column + 1));
            for (mark, top, bottom, paint) in rows {
                if view.marks.has(mark, from, until) {
                    for y in top..bottom {
                        self.picture.pixels_mut()[y * row_width + (left + column) as usize] = paint;
                    }
                }
            }
        }
        let shown = view.looks_at.unwrap_or(view.now);
        let column = u128::from(shown.0) * u128::from(width) / u128::from(view.now.0.max(1));
        let end = left as f32 + width as f32 - self.unit;
        let x = (left as f32 + column as f32).min(end);
        let painter = &mut Painter::new(&mut self.picture);
        let hand = Area { left: x - self.unit, top: 0.0, width: 2.0 * self.unit, height };
        painter.round_box(hand, self.unit, Paint::flat(view.theme.ink()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_the_strip_is_a_moment_and_its_ends_are_the_ends_of_the_session() {
        let footer = Footer::new(402, 1.0);
        let strip = footer.strip();
        let now = Instant::from_secs(100);
        assert_eq!(footer.moment(0, now), Instant::START);
        assert_eq!(
            footer.moment(strip.left as i32 + strip.width as i32 / 2, now),
            Instant::from_secs(50)
        );
        assert_eq!(footer.moment(9_999, now), now);
    }

    #[test]
    fn a_message_stands_where_the_identity_stood_and_the_same_view_is_not_drawn_again() {
        let mut footer = Footer::new(402, 1.0);
        let view =
            FooterView { identity: ["native".into(), "flash.bin".into()], ..FooterView::default() };
        assert!(footer.draw(&view));
        let before = footer.picture().clone();
        assert!(!footer.draw(&view));
        let message = FooterView { message: Some("the firmware stopped".into()), ..view.clone() };
        assert!(footer.draw(&message));
        assert_ne!(*footer.picture(), before);
        assert!(footer.draw(&view));
        assert_eq!(*footer.picture(), before);
    }
}
