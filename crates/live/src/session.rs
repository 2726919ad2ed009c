//! A machine in a session: paced by the wall clock, controlled by presses, recorded as a trace.
//!
//! It runs on one thread and takes the wall time as an argument, so tests run it without threads or
//! waiting. It knows no channel and no window.

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use hal_mock::board::Tone;
use hal_mock::replay::STEPS_WITHOUT_TIME;
use hal_mock::setup::SetupError;
use hal_mock::text::Reader;
use hal_mock::trace::{Action, HeaderEntry};
use hal_mock::{Button, Frame, Instant, Machine, MachineError, Nanos};

use wall_clock::{Pacer, Speed};

use super::marks::{Mark, Marks};
use super::message::{Command, Handover, Notice, SessionEnd, Status, Update};
use super::past::{MakeMachine, NoPast, Past};
use super::schedule::{Event, Schedule};
use super::setup::Rewinding;
use super::story::{Recording, STORY_MAX, Sink, Story, Tape};

/// The virtual time after which a single frame ends without a new frame.
pub const SINGLE_FRAME_MAX: Nanos = Nanos::from_millis(100);
/// The virtual time between two checks for a single frame.
const SINGLE_FRAME_STEP: Nanos = Nanos::from_millis(1);
/// Changed flash is reported once it has not changed for this long, because a save is many writes.
pub const FLASH_REST: Nanos = Nanos::from_millis(200);
/// The firmware's last console line when it powers itself down (docs/console.md).
const OFF: &str = "off";
/// The most movements that wait for their moment. With more (many presses while time is paused or very
/// slow), virtual time runs ahead until they fit.
pub const WAITING_MAX: usize = 256;
/// How many console lines an update has at most.
pub const CONSOLE_LINES: usize = 64;

/// A running machine, its schedule and its recording.
pub(super) struct Session {
    machine: Box<dyn Machine>,
    pacer: Pacer,
    schedule: Schedule,
    /// How far the event that the schedule has next has come.
    next: Progress,
    recorder: Option<Recording>,
    /// The time of the last line of the recording.
    recorded_at: Instant,
    recording_error: Option<io::Error>,
    broken: Option<MachineError>,
    frame: Arc<Frame>,
    frames: u64,
    tones_sent: usize,
    lines_read: usize,
    off: bool,
    flash: FlashWatch,
    last_status: Option<Status>,
    /// What was done; it has no `end`.
    story: Story,
    /// Whether more was done than the story holds.
    story_is_cut: bool,
    memory: Option<Memory>,
    /// The moment that is shown, if it is past.
    past: Option<Past>,
    /// Whether virtual time stood still before the past was shown.
    was_paused: bool,
    marks: Arc<Marks>,
    console: Arc<Vec<String>>,
    /// What was on the LCD's wire when the last frame came, and the one before.
    bus_bytes: (u64, u64),
    notices: Vec<Notice>,
    story_asked: bool,
}

/// What a session needs to go back.
struct Memory {
    make: MakeMachine,
    reader: Rc<Reader>,
    tape: Box<dyn Tape>,
}

/// How far an event has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    /// Only the schedule knows it.
    Waits,
    /// The board has it, for a moment to come.
    Given,
    /// It is in the recording, too.
    Recorded,
}

/// The state of the flash, as the chip's count of changed bytes.
struct FlashWatch {
    started: u64,
    sent: u64,
    seen: u64,
    since: Instant,
}

