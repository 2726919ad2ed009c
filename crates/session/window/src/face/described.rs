//! The face of a board of a board file: its parts in the cells of the file's grid, a line with the
//! board's name above them, and the state of the session and the legend below them or, in a window
//! that is wide, beside them. This module knows no colour.
//!
//! A cell is [`CELL`] units wide and high, like the distance between two buttons of the LCD board.
//! A pixel of the panel is as many units wide as the panel's place permits. The cells outside of
//! all parts are left out.

use board_file::{BoardFile, Place, parts as tables};
use trace::Button;

use super::geometry::{Rect, Shape};
use super::glass::Glass;
use super::items::{Cap, Text};
use super::layout::{
    BEZEL, COLUMN_WIDTH, DESK, HOLE_INSET, LAMP, Layout, LegendRow, NAME_HEIGHT, STATUS_HEIGHT,
    TEXT_WIDTH_MIN,
};
use super::lettering::{self, Align, LINE_HEIGHT};
use super::painter::Area;
use super::parts::{PartKind, PartPlace};
use super::words::latin;
use live::keymap::{Control, KeyAction};

#[cfg(test)]
mod tests;

/// Width and height of a cell, in units.
const CELL: f32 = 48.0;
/// Distance of a part from the edge of its place, in units.
const INSET: f32 = 3.0;
/// Distance between a part and its name, in units.
const NAME_GAP: f32 = 3.0;
/// Distance from the board's edge to the cells, in units.
const EDGE: f32 = 10.0;
/// Height of the line with the board's name, in units.
const HEADER: f32 = 24.0;
/// Distance between the cells and the state of the session, in units.
const GAP: f32 = 8.0;
/// Width of the board to the right of the state of the session beside the cells, in units.
const SIDE: f32 = 24.0;
/// Distance of the lettering from the middle of a mounting hole, in units.
const TEXT_INSET: f32 = 15.0;
/// Maximum width of a button in a direction in which its place has one cell, in units.
const BUTTON_MAX: f32 = 44.0;
/// Maximum width of a button, in units.
const BUTTON_WIDE_MAX: f32 = 140.0;
/// Smallest number of window pixels for a unit.
const UNIT_MIN: f32 = 0.01;
/// Size of the board's name.
const TITLE: f32 = 1.5;
/// The rows of the legend: those of the LCD board without its firmware's controls.
const LEGEND: [LegendRow; 5] = [
    &[(KeyAction::Control(Control::Pause), "PAUSE")],
    &[(KeyAction::Control(Control::SingleFrame), "SINGLE FRAME")],
    &[(KeyAction::Control(Control::PowerCycle), "POWER CYCLE")],
    &[(KeyAction::Control(Control::Mute), "MUTE")],
    &[(KeyAction::Control(Control::Keys), "ALL KEYS")],
];
const LEGEND_HEIGHT: f32 = LEGEND.len() as f32 * LINE_HEIGHT;

/// The parts of a described board, and their cells.
#[derive(Clone, Debug, PartialEq)]
pub struct DescribedFace {
    title: String,
    /// Width and height in cells.
    cells: (u32, u32),
    /// Width and height of the panel in pixels.
    panel: (u32, u32),
    /// Name of the panel's controller or table.
    controller: String,
    /// The cells of the panel.
    screen: Cells,
    /// The other parts.
    parts: Vec<DescribedPart>,
    /// Names of the contacts in pin order, and whether a closed one has the high level.
    pub(super) contacts: Vec<(String, bool)>,
    pub(super) glass: Glass,
}

/// Cells of the face: the first column and row are 0. Centred parts are between two columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cells {
    column: f32,
    row: u32,
    columns: u32,
    rows: u32,
}

#[derive(Clone, Debug, PartialEq)]
struct DescribedPart {
    name: String,
    cells: Cells,
    kind: DescribedKind,
}

