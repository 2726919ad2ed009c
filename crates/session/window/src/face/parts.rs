//! Draws the parts of a board that are no buttons: LEDs, switches, knobs, sliders, joysticks,
//! further displays, and the keys of a matrix that are not connected. A part whose state is unknown
//! is drawn grey, in its position at rest. Active parts differ in shape or brightness, never in hue
//! alone.

use super::colour;
use super::housing::{draw_housing, write};
use super::items::Text;
use super::painter::{Area, Paint, Painter, Point, mix};
use super::part_state::PartState;

/// A part on the board.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartPlace {
    pub(super) kind: PartKind,
    /// Name in the board file, with which its state is found.
    pub(super) name: String,
    /// The area of the part without its name, in window pixels.
    pub(super) area: Area,
    /// The name below the part, and the names of the keys of a matrix.
    pub(super) texts: Vec<Text>,
}

/// Kind of a part, with the data that its picture needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PartKind {
    /// A display after the first one.
    Display,
    /// A switch, and whether it is on at power-on.
    Switch {
        on: bool,
    },
    /// Keys of a matrix that are not connected.
    Keys(Vec<Area>),
    /// A knob, with the number of edges of a full turn.
    Encoder {
        edges: i64,
    },
    Joystick,
    /// A potentiometer, and its position at power-on in thousandths.
    Potentiometer {
        start: u16,
    },
    /// LEDs, and their colour.
    Leds {
        count: usize,
        colour: u32,
    },
    /// A buzzer without a model.
    Buzzer,
}

impl PartKind {
    /// Returns whether a person moves such a part.
    pub(super) fn is_control(&self) -> bool {
        matches!(
            self,
            Self::Switch { .. }
                | Self::Encoder { .. }
                | Self::Joystick
                | Self::Potentiometer { .. }
        )
    }
}

/// Returns the columns of the slider of a potentiometer at the ends of its way.
pub(super) fn slider_ends(area: Area, unit: f32) -> (f32, f32) {
    let inset = (SLIDER_MARGIN + SLIDER_INSET) * unit;
    (area.left + inset, area.left + area.width - inset)
}

/// Returns the way of a pointer from the middle of a joystick to its end.
pub(super) fn stick_reach(area: Area, unit: f32) -> f32 {
    stick_side(area, unit) * STICK_WELL
}

fn stick_side(area: Area, unit: f32) -> f32 {
    area.width.min(area.height) - 6.0 * unit
}

/// Draws what never changes: the names, and parts that have no state.
pub(super) fn draw_bare(painter: &mut Painter<'_>, part: &PartPlace, unit: f32) {
    match &part.kind {
        PartKind::Display => {
            painter.round_box(
                part.area,
                4.0 * unit,
                Paint::gradient(colour::BEZEL_TOP, colour::BEZEL_BOTTOM),
            );
            painter.round_box(glass(part.area, unit), 2.0 * unit, Paint::flat(colour::GLASS));
        }
        PartKind::Keys(keys) => {
            for key in keys {
                draw_housing(painter, *key, unit);
                let cap = key.grown(-3.5 * unit);
                painter.round_box(cap, cap.height / 2.0, Paint::flat(UNLIT));
            }
        }
        PartKind::Buzzer => {
            let side = part.area.width.min(part.area.height) - 6.0 * unit;
            let (x, y) = part.area.center();
            let buzzer = Area::around((x, y), side, side);
            draw_buzzer(painter, buzzer, unit);
            painter.disc(buzzer.center(), side * 0.1, Paint::flat(colour::BLACK));
        }
        PartKind::Switch { .. }
        | PartKind::Encoder { .. }
        | PartKind::Joystick
        | PartKind::Potentiometer { .. }
        | PartKind::Leds { .. } => {}
    }
    for text in &part.texts {
        write(painter, text);
    }
}