impl Session {
    /// Switches the machine on at virtual time 0, which is the wall time `wall`.
    ///
    /// # Errors
    /// If the recording cannot be begun; nothing runs then.
    pub(super) fn start(
        mut machine: Box<dyn Machine>,
        recording: Option<(Sink, Vec<HeaderEntry>)>,
        speed: Speed,
        wall: Duration,
    ) -> io::Result<Self> {
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
        let frame = Arc::new(machine.board().frame());
        Ok(Self {
            pacer: Pacer::new(wall, started, speed),
            schedule: Schedule::default(),
            next: Progress::Waits,
            recorder,
            recorded_at: started,
            recording_error: None,
            broken,
            frame,
            frames: 0,
            tones_sent: 0,
            lines_read: 0,
            off: false,
            flash: FlashWatch { started: written, sent: written, seen: written, since: started },
            last_status: None,
            machine,
            story: Story { events: vec![(started, Action::PowerOn)], end: started },
            story_is_cut: false,
            memory: None,
            past: None,
            was_paused: false,
            marks: Arc::default(),
            console: Arc::default(),
            bus_bytes: (0, 0),
            notices: Vec::new(),
            story_asked: false,
        })
    }

    /// From now on the session can go back: `make` builds machines like its own.
    pub(super) fn remember(&mut self, make: MakeMachine, rewinding: Rewinding) {
        let Rewinding { reader, tape } = rewinding;
        self.memory = Some(Memory { make, reader: Rc::new(reader), tape });
    }

    /// Does at once what was done in `story`, whose first event is the power's switching on.
    ///
    /// # Errors
    /// If there is no machine any more.
    pub(super) fn repeat(&mut self, story: &Story, wall: Duration) -> Result<(), SetupError> {
        if let Some(memory) = &self.memory {
            self.machine = (memory.make)()?;
        }
        let recorder = self.recorder.take();
        let started = self.machine.board().now();
        let written = self.machine.board().with_flash(|chip| chip.bytes_changed());
        self.schedule = Schedule::default();
        self.next = Progress::Waits;
        self.recorded_at = started;
        self.story = Story { events: vec![(started, Action::PowerOn)], end: started };
        self.broken = self.machine.power_on().err();
        self.repeat_events(&story.events[story.events.len().min(1)..]);
        self.run_to(story.end);
        let board = self.machine.board();
        self.frames = board.frame_count_at(board.now());
        self.frame = Arc::new(board.frame());
        self.tones_sent = board.tones_from(0).len();
        self.lines_read = 0;
        self.console = Arc::default();
        self.flash =
            FlashWatch { started: written, sent: u64::MAX, seen: u64::MAX, since: started };
        self.last_status = None;
        self.recorder = recorder;
        self.pacer.jump(wall, board.now());
        Ok(())
    }

    fn repeat_events(&mut self, events: &[(Instant, Action)]) {
        for (at, action) in events {
            if let Some(event) = Event::of(action) {
                self.schedule.repeat(*at, event);
            }
        }
    }

    /// Goes on where another session was. What this one has not done yet it does at once; if it has done
    /// something else, it begins anew.
    fn take_over(&mut self, wall: Duration, left: &Handover) {
        self.leave_past(wall);
        let Handover { story, waiting, paused, looks_at, unrecorded } = left;
        let undone = story.events.strip_prefix(self.story.events.as_slice());
        let undone = undone.filter(|undone| {
            let next = undone.first().map_or(story.end, |(at, _)| *at);
            let now = self.machine.board().now();
            let untouched = self.recorder.is_none() && self.schedule.next().is_none();
            untouched && !self.story_is_cut && now <= next
        });
        if let Some(undone) = undone {
            self.repeat_events(undone);
            self.run_to(story.end);
            self.tones_sent = self.machine.board().tones_from(0).len();
            self.pacer.jump(wall, self.machine.board().now());
        } else {
            self.marks = Arc::default();
            if let Err(error) = self.repeat(story, wall) {
                self.recording_error = Some(io::Error::other(error));
                return;
            }
        }
        self.repeat_events(waiting);
        self.recorder = None;
        let recording = match &mut self.memory {
            // With a gap it would replay differently.
            Some(_) if *unrecorded => Err(io::Error::other("it has ended before")),
            Some(memory) => memory.tape.go_on(),
            None => Ok(None),
        };
        let recorder = recording.and_then(|found| match found {
            Some((sink, header)) => Recording::go_on(sink, header, story).map(Some),
            None => Ok(None),
        });
        match recorder {
            Ok(recorder) => self.recorder = recorder,
            Err(error) => self.recording_error = Some(error),
        }
        self.pacer.set_paused(wall, *paused);
        if let Some(at) = looks_at {
            self.look(wall, *at);
        }
    }

