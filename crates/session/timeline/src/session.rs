//! One course of a board: a trace as it was replayed, a live board, or a branch of either.
//!
//! `starting` gives the board the movements within the start of its firmware.

mod starting;

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    board::{Input, SETTLED_AFTER, tone_at},
    setup::SetupError,
};
use ili9341_model::{FRAME_IDLE, Frame};
use thiserror::Error;
use trace::{Button, Control, MIN_HOLD, Movement, RUN_MAX, SESSION_MAX, Trace};
use virtual_time::{Instant, Nanos};

use crate::copies::{COPIES_MAX, Copies};
use crate::files::Files;
use crate::frames::{FrameLog, FrameSeen};
use crate::history::{ContactListener, History, attach_listener};
use crate::input::{MachineInput, TimedInput, down_after, kept_before};
use crate::observed::{NoPast, ObservedMachine, Past};
use crate::recording::{Opened, Recording};
use crate::run::{Broken, NoObserver, Run};
use crate::setup::Setup;

const MILLISECOND: u64 = 1_000_000;

/// Reason why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// An input was requested for a trace as it was replayed.
    #[error("this is the trace as it was replayed; branch off before you press a button")]
    Replayed,
    /// The button is down already.
    #[error("{0} is down")]
    IsDown(Button),
    /// The button is up already.
    #[error("{0} is not down")]
    IsUp(Button),
    /// The machine has stopped.
    #[error("the machine has stopped: {0}")]
    Broken(Broken),
    /// The live board has run for [`SESSION_MAX`].
    #[error("a board runs for at most 100 hours")]
    TooLong,
}

/// Target of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The next time at which a frame is complete.
    Frame,
    /// The next time at which a transaction on the LCD's wire is over.
    Transaction,
}

/// State of a session at its present time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Present time.
    pub t: Instant,
    /// Number of complete frames up to then.
    pub frame: u64,
    /// Time at which the last of them was complete.
    pub frame_at: Option<Instant>,
    /// The buttons under a finger.
    pub down: Vec<Button>,
    /// Frequency of the tone that sounds, in hertz.
    pub tone: Option<u32>,
    pub powered: bool,
    /// Whether nothing has been drawn for [`SETTLED_AFTER`].
    pub settled: bool,
    /// Number of console lines up to then.
    pub console: usize,
    /// End of the trace, if the session is one.
    pub end: Option<Instant>,
    /// Latest time that the session has reached.
    pub reached: Instant,
    /// Reason why the machine has stopped.
    pub broken: Option<Broken>,
}

/// Picture that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shown {
    /// The last complete frame.
    #[default]
    Frame,
    /// The content of the LCD's memory.
    Drawn,
}

/// One course of a board.
pub struct Session {
    setup: Setup,
    /// Trace whose header machines are built for.
    trace: Rc<Trace>,
    /// Recording of the trace that the session is, or branched off.
    recording: Option<Rc<Recording>>,
    /// Time at which the session left the trace; `None` if it is the trace.
    left_at: Option<Instant>,
    done: Vec<TimedInput>,
    run: Run,
    /// Listener to the run's contacts, once it goes further than any before.
    listener: Option<Rc<RefCell<ContactListener>>>,
    copies: Copies,
    history: History,
    frames: FrameLog,
    /// Time up to which history and frames are known.
    known: Instant,
    present: Instant,
    reached: Instant,
    shown: Shown,
}

impl ObservedMachine {
    /// Returns the past as a session that ends at the machine's present, like a trace. The machine
    /// is unchanged.
    ///
    /// # Errors
    /// If the board has no past.
    pub fn past(&mut self, setup: &Setup) -> Result<Session, NoPast> {
        let (trace, past) = (Rc::new(Trace::default()), self.past_so_far()?);
        let run = match past.copies.last_by(past.end) {
            Some((machine, next)) => Run::from_copy(machine, next, 0),
            None => Run::new((setup.maker)(&trace)?),
        };
        Ok(Session::new(setup, trace, None, run, past))
    }
}

impl Session {
    /// Replays `opened`.
    ///
    /// # Errors
    /// If there is no machine for its header.
    pub fn replay(setup: &Setup, opened: Opened, files: &Files) -> Result<Self, SetupError> {
        let machine = (setup.maker)(&opened.trace)?;
        let recording = Rc::new(Recording::of(opened, machine, setup, files));
        let trace = Rc::new(recording.trace().clone());
        let run = Run::new((setup.maker)(&trace)?);
        let past = recording.past.clone();
        Ok(Self::new(setup, trace, Some(recording), run, past))
    }

