//! Computes the places of all parts, in cells, for any size of terminal. This module knows no
//! colour and no session.
//!
//! ```text
//! identity of what runs
//!   T1 … T6                  ┆ the LCD's text
//!   ┌ LCD, as large as fits  ┆ console, tone, bytes
//!   B1 … B6                  ┆
//!         RESET
//! state, speed, time, files
//! message or help
//! ```
//!
//! The buttons of a described board, and its other controls, are in lines below its panel, in the
//! order of its file.

use live::keymap::{ControlMove, KeyAction, Keymap};
use ratatui_core::layout::{Position, Rect};
use trace::{Button, Control, ControlKind};

use super::picture;

/// Number of rows besides the LCD and the buttons: identity, state, message.
const ROWS_BESIDE: u16 = 3;
/// Number of rows of the LCD board's buttons: two, and RESET.
const ROWS_OF_BUTTONS: u16 = 3;
/// Minimum size of an LCD that is shown as a picture, in cells; of another board's panel, which may
/// be a strip.
const SMALLEST: (u16, u16) = (24, 8);
const SMALLEST_STRIP: (u16, u16) = (12, 2);
/// Minimum and maximum width of the pane, and the width of the gap before it, in cells.
const PANE: (u16, u16) = (24, 60);
const GAP: u16 = 2;
/// Minimum size of a terminal in which anything is shown, in cells.
pub const TINY: (u16, u16) = (12, 2);

/// Places of all parts in a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Identity of the session; `None` if there is no room.
    pub identity: Option<Rect>,
    /// The LCD, or its text.
    pub lcd: Rect,
    /// Whether there is room for a picture of the LCD; otherwise its text is shown.
    pub has_picture: bool,
    /// Buttons, by [`Button::index`]; `None` if there is no picture.
    pub buttons: Option<Vec<Rect>>,
    /// The other controls of a described board, in the order of its file; none if there is no
    /// picture.
    pub controls: Vec<Rect>,
    /// Pane beside the LCD.
    pub pane: Option<Rect>,
    /// State, speed, time, files.
    pub status: Rect,
    pub message: Option<Rect>,
}

/// Places of the buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caps {
    /// Above and below the columns of the LCD, whose centres these are, in pixels of the panel.
    AroundPanel([u32; 6]),
    /// In lines below the panel: the widths of the buttons, by [`Button::index`], and those of the other
    /// controls, in cells.
    Below(Vec<u16>, Vec<u16>),
}

impl Caps {
    /// Returns the places of the buttons and the other controls of a described board: each is wide
    /// enough for its keys, its name and its state.
    pub fn below(buttons: &[Button], controls: &[Control], keymap: &Keymap) -> Self {
        let width = |button: &Button| {
            let key = keymap.key_name(KeyAction::Press(*button));
            let letters = format!("{key} {button}").chars().count() + 2;
            u16::try_from(letters).unwrap_or(u16::MAX)
        };
        let widths = buttons.iter().map(width).collect();
        let width = |control: &Control| {
            let keys = keys_of(*control, keymap).chars().count();
            let letters = keys + control.name().chars().count() + state_width(control.kind()) + 4;
            u16::try_from(letters).unwrap_or(u16::MAX)
        };
        Self::Below(widths, controls.iter().map(width).collect())
    }
}

/// Returns the names of the keys of a control.
pub fn keys_of(control: Control, keymap: &Keymap) -> String {
    let moves = ControlMove::of(control.kind()).iter();
    let keys = moves.map(|by| keymap.key_name(KeyAction::Move(control, *by)));
    keys.collect::<Vec<_>>().join(" ")
}

/// Returns the length of the longest state of a control that is usual, in letters.
const fn state_width(kind: ControlKind) -> usize {
    match kind {
        ControlKind::Encoder => "-1000".len(),
        ControlKind::Switch => "off".len(),
        ControlKind::Potentiometer => "100%".len(),
        ControlKind::Joystick => "100,100".len(),
        ControlKind::Touch(_) => "319,239".len(),
    }
}

/// Parts to lay out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The panel's width and height, in pixels.
    pub panel: (usize, usize),
    pub buttons: Caps,
    /// Whether the pane is laid out before the LCD.
    pub pane_first: bool,
    /// Whether there is a pane if there is room.
    pub pane: bool,
    /// Whether the LCD's text is shown instead of its picture.
    pub text: bool,
}

