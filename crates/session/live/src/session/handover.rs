//! Handover between sessions: the inputs of the other session are given again at once.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use hal_mock::{Machine as _, log::Log, setup::SetupError};
use trace::Action;
use virtual_time::Instant;

use super::report::FlashWatch;
use super::running::Progress;
use super::{PRESSES_MAX, Session};
use crate::branches::{Branches, is_press};
use crate::input_log::{InputLog, Recording};
use crate::message::{Handover, SessionEnd};
use crate::past::{Past, observed};
use crate::scanned::Scanned;
use crate::schedule::{Event, Schedule};

impl Session {
    /// Gives the inputs of `input_log` at once. The first is the power-on.
    ///
    /// # Errors
    /// If no machine can be built.
    pub(crate) fn repeat(
        &mut self,
        input_log: &InputLog,
        wall: Duration,
    ) -> Result<(), SetupError> {
        let Some(memory) = &self.memory else {
            // The session's own machine has had the power-on.
            let first = InputLog { events: self.input_log.events.clone(), end: Instant::START };
            self.repeat_after(first, input_log, wall);
            return Ok(());
        };
        self.machine = observed((memory.make)()?);
        self.flash.started = self.machine.board().with_flash(|chip| chip.bytes_changed());
        self.broken = None;
        self.repeat_after(InputLog::default(), input_log, wall);
        Ok(())
    }

    /// Goes back to the end of `same`, whose inputs are the first ones of this session and of
    /// `input_log`, and gives the others of `input_log`.
    ///
    /// # Errors
    /// If there is no way back, and no machine can be built.
    pub(super) fn go_back(
        &mut self,
        same: &InputLog,
        input_log: &InputLog,
        wall: Duration,
    ) -> Result<(), SetupError> {
        let Some(memory) = &self.memory else { return self.repeat(input_log, wall) };
        let same = &same.before_start();
        let inputs = same.events.iter().map(|(_, action)| inputs_of(action)).sum();
        // The call that stopped the machine stops it again.
        let Ok(machine) = self.machine.back_to(same.end, inputs, || (memory.make)()) else {
            return self.repeat(input_log, wall);
        };
        self.machine = machine;
        self.broken = None;
        self.repeat_after(same.clone(), input_log, wall);
        Ok(())
    }

    /// Gives the inputs of `input_log` after `first`, which the machine has had, at once.
    fn repeat_after(&mut self, first: InputLog, input_log: &InputLog, wall: Duration) {
        let recorder = self.recorder.take();
        self.schedule = Schedule::default();
        self.next = Progress::default();
        self.boot = None;
        for (at, action) in &first.events {
            if let Some(event) = Event::of(action) {
                self.schedule.did(*at, &event);
            }
        }
        self.recorded_at = first.events.last().map_or(Instant::START, |(at, _)| *at);
        let done = first.events.len();
        let presses = first.events.iter().filter(|(_, action)| is_press(action));
        let presses: Vec<_> = presses.cloned().collect();
        let old = presses.len().saturating_sub(PRESSES_MAX);
        self.presses = Arc::new(presses[old..].to_vec());
        self.journal.replace(&first.events);
        self.input_log = first;
        self.hangs = false;
        // Inputs that are given again at once are not shown line by line.
        let scans = self.scan.take().is_some();
        self.repeat_events(&input_log.events[input_log.events.len().min(done)..]);
        self.repeat_to(input_log.end);
        let board = self.machine.board();
        self.frames = board.frame_count_at(board.now());
        self.frame = Arc::new(board.frame());
        self.scan = scans.then(|| Scanned::of(board));
        self.tones_sent = board.with_tones(Log::end);
        self.lines_read = 0;
        self.console = Arc::default();
        let since = self.machine.board().now();
        self.flash = FlashWatch { sent: u64::MAX, seen: u64::MAX, since, ..self.flash };
        self.last_status = None;
        self.recorder = recorder;
        let now = self.machine.board().now();
        // The time within the start of the firmware, which blocks.
        let at = if self.boot.is_some() { input_log.end.min(now) } else { now };
        self.pacer.jump(wall, at);
    }