    /// Leaves everything to another session. The recording gets no `end`: the other one goes on with it.
    pub(super) fn hand_over(mut self, wall: Duration) -> SessionEnd {
        let looks_at = self.past.as_ref().map(Past::at);
        self.leave_past(wall);
        // What is recorded is done already.
        let recorded = usize::from(self.next == Progress::Recorded);
        let waiting = self.schedule.waiting().skip(recorded);
        let waiting = waiting.map(|(at, event)| (*at, event.action())).collect();
        let paused = self.pacer.is_paused();
        let unrecorded = self.recording_error.is_some();
        let handover = Handover { story: self.told(), waiting, paused, looks_at, unrecorded };
        self.recorder = None;
        let at = handover.story.end;
        SessionEnd { handover: Some(handover), ..self.ended(at) }
    }

    /// Carries a command of the window out. [`Command::Quit`] is for [`finish`](Self::finish), and
    /// [`Command::HandOver`] for [`hand_over`](Self::hand_over).
    pub(super) fn execute(&mut self, wall: Duration, command: Command) {
        let acts = matches!(command, Command::Press(_) | Command::Chord(_) | Command::PowerCycle);
        if acts && self.past.is_some() && !self.branch(wall) {
            return;
        }
        if self.is_real() && is_of_virtual_time(&command) {
            self.notices.push(Notice::RealTime);
            return;
        }
        let now = self.now(wall);
        match command {
            Command::Press(button) => self.schedule.move_button(now, button, true),
            Command::Release(button) => self.schedule.move_button(now, button, false),
            Command::Chord(chord) => self.schedule.press_together(now, chord),
            Command::PowerCycle if self.broken.is_some() => self.revive(wall),
            Command::PowerCycle => self.schedule.cycle_power(now),
            Command::Pause(paused) => {
                self.leave_past(wall);
                self.pacer.set_paused(wall, paused);
            }
            Command::Speed(speed) => self.pacer.set_speed(wall, speed),
            Command::SingleFrame if self.past.is_some() => self.step_frame(wall, false),
            Command::SingleFrame => self.single_frame(wall),
            Command::Back(span) => {
                let at = Instant(self.shown().0.saturating_sub(span.0));
                self.look(wall, at);
            }
            Command::Forward(span) => self.look(wall, self.shown().saturating_add(span)),
            Command::StepFrame(back) => self.step_frame(wall, back),
            Command::Look(at) => self.look(wall, at),
            Command::Now => self.leave_past(wall),
            Command::Story => self.story_asked = true,
            Command::TakeOver(left) => self.take_over(wall, &left),
            Command::Quit | Command::HandOver => {}
        }
        if self.schedule.len() > WAITING_MAX {
            while self.schedule.len() > WAITING_MAX && self.broken.is_none() {
                let Some((due, _)) = self.schedule.next() else { break };
                self.run_to(due);
            }
            self.pacer.jump(wall, self.machine.board().now());
        }
    }

    /// The moment that is shown.
    fn shown(&self) -> Instant {
        self.past.as_ref().map_or_else(|| self.machine.board().now(), Past::at)
    }