impl Layout {
    /// Lays out a terminal of that size; `None` if it is smaller than [`TINY`].
    pub fn new(columns: u16, rows: u16, wanted: &Wanted) -> Option<Self> {
        if columns < TINY.0 || rows < TINY.1 {
            return None;
        }
        match &wanted.buttons {
            Caps::AroundPanel(centres) => Some(Self::around(columns, rows, wanted, *centres)),
            Caps::Below(buttons, controls) => {
                let widths: Vec<u16> = buttons.iter().chain(controls).copied().collect();
                Some(Self::below(columns, rows, wanted, &widths, buttons.len()))
            }
        }
    }

    /// Lays out the LCD board: its buttons are above and below the columns of the LCD.
    fn around(columns: u16, rows: u16, wanted: &Wanted, centres: [u32; 6]) -> Self {
        let across = |y: u16, height: u16| Rect::new(0, y, columns, height);
        let kept = if wanted.pane && wanted.pane_first { PANE.0 + GAP } else { 0 };
        let (width, height) = wanted.panel;
        let beside = ROWS_BESIDE + ROWS_OF_BUTTONS;
        let size = picture::fitting(
            width,
            height,
            columns.saturating_sub(kept),
            rows.saturating_sub(beside),
        );
        if wanted.text || size.0 < SMALLEST.0 || size.1 < SMALLEST.1 {
            return Self::of_text(columns, rows);
        }
        let (lcd_columns, lcd_rows) = size;
        let left = columns - lcd_columns;
        let pane_columns = left.saturating_sub(GAP).min(PANE.1);
        let has_pane = wanted.pane && pane_columns >= PANE.0;
        let lcd_left = if has_pane { 0 } else { left / 2 };
        // The buttons become higher if the width limits the LCD's size.
        let spare = rows - beside - lcd_rows;
        let cap = 1 + (spare / 3).min(1) + (spare / 6).min(1);
        let spare = spare - 3 * (cap - 1);
        let top = 1 + spare / 2;
        let lcd = Rect::new(lcd_left, top + cap, lcd_columns, lcd_rows);
        let below = lcd.bottom();
        let pane =
            has_pane.then(|| Rect::new(lcd_columns + GAP, 1, pane_columns, rows.saturating_sub(3)));
        Self {
            identity: Some(across(0, 1)),
            lcd,
            has_picture: true,
            buttons: Some(buttons(wanted.panel, centres, lcd, top, cap, below)),
            controls: Vec::new(),
            pane,
            status: across(rows - 2, 1),
            message: Some(across(rows - 1, 1)),
        }
    }

    /// Lays out a described board: its buttons, and then its other controls, are in lines below its
    /// panel. The pane leaves room for both.
    fn below(columns: u16, rows: u16, wanted: &Wanted, widths: &[u16], buttons: usize) -> Self {
        let across = |y: u16, height: u16| Rect::new(0, y, columns, height);
        let kept = if wanted.pane { PANE.0 + GAP } else { 0 };
        // The buttons use a width that leaves room for the pane, unless one of them is too wide.
        let widest = widths.iter().copied().max().unwrap_or(0);
        let narrow = columns.saturating_sub(kept);
        let room = if narrow >= widest.max(SMALLEST.0) { narrow } else { columns };
        let lines = lines_of(widths, room);
        let needed = lines.iter().map(|line| width_of(line, widths)).max().unwrap_or(0);
        // A line is free between the panel and the buttons.
        let beside = ROWS_BESIDE + 1 + lines.len() as u16;
        let for_lcd = if wanted.pane_first { narrow } else { columns };
        let (width, height) = wanted.panel;
        let size = picture::fitting(width, height, for_lcd, rows.saturating_sub(beside));
        let fits = needed <= columns && rows > beside;
        if wanted.text || !fits || size.0 < SMALLEST_STRIP.0 || size.1 < SMALLEST_STRIP.1 {
            return Self::of_text(columns, rows);
        }
        let (lcd_columns, lcd_rows) = size;
        let used = lcd_columns.max(needed);
        let pane_columns = (columns - used).saturating_sub(GAP).min(PANE.1);
        let has_pane = wanted.pane && pane_columns >= PANE.0;
        let region = if has_pane { columns - pane_columns - GAP } else { columns };
        let top = 1 + (rows - beside - lcd_rows) / 2;
        let lcd = Rect::new((region - lcd_columns) / 2, top, lcd_columns, lcd_rows);
        let mut places = vec![Rect::default(); widths.len()];
        for (line, y) in lines.iter().zip(lcd.bottom() + 1..) {
            let mut x = (region - width_of(line, widths)) / 2;
            for at in line {
                places[*at] = Rect::new(x, y, widths[*at], 1);
                x += widths[*at] + 1;
            }
        }
        let pane = Rect::new(region + GAP, 1, pane_columns, rows.saturating_sub(3));
        let controls = places.split_off(buttons.min(places.len()));
        Self {
            identity: Some(across(0, 1)),
            lcd,
            has_picture: true,
            buttons: Some(places),
            controls,
            pane: has_pane.then_some(pane),
            status: across(rows - 2, 1),
            message: Some(across(rows - 1, 1)),
        }
    }

