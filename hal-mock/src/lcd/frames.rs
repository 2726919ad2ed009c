//! Frames: when one is complete, and what the panel showed before the one in progress.
//!
//! A frame ends when nothing visible has changed for [`FRAME_IDLE`]. Before cells of the
//! memory change, they are put aside; with what was put aside, latest first, the frame
//! before can be shown again, and the one before that. A frame that touches little costs
//! little; a picture is rendered only when somebody looks.

use super::memory::{COLUMNS, Memory, PAGES};
use super::view::{Glass, render};
use crate::{Frame, Nanos};

/// A frame is complete once nothing has been drawn for this long.
pub const FRAME_IDLE: Nanos = Nanos::from_millis(5);

/// A frame, and how to undo it.
#[derive(Default)]
struct Changes {
    last: Nanos,
    glass_before: Option<Glass>,
    /// Runs of cells that were about to change, oldest first.
    runs: Vec<Run>,
    /// What they held before, one run after another.
    cells: Vec<u32>,
}

/// Consecutive cells of the memory.
#[derive(Clone, Copy)]
struct Run {
    first: u32,
    length: u32,
}

/// Once a frame has put aside this many cells run by run, it puts aside whole lines, each
/// once: a frame that never ends stays bounded.
const RUN_CELLS: usize = COLUMNS * PAGES;

/// The history of what the panel showed.
pub(super) struct Frames {
    /// What is between memory and eye now; `None` = the panel is dark.
    glass: Option<Glass>,
    /// Frames before `current`.
    count: u64,
    current: Option<Changes>,
    before: Option<Changes>,
    /// For each line, the stamp of the frame that put it aside last.
    saved: [u32; COLUMNS],
    stamp: u32,
    last_change: Nanos,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self {
            glass: None,
            count: 0,
            current: None,
            before: None,
            saved: [0; COLUMNS],
            stamp: 0,
            last_change: Nanos::ZERO,
        }
    }

    /// Something visible is about to change between `start` and `end`.
    pub(super) fn touch(&mut self, start: Nanos, end: Nanos) {
        self.last_change = self.last_change.max(end);
        if let Some(current) = &mut self.current {
            if start < current.last + FRAME_IDLE {
                current.last = current.last.max(end);
                return;
            }
            self.count += 1;
        }
        let mut changes = self.before.take().unwrap_or_default();
        changes.runs.clear();
        changes.cells.clear();
        changes.last = end;
        changes.glass_before = self.glass;
        self.before = self.current.replace(changes);
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // After 2³² frames the old stamps mean nothing any more.
            self.saved = [0; COLUMNS];
            self.stamp = 1;
        }
    }

    /// Changes with every frame.
    pub(super) fn stamp(&self) -> u32 {
        self.stamp
    }

    /// Puts the `length` cells from `first` aside, which lie in one line of the `memory`'s
    /// cells. After a [`Frames::touch`].
    #[inline]
    pub(super) fn save_run(&mut self, first: usize, length: usize, memory: &[u32]) {
        let line = first / PAGES;
        if self.saved[line] == self.stamp {
            return;
        }
        if self.current.as_ref().is_some_and(|changes| changes.cells.len() >= RUN_CELLS) {
            self.save_line(line, memory);
        } else {
            self.put_aside(first, length, memory);
        }
    }

    /// Puts a whole line of the `memory`'s cells aside, unless this frame has. After a
    /// [`Frames::touch`].
    pub(super) fn save_line(&mut self, line: usize, memory: &[u32]) {
        if self.saved[line] != self.stamp {
            self.saved[line] = self.stamp;
            self.put_aside(line * PAGES, PAGES, memory);
        }
    }

    #[inline]
    fn put_aside(&mut self, first: usize, length: usize, memory: &[u32]) {
        if let Some(current) = &mut self.current {
            current.runs.push(Run { first: first as u32, length: length as u32 });
            current.cells.extend_from_slice(&memory[first..first + length]);
        }
    }

    /// What is between memory and eye from now on; a difference is a visible change.
    pub(super) fn show(&mut self, at: Nanos, glass: Option<Glass>) {
        if glass != self.glass {
            self.touch(at, at);
            self.glass = glass;
        }
    }

    /// The panel is dark at once, and what it showed before is gone.
    pub(super) fn cut(&mut self, at: Nanos) {
        self.count += u64::from(self.current.is_some());
        if self.glass.take().is_some() {
            self.count += 1;
            self.last_change = self.last_change.max(at);
        }
        self.current = None;
        self.before = None;
    }

    pub(super) fn last_change(&self) -> Nanos {
        self.last_change
    }

    /// The changes that were not complete at `at`, the latest first.
    fn incomplete(&self, at: Nanos) -> impl Iterator<Item = &Changes> {
        let latest_first = self.current.iter().chain(&self.before);
        latest_first.take_while(move |changes| at < changes.last + FRAME_IDLE)
    }

    pub(super) fn count_at(&self, at: Nanos) -> u64 {
        let begun = self.count + u64::from(self.current.is_some());
        begun - self.incomplete(at).count() as u64
    }

    pub(super) fn due(&self, now: Nanos) -> Option<Nanos> {
        self.incomplete(now).next().map(|changes| changes.last + FRAME_IDLE)
    }

    /// The last frame that was complete at `at`.
    pub(super) fn frame_at(&self, at: Nanos, memory: &Memory) -> Frame {
        let mut glass = self.glass;
        let mut restored = None;
        for changes in self.incomplete(at) {
            glass = changes.glass_before;
            let cells = restored.get_or_insert_with(|| memory.cells().to_vec());
            changes.undo(cells);
        }
        render(restored.as_deref().unwrap_or(memory.cells()), glass.as_ref())
    }
}

impl Changes {
    /// Gives `cells` what they held before, the latest change first.
    fn undo(&self, cells: &mut [u32]) {
        let mut end = self.cells.len();
        for run in self.runs.iter().rev() {
            let (first, length) = (run.first as usize, run.length as usize);
            cells[first..first + length].copy_from_slice(&self.cells[end - length..end]);
            end -= length;
        }
    }
}
