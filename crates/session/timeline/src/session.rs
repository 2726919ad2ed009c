//! One way that a board can go: a trace as it was replayed, a live board, or a branch of either.

use std::cell::RefCell;
use std::rc::Rc;

use hal_mock::{
    VirtualBoard,
    board::{Input, SETTLED_AFTER},
    setup::SetupError,
};
use ili9341_model::{FRAME_IDLE, Frame};
use thiserror::Error;
use trace::{Button, MIN_HOLD, RUN_MAX, SESSION_MAX, Trace};
use virtual_time::{Instant, Nanos};

use crate::copies::{COPIES_MAX, Copies};
use crate::files::Files;
use crate::frames::{FrameLog, FrameSeen};
use crate::history::{ContactListener, History, attach_listener};
use crate::input::{MachineInput, TimedInput, down_after, kept_before};
use crate::recording::{Opened, Recording};
use crate::run::{Broken, NoObserver, Run};
use crate::setup::Setup;

const MILLISECOND: u64 = 1_000_000;

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionError {
    /// Something was to be done to a trace as it was replayed.
    #[error("this is the trace as it was replayed; branch off before you press a button")]
    Replayed,
    /// A button is pressed that is down.
    #[error("{0} is down")]
    IsDown(Button),
    /// A button is released that is up.
    #[error("{0} is not down")]
    IsUp(Button),
    /// The machine cannot go on from here.
    #[error("the machine has stopped: {0}")]
    Broken(Broken),
    /// The live board has run for its longest time.
    #[error("a board runs for at most 100 hours")]
    TooLong,
}

/// What a step goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The next moment at which a frame is complete.
    Frame,
    /// The next moment at which a transaction on the LCD's wire is over.
    Transaction,
}

/// What a session is at its present moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The present moment.
    pub t: Instant,
    /// Complete frames up to it.
    pub frame: u64,
    /// When the last of them was complete.
    pub frame_at: Option<Instant>,
    /// The buttons under a finger.
    pub down: Vec<Button>,
    /// In hertz.
    pub tone: Option<u32>,
    /// Whether there is power.
    pub powered: bool,
    /// Whether nothing has been drawn for [`SETTLED_AFTER`].
    pub settled: bool,
    /// Console lines up to it.
    pub console: usize,
    /// The end of a trace.
    pub end: Option<Instant>,
    /// The latest moment that there is.
    pub reached: Instant,
    /// Why the machine has stopped.
    pub broken: Option<Broken>,
}

/// Which picture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shown {
    /// The last complete frame.
    #[default]
    Frame,
    /// What the LCD's memory holds.
    Drawn,
}

/// What a machine has done, up to `end`.
pub(crate) struct Past {
    pub(crate) done: Vec<TimedInput>,
    pub(crate) copies: Copies,
    pub(crate) history: History,
    pub(crate) frames: Option<FrameLog>,
    pub(crate) end: Instant,
}

