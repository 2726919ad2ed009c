//! A machine that a program drives. Any earlier time of it can be visited without running all of
//! it again.
//!
//! Inputs are logged and the machine is copied at intervals, as in the replay of a trace. Memory
//! is bounded: at most 96 copies with a short history of outputs each, and one history with a fixed
//! number of inputs, frames, contacts and lines.
//! It knows no wall clock and no file.

use std::rc::Rc;

use hal_mock::{Call, Machine, MachineWrapper, board::ConsoleLine, log::Log, setup::SetupError};
use trace::Trace;
use virtual_time::{Instant, Nanos};

use crate::history::History;
use crate::logged::LoggedMachine;
use crate::session::{Past, Session};
use crate::setup::Setup;

/// Bytes of the console and changes of tone that the board and each of its copies store. The history
/// has more of them.
const BOARD_CONSOLE_BYTES: usize = 64 << 10;
const BOARD_TONES: usize = 1_024;
/// Virtual time between two updates of the history: less than a board's console can store.
const UPDATED_EVERY: Nanos = Nanos::from_millis(100);

/// A machine and its past. Every input goes through this wrapper, or to its board.
pub struct ObservedMachine(Inner);

enum Inner {
    Virtual {
        logged: Box<LoggedMachine>,
        history: Box<History>,
        /// Time of the next update of the history.
        due: Instant,
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
        machine.board().keep_outputs(BOARD_CONSOLE_BYTES, BOARD_TONES);
        let logged = Box::new(LoggedMachine::new(machine, true, copied_every));
        Self(Inner::Virtual { logged, history: Box::new(History::endless()), due: Instant::START })
    }

    /// Returns the past as a session that ends at the machine's present; `None` if there were
    /// more inputs than are stored, or the board is a real one. The machine is unchanged.
    ///
    /// # Errors
    /// If there is no copy, and no other machine can be built.
    pub fn past(&mut self, setup: &Setup) -> Option<Result<Session, SetupError>> {
        let Inner::Virtual { logged, history, .. } = &mut self.0 else { return None };
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
            history: (**history).clone(),
            frames: frames.cloned(),
            end: logged.board().now(),
        };
        Some(Session::past(setup, Rc::new(Trace::default()), past))
    }

    /// Returns the machine as it was at its last copy by `at` with at most `inputs` inputs, with
    /// the past that it had then, and the number of its inputs. `None` if there is no such copy.
    pub fn before(&mut self, at: Instant, inputs: usize) -> Option<(Self, usize)> {
        let Inner::Virtual { logged, history, .. } = &mut self.0 else { return None };
        logged.update_history(history);
        let (logged, next) = logged.before(at, inputs)?;
        let mut history = history.clone();
        let due = logged.board().now();
        history.keep_before(due);
        Some((Self(Inner::Virtual { logged: Box::new(logged), history, due }), next))
    }

    /// Calls `look` with the console's lines up to now, the newest.
    pub fn with_console<R>(&mut self, look: impl FnOnce(&Log<ConsoleLine>) -> R) -> R {
        match &mut self.0 {
            Inner::Virtual { logged, history, .. } => {
                logged.board().with_console(|lines| history.console.catch_up(lines));
                look(&history.console)
            }
            Inner::Real(machine) => machine.board().with_console(look),
        }
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

    fn after(&mut self, _: Call, _: bool) {
        let Inner::Virtual { logged, history, due } = &mut self.0 else { return };
        let now = logged.board().now();
        if now >= *due {
            *due = now.saturating_add(UPDATED_EVERY);
            logged.update_history(history);
        }
    }
}
