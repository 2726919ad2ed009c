//! A machine in a session: paced by the wall clock, controlled by presses, recorded as a trace.
//!
//! The session runs on one thread and takes the wall time as an argument, so tests run it without
//! threads or waiting. This module knows no channel and no window.
//!
//! This module starts a session, executes commands and ends it; `running` steps the machine and
//! records, `boot` starts the firmware with the movements within its start, `rewind_to` shows its
//! past and branches off it, `handover` hands it over to another session and continues one,
//! `report` reports changes.

mod boot;
mod debugging;
mod handover;
mod report;
mod rewind_to;
mod running;

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use hal_mock::{Machine, MachineError, board::ConsoleLine, log::Log};
use host::clock::{Pacer, Speed};
use ili9341_model::Frame;
use reading::text::Reader;
use timeline::ObservedMachine;
use trace::{Action, Button, Buttons, HeaderEntry};
use virtual_time::{Instant, Nanos};

use super::branches::Branches;
use super::debugger::{Debugger, POLL};
use super::input_log::{InputLog, Recording, RecordingStore, Sink};
use super::journal::Journal;
use super::marks::Marks;
use super::message::{Command, Notice, SessionEnd, Status};
use super::part_readings::FurtherFrames;
use super::past::{MakeMachine, Past, observed};
use super::scanned::Scanned;
use super::schedule::Schedule;
use super::setup::Rewinding;
use boot::Boot;
use report::{FlashWatch, Outputs};
use rewind_to::{REPLAY_TICK, Replay};
use running::Progress;

/// Virtual time after which a single frame ends without a new frame.
pub const SINGLE_FRAME_MAX: Nanos = Nanos::from_millis(100);
/// Maximum number of queued movements. With more (many presses while time is paused or very slow),
/// virtual time runs ahead until they fit.
pub const WAITING_MAX: usize = 256;
/// Time without a change after which a changed flash is reported, because a save is many writes.
pub const FLASH_REST: Nanos = Nanos::from_millis(200);
/// Time without a visible change after which what was drawn is shown. Between two transfers of
/// one frame the firmware takes less (none on `native`, less than 2 ms on `pico`), so no half of
/// a frame is shown; a frame counts as complete later, after 5 ms.
pub const DRAWN_AFTER: Nanos = Nanos::from_millis(2);
/// Slowest speed of virtual time while fast-forward is held.
pub const FAST: Speed = Speed::TEN;
/// Virtual time that the machine runs before commands are looked for again.
const SLICE: Nanos = Nanos::from_millis(20);
/// Maximum number of presses of an update: one a second for four hours.
pub const PRESSES_MAX: usize = 1 << 14;

/// A running machine, its schedule and its recording.
pub(super) struct Session {
    pub(super) machine: ObservedMachine,
    pub(super) pacer: Pacer,
    /// Speed of virtual time that was chosen.
    speed: Speed,
    /// Whether fast-forward is held.
    fast: bool,
    schedule: Schedule,
    /// Progress of the first events of the schedule.
    next: Progress,
    /// The last power-on, unless the firmware has run since it has started.
    boot: Option<Boot>,
    recorder: Option<Recording>,
    /// Time of the recording's last line.
    recorded_at: Instant,
    recording_error: Option<io::Error>,
    /// The recording that could not be written.
    lost: Option<LostRecording>,
    pub(super) broken: Option<MachineError>,
    frame: Arc<Frame>,
    /// Time of the last change that `frame` has.
    drawn: Instant,
    frames: u64,
    tones_sent: usize,
    lines_read: usize,
    off: bool,
    flash: FlashWatch,
    last_status: Option<Status>,
    further_frames: FurtherFrames,
    /// Inputs so far, without `end`.
    input_log: InputLog,
    /// The inputs as another thread sees them.
    journal: Arc<Journal>,
    /// Whether the firmware would not return if it ran on from the present.
    hangs: bool,
    /// Whether the machine was interrupted before it had reached the time of the wall clock.
    has_work: bool,
    /// Whether there were more inputs than the log can have.
    input_log_is_cut: bool,
    memory: Option<Memory>,
    /// Past that is shown.
    pub(super) past: Option<Past>,
    /// Visible panel, if it is shown as it is scanned.
    scan: Option<Scanned>,
    /// Whether virtual time was paused before the past was shown.
    was_paused: bool,
    marks: Arc<Marks>,
    /// The latest presses, at most [`PRESSES_MAX`].
    presses: Arc<Vec<(Instant, Action)>>,
    /// Courses that the session has left.
    branches: Branches,
    /// Playback of the past from the time that is shown.
    replay: Option<Replay>,
    console: Arc<Log<ConsoleLine>>,
    /// Outputs of the last update.
    shown_outputs: Outputs,
    /// Virtual second of the last update.
    shown_second: u64,
    /// Number of bytes on the LCD's wire when the last frame came, and the one before.
    bus_bytes: (u64, u64),
    notices: Vec<Notice>,
    input_log_requested: bool,
    pub(super) debugger: Option<Arc<dyn Debugger>>,
}

