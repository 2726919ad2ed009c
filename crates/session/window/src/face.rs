//! The picture of the board: its PCB, the panel's frame, its buttons (each drawn up or down) and
//! other parts, and the state of the session.
//!
//! [`BoardFace`] is the board whose face is drawn: the LCD board or one of a board file. Its
//! [`Layout`] has the place of everything and knows which button a point hits. [`Face`] draws the board
//! into a [`Frame`] of window pixels and redraws only what a new [`View`] changed. The window
//! draws the panel's own picture over it, scaled by nearest neighbour; [`Face::with_panel`] does
//! the same for a file. This module knows no SDL, no firmware, no clock.

mod bare;
mod board;
mod both;
mod colour;
mod described;
mod footer;
mod geometry;
mod glass;
mod housing;
mod icon;
mod items;
mod labels;
mod layout;
mod lettering;
mod painter;
mod pane;
mod part_state;
mod parts;
#[cfg(test)]
mod same;
mod sheet;
mod view;
mod words;

use ili9341_model::Frame;

pub use board::BoardFace;
pub use both::{both, report};
pub use colour::Theme;
pub use described::DescribedFace;
pub use footer::{Footer, FooterView, Span, note};
pub use geometry::{Rect, Shape};
pub use glass::Glass;
pub use icon::icon;
pub use labels::Labels;
pub use layout::{Layout, Panel, Scale};
pub use pane::{Contact, LINES_MAX, PaneView, Typing, pane};
pub use sheet::{help, list, row_at};
pub use view::{FlashState, PartState, PartStates, Recording, Running, Sound, View};

use bare::draw_bare;
use host::clock::Speed;
use lettering::{Align, CAP_HEIGHT, LINE_HEIGHT};
use live::keymap::KeyAction;
use painter::{Area, Paint, Painter, mix};

/// Draws the board and remembers the last view, to redraw only what changed.
#[derive(Clone, Debug)]
pub struct Face {
    layout: Layout,
    labels: Labels,
    /// The board without the parts that can change.
    bare: Frame,
    picture: Frame,
    shown: Option<View>,
    /// Where the last view differed from the view before it.
    changed: Option<Rect>,
}

impl Face {
    /// Draws the parts that never change, on a dark desk. The first [`draw`](Self::draw) adds the
    /// rest.
    pub fn new(layout: Layout, labels: Labels) -> Self {
        Self::on(layout, labels, Theme::Dark)
    }

    /// Like [`new`](Self::new), on the desk of `theme`.
    pub fn on(layout: Layout, labels: Labels, theme: Theme) -> Self {
        let (width, height) = (layout.width() as usize, layout.height() as usize);
        let desk = theme.backdrop();
        let mut bare = Frame::filled(width, height, desk);
        draw_bare(&mut Painter::new(&mut bare), &layout, &labels, desk);
        Self { picture: bare.clone(), bare, layout, labels, shown: None, changed: None }
    }

    /// Returns the layout of the board.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Updates the picture to `view`. Returns `true` if anything on it changed.
    pub fn draw(&mut self, view: &View) -> bool {
        self.changed = None;
        let shown = self.shown.replace(view.clone());
        let changed = |differs: &dyn Fn(&View) -> bool| shown.as_ref().is_none_or(differs);
        let mut any = false;
        for at in 0..self.layout.caps.len() {
            let button = self.layout.caps[at].button;
            let is_down = |view: &View| view.down.contains(button);
            if changed(&|before| is_down(before) != is_down(view)) {
                any = true;
                self.draw_button(at, is_down(view));
            }
        }
        for at in 0..self.layout.parts.len() {
            let state = |view: &View| view.parts.of(&self.layout.parts[at].name).clone();
            if changed(&|before| state(before) != state(view)) {
                any = true;
                self.draw_part(at, &state(view));
            }
        }
        if changed(&|before| before.powered != view.powered) {
            any = true;
            self.draw_lamp(view.powered);
        }
        if changed(&|before| before.tone != view.tone) {
            any = true;
            self.draw_buzzer(view.tone);
        }
        let status = |view: &View| {
            let recording = view.recording.clone();
            let speed = (view.speed, view.pace);
            (
                view.running,
                view.powered,
                speed,
                (view.sound, view.volume),
                recording,
                view.flash,
                (view.past, view.plays),
            )
        };
        if changed(&|before| status(before) != status(view)) {
            any = true;
            self.draw_status(view);
        }
        any
    }

