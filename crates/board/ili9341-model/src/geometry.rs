//! The layout of the frame memory: its size, its visible part, the host's window and directions,
//! and areas of consecutive cells. The module knows no pixel and no command.

use panel_tables::{Family, Module, Table};

/// The size of the memory, the order of its cells, and the visible part.
///
/// Cells are stored as a viewer sees them: line by line from left to right, so that on a module
/// that is mounted landscape a line is a column of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) columns: usize,
    pub(super) pages: usize,
    pub(super) module: Module,
    /// Whether a cell is either dark or lit.
    pub(super) is_one_bit: bool,
}

impl Layout {
    pub(super) fn new(table: &Table, module: Module) -> Self {
        let is_one_bit = table.family == Family::Pages;
        Self { columns: table.columns.into(), pages: table.lines.into(), module, is_one_bit }
    }

    /// Returns the number of cells.
    pub(super) fn cells(&self) -> usize {
        self.columns * self.pages
    }

    /// Returns the number of cells in a line.
    pub(super) fn line(&self) -> usize {
        if self.module.mounting.is_landscape { self.pages } else { self.columns }
    }

    /// Returns the number of lines.
    pub(super) fn lines(&self) -> usize {
        if self.module.mounting.is_landscape { self.columns } else { self.pages }
    }

    /// Returns the cell of a column and a page of the memory, which must exist.
    pub(super) fn cell(&self, column: usize, page: usize) -> usize {
        if self.module.mounting.is_landscape {
            column * self.pages + page
        } else {
            page * self.columns + column
        }
    }

    /// Returns width and height of the picture that a viewer sees.
    pub(super) fn size(&self) -> (usize, usize) {
        self.module.size()
    }

    /// Returns whether the panel shows the whole memory, each cell in its own place.
    pub(super) fn is_whole(&self) -> bool {
        let (module, mounting) = (&self.module, self.module.mounting);
        usize::from(module.columns) == self.columns
            && usize::from(module.lines) == self.pages
            && !mounting.mirrors_x
            && !mounting.mirrors_y
    }

    /// Returns column and page of the memory that the panel shows at a position, which must be on
    /// it, before scrolling and scan directions.
    pub(super) fn place(&self, x: usize, y: usize) -> (usize, usize) {
        let (module, mounting) = (&self.module, self.module.mounting);
        let (width, height) = self.size();
        let x = if mounting.mirrors_x { width - 1 - x } else { x };
        let y = if mounting.mirrors_y { height - 1 - y } else { y };
        let (column, page) = if mounting.is_landscape { (y, x) } else { (x, y) };
        (usize::from(module.first_column) + column, usize::from(module.first_line) + page)
    }

    /// Returns the ranges of x and y of the pixels of a gate; empty if it is not visible.
    pub(super) fn positions_of_gate(
        &self,
        gate: usize,
    ) -> (core::ops::Range<usize>, core::ops::Range<usize>) {
        let (module, mounting) = (&self.module, self.module.mounting);
        let (width, height) = self.size();
        let count = usize::from(module.lines);
        let Some(place) = gate.checked_sub(module.first_line.into()).filter(|at| *at < count)
        else {
            return (0..0, 0..0);
        };
        let mirrored = if mounting.is_landscape { mounting.mirrors_x } else { mounting.mirrors_y };
        let place = if mirrored { count - 1 - place } else { place };
        let one = place..place + 1;
        if mounting.is_landscape { (one, 0..height) } else { (0..width, one) }
    }
}

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
    /// Creates the mapping from MADCTL's bits (8.2.29).
    pub(super) fn new(
        layout: &Layout,
        mirror_columns: bool,
        mirror_pages: bool,
        exchange: bool,
    ) -> Self {
        let (columns, pages) = (layout.columns as u16, layout.pages as u16);
        let last = layout.cell(
            if mirror_columns { layout.columns - 1 } else { 0 },
            if mirror_pages { layout.pages - 1 } else { 0 },
        );
        let origin = last as isize;
        let line = layout.line() as isize;
        let (across, along) =
            if layout.module.mounting.is_landscape { (line, 1) } else { (1, line) };
        let across = if mirror_columns { -across } else { across };
        let along = if mirror_pages { -along } else { along };
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
    /// Returns the ranges of positions in a line, and of lines, that contain the area, in a memory
    /// with `line` cells in a line.
    pub(super) fn extent(self, line: usize) -> (core::ops::Range<usize>, core::ops::Range<usize>) {
        let (row, place) = (self.first / line, self.first % line);
        let below = self.rows.saturating_sub(1);
        let first = if self.step < 0 { row - below } else { row };
        (place..place + self.length, first..first + self.rows)
    }

    /// Returns the rows as ranges of cells.
    pub(super) fn rows(self) -> impl Iterator<Item = core::ops::Range<usize>> {
        (0..self.rows as isize).map(move |row| {
            let first = self.first.wrapping_add_signed(row * self.step);
            first..first + self.length
        })
    }
}