    /// Returns a session that has reached the end of `past`, and is at its beginning.
    fn new(
        setup: &Setup,
        trace: Rc<Trace>,
        recording: Option<Rc<Recording>>,
        run: Run,
        past: Past,
    ) -> Self {
        let Past { done, copies, history, frames, end } = past;
        Self {
            setup: setup.clone(),
            trace,
            recording,
            left_at: None,
            done,
            run,
            listener: None,
            copies,
            history,
            frames: frames.unwrap_or_else(|| FrameLog::from(end)),
            known: end,
            present: Instant::START,
            reached: end,
            shown: Shown::default(),
        }
    }

    /// Powers a board on at 0, with the header of `trace`.
    ///
    /// # Errors
    /// If there is no machine for the header.
    pub fn live(setup: &Setup, trace: Trace) -> Result<Self, SetupError> {
        let trace = Rc::new(trace);
        let run = Run::new((setup.maker)(&trace)?);
        let (clock, input) = (Instant::START, MachineInput::PowerOn);
        let past = Past {
            done: vec![TimedInput { clock, idle: 0, input, line: None }],
            copies: Copies::new(setup.copied_every, COPIES_MAX),
            history: History::default(),
            frames: Some(FrameLog::new(run.board().panel())),
            end: Instant::START,
        };
        let new = Self::new(setup, trace, None, run, past);
        let mut session = Self { left_at: Some(Instant::START), ..new };
        session.listen();
        session.go(Instant::START);
        Ok(session)
    }

    /// Returns a session with the inputs of this one before `at`; a finger that is down then goes
    /// up when it did. Its present time is `at`.
    ///
    /// # Errors
    /// If there is no machine any more.
    pub fn branch(&self, at: Instant) -> Result<Self, SetupError> {
        let at = at.min(self.reached);
        let (done, same) = kept_before(&self.done, at);
        let mut copies = self.copies.clone();
        copies.keep_before(at, same);
        let mut history = self.history.clone();
        history.keep_before(at);
        let mut frames = self.frames.clone();
        frames.keep_before(at);
        let run = Run::new((self.setup.maker)(&self.trace)?);
        let past = Past { done, copies, history, frames: Some(frames), end: at };
        let recording = self.recording.clone();
        let new = Self::new(&self.setup, Rc::clone(&self.trace), recording, run, past);
        let left_at = Some(self.left_at.map_or(at, |left| left.min(at)));
        let mut branch = Self { left_at, present: at, ..new };
        branch.go(at);
        Ok(branch)
    }

    /// Returns the recording of the trace that the session is, or branched off.
    pub fn recording(&self) -> Option<&Rc<Recording>> {
        self.recording.as_ref()
    }

    /// Returns the time at which the session left the trace, or 0 if there is none; `None` if it
    /// is the trace.
    pub fn left_at(&self) -> Option<Instant> {
        self.left_at
    }

    /// Trace whose header machines are built for.
    pub fn trace(&self) -> &Rc<Trace> {
        &self.trace
    }

    /// Returns all inputs.
    pub fn done(&self) -> &[TimedInput] {
        &self.done
    }

    /// Returns the outputs up to [`Session::reached`], and perhaps a step after it.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Latest time that the session has reached.
    pub fn reached(&self) -> Instant {
        self.reached
    }

    /// Present time.
    pub fn present(&self) -> Instant {
        self.present
    }

    /// Returns the settings that all sessions of the board have in common.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the number of copies of the machine.
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// Returns the board after the last step: its clock is a little after the present time.
    pub fn board(&self) -> &VirtualBoard {
        self.run.board()
    }

    /// Goes to `at`: in a trace at most to its end, in another session at most [`RUN_MAX`]
    /// further than ever.
    pub fn seek(&mut self, at: Instant, drawn: bool) -> State {
        let at = at.min(self.last());
        self.shown = if drawn { Shown::Drawn } else { Shown::Frame };
        if drawn {
            // The board can retain a picture only while the machine passes its time.
            self.restart(at);
            self.run.board().hold_picture(at);
        }
        self.go(at);
        self.state()
    }

    /// Goes one unit forward or back. Without a next one the present time stays.
    pub fn step(&mut self, unit: Unit, back: bool) -> State {
        let found = match (unit, back) {
            (Unit::Frame, false) => self.next_frame(),
            (Unit::Frame, true) => self.frame_before(),
            (Unit::Transaction, false) => self.next_transfer(),
            (Unit::Transaction, true) => self.transfer_before(),
        };
        let drawn = unit == Unit::Transaction;
        self.seek(found.unwrap_or(self.present), drawn)
    }

    /// Returns the latest time that the session may go to.
    fn last(&self) -> Instant {
        match self.left_at {
            None => self.reached,
            Some(_) => self.reached.saturating_add(RUN_MAX).min(SESSION_MAX),
        }
    }

