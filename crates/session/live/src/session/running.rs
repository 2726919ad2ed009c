//! Steps of the machine: events reach the board at their times, and the recording in their order.

use std::sync::Arc;
use std::time::Duration;

use hal_mock::{Machine as _, MachineError, replay::STEPS_WITHOUT_TIME};
use trace::Action;
use virtual_time::{Instant, Nanos};

use super::{LostRecording, PRESSES_MAX, SINGLE_FRAME_MAX, Session};
use crate::branches::is_press;
use crate::input_log::{INPUT_LOG_MAX, Recording};
use crate::marks::Mark;
use crate::schedule::Event;

/// Wall time between two tries to write a recording that could not be written.
const RECORD_AGAIN: Duration = Duration::from_secs(5);
/// Virtual time between two checks for a single frame.
const SINGLE_FRAME_STEP: Nanos = Nanos::from_millis(1);

/// Progress of the first events of the schedule.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Number of events that the board has scheduled for later times: at most one, or the movements
    /// within the start of the firmware.
    pub(super) given: usize,
    /// Whether the recording contains the first event.
    pub(super) is_recorded: bool,
}

impl Session {
    pub(super) fn single_frame(&mut self, wall: Duration) {
        let started = self.machine.board().now();
        let before = self.machine.board().frame_count_at(started);
        loop {
            let now = self.machine.board().now();
            let complete = self.machine.board().frame_count_at(now) > before;
            let is_over = now >= started.saturating_add(SINGLE_FRAME_MAX);
            if complete || is_over || self.broken.is_some() || self.is_debugged() {
                break;
            }
            self.run_to(now.saturating_add(SINGLE_FRAME_STEP));
        }
        self.pacer.set_paused(wall, true);
        self.pacer.jump(wall, self.machine.board().now());
    }

    /// Runs to `until` and executes scheduled events in the order of a replay: a movement of a
    /// button is given to the board before the firmware runs up to it, the power is switched once
    /// its time is reached. An event is recorded once the firmware runs up to its time, not
    /// before.
    ///
    /// Firmware that starts blocks. Movements of buttons within its start are given to the board
    /// before ([`start_firmware`](Self::start_firmware)); other events that would come meanwhile are
    /// delayed until it has started, so that a replay, which gives them at their time, shows the same.
    pub(super) fn run_to(&mut self, until: Instant) {
        self.with_debugger(|session| session.run_events(until, true));
    }

    fn run_events(&mut self, until: Instant, delays: bool) {
        while self.broken.is_none() {
            let next = self.schedule.next();
            let due = next.as_ref().filter(|(at, _)| *at <= until);
            if let Some((at, event)) = &next {
                self.give(*at, event);
            }
            if let Some((at, event)) = due {
                // Before the firmware reaches it: if that breaks, the trace contains the cause.
                self.record_next(*at, event);
            }
            let reached = self.reach(due.map_or(until, |(at, _)| *at));
            let is_debugged = self.is_debugged();
            if let Some((at, event)) = &next
                && self.machine.board().now() >= *at
            {
                // The firmware's last step may have gone beyond `until`.
                self.record_next(*at, event);
            }
            if let Err(error) = reached {
                self.broken = Some(error);
                return;
            }
            if is_debugged && delays {
                return;
            }
            let Some((at, event)) = due else { return };
            self.next_done();
            self.switch_power(*at, event);
            if delays && *event == Event::PowerOn {
                let started = self.machine.board().now();
                self.schedule.delay_until(started.saturating_add(Nanos(1)));
            }
        }
    }

    /// Executes the scheduled events again, up to `until`. A machine that stops stays so, unless
    /// its power was switched off later.
    pub(super) fn repeat_to(&mut self, until: Instant) {
        self.run_events(until, false);
        while self.broken.is_some() && self.switch_off_stopped(until) {
            self.run_events(until, false);
        }
    }

    /// Switches the power of a stopped machine off, if that is scheduled by `until`; returns
    /// whether it is. Events before have no other effect than to be in the recording.
    fn switch_off_stopped(&mut self, until: Instant) -> bool {
        let is_off = |(at, event): &(Instant, Event)| *event == Event::PowerOff && *at <= until;
        if !self.schedule.waiting().any(is_off) {
            return false;
        }
        while let Some((at, event)) = self.schedule.next() {
            self.give(at, &event);
            self.record_next(at, &event);
            self.next_done();
            if event == Event::PowerOff {
                self.broken = None;
                self.switch_power(at, &event);
                break;
            }
        }
        true
    }