    /// Returns the area that contains every change of the last [`draw`](Self::draw).
    pub fn changed(&self) -> Option<Rect> {
        self.changed
    }

    /// Returns the picture in window pixels, with a dark area in the place of the panel.
    pub fn picture(&self) -> &Frame {
        &self.picture
    }

    /// Returns the picture with `panel` drawn into it, each of its pixels `scale` × `scale`.
    pub fn with_panel(&self, panel: &Frame) -> Frame {
        let mut picture = self.picture.clone();
        let glass = self.layout.panel();
        let scale = self.layout.pixel();
        let nearest = |at: usize| (at as f32 / scale) as usize;
        let width = picture.width();
        for y in 0..glass.height as usize {
            for x in 0..glass.width as usize {
                if let Some(rgb) = panel.pixel(nearest(x), nearest(y)) {
                    let at = (glass.top as usize + y) * width + glass.left as usize + x;
                    picture.pixels_mut()[at] = rgb;
                }
            }
        }
        picture
    }

    /// Restores the unchanging board in `area`, to draw on it again.
    fn restore_bare(&mut self, area: Area) {
        let (width, height) = (self.bare.width(), self.bare.height());
        let clip = |value: f32, limit: usize| (value.max(0.0) as usize).min(limit);
        let (left, right) = (clip(area.left, width), clip((area.left + area.width).ceil(), width));
        let (top, bottom) = (clip(area.top, height), clip((area.top + area.height).ceil(), height));
        if left < right && top < bottom {
            let [left, top, right, bottom] = [left, top, right, bottom].map(|at| at as u32);
            let restored = Rect { left, top, width: right - left, height: bottom - top };
            self.changed = Some(self.changed.map_or(restored, |changed| changed.around(restored)));
        }
        for y in top..bottom {
            let row = y * width + left..y * width + right;
            self.picture.pixels_mut()[row.clone()].copy_from_slice(&self.bare.pixels()[row]);
        }
    }