#[derive(Clone, Debug, PartialEq)]
enum DescribedKind {
    Button(Button),
    /// Rows and columns of a matrix, and its keys from the left and from the top: their names, and
    /// the buttons that they are.
    Matrix {
        columns: usize,
        keys: Vec<(String, Option<Button>)>,
    },
    /// The buzzer that is heard.
    Buzzer,
    Other(PartKind),
}

impl DescribedFace {
    /// Returns the face of the board of `file`, whose machine has `buttons` and shows a panel of
    /// `panel` pixels.
    pub fn new(file: &BoardFile, buttons: &[Button], panel: (u32, u32)) -> Self {
        let face = board_file::layout(file);
        let (cells, placed) = cells_of(&face);
        let mut parts = Vec::new();
        let mut screen = None;
        let mut has_buzzer = false;
        for (item, cells) in face.items.iter().zip(placed) {
            let name = item.name.clone();
            let is_first_buzzer =
                item.kind == "buzzer" && !std::mem::replace(&mut has_buzzer, true);
            let kind = match item.kind {
                "display" if screen.is_none() => {
                    screen = Some(cells);
                    continue;
                }
                "button" => match button_named(buttons, &name) {
                    Some(button) => DescribedKind::Button(button),
                    None => DescribedKind::Matrix { columns: 1, keys: vec![(name.clone(), None)] },
                },
                "matrix" => matrix(file, buttons, &name),
                "buzzer" if is_first_buzzer => DescribedKind::Buzzer,
                kind => DescribedKind::Other(other(file, kind, &name)),
            };
            parts.push(DescribedPart { name, cells, kind });
        }
        let is_high = |button: &Button| {
            let found = file.button.iter().find(|own| own.name.text == button.name());
            found.is_some_and(|own| own.active == tables::Level::High)
        };
        let contact = |button: &Button| (button.name().to_owned(), is_high(button));
        let controller = file.display.first().map_or("", |display| display.panel.name());
        let controller = controller.rsplit(['/', '\\']).next().unwrap_or(controller);
        Self {
            title: latin(&file.name.0),
            cells: (cells.0.max(1), cells.1.max(1)),
            panel: (panel.0.max(1), panel.1.max(1)),
            controller: latin(controller.trim_end_matches(".toml").trim_end_matches(".panel")),
            screen: screen.unwrap_or(Cells { columns: 1, rows: 1, ..Cells::default() }),
            parts,
            contacts: buttons.iter().map(contact).collect(),
            glass: file.display.first().map_or_else(Glass::default, Glass::from),
        }
    }

    /// Returns the width and height of the panel in pixels.
    pub fn panel_size(&self) -> (u32, u32) {
        self.panel
    }

    /// Returns the number of units for each pixel of the panel: as many as its place permits, a
    /// multiple of a half if it is more than one.
    pub fn units_per_pixel(&self) -> f32 {
        let room = |cells: u32| cells as f32 * CELL - 2.0 * (BEZEL + INSET);
        let across = room(self.screen.columns) / self.panel.0 as f32;
        let down = room(self.screen.rows) / self.panel.1 as f32;
        let most = across.min(down);
        if most >= 1.0 { (most * 2.0).floor() / 2.0 } else { most }
    }

    /// Returns the width and height of the picture in units.
    fn size(&self, shape: Shape) -> (f32, f32) {
        let (width, height) = (self.cells.0 as f32 * CELL, self.cells.1 as f32 * CELL);
        match shape {
            Shape::Upright => {
                let strip = 2.0 * (HOLE_INSET + TEXT_INSET) + 2.0 * TEXT_WIDTH_MIN + 2.0 * GAP;
                let below = GAP + STATUS_HEIGHT.max(LEGEND_HEIGHT) + EDGE;
                let board = (width + 2.0 * EDGE).max(strip);
                (board + 2.0 * DESK, HEADER + height + below + 2.0 * DESK)
            }
            Shape::Wide => {
                let column = STATUS_HEIGHT + LEGEND_HEIGHT + 2.0 * GAP;
                let board = EDGE + width + SIDE + COLUMN_WIDTH + SIDE;
                (board + 2.0 * DESK, HEADER + height.max(column) + 2.0 * EDGE + 2.0 * DESK)
            }
        }
    }