/// Draws a part in a state. Its area shows the bare board.
pub(super) fn draw(painter: &mut Painter<'_>, part: &PartPlace, unit: f32, state: &PartState) {
    let area = part.area;
    let is_known = *state != PartState::Unknown;
    let knob = if is_known { colour::CAP_LIGHT } else { UNKNOWN };
    match &part.kind {
        PartKind::Switch { on } => {
            let on = if let PartState::On(on) = state { *on } else { *on };
            draw_switch(painter, area, unit, (on, knob, is_known));
        }
        PartKind::Encoder { edges } => {
            let turned = if let PartState::Edges(turned) = state { *turned } else { 0 };
            let turned = turned.rem_euclid((*edges).max(1)) as f32 / (*edges).max(1) as f32;
            draw_knob(painter, area, unit, std::f32::consts::TAU * turned, knob);
        }
        PartKind::Potentiometer { start } => {
            let at = if let PartState::Turned(turned) = state { *turned } else { *start };
            draw_slider(painter, area, unit, share(at), knob);
        }
        PartKind::Joystick => {
            let (x, y) = if let PartState::Tilted(x, y) = state { (*x, *y) } else { (500, 500) };
            draw_stick(painter, area, unit, (share(x), share(y)), knob);
        }
        PartKind::Leds { count, colour } => {
            let dimmed;
            let lights: &[u32] = match state {
                PartState::Lit(lights) => lights,
                PartState::Dimmed(brightness) => {
                    dimmed = [mix(colour::BLACK, *colour, share(*brightness))];
                    &dimmed
                }
                _ => &[],
            };
            for (at, lens) in lenses(area, *count, unit).into_iter().enumerate() {
                let light = lights.get(at).copied();
                draw_lens(painter, lens, unit, *colour, light);
            }
        }
        PartKind::Display => {
            if let PartState::Shows(frame) = state {
                painter.picture(glass(area, unit), frame);
            }
        }
        PartKind::Keys(_) | PartKind::Buzzer => {}
    }
}

/// Returns the glass of a display.
pub(super) fn glass(area: Area, unit: f32) -> Area {
    area.grown(-6.0 * unit)
}

/// Draws the case of a buzzer.
pub(super) fn draw_buzzer(painter: &mut Painter<'_>, buzzer: Area, unit: f32) {
    let (center, radius) = (buzzer.center(), buzzer.width / 2.0 - unit);
    let fallen = (center.0, center.1 + unit);
    let around = Area::around(fallen, 2.0 * radius, 2.0 * radius);
    painter.shadow(around, radius, 4.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.6));
    painter.disc(center, radius, Paint::gradient(0x3A_3D42, 0x17_191C));
    painter.ring(center, radius * 0.82, unit, Paint::flat(0x4A_4E54));
}

/// Converts thousandths to a share of 0 to 1.
fn share(thousandths: u16) -> f32 {
    f32::from(thousandths.min(1_000)) / 1_000.0
}

fn draw_switch(
    painter: &mut Painter<'_>,
    area: Area,
    unit: f32,
    (on, knob, is_known): (bool, u32, bool),
) {
    let height = (area.height - 8.0 * unit).min(16.0 * unit);
    let case = Area::around(area.center(), (2.0 * height).min(area.width - 6.0 * unit), height);
    draw_housing(painter, case, unit);
    let slot = case.grown(-3.0 * unit);
    painter.round_box(slot, 2.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.7));
    let half = slot.width / 2.0;
    let left = if on { slot.left + half } else { slot.left };
    let slider = Area { left, width: half, ..slot };
    painter.round_box(slider, 2.0 * unit, Paint::gradient(knob, mix(knob, colour::BLACK, 0.25)));
    if on && is_known {
        painter.outline(case.grown(unit), 4.0 * unit, 1.5 * unit, Paint::flat(colour::ACTIVE));
    }
}

fn draw_knob(painter: &mut Painter<'_>, area: Area, unit: f32, angle: f32, knob: u32) {
    let radius = area.width.min(area.height) / 2.0 - 4.0 * unit;
    let center = area.center();
    let around = Area::around((center.0, center.1 + unit), 2.0 * radius, 2.0 * radius);
    painter.shadow(around, radius, 4.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.6));
    painter.disc(center, radius, Paint::gradient(colour::METAL_TOP, colour::METAL_BOTTOM));
    painter.ring(center, radius * 0.8, unit, Paint::flat(colour::METAL_EDGE));
    // Clockwise from the top.
    let at =
        |far: f32| (center.0 + angle.sin() * radius * far, center.1 - angle.cos() * radius * far);
    painter.stroke(&[at(0.3), at(0.72)], 2.5 * unit, Paint::flat(knob));
}