    /// `run_until` with a bound: firmware that never lets time pass would block this thread,
    /// and with it the closing of the window, forever.
    fn reach(&mut self, until: Instant) -> Result<(), MachineError> {
        let mut without_time = 0;
        loop {
            let before = self.machine.board().now();
            if before >= until {
                return Ok(());
            }
            self.boot = None;
            self.machine.step(until)?;
            if self.is_debugged() {
                return Ok(());
            }
            without_time = if self.machine.board().now() > before { 0 } else { without_time + 1 };
            if without_time >= STEPS_WITHOUT_TIME {
                let message =
                    format!("it ran {without_time} times in a row without letting time pass");
                return Err(MachineError::new(before, message));
            }
        }
    }

    /// Gives the next event to the board, once, if it is a movement of a button or a typed line.
    pub(super) fn give(&mut self, at: Instant, event: &Event) {
        if self.next.given == 0 {
            self.next.given = 1;
            self.give_to_board(at, event);
        }
    }

    /// Removes the next event, which has been executed, from the schedule.
    pub(super) fn next_done(&mut self) {
        self.schedule.done();
        self.next = Progress { given: self.next.given.saturating_sub(1), is_recorded: false };
    }

    pub(super) fn give_to_board(&self, at: Instant, event: &Event) {
        match event {
            Event::Press(button) => self.machine.board().press(at, *button),
            Event::Release(button) => self.machine.board().release(at, *button),
            Event::Type(text) => self.machine.board().type_line(at, text),
            Event::Move(control, movement) => {
                self.machine.board().move_control(at, *control, *movement);
            }
            Event::PowerOff | Event::PowerOn => {}
        }
    }

    /// Records the next event, once, if it is a movement of a button or a typed line. A movement
    /// whose time has not come is not in the recording: the session may end before it.
    pub(super) fn record_next(&mut self, at: Instant, event: &Event) {
        if self.next.is_recorded {
            return;
        }
        match event {
            Event::Press(_) | Event::Release(_) | Event::Type(_) | Event::Move(..) => {
                self.next.is_recorded = true;
                self.record(at, event.action());
            }
            // The power is recorded when it is switched, and waits until then.
            Event::PowerOff | Event::PowerOn => {}
        }
    }

    fn switch_power(&mut self, at: Instant, event: &Event) {
        match event {
            Event::PowerOff => {
                self.record(at, Action::PowerOff);
                self.boot = None;
                self.machine.power_off();
            }
            Event::PowerOn => {
                self.record(at, Action::PowerOn);
                self.start_firmware(at);
            }
            Event::Press(_) | Event::Release(_) | Event::Type(_) | Event::Move(..) => {}
        }
    }

    /// Writes a recording that could not be written again, with all inputs so far, if it is time.
    pub(super) fn record_again(&mut self, wall: Duration) {
        let Some(lost) = &mut self.lost else { return };
        let next_try = *lost.next_try.get_or_insert(wall.saturating_add(RECORD_AGAIN));
        if wall < next_try {
            return;
        }
        lost.next_try = Some(wall.saturating_add(RECORD_AGAIN));
        self.write_recording();
    }

    /// Writes a recording that could not be written, with all inputs so far.
    pub(super) fn write_recording(&mut self) {
        let input_log = self.input_log_so_far();
        let (Some(lost), Some(memory)) = (&self.lost, &mut self.memory) else { return };
        if self.input_log_is_cut || self.journal.is_abandoned() {
            return;
        }
        // Otherwise the file remains as it is, and the next try may succeed.
        if let Ok(Some(sink)) = memory.recording_files.rewind(&input_log)
            && let Ok(recorder) = Recording::go_on(sink, lost.header.clone(), &input_log)
        {
            self.recorder = Some(recorder);
            (self.lost, self.recording_error) = (None, None);
        }
    }

    pub(super) fn record(&mut self, at: Instant, action: Action) {
        self.recorded_at = self.recorded_at.max(at);
        if is_press(&action) {
            Arc::make_mut(&mut self.marks).add(at, Mark::Press);
            let presses = Arc::make_mut(&mut self.presses);
            presses.push((at, action.clone()));
            if presses.len() > PRESSES_MAX {
                presses.drain(..PRESSES_MAX / 2);
            }
        }
        if self.input_log.events.len() < INPUT_LOG_MAX {
            self.journal.add(at, &action);
            self.input_log.events.push((at, action.clone()));
        } else {
            self.input_log_is_cut = true;
        }
        self.write_line(at, action);
    }

    /// Adds a line to the recording.
    pub(super) fn write_line(&mut self, at: Instant, action: Action) {
        if self.journal.is_abandoned() {
            // Another session records into the same file.
            self.recorder = None;
        }
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.record(at, action)
        {
            // A recording with a gap would replay differently, so it ends here until all of it can
            // be written.
            self.recording_error = Some(error);
            let header = self.recorder.take().map(Recording::into_header);
            self.lost = header.map(|header| LostRecording { header, next_try: None });
        }
    }
}