    fn of_text(columns: u16, rows: u16) -> Self {
        let identity = (rows >= 8).then(|| Rect::new(0, 0, columns, 1));
        let message = (rows >= 4).then(|| Rect::new(0, rows - 1, columns, 1));
        let top = u16::from(identity.is_some());
        let status = rows - 1 - u16::from(message.is_some());
        Self {
            identity,
            lcd: Rect::new(0, top, columns, status - top),
            has_picture: false,
            buttons: None,
            controls: Vec::new(),
            pane: None,
            status: Rect::new(0, status, columns, 1),
            message,
        }
    }

    /// Returns the number of the control at that cell, and its place.
    pub fn hit_control(&self, column: u16, row: u16) -> Option<(usize, Rect)> {
        let at = Position::new(column, row);
        let mut controls = self.controls.iter().copied().enumerate();
        controls.find(|(_, place)| place.contains(at))
    }

    /// Returns which of the board's `buttons` is at that cell.
    pub fn hit(&self, column: u16, row: u16, buttons: &[Button]) -> Option<Button> {
        let places = self.buttons.as_ref()?;
        let at = Position::new(column, row);
        let is_hit =
            |button: &&Button| places.get(button.index()).is_some_and(|place| place.contains(at));
        buttons.iter().find(is_hit).copied()
    }
}

/// Returns the lines of the buttons that have a width, each with the indices of its buttons. A button
/// that is wider than `room` has a line for itself.
fn lines_of(widths: &[u16], room: u16) -> Vec<Vec<usize>> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for (at, width) in widths.iter().enumerate().filter(|(_, width)| **width > 0) {
        match lines.last_mut() {
            Some(line) if width_of(line, widths).saturating_add(1 + width) <= room => line.push(at),
            _ => lines.push(vec![at]),
        }
    }
    lines
}

/// Returns the width of a line of buttons with a gap of one cell between two.
fn width_of(line: &[usize], widths: &[u16]) -> u16 {
    let gaps = line.len().saturating_sub(1) as u16;
    line.iter().fold(gaps, |sum, at| sum.saturating_add(widths[*at]))
}