    /// Returns the state at the present time.
    pub fn state(&self) -> State {
        let (board, t) = (self.run.board(), self.present);
        // Inputs are in the order in which the board received them, which need not be that of
        // their times.
        let mut past: Vec<TimedInput> =
            self.done.iter().copied().filter(|done| done.at() <= t).collect();
        past.sort_by_key(TimedInput::at);
        let down = down_after(&past);
        let span = board.frame_span_at(t);
        // After the present time something may have been drawn already.
        let change = Some(board.last_change()).filter(|at| *at <= t);
        let change = change.or(span.map(|(_, last)| last)).unwrap_or_default();
        let switched = self.history.power.iter().rev().find(|change| change.at <= t);
        State {
            t,
            frame: board.frame_count_at(t),
            frame_at: span.map(|(_, last)| last.saturating_add(FRAME_IDLE)),
            down: down.down().map(|button| board.named(button)).collect(),
            tone: tone_at(&self.history.tones, t),
            powered: switched.is_some_and(|change| change.on),
            settled: change.saturating_add(SETTLED_AFTER) <= t,
            console: self.history.console.partition_point(|line| line.at <= t),
            end: self.left_at.is_none().then_some(self.reached),
            reached: self.reached,
            broken: self.run.broken().filter(|_| board.now() <= t).cloned(),
        }
    }

    /// Returns the picture at the present time.
    pub fn picture(&self) -> Frame {
        match self.shown {
            Shown::Frame => self.run.board().frame_at(self.present),
            Shown::Drawn => self.run.board().held_picture(),
        }
    }

    /// Moves a finger down or up, as soon as possible; within the start of the firmware, which blocks,
    /// the contact moves at its time too. Returns when. Later inputs are removed.
    ///
    /// # Errors
    /// If the session is a trace, or the finger is there already.
    pub fn move_finger(&mut self, button: Button, down: bool) -> Result<Instant, SessionError> {
        self.may_change()?;
        let button = self.run.board().named(button);
        let past = self.done[..self.run.next()].iter().filter(|done| self.is_known(done));
        let was = past.rev().find(|done| done.finger().is_some_and(|(at, _)| at == button));
        let was_down = was.is_some_and(|done| done.finger() == Some((button, true)));
        if was_down == down {
            let error = if down { SessionError::IsDown } else { SessionError::IsUp };
            return Err(error(button));
        }
        let earliest = was.map_or(Instant::START, |was| was.at().saturating_add(MIN_HOLD));
        if let Some((at, power_on)) = self.time_within_start(earliest) {
            let input = MachineInput::Board(Input::Finger { at, button, down });
            self.add_within_start(at, power_on, input);
            return Ok(at);
        }
        let at = self.next_whole_millisecond(earliest);
        self.remove_later();
        // The finger goes up now, not when it would have.
        let later = self.done.split_off(self.run.next());
        let others = later.into_iter().filter(|done| done.finger() != Some((button, false)));
        self.done.extend(others);
        self.add(MachineInput::Board(Input::Finger { at, button, down }));
        Ok(at)
    }

    /// Moves an encoder, a switch, a joystick or a potentiometer, as soon as possible. Returns when.
    /// Later inputs are removed.
    ///
    /// # Errors
    /// If the session is a trace.
    pub fn move_control(
        &mut self,
        control: Control,
        movement: Movement,
    ) -> Result<Instant, SessionError> {
        self.may_change()?;
        if let Some((at, power_on)) = self.time_within_start(Instant::START) {
            let input = MachineInput::Board(Input::Move { at, control, movement });
            self.add_within_start(at, power_on, input);
            return Ok(at);
        }
        let at = self.next_whole_millisecond(Instant::START);
        self.remove_later();
        self.add(MachineInput::Board(Input::Move { at, control, movement }));
        Ok(at)
    }

    /// Types a line on the console, as soon as possible. Returns when. Later inputs are removed.
    /// Without power the line is lost.
    ///
    /// # Errors
    /// If the session is a trace.
    pub fn type_line(&mut self, text: &str) -> Result<Instant, SessionError> {
        self.may_change()?;
        let at = self.next_whole_millisecond(Instant::START);
        self.remove_later();
        for byte in text.bytes().chain([b'\n']) {
            self.add(MachineInput::Board(Input::Typed { at, byte }));
        }
        Ok(at)
    }

    /// Switches the board on or off at the present time. Returns when.
    ///
    /// # Errors
    /// If the session is a trace.
    pub fn switch_power(&mut self, on: bool) -> Result<Instant, SessionError> {
        self.may_change()?;
        self.remove_later();
        let at = self.run.now();
        if self.run.board().is_powered() != on {
            self.add(if on { MachineInput::PowerOn } else { MachineInput::PowerOff });
        }
        Ok(at)
    }

