//! The footer below the board: the strip of the session, and two lines of text that identify what
//! runs or show the last message. This module knows no window.

use std::sync::Arc;

use ili9341_model::Frame;
use virtual_time::Instant;

use super::colour::{self, Theme};
use super::layout::Rect;
use super::painter::{Area, Paint, Painter};
use super::words::{Words, wrapped};
use live::{Mark, Marks};

/// Number of lines of text.
const LINES: usize = 2;
/// Height of the strip, in units.
const STRIP: f32 = 14.0;
const MARGIN: f32 = 4.0;

/// Content of the footer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FooterView {
    /// Board, game, seed and program in the first line, files in the second.
    pub identity: [String; LINES],
    /// The latest event or error. Replaces the identity while it is shown.
    pub message: Option<String>,
    /// Frames, messages and presses with their times.
    pub marks: Arc<Marks>,
    /// Present time.
    pub now: Instant,
    /// The time in the past that is shown, if any.
    pub looks_at: Option<Instant>,
    pub theme: Theme,
}

/// Draws the footer and remembers the last view, to redraw only what changed.
#[derive(Clone, Debug)]
pub struct Footer {
    unit: f32,
    picture: Frame,
    /// The lines of text that are shown, and their colour.
    text: Option<([String; LINES], u32)>,
    strip: Option<Strip>,
    /// The pixels of the empty strip, for the theme that they were drawn for.
    ground: Option<(Theme, Vec<u32>)>,
    /// The area that the last view changed.
    changed: Option<Rect>,
}

/// State of the strip as it was drawn.
#[derive(Clone, Debug, PartialEq)]
struct Strip {
    theme: Theme,
    /// For each column, one bit for each row of marks.
    columns: Vec<u8>,
    /// The column of the marker of the shown time.
    hand: u32,
}

impl Footer {
    /// Creates a footer `width` pixels wide, beside a board drawn with `unit` window pixels a
    /// unit.
    pub fn new(width: u32, unit: f32) -> Self {
        let picture = Frame::filled(width.max(1) as usize, Self::height(unit) as usize, 0);
        Self { unit, picture, text: None, strip: None, ground: None, changed: None }
    }

    /// Returns the height of a footer, in window pixels.
    pub fn height(unit: f32) -> u32 {
        let unit = unit.max(0.5);
        ((STRIP + 2.0 * MARGIN) * unit) as u32 + (LINES * Words::beside(unit).line()) as u32
    }

    /// Returns the area of the strip in the footer.
    pub fn strip(&self) -> Rect {
        let margin = (2.0 * MARGIN * self.unit) as u32;
        let width = (self.picture.width() as u32).saturating_sub(2 * margin).max(1);
        Rect { left: margin, top: 0, width, height: ((STRIP + MARGIN) * self.unit) as u32 }
    }

    /// Returns the time at the column `x` of a strip that ends at `now`. Columns outside of the
    /// strip count as its ends.
    pub fn moment(&self, x: i32, now: Instant) -> Instant {
        let strip = self.strip();
        let at = (i64::from(x) - i64::from(strip.left)).clamp(0, i64::from(strip.width)) as u128;
        Instant((u128::from(now.0) * at / u128::from(strip.width)) as u64)
    }

    /// Returns the picture in window pixels.
    pub fn picture(&self) -> &Frame {
        &self.picture
    }

    /// Updates the picture to `view`. Returns `true` if it changed.
    pub fn draw(&mut self, view: &FooterView) -> bool {
        self.changed = None;
        let strip = self.strip_of(view);
        if self.strip.as_ref() != Some(&strip) {
            self.draw_strip(&strip);
            self.strip = Some(strip);
        }
        self.draw_text(view);
        self.changed.is_some()
    }

    /// Returns the area that contains every change of the last [`draw`](Self::draw).
    pub fn changed(&self) -> Option<Rect> {
        self.changed
    }

    /// Fills `height` rows from `top` with the desk, to draw on it.
    fn clear(&mut self, top: u32, height: u32, desk: u32) {
        let width = self.picture.width();
        let rows = top as usize * width..((top + height) as usize * width);
        self.picture.pixels_mut()[rows].fill(desk);
        let part = Rect { left: 0, top, width: width as u32, height };
        self.changed = Some(self.changed.map_or(part, |changed| changed.around(part)));
    }

    fn draw_text(&mut self, view: &FooterView) {
        let words = Words::beside(self.unit);
        let strip = self.strip();
        let (left, width) = (strip.left as usize, strip.width as usize);
        let (lines, ink) = match &view.message {
            Some(message) => {
                let lines = wrapped(&words.readable(message), words.letters(width), LINES);
                let mut lines = lines.into_iter();
                (std::array::from_fn(|_| lines.next().unwrap_or_default()), view.theme.active())
            }
            None => (view.identity.clone(), view.theme.dim()),
        };
        let text = (lines, ink);
        if self.text.as_ref() == Some(&text) {
            return;
        }
        self.clear(strip.height, self.picture.height() as u32 - strip.height, view.theme.desk());
        for (at, line) in text.0.iter().enumerate() {
            let top = strip.height as usize + at * words.line();
            words.write(&mut self.picture, (left, top), width, line, ink);
        }
        self.text = Some(text);
    }