fn draw_slider(painter: &mut Painter<'_>, area: Area, unit: f32, at: f32, knob: u32) {
    let height = (area.height - 8.0 * unit).min(20.0 * unit);
    let case = Area::around(area.center(), area.width - 2.0 * SLIDER_MARGIN * unit, height);
    draw_housing(painter, case, unit);
    let middle = case.center().1;
    let (left, right) = slider_ends(area, unit);
    painter.stroke(&[(left, middle), (right, middle)], 3.0 * unit, Paint::flat(colour::BLACK));
    let slider =
        Area::around((left + (right - left) * at, middle), 7.0 * unit, height - 5.0 * unit);
    painter.round_box(slider, 2.0 * unit, Paint::gradient(knob, mix(knob, colour::BLACK, 0.25)));
}

fn draw_stick(painter: &mut Painter<'_>, area: Area, unit: f32, (x, y): Point, knob: u32) {
    let side = stick_side(area, unit);
    let case = Area::around(area.center(), side, side);
    draw_housing(painter, case, unit);
    let center = case.center();
    painter.disc(center, side * STICK_WELL, Paint::flat(colour::BLACK).with_opacity(0.6));
    let reach = side * 0.18;
    let at = (center.0 + (2.0 * x - 1.0) * reach, center.1 - (2.0 * y - 1.0) * reach);
    painter.disc(at, side * 0.24, Paint::gradient(knob, mix(knob, colour::BLACK, 0.3)));
}

/// Draws an LED: grey if its state is unknown, dark if it is off, and with a glow if it is on.
fn draw_lens(painter: &mut Painter<'_>, lens: Area, unit: f32, own: u32, light: Option<u32>) {
    let side = lens.width;
    let is_on = light.is_some_and(|light| light != 0);
    if let (true, Some(light)) = (is_on, light) {
        // The light ends at the edge of the LED's place.
        let source = lens.grown(-0.2 * side);
        let glow = Paint::flat(light).with_opacity(0.8);
        painter.shadow(source, 0.3 * side, (0.4 * side).max(1.0), glow);
    }
    painter.disc(lens.center(), 0.32 * side, Paint::flat(colour::METAL_EDGE));
    let inside = match light {
        None => UNLIT,
        Some(0) => mix(own, colour::BLACK, 0.75),
        Some(light) => mix(light, colour::WHITE, 0.35),
    };
    painter.disc(lens.center(), 0.32 * side - unit, Paint::flat(inside));
}

/// Returns the areas of `count` LEDs in `area`, in rows, as large as fit. Those that would be
/// smaller than [`LENS_MIN`] are left out.
pub(super) fn lenses(area: Area, count: usize, unit: f32) -> Vec<Area> {
    let (width, height) = (area.width / unit, area.height / unit);
    let in_row = |side: f32| (width / side).floor() as usize;
    let fits = |side: f32| in_row(side) * ((height / side).floor() as usize) >= count;
    let mut side = LENS_MAX.min(width).min(height).max(LENS_MIN);
    while side > LENS_MIN && !fits(side) {
        side = (side - 0.5).max(LENS_MIN);
    }
    let columns = in_row(side).clamp(1, count.max(1));
    let rows = ((height / side).floor() as usize).max(1);
    let count = count.min(columns * rows);
    let used = count.div_ceil(columns).max(1);
    // The rows are equally long.
    let columns = count.div_ceil(used).max(1);
    let (left, top) = (
        area.left + (area.width - columns as f32 * side * unit) / 2.0,
        area.top + (area.height - used as f32 * side * unit) / 2.0,
    );
    let lens = |at: usize| Area {
        left: left + (at % columns) as f32 * side * unit,
        top: top + (at / columns) as f32 * side * unit,
        width: side * unit,
        height: side * unit,
    };
    (0..count).map(lens).collect()
}

/// Distance of a slider's housing from the edge of its place, and of the ends of its way from its
/// housing, in units.
const SLIDER_MARGIN: f32 = 3.0;
const SLIDER_INSET: f32 = 8.0;
/// Radius of the opening of a joystick, as a share of its side.
const STICK_WELL: f32 = 0.42;
/// Largest and smallest side of the place of an LED, in units.
const LENS_MAX: f32 = 24.0;
const LENS_MIN: f32 = 3.0;
/// Colour of the moving part of a part whose state is unknown.
const UNKNOWN: u32 = 0x8A_9096;
/// Colour of an LED or key whose state is unknown.
const UNLIT: u32 = 0x6A_7076;
