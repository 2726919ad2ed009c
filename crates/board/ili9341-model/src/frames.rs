//! Frames: when one is complete, and what the memory held before the one in progress.
//!
//! A frame ends when nothing visible has changed for [`FRAME_IDLE`]. What cells
//! of the memory held before they changed is kept in [`Frames`]. Restored, latest first, they give the frame before,
//! and the one before that. A frame that touches few cells costs little. This is an undo log:
//! it does not know how cells are written or rendered.

use std::borrow::Cow;

use super::geometry::{Area, COLUMNS, PAGES};
use super::saved::Saved;
use super::tiles::Tiles;
use super::view::Glass;
use super::written::{self, Written};
use virtual_time::{Instant, Nanos};

/// A frame is complete once nothing has been drawn for this long.
pub const FRAME_IDLE: Nanos = Nanos::from_millis(5);

/// A frame, and how to undo it.
#[derive(Clone)]
struct Changes {
    /// Counted from 1, as [`Frames::count_at`] counts.
    number: u64,
    first: Instant,
    last: Instant,
    glass_before: Option<Glass>,
    /// Whether it keeps what the cells held: the panel showed something before it, or before the frame that it follows.
    keeps_cells: bool,
    /// Areas of cells that were about to change, oldest first.
    areas: Vec<Area>,
    /// What they held before, one area after another, row by row.
    cells: Saved,
    /// The tiles of the memory that they stand in.
    tiles: Tiles,
}

/// Once a frame has put aside this many cells area by area, it puts aside whole lines, each
/// once, so that the memory for a frame without an end is bounded.
const AREA_CELLS: usize = COLUMNS * PAGES;

/// The history of what the panel showed.
#[derive(Clone)]
pub(super) struct Frames {
    /// What is between memory and eye now; `None` = the panel is dark.
    glass: Option<Glass>,
    /// Frames before `current`.
    count: u64,
    current: Option<Changes>,
    before: Option<Changes>,
    /// By frames before those two.
    written: Written,
    /// For each line, the stamp of the frame that put it aside last.
    saved: [u32; COLUMNS],
    stamp: u32,
    last_change: Instant,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self {
            glass: None,
            count: 0,
            current: None,
            before: None,
            written: Written::new(),
            saved: [0; COLUMNS],
            stamp: 0,
            last_change: Instant::START,
        }
    }

    /// Something visible is about to change, for the first time at `start`, which is no later than `end`, and for the last
    /// at `end`.
    #[inline]
    pub(super) fn touch(&mut self, start: impl Fn() -> Instant, end: Instant) {
        self.last_change = self.last_change.max(end);
        if let Some(current) = &mut self.current {
            let complete = current.last.saturating_add(FRAME_IDLE);
            // A start costs a division.
            if end < complete || start() < complete {
                current.last = current.last.max(end);
                return;
            }
        }
        self.begin(start(), end);
    }

    /// Another frame begins.
    fn begin(&mut self, start: Instant, end: Instant) {
        self.count += u64::from(self.current.is_some());
        // The frame before the last one is forgotten, and its room taken.
        core::mem::swap(&mut self.current, &mut self.before);
        let changes = self.current.get_or_insert_with(Changes::new);
        let tiles = core::mem::replace(&mut changes.tiles, written::none());
        self.written.note(changes.number, tiles);
        changes.begin(self.count + 1, (start, end), self.glass, self.before.as_ref());
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // After 2³² frames the old stamps mean nothing any more.
            self.saved = [0; COLUMNS];
            self.stamp = 1;
        }
    }

    /// The cells of `area` are about to change, after a [`Frames::touch`]: where what they hold has to be put, row by row.
    /// `None` if it is kept already, or nobody will ask for it. Each row lies in one line of the `memory`.
    #[inline]
    pub(super) fn log(&mut self, area: Area, memory: &[u32]) -> Option<&mut [u32]> {
        let current = self.current.as_mut()?;
        current.note(area);
        if !current.keeps_cells {
            return None;
        }
        if current.cells.count() >= AREA_CELLS {
            for row in area.rows() {
                self.save_line(row.start / PAGES, memory);
            }
            return None;
        }
        Some(self.current.as_mut()?.keep(area))
    }

    /// Puts a whole line of the `memory`'s cells aside, unless this frame has.
    fn save_line(&mut self, line: usize, memory: &[u32]) {
        if self.saved[line] != self.stamp
            && let Some(current) = &mut self.current
        {
            self.saved[line] = self.stamp;
            let first = line * PAGES;
            let area = Area { first, step: 0, length: PAGES, rows: 1 };
            current.keep(area).copy_from_slice(&memory[first..first + PAGES]);
        }
    }

    /// What is between memory and eye from now on; a difference is a visible change.
    pub(super) fn show(&mut self, at: Instant, glass: Option<Glass>) {
        if glass != self.glass {
            self.touch(|| at, at);
            self.glass = glass;
        }
    }

    /// The whole memory becomes another one, of which no frame is made.
    pub(super) fn forget_memory(&mut self) {
        self.written.note_all(self.count + 1);
    }

    /// The panel is dark at once, and what it showed before is gone.
    pub(super) fn cut(&mut self, at: Instant) {
        self.count += u64::from(self.current.is_some());
        if self.glass.take().is_some() {
            self.count += 1;
            self.last_change = self.last_change.max(at);
        }
        self.current = None;
        self.before = None;
    }

    pub(super) fn last_change(&self) -> Instant {
        self.last_change
    }

    /// The changes that were not complete at `at`, the latest first.
    fn incomplete(&self, at: Instant) -> impl Iterator<Item = &Changes> {
        let latest_first = self.current.iter().chain(&self.before);
        latest_first.take_while(move |changes| at < changes.last.saturating_add(FRAME_IDLE))
    }

    pub(super) fn count_at(&self, at: Instant) -> u64 {
        let begun = self.count + u64::from(self.current.is_some());
        begun - self.incomplete(at).count() as u64
    }

    /// When the last frame that was complete at `at` began to change something, and when it
    /// ended to.
    pub(super) fn span_at(&self, at: Instant) -> Option<(Instant, Instant)> {
        let latest_first = self.current.iter().chain(&self.before);
        let mut complete =
            latest_first.skip_while(|changes| at < changes.last.saturating_add(FRAME_IDLE));
        complete.next().map(|changes| (changes.first, changes.last))
    }

    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        self.incomplete(now).next().map(|changes| changes.last.saturating_add(FRAME_IDLE))
    }

    /// The tiles of the memory that may hold something else in the last frame that was complete at `at`, or in
    /// the present one, than when so many frames were complete.
    pub(super) fn written_since(&self, number: u64, at: Instant) -> Tiles {
        let number = number.min(self.count_at(at));
        let mut written = self.written.since(number);
        for changes in self.current.iter().chain(&self.before).filter(|one| one.number > number) {
            written.join(&changes.tiles);
        }
        written
    }

    /// What `cells`, the memory as it is now, held in the last frame that was complete at `at`,
    /// and the glass in front of them then.
    pub(super) fn complete_at<'a>(
        &self,
        at: Instant,
        cells: &'a [u32],
    ) -> (Cow<'a, [u32]>, Option<Glass>) {
        let (mut glass, mut cells) = (self.glass, Cow::Borrowed(cells));
        for changes in self.incomplete(at) {
            glass = changes.glass_before;
            changes.undo(cells.to_mut());
        }
        (cells, glass)
    }
}

