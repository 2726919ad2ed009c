//! Reads the LCD as a person does: digits, stones, words, and whose turn it is.
//!
//! Everything is read from the pixels of a [`Frame`]; the firmware supplies only the screen's
//! geometry ([`Layout`]) and its colours. This module knows neither the rules nor the console.

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;
use firmware_board::native;
use firmware_core::rules::{Cup, PLACES, Player};
use firmware_core::screen::hollow::inside;
use firmware_core::screen::layout::{Layout, Table};
use firmware_core::screen::stones::{Heap, STONE};
use firmware_core::screen::theme;
use firmware_core::screen::words::HINT;
use ili9341_model::Frame;
pub use legibility::canvas::seen;
use reading::text::{Reader, ScreenText};

/// Distance of two stones of a layer in pixels: neighbours share their edge.
const PITCH: usize = STONE as usize - 1;
/// Distance of a stone's highlight from the stone's left and top edge in pixels.
const SHINE_AT: usize = 2;

/// A game as the LCD shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The digits of every place, in the console's order; `None` where none can be read.
    pub digits: [Option<u32>; PLACES],
    /// The number of stones drawn in every place.
    pub stones: [u32; PLACES],
    /// The player (0 or 1) whose rail is lit; `None` if neither or both are.
    pub turn: Option<usize>,
    /// The status message, its lines joined by one space, without the hint.
    pub message: String,
    /// Whether the message contains the hint how to open the menu.
    pub hint: bool,
}

/// Reads a game from the LCD's pixels.
pub struct GameReader {
    reader: Reader,
}

impl Default for GameReader {
    fn default() -> Self {
        Self { reader: Reader::new(native::fonts()) }
    }
}

impl GameReader {
    pub const fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Returns all the text on `frame`.
    pub fn text(&self, frame: &Frame) -> ScreenText {
        self.reader.read(frame)
    }

    /// Returns the text in `area` of `frame`, its lines joined by one space.
    pub fn words(&self, frame: &Frame, area: &Rectangle) -> String {
        let text = self.text(&cut_out(frame, area));
        let lines: Vec<&str> = text.lines.iter().map(|line| line.text.as_str()).collect();
        lines.join(" ")
    }

    /// Returns the game on `frame`, with the stores at the positions of `table`.
    pub fn glance(&self, frame: &Frame, table: Table) -> Shown {
        let layout = Layout::of(table, size(frame));
        let places = Places { layout };
        let message = self.words(frame, &layout.message());
        let (message, hint) = match message.strip_suffix(HINT) {
            Some(status) => (status.trim_end().to_owned(), true),
            None => (message, false),
        };
        Shown {
            digits: places.map(|place| self.words(frame, &place.count).parse().ok()),
            stones: places.map(|place| stones_in(frame, &place.stones)),
            turn: turn(frame, &layout),
            message,
            hint,
        }
    }
}

/// Returns the size of `frame` in the layout's type.
pub fn size(frame: &Frame) -> Size {
    Size::new(frame.width() as u32, frame.height() as u32)
}

/// Returns `area` of `frame` as a frame of its own.
pub fn cut_out(frame: &Frame, area: &Rectangle) -> Frame {
    let pixels = rows_in(frame, area).flatten().copied().collect();
    Frame::from_pixels(area.size.width as usize, area.size.height as usize, pixels)
}

struct Place {
    count: Rectangle,
    stones: Rectangle,
}

struct Places {
    layout: Layout,
}

impl Places {
    fn map<T>(&self, mut look: impl FnMut(Place) -> T) -> [T; PLACES] {
        core::array::from_fn(|index| {
            let layout = &self.layout;
            look(match Cup::at(index) {
                Some(cup) => Place { count: layout.cup_count(cup), stones: layout.cup_stones(cup) },
                None => {
                    let owner = Player::BOTH[index / 7];
                    let stones = inside(layout.store_hollow(owner));
                    Place { count: layout.store_count(owner), stones }
                }
            })
        })
    }
}

/// Returns the player whose rail has the player's colour along its whole length.
fn turn(frame: &Frame, layout: &Layout) -> Option<usize> {
    let lit = |player: Player| {
        pixels_in(frame, &layout.rail(player))
            .all(|(_, _, pixel)| pixel == seen(theme::player(player)))
    };
    match [lit(Player::Bottom), lit(Player::Top)] {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

/// Counts the stones in `area` by the highlight on each.
///
/// Stones of the first layer are side by side, so every highlight is visible. A stone of the second
/// layer is between four of the first and hides the highlight of one of them. So the number of
/// highlights that are not on the first layer's grid is equal to the number of hidden ones, and the
/// first layer is full. A third layer (a cup with more than 32 stones, in `wari` more than 24)
/// cannot be distinguished.
fn stones_in(frame: &Frame, area: &Rectangle) -> u32 {
    let (columns, rows, margin) = Heap::new(*area).grid();
    let (columns, rows) = (columns as usize, rows as usize);
    let (left, top) = (margin.width as usize + SHINE_AT, margin.height as usize + SHINE_AT);
    let (first, above): (Vec<_>, Vec<_>) = lights(frame, area)
        .into_iter()
        .partition(|&(x, y)| (x - left).is_multiple_of(PITCH) && (y - top).is_multiple_of(PITCH));
    if above.is_empty() { first.len() as u32 } else { (columns * rows + above.len()) as u32 }
}

/// Returns the left and top edges of the highlights in `area`, relative to the area.
fn lights(frame: &Frame, area: &Rectangle) -> Vec<(usize, usize)> {
    let shine = seen(theme::STONE_SHINE);
    let mut waiting: Vec<(usize, usize)> = pixels_in(frame, area)
        .filter(|&(_, _, pixel)| pixel == shine)
        .map(|(x, y, _)| (x, y))
        .collect();
    let mut patches = Vec::new();
    while let Some(seed) = waiting.pop() {
        let mut patch = vec![seed];
        let mut next = 0;
        while let Some(&(x, y)) = patch.get(next) {
            next += 1;
            waiting.retain(|&(other_x, other_y)| {
                let touches = other_x.abs_diff(x) <= 1 && other_y.abs_diff(y) <= 1;
                if touches {
                    patch.push((other_x, other_y));
                }
                !touches
            });
        }
        let left = patch.iter().map(|&(x, _)| x).min().unwrap_or_default();
        let top = patch.iter().map(|&(_, y)| y).min().unwrap_or_default();
        patches.push((left, top));
    }
    patches
}

/// Returns the pixels of `area`, each with its column and row relative to the area.
pub fn pixels_in<'a>(
    frame: &'a Frame,
    area: &Rectangle,
) -> impl Iterator<Item = (usize, usize, u32)> + use<'a> {
    rows_in(frame, area)
        .enumerate()
        .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, pixel)| (x, y, *pixel)))
}

/// Returns the rows of `area` that are on the frame.
fn rows_in<'a>(frame: &'a Frame, area: &Rectangle) -> impl Iterator<Item = &'a [u32]> + use<'a> {
    let (left, top) = (area.top_left.x as usize, area.top_left.y as usize);
    let right = (left + area.size.width as usize).min(frame.width());
    let bottom = (top + area.size.height as usize).min(frame.height());
    (top..bottom).map(move |y| &frame.pixels()[y * frame.width()..][left.min(right)..right])
}
