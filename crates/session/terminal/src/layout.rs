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

use ratatui_core::layout::{Position, Rect};
use trace::Button;

use super::picture;

/// Number of rows besides the LCD: identity, two rows of buttons, RESET, state, message.
const ROWS_BESIDE: u16 = 6;
/// Minimum size of an LCD that is shown as a picture, in cells.
const SMALLEST: (u16, u16) = (24, 8);
/// Minimum and maximum width of the pane, and the width of the gap before it, in cells.
const PANE: (u16, u16) = (24, 60);
const GAP: u16 = 2;
/// Minimum size of a terminal in which anything is shown, in cells.
pub const TINY: (u16, u16) = (12, 2);

/// Places of all parts in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Identity of the session; `None` if there is no room.
    pub identity: Option<Rect>,
    /// The LCD, or its text.
    pub lcd: Rect,
    /// Whether there is room for a picture of the LCD; otherwise its text is shown.
    pub has_picture: bool,
    /// Buttons, by [`Button::index`]; `None` if there is no picture.
    pub buttons: Option<[Rect; Button::COUNT]>,
    /// Pane beside the LCD.
    pub pane: Option<Rect>,
    /// State, speed, time, files.
    pub status: Rect,
    pub message: Option<Rect>,
}

/// Parts to lay out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The panel's width and height, in pixels.
    pub panel: (usize, usize),
    /// Centres of the six columns of buttons, in pixels of the panel.
    pub columns: [u32; 6],
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
        let across = |y: u16, height: u16| Rect::new(0, y, columns, height);
        let kept = if wanted.pane && wanted.pane_first { PANE.0 + GAP } else { 0 };
        let (width, height) = wanted.panel;
        let size = picture::fitting(
            width,
            height,
            columns.saturating_sub(kept),
            rows.saturating_sub(ROWS_BESIDE),
        );
        if wanted.text || size.0 < SMALLEST.0 || size.1 < SMALLEST.1 {
            return Some(Self::of_text(columns, rows));
        }
        let (lcd_columns, lcd_rows) = size;
        let left = columns - lcd_columns;
        let pane_columns = left.saturating_sub(GAP).min(PANE.1);
        let has_pane = wanted.pane && pane_columns >= PANE.0;
        let lcd_left = if has_pane { 0 } else { left / 2 };
        // The buttons become higher if the width limits the LCD's size.
        let spare = rows - ROWS_BESIDE - lcd_rows;
        let cap = 1 + (spare / 3).min(1) + (spare / 6).min(1);
        let spare = spare - 3 * (cap - 1);
        let top = 1 + spare / 2;
        let lcd = Rect::new(lcd_left, top + cap, lcd_columns, lcd_rows);
        let below = lcd.bottom();
        let pane =
            has_pane.then(|| Rect::new(lcd_columns + GAP, 1, pane_columns, rows.saturating_sub(3)));
        Some(Self {
            identity: Some(across(0, 1)),
            lcd,
            has_picture: true,
            buttons: Some(buttons(wanted, lcd, top, cap, below)),
            pane,
            status: across(rows - 2, 1),
            message: Some(across(rows - 1, 1)),
        })
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
            pane: None,
            status: Rect::new(0, status, columns, 1),
            message,
        }
    }

    /// Returns the button at that cell.
    pub fn hit(&self, column: u16, row: u16) -> Option<Button> {
        let buttons = self.buttons?;
        let at = Position::new(column, row);
        Button::ALL.into_iter().find(|button| buttons[button.index()].contains(at))
    }
}

/// Returns the places of the caps: above and below the columns of the LCD, and RESET centred
/// below.
fn buttons(wanted: &Wanted, lcd: Rect, top: u16, cap: u16, below: u16) -> [Rect; Button::COUNT] {
    let panel = wanted.panel.0.max(1) as u32;
    let cells = |pixels: u32| (pixels * u32::from(lcd.width) / panel) as u16;
    let pitch = cells(wanted.columns[1].saturating_sub(wanted.columns[0])).max(2);
    Button::ALL.map(|button| {
        let index = button.index();
        if button == Button::Reset {
            let width = (2 * pitch).max(14).min(lcd.width);
            return Rect::new(lcd.x + (lcd.width - width) / 2, below + cap, width, cap);
        }
        let middle = cells(wanted.columns[index % 6]);
        let y = if index < 6 { below } else { top };
        let width = pitch - 1;
        Rect::new(lcd.x + middle.saturating_sub(width / 2), y, width, cap)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Wanted = Wanted {
        panel: (320, 240),
        columns: [60, 100, 140, 180, 220, 260],
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
        places.extend(layout.buttons.into_iter().flatten());
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
    fn an_old_terminal_has_the_board_and_a_pane() {
        let layout = Layout::new(80, 24, &WANTED).unwrap();
        assert_eq!(layout.lcd, Rect::new(0, 2, 48, 18));
        assert_eq!(layout.pane.unwrap().width, 30);
        for button in Button::ALL {
            let place = layout.buttons.unwrap()[button.index()];
            assert_eq!(layout.hit(place.x, place.y), Some(button));
        }
        assert_eq!(layout.hit(0, 0), None);
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
