//! Steps the machine in short enough steps to observe every frame, and records what has happened
//! since the last observation.

use super::Run;
use super::showing::Edge;
use super::text::shows;
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
        for film in self.state.watch.frame_queues.iter_mut().flatten() {
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
        if self.state.watch.needs_frames() {
            self.observe_frames(&board);
        }
        for nth in 0..self.state.watch.more_texts.len() {
            self.observe_texts(nth);
        }
        if self.state.watch.frame_queues[1].is_some() {
            self.observe_settled(&board);
        }
    }

    fn observe_frames(&mut self, board: &VirtualBoard) {
        let now = board.now();
        let (from, seen) = (self.state.watch.observed_until, self.state.watch.frames);
        let frames = board.frame_count_at(now);
        (self.state.watch.observed_until, self.state.watch.frames) = (now, frames);
        if frames == seen {
            return;
        }
        let at = board.first_frame_between(from, now, seen);
        // Nothing was drawn if the panel is dark because the power is off.
        let span = board.frame_span_at(now);
        if let Some((first, last)) = span {
            let time = last.saturating_since(first);
            if self.state.watch.longest.is_none_or(|(longest, _)| time > longest) {
                self.state.watch.longest = Some((time, at));
            }
        }
        if !self.state.watch.showings.is_empty() {
            let mut showings = std::mem::take(&mut self.state.watch.showings);
            let begun = span.map_or(at, |(first, _)| first.min(at));
            let screen = self.read_display(0, now);
            for showing in &mut showings {
                let frame = Edge { begun, complete: at };
                showing.note(frame, shows(screen, &showing.wanted));
            }
            self.state.watch.showings = showings;
        }
        let after = self.state.watch.event(span.map_or(at, |(first, _)| first));
        if let Some(film) = &mut self.state.watch.frame_queues[0] {
            film.add(board, now, at, after);
        }
    }

    /// Notes which texts a new frame of a display after the first one shows.
    fn observe_texts(&mut self, nth: usize) {
        let Some(texts) = self.state.watch.more_texts.get_mut(nth) else { return };
        let board = self.machine.board().at_display(texts.display);
        let now = board.now();
        let (from, seen) = (texts.observed_until, texts.frames);
        (texts.observed_until, texts.frames) = (now, board.frame_count_at(now));
        if texts.frames == seen || texts.showings.is_empty() {
            return;
        }
        let at = board.first_frame_between(from, now, seen);
        let begun = board.frame_span_at(now).map_or(at, |(first, _)| first.min(at));
        let frame = Edge { begun, complete: at };
        let (display, mut showings) = (texts.display, std::mem::take(&mut texts.showings));
        let screen = self.read_display(display, now);
        for showing in &mut showings {
            showing.note(frame, shows(screen, &showing.wanted));
        }
        self.state.watch.more_texts[nth].showings = showings;
    }

    fn observe_settled(&mut self, board: &VirtualBoard) {
        let change = board.last_change();
        let settled = change.saturating_add(SETTLED_AFTER);
        if self.state.watch.settled_since == Some(change)
            || board.now().saturating_add(Nanos(1)) < settled
        {
            return;
        }
        self.state.watch.settled_since = Some(change);
        let after = self.state.watch.event(change);
        if let Some(film) = &mut self.state.watch.frame_queues[1] {
            film.add(board, settled, settled, after);
        }
    }

    /// Ends the current chain of a kind at `at`, and returns the goldens' verdict.
    pub(super) fn end_chain(&mut self, at: Instant, settled: bool) -> Result<(), GoldenError> {
        let Some(film) = &mut self.state.watch.frame_queues[usize::from(settled)] else {
            return Ok(());
        };
        film.pass_on(at, self.goldens);
        film.names.pop_front().map_or(Ok(()), |name| self.goldens.chain(&name))
    }

    /// Returns the number of bytes sent by steps that ended in (`from`, `to`].
    pub(super) fn bytes_between(&self, from: Instant, to: Instant) -> u64 {
        self.state.watch.traffic.as_ref().map_or(0, |traffic| traffic.between(from, to))
    }

    /// Returns the longest frame since the last call, and the time at which it was complete.
    pub(super) fn take_longest_frame(&mut self) -> Option<(Nanos, Instant)> {
        self.state.watch.longest.take()
    }
}