/// One way that a board can go.
pub struct Session {
    setup: Setup,
    /// What machines are made for.
    trace: Rc<Trace>,
    /// The trace that it is, or branched off.
    recording: Option<Rc<Recording>>,
    /// Where it left the trace; `None`: it is the trace.
    left_at: Option<Instant>,
    done: Vec<TimedInput>,
    run: Run,
    /// Hears the run's contacts, once that goes where none has been.
    listener: Option<Rc<RefCell<ContactListener>>>,
    copies: Copies,
    history: History,
    frames: FrameLog,
    /// Up to when history and frames are known.
    known: Instant,
    present: Instant,
    reached: Instant,
    shown: Shown,
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
        let machine = (setup.maker)(&trace)?;
        let end = recording.outcome.ended_at;
        let frames = recording.frames.clone();
        Ok(Self {
            setup: setup.clone(),
            trace,
            left_at: None,
            done: recording.done.clone(),
            run: Run::new(machine),
            listener: None,
            copies: recording.copies.clone(),
            history: recording.history.clone(),
            frames: frames.unwrap_or_else(|| FrameLog::from(end)),
            known: end,
            present: Instant::START,
            reached: end,
            shown: Shown::default(),
            recording: Some(recording),
        })
    }

    /// What a machine has done so far. It ends there, as a trace does.
    ///
    /// # Errors
    /// If there is no copy of the machine, and no other one can be built.
    pub(crate) fn past(setup: &Setup, trace: Rc<Trace>, past: Past) -> Result<Self, SetupError> {
        let Past { done, copies, history, frames, end } = past;
        let run = match copies.last_by(end) {
            Some((machine, next)) => Run::from_copy(machine, next),
            None => Run::new((setup.maker)(&trace)?),
        };
        Ok(Self {
            setup: setup.clone(),
            trace,
            recording: None,
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
        })
    }

    /// A board that is powered on at 0, with the header of `trace`.
    ///
    /// # Errors
    /// If there is no machine for the header.
    pub fn live(setup: &Setup, trace: Trace) -> Result<Self, SetupError> {
        let trace = Rc::new(trace);
        let machine = (setup.maker)(&trace)?;
        let done = vec![TimedInput {
            clock: Instant::START,
            idle: 0,
            input: MachineInput::PowerOn,
            line: None,
        }];
        let mut session = Self {
            setup: setup.clone(),
            trace,
            recording: None,
            left_at: Some(Instant::START),
            done,
            run: Run::new(machine),
            listener: None,
            copies: Copies::new(setup.copied_every, COPIES_MAX),
            history: History::default(),
            frames: FrameLog::new(),
            known: Instant::START,
            present: Instant::START,
            reached: Instant::START,
            shown: Shown::default(),
        };
        session.listen();
        session.go(Instant::START);
        Ok(session)
    }

    /// A session that has what was done in this one before `at`; a finger that is down then goes up when it
    /// did. Its present moment is `at`.
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
        let mut branch = Self {
            setup: self.setup.clone(),
            trace: Rc::clone(&self.trace),
            recording: self.recording.clone(),
            left_at: Some(self.left_at.map_or(at, |left| left.min(at))),
            done,
            run: Run::new((self.setup.maker)(&self.trace)?),
            listener: None,
            copies,
            history,
            frames,
            known: at,
            present: at,
            reached: at,
            shown: Shown::default(),
        };
        branch.go(at);
        Ok(branch)
    }

    /// The recording of the trace that it is, or branched off.
    pub fn recording(&self) -> Option<&Rc<Recording>> {
        self.recording.as_ref()
    }

    /// Where it left the trace, or 0 if there is none; `None`: it is the trace.
    pub fn left_at(&self) -> Option<Instant> {
        self.left_at
    }

    /// What machines are made for.
    pub fn trace(&self) -> &Rc<Trace> {
        &self.trace
    }

    /// Everything that was done.
    pub fn done(&self) -> &[TimedInput] {
        &self.done
    }

    /// What was heard and seen up to [`Session::reached`], and perhaps a step behind it.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The latest moment that there is.
    pub fn reached(&self) -> Instant {
        self.reached
    }

    /// The present moment.
    pub fn present(&self) -> Instant {
        self.present
    }

    /// What all sessions of the board share.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// How many copies of its machine it holds.
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// The board, as the last step has left it: a little behind the present moment.
    pub fn board(&self) -> &VirtualBoard {
        self.run.board()
    }

    /// Goes to `at`: of a trace at most to its end, of another session at most [`RUN_MAX`] further than
    /// ever.
    pub fn seek(&mut self, at: Instant, drawn: bool) -> State {
        let at = at.min(self.last());
        self.shown = if drawn { Shown::Drawn } else { Shown::Frame };
        if drawn {
            // A picture can be put aside only while the machine passes the moment.
            self.restart(at);
            self.run.board().hold_picture(at);
        }
        self.go(at);
        self.state()
    }

    /// Goes one unit forward or back. Without a next one the present moment stays.
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

    /// The latest moment that it may go to.
    fn last(&self) -> Instant {
        match self.left_at {
            None => self.reached,
            Some(_) => self.reached.saturating_add(RUN_MAX).min(SESSION_MAX),
        }
    }

    /// What it is at its present moment.
    pub fn state(&self) -> State {
        let (board, t) = (self.run.board(), self.present);
        // Deeds are in the order in which the board was told, which need not be that of their moments.
        let mut past: Vec<TimedInput> =
            self.done.iter().copied().filter(|done| done.at() <= t).collect();
        past.sort_by_key(TimedInput::at);
        let down = down_after(&past);
        let heard = self.history.tones.partition_point(|tone| tone.at <= t);
        let span = board.frame_span_at(t);
        // Behind the present moment something may have been drawn already.
        let change = Some(board.last_change()).filter(|at| *at <= t);
        let change = change.or(span.map(|(_, last)| last)).unwrap_or_default();
        let switched = self.history.power.iter().rev().find(|change| change.at <= t);
        State {
            t,
            frame: board.frame_count_at(t),
            frame_at: span.map(|(_, last)| last.saturating_add(FRAME_IDLE)),
            down: Button::ALL.into_iter().filter(|button| down[button.index()]).collect(),
            tone: heard.checked_sub(1).and_then(|last| self.history.tones[last].hz),
            powered: switched.is_some_and(|change| change.on),
            settled: change.saturating_add(SETTLED_AFTER) <= t,
            console: self.history.console.partition_point(|line| line.at <= t),
            end: self.left_at.is_none().then_some(self.reached),
            reached: self.reached,
            broken: self.run.broken().filter(|_| board.now() <= t).cloned(),
        }
    }

    /// The picture of the present moment.
    pub fn picture(&self) -> Frame {
        match self.shown {
            Shown::Frame => self.run.board().frame_at(self.present),
            Shown::Drawn => self.run.board().held_picture(),
        }
    }

    /// A finger goes down or up, as soon as it can. Says when. What was to be done later is forgotten.
    ///
    /// # Errors
    /// If it is a trace, or the finger is there already.
    pub fn move_finger(&mut self, button: Button, down: bool) -> Result<Instant, SessionError> {
        self.may_change()?;
        let past = &self.done[..self.run.next()];
        let was = past.iter().rev().find(|done| done.finger().is_some_and(|(at, _)| at == button));
        let was_down = was.is_some_and(|done| done.finger() == Some((button, true)));
        if was_down == down {
            let error = if down { SessionError::IsDown } else { SessionError::IsUp };
            return Err(error(button));
        }
        let earliest = was.map_or(Instant::START, |was| was.at().saturating_add(MIN_HOLD));
        let unseen = self.run.now().max(self.present).saturating_add(Nanos(1));
        let phase = self.phase();
        let unrounded = earliest.max(unseen).0.saturating_sub(phase);
        let at = Instant(unrounded.next_multiple_of(MILLISECOND).saturating_add(phase));
        self.forget_later();
        // It goes up now, not when it would have.
        let later = self.done.split_off(self.run.next());
        let others = later.into_iter().filter(|done| done.finger() != Some((button, false)));
        self.done.extend(others);
        self.add(MachineInput::Board(Input::Finger { at, button, down }));
        Ok(at)
    }

    /// Types a line on the console, as soon as it can. Says when. What was to be done later is forgotten. Without power nothing hears it.
    ///
    /// # Errors
    /// If it is a trace.
    pub fn type_line(&mut self, text: &str) -> Result<Instant, SessionError> {
        self.may_change()?;
        let unseen = self.run.now().max(self.present).saturating_add(Nanos(1));
        let phase = self.phase();
        let unrounded = unseen.0.saturating_sub(phase);
        let at = Instant(unrounded.next_multiple_of(MILLISECOND).saturating_add(phase));
        self.forget_later();
        for byte in text.bytes().chain([b'\n']) {
            self.add(MachineInput::Board(Input::Typed { at, byte }));
        }
        Ok(at)
    }

    /// Switches the board on or off at the present moment. Says when.
    ///
    /// # Errors
    /// If it is a trace.
    pub fn switch_power(&mut self, on: bool) -> Result<Instant, SessionError> {
        self.may_change()?;
        self.forget_later();
        let at = self.run.now();
        if self.run.board().is_powered() != on {
            self.add(if on { MachineInput::PowerOn } else { MachineInput::PowerOff });
        }
        Ok(at)
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

    /// Forgets what is done behind the present moment, but for the releases of the fingers that are down.
    fn forget_later(&mut self) {
        let next = self.run.next();
        let later = self.done.split_off(next);
        let mut down = down_after(&self.done);
        self.done.extend(later.into_iter().filter(|done| match done.finger() {
            Some((button, false)) => std::mem::take(&mut down[button.index()]),
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

    /// Does something to the machine where it stands.
    fn add(&mut self, input: MachineInput) {
        let (clock, idle, next) = (self.run.now(), self.run.idle(), self.run.next());
        self.done.insert(next, TimedInput { clock, idle, input, line: None });
        self.listen();
        self.go(self.present);
    }

    /// A run that can reach `at`: from the last copy before, or from the beginning. `None` if there is
    /// no machine any more.
    pub(crate) fn start(&self, at: Instant) -> Option<Run> {
        if let Some((machine, next)) = self.copies.last_by(at) {
            return Some(Run::from_copy(machine, next));
        }
        (self.setup.maker)(&self.trace).ok().map(Run::new)
    }

    /// Begins anew before `at`.
    fn restart(&mut self, at: Instant) {
        if let Some(run) = self.start(at) {
            self.run = run;
            self.listener = None;
        }
    }

    /// Hears and sees from now on what the machine does; it stands where nothing is known behind.
    fn listen(&mut self) {
        if self.listener.is_none() {
            self.frames.resume(self.run.board(), self.known);
            self.listener = Some(attach_listener(self.run.board()));
        }
    }

    /// Brings the machine to `at`.
    pub(crate) fn go(&mut self, at: Instant) {
        let copy = self.copies.time_of_last_by(at);
        // A copy that is further on than the machine saves the way up to it.
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
            self.run.board().tell_probe();
            self.history.take_from(&mut listener.borrow_mut());
            self.history.catch_up(self.run.board());
        }
        // A machine that has stopped shows no later moment.
        let stopped = self.run.broken().is_some().then(|| self.run.now());
        self.present = stopped.map_or(at, |stopped| stopped.min(at));
        self.reached = self.reached.max(self.present);
    }

    /// Every frame that was complete by [`Session::reached`].
    pub fn frames(&mut self) -> &[FrameSeen] {
        if self.frames.since > Instant::START
            && let Ok(machine) = (self.setup.maker)(&self.trace)
        {
            let mut log = FrameLog::new();
            let until = self.frames.since;
            Run::new(machine).advance(&self.done, until, &mut log, None);
            log.keep_before(until);
            self.frames.prepend(log);
        }
        let known = self.frames.seen.partition_point(|frame| frame.at <= self.reached);
        &self.frames.seen[..known]
    }

    /// Those that were noted on the way: all of a live board, of a branch those behind its beginning.
    pub fn frames_seen(&self) -> &[FrameSeen] {
        &self.frames.seen
    }

    /// Whether more frames came than are kept.
    pub fn frames_dropped(&self) -> bool {
        self.frames.dropped
    }
}