    /// Returns the first time from `earliest` on that the machine has not passed, whole milliseconds
    /// after the lines of the trace.
    fn next_whole_millisecond(&self, earliest: Instant) -> Instant {
        let unseen = self.run.now().max(self.present).saturating_add(Nanos(1));
        self.whole_millisecond(earliest.max(unseen))
    }

    /// Returns the first time from `earliest` on that is whole milliseconds after the lines of the
    /// trace.
    fn whole_millisecond(&self, earliest: Instant) -> Instant {
        let phase = self.phase();
        let unrounded = earliest.0.saturating_sub(phase);
        Instant(unrounded.next_multiple_of(MILLISECOND).saturating_add(phase))
    }

    fn may_change(&self) -> Result<(), SessionError> {
        if self.left_at.is_none() {
            return Err(SessionError::Replayed);
        }
        if self.present >= SESSION_MAX {
            return Err(SessionError::TooLong);
        }
        match self.run.broken() {
            Some(broken) => Err(SessionError::Broken(broken.clone())),
            None => Ok(()),
        }
    }

    /// Removes the inputs after the present time, except the releases of the fingers that are
    /// down.
    fn remove_later(&mut self) {
        let next = self.run.next();
        let later = self.done.split_off(next);
        let mut down = down_after(&self.done);
        self.done.extend(later.into_iter().filter(|done| match done.finger() {
            Some((button, false)) => down.lift(button),
            _ => false,
        }));
        if self.present < self.reached {
            self.reached = self.present;
            self.known = self.known.min(self.present);
            self.copies.keep_before(self.run.now(), next);
            self.history.keep_before(self.present);
            self.frames.keep_before(self.present);
            self.listener = None;
        }
        self.left_at = self.left_at.map(|left| left.min(self.present));
    }

    /// Gives an input to the machine at its present time.
    fn add(&mut self, input: MachineInput) {
        let (clock, idle, next) = (self.run.now(), self.run.idle(), self.run.next());
        self.done.insert(next, TimedInput { clock, idle, input, line: None });
        self.listen();
        self.go(self.present);
    }

    /// Returns a run that can reach `at`: from the last copy before, or from the beginning.
    /// `None` if there is no machine any more.
    pub(crate) fn start(&self, at: Instant) -> Option<Run> {
        if let Some((machine, next)) = self.copies.last_by(at) {
            return Some(Run::from_copy(machine, next, 0));
        }
        (self.setup.maker)(&self.trace).ok().map(Run::new)
    }

    /// Begins again before `at`.
    fn restart(&mut self, at: Instant) {
        if let Some(run) = self.start(at) {
            self.run = run;
            self.listener = None;
        }
    }

    /// Records the machine's outputs from now on. Nothing is known after its present time.
    fn listen(&mut self) {
        if self.listener.is_none() {
            self.frames.resume(self.run.board(), self.known);
            self.listener = Some(attach_listener(self.run.board()));
        }
    }

    /// Brings the machine to `at`.
    pub(crate) fn go(&mut self, at: Instant) {
        let copy = self.copies.time_of_last_by(at);
        // A copy that is later than the machine saves the run up to it.
        if !self.run.can_reach(at) || copy.is_some_and(|copy| copy > self.run.now()) {
            self.restart(at);
        }
        if self.listener.is_none() {
            self.run.advance(&self.done, at.min(self.known), &mut NoObserver, None);
        }
        if at > self.known {
            self.listen();
        }
        if let Some(listener) = &self.listener {
            self.run.advance(&self.done, at, &mut self.frames, Some(&mut self.copies));
            self.known = self.known.max(self.run.now());
            self.run.board().notify_listeners();
            self.history.take_from(&mut listener.borrow_mut());
            self.history.catch_up(self.run.board());
        }
        // A machine that has stopped shows no later time.
        let stopped = self.run.broken().is_some().then(|| self.run.now());
        self.present = stopped.map_or(at, |stopped| stopped.min(at));
        self.reached = self.reached.max(self.present);
    }

    /// Returns every frame that was complete by [`Session::reached`].
    pub fn frames(&mut self) -> &[FrameSeen] {
        if self.frames.since > Instant::START
            && let Ok(machine) = (self.setup.maker)(&self.trace)
        {
            let mut log = FrameLog::new(machine.board().panel());
            let until = self.frames.since;
            Run::new(machine).advance(&self.done, until, &mut log, None);
            log.keep_before(until);
            self.frames.prepend(log);
        }
        let known = self.frames.seen.partition_point(|frame| frame.at <= self.reached);
        &self.frames.seen[..known]
    }

    /// Returns the frames that were logged during the run: all of a live board, in a branch those
    /// after its beginning.
    pub fn frames_seen(&self) -> &[FrameSeen] {
        &self.frames.seen
    }

    /// Returns whether there were more frames than are stored.
    pub fn frames_dropped(&self) -> bool {
        self.frames.dropped
    }
}
