//! Computes where everything on the board is, from the panel's size, the columns of the buttons
//! beside it, and the scale. Lengths of the real board are constants in units. A unit is one panel pixel
//! and is drawn `scale` window pixels wide. The rows and columns of the buttons are those of the
//! board's file. This module knows no colour.
//!
//! [`Layout`] is the result for every board: the face of a board file is placed by
//! [`described`](super::described).

use std::sync::LazyLock;

use board_file::lcd_board;
use trace::{Button, TouchArea};

use super::geometry::{Rect, Shape};
use super::items::{Cap, Text, tracks};
use super::lettering::Align;
use super::lettering::{CAP_HEIGHT, LINE_HEIGHT};
use super::painter::{Area, Point, picture_place};
use super::parts::{PartPlace, glass, slider_ends, stick_reach};
use live::keymap::{Control, KeyAction};

/// Width of the visible background around the board, in units.
pub(super) const DESK: f32 = 8.0;
/// Distance from the board's edge to the parts, in units.
const EDGE: f32 = 10.0;
/// Width of the panel's black frame, in units.
pub(super) const BEZEL: f32 = 9.0;
/// Width of the board beside the panel's frame, in units.
const SIDE: f32 = 24.0;
/// Distance between two rows of parts, in units.
const GAP: f32 = 6.0;
/// Distance between a part and its silk-screen name, in units.
const NAME_GAP: f32 = 4.0;
/// Height of a silk-screen name in units, strokes included.
pub(super) const NAME_HEIGHT: f32 = CAP_HEIGHT + 1.0;
/// Size of a NUDGE button's housing, as a share of the distance between two columns.
const HOUSING_SHARE: f32 = 0.85;
/// Maximum size of a NUDGE button's housing, in units.
const HOUSING_MAX: f32 = 44.0;
/// Width of RESET's housing in units; it is wider than the others.
const RESET_WIDTH: f32 = 88.0;
const RESET_HEIGHT: f32 = 30.0;
/// A row of the legend: controls that can be clicked, and their words.
pub(super) type LegendRow = &'static [(KeyAction, &'static str)];
/// The rows of the legend.
pub(super) const LEGEND: [&[(KeyAction, &str)]; 6] = [
    &[(KeyAction::Control(Control::Pause), "PAUSE")],
    &[(KeyAction::Control(Control::SingleFrame), "SINGLE FRAME")],
    &[(KeyAction::Control(Control::PowerCycle), "POWER CYCLE")],
    &[(KeyAction::Control(Control::Mute), "MUTE")],
    &[(KeyAction::Control(Control::Undo), "UNDO"), (KeyAction::Control(Control::Help), "HELP")],
    &[(KeyAction::Control(Control::Keys), "ALL KEYS")],
];
/// Number of status lines.
pub(super) const STATUS_LINES: usize = 5;
const LEGEND_HEIGHT: f32 = LEGEND.len() as f32 * LINE_HEIGHT;
pub(super) const STATUS_HEIGHT: f32 = STATUS_LINES as f32 * LINE_HEIGHT;
/// Distance of the mounting holes from the edges, in units.
pub(super) const HOLE_INSET: f32 = 11.0;

/// Size of the panel as mounted on the board, and the columns of the buttons beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panel {
    /// Width in pixels, as the viewer sees it.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Centres of the six columns of NUDGE buttons, which are above and below the panel, from the
    /// left.
    pub columns: [u32; 6],
}

/// Window pixels for each pixel of the panel: 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scale(u32);

impl Scale {
    pub const MAX: Self = Self(8);

    /// Returns `None` if `scale` is outside 1 to 8.
    pub fn new(scale: u32) -> Option<Self> {
        (1..=Self::MAX.0).contains(&scale).then_some(Self(scale))
    }

    /// Returns the number of window pixels for each pixel of the panel.
    pub fn get(self) -> u32 {
        self.0
    }
}

