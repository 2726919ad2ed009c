//! The visible panel: what a viewer sees of the memory.
//!
//! The module is mounted landscape and its panel is mirrored, so that the pixel at x, y is the
//! memory's page x, column y (what a driver with MADCTL 28h, MV and BGR, uses as x and y). Its
//! colour filter is BGR: colours are right while MADCTL has BGR set. Scrolling, partial mode,
//! inversion, idle mode and the scan directions take effect here, at display time. The module does
//! not know how the memory was filled.

use super::geometry::{COLUMNS, PAGES};
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
    /// MADCTL's BGR: the filter is BGR, so without it red and blue are swapped.
    pub(super) bgr: bool,
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
}

/// Colour of positions that show no memory: the model's panel is dark there.
const DARK: u32 = 0;

/// Renders the picture of `cells` (320 pages for each column) with the settings `display_settings`.
pub(super) fn render(cells: &[u32], glass: Option<&DisplaySettings>) -> Frame {
    let Some(glass) = glass else {
        return Frame::filled(PAGES, COLUMNS, DARK);
    };
    // Nearly every picture needs one pass.
    if glass.is_straight() && glass.is_plain() {
        let pixels = cells.iter().map(|cell| glass.plain_colour(*cell)).collect();
        return Frame::from_pixels(PAGES, COLUMNS, pixels);
    }
    let mut pixels = vec![DARK; PAGES * COLUMNS];
    let pages = glass.page_of_each_x();
    for (y, row) in pixels.chunks_exact_mut(PAGES).enumerate() {
        let column = if glass.sources_reversed { COLUMNS - 1 - y } else { y };
        let line = &cells[column * PAGES..(column + 1) * PAGES];
        for (pixel, page) in row.iter_mut().zip(pages) {
            *pixel = page.map_or(DARK, |page| glass.colour(line[usize::from(page)]));
        }
    }
    Frame::from_pixels(PAGES, COLUMNS, pixels)
}

impl DisplaySettings {
    /// Returns column and page of the cell at a position on the panel; `None` where it shows none.
    pub(super) fn cell_at(&self, x: usize, y: usize) -> Option<(usize, usize)> {
        let column = if self.sources_reversed { COLUMNS - 1 - y } else { y };
        self.page_of_each_x()[x].map(|page| (column, usize::from(page)))
    }

    /// Returns the position of the line that is scanned after `before` others.
    pub(super) fn x_of_scan_line(&self, before: u16) -> usize {
        let last = PAGES as u16 - 1;
        let gate = if self.lines_from_bottom { last - before } else { before };
        usize::from(if self.gates_reversed { last - gate } else { gate })
    }

    /// Renders the line at `x`, from the top.
    pub(super) fn render_line(&self, cells: &[u32], x: usize, line: &mut [u32; COLUMNS]) {
        let page = self.page_of_each_x()[x];
        for (y, pixel) in line.iter_mut().enumerate() {
            let column = if self.sources_reversed { COLUMNS - 1 - y } else { y };
            *pixel =
                page.map_or(DARK, |page| self.colour(cells[column * PAGES + usize::from(page)]));
        }
    }

    /// Returns whether each pixel shows the cell of its own position: nothing is scrolled, left out
    /// or mirrored.
    pub(super) fn is_straight(&self) -> bool {
        !self.gates_reversed
            && !self.sources_reversed
            && self.partial.is_none()
            && self.scroll.is_none()
    }

    /// Returns whether colours are only expanded and inverted.
    pub(super) fn is_plain(&self) -> bool {
        self.bgr && !self.idle
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
        let mut rgb = (cell & SIX_BITS) ^ self.invert();
        if !self.bgr {
            rgb = (rgb >> 16) | (rgb & 0xFF00) | ((rgb & 0xFF) << 16);
        }
        if self.idle {
            // The most significant bit of each colour decides.
            return ((rgb >> 7) & 0x0001_0101) * 0xFF;
        }
        eight_bits(rgb)
    }

    /// Returns the page of the memory at each x; `None` outside the partial area.
    fn page_of_each_x(&self) -> [Option<u16>; PAGES] {
        let last = PAGES as u16 - 1;
        let mut pages = [None; PAGES];
        for (x, page) in (0..).zip(&mut pages) {
            let gate = if self.gates_reversed { last - x } else { x };
            let line = if self.lines_from_bottom { last - gate } else { gate };
            if self.partial.is_some_and(|area| !in_partial_area(line, area)) {
                continue;
            }
            let shown = self.scroll.map_or(line, |scroll| scroll.memory_line(line));
            *page = Some(if self.lines_from_bottom { last - shown } else { shown });
        }
        pages
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
    fn memory_line(self, line: u16) -> u16 {
        let (top, height) = (i64::from(self.top_fixed), i64::from(self.height));
        let from_top = i64::from(line) - top;
        if from_top < 0 || from_top >= height {
            return line;
        }
        // The linter reports areas that do not add up and a start in a fixed area; for any values
        // some line of the memory is shown.
        let moved = (from_top + i64::from(self.start) - top).rem_euclid(height);
        (top + moved).min(PAGES as i64 - 1) as u16
    }
}