    /// Returns the largest number of window pixels for a unit with which the face fits into a
    /// picture of that size.
    pub fn fitting(&self, shape: Shape, width: u32, height: u32) -> f32 {
        let size = self.size(shape);
        let share = |room: u32, units: f32| room as f32 / units;
        share(width, size.0).min(share(height, size.1)).max(UNIT_MIN)
    }

    /// Computes the layout with `unit` window pixels for each unit.
    pub fn layout(&self, unit: f32, shape: Shape) -> Layout {
        let unit = if unit.is_finite() { unit.max(UNIT_MIN) } else { UNIT_MIN };
        let px = |units: f32| (units * unit).round();
        let area = |left: f32, top: f32, width: f32, height: f32| {
            let (left_px, top_px) = (px(left), px(top));
            let (right, bottom) = (px(left + width), px(top + height));
            Area { left: left_px, top: top_px, width: right - left_px, height: bottom - top_px }
        };
        let size = self.size(shape);
        let (board_right, board_bottom) = (size.0 - DESK, size.1 - DESK);
        let (grid_width, grid_height) = (self.cells.0 as f32 * CELL, self.cells.1 as f32 * CELL);
        let grid_top = DESK + HEADER;
        let grid_left = match shape {
            Shape::Upright => (size.0 - grid_width) / 2.0,
            Shape::Wide => DESK + EDGE,
        };
        let grid = Grid { left: grid_left, top: grid_top };

        let (near, far) = (DESK + HOLE_INSET, board_right - HOLE_INSET);
        let (high, low) = (DESK + HOLE_INSET, board_bottom - HOLE_INSET);
        let text_left = near + TEXT_INSET;
        let text_right = far - TEXT_INSET;
        let (status, legend) = match shape {
            Shape::Upright => {
                let top = grid_top + grid_height + GAP;
                let width = (text_right - text_left - 2.0 * GAP) / 2.0;
                let legend_left = text_left + width + 2.0 * GAP;
                (
                    area(text_left, top, width, STATUS_HEIGHT),
                    area(legend_left, top, width, LEGEND_HEIGHT),
                )
            }
            Shape::Wide => {
                let left = grid_left + grid_width + SIDE;
                let legend_top = board_bottom - 2.0 * EDGE - LEGEND_HEIGHT;
                (
                    area(left, grid_top + GAP, COLUMN_WIDTH, STATUS_HEIGHT),
                    area(left, legend_top, COLUMN_WIDTH, LEGEND_HEIGHT),
                )
            }
        };

        let (panel, bezel) = self.screen_area(grid);
        let mut texts = Vec::new();
        let middle = DESK + HOLE_INSET;
        let lamp_left = text_right - LAMP * 1.6;
        let lamp_name_left = lamp_left - 6.0 - lettering::width("PWR") - 1.0;
        let title_room = lamp_name_left - 2.0 * GAP - text_left;
        let text = |at: (f32, f32), align: Align, text: String, size: f32, is_dim: bool| Text {
            at: (px(at.0), px(at.1)),
            align,
            text,
            size: size * unit,
            is_dim,
        };
        let (title, title_size) = lettering::shrunk(&self.title, title_room, TITLE);
        let title_top = middle - NAME_HEIGHT * title_size / 2.0;
        texts.push(text((text_left, title_top), Align::Left, title, title_size, false));
        let name_top = middle - NAME_HEIGHT / 2.0;
        texts.push(text((lamp_name_left, name_top), Align::Left, "PWR".to_owned(), 1.0, true));
        let below_bezel = grid.of(self.screen).bottom() - bezel.bottom();
        if below_bezel >= NAME_GAP + NAME_HEIGHT + 1.0 {
            let (name, size) = lettering::shrunk(&self.controller, bezel.width, 1.0);
            let at = (bezel.left + bezel.width / 2.0, bezel.bottom() + NAME_GAP);
            texts.push(text(at, Align::Center, name, size, true));
        }

        let mut places = Places { caps: Vec::new(), parts: Vec::new(), buzzer: None };
        for part in &self.parts {
            places.add(part, grid.of(part.cells));
        }
        let scaled = |units: Units| area(units.left, units.top, units.width, units.height);
        let scaled_text =
            |name: &Name| text(name.at, Align::Center, name.text.clone(), name.size, name.is_dim);
        texts.extend(places.buzzer.iter().map(|(_, name)| scaled_text(name)));
        let pixel = self.units_per_pixel() * unit;
        let panel_px = area(panel.left, panel.top, panel.width, panel.height);
        Layout {
            unit,
            pixel,
            width: px(size.0) as u32,
            height: px(size.1) as u32,
            panel: Rect {
                left: panel_px.left as u32,
                top: panel_px.top as u32,
                // A whole number of window pixels for each pixel of the panel stays one.
                width: ((self.panel.0 as f32 * pixel).round() as u32).max(1),
                height: ((self.panel.1 as f32 * pixel).round() as u32).max(1),
            },
            board: area(DESK, DESK, board_right - DESK, board_bottom - DESK),
            bezel: area(bezel.left, bezel.top, bezel.width, bezel.height),
            caps: places
                .caps
                .iter()
                .map(|(button, housing, name)| Cap {
                    button: *button,
                    housing: scaled(*housing),
                    name: scaled_text(name),
                    is_reset: button.name().eq_ignore_ascii_case("RESET"),
                })
                .collect(),
            parts: places
                .parts
                .iter()
                .map(|(name, kind, place, names)| PartPlace {
                    kind: match kind {
                        PartUnits::Keys(keys) => {
                            PartKind::Keys(keys.iter().map(|key| scaled(*key)).collect())
                        }
                        PartUnits::Other(kind) => kind.clone(),
                    },
                    name: name.clone(),
                    area: scaled(*place),
                    texts: names.iter().map(scaled_text).collect(),
                })
                .collect(),
            texts,
            tracks: Vec::new(),
            holes: [(near, high), (far, high), (near, low), (far, low)]
                .map(|(x, y)| (px(x), px(y))),
            buzzer: places.buzzer.as_ref().map(|(place, _)| scaled(*place)),
            lamp: area(lamp_left, middle - LAMP / 2.0, LAMP * 1.6, LAMP),
            status,
            legend,
            legend_rows: &LEGEND,
        }
    }

