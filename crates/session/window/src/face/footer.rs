//! The footer below the board: the strip of the session with the time under the pointer, and two lines of text that identify what
//! runs or show the last message. This module knows no window.

use std::sync::Arc;

use ili9341_model::Frame;
use trace::Action;
use virtual_time::{Instant, Nanos};

use super::colour::{self, Theme};
use super::geometry::Rect;
use super::painter::{Area, Paint, Painter};
use super::words::{Words, wrapped};
use live::{Mark, Marks, clock};

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
    pub shown_at: Option<Instant>,
    /// Whether virtual time is stopped: then the strip has the time and the frame as text.
    pub stopped: bool,
    /// Number of complete frames at the time that is shown.
    pub frame: u64,
    /// Presses with their times.
    pub presses: Arc<Vec<(Instant, Action)>>,
    /// Part of the session that the strip shows; all of it by default.
    pub span: Option<Span>,
    /// Column of the pointer on the strip.
    pub pointed: Option<i32>,
    pub theme: Theme,
}

/// Draws the footer and remembers the last view, to redraw only what changed.
#[derive(Clone, Debug)]
pub struct Footer {
    unit: f32,
    picture: Frame,
    /// The lines of text that are shown, the time beside the last one, and their theme and colour.
    text: Option<([String; LINES], String, Theme, u32)>,
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
    /// The column of the marker of the shown time; `None` if it is outside.
    hand: Option<u32>,
    /// Column of the pointer, and the text beside it.
    pointed: Option<(u32, String)>,
    /// Whether only a part of the session is shown.
    is_part: [bool; 2],
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

    /// Returns the time at the column `x` of a strip that shows `span`. Columns outside of the strip
    /// count as its ends.
    pub fn time_at(&self, x: i32, span: Span) -> Instant {
        let strip = self.strip();
        let at = (i64::from(x) - i64::from(strip.left)).clamp(0, i64::from(strip.width)) as u32;
        span.at(at, strip.width)
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

    /// Fills `height` rows from `top` with the background, to draw on it.
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
        let is_stopped = view.stopped || view.shown_at.is_some();
        let time = match view.shown_at {
            _ if !is_stopped => String::new(),
            Some(at) => format!("{} of {}, frame {}", clock(at), clock(view.now), view.frame),
            None => format!("{}, frame {}", clock(view.now), view.frame),
        };
        // The time stands to the right of the last line, whatever else is shown.
        let taken = if is_stopped { (time.chars().count() + 2) * words.advance() } else { 0 };
        let room = width.saturating_sub(taken);
        let (lines, ink) = match &view.message {
            Some(message) => {
                let lines = wrapped(&words.readable(message), words.letters(room), LINES);
                let mut lines = lines.into_iter();
                (std::array::from_fn(|_| lines.next().unwrap_or_default()), view.theme.active())
            }
            None => (view.identity.clone(), view.theme.dim()),
        };
        let text = (lines, time, view.theme, ink);
        if self.text.as_ref() == Some(&text) {
            return;
        }
        self.clear(
            strip.height,
            self.picture.height() as u32 - strip.height,
            view.theme.backdrop(),
        );
        for (at, line) in text.0.iter().enumerate() {
            let top = strip.height as usize + at * words.line();
            let room = if at + 1 == LINES { room } else { width };
            words.write(&mut self.picture, (left, top), room, line, ink);
        }
        if is_stopped {
            let top = strip.height as usize + (LINES - 1) * words.line();
            let across = text.1.chars().count() * words.advance();
            let place = (left + width.saturating_sub(across), top);
            words.write(&mut self.picture, place, across, &text.1, view.theme.ink());
        }
        self.text = Some(text);
    }

    /// Returns the strip that shows `view`.
    fn strip_of(&self, view: &FooterView) -> Strip {
        let strip = self.strip();
        let (width, span) = (strip.width, view.visible());
        let columns = (0..width).map(|column| {
            let (from, until) = (span.at(column, width), span.at(column + 1, width));
            let has = |(bit, mark)| u8::from(view.has(mark, from, until)) << bit;
            MARKS.into_iter().enumerate().map(has).sum()
        });
        let shown = view.shown_at.unwrap_or(view.now);
        let pointed = view.pointed.map(|x| {
            let column = (x - strip.left as i32).clamp(0, width as i32) as u32;
            (column, view.described(self.time_at(x, span), span.length().0 / u64::from(width)))
        });
        Strip {
            theme: view.theme,
            columns: columns.collect(),
            hand: span.column(shown, width),
            pointed,
            is_part: [span.from > Instant::START, span.until < view.now],
        }
    }

