//! The visible panel: what a viewer sees of the memory.
//!
//! The [`Layout`] has the mounting of the panel. The reference module is mounted landscape and
//! mirrored, so that the pixel at x, y is the memory's page x, column y (what a driver with MADCTL
//! 28h, MV and BGR, uses as x and y). Scrolling, partial mode, inversion, idle mode and the scan
//! directions take effect here, at display time. The module does not know how the memory was
//! filled.

use super::geometry::Layout;
use super::pixel::SIX_BITS;
use crate::frame::Frame;

/// Vertical scrolling: lines in scan order (8.2.26, 8.2.30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scroll {
    pub(super) top_fixed: u16,
    pub(super) height: u16,
    pub(super) start: u16,
}

/// The display settings that turn the memory into the visible picture while the panel is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DisplaySettings {
    /// Whether MADCTL's BGR is that of the colour filter; otherwise red and blue are swapped.
    pub(super) colours_match: bool,
    pub(super) inverted: bool,
    /// Idle mode: eight colours (8.2.32).
    pub(super) idle: bool,
    /// MADCTL's ML: lines are counted from the bottom.
    pub(super) lines_from_bottom: bool,
    /// DISCTRL's GS: the gates are scanned in reverse.
    pub(super) gates_reversed: bool,
    /// DISCTRL's SS: the sources are shifted in reverse.
    pub(super) sources_reversed: bool,
    /// First and last line of the partial area (8.2.25).
    pub(super) partial: Option<(u16, u16)>,
    pub(super) scroll: Option<Scroll>,
    /// Whether all pixels are lit, whatever the memory contains.
    pub(super) all_on: bool,
    /// Assignment of the lines in the one-bit family.
    pub(super) rows: Option<Rows>,
}

/// Lines of the one-bit family: which line of the memory a line of the panel shows (SSD1306
/// datasheet, tables 10-1 and 10-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// Number of driven lines.
    pub(super) driven: u16,
    pub(super) offset: u16,
    pub(super) start_line: u16,
    /// Whether the last driven line is scanned first.
    pub(super) reversed: bool,
}

impl Rows {
    /// Returns the line of a memory of `count` lines that output `com` shows; `None` if the output
    /// is not driven.
    fn memory_line(self, com: u16, count: u16) -> Option<u16> {
        let row = if self.reversed {
            (i32::from(self.driven) - 1 - i32::from(com) + i32::from(self.offset))
                .rem_euclid(count.into()) as u16
        } else {
            (com + self.offset) % count
        };
        (row < self.driven).then(|| (row + self.start_line) % count)
    }
}

/// Colour of positions that show no memory: the model's panel is dark there.
const DARK: u32 = 0;

/// Renders the picture of `cells` with the settings `glass`.
pub(super) fn render(cells: &[u32], glass: Option<&DisplaySettings>, layout: &Layout) -> Frame {
    let (width, height) = layout.size();
    let Some(glass) = glass else {
        return Frame::filled(width, height, DARK);
    };
    // Nearly every picture needs one pass.
    if layout.is_whole() && glass.is_straight() && glass.is_plain() {
        let pixels = cells.iter().map(|cell| glass.plain_colour(*cell)).collect();
        return Frame::from_pixels(width, height, pixels);
    }
    let pages = glass.page_of_each_line(layout);
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let cell = glass.cell_of(layout, &pages, x, y);
            pixels.push(
                cell.map_or(DARK, |(column, page)| glass.colour(cells[layout.cell(column, page)])),
            );
        }
    }
    Frame::from_pixels(width, height, pixels)
}

impl DisplaySettings {
    /// Returns column and page of the cell at a position on the panel; `None` where it shows none.
    pub(super) fn cell_at(&self, layout: &Layout, x: usize, y: usize) -> Option<(usize, usize)> {
        self.cell_of(layout, &self.page_of_each_line(layout), x, y)
    }

    /// Does the same as [`cell_at`](Self::cell_at), with the pages of the lines.
    fn cell_of(
        &self,
        layout: &Layout,
        pages: &[Option<u16>],
        x: usize,
        y: usize,
    ) -> Option<(usize, usize)> {
        let (column, gate) = layout.place(x, y);
        let column = if self.sources_reversed { layout.columns - 1 - column } else { column };
        pages[gate].map(|page| (column, usize::from(page)))
    }