    /// Returns the areas of the panel and of its frame, in the middle of their place.
    fn screen_area(&self, grid: Grid) -> (Units, Units) {
        let place = grid.of(self.screen);
        let scale = self.units_per_pixel();
        let (width, height) = (self.panel.0 as f32 * scale, self.panel.1 as f32 * scale);
        let panel = Units {
            left: (place.left + (place.width - width) / 2.0).round(),
            top: (place.top + (place.height - height) / 2.0).round(),
            width,
            height,
        };
        (panel, panel.grown(BEZEL))
    }
}

/// Returns the width and height of a face in cells, and the cells of its items, without the columns
/// and rows outside of all items. If the file places no part, each group of parts in the same rows
/// is in the middle.
fn cells_of(face: &board_file::Face) -> ((u32, u32), Vec<Cells>) {
    let places = || face.items.iter().map(|item| item.place);
    let groups = if face.items.iter().all(|item| item.automatic) {
        row_groups(&places().collect::<Vec<_>>())
    } else {
        vec![(0..face.items.len()).collect()]
    };
    // The columns of each group: the first one, and the first one to the right.
    let columns_of = |group: &Vec<usize>| {
        let of = |of: fn(&Place) -> u32| group.iter().map(move |at| of(&face.items[*at].place));
        let left = of(|place| place.column).min().unwrap_or(1);
        (left, of(Place::right).max().unwrap_or(left + 1))
    };
    let widths = groups.iter().map(|group| columns_of(group).1 - columns_of(group).0);
    let width = widths.max().unwrap_or(1).max(1);
    let top = places().map(|place| place.row).min().unwrap_or(1);
    let height = places().map(|place| place.bottom() - top).max().unwrap_or(1).max(1);
    let mut cells = vec![Cells::default(); face.items.len()];
    for group in &groups {
        let (left, right) = columns_of(group);
        let free = (width - (right - left)) as f32 / 2.0;
        for at in group {
            let place = face.items[*at].place;
            cells[*at] = Cells {
                column: (place.column - left) as f32 + free,
                row: place.row - top,
                columns: place.columns.max(1),
                rows: place.rows.max(1),
            };
        }
    }
    ((width, height), cells)
}