    /// Returns the strip that shows `view`.
    fn strip_of(&self, view: &FooterView) -> Strip {
        let width = self.strip().width;
        let at = |column: u32| {
            Instant((u128::from(view.now.0) * u128::from(column) / u128::from(width)) as u64)
        };
        let columns = (0..width).map(|column| {
            let (from, until) = (at(column), at(column + 1));
            let has = |(bit, mark)| u8::from(view.marks.has(mark, from, until)) << bit;
            MARKS.into_iter().enumerate().map(has).sum()
        });
        let shown = view.looks_at.unwrap_or(view.now);
        let hand = u128::from(shown.0) * u128::from(width) / u128::from(view.now.0.max(1));
        Strip { theme: view.theme, columns: columns.collect(), hand: hand as u32 }
    }

    fn draw_strip(&mut self, shown: &Strip) {
        let strip = self.strip();
        let (left, width) = (strip.left, strip.width);
        let height = STRIP * self.unit;
        let theme = shown.theme;
        let row_width = self.picture.width();
        self.clear(0, strip.height, theme.desk());
        let rows = 0..strip.height as usize * row_width;
        match &self.ground {
            Some((of, ground)) if *of == theme => {
                self.picture.pixels_mut()[rows].copy_from_slice(ground);
            }
            _ => {
                let ground = Area { left: left as f32, top: 0.0, width: width as f32, height };
                let painter = &mut Painter::new(&mut self.picture);
                painter.round_box(ground, 2.0 * self.unit, Paint::flat(theme.sunken()));
                self.ground = Some((theme, self.picture.pixels()[rows].to_vec()));
            }
        }
        let share = |share: f32| (height * share).round() as usize;
        // Each kind of mark has a height of its own, so that colour is not needed.
        let places = [
            (share(0.62), share(0.92), theme.dim()),
            (share(0.38), share(0.58), colour::RESET_LIGHT),
            (share(0.08), share(0.34), theme.active()),
        ];
        for (column, marks) in (left as usize..).zip(&shown.columns) {
            for (bit, (top, bottom, paint)) in places.into_iter().enumerate() {
                if marks >> bit & 1 != 0 {
                    for y in top..bottom {
                        self.picture.pixels_mut()[y * row_width + column] = paint;
                    }
                }
            }
        }
        let end = left as f32 + width as f32 - self.unit;
        let x = (left as f32 + shown.hand as f32).min(end);
        let painter = &mut Painter::new(&mut self.picture);
        let hand = Area { left: x - self.unit, top: 0.0, width: 2.0 * self.unit, height };
        painter.round_box(hand, self.unit, Paint::flat(theme.ink()));
    }
}

/// The kinds of marks, from the lowest row to the highest.
const MARKS: [Mark; 3] = [Mark::Frame, Mark::Message, Mark::Press];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_the_strip_are_times_of_the_session() {
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
    fn a_message_replaces_the_identity_and_is_drawn_once() {
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

    #[test]
    fn a_footer_that_was_drawn_in_parts_is_the_same_as_a_new_one() {
        let words = |said: Option<&str>| said.map(str::to_owned);
        let mut marks = Marks::default();
        let mut footer = Footer::new(402, 1.0);
        let identity = ["native".into(), "flash.bin".into()];
        let mut view = FooterView { identity, ..FooterView::default() };
        for step in 1_u64..60 {
            let now = Instant::from_millis(step * 730);
            marks.add(now, [Mark::Frame, Mark::Message, Mark::Press][step as usize % 3]);
            view = FooterView {
                marks: Arc::new(marks.clone()),
                now,
                looks_at: (step % 7 == 0).then_some(Instant::from_millis(step * 300)),
                message: words((step % 11 == 0).then_some("saved")),
                theme: if step % 13 == 0 { Theme::Light } else { view.theme },
                ..view
            };
            let before = footer.picture().clone();
            assert!(footer.draw(&view), "step {step}");
            let mut anew = Footer::new(402, 1.0);
            anew.draw(&view);
            assert_eq!(footer.picture(), anew.picture(), "step {step}");
            let part = footer.changed().unwrap();
            let pixels = before.pixels().iter().zip(footer.picture().pixels()).enumerate();
            for (at, _) in pixels.filter(|(_, (old, new))| old != new) {
                let (x, y) = ((at % before.width()) as i32, (at / before.width()) as i32);
                assert!(part.contains(x, y), "step {step}: {x},{y} is not in {part:?}");
            }
        }
        // Time alone moves nothing once the session is long.
        view.now = Instant::from_secs(3_600);
        footer.draw(&view);
        view.now = view.now.saturating_add(virtual_time::Nanos::from_millis(16));
        assert!(!footer.draw(&view));
    }
}