/// Positions and sizes of all parts, in window pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Window pixels for each unit.
    pub(super) unit: f32,
    /// Window pixels for each pixel of the panel.
    pub(super) pixel: f32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) panel: Rect,
    pub(super) board: Area,
    pub(super) bezel: Area,
    pub(super) caps: Vec<Cap>,
    /// Parts that are no buttons.
    pub(super) parts: Vec<PartPlace>,
    pub(super) texts: Vec<Text>,
    /// Lines of copper from the buttons to the panel.
    pub(super) tracks: Vec<[Point; 2]>,
    pub(super) holes: [Point; 4],
    pub(super) buzzer: Option<Area>,
    pub(super) lamp: Area,
    pub(super) status: Area,
    pub(super) legend: Area,
    pub(super) legend_rows: &'static [LegendRow],
}

impl Layout {
    /// Computes the layout of the board around `panel`.
    pub fn new(panel: Panel, scale: Scale) -> Self {
        Self::at(panel, scale.get() as f32)
    }

    /// Computes the layout for any number of window pixels for each pixel of the panel. A `unit`
    /// below 0.25 counts as 0.25.
    pub fn at(panel: Panel, unit: f32) -> Self {
        Self::shaped(panel, unit, Shape::Upright)
    }

    /// Computes the layout of a board of that shape, like [`at`](Self::at).
    pub fn shaped(panel: Panel, unit: f32, shape: Shape) -> Self {
        let unit = if unit.is_finite() { unit.max(UNIT_MIN) } else { UNIT_MIN };
        let px = |units: f32| (units * unit).round();
        let area = |left: f32, top: f32, width: f32, height: f32| Area {
            left: px(left),
            top: px(top),
            width: px(width),
            height: px(height),
        };

        let (panel_width, panel_height) = (panel.width as f32, panel.height as f32);
        let is_wide = shape == Shape::Wide;
        let strip_width = RESET_WIDTH + 2.0 * (EDGE + TEXT_WIDTH_MIN);
        let upright_width = (panel_width + 2.0 * (BEZEL + SIDE)).max(strip_width);
        let bezel_end = SIDE + panel_width + 2.0 * BEZEL;
        let board_width = match shape {
            Shape::Upright => upright_width,
            Shape::Wide => bezel_end + SIDE + COLUMN_WIDTH + SIDE,
        };
        let panel_left = match shape {
            Shape::Upright => (DESK + upright_width / 2.0 - panel_width / 2.0).round(),
            Shape::Wide => DESK + SIDE + BEZEL,
        };
        // The middle of RESET, between the status lines and the legend.
        let middle = match shape {
            Shape::Upright => DESK + board_width / 2.0,
            Shape::Wide => DESK + bezel_end + SIDE + COLUMN_WIDTH / 2.0,
        };
        let pitch = panel
            .columns
            .windows(2)
            .map(|pair| pair[1].saturating_sub(pair[0]) as f32)
            .fold(f32::MAX, f32::min);
        let housing = (pitch * HOUSING_SHARE).clamp(1.0, HOUSING_MAX).round();

        let top_names = DESK + EDGE;
        let top_row = top_names + NAME_HEIGHT + NAME_GAP;
        let bezel_top = top_row + housing + GAP;
        let panel_top = bezel_top + BEZEL;
        let bezel_bottom = panel_top + panel_height + BEZEL;
        let bottom_row = bezel_bottom + GAP;
        let bottom_names = bottom_row + housing + NAME_GAP;
        let reset_height = RESET_HEIGHT + NAME_GAP + NAME_HEIGHT;
        let strip_height = LEGEND_HEIGHT.max(reset_height);
        let (strip, board_bottom) = match shape {
            Shape::Upright => {
                let strip = bottom_names + NAME_HEIGHT + GAP + NAME_GAP;
                (strip, strip + strip_height + EDGE)
            }
            Shape::Wide => {
                let free = bezel_bottom - bezel_top - STATUS_HEIGHT - reset_height - LEGEND_HEIGHT;
                (bezel_top + STATUS_HEIGHT + free / 2.0, bottom_names + NAME_HEIGHT + EDGE)
            }
        };

        let column = |at: usize| panel_left + panel.columns[at] as f32;
        let housings = SPOTS.map(|spot| match spot {
            Spot::Above(at) => area(column(at) - housing / 2.0, top_row, housing, housing),
            Spot::Below(at) => area(column(at) - housing / 2.0, bottom_row, housing, housing),
            Spot::Strip => area(middle - RESET_WIDTH / 2.0, strip, RESET_WIDTH, RESET_HEIGHT),
        });
        let names = SPOTS.map(|spot| match spot {
            Spot::Above(at) => (px(column(at)), px(top_names)),
            Spot::Below(at) => (px(column(at)), px(bottom_names)),
            Spot::Strip => (px(middle), px(strip + RESET_HEIGHT + NAME_GAP)),
        });

        let caps = Button::LCD_BOARD.map(|button| Cap {
            button,
            housing: housings[button.index()],
            name: Text {
                at: names[button.index()],
                align: Align::Center,
                text: button.name().to_owned(),
                size: unit,
                is_dim: false,
            },
            is_reset: button == Button::Reset,
        });

        let (near, far) = (DESK + HOLE_INSET, DESK + board_width - HOLE_INSET);
        let (high, low) = (DESK + HOLE_INSET, board_bottom - HOLE_INSET);
        let bezel_left = panel_left - BEZEL;
        let bezel_right = panel_left + panel_width + BEZEL;
        let last_column = panel_left + panel.columns[5] as f32 + housing / 2.0;
        let column_left = middle - COLUMN_WIDTH / 2.0;
        let (status, legend) = if is_wide {
            (
                area(column_left, bezel_top, COLUMN_WIDTH, STATUS_HEIGHT),
                area(column_left, bezel_bottom - LEGEND_HEIGHT, COLUMN_WIDTH, LEGEND_HEIGHT),
            )
        } else {
            let status_top = strip + (strip_height - STATUS_HEIGHT) / 2.0;
            let legend_top = strip + (strip_height - LEGEND_HEIGHT) / 2.0;
            let text_left = near + HOLE_INSET;
            let status_width = middle - RESET_WIDTH / 2.0 - EDGE - text_left;
            let legend_left = middle + RESET_WIDTH / 2.0 + EDGE;
            let legend_width = far - HOLE_INSET - legend_left;
            (
                area(text_left, status_top, status_width, STATUS_HEIGHT),
                area(legend_left, legend_top, legend_width, LEGEND_HEIGHT),
            )
        };
        let text = |at: Point, align: Align, text: &str, size: f32, is_dim: bool| Text {
            at,
            align,
            text: text.to_owned(),
            size: size * unit,
            is_dim,
        };
        let wordmark = (px(bezel_left), px(top_row + NAME_GAP));
        let below_wordmark = (wordmark.0, wordmark.1 + 15.0 * unit);
        let lamp_name = (
            px(bezel_left + LAMP * 1.6 + NAME_GAP),
            px(bottom_row + (housing - NAME_HEIGHT) / 2.0),
        );
        let part_name =
            (px((last_column + bezel_right) / 2.0), px(bottom_row + (housing - NAME_HEIGHT) / 2.0));
        let bezel = area(bezel_left, bezel_top, bezel_right - bezel_left, bezel_bottom - bezel_top);
        Self {
            unit,
            pixel: unit,
            width: px(board_width + 2.0 * DESK) as u32,
            height: px(board_bottom + DESK) as u32,
            panel: Rect {
                left: px(panel_left) as u32,
                top: px(panel_top) as u32,
                width: px(panel_width) as u32,
                height: px(panel_height) as u32,
            },
            board: area(DESK, DESK, board_width, board_bottom - DESK),
            bezel,
            caps: caps.into(),
            parts: Vec::new(),
            texts: vec![
                text(wordmark, Align::Left, "NUDGE", 1.5, false),
                text(below_wordmark, Align::Left, "LCD BOARD", 0.75, true),
                text(lamp_name, Align::Left, "PWR", 1.0, true),
                text(part_name, Align::Center, "ILI9341", 1.0, true),
            ],
            tracks: tracks(&housings, bezel, unit, shape),
            holes: [(near, high), (far, high), (near, low), (far, low)]
                .map(|(x, y)| (px(x), px(y))),
            buzzer: Some(area(
                (last_column + bezel_right - housing) / 2.0,
                top_row,
                housing,
                housing,
            )),
            lamp: area(bezel_left, bottom_row + housing / 2.0 - LAMP / 2.0, LAMP * 1.6, LAMP),
            status,
            legend,
            legend_rows: &LEGEND,
        }
    }