    fn draw_button(&mut self, at: usize, down: bool) {
        let Some(cap) = self.layout.caps.get(at) else { return };
        let (button, housing, reset) = (cap.button, cap.housing, cap.is_reset);
        let unit = self.layout.unit;
        self.restore_bare(housing.grown(3.0 * unit));
        let painter = &mut Painter::new(&mut self.picture);
        let (light, dark, letter) = if reset {
            (colour::RESET_LIGHT, colour::RESET_DARK, colour::RESET_INK)
        } else {
            (colour::CAP_LIGHT, colour::CAP_DARK, colour::CAP_INK)
        };
        if down {
            let around = housing.grown(1.25 * unit);
            painter.outline(around, 5.0 * unit, 1.5 * unit, Paint::flat(colour::ACTIVE));
        }
        let inset = if reset { 4.0 } else { 3.5 };
        let full = housing.grown(-inset * unit);
        let cap = if down { full.grown(-0.75 * unit) } else { full };
        let radius = cap.height / 2.0;
        // The recess that the cap moves in.
        painter.round_box(full.grown(unit), radius, Paint::flat(colour::BLACK).with_opacity(0.55));
        if !down {
            let fallen = cap.moved(0.0, 1.5 * unit);
            painter.shadow(
                fallen,
                radius,
                3.0 * unit,
                Paint::flat(colour::BLACK).with_opacity(0.6),
            );
        }
        let (top, bottom) = if down {
            (mix(dark, colour::BLACK, 0.18), mix(dark, light, 0.25))
        } else {
            (light, dark)
        };
        // Rim and dished face: the rim catches the light above, the dish below.
        painter.round_box(cap, radius, Paint::gradient(top, bottom));
        let dish = cap.grown(-2.0 * unit);
        let face = mix(light, dark, if down { 0.75 } else { 0.3 });
        let lower = mix(face, colour::WHITE, 0.18);
        painter.round_box(dish, dish.height / 2.0, Paint::gradient(mix(face, dark, 0.35), lower));

        let label = self.labels.of(KeyAction::Press(button));
        let room = (dish.width - 3.0 * unit) / unit;
        // A long name would be cut, or too small to read.
        let is_long = lettering::width(label) + 1.0 > room;
        let label = if is_long { labels::printed(label) } else { label };
        let wide = lettering::width(label) + 1.0;
        // A single letter is drawn large, a word as large as fits.
        let wanted: f32 = if label.chars().count() == 1 { 1.5 } else { 1.0 };
        let size = unit * wanted.min(room / wide).max(LABEL_MIN);
        let size = if size >= unit { (size * 2.0).floor() / 2.0 } else { size };
        let label = &lettering::fitted(label, (room + 3.0) * unit / size - 1.0);
        let middle = dish.center();
        let at = (middle.0, (middle.1 - (CAP_HEIGHT + 1.0) * size / 2.0).round());
        lettering::write(painter, at, Align::Center, label, size, Paint::flat(letter));
    }

    fn draw_lamp(&mut self, on: bool) {
        let (lamp, unit) = (self.layout.lamp, self.layout.unit);
        self.restore_bare(lamp.grown(6.0 * unit));
        let painter = &mut Painter::new(&mut self.picture);
        if on {
            let glow = Paint::flat(colour::ACTIVE).with_opacity(0.55);
            painter.shadow(lamp, lamp.height, 9.0 * unit, glow);
        }
        painter.round_box(lamp.grown(unit), 1.5 * unit, Paint::flat(colour::GOLD));
        let light = if on { mix(colour::ACTIVE, colour::WHITE, 0.45) } else { colour::LAMP_OFF };
        painter.round_box(lamp, unit, Paint::flat(light));
    }

    fn draw_part(&mut self, at: usize, state: &PartState) {
        let Some(part) = self.layout.parts.get(at).cloned() else { return };
        self.restore_bare(part.area);
        parts::draw(&mut Painter::new(&mut self.picture), &part, self.layout.unit, state);
    }

    fn draw_buzzer(&mut self, sounding: bool) {
        let Some(buzzer) = self.layout.buzzer else { return };
        let unit = self.layout.unit;
        self.restore_bare(buzzer.grown(5.0 * unit));
        let painter = &mut Painter::new(&mut self.picture);
        let (center, radius) = (buzzer.center(), buzzer.width / 2.0 - unit);
        parts::draw_buzzer(painter, buzzer, unit);
        if sounding {
            painter.ring(center, radius + 0.5 * unit, 1.5 * unit, Paint::flat(colour::ACTIVE));
            painter.ring(center, radius * 0.5, 1.25 * unit, Paint::flat(colour::ACTIVE));
        }
        painter.disc(center, radius * 0.2, Paint::flat(colour::BLACK));
    }

