//! The rectangles in which two pictures of a tile differ, chosen for the shortest time on the bus.
//!
//! A new window takes as long as a dozen pixels, so nearby changes share one; the rectangles never
//! overlap, so no pixel is sent twice.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::bits::{Bits, WORD};
use super::tile::{Stored, Tile};
use crate::pins::lcd::PIXEL_BYTES;

/// Maximum number of rectangles that cover one tile; beyond that, the last ones grow.
const MOST: usize = 48;

/// Time that a new window takes on a Pico, in bytes on the bus: it sends
/// [`WINDOW_BYTES`](crate::pins::lcd::WINDOW_BYTES), and the processor takes about as long again to
/// set up the window. Values between 20 and 40 make no difference (docs/budgets-pico.md).
const WINDOW_TIME: u32 = 24;

/// Number of pixels after a run of changes within which another change belongs to the run: a gap
/// that is cheaper to send than a new window.
const NEAR: usize = (WINDOW_TIME / PIXEL_BYTES) as usize + 1;

/// Number of unchanged pixels that a run bridges if a change follows.
const REACH: u32 = NEAR as u32 - 1;

/// Returns `changes` with the bits in reach after each change: first 1, then 3, then 7 of them,
/// then the rest.
const fn within_reach(changes: u32) -> u32 {
    let changes = changes | changes >> 1;
    let changes = changes | changes >> 2;
    let changes = changes | changes >> 4;
    changes | changes >> (REACH - 7)
}

const _: () = assert!(within_reach(1 << 31) == !(u32::MAX >> (REACH + 1)));

/// Columns `left..right` and rows `top..bottom` of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
}

impl Span {
    const fn pixels(self) -> u32 {
        (self.right - self.left) * (self.bottom - self.top)
    }

    const fn time(self) -> u32 {
        WINDOW_TIME + PIXEL_BYTES * self.pixels()
    }

    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns whether growing down to `run`, in the next row or the one that it already includes,
    /// costs at most `cost` and adds no column.
    const fn reaches(self, run: Self, cost: u32) -> bool {
        self.left <= run.left
            && run.right <= self.right
            && self.bottom >= run.top
            && (run.bottom - self.bottom) * (self.right - self.left) * PIXEL_BYTES <= cost
    }