    /// Returns the width of the picture in window pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the height of the picture in window pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the area of the panel's picture, magnified by the scale.
    pub fn panel(&self) -> Rect {
        self.panel
    }

    /// Returns the area of a button: its whole housing can be clicked. It is empty if the face does
    /// not have the button.
    pub fn button(&self, button: Button) -> Rect {
        let cap = self.caps.iter().find(|cap| cap.button == button);
        cap.map_or(Rect { left: 0, top: 0, width: 0, height: 0 }, |cap| cap.housing.rect())
    }

    /// Returns the largest number of window pixels for a pixel of the panel with which the board
    /// fits into a picture of that size; at least 0.25.
    pub fn fitting(panel: Panel, width: u32, height: u32) -> f32 {
        Self::fitting_shape(panel, Shape::Upright, width, height)
    }

    /// Like [`fitting`](Self::fitting), for a board of that shape.
    pub fn fitting_shape(panel: Panel, shape: Shape, width: u32, height: u32) -> f32 {
        let one = Self::shaped(panel, 1.0, shape);
        let share = |room: u32, size: u32| room as f32 / size as f32;
        share(width, one.width).min(share(height, one.height)).max(UNIT_MIN)
    }

    /// Returns the number of window pixels for each unit of the board.
    pub fn unit(&self) -> f32 {
        self.unit
    }

