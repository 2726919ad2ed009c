//! The picture of the board: its PCB, the panel's frame, twelve NUDGE buttons and RESET
//! that show when they are down, and what state the session is in.
//!
//! [`Layout`] says where everything is and which button a point hits; [`Face`] draws it
//! into a [`Frame`] of window pixels and redraws only what a new [`View`] changed. The
//! panel's own picture is laid over it by whoever shows both (the window scales it by
//! nearest neighbour; [`Face::with_panel`] does it for a file). It knows no SDL, no
//! firmware, no clock.

mod layout;
mod lettering;
mod painter;

use hal_mock::{Button, Frame};

pub use layout::{Layout, Panel, Rect, Scale};

use crate::keymap::{KeyAction, Keymap};
use lettering::{Align, CAP_HEIGHT, LINE_HEIGHT};
use painter::{Area, Paint, Painter, mix};
use wall_clock::Speed;

/// The colours: matt green PCB, white silk-screen, cream and vermilion caps, amber for what
/// is active. Down is told apart by form and brightness too, never by hue alone.
mod colour {
    pub(super) const DESK: u32 = 0x22_262B;
    pub(super) const BOARD_TOP: u32 = 0x15_4A38;
    pub(super) const BOARD_BOTTOM: u32 = 0x0E_3629;
    pub(super) const BOARD_EDGE: u32 = 0x2A_6B54;
    pub(super) const COPPER: u32 = 0x1F_5E48;
    pub(super) const GOLD: u32 = 0xC9_A45C;
    pub(super) const SILK: u32 = 0xEE_F3EA;
    pub(super) const SILK_DIM: u32 = 0xA5_C2B4;
    pub(super) const BEZEL_TOP: u32 = 0x2B_2E33;
    pub(super) const BEZEL_BOTTOM: u32 = 0x15_171A;
    pub(super) const GLASS: u32 = 0x05_0607;
    pub(super) const METAL_TOP: u32 = 0x50_5459;
    pub(super) const METAL_BOTTOM: u32 = 0x2A_2D31;
    pub(super) const METAL_EDGE: u32 = 0x80_858B;
    pub(super) const CAP_LIGHT: u32 = 0xFB_F7EA;
    pub(super) const CAP_DARK: u32 = 0xCF_C8B4;
    pub(super) const CAP_INK: u32 = 0x23_2A2B;
    pub(super) const RESET_LIGHT: u32 = 0xEE_6A33;
    pub(super) const RESET_DARK: u32 = 0xB5_400F;
    pub(super) const RESET_INK: u32 = 0xFF_FFFF;
    pub(super) const ACTIVE: u32 = 0xFF_C247;
    pub(super) const LAMP_OFF: u32 = 0x3A_3A34;
    pub(super) const BLACK: u32 = 0x00_0000;
    pub(super) const WHITE: u32 = 0xFF_FFFF;
}

/// What virtual time does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// It runs.
    Runs,
    /// It stands still.
    Paused,
    /// The machine broke and runs no more.
    Broken,
}

/// What becomes of the buzzer's tones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// They are heard.
    On,
    /// The user does not want them.
    Muted,
    /// This computer has no sound device.
    Missing,
}

/// What becomes of what is pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// Nothing is kept.
    Off,
    /// It is written into the file of that name.
    To(String),
    /// It was being written, and then the file could not take more.
    Failed,
}

/// What the board shows besides its panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Which buttons are down, by [`Button::index`].
    pub down: [bool; Button::COUNT],
    /// Whether the board has power.
    pub powered: bool,
    /// Whether the buzzer sounds.
    pub tone: bool,
    /// What virtual time does.
    pub running: Running,
    /// How fast it does.
    pub speed: Speed,
    /// What becomes of tones.
    pub sound: Sound,
    /// What becomes of presses.
    pub recording: Recording,
}

