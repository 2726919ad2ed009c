//! A replay whose lines are not known in advance: each is executed when it arrives, and the board
//! can be observed in between.
//!
//! The executed lines, as a trace, replay to the same frames, tones and console lines on two
//! conditions. First, a line that moves a contact has a time of [`Ongoing::unseen`] or later: an
//! earlier press would be detected late. Second, the caller that advances the time does not stop
//! while a `tap` holds its button: how far a step overshoots such a stop must not decide whether
//! the machine knows of the release.

use super::plan::acts;
use super::{OutputLog, Release, Run, State, Stop};
use crate::board::VirtualBoard;
use crate::replay::{Failure, Goldens, ReplaySettings};
use crate::{Machine, MachineError};
use reading::text::Reader;
use thiserror::Error;
use trace::{Action, Line, Trace};
use virtual_time::{Instant, Nanos, spoken};

/// A replay in progress, with the machine that it runs on.
pub struct Ongoing<M> {
    /// The machine. Only the replay steps it and gives it inputs.
    pub machine: M,
    options: ReplaySettings,
    state: State,
}

/// State of a replay between two lines, from which [`Ongoing::resume`] continues.
#[derive(Clone)]
pub struct ResumePoint {
    clock: Instant,
    machine_at: Instant,
    releases: Vec<Release>,
    last_input: Instant,
    heard: OutputLog,
}

impl ResumePoint {
    /// Returns the time that the machine had reached: that of the replay or, by an overshoot,
    /// later.
    pub fn machine_at(&self) -> Instant {
        self.machine_at
    }
}

/// Result of a line that did not stop the replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineResult {
    /// The line's time, from which the next one counts; for a line that waits, the time at which
    /// the wait was satisfied.
    pub over: Instant,
    /// Failed expectations of the line.
    pub failures: Vec<Failure>,
}

/// The reason why a line stopped the replay. The replay can continue after [`Stopped::Failed`], but
/// a trace could not.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Stopped {
    /// A wait was not satisfied, or the line is not possible now.
    #[error("{}", .0.first().map(Failure::message).unwrap_or_default())]
    Failed(Vec<Failure>),
    /// Since this time the firmware does not return control.
    #[error("the firmware keeps the clock for itself since {}", spoken(.0.since_start()))]
    ClockKept(Instant),
    /// The machine cannot continue.
    #[error(transparent)]
    Broken(MachineError),
}

/// Returns whether [`Ongoing`] can execute an action without advance notice: it does not check past
/// frames or bytes, which are recorded only if a later line needs them, and it is not planned a
/// line ahead.
pub fn can_run_unplanned(action: &Action) -> bool {
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

impl<M: Machine> Ongoing<M> {
    /// Creates a replay on a fresh machine: its clock at 0, its power off.
    pub fn new(machine: M, options: ReplaySettings) -> Self {
        Self { machine, options, state: State::at(Instant::START, &Trace::default()) }
    }

    /// Continues a replay at `at`, after the line at whose end `point` was taken and before the
    /// next one. `machine` has had the same inputs, and has reached `at` and
    /// [`ResumePoint::machine_at`].
    pub fn resume(machine: M, options: ReplaySettings, point: &ResumePoint, at: Instant) -> Self {
        let ResumePoint { clock, releases, last_input, heard, machine_at: _ } = point.clone();
        let fresh = State::at(clock.max(at), &Trace::default());
        Self { machine, options, state: State { releases, last_input, heard, ..fresh } }
    }

    /// Returns the state from which the replay can be resumed on another machine.
    pub fn resume_point(&self) -> ResumePoint {
        ResumePoint {
            clock: self.state.clock,
            machine_at: self.board().now(),
            releases: self.state.releases.clone(),
            last_input: self.state.last_input,
            heard: self.state.heard.without_console(),
        }
    }

    /// Returns the time of the replay. The board's time may be ahead by an overshoot.
    pub fn clock(&self) -> Instant {
        self.state.clock
    }

    pub fn board(&self) -> &VirtualBoard {
        self.machine.board()
    }

    /// Returns the first time, whole milliseconds after `line`, that the machine has not passed,
    /// and at which a board that cannot be stopped still takes inputs.
    pub fn unseen(&self, line: Instant) -> Instant {
        let seen = self.board().now().max(self.state.clock).saturating_add(Nanos(1));
        rounded(line, seen.max(self.board().inputs_from().unwrap_or_default()))
    }

    /// Returns the first time for an action that moves no contact: the present, or the first whole
    /// millisecond after `line` at which a board that cannot be stopped still takes it.
    pub fn first_time(&self, line: Instant, action: &Action) -> Instant {
        match self.board().inputs_from().filter(|from| acts(action) && *from > self.state.clock) {
            Some(from) => rounded(line, from),
            None => self.state.clock,
        }
    }

    /// Executes `line`, for which [`can_run_unplanned`] must hold; its time
    /// is absolute or counts from [`clock`](Self::clock).
    ///
    /// # Errors
    /// If the line stops the replay. Time has passed then.
    pub fn execute(
        &mut self,
        line: &Line,
        text: &Reader,
        goldens: &mut dyn Goldens,
    ) -> Result<LineResult, Stopped> {
        self.with(text, goldens, |run| run.line(line, None))
    }

    /// Executes `lines`, whose absolute times are known in advance. The first one switches the
    /// power on: the board gets the movements within the start of the firmware before, as in a
    /// replay. Returns the time of the board after that line.
    ///
    /// # Errors
    /// If a line stops the replay. Time has passed then.
    pub fn execute_known(
        &mut self,
        lines: &[Line],
        text: &Reader,
        goldens: &mut dyn Goldens,
    ) -> Result<Instant, Stopped> {
        let mut started = self.board().now();
        self.with(text, goldens, |run| {
            for (nth, line) in lines.iter().enumerate() {
                run.plan(&lines[nth..]);
                run.line(line, lines.get(nth + 1))?;
                if nth == 0 {
                    started = run.board().now();
                }
            }
            // The next line is not known yet.
            run.state.planned = 0;
            Ok(())
        })?;
        Ok(started)
    }

    /// Runs until `at`.
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
    ) -> Result<LineResult, Stopped> {
        // The state is moved out here and back in below; after a panic in between it is lost.
        let forgotten = State::at(self.state.clock, &Trace::default());
        let state = std::mem::replace(&mut self.state, forgotten);
        let mut run = Run::with_state(&mut self.machine, text, goldens, self.options, state);
        let result = go(&mut run);
        let Run { state, failures, .. } = run;
        let clock = state.clock;
        self.state = state;
        match result {
            Ok(()) | Err(Stop::Done) => Ok(LineResult { over: clock, failures }),
            Err(Stop::Failed) => Err(Stopped::Failed(failures)),
            Err(Stop::Limit(at)) => Err(Stopped::ClockKept(at)),
            Err(Stop::Broken(error)) => Err(Stopped::Broken(error)),
        }
    }
}

/// Returns `at`, or the next whole millisecond after `line`.
fn rounded(line: Instant, at: Instant) -> Instant {
    const MILLISECOND: u64 = 1_000_000;
    let after = at.saturating_since(line).0.next_multiple_of(MILLISECOND);
    line.saturating_add(Nanos(after))
}
