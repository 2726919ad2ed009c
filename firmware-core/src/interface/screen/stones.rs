//! Stones in a hollow: a sprite, and the position of each stone of a heap.
//!
//! A stone's position depends only on its number in the heap, so one more stone changes only its
//! own pixels.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::primitives::Rectangle;

use super::theme;
use crate::pins::present::{TextTarget, overlap};

/// Width and height of a stone in pixels.
pub const STONE: u32 = 9;

/// Distance in pixels from one stone to the next: neighbours share their edge.
const PITCH: u32 = STONE - 1;

/// Minimum distance in pixels between the stones of a wide hollow and its rim.
const CLEAR: u32 = 3;
/// A hollow is wide if at least this many stones fit in both directions.
const WIDE: u32 = 6;

/// Pixels of a stone; its corners have none.
static SPRITE: [[Option<Rgb565>; STONE as usize]; STONE as usize] = coloured([
    b"  ooooo  ",
    b" obbbbbo ",
    b"obbhhbbbo",
    b"obhhbbbbo",
    b"obhbbbbbo",
    b"obbbbbbso",
    b"obbbbbsso",
    b" obbssso ",
    b"  ooooo  ",
]);

/// Decodes a sprite: `o` edge, `b` body, `s` shade, `h` shine, anything else transparent.
const fn coloured<const N: usize>(letters: [&[u8; N]; N]) -> [[Option<Rgb565>; N]; N] {
    let mut pixels = [[None; N]; N];
    let mut nth = 0;
    while nth < N * N {
        let (row, column) = (nth / N, nth % N);
        pixels[row][column] = match letters[row][column] {
            b'o' => Some(theme::STONE_EDGE),
            b'b' => Some(theme::STONE_BODY),
            b's' => Some(theme::STONE_SHADE),
            b'h' => Some(theme::STONE_SHINE),
            _ => None,
        };
        nth += 1;
    }
    pixels
}

/// Stones of one hollow.
#[derive(Clone, Copy, Debug)]
pub struct Heap {
    inside: Rectangle,
    columns: u32,
    rows: u32,
}

impl Heap {
    /// Creates a heap inside the rectangle `inside`.
    pub fn new(inside: Rectangle) -> Self {
        let Size { width, height } = inside.size;
        let clear = if width.min(height) > WIDE * PITCH { 2 * CLEAR } else { 0 };
        let fit = |length: u32| (length.saturating_sub(1 + clear) / PITCH).max(1);
        Self { inside, columns: fit(width), rows: fit(height) }
    }

    /// Returns the columns and rows of the stones that fit next to each other, and the offset of
    /// the first stone from the left and the upper edge of the hollow's inside.
    pub fn grid(&self) -> (u32, u32, Size) {
        let used = Size::new(self.columns * PITCH + 1, self.rows * PITCH + 1);
        (self.columns, self.rows, self.inside.size.saturating_sub(used) / 2)
    }

    /// Returns the position of stone `number` (from 0). Stones fill the middle first; those that do
    /// not fit next to each other are on top, between the others.
    pub fn stone(&self, number: u8) -> Rectangle {
        // Between `columns` stones next to each other there are `columns - 1` gaps for the next
        // layer.
        let (columns, rows, margin) = self.grid();
        let layers = [
            (columns, rows, Size::zero()),
            (columns - 1, rows - 1, Size::new_equal(PITCH / 2)),
            (columns - 1, rows, Size::new(PITCH / 2, 0)),
            (columns, rows - 1, Size::new(0, PITCH / 2)),
        ];
        let mut number = u32::from(number);
        for (columns, rows, shift) in layers {
            if number < columns * rows {
                let (column, row) = slot(number, columns, rows);
                let offset = margin + shift + Size::new(column * PITCH, row * PITCH);
                return Rectangle::new(self.inside.top_left + offset, Size::new_equal(STONE));
            }
            number -= columns * rows;
        }
        // Beyond four layers, the heap looks no fuller.
        Rectangle::new(self.inside.top_left + margin, Size::new_equal(STONE))
    }

    /// Draws the hollow with `count` stones, within the target's area.
    ///
    /// # Errors
    /// Errors of the target.
    pub fn draw<D: TextTarget>(&self, count: u8, target: &mut D) -> Result<(), D::Error> {
        target.fill_solid(&self.inside, theme::HOLLOW)?;
        let visible = target.bounding_box();
        for number in 0..count {
            let stone = self.stone(number);
            if let Some(part) = overlap(&stone, &visible) {
                draw_stone(stone.top_left, &part, target)?;
            }
        }
        Ok(())
    }
}