impl Default for View {
    fn default() -> Self {
        Self {
            down: [false; Button::COUNT],
            powered: true,
            tone: false,
            running: Running::Runs,
            speed: Speed::REAL,
            sound: Sound::On,
            recording: Recording::Off,
        }
    }
}

/// The key of each action as it is to be written on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<(KeyAction, String)>);

impl Labels {
    /// The names of the keymap's keys: what a US keyboard has there.
    pub fn new(keymap: &Keymap) -> Self {
        Self::with_names(keymap, |_| None)
    }

    /// Names from `name_of`, which may know what this user's keyboard has at a position;
    /// the keymap's own where it does not, or where the board cannot write it.
    pub fn with_names(
        keymap: &Keymap,
        name_of: impl Fn(crate::keymap::Key) -> Option<String>,
    ) -> Self {
        let label = |action| {
            let key = keymap.key(action);
            let name = name_of(key).filter(|name| !name.is_empty() && lettering::can_write(name));
            let name = name.unwrap_or_else(|| key.name().to_owned());
            (action, name.replace("Keypad", "KP").replace("Left ", "L-").replace("Right ", "R-"))
        };
        Self(KeyAction::all().map(label).collect())
    }

    fn of(&self, action: KeyAction) -> &str {
        self.0.iter().find(|(known, _)| *known == action).map_or("", |(_, label)| label)
    }
}

/// Draws the board.
#[derive(Clone, Debug)]
pub struct Face {
    layout: Layout,
    labels: Labels,
    /// The board with nothing that can change.
    bare: Frame,
    picture: Frame,
    shown: Option<View>,
}

impl Face {
    /// Draws what never changes; the rest comes with the first [`draw`](Self::draw).
    pub fn new(layout: Layout, labels: Labels) -> Self {
        let (width, height) = (layout.width() as usize, layout.height() as usize);
        let mut bare = Frame::filled(width, height, colour::DESK);
        draw_bare(&mut Painter::new(&mut bare), &layout, &labels);
        Self { picture: bare.clone(), bare, layout, labels, shown: None }
    }