    /// Returns the gate that is scanned after `before` others.
    pub(super) fn gate_of_scan_line(&self, layout: &Layout, before: u16) -> usize {
        let last = layout.pages as u16 - 1;
        let gate = if self.lines_from_bottom { last - before } else { before };
        usize::from(if self.gates_reversed { last - gate } else { gate })
    }

    /// Renders the pixels of one gate into `shown`. Returns whether one of them has changed.
    pub(super) fn render_gate(
        &self,
        layout: &Layout,
        cells: &[u32],
        gate: usize,
        shown: &mut Frame,
    ) -> bool {
        let pages = self.page_of_each_line(layout);
        let (width, _) = layout.size();
        let (across, down) = layout.positions_of_gate(gate);
        let mut differs = false;
        for y in down {
            for x in across.clone() {
                let cell = self.cell_of(layout, &pages, x, y);
                let rgb = cell
                    .map_or(DARK, |(column, page)| self.colour(cells[layout.cell(column, page)]));
                let pixel = &mut shown.pixels_mut()[y * width + x];
                differs |= *pixel != rgb;
                *pixel = rgb;
            }
        }
        differs
    }

    /// Returns whether each pixel shows the cell of its own position: nothing is scrolled, left out
    /// or mirrored.
    pub(super) fn is_straight(&self) -> bool {
        !self.gates_reversed
            && !self.sources_reversed
            && self.partial.is_none()
            && self.scroll.is_none()
            && self.rows.is_none()
    }

    /// Returns whether colours are only expanded and inverted.
    pub(super) fn is_plain(&self) -> bool {
        self.colours_match && !self.idle && !self.all_on
    }

    fn invert(&self) -> u32 {
        if self.inverted { SIX_BITS } else { 0 }
    }

    /// Returns the same as [`colour`](Self::colour), if [`is_plain`](Self::is_plain) holds.
    #[inline(always)]
    pub(super) fn plain_colour(&self, cell: u32) -> u32 {
        eight_bits((cell & SIX_BITS) ^ self.invert())
    }

    /// Returns the visible colour of a cell of the memory, `0x00RRGGBB`.
    pub(super) fn colour(&self, cell: u32) -> u32 {
        let cell = if self.all_on { SIX_BITS } else { cell };
        let mut rgb = (cell & SIX_BITS) ^ self.invert();
        if !self.colours_match {
            rgb = (rgb >> 16) | (rgb & 0xFF00) | ((rgb & 0xFF) << 16);
        }
        if self.idle {
            // The most significant bit of each colour decides.
            return ((rgb >> 7) & 0x0001_0101) * 0xFF;
        }
        eight_bits(rgb)
    }

    /// Returns the page of the memory that each gate shows; `None` outside the partial area, and
    /// for a gate that is not driven.
    fn page_of_each_line(&self, layout: &Layout) -> Vec<Option<u16>> {
        let count = layout.pages as u16;
        let page = |position: u16| {
            let gate = if self.gates_reversed { count - 1 - position } else { position };
            let line = if self.lines_from_bottom { count - 1 - gate } else { gate };
            if self.partial.is_some_and(|area| !in_partial_area(line, area)) {
                return None;
            }
            if let Some(rows) = self.rows {
                return rows.memory_line(line, count);
            }
            let shown = self.scroll.map_or(line, |scroll| scroll.memory_line(line, count));
            Some(if self.lines_from_bottom { count - 1 - shown } else { shown })
        };
        (0..count).map(page).collect()
    }
}

/// Expands six bits of each colour to eight, so that 0 stays 0 and 63 becomes 255.
fn eight_bits(rgb: u32) -> u32 {
    rgb | ((rgb >> 6) & 0x0003_0303)
}

/// Returns whether `line` is in the partial area. An area whose end is before its start wraps
/// around at the bottom (8.2.25).
fn in_partial_area(line: u16, (start, end): (u16, u16)) -> bool {
    if start <= end { (start..=end).contains(&line) } else { line >= start || line <= end }
}

impl Scroll {
    /// Returns the line of the memory that is shown at `line` of the display.
    fn memory_line(self, line: u16, count: u16) -> u16 {
        let (top, height) = (i64::from(self.top_fixed), i64::from(self.height));
        let from_top = i64::from(line) - top;
        if from_top < 0 || from_top >= height {
            return line;
        }
        // The linter reports areas that do not add up and a start in a fixed area; for any values
        // some line of the memory is shown.
        let moved = (from_top + i64::from(self.start) - top).rem_euclid(height);
        (top + moved).min(i64::from(count) - 1) as u16
    }
}