    fn draw_strip(&mut self, shown: &Strip) {
        let strip = self.strip();
        let (left, width) = (strip.left, strip.width);
        let height = STRIP * self.unit;
        let theme = shown.theme;
        let row_width = self.picture.width();
        self.clear(0, strip.height, theme.backdrop());
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
        // Where more of the session is outside, the end of the strip is marked.
        for (is_part, x) in shown.is_part.into_iter().zip([left, left + width - 1]) {
            for y in (0..height as usize).filter(|y| is_part && y % 4 < 2) {
                self.picture.pixels_mut()[y * row_width + x as usize] = theme.active();
            }
        }
        let end = left as f32 + width as f32 - self.unit;
        if let Some(hand) = shown.hand {
            let x = (left as f32 + hand as f32).min(end);
            let painter = &mut Painter::new(&mut self.picture);
            let hand = Area { left: x - self.unit, top: 0.0, width: 2.0 * self.unit, height };
            painter.round_box(hand, self.unit, Paint::flat(theme.ink()));
        }
        self.draw_pointed(shown);
    }

    /// Draws the time under the pointer.
    fn draw_pointed(&mut self, shown: &Strip) {
        let (strip, theme) = (self.strip(), shown.theme);
        let Some((column, text)) = &shown.pointed else { return };
        let height = STRIP * self.unit;
        let x = (strip.left + column) as f32;
        let line = Area { left: x, top: 0.0, width: self.unit.max(1.0), height };
        let painter = &mut Painter::new(&mut self.picture);
        painter.round_box(line, 0.0, Paint::flat(theme.active()));
        let Some(place) = self.beside(*column, text) else { return };
        let row_width = self.picture.width();
        for y in place.top..place.top + place.height {
            let row = y as usize * row_width + place.left as usize;
            self.picture.pixels_mut()[row..row + place.width as usize].fill(theme.backdrop());
        }
        let at = ((place.left + LABEL_MARGIN) as usize, (place.top + 1) as usize);
        let words = Words::beside(self.unit);
        words.write(&mut self.picture, at, place.width as usize, text, theme.active());
    }

    /// Returns the place of `text` to the right of a column, or to the left of it if there is no room.
    fn beside(&self, column: u32, text: &str) -> Option<Rect> {
        let (words, strip) = (Words::beside(self.unit), self.strip());
        let width = (text.chars().count() * words.advance()) as u32 + 2 * LABEL_MARGIN;
        let full = (STRIP * self.unit) as u32;
        let height = (words.line() as u32 + 1).min(full);
        let gap = (2.0 * self.unit) as u32 + 1;
        let x = strip.left + column.min(strip.width);
        let right = Some(x + gap).filter(|left| left + width <= strip.left + strip.width);
        let left =
            right.or_else(|| x.checked_sub(gap + width).filter(|left| *left >= strip.left))?;
        Some(Rect { left, top: full.saturating_sub(height) / 2, width, height })
    }
}

impl FooterView {
    /// Returns the part of the session that the strip shows.
    pub fn visible(&self) -> Span {
        self.span.unwrap_or(Span { from: Instant::START, until: self.now })
    }

    fn has(&self, mark: Mark, from: Instant, until: Instant) -> bool {
        // Presses are known exactly, except the oldest ones of a long session.
        match self.presses.first() {
            Some((first, _)) if mark == Mark::Press && (from >= *first || !self.is_cut()) => {
                let next = self.presses.partition_point(|(at, _)| *at < from);
                self.presses.get(next).is_some_and(|(at, _)| *at < until)
            }
            _ => self.marks.has(mark, from, until),
        }
    }

    fn is_cut(&self) -> bool {
        self.presses.len() >= live::PRESSES_MAX / 2
    }

    /// Returns the time `at`, and the press that is at most three columns of `column` away from it.
    fn described(&self, at: Instant, column: u64) -> String {
        let near = 3 * column.max(1);
        let first = self.presses.partition_point(|(press, _)| press.0 + near < at.0);
        let presses = self.presses[first..].iter().take_while(|(press, _)| press.0 <= at.0 + near);
        match presses.min_by_key(|(press, _)| press.0.abs_diff(at.0)) {
            Some((press, action)) => format!("{} {action}", clock(*press)),
            None => clock(at),
        }
    }
}