/// Returns the groups of places that have rows in common, as indices.
fn row_groups(places: &[Place]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|at| places[*at].row);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut end = 0;
    for at in order {
        let place = &places[at];
        match groups.last_mut() {
            Some(group) if place.row < end => group.push(at),
            _ => groups.push(vec![at]),
        }
        end = end.max(place.bottom());
    }
    groups
}

fn button_named(buttons: &[Button], name: &str) -> Option<Button> {
    buttons.iter().copied().find(|button| button.name() == name)
}

fn matrix(file: &BoardFile, buttons: &[Button], name: &str) -> DescribedKind {
    let found = file.matrix.iter().find(|matrix| matrix.name.text == name);
    let keys = found.into_iter().flat_map(|matrix| matrix.buttons.iter().flatten());
    let keys = keys.map(|key| (key.text.clone(), button_named(buttons, &key.text)));
    let columns = found.map_or(1, |matrix| matrix.columns.len().max(1));
    DescribedKind::Matrix { columns, keys: keys.collect() }
}

/// Returns the kind of a part that is neither a button nor a matrix.
fn other(file: &BoardFile, kind: &str, name: &str) -> PartKind {
    match kind {
        "switch" => {
            let found = file.switch.iter().find(|switch| switch.name.text == name);
            PartKind::Switch {
                on: found.is_some_and(|switch| switch.position == tables::Position::On),
            }
        }
        "encoder" => {
            let found = file.encoder.iter().find(|encoder| encoder.name.text == name);
            let edges = found.map_or(80, |encoder| {
                i64::from(encoder.detents.value) * i64::from(encoder.edges.value)
            });
            PartKind::Encoder { edges }
        }
        "joystick" => PartKind::Joystick,
        "potentiometer" => {
            let found = file.potentiometer.iter().find(|part| part.name.text == name);
            let percent = found.map_or(50, |part| part.start.0.min(100));
            PartKind::Potentiometer { start: 10 * percent as u16 }
        }
        "led" => {
            let found = file.led.iter().find(|led| led.name.text == name);
            let colour = found.map_or(0, |led| {
                let tables::Led { colour, .. } = led;
                u32::from_be_bytes([0, colour.red, colour.green, colour.blue])
            });
            PartKind::Leds { count: found.map_or(1, |led| led.count.value as usize), colour }
        }
        "buzzer" => PartKind::Buzzer,
        _ => PartKind::Display,
    }
}

/// An area in units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Units {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
}

impl Units {
    fn bottom(self) -> f32 {
        self.top + self.height
    }

    fn grown(self, margin: f32) -> Self {
        Self {
            left: self.left - margin,
            top: self.top - margin,
            width: self.width + 2.0 * margin,
            height: self.height + 2.0 * margin,
        }
    }
}

/// The corner of the cells on the board, in units.
#[derive(Clone, Copy)]
struct Grid {
    left: f32,
    top: f32,
}

impl Grid {
    fn of(self, cells: Cells) -> Units {
        Units {
            left: self.left + cells.column * CELL,
            top: self.top + cells.row as f32 * CELL,
            width: cells.columns as f32 * CELL,
            height: cells.rows as f32 * CELL,
        }
    }
}

