//! Frames: when a frame is complete, and the memory's contents before the one in progress.
//!
//! A frame ends when nothing visible has changed for [`FRAME_IDLE`]. [`Frames`] saves the contents
//! of cells before they change. Restoring them, latest first, gives the previous frame, and then
//! the one before that. A frame that changes few cells costs little. The module is an undo log: it
//! does not know how cells are written or rendered.

use std::borrow::Cow;

use super::geometry::{Area, Layout};
use super::saved::Saved;
use super::tiles::Tiles;
use super::view::DisplaySettings;
use super::written::Written;
use virtual_time::{Instant, Nanos};

/// Time without drawing after which a frame is complete.
pub const FRAME_IDLE: Nanos = Nanos::from_millis(5);

/// A frame, and the data to undo it.
#[derive(Clone)]
struct Changes {
    /// Number of the frame from 1, as [`Frames::count_at`] counts.
    number: u64,
    first: Instant,
    last: Instant,
    settings_before: Option<DisplaySettings>,
    /// Whether previous cell contents are saved: the panel showed something before this frame, or
    /// before the one that it follows.
    saves_cells: bool,
    /// Areas of cells that changed, oldest first.
    areas: Vec<Area>,
    /// Previous contents of these areas, one area after another, row by row.
    cells: Saved,
    /// Tiles of the memory that contain these areas.
    tiles: Tiles,
}

/// The history of the visible picture.
#[derive(Clone)]
pub(super) struct Frames {
    /// Current display settings; `None` = the panel is dark.
    glass: Option<DisplaySettings>,
    /// Number of frames before `current`.
    count: u64,
    current: Option<Changes>,
    before: Option<Changes>,
    /// Tiles written by frames before `current` and `before`.
    written: Written,
    /// For each line, the stamp of the last frame that saved it.
    saved: Vec<u32>,
    stamp: u32,
    last_change: Instant,
    /// Number of cells in a line of the memory.
    line: usize,
    /// Number of cells that a frame saves area by area, those of the memory. After that it saves
    /// whole lines, each once, so that the memory for an endless frame is bounded.
    area_cells: usize,
}