    fn draw_status(&mut self, view: &View) {
        let (area, unit) = (self.layout.status, self.layout.unit);
        self.restore_bare(area.grown(2.0 * unit));
        let painter = &mut Painter::new(&mut self.picture);
        let (normal, active) = (colour::SILK, colour::ACTIVE);
        let state = match (view.running, view.powered) {
            _ if view.past && view.plays => ("PLAYING", active),
            _ if view.past => ("IN THE PAST", active),
            (Running::Broken, _) => ("STOPPED", active),
            (Running::Debugged, _) => ("GDB STOPPED", active),
            (Running::Paused, _) => ("PAUSED", active),
            (Running::Runs, false) => ("POWER OFF", active),
            (Running::Runs, true) => ("RUNNING", normal),
        };
        let speed =
            if (view.speed, view.pace) == (Speed::REAL, Speed::REAL) { normal } else { active };
        let pace = match view.pace == view.speed {
            true => format!("{}×", view.pace),
            false => format!("{}×, then {}×", view.pace, view.speed),
        };
        let sound = match view.sound {
            Sound::On if view.volume < 100 => (format!("ON, {} %", view.volume), normal),
            Sound::On => ("ON".to_owned(), normal),
            Sound::Muted => ("MUTED".to_owned(), active),
            Sound::Missing => ("NO DEVICE".to_owned(), active),
        };
        let (trace, recording) = match &view.recording {
            Recording::Off => ("NOT RECORDED".to_owned(), false),
            Recording::To(file) => (words::latin(file), true),
            Recording::Failed => ("FAILED".to_owned(), false),
        };
        let flash = match view.flash {
            FlashState::Kept => ("KEPT", normal),
            FlashState::Discarded => ("NOT KEPT", normal),
            FlashState::Copy => ("COPY", active),
            FlashState::Beside => ("KEPT BESIDE", active),
            FlashState::Failed => ("CANNOT SAVE", active),
        };
        let trace_colour = if view.recording == Recording::Off { normal } else { active };
        let lines = [
            ("BOARD", state.0.to_owned(), state.1),
            ("SPEED", pace, speed),
            ("SOUND", sound.0, sound.1),
            ("FLASH", flash.0.to_owned(), flash.1),
            (if recording { "REC" } else { "TRACE" }, trace, trace_colour),
        ];
        let tab = STATUS_TAB * unit;
        for (at, (name, value, paint)) in lines.into_iter().enumerate() {
            let top = area.top + (at as f32 * LINE_HEIGHT * unit).round();
            let dim = Paint::flat(colour::SILK_DIM);
            lettering::write(painter, (area.left, top), Align::Left, name, unit, dim);
            if at == RECORDING_LINE && recording {
                let dot = (area.left + tab - 8.0 * unit, top + (CAP_HEIGHT + 1.0) * unit / 2.0);
                painter.disc(dot, 2.75 * unit, Paint::flat(colour::RESET_LIGHT));
            }
            let value = lettering::fitted(&value, (area.width - tab) / unit - 1.0);
            let at = (area.left + tab, top);
            lettering::write(painter, at, Align::Left, &value, unit, Paint::flat(paint));
        }
    }
}

