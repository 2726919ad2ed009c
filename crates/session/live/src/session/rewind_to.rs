//! A session's past. Virtual time is stopped while it is shown, and a press continues the session
//! from there.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hal_mock::Machine as _;
use virtual_time::Instant;

use super::Session;
use crate::input_log::{InputLog, Recording};
use crate::message::Notice;
use crate::past::{NoPast, Past};

impl Session {
    /// Returns the time that is shown.
    pub(super) fn shown(&self) -> Instant {
        self.past.as_ref().map_or_else(|| self.machine.board().now(), Past::at)
    }

    /// Shows `at`, or the present.
    pub(super) fn look(&mut self, wall: Duration, at: Instant) {
        if self.past.is_none() {
            if at >= self.machine.board().now() {
                return;
            }
            match self.past_of() {
                Ok(past) => {
                    self.was_paused = self.pacer.is_paused();
                    self.pacer.set_paused(wall, true);
                    self.past = Some(past);
                }
                Err(error) => {
                    self.notices.push(Notice::NoPast(error.to_string()));
                    return;
                }
            }
        }
        if let Some(past) = &mut self.past
            && !past.go(at)
        {
            self.leave_past(wall);
        }
    }

    fn past_of(&mut self) -> Result<Past, NoPast> {
        let memory = self.memory.as_ref().ok_or(NoPast::NotKept)?;
        if self.input_log_is_cut {
            return Err(timeline::NoPast::TooLong.into());
        }
        let end = self.machine.board().now().max(self.recorded_at);
        Past::of(&mut self.machine, end, &memory.make, &memory.reader)
    }

    /// Returns the inputs up to the present.
    pub(crate) fn input_log_so_far(&self) -> InputLog {
        let end = self.machine.board().now().max(self.recorded_at);
        InputLog { events: self.input_log.events.clone(), end }
    }

    pub(super) fn step_frame(&mut self, wall: Duration, back: bool) {
        let present = self.past.is_none().then(|| self.machine.board().now());
        if let Some(now) = present {
            if !back {
                return;
            }
            self.look(wall, Instant(now.0.saturating_sub(1)));
        }
        let shown = present.map(|now| self.machine.board().frame_count_at(now));
        let Some(past) = &mut self.past else { return };
        if !past.step(back) {
            self.leave_past(wall);
        } else if shown == Some(past.state().frame) {
            // The present still shows the frame at this time, so one more step back is taken.
            past.step(back);
        }
    }

    /// Shows the present again, and continues as before.
    pub(super) fn leave_past(&mut self, wall: Duration) {
        if self.past.take().is_some() {
            self.pacer.set_paused(wall, self.was_paused);
        }
    }

    /// Continues from the time that is shown, and saves what came after it as another future.
    /// Returns `false` if that cannot be saved: then nothing has changed.
    pub(super) fn branch(&mut self, wall: Duration) -> bool {
        let (Some(past), Some(memory)) = (&self.past, &mut self.memory) else { return false };
        let at = past.at();
        let end = self.machine.board().now().max(self.recorded_at);
        let whole = InputLog { events: self.input_log.events.clone(), end };
        let kept = whole.until(at);
        if kept.events.len() < whole.events.len() {
            match memory.recording_files.keep(&whole) {
                Ok(path) => self.notices.push(Notice::Kept(path)),
                Err(error) => {
                    self.notices.push(Notice::NotKept(error.to_string()));
                    return false;
                }
            }
        }
        let sink = match memory.recording_files.rewind(&kept) {
            Ok(sink) => sink,
            Err(error) => {
                self.notices.push(Notice::NotKept(error.to_string()));
                return false;
            }
        };
        let recorder = self.recorder.take();
        if let Err(error) = self.go_back(&kept, wall) {
            // The recording ends here: its file has the inputs before the branch.
            self.recording_error = Some(io::Error::other(error));
            return false;
        }
        if let (Some(before), Some(sink)) = (recorder, sink) {
            match Recording::go_on(sink, before.into_header(), &kept) {
                Ok(recorder) => self.recorder = Some(recorder),
                Err(error) => self.recording_error = Some(error),
            }
        }
        self.past = None;
        Arc::make_mut(&mut self.marks).cut(at);
        self.pacer.set_paused(wall, self.was_paused);
        if let Some(off) = kept.off_since() {
            // The power-on belongs to the other future.
            self.schedule.power_on_after(off);
        }
        let now = self.now(wall);
        for button in kept.down() {
            self.schedule.move_button(now, button, false);
        }
        true
    }
}