    /// Returns the number of window pixels for each pixel of the panel.
    pub fn pixel(&self) -> f32 {
        self.pixel
    }

    /// Returns the area of a control in the legend, which can be clicked; `None` if the legend
    /// does not show it.
    pub fn control(&self, wanted: KeyAction) -> Option<Rect> {
        for (row, controls) in self.legend_rows.iter().enumerate() {
            let Some(at) = controls.iter().position(|(action, _)| *action == wanted) else {
                continue;
            };
            let width = self.legend.width / controls.len() as f32;
            return Some(Rect {
                left: (self.legend.left + at as f32 * width) as u32,
                top: (self.legend.top + row as f32 * LINE_HEIGHT * self.unit).round() as u32,
                width: width as u32,
                height: (LINE_HEIGHT * self.unit) as u32,
            });
        }
        None
    }

    /// Returns the control whose place in the legend contains the pixel `x`, `y` of the window.
    pub fn hit_control(&self, x: i32, y: i32) -> Option<KeyAction> {
        let actions = self.legend_rows.iter().flat_map(|row| row.iter());
        let actions = actions.map(|(action, _)| *action);
        actions.into_iter().find(|action| self.control(*action).is_some_and(|at| at.contains(x, y)))
    }

    /// Returns the name of the encoder, switch, joystick or potentiometer at the pixel `x`, `y` of the
    /// window.
    pub fn hit_part(&self, x: i32, y: i32) -> Option<&str> {
        let mut parts = self.parts.iter().filter(|part| part.kind.is_control());
        let found = parts.find(|part| part.area.rect().contains(x, y));
        found.map(|part| part.name.as_str())
    }

    /// Returns the area of the picture of a display with this number of pixels; `None` is the first
    /// display.
    pub fn display(&self, name: Option<&str>, pixels: TouchArea) -> Option<Rect> {
        let Some(name) = name else { return Some(self.panel) };
        let area = glass(self.part_named(name)?.area, self.unit);
        let (width, height) = (f32::from(pixels.width), f32::from(pixels.height));
        Some(picture_place(area, width, height)?.0.rect())
    }

    /// Returns the area of the part of that name, without its name.
    pub fn part(&self, name: &str) -> Option<Rect> {
        self.part_named(name).map(|part| part.area.rect())
    }