/// Smallest size of a key's name on its cap, as a share of the usual size. A longer name is shortened.
const LABEL_MIN: f32 = 0.6;
/// Column of the values in the status lines, in units.
const STATUS_TAB: f32 = 38.0;
/// Index of the last status line, which shows the recording.
const RECORDING_LINE: usize = layout::STATUS_LINES - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use live::keymap::Keymap;
    use trace::Button;

    const PANEL: Panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };

    fn face(scale: u32) -> Face {
        let layout = Layout::new(PANEL, Scale::new(scale).unwrap());
        Face::new(layout, Labels::new(&Keymap::default()))
    }

    fn view_with_down(button: Button) -> View {
        let mut view = View::default();
        view.down.insert(button);
        view
    }

    #[test]
    fn a_pressed_button_changes_only_its_own_area() {
        for button in Button::LCD_BOARD {
            let mut face = face(1);
            face.draw(&View::default());
            let before = face.picture().clone();
            assert!(face.draw(&view_with_down(button)));
            let rect = face.layout().button(button);
            let margin = 6;
            for (at, (old, new)) in before.pixels().iter().zip(face.picture().pixels()).enumerate()
            {
                let (x, y) = ((at % before.width()) as u32, (at / before.width()) as u32);
                let near = (rect.left - margin..rect.left + rect.width + margin).contains(&x)
                    && (rect.top - margin..rect.top + rect.height + margin).contains(&y);
                assert!(near || old == new, "{button} changed {x},{y}");
            }
            assert_ne!(&before, face.picture(), "{button} shows when it is down");
        }
    }

    #[test]
    fn nothing_changes_outside_the_reported_area() {
        let views = [
            View::default(),
            view_with_down(Button::T3),
            View { tone: true, ..View::default() },
            View { powered: false, ..View::default() },
            View { running: Running::Paused, past: true, ..View::default() },
            View::default(),
        ];
        for unit in [0.8, 1.0, 1.3] {
            let layout = Layout::at(PANEL, unit);
            let mut face = Face::new(layout, Labels::new(&Keymap::default()));
            for view in &views {
                let before = face.picture().clone();
                assert!(face.draw(view));
                let part = face.changed().unwrap();
                let rows = before.pixels().iter().zip(face.picture().pixels()).enumerate();
                for (at, _) in rows.filter(|(_, (old, new))| old != new) {
                    let (x, y) = ((at % before.width()) as i32, (at / before.width()) as i32);
                    assert!(part.contains(x, y), "{x},{y} at {unit}, not in {part:?}");
                }
            }
            assert!(!face.draw(&View::default()) && face.changed().is_none());
        }
    }

    #[test]
    fn a_released_button_is_drawn_as_before() {
        let mut face = face(1);
        face.draw(&View::default());
        let before = face.picture().clone();
        let elsewhere = View {
            down: Button::LCD_BOARD.into_iter().collect(),
            powered: false,
            tone: true,
            running: Running::Paused,
            speed: Speed::MAX,
            pace: Speed::MAX,
            sound: Sound::Muted,
            volume: 40,
            recording: Recording::To("a-name-that-is-much-too-long-for-its-line.trace".into()),
            flash: FlashState::Failed,
            parts: PartStates::default(),
            past: true,
            plays: true,
        };
        assert!(face.draw(&elsewhere));
        assert!(!face.draw(&elsewhere), "the same view again changes nothing");
        face.draw(&View::default());
        assert_eq!(&before, face.picture());
    }

    #[test]
    fn the_panel_is_drawn_in_its_place_pixel_by_pixel() {
        let mut face = face(3);
        face.draw(&View::default());
        let mut panel = Frame::filled(320, 240, 0x12_3456);
        panel.pixels_mut()[320 * 239 + 319] = 0xFF_0000;
        let picture = face.with_panel(&panel);
        let glass = face.layout().panel();
        let at =
            |x: u32, y: u32| picture.pixel((glass.left + x) as usize, (glass.top + y) as usize);
        assert_eq!(at(0, 0), Some(0x12_3456));
        assert_eq!(at(959, 719), Some(0xFF_0000));
        assert_eq!(at(957, 717), Some(0xFF_0000));
        assert_eq!(at(956, 717), Some(0x12_3456));
        assert_ne!(at(960, 719), Some(0xFF_0000));
    }

    #[test]
    fn labels_come_from_the_users_keyboard_if_the_font_has_them() {
        let key = |name| live::keymap::Key::from_name(name).unwrap();
        let labels = Labels::with_names(&Keymap::default(), |asked| match asked {
            asked if asked == key("Q") => Some("A".into()),
            asked if asked == key("W") => Some("Ц".into()),
            _ => None,
        });
        assert_eq!(labels.of(KeyAction::Press(Button::T1)), "A");
        assert_eq!(labels.of(KeyAction::Press(Button::T2)), "W");
        assert_eq!(labels.of(KeyAction::Press(Button::Reset)), "Space");
    }

    #[test]
    fn a_long_name_of_a_key_is_printed_as_keyboards_do() {
        assert_eq!((labels::printed("Backspace"), labels::printed("F10")), ("BKSP", "F10"));
        for name in board_file::key_names::names() {
            let printed = labels::printed(name);
            assert!(lettering::can_write(printed) && !printed.is_empty(), "{name}");
        }
    }
}
