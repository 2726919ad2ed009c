//! What a person reads off the LCD: digits, stones, words, whose turn it is.
//!
//! Everything comes from a [`Frame`]'s pixels; the firmware supplies only the screen's geometry
//! ([`Layout`]) and its colours. It knows no rule and no console.

use boards::native;
use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;
use firmware_core::rules::{Cup, PLACES, Player};
use firmware_core::screen::hollow::inside;
use firmware_core::screen::layout::{Layout, Table};
use firmware_core::screen::stones::{Heap, STONE};
use firmware_core::screen::theme;
use firmware_core::screen::words::HINT;
use ili9341_model::Frame;
pub use legibility::canvas::seen;
use reading::text::{Reader, ScreenText};

/// From one stone of a layer to the next: neighbours share their edge.
const PITCH: usize = STONE as usize - 1;
/// Where a stone's light begins, from its own left and top edge.
const SHINE_AT: usize = 2;

/// What the LCD shows of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The digits of every place, in the console's order; `None` where none can be read.
    pub digits: [Option<u32>; PLACES],
    /// The stones that are drawn in every place.
    pub stones: [u32; PLACES],
    /// The player (0 or 1) whose rail is lit; `None` if none is, or both.
    pub turn: Option<usize>,
    /// The status message, its lines joined by one space, without the hint.
    pub message: String,
    /// Whether it says how the menu opens.
    pub hint: bool,
}

/// Reads a game off the LCD's pixels.
pub struct Eye {
    reader: Reader,
}

impl Default for Eye {
    fn default() -> Self {
        Self { reader: Reader::new(native::fonts()) }
    }
}

impl Eye {
    /// What it reads with.
    pub const fn reader(&self) -> &Reader {
        &self.reader
    }

    /// All the text on `frame`.
    pub fn text(&self, frame: &Frame) -> ScreenText {
        self.reader.read(frame)
    }

    /// The text in `area` of `frame`, its lines joined by one space.
    pub fn words(&self, frame: &Frame, area: &Rectangle) -> String {
        let text = self.text(&cut_out(frame, area));
        let lines: Vec<&str> = text.lines.iter().map(|line| line.text.as_str()).collect();
        lines.join(" ")
    }

    /// The game on `frame`, with the stores where `table` has them.
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

/// The size of `frame` in the layout's type.
pub fn size(frame: &Frame) -> Size {
    Size::new(frame.width() as u32, frame.height() as u32)
}

/// `area` of `frame`, as if there were nothing around it.
pub fn cut_out(frame: &Frame, area: &Rectangle) -> Frame {
    let pixels = rows_in(frame, area).flatten().copied().collect();
    Frame::from_pixels(area.size.width as usize, area.size.height as usize, pixels)
}

/// The rectangles of one place.
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

/// The player whose rail has his colour all along.
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

/// Counts the stones in `area` by the light on each.
///
/// Stones of the first layer lie side by side, so every light is seen. A stone of the second
/// one lies between four of the first and hides the light of one of them: the lights that
/// stand off the first layer's grid are then as many as there are hidden ones, and the first
/// layer is full. A third layer (a cup with more than 32 stones, in `wari` more than 24) cannot be
/// distinguished.
fn stones_in(frame: &Frame, area: &Rectangle) -> u32 {
    let (columns, rows, margin) = Heap::new(*area).grid();
    let (columns, rows) = (columns as usize, rows as usize);
    let (left, top) = (margin.width as usize + SHINE_AT, margin.height as usize + SHINE_AT);
    let (first, above): (Vec<_>, Vec<_>) = lights(frame, area)
        .into_iter()
        .partition(|&(x, y)| (x - left).is_multiple_of(PITCH) && (y - top).is_multiple_of(PITCH));
    if above.is_empty() { first.len() as u32 } else { (columns * rows + above.len()) as u32 }
}

/// The left and top edges of the patches of light in `area`, from its own.
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

/// The pixels of `area`, each with its column and row from the area's own edges.
pub fn pixels_in<'a>(
    frame: &'a Frame,
    area: &Rectangle,
) -> impl Iterator<Item = (usize, usize, u32)> + use<'a> {
    rows_in(frame, area)
        .enumerate()
        .flat_map(|(y, row)| row.iter().enumerate().map(move |(x, pixel)| (x, y, *pixel)))
}

/// The rows of `area`, as far as they are on the frame.
fn rows_in<'a>(frame: &'a Frame, area: &Rectangle) -> impl Iterator<Item = &'a [u32]> + use<'a> {
    let (left, top) = (area.top_left.x as usize, area.top_left.y as usize);
    let right = (left + area.size.width as usize).min(frame.width());
    let bottom = (top + area.size.height as usize).min(frame.height());
    (top..bottom).map(move |y| &frame.pixels()[y * frame.width()..][left.min(right)..right])
}