/// A recording that could not be written.
struct LostRecording {
    header: Vec<HeaderEntry>,
    /// Wall time of the next try.
    next_try: Option<Duration>,
}

/// Requirements of going back.
struct Memory {
    make: MakeMachine,
    reader: Rc<Reader>,
    recording_files: Box<dyn RecordingStore>,
}

impl Session {
    /// Switches the machine on at virtual time 0, which is the wall time `wall`.
    ///
    /// # Errors
    /// If the recording cannot be started. In that case nothing runs.
    pub(super) fn start(
        machine: Box<dyn Machine>,
        recording: Option<(Sink, Vec<HeaderEntry>)>,
        speed: Speed,
        wall: Duration,
    ) -> io::Result<Self> {
        let mut machine = observed(machine);
        let recorder = match recording {
            Some((sink, header)) => {
                let mut recorder = Recording::start(sink, header)?;
                recorder.record(machine.board().now(), Action::PowerOn)?;
                Some(recorder)
            }
            None => None,
        };
        let started = machine.board().now();
        let written = machine.board().with_flash(|chip| chip.bytes_changed());
        let broken = machine.power_on().err();
        let boot = Some(Boot { at: started, started: machine.board().now() });
        let frame = Arc::new(machine.board().frame());
        Ok(Self {
            pacer: Pacer::new(wall, started, speed),
            speed,
            fast: false,
            schedule: Schedule::default(),
            next: Progress::default(),
            boot,
            recorder,
            recorded_at: started,
            recording_error: None,
            lost: None,
            broken,
            frame,
            drawn: Instant::START,
            frames: 0,
            tones_sent: 0,
            lines_read: 0,
            off: false,
            flash: FlashWatch { started: written, sent: written, seen: written, since: started },
            last_status: None,
            further_frames: FurtherFrames::default(),
            machine,
            input_log: InputLog { events: vec![(started, Action::PowerOn)], end: started },
            journal: Arc::default(),
            hangs: false,
            input_log_is_cut: false,
            memory: None,
            past: None,
            has_work: false,
            scan: None,
            was_paused: false,
            marks: Arc::default(),
            presses: Arc::default(),
            branches: Branches::default(),
            replay: None,
            console: Arc::default(),
            shown_outputs: Outputs::default(),
            shown_second: 0,
            bus_bytes: (0, 0),
            notices: Vec::new(),
            input_log_requested: false,
            debugger: None,
        })
    }

    /// Enables going back: `make` builds machines like the session's own.
    pub(super) fn remember(&mut self, make: MakeMachine, rewinding: Rewinding) {
        let Rewinding { reader, recording_files } = rewinding;
        self.memory = Some(Memory { make, reader: Rc::new(reader), recording_files });
    }

    /// Lets a debugger control the firmware.
    pub(super) fn debug(&mut self, debugger: Option<Arc<dyn Debugger>>) {
        self.debugger = debugger;
    }

    /// Shares the inputs with another thread.
    pub(super) fn share(&mut self, journal: Arc<Journal>) {
        journal.replace(&self.input_log.events);
        self.journal = journal;
        self.share_branches();
    }

    /// Shares the branches, which have changed, with another thread.
    fn share_branches(&self) {
        self.journal.set_courses(self.branches.left(), self.branches.present());
    }

    /// Returns the board, to act on it in place of its firmware.
    #[cfg(test)]
    pub(super) fn machine_board(&self) -> &hal_mock::VirtualBoard {
        self.machine.board()
    }

    /// Executes a command of the window. [`Command::Quit`] is for [`finish`](Self::finish), and
    /// [`Command::HandOver`] for [`hand_over`](Self::hand_over).
    pub(super) fn execute(&mut self, wall: Duration, command: Command) {
        self.obey(wall, command);
        self.keep_pace(wall);
    }

    /// Sets the speed of virtual time. While a button is down it is at most real time, so that a
    /// press is as long for the firmware as for the finger.
    fn keep_pace(&mut self, wall: Duration) {
        let speed = if self.fast { self.speed.max(FAST) } else { self.speed };
        let pace = if self.schedule.holds_a_button() { speed.min(Speed::REAL) } else { speed };
        if pace != self.pacer.speed() {
            self.pacer.set_speed(wall, pace);
        }
        if let Some(replay) = &mut self.replay {
            replay.pacer.set_speed(wall, pace);
        }
    }