/// Returns column and row of slot `number` of a grid, from the middle outwards: bands of three rows
/// (more in a wide hollow), each with pairs of columns, so that a few stones are close together.
fn slot(number: u32, columns: u32, rows: u32) -> (u32, u32) {
    const PAIR: u32 = 2;
    let band_rows = (columns / 2).max(3);
    let band = number / (columns * band_rows);
    let in_band = number % (columns * band_rows);
    let rows_in_band = band_rows.min(rows - band * band_rows);
    let pair = in_band / (PAIR * rows_in_band);
    let in_pair = in_band % (PAIR * rows_in_band);
    let columns_in_pair = PAIR.min(columns - pair * PAIR);
    let column = pair * PAIR + in_pair % columns_in_pair;
    let row = band * band_rows + in_pair / columns_in_pair;
    (from_the_middle(column, columns), from_the_middle(row, rows))
}

/// Returns the `nth` of `0..count`, counted from the middle: 4, 5, 3, 6, 2 … of ten.
fn from_the_middle(nth: u32, count: u32) -> u32 {
    let middle = (count - 1) / 2;
    let step = nth.div_ceil(2);
    if nth % 2 == 1 { middle + step } else { middle - step }
}

/// Draws the part of the stone at `top_left` that is inside `part`.
fn draw_stone<D: TextTarget>(
    top_left: Point,
    part: &Rectangle,
    target: &mut D,
) -> Result<(), D::Error> {
    let (left, top) =
        ((part.top_left - top_left).x as usize, (part.top_left - top_left).y as usize);
    let Size { width, height } = part.size;
    let rows = SPRITE[top..].iter().take(height as usize);
    target.fill_some(part, rows.map(|row| &row[left..left + width as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_filled_first_and_every_slot_once() {
        for count in 1..20 {
            let mut seen = [false; 20];
            for nth in 0..count {
                let slot = from_the_middle(nth, count) as usize;
                assert!(slot < count as usize, "{nth} of {count} is {slot}");
                assert!(!core::mem::replace(&mut seen[slot], true));
            }
        }
    }

    #[test]
    fn every_slot_of_a_grid_is_used_once() {
        for (columns, rows) in [(4, 5), (3, 4), (3, 5), (4, 4), (4, 22), (1, 1), (5, 7), (8, 7)] {
            let mut seen = [[false; 22]; 8];
            for number in 0..columns * rows {
                let (column, row) = slot(number, columns, rows);
                assert!(column < columns && row < rows, "{number} of {columns}x{rows}");
                let seen = &mut seen[column as usize][row as usize];
                assert!(!core::mem::replace(seen, true), "{number} of {columns}x{rows}");
            }
        }
    }

    #[test]
    fn no_stone_of_a_wide_heap_touches_the_rim() {
        let inside = Rectangle::new(Point::zero(), Size::new(66, 60));
        let clear = Rectangle::new(Point::new(3, 3), Size::new(60, 54));
        for number in 0..60 {
            let stone = Heap::new(inside).stone(number);
            assert_eq!(stone.intersection(&clear), stone, "stone {number}");
        }
    }

    #[test]
    fn more_stones_than_four_layers_hold_stay_in_the_hollow() {
        let inside = Rectangle::new(Point::new(40, 30), Size::new(20, 20));
        for number in 0..=u8::MAX {
            let stone = Heap::new(inside).stone(number);
            assert_eq!(stone.intersection(&inside), stone, "stone {number}");
        }
    }

    #[test]
    fn a_few_stones_are_close_together_in_a_wide_hollow() {
        // Eleven columns: the five rows of a pair of columns are filled first.
        let heap = Heap::new(Rectangle::new(Point::zero(), Size::new(100, 100)));
        assert_eq!(heap.grid().0, 11);
        let first = (0..10).map(|number| heap.stone(number).top_left);
        let (left, right) = first
            .clone()
            .fold((i32::MAX, 0), |(left, right), stone| (left.min(stone.x), right.max(stone.x)));
        assert_eq!(right - left, PITCH as i32);
        let (top, bottom) = first
            .fold((i32::MAX, 0), |(top, bottom), stone| (top.min(stone.y), bottom.max(stone.y)));
        assert_eq!(bottom - top, 4 * PITCH as i32);
    }

    #[test]
    fn stones_of_a_full_heap_are_distinct_and_inside_the_hollow() {
        let inside = Rectangle::new(Point::new(3, 5), Size::new(34, 41));
        let heap = Heap::new(inside);
        let mut seen = heapless::Vec::<Rectangle, 60>::new();
        for number in 0..60 {
            let stone = heap.stone(number);
            assert_eq!(stone.intersection(&inside), stone, "stone {number}");
            assert!(!seen.contains(&stone), "stone {number} at {stone:?}");
            seen.push(stone).unwrap();
        }
    }
}
