//! A cached frame that is updated: only what may have changed since the last update is rendered
//! again.
//!
//! The frame equals that of [`Ili9341::frame_at`], for any time. Partial rendering is possible only
//! with display settings that show each cell in its own place; with any others everything is
//! rendered.

use std::sync::Arc;

use super::Ili9341;
use super::frame::Frame;
use super::geometry::Layout;
use super::tiles::{TILE, Tiles};
use super::view::{DisplaySettings, render};
use super::written;
use virtual_time::Instant;

/// Distinguishes a controller from its clones, which may draw something else under the same frame
/// number.
pub(super) struct Identity(Arc<()>);

impl Identity {
    pub(super) fn new() -> Self {
        Self(Arc::new(()))
    }
}

/// A clone is a new identity.
impl Clone for Identity {
    fn clone(&self) -> Self {
        Self::new()
    }
}

/// A cached frame of a controller as a viewer sees it; black and 320×240 at first.
#[derive(Clone, Debug)]
pub struct CachedFrame {
    frame: Frame,
    from: Source,
}

/// Maximum number of rows of tiles.
const ROWS_MAX: usize = panel_tables::SIDE_MAX as usize / TILE;

/// Returns whether the picture consists of whole tiles, each of which shows its part of the memory.
fn is_tiled(layout: &Layout) -> bool {
    let (width, height) = layout.size();
    layout.is_whole() && width.is_multiple_of(TILE) && height.is_multiple_of(TILE)
}

/// Origin of the cached frame.
#[derive(Clone, Debug)]
enum Source {
    /// Unknown; the frame must be rendered completely.
    Unknown,
    /// The frame is black.
    Dark,
    /// The memory of `controller` with the display settings `display_settings`, after `number` complete
    /// frames.
    Cells { controller: Arc<()>, number: u64, glass: DisplaySettings },
}

impl Default for CachedFrame {
    fn default() -> Self {
        Self::dark(320, 240)
    }
}

impl CachedFrame {
    /// Creates a black frame of this size.
    pub fn dark(width: usize, height: usize) -> Self {
        Self { frame: Frame::filled(width, height, 0), from: Source::Dark }
    }

    /// Returns the frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns the frame without its origin.
    pub fn into_frame(self) -> Frame {
        self.frame
    }

    /// Replaces the frame. Returns the tiles that have changed.
    fn replace(&mut self, frame: Frame) -> Tiles {
        let changed = Tiles::changed(&self.frame, &frame);
        let (width, height) = (frame.width(), frame.height());
        self.from = Source::Unknown;
        self.frame = frame;
        // A frame of another size has changed everywhere; its rows are short enough for a set.
        changed
            .or_else(|| Tiles::all(width, height))
            .unwrap_or_else(|| Tiles::from_rows(0, core::iter::empty()))
    }

    /// Makes the frame black. Returns the tiles that have changed.
    fn darken(&mut self, (width, height): (usize, usize)) -> Tiles {
        let is_same_size = (self.frame.width(), self.frame.height()) == (width, height);
        if is_same_size
            && matches!(self.from, Source::Dark)
            && let Some(none) = Tiles::none(width, height)
        {
            return none;
        }
        let changed = self.replace(Frame::filled(width, height, 0));
        self.from = Source::Dark;
        changed
    }

    /// Renders the tiles in `may_differ`. Returns those that have changed.
    fn render(&mut self, cells: &[u32], glass: &DisplaySettings, may_differ: &Tiles) -> Tiles {
        // The usual settings have a separate loop, which needs a few instructions for many pixels.
        if glass.is_plain() {
            self.render_by(cells, may_differ, |cell| glass.plain_colour(cell))
        } else {
            self.render_by(cells, may_differ, |cell| glass.colour(cell))
        }
    }

    #[inline(always)]
    fn render_by(
        &mut self,
        cells: &[u32],
        may_differ: &Tiles,
        colour: impl Fn(u32) -> u32 + Copy,
    ) -> Tiles {
        let (width, height) = (self.frame.width(), self.frame.height());
        let mut rows = [0; ROWS_MAX];
        for (row, columns) in may_differ.runs() {
            for column in columns {
                let differs = self.render_tile(cells, (column, row), colour);
                rows[row] |= u64::from(differs) << column;
            }
        }
        Tiles::from_rows(width / TILE, rows.into_iter().take(height / TILE))
    }

    /// Renders a tile and returns whether it has changed.
    #[inline(always)]
    fn render_tile(
        &mut self,
        cells: &[u32],
        (column, row): (usize, usize),
        colour: impl Fn(u32) -> u32 + Copy,
    ) -> bool {
        let mut differences = [0; TILE];
        let width = self.frame.width();
        for y in row * TILE..(row + 1) * TILE {
            let at = y * width + column * TILE;
            let pixels = self.frame.pixels_mut()[at..].first_chunk_mut::<TILE>();
            let Some((cells, pixels)) = cells[at..].first_chunk::<TILE>().zip(pixels) else {
                continue;
            };
            let line = cells.map(colour);
            for ((difference, is), was) in differences.iter_mut().zip(line).zip(*pixels) {
                *difference |= is ^ was;
            }
            *pixels = line;
        }
        differences.iter().fold(0, |all, difference| all | difference) != 0
    }
}

impl Ili9341 {
    /// Updates `kept` to the frame that [`frame_at`](Self::frame_at) returns. Returns the tiles
    /// that have changed.
    pub fn update_frame_at(&self, at: Instant, kept: &mut CachedFrame) -> Tiles {
        let number = self.frames.count_at(at);
        let (cells, glass) = self.frames.complete_at(at, self.memory.cells());
        let layout = &self.registers.layout;
        let Some(glass) = glass else { return kept.darken(layout.size()) };
        if !glass.is_straight() || !is_tiled(layout) {
            if let Source::Cells { controller, number: before, glass: then } = &kept.from
                && Arc::ptr_eq(controller, &self.identity.0)
                && (*before, then) == (number, &glass)
                && let Some(none) = Tiles::none(kept.frame.width(), kept.frame.height())
            {
                return none;
            }
            let changed = kept.replace(render(&cells, Some(&glass), layout));
            let controller = Arc::clone(&self.identity.0);
            kept.from = Source::Cells { controller, number, glass };
            return changed;
        }
        if (kept.frame.width(), kept.frame.height()) != layout.size() {
            kept.darken(layout.size());
        }
        let may_differ = match &kept.from {
            Source::Cells { controller, number, glass: before }
                if Arc::ptr_eq(controller, &self.identity.0) && *before == glass =>
            {
                self.frames.written_since(*number, at)
            }
            _ => written::all(layout),
        };
        let controller = Arc::clone(&self.identity.0);
        kept.from = Source::Cells { controller, number, glass };
        kept.render(&cells, &glass, &may_differ)
    }
}