/// A part of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Instant,
    pub until: Instant,
}

/// Shortest part of a session that the strip shows.
const SPAN_MIN: u64 = 100_000_000;

impl Span {
    pub fn length(self) -> Nanos {
        self.until.saturating_since(self.from)
    }

    /// Returns the time at a column of `width`.
    fn at(self, column: u32, width: u32) -> Instant {
        let length = u128::from(self.length().0) * u128::from(column) / u128::from(width.max(1));
        self.from.saturating_add(Nanos(length as u64))
    }

    /// Returns the column of `at` of `width`; `None` if it is outside.
    fn column(self, at: Instant, width: u32) -> Option<u32> {
        let past = u128::from(at.saturating_since(self.from).0) * u128::from(width);
        let column = (past / u128::from(self.length().0.max(1))) as u32;
        (at >= self.from && at <= self.until).then_some(column.min(width))
    }

    /// Returns the part with `fixed` in its place that is half as long, or twice; `None` if that is
    /// the whole session up to `now`.
    #[must_use]
    pub fn zoomed(self, fixed: Instant, closer: bool, now: Instant) -> Option<Self> {
        let length = self.length().0.max(1);
        let new = if closer { (length / 2).max(SPAN_MIN) } else { length.saturating_mul(2) };
        if new >= now.0 {
            return None;
        }
        let before = u128::from(fixed.saturating_since(self.from).0) * u128::from(new);
        let before = (before / u128::from(length)) as u64;
        let from = fixed.0.saturating_sub(before).min(now.0 - new);
        Some(Self { from: Instant(from), until: Instant(from + new) })
    }

    /// Returns the part of the same length that contains `at`.
    #[must_use]
    pub fn around(self, at: Instant) -> Self {
        let length = self.length();
        if at < self.from {
            Self { from: at, until: at.saturating_add(length) }
        } else if at > self.until {
            Self { from: Instant(at.0.saturating_sub(length.0)), until: at }
        } else {
            self
        }
    }

    /// Returns the part moved by tenths of its length, within a session up to `now`.
    #[must_use]
    pub fn moved(self, tenths: i32, now: Instant) -> Self {
        let length = self.length().0;
        let step = i128::from(length) * i128::from(tenths) / 10;
        let last = now.0.saturating_sub(length);
        let from = (i128::from(self.from.0) + step).clamp(0, i128::from(last)) as u64;
        Self { from: Instant(from), until: Instant(from + length) }
    }
}

/// Draws a message of at most two lines into a picture of `width` pixels, for a panel without the
/// board, drawn with `unit` window pixels a unit.
pub fn note(width: u32, unit: f32, theme: Theme, text: &str) -> Frame {
    let words = Words::beside(unit);
    let (width, margin) = (width.max(1) as usize, words.advance());
    let room = width.saturating_sub(2 * margin);
    let lines = wrapped(&words.readable(text), words.letters(room), LINES);
    let height = lines.len() * words.line() + words.line() / 2;
    let mut picture = Frame::filled(width, height, theme.backdrop());
    for (at, line) in lines.iter().enumerate() {
        let place = (margin, words.line() / 4 + at * words.line());
        words.write(&mut picture, place, room, line, theme.active());
    }
    picture
}

