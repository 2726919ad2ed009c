//! A board under way, which a view or a program drives: the machine, all its inputs, and the way
//! back to any earlier time.
//!
//! Inputs are logged and the machine is copied at intervals, as in the replay of a trace. An
//! earlier time is visited ([`past`](ObservedMachine::past)), or the board continues from there
//! ([`back_to`](ObservedMachine::back_to)), without running all of it again. Memory is bounded by
//! the number of copies and a fixed number of inputs, frames, contacts and lines each. It knows no
//! wall clock and no file.

use std::rc::Rc;

use hal_mock::{Machine, MachineWrapper, setup::SetupError};
use thiserror::Error;
use trace::Trace;
use virtual_time::Instant;

use crate::copies::Copies;
use crate::history::History;
use crate::logged::LoggedMachine;
use crate::run::Broken;
use crate::session::{Past, Session};
use crate::setup::Setup;

/// Reason why a board cannot go back.
#[derive(Debug, Error)]
pub enum NoPast {
    /// There were more inputs than are stored.
    #[error("more was done than can be gone back through")]
    TooLong,
    /// The board is a real one.
    #[error("a real board cannot go back")]
    RealBoard,
    /// There is no copy of the machine, and no other one can be built.
    #[error(transparent)]
    Machine(#[from] SetupError),
}

/// A machine and its past. Every input goes through this wrapper, or to its board.
pub struct ObservedMachine(Inner);

enum Inner {
    Virtual {
        logged: Box<LoggedMachine>,
        history: History,
    },
    /// A real board: no earlier time of it can be visited.
    Real(Box<dyn Machine>),
}

impl ObservedMachine {
    /// Wraps a machine whose clock is at 0 and whose power is off. `copies` sets how many copies
    /// are made of it; `sees_frames` whether its frames are logged, or found by another run when a
    /// [`Session`] needs them.
    pub fn new(machine: Box<dyn Machine>, sees_frames: bool, copies: Copies) -> Self {
        if machine.board().inputs_from().is_some() {
            return Self(Inner::Real(machine));
        }
        let logged = Box::new(LoggedMachine::new(machine, sees_frames, copies));
        Self(Inner::Virtual { logged, history: History::default() })
    }

    /// Returns the number of inputs so far; 0 for a real board.
    pub fn inputs(&self) -> usize {
        match &self.0 {
            Inner::Virtual { logged, .. } => logged.inputs(),
            Inner::Real(_) => 0,
        }
    }

    /// Returns the past as a session that ends at the machine's present. The machine is unchanged.
    ///
    /// # Errors
    /// If the board has no past.
    pub fn past(&mut self, setup: &Setup) -> Result<Session, NoPast> {
        let Inner::Virtual { logged, history } = &mut self.0 else { return Err(NoPast::RealBoard) };
        let done = {
            let notes = logged.notes().borrow();
            if notes.is_cut {
                return Err(NoPast::TooLong);
            }
            notes.done.clone()
        };
        logged.update_history(history);
        let (frames, copies) = logged.seen();
        let past = Past {
            done,
            copies: copies.clone(),
            history: history.clone(),
            frames: frames.cloned(),
            end: logged.board().now(),
        };
        Ok(Session::past(setup, Rc::new(Trace::default()), past)?)
    }

    /// Returns the machine as it was at `at` with its first `inputs` inputs, which were given by
    /// then, and with the past that it had then; and the reason if it stops on the way. The
    /// machine itself is unchanged. `make` builds an equal machine, which is needed only if there
    /// is no copy.
    ///
    /// # Errors
    /// If the board has no past.
    pub fn back_to(
        &mut self,
        at: Instant,
        inputs: usize,
        make: impl FnOnce() -> Result<Box<dyn Machine>, SetupError>,
    ) -> Result<(Self, Option<Broken>), NoPast> {
        let Inner::Virtual { logged, history } = &mut self.0 else { return Err(NoPast::RealBoard) };
        logged.update_history(history);
        let (logged, begun, broken) = logged.back_to(at, inputs, make)?;
        let mut history = history.clone();
        history.keep_before(begun);
        Ok((Self(Inner::Virtual { logged: Box::new(logged), history }), broken))
    }
}

impl MachineWrapper for ObservedMachine {
    fn inner(&self) -> &dyn Machine {
        match &self.0 {
            Inner::Virtual { logged, .. } => logged.as_ref(),
            Inner::Real(machine) => machine.as_ref(),
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        match &mut self.0 {
            Inner::Virtual { logged, .. } => logged.as_mut(),
            Inner::Real(machine) => machine.as_mut(),
        }
    }
}
