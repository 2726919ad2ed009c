//! A cached frame that is updated: only what may have changed since the last update is rendered
//! again.
//!
//! The frame equals that of [`Ili9341::frame_at`], for any time. Partial rendering is possible only
//! with display settings that show each cell in its own place; with any others everything is
//! rendered.

use std::sync::Arc;

use super::Ili9341;
use super::frame::Frame;
use super::geometry::{COLUMNS, PAGES};
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

/// A cached frame of a controller, 320×240 as a viewer sees it; black at first.
#[derive(Clone, Debug)]
pub struct CachedFrame {
    frame: Frame,
    from: Source,
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
        Self { frame: Frame::filled(PAGES, COLUMNS, 0), from: Source::Dark }
    }
}

impl CachedFrame {
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
        self.from = Source::Unknown;
        self.frame = frame;
        changed.unwrap_or_else(written::all)
    }

    /// Makes the frame black. Returns the tiles that have changed.
    fn darken(&mut self) -> Tiles {
        if matches!(self.from, Source::Dark) {
            return written::none();
        }
        let changed = self.replace(Frame::filled(PAGES, COLUMNS, 0));
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
        let mut rows = [0; COLUMNS / TILE];
        for (row, columns) in may_differ.runs() {
            for column in columns {
                let differs = self.render_tile(cells, (column, row), colour);
                rows[row] |= u64::from(differs) << column;
            }
        }
        Tiles::from_rows(PAGES / TILE, rows.into_iter())
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
        for y in row * TILE..(row + 1) * TILE {
            let at = y * PAGES + column * TILE;
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
        let Some(glass) = glass else { return kept.darken() };
        if !glass.is_straight() {
            return kept.replace(render(&cells, Some(&glass)));
        }
        let may_differ = match &kept.from {
            Source::Cells { controller, number, glass: before }
                if Arc::ptr_eq(controller, &self.identity.0) && *before == glass =>
            {
                self.frames.written_since(*number, at)
            }
            _ => written::all(),
        };
        let controller = Arc::clone(&self.identity.0);
        kept.from = Source::Cells { controller, number, glass };
        kept.render(&cells, &glass, &may_differ)
    }
}
