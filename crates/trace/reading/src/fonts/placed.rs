//! Whether the region of a text cuts its glyphs: ink continues across the edge of a cell, where it
//! would not if the region were some pixels beside.

use ili9341_model::Frame;
use ili9341_model::frame::Region;

/// Maximum distance in pixels at which a better region is searched for, in each direction.
pub(super) const REACH: isize = 4;

/// Edges of the cells of a region across which ink continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    pub above: bool,
    pub below: bool,
    /// The left or right edge of any cell.
    pub beside: bool,
}

impl Cut {
    pub(super) fn is_any(self) -> bool {
        self.above || self.below || self.beside
    }
}

/// Returns the edges of the `count` cells of `region` that cut ink. Ink is what is not the most
/// common colour of the region.
pub(super) fn cut(frame: &Frame, region: Region, count: usize) -> Cut {
    let (left, top) = region.corner();
    let (right, bottom) = (left + usize::from(region.width), top + usize::from(region.height));
    let inside = || (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let Some(ground) = ground(inside().filter_map(|(x, y)| frame.pixel(x, y))) else {
        return Cut::default();
    };
    let ink = |x: usize, y: usize| frame.pixel(x, y).filter(|pixel| *pixel != ground);
    // Ink continues in the next pixel across an edge, or diagonally.
    let continues = |(x, y): (usize, usize), (across, down): (isize, isize)| {
        let Some(own) = ink(x, y) else { return false };
        (-1..=1).any(|along| {
            let (dx, dy) = if across == 0 { (along, down) } else { (across, along) };
            let place = x.checked_add_signed(dx).zip(y.checked_add_signed(dy));
            place.is_some_and(|(x, y)| ink(x, y) == Some(own))
        })
    };
    let cell = (usize::from(region.width) / count.max(1)).max(1);
    Cut {
        above: (left..right).any(|x| continues((x, top), (0, -1))),
        below: (left..right).any(|x| continues((x, bottom - 1), (0, 1))),
        beside: (top..bottom).any(|y| {
            continues((left, y), (-1, 0))
                || (left + cell..=right).step_by(cell).any(|edge| continues((edge - 1, y), (1, 0)))
        }),
    }
}

/// Returns the most common colour.
pub(super) fn ground(pixels: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts = std::collections::HashMap::<u32, usize>::new();
    pixels.for_each(|pixel| *counts.entry(pixel).or_default() += 1);
    let ground = counts.into_iter().max_by_key(|(pixel, count)| (*count, *pixel));
    ground.map(|(pixel, _)| pixel)
}

/// A region beside another one, and its distance to the right and downwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearby {
    pub columns: isize,
    pub rows: isize,
    pub region: Region,
}

/// Returns the nearest region of the same size, at most `reach` pixels away, that `fits`.
pub(super) fn nearby(
    region: Region,
    reach: isize,
    fits: impl Fn(Region) -> bool,
) -> Option<Nearby> {
    let all =
        (-reach..=reach).flat_map(|rows| (-reach..=reach).map(move |columns| (columns, rows)));
    let mut all: Vec<(isize, isize)> = all.filter(|moved| *moved != (0, 0)).collect();
    all.sort_by_key(|(columns, rows)| columns.abs() + rows.abs());
    all.into_iter().find_map(|(columns, rows)| {
        let x = region.x.checked_add_signed(columns as i16)?;
        let y = region.y.checked_add_signed(rows as i16)?;
        let region = Region { x, y, ..region };
        fits(region).then_some(Nearby { columns, rows, region })
    })
}
