//! The pixels that differ, and the regions of adjacent ones.

use ili9341_model::{Frame, Region};

use super::union;

/// Greatest gap between differing pixels of one region: columns and rows.
const GAP: (usize, usize) = (16, 4);

/// Mask of the pixels that differ.
pub(super) struct Mask {
    width: usize,
    height: usize,
    differs: Vec<bool>,
}

impl Mask {
    pub fn of(before: &Frame, after: &Frame) -> Self {
        let differs = before.pixels().iter().zip(after.pixels()).map(|(was, is)| was != is);
        Self { width: before.width(), height: before.height(), differs: differs.collect() }
    }

    pub fn is_empty(&self) -> bool {
        !self.differs.contains(&true)
    }

    pub fn clear(&mut self, region: Region) {
        let (left, top) = region.corner();
        let right = (left + usize::from(region.width)).min(self.width);
        let bottom = (top + usize::from(region.height)).min(self.height);
        for y in top..bottom {
            if left < right {
                self.differs[y * self.width + left..y * self.width + right].fill(false);
            }
        }
    }

    /// Returns the places of the pixels that differ: column and row.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = self.differs.iter().enumerate().filter(|(_, differs)| **differs);
        places.map(|(at, _)| (at % self.width, at / self.width))
    }

    pub fn bounds(&self) -> Region {
        self.places().map(pixel).reduce(union).unwrap_or(Region::PANEL)
    }

    /// Returns the regions of adjacent differing pixels, from the top left.
    pub fn regions(&self) -> Vec<Region> {
        // Marks the squares that contain differing pixels, and joins squares that are less than a
        // gap apart.
        let (columns, rows) = (self.width.div_ceil(GAP.0 / 2), self.height.div_ceil(GAP.1 / 2));
        let mut bounds: Vec<Option<Region>> = vec![None; columns * rows];
        for (x, y) in self.places() {
            let square = &mut bounds[y / (GAP.1 / 2) * columns + x / (GAP.0 / 2)];
            *square = Some(square.map_or(pixel((x, y)), |region| union(region, pixel((x, y)))));
        }
        let mut found = Vec::new();
        for start in 0..bounds.len() {
            let Some(mut region) = bounds[start].take() else { continue };
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                let (column, row) = (at % columns, at / columns);
                for y in row.saturating_sub(2)..=(row + 2).min(rows - 1) {
                    for x in column.saturating_sub(2)..=(column + 2).min(columns - 1) {
                        if let Some(part) = bounds[y * columns + x].take() {
                            region = union(region, part);
                            open.push(y * columns + x);
                        }
                    }
                }
            }
            found.push(region);
        }
        found
    }
}

/// Returns the region of one pixel.
pub(super) fn pixel((x, y): (usize, usize)) -> Region {
    let side = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Region { x: side(x), y: side(y), width: 1, height: 1 }
}