    /// Returns the command with the names of the board's buttons; `None` if it moves a button that
    /// the board does not have.
    fn on_board(&self, command: Command) -> Option<Command> {
        let buttons = self.machine.board().buttons();
        let own = |button: Button| buttons.all().get(button.index()).copied();
        Some(match command {
            Command::Press(button) => Command::Press(own(button)?),
            Command::Release(button) => Command::Release(own(button)?),
            // Chords are those of the LCD board's firmware.
            Command::Chord(_) if buttons != Buttons::lcd_board() => return None,
            other => other,
        })
    }

    fn obey(&mut self, wall: Duration, command: Command) {
        let Some(command) = self.on_board(command) else { return };
        let acts = matches!(
            command,
            Command::Press(_)
                | Command::Chord(_)
                | Command::Type(_)
                | Command::Move(..)
                | Command::PowerCycle
        );
        if acts && self.past.is_some() && !self.branch(wall) {
            return;
        }
        if self.is_real() && is_of_virtual_time(&command) {
            self.notices.push(Notice::RealTime);
            return;
        }
        let now = self.now(wall);
        match command {
            Command::Press(button) => {
                self.schedule.move_button(self.time_of_movement(wall), button, true);
            }
            Command::Release(button) => {
                self.schedule.move_button(self.time_of_movement(wall), button, false);
            }
            Command::Chord(chord) => {
                self.schedule.press_together(self.time_of_movement(wall), chord);
            }
            Command::Type(text) => self.schedule.type_line(now, &text),
            Command::Move(name, movement) => {
                if let Some(control) = self.machine.board().parts().controls.named(&name) {
                    self.schedule.move_control(self.time_of_movement(wall), control, movement);
                }
            }
            Command::PowerCycle if self.broken.is_some() => self.revive(wall),
            Command::PowerCycle => self.schedule.cycle_power(now),
            Command::Pause(paused) if self.past.is_some() => self.replay_past(wall, !paused),
            Command::Pause(paused) => self.pacer.set_paused(wall, paused),
            Command::Speed(speed) => self.speed = speed,
            Command::FastForward(on) => self.fast = on,
            Command::SingleFrame if self.past.is_some() => self.step_frame(wall, false),
            Command::SingleFrame => self.single_frame(wall),
            Command::Back(span) => {
                let at = Instant(self.shown().0.saturating_sub(span.0));
                self.look(wall, at);
            }
            Command::Forward(span) => self.look(wall, self.shown().saturating_add(span)),
            Command::StepFrame(back) => self.step_frame(wall, back),
            Command::StepPress(back) => self.step_press(wall, back),
            Command::Look(at) => {
                self.replay = None;
                self.look(wall, at);
            }
            Command::GoTo(number) => self.go_to(wall, number),
            Command::Now => self.leave_past(wall),
            Command::Scan(on) => self.scan = on.then(|| Scanned::of(self.machine.board())),
            Command::InputLog => self.input_log_requested = true,
            Command::TakeOver(left) => self.take_over(wall, &left),
            Command::Quit | Command::HandOver => {}
        }
        self.start_again(wall);
        if self.schedule.len() > WAITING_MAX {
            while self.schedule.len() > WAITING_MAX && self.broken.is_none() && !self.is_debugged()
            {
                let Some((due, _)) = self.schedule.next() else { break };
                self.run_to(due);
            }
            self.pacer.jump(wall, self.machine.board().now());
        }
    }

    /// Switches the power of a stopped machine off and on.
    fn revive(&mut self, wall: Duration) {
        let now = self.machine.board().now().max(self.recorded_at);
        if std::mem::take(&mut self.hangs) {
            // A replay must not run into the call that does not return, so the power goes off now,
            // and events wait.
            if self.machine.board().is_powered() {
                self.record(now, Action::PowerOff);
                self.boot = None;
                self.machine.power_off();
            }
            self.broken = None;
            self.schedule.power_on_after(now);
            self.pacer.jump(wall, self.machine.board().now());
            return;
        }
        // Waiting events are executed now, before the power is switched off.
        while let Some((at, event)) = self.schedule.next() {
            self.give(at, &event);
            self.record_next(at, &event);
            self.next_done();
        }
        let off = self.schedule.end(now);
        self.record(off, Action::PowerOff);
        self.boot = None;
        self.machine.power_off();
        self.broken = None;
        self.schedule.power_on_after(off);
        self.pacer.jump(wall, self.machine.board().now());
    }

    /// Runs the machine up to the virtual time that belongs to `wall`.
    #[cfg(test)]
    pub(super) fn advance(&mut self, wall: Duration) {
        self.advance_while(wall, || true);
    }

