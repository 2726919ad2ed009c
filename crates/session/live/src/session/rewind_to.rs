//! A session's past, and the courses that it has left. Virtual time is stopped while the past is
//! shown, or the past is played from there; a press continues the session from there.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hal_mock::Machine as _;
use host::clock::Pacer;
use virtual_time::{Instant, Nanos};

use super::Session;
use crate::branches::{common, is_press};
use crate::input_log::{InputLog, Recording};
use crate::marks::Mark;
use crate::message::Notice;
use crate::past::{NoPast, Past};

/// Wall time between two pictures of a past that is played.
pub(super) const REPLAY_TICK: Duration = Duration::from_millis(16);

/// Virtual time before the first different input of a course up to which the machine goes back, so
/// that its board has the input before the firmware's step reaches it, as in a replay.
const BEFORE_INPUT: Nanos = Nanos::from_millis(1);

/// Playback of the past.
pub(super) struct Replay {
    pub(super) pacer: Pacer,
    /// Wall time of the last picture.
    moved: Duration,
}

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
        if let Some(replay) = &mut self.replay {
            replay.pacer.jump(wall, at);
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
        self.replay = None;
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

    /// Shows the last time before the press before the one that is shown, or before the one after it;
    /// the present after the last one. A button that is pressed there takes the place of the press.
    pub(super) fn step_press(&mut self, wall: Duration, back: bool) {
        self.replay = None;
        let shown = self.shown();
        let before = |at: Instant| at.saturating_sub(Nanos(1));
        let mut presses = self.input_log.events.iter().filter(|(_, action)| is_press(action));
        let found = match back {
            true => presses.rfind(|(at, _)| before(*at) < shown),
            false => presses.find(|(at, _)| before(*at) > shown),
        };
        match found.map(|(at, _)| before(*at)) {
            Some(at) => self.look(wall, at),
            None if !back => self.leave_past(wall),
            None => {}
        }
    }

    /// Plays the session from the time that is shown, or stops there.
    pub(super) fn replay_past(&mut self, wall: Duration, plays: bool) {
        let pacer = Pacer::new(wall, self.shown(), self.pacer.speed());
        self.replay = plays.then_some(Replay { pacer, moved: wall });
    }

    /// Plays the past up to the time that belongs to `wall`. At the end the present continues.
    pub(super) fn advance_replay(&mut self, wall: Duration) {
        let (Some(past), Some(replay)) = (&mut self.past, &mut self.replay) else { return };
        if wall.saturating_sub(replay.moved) < REPLAY_TICK {
            return;
        }
        replay.moved = wall;
        replay.pacer.lag(wall, past.at());
        let at = replay.pacer.target(wall);
        if !past.go(at) {
            self.leave_past(wall);
        } else if past.at() < at {
            // The machine has stopped there.
            self.replay = None;
        }
    }

    /// Shows the present again, and continues as before.
    pub(super) fn leave_past(&mut self, wall: Duration) {
        self.replay = None;
        if self.past.take().is_some() {
            self.pacer.set_paused(wall, self.was_paused);
        }
    }

    /// Continues from the time that is shown, and saves what came after it as a branch.
    /// Returns `false` if that cannot be saved: then nothing has changed.
    pub(super) fn branch(&mut self, wall: Duration) -> bool {
        let Some(past) = &self.past else { return false };
        let at = past.at();
        let whole = self.input_log_so_far();
        let kept = whole.until(at);
        let loses = kept.events.len() < whole.events.len();
        if loses && !self.keep(&whole, kept.events.len()) {
            return false;
        }
        if !self.continue_in(&kept, &kept, wall) {
            return false;
        }
        if loses {
            self.branches.leave(whole);
            self.share_branches();
        }
        self.branches.compare(&kept.events);
        self.past = None;
        self.replay = None;
        Arc::make_mut(&mut self.marks).cut(at);
        self.pacer.set_paused(wall, self.was_paused);
        self.end_inputs(&kept, wall);
        true
    }

    /// Continues in the branch `number`, at its end. The present course becomes a branch.
    pub(super) fn go_to(&mut self, wall: Duration, number: u32) {
        self.leave_past(wall);
        let Some(course) = self.branches.find(number) else { return };
        let course = course.input_log.clone();
        if self.input_log_is_cut {
            self.notices.push(Notice::NoPast(timeline::NoPast::TooLong.to_string()));
            return;
        }
        let whole = self.input_log_so_far();
        let same = common(&whole.events, &course.events);
        let loses = whole.events.len() > same;
        if loses && !self.keep(&whole, same) {
            return;
        }
        // Up to the first different input, both courses are the same.
        let differs = |log: &InputLog| log.events.get(same).map_or(log.end, |(at, _)| *at);
        let last = differs(&whole).min(differs(&course)).min(whole.end).min(course.end);
        let shared = course.events[..same].last().map_or(Instant::START, |(at, _)| *at);
        let last = last.saturating_sub(BEFORE_INPUT).max(shared);
        let shared = InputLog { events: course.events[..same].to_vec(), end: last };
        let paused = self.pacer.is_paused();
        if !self.continue_in(&shared, &course, wall) {
            return;
        }
        self.branches.go_to(number, loses.then_some(whole));
        self.share_branches();
        self.branches.compare(&course.events);
        let marks = Arc::make_mut(&mut self.marks);
        marks.cut(last);
        for (at, action) in &self.input_log.events[same.min(self.input_log.events.len())..] {
            if is_press(action) {
                marks.add(*at, Mark::Press);
            }
        }
        for frame in self.machine.frames().iter().filter(|frame| frame.at > last) {
            marks.add(frame.at, Mark::Frame);
        }
        self.pacer.set_paused(wall, paused);
        self.end_inputs(&course, wall);
        self.notices.push(Notice::WentTo(number));
    }

    /// Saves `whole`, which the session leaves, unless its file has it already. Returns `false` if
    /// that fails.
    fn keep(&mut self, whole: &InputLog, same: usize) -> bool {
        if self.branches.is_saved(whole.events.len()) {
            return true;
        }
        let Some(memory) = &mut self.memory else { return false };
        let kept = memory.recording_files.keep(whole, same);
        let is_kept = kept.is_ok();
        self.notices.push(match kept {
            Ok(path) => Notice::Kept(self.branches.present(), path),
            Err(error) => Notice::NotKept(error.to_string()),
        });
        is_kept
    }

    /// Makes `course` the inputs of this session, and of its recording. Up to the end of `same` they
    /// are the present ones. Returns `false` if that fails.
    fn continue_in(&mut self, same: &InputLog, course: &InputLog, wall: Duration) -> bool {
        let Some(memory) = &mut self.memory else { return false };
        let sink = match memory.recording_files.rewind(course) {
            Ok(sink) => sink,
            Err(error) => {
                self.notices.push(Notice::NotKept(error.to_string()));
                return false;
            }
        };
        let recorder = self.recorder.take();
        if let Err(error) = self.go_back(same, course, wall) {
            // The recording ends here: its file has these inputs.
            self.recording_error = Some(io::Error::other(error));
            return false;
        }
        if let (Some(before), Some(sink)) = (recorder, sink) {
            match Recording::go_on(sink, before.into_header(), course) {
                Ok(recorder) => self.recorder = Some(recorder),
                Err(error) => self.recording_error = Some(error),
            }
        }
        true
    }

    /// Ends what `course` has begun at its end: a power cycle, and presses.
    fn end_inputs(&mut self, course: &InputLog, wall: Duration) {
        if let Some(off) = course.off_since() {
            // The power-on belongs to the other future.
            self.schedule.power_on_after(off);
        }
        let now = self.time_of_movement(wall);
        for button in course.down() {
            self.schedule.move_button(now, button, false);
        }
        self.start_again(wall);
    }
}