    /// Where everything is.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Brings the picture up to date; `true` if anything on it changed.
    pub fn draw(&mut self, view: &View) -> bool {
        let shown = self.shown.replace(view.clone());
        let changed = |differs: &dyn Fn(&View) -> bool| shown.as_ref().is_none_or(differs);
        let mut any = false;
        for button in Button::ALL {
            let down = view.down[button.index()];
            if changed(&|before| before.down[button.index()] != down) {
                any = true;
                self.draw_button(button, down);
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
            (view.running, view.powered, view.speed, view.sound, view.recording.clone())
        };
        if changed(&|before| status(before) != status(view)) {
            any = true;
            self.draw_status(view);
        }
        any
    }

    /// The picture in window pixels; where the panel is, dark glass.
    pub fn picture(&self) -> &Frame {
        &self.picture
    }

    /// The picture with `panel` laid into it, each of its pixels `scale` × `scale`.
    pub fn with_panel(&self, panel: &Frame) -> Frame {
        let mut picture = self.picture.clone();
        let glass = self.layout.panel();
        let scale = self.layout.unit as usize;
        let width = picture.width();
        for y in 0..glass.height as usize {
            for x in 0..glass.width as usize {
                if let Some(rgb) = panel.pixel(x / scale, y / scale) {
                    let at = (glass.top as usize + y) * width + glass.left as usize + x;
                    picture.pixels_mut()[at] = rgb;
                }
            }
        }
        picture
    }

    /// Takes an area back to the bare board, to draw on it anew.
    fn restore_bare(&mut self, area: Area) {
        let (width, height) = (self.bare.width(), self.bare.height());
        let clip = |value: f32, limit: usize| (value.max(0.0) as usize).min(limit);
        let (left, right) = (clip(area.left, width), clip((area.left + area.width).ceil(), width));
        for y in clip(area.top, height)..clip((area.top + area.height).ceil(), height) {
            let row = y * width + left..y * width + right;
            self.picture.pixels_mut()[row.clone()].copy_from_slice(&self.bare.pixels()[row]);
        }
    }

    fn draw_button(&mut self, button: Button, down: bool) {
        let housing = self.layout.housings[button.index()];
        let unit = self.layout.unit;
        self.restore_bare(housing.grown(3.0 * unit));
        let painter = &mut Painter::new(&mut self.picture);
        let reset = button == Button::Reset;
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
        // The well the cap moves in.
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
        let wide = lettering::width(label) + 1.0;
        // One letter stands large, a word as large as fits.
        let wanted: f32 = if label.chars().count() == 1 { 1.5 } else { 1.0 };
        let size = unit * wanted.min(room / wide);
        let size = if size >= unit { (size * 2.0).floor() / 2.0 } else { size };
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

    fn draw_buzzer(&mut self, sounding: bool) {
        let (buzzer, unit) = (self.layout.buzzer, self.layout.unit);
        self.restore_bare(buzzer.grown(5.0 * unit));
        let painter = &mut Painter::new(&mut self.picture);
        let (center, radius) = (buzzer.center(), buzzer.width / 2.0 - unit);
        let fallen = (center.0, center.1 + unit);
        let around = Area::around(fallen, 2.0 * radius, 2.0 * radius);
        painter.shadow(around, radius, 4.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.6));
        painter.disc(center, radius, Paint::gradient(0x3A_3D42, 0x17_191C));
        painter.ring(center, radius * 0.82, unit, Paint::flat(0x4A_4E54));
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
            (Running::Broken, _) => ("STOPPED", active),
            (Running::Paused, _) => ("PAUSED", active),
            (Running::Runs, false) => ("POWER OFF", active),
            (Running::Runs, true) => ("RUNNING", normal),
        };
        let speed = if view.speed == Speed::REAL { normal } else { active };
        let sound = match view.sound {
            Sound::On => ("ON", normal),
            Sound::Muted => ("MUTED", active),
            Sound::Missing => ("NO DEVICE", active),
        };
        let (trace, recording) = match &view.recording {
            Recording::Off => ("NOT RECORDED".to_owned(), false),
            Recording::To(file) => (file.clone(), true),
            Recording::Failed => ("FAILED".to_owned(), false),
        };
        let trace_colour = if view.recording == Recording::Off { normal } else { active };
        let lines = [
            ("BOARD", state.0.to_owned(), state.1),
            ("SPEED", format!("{}×", view.speed), speed),
            ("SOUND", sound.0.to_owned(), sound.1),
            (if recording { "REC" } else { "TRACE" }, trace, trace_colour),
        ];
        let tab = STATUS_TAB * unit;
        for (at, (name, value, paint)) in lines.into_iter().enumerate() {
            let top = area.top + (at as f32 * LINE_HEIGHT * unit).round();
            let dim = Paint::flat(colour::SILK_DIM);
            lettering::write(painter, (area.left, top), Align::Left, name, unit, dim);
            if at == 3 && recording {
                let dot = (area.left + tab - 8.0 * unit, top + (CAP_HEIGHT + 1.0) * unit / 2.0);
                painter.disc(dot, 2.75 * unit, Paint::flat(colour::RESET_LIGHT));
            }
            let value = lettering::fitted(&value, (area.width - tab) / unit - 1.0);
            let at = (area.left + tab, top);
            lettering::write(painter, at, Align::Left, &value, unit, Paint::flat(paint));
        }
    }
}

/// Where the values of the status lines stand, in units.
const STATUS_TAB: f32 = 38.0;
/// Where the words of the legend stand unless its keys are wide, in units.
const LEGEND_TAB: f32 = 20.0;