    /// Returns the share of a potentiometer's way at the column `x`; below 0 or above 1 outside of
    /// it.
    pub fn on_slider(&self, name: &str, x: i32) -> Option<f32> {
        let (left, right) = slider_ends(self.part_named(name)?.area, self.unit);
        Some((x as f32 - left) / (right - left).max(1.0))
    }

    /// Returns how far a joystick is tilted to the right and up by a pointer at the pixel `x`, `y`, as
    /// shares of its way; beyond −1 and 1 outside of it.
    pub fn on_stick(&self, name: &str, x: i32, y: i32) -> Option<(f32, f32)> {
        let area = self.part_named(name)?.area;
        let (center, reach) = (area.center(), stick_reach(area, self.unit).max(1.0));
        Some(((x as f32 - center.0) / reach, (center.1 - y as f32) / reach))
    }

    /// Returns whether the column `x` is right of the middle of a part.
    pub fn is_right_half(&self, name: &str, x: i32) -> bool {
        self.part_named(name).is_some_and(|part| x as f32 >= part.area.center().0)
    }

    fn part_named(&self, name: &str) -> Option<&PartPlace> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// Returns the button at the pixel `x`, `y` of the window.
    pub fn hit(&self, x: i32, y: i32) -> Option<Button> {
        let cap = self.caps.iter().find(|cap| cap.housing.rect().contains(x, y));
        cap.map(|cap| cap.button)
    }
}

/// Position of a button on the board. Above and below the panel it is at a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    Above(usize),
    Below(usize),
    /// Between status lines and legend.
    Strip,
}

/// The positions of all buttons, from the places in the board's file.
static SPOTS: LazyLock<[Spot; Button::LCD_BOARD.len()]> = LazyLock::new(|| {
    let face = board_file::layout(lcd_board());
    let place = |button: Button| face.place_of(button.name());
    let display = face.items.iter().find(|item| item.kind == "display").map(|item| item.place);
    Button::LCD_BOARD.map(|button| {
        let (Some(own), Some(display)) = (place(button), display) else { return Spot::Strip };
        let to_the_left = Button::LCD_BOARD
            .into_iter()
            .filter_map(place)
            .filter(|other| other.row == own.row && other.column < own.column)
            .count();
        // There are six columns.
        let at = to_the_left.min(5);
        match own.row {
            row if row < display.row => Spot::Above(at),
            row if row == display.bottom() => Spot::Below(at),
            _ => Spot::Strip,
        }
    })
});

/// Minimum width of the status lines and the legend beside RESET, in units.
pub(super) const TEXT_WIDTH_MIN: f32 = 108.0;
/// Width of the column of RESET, the status lines and the legend beside the LCD, in units.
pub(super) const COLUMN_WIDTH: f32 = 124.0;
/// Minimum number of window pixels for a pixel of the panel.
const UNIT_MIN: f32 = 0.25;
/// Height of the power lamp, in units.
pub(super) const LAMP: f32 = 6.0;

#[cfg(test)]
mod tests {
    use super::*;