    fn repeat_events(&mut self, events: &[(Instant, Action)]) {
        for (at, action) in events {
            if let Some(event) = Event::of(action) {
                self.schedule.repeat(*at, event);
            }
        }
    }

    /// Continues from another session. Inputs that this one has not had are given at once; if it
    /// has had others, it begins again.
    pub(super) fn take_over(&mut self, wall: Duration, left: &Handover) {
        self.leave_past(wall);
        let Handover { input_log, waiting, paused, shown_at, held, stopped, unrecorded, .. } = left;
        self.branches = Branches::of(left.branches.clone(), left.branch);
        self.share_branches();
        self.branches.compare(&input_log.events);
        let undone = input_log.events.strip_prefix(self.input_log.events.as_slice());
        let undone = undone.filter(|undone| {
            let next = undone.first().map_or(input_log.end, |(at, _)| *at);
            let now = self.machine.board().now();
            let untouched = self.recorder.is_none() && self.schedule.next().is_none();
            untouched && !self.input_log_is_cut && now <= next
        });
        if let Some(undone) = undone {
            self.repeat_events(undone);
            self.repeat_to(input_log.end);
            self.tones_sent = self.machine.board().with_tones(Log::end);
            self.pacer.jump(wall, self.machine.board().now());
        } else {
            self.marks = Arc::default();
            if let Err(error) = self.repeat(input_log, wall) {
                self.recording_error = Some(io::Error::other(error));
                return;
            }
        }
        self.repeat_events(waiting);
        self.recorder = None;
        let recording = match &mut self.memory {
            // With a gap it would replay differently.
            Some(_) if *unrecorded => Err(io::Error::other("it has ended before")),
            Some(memory) => memory.recording_files.go_on().and_then(|found| match found {
                // The other session has recorded inputs that its firmware has not had.
                Some((_, header)) if stopped.is_some() => {
                    let sink = memory.recording_files.rewind(input_log)?;
                    Ok(sink.map(|sink| (sink, header)))
                }
                found => Ok(found),
            }),
            None => Ok(None),
        };
        let recorder = recording.and_then(|found| match found {
            Some((sink, header)) => Recording::go_on(sink, header, input_log).map(Some),
            None => Ok(None),
        });
        match recorder {
            Ok(recorder) => self.recorder = recorder,
            Err(error) => self.recording_error = Some(error),
        }
        if let Some(error) = stopped {
            self.broken = Some(error.clone());
            self.hangs = true;
        }
        // Fingers may have been lifted while no session ran.
        let now = self.time_of_movement(wall);
        for button in self.machine.board().buttons().all() {
            if !held.contains(*button) {
                self.schedule.move_button(now, *button, false);
            }
        }
        self.start_again(wall);
        self.pacer.set_paused(wall, *paused);
        if let Some(at) = shown_at {
            self.look(wall, *at);
        }
    }

    /// Hands everything over to another session. The recording gets no `end`: the other session
    /// continues it.
    pub(crate) fn hand_over(mut self, wall: Duration) -> SessionEnd {
        let shown_at = self.past.as_ref().map(Past::at);
        self.leave_past(wall);
        // A recorded event is executed already.
        let recorded = usize::from(self.next.is_recorded);
        let waiting = self.schedule.waiting().skip(recorded);
        let waiting = waiting.map(|(at, event)| (*at, event.action())).collect();
        let paused = self.pacer.is_paused();
        let unrecorded = self.recording_error.is_some();
        let handover = Handover {
            input_log: self.input_log_so_far(),
            waiting,
            paused,
            shown_at,
            branches: self.branches.left().to_vec(),
            branch: self.branches.present(),
            unrecorded,
            ..Handover::default()
        };
        self.recorder = None;
        let at = handover.input_log.end;
        SessionEnd { handover: Some(handover), ..self.ended(at) }
    }
}

/// Returns the number of a machine's inputs for an event: a line is typed byte by byte.
fn inputs_of(action: &Action) -> usize {
    match action {
        Action::Type(text) => text.len() + 1,
        _ => 1,
    }
}