    /// Shows `at`, or the present.
    fn look(&mut self, wall: Duration, at: Instant) {
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

    fn past_of(&self) -> Result<Past, NoPast> {
        let memory = self.memory.as_ref().ok_or(NoPast::NotKept)?;
        if self.story_is_cut {
            return Err(NoPast::TooLong);
        }
        Past::of(&self.told(), &memory.make, &memory.reader)
    }

    /// What was done up to the present.
    pub(super) fn told(&self) -> Story {
        let end = self.machine.board().now().max(self.recorded_at);
        Story { events: self.story.events.clone(), end }
    }

    fn step_frame(&mut self, wall: Duration, back: bool) {
        if self.past.is_none() {
            let now = self.machine.board().now();
            if !back {
                return;
            }
            self.look(wall, Instant(now.0.saturating_sub(1)));
        }
        if let Some(past) = &mut self.past
            && !past.step(back)
        {
            self.leave_past(wall);
        }
    }

    /// Shows the present again, and goes on as before.
    fn leave_past(&mut self, wall: Duration) {
        if self.past.take().is_some() {
            self.pacer.set_paused(wall, self.was_paused);
        }
    }

    /// Goes on from the moment that is shown; what came behind it is kept as another future. `false` if that
    /// cannot be: then nothing has changed.
    fn branch(&mut self, wall: Duration) -> bool {
        let (Some(past), Some(memory)) = (&self.past, &mut self.memory) else { return false };
        let at = past.at();
        let end = self.machine.board().now().max(self.recorded_at);
        let whole = Story { events: self.story.events.clone(), end };
        let kept = whole.until(at);
        if kept.events.len() < whole.events.len() {
            match memory.tape.keep(&whole) {
                Ok(path) => self.notices.push(Notice::Kept(path)),
                Err(error) => {
                    self.notices.push(Notice::NotKept(error.to_string()));
                    return false;
                }
            }
        }
        let sink = match memory.tape.rewind(&kept) {
            Ok(sink) => sink,
            Err(error) => {
                self.notices.push(Notice::NotKept(error.to_string()));
                return false;
            }
        };
        let recorder = self.recorder.take();
        if let Err(error) = self.repeat(&kept, wall) {
            // The recording ends here: its file holds what was kept.
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
        let now = self.now(wall);
        for button in kept.down() {
            self.schedule.move_button(now, button, false);
        }
        true
    }

    /// Switches the power of a stopped machine off and on.
    fn revive(&mut self, wall: Duration) {
        let now = self.machine.board().now().max(self.recorded_at);
        // What was waiting has its moment now, before the power goes.
        while let Some((at, event)) = self.schedule.next() {
            self.give(at, &event);
            self.record_next(at, &event);
            self.schedule.done();
            self.next = Progress::Waits;
        }
        let off = self.schedule.end(now);
        self.record(off, Action::PowerOff);
        self.machine.power_off();
        self.broken = None;
        self.schedule.power_on_after(off);
        self.pacer.jump(wall, self.machine.board().now());
    }

    /// Runs the machine up to the virtual time that belongs to `wall`.
    pub(super) fn advance(&mut self, wall: Duration) {
        if self.past.is_some() {
            return;
        }
        self.run_to(self.pacer.target(wall));
        self.pacer.lag(wall, self.machine.board().now());
    }

    /// The wall time until the next scheduled event; `None` while time stands still.
    pub(super) fn idle_for(&self, wall: Duration) -> Option<Duration> {
        if self.broken.is_some() {
            return None;
        }
        let due = self.schedule.next().map_or(Instant::NEVER, |(at, _)| at);
        self.pacer.wall_until(wall, due)
    }

    /// The changes since the last call; `None` if nothing changed.
    pub(super) fn take_update(&mut self) -> Option<Update> {
        self.read_console();
        let flash = self.changed_flash();
        let board = self.machine.board();
        let now = board.now();
        let seen = self.past.as_ref().map(Past::state);
        let (frames, powered) = match &seen {
            Some(state) => (state.frame, state.powered),
            None => (board.frame_count_at(now), board.is_powered()),
        };
        let status = Status {
            frames,
            paused: self.pacer.is_paused(),
            powered,
            off: self.off,
            speed: self.pacer.speed(),
            recording_failed: self.recording_error.is_some(),
            broken: self.broken.clone(),
            looks_at: seen.as_ref().map(|state| state.t),
        };
        let tones: Vec<Tone> = board.tones_from(self.tones_sent);
        self.tones_sent += tones.len();
        let notices = std::mem::take(&mut self.notices);
        let story = std::mem::take(&mut self.story_asked).then(|| Arc::new(self.told()));
        let board = self.machine.board();
        let is_quiet = tones.is_empty() && flash.is_none() && notices.is_empty() && story.is_none();
        if is_quiet && self.last_status.as_ref() == Some(&status) {
            return None;
        }
        let moved = self
            .last_status
            .as_ref()
            .is_none_or(|last| last.powered != status.powered || last.looks_at != status.looks_at);
        if frames != self.frames || moved {
            self.frames = frames;
            self.frame = Arc::new(match &self.past {
                Some(past) => past.picture(),
                None => board.frame(),
            });
            if self.past.is_none() {
                Arc::make_mut(&mut self.marks).add(now, Mark::Frame);
                self.bus_bytes = (self.bus_bytes.1, board.bus().bytes);
            }
        }
        let console = match &self.past {
            Some(past) => Arc::new(past.console(CONSOLE_LINES)),
            None => Arc::clone(&self.console),
        };
        self.last_status = Some(status.clone());
        Some(Update {
            now,
            frame: Arc::clone(&self.frame),
            status,
            tones,
            flash,
            marks: Arc::clone(&self.marks),
            console,
            hertz: match &seen {
                Some(state) => state.tone,
                None => board.with_tones(|tones| tones.last().and_then(|tone| tone.hz)),
            },
            closed: Button::ALL.map(|button| match &seen {
                Some(state) => state.down.contains(&button),
                None => board.is_down(button),
            }),
            frame_bytes: self.bus_bytes.1.saturating_sub(self.bus_bytes.0),
            notices,
            story,
        })
    }

    /// Reads from the console whether the firmware powers itself down.
    fn read_console(&mut self) {
        let lines = self.machine.board().console_lines_from(self.lines_read);
        self.lines_read += lines.len();
        if !lines.is_empty() {
            let console = Arc::make_mut(&mut self.console);
            console.extend(lines.iter().map(|line| line.text.clone()));
            console.drain(..console.len().saturating_sub(CONSOLE_LINES));
            let marks = Arc::make_mut(&mut self.marks);
            for line in &lines {
                marks.add(line.at, Mark::Message);
            }
        }
        if let Some(last) = lines.last() {
            self.off = last.text == OFF;
        }
    }

    /// The flash, if it has changed and then not for [`FLASH_REST`], or time stands still.
    fn changed_flash(&mut self) -> Option<Arc<Vec<u8>>> {
        let board = self.machine.board();
        let now = board.now();
        let written = board.with_flash(|chip| chip.bytes_changed());
        if written != self.flash.seen {
            self.flash = FlashWatch { seen: written, since: now, ..self.flash };
        }
        let rests = now >= self.flash.since.saturating_add(FLASH_REST) || self.pacer.is_paused();
        if self.flash.sent == written || !rests {
            return None;
        }
        self.flash.sent = written;
        Some(Arc::new(board.with_flash(|chip| chip.image().to_vec())))
    }

    /// Writes `end`, and takes the last frame. Waiting events are carried out before, but not while
    /// time stands still: then the session ends at its present moment, with the frame that is shown.
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
        if let Some(recorder) = self.recorder.take()
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

    /// Whether the board is a real one, whose time is not the session's.
    fn is_real(&self) -> bool {
        self.machine.board().inputs_from().is_some()
    }

    /// The earliest moment for a new event: the firmware has already read its pins at the present one, and a real board is ahead
    /// of what is known of it.
    fn now(&self, wall: Duration) -> Instant {
        let board = self.machine.board();
        let earliest = board.inputs_from().unwrap_or_default();
        self.pacer.target(wall).max(board.now().saturating_add(Nanos(1))).max(earliest)
    }

    fn single_frame(&mut self, wall: Duration) {
        let started = self.machine.board().now();
        let before = self.machine.board().frame_count_at(started);
        loop {
            let now = self.machine.board().now();
            let complete = self.machine.board().frame_count_at(now) > before;
            if complete || now >= started.saturating_add(SINGLE_FRAME_MAX) || self.broken.is_some()
            {
                break;
            }
            self.run_to(now.saturating_add(SINGLE_FRAME_STEP));
        }
        self.pacer.set_paused(wall, true);
        self.pacer.jump(wall, self.machine.board().now());
    }

    /// Runs to `until` and carries scheduled events out in the order of a replay: a movement of a button
    /// is given to the board before the firmware runs up to it, the power is switched once its moment is
    /// reached. It is recorded once the firmware runs up to its moment, not before.
    fn run_to(&mut self, until: Instant) {
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
            let Some((at, event)) = due else { return };
            self.schedule.done();
            self.next = Progress::Waits;
            self.switch_power(*at, event);
        }
    }

    /// [`Machine::run_until`] with a bound: firmware that never lets time pass would block this thread,
    /// and with it the closing of the window, forever.
    fn reach(&mut self, until: Instant) -> Result<(), MachineError> {
        let mut without_time = 0;
        loop {
            let before = self.machine.board().now();
            if before >= until {
                return Ok(());
            }
            self.machine.step(until)?;
            without_time = if self.machine.board().now() > before { 0 } else { without_time + 1 };
            if without_time >= STEPS_WITHOUT_TIME {
                let message =
                    format!("it ran {without_time} times in a row without letting time pass");
                return Err(MachineError::new(before, message));
            }
        }
    }

    /// Gives the next event, if it is a movement of a button or a line that is typed, to the board, once.
    fn give(&mut self, at: Instant, event: &Event) {
        if self.next >= Progress::Given {
            return;
        }
        self.next = Progress::Given;
        match event {
            Event::Press(button) => self.machine.board().press(at, *button),
            Event::Release(button) => self.machine.board().release(at, *button),
            Event::Type(text) => self.machine.board().type_line(at, text),
            Event::PowerOff | Event::PowerOn => {}
        }
    }

    /// Records the next event, if it is a movement of a button or a line that is typed, once. A movement whose moment has not
    /// come is not in the recording: the session may end before it.
    fn record_next(&mut self, at: Instant, event: &Event) {
        if self.next >= Progress::Recorded {
            return;
        }
        self.next = Progress::Recorded;
        match event {
            Event::Press(_) | Event::Release(_) | Event::Type(_) => self.record(at, event.action()),
            Event::PowerOff | Event::PowerOn => {}
        }
    }

    fn switch_power(&mut self, at: Instant, event: &Event) {
        match event {
            Event::PowerOff => {
                self.record(at, Action::PowerOff);
                self.machine.power_off();
            }
            Event::PowerOn => {
                self.record(at, Action::PowerOn);
                self.broken = self.machine.power_on().err();
            }
            Event::Press(_) | Event::Release(_) | Event::Type(_) => {}
        }
    }

    fn record(&mut self, at: Instant, action: Action) {
        self.recorded_at = self.recorded_at.max(at);
        if matches!(action, Action::Press(_) | Action::PowerOff) {
            Arc::make_mut(&mut self.marks).add(at, Mark::Press);
        }
        if self.story.events.len() < STORY_MAX {
            self.story.events.push((at, action.clone()));
        } else {
            self.story_is_cut = true;
        }
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = recorder.record(at, action)
        {
            // A recording with a gap would replay differently, so it ends here.
            self.recording_error = Some(error);
            self.recorder = None;
        }
    }
}

/// Whether a real board cannot do it.
fn is_of_virtual_time(command: &Command) -> bool {
    match command {
        Command::Pause(_)
        | Command::SingleFrame
        | Command::Back(_)
        | Command::Forward(_)
        | Command::StepFrame(_)
        | Command::Look(_)
        | Command::HandOver
        | Command::TakeOver(_) => true,
        Command::Speed(speed) => *speed != Speed::REAL,
        Command::Press(_)
        | Command::Release(_)
        | Command::Chord(_)
        | Command::PowerCycle
        | Command::Now
        | Command::Story
        | Command::Quit => false,
    }
}