impl Frames {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            glass: None,
            count: 0,
            current: None,
            before: None,
            written: Written::new(layout),
            saved: vec![0; layout.lines()],
            stamp: 0,
            last_change: Instant::START,
            line: layout.line(),
            area_cells: layout.cells(),
        }
    }

    /// Records a visible change, which first happens at `start` and last at `end`. `start` must not
    /// be later than `end`.
    #[inline]
    pub(super) fn touch(&mut self, start: impl Fn() -> Instant, end: Instant) {
        self.last_change = self.last_change.max(end);
        if let Some(current) = &mut self.current {
            let complete = current.last.saturating_add(FRAME_IDLE);
            // Computing the start costs a division.
            if end < complete || start() < complete {
                current.last = current.last.max(end);
                return;
            }
        }
        self.begin(start(), end);
    }

    /// Begins another frame.
    fn begin(&mut self, start: Instant, end: Instant) {
        self.count += u64::from(self.current.is_some());
        // The frame before the last one is dropped, and its buffers are reused.
        core::mem::swap(&mut self.current, &mut self.before);
        let changes = self.current.get_or_insert_with(|| Changes::new(self.written.none()));
        let tiles = core::mem::replace(&mut changes.tiles, self.written.none());
        self.written.note(changes.number, tiles);
        changes.begin(self.count + 1, (start, end), self.glass, self.before.as_ref());
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // After 2³² frames the old stamps are meaningless.
            self.saved.fill(0);
            self.stamp = 1;
        }
    }

    /// Records that the cells of `area` are about to change, after a [`Frames::touch`]. Returns the
    /// place for their contents, row by row; `None` if the contents are saved already or not
    /// needed. Each row must be in one line of the `memory`.
    #[inline]
    pub(super) fn log(&mut self, area: Area, memory: &[u32]) -> Option<&mut [u32]> {
        let current = self.current.as_mut()?;
        current.note(area, self.line);
        if !current.saves_cells {
            return None;
        }
        if current.cells.count() >= self.area_cells {
            for row in area.rows() {
                self.save_line(row.start / self.line, memory);
            }
            return None;
        }
        Some(self.current.as_mut()?.keep(area))
    }

    /// Saves a whole line of the `memory`'s cells, unless this frame already has.
    fn save_line(&mut self, line: usize, memory: &[u32]) {
        if self.saved[line] != self.stamp
            && let Some(current) = &mut self.current
        {
            self.saved[line] = self.stamp;
            let (first, length) = (line * self.line, self.line);
            let area = Area { first, step: 0, length, rows: 1 };
            current.keep(area).copy_from_slice(&memory[first..first + length]);
        }
    }

    /// Sets the display settings; a difference is a visible change.
    pub(super) fn show(&mut self, at: Instant, glass: Option<DisplaySettings>) {
        if glass != self.glass {
            self.touch(|| at, at);
            self.glass = glass;
        }
    }

    /// Marks the whole memory as changed, without a frame for it.
    pub(super) fn forget_memory(&mut self) {
        self.written.note_all(self.count + 1);
    }

    /// Makes the panel dark at once and drops the saved history.
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

    /// Returns the changes that were not complete at `at`, the latest first.
    fn incomplete(&self, at: Instant) -> impl Iterator<Item = &Changes> {
        let latest_first = self.current.iter().chain(&self.before);
        latest_first.take_while(move |changes| at < changes.last.saturating_add(FRAME_IDLE))
    }

    pub(super) fn count_at(&self, at: Instant) -> u64 {
        let begun = self.count + u64::from(self.current.is_some());
        begun - self.incomplete(at).count() as u64
    }

    /// Returns the times of the first and the last change of the last frame that was complete at
    /// `at`.
    pub(super) fn span_at(&self, at: Instant) -> Option<(Instant, Instant)> {
        let latest_first = self.current.iter().chain(&self.before);
        let mut complete =
            latest_first.skip_while(|changes| at < changes.last.saturating_add(FRAME_IDLE));
        complete.next().map(|changes| (changes.first, changes.last))
    }

    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        self.incomplete(now).next().map(|changes| changes.last.saturating_add(FRAME_IDLE))
    }

    /// Returns the tiles of the memory that may differ, in the last frame complete at `at` or in
    /// the current one, from the time when `number` frames were complete.
    pub(super) fn written_since(&self, number: u64, at: Instant) -> Tiles {
        let number = number.min(self.count_at(at));
        let mut written = self.written.since(number);
        for changes in self.current.iter().chain(&self.before).filter(|one| one.number > number) {
            written.join(&changes.tiles);
        }
        written
    }

    /// Returns the memory's contents and the display settings in the last frame that was complete
    /// at `at`, given the current contents `cells`.
    pub(super) fn complete_at<'a>(
        &self,
        at: Instant,
        cells: &'a [u32],
    ) -> (Cow<'a, [u32]>, Option<DisplaySettings>) {
        let (mut glass, mut cells) = (self.glass, Cow::Borrowed(cells));
        for changes in self.incomplete(at) {
            glass = changes.settings_before;
            changes.undo(cells.to_mut());
        }
        (cells, glass)
    }
}

impl Changes {
    fn new(tiles: Tiles) -> Self {
        let (first, last) = (Instant::START, Instant::START);
        let cells = Saved::default();
        Self {
            number: 0,
            first,
            last,
            settings_before: None,
            saves_cells: false,
            areas: vec![],
            cells,
            tiles,
        }
    }

    /// Resets to an empty frame with this number after `before`; the tiles have been moved out
    /// already.
    fn begin(
        &mut self,
        number: u64,
        (first, last): (Instant, Instant),
        settings_before: Option<DisplaySettings>,
        before: Option<&Self>,
    ) {
        self.number = number;
        (self.first, self.last) = (first, last);
        self.settings_before = settings_before;
        self.saves_cells = settings_before.is_some()
            || before.is_some_and(|before| before.settings_before.is_some());
        self.areas.clear();
        self.cells.clear();
    }

    /// Adds the tiles of `area`.
    fn note(&mut self, area: Area, line: usize) {
        let (places, lines) = area.extent(line);
        self.tiles.choose(places, lines);
    }

    /// Returns the place for the previous contents of `area`.
    #[inline]
    fn keep(&mut self, area: Area) -> &mut [u32] {
        match self.areas.last_mut() {
            // The area continues a row that comes in pieces.
            Some(last)
                if last.rows == 1 && area.rows == 1 && last.first + last.length == area.first =>
            {
                last.length += area.length;
            }
            _ => self.areas.push(area),
        }
        self.cells.more(area.length * area.rows)
    }

    /// Restores the previous contents of `cells`, the latest change first.
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
