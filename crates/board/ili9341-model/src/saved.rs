//! Cells that are put aside, one after another. It knows no frame and no area.

/// Cells that were put aside, the oldest first.
#[derive(Default)]
pub(super) struct Saved {
    /// Its cells; behind them what is left of earlier ones, so that room need not be cleared again for each.
    cells: Vec<u32>,
    count: usize,
}

impl Saved {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Room for so many more, whose present values mean nothing.
    #[inline]
    pub(super) fn more(&mut self, count: usize) -> &mut [u32] {
        let first = self.count;
        self.count += count;
        if self.cells.len() < self.count {
            self.cells.resize(self.count, 0);
        }
        &mut self.cells[first..self.count]
    }

    /// All of them.
    pub(super) fn all(&self) -> &[u32] {
        &self.cells[..self.count]
    }
}

/// Without the room.
impl Clone for Saved {
    fn clone(&self) -> Self {
        Self { cells: self.all().to_vec(), count: self.count }
    }
}
