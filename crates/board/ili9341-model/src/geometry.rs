//! The layout of the frame memory: its size, the host's window and directions, and areas of
//! consecutive cells. The module knows no pixel and no command.

/// Number of columns of the memory.
pub(super) const COLUMNS: usize = 240;
/// Number of pages (rows) of the memory.
pub(super) const PAGES: usize = 320;

/// A window of columns and pages, both ends included, in the host's counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) columns: (u16, u16),
    pub(super) pages: (u16, u16),
}

/// Mapping of the host's columns and pages to cells of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    /// Cell of the host's column 0, page 0.
    origin: isize,
    /// Step from a column to the next, in cells.
    pub(super) column_step: isize,
    /// Step from a page to the next, in cells.
    pub(super) page_step: isize,
    /// Number of the host's columns; `height` is that of its pages.
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Mapping {
    /// Creates the mapping from MADCTL's bits (8.2.29). Cells are stored column by column, so that
    /// the landscape directions, in which this module is used, are contiguous.
    pub(super) fn new(mirror_columns: bool, mirror_pages: bool, exchange: bool) -> Self {
        let (columns, pages) = (COLUMNS as u16, PAGES as u16);
        let line = PAGES as isize;
        let across = if mirror_columns { -line } else { line };
        let along = if mirror_pages { -1 } else { 1 };
        let origin = if mirror_columns { (COLUMNS as isize - 1) * line } else { 0 }
            + if mirror_pages { line - 1 } else { 0 };
        let (column_step, page_step) = if exchange { (along, across) } else { (across, along) };
        let (width, height) = if exchange { (pages, columns) } else { (columns, pages) };
        Self { origin, column_step, page_step, width, height }
    }

    /// Returns the cell of a column and a page, which must exist.
    pub(super) fn cell(&self, column: u16, page: u16) -> usize {
        let cell = self.origin
            + isize::try_from(column).unwrap_or(0) * self.column_step
            + isize::try_from(page).unwrap_or(0) * self.page_step;
        cell.unsigned_abs()
    }
}

/// Rows of consecutive cells of the memory.
#[derive(Clone, Copy)]
pub(super) struct Area {
    /// Lowest cell of the first row.
    pub(super) first: usize,
    /// Step from a row to the next, in cells.
    pub(super) step: isize,
    /// Number of cells in a row.
    pub(super) length: usize,
    pub(super) rows: usize,
}

impl Area {
    /// Returns the pages and the columns of the memory that contain the area.
    pub(super) fn extent(self) -> (core::ops::Range<usize>, core::ops::Range<usize>) {
        let (column, page) = (self.first / PAGES, self.first % PAGES);
        let below = self.rows.saturating_sub(1);
        let first = if self.step < 0 { column - below } else { column };
        (page..page + self.length, first..first + self.rows)
    }

    /// Returns the rows as ranges of cells.
    pub(super) fn rows(self) -> impl Iterator<Item = core::ops::Range<usize>> {
        (0..self.rows as isize).map(move |row| {
            let first = self.first.wrapping_add_signed(row * self.step);
            first..first + self.length
        })
    }
}