/// A name on the board: the middle of its top edge, and its size.
struct Name {
    at: (f32, f32),
    text: String,
    size: f32,
    is_dim: bool,
}

enum PartUnits {
    Keys(Vec<Units>),
    Other(PartKind),
}

/// The places of the parts, in units.
struct Places {
    caps: Vec<(Button, Units, Name)>,
    parts: Vec<(String, PartUnits, Units, Vec<Name>)>,
    buzzer: Option<(Units, Name)>,
}

impl Places {
    fn add(&mut self, part: &DescribedPart, place: Units) {
        let (body, name) = split(place, &part.name, true);
        let live = |name: Name| Name { is_dim: false, ..name };
        match &part.kind {
            DescribedKind::Button(button) => {
                self.caps.push((*button, button_in(body), live(name)));
            }
            DescribedKind::Matrix { columns, keys } => {
                let rows = keys.len().div_ceil(*columns).max(1);
                let (width, height) = (place.width / *columns as f32, place.height / rows as f32);
                let (mut housings, mut names) = (Vec::new(), Vec::new());
                for (at, (text, button)) in keys.iter().enumerate() {
                    let cell = Units {
                        left: place.left + (at % columns) as f32 * width,
                        top: place.top + (at / columns) as f32 * height,
                        width,
                        height,
                    };
                    let (body, name) = split(cell, text, true);
                    match button {
                        Some(button) => self.caps.push((*button, button_in(body), live(name))),
                        None => {
                            housings.push(button_in(body));
                            names.push(name);
                        }
                    }
                }
                if !housings.is_empty() {
                    self.parts.push((part.name.clone(), PartUnits::Keys(housings), place, names));
                }
            }
            DescribedKind::Buzzer => {
                let side = body.width.min(body.height).min(BUTTON_WIDE_MAX);
                let buzzer = Units {
                    left: body.left + (body.width - side) / 2.0,
                    top: body.top + (body.height - side) / 2.0,
                    width: side,
                    height: side,
                };
                self.buzzer = Some((buzzer, live(name)));
            }
            DescribedKind::Other(kind) => {
                let text = match kind {
                    PartKind::Leds { count: count @ 2.., .. } => format!("{} ×{count}", part.name),
                    _ => part.name.clone(),
                };
                let (body, name) = split(place, &text, true);
                let name = if kind.is_control() { live(name) } else { name };
                let kind = PartUnits::Other(kind.clone());
                self.parts.push((part.name.clone(), kind, body, vec![name]));
            }
        }
    }
}

/// Divides a place into the part and its name below it.
fn split(place: Units, name: &str, is_dim: bool) -> (Units, Name) {
    let (text, size) = lettering::shrunk(name, place.width - 2.0 * INSET, 1.0);
    let top = place.bottom() - INSET - NAME_HEIGHT;
    let body = Units {
        left: place.left + INSET,
        top: place.top + INSET,
        width: place.width - 2.0 * INSET,
        height: top - NAME_GAP - place.top - INSET,
    };
    let at = (place.left + place.width / 2.0, top + NAME_HEIGHT * (1.0 - size) / 2.0);
    (body, Name { at, text, size, is_dim })
}

/// Returns the housing of a button in the middle of its place: round, or longer where its place is.
fn button_in(body: Units) -> Units {
    let limit = |length: f32, other: f32| {
        let is_long = length > 1.5 * other;
        length.min(if is_long || length.min(other) > BUTTON_MAX {
            BUTTON_WIDE_MAX
        } else {
            BUTTON_MAX
        })
    };
    let (mut width, mut height) = (limit(body.width, body.height), limit(body.height, body.width));
    if body.width.max(body.height) <= 1.5 * body.width.min(body.height) {
        width = width.min(height);
        height = width;
    }
    Units {
        left: body.left + (body.width - width) / 2.0,
        top: body.top + (body.height - height) / 2.0,
        width,
        height,
    }
}
