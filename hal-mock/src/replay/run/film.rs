//! Passes the frames of one kind of chain from the board to the goldens.
//!
//! Consecutive frames are nearly equal: only what has changed is rendered, compared and hashed
//! again.

use std::collections::VecDeque;

use crate::board::VirtualBoard;
use crate::replay::goldens::{ChainFrame, Goldens};
use ili9341_model::{
    CachedFrame, Tiles,
    frame::{Frame, Region},
};
use reading::golden::{chain::Link, chain::TileHashes};
use trace::{Action, Display, Trace};
use virtual_time::Instant;

/// The frames of one kind of chain on a display.
#[derive(Clone)]
pub(super) struct FrameQueue {
    /// Names of the upcoming chains; the first is the one that frames belong to now.
    pub(super) names: VecDeque<String>,
    /// The last frame that was passed on.
    shown: Frame,
    /// The last frame that was added; `hashes` has the hashes of its tiles.
    last: CachedFrame,
    hashes: TileHashes,
    /// Frames that may be later than the current line, which must end first.
    waiting: VecDeque<Waiting>,
}

#[derive(Clone)]
struct Waiting {
    link: Link,
    after: String,
    /// Tiles that differ from the previous frame.
    changed: Tiles,
    /// The frame; `None` if it is the last one added.
    frame: Option<Frame>,
}

impl FrameQueue {
    /// Creates the queue for the chains of one kind on the display with this number; `None` if there
    /// are none.
    pub(super) fn of(trace: &Trace, on_display: usize, of_settled: bool) -> Option<Self> {
        let names = trace.lines.iter().filter_map(|line| match &line.action {
            Action::ExpectFrames { name, settled, display }
                if *settled == of_settled && display.map_or(0, Display::index) == on_display =>
            {
                Some(name.clone())
            }
            _ => None,
        });
        let names: VecDeque<String> = names.collect();
        (!names.is_empty()).then(|| {
            // The first frame is dark.
            let last = CachedFrame::default();
            let (shown, hashes) = (last.frame().clone(), TileHashes::of(last.frame()));
            Self { names, shown, last, hashes, waiting: VecDeque::new() }
        })
    }

    /// Adds the frame that was complete at `complete`, the board's current one or the one before;
    /// it counts from `at` on.
    pub(super) fn add(
        &mut self,
        board: &VirtualBoard,
        complete: Instant,
        at: Instant,
        after: String,
    ) {
        self.fit(board.panel());
        // The new frame replaces the last one, which nearly always has been passed on.
        if let Some(waiting) = self.waiting.back_mut() {
            waiting.frame = Some(self.last.frame().clone());
        }
        let changed = board.update_frame_at(complete, &mut self.last);
        if changed.is_empty() {
            if let Some(waiting) = self.waiting.back_mut() {
                waiting.frame = None;
            }
            return;
        }
        let before = self.waiting.back().and_then(|waiting| waiting.frame.as_ref());
        let before = before.unwrap_or(&self.shown);
        let frame = self.last.frame();
        self.hashes.update(frame, &changed);
        if let Some(link) = Link::of_changed(before, frame, &changed, &self.hashes, at) {
            self.waiting.push_back(Waiting { link, after, changed, frame: None });
        }
    }

    /// Makes the first, dark frame as large as the panel.
    fn fit(&mut self, panel: Region) {
        let (width, height) = (usize::from(panel.width), usize::from(panel.height));
        if (self.shown.width(), self.shown.height()) == (width, height) {
            return;
        }
        self.last = CachedFrame::dark(width, height);
        self.shown = self.last.frame().clone();
        self.hashes = TileHashes::of(&self.shown);
    }

    /// Passes on the frames that were complete by `until`.
    pub(super) fn pass_on(&mut self, until: Instant, goldens: &mut dyn Goldens) {
        while self.waiting.front().is_some_and(|waiting| waiting.link.at <= until) {
            let Some(Waiting { link, after, changed, frame }) = self.waiting.pop_front() else {
                return;
            };
            let frame = frame.as_ref().unwrap_or_else(|| self.last.frame());
            if let Some(name) = self.names.front() {
                let seen = ChainFrame { link, frame, before: &self.shown, after: &after };
                goldens.watch(name, &seen);
            }
            changed.copy(frame, &mut self.shown);
        }
    }
}

#[cfg(test)]
mod tests;
