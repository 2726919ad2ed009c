//! A buffer of saved cells. The module knows no frame and no area.

/// Saved cells, the oldest first.
#[derive(Default)]
pub(super) struct Saved {
    /// The saved cells, followed by unused old ones, so that the buffer need not be cleared for
    /// each growth.
    cells: Vec<u32>,
    count: usize,
}

impl Saved {
    /// Returns the number of saved cells.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Removes all saved cells.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Appends `count` cells with arbitrary values, and returns them for writing.
    #[inline]
    pub(super) fn more(&mut self, count: usize) -> &mut [u32] {
        let first = self.count;
        self.count += count;
        if self.cells.len() < self.count {
            self.cells.resize(self.count, 0);
        }
        &mut self.cells[first..self.count]
    }

    /// Returns all saved cells.
    pub(super) fn all(&self) -> &[u32] {
        &self.cells[..self.count]
    }
}

/// Clones only the saved cells, not the unused ones.
impl Clone for Saved {
    fn clone(&self) -> Self {
        Self { cells: self.all().to_vec(), count: self.count }
    }
}