    const PANEL: Panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };

    fn scales() -> impl Iterator<Item = Scale> {
        (1..=8).filter_map(Scale::new)
    }

    #[test]
    fn every_button_is_hit_at_its_centre_and_at_no_other_buttons() {
        for scale in scales() {
            let layout = Layout::new(PANEL, scale);
            for button in Button::LCD_BOARD {
                let rect = layout.button(button);
                let middle =
                    ((rect.left + rect.width / 2) as i32, (rect.top + rect.height / 2) as i32);
                assert_eq!(layout.hit(middle.0, middle.1), Some(button));
                assert_eq!(layout.hit(rect.left as i32 - 1, middle.1), None, "left of {button}");
            }
            let panel = layout.panel();
            assert_eq!(layout.hit(panel.left as i32 + 5, panel.top as i32 + 5), None);
            assert_eq!(layout.hit(-1, -1), None);
        }
    }

    #[test]
    fn nudge_buttons_are_centred_over_their_columns() {
        for scale in scales() {
            let layout = Layout::new(PANEL, scale);
            for (at, column) in PANEL.columns.into_iter().enumerate() {
                let center = layout.panel().left + column * scale.get();
                for button in [Button::LCD_BOARD[at], Button::LCD_BOARD[at + 6]] {
                    let rect = layout.button(button);
                    assert!((rect.left + rect.width / 2).abs_diff(center) <= 1, "{button}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_outside_the_window_or_on_the_panel() {
        let small = Panel { width: 160, height: 128, columns: [30, 50, 70, 90, 110, 130] };
        for (panel, scale) in scales().flat_map(|scale| [(PANEL, scale), (small, scale)]) {
            let layout = Layout::new(panel, scale);
            let glass = layout.panel();
            assert!(glass.left + glass.width < layout.width());
            for button in Button::LCD_BOARD {
                let rect = layout.button(button);
                assert!(rect.left + rect.width <= layout.width(), "{button}");
                assert!(rect.top + rect.height <= layout.height(), "{button}");
                let above = rect.top + rect.height < glass.top;
                assert!(above || rect.top > glass.top + glass.height, "{button}");
            }
        }
    }

    #[test]
    fn on_a_wide_board_nothing_overlaps_and_all_is_on_it() {
        let small = Panel { width: 160, height: 240, columns: [30, 50, 70, 90, 110, 130] };
        for (panel, unit) in
            [PANEL, small].into_iter().flat_map(|panel| [0.9, 1.65, 2.5].map(|unit| (panel, unit)))
        {
            let layout = Layout::shaped(panel, unit, Shape::Wide);
            let rect = |area: Area| area.rect();
            let mut parts: Vec<Rect> =
                Button::LCD_BOARD.map(|button| layout.button(button)).to_vec();
            parts.extend([rect(layout.bezel), rect(layout.status), rect(layout.legend)]);
            let (board, right) = (rect(layout.board), |rect: &Rect| rect.left + rect.width);
            for (nth, part) in parts.iter().enumerate() {
                let inside = part.left > board.left && right(part) < right(&board);
                let bottom = part.top + part.height;
                assert!(inside && bottom < board.top + board.height, "{part:?} {board:?}");
                for other in &parts[nth + 1..] {
                    let apart = right(part) <= other.left
                        || right(other) <= part.left
                        || bottom <= other.top
                        || other.top + other.height <= part.top;
                    assert!(apart, "{part:?} {other:?}");
                }
            }
            let upright = Layout::at(panel, unit);
            assert!(layout.height() < upright.height() && layout.width() > upright.width());
        }
    }

    #[test]
    fn scales_outside_one_to_eight_do_not_exist() {
        assert_eq!(Scale::new(0), None);
        assert_eq!(Scale::new(9), None);
        assert_eq!(Scale::new(8), Some(Scale::MAX));
    }

    #[test]
    fn a_board_fits_into_any_picture_and_fills_one_side_of_it() {
        for (width, height) in [(402, 470), (563, 698), (640, 2_000), (3_840, 2_160), (130, 130)] {
            let layout = Layout::at(PANEL, Layout::fitting(PANEL, width, height));
            assert!(layout.width() <= width && layout.height() <= height, "{width}x{height}");
            let near = |used: u32, room: u32| room - used <= 8;
            assert!(
                near(layout.width(), width) || near(layout.height(), height),
                "{width}x{height}"
            );
        }
        assert_eq!(Layout::fitting(PANEL, 0, 0), UNIT_MIN);
        assert_eq!(Layout::at(PANEL, f32::NAN).unit(), UNIT_MIN);
    }

    #[test]
    fn a_control_of_the_legend_is_hit_in_its_middle_only() {
        let layout = Layout::at(PANEL, 1.4);
        for (action, _) in LEGEND.iter().flat_map(|row| row.iter()) {
            let rect = layout.control(*action).unwrap();
            let middle = ((rect.left + rect.width / 2) as i32, (rect.top + rect.height / 2) as i32);
            assert_eq!(layout.hit_control(middle.0, middle.1), Some(*action));
            assert_eq!(layout.hit(middle.0, middle.1), None);
        }
        assert_eq!(layout.hit_control(0, 0), None);
        assert_eq!(layout.control(KeyAction::Control(Control::Film)), None);
    }
}
