//! The rectangles in which two pictures of a tile differ, cheapest on the wire.
//!
//! A new window costs as many bytes as five and a half pixels, so near changes share
//! one; the rectangles never overlap, so no pixel is sent twice.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::tile::Tile;
use crate::lcd::{PIXEL_BYTES, WINDOW_BYTES};

/// Most rectangles that one tile is covered with; past that, the last ones grow.
const MOST: usize = 48;

/// Columns `left..right`, rows `top..bottom` of a tile.
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

    const fn bytes(self) -> u32 {
        WINDOW_BYTES + PIXEL_BYTES * self.pixels()
    }

    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }

    const fn overlaps(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// Rectangles of the screen that hold every differing pixel of a tile.
pub(super) struct Cover {
    spans: heapless::Vec<Span, MOST>,
    rectangles: heapless::Vec<Rectangle, MOST>,
}

impl Cover {
    /// Covers the differences of two tiles of the same area.
    pub(super) fn of(before: &Tile<'_>, after: &Tile<'_>) -> Self {
        let mut cover = Self { spans: heapless::Vec::new(), rectangles: heapless::Vec::new() };
        for (y, (old, new)) in (0..).zip(before.rows().zip(after.rows())) {
            if old != new {
                cover.add_row(y, old, new);
            }
        }
        let origin = after.top_left();
        cover.rectangles = cover
            .spans
            .iter()
            .map(|span| {
                Rectangle::new(
                    origin + Point::new(span.left as i32, span.top as i32),
                    Size::new(span.right - span.left, span.bottom - span.top),
                )
            })
            .collect();
        cover
    }

    /// The rectangles, none overlapping another.
    pub(super) fn rectangles(&self) -> &[Rectangle] {
        &self.rectangles
    }

    fn add_row<C: PartialEq>(&mut self, y: u32, old: &[C], new: &[C]) {
        let mut columns = (0u32..).zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new);
        let Some((first, _)) = columns.next() else { return };
        let mut run = Span { left: first, right: first + 1, top: y, bottom: y + 1 };
        for (x, _) in columns {
            // A gap that is cheaper to send than a new window is part of the run.
            if (x - run.right) * PIXEL_BYTES <= WINDOW_BYTES {
                run.right = x + 1;
            } else {
                self.add(run);
                run = Span { left: x, right: x + 1, ..run };
            }
        }
        self.add(run);
    }

    /// Grows the rectangle that `run` joins most cheaply, or begins a new one.
    fn add(&mut self, run: Span) {
        let full = self.spans.len() == MOST;
        let joined = (0..self.spans.len())
            .filter(|&index| full || self.spans[index].bottom >= run.top)
            .filter_map(|index| {
                let union = self.spans[index].union(run);
                let more = union.bytes().saturating_sub(self.spans[index].bytes());
                let free = self
                    .spans
                    .iter()
                    .enumerate()
                    .all(|(other, span)| other == index || !span.overlaps(union));
                (free && (full || more <= run.bytes())).then_some((more, index))
            })
            .min();
        match joined {
            Some((_, index)) => self.spans[index] = self.spans[index].union(run),
            None if full => self.collapse(run),
            // There is room: the list is not full.
            None => drop(self.spans.push(run)),
        }
    }

    /// One rectangle around everything: the last resort when the list is full.
    fn collapse(&mut self, run: Span) {
        let all = self.spans.iter().fold(run, |all, span| all.union(*span));
        self.spans.clear();
        let _ = self.spans.push(all);
    }
}
