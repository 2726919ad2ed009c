//! A replay whose lines are not known before: each is carried out when it comes, and the board is
//! looked at in between.
//!
//! The lines that were carried out, as a trace, replay to the same frames, tones and console lines, if
//! two things hold. A line that moves a contact comes at [`Ongoing::unseen`] or later: a finger that
//! moves at a moment which the machine has passed is seen late. And whoever advances the time does not
//! stop it while a `tap` holds its button: how far a step overshoots such a stop must not decide
//! whether the machine knows of the release.

use super::{Run, State, Stop};
use crate::board::VirtualBoard;
use crate::replay::{Failure, Goldens, ReplaySettings};
use crate::{Machine, MachineError};
use reading::text::Reader;
use trace::{Action, Line, Trace};
use virtual_time::{Instant, Nanos};

/// A replay in progress, with the machine that it runs on.
pub struct Ongoing {
    machine: Box<dyn Machine>,
    options: ReplaySettings,
    state: State,
}

/// How a line went that did not stop the replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The line's time, from which the next one counts: for one that waits the moment at which that was met.
    pub over: Instant,
    /// What an expectation did not find.
    pub failures: Vec<Failure>,
}

/// Why a line stopped the replay. It can go on behind [`Stopped::Failed`], but a trace could not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// A wait was not met, or the line makes no sense here.
    Failed(Vec<Failure>),
    /// The firmware keeps the clock for itself since this moment.
    ClockKept(Instant),
    /// The machine cannot go on.
    Broken(MachineError),
}

impl Ongoing {
    /// On a fresh machine: its clock at 0, its power off.
    pub fn new(machine: Box<dyn Machine>, options: ReplaySettings) -> Self {
        Self { machine, options, state: State::at(Instant::START, &Trace::default()) }
    }

    /// The same replay on a copy of the machine; `None` if that cannot be copied.
    pub fn fork(&self) -> Option<Self> {
        let machine = self.machine.fork()?;
        Some(Self { machine, options: self.options, state: self.state.clone() })
    }

    /// Whether a line can be carried out without being known before: it looks back over no frames or
    /// bytes, which are noted only if a line to come asks for them, and is not planned a line ahead.
    pub fn is_known_in_time(action: &Action) -> bool {
        use trace::BoardFault;
        match action {
            Action::ExpectText(check) => check.shown_for.is_none(),
            Action::ExpectFrames { .. }
            | Action::ExpectBus { .. }
            | Action::ExpectFrameTime { .. }
            | Action::Fault(BoardFault::PowerCut)
            | Action::End => false,
            _ => true,
        }
    }

    /// The time that the replay has come to. The board's may be ahead by an overshoot.
    pub fn clock(&self) -> Instant {
        self.state.clock
    }

    /// The board.
    pub fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    /// The first moment, whole milliseconds behind `line`, that the machine has not seen.
    pub fn unseen(&self, line: Instant) -> Instant {
        const MILLISECOND: u64 = 1_000_000;
        let seen = self.board().now().max(self.state.clock).saturating_add(Nanos(1));
        let behind = seen.saturating_since(line).0.next_multiple_of(MILLISECOND);
        line.saturating_add(Nanos(behind))
    }

    /// Carries `line` out, if [`is_known_in_time`](Self::is_known_in_time); its time is an absolute one, or counts
    /// from [`clock`](Self::clock).
    ///
    /// # Errors
    /// If it stops the replay. Time has passed then.
    pub fn carry_out(
        &mut self,
        line: &Line,
        text: &Reader,
        goldens: &mut dyn Goldens,
    ) -> Result<Carried, Stopped> {
        self.with(text, goldens, |run| run.line(line, None))
    }

    /// Lets time pass until `at`.
    ///
    /// # Errors
    /// If the machine stops on the way.
    pub fn advance(
        &mut self,
        at: Instant,
        text: &Reader,
        goldens: &mut dyn Goldens,
    ) -> Result<(), Stopped> {
        let at = at.max(self.state.clock);
        self.with(text, goldens, |run| run.reach(at)).map(drop)
    }

    fn with(
        &mut self,
        text: &Reader,
        goldens: &mut dyn Goldens,
        go: impl FnOnce(&mut Run<'_>) -> Result<(), Stop>,
    ) -> Result<Carried, Stopped> {
        // What is taken here is put back below; behind a panic in between it is forgotten.
        let forgotten = State::at(self.state.clock, &Trace::default());
        let state = std::mem::replace(&mut self.state, forgotten);
        let mut run = Run::going_on(&mut *self.machine, text, goldens, self.options, state);
        let result = go(&mut run);
        let Run { state, failures, .. } = run;
        let clock = state.clock;
        self.state = state;
        match result {
            Ok(()) | Err(Stop::Done) => Ok(Carried { over: clock, failures }),
            Err(Stop::Failed) => Err(Stopped::Failed(failures)),
            Err(Stop::Limit(at)) => Err(Stopped::ClockKept(at)),
            Err(Stop::Broken(error)) => Err(Stopped::Broken(error)),
        }
    }
}