fn draw_bare(painter: &mut Painter<'_>, layout: &Layout, labels: &Labels) {
    let unit = layout.unit;
    let board = layout.board;
    let fallen = board.moved(0.0, 1.5 * unit);
    painter.shadow(fallen, 7.0 * unit, 8.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.6));
    painter.round_box(board, 7.0 * unit, Paint::gradient(colour::BOARD_TOP, colour::BOARD_BOTTOM));
    let rim = board.grown(-0.5 * unit);
    painter.outline(rim, 6.5 * unit, unit, Paint::flat(colour::BOARD_EDGE).with_opacity(0.8));
    draw_copper(painter, layout);
    for hole in layout.holes {
        painter.disc(
            hole,
            6.5 * unit,
            Paint::gradient(mix(colour::GOLD, colour::WHITE, 0.3), colour::GOLD),
        );
        painter.disc(hole, 4.0 * unit, Paint::flat(colour::DESK));
    }

    draw_bezel(painter, layout);
    let silk = Paint::flat(colour::SILK);
    for button in Button::ALL {
        draw_housing(painter, layout.housings[button.index()], unit);
        let at = layout.names[button.index()];
        lettering::write(painter, at, Align::Center, button.name(), unit, silk);
    }

    let (left, top) = layout.wordmark;
    lettering::write(painter, (left, top), Align::Left, "NUDGE", 1.5 * unit, silk);
    let below = top + 15.0 * unit;
    let dim = Paint::flat(colour::SILK_DIM);
    lettering::write(painter, (left, below), Align::Left, "LCD BOARD", 0.75 * unit, dim);
    lettering::write(painter, layout.lamp_name, Align::Left, "PWR", unit, dim);
    lettering::write(painter, layout.part_name, Align::Center, "ILI9341", unit, dim);
    draw_legend(painter, layout, labels);
}

/// Faint tracks from the buttons to the panel's frame, as under green solder resist.
fn draw_copper(painter: &mut Painter<'_>, layout: &Layout) {
    let unit = layout.unit;
    let track = Paint::flat(colour::COPPER).with_opacity(0.9);
    let bezel = layout.bezel;
    for housing in &layout.housings[..12] {
        let (x, y) = housing.center();
        let edge = if y < bezel.top { bezel.top } else { bezel.top + bezel.height };
        for side in [-9.0, 9.0] {
            painter.stroke(&[(x + side * unit, y), (x + side * unit, edge)], 1.5 * unit, track);
        }
    }
    // RESET's pair runs round the names of the buttons between it and the panel.
    let reset = layout.housings[Button::Reset.index()];
    let bottom = bezel.top + bezel.height;
    for side in [-2.0, 2.0] {
        let x = reset.center().0 + side * unit;
        painter.stroke(&[(x, reset.top), (x, bottom)], 1.5 * unit, track);
    }
}

fn draw_bezel(painter: &mut Painter<'_>, layout: &Layout) {
    let unit = layout.unit;
    let bezel = layout.bezel;
    let fallen = bezel.moved(0.0, 1.5 * unit);
    painter.shadow(fallen, 4.0 * unit, 6.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.7));
    painter.round_box(bezel, 4.0 * unit, Paint::gradient(colour::BEZEL_TOP, colour::BEZEL_BOTTOM));
    let rim = bezel.grown(-0.5 * unit);
    painter.outline(rim, 3.5 * unit, unit, Paint::gradient(0x4C_5157, 0x1E_2023));
    let panel = layout.panel();
    let glass = Area {
        left: panel.left as f32,
        top: panel.top as f32,
        width: panel.width as f32,
        height: panel.height as f32,
    };
    painter.round_box(glass.grown(2.0 * unit), 2.0 * unit, Paint::flat(colour::GLASS));
}

fn draw_housing(painter: &mut Painter<'_>, housing: Area, unit: f32) {
    let fallen = housing.moved(0.0, unit);
    painter.shadow(fallen, 4.0 * unit, 4.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.55));
    painter.round_box(
        housing,
        4.0 * unit,
        Paint::gradient(colour::METAL_TOP, colour::METAL_BOTTOM),
    );
    let rim = housing.grown(-0.5 * unit);
    let edge = Paint::gradient(colour::METAL_EDGE, colour::METAL_BOTTOM).with_opacity(0.7);
    painter.outline(rim, 3.5 * unit, unit, edge);
}

