//! Steps the machine in short enough steps to observe every frame, and records what has happened
//! since the last observation.

use super::Run;
use super::showing::Edge;
use super::text::shows;
use super::watch::DisplayWatch;
use crate::board::{SETTLED_AFTER, VirtualBoard};
use reading::golden::GoldenError;
use virtual_time::{Instant, Nanos};

impl Run<'_> {
    /// Turns the power on. Frames that the firmware draws while it boots are observed once it has
    /// booted.
    pub(super) fn power_on(&mut self) -> Result<(), super::Stop> {
        self.state.watch.power_comes();
        self.machine.power_on().map_err(super::Stop::Broken)?;
        self.look();
        Ok(())
    }

    /// Calls [`Machine::step`](crate::Machine::step) with a limit that lets no frame pass
    /// unobserved, and observes the board after it.
    pub(super) fn step(&mut self, limit: Instant) -> Result<(), super::Stop> {
        // Frames that were complete before this step belong before the line that the step reaches.
        let now = self.board().now();
        for film in self.state.watch.frame_queues() {
            film.pass_on(now, self.goldens);
        }
        let limit = self.state.watch.limit(self.machine.board(), limit);
        self.machine.step(limit).map_err(super::Stop::Broken)?;
        self.look();
        Ok(())
    }

    /// Records what has happened since the last observation.
    pub(super) fn look(&mut self) {
        let board = self.machine.board().clone();
        if let Some(traffic) = &mut self.state.watch.traffic {
            traffic.count(&board, self.state.clock);
        }
        // The watches are taken out, because texts are read by all of the run.
        let mut displays = std::mem::take(&mut self.state.watch.displays);
        for watch in &mut displays {
            let board = board.at_display(watch.display);
            if watch.needs_frames() {
                self.observe_frames(watch, &board);
            }
            if watch.frame_queues[1].is_some() {
                self.observe_settled(watch, &board);
            }
        }
        self.state.watch.displays = displays;
    }

    /// Records the frame of a display that was complete since the last observation.
    fn observe_frames(&mut self, watch: &mut DisplayWatch, board: &VirtualBoard) {
        let now = board.now();
        let (from, seen) = (watch.observed_until, watch.frames);
        (watch.observed_until, watch.frames) = (now, board.frame_count_at(now));
        if watch.frames == seen {
            return;
        }
        let at = board.first_frame_between(from, now, seen);
        // Nothing was drawn if the panel is dark because the power is off.
        let span = board.frame_span_at(now);
        if let Some((first, last)) = span {
            let time = last.saturating_since(first);
            if watch.longest.is_none_or(|(longest, _)| time > longest) {
                watch.longest = Some((time, at));
            }
        }
        if !watch.showings.is_empty() {
            let begun = span.map_or(at, |(first, _)| first.min(at));
            let screen = self.read_display(watch.display, now);
            for showing in &mut watch.showings {
                let frame = Edge { begun, complete: at };
                showing.note(frame, shows(screen, &showing.wanted));
            }
        }
        let after = self.state.watch.event(span.map_or(at, |(first, _)| first));
        if let Some(film) = &mut watch.frame_queues[0] {
            film.add(board, now, at, after);
        }
    }

    fn observe_settled(&self, watch: &mut DisplayWatch, board: &VirtualBoard) {
        let change = board.last_change();
        let settled = change.saturating_add(SETTLED_AFTER);
        if watch.settled_since == Some(change) || board.now().saturating_add(Nanos(1)) < settled {
            return;
        }
        watch.settled_since = Some(change);
        let after = self.state.watch.event(change);
        if let Some(film) = &mut watch.frame_queues[1] {
            film.add(board, settled, settled, after);
        }
    }

    /// Ends the current chain of a kind on a display at `at`, and returns the goldens' verdict.
    pub(super) fn end_chain(
        &mut self,
        at: Instant,
        display: usize,
        settled: bool,
    ) -> Result<(), GoldenError> {
        let watch = self.state.watch.of_display(display);
        let film = watch.and_then(|watch| watch.frame_queues[usize::from(settled)].as_mut());
        let Some(film) = film else { return Ok(()) };
        film.pass_on(at, self.goldens);
        film.names.pop_front().map_or(Ok(()), |name| self.goldens.chain(&name))
    }

    /// Returns the number of bytes sent by steps that ended in (`from`, `to`].
    pub(super) fn bytes_between(&self, from: Instant, to: Instant) -> u64 {
        self.state.watch.traffic.as_ref().map_or(0, |traffic| traffic.between(from, to))
    }

    /// Returns the longest frame of a display since the last call, and the time at which it was
    /// complete.
    pub(super) fn take_longest_frame(&mut self, display: usize) -> Option<(Nanos, Instant)> {
        self.state.watch.of_display(display)?.longest.take()
    }
}
