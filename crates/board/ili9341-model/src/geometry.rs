//! How the frame memory is laid out: its size, the host's window and directions, and areas of
//! consecutive cells. It knows no pixel and no command.

/// Columns of the memory.
pub(super) const COLUMNS: usize = 240;
/// Pages (rows) of the memory.
pub(super) const PAGES: usize = 320;

/// Columns and pages, both ends included, as the host counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) columns: (u16, u16),
    pub(super) pages: (u16, u16),
}

/// How the host's columns and pages lie in the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    /// Where the host's 0, 0 is.
    origin: isize,
    /// From a column to the next.
    pub(super) column_step: isize,
    /// From a page to the next.
    pub(super) page_step: isize,
    /// The host's columns and pages that exist.
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Mapping {
    /// By MADCTL's bits (8.2.29). Cells are stored column by column, so that the landscape
    /// directions, in which this module is used, are contiguous.
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

    /// Only for a column and a page that exist.
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
    /// The lowest cell of the first row.
    pub(super) first: usize,
    /// From a row to the next.
    pub(super) step: isize,
    /// Cells of a row.
    pub(super) length: usize,
    pub(super) rows: usize,
}

impl Area {
    /// The pages and the columns of the memory that its cells stand in.
    pub(super) fn extent(self) -> (core::ops::Range<usize>, core::ops::Range<usize>) {
        let (column, page) = (self.first / PAGES, self.first % PAGES);
        let below = self.rows.saturating_sub(1);
        let first = if self.step < 0 { column - below } else { column };
        (page..page + self.length, first..first + self.rows)
    }

    /// The rows, as ranges of cells.
    pub(super) fn rows(self) -> impl Iterator<Item = core::ops::Range<usize>> {
        (0..self.rows as isize).map(move |row| {
            let first = self.first.wrapping_add_signed(row * self.step);
            first..first + self.length
        })
    }
}