impl Changes {
    fn new() -> Self {
        let (first, last) = (Instant::START, Instant::START);
        let tiles = written::none();
        let cells = Saved::default();
        Self {
            number: 0,
            first,
            last,
            glass_before: None,
            keeps_cells: false,
            areas: vec![],
            cells,
            tiles,
        }
    }

    /// Becomes those of the frame of this number behind `before`, none yet; the tiles have been taken out.
    fn begin(
        &mut self,
        number: u64,
        (first, last): (Instant, Instant),
        glass_before: Option<Glass>,
        before: Option<&Self>,
    ) {
        self.number = number;
        (self.first, self.last) = (first, last);
        self.glass_before = glass_before;
        self.keeps_cells =
            glass_before.is_some() || before.is_some_and(|before| before.glass_before.is_some());
        self.areas.clear();
        self.cells.clear();
    }

    /// `area` changes.
    fn note(&mut self, area: Area) {
        let (pages, columns) = area.extent();
        self.tiles.choose(pages, columns);
    }

    /// Where what `area` held is put.
    #[inline]
    fn keep(&mut self, area: Area) -> &mut [u32] {
        match self.areas.last_mut() {
            // A row that comes in pieces.
            Some(last)
                if last.rows == 1 && area.rows == 1 && last.first + last.length == area.first =>
            {
                last.length += area.length;
            }
            _ => self.areas.push(area),
        }
        self.cells.more(area.length * area.rows)
    }

    /// Gives `cells` what they held before, the latest change first.
    fn undo(&self, cells: &mut [u32]) {
        let all = self.cells.all();
        let mut end = all.len();
        for area in self.areas.iter().rev() {
            let start = end - area.length * area.rows;
            let saved = all[start..end].chunks_exact(area.length.max(1));
            for (row, saved) in area.rows().zip(saved) {
                cells[row].copy_from_slice(saved);
            }
            end = start;
        }
    }
}