    /// Runs the machine up to the virtual time that belongs to `wall`, as long as `may_run` returns
    /// true, which is called after each [`SLICE`]. A machine that is too slow for its speed so
    /// remains able to take commands; the rest of its lag is dropped.
    pub(super) fn advance_while(&mut self, wall: Duration, mut may_run: impl FnMut() -> bool) {
        let is_debugged = self.poll_debugger(wall);
        self.has_work = false;
        if self.past.is_some() {
            self.advance_replay(wall);
            return;
        }
        self.record_again(wall);
        if is_debugged {
            return;
        }
        let target = self.pacer.target(wall);
        loop {
            let until = self.machine.board().now().saturating_add(SLICE).min(target);
            self.run_to(until);
            if until >= target || self.broken.is_some() || self.is_debugged() {
                break;
            }
            if !may_run() {
                // A real board continues by itself.
                self.has_work = self.machine.board().inputs_from().is_none();
                break;
            }
        }
        self.pacer.lag(wall, self.machine.board().now());
    }

    /// Returns the wall time until the next scheduled event, until the drawn pixels are shown, or
    /// until the frame in progress is complete; `None` while virtual time is stopped.
    pub(super) fn idle_for(&self, wall: Duration) -> Option<Duration> {
        if self.replay.is_some() {
            return Some(REPLAY_TICK);
        }
        let is_held = self.pacer.is_paused() || self.past.is_some() || self.broken.is_some();
        if self.debugger.is_some() && (is_held || self.is_debugged()) {
            return Some(POLL);
        }
        if self.broken.is_some() {
            return None;
        }
        let due = self.schedule.next().map_or(Instant::NEVER, |(at, _)| at);
        let board = self.machine.board();
        if self.has_work {
            return Some(Duration::ZERO);
        }
        let complete = board.frame_due().filter(|complete| *complete > board.now());
        let shown = self.picture_due();
        let due = complete.into_iter().chain(shown).fold(due, Instant::min);
        self.pacer.wall_until(wall, due)
    }

    /// Writes `end`, and takes the last frame. Waiting events are executed before, but not while
    /// virtual time is stopped: then the session ends at its present time, with the frame that is
    /// shown.
    pub(super) fn finish(mut self, wall: Duration) -> SessionEnd {
        self.leave_past(wall);
        let at = if self.pacer.is_paused() {
            // The machine may have stopped before a movement that is recorded.
            self.machine.board().now().max(self.recorded_at)
        } else {
            let at = self.schedule.end(self.now(wall));
            self.run_to(at);
            at
        };
        self.write_recording();
        let recorder = self.recorder.take().filter(|_| !self.journal.is_abandoned());
        if let Some(recorder) = recorder
            && let Err(error) = recorder.finish(at)
        {
            self.recording_error.get_or_insert(error);
        }
        self.ended(at)
    }

    fn ended(self, at: Instant) -> SessionEnd {
        let board = self.machine.board();
        let frame = board.frame_at(at);
        SessionEnd {
            at,
            frame,
            flash: board.with_flash(|chip| chip.image().to_vec()),
            flash_changed: board.with_flash(|chip| chip.bytes_changed()) != self.flash.started,
            violations: board.violations().len() as u64 + board.dropped().violations,
            machine_error: self.broken,
            recording_error: self.recording_error,
            handover: None,
        }
    }

    /// Returns whether the board is a real one, whose time is not the session's.
    fn is_real(&self) -> bool {
        self.machine.board().inputs_from().is_some()
    }

    /// Returns the earliest time for a new event. The firmware has already read its pins at the
    /// present time, and a real board runs ahead of its last report.
    fn now(&self, wall: Duration) -> Instant {
        let board = self.machine.board();
        let earliest = board.inputs_from().unwrap_or_default();
        self.pacer.target(wall).max(board.now().saturating_add(Nanos(1))).max(earliest)
    }
}

/// Returns whether a real board cannot execute the command.
fn is_of_virtual_time(command: &Command) -> bool {
    match command {
        Command::Pause(_)
        | Command::SingleFrame
        | Command::Back(_)
        | Command::Forward(_)
        | Command::StepFrame(_)
        | Command::StepPress(_)
        | Command::GoTo(_)
        | Command::Look(_)
        | Command::HandOver
        | Command::TakeOver(_) => true,
        Command::Speed(speed) => *speed != Speed::REAL,
        Command::FastForward(on) => *on,
        Command::Press(_)
        | Command::Release(_)
        | Command::Chord(_)
        | Command::Type(_)
        | Command::Move(..)
        | Command::PowerCycle
        | Command::Now
        | Command::Scan(_)
        | Command::InputLog
        | Command::Quit => false,
    }
}