/// Margin of a label, in pixels.
const LABEL_MARGIN: u32 = 3;

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
        let span = Span { from: Instant::START, until: now };
        assert_eq!(footer.time_at(0, span), Instant::START);
        let middle = strip.left as i32 + strip.width as i32 / 2;
        assert_eq!(footer.time_at(middle, span), Instant::from_secs(50));
        assert_eq!(footer.time_at(9_999, span), now);
        let half = Span { from: Instant::from_secs(50), until: now };
        assert_eq!(footer.time_at(middle, half), Instant::from_secs(75));
    }

    #[test]
    fn a_zoom_leaves_the_time_under_the_pointer_in_its_place() {
        let now = Instant::from_secs(1_000);
        let whole = Span { from: Instant::START, until: now };
        let fixed = Instant::from_secs(900);
        let mut span = whole;
        for _ in 0..5 {
            let before = span.column(fixed, 1_000).unwrap();
            span = span.zoomed(fixed, true, now).unwrap();
            assert!(span.column(fixed, 1_000).unwrap().abs_diff(before) <= 1, "{span:?}");
        }
        assert_eq!(span.length(), Nanos(1_000_000_000_000 / 32));
        for _ in 0..40 {
            span = span.zoomed(fixed, true, now).unwrap();
        }
        assert_eq!(span.length(), Nanos(SPAN_MIN));
        for _ in 0..13 {
            span = span.zoomed(fixed, false, now).unwrap();
        }
        assert_eq!(span.zoomed(fixed, false, now), None, "the whole session");
        // A part follows the time that is shown, and can be moved to both ends.
        let part = Span { from: Instant::from_secs(10), until: Instant::from_secs(20) };
        assert_eq!(part.around(Instant::from_secs(15)), part);
        assert_eq!(part.around(Instant::from_secs(30)).from, Instant::from_secs(20));
        assert_eq!(part.around(Instant::from_secs(5)).until, Instant::from_secs(15));
        assert_eq!(part.moved(-500, now).from, Instant::START);
        assert_eq!(part.moved(i32::MAX, now).until, now);
        assert_eq!(part.moved(5, now).from, Instant::from_secs(15));
    }

    #[test]
    fn the_strip_names_the_time_and_the_press_under_the_pointer() {
        let press = |seconds, button| (Instant::from_secs(seconds), Action::Press(button));
        let presses = vec![press(10, trace::Button::B3), press(50, trace::Button::T1)];
        let view = FooterView {
            presses: presses.into(),
            now: Instant::from_secs(100),
            ..FooterView::default()
        };
        let column = 250_000_000;
        assert_eq!(view.described(Instant::from_millis(50_600), column), "0:50.000 press T1");
        assert_eq!(view.described(Instant::from_millis(63_007), column), "1:03.007");
        // Presses are marked exactly, in a part of any length.
        let at = Instant::from_millis;
        assert!(view.has(Mark::Press, at(9_999), at(10_001)));
        assert!(!view.has(Mark::Press, at(10_001), at(49_999)));
        // So are movements of controls.
        let dial = trace::Controls::new([(trace::ControlKind::Encoder, "DIAL")]).unwrap();
        let movement = trace::Movement::Turn { by: -3, over: None };
        let turn = Action::Move { control: dial.named("DIAL").unwrap(), movement };
        let view = FooterView { presses: vec![(at(30_000), turn)].into(), ..view };
        assert!(view.has(Mark::Press, at(29_999), at(30_001)));
        assert_eq!(view.described(at(30_000), column), "0:30.000 turn DIAL by -3");
    }

    #[test]
    fn a_stopped_session_has_its_time_and_frame_beside_the_text() {
        let mut footer = Footer::new(402, 1.0);
        let inked = |footer: &Footer, ink: u32| {
            footer.picture().pixels().iter().filter(|rgb| **rgb == ink).count()
        };
        let long =
            "a message that needs both lines of the footer, and is then cut short ".repeat(3);
        let mut view = FooterView { now: Instant::from_secs(100), ..FooterView::default() };
        footer.draw(&view);
        let marker = inked(&footer, Theme::Dark.ink());
        for message in [None, Some(long)] {
            view = FooterView { stopped: true, frame: 12, message, ..view };
            footer.draw(&view);
            let time = inked(&footer, Theme::Dark.ink());
            assert!(time > marker + 100, "{time} and {marker}");
            // The text ends before the time.
            let (last, words) = (footer.picture().height() - 1, Words::beside(1.0));
            let strip = footer.strip();
            let right = (strip.left + strip.width) as usize;
            let from = right - "1:40.000, frame 12".len() * words.advance();
            let others =
                (from..right).flat_map(|x| (last - words.line()..last).map(move |y| (x, y)));
            let active = others
                .filter(|(x, y)| footer.picture().pixel(*x, *y) == Some(Theme::Dark.active()));
            assert_eq!(active.count(), 0);
        }
    }

    #[test]
    fn the_time_under_the_pointer_is_inside_the_strip() {
        let mut footer = Footer::new(402, 1.0);
        let now = Instant::from_secs(100);
        for pointed in [-5, 8, 200, 380, 999] {
            let view = FooterView { now, pointed: Some(pointed), ..FooterView::default() };
            footer.draw(&view);
            let strip = footer.strip();
            let (width, height) = (footer.picture().width(), strip.height as usize);
            let pixels = footer.picture().pixels()[..width * height].iter();
            let active = pixels.filter(|rgb| **rgb == Theme::Dark.active()).count();
            assert!(active > 60, "{pointed}: {active}");
        }
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
                shown_at: (step % 7 == 0).then_some(Instant::from_millis(step * 300)),
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