/// Returns the places of the caps: above and below the columns of the LCD, and RESET centred
/// below.
fn buttons(
    panel: (usize, usize),
    centres: [u32; 6],
    lcd: Rect,
    top: u16,
    cap: u16,
    below: u16,
) -> Vec<Rect> {
    let panel = panel.0.max(1) as u32;
    let cells = |pixels: u32| (pixels * u32::from(lcd.width) / panel) as u16;
    let pitch = cells(centres[1].saturating_sub(centres[0])).max(2);
    let place = |button: Button| {
        let index = button.index();
        if button == Button::Reset {
            let width = (2 * pitch).max(14).min(lcd.width);
            return Rect::new(lcd.x + (lcd.width - width) / 2, below + cap, width, cap);
        }
        let middle = cells(centres[index % 6]);
        let y = if index < 6 { below } else { top };
        let width = pitch - 1;
        Rect::new(lcd.x + middle.saturating_sub(width / 2), y, width, cap)
    };
    Button::LCD_BOARD.map(place).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Wanted = Wanted {
        panel: (320, 240),
        buttons: Caps::AroundPanel([60, 100, 140, 180, 220, 260]),
        pane_first: false,
        pane: true,
        text: false,
    };

    /// Returns all places of a layout.
    fn places(layout: &Layout) -> Vec<Rect> {
        let mut places = vec![layout.lcd, layout.status];
        places.extend(layout.identity);
        places.extend(layout.message);
        places.extend(layout.pane);
        places.extend(layout.buttons.iter().flatten());
        places.extend(&layout.controls);
        places
    }

    #[test]
    fn nothing_overlaps_and_nothing_is_outside_in_any_size() {
        for columns in TINY.0..260 {
            for rows in TINY.1..130 {
                for pane_first in [false, true] {
                    let wanted = Wanted { pane_first, ..WANTED };
                    let layout = Layout::new(columns, rows, &wanted).unwrap();
                    let whole = Rect::new(0, 0, columns, rows);
                    let places = places(&layout);
                    for (nth, place) in places.iter().enumerate() {
                        assert_eq!(place.intersection(whole), *place, "{columns} × {rows}");
                        let others = &places[nth + 1..];
                        let clear = others.iter().all(|other| !other.intersects(*place));
                        assert!(clear, "{columns} × {rows}: {place:?} {layout:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_of_a_described_board_overlaps_or_is_outside() {
        let many = vec![5, 26, 9, 4, 4, 12, 31, 7, 8];
        let controls = vec![18, 12, 40, 9];
        let boards = [
            ((240, 240), vec![5, 5, 6, 8], Vec::new()),
            ((128, 160), many, controls.clone()),
            ((128, 32), Vec::new(), controls.clone()),
            ((160, 128), (0..40).map(|nth| 5 + nth % 4).collect(), controls),
        ];
        for ((panel, widths, controls), rows) in
            boards.iter().flat_map(|board| (TINY.1..80).map(move |rows| (board.clone(), rows)))
        {
            for columns in (TINY.0..220).step_by(3) {
                for (pane, pane_first) in [(true, false), (true, true), (false, false)] {
                    let buttons = Caps::Below(widths.clone(), controls.clone());
                    let wanted = Wanted { panel, buttons, pane, pane_first, text: false };
                    let layout = Layout::new(columns, rows, &wanted).unwrap();
                    let whole = Rect::new(0, 0, columns, rows);
                    let places = places(&layout);
                    let places: Vec<&Rect> = places.iter().filter(|at| !at.is_empty()).collect();
                    for (nth, place) in places.iter().enumerate() {
                        assert_eq!(place.intersection(whole), **place, "{columns} × {rows}");
                        let clear =
                            places[nth + 1..].iter().all(|other| !other.intersects(**place));
                        assert!(clear, "{columns} × {rows}: {place:?} {layout:?}");
                    }
                    if let Some(buttons) = layout.buttons {
                        let places = buttons.iter().map(|place| place.width);
                        assert_eq!(places.collect::<Vec<_>>(), widths);
                        let places = layout.controls.iter().map(|place| place.width);
                        assert_eq!(places.collect::<Vec<_>>(), controls);
                    }
                }
            }
        }
    }

    #[test]
    fn a_described_board_has_its_buttons_below_its_panel() {
        let buttons = Caps::Below(vec![5, 6], vec![20]);
        let wanted = Wanted { panel: (240, 240), buttons, ..WANTED };
        let layout = Layout::new(80, 24, &wanted).unwrap();
        let buttons = layout.buttons.clone().unwrap();
        assert_eq!(layout.lcd.height, 19);
        assert_eq!((buttons[0].y, buttons[1].y), (layout.lcd.bottom() + 1, buttons[0].y));
        assert_eq!(
            layout.hit(buttons[1].x, buttons[1].y, &Button::LCD_BOARD[..2]),
            Some(Button::B2)
        );
        let dial = layout.controls[0];
        assert_eq!(layout.hit_control(dial.right() - 1, dial.y), Some((0, dial)));
        assert!(layout.pane.unwrap().width >= PANE.0);
    }

    #[test]
    fn an_old_terminal_has_the_board_and_a_pane() {
        let layout = Layout::new(80, 24, &WANTED).unwrap();
        assert_eq!(layout.lcd, Rect::new(0, 2, 48, 18));
        assert_eq!(layout.pane.unwrap().width, 30);
        for button in Button::LCD_BOARD {
            let place = layout.buttons.as_ref().unwrap()[button.index()];
            assert_eq!(layout.hit(place.x, place.y, &Button::LCD_BOARD), Some(button));
        }
        assert_eq!(layout.hit(0, 0, &Button::LCD_BOARD), None);
    }

    #[test]
    fn a_small_terminal_has_the_text_and_a_smaller_one_nothing() {
        assert!(!Layout::new(40, 12, &WANTED).unwrap().has_picture);
        assert!(!Layout::new(200, 60, &Wanted { text: true, ..WANTED }).unwrap().has_picture);
        assert_eq!(Layout::new(11, 24, &WANTED), None);
        assert_eq!(Layout::new(80, 1, &WANTED), None);
        assert_eq!(Layout::new(0, 0, &WANTED), None);
    }
}