fn draw_legend(painter: &mut Painter<'_>, layout: &Layout, labels: &Labels) {
    let (area, unit) = (layout.legend, layout.unit);
    let lines = [
        (KeyAction::Pause, "PAUSE"),
        (KeyAction::SingleFrame, "SINGLE FRAME"),
        (KeyAction::PowerCycle, "POWER CYCLE"),
        (KeyAction::Mute, "MUTE"),
    ];
    let keys = lines.map(|(action, _)| lettering::fitted(labels.of(action), 36.0));
    let widest = keys.iter().map(|key| lettering::width(key)).fold(0.0, f32::max);
    let tab = LEGEND_TAB.max(widest + 8.0) * unit;
    for (at, ((_, words), key)) in lines.into_iter().zip(keys).enumerate() {
        let top = area.top + (at as f32 * LINE_HEIGHT * unit).round();
        // The key's name stands in the middle of its column.
        let middle = area.left + ((tab / unit - 8.0) / 2.0 * unit).round();
        let silk = Paint::flat(colour::SILK);
        let text = Area::around((middle, top + (CAP_HEIGHT + 1.0) * unit / 2.0), 0.0, 0.0);
        let wide = (lettering::width(&key) / 2.0 + 3.0).max(5.0) * unit;
        let cap = Area::around(text.center(), 2.0 * wide, (LINE_HEIGHT - 1.0) * unit);
        painter.round_box(cap, 2.5 * unit, Paint::flat(colour::SILK).with_opacity(0.16));
        lettering::write(painter, (middle, top), Align::Center, &key, unit, silk);
        let words = lettering::fitted(words, (area.width - tab) / unit);
        let dim = Paint::flat(colour::SILK_DIM);
        lettering::write(painter, (area.left + tab, top), Align::Left, &words, unit, dim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANEL: Panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };

    fn face(scale: u32) -> Face {
        let layout = Layout::new(PANEL, Scale::new(scale).unwrap());
        Face::new(layout, Labels::new(&Keymap::default()))
    }

    fn view_with_down(button: Button) -> View {
        let mut view = View::default();
        view.down[button.index()] = true;
        view
    }

    #[test]
    fn a_button_that_goes_down_changes_its_own_place_and_no_other() {
        for button in Button::ALL {
            let mut face = face(2);
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
    fn what_was_pressed_and_released_looks_as_before() {
        let mut face = face(1);
        face.draw(&View::default());
        let before = face.picture().clone();
        let elsewhere = View {
            down: [true; Button::COUNT],
            powered: false,
            tone: true,
            running: Running::Paused,
            speed: Speed::MAX,
            sound: Sound::Muted,
            recording: Recording::To("a-name-that-is-much-too-long-for-its-line.trace".into()),
        };
        assert!(face.draw(&elsewhere));
        assert!(!face.draw(&elsewhere), "the same view again changes nothing");
        face.draw(&View::default());
        assert_eq!(&before, face.picture());
    }

    #[test]
    fn the_panel_is_laid_into_its_place_pixel_by_pixel() {
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
    fn labels_come_from_the_users_keyboard_where_the_board_can_write_them() {
        let key = |name| crate::keymap::Key::from_name(name).unwrap();
        let labels = Labels::with_names(&Keymap::default(), |asked| match asked {
            asked if asked == key("Q") => Some("A".into()),
            asked if asked == key("W") => Some("Ц".into()),
            _ => None,
        });
        assert_eq!(labels.of(KeyAction::Press(Button::T1)), "A");
        assert_eq!(labels.of(KeyAction::Press(Button::T2)), "W");
        assert_eq!(labels.of(KeyAction::Press(Button::Reset)), "Space");
    }
}
