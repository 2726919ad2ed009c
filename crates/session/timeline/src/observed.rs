//! A machine that a program drives. Any earlier time of it can be visited without running all of
//! it again.
//!
//! Inputs are logged and the machine is copied at intervals, as in the replay of a trace. Memory
//! is bounded: at most 96 copies, and a fixed number of inputs, frames, contacts and lines each.
//! It knows no wall clock and no file.

use std::rc::Rc;

use hal_mock::{Machine, MachineWrapper, setup::SetupError};
use trace::Trace;
use virtual_time::{Instant, Nanos};

use crate::frames::FrameSeen;
use crate::history::History;
use crate::logged::LoggedMachine;
use crate::session::{Past, Session};
use crate::setup::Setup;

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
    /// Wraps a machine whose clock is at 0 and whose power is off, and copies it each
    /// `copied_every` of virtual time.
    pub fn new(machine: Box<dyn Machine>, copied_every: Nanos) -> Self {
        if machine.board().inputs_from().is_some() {
            return Self(Inner::Real(machine));
        }
        let logged = Box::new(LoggedMachine::new(machine, true, copied_every));
        Self(Inner::Virtual { logged, history: History::default() })
    }

    /// Returns the past as a session that ends at the machine's present; `None` if there were
    /// more inputs than are stored, or the board is a real one. The machine is unchanged.
    ///
    /// # Errors
    /// If there is no copy, and no other machine can be built.
    pub fn past(&mut self, setup: &Setup) -> Option<Result<Session, SetupError>> {
        let Inner::Virtual { logged, history } = &mut self.0 else { return None };
        let done = {
            let notes = logged.notes().borrow();
            if notes.is_cut {
                return None;
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
        Some(Session::past(setup, Rc::new(Trace::default()), past))
    }

    /// Returns the frames that were complete so far.
    pub fn frames(&self) -> &[FrameSeen] {
        match &self.0 {
            Inner::Virtual { logged, .. } => logged.seen().0.map_or(&[], |log| &log.seen),
            Inner::Real(_) => &[],
        }
    }

    /// Returns the machine as it was at its last copy by `at` with at most `inputs` inputs, with
    /// the past that it had then, and the number of its inputs. `None` if there is no such copy.
    pub fn before(&mut self, at: Instant, inputs: usize) -> Option<(Self, usize)> {
        let Inner::Virtual { logged, history } = &mut self.0 else { return None };
        logged.update_history(history);
        let (logged, next) = logged.before(at, inputs)?;
        let mut history = history.clone();
        history.keep_before(logged.board().now());
        Some((Self(Inner::Virtual { logged: Box::new(logged), history }), next))
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
