//! Every complete frame: when, what it cost on the bus, what it changed.

use hal_mock::{VirtualBoard, board::SETTLED_AFTER};
use ili9341_model::{FRAME_IDLE, Frame, Region};
use virtual_time::Instant;

use crate::run::StepObserver;

/// Maximum number of frames of a session: an hour of 290 a second.
pub(crate) const FRAMES_MAX: usize = 1 << 20;

/// A complete frame of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameSeen {
    /// Time of the first change.
    pub from: Instant,
    /// Time at which the frame was complete.
    pub at: Instant,
    /// Number of bytes on the LCD's wire since the frame before.
    pub bytes: u64,
    /// Smallest rectangle around the pixels that differ from the frame before; `None` if no pixel
    /// differs.
    pub region: Option<Region>,
}

impl FrameSeen {
    /// Returns whether the frame was shown for [`SETTLED_AFTER`], if the first change of the next
    /// one is at `next`.
    pub fn is_settled(&self, next: Instant) -> bool {
        let drawn = self.at.saturating_sub(FRAME_IDLE);
        next >= drawn.saturating_add(SETTLED_AFTER)
    }
}

/// Logs frames while a machine runs.
#[derive(Clone)]
pub(crate) struct FrameLog {
    /// Time at which the log begins: frames up to then are not in it.
    pub(crate) since: Instant,
    pub(crate) seen: Vec<FrameSeen>,
    pub(crate) dropped: bool,
    count: u64,
    observed_at: Instant,
    shown: Frame,
    bytes: u64,
}

impl FrameLog {
    /// Logs a board with this panel whose power has been off since its clock was at 0.
    pub(crate) fn new(panel: Region) -> Self {
        Self {
            since: Instant::START,
            seen: Vec::new(),
            dropped: false,
            count: 0,
            observed_at: Instant::START,
            shown: dark(panel),
            bytes: 0,
        }
    }

    /// Begins at `since`, with [`FrameLog::resume`].
    pub(crate) fn from(since: Instant) -> Self {
        // `resume` replaces the picture.
        Self { since, ..Self::new(Region::PANEL) }
    }

    /// Continues with `board`, whose last step began by `at`: a frame that is complete after `at`
    /// is new.
    pub(crate) fn resume(&mut self, board: &VirtualBoard, at: Instant) {
        self.count = board.frame_count_at(at);
        self.observed_at = at;
        self.shown = board.frame_at(at);
        self.bytes = board.bus().bytes;
    }

    /// Removes the frames that were complete after `at`.
    pub(crate) fn keep_before(&mut self, at: Instant) {
        self.since = self.since.min(at);
        let kept = self.seen.partition_point(|frame| frame.at <= at);
        self.seen.truncate(kept);
    }

    /// Inserts in front the frames of `head`, which ends where this log begins.
    pub(crate) fn prepend(&mut self, head: Self) {
        self.dropped |= head.dropped;
        self.seen.splice(0..0, head.seen);
        self.seen.truncate(FRAMES_MAX);
        self.since = Instant::START;
    }

    /// Returns how far a step may go, so that no frame is missed.
    pub(crate) fn limited(&self, board: &VirtualBoard, limit: Instant) -> Instant {
        let now = board.now();
        board.frame_due().filter(|due| *due > now).map_or(limit, |due| due.min(limit))
    }

    /// Logs the frame that has become complete, and returns it.
    pub(crate) fn note(&mut self, board: &VirtualBoard) -> Option<&Frame> {
        let now = board.now();
        let count = board.frame_count_at(now);
        let (from, seen) = (self.observed_at, self.count);
        (self.observed_at, self.count) = (now, count);
        if count == seen {
            return None;
        }
        let at = board.first_frame_between(from, now, seen);
        let total = board.bus().bytes;
        // At power-on the board counts from zero again.
        let bytes = total.checked_sub(self.bytes).unwrap_or(total);
        self.bytes = total;
        let frame = board.frame();
        let region = difference(&self.shown, &frame);
        // Without a span the panel is dark because the power has gone.
        let first = board.frame_span_at(now).map_or(at, |(first, _)| first.min(at));
        if self.seen.len() < FRAMES_MAX {
            self.seen.push(FrameSeen { from: first, at, bytes, region });
        } else {
            self.dropped = true;
        }
        self.shown = frame;
        Some(&self.shown)
    }
}

impl StepObserver for FrameLog {
    fn limit(&self, board: &VirtualBoard, limit: Instant) -> Instant {
        self.limited(board, limit)
    }

    fn observe(&mut self, board: &VirtualBoard) {
        self.note(board);
    }
}

/// Returns what a board with this panel shows without power.
pub(crate) fn dark(panel: Region) -> Frame {
    Frame::filled(usize::from(panel.width), usize::from(panel.height), 0)
}

/// The smallest rectangle around the pixels in which two frames of one size differ.
pub(crate) fn difference(one: &Frame, other: &Frame) -> Option<Region> {
    let width = one.width().max(1);
    if (one.width(), one.height()) != (other.width(), other.height()) {
        return Some(one.whole());
    }
    let rows = || one.pixels().chunks(width).zip(other.pixels().chunks(width)).enumerate();
    let differs = |(_, (one, other)): &(usize, (&[u32], &[u32]))| one != other;
    let (top, _) = rows().find(differs)?;
    let (mut bottom, mut left, mut right) = (top, width, 0);
    for (row, (one, other)) in rows().skip(top).filter(differs) {
        bottom = row;
        let columns = || one.iter().zip(other).map(|(one, other)| one != other);
        left = left.min(columns().position(|differs| differs).unwrap_or(left));
        let from_right = columns().rev().position(|differs| differs).unwrap_or(width);
        right = right.max(width - from_right);
    }
    let edge = |pixels: usize| u16::try_from(pixels).unwrap_or(u16::MAX);
    Some(Region {
        x: edge(left),
        y: edge(top),
        width: edge(right.saturating_sub(left)),
        height: edge(bottom - top + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rectangle_around_a_difference_is_the_smallest() {
        let one = dark(Region::PANEL);
        assert_eq!(difference(&one, &one.clone()), None);
        for (points, expected) in [
            (&[(7, 9)][..], "7,9,1,1"),
            (&[(0, 0), (319, 239)], "0,0,320,240"),
            (&[(30, 5), (10, 8), (20, 6)], "10,5,21,4"),
        ] {
            let mut other = dark(Region::PANEL);
            for (x, y) in points {
                other.pixels_mut()[y * 320 + x] = 1;
            }
            let region = difference(&one, &other).map(|region| region.to_string());
            assert_eq!(region.as_deref(), Some(expected));
        }
    }
}