    const fn overlaps(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// Rectangles of the screen that contain every differing pixel of a tile.
pub(super) struct Cover {
    origin: Point,
    /// Rectangles that end above the current row.
    closed: heapless::Vec<Span, MOST>,
    /// Rectangles that reach the current row.
    open: heapless::Vec<Span, MOST>,
}

impl Cover {
    /// Creates an empty cover of a tile whose upper left corner is `origin`.
    pub(super) const fn new(origin: Point) -> Self {
        Self { origin, closed: heapless::Vec::new(), open: heapless::Vec::new() }
    }

    /// Covers the differences of two tiles of the same area.
    pub(super) fn add_tiles(&mut self, before: &Tile<'_>, after: &Tile<'_>) {
        for (y, (old, new)) in (0..).zip(before.rows().zip(after.rows())) {
            self.add_row(y, old, new);
        }
    }

    /// Covers the differences of two tiles of bits of the same area, on the same background.
    pub(super) fn add_bits(&mut self, before: &Bits<'_>, after: &Bits<'_>) {
        for (y, words) in (0..).zip(after.changes(before)) {
            self.add_words(y, words);
        }
    }

    /// Returns the rectangles, which do not overlap.
    pub(super) fn rectangles(&self) -> impl Iterator<Item = Rectangle> {
        self.closed.iter().chain(&self.open).map(|span| {
            Rectangle::new(
                self.origin + Point::new(span.left as i32, span.top as i32),
                Size::new(span.right - span.left, span.bottom - span.top),
            )
        })
    }

    /// Closes the rectangles that end above row `y`: they cannot grow any more.
    fn close_above(&mut self, y: u32) {
        let mut index = 0;
        while let Some(span) = self.open.get(index) {
            if span.bottom >= y || self.closed.is_full() {
                index += 1;
            } else {
                // There is room: the branch above has checked it.
                let _ = self.closed.push(self.open.swap_remove(index));
            }
        }
    }

    fn add_row(&mut self, y: u32, old: &[Stored], new: &[Stored]) {
        let width = old.len().min(new.len());
        let (old, new) = (&old[..width], &new[..width]);
        let Some(mut left) = first_change(old, new, 0) else { return };
        self.close_above(y);
        loop {
            let mut right = left + 1;
            loop {
                // Searches for the last change that is near enough first: most pixels in between
                // need no comparison.
                let near = right..(right + NEAR).min(width);
                match near.rev().find(|x| old[*x] != new[*x]) {
                    Some(last) => right = last + 1,
                    None => break,
                }
            }
            self.add(Span { left: left as u32, right: right as u32, top: y, bottom: y + 1 });
            match first_change(old, new, right + NEAR) {
                Some(next) => left = next,
                None => return,
            }
        }
    }

    /// Like [`Self::add_row`], for a row of bits in which those that have changed are set. A run of
    /// any length takes one step, and one more for each word that it crosses into.
    fn add_words(&mut self, y: u32, words: impl Iterator<Item = u32>) {
        let mut run: Option<Span> = None;
        for (index, mut changes) in (0..).zip(words) {
            while changes != 0 {
                let first = changes.leading_zeros();
                let end = first + (within_reach(changes) << first).leading_ones();
                let last = if end < WORD { end - REACH } else { WORD - changes.trailing_zeros() };
                changes &= u32::MAX.checked_shr(end).unwrap_or(0);
                let (left, right) = (index * WORD + first, index * WORD + last);
                match &mut run {
                    Some(run) if left < run.right + NEAR as u32 => run.right = right,
                    _ => match run.replace(Span { left, right, top: y, bottom: y + 1 }) {
                        None => self.close_above(y),
                        Some(run) => self.add(run),
                    },
                }
            }
        }
        if let Some(run) = run {
            self.add(run);
        }
    }

    /// Grows the rectangle that `run` joins at the lowest cost, or begins a new one.
    fn add(&mut self, run: Span) {
        let cost = run.time();
        if let [span] = &mut *self.open
            && span.reaches(run, cost)
        {
            // The usual case; the code below would give the same result.
            span.bottom = run.bottom;
            return;
        }
        let mut best: Option<(u32, usize, Span)> = None;
        for (index, span) in self.open.iter().enumerate() {
            let union = span.union(run);
            let more = union.time() - span.time();
            if more <= cost
                && best.is_none_or(|(least, ..)| more < least)
                && self.is_free(union, index)
            {
                best = Some((more, index, union));
            }
        }
        match best {
            Some((_, index, union)) => self.open[index] = union,
            None if self.open.is_full() => self.collapse(run),
            // There is room: the branch above has checked it.
            None => drop(self.open.push(run)),
        }
    }

    /// Returns whether `union`, grown from the open span `index`, overlaps no other.
    fn is_free(&self, union: Span, index: usize) -> bool {
        let others = self.open.iter().enumerate().filter(|(other, _)| *other != index);
        others.map(|(_, span)| span).chain(&self.closed).all(|span| !span.overlaps(union))
    }

    /// Replaces all rectangles by one around everything: the last resort when the list is full.
    fn collapse(&mut self, run: Span) {
        let all = self.open.iter().chain(&self.closed).fold(run, |all, span| all.union(*span));
        self.closed.clear();
        self.open.clear();
        let _ = self.open.push(all);
    }
}

/// Number of pixels that are compared at once: a Cortex-M0+ compares one.
const AT_ONCE: usize = if usize::BITS > u32::BITS { 8 } else { 1 };

/// Returns the first pixel, from `start` on, in which two rows of the same length differ. `start`
/// may be past the end.
fn first_change(old: &[Stored], new: &[Stored], start: usize) -> Option<usize> {
    let (old_rest, new_rest) = (old.get(start..)?, new.get(start..)?);
    let pairs = old_rest.as_chunks::<AT_ONCE>().0.iter().zip(new_rest.as_chunks::<AT_ONCE>().0);
    let same = AT_ONCE * pairs.take_while(|(old, new)| old == new).count();
    (start + same..old.len().min(new.len())).find(|x| old[*x] != new[*x])
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use embedded_graphics::draw_target::DrawTarget as _;
    use embedded_graphics::geometry::Dimensions as _;
    use embedded_graphics::pixelcolor::Rgb565;

    use crate::game::random::Random;
    use crate::pins::present::bits::BITS_WORDS;
    use crate::pins::present::text_target::Inks;
    use crate::pins::present::tile::TILE_PIXELS;

    const WIDTH: u32 = 40;
    const HEIGHT: u32 = 40;

    fn cover_of(before: &Tile<'_>, after: &Tile<'_>) -> Cover {
        let mut cover = Cover::new(after.bounding_box().top_left);
        cover.add_tiles(before, after);
        cover
    }

    /// Returns the number of rectangles and pixels of some covers, after checking each of them.
    fn taken(changes: u64, longest: u64, seeds: u64) -> (usize, u32) {
        let area = Rectangle::new(Point::new(7, 9), Size::new(WIDTH, HEIGHT));
        let (mut count, mut pixels) = (0, 0);
        for seed in 0..seeds {
            let (mut old, mut new) = ([0; TILE_PIXELS], [0; TILE_PIXELS]);
            let mut random = Random::new(seed);
            for _ in 0..changes {
                let first = random.number() as usize % TILE_PIXELS;
                let length = 1 + (random.number() % longest) as usize;
                new[first..].iter_mut().take(length).for_each(|pixel| *pixel = 1);
            }
            let (before, after) = (Tile::new(area, &mut old), Tile::new(area, &mut new));
            let rectangles: Vec<Rectangle> = cover_of(&before, &after).rectangles().collect();
            let mut sent = vec![0; TILE_PIXELS];
            for rectangle in &rectangles {
                assert_eq!(rectangle.intersection(&area), *rectangle, "inside the tile");
                for point in embedded_graphics::primitives::PointsIter::points(rectangle) {
                    let offset = point - area.top_left;
                    sent[(offset.y as u32 * WIDTH + offset.x as u32) as usize] += 1;
                }
            }
            assert!(sent.iter().all(|times| *times <= 1), "a pixel is sent twice, seed {seed}");
            let all = new.iter().zip(&sent).all(|(new, times)| *new == 0 || *times == 1);
            assert!(all, "a change is not sent, seed {seed}");
            count += rectangles.len();
            pixels += sent.iter().sum::<u32>();
        }
        (count, pixels)
    }

    /// The cost of a cover is the time that a frame takes: improvements may lower these numbers,
    /// but no change may raise them.
    #[test]
    fn each_change_is_sent_once_at_the_expected_cost() {
        let dots = [1, 5, 20, 60].map(|changes| taken(changes, 1, 100));
        let runs = [5, 20, 60].map(|changes| taken(changes, 9, 100));
        assert_eq!(dots, [(100, 100), (469, 706), (1_544, 4_616), (3_053, 22_321)]);
        assert_eq!(runs, [(516, 2_739), (1_664, 12_152), (3_207, 41_439)]);
    }

    /// Covers the same changes as pixels and as bits, in rows of any length: the runs cross the
    /// boundaries of words.
    #[test]
    fn bits_are_covered_as_pixels_are() {
        const INKS: Inks = Inks { ink: Rgb565::new(1, 2, 3), ground: Rgb565::new(0, 0, 0) };
        for seed in 0..2_000 {
            let mut random = Random::new(seed);
            let mut below = |most: u64| (random.number() % most) as u32;
            let size = Size::new(1 + below(130), 1 + below(12));
            let area = Rectangle::new(Point::new(7, 9), size);
            let (mut old, mut new) = ([0; TILE_PIXELS], [0; TILE_PIXELS]);
            let (mut old_bits, mut new_bits) = ([0; BITS_WORDS], [0; BITS_WORDS]);
            let (before, mut after) = (Tile::new(area, &mut old), Tile::new(area, &mut new));
            let before_bits = Bits::new(area, INKS, &mut old_bits);
            let mut after_bits = Bits::new(area, INKS, &mut new_bits);
            for _ in 0..below(40) {
                let offset = Size::new(below(130), below(12));
                let run = Rectangle::new(area.top_left + offset, Size::new(1 + below(3), 1));
                let _ = after.fill_solid(&run, INKS.ink);
                let _ = after_bits.fill_solid(&run, INKS.ink);
            }
            let mut as_bits = Cover::new(area.top_left);
            as_bits.add_bits(&before_bits, &after_bits);
            let as_pixels = cover_of(&before, &after);
            assert!(as_bits.rectangles().eq(as_pixels.rectangles()), "seed {seed}: {size:?}");
        }
    }

    /// Checks a cover. The `#` in `changes` are the changed pixels; `cover` draws the expected
    /// rectangles, each with its letter.
    #[track_caller]
    fn check<const ROWS: usize>(changes: [&str; ROWS], cover: [&str; ROWS]) {
        let columns = changes[0].len();
        let area = Rectangle::new(Point::zero(), Size::new(columns as u32, ROWS as u32));
        let (mut old, mut new) = ([0; TILE_PIXELS], [0; TILE_PIXELS]);
        for (pixel, letter) in new.iter_mut().zip(changes.concat().bytes()) {
            *pixel = u16::from(letter == b'#');
        }
        let (before, after) = (Tile::new(area, &mut old), Tile::new(area, &mut new));
        let mut drawn = vec![vec!['.'; columns]; ROWS];
        let mut rectangles: Vec<Rectangle> = cover_of(&before, &after).rectangles().collect();
        rectangles.sort_by_key(|rectangle| (rectangle.top_left.x, rectangle.top_left.y));
        for (rectangle, letter) in rectangles.iter().zip('A'..) {
            for point in embedded_graphics::primitives::PointsIter::points(rectangle) {
                let pixel = &mut drawn[point.y as usize][point.x as usize];
                *pixel = if *pixel == '.' { letter } else { '?' };
            }
        }
        let drawn: Vec<std::string::String> =
            drawn.iter().map(|row| row.iter().collect()).collect();
        assert_eq!(drawn, cover, "`?` is in two rectangles");
    }

    /// The last row could join either of the two rectangles above it.
    #[test]
    fn the_cheaper_of_two_rectangles_grows() {
        check(
            ["#...........#.........", ".#...................#", "#...............#....."],
            ["AAAAAAAAAAAAA.........", "AAAAAAAAAAAAA...BBBBBB", "AAAAAAAAAAAAA...BBBBBB"],
        );
    }

    #[test]
    fn the_first_of_two_equally_cheap_rectangles_grows() {
        check(
            ["#...........#..........", ".#...................##", "#...............#......"],
            ["AAAAAAAAAAAAAAAAA......", "AAAAAAAAAAAAAAAAA....BB", "AAAAAAAAAAAAAAAAA......"],
        );
    }

    #[test]
    fn rectangles_may_touch() {
        check(
            [".............#....", ".#...............#", "#...........#....."],
            [".............BBBBB", "AAAAAAAAAAAAABBBBB", "AAAAAAAAAAAAA....."],
        );
        check(
            ["#.............#", "...#..........#", ".#............#"],
            ["ABBBBBBBBBBBBBB", ".BBBBBBBBBBBBBB", ".BBBBBBBBBBBBBB"],
        );
    }

    /// Growing would cost less than another rectangle, but the other one is in the way.
    #[test]
    fn rectangles_do_not_overlap() {
        check(
            ["............#.....", ".#...............#", "#...........#....."],
            ["............CCCCCC", ".B..........CCCCCC", "AAAAAAAAAAAAA....."],
        );
    }

    /// More changes than the maximum number of rectangles, with no two near each other.
    #[test]
    fn a_tile_with_too_many_changes_is_still_sent_completely() {
        let area = Rectangle::new(Point::zero(), Size::new(800, 2));
        let (mut old, mut new) = ([0; TILE_PIXELS], [0; TILE_PIXELS]);
        (0..MOST + 5).for_each(|nth| new[nth * 16] = 1);
        let (before, after) = (Tile::new(area, &mut old), Tile::new(area, &mut new));
        let cover = cover_of(&before, &after);
        for nth in 0..MOST + 5 {
            let point = Point::new(nth as i32 * 16 % 800, nth as i32 * 16 / 800);
            let count = cover.rectangles().filter(|rectangle| rectangle.contains(point)).count();
            assert_eq!(count, 1, "change {nth}");
        }
    }
}
